/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watches each card for limit cycles of its governors (hunting), for a hardware slowdown that cycles, and for thermal
 * runaway.
 * Theory: docs/theory/governor.md */
#include <math.h>

#include "sim/control/run.h"
#include "sim/control/control.h"

/* Alternation of the cap between neighbouring clock steps is normal and is not reported. */
static void watch_hunting(wsk_run *run, const wsk_card *c, wsk_card_state *s)
{
    double cap = s->cap_hz;
    int64_t way = cap > s->cap_before ? 1 : cap < s->cap_before ? -1 : s->rising;
    s->turns += s->rising && way != s->rising;
    s->rising = way;
    s->cap_before = cap;
    s->cap_low = wsk_min(s->cap_low, cap);
    s->cap_high = wsk_max(s->cap_high, cap);
    if (run->head->t_ns - s->watched_ns < 600 * WSK_NS)
        return;
    if (s->turns >= 20 && s->cap_high - s->cap_low > 6 * c->gpu->clock_step_hz && !s->hunts) {
        wsk_event(run, c->id, WSK_WHAT_HUNTS, wsk_why_throttled(c->governors[s->cap_of].ops->cause));
        s->hunts = s->cap_of + 1;
    }
    s->turns = 0;
    s->cap_low = s->cap_high = cap;
    s->watched_ns = run->head->t_ns;
}

static void watch_slowdown(wsk_run *run, const wsk_card *c, wsk_card_state *s)
{
    for (int i = 0; i < c->n_governors; i++) {
        if (c->governors[i].ops->cause != WSK_REASON_HW)
            continue;
        const double cap = s->governor[i].cap_hz, before = s->slow_hz;
        const bool again = cap < before && s->released_ns > 0 && run->head->t_ns - s->released_ns < 600 * WSK_NS;
        s->slow_hz = cap;
        if (before > 0 && cap > before)
            s->released_ns = run->head->t_ns;
        if (!again || s->hunts)
            continue;
        wsk_event(run, c->id, WSK_WHAT_HUNTS, WSK_WHY_HW_HEAT);
        s->hunts = i + 1;
    }
}

/* Reports runaway of a card above target + 3 K whose power is neither limited nor held: leakage adds more heat per
 * kelvin than the cooler removes, or the die warms by more than 0.5 K in a minute at the lowest clock. Margins are
 * assumed:
 * docs/theory/constants.md, "runaway is named" */
static void watch_runaway(wsk_run *run, const wsk_card *c, wsk_card_state *s)
{
    double slope, air = run->t[c->inlet];
    bool held = s->reasons & WSK_REASON_POWER, hot = s->die_k > c->gpu->target_k + 3;
    if (s->runaway || s->off || !isnan(s->pin_power_w) || !hot || held || s->power_w <= 0) {
        s->stuck_ns = -1;
        return;
    }
    c->ops->power_w(c->gpu, &c->cls, s->clock_hz, s->die_k, &slope);
    bool outrun = slope * (s->die_k - air) / s->power_w >= 1,
         lowest = s->reasons & WSK_HEAT && s->clock_hz <= c->gpu->clock_min_hz * 1.001,
         minute = lowest && s->stuck_ns >= 0 && run->head->t_ns - s->stuck_ns >= 60 * WSK_NS,
         rising = minute && s->die_k > s->stuck_k + 0.5;
    if (!lowest) {
        s->stuck_ns = -1;
    } else if (s->stuck_ns < 0 || minute) {
        s->stuck_ns = run->head->t_ns;
        s->stuck_k = s->die_k;
    }
    if (!outrun && !rising)
        return;
    if (run->head->failed_ns >= 0) { /* the earlier failure is taken as the cause */
        wsk_event(run, c->id, WSK_WHAT_HEATS_UP, WSK_WHY_AFTER_FAILURE);
        s->runaway = 3;
        return;
    }
    wsk_event(run, c->id, WSK_WHAT_RUNAWAY, outrun ? WSK_WHY_LEAKAGE : WSK_WHY_RISING);
    s->runaway = outrun ? 1 : 2;
}

void wsk_watch_card(wsk_run *run, int card)
{
    watch_hunting(run, &run->net->cards[card], &run->cards[card]);
    watch_slowdown(run, &run->net->cards[card], &run->cards[card]);
    watch_runaway(run, &run->net->cards[card], &run->cards[card]);
}
