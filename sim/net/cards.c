/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills the table of cards from the <gpu> elements: checks their values, chooses their coolers and governors, and
 * finds groups and neighbours of the cards. Theory: docs/theory/card.md, docs/theory/cooler.md */
#include <math.h>
#include <string.h>

#include "sim/base/slots.h"
#include "sim/net/compile.h"
#include "sim/net/load.h"
#include "sim/net/tokens.h"

/* Returns NAN if the rig states no fan speed for the card, or if the text is wrong, which is reported. */
static double pinned_rpm(wsk_build *b, const wsk_card *c)
{
    double value;
    char currency[8];
    size_t at;
    wsk_dim means;
    const char *text = c->gpu->pin_fan;
    if (!text || !wsk_fan_can_fail(c))
        return NAN;
    if (strchr(text, '%') && wsk_parse_quantity(text, WSK_DIM_FRACTION, &value, currency, &at, &means) == WSK_UNIT_OK)
        value *= c->rpm_max;
    else if (wsk_parse_quantity(text, WSK_DIM_SPEED, &value, currency, &at, &means) != WSK_UNIT_OK)
        value = NAN;
    if (!(value >= 0))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, c->elem, "fan", WSK_SAID(WSK_SAY_FAN_SPEED, text));
    wsk_check_fan_speed(b, c->elem, "fan", value, c->rpm_max);
    return value >= 0 ? value : NAN;
}

static void check_overridden(wsk_build *b, const wsk_card *c)
{
    const wsk_gpu_params *g = c->gpu;
    const char *pin = !isnan(g->pin_power_w) ? "power" : !isnan(g->pin_clock_hz) ? "clock" : NULL, *idle = NULL;
    bool same = false;
    for (int i = 0; i < g->limit_schedule.count; i++)
        same = same || fabs(g->limit_schedule.y[i] - g->limit_w) < 1e-9;
    if (pin)
        idle = g->limit_schedule.count    ? "limit-schedule"
               : !isnan(g->lock_clock_hz) ? "lock-clock"
               : !isnan(g->limit_w)       ? "power-limit"
                                          : NULL;
    else if (g->limit_schedule.count && !isnan(g->limit_w) && !same) {
        pin = "limit-schedule";
        idle = "power-limit";
    }
    if (idle)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, c->elem, idle,
                      WSK_SAID(WSK_SAY_OVERRIDDEN, idle, pin, c->id));
    if (g->lock_clock_hz < g->clock_min_hz * (1 - 1e-12) ||
        g->lock_clock_hz > (g->clock_max_hz + wsk_max(g->clock_offset_hz, 0)) * (1 + 1e-12))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, c->elem, "lock-clock",
                      WSK_SAID(WSK_SAY_CLOCK_RANGE, c->id, g->clock_min_hz / 1e6, g->clock_max_hz / 1e6));
}

/* Warns if a power trace exceeds the highest power limit of the card by more than 20 %. Power sensors sometimes show
 * up to 20 % too much; with more, the trace is probably that of another card, or of several cards. */
static void check_trace(wsk_build *b, const wsk_card *c)
{
    const wsk_workload_params *w = b->net->workload;
    double most = 0;
    if (!c->works || w->power.count == 0)
        return;
    for (size_t i = 0; i < w->power.count; i++)
        most = wsk_max(most, w->power.y[i]);
    if (most > 1.2 * c->limit_max_w)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, w->head.elem, "power",
                      WSK_SAID(WSK_SAY_TRACE_POWER, most, c->id, c->limit_max_w));
}

static void check_values(wsk_build *b, const wsk_card *c)
{
    static const wsk_order_rule rules[] = {
        {"power-limit-min", "power-limit-max", WSK_DIAG_ERROR},
        {"power-limit-min", "tdp", WSK_DIAG_ERROR},
        {"idle", "power-limit-max", WSK_DIAG_ERROR},
        {"idle", "tdp", WSK_DIAG_ERROR},
        {"idle", "idle-loaded", WSK_DIAG_ERROR},
        {"idle-loaded", "tdp", WSK_DIAG_ERROR},
        {"clock-min", "clock-max", WSK_DIAG_ERROR},
        /* warnings: a first temperature above the second has no effect, because the second acts first */
        {"target-temperature", "slowdown-temperature", WSK_DIAG_WARNING},
        {"slowdown-temperature", "shutdown-temperature", WSK_DIAG_WARNING},
        {NULL, NULL, WSK_DIAG_ERROR}};
    wsk_check_order(b, c->elem, rules);
}

static void check_limits(wsk_build *b, wsk_card *c)
{
    const wsk_gpu_params *g = c->gpu;
    const double lowest = g->limit_min_w, highest = g->limit_max_w;
    c->limit_min_w = lowest;
    c->limit_max_w = highest;
    c->default_limit_w = wsk_gpu_default_limit_w(g);
    c->limit_w = isnan(g->limit_w) ? c->default_limit_w : g->limit_w;
    if (lowest > c->default_limit_w * (1 + 1e-12)) /* no limit is possible, which check_values reports */
        return;
    if (c->limit_w < lowest * (1 - 1e-12) || c->limit_w > highest * (1 + 1e-12))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, c->elem, "power-limit",
                      WSK_SAID(WSK_SAY_LIMIT_RANGE, c->limit_w, lowest, highest));
    for (int i = 0; i < g->limit_schedule.count; i++)
        if (g->limit_schedule.y[i] < lowest * (1 - 1e-12) || g->limit_schedule.y[i] > highest * (1 + 1e-12) ||
            g->limit_schedule.x[i] < 0 || g->limit_schedule.x[i] >= 86400)
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, c->elem, "limit-schedule",
                          WSK_SAID(WSK_SAY_LIMIT_SCHEDULE, g->limit_schedule.y[i], g->limit_schedule.x[i] / 3600,
                                   lowest, highest));
}

/* If the chassis may drive the air through a cooler, the cooler's own fan must have all of pressure, flow and speed
 * stated, or none of them. */
static void check_fan(wsk_build *b, const wsk_card *c)
{
    const wsk_cooler_params *k = c->cooler;
    int stated = (k->pressure_pa > 0) + (k->flow_m3s > 0) + (k->rpm > 0);
    if (wsk_style_of(c)->in_duct && stated % 3 != 0)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, k->head.elem, NULL, WSK_SAID(WSK_SAY_COOLER_FAN_PARTLY));
}

static void check_failures(wsk_build *b, const wsk_card *c)
{
    if (!wsk_fan_can_fail(c) && !isnan(c->gpu->fan_fails_s))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, c->elem, "fan-fails-at",
                      WSK_SAID(WSK_SAY_NO_OWN_FAN, c->id));
    if (!wsk_pump_can_fail(c) && !isnan(c->gpu->pump_fails_s))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, c->elem, "pump-fails-at",
                      WSK_SAID(WSK_SAY_NO_OWN_PUMP, c->id));
}

static void check_memory_clock(wsk_build *b, const wsk_card *c)
{
    if (c->gpu->memory_offset_hz != 0 && isnan(c->gpu->memory_clock_hz))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, c->elem, "memory-offset", WSK_SAID(WSK_SAY_NO_MEMORY_CLOCK));
    else if (!(c->cls.memory_speed > 0.01))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, c->elem, "memory-offset",
                      WSK_SAID(WSK_SAY_MEMORY_OFFSET, c->gpu->memory_clock_hz * 1e-6));
}

static void take_governors(wsk_build *b, wsk_card *c)
{
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(c->elem, "governor", e)) != NULL;) {
        if (c->n_governors == WSK_GOVERNORS) {
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, e, NULL, WSK_SAID(WSK_SAY_GOVERNORS, WSK_GOVERNORS));
            return;
        }
        const wsk_governor_params *p = e->params;
        c->governors[c->n_governors].params = p;
        c->governors[c->n_governors].ops = e->kind->ops;
        c->governors[c->n_governors++].period_ns = (int64_t)(p->period_s * 1e9);
    }
}

static void take_cable(wsk_build *b, const wsk_elem *card, wsk_gpu_params *g)
{
    const wsk_elem *e = wsk_elem_child(card, "riser-cable", NULL);
    const wsk_riser_cable_params *cable = wsk_params_of(e);
    if (!cable)
        return;
    if (isnan(g->riser_m))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, e, NULL, WSK_SAID(WSK_SAY_RISER_CABLE, card->id));
    g->lanes = wsk_min(g->lanes, cable->lanes);
    g->pcie = wsk_min(g->pcie, cable->pcie);
}

/* The network owns the completed copy, because the parameters of a plan are const. */
static const wsk_gpu_params *complete_params(wsk_build *b, const wsk_elem *card, const wsk_cooler_params *cooler,
                                             int in)
{
    const wsk_gpu_params *from = card->params;
    wsk_gpu_params *g = wsk_alloc(b->net->arena, sizeof *g);
    if (!g)
        return from;
    *g = *from;
    wsk_gpu_complete(g);
    take_cable(b, card, g);
    if (cooler->slots > 0) { /* the slots and thickness that the card states are those with its original cooler */
        g->slots = cooler->slots;
        g->thickness_m = NAN;
    }
    if (cooler->thickness_m > 0)
        g->thickness_m = cooler->thickness_m;
    if (isnan(g->thickness_m))
        g->thickness_m = wsk_slots_thickness_mm(g->slots) / 1e3;
    g->slots = wsk_slots_covered(g->slots, 1e3 * b->net->cases[in].params->pitch_m);
    return g;
}

static const wsk_cooler_params *complete_cooler(wsk_build *b, const wsk_card *c)
{
    const wsk_cooler_ops *style = wsk_style_of(c);
    if (!style->complete)
        return c->cooler;
    wsk_cooler_params *k = wsk_alloc(b->net->arena, sizeof *k);
    if (!k) {
        b->full = true;
        return c->cooler;
    }
    *k = *c->cooler;
    style->complete(k, c->gpu->length_m, c->gpu->thickness_m);
    return k;
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

static void take_card(wsk_build *b, int in, const wsk_elem *e)
{
    wsk_net *net = b->net;
    const wsk_elem *cooler = wsk_elem_child(e, "cooler", NULL);
    if (!cooler) {
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, e, NULL, WSK_SAID(WSK_SAY_NO_COOLER));
        return;
    }
    wsk_card *c = &net->cards[net->n_card++];
    *c = (wsk_card){.elem = e,
                    .gpu = complete_params(b, e, cooler->params, in),
                    .ops = e->kind->ops,
                    .id = e->id,
                    .cooler = cooler->params,
                    .in = in,
                    .mover = WSK_NO,
                    .branch = WSK_NO,
                    .gap = WSK_NO,
                    .group = WSK_NO,
                    .exhaust = WSK_NO,
                    .above = WSK_NO,
                    .behind = WSK_NO};
    c->cooler = complete_cooler(b, c);
    c->rpm_max = isnan(c->cooler->rpm_max) ? c->cooler->rpm : c->cooler->rpm_max;
    c->rpm_min = c->cooler->rpm_min;
    c->fan_period_ns = (int64_t)(c->cooler->period_s * 1e9);
    c->pin_rpm = pinned_rpm(b, c);
    c->lost_ns = wsk_fails_ns(c->gpu->lost_s);
    check_values(b, c);
    check_limits(b, c);
    check_overridden(b, c);
    check_fan(b, c);
    check_failures(b, c);
    take_governors(b, c);
    c->works = net->workload && net->cls != WSK_CLASS_IDLE && named_in(net->workload->gpus, c->id);
    check_trace(b, c);
}

/* Joins cards that share a model into groups of equal size; left-over cards stay idle. Makes no groups if a recording
 * drives each card alone, or for synchronous work, in which all cards wait for each other anyway. */
static void group_cards(wsk_build *b)
{
    wsk_net *net = b->net;
    const wsk_workload_params *w = net->workload;
    int working = 0;
    for (int i = 0; i < net->n_card; i++)
        working += net->cards[i].works;
    const int group = w && working ? (int)wsk_load_group(w, working) : 1, over = working % group;
    if (group == 1 || w->log.cards > 0 || w->power.count > 0 || w->utilisation.count > 0)
        return;
    if (over > 0)
        wsk_elem_diag(&b->plan->diags, over == working ? WSK_DIAG_ERROR : WSK_DIAG_WARNING, w->head.elem,
                      "tensor-parallel",
                      over == working ? WSK_SAID(WSK_SAY_GROUP_CARDS, (double)group, (double)working)
                                      : WSK_SAID(WSK_SAY_GROUP_OVER, (double)group, (double)working, (double)over));
    for (int i = net->n_card - 1, left = over; left > 0; i--) {
        left -= net->cards[i].works;
        net->cards[i].works = false;
    }
    net->turns = w->split == WSK_SPLIT_LAYER && !(w->tensor_parallel > 1);
    for (int i = 0, n = 0; i < net->n_card && !net->workload_ops->synchronous; i++)
        if (net->cards[i].works) {
            net->cards[i].group = n++ / group;
            net->cards[i].step = 1 / net->cards[i].gpu->speed;
            net->n_group = net->cards[i].group + 1;
        }
}

/* Die temperature at which a card settles while it draws power_w, K. Cards warm up in proportion to their power; a fan of
 * the card's own holds its temperature from 40 % of tdp on. docs/theory/constants.md, "die of measured power" */
static double settled_k(const wsk_card *c, double power_w)
{
    const bool liquid = wsk_style_of(c)->join || wsk_style_of(c)->circuit;
    const double cold_c = liquid ? 25 : 35, rise_k = liquid ? 25 : 30, share = power_w / c->gpu->tdp_w;
    return WSK_KELVIN + cold_c + rise_k * (liquid || wsk_ducted(c) ? share : wsk_min(share / 0.4, 1));
}

static void classify_cards(wsk_build *b)
{
    wsk_net *net = b->net;
    int working = 0;
    bool nvlink = true;
    for (int i = 0; i < net->n_card; i++) {
        working += net->cards[i].works;
        nvlink = nvlink && (net->cards[i].gpu->nvlink || !net->cards[i].works);
    }
    wsk_load load = wsk_load_of(net->workload, working, nvlink);
    const double stated = load.duty, measured_w = load.measured_w;
    wsk_token_rates tokens;
    wsk_token_part *parts = wsk_alloc(net->arena, ((size_t)net->n_card + 1) * sizeof *parts);
    if (!parts) {
        b->full = true;
        return;
    }
    for (int i = 0; i < net->n_card; i++)
        parts[i] = (wsk_token_part){NAN, net->cards[i].step, NAN, NAN, NAN, NAN};
    wsk_tokens_of(net->workload, net->cards, net->n_card, NULL, &tokens, parts);
    for (int i = 0; i < net->n_card; i++)
        net->cards[i].step = parts[i].step_s;
    for (int i = 0; i < net->n_card; i++) {
        wsk_card *c = &net->cards[i];
        load.duty = load.exchanges ? fmin(stated, parts[i].duty) : isnan(stated) ? parts[i].duty : stated;
        load.kernels = net->workload && isnan(net->workload->duty) ? parts[i].kernels : NAN;
        load.kernels_usual = parts[i].kernels_usual;
        load.bits = parts[i].bits;
        load.unpacking = parts[i].unpacking;
        load.measured_k = settled_k(c, measured_w);
        load.measured_w = wsk_running_w(net, c, measured_w);
        load.limited_w = c->group >= 0 ? measured_w : load.measured_w;
        c->ops->classify(c->gpu, net->cls, c->works ? &load : NULL, &c->cls);
        c->cls.p0_w = wsk_max(c->cls.p0_w - c->cooler->saved_w, 0);
        wsk_divide_power(c);
        c->held_w = wsk_card_held_w(c, c->limit_w);
        c->default_held_w = wsk_card_held_w(c, c->default_limit_w);
        check_memory_clock(b, c);
        double least = c->ops->power_w(c->gpu, &c->cls, c->gpu->clock_min_hz, 60 + WSK_KELVIN, NULL);
        if (c->works && isnan(c->gpu->pin_power_w) && least > c->held_w && !b->plan->diags.errors)
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, c->elem, "power-limit",
                          WSK_SAID(WSK_SAY_LIMIT_TOO_LOW, c->id, c->held_w, least, c->gpu->clock_min_hz * 1e-6));
    }
}

static int by_slot(const wsk_card *a, const wsk_card *c)
{
    if (a->in != c->in)
        return a->in < c->in ? -1 : 1;
    return a->gpu->slot < c->gpu->slot ? -1 : a->gpu->slot > c->gpu->slot;
}

/* The next card below card i in slots; WSK_NO: none. Of a card on a riser, only the connector is in a slot. */
static int find_below(const wsk_net *net, int i)
{
    for (int j = i + 1; j < net->n_card && net->cards[j].in == net->cards[i].in; j++)
        if (!wsk_on_riser(&net->cards[j]))
            return j;
    return WSK_NO;
}

static void measure_gaps(wsk_build *b)
{
    wsk_net *net = b->net;
    for (int i = 0; i < net->n_card; i++) {
        wsk_card *c = &net->cards[i];
        const wsk_chassis_params *ch = net->cases[c->in].params;
        int next = find_below(net, i);
        double end = (c->gpu->slot - 1) * ch->pitch_m + c->gpu->thickness_m;
        c->gap_m = next >= 0 ? (net->cards[next].gpu->slot - 1) * ch->pitch_m - end
                             : ch->slots * ch->pitch_m + ch->wall_gap_m - end;
        if (wsk_on_riser(c))
            c->gap_m = c->gpu->riser_m;
        else if (next >= 0)
            net->cards[next].above = i;
    }
    for (int i = 0; i < net->n_card; i++)
        wsk_check_place(b, i);
}

static bool stands_before(const wsk_net *net, int j, int i)
{
    const wsk_card *c = &net->cards[i], *front = &net->cards[j];
    if (j == i || front->in != c->in)
        return false;
    if (c->gpu->behind)
        return strcmp(front->id, c->gpu->behind) == 0;
    return wsk_ducted(c) && wsk_ducted(front) && !front->followed &&
           c->gpu->slot - net->cases[c->in].params->row_slots == front->gpu->slot;
}

/* Finds for each card the card whose exhaust it draws. The fans of the chassis must drive the air of both cards. */
static void couple_behind(wsk_build *b)
{
    wsk_net *net = b->net;
    for (int i = 0; i < net->n_card; i++) {
        wsk_card *c = &net->cards[i];
        int front = WSK_NO;
        for (int j = 0; j < net->n_card; j++)
            if (stands_before(net, j, i))
                front = j;
        if (front < 0 && !c->gpu->behind)
            continue;
        if (front < 0 || !wsk_ducted(c) || !wsk_ducted(&net->cards[front]) || net->cards[front].followed ||
            net->cards[front].gpu->slot >= c->gpu->slot) {
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, c->elem, "behind",
                          WSK_SAID(WSK_SAY_CARD_BEHIND, c->id, c->gpu->behind));
            continue;
        }
        c->behind = front;
        net->cards[front].followed = true;
    }
}

/* Warns of a missing workload. A rig that states the power of all cards repeats a measurement and needs none. */
static void check_work(wsk_build *b)
{
    const wsk_net *net = b->net;
    int idle = 0;
    for (int i = 0; i < net->n_card; i++)
        idle += isnan(net->cards[i].gpu->pin_power_w);
    if (!net->workload && idle && !b->plan->diags.errors)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, b->plan->rig, NULL, WSK_SAID(WSK_SAY_NO_WORKLOAD));
}

void wsk_build_card_table(wsk_build *b)
{
    wsk_net *net = b->net;
    size_t room = 1;
    for (int in = 0; in < net->n_case; in++)
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(net->cases[in].elem, "gpu", e)) != NULL;)
            room++;
    net->cards = wsk_alloc(net->arena, room * sizeof *net->cards);
    if (!net->cards) {
        b->full = true;
        return;
    }
    for (int in = 0; in < net->n_case; in++)
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(net->cases[in].elem, "gpu", e)) != NULL;)
            take_card(b, in, e);
    for (int i = 1; i < net->n_card; i++)
        for (int j = i; j > 0 && by_slot(&net->cards[j - 1], &net->cards[j]) > 0; j--) {
            wsk_card t = net->cards[j];
            net->cards[j] = net->cards[j - 1];
            net->cards[j - 1] = t;
        }
    group_cards(b);
    wsk_build_log(b);
    wsk_build_links(b);
    classify_cards(b);
    check_work(b);
    measure_gaps(b);
    couple_behind(b);
}

/* A plate that covers only the die touches memory only if memory is in the same package (HBM). */
static double memory_to_plate(const wsk_card *c)
{
    bool bare = c->cooler->covers == 1, package = c->gpu->memory_type && strncmp(c->gpu->memory_type, "HBM", 3) == 0;
    return bare && !package ? 0 : c->gpu->memory_heatsink_share;
}

/* Conductance from board to heatsink or plate, W/K. A plate that covers only the die is joined to the board by the
 * die's substrate alone, which is assumed to conduct 0.3 times as much:
 * docs/theory/constants.md, "board under a plate for the die alone" */
static double board_to_plate(const wsk_card *c)
{
    bool bare = c->cooler->covers == 1;
    return (bare ? 0.3 : 1) * c->gpu->board_heatsink_cond_w_k;
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
        double pad = 1 / (g->memory_res_k_w * g->pads), up = memory_to_plate(c);
        wsk_build_inner(b, block, 0, 1, pad * up);
        wsk_build_inner(b, block, 1, 2, pad * (1 - up));
        wsk_build_inner(b, block, 0, 2, board_to_plate(c));
    }
}
