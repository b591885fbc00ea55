/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the uncertain inputs of a rig: values that are assumed or state a spread. Values that one error changes
 * together form one source. Theory: docs/theory/uncertainty.md */
#include <math.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/study/kit/plan_copy.h"
#include "sim/study/spread/find.h"

static bool is_threshold(wsk_dim dim)
{
    return dim == WSK_DIM_TEMPERATURE || dim == WSK_DIM_SPEED || dim == WSK_DIM_POWER || dim == WSK_DIM_FREQUENCY;
}

static bool gather(wsk_spread_finder *f)
{
    wsk_spreads *s = f->s;
    s->members = wsk_alloc(s->arena, ((size_t)f->count + 1) * sizeof *s->members);
    if (!s->members || s->failed)
        return false;
    for (int i = 0; i < s->n_source; i++) {
        if (!s->sources[i].text || !s->sources[i].where || !s->sources[i].why || !s->sources[i].spread)
            return false;
        s->sources[i].first = s->n_member;
        for (int k = 0; k < f->count; k++)
            if (f->list[k].source == i)
                s->members[s->n_member++] = f->list[k].member;
        s->sources[i].count = s->n_member - s->sources[i].first;
    }
    return true;
}

/* Limits a changed value to the parameter's range. A positive value, unless it is a sound level, stays at 0.2 of its
 * nominal value or more. */
static double within(const wsk_param *p, double base, double v)
{
    if (base > 0 && v < 0.2 * base && p->dim != WSK_DIM_SOUND)
        v = 0.2 * base;
    return p->type == WSK_TYPE_NUMBER && (p->min != 0 || p->max != 0) ? wsk_min(wsk_max(v, p->min), p->max) : v;
}

/* True for values that are not changed one by one: most have no or hardly any effect on a steady point (times, masses,
 * sizes that only decide whether parts fit, ranges of settings). take_supply changes the efficiency points of a PSU
 * together. */
static bool idle_value(const wsk_elem *e, const wsk_param *p)
{
    static const char *const names[] = {"length",
                                        "card-length",
                                        "power-limit-min",
                                        "power-limit-max",
                                        "tdp",
                                        "rated",
                                        "standby",
                                        "opp",
                                        "power-factor",
                                        "reactive",
                                        "derate-above",
                                        "derating",
                                        "hysteresis",
                                        "fan-hysteresis",
                                        "spread",
                                        "memory-clock",
                                        "noise-distance",
                                        "vrm-limit",
                                        "vrm-resistance",
                                        "clock-step",
                                        "fan-rpm",
                                        "rpm",
                                        "diameter",
                                        "memory-bandwidth",
                                        "compute-units",
                                        "matrix-ops",
                                        "nvlink-bandwidth",
                                        NULL};
    for (const char *const *n = names; *n; n++)
        if (strcmp(*n, p->name) == 0)
            return true;
    wsk_dim d = p->type == WSK_TYPE_CURVE ? p->dim_y : p->dim;
    if (strcmp(e->kind->element, "psu") == 0 && strncmp(p->name, "efficiency", 10) == 0 &&
        strcmp(p->name, "efficiency-2") != 0 && strcmp(p->name, "efficiency-2-230") != 0)
        return true; /* take_supply changes these points together */
    if (strcmp(e->kind->element, "chassis") == 0 && strcmp(p->name, "side-area") == 0)
        return ((const wsk_chassis_params *)e->params)->side == 0;
    return d == WSK_DIM_CAPACITY || d == WSK_DIM_DATA || d == WSK_DIM_TIME || d == WSK_DIM_COUNT ||
           d == WSK_DIM_VOLUME || d == WSK_DIM_CURRENT || d == WSK_DIM_MASS || d == WSK_DIM_ENERGY ||
           d == WSK_DIM_ENERGY_PRICE || d == WSK_DIM_POWER_PRICE || d == WSK_DIM_CARBON || d == WSK_DIM_PRICE;
}

/* Adds the uncertainty of a purchase price. The spread covers the range of a price list, which is about four standard
 * deviations wide, so one standard deviation is half of the half width (docs/theory/uncertainty.md). */
static void take_price(wsk_spread_finder *f, wsk_elem *e, const wsk_param *p, const wsk_origin *o, double value)
{
    wsk_spreads *s = f->s;
    wsk_spread d = wsk_spread_of(e, p, o, value);
    if (!(d.half > 0) || (s->currency && strcmp(s->currency, o->currency) != 0))
        return;
    s->currency = o->currency;
    wsk_spread_source *src = wsk_spread_named(s, e, o, p->name);
    if (!src)
        return;
    double half = 0.5 * d.half;
    char text[40];
    wsk_print_places(text, sizeof text, half, 3);
    src->from = d.from;
    wsk_spread_explain(s, src, p, o);
    wsk_spread_half(s, src, WSK_SAID(WSK_SAY_CHECK_SPREAD, wsk_printf(s->arena, "%s %s", text, o->currency)));
    src->purchase += wsk_elem_count(e) * half;
}

/* Counts a value whose spread is stated only in words, once for all elements of its part, as an error is. */
static void count_unread(wsk_spread_finder *f, const wsk_elem *e, const wsk_param *p, const wsk_origin *o)
{
    wsk_spreads *s = f->s;
    const wsk_said *called;
    const char *key = wsk_spread_key(s, e, o, p->name, &called);
    for (const wsk_spread_unread *u = f->unread; u && key; u = u->next)
        if (strcmp(u->key, key) == 0)
            return;
    wsk_spread_unread *u = wsk_alloc(s->arena, sizeof *u);
    s->failed = s->failed || !u || !key;
    if (s->failed)
        return;
    *u = (wsk_spread_unread){key, f->unread};
    f->unread = u;
    s->unread++;
}

/* Returns the source of a parameter's error, *d, at `value`; NULL: it has none. dim: dimension of the value. */
static wsk_spread_source *source_of(wsk_spread_finder *f, wsk_elem *e, const wsk_param *p, const wsk_origin *o,
                                    double value, wsk_dim dim, wsk_spread *d)
{
    wsk_spreads *s = f->s;
    *d = wsk_spread_of(e, p, o, value);
    if (d->from == WSK_SPREAD_UNREAD)
        count_unread(f, e, p, o);
    wsk_spread_source *src = d->half > 0 ? wsk_spread_named(s, e, o, p->name) : NULL;
    if (src && !src->spread) {
        src->from = d->from;
        wsk_spread_explain(s, src, p, o);
        wsk_spread_width(s, src, d->half, dim, d->relative, value);
        src->threshold = p->type == WSK_TYPE_CURVE || is_threshold(dim);
    }
    return src;
}

static void take_number(wsk_spread_finder *f, wsk_elem *e, const wsk_param *p, const wsk_origin *o, double *at)
{
    wsk_spread d;
    wsk_spread_source *src = source_of(f, e, p, o, *at, p->dim, &d);
    if (src)
        wsk_spread_member_add(f, src, at, within(p, *at, *at - d.half), within(p, *at, *at + d.half));
}

/* A fan that stops while the card is cool may start at a die temperature higher by start_k than its curve says, but
 * below the curve's next point. Assumed: docs/theory/constants.md, "start of a fan" */
static const double start_k = 5;

static void take_start(wsk_spread_finder *f, wsk_spread_source *src, wsk_curve *c)
{
    int turns = 0;
    while (turns < c->count && c->y[turns] <= 0)
        turns++;
    if (turns == 0 || turns + 1 >= c->count)
        return;
    const double later_k = fmin(start_k, 0.9 * (c->x[turns + 1] - c->x[turns]));
    for (int i = turns; i >= turns - 1; i--)
        wsk_spread_member_add(f, src, &c->x[i], c->x[i] + later_k, c->x[i]);
}

static void take_curve(wsk_spread_finder *f, wsk_elem *e, const wsk_param *p, const wsk_origin *o, wsk_curve *c)
{
    wsk_spread d;
    double top = 0;
    for (int i = 0; i < c->count; i++)
        top = fmax(top, fabs(c->y[i]));
    wsk_spread_source *src = top > 0 ? source_of(f, e, p, o, top, p->dim_y, &d) : NULL;
    if (!src)
        return;
    if (strcmp(p->name, "fan-curve") == 0)
        take_start(f, src, c);
    for (int i = 0; i < c->count; i++) {
        double half = c->y[i] == 0 ? 0 : d.relative ? d.half / top * fabs(c->y[i]) : d.half;
        wsk_spread_member_add(f, src, &c->y[i], fmax(0, c->y[i] - half), c->y[i] + half);
    }
}

/* Adds the efficiency of a PSU as one error, which changes all load points together. The half width is the first known
 * of: one per load point (wsk_spread_by_point), the part's `spread`, the spread of the 50 % point, the difference
 * between two units of a model. A kind of PSU without the parameters `efficiency-50` and `efficiency` has no known
 * error. */
static void take_supply(wsk_spread_finder *f, wsk_elem *e)
{
    static const double specimen = 0.005; /* difference between two units of a model: docs/theory/uncertainty.md */
    wsk_spreads *s = f->s;
    wsk_psu_params *u = e->params;
    const wsk_origin *o = wsk_elem_origin(e, "efficiency-50");
    const bool constant = !o;
    const wsk_param *p = wsk_kind_param(e->kind, constant ? "efficiency" : "efficiency-50");
    o = o ? o : wsk_elem_origin(e, "efficiency");
    if (!o || !p)
        return;
    if (o->from == WSK_FROM_DEFAULT || (o->from != WSK_FROM_PART && !o->spread && !o->assumed && isnan(u->spread)))
        return; /* given by the user: taken as exact */
    wsk_spread d = wsk_spread_of(e, p, o, constant ? u->eff_const : u->eff[2]);
    double half = u->spread > 0 ? u->spread : d.half > 0 ? d.half : specimen, each[4];
    bool points = !constant && wsk_spread_by_point(o->spread, each);
    for (int i = 0; i < 4 && !points; i++)
        each[i] = half;
    wsk_spread_source *src = wsk_spread_named(s, e, o, "efficiency");
    if (!src)
        return;
    if (!src->spread) {
        src->from = u->spread > 0 || d.from == WSK_SPREAD_STATED ? WSK_SPREAD_STATED
                    : d.from == WSK_SPREAD_REASON                ? d.from
                                                                 : WSK_SPREAD_RULE;
        wsk_spread_explain(s, src, p, o);
        if (points)
            wsk_spread_half(
                s, src,
                WSK_SAID(WSK_SAY_CHECK_SPREAD_BY_LOAD, 100 * each[0], 100 * each[1], 100 * each[2], 100 * each[3]));
        else
            wsk_spread_width(s, src, half, WSK_DIM_FRACTION, false, 1);
    }
    double *at[] = {&u->eff_const, &u->eff[0],    &u->eff[1],    &u->eff[2],   &u->eff[3],
                    &u->eff230[0], &u->eff230[1], &u->eff230[2], &u->eff230[3]};
    for (size_t i = constant ? 0 : 1; i < (constant ? 1 : sizeof at / sizeof *at); i++)
        if (*at[i] > 0) {
            double h = constant ? half : each[(i - 1) % 4];
            wsk_spread_member_add(f, src, at[i], *at[i] - h, wsk_min(*at[i] + h, constant ? 1 : 0.995));
        }
}

/* The plan lacks values that were derived when the network was built; they are copied, so that they can be
 * changed. */
static void complete_card(const wsk_spreads *s, wsk_elem *e)
{
    wsk_gpu_params *g = e->params;
    for (int i = 0; i < s->net->n_card; i++)
        if (strcmp(s->net->cards[i].id, e->id) == 0) {
            g->idle_w = s->net->cards[i].gpu->idle_w;
            g->leakage_w = s->net->cards[i].gpu->leakage_w;
            g->memory_w = s->net->cards[i].gpu->memory_w;
            g->memory_res_k_w = s->net->cards[i].gpu->memory_res_k_w;
            g->memory_hot_share = s->net->cards[i].gpu->memory_hot_share;
            g->memory_heatsink_share = s->net->cards[i].gpu->memory_heatsink_share;
            g->die_res_k_w = s->net->cards[i].gpu->die_res_k_w;
            g->hotspot_res_k_w = s->net->cards[i].gpu->hotspot_res_k_w;
            g->hotspot_offset_k = s->net->cards[i].gpu->hotspot_offset_k;
            g->thickness_m = s->net->cards[i].gpu->thickness_m;
        }
}

static void take_elem(wsk_spread_finder *f, wsk_elem *e)
{
    bool card = strcmp(e->kind->element, "gpu") == 0;
    if (card)
        complete_card(f->s, e);
    bool tariff = strcmp(e->kind->element, "tariff") == 0;
    if (tariff || strcmp(e->kind->element, "class") == 0)
        return;
    for (const wsk_param *p = e->kind->params; p->name; p++) {
        const wsk_origin *o = &e->origins[p - e->kind->params];
        void *field = (char *)e->params + p->offset;
        if (p->type == WSK_TYPE_NUMBER && p->dim == WSK_DIM_PRICE)
            take_price(f, e, p, o, *(double *)field);
        else if (idle_value(e, p))
            continue;
        else if (p->type == WSK_TYPE_NUMBER)
            take_number(f, e, p, o, field);
        else if (p->type == WSK_TYPE_CURVE)
            take_curve(f, e, p, o, field);
    }
    if (strcmp(e->kind->element, "psu") == 0)
        take_supply(f, e);
    if (strcmp(e->kind->element, "workload") == 0)
        wsk_spread_take_loads(f, e);
    for (wsk_elem *c = e->child; c; c = c->next)
        take_elem(f, c);
    if (card)
        wsk_spread_take_class(f, e);
}

bool wsk_spreads_find(wsk_spreads *s, wsk_arena *arena, const wsk_net *net)
{
    *s = (wsk_spreads){.arena = arena, .net = net, .plan = wsk_plan_copy(arena, net->plan)};
    wsk_spread_finder f = {.s = s};
    if (!s->plan)
        return false;
    take_elem(&f, s->plan->rig);
    wsk_spread_readings_find(s);
    return gather(&f) && !wsk_arena_failed(arena);
}
