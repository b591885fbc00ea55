/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any text as a condition of --best or --pareto. The text of a goal that the program stores must have the
 * same meaning as the goal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/cli.h"
#include "cli/kit/expr.h"
#include "tests/fuzz/fuzz.h"

enum { NAMES = 32 };
typedef struct {
    char *names[NAMES];
    size_t count;
} seen;

/* Each new name gets the next of `values`. */
static bool resolve(void *ctx, const char *name, size_t *variable, const char **unit, wsk_expr_error *error)
{
    (void)unit;
    seen *s = ctx;
    wsk_result_place p;
    for (*variable = 0; *variable < s->count; ++*variable)
        if (!strcmp(s->names[*variable], name))
            return true;
    if ((!wsk_result_find(&p, name) && strcmp(name, "a b") != 0) || s->count == NAMES) {
        snprintf(error->text, sizeof error->text, "no '%.80s'", name);
        return false;
    }
    s->names[s->count++] = wsk_cli_format("%s", name);
    return true;
}

static bool same(double a, double b)
{
    return isnan(a) ? isnan(b) : a >= b && a <= b;
}

static void check_again(const wsk_question *q, const char *text, size_t goals, seen *s, const double *values)
{
    wsk_question again;
    wsk_expr_error error = {0};
    char *question =
        q->where ? wsk_cli_format("%s %s where %s", q->goals[0].most ? "max" : "min", q->goals[0].text, q->where_text)
                 : wsk_cli_format("%s %s", q->goals[0].most ? "max" : "min", q->goals[0].text);
    if (goals == 1 && !wsk_question_parse(&again, question, 1, resolve, s, &error)) {
        fprintf(stderr, "'%s' from '%s': %s\n", question, text, error.text);
        abort();
    }
    if (goals == 1) {
        if (again.goals[0].most != q->goals[0].most ||
            !same(wsk_expr_value(again.goals[0].value, values), wsk_expr_value(q->goals[0].value, values)) ||
            (q->where && !same(wsk_expr_value(again.where, values), wsk_expr_value(q->where, values))))
            abort();
        wsk_question_free(&again);
    }
    free(question);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const double values[NAMES] = {2, -3, 500, 0, NAN, INFINITY, 1e308, -1e-308, 81, 250};
    char *text = wsk_fuzz_text(data, size);
    for (size_t goals = 1; goals <= WSK_GOALS_MAX; goals++) {
        seen s = {0};
        wsk_question q;
        wsk_expr_error error = {0};
        bool ok = wsk_question_parse(&q, text, goals, resolve, &s, &error);
        if (!ok && (!*error.text || error.at > strlen(text)))
            abort();
        for (size_t i = 0; ok && i < goals; i++)
            (void)wsk_expr_value(q.goals[i].value, values);
        if (ok && q.where) {
            double is = wsk_expr_value(q.where, values);
            if (!same(is, 0) && !same(is, 1))
                abort();
        }
        if (ok)
            check_again(&q, text, goals, &s, values);
        wsk_question_free(&q);
        for (size_t i = 0; i < s.count; i++)
            free(s.names[i]);
    }
    free(text);
    return 0;
}
