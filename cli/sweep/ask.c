/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sweep/rule.h"

typedef struct {
    wsk_sweep_asked *asked;
    /* best: id of the best case so far, 0: none; met: number of cases that meet the condition and have a value of the
     * goal; left: number of these that are more overloaded than the best one */
    size_t best, met, left;
    bool lacks; /* true: the cards of some case lack memory for its language model */
    /* ids of the cases that are as little overloaded as the best one, if `listed`; else NULL */
    size_t *ids, count, room;
    bool listed;
    double value;
    bool unequal;     /* two of the cases from which the best is taken have different values */
    size_t undefined; /* number of cases whose terms all have numbers, but not the goal: it divides by zero */
    wsk_cli_burden burden;
} search;

static void list(search *f, size_t id)
{
    if (f->count == f->room) {
        f->room = f->room ? 2 * f->room : 256;
        size_t *grown = realloc(f->ids, f->room * sizeof *grown);
        wsk_cli_check_memory(grown != NULL);
        f->ids = grown;
    }
    f->ids[f->count++] = id;
}

static bool look(void *ctx, size_t id, const wsk_cell *cells)
{
    search *f = ctx;
    const wsk_goal *g = &f->asked->question.goals[0];
    if (!wsk_sweep_meets(f->asked, cells))
        return true;
    double v = wsk_expr_value(g->value, f->asked->values);
    if (!isfinite(v)) {
        bool given = true;
        for (size_t t = 0; t < f->asked->term_count; t++)
            given = given && isfinite(f->asked->values[t]);
        f->undefined += given;
        return true;
    }
    f->met++;
    const wsk_cli_burden burden = f->asked->burden;
    f->lacks = f->lacks || burden == WSK_CLI_LACKS_MEMORY;
    if (f->best && burden > f->burden) {
        f->left++;
        return true;
    }
    const bool lighter = f->best && burden < f->burden;
    f->left = lighter ? f->met - 1 : f->left;
    f->count = lighter ? 0 : f->count;
    f->unequal = !lighter && (f->unequal || (f->best && v != f->value));
    f->burden = burden;
    if (f->listed)
        list(f, id);
    /* Among equal cases the first one wins. */
    if (!f->best || lighter || (g->most ? v > f->value : v < f->value)) {
        f->best = id;
        f->value = v;
    }
    return true;
}

/* Inserts a case into the list `ids` of the n nearest cases, nearest first, if it is near enough. far[k]: squared
 * distance of ids[k]. Returns the new number of cases in the list, at most `most`. */
static size_t keep_nearest(size_t *ids, double *far, size_t n, size_t most, size_t id, double distance)
{
    size_t at = n;
    while (at > 0 && far[at - 1] > distance)
        at--;
    if (at >= most)
        return n;
    n += n < most;
    memmove(&ids[at + 1], &ids[at], (n - 1 - at) * sizeof *ids);
    memmove(&far[at + 1], &far[at], (n - 1 - at) * sizeof *far);
    ids[at] = id;
    far[at] = distance;
    return n;
}

/* Finds at most `most` neighbours of case i (from 0) and returns their number. In a sample these are the nearest cases,
 * nearest first. Else they are the cases one step away along each axis; along an axis of texts, the cases with its
 * other values. */
static size_t find_neighbours(const wsk_sweep_design *d, size_t i, size_t *out, size_t most)
{
    size_t n = 0;
    if (d->points) {
        double *far = wsk_cli_alloc(most * sizeof *far);
        for (size_t k = 0; k < d->cases; k++) {
            double sum = 0;
            for (size_t a = 0; a < d->axis_count; a++) {
                double apart = d->points[k * d->axis_count + a] - d->points[i * d->axis_count + a];
                sum += apart * apart;
            }
            if (k != i)
                n = keep_nearest(out, far, n, most, k, sum);
        }
        free(far);
        return n;
    }
    size_t stride = 1;
    for (size_t a = d->axis_count; a-- > 0; stride *= d->axes[a].levels) {
        size_t level = wsk_sweep_level(d, a, i), levels = d->axes[a].levels;
        bool number = d->members[d->axes[a].first].number;
        for (size_t k = 0; k < levels && n < most; k++)
            if (k != level && (!number || k + 1 == level || k == level + 1))
                out[n++] = i + k * stride - level * stride;
    }
    return n;
}

static int tell_best(wsk_sweep *s, const search *f, FILE *out)
{
    enum { AROUND = 10 };
    const wsk_question *q = &f->asked->question;
    const char *way = q->goals[0].most ? "max" : "min", *marks[AROUND + 1] = {T_("best")};
    size_t ids[AROUND + 1] = {f->best};
    if (q->where)
        wsk_cli_say(out,
                    T_("Best: %1$s %2$s where %3$s (cases that meet the condition: %4$zu of %5$zu; \"no\": a "
                       "neighbour that does not)\n\n"),
                    way, q->goals[0].text, q->where_text, f->met, s->stored);
    else
        wsk_cli_say(out, T_("Best: %1$s %2$s\n\n"), way, q->goals[0].text);
    if (f->met - f->left > 1 && !f->unequal)
        fprintf(out, T_("All these cases are equal by %s; the first is shown as the best.\n\n"), q->goals[0].text);
    const size_t n = find_neighbours(&s->design, f->best - 1, ids + 1, AROUND);
    for (size_t i = 1; i <= n; i++) {
        ids[i]++;
        marks[i] = "";
    }
    const int code = wsk_sweep_table(s, f->asked, out, ids, marks, n + 1);
    fputc('\n', out);
    wsk_sweep_tell_burdens(out, f->burden, f->left, f->lacks);
    return code;
}

int wsk_sweep_best(wsk_sweep *s, FILE *out, size_t *best, wsk_sweep_outcome *why)
{
    wsk_sweep_asked a;
    wsk_sweep_ruling ruling = {.outcome = WSK_SWEEP_RANKED};
    *why = WSK_SWEEP_RANKED;
    if (!wsk_sweep_read_question(s, &a, 1, false, true)) {
        wsk_sweep_asked_free(&a);
        return WSK_EUSAGE;
    }
    const wsk_question *q = &a.question;
    search f = {.asked = &a, .listed = wsk_sweep_asks_cards(s, q)};
    int code = wsk_store_each(s->store, 0, &a.columns, look, &f) ? WSK_OK : WSK_ERUN;
    wsk_sweep_rule_cards(s, q, f.ids, f.count, &ruling);
    if (f.best)
        wsk_sweep_rule_cost(&q->goals[0], f.value, f.best, &ruling);
    *why = ruling.outcome;
    *best = *why == WSK_SWEEP_RANKED ? f.best : 0;
    if (code == WSK_OK && out && !f.best && q->where)
        fprintf(out, T_("No case meets: %s\n"), q->where_text);
    else if (code == WSK_OK && out && !f.best)
        fprintf(out,
                f.undefined ? T_("No case has a number for %s: it divides by zero.\n")
                            : T_("No case has a number for %s.\n"),
                q->goals[0].text);
    else if (code == WSK_OK && out && !*best)
        wsk_sweep_tell_ruling(out, &ruling);
    else if (code == WSK_OK && out)
        code = tell_best(s, &f, out);
    free(f.ids);
    wsk_sweep_asked_free(&a);
    return code;
}

int wsk_sweep_overview(wsk_sweep *s, FILE *out)
{
    enum { SHOWN = 24, COLUMNS_SHOWN = 6 };
    static const wsk_result results[] = {WSK_R_GPU_DIE_MAX, WSK_R_LOST,      WSK_R_GPU_WORK,
                                         WSK_R_WALL_PEAK_W, WSK_R_NOISE_MAX, WSK_R_COST_PER_WORK};
    char usual[sizeof results / sizeof *results][80];
    wsk_cli_list names = {0};
    wsk_sweep_asked a;
    size_t ids[SHOWN], count = s->stored < SHOWN ? s->stored : SHOWN;
    for (size_t i = 0; !s->columns_text && i < sizeof results / sizeof *results; i++) {
        wsk_result_name(results[i], usual[i], sizeof usual[i]);
        wsk_cli_push(&names, usual[i]);
    }
    for (size_t i = 0; s->columns_text && i < s->columns.count; i++)
        wsk_cli_push(&names, s->columns.items[i].name);
    wsk_sweep_read_names(s, &a, &names, COLUMNS_SHOWN);
    free(names.items);
    for (size_t i = 0; i < count; i++)
        ids[i] = i + 1;
    int code = wsk_sweep_table(s, &a, out, ids, NULL, count);
    if (s->stored > SHOWN)
        wsk_cli_say(out, T_("  More cases: %1$zu. --best 'min cost_per_work' finds the best\n"), s->stored - SHOWN);
    fputc('\n', out);
    wsk_sweep_asked_free(&a);
    return code;
}
