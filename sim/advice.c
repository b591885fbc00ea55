/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one change would help most: found by solving the changed rig, not by rule. */
#include "sim/advice.h"

#include <math.h>
#include <string.h>

#include "sim/run/run.h"

enum { SETS_MAX = 64, VARIANTS_MAX = 12 };

typedef struct {
    const char *text; /* what is changed, in words */
    const char *sets[SETS_MAX];
    size_t count;
} variant;

typedef struct {
    double work, lost, wall_w, over_w, over_psu_w, dc_w, hottest_c, room_c;
    bool throttles;
    int dead;
} outcome;

static double hottest(const wsk_run *run)
{
    double worst = 0;
    for (int i = 0; i < run->net->n_card; i++)
        worst = fmax(worst, run->t[run->net->cards[i].heatsink]);
    return worst - WSK_KELVIN;
}

/* The steady point of a network; false where it has none. */
static bool judge(const wsk_net *net, outcome *out)
{
    wsk_run *run = NULL;
    bool cycling, ok = wsk_steady_solve(&run, net, WSK_STEPPER_FAST, &cycling, NULL, NULL) == WSK_OK;
    if (ok) {
        const wsk_ledger *l = &run->head->ledger;
        double done = 0, cool = 0, time = wsk_window_s(run);
        double wall = wsk_sum_value(&l->wall) + wsk_sum_value(&l->side) + wsk_sum_value(&l->cooling_electric);
        *out = (outcome){.wall_w = wall / time, .hottest_c = hottest(run), .room_c = run->t[net->room] - WSK_KELVIN};
        for (int i = 0; i < net->n_supply; i++) {
            double dc = run->supplies[i].dc_peak_w;
            out->dc_w = fmax(out->dc_w, dc);
            out->over_psu_w += fmax(0, dc - net->supplies[i].law.limit_w);
        }
        for (int i = 0; i < net->n_card; i++) {
            const wsk_card_state *s = &run->cards[i];
            out->dead += s->off != 0;
            done += wsk_sum_value(&s->work);
            cool += wsk_sum_value(&s->work_cool);
            out->throttles = out->throttles || wsk_heat_throttle_s(s) > 0.01 * time;
        }
        out->work = done / time;
        out->lost = cool > 0 ? 1 - done / cool : 0;
        out->over_w = net->circuit_w > 0 ? fmax(0, wsk_mean_of(run, "wall_va") - net->circuit_w) : 0;
    }
    wsk_run_free(run);
    return ok;
}

/* The same of a rig with some assignments more; false, too, when that rig cannot be built. */
static bool judge_variant(const wsk_plan_input *base, const variant *v, outcome *out)
{
    const char *sets[2 * SETS_MAX];
    wsk_plan_input input = *base;
    wsk_plan *plan = NULL;
    wsk_net *net = NULL;
    if (base->set_count > SETS_MAX)
        return false;
    input.sets = sets;
    input.set_count = 0;
    for (size_t i = 0; i < base->set_count; i++)
        sets[input.set_count++] = base->sets[i];
    for (size_t i = 0; i < v->count; i++)
        sets[input.set_count++] = v->sets[i];
    bool ok = wsk_plan_load(&plan, &input) == WSK_OK && wsk_net_compile(&net, plan) == WSK_OK && judge(net, out);
    wsk_net_free(net);
    wsk_plan_free(plan);
    return ok;
}

static void push(wsk_arena *a, variant *v, const char *path, double value, const char *unit)
{
    char number[40];
    wsk_format_number(number, sizeof number, value);
    const char *set = wsk_printf(a, "%s=%s%s", path, number, unit);
    if (set && v->count < SETS_MAX)
        v->sets[v->count++] = set;
}

static void limit_all(wsk_arena *a, const wsk_net *net, variant *v, const char *text, double share)
{
    v->text = text;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        double watts = share < 1 ? floor(c->held_w * share) : c->default_limit_w;
        push(a, v, wsk_printf(a, "gpu[%s].power-limit", c->id), watts, " W");
    }
}

static size_t propose_limits(wsk_arena *a, const wsk_net *net, variant *list)
{
    size_t n = 0;
    limit_all(a, net, &list[n++], "power limits 10 % lower", 0.9);
    limit_all(a, net, &list[n++], "power limits 20 % lower", 0.8);
    bool lowered = false;
    for (int i = 0; i < net->n_card; i++)
        lowered = lowered || net->cards[i].limit_w < net->cards[i].default_limit_w;
    if (lowered)
        limit_all(a, net, &list[n++], "power limits at their default", 1);
    return n;
}

static size_t propose_room_and_supply(wsk_arena *a, const wsk_net *net, double dc_w, bool hot_room, variant *list)
{
    size_t n = 0;
    if (isnan(net->room_params->temp_k) && hot_room && net->room_params->cond_w_k > 0) {
        list[n].text = "the room aired twice as well";
        push(a, &list[n++], "room.conductance", 2 * net->room_params->cond_w_k, " W/K");
    }
    if (!isnan(net->room_params->temp_k)) {
        list[n].text = "a room 5 K cooler";
        push(a, &list[n++], "room.temperature", net->room_params->temp_k - WSK_KELVIN - 5, " degC");
    } else if (net->ac) {
        list[n].text = "the air conditioner set 3 K lower";
        push(a, &list[n++], "air-conditioner.setpoint", net->ac->setpoint_k - WSK_KELVIN - 3, " degC");
    }
    if (net->n_supply == 1 && dc_w > net->supplies[0].law.limit_w) {
        double rated = ceil(dc_w / 0.85 / 50) * 50;
        list[n].text = wsk_printf(a, "a power supply of %.0f W", rated);
        push(a, &list[n++], "psu.rated", rated, " W");
    }
    return n;
}

static size_t propose_spacing(wsk_arena *a, const wsk_net *net, variant *list)
{
    double last = -1; /* slot that the last card ends in, one free slot between the cards */
    bool stacked = net->n_case == 1;
    for (int i = 0; i < net->n_card; i++) {
        last += net->cards[i].gpu->slots + 1;
        stacked = stacked && isnan(net->cards[i].gpu->riser_m);
    }
    if (net->n_card < 2 || !stacked || last > net->cases[0].params->slots)
        return 0;
    list->text = "one free slot between the cards";
    double slot = 1;
    for (int i = 0; i < net->n_card; i++) {
        push(a, list, wsk_printf(a, "gpu[%s].slot", net->cards[i].id), slot, "");
        slot += net->cards[i].gpu->slots + 1;
    }
    return 1;
}

static size_t propose_fan(wsk_arena *a, const wsk_net *net, variant *list)
{
    for (const wsk_elem *e = NULL; net->n_case == 1 && (e = wsk_elem_child(net->cases[0].elem, "fan", e)) != NULL;) {
        const wsk_fan_params *f = e->params;
        if (f->at == WSK_AT_REAR || f->at == WSK_AT_TOP)
            continue;
        list->text = "one more intake fan of the same kind";
        push(a, list, wsk_printf(a, "fan[%s].count", e->id), f->count + 1, "");
        return 1;
    }
    return 0;
}

/* Work counts for itself; energy for three tenths; an end to throttling or to an overloaded circuit for more
 * than both. */
static double score(const outcome *base, const outcome *v)
{
    double s =
        (v->work - base->work) / fmax(base->work, 0.01) + 0.3 * (base->wall_w - v->wall_w) / fmax(base->wall_w, 1);
    if (base->over_w > 0)
        s += (base->over_w - v->over_w) / base->over_w;
    if (base->over_psu_w > 0)
        s += 2 * (base->over_psu_w - v->over_psu_w) / base->over_psu_w;
    return s + 0.2 * (base->throttles - v->throttles) + 2.0 * (base->dead - v->dead);
}

static void say(const wsk_net *net, const outcome *base, const variant *v, const outcome *o, wsk_buf *out)
{
    double work = 100 * (o->work - base->work) / fmax(base->work, 0.01), watts = o->wall_w - base->wall_w;
    wsk_buf_printf(out, "%s: work %+.1f %%, wall power %+.0f W, hottest heatsink %+.0f K", v->text, work, watts,
                   o->hottest_c - base->hottest_c);
    if (net->tariff)
        wsk_buf_printf(out, ", %+.0f %s a year", watts * 365 * 86400 * wsk_bill_yearly_price(net->billing),
                       net->currency ? net->currency : "");
    if (base->over_w > 0)
        wsk_buf_printf(out, o->over_w > 0 ? "; still %.0f W over the circuit" : "; within the circuit", o->over_w);
    wsk_buf_printf(out, ".\n");
}

static void tell_tried(const variant *list, size_t tried, wsk_buf *out)
{
    for (size_t i = 0; i < tried; i++)
        wsk_buf_printf(out, "%s%s", i ? ", " : " (tried: ", list[i].text);
    wsk_buf_printf(out, ")");
}

/* The steady point, of which advice speaks, lies before what fails later. */
static bool awaits_failure(const wsk_net *net)
{
    for (int i = 0; i < net->n_mover; i++)
        if (net->movers[i].fails_ns > 0)
            return true;
    return false;
}

static void conclude(const wsk_net *net, const outcome *base, const variant *v, const outcome *best,
                     const variant *list, size_t tried, wsk_buf *out)
{
    bool ill = base->dead || base->over_w > 0 || base->over_psu_w > 0 || base->lost > 0.01;
    wsk_buf_printf(out, "Advice   ");
    if (base->dead && best->dead) {
        wsk_buf_printf(out, "cards shut down from heat; they need more air than a change of settings gives");
        tell_tried(list, tried, out);
        wsk_buf_printf(out, ".\n");
        return;
    }
    if (score(base, best) <= 0.01 && ill) {
        wsk_buf_printf(out, "no change of settings helps");
        tell_tried(list, tried, out);
        wsk_buf_printf(out, "; the nearest is ");
    } else if (score(base, best) <= 0.01) {
        wsk_buf_printf(out, "%snothing needs help; for comparison, ", awaits_failure(net) ? "before the failure " : "");
    }
    say(net, base, v, best, out);
}

wsk_status wsk_advise(const wsk_net *net, const wsk_plan_input *input, wsk_buf *out)
{
    wsk_arena *arena = wsk_arena_new();
    variant *list = arena ? wsk_alloc(arena, (VARIANTS_MAX + 1) * sizeof *list) : NULL;
    if (!list) {
        wsk_arena_free(arena);
        return WSK_ENOMEM;
    }
    outcome base = {0}, best = {0}, o;
    if (net->n_card > 0 && net->n_card <= SETS_MAX && judge(net, &base)) {
        size_t n = propose_limits(arena, net, list), chosen;
        n += propose_room_and_supply(arena, net, base.dc_w, base.room_c > 30, list + n);
        n += propose_spacing(arena, net, list + n);
        n += propose_fan(arena, net, list + n);
        chosen = n;
        for (size_t i = 0; i < n; i++)
            if (judge_variant(input, &list[i], &o) && (chosen == n || score(&base, &o) > score(&base, &best))) {
                best = o;
                chosen = i;
            }
        if (chosen < n)
            conclude(net, &base, &list[chosen], &best, list, n, out);
    }
    wsk_arena_free(arena);
    return WSK_OK;
}
