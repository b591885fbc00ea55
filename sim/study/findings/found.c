/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sim/books/books.h"
#include "sim/say/say.h"
#include "sim/control/run.h"
#include "sim/study/kit/verdict.h"
#include "sim/study/trip/trip.h"
#include "sim/study/findings/found.h"
#include "sim/books/variables.h"
#include "sim/books/observe.h"

bool wsk_supplied(const wsk_net *net)
{
    return net->n_supply > 0;
}

static const wsk_said *say_more(wsk_arena *a, int n)
{
    return n > 1 ? WSK_SAY(a, WSK_SAY_FOUND_MORE, n - 1) : NULL;
}

/* limit_at: offset of the limit, K, in wsk_gpu_params */
static void find_over_limit(const wsk_run *run, wsk_var what, wsk_code name, size_t limit_at, wsk_said_list *o)
{
    const wsk_card *worst = NULL;
    double top = 0, worst_limit = 0;
    int n = 0;
    for (int i = 0; i < run->net->n_card; i++) {
        const wsk_card *c = &run->net->cards[i];
        double limit, max = wsk_var_high(run, what, i) + WSK_KELVIN;
        memcpy(&limit, (const char *)c->gpu + limit_at, sizeof limit);
        if (isnan(limit) || max <= limit)
            continue;
        n++;
        if (!worst || max > top) {
            worst = c;
            top = max;
            worst_limit = limit;
        }
    }
    if (worst)
        wsk_said_add(o, WSK_SAID(WSK_SAY_FOUND_TOO_HOT, worst->id, say_more(o->arena, n), wsk_arg_named(name),
                                 top - WSK_KELVIN, worst_limit - WSK_KELVIN));
}

/* Adds one message on the cards in thermal runaway of kind `how` (values of wsk_card_state.runaway: 1 leakage, 2 at
 * the lowest clock, 3 after a failure). */
static void find_runaways(const wsk_run *run, int64_t how, wsk_code code, wsk_said_list *o)
{
    const char *first = NULL;
    int n = 0;
    for (int i = 0; i < run->net->n_card; i++)
        /* find_shutdowns reports cards that are off */
        if (run->cards[i].runaway == how && !(how == 3 && run->cards[i].off)) {
            first = first ? first : run->net->cards[i].id;
            n++;
        }
    if (first)
        wsk_said_add(
            o, &(wsk_said){code, 2, (const wsk_arg[]){wsk_arg_text(first), wsk_arg_said(say_more(o->arena, n))}});
}

/* Adds a message if a governor hunts: it raises and lowers a card's clock again and again. Steady points are skipped,
 * because their time is artificial. */
static void find_hunting(const wsk_run *run, wsk_said_list *o)
{
    int n = 0, first = -1;
    for (int i = 0; i < run->net->n_card && !run->steady; i++)
        if (run->cards[i].hunts) {
            first = first < 0 ? i : first;
            n++;
        }
    if (first < 0)
        return;
    const wsk_card *c = &run->net->cards[first];
    const wsk_governor_ops *ops = c->governors[run->cards[first].hunts - 1].ops;
    wsk_said_add(o, &(wsk_said){ops->cause == WSK_REASON_HW ? WSK_SAY_FOUND_SLOWDOWN : WSK_SAY_FOUND_HUNTS, 3,
                                (const wsk_arg[]){wsk_arg_text(c->id), wsk_arg_said(say_more(o->arena, n)),
                                                  wsk_arg_text(ops->reason)}});
}

void wsk_found_schedules(const wsk_run *run, wsk_said_list *o)
{
    int n = 0, first = -1;
    for (int i = 0; i < run->net->n_card && run->steady; i++)
        if (run->net->cards[i].gpu->limit_schedule.count > 0) {
            first = first < 0 ? i : first;
            n++;
        }
    if (first >= 0)
        wsk_said_add(o, WSK_SAID(WSK_SAY_FOUND_SCHEDULE, run->net->cards[first].id, say_more(o->arena, n),
                                 run->cards[first].limit_w));
}

static void find_cards(const wsk_run *run, wsk_said_list *o)
{
    find_runaways(run, 1, WSK_SAY_FOUND_RUNAWAY_LEAKAGE, o);
    find_runaways(run, 2, WSK_SAY_FOUND_RUNAWAY_CLOCK, o);
    find_runaways(run, 3, WSK_SAY_FOUND_RUNAWAY_FAILURE, o);
    for (int i = 0; i < run->net->n_card; i++) {
        const wsk_card *c = &run->net->cards[i];
        if (!isnan(run->cards[i].pin_power_w) &&
            wsk_var_high(run, WSK_VAR_CARD_DIE_C, i) + WSK_KELVIN > c->gpu->shutdown_k)
            wsk_said_add(o, WSK_SAID(WSK_SAY_FOUND_PINNED, c->id));
    }
    find_over_limit(run, WSK_VAR_CARD_MEMORY_C, WSK_SAY_WORD_MEMORY, offsetof(wsk_gpu_params, memory_limit_k), o);
    find_over_limit(run, WSK_VAR_CARD_HOTSPOT_C, WSK_SAY_WORD_HOT_SPOT, offsetof(wsk_gpu_params, hotspot_limit_k), o);
    find_over_limit(run, WSK_VAR_CARD_VRM_C, WSK_SAY_WORD_VRM, offsetof(wsk_gpu_params, vrm_limit_k), o);
}

static void find_processors(const wsk_run *run, wsk_said_list *o)
{
    const wsk_net *net = run->net;
    for (int i = 0; i < net->n_case; i++) {
        const wsk_case *c = &net->cases[i];
        if (!c->cpu)
            continue;
        double max = wsk_var_high(run, WSK_VAR_CASE_CPU_C, i);
        if (max + WSK_KELVIN > c->cpu->limit_k)
            wsk_said_add(o,
                         WSK_SAID(WSK_SAY_FOUND_CPU_HOT, c->cpu->head.elem->id, max, c->cpu->limit_k - WSK_KELVIN));
    }
}

/* Adds a message for each coolant above 60 degC, the lowest limit that makers of pumps, hoses and AIO coolers
 * give. */
static void find_coolants(const wsk_run *run, wsk_said_list *o)
{
    const double hose_limit_c = 60;
    for (int i = 0; i < run->net->n_circuit; i++) {
        double max = wsk_var_high(run, WSK_VAR_LOOP_RETURN_C, i);
        if (max > hose_limit_c)
            wsk_said_add(o, WSK_SAID(WSK_SAY_FOUND_COOLANT_HOT, run->net->circuits[i].id, max, hose_limit_c));
    }
}

static void find_frozen(const wsk_run *run, wsk_said_list *o)
{
    for (int i = 0; i < run->net->n_circuit; i++) {
        const wsk_circuit *c = &run->net->circuits[i];
        const double min = wsk_var_low(run, WSK_VAR_LOOP_COOLANT_C, i),
                     freezes_c = c->coolant->freezes_k - WSK_KELVIN;
        if (min < freezes_c)
            wsk_said_add(o, WSK_SAID(WSK_SAY_FOUND_COOLANT_COLD, c->id, min, freezes_c));
    }
}

static void find_facilities(const wsk_run *run, wsk_said_list *o)
{
    const wsk_net *net = run->net;
    for (int i = 0; i < net->n_circuit; i++) {
        const wsk_circuit *c = &net->circuits[i];
        const double heat = wsk_loop_heat_w(run, i);
        if (c->facility && c->params->capacity_w > 0 && heat > c->params->capacity_w)
            wsk_said_add(o, WSK_SAID(WSK_SAY_FOUND_CDU, c->id, heat, c->params->capacity_w));
    }
}

/* Adds a message for each case whose cards heat limits or shut down while dust blocks a tenth or more of its filters
 * and coolers. */
static void find_dust(const wsk_run *run, wsk_said_list *o)
{
    const double least = 0.1;
    for (int i = 0; i < run->net->n_case; i++) {
        const wsk_case *c = &run->net->cases[i];
        const double blocked = c->dust < 0 ? 0 : run->rpm[c->dust];
        bool hot = false;
        for (int k = 0; k < run->net->n_card; k++)
            hot = hot ||
                  (run->net->cards[k].in == i && (wsk_is_shut_down(run, k) || wsk_heat_throttle_s(&run->cards[k]) >
                                                                                  WSK_TOLD_HEAT * wsk_window_s(run)));
        if (blocked >= least && hot)
            wsk_said_add(
                o, WSK_SAID(WSK_SAY_FOUND_DUST, c->elem->id, 100 * blocked,
                            c->params->dust > 0 && !run->steady ? WSK_SAY(o->arena, WSK_SAY_FOUND_DUST_END) : NULL));
    }
}

static void find_psus(const wsk_run *run, wsk_said_list *o)
{
    const wsk_net *net = run->net;
    for (int i = 0; i < net->n_supply; i++) {
        const wsk_supply_state *s = &run->supplies[i];
        if (s->peak_rel <= 1)
            continue;
        const wsk_said *hot = s->may_give_w < net->supplies[i].law.limit_w * 0.999
                                  ? WSK_SAY(o->arena, WSK_SAY_FOUND_PSU_DERATED, s->may_give_w)
                                  : NULL;
        if (net->n_supply == 1)
            wsk_said_add(o, WSK_SAID(WSK_SAY_FOUND_THE_PSU_OVER, hot));
        else
            wsk_said_add(o, WSK_SAID(WSK_SAY_FOUND_PSU_OVER, net->supplies[i].elem->id, hot));
    }
}

static void find_feed(const wsk_run *run, wsk_said_list *o)
{
    for (int i = 0; i < run->net->n_line; i++) {
        double percent = 100 * run->lines[i].feed_peak_rel;
        if (percent > 100 && run->net->lines[i].feeds[1])
            wsk_said_add(o, WSK_SAID(WSK_SAY_FOUND_UPS_OVER, percent));
        else if (percent > 100)
            wsk_said_add(o, WSK_SAID(WSK_SAY_FOUND_STRIP_OVER, percent));
    }
}

static void find_shutdowns(const wsk_run *run, wsk_said_list *o)
{
    const wsk_net *net = run->net;
    int64_t cards = run->head->shutdowns;
    const wsk_said *then = net->workload && (net->workload_ops->synchronous || net->n_group == 1)
                               ? WSK_SAY(o->arena, WSK_SAY_FOUND_WORK_STOPPED)
                               : NULL;
    for (int i = 0; i < net->n_case; i++)
        if (run->cases[i].cpu_off == 1) {
            cards--;
            wsk_said_add(o, WSK_SAID(WSK_SAY_FOUND_CPU_OFF, net->cases[i].cpu->head.elem->id, then));
        }
    if (cards > 0)
        wsk_said_add(o, WSK_SAID(WSK_SAY_FOUND_CARD_OFF, then));
}

void wsk_found_hot(const wsk_run *run, wsk_said_list *o)
{
    find_cards(run, o);
    find_processors(run, o);
    find_coolants(run, o);
}

bool wsk_parts_too_hot(const wsk_run *run)
{
    wsk_said_list found = {.arena = wsk_arena_new()};
    if (!found.arena)
        return false;
    wsk_found_hot(run, &found);
    bool any = found.count > 0;
    wsk_arena_free(found.arena);
    return any;
}

void wsk_found_parts(const wsk_run *run, wsk_said_list *o)
{
    wsk_found_schedules(run, o);
    wsk_found_hot(run, o);
    find_dust(run, o);
    find_hunting(run, o);
    find_feed(run, o);
    find_facilities(run, o);
    find_frozen(run, o);
}

static void find_lines(const wsk_run *run, wsk_said_list *o)
{
    for (int i = 0; i < run->net->n_line; i++) {
        const char *id = run->net->lines[i].id;
        if (run->lines[i].over_ns && run->net->n_line == 1)
            wsk_said_add(o, WSK_SAID(WSK_SAY_FOUND_CIRCUIT_OVER));
        else if (run->lines[i].over_ns)
            wsk_said_add(o, WSK_SAID(WSK_SAY_FOUND_BRANCH_OVER, id));
        if (run->lines[i].tripped)
            wsk_said_add(o, wsk_line_said(o->arena, run, i));
    }
}

/* Names of the machines that circuit `line` or PSU `supply` stopped; the index that is not meant is -1. NULL: none. */
static const wsk_said *name_stopped(wsk_arena *a, const wsk_run *run, int line, int supply)
{
    wsk_said_list names = {.arena = a};
    for (int i = 0; i < run->net->n_case; i++) {
        const wsk_stop by = wsk_stopped_by(run, i);
        if (line >= 0 ? by.line == line : by.supply == supply)
            wsk_said_add(&names, WSK_SAID(WSK_SAY_PLAIN, run->net->cases[i].elem->id));
    }
    return names.count ? wsk_said_link_all(&names, WSK_SAY_JOINED, WSK_SAY_JOINED) : NULL;
}

/* True if a PSU, or a circuit that is on, was overloaded or may trip. */
static bool is_burdened(const wsk_run *run)
{
    bool burdened = false;
    for (int i = 0; i < run->net->n_supply && !burdened; i++)
        burdened = run->supplies[i].peak_rel > 1 || wsk_supply_trip(run, i) >= WSK_TELLS;
    for (int i = 0; i < run->net->n_line && !burdened; i++)
        burdened = !run->lines[i].tripped && (run->lines[i].over_ns > 0 || wsk_line_trip(run, i) >= WSK_TELLS);
    return burdened;
}

/* Message on the machines that the loss of a circuit stops, at once or when the UPS is empty. Machines are named if
 * the rig has several. */
static const wsk_said *say_stops(wsk_arena *a, const wsk_run *run, int line)
{
    const wsk_line_state *s = &run->lines[line];
    const wsk_said *all = name_stopped(a, run, line, -1);
    if (!s->dark && !run->steady)
        return WSK_SAY(a, WSK_SAY_LINE_ON_BATTERY);
    if (!all)
        return is_burdened(run) ? WSK_SAY(a, WSK_SAY_LINE_TAKEN_OVER) : WSK_SAY(a, WSK_SAY_LINE_GOES_ON);
    const wsk_said *later = s->dark_ns > s->at_ns ? wsk_say_span(a, (double)s->dark_ns / 1e9) : NULL;
    if (run->net->n_case == 1)
        return later ? WSK_SAY(a, WSK_SAY_LINE_STOPS_LATER, later) : WSK_SAY(a, WSK_SAY_LINE_STOPS);
    return later ? WSK_SAY(a, WSK_SAY_LINE_STOPS_THESE_LATER, all, later) : WSK_SAY(a, WSK_SAY_LINE_STOPS_THESE, all);
}

const wsk_said *wsk_line_said(wsk_arena *a, const wsk_run *run, int line)
{
    const wsk_line_state *s = &run->lines[line];
    const char *id = run->net->lines[line].id;
    const wsk_said *at = wsk_say_span(a, (double)s->at_ns / 1e9), *stops = say_stops(a, run, line);
    return s->tripped == WSK_LINE_TRIPPED ? WSK_SAY(a, WSK_SAY_LINE_TRIPPED, id, at, stops)
                                          : WSK_SAY(a, WSK_SAY_LINE_FAILED, id, at, stops);
}

const wsk_said *wsk_supply_said(wsk_arena *a, const wsk_run *run, int supply)
{
    const wsk_supply *s = &run->net->supplies[supply];
    const wsk_supply_state *state = &run->supplies[supply];
    const wsk_said *names = state->failed ? name_stopped(a, run, -1, supply) : NULL;
    if (!names || run->steady)
        return NULL;
    return WSK_SAY(a, WSK_SAY_FOUND_PSU_STOPS, s->elem->id, wsk_say_span(a, (double)state->failed_ns / 1e9),
                   run->net->n_case > 1 ? WSK_SAY(a, WSK_SAY_LINE_STOPS_THESE, names)
                                        : WSK_SAY(a, WSK_SAY_LINE_STOPS));
}

static void find_stopping_psus(const wsk_run *run, wsk_said_list *o)
{
    for (int k = 0; k < run->net->n_supply; k++) {
        const wsk_said *said = wsk_supply_said(o->arena, run, k);
        if (said)
            wsk_said_add(o, said);
    }
}

bool wsk_found_ills(const wsk_run *run)
{
    wsk_said_list found = {.arena = wsk_arena_new()};
    if (!found.arena)
        return false;
    find_shutdowns(run, &found);
    find_psus(run, &found);
    find_lines(run, &found);
    find_stopping_psus(run, &found);
    wsk_trip_say(run, &found);
    wsk_found_hot(run, &found);
    find_feed(run, &found);
    find_facilities(run, &found);
    find_frozen(run, &found);
    bool any = found.count > 0 || wsk_is_dark(run);
    wsk_arena_free(found.arena);
    return any;
}

void wsk_found_water(const wsk_run *run, wsk_said_list *o)
{
    const double w = wsk_facility_heat_w(run);
    if (w >= 0.5)
        wsk_said_add(o, run->steady ? WSK_SAID(WSK_SAY_FACILITY_WATTS, w)
                                    : WSK_SAID(WSK_SAY_FACILITY_HEAT, w * wsk_window_s(run) / 3.6e6));
}

void wsk_found(const wsk_run *run, wsk_said_list *o)
{
    find_shutdowns(run, o);
    find_psus(run, o);
    find_lines(run, o);
    find_stopping_psus(run, o);
    wsk_trip_say(run, o);
    wsk_found_parts(run, o);
    wsk_found_guesses(run, o);
    wsk_found_water(run, o);
}

/* True if a locked clock can have held a card: it is below the highest clock, and for more than a thousandth of its work
 * neither a power limit nor heat held the card at a lower one. */
static bool lock_held(const wsk_card *c, const wsk_card_state *s)
{
    const double lock_hz = isnan(s->lock_hz) ? c->gpu->lock_clock_hz : s->lock_hz;
    const int64_t held_ns = s->throttle_ns[0] + s->throttle_ns[1] + s->throttle_ns[2] + s->throttle_ns[3];
    return lock_hz < c->gpu->clock_max_hz + c->gpu->clock_offset_hz && s->served_ns - held_ns > s->served_ns / 1000;
}

const char *wsk_lost_to(const wsk_run *run)
{
    bool locked = false, held = false;
    for (int i = 0; i < run->net->n_card; i++) {
        const wsk_card *c = &run->net->cards[i];
        const wsk_card_state *s = &run->cards[i]; /* a client may have set limit and lock (wsk_run_set) */
        locked = locked || (c->works && lock_held(c, s));
        held = held || (c->works && s->throttle_ns[0] > 0 &&
                        (wsk_min(c->held_w, s->held_w) < c->default_held_w || c->gpu->limit_schedule.count > 0));
    }
    return wsk_code_english(!locked ? WSK_SAY_WORD_LIMITS
                            : held  ? WSK_SAY_WORD_LIMITS_AND_CLOCK
                                    : WSK_SAY_WORD_LOCKED_CLOCK);
}

const wsk_said *wsk_links_said(wsk_arena *arena, const wsk_net *net)
{
    const wsk_workload_params *w = net->workload;
    const wsk_card *slow = NULL;
    if (!w || net->talk_share <= w->talk_share * (1 + 1e-9))
        return NULL;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_gpu_params *g = net->cards[i].gpu;
        if (net->cards[i].works && !g->nvlink &&
            (!slow || g->lanes * exp2(g->pcie) < slow->gpu->lanes * exp2(slow->gpu->pcie)))
            slow = &net->cards[i];
    }
    /* duration of a step of the work, divided by that of a reference step */
    double step = 1 - w->talk_share + net->talk_share;
    return WSK_SAY(arena, WSK_SAY_LINKS, slow ? slow->id : "", slow ? slow->gpu->lanes : 0,
                   slow ? slow->gpu->pcie : 0, 100 * net->talk_share / step, 100 * w->talk_share,
                   100 * (1 - 1 / step));
}

const wsk_said *wsk_served_said(wsk_arena *arena, const wsk_run *run, double busy_s)
{
    double served_s = 0;
    int working = 0;
    for (int i = 0; i < run->net->n_card; i++)
        if (run->net->cards[i].works) {
            served_s += (double)run->cards[i].served_ns / 1e9;
            working++;
        }
    const double share = working ? served_s / working / wsk_window_s(run) : 1;
    if (!(busy_s > 0) || !run->net->workload->load_curve.count || !(share < 0.995))
        return NULL;
    return WSK_SAY(arena, WSK_SAY_TOKENS_SERVED, 100 * share, wsk_say_rounded(arena, share * busy_s, 3));
}
