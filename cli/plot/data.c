/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot/plot.h"

enum { COLUMNS_MAX = 4096, INTERVALS = 200 }; /* most columns of a picture; most intervals along its time axis */

static double round_interval(double seconds)
{
    static const double round[] = {1,    2,    5,    10,    30,    60,    120,    300,    600,
                                   1200, 1800, 3600, 10800, 21600, 86400, 172800, 604800, 2592000};
    for (size_t i = 0; i < sizeof round / sizeof *round; i++)
        if (seconds / round[i] <= INTERVALS)
            return round[i];
    return seconds / INTERVALS;
}

/* Returns the interval, s. If the load's period is comparable to the interval, *whole is true and the interval is a
 * whole number of periods: else intervals would hold different shares of periods, and their means would alias. */
static double interval_for(double seconds, double period, bool *whole)
{
    double width = round_interval(seconds);
    *whole = period > 0 && period < 2.5 * width && period > width / 50;
    return *whole ? ceil(width / period - 1e-9) * period : width;
}

/* Statistics that are kept of a column for each interval. A variable with mean, minimum and maximum also gets the 5th
 * and 95th percentile, because a short pause in each interval would pull every minimum down. */
typedef enum { LEAST = WSK_STAT_MIN, MEAN = WSK_STAT_MEAN, MOST = WSK_STAT_MAX, P5, P95 } kept;

typedef struct {
    int variable[COLUMNS_MAX];
    kept how[COLUMNS_MAX];
    bool ratio[COLUMNS_MAX];  /* the column is an efficiency, in which 0 means that the PSU was off */
    bool abrupt[COLUMNS_MAX]; /* the variable changes at once when the load pauses, as power does (wsk_abrupt) */
    bool sum[COLUMNS_MAX];    /* the column is a sum since the start, which is drawn at the ends of intervals */
    /* cell: values of the present row. value: min, max or time integral over the interval. weight: time that the
     * integral covers, s. */
    double cell[COLUMNS_MAX], value[COLUMNS_MAX], weight[COLUMNS_MAX];
    double sum_before[COLUMNS_MAX]; /* of a running sum: its value at the end of the row before */
    size_t count;
    /* Rows of the present interval, from which percentiles are computed: spans[row * wide + v]; v counts the `wide`
     * variables that have percentiles. */
    wsk_span *spans;
    size_t wide, rows, room;
    bool sums;
} table;

bool wsk_plot_is(const wsk_summary *summary, const wsk_column *column, wsk_var variable)
{
    static const wsk_result ids[WSK_OWNERS] = {WSK_RESULTS,   WSK_R_CASE_ID, WSK_R_PSU_ID,
                                               WSK_R_LOOP_ID, WSK_R_FAN_ID,  WSK_R_GPU_ID};
    wsk_owner owner = wsk_var_about(variable)->owner;
    if (!wsk_column_is(column, variable) || !wsk_record_knows(summary, column))
        return false;
    if (owner == WSK_OF_CASE && column->id_len == 4 && !strncmp(column->name, "case", 4))
        return true; /* "case" is the id of a rig's only case */
    return owner == WSK_OF_RIG || wsk_cli_listed(summary, ids[owner], column->name, column->id_len);
}

static void clear(table *t)
{
    for (size_t k = 0; k < t->count; k++)
        t->value[k] = NAN, t->weight[k] = 0;
    t->rows = 0;
}

static void gather(table *t, size_t k, double value, double seconds)
{
    if (isnan(value))
        return;
    bool first = isnan(t->value[k]);
    double *v = &t->value[k];
    switch (t->how[k]) {
    case LEAST: *v = first ? value : fmin(*v, value); break;
    case MOST: *v = first ? value : fmax(*v, value); break;
    default:
        *v = (first ? 0 : *v) + value * seconds;
        t->weight[k] += seconds;
        break;
    }
}

/* Corrects efficiencies of PSUs that were off for part of a row. The row's mean counts the off time as 0, so the row's
 * maximum replaces min and mean. A PSU that was off for the whole row has no efficiency (NAN). */
static void undefined(table *t)
{
    for (size_t k = 0; k + 2 < t->count; k++) {
        if (!t->ratio[k] || t->how[k] != LEAST || t->how[k + 1] != MEAN || t->how[k + 2] != MOST)
            continue;
        if (t->cell[k] <= 0)
            t->cell[k] = t->cell[k + 1] = t->cell[k + 2] = t->cell[k + 2] > 0 ? t->cell[k + 2] : NAN;
    }
}

/* Returns the percentile of column k over the interval; NAN: the column had no value. wide: index of its variable among
 * those with percentiles. spans: buffer for t->rows items. */
static double percentile(const table *t, size_t k, size_t wide, wsk_span *spans)
{
    size_t n = 0;
    for (size_t row = 0; row < t->rows; row++)
        if (!isnan(t->spans[row * t->wide + wide].mean))
            spans[n++] = t->spans[row * t->wide + wide];
    return wsk_spans_percentile(spans, n, t->how[k] == P5 ? 0.05 : 0.95, t->abrupt[k]);
}

static void put_row(FILE *out, const table *t, double end_s)
{
    wsk_span *spans = wsk_cli_alloc((t->rows + 1) * sizeof *spans);
    size_t wide = 0;
    fprintf(out, "%.10g", end_s);
    for (size_t k = 0; k < t->count; k++) {
        double v = t->how[k] == MEAN  ? t->value[k] / t->weight[k]
                   : t->how[k] == P5  ? percentile(t, k, wide, spans)
                   : t->how[k] == P95 ? percentile(t, k, wide++, spans)
                                      : t->value[k];
        if (isnan(v))
            fputs(",nan", out);
        else
            fprintf(out, ",%.7g", v);
    }
    fputc('\n', out);
    free(spans);
}

static void add_column(table *t, const wsk_column *c, size_t variable, kept how, FILE *names, FILE *out)
{
    const char *stat = how == P5 ? "p5" : how == P95 ? "p95" : wsk_stat_name((wsk_stat)how);
    t->abrupt[t->count] = wsk_abrupt(c);
    t->ratio[t->count] = wsk_column_is(c, WSK_VAR_SUPPLY_EFFICIENCY);
    t->variable[t->count] = (int)variable;
    t->sum[t->count] = wsk_column_is(c, WSK_VAR_COST) || wsk_column_is(c, WSK_VAR_COST_OTHER) ||
                       wsk_column_is(c, WSK_VAR_ENERGY_KWH);
    t->sums = t->sums || t->sum[t->count];
    t->how[t->count++] = how;
    fprintf(names, " %s.%s", c->name, stat);
    fprintf(out, ",%s.%s", c->name, stat);
}

/* False for the efficiency of a PSU that is off or feeds nothing throughout. */
static bool has_values(const wsk_record *series, size_t variable)
{
    bool any = !wsk_column_is(&series->columns[variable], WSK_VAR_SUPPLY_EFFICIENCY);
    for (size_t row = 0; !any && row < series->rows; row++)
        any = wsk_record_value(series, row, (int)variable, WSK_STAT_MAX) > 0;
    return any;
}

static void choose(table *t, const wsk_record *series, wsk_plot_wanted *wanted, const void *ctx, FILE *names,
                   FILE *out)
{
    fputs("t_s", out);
    for (size_t i = 0; i < series->vars && t->count + P95 < COLUMNS_MAX; i++) {
        wsk_column c = series->columns[i];
        int stats = 0;
        for (int stat = 0; stat < WSK_STATS; stat++) {
            c.stat = (wsk_stat)stat;
            if (wanted(ctx, &c) && has_values(series, i))
                add_column(t, &c, i, (kept)stat, names, out), stats++;
        }
        if (stats < WSK_STATS)
            continue;
        add_column(t, &c, i, P5, names, out);
        add_column(t, &c, i, P95, names, out);
        t->wide++;
    }
    fputc(' ', names);
    fputc('\n', out);
}

static void keep_row(table *t, double seconds)
{
    if (t->rows == t->room) {
        wsk_span *more = wsk_cli_alloc((2 * t->room + 8) * t->wide * sizeof *more);
        if (t->rows)
            memcpy(more, t->spans, t->rows * t->wide * sizeof *more);
        free(t->spans);
        t->spans = more;
        t->room = 2 * t->room + 8;
    }
    wsk_span *at = t->spans + t->rows++ * t->wide;
    for (size_t k = 0; k < t->count; k++)
        if (t->how[k] == P5)
            *at++ = (wsk_span){t->cell[k - 3], t->cell[k - 2], t->cell[k - 1], seconds};
}

/* Returns the running sum of column k after `share` (0 to 1) of the present row's time, from its value at the end of the
 * row before. The row's minimum need not be the value at its start, because rows of `run --leap` have no minimum of
 * skipped cycles. A sum that falls, because of negative prices, ends a row with its minimum. */
static double sum_at(const table *t, size_t k, double share)
{
    const size_t low = t->how[k] == MOST && k >= 2 ? k - 2 : k;
    const bool known = low + 2 < t->count && t->how[low] == LEAST && t->how[low + 2] == MOST &&
                       t->variable[low] == t->variable[low + 2];
    const double end = !known ? t->cell[k] : t->cell[low + 1] < t->sum_before[k] ? t->cell[low] : t->cell[low + 2];
    return t->sum_before[k] + share * (end - t->sum_before[k]);
}

/* Adds a row from `from` to `to` to the interval that ends at `edge` (ends true) or starts at `edge` (ends false);
 * times in s. Means are weighted by the time in the interval. Of a row that the edge cuts, a running sum counts at the
 * edge; other minima and maxima count for the interval that holds the row's midpoint. */
static void gather_row(table *t, double from, double to, double edge, bool ends)
{
    const double within_s = ends ? fmin(to, edge) - from : to - fmax(from, edge);
    for (size_t k = 0; k < t->count; k++)
        if (t->how[k] == MEAN)
            gather(t, k, t->cell[k], within_s);
        else if (t->how[k] <= MOST && t->sum[k] && (from < edge && edge < to)) {
            gather(t, k, sum_at(t, k, (edge - from) / (to - from)), 1);
            if (!ends)
                gather(t, k, sum_at(t, k, 1), 1);
        } else if (t->how[k] <= MOST && ((from + to) / 2 <= edge) == ends)
            gather(t, k, t->cell[k], 1);
    if (t->wide)
        keep_row(t, within_s);
}

/* Writes the rows, gathered into intervals of `width` s; the first ends at `edge`, s. Returns the number of intervals.
 * whole: intervals are whole periods of the load, and a last interval of at most 0.9 `width` is dropped, unless there
 * are sums. */
static size_t put_rows(FILE *out, table *t, const wsk_record *series, double edge, double width, bool whole)
{
    size_t rows = 0;
    double last = 0, from = 0;
    for (size_t i = 0; i < series->rows; i++) {
        double now = series->end_s[i];
        for (size_t k = 0; k < t->count; k++)
            if (t->how[k] <= MOST)
                t->cell[k] = wsk_record_value(series, i, t->variable[k], (wsk_stat)t->how[k]);
        undefined(t);
        gather_row(t, last, now, edge, true);
        if (now >= edge * (1 - 1e-9)) {
            put_row(out, t, fmin(edge, now));
            rows++;
            clear(t);
            from = edge;
            while (now >= edge * (1 - 1e-9))
                edge += width;
            if (now > from * (1 + 1e-9))
                gather_row(t, last, now, from, false);
        }
        for (size_t k = 0; k < t->count; k++)
            t->sum_before[k] = t->sum[k] ? sum_at(t, k, 1) : 0;
        last = now;
    }
    if (rows && last > from * (1 + 1e-9) && (!whole || t->sums || last - from > 0.9 * width)) {
        put_row(out, t, last);
        rows++;
    }
    return rows;
}

double wsk_plot_data(const wsk_record *series, double seconds, double period, wsk_plot_wanted *wanted,
                     const void *ctx, char **csv, char **names)
{
    size_t csv_len, names_len;
    FILE *out = wsk_cli_text(csv, &csv_len), *list = wsk_cli_text(names, &names_len);
    table *t = wsk_cli_alloc(sizeof *t);
    bool whole;
    double row_s = series->rows ? series->end_s[0] : 0, width = interval_for(seconds, period, &whole), edge,
           last = series->rows ? series->end_s[series->rows - 1] : 0;
    if (row_s > 0 && !whole)
        width = ceil(width / row_s - 1e-9) * row_s;
    /* The first interval is one row longer, so that the row in which a period ends is not cut by the interval's end. */
    edge = whole && row_s > 0 ? width + row_s : width;
    choose(t, series, wanted, ctx, list, out);
    clear(t);
    if (last > edge * (1 + 1e-9)) {
        put_rows(out, t, series, edge, width, whole);
    } else if (last > 0) {
        /* gnuplot draws a line only between two points, so the only row is written twice, once for each end of the time
         * axis. The scripts shift points by half an interval. */
        put_rows(out, t, series, INFINITY, INFINITY, false);
        width = last;
        put_row(out, t, last / 2);
        put_row(out, t, last * 1.5);
    }
    fclose(list);
    fclose(out);
    free(t->spans);
    free(t);
    return width;
}
