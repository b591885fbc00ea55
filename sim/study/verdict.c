/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict on a run: whether it throttles, trips, gets too hot or too loud, the throughput it loses, its cost. */
#include "sim/books/books.h"
#include "sim/study/verdict.h"

#include <math.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/control/run.h"
#include "sim/books/bill.h"
#include "sim/study/trip.h"
#include "sim/study/found.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "sim/results/summary.h"

/* Trip probability that is called certain; share of throughput below which a loss is not mentioned. */
static const double surely = 0.995, least_share = 1e-4;

typedef struct {
    int cards, throttle, dead; /* numbers: all cards; cards that heat slowed; shutdowns by heat */
    bool whole;                /* with all cards or a processor shut down, the rig is */
    /* trip: probability. over_s: time over the circuit's limit. load: highest PSU load / available power. lost,
     * limited: shares of throughput lost to heat and to limits. noise, dBA. week, year: cost. */
    double trip, over_s, load, lost, limited, noise, room_c, week, year; /* NAN: unknown */
    bool braked;
    bool beyond;                  /* a part exceeded its temperature limit */
    const char *currency, *limit; /* currency of week and year; cause of `limited`, a word */
} facts;

/* Probability that the breaker or a PSU tripped in the run; NAN: unknown for all of them. */
static double chance(const wsk_run *run)
{
    double stay = 1, p = wsk_circuit_trip(run);
    bool known = !isnan(p);
    stay *= known ? 1 - p : 1;
    for (int i = 0; i < run->net->n_supply; i++) {
        p = wsk_supply_trip(run, i);
        known = known || !isnan(p);
        stay *= isnan(p) ? 1 : 1 - p;
    }
    return known ? 1 - stay : NAN;
}

static facts facts_of(const wsk_run *run)
{
    const wsk_net *net = run->net;
    facts f = {.cards = net->n_card,
               .dead = (int)run->head->shutdowns,
               .trip = chance(run),
               .over_s = (double)run->books->over_limit_ns / 1e9,
               .noise = wsk_dba(run->books->noise_s / wsk_window_s(run)),
               .week = NAN,
               .year = NAN,
               .lost = NAN,
               .limited = NAN};
    double done = 0, cool = 0, unlimited = 0, time = wsk_window_s(run);
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card_state *s = &run->cards[i];
        done += wsk_sum_value(&s->work);
        cool += wsk_sum_value(&s->work_cool);
        unlimited += wsk_sum_value(&s->work_free);
        f.braked = f.braked || s->throttle_ns[4] > 0;
        f.throttle += wsk_heat_throttle_s(s) > 0.001 * time;
    }
    f.whole = f.dead >= f.cards;
    for (int i = 0; i < net->n_case; i++)
        f.whole = f.whole || run->cases[i].cpu_off;
    for (int i = 0; i < net->n_supply; i++)
        f.load = wsk_max(f.load, run->supplies[i].peak_rel);
    if (cool > 0) {
        f.lost = wsk_max(0, 1 - done / cool);
        f.limited = unlimited > 0 ? wsk_max(0, 1 - cool / unlimited) : NAN;
        f.limit = wsk_lost_to(run);
    }
    f.beyond = wsk_parts_too_hot(run);
    f.room_c = wsk_var_high(run, WSK_VAR_ROOM_C, 0);
    if (net->tariff && !run->steady) {
        f.year = wsk_bill_account(run).annual;
        f.week = f.year * 7 / 365;
        f.currency = net->currency;
    }
    return f;
}

/* ---- sentences ---- */

/* Compares the rounded level, as it is printed: 55.4 dBA counts as 55, which is not too loud. */
static bool too_loud(const facts *f)
{
    return round(f->noise) > WSK_LOUD_DBA;
}

/* Does the sentence on throttling name the throughput lost to heat? If limits or the power brake cost throughput too,
 * the sentence on throughput names the losses instead. */
static bool heat_told(const facts *f)
{
    return (f->dead || f->throttle) && !f->braked && f->lost >= least_share && !(f->limited > least_share);
}

static void say_hot_cards(const facts *f, wsk_said_list *o)
{
    const wsk_said *loss = heat_told(f) ? WSK_SAY(o->arena, WSK_SAY_VERDICT_HEAT_TAKES, 100 * f->lost) : NULL;
    if (f->dead && f->whole)
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_SHUTS_DOWN, loss));
    else if (f->dead)
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_CARDS_SHUT_DOWN, f->dead, f->cards, loss));
    else if (f->throttle)
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_THROTTLES, f->throttle, f->cards, loss));
}

static void say_ills(const wsk_run *run, const facts *f, wsk_said_list *o)
{
    if (f->trip > surely)
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_TRIPS_SURELY));
    else if (f->trip >= WSK_TELLS)
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_TRIPS, wsk_max(1, 100 * f->trip)));
    if (f->over_s > 0)
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_CIRCUIT));
    if (f->load > 1)
        wsk_said_add(o,
                     run->net->n_supply == 1 ? WSK_SAID(WSK_SAY_VERDICT_THE_PSU) : WSK_SAID(WSK_SAY_VERDICT_A_PSU));
    if (f->braked)
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_BRAKED));
    say_hot_cards(f, o);
    if (f->beyond)
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_PARTS_HOT));
    if (f->room_c > WSK_HOT_ROOM_C)
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_ROOM_HOT, f->room_c));
    if (too_loud(f) && round(f->noise) > WSK_VERY_LOUD_DBA)
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_TOO_LOUD, f->noise, run->net->site->listener_m));
    else if (too_loud(f))
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_LOUD, f->noise, run->net->site->listener_m));
}

static void add_word(wsk_said_list *list, const char *word)
{
    wsk_said_add(list, &(wsk_said){WSK_SAY_PLAIN, 1, (const wsk_arg[]){wsk_arg_word(word)}});
}

/* Adds "Nothing trips, gets too hot or throttles from heat.", with only those of the three that are true. */
static void say_goods(const wsk_run *run, const facts *f, wsk_said_list *o)
{
    wsk_said_list is = {.arena = o->arena};
    bool cool = !f->throttle && !f->dead && !f->beyond && f->room_c <= WSK_HOT_ROOM_C;
    if (f->trip < WSK_TELLS && !(f->over_s > 0) && f->load <= 1)
        add_word(&is, WSK_N("trips"));
    if (cool)
        add_word(&is, WSK_N("gets too hot"));
    if (f->cards && !f->throttle && !f->dead)
        add_word(&is, WSK_N("throttles from heat"));
    if (is.count)
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_NOTHING, wsk_said_link_all(&is, WSK_SAY_JOINED, WSK_SAY_JOIN_OR)));
    if (f->noise > 1 && !too_loud(f) && !f->dead && f->room_c <= WSK_HOT_ROOM_C)
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_QUIET, f->noise, run->net->site->listener_m));
}

/* Adds a message on a loss: percentage points as a whole number, or with one significant digit if below 1. True: below
 * 1; the caller then shows the throughput with more digits too. */
static bool add_loss(wsk_said_list *losses, const char *cause, double points)
{
    bool small = points < 1;
    wsk_said_add(losses, small ? WSK_SAID(WSK_SAY_THROUGHPUT_SMALL_LOSS, WSK_WORD(cause), points)
                               : WSK_SAID(WSK_SAY_THROUGHPUT_LOSS, WSK_WORD(cause), points));
    return small;
}

/* Both losses are shown in percentage points of the throughput without limits and heat. */
const wsk_said *wsk_say_throughput(wsk_arena *a, double limited, const char *limits, double lost, const char *heat)
{
    wsk_said_list losses = {.arena = a};
    double rest = 100 * (1 - limited) * (1 - lost);
    bool fine = rest < 1;
    if (limited >= least_share)
        fine |= add_loss(&losses, limits, 100 * limited);
    if (lost >= least_share)
        fine |= add_loss(&losses, heat, 100 * (1 - limited) * lost);
    if (!losses.count)
        return WSK_SAY(a, WSK_SAY_THROUGHPUT_FULL);
    const wsk_said *all = wsk_said_link_all(&losses, WSK_SAY_JOINED, WSK_SAY_JOINED);
    return fine ? WSK_SAY(a, WSK_SAY_THROUGHPUT_BARELY, rest, all) : WSK_SAY(a, WSK_SAY_THROUGHPUT, rest, all);
}

static void say_figures(const facts *f, wsk_said_list *o)
{
    const char *heat = !f->braked               ? WSK_N("heat")
                       : f->throttle || f->dead ? WSK_N("heat and the power brake")
                                                : WSK_N("the power brake");
    if (!isnan(f->lost) && !heat_told(f))
        wsk_said_add(
            o, wsk_say_throughput(o->arena, f->limited > least_share ? f->limited : 0, f->limit, f->lost, heat));
    if (!isnan(f->year))
        wsk_said_add(o, WSK_SAID(WSK_SAY_VERDICT_COST, wsk_say_money(o->arena, f->week, f->currency), f->year));
}

const wsk_said *wsk_say_money(wsk_arena *a, double amount, const char *currency)
{
    return amount < 1000 ? WSK_SAY(a, WSK_SAY_MONEY_CENTS, amount, currency)
                         : WSK_SAY(a, WSK_SAY_MONEY_WHOLE, amount, currency);
}

size_t wsk_verdict_say(const wsk_run *run, wsk_said_list *o)
{
    facts f = facts_of(run);
    say_ills(run, &f, o);
    say_goods(run, &f, o);
    size_t ills_and_goods = o->count;
    say_figures(&f, o);
    return ills_and_goods;
}

void wsk_verdict_flags(const wsk_run *run, wsk_verdict *v)
{
    facts f = facts_of(run);
    *v = (wsk_verdict){.throttles = f.throttle > 0,
                       .shuts_down = f.dead > 0,
                       .trips = f.trip >= WSK_TELLS,
                       .overloads = f.over_s > 0 || f.load > 1,
                       .too_hot = f.throttle || f.dead || f.beyond || f.room_c > WSK_HOT_ROOM_C,
                       .too_loud = too_loud(&f),
                       .cost_week = f.week,
                       .cost_year = f.year};
}
