/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cards that wait for each other: finds the pace of synchronous work and of groups, and the power of cards that wait, from
 * the clocks that work.c found for each card alone. Theory: docs/theory/workload.md */
#include <math.h>

#include "sim/control/control.h"

/* Power of a card whose part of a step takes the share `busy` of it, W. */
static double waited_w(const wsk_card *c, double running, double busy)
{
    return busy * running + (1 - busy) * wsk_waiting_w(c, running);
}

/* Synchronous work: each step of the job takes as long as the slowest card needs, and the other cards wait for the
 * rest of it. All cards also wait for data and communication. */
static void keep_pace(wsk_run *run)
{
    const wsk_net *net = run->net;
    const wsk_workload_params *w = net->workload;
    double slowest = INFINITY, cool = INFINITY, unlimited = INFINITY, compute = wsk_compute_share(w);
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card_state *s = &run->cards[i];
        double speed = net->cards[i].gpu->speed;
        if (!net->cards[i].works || !isnan(s->pin_power_w) || !isnan(s->load))
            continue;
        slowest = wsk_min(slowest, speed * s->perf);
        cool = wsk_min(cool, speed * s->perf_cool);
        unlimited = wsk_min(unlimited, speed * s->perf_free);
    }
    double rest = net->bubble_share, pace = wsk_pace(w, net->talk_share, slowest),
           pace_cool = wsk_pace(w, net->talk_share, cool), pace_free = wsk_pace(w, net->talk_share, unlimited);
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        wsk_card_state *s = &run->cards[i];
        if (!c->works || !isnan(s->pin_power_w) || !isnan(s->load))
            continue;
        if (!s->off && run->activity.phase == WSK_PHASE_RUN) {
            double busy = s->perf > 0 ? (1 - rest) * pace * compute / (c->gpu->speed * s->perf) : 0;
            s->power_w = waited_w(c, s->power_w, busy);
            s->busy = wsk_min(busy, 1);
        }
        s->perf = pace / c->gpu->speed;
        s->perf_cool = pace_cool / c->gpu->speed;
        s->perf_free = pace_free / c->gpu->speed;
    }
}

/* Board power of a card whose clock runs but which does nothing, W. */
static double still_w(const wsk_card *c, const wsk_card_state *s)
{
    const wsk_gpu_class still = {.memory_speed = 1, .p0_w = c->cls.p0_w};
    const double die_k = s->operating.die_k > 0 ? s->operating.die_k : s->die_k;
    return c->ops->power_w(c->gpu, &still, s->clock_hz, die_k, NULL);
}

/* Power of a card of a group. pace: speed of the group; busy: share of the time of a step that its part takes. For
 * cards that work in turn, s->power_w is already the mean over turns and pauses at pace 1; a slower card has longer
 * turns. */
static double shared_w(const wsk_run *run, const wsk_card *c, const wsk_card_state *s, double pace, double busy)
{
    if (!run->net->turns)
        return waited_w(c, s->power_w, busy);
    const double still = wsk_min(still_w(c, s), s->power_w);
    return wsk_min(still + pace / s->perf * (s->power_w - still), wsk_max(s->held_w, s->power_w));
}

/* Sets the clock of a running card of a group, and its power and relative throughput at that clock. Returns the mean of
 * its power over a step of the length `longest`, W. */
static double clock_at(const wsk_card *c, wsk_card_state *s, double longest, double clock_hz)
{
    s->clock_hz = clock_hz;
    s->power_w = c->ops->power_w(c->gpu, &c->cls, clock_hz, s->operating.die_k, NULL);
    s->perf = c->ops->perf_rel(&c->cls, clock_hz);
    return waited_w(c, s->power_w, c->step / s->perf / longest);
}

/* A power limit holds the mean of the power over several steps of a group. A card that its limit holds and that waits for
 * a slower card therefore clocks higher: until the mean is what the limit holds or, if it stays below, to the highest
 * clock, at which the limit does not hold the card. */
static void clock_up(const wsk_card *c, wsk_card_state *s, double longest)
{
    const double top = wsk_highest_hz(c, s, s->operating.die_k), cap = wsk_min(top, s->cap_hz), held = s->held_w;
    double low = s->clock_hz, high = cap, over = clock_at(c, s, longest, high) - held;
    if (over <= 0) {
        s->reasons = cap < top ? c->governors[s->cap_of].ops->cause : 0;
        return;
    }
    /* the secant through the last two clocks, between bounds that close in */
    double last = high, last_over = over, now = low;
    for (int round = 0; round < 40; round++) {
        over = clock_at(c, s, longest, now) - held;
        if (fabs(over) <= 1e-8 * held)
            return;
        *(over > 0 ? &high : &low) = now;
        double next = now - over * (now - last) / (over - last_over);
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        last = now;
        last_over = over;
        now = next;
    }
}

/* The cards of a group share each step of their model. A step takes as long as the slowest card needs or, if the
 * cards work in turn, the sum of the times of all cards. */
static void keep_step(wsk_run *run, int group)
{
    double whole = 0, now = 0, cool = 0, unlimited = 0;
    for (int i = 0; i < run->net->n_card; i++) {
        const wsk_card *c = &run->net->cards[i];
        const wsk_card_state *s = &run->cards[i];
        if (c->group != group || !isnan(s->pin_power_w) || !isnan(s->load))
            continue;
        wsk_add_step(run, c, 1, &whole);
        wsk_add_step(run, c, s->perf, &now);
        wsk_add_step(run, c, s->perf_cool, &cool);
        wsk_add_step(run, c, s->perf_free, &unlimited);
    }
    for (int i = 0; i < run->net->n_card; i++) {
        const wsk_card *c = &run->net->cards[i];
        wsk_card_state *s = &run->cards[i];
        if (c->group != group || !isnan(s->pin_power_w) || !isnan(s->load))
            continue;
        if (!run->net->turns && s->reasons & WSK_REASON_POWER && c->step / s->perf < now)
            clock_up(c, s, now);
        const double busy = s->perf > 0 ? c->step / s->perf / now : 0;
        const double load = run->schedule.load < 1 ? run->schedule.load : INFINITY;
        const bool runs = s->perf > 0;
        if (runs)
            s->power_w = shared_w(run, c, s, whole / now, busy);
        s->perf = whole / now;
        s->perf_cool = whole / cool;
        s->perf_free = whole / unlimited;
        if (runs && load < 1)
            wsk_serve_part_time(c, s, load);
        s->perf_cool = wsk_min(s->perf_cool, load);
        s->perf_free = wsk_min(s->perf_free, load);
    }
}

/* True if the work of the card has stopped because a chassis has no mains: its own or, if cards work together, that of
 * one of them. */
static bool lacks_mains(const wsk_run *run, const wsk_card *c)
{
    const bool together = run->net->workload_ops->synchronous || c->group >= 0;
    bool dark = run->cases[c->in].cpu_off == WSK_DARK;
    for (int i = 0; together && !dark && i < run->net->n_card; i++) {
        const wsk_card *other = &run->net->cards[i];
        dark = other->works && other->group == c->group && run->cases[other->in].cpu_off == WSK_DARK;
    }
    return dark;
}

void wsk_work_together(wsk_run *run)
{
    const wsk_net *net = run->net;
    const bool together = net->workload && net->workload_ops->synchronous,
               waits = together && wsk_group_stands(run, WSK_NO, WSK_LOST);
    if (together && run->schedule.phase == WSK_PHASE_RUN && !run->activity.idle_work)
        keep_pace(run);
    for (int i = 0; i < net->n_group && run->schedule.phase == WSK_PHASE_RUN; i++)
        keep_step(run, i);
    const bool dark = wsk_is_dark(run);
    run->perf_gone = run->perf_dark = 0;
    for (int i = 0; i < net->n_card; i++) {
        const int group = net->cards[i].group;
        wsk_card_state *s = &run->cards[i];
        if (s->off == WSK_LOST ||
            (isnan(s->load) && (waits || (group >= 0 && wsk_group_stands(run, group, WSK_LOST)))))
            run->perf_gone += s->perf_cool - s->perf;
        else if (dark && s->perf_cool > s->perf && lacks_mains(run, &net->cards[i])) {
            run->perf_dark += s->perf_cool - s->perf;
            s->perf_cool = s->perf_free = s->perf; /* the other accounts are of the time with mains */
        }
        wsk_split_watts(&net->cards[i], s);
    }
}
