/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports holes in the load of a log: times without readings of the power, or of the utilisation if the power is not
 * logged. If a log has wide holes, wsk_log_take_stretch keeps only the longest stretch between them. */
#include <math.h>
#include <stdlib.h>

#include "sim/base/calendar.h"
#include "sim/log/log.h"

/* A hole is longer than hole_rows times the median distance of rows, and longer than hole_s; a wide hole is longer
 * than wide_rows times that distance, and longer than wide_s. After a wide hole the heat stored in a card is unknown:
 * docs/theory/calibration.md, "Method". */
static const double hole_rows = 30, hole_s = 60, wide_rows = 100, wide_s = 3600;
enum { MOST_TOLD = 10, MOST_LOOKED = 4096 };

typedef struct {
    double from_s, to_s;
} span;

static const wsk_log_track *load_of(const wsk_log *log, size_t card)
{
    const wsk_log_track *power = &log->cards[card]->of[WSK_LOG_POWER];
    return power->count ? power : &log->cards[card]->of[WSK_LOG_UTILISATION];
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median distance of samples, s; of a long track, only some of the distances are used. 0: fewer than two samples. */
static double usual_s(const wsk_log_track *k)
{
    double distance[MOST_LOOKED];
    const size_t step = k->count / MOST_LOOKED + 1;
    size_t n = 0;
    for (size_t i = 0; i + 1 < k->count && n < MOST_LOOKED; i += step)
        distance[n++] = k->t[i + 1] - k->t[i];
    qsort(distance, n, sizeof *distance, by_size);
    return n ? distance[n / 2] : 0;
}

static const char *clock_text(const wsk_log *log, double t_s)
{
    char text[40];
    const double s = log->start_s + log->east_s + t_s;
    const int in_day = (int)(s - WSK_DAY_S * floor(s / WSK_DAY_S));
    if ((log->clock == WSK_LOG_CIVIL || log->clock == WSK_LOG_UTC) && fabs(s) < 2.5e11)
        wsk_format_datetime(text, (int64_t)floor(s));
    else if (log->clock == WSK_LOG_OF_DAY)
        snprintf(text, sizeof text, "%02d:%02d:%02d", in_day / 3600, in_day / 60 % 60, in_day % 60);
    else
        wsk_print(text, sizeof text, "%.6g s", s);
    return wsk_printf(log->arena, "%s", text);
}

static void warn(wsk_log *log, int line, const wsk_said *said)
{
    wsk_diag_add(&log->diags, WSK_DIAG_WARNING, log->path, line > 0 ? line : 1, 1, said);
}

static bool overlaps(const span *told, size_t n, double from_s, double to_s)
{
    for (size_t i = 0; i < n; i++)
        if (told[i].from_s < to_s && from_s < told[i].to_s)
            return true;
    return false;
}

/* Reports the holes. Cards of a log mostly have the same holes; each hole is reported once. taken: the end of the
 * message, how the caller fills a hole. */
static void tell_holes(wsk_log *log, const wsk_said *taken)
{
    span told[MOST_TOLD];
    size_t n = 0, more = 0;
    for (size_t card = 0; card < log->count; card++) {
        const wsk_log_track *k = load_of(log, card);
        const double least = fmax(hole_s, hole_rows * usual_s(k));
        const size_t before = n;
        size_t untold = 0;
        for (size_t i = 1; i < k->count; i++) {
            const double from = k->t[i - 1], to = k->t[i];
            if (!(to - from > least) || overlaps(told, before, from, to))
                continue;
            if (n == MOST_TOLD) {
                untold++;
                continue;
            }
            told[n++] = (span){from, to};
            const bool power = k == &log->cards[card]->of[WSK_LOG_POWER];
            const char *begin = clock_text(log, from), *end = clock_text(log, to);
            const wsk_said *length = wsk_say_span(log->arena, to - from);
            warn(log, k->line ? k->line[i] : 1,
                 power ? WSK_SAID(WSK_SAY_LOG_HOLE_POWER, begin, end, length, taken)
                       : WSK_SAID(WSK_SAY_LOG_HOLE_LOAD, begin, end, length, taken));
        }
        more = untold > more ? untold : more;
    }
    if (more)
        warn(log, 1, WSK_SAID(WSK_SAY_LOG_HOLES, more));
}

void wsk_log_tell_holes(wsk_log *log)
{
    tell_holes(log, WSK_SAID(WSK_SAY_LOG_HELD));
}

static int line_at(const wsk_log *log, double t_s)
{
    int line = 0;
    for (size_t card = 0; card < log->count; card++) {
        const wsk_log_track *k = load_of(log, card);
        for (size_t i = 0; k->line && i < k->count && k->t[i] <= t_s; i++)
            if (!(k->t[i] < t_s) && (!line || k->line[i] < line))
                line = k->line[i];
    }
    return line;
}

static size_t rows_outside(const wsk_log *log, double from_s, double to_s, bool before)
{
    size_t rows = 0;
    for (size_t card = 0; card < log->count; card++) {
        const wsk_log_track *k = load_of(log, card);
        for (size_t i = 0; i < k->count; i++)
            rows += (before ? k->t[i] < from_s : k->t[i] > to_s) ? k->stride : 0;
    }
    return rows;
}

/* True if the samples of one card alone show that the log has no hole longer than least_s. Most logs pass, and the
 * times of all cards then need not be gathered and sorted. */
static bool is_whole(const wsk_log *log, double least_s)
{
    double begin = INFINITY, end = -INFINITY;
    for (size_t card = 0; card < log->count; card++) {
        const wsk_log_track *k = load_of(log, card);
        begin = k->count ? fmin(begin, k->t[0]) : begin;
        end = k->count ? fmax(end, k->t[k->count - 1]) : end;
    }
    for (size_t card = 0; card < log->count; card++) {
        const wsk_log_track *k = load_of(log, card);
        bool whole = k->count && k->t[0] - begin <= least_s && end - k->t[k->count - 1] <= least_s;
        for (size_t i = 1; i < k->count && whole; i++)
            whole = k->t[i] - k->t[i - 1] <= least_s;
        if (whole)
            return true;
    }
    return false;
}

/* All times of the loads, sorted. NULL: out of memory. */
static double *gather(const wsk_log *log, size_t *count)
{
    *count = 0;
    for (size_t card = 0; card < log->count; card++)
        *count += load_of(log, card)->count;
    double *all = malloc((*count + 1) * sizeof *all);
    for (size_t card = 0, n = 0; card < log->count && all; card++)
        for (size_t i = 0; i < load_of(log, card)->count; i++)
            all[n++] = load_of(log, card)->t[i];
    if (all)
        qsort(all, *count, sizeof *all, by_size);
    return all;
}

static void cut_at(wsk_log *log, const double *all, size_t count, size_t first, size_t end)
{
    const double from_s = all[first], to_s = all[end - 1];
    double low = -INFINITY, high = INFINITY;
    if (first) {
        low = 0.5 * (all[first - 1] + from_s);
        warn(log, line_at(log, from_s),
             WSK_SAID(WSK_SAY_LOG_BEFORE, rows_outside(log, from_s, to_s, true),
                      wsk_say_span(log->arena, from_s - all[first - 1])));
    }
    if (end < count) {
        high = 0.5 * (to_s + all[end]);
        warn(log, line_at(log, all[end]),
             WSK_SAID(WSK_SAY_LOG_AFTER, rows_outside(log, from_s, to_s, false),
                      wsk_say_span(log->arena, all[end] - to_s)));
    }
    wsk_log_cut(log, low, high);
    wsk_log_settle(log);
}

static bool take_longest(wsk_log *log, double least)
{
    size_t count, first = 0, best = 0, end = 0;
    double *all = gather(log, &count);
    if (!all)
        return false;
    for (size_t i = 1; i <= count; i++) {
        if (i < count && !(all[i] - all[i - 1] > least))
            continue;
        if (!end || all[i - 1] - all[first] > all[end - 1] - all[best]) {
            best = first;
            end = i;
        }
        first = i;
    }
    if (end && (best || end < count))
        cut_at(log, all, count, best, end);
    free(all);
    return true;
}

wsk_status wsk_log_take_stretch(wsk_log *log)
{
    double least = wide_s;
    for (size_t card = 0; card < log->count; card++)
        least = fmax(least, wide_rows * usual_s(load_of(log, card)));
    if (!is_whole(log, least) && !take_longest(log, least))
        return WSK_ENOMEM;
    tell_holes(log, WSK_SAID(WSK_SAY_LOG_BRIDGED));
    return wsk_arena_failed(log->arena) ? WSK_ENOMEM : WSK_OK;
}
