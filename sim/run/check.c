/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `check` says of a rig that can be built: fit, sizing with the numbers behind it, provenance. */
#include "sim/run/check.h"

#include <math.h>
#include <string.h>

#include "sim/net/provenance.h"

static void report_fit(const wsk_net *net, wsk_buf *o)
{
    wsk_buf_printf(o, "Fit\n");
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        wsk_buf_printf(o, "  %-6s slots %.0f-%.0f  %.0f mm long  %s  air gap under its fans %.0f mm\n", c->id,
                       c->gpu->slot, c->gpu->slot + c->gpu->slots - 1, c->gpu->length_m * 1e3,
                       c->cooler->head.elem->kind->name, net->cards[i].gap_m * 1e3);
    }
    if (!net->n_card)
        wsk_buf_printf(o, "  no cards\n");
}

static double cards_w(const wsk_net *net)
{
    double w = 0;
    for (int i = 0; i < net->n_card; i++)
        w += isnan(net->cards[i].gpu->pin_power_w) ? net->cards[i].held_w : net->cards[i].gpu->pin_power_w;
    return w;
}

static void report_sizing(const wsk_net *net, wsk_buf *o)
{
    double cards = cards_w(net), rest = 0, side = 0;
    if (net->cpu)
        rest += net->cpu->power_w + net->cpu->board_w;
    for (int i = 0; i < net->n_mover; i++)
        rest += net->movers[i].power_w > 0
                    ? net->movers[i].power_w *
                          pow(net->movers[i].rpm0 / net->movers[i].ref_rpm, net->movers[i].power_exponent)
                    : 0;
    for (int i = 0; i < net->n_load; i++) {
        rest += net->loads[i]->dc_w;
        side += net->loads[i]->ac_w;
    }
    double dc = cards + rest, wall = dc;
    wsk_buf_printf(o, "Sizing\n  cards %.0f W + the rest %.0f W = %.0f W from the power supply\n", cards, rest, dc);
    if (net->has_supply) {
        double rated = net->supply.law.rated_w, load = dc / rated;
        wall = dc > 0 ? net->supply.ops->input_w(&net->supply.law, dc) : net->supply.law.standby_w;
        wsk_buf_printf(o, "  power supply %.0f W: %.0f %% loaded, %.1f %% efficient, %.0f W at the wall\n", rated,
                       100 * load, 100 * dc / wall, wall + side);
        if (load > 1)
            wsk_buf_printf(
                o, "  advice: the power supply is too small by %.0f W; take %.0f W or more, or lower the limits\n",
                dc - rated, ceil(dc / 0.85 / 50) * 50);
        else if (load > 0.9)
            wsk_buf_printf(o,
                           "  advice: above 90 %% there is little room for load steps; %.0f W would run at 85 %%\n",
                           ceil(dc / 0.85 / 50) * 50);
    }
    if (net->circuit_w > 0) {
        wsk_buf_printf(o, "  circuit %.0f W continuous: %.0f %% used\n", net->circuit_w,
                       100 * (wall + side) / net->circuit_w);
        if (wall + side > net->circuit_w)
            wsk_buf_printf(
                o,
                "  advice: over the continuous limit by %.0f W; lower the limits, or use a larger circuit or 240 V\n",
                wall + side - net->circuit_w);
    }
    for (int i = 0; i + 1 < net->n_card; i++)
        if (net->cards[i].gap_m < 10e-3 && strcmp(net->cards[i].cooler->head.elem->kind->name, "open-air") == 0)
            wsk_buf_printf(
                o, "  advice: %s is an open-air card with %.0f mm of air; one free slot beside it would help most\n",
                net->cards[i].id, net->cards[i].gap_m * 1e3);
}

typedef struct {
    int defaults, written, datasheet, measured, fitted, assumed;
} tally;

static void count_origin(void *ctx, const wsk_elem *elem, const wsk_param *param, const wsk_origin *o)
{
    tally *t = ctx;
    (void)elem;
    (void)param;
    if (o->assumed)
        t->assumed++;
    else if (o->from == WSK_FROM_DEFAULT)
        t->defaults += o->text != NULL;
    else if (o->from != WSK_FROM_PART)
        t->written++;
    else if (o->source && strcmp(o->source, "measured") == 0)
        t->measured++;
    else if (o->source && strcmp(o->source, "fitted") == 0)
        t->fitted++;
    else
        t->datasheet++;
}

/* Values of one element that share their reason stand on one line, with the reason behind them. */
typedef struct {
    wsk_buf *out;
    const wsk_elem *elem;
    const char *reason, *spread;
} list;

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static void end_line(list *l)
{
    if (l->elem)
        wsk_buf_printf(l->out, ": %s%s%s\n", l->reason ? l->reason : "no reason given", l->spread ? "; spread " : "",
                       l->spread ? l->spread : "");
    l->elem = NULL;
}

static void list_assumed(void *ctx, const wsk_elem *e, const wsk_param *p, const wsk_origin *o)
{
    list *l = ctx;
    if (!o->assumed)
        return;
    const char *reason = o->ref ? o->ref : p->assumed,
               *owner = e->parent && strcmp(e->kind->element, "cooler") == 0 ? e->parent->id : e->id;
    if (l->elem != e || !same(l->reason, reason) || !same(l->spread, o->spread)) {
        end_line(l);
        wsk_buf_printf(l->out, "  %s%s", owner ? owner : e->kind->element, owner != e->id ? ".cooler" : "");
    }
    *l = (list){l->out, e, reason, o->spread};
    wsk_buf_printf(l->out, " %s=\"%s\"", p->name, o->text ? o->text : p->def ? p->def : "derived");
}

void wsk_check_report(const wsk_net *net, wsk_buf *o)
{
    tally t = {0};
    list l = {.out = o};
    report_fit(net, o);
    report_sizing(net, o);
    wsk_each_value(net->plan->rig, (int)net->cls, count_origin, &t);
    wsk_buf_printf(o,
                   "Values that count here: %d written in the rig, %d from data sheets, %d measured, %d fitted to "
                   "measurements, %d plain defaults, %d assumed:\n",
                   t.written, t.datasheet, t.measured, t.fitted, t.defaults, t.assumed);
    wsk_each_value(net->plan->rig, (int)net->cls, list_assumed, &l);
    end_line(&l);
}
