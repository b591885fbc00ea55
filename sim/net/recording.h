/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A telemetry log that a rig names: the recorded quantities of each card, in SI. Each value holds until the next
 * sample. */
#ifndef WSK_RECORDING_H
#define WSK_RECORDING_H
#include <math.h>

#include "sim/base/base.h"

/* One recorded quantity of one card. A quantity that a replay does not need at each time has only its first sample
 * (its means are those of all samples), or none. Times count from the first sample of the log. mean, opening, first:
 * means over the whole log, its first minute and its first three seconds; most: the highest value. */
typedef struct {
    size_t count; /* number of samples; 0: not recorded, and all means are NAN */
    const int64_t *t_ns;
    const double *value;
    double mean, opening, first, most;
} wsk_recorded;
typedef struct wsk_recording {
    size_t cards;
    int64_t period_ns;      /* time after which the replay begins again */
    const wsk_recorded *of; /* all quantities of all cards, in the order of wsk_recorded_of */
    uint64_t hash;          /* hash of all quantities of the log */
} wsk_recording;

/* Instead of a time, wsk_recorded_at takes these: the mean over the whole log, the mean over its first minute. */
enum { WSK_RECORDED_MEAN = -1, WSK_RECORDED_OPENING = -2 };

static inline const wsk_recorded *wsk_recorded_of(const wsk_recording *log, int card, int quantity)
{
    return &log->of[(size_t)card * WSK_LOG_QUANTITIES + (size_t)quantity];
}

/* Index of the last sample at or before in_ns; 0 if in_ns is before the first sample. */
static inline size_t wsk_recorded_row(const wsk_recorded *r, int64_t in_ns)
{
    size_t low = 0, high = r->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (r->t_ns[middle] <= in_ns)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static inline double wsk_recorded_at(const wsk_recording *log, int card, int quantity, int64_t in_ns)
{
    const wsk_recorded *r = wsk_recorded_of(log, card, quantity);
    if (in_ns < 0 || !r->count)
        return in_ns == WSK_RECORDED_OPENING ? r->opening : r->mean;
    return r->value[wsk_recorded_row(r, in_ns)];
}

#endif
