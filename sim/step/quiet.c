/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quiet ticks: no control of a card would act and no event is due, so that these controls are skipped. This file
 * computes until when ticks may be quiet and within which temperatures, and checks these bounds at each tick.
 * Theory: docs/theory/time.md */
#include <math.h>

#include "sim/books/books.h"
#include "sim/control/control.h"
#include "sim/num/wide.h"
#include "sim/step/step.h"
#include "sim/step/tables.h"

static int64_t next_timed_ns(const wsk_run *run)
{
    int64_t next = INT64_MAX, t = run->head->t_ns;
    for (int i = 0; i < run->net->n_load; i++) {
        const wsk_load_params *l = run->net->loads[i];
        if (l->duty >= 1 || l->duty <= 0 || run->steady)
            continue;
        int64_t period = (int64_t)(l->period_s * 1e9), on = (int64_t)(l->duty * l->period_s * 1e9), in = t % period;
        int64_t change = t - in + (in < on ? on : period);
        next = change < next ? change : next;
    }
    for (int i = 0; i < run->net->n_card; i++) {
        int64_t change = run->cards[i].schedule_ns, lost = run->net->cards[i].lost_ns;
        next = change > t && change < next ? change : next;
        next = lost > t && lost < next ? lost : next;
    }
    for (int i = 0; i < run->net->n_supply; i++) {
        int64_t fails = run->net->supplies[i].fails_ns;
        next = fails > t && fails < next ? fails : next;
    }
    for (int i = 0; i < run->net->n_mover; i++) {
        int64_t fails = run->net->movers[i].fails_ns;
        next = fails > t && fails < next ? fails : next;
    }
    const int64_t cooling_fails = run->net->ac_fails_ns;
    next = cooling_fails > t && cooling_fails < next ? cooling_fails : next;
    return next;
}

int64_t wsk_next_event_ns(wsk_run *run)
{
    if (run->head->t_ns >= run->now.timed_ns)
        run->now.timed_ns = next_timed_ns(run);
    int64_t line = wsk_next_line_ns(run), timed = run->now.timed_ns < line ? run->now.timed_ns : line;
    return run->activity.until_ns < timed ? run->activity.until_ns : timed;
}

/* Sets the temperatures of solids between which no control of a card would act and no processor exceeds its limit.
 * Bounds of a die become bounds of its heatsink, 1e-9 K narrower against rounding. */
static void bound_quiet(wsk_run *run)
{
    const wsk_net *net = run->net;
    const double edge_k = 1e-9;
    double *low = run->stepping->quiet_low_k, *high = run->stepping->quiet_high_k;
    for (int i = 0; i < wsk_rows(net->n_solid); i++) {
        low[i] = -INFINITY;
        high[i] = INFINITY;
    }
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        const wsk_card_state *s = &run->cards[i];
        const double rise_k = c->die_res_k_w * s->die_w;
        low[c->heatsink] = wsk_max(low[c->heatsink], wsk_max(s->rest_low_k, s->same_low_k) - rise_k + edge_k);
        high[c->heatsink] = wsk_min(high[c->heatsink], wsk_min(s->rest_high_k, s->same_high_k) - rise_k - edge_k);
        low[c->memory] = wsk_max(low[c->memory], s->rest_memory_low_k);
        high[c->memory] = wsk_min(high[c->memory], s->rest_memory_high_k);
    }
    for (int i = 0; i < net->n_case; i++) {
        const wsk_case *c = &net->cases[i];
        if (c->cpu)
            high[c->cpu_solid] = wsk_min(high[c->cpu_solid], c->cpu->limit_k - wsk_cpu_rise_k(run, c) - edge_k);
    }
}

void wsk_look_for_quiet(wsk_run *run)
{
    run->now.quiet_ns = 0;
    if (run->now.stirred || run->now.log_due || run->braked)
        return;
    for (int i = 0; i < run->net->n_case; i++)
        if (run->cases[i].cpu_share < 1) /* a throttled processor may change its power at each tick */
            return;
    int64_t until = run->now.event_ns < run->head->next_natural_ns ? run->now.event_ns : run->head->next_natural_ns;
    for (int i = 0; i < run->net->n_card; i++)
        until = run->cards[i].rest_until_ns < until ? run->cards[i].rest_until_ns : until;
    run->now.quiet_ns = until;
    bound_quiet(run);
}

bool wsk_quiet(wsk_run *run, int64_t next_ns)
{
    const wsk_net *net = run->net;
    if (next_ns > run->now.quiet_ns ||
        !wsk_between(net->n_solid, run->t, run->stepping->quiet_low_k, run->stepping->quiet_high_k))
        return false;
    for (int i = 0; i < net->n_case; i++)
        run->cases[i].cpu_ns = net->cases[i].cpu ? run->head->t_ns : 0;
    run->now.awake = run->now.stirred = false;
    if (run->moving) {
        wsk_read_dies(run);
        wsk_control_movers(run);
    }
    if (!run->now.stirred) {
        wsk_follow_room(run);
        return true;
    }
    wsk_book_repeats(run);
    wsk_power_tree(run);
    wsk_log_events(run);
    return true;
}
