/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/grid.h"
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

bool wsk_sweep_read_question(wsk_sweep *s, wsk_sweep_asked *a, size_t goals, bool add, bool speak)
{
    const char *text = goals == 1 ? s->best_text : s->pareto_text;
    naming n = {s, a, add};
    wsk_expr_error error = {0};
    if (s->whole)
        wsk_rig_exchange(s->whole, "USD", &error.money);
    *a = (wsk_sweep_asked){0};
    if (!wsk_question_parse(&a->question, text, goals, resolve, &n, &error)) {
        if (speak) {
            wsk_cli_error(T_("--%s, column %zu: %s"), goals == 1 ? "best" : "pareto", error.at + 1, error.text);
            fprintf(stderr, "  %s\n  %*s^\n", text, (int)error.at, "");
        }
        return false;
    }
    list_columns(a);
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
    a->burden = wsk_sweep_burden(a, cells);
    return ok && (!a->question.where || wsk_expr_value(a->question.where, a->values) > 0);
}

static bool is_goal(const wsk_sweep_asked *a, const char *name)
{
    for (size_t g = 0; g < a->question.count; g++)
        if (!strcmp(a->question.goals[g].text, name))
            return true;
    return false;
}

static size_t shown_term(const wsk_sweep_asked *a, size_t i)
{
    size_t t = 0;
    for (i -= a->question.count; t < a->term_count; t++)
        if (!is_goal(a, a->terms[t].name) && i-- == 0)
            break;
    return t;
}

static size_t count_shown(const wsk_sweep_asked *a)
{
    size_t n = a->question.count;
    for (size_t t = 0; t < a->term_count; t++)
        n += !is_goal(a, a->terms[t].name);
    return n;
}

static const char *name_shown(const wsk_sweep_asked *a, size_t i)
{
    return i < a->question.count ? a->question.goals[i].text : a->terms[shown_term(a, i)].name;
}

static const wsk_result_row *result_shown(const wsk_sweep_asked *a, size_t i)
{
    wsk_result_place p;
    return wsk_result_find(&p, name_shown(a, i)) ? wsk_result_about(p.result) : NULL;
}

static char *label_shown(const wsk_sweep_asked *a, size_t i)
{
    wsk_result_place p;
    if (!wsk_result_find(&p, name_shown(a, i)))
        return wsk_cli_format("%s", name_shown(a, i));
    const char *label = T_(wsk_result_brief(p.result)), *unit = wsk_result_about(p.result)->unit;
    if (!*unit || !strcmp(unit, "1") || strstr(unit, "currency"))
        return wsk_cli_format("%s", label);
    return wsk_cli_format("%s (%s)", label, strcmp(unit, "degC") ? T_(unit) : "°C");
}

static char *number_shown(const wsk_result_row *about, int digits, double v)
{
    if (!about)
        return wsk_cli_format("%.6g", v);
    if (v != 0 && fabs(v) < 0.5 * pow(10, -digits))
        return wsk_cli_format("%.3g", v);
    return wsk_cli_format("%.*f", digits, v);
}

/* True if two values of a column, `width` apart in v, are shown alike but differ by more than rounding. NAN: no value.
 */
static bool looks_alike(const double *v, size_t count, size_t width, int digits)
{
    const double scale = pow(10, digits);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++) {
            const double a = v[i * width], b = v[k * width];
            if (fabs(a - b) > 1e-5 * fmax(fabs(a), fabs(b)) && round(scale * a) == round(scale * b))
                return true;
        }
    return false;
}

/* Decimals of a column. A goal gets as many as tell its values apart. */
static int digits_shown(const wsk_sweep_asked *a, size_t i, const double *v, size_t count, size_t width)
{
    enum { MOST = 9 };
    int digits = result_shown(a, i) ? result_shown(a, i)->digits : 0;
    while (i < a->question.count && digits < MOST && looks_alike(v, count, width, digits))
        digits++;
    return digits;
}

static double value_shown(const wsk_sweep_asked *a, size_t i)
{
    return i < a->question.count ? wsk_expr_value(a->question.goals[i].value, a->values)
                                 : a->values[shown_term(a, i)];
}

typedef struct {
    wsk_sweep_asked *asked;
    size_t best, met, left; /* left: cases that are more overloaded than the best one */
    bool lacks;             /* some case lacks the memory for its model */
    double value;
    wsk_cli_burden burden;
} search;

static bool look(void *ctx, size_t id, const wsk_cell *cells)
{
    search *f = ctx;
    const wsk_goal *g = &f->asked->question.goals[0];
    if (!wsk_sweep_meets(f->asked, cells))
        return true;
    double v = wsk_expr_value(g->value, f->asked->values);
    if (!isfinite(v))
        return true;
    f->met++;
    const wsk_cli_burden burden = f->asked->burden;
    f->lacks = f->lacks || burden == WSK_CLI_LACKS_MEMORY;
    if (f->best && burden > f->burden) {
        f->left++;
        return true;
    }
    const bool lighter = f->best && burden < f->burden;
    f->left = lighter ? f->met - 1 : f->left;
    f->burden = burden;
    /* Among equal cases the first one wins. */
    if (!f->best || lighter || (g->most ? v > f->value : v < f->value)) {
        f->best = id;
        f->value = v;
    }
    return true;
}

/* far[k]: distance of ids[k], squared. Returns the new number of cases in the list, at most `most`. */
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

typedef struct {
    wsk_sweep *s;
    wsk_sweep_asked *a;
    char **cells;   /* texts of one row of the table, which the caller frees; NULL for each of `values` */
    double *values; /* of what is shown; NAN: none, and the cell has a text */
    bool met;
    size_t shown;
} line;

static bool read_line(void *ctx, size_t id, const wsk_cell *cells)
{
    line *l = ctx;
    const wsk_sweep_design *d = &l->s->design;
    size_t n = 0;
    l->cells[n++] = wsk_cli_format("%zu", id);
    for (size_t m = 0; m < d->member_count; m++, cells++)
        l->cells[n++] = cells->text             ? wsk_cli_format("%s", cells->text)
                        : d->members[m].unit[0] ? wsk_cli_format("%.6g %s", cells->number,
                                                                 d->members[m].unit + strspn(d->members[m].unit, " "))
                                                : wsk_cli_format("%.6g", cells->number);
    l->met = wsk_sweep_meets(l->a, cells);
    bool failed = !cells->text || strcmp(cells->text, "ok") != 0;
    for (size_t i = 0; i < l->shown; i++) {
        const double v = failed ? NAN : value_shown(l->a, i);
        l->values[i] = v;
        l->cells[n++] = isnan(v) ? wsk_cli_format("%s", failed ? T_("failed") : "-") : NULL;
    }
    return true;
}

enum { HEADS = 2 }; /* rows of a table's head: labels, and the keys that were typed */

/* Prints rows of `width` cells, after HEADS rows of names. marks[k], such as "best", stands before the k-th case;
 * "no" stands behind the k-th case if met[k] is false. marks, met: NULL for none. */
static void print_table(FILE *out, const char *const *cells, size_t rows, size_t width, const char *const *marks,
                        const bool *met)
{
    enum { UNLIMITED = 1 << 20 };
    wsk_cli_grid g = wsk_cli_grid_new(rows, width + 2, 1);
    for (size_t r = 0; r < rows; r++) {
        char *mark = wsk_cli_format("  %s", r >= HEADS && marks ? marks[r - HEADS] : marks ? "     " : "");
        wsk_cli_grid_set(&g, r, 0, mark);
        free(mark);
        for (size_t i = 0; i < width; i++)
            wsk_cli_grid_set(&g, r, 1 + i, cells[r * width + i] ? cells[r * width + i] : r < HEADS ? "" : "-");
        if (r >= HEADS && met && !met[r - HEADS])
            wsk_cli_grid_set(&g, r, width + 1, T_("no"));
    }
    wsk_cli_grid_print(out, &g, wsk_cli_page(out, UNLIMITED));
    wsk_cli_grid_free(&g);
}

int wsk_sweep_table(wsk_sweep *s, wsk_sweep_asked *a, FILE *out, const size_t *ids, const char *const *marks,
                    size_t count)
{
    size_t shown = count_shown(a), width = 1 + s->design.member_count + shown;
    char **cells = wsk_cli_alloc((count + HEADS) * width * sizeof *cells);
    double *values = wsk_cli_alloc((count * shown + 1) * sizeof *values);
    bool *met = wsk_cli_alloc(count + 1), ok = true;
    cells[0] = wsk_cli_format("id");
    wsk_cli_list columns = {0};
    for (size_t m = 0; m < s->design.member_count; m++) {
        wsk_cli_push(&columns, s->design.members[m].path);
        cells[1 + m] = wsk_cli_format("%s", s->design.members[m].path);
    }
    for (size_t i = 0; i < a->columns.count; i++)
        wsk_cli_push(&columns, a->columns.items[i]);
    for (size_t i = 0; i < shown; i++) {
        size_t at = 1 + s->design.member_count + i;
        cells[at] = label_shown(a, i);
        if (result_shown(a, i))
            cells[width + at] = wsk_cli_format("%s", name_shown(a, i));
    }
    for (size_t k = 0; ok && k < count; k++) {
        line l = {s, a, &cells[(k + HEADS) * width], &values[k * shown], false, shown};
        ok = wsk_store_each(s->store, ids[k], &columns, read_line, &l);
        met[k] = l.met;
    }
    free(columns.items);
    for (size_t i = 0; ok && i < shown; i++) {
        const int digits = digits_shown(a, i, &values[i], count, shown);
        for (size_t k = 0; k < count; k++)
            if (!isnan(values[k * shown + i]))
                cells[(k + HEADS) * width + width - shown + i] =
                    number_shown(result_shown(a, i), digits, values[k * shown + i]);
    }
    if (ok)
        print_table(out, (const char *const *)cells, count + HEADS, width, marks, a->question.where ? met : NULL);
    for (size_t i = 0; i < (count + HEADS) * width; i++)
        free(cells[i]);
    free(cells);
    free(values);
    free(met);
    return ok ? WSK_OK : WSK_ERUN;
}

int wsk_sweep_best(wsk_sweep *s, FILE *out, size_t *best)
{
    enum { AROUND = 10 };
    wsk_sweep_asked a;
    size_t ids[AROUND + 1], n = 0;
    const char *marks[AROUND + 1];
    if (!wsk_sweep_read_question(s, &a, 1, false, true)) {
        wsk_sweep_asked_free(&a);
        return WSK_EUSAGE;
    }
    search f = {.asked = &a};
    const wsk_question *q = &a.question;
    int code = wsk_store_each(s->store, 0, &a.columns, look, &f) ? WSK_OK : WSK_ERUN;
    *best = f.best;
    if (code == WSK_OK && out && !f.best && q->where) {
        fprintf(out, T_("No case meets: %s\n"), q->where_text);
    } else if (code == WSK_OK && out && !f.best) {
        fprintf(out, T_("No case has a number for %s.\n"), q->goals[0].text);
    } else if (code == WSK_OK && out) {
        const char *way = q->goals[0].most ? "max" : "min";
        if (q->where)
            wsk_cli_say(out,
                        T_("Best: %1$s %2$s where %3$s (cases that meet the condition: %4$zu of %5$zu; \"no\": a "
                           "neighbour that does not)\n\n"),
                        way, q->goals[0].text, q->where_text, f.met, s->stored);
        else
            wsk_cli_say(out, T_("Best: %1$s %2$s\n\n"), way, q->goals[0].text);
        n = find_neighbours(&s->design, f.best - 1, ids + 1, AROUND);
        ids[0] = f.best;
        marks[0] = T_("best");
        for (size_t i = 1; i <= n; i++) {
            ids[i]++;
            marks[i] = "";
        }
        code = wsk_sweep_table(s, &a, out, ids, marks, n + 1);
        fputc('\n', out);
        wsk_sweep_tell_burdens(out, f.burden, f.left, f.lacks);
    }
    wsk_sweep_asked_free(&a);
    return code;
}

int wsk_sweep_overview(wsk_sweep *s, FILE *out)
{
    enum { SHOWN = 24, COLUMNS_SHOWN = 6 };
    static const wsk_result results[] = {WSK_R_GPU_DIE_MAX, WSK_R_LOST,      WSK_R_GPU_WORK,
                                         WSK_R_WALL_PEAK_W, WSK_R_NOISE_MAX, WSK_R_COST_PER_WORK};
    wsk_sweep_asked a = {0};
    naming n = {s, &a, false};
    size_t term;
    const char *unit;
    wsk_expr_error unasked; /* ignored: the result may be no number, or a file that is resumed may lack it */
    for (size_t i = 0; !s->columns_text && i < sizeof results / sizeof *results; i++) {
        char name[80];
        wsk_result_name(results[i], name, sizeof name);
        (void)resolve(&n, name, &term, &unit, &unasked);
    }
    for (size_t i = 0; s->columns_text && i < s->columns.count && a.term_count < COLUMNS_SHOWN; i++)
        (void)resolve(&n, s->columns.items[i].name, &term, &unit, &unasked);
    list_columns(&a);
    size_t ids[SHOWN], count = s->stored < SHOWN ? s->stored : SHOWN;
    for (size_t i = 0; i < count; i++)
        ids[i] = i + 1;
    int code = wsk_sweep_table(s, &a, out, ids, NULL, count);
    if (s->stored > SHOWN)
        wsk_cli_say(out, T_("  More cases: %1$zu. --best 'min cost_per_work' finds the best\n"), s->stored - SHOWN);
    fputc('\n', out);
    wsk_sweep_asked_free(&a);
    return code;
}
