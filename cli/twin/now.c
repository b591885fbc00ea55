/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills what the sensors of a card tell, rounded as real drivers tell it (docs/twin.md, "Sensors"). */
#include <math.h>
#include <string.h>

#include "cli/twin/live.h"

static int32_t rounded(double value, double of)
{
    return isnan(value) || fabs(value * of) > 2e9 ? WSK_TWIN_NONE : (int32_t)lround(value * of);
}

/* ---- samples ---- */

/* The totals at t_s, between two samples; the oldest if it is later. */
static wsk_live_sample totals_at(const wsk_live_card *card, double t_s)
{
    int i = card->samples - 1;
    while (i > 0 && card->sample[i].t_s > t_s)
        i--;
    const wsk_live_sample a = card->sample[i];
    if (i == card->samples - 1 || a.t_s >= t_s)
        return a;
    const wsk_live_sample b = card->sample[i + 1];
    const double share = (t_s - a.t_s) / (b.t_s - a.t_s);
    return (wsk_live_sample){.t_s = t_s,
                             .energy_j = a.energy_j + share * (b.energy_j - a.energy_j),
                             .busy_s = a.busy_s + share * (b.busy_s - a.busy_s)};
}

/* Forgets the samples that no window reaches any more, at least the oldest if there is no room. */
static void forget(wsk_live_card *card, double t_s)
{
    int gone = card->samples == WSK_LIVE_SAMPLES;
    while (gone + 1 < card->samples && card->sample[gone + 1].t_s <= t_s - WSK_LIVE_WINDOW_S)
        gone++;
    memmove(card->sample, card->sample + gone, (size_t)(card->samples - gone) * sizeof card->sample[0]);
    card->samples -= gone;
}

static bool is_busy(const wsk_live_card *card)
{
    return card->value[WSK_LIVE_WORK] > 0;
}

static void sample_card(const wsk_live *live, wsk_live_card *card, double t_s)
{
    for (int v = 0; v < WSK_LIVE_VARS; v++) {
        const char *name, *unit;
        card->value[v] = NAN;
        if (card->at[v] != SIZE_MAX)
            wsk_run_variable(live->run, card->at[v], &name, &unit, &card->value[v]);
    }
    wsk_live_sample next = {.t_s = t_s};
    if (card->samples) {
        const wsk_live_sample *last = &card->sample[card->samples - 1];
        const double dt_s = t_s - last->t_s;
        if (!(dt_s > 0))
            return;
        next.energy_j = last->energy_j + dt_s * card->value[WSK_LIVE_POWER];
        next.busy_s = last->busy_s + dt_s * (is_busy(card) ? 1 : 0);
        card->held_s[0] += dt_s * card->value[WSK_LIVE_BY_POWER];
        card->held_s[1] += dt_s * wsk_max(card->value[WSK_LIVE_BY_HEAT], card->value[WSK_LIVE_BY_MEMORY]);
        card->held_s[2] += dt_s * card->value[WSK_LIVE_BY_SLOWDOWN];
        forget(card, t_s);
    }
    card->sample[card->samples++] = next;
}

void wsk_live_sample_cards(wsk_live *live)
{
    const double t_s = wsk_run_time(live->run);
    for (int i = 0; i < live->moment.count; i++)
        sample_card(live, &live->card[i], t_s);
}

/* ---- sensors ---- */

static uint32_t reasons_of(const wsk_live_card *card)
{
    uint32_t reasons = is_busy(card) ? 0 : WSK_REASON_IDLE;
    if (card->value[WSK_LIVE_BY_POWER] > 0)
        reasons |= WSK_REASON_POWER_CAP;
    if (card->value[WSK_LIVE_BY_HEAT] > 0 || card->value[WSK_LIVE_BY_MEMORY] > 0)
        reasons |= WSK_REASON_SW_THERMAL;
    if (card->value[WSK_LIVE_BY_SLOWDOWN] > 0)
        reasons |= WSK_REASON_HW_SLOWDOWN | WSK_REASON_HW_THERMAL;
    return reasons;
}

static void sense_fans(const wsk_live_card *card, const wsk_twin_fixed *f, wsk_twin_now *n)
{
    const double share = card->value[WSK_LIVE_FAN] / f->fan_rpm_max;
    for (int i = 0; i < f->fans; i++) {
        n->fan_rpm[i] = rounded(card->value[WSK_LIVE_FAN], 1);
        n->fan_percent[i] = rounded(share, 100);
        n->fan_goal_percent[i] = rounded(isnan(card->fan_goal) ? share : card->fan_goal, 100);
    }
    n->fan_manual = !isnan(card->fan_goal);
}

/* The mean of the last second is what newer cards tell as their power, others tell it as it is. */
static void sense_power(const wsk_live_card *card, const wsk_twin_fixed *f, wsk_twin_now *n)
{
    const wsk_live_sample now = card->sample[card->samples - 1];
    const wsk_live_sample then = totals_at(card, now.t_s - WSK_LIVE_WINDOW_S);
    const double over_s = now.t_s - then.t_s;
    const bool averaged = f->arch >= WSK_ARCH_AMPERE && !(f->cc_major == 8 && f->cc_minor == 0);
    n->power_instant_mw = rounded(card->value[WSK_LIVE_POWER], 1e3);
    n->power_mean_mw = over_s > 0 ? rounded((now.energy_j - then.energy_j) / over_s, 1e3) : n->power_instant_mw;
    n->power_mw = averaged ? n->power_mean_mw : n->power_instant_mw;
    n->energy_mj = (uint64_t)llround(1e3 * now.energy_j);
    n->gpu_percent = over_s > 0 ? rounded((now.busy_s - then.busy_s) / over_s, 100) : is_busy(card) ? 100 : 0;
}

static void sense_card(const wsk_live_card *card, const wsk_twin_fixed *f, wsk_twin_now *n)
{
    n->die_c = rounded(card->value[WSK_LIVE_DIE], 1);
    n->memory_c = rounded(card->value[WSK_LIVE_MEMORY], 1);
    n->hotspot_c = rounded(card->value[WSK_LIVE_HOTSPOT], 1);
    n->clock_mhz = rounded(card->value[WSK_LIVE_CLOCK], 1);
    n->memory_clock_mhz = f->memory_clock_max_mhz;
    n->limit_mw = n->enforced_limit_mw = rounded(card->limit_w, 1e3);
    n->pcie_gen_now = f->pcie_gen;
    n->pcie_lanes_now = f->pcie_lanes;
    n->pstate = is_busy(card) ? 0 : 8;
    n->video_clock_mhz = n->voltage_mv = n->pcie_tx_kbs = n->pcie_rx_kbs = n->memory_percent = WSK_TWIN_NONE;
    n->reasons = reasons_of(card);
    n->held_power_ns = (uint64_t)(card->held_s[0] * 1e9);
    n->held_thermal_ns = (uint64_t)(card->held_s[1] * 1e9);
    n->held_hw_thermal_ns = (uint64_t)(card->held_s[2] * 1e9);
    sense_power(card, f, n);
    sense_fans(card, f, n);
}

void wsk_live_sense(wsk_live *live)
{
    for (int i = 0; i < live->moment.count; i++)
        sense_card(&live->card[i], &live->moment.card[i].fixed, &live->moment.card[i].now);
}
