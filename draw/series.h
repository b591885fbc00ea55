/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_DRAW_SERIES_H
#define WSK_DRAW_SERIES_H
#include "sim/base/base.h"
#include "wattsink.h"

/* A row is a time interval, with min, mean and max of each variable over the interval. */
typedef struct {
    size_t rows, vars;
    wsk_column *columns; /* per variable; its name ends with NUL and has no statistic: "gpu0.die_c" */
    double *end_s;       /* per row: end of its time interval, s from the start of the run */
    double *values;      /* [row][variable][statistic] */
} wsk_record;
/* Reads the text of series.csv; *out and its texts are in the arena. WSK_EINPUT: the text is no series, a row of it is
 * not whole, or the times of its rows do not rise. */
wsk_status wsk_record_read(wsk_arena *arena, const char *csv, const wsk_record **out);
/* True if the series lasts to the end of the simulated time. Also true if only the last interval is missing, of at most
 * the length of the first, because the run was interrupted (simulated_s is less than the duration in the rig). rig
 * NULL: the duration is not known, and the run counts as interrupted. */
bool wsk_record_reaches(const wsk_record *s, double simulated_s, const wsk_elements *rig);
/* Returns the index of a variable in the series, or -1. id: id of the variable's owner, such as "gpu0"; "": the rig. */
int wsk_record_find(const wsk_record *s, wsk_var variable, const char *id);
/* True unless the summary has null for what the column is about: the clock and the throttling of a card whose power is
 * given. The series has numbers for these, which say nothing (docs/data.md). */
bool wsk_record_knows(const wsk_summary *summary, const wsk_column *column);
static inline double wsk_record_value(const wsk_record *s, size_t row, int variable, wsk_stat stat)
{
    return s->values[(row * s->vars + (size_t)variable) * WSK_STATS + (size_t)stat];
}
static inline double wsk_record_start(const wsk_record *s, size_t row)
{
    return row ? s->end_s[row - 1] : 0;
}

typedef struct {
    double min, mean, max, seconds;
} wsk_span;
/* Returns the value that the variable does not exceed for `share` of the spans' time, exact to a millionth of the
 * range; NAN: the spans have no time. Only min, mean and max of a span are known. Its values are assumed to be
 * distributed like min + (max - min) u^k, with u uniform in 0..1 and the k that gives the span's mean. abrupt: all
 * values are min or max. */
double wsk_spans_percentile(const wsk_span *spans, size_t count, double share, bool abrupt);
/* True if the variable changes at once when the load pauses, as power does. */
bool wsk_abrupt(const wsk_column *column);

/* A line of events.csv, such as "86400,gpu0,throttle,sw_power_cap,throttle.power-cap": time in s, component, event,
 * reason, code. The texts point into that line and do not end with NUL. There is no member for the code, because files
 * of older versions have none. */
typedef struct {
    double at_s;
    const char *component, *what, *why;
    size_t component_len, what_len, why_len;
} wsk_event;
/* Reads the line at *at and moves *at to the next line; after the last line *at becomes NULL. False: the line is no
 * event, such as the head line. */
bool wsk_event_read(const char **at, wsk_event *out);

#endif
