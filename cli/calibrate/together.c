/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cuts logs of several files to the time that they have in common. A fit of several cards replays them side by side,
 * because cards of one case warm each other. */
#include <math.h>
#include <stdlib.h>

#include "cli/calibrate/calibrate.h"

static double start_of(const wsk_log *log, bool utc)
{
    return utc ? wsk_log_start_utc_s(log) : wsk_log_start_civil_s(log);
}

/* True if all logs state when they began, in UTC or by clocks that are taken to be of one zone. */
static bool know_start(const wsk_cli_logs *logs, bool utc)
{
    for (size_t i = 0; i < logs->files_count; i++)
        if (isnan(start_of(logs->files[i].log, utc)))
            return false;
    return true;
}

static double end_of(const wsk_log *log)
{
    double end_s = 0;
    for (size_t card = 0; card < wsk_log_cards(log); card++)
        for (int q = 0; q < WSK_LOG_QUANTITIES; q++) {
            const wsk_log_series s = wsk_log_of(log, card, (wsk_log_quantity)q);
            end_s = s.count ? fmax(end_s, s.t_s[s.count - 1]) : end_s;
        }
    return end_s;
}

/* Keeps the samples between two times, which are counted from the start of their log; from then on, times count from
 * the first of the two. */
static void cut(wsk_readings *r, double from_s, double to_s, wsk_cli_logs *logs)
{
    size_t first = 0, end = r->count;
    while (first < end && r->t_s[first] < from_s)
        first++;
    while (end > first && r->t_s[end - 1] > to_s)
        end--;
    double *t_s = wsk_cli_alloc((end - first + 1) * sizeof *t_s);
    for (size_t i = first; i < end; i++)
        t_s[i - first] = r->t_s[i] - from_s;
    *r = (wsk_readings){t_s, r->value + first, end - first};
    logs->cut[logs->cut_count++] = t_s;
}

static void cut_all(wsk_cli_logs *logs, const wsk_cli_log *l, double from_s, double to_s)
{
    for (size_t i = 0; i < logs->count; i++) {
        wsk_calibrate_trace *t = &logs->traces[i];
        wsk_readings *const all[] = {&t->power, &t->utilisation, &t->clock, &t->die,  &t->memory,  &t->fan,
                                     &t->inlet, &t->fan_speed,   &t->limit, &t->work, &t->traffic, &t->hot_spot};
        for (size_t k = 0; k < sizeof all / sizeof *all && logs->of[i].file == l->file; k++)
            if (all[k]->count)
                cut(all[k], from_s, to_s, logs);
    }
}

static char *name_files(const wsk_cli_logs *logs)
{
    const char **names = wsk_cli_alloc(logs->files_count * sizeof *names);
    for (size_t i = 0; i < logs->files_count; i++)
        names[i] = logs->files[i].file;
    char *text = wsk_cli_join(names, logs->files_count);
    free(names);
    return text;
}

int wsk_cli_logs_align(wsk_cli_logs *logs)
{
    static const double little_s = 60; /* so much of a log may be cut off without a word */
    const bool utc = know_start(logs, true);
    if (logs->files_count < 2)
        return WSK_OK;
    char *files = name_files(logs);
    if (!utc && !know_start(logs, false)) {
        wsk_cli_note(T_("--log %s: not all have dates, so they are taken to begin at the same moment"), files);
        free(files);
        return WSK_OK;
    }
    double from_s = -INFINITY, to_s = INFINITY, most_s = 0;
    for (size_t i = 0; i < logs->files_count; i++) {
        const wsk_log *log = logs->files[i].log;
        from_s = fmax(from_s, start_of(log, utc));
        to_s = fmin(to_s, start_of(log, utc) + end_of(log));
        most_s = fmax(most_s, end_of(log));
    }
    const bool meet = to_s > from_s;
    if (!meet)
        wsk_cli_error(T_("--log %s: by their clocks they have no time in common; expected logs of one time and one "
                         "time zone, or one card a call"),
                      files);
    else if (to_s - from_s < most_s - little_s)
        wsk_cli_note(T_("--log %1$s: they have %2$.0f minutes in common; only these are fitted"), files,
                     (to_s - from_s) / 60);
    for (size_t i = 0; i < logs->files_count && meet; i++) {
        const double start_s = start_of(logs->files[i].log, utc);
        cut_all(logs, &logs->files[i], from_s - start_s, to_s - start_s);
    }
    logs->from_s = meet ? from_s - start_of(logs->files[0].log, utc) : 0;
    free(files);
    return meet ? WSK_OK : WSK_EINPUT;
}
