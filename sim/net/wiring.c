/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds the parts of a card to the network of heat and air: slot gap, fan, fins, outlet and shell. The coolers in
 * models/cooler choose among these functions. Theory: docs/theory/cooler.md, docs/theory/air.md */
#include <math.h>

#include "sim/net/compile.h"

/* Least thickness with which a slot gap is computed, m; so thin a gap passes almost no air:
 * docs/theory/constants.md, "closed gap" */
static const double closed_gap_m = 0.3e-3;

/* Adds an inlet of a slot gap: loss at a free edge, then friction of a laminar channel. gap: thickness, edge:
 * length of the edge, path: length of the channel, m. */
static void add_gap_inlet(wsk_build *b, int from, int gap_node, double gap, double edge, double path, double loss)
{
    wsk_build_branch(b, (wsk_branch){.from = from,
                                     .to = gap_node,
                                     .mover = WSK_NO,
                                     .column = WSK_NO,
                                     .k1 = 12 * WSK_MU * path / (gap * gap * gap * edge),
                                     .k2 = wsk_loss_k2(loss, gap * edge)});
}

/* Adds the slot gap under a card: inlets at its open edges, each with channel friction from the edge to the rim of
 * the fan eye. */
void wsk_lay_gap(wsk_build *b, wsk_card *c)
{
    wsk_net *net = b->net;
    const wsk_chassis_params *ch = net->cases[c->in].params;
    const int air = wsk_case_air(b, c);
    double gap = wsk_max(c->gap_m, closed_gap_m), length = c->gpu->length_m;
    /* Length of the channel, at least an assumed 5 mm: docs/theory/constants.md, "channel into the eye" */
    double path = wsk_max((ch->card_width_m - c->cooler->diameter_m) / 2, 5e-3);
    int node = wsk_build_node(b, wsk_printf(net->arena, "%s.gap", c->id), c->elem, 0, 573.15);
    int flow = wsk_build_flow_node(b, node);
    /* The gap takes in air at two edges: a short one, and the long one that faces the side panel. Both take air of the
     * case. Without the panel, the long edge takes air of the room, except for a card on a riser. */
    bool bare = ch->side && !wsk_on_riser(c);
    double inner = bare ? ch->card_width_m : length + ch->card_width_m, area = gap * inner;
    add_gap_inlet(b, air, flow, gap, inner, path, ch->gap_loss);
    if (bare)
        add_gap_inlet(b, 0, flow, gap, length, path, ch->gap_loss);
    wsk_build_exchange(b, node, net->flow_node[air], WSK_NO, 0, 0.05 * area, gap);
    c->gap = flow;
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
                                       .heat_node = net->flow_node[wsk_case_air(b, c)],
                                       .count = k->fans,
                                       .noise_p = wsk_noise_p(b, &k->noise, stated, k->diameter_m, k->rpm, more_db),
                                       .by_tips = isnan(k->noise.dba),
                                       .coolant = WSK_NO,
                                       .fails_ns = wsk_fails_ns(c->gpu->fan_fails_s)});
}

static const wsk_case *case_of(const wsk_build *b, const wsk_card *c)
{
    return &b->net->cases[c->in];
}

const wsk_cooler_params *wsk_cooler_of(const wsk_card *c)
{
    return c->cooler;
}

int wsk_case_air(const wsk_build *b, const wsk_card *c)
{
    return wsk_hangs_outside(c) ? WSK_OPEN_ROOM : case_of(b, c)->flow_air;
}

int wsk_case_intake(const wsk_build *b, const wsk_card *c)
{
    return wsk_hangs_outside(c) ? WSK_OPEN_ROOM : case_of(b, c)->flow_in;
}

int wsk_case_outlet(const wsk_build *b, const wsk_card *c)
{
    return wsk_hangs_outside(c) ? WSK_OPEN_ROOM : case_of(b, c)->flow_out;
}

static int exhaust_flow(const wsk_net *net, int node)
{
    for (int f = 0; f < net->n_flow; f++)
        if (net->flow_node[f] == node)
            return f;
    return 0;
}

int wsk_exhaust_of(const wsk_build *b, const wsk_card *c)
{
    return exhaust_flow(b->net, c->exhaust);
}

int wsk_gap_of(const wsk_card *c)
{
    return c->gap;
}

int wsk_air_behind(const wsk_build *b, const wsk_card *c)
{
    int gap = c->above >= 0 ? b->net->cards[c->above].gap : WSK_NO;
    return gap >= 0 ? gap : wsk_case_air(b, c);
}

int wsk_air_before(const wsk_build *b, const wsk_card *c)
{
    return c->behind >= 0 ? exhaust_flow(b->net, b->net->cards[c->behind].exhaust) : wsk_case_air(b, c);
}

/* Half of the outlet at a card's edges is assumed to face an open side panel:
 * docs/theory/constants.md, "open side, edges" */
double wsk_open_side(const wsk_build *b, const wsk_card *c)
{
    return case_of(b, c)->params->side && !wsk_on_riser(c) ? 0.5 : 0;
}

void wsk_lay_exhaust(wsk_build *b, wsk_card *c)
{
    c->exhaust = wsk_build_node(b, wsk_printf(b->net->arena, "%s.exhaust", c->id), c->elem, 0, 573.15);
    wsk_build_flow_node(b, c->exhaust);
}

static double side_m2(const wsk_build *b, const wsk_card *c)
{
    return c->gpu->length_m * case_of(b, c)->params->card_width_m;
}

static double shell_m2(const wsk_build *b, const wsk_card *c)
{
    return side_m2(b, c) + (2 * c->gpu->length_m + case_of(b, c)->params->card_width_m) * c->gpu->thickness_m;
}

static bool has_next(const wsk_net *net, const wsk_card *c)
{
    for (int i = 0; i < net->n_card; i++)
        if (net->cards[i].above >= 0 && &net->cards[net->cards[i].above] == c)
            return true;
    return false;
}

/* Conductance of fins whose fan stands still, at 10 K over the air of the case, W/K: stated, or natural convection
 * 1.42 (dT/width)^(1/4) = 4.4 W/m2K and radiation 5.5 W/m2K. docs/theory/cooler.md, "A fan at rest" */
static double still_w_k(const wsk_build *b, const wsk_card *c)
{
    const double convection = 4.4, radiation = 5.5, given = c->cooler->natural_w_k;
    return isnan(given) ? c->cooler->natural_factor * (convection + radiation) * shell_m2(b, c) : given;
}

/* Adds fan, fins and the turn into the fan eyes (curtain) as one branch. The fins' pressure drop is assumed half
 * linear, half quadratic in the flow: docs/theory/constants.md, "fin drop" */
void wsk_wire_fins(wsk_build *b, wsk_card *c, int from, int to, wsk_stack stack)
{
    wsk_net *net = b->net;
    const wsk_cooler_params *k = c->cooler;
    wsk_branch branch = {.from = from,
                         .to = to,
                         .mover = WSK_NO,
                         .column = WSK_NO,
                         .in = c->in,
                         .k1_foul = 0.5 * k->drop_pa / k->flow_ref_m3s,
                         .k2_foul = 0.5 * k->drop_pa / (k->flow_ref_m3s * k->flow_ref_m3s)};
    if (stack.curtain) {
        double gap = wsk_max(c->gap_m, closed_gap_m);
        branch.k2 = wsk_loss_k2(case_of(b, c)->params->curtain_loss,
                                3.14159265358979 * k->diameter_m * (gap + k->recess_m) * k->fans);
    }
    if (stack.fan) {
        wsk_fan_law law = wsk_fan_curve(k->pressure_pa, k->flow_m3s, k->curvature, k->fans);
        branch.a = law.a;
        branch.b = law.b;
        branch.d = law.d;
        branch.mover = c->mover = wsk_build_card_fan(b, c, stack.enclosed_db);
    }
    const wsk_case *house = case_of(b, c);
    if (stack.jet && house->jet_pa > 0) {
        branch.a = house->jet_pa;
        branch.mover = house->jet_mover;
    }
    c->inlet = net->flow_node[from];
    c->branch = wsk_build_branch(b, branch);
    if (c->mover >= 0)
        net->movers[c->mover].branch = c->branch;
    wsk_build_fins(b,
                   (wsk_port){.solid = c->heatsink,
                              .sense = c->inlet,
                              .deposit = net->flow_node[to],
                              .branch = c->branch,
                              .g = k->ua_w_k,
                              .flow_ref = k->flow_ref_m3s,
                              .exponent = k->ua_exponent,
                              .natural = still_w_k(b, c),
                              .share = stack.shell && has_next(net, c) ? side_m2(b, c) / shell_m2(b, c) : 0},
                   net->flow_node[stack.shell ? wsk_case_air(b, c) : to]);
}

/* The loss coefficient is assumed 1.5, of which 1.0 is discharge and 0.5 the grill:
 * docs/theory/constants.md, "outlet of a card" */
void wsk_wire_outlet(wsk_build *b, const wsk_card *c, int to, double area_m2)
{
    wsk_net *net = b->net;
    if (!(area_m2 > 0) || c->followed)
        return;
    wsk_build_branch(b, (wsk_branch){.from = wsk_exhaust_of(b, c),
                                     .to = to,
                                     .mover = WSK_NO,
                                     .column = WSK_NO,
                                     .k2 = wsk_loss_k2(1.5, area_m2)});
    wsk_build_exchange(b, c->exhaust, net->flow_node[to], WSK_NO, 0, 0.05 * area_m2, 0.1);
}

void wsk_wire_leak(wsk_build *b, const wsk_card *c)
{
    const wsk_cooler_params *k = c->cooler;
    if (k->leak_share > 0 && wsk_case_air(b, c) != WSK_OPEN_ROOM)
        wsk_build_branch(
            b, (wsk_branch){.from = wsk_exhaust_of(b, c),
                            .to = wsk_case_air(b, c),
                            .mover = WSK_NO,
                            .column = WSK_NO,
                            .k2 = wsk_loss_k2(1.5, k->outlet_area_m2 * k->leak_share / (1 - k->leak_share))});
}

void wsk_wire_return(wsk_build *b, const wsk_card *c, double share)
{
    wsk_net *net = b->net;
    const wsk_card *const gaps[2] = {c->above >= 0 ? &net->cards[c->above] : NULL, c};
    for (int g = 0; g < 2; g++) {
        if (!gaps[g] || gaps[g]->gap < 0)
            continue;
        double rel = wsk_max(gaps[g]->gap_m, 0) / c->cooler->diameter_m;
        double ratio = c->cooler->recirculation * exp(-rel / c->cooler->recirculation_gap) * share;
        if (ratio > 1e-6)
            wsk_build_exchange(b, c->exhaust, net->flow_node[gaps[g]->gap], c->branch, ratio, 0, 0);
    }
}

/* The conductance is assumed ~ flow^0.5, and 0.4 of it to remain without flow:
 * docs/theory/constants.md, "board in moving air" */
void wsk_wire_board(wsk_build *b, const wsk_card *c, int air)
{
    int node = b->net->flow_node[air];
    wsk_build_port(b, (wsk_port){.solid = c->board,
                                 .sense = node,
                                 .deposit = node,
                                 .law = WSK_PORT_SURFACE,
                                 .branch = c->branch,
                                 .g = c->gpu->board_cond_w_k,
                                 .flow_ref = c->cooler->flow_ref_m3s,
                                 .exponent = 0.5,
                                 .natural = 0.4 * c->gpu->board_cond_w_k});
}

/* The conductance is assumed to be 0.6 times that of a board in a fan's stream:
 * docs/theory/constants.md, "board without a fan" */
void wsk_wire_still_board(wsk_build *b, const wsk_card *c)
{
    int node = b->net->flow_node[wsk_air_behind(b, c)];
    wsk_build_port(b, (wsk_port){.solid = c->board,
                                 .sense = node,
                                 .deposit = node,
                                 .law = WSK_PORT_FIXED,
                                 .branch = WSK_NO,
                                 .g = 0.6 * c->gpu->board_cond_w_k});
}

/* Adds a surface in the slow air of the case: 10 W/m2K by radiation and forced convection, blended with 8 W/m2K by
 * natural convection at 10 K. docs/theory/cooler.md, "Cooler: passive";
 * docs/theory/constants.md, "shell of a passive card" */
static void wire_surface(wsk_build *b, const wsk_card *c, int solid, double area_m2)
{
    int air = b->net->flow_node[wsk_case_air(b, c)];
    wsk_build_port(b, (wsk_port){.solid = solid,
                                 .sense = air,
                                 .deposit = air,
                                 .law = WSK_PORT_SURFACE,
                                 .branch = WSK_NO,
                                 .g = 10 * area_m2,
                                 .natural = 8 * area_m2});
}

void wsk_wire_shell(wsk_build *b, const wsk_card *c)
{
    wire_surface(b, c, c->heatsink, shell_m2(b, c));
    wire_surface(b, c, c->board, side_m2(b, c));
}

void wsk_build_card_air(wsk_build *b)
{
    wsk_net *net = b->net;
    for (int i = 0; i < net->n_card && !b->full; i++)
        if (wsk_style_of(&net->cards[i])->open)
            wsk_style_of(&net->cards[i])->open(b, &net->cards[i]);
    for (int i = 0; i < net->n_card && !b->full; i++)
        if (wsk_style_of(&net->cards[i])->wire)
            wsk_style_of(&net->cards[i])->wire(b, &net->cards[i]);
}
