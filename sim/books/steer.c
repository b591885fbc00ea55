/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets variables of a run from outside: limits, clock locks, held speeds, jobs, failures and repairs.
 * docs/data.md, "Variables that can be set" */
#include <math.h>

#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "sim/net/governor_table.h"

static bool is_switch(double value)
{
    return value == 0 || value == 1;
}

/* Highest value that can be set. A log may have a board power above the limit for a moment. */
static double highest_of(const wsk_card *c, wsk_var row)
{
    const double above_limit = 2;
    return row == WSK_VAR_CARD_POWER_W     ? above_limit * c->limit_max_w
           : row == WSK_VAR_CARD_CLOCK_MHZ ? wsk_governor_top_hz(c->gpu) / 1e6
           : row == WSK_VAR_CARD_FAN_RPM   ? WSK_FAN_VARIES * c->rpm_max
                                           : INFINITY;
}

static bool set_lock(wsk_run *run, int i, wsk_var row, double mhz)
{
    const wsk_gpu_params *g = run->net->cards[i].gpu;
    wsk_card_state *s = &run->cards[i];
    const double hz = mhz * 1e6, most_hz = wsk_governor_top_hz(g);
    const bool low = row == WSK_VAR_CARD_LOCK_LOW_MHZ;
    if (!isnan(hz) && !(hz >= g->clock_min_hz * (1 - 1e-9) && hz <= most_hz * (1 + 1e-9)))
        return false;
    if (low)
        s->lock_low_hz = hz;
    else
        s->lock_hz = isnan(hz) ? g->lock_clock_hz : hz;
    s->operating.die_k = 0; /* 0 makes the next tick compute the operating point again */
    return true;
}

/* The value that a pin has by the rig, for NAN, which releases the pin; NAN: the rig states none. */
static double pin_of(double value, double by_rig)
{
    return isnan(value) ? by_rig : value;
}

static bool set_card(wsk_run *run, int i, wsk_var row, double value)
{
    const wsk_card *c = &run->net->cards[i];
    wsk_card_state *s = &run->cards[i];
    if (value < 0 || value > highest_of(c, row)) /* false for NAN, which releases a value that was set */
        return false;
    switch ((int)row) {
    case WSK_VAR_CARD_POWER_W: s->pin_power_w = pin_of(value, c->gpu->pin_power_w); return true;
    case WSK_VAR_CARD_CLOCK_MHZ: s->pin_clock_hz = pin_of(value * 1e6, c->gpu->pin_clock_hz); return true;
    case WSK_VAR_CARD_FAN_RPM:
        if (c->mover < 0)
            return isnan(value) || value == 0;
        s->pin_rpm = pin_of(value, c->pin_rpm);
        return true;
    case WSK_VAR_CARD_POWER_LIMIT_W: return wsk_set_limit(run, i, value);
    case WSK_VAR_CARD_LOCK_LOW_MHZ:
    case WSK_VAR_CARD_LOCK_HIGH_MHZ: return set_lock(run, i, row, value);
    case WSK_VAR_CARD_UTILISATION:
        if (value > 1)
            return false;
        s->load = value;
        s->operating.die_k = 0;
        return true;
    case WSK_VAR_CARD_FAN_FAILED:
        if (c->mover < 0 || !is_switch(value))
            return false;
        if (value > 0)
            wsk_fail_mover(run, c->mover, WSK_WHY_COMMAND);
        else
            wsk_mend_mover(run, c->mover);
        return true;
    case WSK_VAR_CARD_OFF:
        if (!is_switch(value))
            return false;
        if (value > 0)
            wsk_lose_card(run, i, WSK_WHY_COMMAND);
        return value > 0 || wsk_find_card(run, i);
    default: return false;
    }
}

static bool set_mover(wsk_run *run, int i, wsk_var row, double value)
{
    const wsk_mover *m = &run->net->movers[i];
    wsk_mover_state *s = &run->movers[i];
    for (int k = 0; k < run->net->n_card; k++)
        if (run->net->cards[k].mover == i && row != WSK_VAR_MOVER_FAILED)
            return false;
    if (i == run->net->cases[m->in].dust)
        return false;
    if (row == WSK_VAR_MOVER_FAILED && is_switch(value)) {
        if (value > 0)
            wsk_fail_mover(run, i, WSK_WHY_COMMAND);
        else
            wsk_mend_mover(run, i);
        return true;
    }
    if (row != WSK_VAR_MOVER_PERCENT || value < 0 || value > 100)
        return false;
    s->pin_rpm = value * 0.01 * m->ref_rpm;
    if (!s->failed && !run->cases[m->in].cpu_off && !(m->control && isnan(value)))
        run->rpm[i] = isnan(value) ? m->rpm0 : s->pin_rpm;
    return true;
}

static bool set_supply(wsk_run *run, int i, wsk_var row, double value)
{
    if (row != WSK_VAR_SUPPLY_ON || !is_switch(value))
        return false;
    if (value > 0)
        wsk_mend_supply(run, i);
    else
        wsk_fail_supply(run, i, WSK_WHY_COMMAND);
    return true;
}

static bool set_rig(wsk_run *run, wsk_var row, double value)
{
    const wsk_net *net = run->net;
    const double lowest_c = -50, highest_c = 100;
    if (row == WSK_VAR_ROOM_C && value >= lowest_c && value <= highest_c) {
        /* The heat of this change comes from outside: it is neither metered nor counted as stored (ledger.c). */
        run->t_start[net->room] += value + WSK_KELVIN - run->t[net->room];
        run->t[net->room] = value + WSK_KELVIN;
        return true;
    }
    if (row != WSK_VAR_AC_ON || !net->ac || !is_switch(value))
        return false;
    if (value > 0)
        wsk_mend_cooling(run);
    else
        wsk_fail_cooling(run, WSK_WHY_COMMAND);
    return true;
}

bool wsk_set_variable(wsk_run *run, wsk_var row, int which, double value)
{
    bool set = false;
    /* The open time is booked with the present fan speeds, because it ran at them; a restored run would know only the
     * new speeds. */
    wsk_ledger_close(run);
    switch (wsk_var_about(row)->owner) {
    case WSK_OF_CARD: set = set_card(run, which, row, value); break;
    case WSK_OF_MOVER: set = set_mover(run, which, row, value); break;
    case WSK_OF_SUPPLY: set = set_supply(run, which, row, value); break;
    case WSK_OF_CIRCUIT:
        set = row == WSK_VAR_CIRCUIT_ON && is_switch(value);
        if (set && value > 0)
            wsk_mend_line(run, which);
        else if (set)
            wsk_cut_line(run, which);
        break;
    case WSK_OF_RIG: set = set_rig(run, row, value); break;
    default: break;
    }
    if (set) {
        /* Now, not in the next tick: there a change of speed would delay a leap, but not in a run that is restored
         * before that tick. */
        wsk_mover_watts(run);
        wsk_wake(run);
        run->now.climbed = false;
    }
    return set;
}
