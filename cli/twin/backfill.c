/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the metrics of a whole run as one OpenMetrics file. The format wants all samples of a series, and all series
 * of a metric, together. A run gives the samples of all series at one time after the other, so all samples are kept
 * in memory until the run ends. */
#include "cli/twin/backfill.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/twin/metrics.h"

/* Most samples that are kept in memory: 1 GiB. */
static const size_t VALUES_MAX = (size_t)1 << 27;

typedef struct {
    char *name, *help, *labels;
    wsk_metric metric; /* points to `name` and `help` */
    double *values;    /* value at each of table.instants; NAN: no sample */
} series;

typedef struct {
    series *all;
    size_t count, room;
    size_t next;     /* index of the series that the next sample of this instant most likely belongs to */
    size_t instants; /* number of samples of a series over the whole run, one per instant */
    size_t now;      /* index of the present instant */
    bool full;       /* the samples would exceed VALUES_MAX */
} table;

static bool belongs(const series *s, const wsk_metric *metric, const char *labels)
{
    return strcmp(s->labels, labels) == 0 && strcmp(s->metric.name, metric->name) == 0;
}

static series *add_series(table *t, const wsk_metric *metric, const char *labels)
{
    if ((t->count + 1) * t->instants > VALUES_MAX) {
        t->full = true;
        return NULL;
    }
    if (t->count == t->room) {
        t->room = t->room ? 2 * t->room : 256;
        t->all = realloc(t->all, t->room * sizeof *t->all);
        wsk_cli_check_memory(t->all != NULL);
    }
    series *s = &t->all[t->count++];
    *s = (series){.name = wsk_cli_format("%s", metric->name),
                  .help = wsk_cli_format("%s", metric->help),
                  .metric = *metric,
                  .labels = wsk_cli_format("%s", labels),
                  .values = wsk_cli_alloc(t->instants * sizeof *s->values)};
    s->metric.name = s->name;
    s->metric.help = s->help;
    for (size_t i = 0; i < t->instants; i++)
        s->values[i] = NAN;
    return s;
}

static void keep(void *to, const wsk_metric *metric, const char *labels, double value)
{
    table *t = to;
    size_t at = t->next;
    if (at >= t->count || !belongs(&t->all[at], metric, labels)) /* a series came or went, such as that of a job */
        for (at = 0; at < t->count && !belongs(&t->all[at], metric, labels);)
            at++;
    series *s = at < t->count ? &t->all[at] : isnan(value) ? NULL : add_series(t, metric, labels);
    if (!s)
        return;
    s->values[t->now] = value;
    t->next = (size_t)(s - t->all) + 1;
}

static void write_series(FILE *out, const series *s, const table *t, const wsk_live *live, double every_s)
{
    for (size_t i = 0; i < t->instants; i++) {
        if (isnan(s->values[i]))
            continue;
        const int64_t ms = live->utc_ns / 1000000 + llround(1e3 * every_s * (double)i);
        fprintf(out, "%s%s ", s->metric.name, s->labels);
        wsk_metrics_value(out, &s->metric, s->values[i]);
        fprintf(out, " %lld.%03lld\n", (long long)(ms / 1000), (long long)(ms % 1000));
    }
}

static void write_table(FILE *out, const table *t, const wsk_live *live, double every_s)
{
    for (size_t i = 0; i < t->count; i++) {
        const char *name = t->all[i].metric.name;
        size_t first = 0;
        while (strcmp(t->all[first].metric.name, name) != 0)
            first++;
        if (first < i)
            continue;
        wsk_metrics_head(out, &t->all[i].metric, WSK_METRICS_OPEN);
        for (size_t k = i; k < t->count; k++)
            if (strcmp(t->all[k].metric.name, name) == 0)
                write_series(out, &t->all[k], t, live, every_s);
    }
    fputs("# EOF\n", out);
}

static void sample(const wsk_live *live, table *t)
{
    wsk_summary *summary;
    wsk_cli_check_memory(wsk_run_summary(&summary, live->run, 0) == WSK_OK);
    const wsk_metrics_of of = {.moment = &live->moment, .run = live->run, .summary = summary, .host = ""};
    t->next = 0;
    wsk_metrics_visit(&of, keep, t);
    wsk_summary_free(summary);
}

static int write_file(const table *t, const wsk_live *live, const char *path, double every_s)
{
    wsk_cli_output to;
    FILE *out = wsk_cli_output_open(&to, path);
    if (out)
        write_table(out, t, live, every_s);
    const bool written = wsk_cli_output_close(&to, out, out && !ferror(out));
    return written ? WSK_OK : WSK_ERUN;
}

/* True if the file looks like one that --backfill wrote: it begins with a metric's help text and ends as OpenMetrics
 * does. */
static bool is_backfill(FILE *file)
{
    static const char begin[] = "# HELP ", end[] = "# EOF\n";
    char text[sizeof begin] = "";
    const size_t most = strlen(begin), least = strlen(end);
    return fread(text, 1, most, file) == most && !strcmp(text, begin) && fseek(file, -(long)least, SEEK_END) == 0 &&
           fread(text, 1, least, file) == least && !memcmp(text, end, least);
}

int wsk_backfill_check(const char *path)
{
    if (wsk_cli_is_stream(path))
        return WSK_OK;
    FILE *old = fopen(path, "rb");
    if (!old && errno == ENOENT)
        return WSK_OK;
    if (!old) {
        wsk_cli_error(T_("cannot open %s: %s"), path, T_(strerror(errno)));
        return WSK_ERUN;
    }
    const bool ours = is_backfill(old);
    fclose(old);
    if (ours)
        return WSK_OK;
    wsk_cli_error(T_("%s exists already and was not written by --backfill; expected another name"), path);
    return WSK_EINPUT;
}

int wsk_backfill(wsk_live *live, const char *path, double every_s)
{
    const double end_s = wsk_run_duration(live->run);
    const double instants = floor(end_s / every_s + 1e-9) + 1;
    table t = {.instants = instants > (double)VALUES_MAX ? VALUES_MAX : (size_t)instants};
    int code = WSK_OK;
    for (; t.now < t.instants && !t.full && live->status == WSK_OK; t.now++) {
        live->status = wsk_live_advance(live, every_s * (double)t.now - wsk_run_time(live->run));
        wsk_live_fill(live);
        sample(live, &t);
    }
    if (t.full) {
        wsk_cli_error(T_("%s would have too many values; --every takes a longer time between two"), path);
        code = WSK_EUSAGE;
    } else if (live->status != WSK_OK) {
        char *why = wsk_cli_why(live->run, (int)live->status);
        wsk_cli_error("%s", why);
        free(why);
        code = (int)live->status;
    } else {
        code = write_file(&t, live, path, every_s);
    }
    for (size_t i = 0; i < t.count; i++) {
        free(t.all[i].name);
        free(t.all[i].help);
        free(t.all[i].labels);
        free(t.all[i].values);
    }
    free(t.all);
    return code;
}
