/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each card's air: what it draws from, through its cooler, and where it lets it go. A style is this wiring.
 * Theory: docs/theory/cooler.md and docs/theory/air.md */
#include <math.h>

#include "sim/net/compile.h"

/* Below this a slot gap passes no air: docs/theory/air.md, "The slot gap" */
static const double closed_gap_m = 0.3e-3;

/* Inlet over a free edge, then channel friction. */
static void gap_inlet(wsk_build *b, int from, int gap_node, double gap, double edge, double path, double loss)
{
    wsk_build_branch(b, (wsk_branch){.from = from,
                                     .to = gap_node,
                                     .mover = WSK_NO,
                                     .column = WSK_NO,
                                     .k1 = 12 * WSK_MU * path / (gap * gap * gap * edge),
                                     .k2 = wsk_loss_k2(loss, gap * edge)});
}

/* The slot gap under card i: inlet over its open edges, then channel friction from the edge to the rim of the fan's
 * eye, which fills most of the width. */
static int build_gap(wsk_build *b, int i)
{
    wsk_net *net = b->net;
    const wsk_card *c = &net->cards[i];
    const wsk_case *house = &net->cases[c->in];
    const wsk_chassis_params *ch = house->params;
    double gap = wsk_max(c->gap_m, closed_gap_m), length = c->gpu->length_m;
    double path = wsk_max((ch->card_width_m - c->cooler->diameter_m) / 2, 5e-3);
    int node = wsk_build_node(b, wsk_printf(net->arena, "%s.gap", c->id), c->elem, 0, 573.15);
    int flow = wsk_build_flow_node(b, node);
    /* Free are the short edge and the long one that faces the side panel; with the panel off that one lies in the room. */
    bool bare = ch->side && isnan(c->gpu->riser_m);
    double inner = bare ? ch->card_width_m : length + ch->card_width_m, area = gap * inner;
    gap_inlet(b, house->flow_air, flow, gap, inner, path, ch->gap_loss);
    if (bare)
        gap_inlet(b, 0, flow, gap, length, path, ch->gap_loss);
    wsk_build_exchange(b, node, house->air, WSK_NO, 0, 0.05 * area, gap);
    return flow;
}

int wsk_build_card_fan(wsk_build *b, const wsk_card *c, double more_db)
{
    wsk_net *net = b->net;
    const wsk_cooler_params *k = c->cooler;
    double stated = isnan(k->noise.dba) ? k->fans : 1;
    return wsk_build_mover(b,
                           (wsk_mover){.name = wsk_printf(net->arena, "%s.fan", c->id),
                                       .ref_rpm = k->rpm,
                                       .rpm0 = k->rpm_min,
                                       .in = c->in,
                                       .heat_node = net->cases[c->in].air,
                                       .count = k->fans,
                                       .noise_p = wsk_noise_p(b, &k->noise, stated, k->diameter_m, k->rpm, more_db),
                                       .coolant = WSK_NO,
                                       .fails_ns = wsk_fails_ns(c->gpu->fan_fails_s)});
}

/* Fan, fins and curtain in one branch from the intake to the exhaust node. */
static void build_cooler(wsk_build *b, int i, int from, int exhaust)
{
    wsk_net *net = b->net;
    wsk_card *c = &net->cards[i];
    const wsk_cooler_params *k = c->cooler;
    const wsk_cooler_ops *style = wsk_style_of(c);
    wsk_branch branch = {.from = from,
                         .to = exhaust,
                         .mover = WSK_NO,
                         .column = WSK_NO,
                         .in = c->in,
                         .k1_foul = 0.5 * k->drop_pa / k->flow_ref_m3s,
                         .k2_foul = 0.5 * k->drop_pa / (k->flow_ref_m3s * k->flow_ref_m3s)};
    if (style->curtain) {
        double gap = wsk_max(c->gap_m, closed_gap_m);
        branch.k2 = wsk_loss_k2(net->cases[c->in].params->curtain_loss,
                                3.14159265358979 * k->diameter_m * (gap + k->recess_m) * k->fans);
    }
    if (!wsk_ducted(c)) {
        wsk_fan_law law = wsk_fan_curve(k->pressure_pa, k->flow_m3s, k->curvature, k->fans);
        branch.a = law.a;
        branch.b = law.b;
        branch.d = law.d;
        /* Blades close before fins: 15 dB over a free fan, a radial wheel in its shroud 20 (bench rows of steady.csv). */
        branch.mover = c->mover = wsk_build_card_fan(b, c, style->wiring & WSK_COOLER_SIDE_EXHAUST ? 15 : 20);
    }
    c->branch = wsk_build_branch(b, branch);
    if (c->mover >= 0)
        net->movers[c->mover].branch = c->branch;
}

/* Outlet loss: discharge into open space (1.0) and the grill (0.5). */
static void build_outlet(wsk_build *b, int exhaust, int exhaust_node, int to, double area_m2)
{
    wsk_net *net = b->net;
    if (!(area_m2 > 0))
        return;
    wsk_build_branch(
        b,
        (wsk_branch){.from = exhaust, .to = to, .mover = WSK_NO, .column = WSK_NO, .k2 = wsk_loss_k2(1.5, area_m2)});
    wsk_build_exchange(b, exhaust_node, net->flow_node[to], WSK_NO, 0, 0.05 * area_m2, 0.1);
}

static void build_outlets(wsk_build *b, int i, int exhaust, unsigned wiring)
{
    wsk_net *net = b->net;
    const wsk_card *c = &net->cards[i];
    const wsk_cooler_params *k = c->cooler;
    const wsk_case *house = &net->cases[c->in];
    double area = k->outlet_area_m2, through = k->through, bracket = wsk_min(k->bracket, 0.95 - through);
    if (wiring & WSK_COOLER_OUT_ROOM) {
        if (!c->followed)
            build_outlet(b, exhaust, c->exhaust, house->flow_out, area);
        if (k->leak_share > 0 && !house->open)
            wsk_build_branch(b, (wsk_branch){.from = exhaust,
                                             .to = house->flow_air,
                                             .mover = WSK_NO,
                                             .column = WSK_NO,
                                             .k2 = wsk_loss_k2(1.5, area * k->leak_share / (1 - k->leak_share))});
        return;
    }
    int back = c->above >= 0 && b->card_gap[c->above] >= 0 ? b->card_gap[c->above] : house->flow_air;
    /* Half of what leaves over the edges faces the side panel: where it is off, the room. */
    double edges = area * (1 - through - bracket), bare = house->params->side && isnan(c->gpu->riser_m) ? 0.5 : 0;
    build_outlet(b, exhaust, c->exhaust, house->flow_air, edges * (1 - bare));
    build_outlet(b, exhaust, c->exhaust, 0, edges * bare);
    build_outlet(b, exhaust, c->exhaust, back, area * through);
    build_outlet(b, exhaust, c->exhaust, house->flow_out, area * bracket);
}

/* Exhaust over the edges re-enters the adjoining gaps the more, the narrower they are. */
static void build_recirculation(wsk_build *b, int i)
{
    wsk_net *net = b->net;
    const wsk_card *c = &net->cards[i];
    const int gaps[2] = {c->above, i};
    for (int g = 0; g < 2; g++) {
        int j = gaps[g];
        if (j < 0 || b->card_gap[j] < 0)
            continue;
        double rel = wsk_max(net->cards[j].gap_m, 0) / c->cooler->diameter_m;
        double ratio = c->cooler->recirculation * exp(-rel / c->cooler->recirculation_gap) *
                       (1 - c->cooler->through - c->cooler->bracket);
        if (ratio > 1e-6)
            wsk_build_exchange(b, c->exhaust, net->flow_node[b->card_gap[j]], c->branch, ratio, 0, 0);
    }
}

/* Board and backplate: to the air behind the card; in a duct, to the air that leaves it; a card without a fan feels
 * what moves in the case alone (0.6 of it, assumed). */
static void build_board(wsk_build *b, int i)
{
    wsk_net *net = b->net;
    const wsk_card *c = &net->cards[i];
    int air = net->cases[c->in].air;
    if (c->above >= 0 && b->card_gap[c->above] >= 0)
        air = net->flow_node[b->card_gap[c->above]];
    if (wsk_ducted(c))
        air = c->exhaust;
    wsk_port port = {.solid = c->board,
                     .sense = air,
                     .deposit = air,
                     .law = WSK_PORT_SURFACE,
                     .branch = c->branch,
                     .g = c->gpu->board_cond_w_k,
                     .flow_ref = c->cooler->flow_ref_m3s,
                     .exponent = 0.5,
                     .natural = 0.4 * c->gpu->board_cond_w_k};
    if (wsk_style_of(c)->wiring & WSK_COOLER_BLOCK) {
        port.law = WSK_PORT_FIXED;
        port.g = 0.6 * c->gpu->board_cond_w_k;
        port.branch = WSK_NO;
    }
    wsk_build_port(b, port);
}

static int exhaust_flow(const wsk_net *net, int node)
{
    for (int f = 0; f < net->n_flow; f++)
        if (net->flow_node[f] == node)
            return f;
    return 0;
}

/* From the gap, from the duct, from another card's exhaust, or through a shroud from outside. */
static int intake_of(const wsk_build *b, int i)
{
    const wsk_net *net = b->net;
    const wsk_card *c = &net->cards[i];
    if (b->card_gap[i] >= 0)
        return b->card_gap[i];
    if (!wsk_ducted(c))
        return c->cooler->intake ? net->cases[c->in].flow_in : net->cases[c->in].flow_air;
    return c->behind >= 0 ? exhaust_flow(net, net->cards[c->behind].exhaust) : net->cases[c->in].flow_air;
}

void wsk_build_card_air(wsk_build *b)
{
    wsk_net *net = b->net;
    for (int i = 0; i < net->n_card && !b->full; i++) {
        unsigned wiring = wsk_style_of(&net->cards[i])->wiring;
        b->card_gap[i] = wsk_style_of(&net->cards[i])->curtain ? build_gap(b, i) : WSK_NO;
        if (wiring & WSK_COOLER_BLOCK)
            continue;
        net->cards[i].exhaust =
            wsk_build_node(b, wsk_printf(net->arena, "%s.exhaust", net->cards[i].id), net->cards[i].elem, 0, 573.15);
        wsk_build_flow_node(b, net->cards[i].exhaust);
    }
    for (int i = 0; i < net->n_card && !b->full; i++) {
        wsk_card *c = &net->cards[i];
        unsigned wiring = wsk_style_of(c)->wiring;
        if (wiring & WSK_COOLER_BLOCK) {
            build_board(b, i);
            continue;
        }
        int from = intake_of(b, i), exhaust = exhaust_flow(net, c->exhaust);
        c->inlet = net->flow_node[from];
        build_cooler(b, i, from, exhaust);
        build_outlets(b, i, exhaust, wiring);
        if (wiring & WSK_COOLER_SIDE_EXHAUST)
            build_recirculation(b, i);
        wsk_build_fins(b, (wsk_port){.solid = c->heatsink,
                                     .sense = c->inlet,
                                     .deposit = c->exhaust,
                                     .branch = c->branch,
                                     .g = c->cooler->ua_w_k,
                                     .flow_ref = c->cooler->flow_ref_m3s,
                                     .exponent = c->cooler->ua_exponent,
                                     .natural = c->cooler->natural_w_k});
        build_board(b, i);
    }
}
