/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the rig from its steady point, with the air conditioner stopped at time 0 (docs/theory/room.md,
 * "Air-conditioner: inverter"), and solves it with the dust of the end of the run. */
#include <math.h>

#include "sim/books/observe.h"
#include "sim/say/say.h"
#include "sim/step/step.h"
#include "sim/study/check/check.h"
#include "sim/study/kit/plan_copy.h"
#include "sim/study/kit/weather.h"

/* simulated time after the failure, s: about the time until help arrives */
static const double watched_s = 4 * 3600.0;

/* Message: the time from the failure to then_ns, as a range. The time is uncertain by a quarter, because the room's
 * heat capacity is usually not stated. */
static const wsk_said *say_after(const wsk_run *run, int64_t then_ns, wsk_arena *a)
{
    const double most = 1.25, min = (double)(then_ns - run->head->failed_ns) / 60e9;
    return min * most > 90 ? WSK_SAY(a, WSK_SAY_COOLING_AFTER_HOURS, min / most / 60, min * most / 60)
                           : WSK_SAY(a, WSK_SAY_COOLING_AFTER_MINUTES, floor(min / most), ceil(min * most));
}

static const wsk_said *say_effect(const wsk_run *run, wsk_arena *a)
{
    const wsk_run_head *h = run->head;
    const double room_c = run->t[run->net->room] - WSK_KELVIN, hours = watched_s / 3600;
    const bool before = h->slowed_ns == h->failed_ns, slows = h->slowed_ns >= 0 && !before;
    const wsk_said *slow = slows ? say_after(run, h->slowed_ns, a) : NULL;
    if (h->shut_ns >= 0) {
        const wsk_said *shut = say_after(run, h->shut_ns, a);
        return slows ? WSK_SAY(a, WSK_SAY_COOLING_SLOWS_AND_SHUTS, slow, shut)
                     : WSK_SAY(a, WSK_SAY_COOLING_SHUTS, shut);
    }
    return slows    ? WSK_SAY(a, WSK_SAY_COOLING_SLOWS, slow, room_c, hours)
           : before ? WSK_SAY(a, WSK_SAY_COOLING_SLOW_BEFORE, room_c, hours)
                    : WSK_SAY(a, WSK_SAY_COOLING_HELD, room_c, hours);
}

static bool has_facility(const wsk_net *net)
{
    bool any = false;
    for (int i = 0; i < net->n_circuit; i++)
        any = any || net->circuits[i].facility;
    for (int i = 0; i < net->n_case; i++)
        any = any || net->cases[i].door;
    return any;
}

/* Runs the rig, whose air conditioner stops at once, from the steady point `from`. The run keeps work and weather of
 * that point, but has all heat capacities. */
static wsk_status rehearse(const wsk_net *net, const wsk_run *from, wsk_run **out)
{
    const wsk_run_options options = {.duration_s = watched_s, .no_series = true};
    wsk_status status = wsk_run_make(out, net, &options, false);
    if (status != WSK_OK)
        return status;
    wsk_run *run = *out;
    run->steady = true;
    wsk_run_start_from(run, from);
    run->head->ac_failed = 1;
    run->head->failed_ns = 0;
    wsk_ask_all(run);
    wsk_read_values(run);
    for (double t = 60; status == WSK_OK && t <= watched_s && run->head->shut_ns < 0; t += 60)
        status = wsk_run_advance(run, t);
    return status;
}

void wsk_rehearse_cooling(const wsk_net *net, const wsk_run *steady, wsk_lines *l)
{
    wsk_run *run = NULL, *settled = NULL;
    if (!net->ac || !net->n_card || net->nodes[net->room].boundary || steady->head->shutdowns ||
        steady->head->ac_failed)
        return;
    wsk_net hot = *net;
    double low_k, high_k;
    const bool varies = wsk_weather_varies(net, &low_k, &high_k),
               warmer = varies && high_k > net->outdoor_ops->mean_k(net->outdoor_params) + WSK_WEATHER_TOLD_K;
    const wsk_outdoor_params weather = {.mean_k = high_k};
    if (warmer)
        wsk_hold_weather(&hot, &weather);
    wsk_status status = warmer ? wsk_steady_leap(&settled, &hot, WSK_STEPPER_FAST) : WSK_OK;
    /* a cooling that is too small for the hottest hour has shut cards down before it fails */
    const wsk_run *from = settled && status == WSK_OK && !settled->head->shutdowns ? settled : steady;
    if (status == WSK_OK && from->ac_w > 0) {
        status = rehearse(&hot, from, &run);
        const wsk_said *when =
            warmer ? WSK_SAY(l->arena, WSK_SAY_COOLING_HOTTEST, weather.mean_k - WSK_KELVIN) : NULL;
        if (status == WSK_OK)
            wsk_lines_add(l, 2,
                          has_facility(net) ? WSK_SAID(WSK_SAY_CHECK_COOLING_WATER, say_effect(run, l->arena), when)
                                            : WSK_SAID(WSK_SAY_CHECK_COOLING, say_effect(run, l->arena), when));
    }
    l->failed = l->failed || status == WSK_ENOMEM;
    wsk_run_free(settled);
    wsk_run_free(run);
}

int wsk_check_hottest(const wsk_run *run, bool *held)
{
    int at = 0;
    *held = false;
    for (int i = 0; i < run->net->n_card; i++) {
        *held = *held || wsk_held_by_heat(run, i);
        if (wsk_var_mean(run, WSK_VAR_CARD_DIE_C, i) > wsk_var_mean(run, WSK_VAR_CARD_DIE_C, at))
            at = i;
    }
    return at;
}

/* Highest share of filters and coolers that dust blocks in a case at the start of the run. */
static double most_blocked(const wsk_net *net)
{
    double most = 0;
    for (int i = 0; i < net->n_case; i++)
        most = wsk_max(most, net->cases[i].params->dust_start);
    return most;
}

static const wsk_said *say_dusty(const wsk_net *net, const wsk_run *run, wsk_arena *a)
{
    const double percent = 100 * most_blocked(net);
    if (run->head->shutdowns)
        return WSK_SAY(a, WSK_SAY_CHECK_DUST_SHUTS, percent);
    bool held;
    const int at = wsk_check_hottest(run, &held);
    return WSK_SAY(a, WSK_SAY_CHECK_DUST, percent,
                   WSK_WORD(held ? WSK_N("cards throttle from heat") : WSK_N("no card throttles from heat")),
                   net->cards[at].id, wsk_var_mean(run, WSK_VAR_CARD_DIE_C, at));
}

void wsk_rehearse_dust(const wsk_net *net, wsk_lines *l)
{
    wsk_run *run = NULL;
    wsk_net *dusty = NULL;
    wsk_plan *plan = net->n_card ? wsk_plan_copy(l->arena, net->plan) : NULL;
    wsk_status status = plan || !net->n_card ? WSK_OK : WSK_ENOMEM;
    if (plan && wsk_plan_gather_dust(plan->rig, net->runspec->for_s) > 0) {
        status = wsk_net_compile_copy(&dusty, plan, net);
        if (status == WSK_OK)
            status = wsk_steady_leap(&run, dusty, WSK_STEPPER_FAST);
        if (status == WSK_OK)
            wsk_lines_add(l, 2, say_dusty(dusty, run, l->arena));
    }
    l->failed = l->failed || status == WSK_ENOMEM;
    wsk_run_free(run);
    wsk_net_free(dusty);
}
