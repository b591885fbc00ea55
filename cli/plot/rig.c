/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot/plot.h"

/* Copies the text to `out` without control characters and without ', which would end a string of the gnuplot script.
 * Returns `out`, which is "" if text is NULL. */
static const char *plain(const char *text, char *out, size_t size)
{
    size_t n = 0;
    for (; text && *text && n + 1 < size; text++)
        if (*text != '\'' && (unsigned char)*text >= 32)
            out[n++] = *text;
    out[n] = '\0';
    return out;
}

/* Returns "3 x 120 mm at the front radiator". Caller frees. */
static char *describe_fan(const wsk_elements *rig, int e)
{
    char count[16], size[24], at[32];
    int up = rig->items[e].parent;
    bool radiator = wsk_elements_is(rig, up, "radiator");
    plain(wsk_elements_text(rig, e, "count"), count, sizeof count);
    plain(wsk_elements_text(rig, e, "diameter"), size, sizeof size);
    plain(wsk_elements_text(rig, radiator ? up : e, "at"), at, sizeof at);
    char *fans =
        *count && strcmp(count, "1") != 0 ? wsk_cli_format("%s x %s", count, size) : wsk_cli_format("%s", size);
    if (!*at)
        return fans;
    char *placed = wsk_cli_format(radiator ? T_("%1$s at the %2$s radiator") : T_("%1$s at the %2$s"), fans, T_(at));
    free(fans);
    return placed;
}

static char *make_title(const wsk_elements *rig, int e)
{
    char part[80], *title = wsk_cli_format("%s", wsk_elements_id(rig, e));
    if (wsk_elements_is(rig, e, "fan"))
        title = wsk_plot_join(title, describe_fan(rig, e));
    if (*plain(rig->items[e].part, part, sizeof part))
        title = wsk_plot_join(title, wsk_cli_format("%s", strchr(part, '/') ? strchr(part, '/') + 1 : part));
    return title;
}

static double seconds_of(const wsk_elements *rig, int at, const char *name)
{
    double v = wsk_elements_number(rig, at, name);
    return v > 0 ? v : 0;
}

/* Pauses of the load. every_s: time from the start of one pause to the next, s; 0: no pauses. takes_s: length of a
 * pause, s. */
typedef struct {
    double every_s, takes_s;
} pauses;

static pauses checkpoints_of(const wsk_elements *rig)
{
    for (int e = -1; rig && (e = wsk_elements_next(rig, "workload", e, -1)) >= 0;) {
        const double every_s = seconds_of(rig, e, "checkpoint-every"),
                     takes_s = seconds_of(rig, e, "checkpoint-takes");
        if (every_s > 0)
            return (pauses){every_s + takes_s, takes_s};
    }
    return (pauses){0};
}

double wsk_plot_period(const wsk_elements *rig)
{
    double load_s = checkpoints_of(rig).every_s;
    if (!rig || load_s > 0)
        return load_s;
    for (int e = -1; load_s <= 0 && (e = wsk_elements_next(rig, "load", e, -1)) >= 0;)
        load_s = seconds_of(rig, e, "period");
    return load_s;
}

static void put_movers(FILE *out, const wsk_elements *rig, const wsk_summary *summary)
{
    for (size_t i = 0; i < wsk_summary_count(summary, WSK_SCOPE_FAN); i++) {
        const char *id = wsk_cli_said(summary, WSK_R_FAN_ID, i);
        int e = rig && id[0] && !strchr(id, '\'') ? wsk_elements_find(rig, id) : -1;
        if (!wsk_elements_is(rig, e, "fan") && !wsk_elements_is(rig, e, "pump"))
            continue;
        char *title = make_title(rig, e);
        fprintf(out, "movers_title[%zu] = '%s'\n", i + 1, title);
        free(title);
    }
}

static void put_limits(FILE *out, const wsk_elements *rig, const wsk_summary *summary)
{
    static const char *const lists[][2] = {{"gpus_target", "target-temperature"},
                                           {"gpus_memory_limit", "memory-limit"}};
    const size_t count = wsk_summary_count(summary, WSK_SCOPE_GPU);
    for (int k = 0; k < 2; k++) {
        fprintf(out, "array %s[%zu]\n", lists[k][0], count ? count : 1);
        for (size_t i = 0; i < count; i++) {
            const int e = rig ? wsk_elements_find(rig, wsk_cli_said(summary, WSK_R_GPU_ID, i)) : -1;
            const double limit = wsk_elements_is(rig, e, "gpu") ? wsk_elements_number(rig, e, lists[k][1]) : NAN;
            fprintf(out, "%s[%zu] = %.6g\n", lists[k][0], i + 1, isfinite(limit) ? limit : 0);
        }
    }
}

/* Start of the last checkpoint in events.csv, s. Without one: minus the length of a checkpoint, so that the script
 * draws no checkpoint after the start of the run. */
static double last_checkpoint_s(const char *events, const pauses *p)
{
    double last_s = -p->takes_s;
    while (events) {
        wsk_event e;
        if (wsk_event_read(&events, &e) && e.what_len == 10 && !memcmp(e.what, "checkpoint", 10))
            last_s = e.at_s;
    }
    return last_s;
}

char *wsk_plot_rig(const wsk_elements *rig, const wsk_summary *summary, const char *events)
{
    char *script = NULL;
    size_t len;
    FILE *out = wsk_cli_text(&script, &len);
    const pauses p = checkpoints_of(rig);
    put_movers(out, rig, summary);
    put_limits(out, rig, summary);
    fprintf(out, "pause_every = %.10g\npause_takes = %.10g\n", p.every_s, p.takes_s);
    if (events && p.every_s > 0)
        fprintf(out, "pause_last = %.10g\n", last_checkpoint_s(events, &p));
    fclose(out);
    return script;
}
