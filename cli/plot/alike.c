/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot/plot.h"

enum { ID = 80 };
static const double half_step_mhz = 7.5;

typedef struct {
    char **names; /* column names; they point into the CSV text */
    double *values;
    double *height; /* height[column]: highest minus lowest value that the column's panel shows */
    size_t columns, rows;
} grid;

static void read_grid(grid *g, char *csv)
{
    size_t room = 1;
    for (const char *p = csv; *p; p++) {
        room += *p == '\n';
        g->columns += !g->rows && *p == ',';
        g->rows += *p == '\n';
    }
    g->columns++;
    g->rows = 0;
    g->names = wsk_cli_alloc(g->columns * sizeof *g->names);
    g->values = wsk_cli_alloc(room * g->columns * sizeof *g->values);
    char *line = csv, *end = csv + strcspn(csv, "\n"), *p = line;
    for (size_t k = 0; k < g->columns; k++) {
        g->names[k] = p;
        p += strcspn(p, ",\n");
        if (p < end)
            *p++ = '\0';
    }
    for (line = *end ? end + 1 : end, *end = '\0'; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *cell = line;
        for (size_t k = 0; k < g->columns; k++) {
            g->values[g->rows * g->columns + k] = wsk_number_at(cell, &cell);
            cell += strcspn(cell, ",\n");
            cell += *cell == ',';
        }
        g->rows++;
    }
}

/* Returns the unit in a column's name, such as "_w" of "gpu0.power_w.mean", and its length. */
static const char *unit_of(const char *column, size_t *len)
{
    const char *end = strrchr(column, '.'), *from = end ? end : column;
    while (from > column && *from != '_')
        from--;
    *len = end ? (size_t)(end - from) : 0;
    return from;
}

static bool same_unit(const char *a, const char *b)
{
    size_t n, m;
    const char *x = unit_of(a, &n), *y = unit_of(b, &m);
    return n == m && !strncmp(x, y, n);
}

/* True for a statistic that panels draw: mean or percentile. Minima and maxima are not drawn, so cards may differ in
 * them and still share a panel. */
static bool drawn(const char *column)
{
    const char *stat = strrchr(column, '.');
    return stat && strcmp(stat, ".min") != 0 && strcmp(stat, ".max") != 0;
}

static bool of_card(const char *column, const char *id)
{
    size_t n = strlen(id);
    return !strncmp(column, id, n) && column[n] == '.';
}

static bool of_some_card(const char *column, const wsk_summary *summary)
{
    bool any = false;
    for (size_t i = 0; i < wsk_summary_count(summary, WSK_SCOPE_GPU); i++)
        any = any || of_card(column, wsk_cli_said(summary, WSK_R_GPU_ID, i));
    return any;
}

/* Sets g->height for all columns of cards that have the unit of column k, since the panels of all cards use one scale;
 * air and the power at the wall have panels of their own. The scales of powers and speeds begin at 0. */
static void set_height(grid *g, size_t k, const wsk_summary *summary)
{
    size_t len;
    const char *unit = unit_of(g->names[k], &len);
    const bool zero = !strncmp(unit, "_w", len) || !strncmp(unit, "_rpm", len);
    double low = zero ? 0 : INFINITY, high = zero ? 0 : -INFINITY;
    for (size_t c = 0; c < g->columns; c++)
        if (drawn(g->names[c]) && same_unit(g->names[c], g->names[k]) && of_some_card(g->names[c], summary))
            for (size_t i = 0; i < g->rows; i++) {
                low = fmin(low, g->values[i * g->columns + c]);
                high = fmax(high, g->values[i * g->columns + c]);
            }
    for (size_t c = 0; c < g->columns; c++)
        if (same_unit(g->names[c], g->names[k]))
            g->height[c] = high > low ? high - low : 0;
}

/* True if two columns differ nowhere by more than about the width of a line: 1 % of their panel's height, 2 % of the low
 * panels of power. Clocks may differ by half a clock step of 15 MHz, if that is more. */
static bool same_column(const grid *g, size_t a, size_t b)
{
    double apart = 0;
    for (size_t i = 0; i < g->rows; i++) {
        double x = g->values[i * g->columns + a], y = g->values[i * g->columns + b];
        if (isnan(x) != isnan(y))
            return false;
        apart = fmax(apart, fabs(x - y));
    }
    size_t len;
    const char *unit = unit_of(g->names[a], &len);
    const double line = (!strncmp(unit, "_w", len) ? 2e-2 : 1e-2) * g->height[a];
    return apart <= fmax(line, !strncmp(unit, "_mhz", len) ? half_step_mhz : 0);
}

/* Number of columns of a card that the picture draws. */
static size_t count_drawn(const grid *g, const char *id)
{
    size_t n = 0;
    for (size_t k = 0; k < g->columns; k++)
        n += of_card(g->names[k], id) && drawn(g->names[k]);
    return n;
}

static bool same_card(const grid *g, const char *a, const char *b)
{
    size_t n = 0;
    const size_t m = count_drawn(g, b);
    for (size_t k = 0; k < g->columns; k++) {
        size_t j = 0;
        if (!of_card(g->names[k], a) || !drawn(g->names[k]))
            continue;
        while (j < g->columns &&
               (!of_card(g->names[j], b) || strcmp(g->names[j] + strlen(b), g->names[k] + strlen(a)) != 0))
            j++;
        if (j == g->columns || !same_column(g, k, j))
            return false;
        n++;
    }
    return n == m;
}

/* Returns a text of the summary; "" if it contains a single quote, which would end gnuplot's string. */
static const char *text_of(const wsk_summary *summary, wsk_result result, size_t i)
{
    const char *text = wsk_cli_said(summary, result, i);
    return strchr(text, '\'') ? "" : text;
}

/* Returns the title of a panel that several cards share, which names up to three of their ids. as[i]: index of the card
 * whose panel card i shares; first: index of the panel's first card; members: number of cards in the panel. Caller
 * frees. */
static char *name_group(const wsk_summary *summary, const size_t *as, size_t count, size_t first, size_t members)
{
    const char *ids[3] = {"", "", ""};
    size_t told = 0;
    for (size_t i = first; i < count && told < 3; i++)
        if (as[i] == first)
            ids[told++] = text_of(summary, WSK_R_GPU_ID, i);
    if (members > 3)
        return wsk_cli_format(T_("%1$s and %2$zu more alike"), ids[0], members - 1);
    if (members == 3)
        return wsk_cli_format(T_("%1$s, %2$s and %3$s alike"), ids[0], ids[1], ids[2]);
    return wsk_cli_format(T_("%1$s and %2$s alike"), ids[0], ids[1]);
}

static void put_group(FILE *out, const wsk_summary *summary, const size_t *as, size_t count, size_t first,
                      size_t number)
{
    size_t members = 0;
    const char *part = text_of(summary, WSK_R_GPU_PART, first);
    for (size_t i = first; i < count; i++)
        members += as[i] == first;
    fprintf(out, "apart[%zu] = %zu\n", number, first + 1);
    if (members == 1) {
        fprintf(out, "apart_title[%zu] = gpus_title[%zu]\n", number, first + 1);
        return;
    }
    char *names = name_group(summary, as, count, first, members),
         *title = part[0] ? wsk_cli_format(T_("%1$s, %2$s"), names, strchr(part, '/') ? strchr(part, '/') + 1 : part)
                          : NULL;
    fprintf(out, "apart_title[%zu] = '%s'\n", number, title ? title : names);
    free(title);
    free(names);
}

char *wsk_plot_alike(const char *csv, const wsk_summary *summary)
{
    size_t count = wsk_summary_count(summary, WSK_SCOPE_GPU), len, groups = 0,
           *as = wsk_cli_alloc((count + 1) * sizeof *as);
    char *script = NULL, *copy = wsk_cli_format("%s", csv);
    grid g = {0};
    FILE *out = wsk_cli_text(&script, &len);
    read_grid(&g, copy);
    g.height = wsk_cli_alloc((g.columns + 1) * sizeof *g.height);
    for (size_t k = 0; k < g.columns; k++)
        g.height[k] = NAN;
    for (size_t k = 0; k < g.columns; k++)
        if (isnan(g.height[k]) && drawn(g.names[k]))
            set_height(&g, k, summary);
    for (size_t i = 0; i < count; i++) {
        const char *b = text_of(summary, WSK_R_GPU_ID, i), *part = text_of(summary, WSK_R_GPU_PART, i);
        /* a card of which the picture knows nothing has no panel */
        as[i] = b[0] && !count_drawn(&g, b) ? count : i;
        for (size_t k = 0; k < i && as[i] == i; k++) {
            const char *a = text_of(summary, WSK_R_GPU_ID, k), *other = text_of(summary, WSK_R_GPU_PART, k);
            if (as[k] == k && a[0] && b[0] && !strcmp(part, other) && same_card(&g, a, b))
                as[i] = k;
        }
        groups += as[i] == i;
    }
    fprintf(out, "aparts = %zu\narray apart[%zu]\narray apart_title[%zu]\n", groups, groups ? groups : 1,
            groups ? groups : 1);
    groups = 0;
    for (size_t i = 0; i < count; i++)
        if (as[i] == i)
            put_group(out, summary, as, count, i, ++groups);
    fclose(out);
    free(g.height);
    free(g.values);
    free(g.names);
    free(copy);
    free(as);
    return script;
}
