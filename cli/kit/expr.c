/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses expressions into code for a stack machine, which expr_value.c runs. */
#include "cli/kit/expr.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/cli.h"
#include "cli/kit/expr_code.h"

typedef enum { BAD, NUMBER, TRUTH } kind;
typedef struct {
    const char *text, *p;
    wsk_expr *out;
    wsk_expr_resolve *resolve;
    void *ctx;
    wsk_expr_error *error;
    int depth;
    wsk_waiting waiting; /* numbers with a unit since the last comparison, not converted yet */
    wsk_measure measure; /* unit of the part of the expression that was parsed last */
} parser;

static kind wrong(parser *s, const char *at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static kind wrong(parser *s, const char *at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(s->error->text, sizeof s->error->text, fmt, args);
    va_end(args);
    s->error->at = (size_t)(at - s->text);
    return BAD;
}

static void skip_space(parser *s)
{
    s->p += strspn(s->p, " \t\r\n");
}

static size_t name_length(const char *p)
{
    if (!isalpha((unsigned char)*p) && *p != '_')
        return 0;
    size_t n = 1;
    while (isalnum((unsigned char)p[n]) || (p[n] && strchr("_.[]", p[n])))
        n++;
    return n;
}

static bool word(parser *s, const char *keyword)
{
    skip_space(s);
    size_t len = name_length(s->p);
    if (len != strlen(keyword) || memcmp(s->p, keyword, len) != 0)
        return false;
    s->p += len;
    return true;
}

static bool emit(parser *s, op o, double number, size_t variable)
{
    if (s->out->count == CODE_MAX) {
        wrong(s, s->p, T_("this is too long"));
        return false;
    }
    s->out->code[s->out->count++] = (instruction){o, number, variable};
    return true;
}

static kind load(parser *s, const char *at, const char *name)
{
    size_t variable = 0;
    wsk_result_place p;
    const char *unit = NULL;
    if (!s->resolve(s->ctx, name, &variable, &unit, s->error)) {
        s->error->at = (size_t)(at - s->text);
        return BAD;
    }
    if (wsk_result_find(&p, name))
        unit = wsk_measure_money(wsk_result_about(p.result)->unit, s->error);
    /* weight: how much the value rises, K, if all temperatures in it rise by 1 K. It is 1 for a temperature; for a sum
     * over the cards it is unknown, because the number of cards is unknown here. */
    s->measure = (wsk_measure){.unit = unit, .unknown = !unit, .weight = strncmp(name, "sum(", 4) ? 1 : NAN};
    return emit(s, LOAD, 0, variable) ? NUMBER : BAD;
}

static kind function(parser *s, const char *at, size_t len)
{
    const char *p = at + len;
    p += strspn(p, " \t") + 1;
    p += strspn(p, " \t");
    size_t key = name_length(p);
    const char *end = p + key + strspn(p + key, " \t");
    if (!key || *end != ')')
        return wrong(s, p, T_("%.*s() takes one key, such as gpus.die_max_c"), (int)len, at);
    char *name = wsk_cli_format("%.*s(%.*s)", (int)len, at, (int)key, p);
    s->p = end + 1;
    kind k = load(s, at, name);
    free(name);
    return k;
}

static bool is_keyword(const char *p, size_t len);

static size_t unit_length(const char *p)
{
    size_t n = 0;
    if (!isalpha((unsigned char)*p) && *p != '%' && (unsigned char)*p < 0x80)
        return 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '%' || (unsigned char)p[n] >= 0x80 ||
           (p[n] == '/' && isalpha((unsigned char)p[n + 1])) || !strncmp(p + n, "-h", 2))
        n++;
    return is_keyword(p, n) ? 0 : n;
}

static bool is_keyword(const char *p, size_t len)
{
    static const char *const words[] = {"and", "or", "not", "where"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == len && !memcmp(words[i], p, len))
            return true;
    return false;
}

static kind expression(parser *s, int least);

static kind primary(parser *s)
{
    skip_space(s);
    const char *at = s->p, *end;
    double number = wsk_number_at(at, &end);
    if (end != at) {
        const char *unit = end + strspn(end, " \t");
        const size_t len = unit_length(unit);
        s->p = len ? unit + len : end;
        if (len && s->waiting.count == WAITING_MAX)
            return wrong(s, at, T_("this is too long"));
        s->measure = (wsk_measure){.plain = !len, .number = number};
        if (len) {
            const bool kelvin = len == 1 && *unit == 'K';
            s->waiting.of[s->waiting.count].code = s->out->count;
            s->waiting.of[s->waiting.count].number = at;
            s->waiting.of[s->waiting.count].unit = unit;
            s->waiting.of[s->waiting.count].end = s->p;
            s->measure.lone = ++s->waiting.count;
            s->measure.weight = !kelvin;
        }
        return emit(s, PUSH, number, 0) ? NUMBER : BAD;
    }
    if (*at == '(') {
        s->p++;
        kind k = expression(s, 0);
        skip_space(s);
        if (k != BAD && *s->p != ')')
            return wrong(s, s->p, T_("expected ')'"));
        s->p += k != BAD;
        return k;
    }
    if (*at == '"') {
        size_t len = strcspn(at + 1, "\"");
        if (!at[1 + len])
            return wrong(s, at, T_("the quotation mark is not closed"));
        char *name = wsk_cli_format("%.*s", (int)len, at + 1);
        s->p = at + len + 2;
        kind k = load(s, at, name);
        free(name);
        return k;
    }
    size_t len = name_length(at);
    if (!len || is_keyword(at, len))
        return wrong(s, at,
                     *at ? T_("expected a key or a number") : T_("expected a key or a number, and here it ends"));
    if (at[len + strspn(at + len, " \t")] == '(') {
        static const char *const functions[] = {"max", "min", "mean", "sum"};
        for (int i = 0; i < 4; i++)
            if (strlen(functions[i]) == len && !memcmp(functions[i], at, len))
                return function(s, at, len);
        return wrong(s, at, T_("no function '%.*s'; there are max, min, mean and sum"), (int)len, at);
    }
    char *name = wsk_cli_format("%.*s", (int)len, at);
    s->p = at + len;
    kind k = load(s, at, name);
    free(name);
    return k;
}

typedef struct {
    const char *sign;
    op op;
    int strength;
    kind takes, gives;
} binary;
static const binary binaries[] = {/* longer signs first: "<=" before "<" */
                                  {"or", OR, 1, TRUTH, TRUTH},        {"and", AND, 2, TRUTH, TRUTH},
                                  {"<=", MOST, 4, NUMBER, TRUTH},     {">=", LEAST, 4, NUMBER, TRUTH},
                                  {"<>", DIFFER, 4, NUMBER, TRUTH},   {"!=", DIFFER, 4, NUMBER, TRUTH},
                                  {"==", EQUAL, 4, NUMBER, TRUTH},    {"=", EQUAL, 4, NUMBER, TRUTH},
                                  {"<", LESS, 4, NUMBER, TRUTH},      {">", MORE, 4, NUMBER, TRUTH},
                                  {"+", ADD, 5, NUMBER, NUMBER},      {"-", SUBTRACT, 5, NUMBER, NUMBER},
                                  {"*", MULTIPLY, 6, NUMBER, NUMBER}, {"/", DIVIDE, 6, NUMBER, NUMBER}};
enum { OF_NOT = 3, OF_SIGN = 7 };

static const binary *next_binary(const parser *s)
{
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++) {
        const char *sign = binaries[i].sign;
        size_t len = strlen(sign);
        if (!strncmp(s->p, sign, len) && (!isalpha((unsigned char)*sign) || name_length(s->p) == len))
            return &binaries[i];
    }
    return NULL;
}

static kind expect(parser *s, const char *at, kind got, kind want)
{
    if (got == BAD || got == want)
        return got;
    return wrong(s, at,
                 want == NUMBER ? T_("this is a condition, and a number belongs here")
                                : T_("this is a number, and a condition belongs here, such as gpus.die_max_c < 83"));
}

static kind prefixed(parser *s)
{
    skip_space(s);
    const char *at = s->p;
    const char *end;
    bool minus = *at == '-';
    (void)wsk_number_at(at, &end);
    /* "-4 degF" is read as one number: negating after the conversion would be wrong, because 0 degF is not 0 degC */
    if (end != at || (!minus && !word(s, "not")))
        return primary(s);
    s->p += minus;
    skip_space(s);
    const char *operand = s->p;
    kind want = minus ? NUMBER : TRUTH;
    kind k = expect(s, operand, expression(s, minus ? OF_SIGN : OF_NOT), want);
    if (minus) {
        s->measure.weight = -s->measure.weight;
        s->measure.number = -s->measure.number;
        s->measure.lone = 0;
    }
    return k == BAD || !emit(s, minus ? NEGATE : NOT, 0, 0) ? BAD : want;
}

static bool convert_waiting(parser *s, const wsk_measure *left)
{
    return wsk_waiting_convert(&s->waiting, left, &s->measure, s->out, s->text, s->error);
}

static kind refuse_mix(parser *s, const char *at)
{
    char *why =
        wsk_cli_format(T_("the electricity is paid in %1$s and the parts in %2$s; --exchange '%2$s=RATE %1$s' "
                          "converts them"),
                       s->error->money, s->error->paid);
    const kind k = wrong(s, at, "%s", why);
    free(why);
    return k;
}

/* Parses an expression whose operators have a strength (precedence) of at least `least`. Returns its kind; BAD:
 * s->error is set. */
static kind expression(parser *s, int least)
{
    skip_space(s);
    const char *left = s->p;
    if (++s->depth > DEPTH_MAX)
        return wrong(s, s->p, T_("this is nested too deeply"));
    kind k = prefixed(s);
    while (k != BAD) {
        skip_space(s);
        const binary *b = next_binary(s);
        if (!b || b->strength < least)
            break;
        if (b->strength == 4 && k == TRUTH) {
            k = wrong(s, s->p, T_("expected 'and' or 'or' between two comparisons"));
            break;
        }
        if ((k = expect(s, left, k, b->takes)) == BAD)
            break;
        s->p += strlen(b->sign);
        skip_space(s);
        const char *right = s->p;
        const wsk_measure of_left = s->measure;
        k = expect(s, right, expression(s, b->strength + 1), b->takes);
        if (k != BAD && wsk_measure_mixes(b->op, &of_left, &s->measure, s->error))
            k = refuse_mix(s, left);
        if (k != BAD && (!emit(s, b->op, 0, 0) || (b->strength == 4 && !convert_waiting(s, &of_left))))
            k = BAD;
        if (k != BAD) {
            k = b->gives;
            s->measure = wsk_measure_of(b->op, &of_left, &s->measure);
        }
    }
    s->depth--;
    return k;
}

static char *cut(const char *from, const char *to)
{
    from += strspn(from, " \t\r\n");
    while (to > from && strchr(" \t\r\n", to[-1]))
        to--;
    return wsk_cli_format("%.*s", (int)(to - from), from);
}

/* Parses an expression of the kind `want` whose operators have a strength of at least `least`. *out gets its code,
 * *text its text, *unit its unit (unit NULL: not asked). The caller frees *out and *text. False: s->error is set. */
static bool whole(parser *s, wsk_expr **out, char **text, const char **unit, int least, kind want)
{
    skip_space(s);
    const char *at = s->p;
    s->out = *out = wsk_cli_alloc(sizeof **out);
    s->depth = 0;
    s->waiting.count = 0;
    s->measure = (wsk_measure){0};
    if (expect(s, at, expression(s, least), want) == BAD || !convert_waiting(s, &s->measure))
        return false;
    if (unit)
        *unit = wsk_measure_unit(&s->measure);
    *text = cut(at, s->p);
    return true;
}

static bool is_gain(const char *text)
{
    wsk_result_place p;
    return wsk_result_find(&p, text) && wsk_result_about(p.result)->better == WSK_BETTER_MORE;
}

static bool read_goal(parser *s, wsk_goal *goal, bool must_say)
{
    skip_space(s);
    const char *at = s->p;
    bool said = false;
    /* "min(gpus.x)" is a function call, "min gpus.x" a direction and a key. */
    if (name_length(at) == 3 && at[3] != '(' && (word(s, "max") || word(s, "min"))) {
        said = true;
        goal->most = at[1] == 'a';
    }
    if (!said && must_say) {
        wrong(s, at, T_("expected 'min' or 'max', as in: min cost.annual where gpus.die_max_c < 83"));
        return false;
    }
    if (!whole(s, &goal->value, &goal->text, &goal->unit, 0, NUMBER))
        return false;
    if (!said && goal->value->count > 1) {
        wrong(s, at, T_("expected 'min' or 'max' before an expression"));
        return false;
    }
    if (!said)
        goal->most = is_gain(goal->text);
    return true;
}

bool wsk_expr_takes(wsk_result result)
{
    const wsk_result_type type = wsk_result_about(result)->type;
    return type == WSK_IS_NUMBER || type == WSK_IS_FLAG;
}

bool wsk_question_parse(wsk_question *q, const char *text, size_t goals, wsk_expr_resolve *resolve, void *ctx,
                        wsk_expr_error *error)
{
    parser s = {.text = text, .p = text, .resolve = resolve, .ctx = ctx, .error = error};
    *q = (wsk_question){.count = goals};
    for (size_t i = 0; i < goals; i++) {
        if (i > 0 && (skip_space(&s), *s.p++ != ',')) {
            s.p--;
            wrong(&s, s.p, T_("expected a comma and a second key, as in: cost.annual,work.done"));
            return false;
        }
        if (!read_goal(&s, &q->goals[i], goals == 1))
            return false;
    }
    if (word(&s, "where") && !whole(&s, &q->where, &q->where_text, NULL, 0, TRUTH))
        return false;
    skip_space(&s);
    if (*s.p)
        wrong(&s, s.p,
              q->where ? T_("expected 'and', 'or', an operator or the end")
                       : T_("expected 'where', an operator or the end"));
    return !*s.p;
}

bool wsk_goal_parse(wsk_goal *goal, const char *text, bool most, wsk_expr_resolve *resolve, void *ctx,
                    wsk_expr_error *error)
{
    parser s = {.text = text, .p = text, .resolve = resolve, .ctx = ctx, .error = error};
    *goal = (wsk_goal){.most = most};
    if (!whole(&s, &goal->value, &goal->text, &goal->unit, 0, NUMBER))
        return false;
    skip_space(&s);
    if (*s.p)
        wrong(&s, s.p, T_("expected an operator or the end"));
    return !*s.p;
}

void wsk_goal_free(wsk_goal *goal)
{
    free(goal->value);
    free(goal->text);
    *goal = (wsk_goal){0};
}

/* Reads conditions joined by "and". *count: number of conditions, which also counts the one that failed, so that the
 * caller frees it. */
static bool read_clauses(parser *s, wsk_clause *out, size_t most, size_t *count)
{
    do {
        if (*count == most) {
            wrong(s, s->p, T_("more than %zu conditions"), most);
            return false;
        }
        ++*count;
        if (!whole(s, &out[*count - 1].condition, &out[*count - 1].text, &out[*count - 1].unit, OF_NOT, TRUTH))
            return false;
    } while (word(s, "and"));
    return true;
}

bool wsk_clauses_parse(wsk_clause *out, size_t most, size_t *count, const char *text, wsk_expr_resolve *resolve,
                       void *ctx, wsk_expr_error *error)
{
    parser s = {.text = text, .p = text, .resolve = resolve, .ctx = ctx, .error = error};
    *count = 0;
    if (!read_clauses(&s, out, most, count))
        return false;
    if (word(&s, "or")) { /* these conditions are one side of an "or", so the whole text is one condition */
        wsk_clauses_free(out, *count);
        s = (parser){.text = text, .p = text, .resolve = resolve, .ctx = ctx, .error = error};
        *count = 1;
        if (!whole(&s, &out->condition, &out->text, &out->unit, 0, TRUTH))
            return false;
    }
    skip_space(&s);
    if (*s.p)
        wrong(&s, s.p, T_("expected 'and', 'or', an operator or the end"));
    return !*s.p;
}

void wsk_clauses_free(wsk_clause *clauses, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(clauses[i].condition);
        free(clauses[i].text);
        clauses[i] = (wsk_clause){0};
    }
}

void wsk_question_free(wsk_question *q)
{
    for (size_t i = 0; i < WSK_GOALS_MAX; i++)
        wsk_goal_free(&q->goals[i]);
    free(q->where);
    free(q->where_text);
    *q = (wsk_question){0};
}
