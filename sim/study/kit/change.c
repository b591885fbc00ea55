/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/study/trip/trip.h"
#include "sim/study/kit/verdict.h"

static void say_effect(wsk_said_list *o, wsk_code code, double value, double least)
{
    if (fabs(value) >= least)
        wsk_said_add(o, &(wsk_said){code, 1, (const wsk_arg[]){wsk_arg_number(value)}});
}

static void say_if(wsk_said_list *o, bool so, wsk_code code)
{
    if (so)
        wsk_said_add(o, &(wsk_said){code, 0, NULL});
}

static void say_problem(wsk_said_list *o, bool before, wsk_code still, wsk_code now, double value)
{
    wsk_said_add(o, &(wsk_said){before ? still : now, 1, (const wsk_arg[]){wsk_arg_number(value)}});
}

static void say_money(const wsk_advice *a, const wsk_change *c, wsk_said_list *o)
{
    const char *currency = a->currency ? a->currency : "";
    if (fabs(c->year) >= 0.5)
        wsk_said_add(o, WSK_SAID(WSK_SAY_EFFECT_YEAR, c->year, currency));
    if (fabs(c->purchase) >= 0.5)
        wsk_said_add(o, WSK_SAID(WSK_SAY_EFFECT_PURCHASE, c->purchase, c->currency));
    if (c->purchase > 0 && c->year < -0.5 && strcmp(c->currency, currency) == 0)
        wsk_said_add(o, WSK_SAID(WSK_SAY_EFFECT_PAYBACK, -c->purchase / c->year));
}

static void say_delivery(const wsk_ills *now, const wsk_ills *then, wsk_said_list *o)
{
    if (then->over_w > 0)
        say_problem(o, now->over_w > 0, WSK_SAY_EFFECT_STILL_OVER_CIRCUIT, WSK_SAY_EFFECT_OVER_CIRCUIT, then->over_w);
    else
        say_if(o, now->over_w > 0, WSK_SAY_EFFECT_CIRCUIT_HOLDS);
    if (then->over_feed > 0)
        say_problem(o, now->over_feed > 0, WSK_SAY_EFFECT_STILL_OVER_FEED, WSK_SAY_EFFECT_OVER_FEED,
                    wsk_max(1, 100 * then->over_feed));
    else
        say_if(o, now->over_feed > 0, WSK_SAY_EFFECT_FEED_HOLDS);
    double percent = wsk_max(1, 100 * then->trip);
    bool by_psu = then->trip_psu >= WSK_TELLS;
    if (then->trip >= WSK_TELLS)
        say_problem(o, now->trip >= WSK_TELLS,
                    by_psu ? WSK_SAY_EFFECT_PSU_STILL_TRIPS : WSK_SAY_EFFECT_BREAKER_STILL_TRIPS,
                    by_psu ? WSK_SAY_EFFECT_PSU_TRIPS : WSK_SAY_EFFECT_BREAKER_TRIPS, percent);
    else if (then->over_psu_w > 0)
        say_problem(o, now->over_psu_w > 0, WSK_SAY_EFFECT_STILL_OVER_PSU, WSK_SAY_EFFECT_OVER_PSU, then->over_psu_w);
    else
        say_if(o, now->over_psu_w > 0 && now->trip < WSK_TELLS, WSK_SAY_EFFECT_PSU_HOLDS);
    say_if(o, then->braked && !now->braked, WSK_SAY_EFFECT_BRAKED);
    say_if(o, then->braked && now->braked, WSK_SAY_EFFECT_STILL_BRAKED);
    say_if(o, !then->braked && now->braked, WSK_SAY_EFFECT_NOT_BRAKED);
}

static void say_cures(const wsk_ills *now, const wsk_change *c, wsk_said_list *o)
{
    const wsk_ills *then = &c->then;
    say_if(o, now->trip >= WSK_TELLS && then->trip < WSK_TELLS, WSK_SAY_EFFECT_NO_TRIP);
    say_if(o, now->shuts_down && !then->shuts_down, WSK_SAY_EFFECT_NO_SHUTDOWN);
    say_if(o, now->throttles && !then->throttles && !then->shuts_down,
           c->chance > WSK_TOLD_CHANCE ? WSK_SAY_EFFECT_MAY_THROTTLE : WSK_SAY_EFFECT_NO_THROTTLING);
}

/* Throttling and hot parts that remain are not mentioned if the change hardly affects throughput and die temperature
 * and reduces neither overloads nor trips. */
static void say_heat(const wsk_ills *now, const wsk_change *c, wsk_said_list *o)
{
    const wsk_ills *then = &c->then;
    bool idle = fabs(c->work_rel) < 0.003 && !(fabs(c->die_k) >= 0.5) && !(now->over_w > then->over_w) &&
                !(now->over_feed > then->over_feed) && !(now->trip > then->trip + WSK_TELLS);
    if (then->shuts_down)
        say_if(o, true, now->shuts_down ? WSK_SAY_EFFECT_STILL_SHUTS_DOWN : WSK_SAY_EFFECT_SHUTS_DOWN);
    else if (then->throttles && !now->throttles)
        say_if(o, true, WSK_SAY_EFFECT_THROTTLES);
    else if (then->throttles && then->lost >= 0.0005 && !idle)
        wsk_said_add(o, WSK_SAID(WSK_SAY_EFFECT_HEAT_TAKES, 100 * then->lost));
    else
        say_if(o, then->throttles && !idle, WSK_SAY_EFFECT_STILL_THROTTLES);
    if (then->parts_hot != now->parts_hot)
        say_if(o, true, then->parts_hot ? WSK_SAY_EFFECT_PARTS_HOT : WSK_SAY_EFFECT_PARTS_COOL);
    else
        say_if(o, then->parts_hot && !idle, WSK_SAY_EFFECT_PARTS_STILL_HOT);
}

static const wsk_code grows_loud[WSK_STANDS] = {WSK_SAY_EFFECT_LOUD, WSK_SAY_EFFECT_LOUD_ROOM,
                                                WSK_SAY_EFFECT_LOUD_SERVER_ROOM},
                      grows_quiet[WSK_STANDS] = {WSK_SAY_EFFECT_QUIET, WSK_SAY_EFFECT_QUIET_ROOM,
                                                 WSK_SAY_EFFECT_QUIET_SERVER_ROOM};

static void say_room_and_noise(const wsk_ills *now, const wsk_change *c, wsk_said_list *o)
{
    const wsk_ills *then = &c->then;
    bool quieter = c->noise_db <= -0.5;
    say_if(o, then->room_hot && !now->room_hot, WSK_SAY_EFFECT_ROOM_HOT);
    if (now->room_hot && !then->room_hot)
        wsk_said_add(o, WSK_SAID(WSK_SAY_EFFECT_ROOM_COOL, WSK_HOT_ROOM_C));
    say_if(o, then->room_hot && now->room_hot && c->room_k <= -0.5, WSK_SAY_EFFECT_ROOM_STILL_HOT);
    say_if(o, then->loud && !now->loud, grows_loud[now->stand]);
    say_if(o, then->loud && now->loud && quieter, WSK_SAY_EFFECT_STILL_LOUD);
    say_if(o, !then->loud && now->loud && quieter, grows_quiet[now->stand]);
}

/* If the upper end of a range of gains exceeds this, only the lower end is reported, because a rig that lost nearly
 * all its throughput may gain any multiple of it. */
static const double told_gain = 5;

/* Adds the gain of throughput: a range only where it was found. */
static void say_gain(const wsk_change *c, wsk_said_list *o)
{
    const double low = floor(100 * c->work_low) + 0.0, high = ceil(100 * c->work_high) + 0.0; /* + 0.0: no "-0" */
    if (!(c->work_high > c->work_low))
        say_effect(o, WSK_SAY_EFFECT_THROUGHPUT, 100 * c->work_rel, 0.05);
    else if (c->work_high > told_gain)
        wsk_said_add(o, WSK_SAID(WSK_SAY_EFFECT_THROUGHPUT_LEAST, low));
    else
        wsk_said_add(o, WSK_SAID(WSK_SAY_EFFECT_THROUGHPUT_RANGE, low, high));
}

void wsk_change_effects(const wsk_advice *a, const wsk_change *c, wsk_said_list *o)
{
    say_gain(c, o);
    say_if(o, c->work_unknown, WSK_SAY_EFFECT_WORK_UNKNOWN);
    say_if(o, c->cooler_clocks, WSK_SAY_EFFECT_COOLER_CLOCKS);
    say_effect(o, WSK_SAY_EFFECT_WALL, c->wall_w, 0.5);
    if (!a->now.shuts_down && !c->then.shuts_down) /* the low temperature of a card that is off is no benefit */
        say_effect(o, WSK_SAY_EFFECT_GPU, c->die_k, 0.5);
    say_effect(o, WSK_SAY_EFFECT_ROOM, c->room_k, 0.5);
    say_effect(o, WSK_SAY_EFFECT_NOISE, c->noise_db, 0.5);
    say_money(a, c, o);
    say_delivery(&a->now, &c->then, o);
    say_cures(&a->now, c, o);
    say_heat(&a->now, c, o);
    say_room_and_noise(&a->now, c, o);
}

const wsk_said *wsk_change_said(wsk_arena *arena, const wsk_advice *a, const wsk_change *c)
{
    wsk_said_list effects = {.arena = arena};
    wsk_change_effects(a, c, &effects);
    const wsk_said *all = wsk_said_link_all(&effects, WSK_SAY_JOINED, WSK_SAY_JOINED);
    return all ? WSK_SAY(arena, WSK_SAY_CHANGE, c->what, all) : WSK_SAY(arena, WSK_SAY_CHANGE_ALONE, c->what);
}

static void say_changes(const wsk_advice *a, const wsk_change *list, int n, wsk_said_list *o)
{
    for (int i = 0; i < n; i++)
        wsk_said_add(o, wsk_change_said(o->arena, a, &list[i]));
}

/* True if one of a->vain makes the rig quieter. In a hot room the others are changes that only cool it. */
static bool quiets_some(const wsk_advice *a)
{
    for (int i = 0; i < a->n_vain; i++)
        if (a->vain[i].noise_db <= -0.5)
            return true;
    return false;
}

void wsk_advice_say(const wsk_advice *a, wsk_said_list *o)
{
    if (a->before)
        wsk_said_add(o, a->before);
    say_changes(a, a->changes, a->n, o);
    if (a->n && a->n_vain && !quiets_some(a))
        wsk_said_add(o, WSK_SAID(WSK_SAY_ADVICE_TRADE_OFFS));
    else if (a->n && a->n_vain && a->vain_cures)
        wsk_said_add(o, WSK_SAID(WSK_SAY_ADVICE_NOISE_TRADE_OFFS));
    else if (a->n && a->n_vain)
        wsk_said_add(o, wsk_said_link(o->arena, WSK_SAY_JOIN_SENTENCES, WSK_SAID(WSK_SAY_ADVICE_NOISE_NOT_WORTH),
                                      WSK_SAID(WSK_SAY_ADVICE_BEST_OF_THEM)));
    say_changes(a, a->vain, a->n_vain, o);
    say_if(o, a->stays_loud && !a->n_vain, WSK_SAY_ADVICE_STAYS_LOUD);
    if (a->cooling_w > 0)
        wsk_said_add(o, WSK_SAID(WSK_SAY_ADVICE_COOLING, WSK_HOT_ROOM_C, a->cooling_w / 1000));
    if (a->checkpoint)
        wsk_said_add(o, a->checkpoint);
    if (a->idle)
        wsk_said_add(o, a->idle);
    if (a->hours)
        wsk_said_add(o, a->hours);
    if (a->basis)
        wsk_said_add(o, a->basis);
}
