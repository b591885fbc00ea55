/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data of a picture: columns of the series, gathered into intervals wide enough to be visible. Minima and maxima
 * are kept, so that no spike is lost. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot/plot.h"

enum { COLUMNS_MAX = 4096, INTERVALS = 200 }; /* most columns of a picture; most intervals along its time axis */

static double seconds_of(const wsk_elements *rig, int at, const char *name)
{
    double v = wsk_elements_number(rig, at, name);
    return v > 0 ? v : 0;
}

double wsk_plot_period(const wsk_elements *rig)
{
    double load_s = 0;
    if (!rig)
        return 0;
    for (int e = -1; (e = wsk_elements_next(rig, "workload", e, -1)) >= 0;) {
        double every_s = seconds_of(rig, e, "checkpoint-every");
        if (every_s > 0)
            return every_s + seconds_of(rig, e, "checkpoint-takes");
    }
    for (int e = -1; load_s <= 0 && (e = wsk_elements_next(rig, "load", e, -1)) >= 0;)
        load_s = seconds_of(rig, e, "period");
    return load_s;
}

/* Returns the shortest round interval, s, that divides the run into at most INTERVALS intervals. */
static double round_interval(double seconds)
{
    static const double round[] = {1,    2,    5,    10,    30,    60,    120,    300,    600,
                                   1200, 1800, 3600, 10800, 21600, 86400, 172800, 604800, 2592000};
    for (size_t i = 0; i < sizeof round / sizeof *round; i++)
        if (seconds / round[i] <= INTERVALS)
            return round[i];
    return seconds / INTERVALS;
}

/* Returns the interval, s. If the load's period is comparable to the interval, the number of periods per interval
 * varies and the means alias. The interval is then a whole number of periods, and *whole is true. */
static double interval_for(double seconds, double period, bool *whole)
{
    double width = round_interval(seconds);
    *whole = period > 0 && period < 2.5 * width && period > width / 50;
    return *whole ? ceil(width / period - 1e-9) * period : width;
}

typedef struct {
    int variable[COLUMNS_MAX]; /* index in the series */
    wsk_stat how[COLUMNS_MAX]; /* what is kept of the values in an interval */
    bool ratio[COLUMNS_MAX];   /* the column is an efficiency, in which 0 means that the PSU was off */
    /* cell: values of the present row. value: min, max or time integral over the interval. weight: time that the
     * integral covers, s. */
    double cell[COLUMNS_MAX], value[COLUMNS_MAX], weight[COLUMNS_MAX];
    size_t count;
} table;

bool wsk_plot_is(const wsk_summary *summary, const wsk_column *column, wsk_var variable)
{
    static const wsk_result ids[WSK_OWNERS] = {WSK_RESULTS,   WSK_R_CASE_ID, WSK_R_PSU_ID,
                                               WSK_R_LOOP_ID, WSK_R_FAN_ID,  WSK_R_GPU_ID};
    wsk_owner owner = wsk_var_about(variable)->owner;
    if (!wsk_column_is(column, variable))
        return false;
    if (owner == WSK_OF_CASE && column->id_len == 4 && !strncmp(column->name, "case", 4))
        return true; /* id of the only case */
    return owner == WSK_OF_RIG || wsk_cli_listed(summary, ids[owner], column->name, column->id_len);
}

static void clear(table *t)
{
    for (size_t k = 0; k < t->count; k++)
        t->value[k] = NAN, t->weight[k] = 0;
}

static void gather(table *t, size_t k, double value, double seconds)
{
    if (isnan(value))
        return;
    bool first = isnan(t->value[k]);
    double *v = &t->value[k];
    switch (t->how[k]) {
    case WSK_STAT_MIN: *v = first ? value : fmin(*v, value); break;
    case WSK_STAT_MAX: *v = first ? value : fmax(*v, value); break;
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
        if (!t->ratio[k] || t->how[k] != WSK_STAT_MIN || t->how[k + 1] != WSK_STAT_MEAN ||
            t->how[k + 2] != WSK_STAT_MAX)
            continue;
        if (t->cell[k] <= 0)
            t->cell[k] = t->cell[k + 1] = t->cell[k + 2] = t->cell[k + 2] > 0 ? t->cell[k + 2] : NAN;
    }
}

static void put_row(FILE *out, const table *t, double end_s)
{
    fprintf(out, "%.10g", end_s);
    for (size_t k = 0; k < t->count; k++) {
        double v = t->how[k] == WSK_STAT_MEAN ? t->value[k] / t->weight[k] : t->value[k];
        if (isnan(v))
            fputs(",nan", out);
        else
            fprintf(out, ",%.7g", v);
    }
    fputc('\n', out);
}

/* Chooses the columns, and writes their names to `names` and as the head of the CSV to `out`. */
static void choose(table *t, const wsk_record *series, wsk_plot_wanted *wanted, const void *ctx, FILE *names,
                   FILE *out)
{
    fputs("t_s", out);
    for (size_t i = 0; i < WSK_STATS * series->vars; i++) {
        wsk_column c = series->columns[i / WSK_STATS];
        c.stat = (wsk_stat)(i % WSK_STATS);
        if (t->count == COLUMNS_MAX || !wanted(ctx, &c))
            continue;
        t->ratio[t->count] = wsk_column_is(&c, WSK_VAR_SUPPLY_EFFICIENCY);
        t->variable[t->count] = (int)(i / WSK_STATS);
        t->how[t->count++] = c.stat;
        fprintf(names, " %s.%s", c.name, wsk_stat_name(c.stat));
        fprintf(out, ",%s.%s", c.name, wsk_stat_name(c.stat));
    }
    fputc(' ', names);
    fputc('\n', out);
}

/* Adds a row from `from` to `to` to the interval that ends at `edge` (ends) or starts there (!ends); times in s. Means
 * are weighted by the time in the interval. Min and max count for the interval with the row's midpoint. */
static void gather_row(table *t, double from, double to, double edge, bool ends)
{
    for (size_t k = 0; k < t->count; k++)
        if (t->how[k] == WSK_STAT_MEAN)
            gather(t, k, t->cell[k], ends ? fmin(to, edge) - from : to - fmax(from, edge));
        else if (((from + to) / 2 <= edge) == ends)
            gather(t, k, t->cell[k], 1);
}

/* Writes the rows, gathered into intervals of `width` s; the first ends at `edge`, s. Returns the number of intervals.
 * whole: intervals are whole periods of the load, and a last interval of at most 0.9 `width` is dropped. */
static size_t put_rows(FILE *out, table *t, const wsk_record *series, double edge, double width, bool whole)
{
    size_t rows = 0;
    double last = 0, from = 0;
    for (size_t i = 0; i < series->rows; i++) {
        double now = series->end_s[i];
        for (size_t k = 0; k < t->count; k++)
            t->cell[k] = wsk_record_value(series, i, t->variable[k], t->how[k]);
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
        last = now;
    }
    if (rows && last > from * (1 + 1e-9) && (!whole || last - from > 0.9 * width)) {
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
    edge = whole && row_s > 0 ? width + row_s : width; /* one row later, so that no edge cuts the end of a period */
    choose(t, series, wanted, ctx, list, out);
    clear(t);
    if (last > edge * (1 + 1e-9)) {
        put_rows(out, t, series, edge, width, whole);
    } else if (last > 0) {
        /* A line needs two points, one at each end. The scripts shift them by half an interval. */
        put_rows(out, t, series, INFINITY, INFINITY, false);
        width = last;
        put_row(out, t, last / 2);
        put_row(out, t, last * 1.5);
    }
    fclose(list);
    fclose(out);
    free(t);
    return width;
}
