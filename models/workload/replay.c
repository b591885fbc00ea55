/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replays a recorded trace: the board power of each working card, or the share of the time that it works. Theory:
 * docs/theory/workload.md */
#include <math.h>

#include "sim/net/workload_table.h"

#define P wsk_workload_params
#define TRACE(f, n, d, most, h) \
    { \
        .name = n, .help = h, .type = WSK_TYPE_SERIES, .dim = d, .max = most, .flags = WSK_RIG_ONLY, \
        .offset = offsetof(P, f) \
    }
#define RECORD(f, n, h) \
    { \
        .name = n, .help = h, .type = WSK_TYPE_LOG, .flags = WSK_RIG_ONLY, .offset = offsetof(P, f) \
    }
static const char *const takes[] = {"all", "load", NULL};
static const wsk_param params[] = {
    WSK_WORKLOAD_ROWS("training"),
    TRACE(power, "power", WSK_DIM_POWER, 1e5, "data file of time and board power, of each card that works"),
    TRACE(utilisation, "utilisation", WSK_DIM_FRACTION, 1,
          "data file of time and utilisation, 0 to 100 %, of each card that works; not used beside power"),
    RECORD(
        log, "log",
        "telemetry log, such as that of nvidia-smi: power or utilisation, fan, inlet and first temperature of each "
        "card that works, in their order, or of one for all; not beside power and utilisation"),
    WSK_CHO(P, take, "take", takes, "all", WSK_RIG_ONLY,
            "of a log: all, or the load alone, with fans and inlet as the model has them"),
    {.name = NULL}};

static int64_t to_ns(double s)
{
    return (int64_t)floor(s * 1e9 + 0.5);
}

/* The value of the trace at the present time; each value holds until the next row. *until_ns, the time of the next
 * row, is computed in whole nanoseconds, so that each call within the row gives the same time. A trace of a leap year
 * repeats after 365 days, but only once its own rows have ended. */
static double find_held(const wsk_series *s, const wsk_moment *now, int64_t *until_ns)
{
    const double since_s = now->start_civil_s - s->t[0], at_s = since_s + (double)now->t_ns / 1e9,
                 period_s = s->civil && at_s >= s->period_s && at_s < s->rows_s ? s->rows_s : s->period_s;
    int64_t period = to_ns(period_s), first = s->civil ? to_ns(fmod(since_s, period_s)) : 0;
    int64_t in = (first + now->t_ns % period) % period;
    in += in < 0 ? period : 0;
    size_t low = 0, high = s->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (to_ns(s->t[middle] - s->t[0]) <= in)
            low = middle;
        else
            high = middle;
    }
    int64_t next = high < s->count ? to_ns(s->t[high] - s->t[0]) : period;
    *until_ns = now->t_ns + (next < period ? next : period) - in;
    if (s->civil)
        *until_ns = wsk_within_clock(now, *until_ns);
    return s->y[low];
}

/* Time from `in`, ns, to the next sample of a quantity that the replay uses, or to the end of the log. */
static int64_t find_next(const P *w, int64_t in)
{
    static const int taken[] = {
        WSK_LOG_POWER, WSK_LOG_UTILISATION,       WSK_LOG_CLOCK, WSK_LOG_FAN, WSK_LOG_FAN_SPEED,
        WSK_LOG_INLET, WSK_LOG_MEMORY_UTILISATION};
    int64_t next = w->log.period_ns;
    for (size_t i = 0; i < w->log.cards * (sizeof taken / sizeof *taken); i++) {
        const wsk_recorded *r = wsk_recorded_of(&w->log, (int)(i % w->log.cards), taken[i / w->log.cards]);
        size_t row = r->count ? wsk_recorded_row(r, in) : 0;
        row += r->count && r->t_ns[row] <= in;
        next = row < r->count && r->t_ns[row] < next ? r->t_ns[row] : next;
    }
    return next - in;
}

static void find_logged(const P *w, const wsk_moment *now, wsk_activity *out)
{
    bool power = true;
    for (size_t i = 0; i < w->log.cards; i++)
        power = power && wsk_recorded_of(&w->log, (int)i, WSK_LOG_POWER)->count > 0;
    out->phase = WSK_PHASE_RUN;
    out->log = &w->log;
    out->in_ns = now->t_ns % w->log.period_ns;
    out->until_ns = now->t_ns + find_next(w, out->in_ns);
    out->power_w = power ? 0 : (double)NAN;
}

static void find_activity(const P *w, const wsk_moment *now, wsk_activity *out)
{
    *out = (wsk_activity){.phase = WSK_PHASE_IDLE, .until_ns = INT64_MAX, .name = "trace", .load = 1, .power_w = NAN};
    if (w->log.cards > 0) {
        find_logged(w, now, out);
    } else if (w->power.count > 0) {
        out->phase = WSK_PHASE_RUN;
        out->power_w = find_held(&w->power, now, &out->until_ns);
    } else if (w->utilisation.count > 0) {
        out->load = find_held(&w->utilisation, now, &out->until_ns);
        out->phase = out->load > 0 ? WSK_PHASE_RUN : WSK_PHASE_IDLE;
    }
}

static const wsk_workload_ops ops = {.synchronous = false, .at = find_activity};
const wsk_kind wsk_workload_replay = {.element = "workload",
                                      .name = "replay",
                                      .is_default = false,
                                      .help = "a recorded trace of power or utilisation",
                                      .size = sizeof(P),
                                      .params = params,
                                      .ops = &ops};
