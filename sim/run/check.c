/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `check` says of a rig that can be built: fit, sizing with the numbers behind it, provenance. */
#include "sim/run/check.h"

#include <math.h>
#include <string.h>

static double gap_behind(const wsk_net *net, int i)
{
    const wsk_chassis_params *ch = net->chassis;
    const wsk_gpu_params *g = net->cards[i].gpu;
    double thick = isnan(g->thickness_m) ? g->slots * ch->pitch_m - 2e-3 : g->thickness_m;
    double next = i + 1 < net->n_card ? (net->cards[i + 1].gpu->slot - 1) * ch->pitch_m : ch->slots * ch->pitch_m + ch->wall_gap_m;
    return next - (g->slot - 1) * ch->pitch_m - thick;
}

static void report_fit(const wsk_net *net, wsk_buf *o)
{
    wsk_buf_printf(o, "Fit\n");
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        const wsk_elem *cooler = wsk_elem_child(c->elem, "cooler", NULL);
        wsk_buf_printf(o, "  %-6s slots %.0f-%.0f  %.0f mm long  %s  air gap under its fans %.0f mm\n", c->id, c->gpu->slot, c->gpu->slot + c->gpu->slots - 1,
                       c->gpu->length_m * 1e3, cooler->kind->name, gap_behind(net, i) * 1e3);
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
        rest += net->movers[i].power_w > 0 ? net->movers[i].power_w * pow(net->movers[i].rpm0 / net->movers[i].ref_rpm, net->movers[i].power_exponent) : 0;
    for (int i = 0; i < net->n_load; i++) {
        rest += net->loads[i]->dc_w;
        side += net->loads[i]->ac_w;
    }
    double dc = cards + rest, wall = dc;
    wsk_buf_printf(o, "Sizing\n  cards %.0f W + the rest %.0f W = %.0f W from the power supply\n", cards, rest, dc);
    if (net->has_supply) {
        double rated = net->supply.law.rated_w, load = dc / rated;
        wall = dc > 0 ? net->supply.ops->input_w(&net->supply.law, dc) : net->supply.law.standby_w;
        wsk_buf_printf(o, "  power supply %.0f W: %.0f %% loaded, %.1f %% efficient, %.0f W at the wall\n", rated, 100 * load, 100 * dc / wall, wall + side);
        if (load > 1)
            wsk_buf_printf(o, "  advice: the power supply is too small by %.0f W; take %.0f W or more, or lower the limits\n", dc - rated, ceil(dc / 0.85 / 50) * 50);
        else if (load > 0.9)
            wsk_buf_printf(o, "  advice: above 90 %% there is little room for load steps; %.0f W would run at 85 %%\n", ceil(dc / 0.85 / 50) * 50);
    }
    if (net->circuit_w > 0) {
        wsk_buf_printf(o, "  circuit %.0f W continuous: %.0f %% used\n", net->circuit_w, 100 * (wall + side) / net->circuit_w);
        if (wall + side > net->circuit_w)
            wsk_buf_printf(o, "  advice: over the continuous limit by %.0f W; lower the limits, or use a larger circuit or 240 V\n", wall + side - net->circuit_w);
    }
    for (int i = 0; i + 1 < net->n_card; i++)
        if (gap_behind(net, i) < 10e-3 && wsk_elem_child(net->cards[i].elem, "cooler", NULL)->kind->name[0] == 'o')
            wsk_buf_printf(o, "  advice: %s is an open-air card with %.0f mm of air; one free slot beside it would help most\n", net->cards[i].id, gap_behind(net, i) * 1e3);
}

typedef struct {
    int defaults, written, datasheet, measured, fitted, assumed;
} tally;

static void count_origins(const wsk_elem *e, tally *t)
{
    for (int i = 0; e->kind->params && e->kind->params[i].name; i++) {
        const wsk_origin *g = &e->origins[i];
        if (!g->text && g->from == WSK_FROM_DEFAULT && !g->assumed)
            continue;
        if (g->assumed)
            t->assumed++;
        else if (g->from == WSK_FROM_DEFAULT)
            t->defaults++;
        else if (g->from != WSK_FROM_PART)
            t->written++;
        else if (g->source && strcmp(g->source, "measured") == 0)
            t->measured++;
        else if (g->source && strcmp(g->source, "fitted") == 0)
            t->fitted++;
        else
            t->datasheet++;
    }
    for (const wsk_elem *c = e->child; c; c = c->next)
        count_origins(c, t);
}

static void list_assumed(const wsk_elem *e, wsk_buf *o)
{
    for (int i = 0; e->kind->params && e->kind->params[i].name; i++) {
        const wsk_origin *g = &e->origins[i];
        const wsk_param *p = &e->kind->params[i];
        if (g->assumed)
            wsk_buf_printf(o, "  %s %s=\"%s\": %s\n", e->id ? e->id : e->kind->element, p->name, g->text ? g->text : p->def ? p->def : "derived",
                           g->ref ? g->ref : p->assumed ? p->assumed : "");
    }
    for (const wsk_elem *c = e->child; c; c = c->next)
        list_assumed(c, o);
}

void wsk_check_report(const wsk_net *net, wsk_buf *o)
{
    tally t = {0};
    report_fit(net, o);
    report_sizing(net, o);
    count_origins(net->plan->rig, &t);
    wsk_buf_printf(o, "Values: %d written in the rig, %d from data sheets, %d measured, %d fitted to measurements, %d plain defaults, %d assumed:\n", t.written,
                   t.datasheet, t.measured, t.fitted, t.defaults, t.assumed);
    list_assumed(net->plan->rig, o);
}
