/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one change would help most: found by solving the changed rig, not by rule. */
#include "sim/advice.h"

#include <math.h>
#include <string.h>

enum { SETS_MAX = 64, VARIANTS_MAX = 20 };

typedef struct {
    const char *text; /* what is changed, in words */
    const char *sets[SETS_MAX];
    size_t count;
} variant;

typedef struct {
    double work, lost, wall_w, over_w, over_psu_w, hottest_c, room_c;
    double trip;                   /* chance that a supply or the breaker switches off within the run */
    double cure_psu, cure_circuit; /* shares of the cards' watts at which supplies, and the circuit, would carry them; 1: they do */
    double cure_rated[SETS_MAX];   /* the nameplate at which each supply would; 0: it needs none */
    bool throttles;
    int dead;
} outcome;

/* The rig as it stands, and what a run of it had beyond its steady point. */
typedef struct {
    wsk_arena *arena;
    const wsk_net *net;
    const wsk_plan_input *input;
    variant failed;          /* supplies that fail within the run: advice is for what comes after */
    double extra_w[SETS_MAX]; /* a supply's */
    double extra_va;
} rig;

static double hottest(const wsk_run *run)
{
    double worst = 0;
    for (int i = 0; i < run->net->n_card; i++)
        worst = fmax(worst, run->t[run->net->cards[i].heatsink]);
    return worst - WSK_KELVIN;
}

/* Supplies and breaker at this steady point, with its loads for as long as the run. */
static void judge_delivery(const wsk_run *run, const rig *r, outcome *o)
{
    const wsk_net *net = run->net;
    double stay = 1, card_w[WSK_STEP_CARDS], cards = 0, va = wsk_mean_of(run, "wall_va") + r->extra_va;
    for (int i = 0; i < net->n_card; i++)
        cards += wsk_stat_of(run, net->cards[i].id, "power_w", 0);
    o->cure_psu = o->cure_circuit = 1;
    for (int i = 0; i < net->n_supply && i < SETS_MAX; i++) {
        if (run->supplies[i].failed)
            continue;
        wsk_steps steps = wsk_steps_of_run(run, i, net->runspec->for_s, card_w);
        steps.base_w += r->extra_w[i];
        double p = wsk_steps_trip(&steps, NULL), over = fmax(0, steps.base_w - steps.limit_w);
        stay *= 1 - p;
        o->over_psu_w += over;
        if (p >= 0.005 || over > 0) {
            double rated = wsk_steps_cure_rating(&steps);
            o->cure_psu = fmin(o->cure_psu, wsk_steps_cure_limits(&steps));
            o->cure_rated[i] = isfinite(rated) ? rated : 0;
        }
    }
    if (!isnan(net->site->circuit_a)) {
        double m = va / (net->site->circuit_a * net->site->supply_v);
        stay *= 1 - wsk_breaker_trip(&net->breaker, m * m, m);
    }
    o->over_w = net->circuit_w > 0 ? fmax(0, va - net->circuit_w) : 0;
    if (o->over_w > 0 && cards > 0)
        o->cure_circuit = floor(100 * (1 - o->over_w / cards)) / 100;
    o->trip = 1 - stay;
}

/* The steady point of a network; false where it has none. Sets what the run had beyond it, where `run` is not NULL. */
static bool judge(const wsk_net *net, rig *r, const wsk_run *run_of_it, outcome *out)
{
    wsk_run *run = NULL;
    bool cycling, ok = wsk_steady_solve(&run, net, WSK_STEPPER_FAST, &cycling, NULL, NULL) == WSK_OK;
    if (ok) {
        const wsk_ledger *l = &run->head->ledger;
        double done = 0, cool = 0, time = wsk_window_s(run), card_w[WSK_STEP_CARDS];
        double wall = wsk_sum_value(&l->wall) + wsk_sum_value(&l->side) + wsk_sum_value(&l->cooling_electric);
        *out = (outcome){.wall_w = wall / time, .hottest_c = hottest(run), .room_c = run->t[net->room] - WSK_KELVIN};
        for (int i = 0; run_of_it && i < net->n_supply && i < SETS_MAX; i++)
            r->extra_w[i] = run_of_it->supplies[i].failed ? 0
                                : fmax(0, wsk_steps_of_run(run_of_it, i, 1, card_w).base_w - wsk_steps_of_run(run, i, 1, card_w).base_w);
        if (run_of_it)
            r->extra_va = fmax(0, run_of_it->head->va_peak - wsk_mean_of(run, "wall_va"));
        judge_delivery(run, r, out);
        for (int i = 0; i < net->n_card; i++) {
            const wsk_card_state *s = &run->cards[i];
            out->dead += s->off != 0;
            done += wsk_sum_value(&s->work);
            cool += wsk_sum_value(&s->work_cool);
            out->throttles = out->throttles || wsk_heat_throttle_s(s) > 0.01 * time;
        }
        out->work = done / time;
        out->lost = cool > 0 ? 1 - done / cool : 0;
    }
    wsk_run_free(run);
    return ok;
}

/* The same of a rig with some assignments more; false, too, when that rig cannot be built. */
static bool judge_variant(rig *r, const variant *v, const wsk_run *run_of_it, outcome *out)
{
    const char *sets[3 * SETS_MAX];
    wsk_plan_input input = *r->input;
    wsk_plan *plan = NULL;
    wsk_net *net = NULL;
    if (r->input->set_count > SETS_MAX)
        return false;
    input.sets = sets;
    input.set_count = 0;
    for (size_t i = 0; i < r->input->set_count; i++)
        sets[input.set_count++] = r->input->sets[i];
    for (size_t i = 0; i < r->failed.count; i++)
        sets[input.set_count++] = r->failed.sets[i];
    for (size_t i = 0; v && i < v->count; i++)
        sets[input.set_count++] = v->sets[i];
    bool ok = wsk_plan_load(&plan, &input) == WSK_OK && wsk_net_compile(&net, plan) == WSK_OK && judge(net, r, run_of_it, out);
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

static size_t propose_limits(wsk_arena *a, const wsk_net *net, const outcome *base, variant *list)
{
    size_t n = 0;
    double cure = fmin(base->cure_psu, base->cure_circuit);
    limit_all(a, net, &list[n++], "power limits 10 % lower", 0.9);
    limit_all(a, net, &list[n++], "power limits 20 % lower", 0.8);
    if (cure > 0 && cure < 1)
        limit_all(a, net, &list[n++], wsk_printf(a, "power limits %.0f %% lower", 100 * (1 - cure)), cure);
    bool lowered = false;
    for (int i = 0; i < net->n_card; i++)
        lowered = lowered || net->cards[i].limit_w < net->cards[i].default_limit_w;
    if (lowered)
        limit_all(a, net, &list[n++], "power limits at their default", 1);
    return n;
}

static void larger_supplies(wsk_arena *a, const wsk_net *net, const outcome *base, double rated_w, variant *v)
{
    for (int i = 0; i < net->n_supply && i < SETS_MAX; i++) {
        const wsk_supply *s = &net->supplies[i];
        double may = rated_w * s->law.limit_w / s->law.rated_w, volt = net->site->supply_v;
        if (!(base->cure_rated[i] > 0) && !s->params->redundant)
            continue;
        push(a, v, wsk_printf(a, "psu[%s].rated", s->elem->id), rated_w, " W");
        const char *set = wsk_printf(a, "psu[%s].line-rating=%.0f V:%.0f W, %.0f V:%.0f W", s->elem->id, volt, may, volt + 1, may);
        if (s->params->line_rating.count && set && v->count < SETS_MAX)
            v->sets[v->count++] = set;
    }
    v->text = wsk_printf(a, net->n_supply > 1 ? "%spower supplies of %.0f W" : "%sa power supply of %.0f W", v->text ? v->text : "", rated_w);
}

/* Larger supplies in place of those that need it; 240 V where the site has less, alone or with what the supplies need. */
static size_t propose_delivery(wsk_arena *a, const wsk_net *net, const outcome *base, variant *list)
{
    size_t n = 0;
    double most = 0;
    for (int i = 0; i < net->n_supply && i < SETS_MAX; i++)
        most = fmax(most, base->cure_rated[i]);
    if (most > 0)
        larger_supplies(a, net, base, most, &list[n++]);
    if (net->site->supply_v >= 180 || !(base->trip >= 0.005 || base->over_w > 0))
        return n;
    list[n].text = "240 V";
    push(a, &list[n++], "site.supply", 240, " V");
    if (base->cure_psu > 0 && base->cure_psu < 1) {
        push(a, &list[n], "site.supply", 240, " V");
        limit_all(a, net, &list[n], wsk_printf(a, "240 V and power limits %.0f %% lower", 100 * (1 - base->cure_psu)), base->cure_psu);
        n++;
    }
    if (most > 0) {
        list[n].text = "240 V and ";
        push(a, &list[n], "site.supply", 240, " V");
        larger_supplies(a, net, base, most, &list[n++]);
    }
    return n;
}

static size_t propose_room(wsk_arena *a, const wsk_net *net, bool hot_room, variant *list)
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
 * than both; an end to trips for most. */
static double score(const outcome *base, const outcome *v)
{
    double s =
        (v->work - base->work) / fmax(base->work, 0.01) + 0.3 * (base->wall_w - v->wall_w) / fmax(base->wall_w, 1);
    if (base->over_w > 0)
        s += (base->over_w - v->over_w) / base->over_w;
    if (base->over_psu_w > 0)
        s += 2 * (base->over_psu_w - v->over_psu_w) / base->over_psu_w;
    if (base->trip >= 0.005)
        s += 4 * (base->trip - v->trip) / base->trip;
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
    if (base->trip >= 0.005 && o->trip >= 0.005)
        wsk_buf_printf(out, "; it would still trip, %.0f in 100", 100 * o->trip);
    else if (base->trip >= 0.005)
        wsk_buf_printf(out, "; it would then not trip");
    else if (base->over_psu_w > 0)
        wsk_buf_printf(out, o->over_psu_w > 0 ? "; still %.0f W over the supply's rating" : "; within the supply's rating", o->over_psu_w);
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

/* A supply that fails within the run has failed for the advice. */
static void fail_supplies(rig *r)
{
    const wsk_net *net = r->net;
    for (int i = 0; i < net->n_supply; i++)
        if (net->supplies[i].fails_ns > 0 && (double)net->supplies[i].fails_ns < net->runspec->for_s * 1e9)
            push(r->arena, &r->failed, wsk_printf(r->arena, "psu[%s].fails-at", net->supplies[i].elem->id), 0, " s");
}

static void conclude(const rig *r, const outcome *base, const variant *v, const outcome *best,
                     const variant *list, size_t tried, wsk_buf *out)
{
    const wsk_net *net = r->net;
    bool ill = base->dead || base->over_w > 0 || base->over_psu_w > 0 || base->trip >= 0.005 || base->lost > 0.01;
    wsk_buf_printf(out, r->failed.count ? "Advice   after the failure: " : "Advice   ");
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

wsk_status wsk_advise(const wsk_net *net, const wsk_run *run, const wsk_plan_input *input, wsk_buf *out)
{
    wsk_arena *arena = wsk_arena_new();
    variant *list = arena ? wsk_alloc(arena, (VARIANTS_MAX + 1) * sizeof *list) : NULL;
    rig *r = arena ? wsk_alloc(arena, sizeof *r) : NULL;
    if (!list || !r) {
        wsk_arena_free(arena);
        return WSK_ENOMEM;
    }
    *r = (rig){.arena = arena, .net = net, .input = input};
    fail_supplies(r);
    outcome base = {0}, best = {0}, o;
    if (net->n_card > 0 && net->n_card <= SETS_MAX &&
        (r->failed.count ? judge_variant(r, NULL, run, &base) : judge(net, r, run, &base))) {
        size_t n = propose_limits(arena, net, &base, list), chosen;
        n += propose_delivery(arena, net, &base, list + n);
        n += propose_room(arena, net, base.room_c > 30, list + n);
        n += propose_spacing(arena, net, list + n);
        n += propose_fan(arena, net, list + n);
        chosen = n;
        for (size_t i = 0; i < n; i++)
            if (judge_variant(r, &list[i], NULL, &o) && (chosen == n || score(&base, &o) > score(&base, &best))) {
                best = o;
                chosen = i;
            }
        if (chosen < n)
            conclude(r, &base, &list[chosen], &best, list, n, out);
    }
    wsk_arena_free(arena);
    return WSK_OK;
}
