/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills the table of PSUs from the <psu> elements: checks their values, finds which loads each one feeds, and adds
 * the PSUs to the network of heat and air. Theory: docs/theory/psu.md, docs/theory/power.md */
#include <math.h>
#include <string.h>

#include "sim/net/compile.h"

static bool curve_of_part(const wsk_psu_params *psu)
{
    const wsk_elem *e = psu->head.elem;
    return e && psu->line_rating.count && wsk_elem_origin(e, "line-rating")->from == WSK_FROM_PART &&
           wsk_elem_origin(e, "rated")->from != WSK_FROM_PART;
}

/* The rating of a part is the highest output of its curve; tests/unit/test_psu_catalogue.c checks this. */
double wsk_psu_limit_w(const wsk_psu_params *psu, double supply_v)
{
    const wsk_curve *c = &psu->line_rating;
    double most_w = 0;
    if (!c->count)
        return psu->rated_w;
    for (int i = 0; i < c->count; i++)
        most_w = wsk_max(most_w, c->y[i]);
    return wsk_curve_at(c, supply_v) * (curve_of_part(psu) ? psu->rated_w / most_w : 1);
}

static void check_supply(wsk_build *b, const wsk_supply *s)
{
    const wsk_mains_line *line = &b->net->lines[s->line];
    double needs_v = s->params->supply_min_v, takes_v = s->params->supply_max_v, high_v = needs_v > 200 ? 230 : 208;
    if (line->supply_v > takes_v)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, s->elem, NULL,
                      s->line
                          ? WSK_SAID(WSK_SAY_PSU_VOLTAGE_ABOVE_BRANCH, s->elem->id, takes_v, line->id, line->supply_v)
                          : WSK_SAID(WSK_SAY_PSU_VOLTAGE_ABOVE, s->elem->id, takes_v, line->supply_v));
    if (line->supply_v < needs_v)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, s->elem, NULL,
                      s->line ? WSK_SAID(WSK_SAY_PSU_VOLTAGE_BRANCH, s->elem->id, needs_v, line->id, line->supply_v)
                              : WSK_SAID(WSK_SAY_PSU_VOLTAGE, s->elem->id, needs_v, line->supply_v, high_v));
}

/* Reports a stated loss without load that exceeds the loss at 2 or at 10 % load: such a value is not plausible. */
static void check_no_load(wsk_build *b, const wsk_supply *s)
{
    double rated_w = s->params->rated_w, at_2 = s->ops->input_w(&s->law, 0.02 * rated_w) - 0.02 * rated_w,
           at_10 = s->ops->input_w(&s->law, 0.1 * rated_w) - 0.1 * rated_w;
    if (s->params->no_load_w > wsk_min(at_2, at_10))
        wsk_elem_diag(
            &b->plan->diags, WSK_DIAG_ERROR, s->elem, "no-load-power",
            WSK_SAID(WSK_SAY_PSU_NO_LOAD, s->params->no_load_w, at_10 < at_2 ? 10.0 : 2.0, wsk_min(at_2, at_10)));
}

static void check_failures(wsk_build *b, const wsk_case *c)
{
    const wsk_supply *s = &b->net->supplies[c->first_supply];
    for (int i = 0; i < c->n_supply; i++)
        if (s[i].fails_ns < 0)
            return;
    if (c->n_supply)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, s->elem, "fails-at", WSK_SAID(WSK_SAY_ALL_PSUS_FAIL));
}

void wsk_build_supply_table(wsk_build *b)
{
    wsk_net *net = b->net;
    int n = 0;
    for (int i = 0; i < net->n_case; i++)
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(net->cases[i].elem, "psu", e)) != NULL;)
            n++;
    net->supplies = wsk_alloc(net->arena, ((size_t)n + 1) * sizeof *net->supplies);
    if (!net->supplies) {
        b->full = true;
        return;
    }
    for (int i = 0; i < net->n_case; i++) {
        wsk_case *c = &net->cases[i];
        c->first_supply = net->n_supply;
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(c->elem, "psu", e)) != NULL;) {
            wsk_supply *s = &net->supplies[net->n_supply++];
            *s = (wsk_supply){.elem = e, .params = e->params, .ops = e->kind->ops, .in = i};
            s->line = wsk_build_on_line(b, e, s->params->on);
            s->fails_ns = wsk_fails_ns(s->params->fails_s);
            check_supply(b, s);
        }
        c->n_supply = net->n_supply - c->first_supply;
        check_failures(b, c);
    }
}

static wsk_card *card_of(wsk_net *net, int in, const char *id, size_t len)
{
    for (int i = 0; i < net->n_card; i++)
        if (net->cards[i].in == in && strlen(net->cards[i].id) == len && memcmp(net->cards[i].id, id, len) == 0)
            return &net->cards[i];
    return NULL;
}

static const char *some_card(const wsk_net *net, int in)
{
    for (int i = 0; i < net->n_card; i++)
        if (net->cards[i].in == in)
            return net->cards[i].id;
    return "gpu0";
}

static void assign_card(wsk_build *b, int index, const char *id, size_t len)
{
    wsk_net *net = b->net;
    const wsk_supply *s = &net->supplies[index];
    wsk_card *c = card_of(net, s->in, id, len);
    if (!c)
        wsk_elem_diag(
            &b->plan->diags, WSK_DIAG_ERROR, s->elem, "feeds",
            WSK_SAID(WSK_SAY_FEEDS_NO_CARD, wsk_printf(b->plan->arena, "%.*s", (int)len, id), some_card(net, s->in)));
    else if (c->supply >= 0)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, s->elem, "feeds",
                      WSK_SAID(WSK_SAY_FED_ALREADY, c->id, net->supplies[c->supply].elem->id));
    else
        c->supply = index;
}

/* Names a PSU in a message by its part, or else by its rating, because ids that the program made do not follow the
 * order of the file. */
static const char *describe(const wsk_build *b, const wsk_supply *s)
{
    return s->elem->part ? s->elem->part : wsk_printf(b->plan->arena, "%.0f W", s->params->rated_w);
}

/* Warns of a PSU without feeds= that feeds nothing, because another PSU feeds all that feeds= does not assign. No
 * warning if the PSUs share the load (redundant). */
static void check_loads(wsk_build *b, const wsk_case *c)
{
    const wsk_net *net = b->net;
    int rest = wsk_rest_supply(net, c);
    if (rest >= 0 && net->supplies[rest].params->redundant)
        return;
    for (int i = c->first_supply; i < c->first_supply + c->n_supply; i++)
        if (i != rest && !net->supplies[i].params->feeds)
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, net->supplies[i].elem, NULL,
                          WSK_SAID(WSK_SAY_PSU_FEEDS_NOTHING, net->supplies[i].elem->id, net->supplies[rest].elem->id,
                                   describe(b, &net->supplies[i]), describe(b, &net->supplies[rest])));
}

void wsk_build_supply_loads(wsk_build *b)
{
    wsk_net *net = b->net;
    for (int i = 0; i < net->n_card; i++)
        net->cards[i].supply = WSK_NO;
    for (int i = 0; i < net->n_supply; i++) {
        const char *list = net->supplies[i].params->feeds;
        for (const char *s = list; s && *s;) {
            s += strspn(s, " ,\t\n");
            size_t len = strcspn(s, " ,\t\n");
            if (len)
                assign_card(b, i, s, len);
            s += len;
        }
    }
    for (int i = 0; i < net->n_card; i++)
        if (net->cards[i].supply < 0 && net->cases[net->cards[i].in].n_supply)
            net->cards[i].supply = wsk_rest_supply(net, &net->cases[net->cards[i].in]);
    for (int i = 0; i < net->n_case; i++)
        check_loads(b, &net->cases[i]);
}

int wsk_rest_supply(const wsk_net *net, const wsk_case *c)
{
    int rest = WSK_NO, redundant = 0;
    for (int i = c->first_supply; i < c->first_supply + c->n_supply; i++)
        redundant += net->supplies[i].params->redundant;
    for (int i = c->first_supply; i < c->first_supply + c->n_supply; i++) {
        const wsk_psu_params *p = net->supplies[i].params, *best = rest >= 0 ? net->supplies[rest].params : NULL;
        if (redundant > 1 && p->redundant)
            return i;
        bool freer = best && best->feeds && !p->feeds, alike = best && !best->feeds == !p->feeds;
        if (!best || freer ||
            (alike && wsk_psu_limit_w(p, net->lines[net->supplies[i].line].supply_v) >
                          wsk_psu_limit_w(best, net->lines[net->supplies[rest].line].supply_v)))
            rest = i;
    }
    return rest;
}

/* True if loads are assigned to the PSU itself: cards by feeds=, or everything else. */
static bool feeds_loads(const wsk_net *net, int supply)
{
    bool feeds = wsk_rest_supply(net, &net->cases[net->supplies[supply].in]) == supply;
    for (int i = 0; i < net->n_card; i++)
        feeds = feeds || net->cards[i].supply == supply;
    return feeds;
}

bool wsk_case_fed(const wsk_net *net, int in, wsk_supply_test *is_out, const void *of)
{
    const wsk_case *c = &net->cases[in];
    bool whole = true, shared = false, alive = false;
    for (int i = c->first_supply; i < c->first_supply + c->n_supply; i++) {
        const bool out = is_out(of, i), feeds = feeds_loads(net, i);
        if (net->supplies[i].params->redundant) {
            shared = shared || feeds;
            alive = alive || !out;
        } else {
            whole = whole && !(out && feeds);
        }
    }
    return whole && (alive || !shared);
}

typedef struct {
    const wsk_net *net;
    const wsk_mains_line *line;
} lost_line;

static bool is_on_line(const void *of, int supply)
{
    const lost_line *lost = of;
    return &lost->net->lines[lost->net->supplies[supply].line] == lost->line;
}

int wsk_line_stops(const wsk_net *net, const wsk_mains_line *line, int in)
{
    const wsk_case *c = &net->cases[in];
    const lost_line lost = {net, line};
    bool on = false;
    for (int i = c->first_supply; i < c->first_supply + c->n_supply; i++)
        on = on || is_on_line(&lost, i);
    return !on ? -1 : !wsk_case_fed(net, in, is_on_line, &lost);
}

double wsk_supply_weight(const wsk_supply *s, int k, int n)
{
    double stands = n > 1 ? 1 - 2.0 * k / (n - 1) : 0;
    return s->law.limit_w * (1 + s->params->imbalance * stands);
}

double wsk_supply_may_give_w(const wsk_supply *s, double inlet_k)
{
    double hot = wsk_max(inlet_k - s->params->derate_above_k, 0);
    return s->law.limit_w * wsk_max(1 - hot * s->params->derate_per_k, 0.05);
}

void wsk_build_supply_solids(wsk_build *b, int in)
{
    wsk_net *net = b->net;
    const wsk_case *c = &net->cases[in];
    for (int i = c->first_supply; i < c->first_supply + c->n_supply; i++) {
        wsk_supply *s = &net->supplies[i];
        s->ops->prepare(s->params, net->lines[s->line].supply_v, &s->law);
        check_no_load(b, s);
        s->solid =
            wsk_build_node(b, wsk_printf(net->arena, "%s.parts", s->elem->id), s->elem, s->params->cap_j_k, 473.15);
        wsk_build_block(b, s->solid, 1);
    }
}

static void build_air(wsk_build *b, wsk_supply *s)
{
    wsk_net *net = b->net;
    const wsk_case *c = &net->cases[s->in];
    const wsk_psu_params *p = s->params;
    const char *id = s->elem->id;
    bool outside = c->params->psu_intake == 1;
    int from = outside ? c->flow_in : c->flow_air,
        node = wsk_build_node(b, wsk_printf(net->arena, "%s.exhaust", id), s->elem, 0, 573.15);
    int flow = wsk_build_flow_node(b, node);
    /* The PSU's fan has a fixed speed, assumed 40 Pa without flow and 1.6 times the stated flow without loss. The
     * PSU's own loss is such that the stated flow results: docs/theory/constants.md, "fan of a PSU" */
    wsk_fan_law law = wsk_fan_curve(40, 1.6 * p->fan_flow_m3s, 0.3, 1);
    double drop = law.a + law.b * p->fan_flow_m3s - law.d * p->fan_flow_m3s * p->fan_flow_m3s;
    int mover = wsk_build_mover(b, (wsk_mover){.name = wsk_printf(net->arena, "%s.fan", id),
                                               .ref_rpm = 1000,
                                               .rpm0 = 1000,
                                               .in = s->in,
                                               .heat_node = c->air,
                                               .branch = WSK_NO,
                                               .coolant = WSK_NO,
                                               .fails_ns = -1});
    int branch = wsk_build_branch(b, (wsk_branch){.from = from,
                                                  .to = flow,
                                                  .mover = mover,
                                                  .column = WSK_NO,
                                                  .a = law.a,
                                                  .b = law.b,
                                                  .d = law.d,
                                                  .k2 = 0.8 * drop / (p->fan_flow_m3s * p->fan_flow_m3s)});
    wsk_build_branch(b, (wsk_branch){.from = flow,
                                     .to = c->flow_out,
                                     .mover = WSK_NO,
                                     .column = WSK_NO,
                                     .k2 = 0.2 * drop / (p->fan_flow_m3s * p->fan_flow_m3s)});
    /* The PSU's air is assumed to exchange heat with the room through openings of 5 cm2 and 10 cm height:
     * docs/theory/constants.md, "openings of a PSU" */
    wsk_build_exchange(b, node, net->room, WSK_NO, 0, 5e-4, 0.1);
    s->inlet = net->flow_node[from];
    /* The conductance is assumed ~ flow^0.6, and 0.15 of it to remain without flow:
     * docs/theory/constants.md, "surface of a PSU" */
    wsk_build_fins(b,
                   (wsk_port){.solid = s->solid,
                              .sense = s->inlet,
                              .deposit = node,
                              .branch = branch,
                              .g = p->cond_w_k,
                              .flow_ref = p->fan_flow_m3s,
                              .exponent = 0.6,
                              .natural = 0.15 * p->cond_w_k},
                   node);
}

void wsk_build_supply_air(wsk_build *b, int in)
{
    const wsk_case *c = &b->net->cases[in];
    for (int i = c->first_supply; i < c->first_supply + c->n_supply && !b->full; i++)
        build_air(b, &b->net->supplies[i]);
}
