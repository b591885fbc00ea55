/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/calibrate/thermal.h"

#include <math.h>
#include <string.h>

#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "sim/step/step.h"
#include "sim/study/calibrate/fan_fit.h"

bool wsk_thermal_may_stop(const wsk_card *card)
{
    const wsk_elem *e = card->cooler->head.elem;
    return wsk_kind_param(e->kind, "natural-factor") && isnan(card->cooler->natural_w_k) &&
           wsk_fan_slowest(card) <= 0;
}

/* A fan that stops while the card is cool, although its part lets it turn, stands still below the die temperature
 * stops_k and follows its curve from turns_k on. Assumed: docs/theory/constants.md, "fan that may stop" */
static const double stops_k = 50 + WSK_KELVIN, turns_k = 55 + WSK_KELVIN;

wsk_curve wsk_thermal_stopping(const wsk_curve *had)
{
    wsk_curve out = {.count = 2, .x = {stops_k, turns_k}, .y = {0, wsk_curve_at(had, turns_k)}};
    for (int i = 0; i < had->count && out.count < WSK_CURVE_MAX; i++)
        if (had->x[i] > turns_k) {
            out.x[out.count] = had->x[i];
            out.y[out.count++] = had->y[i];
        }
    return out;
}

static double *value_of(wsk_elem *e, const char *name)
{
    for (const wsk_param *p = e->kind->params; p->name; p++)
        if (p->type == WSK_TYPE_NUMBER && strcmp(p->name, name) == 0)
            return (double *)((char *)e->params + p->offset);
    return NULL;
}

static bool take_part(wsk_thermal *th, const wsk_card *c, wsk_thermal_part *part)
{
    part->gpu = wsk_plan_gpu(th->plan->rig, c->id);
    if (!part->gpu)
        return false;
    for (wsk_elem *e = part->gpu->child; e; e = e->next)
        if (strcmp(e->kind->element, "cooler") == 0)
            part->cooler = e;
    if (!part->cooler)
        return false;
    part->fins = value_of(part->cooler, "conductance") ? "conductance" : "block-conductance";
    wsk_gpu_params *g = part->gpu->params;
    part->at[WSK_TH_FINS] = value_of(part->cooler, part->fins);
    part->stated = part->at[WSK_TH_FINS] && !isnan(*part->at[WSK_TH_FINS]);
    part->at[WSK_TH_FIN_HEAT] = value_of(part->cooler, "capacity");
    part->at[WSK_TH_BOARD] = &g->board_cond_w_k;
    part->link = &g->board_heatsink_cond_w_k;
    part->rpm_min = value_of(part->cooler, "rpm-min");
    part->slowest_rpm = part->rpm_min ? wsk_fan_slowest(c) : 0;
    part->x[WSK_TH_REST] = part->slowest_rpm > 0 ? -0.5 : 0.5;
    part->at[WSK_TH_DIE] = &g->die_res_k_w;
    part->at[WSK_TH_BOARD_HEAT] = &g->board_cap_j_k;
    part->at[WSK_TH_MEMORY] = &g->memory_res_k_w;
    if (isnan(c->cooler->natural_w_k))
        part->at[WSK_TH_STILL] = value_of(part->cooler, "natural-factor");
    /* base[] is read from the compiled network, because that also has the values that a part does not state and that
     * are computed from the card's size. */
    const bool block = part->at[WSK_TH_FINS] == &((wsk_cooler_params *)part->cooler->params)->block_w_k;
    part->base[WSK_TH_FINS] = block ? c->cooler->block_w_k : c->cooler->ua_w_k;
    part->base[WSK_TH_FIN_HEAT] = c->cooler->cap_j_k;
    part->base[WSK_TH_DIE] = c->gpu->die_res_k_w;
    part->base[WSK_TH_BOARD] = c->gpu->board_cond_w_k;
    part->link_base = c->gpu->board_heatsink_cond_w_k;
    part->base[WSK_TH_BOARD_HEAT] = c->gpu->board_cap_j_k;
    part->base[WSK_TH_MEMORY] = c->gpu->memory_res_k_w;
    part->base[WSK_TH_STILL] = c->cooler->natural_factor;
    return true;
}

/* Load of the logged cards as a share of their highest: mean of (power - idle power) / (highest power - idle power),
 * where `full` counts each value above a tenth as 1. bin < 0: the first minute. */
static double load_share(const wsk_thermal *th, int bin, bool full)
{
    double sum = 0;
    for (int i = 0; i < th->log->count; i++) {
        const wsk_thermal_card *c = &th->log->cards[i];
        const double rest = th->net->cards[c->card].gpu->idle_w, now = bin < 0 ? c->opening_w : c->power_w[bin],
                     share = c->highest_w > rest ? wsk_min(wsk_max((now - rest) / (c->highest_w - rest), 0), 1) : 0;
        sum += full && share > 0.1 ? 1 : share;
    }
    return sum / th->log->count;
}

/* The host is taken to work as the logged cards do. */
static double host_share(const wsk_thermal *th, int bin)
{
    return load_share(th, bin, th->full_host);
}

bool wsk_thermal_is_other(const wsk_thermal *th, int card)
{
    const wsk_card *c = &th->net->cards[card];
    bool other = c->works && isnan(c->gpu->pin_power_w) && isnan(c->gpu->pin_clock_hz);
    for (int i = 0; i < th->log->count; i++)
        other = other && th->log->cards[i].card != card;
    return other;
}

/* Power, W, of a card that works and is not logged: it is taken to work as the logged cards do. */
static double other_w(const wsk_thermal *th, int card, int bin)
{
    const wsk_card *c = &th->net->cards[card];
    const double rest = c->gpu->idle_w,
                 full = c->ops->power_w(c->gpu, &c->cls, c->cls.ref_clock_hz, c->gpu->leakage_temp_k, NULL),
                 share = th->others_rest ? 0 : load_share(th, bin, false);
    return rest + share * wsk_max(wsk_min(full, c->held_w) - rest, 0);
}

static void pin(wsk_thermal *th, const wsk_thermal_card *c, wsk_thermal_part *part)
{
    wsk_gpu_params *g = part->gpu->params;
    g->pin_power_w = c->opening_w;
    g->pin_clock_hz = NAN;
    g->pin_fan = isnan(c->opening_rpm) ? g->pin_fan : wsk_printf(th->arena, "%.0f rpm", c->opening_rpm);
    g->limit_schedule.count = 0;
    g->shutdown_k = 423.15;
}

wsk_status wsk_thermal_make(wsk_thermal *th, wsk_arena *arena, const wsk_net *net, const wsk_thermal_log *log)
{
    *th = (wsk_thermal){.arena = arena, .net = net, .log = log, .known_until = log->bins};
    const size_t nodes = (size_t)net->n_node, movers = (size_t)net->n_mover,
                 cells = (size_t)log->bins * (size_t)log->count;
    th->plan = wsk_plan_copy(arena, net->plan);
    th->parts = wsk_alloc(arena, ((size_t)log->count + 1) * sizeof *th->parts);
    th->t = wsk_alloc(arena, nodes * sizeof *th->t);
    th->t_natural = wsk_alloc(arena, nodes * sizeof *th->t_natural);
    th->rpm = wsk_alloc(arena, (movers + 1) * sizeof *th->rpm);
    th->ref_k = wsk_alloc(arena, (movers + 1) * sizeof *th->ref_k);
    th->die_k = wsk_alloc(arena, (cells + 1) * sizeof *th->die_k);
    th->memory_k = wsk_alloc(arena, (cells + 1) * sizeof *th->memory_k);
    if (!th->plan || wsk_arena_failed(arena))
        return WSK_ENOMEM;
    wsk_elem *rig = th->plan->rig;
    for (wsk_elem *e = rig->child; e; e = e->next) {
        if (strcmp(e->kind->element, "run") == 0)
            *(int *)&((wsk_runspec_params *)e->params)->start = 1;
        for (wsk_elem *r = e->child; r && strcmp(e->kind->element, "site") == 0; r = r->next)
            if (strcmp(r->kind->element, "room") == 0)
                th->room_at = &((wsk_room_params *)r->params)->temp_k;
    }
    th->room_k = wsk_room_start_k(net);
    for (int i = 0; i < log->count; i++) {
        if (!th->room_at || !take_part(th, &net->cards[log->cards[i].card], &th->parts[i]))
            return WSK_EINPUT;
        pin(th, &log->cards[i], &th->parts[i]);
    }
    for (int i = 0; i < net->n_card; i++) {
        wsk_elem *gpu = wsk_thermal_is_other(th, i) ? wsk_plan_gpu(th->plan->rig, net->cards[i].id) : NULL;
        if (gpu)
            ((wsk_gpu_params *)gpu->params)->pin_power_w = other_w(th, i, -1);
    }
    return wsk_arena_failed(arena) ? WSK_ENOMEM : WSK_OK;
}

bool wsk_thermal_stops_anyway(const wsk_thermal *th, int card)
{
    return th->log->cards[card].rest_rpm && th->parts[card].x[WSK_TH_REST] < 0;
}

/* Gives a fan whose speeds are not logged the controller of the part, with the fitted speed while the card is cool. */
static void set_fan(wsk_thermal *th, int card)
{
    const wsk_thermal_part *p = &th->parts[card];
    const wsk_card *c = &th->net->cards[th->log->cards[card].card];
    wsk_cooler_params *cooler = p->cooler->params;
    const wsk_curve curve = wsk_card_curve(c);
    const bool stops = wsk_thermal_stops_anyway(th, card);
    cooler->curve = stops ? wsk_thermal_stopping(&curve) : curve;
    if (p->slowest_rpm > 0)
        *p->rpm_min = (0.5 + p->x[WSK_TH_REST]) * p->slowest_rpm;
    else if (p->rpm_min)
        *p->rpm_min = stops ? 0 : c->rpm_min;
}

static wsk_status compile(wsk_thermal *th, double inlet_k, wsk_net **net)
{
    *th->room_at = (th->log->inlet_k ? th->log->inlet_k[0] : th->room_k) + inlet_k;
    for (int i = 0; i < th->log->count; i++) {
        const wsk_thermal_part *p = &th->parts[i];
        for (int v = WSK_TH_FINS; v < WSK_TH_VALUES; v++)
            if (p->at[v])
                *p->at[v] = p->base[v] * wsk_exp(p->x[v]);
        *p->link = p->link_base * wsk_exp(p->x[WSK_TH_BOARD]);
        if (th->log->cards[i].follows)
            set_fan(th, i);
    }
    const size_t before = th->plan->diags.count;
    const wsk_status status = wsk_net_compile_copy(net, th->plan, th->net);
    th->plan->diags.count = before;
    th->plan->diags.errors = 0;
    return status;
}

/* Values on which the settled state depends, beside the inlet. A fan whose speeds are not logged turns then as the part
 * states: whether it turns at rest is not to be judged by this state. */
static const wsk_thermal_value settling[] = {WSK_TH_FINS, WSK_TH_DIE, WSK_TH_BOARD, WSK_TH_MEMORY, WSK_TH_STILL};

static bool is_settled(const wsk_thermal *th, double inlet_k)
{
    bool same = th->settled && !(inlet_k < th->settled_inlet_k || inlet_k > th->settled_inlet_k);
    for (int i = 0; i < th->log->count; i++)
        for (size_t v = 0; v < sizeof settling / sizeof *settling; v++) {
            const double x = th->parts[i].x[settling[v]], was = th->parts[i].settled_x[settling[v]];
            same = same && !(x < was || x > was);
        }
    return same;
}

static wsk_status settle_with(wsk_thermal *th, double inlet_k)
{
    wsk_net *net = NULL;
    wsk_run *run = NULL;
    wsk_status status = compile(th, inlet_k, &net);
    if (status == WSK_OK) {
        net->host_load *= load_share(th, -1, false);
    }
    if (status == WSK_OK)
        status = wsk_run_create(&run, net, &(wsk_run_options){.duration_s = 1, .step_s = 1, .no_series = true});
    if (status == WSK_OK) {
        const double off =
            *th->room_at -
            th->room_k; /* stored temperatures refer to the rig's room temperature, not to that of the log */
        for (int i = 0; i < net->n_node; i++) {
            th->t[i] = run->t[i] - off;
            th->t_natural[i] = run->t_natural[i] - off;
        }
        for (int i = 0; i < net->n_mover; i++) {
            th->rpm[i] = run->rpm[i];
            th->ref_k[i] = run->movers[i].ref_k;
        }
    }
    wsk_run_free(run);
    wsk_net_free(net);
    return status;
}

/* With values that are far off, as those of a wrong card, there may be no settled state. That of the rig is taken then. */
static wsk_status settle(wsk_thermal *th, double inlet_k)
{
    th->settled = false;
    for (int i = 0; i < th->log->count; i++) {
        wsk_thermal_part *p = &th->parts[i];
        memcpy(p->settled_x, p->x, sizeof p->settled_x);
        if (!th->rest_known)
            p->x[WSK_TH_REST] = p->slowest_rpm > 0 ? -0.5 : 0.5;
    }
    wsk_status status = settle_with(th, inlet_k);
    for (int i = 0; i < th->log->count && status == WSK_ENUMERIC; i++)
        for (int v = 0; v < WSK_TH_REST; v++)
            th->parts[i].x[v] = 0;
    if (status == WSK_ENUMERIC)
        status = settle_with(th, 0);
    for (int i = 0; i < th->log->count; i++)
        memcpy(th->parts[i].x, th->parts[i].settled_x, sizeof th->parts[i].x);
    th->settled = status == WSK_OK;
    th->settled_inlet_k = inlet_k;
    return status;
}

wsk_status wsk_thermal_open(wsk_thermal *th)
{
    return settle(th, th->parts[0].x[WSK_TH_INLET]);
}

/* Mean fitted temperature offset of the boards at the start of the log; all other solids in the case get the same
 * offset. */
static double shared_shift(const wsk_thermal *th)
{
    double sum = 0;
    for (int i = 0; i < th->log->count; i++)
        sum += th->parts[i].x[WSK_TH_START_BOARD];
    return sum / th->log->count;
}

static void start(const wsk_thermal *th, wsk_run *run)
{
    const wsk_net *net = run->net;
    const double off = *th->room_at - th->room_k, shift = shared_shift(th);
    for (int i = 0; i < net->n_node; i++) {
        run->t[i] = net->nodes[i].boundary ? run->t[i] : th->t[i] + off + shift;
        run->t_natural[i] = th->t_natural[i] + off;
    }
    for (int i = 0; i < net->n_mover; i++) {
        run->rpm[i] = th->rpm[i];
        run->movers[i].ref_k = th->ref_k[i];
    }
    for (int i = 0; i < th->log->count; i++) {
        wsk_card_state *s = &run->cards[th->log->cards[i].card];
        const wsk_thermal_card *log = &th->log->cards[i];
        wsk_start_card(run, log->card, log->from_die_k + th->parts[i].x[WSK_TH_START_DIE], log->from_w);
        s->power_w = th->log->cards[i].power_w[0];
        wsk_split_watts(&net->cards[th->log->cards[i].card], s);
        s->fan_ref_k = s->die_k = th->log->cards[i].from_die_k;
    }
    wsk_mover_watts(run);
    wsk_ask_all(run);
}

static double traffic_of(const wsk_thermal_card *c, int bin)
{
    return c->traffic ? c->traffic[bin] : (double)NAN;
}

/* Fan speed to set in a bin, rpm: rounded to 10 rpm, because each new speed costs a solution of the flow network.
 * While the logged speed moves, changes below 1 % of the highest speed are ignored. */
static double near_speed(double highest_rpm, const double *rpm, double least_rpm, int bin, double now_rpm)
{
    const double still_rpm = 0.01 * highest_rpm, rests_rpm = 0.1 * still_rpm,
                 whole_rpm = wsk_max(floor(rpm[bin] / 10 + 0.5) * 10, least_rpm);
    const bool rests = bin > 0 && fabs(rpm[bin] - rpm[bin - 1]) < rests_rpm;
    return rests || !(fabs(rpm[bin] - now_rpm) < still_rpm) ? whole_rpm : now_rpm;
}

static double hottest_k(const wsk_run *run, int in)
{
    double k = 0;
    for (int i = 0; i < run->net->n_card; i++)
        k = run->net->cards[i].in == in ? wsk_max(k, run->cards[i].die_k) : k;
    return k;
}

/* Sets the fans that follow the cards. Before th->known_until they have the speeds for the logged temperatures, later
 * those for the temperatures of the replay. */
static void set_case_fans(const wsk_thermal *th, wsk_run *run, int bin)
{
    for (int i = 0; i < run->net->n_mover && th->log->case_rpm; i++) {
        const double *rpm = th->log->case_rpm[i];
        wsk_mover_state *s = &run->movers[i];
        if (rpm && bin < th->known_until) {
            s->pin_rpm = near_speed(run->net->movers[i].ref_rpm, rpm, 0, bin, s->pin_rpm);
        } else if (rpm && !isnan(s->pin_rpm)) {
            s->pin_rpm = NAN;
            s->ref_k = hottest_k(run, run->net->movers[i].in);
        }
    }
}

static void set_inputs(const wsk_thermal *th, wsk_net *net, wsk_run *run, int bin)
{
    for (int i = 0; i < th->log->count; i++) {
        const wsk_thermal_card *c = &th->log->cards[i];
        wsk_card_state *s = &run->cards[c->card];
        s->pin_power_w = c->power_w[bin];
        wsk_set_traffic(s, traffic_of(c, bin));
        if (c->rpm && !(c->follows && bin >= th->known_until)) {
            const wsk_card *card = &run->net->cards[c->card];
            s->pin_rpm = near_speed(card->rpm_max, wsk_thermal_stops_anyway(th, i) ? c->rest_rpm : c->rpm,
                                    c->follows ? card->rpm_min : 0, bin, s->pin_rpm);
        } else if (c->follows && !isnan(s->pin_rpm)) {
            s->pin_rpm = NAN;
            s->fan_ref_k = s->die_k;
        }
    }
    for (int i = 0; i < net->n_card; i++)
        if (wsk_thermal_is_other(th, i))
            run->cards[i].pin_power_w = other_w(th, i, bin);
    set_case_fans(th, run, bin);
    net->host_load = th->net->host_load * host_share(th, bin);
    if (th->log->inlet_k)
        run->t[run->net->room] = th->log->inlet_k[bin] + (*th->room_at - th->log->inlet_k[0]);
    wsk_wake(run);
}

static void keep_delivery(wsk_thermal *th, const wsk_run *run, int bin)
{
    const int supplies = run->net->n_supply;
    if (th->dc_w && supplies)
        memcpy(&th->dc_w[bin * supplies], run->supply_dc_w, (size_t)supplies * sizeof *th->dc_w);
    else if (th->dc_w)
        th->dc_w[bin] = run->case_dc_w[0];
}

/* Adds `weight` of the present temperatures of heatsinks and memories to the means of the bin. */
static void add_now(wsk_thermal *th, const wsk_run *run, int bin, double weight)
{
    for (int i = 0; i < th->log->count; i++) {
        const wsk_card *c = &run->net->cards[th->log->cards[i].card];
        th->die_k[i * th->log->bins + bin] += weight * run->t[c->heatsink];
        th->memory_k[i * th->log->bins + bin] += weight * run->t[c->memory];
    }
}

/* Number of parts of a bin over which its means are integrated: 1 by the trapezoidal rule, else an even number by that of
 * Simpson. A heatsink follows a step of power within some 50 s, so the mean of a minute is not that of its ends. */
static int parts_of(double bin_s)
{
    enum { MOST_PARTS = 10 }; /* bounds the time that a log of months takes */
    const double brief_s = 20, part_s = 30;
    return bin_s < brief_s ? 1 : (int)wsk_min(2 * ceil(bin_s / (2 * part_s)), MOST_PARTS);
}

static bool play_bin(wsk_thermal *th, wsk_run *run, int bin, int parts)
{
    const double bin_s = th->log->bin_s;
    for (int i = 0; i < th->log->count; i++)
        th->die_k[i * th->log->bins + bin] = th->memory_k[i * th->log->bins + bin] = 0;
    add_now(th, run, bin, parts == 1 ? 0.5 : 1.0 / (3 * parts));
    for (int k = 1; k <= parts; k++) {
        const double until_s = bin * bin_s + k * bin_s / parts;
        run->leap_until_ns = (int64_t)(until_s * 1e9 + 0.5);
        if (wsk_run_advance(run, until_s) != WSK_OK)
            return false;
        add_now(th, run, bin, parts == 1 ? 0.5 : (k == parts ? 1 : k % 2 ? 4 : 2) / (3.0 * parts));
    }
    return true;
}

static bool play(wsk_thermal *th, wsk_net *net, wsk_run *run)
{
    const wsk_thermal_log *log = th->log;
    const int parts = parts_of(log->bin_s);
    run->observer->bucket_ticks = 60;
    for (int bin = 0; bin < log->bins; bin++) {
        set_inputs(th, net, run, bin);
        if (!play_bin(th, run, bin, parts))
            return false;
        keep_delivery(th, run, bin);
        for (int i = 0; i < log->count; i++) {
            const wsk_card *c = &run->net->cards[log->cards[i].card];
            th->die_k[i * log->bins + bin] +=
                c->die_res_k_w * wsk_die_w(c, traffic_of(&log->cards[i], bin), log->cards[i].power_w[bin]);
        }
    }
    return true;
}

static void lag(double *v, int bins, double by)
{
    const double share = by - floor(by);
    const int whole = (int)floor(by);
    const int step = by >= 0 ? -1 : 1; /* direction in which no bin is overwritten before it is needed */
    for (int n = 0; n < bins; n++) {
        const int i = step < 0 ? bins - 1 - n : n;
        int near = i - whole, far = near - 1;
        near = near < 0 ? 0 : near >= bins ? bins - 1 : near;
        far = far < 0 ? 0 : far >= bins ? bins - 1 : far;
        v[i] = (1 - share) * v[near] + share * v[far];
    }
}

wsk_status wsk_thermal_replay(wsk_thermal *th, int inlet_of)
{
    wsk_net *net = NULL;
    wsk_run *run = NULL;
    const wsk_run_options o = {
        .duration_s = th->log->bins * th->log->bin_s + 1, .step_s = 1, .leap = true, .no_series = true};
    th->runs++;
    for (int i = 0; i < th->log->count * th->log->bins; i++)
        th->die_k[i] = th->memory_k[i] = NAN;
    const double inlet_k = th->parts[inlet_of].x[WSK_TH_INLET];
    wsk_status status = is_settled(th, inlet_k) ? WSK_OK : settle(th, inlet_k);
    if (status == WSK_OK)
        status = compile(th, inlet_k, &net);
    if (status == WSK_OK)
        status = wsk_run_make(&run, net, &o, false);
    if (status == WSK_OK) {
        run->replays = true;
        /* longer leaps (time steps) than in a run: save a third of the time, and change fitted values by 1e-5 at
         * most */
        run->close_leaps = false;
        start(th, run);
        if (!play(th, net, run))
            status = WSK_ENUMERIC;
    }
    for (int i = 0; i < th->log->count && status == WSK_OK; i++)
        lag(&th->die_k[i * th->log->bins], th->log->bins, th->parts[i].x[WSK_TH_DELAY] / th->log->bin_s);
    wsk_run_free(run);
    wsk_net_free(net);
    return status;
}
