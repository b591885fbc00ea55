/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the variables that no file records, when a program asks for them (WSK_ASKED in wattsink_variables.h), from
 * the state of the run after the last tick. docs/data.md, "Variables that are asked for" */
#include <math.h>
#include <string.h>

#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "sim/net/tokens.h"

static const double ns_s = 1e-9;

/* Share of the time in which a kernel runs on a card. Cards that wait for each other count as busy, because their
 * kernels spin; cards that wait for data do not. A recorded utilisation is returned as it is. If only the power of the
 * card is given, the share is (power - idle power) divided by (power at the default limit - idle power). */
static double used_share(const wsk_run *run, const wsk_card *c, const wsk_card_state *s)
{
    const wsk_activity *a = &run->activity;
    if (s->off)
        return 0;
    const double recorded = c->logged >= 0 && a->log && isnan(s->load)
                                ? wsk_recorded_at(a->log, c->logged, WSK_LOG_UTILISATION, a->in_ns)
                                : NAN;
    if (!isnan(recorded) && isnan(s->pin_power_w))
        return recorded;
    if (!isnan(s->pin_power_w) || (isnan(s->load) && wsk_has_work(run, c, s) && !isnan(a->power_w)))
        return wsk_min(wsk_max((s->power_w - c->gpu->idle_w) / (c->default_held_w - c->gpu->idle_w), 0), 1);
    if (!wsk_has_work(run, c, s))
        return 0;
    if (!isnan(s->load))
        return wsk_min(wsk_max(s->busy - c->cls.pause * s->perf, 0), 1);
    if (a->phase == WSK_PHASE_WAIT || a->idle_work)
        return 1;
    const bool paced = run->net->workload_ops->synchronous;
    const double waits = paced ? run->net->workload->data_share * s->perf * c->gpu->speed : 0;
    return wsk_min(wsk_max((paced ? 1 : s->busy) - waits - c->cls.pause * s->perf, 0), 1);
}

/* Units of the rig's work per second; NAN: the rig does not count its work. */
static double unit_rate_s(const wsk_run *run)
{
    const wsk_workload_params *w = run->net->workload;
    return w && w->rate_s > 0 ? w->rate_s : (double)NAN;
}

static double pace_of_card(const wsk_run *run, const wsk_card *c, const wsk_card_state *s)
{
    return unit_rate_s(run) * (c->works || s->load > 0 ? s->perf : 0);
}

static double memory_share(const wsk_run *run, const wsk_card *c, const wsk_card_state *s)
{
    const wsk_activity *a = &run->activity;
    if (!isnan(s->pin_power_w) || (isnan(s->load) && (!isnan(a->power_w) || a->idle_work)))
        return wsk_min(c->cls.traffic * used_share(run, c, s), 1);
    return wsk_min(c->cls.traffic * s->perf / c->cls.memory_speed, 1);
}

/* True for data-centre cards, which stay in their highest performance state (P0) when idle. Other cards are in P8
 * when idle and compute in P2, as captures of nvidia-smi show (docs/data.md, "Variables that are asked for"). Cards
 * for a server's air stream, and cards with HBM, count as data-centre cards. */
static bool stays_ready(const wsk_card *c)
{
    return wsk_style_of(c)->in_duct || (c->gpu->memory_type && strncmp(c->gpu->memory_type, "HBM", 3) == 0);
}

static double performance_state(const wsk_run *run, const wsk_card *c, const wsk_card_state *s)
{
    return stays_ready(c) ? 0 : used_share(run, c, s) > 0 ? 2 : 8;
}

/* idle_mhz: memory clock of a card without work, in state P8 (captures of GeForce cards: docs/twin-cards.md) */
static double memory_clock_mhz(const wsk_run *run, const wsk_card *c, const wsk_card_state *s)
{
    const double idle_mhz = 405, full_mhz = (c->gpu->memory_clock_hz + c->gpu->memory_offset_hz) * 1e-6;
    return s->off ? 0 : performance_state(run, c, s) == 8 && full_mhz > idle_mhz ? idle_mhz : full_mhz;
}

/* Returns the reasons for the present clock as the bits of NVML's clocks_event_reasons. */
static double reasons(const wsk_run *run, const wsk_card *c, const wsk_card_state *s)
{
    static const int bits[WSK_REASONS] = {0x4, 0x20, 0x8 | 0x40, 0x20, 0x8 | 0x80};
    int out = 0;
    for (int k = 0; k < WSK_REASONS; k++)
        out |= s->reasons >> k & 1 ? bits[k] : 0;
    if (!(used_share(run, c, s) > 0))
        return 1;
    const bool locked = !isnan(s->lock_hz) && s->clock_hz > s->lock_hz - 1;
    return !out && locked ? 2 : out;
}

static double card_energy_j(const wsk_run *run, int which)
{
    const int at = wsk_variable_at(run->variables, WSK_VAR_CARD_POWER_W, which);
    return run->observer->total[at] + run->observer->sum[at];
}

static double ask_card(const wsk_run *run, wsk_var row, int which)
{
    const wsk_card *c = &run->net->cards[which];
    const wsk_card_state *s = &run->cards[which];
    const double percent = c->mover >= 0 ? 100 / c->rpm_max : (double)NAN;
    switch ((int)row) {
    case WSK_VAR_CARD_UTILISATION: return used_share(run, c, s);
    case WSK_VAR_CARD_WORK_PER_S: return pace_of_card(run, c, s);
    case WSK_VAR_CARD_MEMORY_UTILISATION: return memory_share(run, c, s);
    case WSK_VAR_CARD_ENERGY_J: return card_energy_j(run, which);
    case WSK_VAR_CARD_FAN_PERCENT: return c->mover >= 0 ? run->rpm[c->mover] * percent : (double)NAN;
    case WSK_VAR_CARD_FAN_HELD: return s->pin_rpm * percent;
    case WSK_VAR_CARD_FAN_FAILED: return c->mover >= 0 ? (double)run->movers[c->mover].failed : (double)NAN;
    case WSK_VAR_CARD_PSTATE: return performance_state(run, c, s);
    case WSK_VAR_CARD_REASONS: return reasons(run, c, s);
    case WSK_VAR_CARD_VOLTAGE_V: return s->off ? 0 : c->ops->voltage_v(c->gpu, s->clock_hz);
    case WSK_VAR_CARD_MEMORY_CLOCK_MHZ: return memory_clock_mhz(run, c, s);
    case WSK_VAR_CARD_POWER_LIMIT_W: return s->limit_w;
    case WSK_VAR_CARD_POWER_ENFORCED_W: return c->ops->held_w(c->gpu, s->limit_w);
    case WSK_VAR_CARD_LOCK_LOW_MHZ: return s->lock_low_hz * 1e-6;
    case WSK_VAR_CARD_LOCK_HIGH_MHZ: return s->lock_hz * 1e-6;
    case WSK_VAR_CARD_HELD_POWER_S: return (double)s->throttle_ns[0] * ns_s;
    case WSK_VAR_CARD_HELD_THERMAL_S: return (double)s->throttle_ns[1] * ns_s;
    case WSK_VAR_CARD_HELD_HW_S: return (double)s->throttle_ns[2] * ns_s;
    case WSK_VAR_CARD_HELD_MEMORY_S: return (double)s->throttle_ns[3] * ns_s;
    case WSK_VAR_CARD_HELD_BRAKE_S: return (double)s->throttle_ns[4] * ns_s;
    case WSK_VAR_CARD_OFF: return s->off != 0;
    default: return NAN;
    }
}

static double ask_circuit(const wsk_run *run, wsk_var row, int which)
{
    const wsk_mains_line *line = &run->net->lines[which];
    const wsk_line_state *s = &run->lines[which];
    switch ((int)row) {
    case WSK_VAR_CIRCUIT_W: return s->tripped ? 0 : run->line_wall_w[which] + run->line_side_w[which];
    case WSK_VAR_CIRCUIT_VA: return wsk_line_va(run, which);
    case WSK_VAR_CIRCUIT_LOAD: return line->limit_w > 0 ? wsk_line_va(run, which) / line->limit_w : (double)NAN;
    case WSK_VAR_CIRCUIT_HEAT:
        return isnan(line->circuit_a) ? (double)NAN
                                      : s->breaker_heat / (line->breaker.hold_high * line->breaker.hold_high);
    case WSK_VAR_CIRCUIT_OVER_S: return line->limit_w > 0 ? (double)s->over_ns * ns_s : (double)NAN;
    case WSK_VAR_CIRCUIT_ON: return s->tripped == WSK_LINE_ON;
    default: return NAN;
    }
}

static double ask_supply(const wsk_run *run, wsk_var row, int which)
{
    switch ((int)row) {
    case WSK_VAR_SUPPLY_OUTPUT_W: return run->supply_dc_w[which];
    case WSK_VAR_SUPPLY_INPUT_W: return run->supply_wall_w[which];
    case WSK_VAR_SUPPLY_OVER_S: return (double)run->supplies[which].over_ns * ns_s;
    case WSK_VAR_SUPPLY_ON: return !wsk_supply_out(run, which);
    default: return NAN;
    }
}

static double ask_mover(const wsk_run *run, wsk_var row, int which)
{
    const wsk_mover *m = &run->net->movers[which];
    if (which == run->net->cases[m->in].dust) /* the "speed" of dust is the share of the filter that it blocks */
        return NAN;
    switch ((int)row) {
    case WSK_VAR_MOVER_RPM: return run->rpm[which];
    case WSK_VAR_MOVER_PERCENT: return 100 * run->rpm[which] / m->ref_rpm;
    case WSK_VAR_MOVER_FAILED: return (double)run->movers[which].failed;
    default: return NAN;
    }
}

static int64_t count_trips(const wsk_run *run)
{
    int64_t trips = 0;
    for (int i = 0; i < run->net->n_line; i++)
        trips += run->lines[i].trips;
    return trips;
}

static double ask_rig(const wsk_run *run, wsk_var row)
{
    const wsk_net *net = run->net;
    double now = 0, done = 0;
    int working = 0;
    for (int i = 0; i < net->n_card; i++) {
        now += net->cards[i].works || run->cards[i].load > 0 ? run->cards[i].perf : 0;
        done += wsk_sum_value(&run->cards[i].work);
        working += net->cards[i].works;
    }
    const double rate_s = unit_rate_s(run);
    switch ((int)row) {
    case WSK_VAR_WORK_PER_S: return now * rate_s;
    case WSK_VAR_TOKENS_PER_S:
        return net->tokens && working ? net->tokens->generation_s * now / working : (double)NAN;
    case WSK_VAR_WORK_DONE: return done * rate_s;
    case WSK_VAR_WORK_UNDONE: return run->head->redone_s * rate_s;
    case WSK_VAR_UNDONE_S: return run->head->redone_s;
    case WSK_VAR_UNDONE_COOL_S: return run->head->redone_cool_s;
    case WSK_VAR_AC_ON: return net->ac ? !run->head->ac_failed : (double)NAN;
    case WSK_VAR_TRIPS: return (double)count_trips(run);
    case WSK_VAR_SHUTDOWNS: return (double)run->head->shutdowns;
    default: return NAN;
    }
}

double wsk_read_variable(const wsk_run *run, wsk_var row, int which)
{
    const wsk_var_row *about = wsk_var_about(row);
    if (!about || which < 0 || which >= wsk_count_owners(run->net, about->owner))
        return NAN;
    if (about->change != WSK_VAR_ASKED) {
        const int at = wsk_variable_at(run->variables, row, which);
        if (at >= 0 || row != WSK_VAR_MOVER_RPM)
            return at >= 0 ? run->observer->value[at] : (double)NAN;
    }
    switch (about->owner) {
    case WSK_OF_CARD: return ask_card(run, row, which);
    case WSK_OF_CIRCUIT: return ask_circuit(run, row, which);
    case WSK_OF_SUPPLY: return ask_supply(run, row, which);
    case WSK_OF_MOVER: return ask_mover(run, row, which);
    case WSK_OF_RIG: return ask_rig(run, row);
    default: return NAN;
    }
}
