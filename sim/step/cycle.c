/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "sim/control/control.h"
#include "sim/step/stride.h"

static const int64_t day_ns = INT64_C(86400) * WSK_NS, hour_ns = INT64_C(3600) * WSK_NS;

/* Least common multiple of a and b; 0 if it exceeds `most`. */
static int64_t common(int64_t a, int64_t b, int64_t most)
{
    int64_t x = a, y = b;
    while (y) {
        int64_t rest = x % y;
        x = y;
        y = rest;
    }
    return a / x > most / b ? 0 : a / x * b;
}

/* Time, ns, of the next rise of the share of filters and fins that dust blocks. The share is stored in rpm[] at the
 * index of the dust of a case, and rises in steps of half a percent (movers.c). */
static int64_t next_dust_ns(const wsk_run *run)
{
    int64_t next = INT64_MAX;
    for (int i = 0; i < run->net->n_case; i++) {
        const wsk_case *c = &run->net->cases[i];
        const wsk_chassis_params *p = c->params;
        if (c->dust < 0 || !(p->dust > 0) || run->rpm[c->dust] >= 0.95)
            continue;
        const double share = floor(run->rpm[c->dust] * 200 + 0.5) + 1,
                     at_s = (share / 200 - p->dust_start) / p->dust * p->dust_time_s;
        if (at_s < 3e9 && (int64_t)(at_s * 1e9) < next)
            next = (int64_t)(at_s * 1e9);
    }
    return next;
}

/* The earlier of two times. A part that fails exactly at the present time has not failed yet, so its event counts. */
static int64_t sooner(const wsk_run *run, int64_t until, int64_t fails_ns)
{
    return fails_ns >= run->head->t_ns && fails_ns < until ? fails_ns : until;
}

int64_t wsk_repeats_until(const wsk_run *run, const wsk_cycle *cycle)
{
    const wsk_net *net = run->net;
    int64_t until = cycle->until_ns < run->end_ns ? cycle->until_ns : run->end_ns;
    until = sooner(run, until, net->ac_fails_ns);
    until = sooner(run, until, next_dust_ns(run));
    for (int i = 0; i < net->n_supply; i++)
        until = sooner(run, until, net->supplies[i].fails_ns);
    for (int i = 0; i < net->n_mover; i++)
        until = sooner(run, until, net->movers[i].fails_ns);
    for (int i = 0; i < net->n_card; i++)
        until = sooner(run, until, net->cards[i].lost_ns);
    for (int i = 0; i < net->n_line; i++) {
        until = sooner(run, until, net->lines[i].fails_ns);
        if (run->lines[i].tripped && !run->lines[i].dark) /* its battery is being emptied, so no cycle repeats */
            until = run->head->t_ns;
    }
    return until;
}

static bool switches(const wsk_load_params *l)
{
    return l->duty < 1 && l->duty > 0;
}

static bool some_load_switches(const wsk_net *net)
{
    for (int i = 0; i < net->n_load; i++)
        if (switches(net->loads[i]))
            return true;
    return false;
}

/* Common period of the workload and of the loads that switch on and off: one tick if all are constant, 0 if it
 * exceeds four days. */
static int64_t period_of(const wsk_run *run, const wsk_repeat *work)
{
    int64_t period = common(run->tick_ns, work->period_ns > 0 ? work->period_ns : run->tick_ns, 4 * day_ns);
    for (int i = 0; period && i < run->net->n_load; i++) {
        const wsk_load_params *l = run->net->loads[i];
        if (switches(l))
            period = common(period, (int64_t)(l->period_s * 1e9), 4 * day_ns);
    }
    return period;
}

/* daily: some input changes at certain times of the day. smooth: the outdoor temperature follows the time of day.
 * length_ns is 0 if no cycle of at most four days fits. */
static void set_length(wsk_cycle *c, int64_t period, bool daily, bool smooth)
{
    c->length_ns = (hour_ns + period - 1) / period * period;
    if (!daily && !smooth)
        return;
    if (day_ns % period == 0) {
        while (c->length_ns < day_ns && day_ns % c->length_ns != 0)
            c->length_ns += period;
    }
    c->slow_ns = day_ns;
    if (c->length_ns < day_ns && (day_ns % c->length_ns == 0 || (!daily && c->length_ns <= 2 * hour_ns)))
        return;
    c->slow_ns = 0;
    c->length_ns = common(period, day_ns, 4 * day_ns);
}

bool wsk_fits_weather(const wsk_cycle *c)
{
    const int64_t longest_ns = 2 * hour_ns; /* assumed: docs/theory/constants.md, "cycles under weather" */
    return !c->daily && c->length_ns <= longest_ns;
}

/* Sets whether the cycle can be used for strides. */
static void judge_fit(wsk_cycle *c, const wsk_run *run)
{
    const int64_t repeats = c->weather || c->slow_ns ? day_ns : 2 * c->length_ns;
    c->fits = !c->length_ns                        ? WSK_STRIDES_BEAT
              : c->weather && !wsk_fits_weather(c) ? WSK_STRIDES_WEATHER
              : repeats > run->end_ns / 3          ? WSK_STRIDES_SHORT
                                                   : WSK_STRIDES_FIT;
}

wsk_cycle wsk_find_cycle(const wsk_run *run, int64_t t_ns)
{
    const wsk_net *net = run->net;
    const wsk_moment now = wsk_moment_at(run, t_ns);
    wsk_cycle c = {.until_ns = INT64_MAX, .fits = WSK_STRIDES_TRACE};
    wsk_repeat work = {.until_ns = INT64_MAX};
    bool daily = false;
    if (net->workload) {
        if (!net->workload_ops->repeats)
            return c;
        net->workload_ops->repeats(net->workload, &now, &run->schedule, &work);
    }
    for (int i = 0; i < net->n_card; i++)
        daily = daily || net->cards[i].gpu->limit_schedule.count > 0;
    c.daily = daily || work.daily;
    /* also where the room's temperature is given: outdoor air then matters to no part, but it is among the results */
    c.weather = net->outdoor_params->file.count > 0;
    const bool smooth = !c.weather && net->outdoor_params->swing_k > 0;
    c.by_clock = c.daily || smooth;
    c.timed = c.daily || some_load_switches(net);
    c.until_ns = c.by_clock ? wsk_within_clock(&now, work.until_ns) : work.until_ns;
    c.anchor_ns = work.from_ns % run->tick_ns && !work.period_ns ? 0 : work.from_ns;
    const int64_t period = period_of(run, &work);
    if (period)
        set_length(&c, period, c.daily, smooth);
    if (run->stride && run->stride->head && run->stride->head->by_weather) {
        c.weather = true;
        c.slow_ns = 0;
        c.by_clock = false; /* the table of outdoor temperatures knows the changes of the clock */
        c.until_ns = work.until_ns;
    }
    judge_fit(&c, run);
    return c;
}

int64_t wsk_clock_set_back_ns(const wsk_run *run, int64_t since_ns)
{
    int64_t until_ns;
    return run->stride->cycle.by_clock ? (int64_t)(wsk_start_civil_s(run->net, since_ns, &until_ns) -
                                                   wsk_start_civil_s(run->net, run->head->t_ns, &until_ns)) *
                                             WSK_NS
                                       : 0;
}

void wsk_follow_clock(wsk_run *run, int64_t later_ns)
{
    wsk_stride *s = run->stride;
    const int64_t now = run->head->t_ns, day = s->cycle.slow_ns;
    s->head->agreeing = 0;
    for (int64_t i = 0; i < s->head->count; i++) {
        if (s->starts[i] == WSK_DROPPED)
            continue;
        const int64_t start = s->starts[i] + later_ns, moved = start > now ? start - day
                                                               : start < 0 ? start + day
                                                                           : start;
        s->starts[i] = moved >= 0 && moved <= now ? moved : WSK_DROPPED;
    }
}

bool wsk_phase_changed(const wsk_run *run, const wsk_cycle *cycle)
{
    const int64_t moved = wsk_find_cycle(run, run->head->t_ns).anchor_ns - cycle->anchor_ns;
    return cycle->timed && moved % cycle->length_ns != 0;
}

int64_t wsk_whole_days(const wsk_cycle *c, int64_t periods, int64_t most)
{
    const int64_t near = 900 * WSK_NS;
    for (int64_t days = periods; days > 0; days--) {
        const int64_t n = (days * c->slow_ns + c->length_ns / 2) / c->length_ns,
                      off = n * c->length_ns - days * c->slow_ns;
        if (n <= most && off <= near && off >= -near)
            return n;
    }
    return 0;
}

int64_t wsk_whole_minutes(const wsk_cycle *c, int64_t most)
{
    const int64_t minute = 60 * WSK_NS;
    for (int64_t n = most; n >= most - most / 8; n--)
        if (n * (c->length_ns % minute) % minute == 0)
            return n;
    return most;
}
