/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A card rests at the times and temperatures at which its controls have nothing to do and may be skipped. Skipping
 * them gives the same result as calling them. Theory: docs/theory/time.md */
#include "sim/control/control.h"

#include <math.h>

void wsk_wake(wsk_run *run)
{
    run->now.awake = true;
    run->now.quiet_ns = 0;
    for (int i = 0; i < run->net->n_card; i++)
        run->cards[i].rest_until_ns = 0;
}

void wsk_count_shutdown(wsk_run *run)
{
    wsk_wake(run);
    run->head->shutdowns++;
    if (run->head->failed_ns >= 0 && run->head->shut_ns < 0)
        run->head->shut_ns = run->head->t_ns;
}

static void end_rest(wsk_card_state *s, int64_t at_ns)
{
    s->rest_until_ns = at_ns < s->rest_until_ns ? at_ns : s->rest_until_ns;
}

static void stay_by(wsk_card_state *s, double die_k, double within_k)
{
    s->same_low_k = wsk_max(s->same_low_k, die_k - within_k);
    s->same_high_k = wsk_min(s->same_high_k, die_k + within_k);
}

static void end_by_fan(const wsk_run *run, const wsk_card *c, wsk_card_state *s)
{
    double low, high;
    if (c->mover < 0 || run->movers[c->mover].failed || !isnan(s->pin_rpm))
        return;
    wsk_fan_band(s->fan_ref_k, c->cooler->hysteresis_k, &low, &high);
    s->rest_low_k = wsk_max(s->rest_low_k, low);
    s->rest_high_k = wsk_min(s->rest_high_k, high);
    if (run->rpm[c->mover] != s->fan_goal_rpm)
        end_rest(s, s->fan_next_ns);
}

/* Returns false if a governor may change its cap at once. */
static bool governors_let_rest(const wsk_run *run, const wsk_card *c, wsk_card_state *s)
{
    wsk_governor_input in = wsk_governor_sees(run, c, s);
    double rise = INFINITY, fall = INFINITY;
    for (int i = 0; i < c->n_governors; i++) {
        const wsk_governor_ops *ops = c->governors[i].ops;
        if (!ops->rest)
            return false;
        wsk_governor_rest r = ops->rest(c->governors[i].params, c->gpu, &s->governor[i], &in);
        rise = wsk_min(rise, r.rise_k);
        fall = wsk_min(fall, r.fall_k);
        /* The rest also ends before the decision that precedes the one that may change the cap, because governors
         * compare a temperature with that of their last decision. */
        const int64_t period = c->governors[i].period_ns, between = period > run->tick_ns ? period : run->tick_ns;
        if (r.for_s < 1e9)
            end_rest(s, s->governor_last_ns[i] + (int64_t)(r.for_s * 1e9) - between);
    }
    s->rest_low_k = wsk_max(s->rest_low_k, in.die_k - fall);
    s->rest_high_k = wsk_min(s->rest_high_k, in.die_k + rise);
    s->rest_memory_low_k = in.memory_k - fall;
    s->rest_memory_high_k = in.memory_k + rise;
    return rise > 0 && fall > 0;
}

void wsk_stay_near(const wsk_run *run, const wsk_card *c, wsk_card_state *s)
{
    s->same_low_k = 0;
    s->same_high_k = INFINITY;
    if (wsk_has_work(run, c, s) || wsk_should_work(run, c))
        stay_by(s, s->operating.die_k, wsk_same_die_k(&s->operating));
    if (!s->off && (!wsk_has_work(run, c, s) || wsk_serves(run) || s->load < 1))
        stay_by(s, s->idle_die_k, WSK_SAME_DIE_K);
}

/* The card does not rest if its power or clock is held, or if a recorded trace prescribes its power. */
void wsk_look_for_rest(const wsk_run *run, const wsk_card *c, wsk_card_state *s)
{
    const wsk_activity *now = &run->activity;
    s->rest_until_ns = 0;
    if (!isnan(s->pin_power_w) || !isnan(s->pin_clock_hz) || (wsk_has_work(run, c, s) && !isnan(now->power_w)))
        return;
    s->rest_low_k = 0;
    s->rest_high_k = wsk_min(c->gpu->shutdown_k, c->gpu->target_k + 3);
    wsk_stay_near(run, c, s);
    s->rest_until_ns = s->watched_ns + 600 * WSK_NS;
    end_rest(s, now->until_ns);
    if (c->gpu->limit_schedule.count > 0)
        end_rest(s, s->schedule_ns);
    end_by_fan(run, c, s);
    if (!governors_let_rest(run, c, s))
        s->rest_until_ns = 0;
}

bool wsk_controls_rest(const wsk_run *run, const wsk_card *c, const wsk_card_state *s)
{
    return run->head->t_ns < s->rest_until_ns && s->die_k > s->rest_low_k && s->die_k < s->rest_high_k &&
           run->t[c->memory] > s->rest_memory_low_k && run->t[c->memory] < s->rest_memory_high_k;
}

bool wsk_rests(const wsk_run *run, const wsk_card *c, const wsk_card_state *s)
{
    return s->die_k > s->same_low_k && s->die_k < s->same_high_k && wsk_controls_rest(run, c, s);
}
