/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/grid.h"
#include "cli/sweep/inner.h"

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

/* True if two values of a column are shown alike but differ by more than rounding. The column's values are v[0],
 * v[width], v[2 * width] ...; NAN: no value. */
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

/* Number of decimals of a column. A goal gets so many that different values look different. */
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
    wsk_sweep *s;
    wsk_sweep_asked *a;
    char **cells;   /* texts of one row of the table, which the caller frees; NULL where `values` has a number */
    double *values; /* values[i]: number of the i-th goal or term; NAN: none, the cell has a text */
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
