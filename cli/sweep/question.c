/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/money.h"
#include "cli/sweep/inner.h"

typedef struct {
    wsk_sweep *sweep;
    wsk_sweep_asked *asked;
    bool add; /* true: a name without a stored column becomes a new column; false: such a name is an error */
} naming;

/* Finds the stored columns from which a term (a name in an expression) is computed: its axis, its own column, or for a
 * name such as "gpus.x" the columns of all cards, "gpus[0].x" ... False: no such column is stored. */
static bool from_stored(const wsk_sweep *s, wsk_sweep_term *t)
{
    wsk_result_place p;
    for (size_t m = 0; m < s->design.member_count; m++)
        if (!strcmp(s->design.members[m].path, t->name)) {
            wsk_cli_push(&t->columns, wsk_cli_format("%s", t->name));
            return true;
        }
    if (wsk_sweep_has_column(&s->columns, t->name)) {
        wsk_cli_push(&t->columns, wsk_cli_format("%s", t->name));
        return true;
    }
    if (!wsk_result_find(&p, t->name))
        return false;
    t->over = p.over == WSK_OVER_NONE ? wsk_result_about(p.result)->over : p.over;
    for (size_t i = 0; p.member < 0 && i < s->columns.count; i++) {
        const wsk_sweep_column *c = &s->columns.items[i];
        if (c->known && c->place.result == p.result && c->place.member >= 0)
            wsk_cli_push(&t->columns, wsk_cli_format("%s", c->name));
    }
    return t->columns.count > 0;
}

static bool resolve(void *ctx, const char *name, size_t *variable, const char **unit, wsk_expr_error *error)
{
    (void)unit;
    naming *n = ctx;
    wsk_sweep_asked *a = n->asked;
    const wsk_sweep_design *d = &n->sweep->design;
    char hint[160];
    for (*variable = 0; *variable < a->term_count; ++*variable)
        if (!strcmp(a->terms[*variable].name, name))
            return true;
    for (size_t m = 0; m < d->member_count; m++)
        if (!strcmp(d->members[m].path, name) && !d->members[m].number) {
            snprintf(error->text, sizeof error->text, T_("the values of '%.80s' are not numbers"), name);
            return false;
        }
    wsk_sweep_term t = {.name = wsk_cli_format("%s", name)};
    wsk_result_place place;
    const bool is_text = wsk_result_find(&place, name) && !wsk_expr_takes(place.result);
    bool ok = !is_text && from_stored(n->sweep, &t);
    if (is_text) {
        snprintf(error->text, sizeof error->text, T_("'%.80s' is no number%s"), name, "");
    } else if (!ok && wsk_sweep_known(&n->sweep->keys, name, hint, sizeof hint)) {
        if ((ok = n->add)) {
            wsk_sweep_add_column(&n->sweep->columns, name);
            wsk_cli_push(&t.columns, wsk_cli_format("%s", name));
        } else {
            snprintf(error->text, sizeof error->text, T_("the file has no column '%.80s'"), name);
        }
    } else if (!ok) {
        snprintf(error->text, sizeof error->text, T_("the summary has no key '%.80s'%s"), name, hint);
    }
    if (!ok) {
        free(t.name);
        return false;
    }
    wsk_sweep_term *grown = wsk_cli_alloc((a->term_count + 1) * sizeof *grown);
    if (a->term_count)
        memcpy(grown, a->terms, a->term_count * sizeof *grown);
    free(a->terms);
    a->terms = grown;
    grown[a->term_count++] = t;
    return true;
}

static void list_columns(wsk_sweep_asked *a)
{
    a->values = wsk_cli_alloc((a->term_count + 1) * sizeof *a->values);
    wsk_cli_push(&a->columns, "status");
    for (size_t t = 0; t < a->term_count; t++)
        for (size_t i = 0; i < a->terms[t].columns.count; i++)
            wsk_cli_push(&a->columns, a->terms[t].columns.items[i]);
}

enum { CURRENCIES = 2 };
static const wsk_result currency_of[CURRENCIES] = {WSK_R_CURRENCY, WSK_R_PURCHASE_CURRENCY};

/* Is the term money in currency i? */
static bool is_paid_in(const wsk_sweep_term *t, size_t i)
{
    static const char *const units[CURRENCIES] = {"currency", "purchase currency"};
    wsk_result_place p;
    return wsk_result_find(&p, t->name) && wsk_result_about(p.result)->scope != WSK_SCOPE_COMPARED &&
           strncmp(wsk_result_about(p.result)->unit, units[i], strlen(units[i])) == 0;
}

static void list_currencies(wsk_sweep *s, wsk_sweep_asked *a, bool add)
{
    for (size_t i = 0; i < CURRENCIES; i++) {
        const char *key = wsk_result_about(currency_of[i])->key;
        bool any = false;
        for (size_t t = 0; t < a->term_count; t++)
            any = any || is_paid_in(&a->terms[t], i);
        if (any && add)
            wsk_sweep_add_column(&s->columns, key);
        a->paid[i] = any && wsk_sweep_has_column(&s->columns, key);
        if (a->paid[i])
            wsk_cli_push(&a->columns, key);
    }
}

/* Sets terms in money to NAN if the row's currency is not that of the first row visited. Returns the cells after those
 * of the currencies. */
static const wsk_cell *drop_other_money(wsk_sweep_asked *a, const wsk_cell *cells)
{
    for (size_t i = 0; i < CURRENCIES; i++) {
        if (!a->paid[i])
            continue;
        const char *mine = cells->text ? cells->text : "";
        cells++;
        if (!a->currency[i][0])
            snprintf(a->currency[i], sizeof a->currency[i], "%s", mine);
        for (size_t t = 0; t < a->term_count && wsk_cli_other_currency(mine, a->currency[i]); t++)
            if (is_paid_in(&a->terms[t], i))
                a->values[t] = NAN;
    }
    return cells;
}

bool wsk_sweep_read_question(wsk_sweep *s, wsk_sweep_asked *a, size_t goals, bool add, bool speak)
{
    const char *text = goals == 1 ? s->best_text : s->pareto_text;
    naming n = {s, a, add};
    wsk_cli_currencies money = {0};
    if (s->whole)
        wsk_cli_find_currencies(&money, s->whole);
    wsk_expr_error error = {.money = *money.electricity ? money.electricity : NULL,
                            .paid = *money.purchase ? money.purchase : NULL};
    *a = (wsk_sweep_asked){0};
    if (!wsk_question_parse(&a->question, text, goals, resolve, &n, &error)) {
        if (speak) {
            wsk_cli_error(T_("--%s, column %zu: %s"), goals == 1 ? "best" : "pareto", error.at + 1, error.text);
            fprintf(stderr, "  %s\n  %*s^\n", text, (int)error.at, "");
        }
        return false;
    }
    list_columns(a);
    list_currencies(s, a, add);
    wsk_sweep_rank_burdens(s, a);
    return true;
}

void wsk_sweep_asked_free(wsk_sweep_asked *a)
{
    wsk_question_free(&a->question);
    for (size_t t = 0; t < a->term_count; t++) {
        free(a->terms[t].name);
        wsk_cli_list_free(&a->terms[t].columns, 0);
    }
    free(a->terms);
    free(a->columns.items);
    free(a->values);
    *a = (wsk_sweep_asked){0};
}

static double unite(const wsk_cell *cells, size_t count, wsk_over over)
{
    double sum = 0, most = NAN, least = NAN;
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        double x = cells[i].number;
        if (isnan(x))
            continue;
        n++;
        sum += x;
        most = n == 1 ? x : fmax(most, x);
        least = n == 1 ? x : fmin(least, x);
    }
    if (!n)
        return NAN;
    return over == WSK_OVER_SUM ? sum : over == WSK_OVER_MEAN ? sum / (double)n : over == WSK_OVER_MIN ? least : most;
}

bool wsk_sweep_meets(wsk_sweep_asked *a, const wsk_cell *cells)
{
    bool ok = cells->text && !strcmp(cells->text, "ok");
    cells++;
    for (size_t t = 0; t < a->term_count; t++) {
        size_t n = a->terms[t].columns.count;
        a->values[t] = n == 1 ? cells->number : unite(cells, n, a->terms[t].over);
        cells += n;
    }
    cells = drop_other_money(a, cells);
    a->burden = wsk_sweep_burden(a, cells);
    return ok && (!a->question.where || wsk_expr_value(a->question.where, a->values) > 0);
}

/* Errors are ignored: a result may be no number, or a file that is resumed may lack it. */
void wsk_sweep_read_names(wsk_sweep *s, wsk_sweep_asked *a, const wsk_cli_list *names, size_t most)
{
    naming n = {s, a, false};
    size_t term;
    const char *unit;
    wsk_expr_error unasked;
    *a = (wsk_sweep_asked){0};
    for (size_t i = 0; i < names->count && a->term_count < most; i++)
        (void)resolve(&n, names->items[i], &term, &unit, &unasked);
    list_columns(a);
}
