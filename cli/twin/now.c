/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills the values of a card's sensors, rounded as real drivers round them (docs/twin.md, "Sensors"). */
#include <math.h>
#include <string.h>

#include "cli/twin/live.h"

static int32_t rounded(double value, double of)
{
    return isnan(value) || fabs(value * of) > 2e9 ? WSK_TWIN_NONE : (int32_t)lround(value * of);
}

/* The card's totals at t_s, interpolated between two samples; if t_s is before the oldest sample, the totals of that
 * sample. */
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

/* Removes samples from before the averaging window, except the newest of them, from which totals_at interpolates. If
 * the array is full, removes at least the oldest sample. */
static void forget(wsk_live_card *card, double t_s)
{
    int gone = card->samples == WSK_LIVE_SAMPLES;
    while (gone + 1 < card->samples && card->sample[gone + 1].t_s <= t_s - WSK_LIVE_WINDOW_S)
        gone++;
    memmove(card->sample, card->sample + gone, (size_t)(card->samples - gone) * sizeof card->sample[0]);
    card->samples -= gone;
}

static double read_card(const wsk_live *live, const wsk_live_card *card, wsk_var variable)
{
    return wsk_run_value(live->run, variable, card->owner);
}

void wsk_live_sample_cards(wsk_live *live)
{
    for (int i = 0; i < live->moment.count; i++) {
        wsk_live_card *card = &live->card[i];
        wsk_live_sample next = {.t_s = wsk_run_time(live->run),
                                .energy_j = read_card(live, card, WSK_VAR_CARD_ENERGY_J)};
        if (card->samples) {
            const wsk_live_sample *last = &card->sample[card->samples - 1];
            if (!(next.t_s > last->t_s))
                continue;
            next.busy_s = last->busy_s + (next.t_s - last->t_s) * read_card(live, card, WSK_VAR_CARD_UTILISATION);
            forget(card, next.t_s);
        }
        card->sample[card->samples++] = next;
    }
}

static void sense_fans(const wsk_live *live, const wsk_live_card *card, const wsk_twin_fixed *f, wsk_twin_now *n)
{
    const double percent = read_card(live, card, WSK_VAR_CARD_FAN_PERCENT);
    const double held = read_card(live, card, WSK_VAR_CARD_FAN_HELD);
    for (int i = 0; i < f->fans; i++) {
        n->fan_rpm[i] = rounded(read_card(live, card, WSK_VAR_CARD_FAN_RPM), 1);
        n->fan_percent[i] = rounded(percent, 1);
        n->fan_goal_percent[i] = rounded(isnan(held) ? percent : held, 1);
    }
    n->fan_manual = !isnan(held);
}

/* Fills power and utilisation. Cards of Ampere or newer, except GA100, report the mean power of the last second,
 * other cards the present power. */
static void sense_power(const wsk_live *live, const wsk_live_card *card, const wsk_twin_fixed *f, wsk_twin_now *n)
{
    const wsk_live_sample now = card->sample[card->samples - 1];
    const wsk_live_sample then = totals_at(card, now.t_s - WSK_LIVE_WINDOW_S);
    const double over_s = now.t_s - then.t_s, used = read_card(live, card, WSK_VAR_CARD_UTILISATION);
    const bool averaged = f->arch >= WSK_ARCH_AMPERE && !(f->cc_major == 8 && f->cc_minor == 0);
    n->power_instant_mw = rounded(read_card(live, card, WSK_VAR_CARD_POWER_W), 1e3);
    n->power_mean_mw = over_s > 0 ? rounded((now.energy_j - then.energy_j) / over_s, 1e3) : n->power_instant_mw;
    n->power_mw = averaged ? n->power_mean_mw : n->power_instant_mw;
    n->energy_mj = (uint64_t)llround(1e3 * now.energy_j);
    n->gpu_percent = rounded(over_s > 0 ? (now.busy_s - then.busy_s) / over_s : used, 100);
    n->memory_percent = rounded(read_card(live, card, WSK_VAR_CARD_MEMORY_UTILISATION), 100);
}

static void sense_clocks(const wsk_live *live, const wsk_live_card *card, wsk_twin_now *n)
{
    const double low = read_card(live, card, WSK_VAR_CARD_LOCK_LOW_MHZ);
    const double high = read_card(live, card, WSK_VAR_CARD_LOCK_HIGH_MHZ);
    const double memory = read_card(live, card, WSK_VAR_CARD_MEMORY_LOCK_MHZ);
    n->clock_mhz = rounded(read_card(live, card, WSK_VAR_CARD_CLOCK_MHZ), 1);
    n->memory_clock_mhz = rounded(read_card(live, card, WSK_VAR_CARD_MEMORY_CLOCK_MHZ), 1);
    n->lock_low_mhz = isnan(low) ? 0 : rounded(low, 1);
    n->lock_high_mhz = isnan(high) ? 0 : rounded(high, 1);
    n->memory_lock_mhz = isnan(memory) ? 0 : rounded(memory, 1);
    n->pstate = rounded(read_card(live, card, WSK_VAR_CARD_PSTATE), 1);
    n->reasons = (uint32_t)read_card(live, card, WSK_VAR_CARD_REASONS);
    n->limit_mw = rounded(read_card(live, card, WSK_VAR_CARD_POWER_LIMIT_W), 1e3);
    n->enforced_limit_mw =
        n->limit_mw; /* NVML's enforced limit is the lowest of several; the twin has only this one */
    n->voltage_mv = rounded(read_card(live, card, WSK_VAR_CARD_VOLTAGE_V), 1e3);
}

static uint64_t held_ns(const wsk_live *live, const wsk_live_card *card, wsk_var variable)
{
    return (uint64_t)llround(1e9 * read_card(live, card, variable));
}

/* Fills the times for which the clock was held down, and whether the card is lost. A card that is off, after a shutdown
 * by heat or a loss of power, is lost: off the bus, with Xid 79. */
static void sense_faults(const wsk_live *live, const wsk_live_card *card, wsk_twin_now *n)
{
    n->held_power_ns = held_ns(live, card, WSK_VAR_CARD_HELD_POWER_S);
    n->held_thermal_ns =
        held_ns(live, card, WSK_VAR_CARD_HELD_THERMAL_S) + held_ns(live, card, WSK_VAR_CARD_HELD_MEMORY_S);
    n->held_hw_thermal_ns = held_ns(live, card, WSK_VAR_CARD_HELD_HW_S);
    n->held_brake_ns = held_ns(live, card, WSK_VAR_CARD_HELD_BRAKE_S);
    n->lost = read_card(live, card, WSK_VAR_CARD_OFF) > 0;
    if (n->lost)
        n->xid = 79;
}

/* Fills the process of the card's work. There is none if the card has no job or is off the bus. The pid is above all
 * pids of the machine (pid_max is at most 4194304). */
static void sense_processes(const wsk_live_card *card, int index, int count, const wsk_twin_fixed *f, wsk_twin_now *n)
{
    wsk_twin_process *p = &n->process[0];
    *p = (wsk_twin_process){.pid = 0};
    n->memory_used_bytes = 0;
    if (!*card->job || n->lost)
        return;
    memcpy(p->name, card->job, sizeof p->name);
    p->pid = 4194304 + 1 + (card->pid ? count - 1 + card->pid : index);
    p->sm_percent = n->gpu_percent;
    n->memory_used_bytes = p->memory_bytes = (int64_t)(WSK_LIVE_HELD_SHARE * (double)f->memory_bytes);
}

void wsk_live_sense(wsk_live *live)
{
    for (int i = 0; i < live->moment.count; i++) {
        const wsk_live_card *card = &live->card[i];
        const wsk_twin_fixed *f = &live->moment.card[i].fixed;
        wsk_twin_now *n = &live->moment.card[i].now;
        n->die_c = rounded(read_card(live, card, WSK_VAR_CARD_DIE_C), 1);
        n->memory_c = rounded(read_card(live, card, WSK_VAR_CARD_MEMORY_C), 1);
        n->hotspot_c = rounded(read_card(live, card, WSK_VAR_CARD_HOTSPOT_C), 1);
        n->pcie_gen_now = f->pcie_gen;
        n->pcie_lanes_now = f->pcie_lanes;
        n->video_clock_mhz = n->pcie_tx_kbs = n->pcie_rx_kbs = n->encoder_percent = n->decoder_percent =
            WSK_TWIN_NONE;
        sense_power(live, card, f, n);
        sense_clocks(live, card, n);
        sense_fans(live, card, f, n);
        sense_faults(live, card, n);
        sense_processes(card, i, live->moment.count, f, n);
    }
}
