/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cards into the network: where each sits, what it draws its air from and where it lets it go.
 * Theory: docs/theory/cooler.md and docs/theory/air.md */
#include <math.h>
#include <string.h>

#include "sim/net/compile.h"

static const double closed_gap_m = 0.3e-3; /* below this a slot gap passes no air (physics.md section 1) */

static const wsk_cooler_ops *style_of(const wsk_card *c)
{
    return c->cooler->head.elem->kind->ops;
}

static double thickness(const wsk_card *c, const wsk_chassis_params *chassis)
{
    return isnan(c->gpu->thickness_m) ? c->gpu->slots * chassis->pitch_m - 2e-3 : c->gpu->thickness_m;
}

/* The pin of a fan is a speed or a share of the fastest speed. */
static double pinned_rpm(wsk_build *b, const wsk_card *c)
{
    double value;
    char currency[8];
    size_t at;
    wsk_dim means;
    const char *text = c->gpu->pin_fan;
    if (!text)
        return NAN;
    if (wsk_parse_quantity(text, WSK_DIM_SPEED, &value, currency, &at, &means) == WSK_UNIT_OK && value >= 0)
        return value;
    if (strchr(text, '%') &&
        wsk_parse_quantity(text, WSK_DIM_FRACTION, &value, currency, &at, &means) == WSK_UNIT_OK && value >= 0)
        return value * c->rpm_max;
    wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, c->elem, "fan",
                  "'%s' is no fan speed; expected \"2200 rpm\" or \"55 %%\"", text);
    return NAN;
}

static void check_limits(wsk_build *b, wsk_card *c)
{
    const wsk_gpu_params *g = c->gpu;
    double lowest = isnan(g->limit_min_w) ? 0.3 * g->tdp_w : g->limit_min_w;
    double highest = isnan(g->limit_max_w) ? g->tdp_w : g->limit_max_w;
    if (highest < g->tdp_w)
        highest = g->tdp_w;
    c->default_limit_w = g->tdp_w;
    c->limit_w = isnan(g->limit_w) ? g->tdp_w : g->limit_w;
    if (c->limit_w < lowest * (1 - 1e-12) || c->limit_w > highest * (1 + 1e-12))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, c->elem, "power-limit",
                      "a power limit of %.6g W is not settable on this card; expected %.6g W to %.6g W", c->limit_w,
                      lowest, highest);
    c->held_w = c->ops->held_w(g, c->limit_w);
    c->default_held_w = c->ops->held_w(g, c->default_limit_w);
}

static void take_governors(wsk_card *c)
{
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(c->elem, "governor", e)) != NULL && c->n_governors < 4;) {
        c->governors[c->n_governors].params = e->params;
        c->governors[c->n_governors++].ops = e->kind->ops;
    }
}

/* A parameter block is const after loading; the completed copy lives with the network. */
static const wsk_gpu_params *complete(wsk_build *b, const wsk_gpu_params *from)
{
    wsk_gpu_params *g = wsk_alloc(b->net->arena, sizeof *g);
    if (!g)
        return from;
    *g = *from;
    g->idle_w = isnan(g->idle_w) ? 0.08 * g->tdp_w : g->idle_w;
    g->leakage_w = isnan(g->leakage_w) ? 0.03 * g->tdp_w : g->leakage_w;
    g->memory_w = isnan(g->memory_w) ? 0.12 * g->tdp_w : g->memory_w;
    return g;
}

static bool named_in(const char *list, const char *id)
{
    if (!list || strcmp(list, "all") == 0)
        return true;
    size_t len = strlen(id);
    for (const char *s = list; *s;) {
        s += strspn(s, " ,\t\n");
        size_t word = strcspn(s, " ,\t\n");
        if (word == len && memcmp(s, id, len) == 0)
            return true;
        s += word;
    }
    return false;
}

static void take_card(wsk_build *b, const wsk_elem *e)
{
    wsk_net *net = b->net;
    const wsk_elem *cooler = wsk_elem_child(e, "cooler", NULL);
    if (!cooler) {
        wsk_elem_diag(
            &b->plan->diags, WSK_DIAG_ERROR, e, NULL,
            "this card has no cooler; expected a part with one, or <cooler kind=\"blower|open-air|passive\" .../>");
        return;
    }
    wsk_card *c = &net->cards[net->n_card++];
    *c = (wsk_card){
        .elem = e, .gpu = complete(b, e->params), .ops = e->kind->ops, .id = e->id, .cooler = cooler->params};
    c->rpm_max = isnan(c->cooler->rpm_max) ? c->cooler->rpm : c->cooler->rpm_max;
    c->rpm_min = c->cooler->rpm_min;
    c->pin_rpm = pinned_rpm(b, c);
    c->memory_share = c->gpu->memory_w / c->gpu->tdp_w;
    c->board_share = c->gpu->board_share;
    if (c->memory_share > 0.5 * (1 - c->board_share)) /* the die keeps at least half of what the board leaves */
        c->memory_share = 0.5 * (1 - c->board_share);
    c->die_share = 1 - c->memory_share - c->board_share;
    check_limits(b, c);
    take_governors(c);
    const wsk_class_params over = {.p0_w = net->workload ? net->workload->p0_w : NAN,
                                   .c_w_hz = net->workload ? net->workload->c_w_hz : NAN,
                                   .clock_share = net->workload ? net->workload->clock_share : NAN};
    c->ops->classify(c->gpu, net->cls, &over, &c->cls);
    double least = c->ops->power_w(c->gpu, &c->cls, c->gpu->clock_min_hz, 60 + WSK_KELVIN, NULL);
    c->works = net->workload && net->cls != WSK_CLASS_IDLE && named_in(net->workload->gpus, c->id);
    if (c->works && isnan(c->gpu->pin_power_w) && least > c->held_w)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, c->elem, "power-limit",
                      "%s cannot hold %.0f W at this work: it draws %.0f W at its lowest clock of %.0f MHz", c->id,
                      c->held_w, least, c->gpu->clock_min_hz * 1e-6);
}

static int by_slot(const wsk_card *a, const wsk_card *c)
{
    return a->gpu->slot < c->gpu->slot ? -1 : a->gpu->slot > c->gpu->slot;
}

/* Cards stand in slot order whatever the file's order; each gap reaches to the next card or the wall. */
static void measure_gaps(wsk_build *b)
{
    wsk_net *net = b->net;
    const wsk_chassis_params *ch = net->chassis;
    for (int i = 0; i < net->n_card; i++) {
        wsk_card *c = &net->cards[i];
        double top = (c->gpu->slot - 1) * ch->pitch_m, end = top + thickness(c, ch);
        double next = i + 1 < net->n_card ? (net->cards[i + 1].gpu->slot - 1) * ch->pitch_m
                                          : ch->slots * ch->pitch_m + ch->wall_gap_m;
        c->gap_m = next - end;
        if (c->gpu->slot + c->gpu->slots - 1 > ch->slots)
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, c->elem, "slot",
                          "a card of %.0f slots in slot %.0f reaches beyond the chassis; expected it to end at slot "
                          "%.0f or before",
                          c->gpu->slots, c->gpu->slot, ch->slots);
        if (i + 1 < net->n_card && (net->cards[i + 1].gpu->slot < c->gpu->slot + c->gpu->slots || c->gap_m < -1e-9))
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, net->cards[i + 1].elem, "slot",
                          "slot %.0f is taken: %s covers slots %.0f to %.0f; expected a free slot",
                          net->cards[i + 1].gpu->slot, c->id, c->gpu->slot, c->gpu->slot + c->gpu->slots - 1);
        if (c->gpu->length_m > ch->card_length_max_m)
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, c->elem, "length",
                          "the card is %.0f mm long; expected at most the %.0f mm that the chassis holds",
                          c->gpu->length_m * 1e3, ch->card_length_max_m * 1e3);
    }
}

void wsk_build_card_table(wsk_build *b)
{
    wsk_net *net = b->net;
    int n = 0;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(b->chassis, "gpu", e)) != NULL;)
        n++;
    size_t room = (size_t)n + 1;
    net->cards = wsk_alloc(net->arena, room * sizeof *net->cards);
    b->card_gap = wsk_alloc(net->arena, room * sizeof *b->card_gap);
    if (!net->cards || !b->card_gap) {
        b->full = true;
        return;
    }
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(b->chassis, "gpu", e)) != NULL;)
        take_card(b, e);
    for (int i = 1; i < net->n_card; i++) /* insertion: stable */
        for (int j = i; j > 0 && by_slot(&net->cards[j - 1], &net->cards[j]) > 0; j--) {
            wsk_card t = net->cards[j];
            net->cards[j] = net->cards[j - 1];
            net->cards[j - 1] = t;
        }
    measure_gaps(b);
}

void wsk_build_card_solids(wsk_build *b)
{
    wsk_net *net = b->net;
    for (int i = 0; i < net->n_card; i++) {
        wsk_card *c = &net->cards[i];
        const wsk_gpu_params *g = c->gpu;
        c->heatsink =
            wsk_build_node(b, wsk_printf(net->arena, "%s.heatsink", c->id), c->elem, c->cooler->cap_j_k, 473.15);
        c->memory = wsk_build_node(b, wsk_printf(net->arena, "%s.memory", c->id), c->elem, g->memory_cap_j_k, 473.15);
        c->board = wsk_build_node(b, wsk_printf(net->arena, "%s.board", c->id), c->elem, g->board_cap_j_k, 473.15);
        int block = wsk_build_block(b, c->heatsink, 3);
        double pad = 1 / g->memory_res_k_w;
        wsk_build_inner(b, block, 0, 1, pad * g->memory_heatsink_share);
        wsk_build_inner(b, block, 1, 2, pad * (1 - g->memory_heatsink_share));
        wsk_build_inner(b, block, 0, 2, g->board_heatsink_cond_w_k);
    }
}

/* The slot gap under card i: inlet over its open edges, then channel friction from the edge to the rim of the fan's
 * eye, which fills most of the width. */
static int build_gap(wsk_build *b, int i)
{
    wsk_net *net = b->net;
    const wsk_card *c = &net->cards[i];
    const wsk_chassis_params *ch = net->chassis;
    double gap = wsk_max(c->gap_m, closed_gap_m), length = c->gpu->length_m;
    double edge = length + ch->card_width_m, area = gap * edge;
    double path = wsk_max((ch->card_width_m - c->cooler->diameter_m) / 2, 5e-3);
    int node = wsk_build_node(b, wsk_printf(net->arena, "%s.gap", c->id), c->elem, 0, 573.15);
    int flow = wsk_build_flow_node(b, node);
    wsk_build_branch(b, (wsk_branch){.from = b->flow_case,
                                     .to = flow,
                                     .mover = WSK_NO,
                                     .column = WSK_NO,
                                     .k1 = 12 * WSK_MU * path / (gap * gap * gap * edge),
                                     .k2 = wsk_loss_k2(ch->gap_loss, area)});
    wsk_build_exchange(b, node, net->case_air, WSK_NO, 0, 0.05 * area, gap);
    return flow;
}

/* Fan, fins and curtain in one branch from the intake to the exhaust node. */
static void build_cooler(wsk_build *b, int i, int from, int exhaust)
{
    wsk_net *net = b->net;
    wsk_card *c = &net->cards[i];
    const wsk_cooler_params *k = c->cooler;
    const wsk_cooler_ops *style = style_of(c);
    wsk_fan_law law = wsk_fan_curve(k->pressure_pa, k->flow_m3s, k->curvature, k->fans);
    wsk_branch branch = {.from = from,
                         .to = exhaust,
                         .column = WSK_NO,
                         .a = law.a,
                         .b = law.b,
                         .d = law.d,
                         .k1 = 0.5 * k->drop_pa / k->flow_ref_m3s,
                         .k2 = 0.5 * k->drop_pa / (k->flow_ref_m3s * k->flow_ref_m3s)};
    if (style->curtain) {
        double gap = wsk_max(c->gap_m, closed_gap_m);
        branch.k2 +=
            wsk_loss_k2(net->chassis->curtain_loss, 3.14159265358979 * k->diameter_m * (gap + k->recess_m) * k->fans);
    }
    branch.mover = c->mover = wsk_build_mover(b, wsk_printf(net->arena, "%s.fan", c->id), k->rpm, k->rpm_min, 0, 0);
    c->branch = wsk_build_branch(b, branch);
}

/* Outlet loss: discharge into open space (1.0) and the grill (0.5). */
static double outlet_k2(double area_m2)
{
    return wsk_loss_k2(1.5, area_m2);
}

static void build_outlets(wsk_build *b, int i, int exhaust, int exhaust_node, unsigned wiring)
{
    wsk_net *net = b->net;
    const wsk_cooler_params *k = net->cards[i].cooler;
    int target = wiring & WSK_COOLER_OUT_ROOM ? 0 : b->flow_case;
    wsk_build_branch(
        b, (wsk_branch){
               .from = exhaust, .to = target, .mover = WSK_NO, .column = WSK_NO, .k2 = outlet_k2(k->outlet_area_m2)});
    wsk_build_exchange(b, exhaust_node, target ? net->case_air : net->room, WSK_NO, 0, 0.05 * k->outlet_area_m2, 0.1);
    if (wiring & WSK_COOLER_OUT_ROOM && k->leak_share > 0)
        wsk_build_branch(b, (wsk_branch){.from = exhaust,
                                         .to = b->flow_case,
                                         .mover = WSK_NO,
                                         .column = WSK_NO,
                                         .k2 = outlet_k2(k->outlet_area_m2 * k->leak_share / (1 - k->leak_share))});
}

/* Exhaust over the edges re-enters the adjoining gaps the more, the narrower they are. */
static void build_recirculation(wsk_build *b, int i, int exhaust_node)
{
    wsk_net *net = b->net;
    const wsk_card *c = &net->cards[i];
    for (int j = i - 1; j <= i; j++) {
        if (j < 0 || b->card_gap[j] < 0)
            continue;
        double rel = wsk_max(net->cards[j].gap_m, 0) / c->cooler->diameter_m;
        double ratio = c->cooler->recirculation * exp(-rel / c->cooler->recirculation_gap);
        if (ratio > 1e-6)
            wsk_build_exchange(b, exhaust_node, net->flow_node[b->card_gap[j]], c->branch, ratio, 0, 0);
    }
}

void wsk_build_card_air(wsk_build *b)
{
    wsk_net *net = b->net;
    for (int i = 0; i < net->n_card && !b->full; i++) {
        const wsk_cooler_ops *style = style_of(&net->cards[i]);
        b->card_gap[i] = style->wiring & WSK_COOLER_IN_ROOM ? WSK_NO : build_gap(b, i);
    }
    for (int i = 0; i < net->n_card && !b->full; i++) {
        wsk_card *c = &net->cards[i];
        const wsk_cooler_ops *style = style_of(c);
        int from = b->card_gap[i] < 0 ? 0 : b->card_gap[i];
        int exhaust = wsk_build_node(b, wsk_printf(net->arena, "%s.exhaust", c->id), c->elem, 0, 573.15);
        int flow = wsk_build_flow_node(b, exhaust);
        c->inlet = net->flow_node[from];
        build_cooler(b, i, from, flow);
        build_outlets(b, i, flow, exhaust, style->wiring);
        if (style->wiring & WSK_COOLER_SIDE_EXHAUST)
            build_recirculation(b, i, exhaust);
        int behind = i > 0 && b->card_gap[i - 1] >= 0 ? net->flow_node[b->card_gap[i - 1]] : net->case_air;
        wsk_build_fins(b, (wsk_port){.solid = c->heatsink,
                                     .sense = c->inlet,
                                     .deposit = exhaust,
                                     .branch = c->branch,
                                     .g = c->cooler->ua_w_k,
                                     .flow_ref = c->cooler->flow_ref_m3s,
                                     .exponent = c->cooler->ua_exponent,
                                     .natural = c->cooler->natural_w_k});
        wsk_build_port(b, (wsk_port){.solid = c->board,
                                     .sense = behind,
                                     .deposit = behind,
                                     .law = WSK_PORT_SURFACE,
                                     .branch = c->branch,
                                     .g = c->gpu->board_cond_w_k,
                                     .flow_ref = c->cooler->flow_ref_m3s,
                                     .exponent = 0.5,
                                     .natural = 0.4 * c->gpu->board_cond_w_k});
    }
}
