/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/net/load.h"
#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "sim/step/step.h"

void wsk_run_start_from(wsk_run *run, const wsk_run *settled)
{
    memcpy(run->t, settled->t, (size_t)run->net->n_node * sizeof(double));
    memcpy(run->rpm, settled->rpm, (size_t)run->net->n_mover * sizeof(double));
    memcpy(run->t_natural, settled->t_natural, (size_t)run->net->n_node * sizeof(double));
    for (int i = 0; i < run->net->n_mover; i++) {
        run->movers[i].ref_k = settled->movers[i].ref_k;
        run->movers[i].logged_rpm = run->rpm[i];
    }
    for (int i = 0; i < run->net->n_case; i++)
        run->cases[i].cpu_share = settled->cases[i].cpu_share;
    wsk_mover_watts(run);
    for (int i = 0; i < run->net->n_card; i++) {
        wsk_card_state *s = &run->cards[i];
        const wsk_card_state *from = &settled->cards[i];
        memcpy(s->governor, from->governor, sizeof s->governor);
        s->power_w = from->power_w;
        wsk_split_watts(&run->net->cards[i], s);
        s->clock_hz = from->clock_hz;
        s->die_k = from->die_k;
        s->fan_ref_k = from->fan_ref_k;
        s->logged_rpm = run->net->cards[i].mover >= 0 ? run->rpm[run->net->cards[i].mover] : 0;
    }
    wsk_ledger_start(run);
}

static wsk_status start_settled(wsk_run *run)
{
    wsk_run *settled = NULL;
    wsk_status status = wsk_steady_opening(&settled, run->net, run->stepper);
    if (status == WSK_OK)
        wsk_run_start_from(run, settled);
    else if (settled && settled->failure)
        wsk_run_fail(run, settled->failure);
    wsk_run_free(settled);
    return status;
}

void wsk_start_card(wsk_run *run, int card, double die_k, double power_w)
{
    const wsk_card *c = &run->net->cards[card];
    const double inlet = run->t[c->inlet],
                 sink = die_k - c->die_res_k_w * wsk_die_w(c, run->cards[card].traffic, power_w),
                 settled = run->t[c->heatsink] - inlet;
    double share = settled > 0.5 ? (sink - inlet) / settled : 1;
    share = fmin(fmax(share, 0), 4);
    run->t[c->memory] = sink + (run->t[c->memory] - run->t[c->heatsink]);
    run->t[c->board] = inlet + share * (run->t[c->board] - inlet);
    run->t[c->heatsink] = sink;
}

static void start_logged(wsk_run *run)
{
    const wsk_recording *log = &run->net->workload->log;
    for (int i = 0; i < run->net->n_card; i++) {
        const wsk_card *c = &run->net->cards[i];
        wsk_card_state *s = &run->cards[i];
        if (c->logged < 0 || !isnan(s->pin_power_w))
            continue;
        const double die = wsk_recorded_of(log, c->logged, WSK_LOG_DIE)->first,
                     power = wsk_recorded_of(log, c->logged, WSK_LOG_POWER)->first;
        if (isnan(die))
            continue;
        s->power_w = isnan(power) ? s->power_w : power;
        if (!wsk_traffic_stated(run->net->workload))
            wsk_set_traffic(s, wsk_recorded_of(log, c->logged, WSK_LOG_MEMORY_UTILISATION)->first);
        wsk_split_watts(c, s);
        wsk_start_card(run, i, die, s->power_w);
        s->die_k = s->fan_ref_k = die;
    }
    wsk_ledger_start(run);
}

static bool starts_logged(const wsk_net *net)
{
    for (int i = 0; i < net->n_card; i++)
        if (net->cards[i].logged >= 0 &&
            wsk_recorded_of(&net->workload->log, net->cards[i].logged, WSK_LOG_DIE)->count > 0)
            return true;
    return false;
}

bool wsk_run_options_fit(const wsk_run_options *o)
{
    const double least_s = 1e-9; /* time is counted in nanoseconds */
    return (o->step_s == 0 || (o->step_s >= 0.05 && o->step_s <= 60)) &&
           (o->duration_s == 0 || (o->duration_s >= least_s && o->duration_s <= 3.2e9)) &&
           (o->stepper == WSK_STEPPER_FAST || o->stepper == WSK_STEPPER_REFERENCE);
}

wsk_status wsk_run_create(wsk_run **out, const wsk_net *net, const wsk_run_options *o)
{
    wsk_status status = wsk_run_make(out, net, o, false);
    const bool logged = starts_logged(net);
    if (status != WSK_OK || (net->runspec->start != 1 && !logged))
        return status;
    status = start_settled(*out); /* if this fails, the run is still returned, for its error text */
    if (status == WSK_OK && logged)
        start_logged(*out);
    wsk_ask_all(*out);
    wsk_read_values(*out);
    return status;
}
