/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data of a picture: columns of series.csv, gathered into intervals wide enough to be visible. Minima and maxima
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

typedef enum { KEEP_MIN, KEEP_MEAN, KEEP_MAX } keep;

typedef struct {
    size_t index[COLUMNS_MAX]; /* column number in series.csv */
    keep how[COLUMNS_MAX];     /* what is kept of the values in an interval */
    bool ratio[COLUMNS_MAX];   /* the column is an efficiency, in which 0 means that the PSU was off */
    /* Present row; its min, max or time integral over the interval; time in the integral, s. */
    double cell[COLUMNS_MAX], value[COLUMNS_MAX], weight[COLUMNS_MAX];
    size_t count;
} table;

static const char *next_cell(const char *p)
{
    p += strcspn(p, ",\r\n");
    return *p == ',' ? p + 1 : NULL;
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
    case KEEP_MIN: *v = first ? value : fmin(*v, value); break;
    case KEEP_MAX: *v = first ? value : fmax(*v, value); break;
    case KEEP_MEAN:
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
        if (!t->ratio[k] || t->how[k] != KEEP_MIN || t->how[k + 1] != KEEP_MEAN || t->how[k + 2] != KEEP_MAX)
            continue;
        if (t->cell[k] <= 0)
            t->cell[k] = t->cell[k + 1] = t->cell[k + 2] = t->cell[k + 2] > 0 ? t->cell[k + 2] : NAN;
    }
}

static void put_row(FILE *out, const table *t, double end_s)
{
    fprintf(out, "%.10g", end_s);
    for (size_t k = 0; k < t->count; k++) {
        double v = t->how[k] == KEEP_MEAN ? t->value[k] / t->weight[k] : t->value[k];
        if (isnan(v))
            fputs(",nan", out);
        else
            fprintf(out, ",%.7g", v);
    }
    fputc('\n', out);
}

/* Chooses the columns by the head of series.csv, and writes their names to `names` and as the head of the CSV to
 * `out`. */
static void read_head(table *t, const char *series, wsk_plot_wanted *wanted, const void *ctx, FILE *names, FILE *out)
{
    size_t index = 0;
    fputs("t_s", out);
    for (const char *p = series; p; p = next_cell(p), index++) {
        size_t len = strcspn(p, ",\r\n");
        if (!index || t->count == COLUMNS_MAX || !wanted(ctx, p, len))
            continue;
        bool min = len > 4 && !strncmp(p + len - 4, ".min", 4), max = len > 4 && !strncmp(p + len - 4, ".max", 4);
        t->how[t->count] = min ? KEEP_MIN : max ? KEEP_MAX : KEEP_MEAN;
        size_t base = len;
        while (base && p[base - 1] != '.')
            base--;
        t->ratio[t->count] = base > 12 && !strncmp(p + base - 12, ".efficiency.", 12);
        t->index[t->count++] = index;
        fprintf(names, " %.*s", (int)len, p);
        fprintf(out, ",%.*s", (int)len, p);
    }
    fputc(' ', names);
    fputc('\n', out);
}

/* Adds a row from `from` to `to` to the interval that ends at `edge` (ends) or starts there (!ends); times in s. Means
 * are weighted by the time in the interval. Min and max count for the interval with the row's midpoint. */
static void gather_row(table *t, double from, double to, double edge, bool ends)
{
    for (size_t k = 0; k < t->count; k++)
        if (t->how[k] == KEEP_MEAN)
            gather(t, k, t->cell[k], ends ? fmin(to, edge) - from : to - fmax(from, edge));
        else if (((from + to) / 2 <= edge) == ends)
            gather(t, k, t->cell[k], 1);
}

/* Reads the cells of a row into t->cell. Returns the row's time, s; NAN: the row has no time. */
static double read_row(table *t, const char *p)
{
    const char *end;
    double now = wsk_number_at(p, &end);
    size_t index = 0, k = 0;
    for (; p && k < t->count; p = next_cell(p), index++)
        if (index == t->index[k])
            t->cell[k++] = wsk_number_at(p, &end);
    while (k < t->count)
        t->cell[k++] = NAN;
    undefined(t);
    return now;
}

/* Writes the rows, gathered into intervals of `width` s; the first ends at `edge`, s. Returns the number of intervals.
 * With whole periods, an incomplete last interval is dropped. */
static size_t put_rows(FILE *out, table *t, const char *series, double edge, double width, bool whole)
{
    size_t rows = 0;
    double last = 0, from = 0;
    for (const char *row = strchr(series, '\n'); row && row[1]; row = strchr(row + 1, '\n')) {
        double now = read_row(t, row + 1);
        if (isnan(now))
            continue;
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

static double last_time(const char *series)
{
    const char *end = series + strlen(series), *number;
    while (end > series && end[-1] == '\n')
        end--;
    while (end > series && end[-1] != '\n')
        end--;
    return wsk_number_at(end, &number);
}

double wsk_plot_data(const char *series, double seconds, double period, wsk_plot_wanted *wanted, const void *ctx,
                     char **csv, char **names)
{
    size_t csv_len, names_len;
    FILE *out = open_memstream(csv, &csv_len), *list = open_memstream(names, &names_len);
    table *t = wsk_cli_alloc(sizeof *t);
    const char *first = strchr(series, '\n'), *end;
    bool whole;
    double row_s = first ? wsk_number_at(first + 1, &end) : NAN, width = interval_for(seconds, period, &whole), edge,
           last = last_time(series);
    if (row_s > 0 && !whole)
        width = ceil(width / row_s - 1e-9) * row_s;
    edge = whole && row_s > 0 ? width + row_s : width; /* one row later, so that no edge cuts the end of a period */
    if (!out || !list)
        exit(WSK_ERUN);
    read_head(t, series, wanted, ctx, list, out);
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
