/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coolant loops into the network: tank, pumps, blocks, radiators. A <loop> and an AIO are the same pieces.
 * Theory: docs/theory/loop.md */
#include <math.h>
#include <string.h>

#include "sim/net/compile.h"

/* Hoses lose heat to the air around them: 13 mm rubber hose, 10 W/m2K outside (VDI Heat Atlas, natural convection and
 * radiation), 0.2 W/mK inside the wall. */
static const double hose_w_mk = 0.35;
/* Blocks and cores in coolant that stands: what creeps through the hoses by itself. Assumed, 0.2-1. */
static const double still_w_k = 0.5;
static const double core_exponent = 0.4; /* coolant side: transitional flow in flat tubes, 0.3-0.8 */

/* One loop while it is built. */
typedef struct {
    wsk_build *b;
    const char *id;
    const wsk_elem *elem;
    const wsk_loop_params *p; /* NULL: an AIO's */
    int in;                   /* case */
    int tank, at;             /* flow nodes: where it circulates from, and where the last piece ended */
    int nodes;                /* made so far, for their names */
    double heat, rho_rel;     /* of the coolant */
    double hose_w_k;          /* of one node's hoses */
    wsk_circuit *circuit;
} loop;

static wsk_branch coolant(const loop *l, int from, int to)
{
    return (wsk_branch){.from = from,
                        .to = to,
                        .mover = WSK_NO,
                        .column = WSK_NO,
                        .heat_w_k_per_m3s = l->heat,
                        .rho_rel = l->rho_rel};
}

static int next_node(loop *l)
{
    wsk_net *net = l->b->net;
    int node = wsk_build_node(l->b, wsk_printf(net->arena, "%s.coolant%d", l->id, ++l->nodes), l->elem, 0, 473.15);
    wsk_build_cond(l->b, node, net->cases[l->in].air, l->hose_w_k);
    return wsk_build_flow_node(l->b, node);
}

/* Half of a drop goes with the flow, half with its square: between laminar and turbulent. */
static wsk_branch with_drop(wsk_branch br, double drop_pa, double flow_m3s)
{
    br.k1 += 0.3 * drop_pa / flow_m3s;
    br.k2 += 0.7 * drop_pa / (flow_m3s * flow_m3s);
    return br;
}

static void exchange_with(loop *l, int solid, int from, int to, int branch, double g, double flow, double exponent)
{
    wsk_net *net = l->b->net;
    wsk_build_fins(l->b, (wsk_port){.solid = solid,
                                    .sense = net->flow_node[from],
                                    .deposit = net->flow_node[to],
                                    .branch = branch,
                                    .g = g,
                                    .flow_ref = flow,
                                    .exponent = exponent,
                                    .natural = still_w_k});
}

/* ---- radiators ---- */

typedef struct {
    const wsk_elem *elem;
    int at, direction;
    double ua, flow, exponent, natural, drop, cap, face;
    double coolant_w_k, coolant_flow, coolant_drop;
} radiator;

static radiator radiator_of(const wsk_radiator_params *p)
{
    return (radiator){.elem = p->head.elem,
                      .at = p->at,
                      .direction = p->direction,
                      .ua = p->ua_w_k,
                      .flow = p->flow_m3s,
                      .exponent = p->ua_exponent,
                      .natural = p->natural_w_k,
                      .drop = p->drop_pa,
                      .cap = p->cap_j_k,
                      .face = p->face_m2,
                      .coolant_w_k = p->coolant_w_k,
                      .coolant_flow = p->coolant_flow_m3s,
                      .coolant_drop = p->coolant_drop_pa};
}

/* The coolant's side of an AIO's radiator is taken as three times the air's: aluminium tubes, small flow (assumed). */
static radiator radiator_of_aio(const wsk_cooler_params *k)
{
    return (radiator){.elem = k->head.elem,
                      .at = k->at,
                      .direction = k->direction,
                      .ua = k->ua_w_k,
                      .flow = k->flow_ref_m3s,
                      .exponent = k->ua_exponent,
                      .natural = k->natural_w_k,
                      .drop = k->drop_pa,
                      .cap = k->radiator_cap_j_k,
                      .face = k->fans * 0.7854 * k->diameter_m * k->diameter_m,
                      .coolant_w_k = 3 * k->ua_w_k,
                      .coolant_flow = k->block_flow_m3s,
                      .coolant_drop = 0.3 * k->block_drop_pa};
}

/* Where its air comes from and goes to. */
typedef struct {
    int from, behind, to; /* flow nodes */
    double grill;         /* loss of the grill it passes, and which side of the core that is on does not matter */
} passage;

static passage open_passage(loop *l, const radiator *r, const char *name)
{
    wsk_net *net = l->b->net;
    const wsk_case *c = &net->cases[l->in];
    bool outside = r->direction == WSK_DIR_OUTSIDE || c->open, in = r->direction == WSK_DIR_INTAKE && !outside;
    passage p = {.from = outside ? 0
                         : in    ? c->flow_in
                                 : c->flow_air,
                 .to = outside ? 0
                       : in    ? c->flow_air
                               : c->flow_out};
    p.grill = outside ? 0 : in ? c->params->intake_loss : c->params->exhaust_loss;
    int node = wsk_build_node(l->b, wsk_printf(net->arena, "%s.air", name), r->elem, 0, 573.15);
    p.behind = wsk_build_flow_node(l->b, node);
    wsk_build_branch(
        l->b,
        (wsk_branch){.from = p.behind, .to = p.to, .mover = WSK_NO, .column = WSK_NO, .k2 = wsk_loss_k2(1, r->face)});
    wsk_build_exchange(l->b, node, net->flow_node[p.to], WSK_NO, 0, 0.05 * r->face, 0.12);
    return p;
}

/* The part `share` of the core that one branch passes. */
static void air_side(loop *l, const radiator *r, const passage *p, int core, int branch, double share)
{
    wsk_net *net = l->b->net;
    wsk_build_fins(l->b, (wsk_port){.solid = core,
                                    .sense = net->flow_node[p->from],
                                    .deposit = net->flow_node[p->behind],
                                    .branch = branch,
                                    .g = r->ua * share,
                                    .flow_ref = r->flow * share,
                                    .exponent = r->exponent,
                                    .natural = r->natural * share});
}

static wsk_branch through_core(const loop *l, const radiator *r, const passage *p, double share)
{
    double q = r->flow * share;
    return (wsk_branch){.from = p->from,
                        .to = p->behind,
                        .mover = WSK_NO,
                        .column = WSK_NO,
                        .in = l->in,
                        .k1_foul = 0.5 * r->drop / q,
                        .k2_foul = 0.5 * r->drop / (q * q)};
}

static double fans_of(const wsk_elem *e)
{
    double n = 0;
    for (const wsk_elem *f = NULL; (f = wsk_elem_child(e, "fan", f)) != NULL;)
        n += ((const wsk_fan_params *)f->params)->count;
    return n;
}

static int core_node(loop *l)
{
    return l->b->cores[l->b->n_core++];
}

static void coolant_side(loop *l, const radiator *r, int core)
{
    int to = next_node(l);
    int branch = wsk_build_branch(l->b, with_drop(coolant(l, l->at, to), r->coolant_drop, r->coolant_flow));
    exchange_with(l, core, l->at, to, branch, r->coolant_w_k, r->coolant_flow, core_exponent);
    l->at = to;
}

static void build_radiator(loop *l, const wsk_elem *e)
{
    radiator r = radiator_of(e->params);
    passage p = open_passage(l, &r, e->id);
    int core = core_node(l);
    double n = fans_of(e);
    for (const wsk_elem *f = NULL; (f = wsk_elem_child(e, "fan", f)) != NULL;) {
        wsk_fan_params group[2];
        for (int groups = wsk_fan_groups(f->params, group), g = 0; g < groups; g++) {
            double share = group[g].count / n;
            wsk_branch br = through_core(l, &r, &p, share);
            br.k2_foul += wsk_fan_loss_k2(&group[g], p.grill);
            air_side(l, &r, &p, core, wsk_build_fan(l->b, l->in, &group[g], br, l->b->net->flow_node[l->tank]),
                     share);
        }
    }
    if (n == 0)
        air_side(l, &r, &p, core, wsk_build_branch(l->b, through_core(l, &r, &p, 1)), 1);
    coolant_side(l, &r, core);
}

static void build_aio_radiator(loop *l, wsk_card *c)
{
    wsk_net *net = l->b->net;
    const wsk_cooler_params *k = c->cooler;
    radiator r = radiator_of_aio(k);
    passage p = open_passage(l, &r, wsk_printf(net->arena, "%s.radiator", c->id));
    wsk_branch br = through_core(l, &r, &p, 1);
    wsk_fan_law law = wsk_fan_curve(k->pressure_pa, k->flow_m3s, k->curvature, k->fans);
    br.a = law.a;
    br.b = law.b;
    br.d = law.d;
    br.k2_foul += wsk_loss_k2(p.grill, r.face);
    br.mover = c->mover = wsk_build_card_fan(l->b, c, 3);
    int core = core_node(l), branch = c->branch = net->movers[c->mover].branch = wsk_build_branch(l->b, br);
    air_side(l, &r, &p, core, branch, 1);
    coolant_side(l, &r, core);
}

/* ---- pumps ---- */

static void build_pump(loop *l, const wsk_pump_params *p)
{
    wsk_net *net = l->b->net;
    double rpm = !isnan(p->speed_rpm) ? p->speed_rpm : isnan(p->speed_share) ? p->rpm : p->speed_share * p->rpm;
    int to = next_node(l);
    int mover = wsk_build_mover(
        l->b, (wsk_mover){.name = p->head.elem->id,
                          .ref_rpm = p->rpm,
                          .rpm0 = rpm,
                          .power_w = p->power_w,
                          .power_exponent = p->power_exponent,
                          .in = l->in,
                          .heat_node = net->flow_node[l->tank],
                          .count = 1,
                          .noise_p = isnan(p->noise.dba) ? 0 : wsk_noise_p(l->b, &p->noise, 1, 0, 0, 0),
                          .control = p->control.sensor > 0 ? &p->control : NULL,
                          .coolant = net->flow_node[l->tank],
                          .fails_ns = wsk_fails_ns(p->control.fails_s)});
    wsk_fan_law law = wsk_fan_curve(p->pressure_pa, p->flow_m3s, p->curvature, 1);
    wsk_branch br = coolant(l, l->at, to);
    br.mover = mover;
    br.a = law.a;
    br.b = law.b;
    br.d = law.d;
    net->movers[mover].branch = wsk_build_branch(l->b, br);
    l->at = to;
}

/* A pump known by the flow it gives against its loop alone: head 2 h - h (q/q0)^2 against h (q/q0)^2. */
static void build_plain_pump(loop *l, const char *name, double head_pa, double flow_m3s, int64_t fails_ns)
{
    wsk_net *net = l->b->net;
    int to = next_node(l), tank = net->flow_node[l->tank];
    wsk_branch br = coolant(l, l->at, to);
    br.a = 2 * head_pa;
    br.d = head_pa / (flow_m3s * flow_m3s);
    br.mover = wsk_build_mover(l->b, (wsk_mover){.name = name,
                                                 .ref_rpm = 1000,
                                                 .rpm0 = 1000,
                                                 .in = l->in,
                                                 .heat_node = tank,
                                                 .count = 1,
                                                 .coolant = tank,
                                                 .fails_ns = fails_ns});
    net->movers[br.mover].branch = wsk_build_branch(l->b, br);
    l->at = to;
}

/* ---- blocks ---- */

static bool in_loop(const loop *l, const char *named, int in)
{
    return in == l->in && (named ? strcmp(named, l->id) == 0 : true);
}

static bool is_member(const loop *l, const wsk_card *c)
{
    const wsk_cooler_ops *ops = c->cooler->head.elem->kind->ops;
    return ops->wiring & WSK_COOLER_BLOCK && !(ops->wiring & WSK_COOLER_OWN_LOOP) &&
           in_loop(l, c->cooler->loop, c->in);
}

static void card_block(loop *l, wsk_card *c, int from, int to)
{
    const wsk_cooler_params *k = c->cooler;
    int branch = wsk_build_branch(l->b, with_drop(coolant(l, from, to), k->block_drop_pa, k->block_flow_m3s));
    exchange_with(l, c->heatsink, from, to, branch, k->block_w_k, k->block_flow_m3s, k->block_exponent);
    c->inlet = l->b->net->flow_node[from];
}

static void cpu_block(loop *l, const wsk_case *c, int from, int to)
{
    const wsk_cpu_params *p = c->cpu;
    int branch = wsk_build_branch(l->b, with_drop(coolant(l, from, to), p->block_drop_pa, p->block_flow_m3s));
    exchange_with(l, c->cpu_solid, from, to, branch, p->block_w_k, p->block_flow_m3s, 0.3);
}

static void build_blocks(loop *l)
{
    wsk_net *net = l->b->net;
    const wsk_case *house = &net->cases[l->in];
    bool series = l->p->series == 1;
    int first = l->at, out = WSK_NO;
    for (int i = 0; i < net->n_card; i++) {
        if (!is_member(l, &net->cards[i]))
            continue;
        int to = series || out < 0 ? next_node(l) : out;
        card_block(l, &net->cards[i], series ? l->at : first, to);
        out = l->at = to;
    }
    if (house->cpu && house->cpu->loop && in_loop(l, house->cpu->loop, l->in)) {
        int to = series || out < 0 ? next_node(l) : out;
        cpu_block(l, house, series ? l->at : first, to);
        l->at = to;
    }
}

/* ---- whole loops ---- */

static void open_loop(loop *l, int coolant_kind, double volume_m3, double given_k, double hose_m)
{
    static const struct {
        double heat, rho_rel;
    } fluid[] = {[WSK_COOLANT_WATER] = {4.146e6, 0.992}, /* 40 degC: 992 kg/m3, 4,179 J/kgK (VDI Heat Atlas D2.1) */
                 [WSK_COOLANT_GLYCOL] = {
                     3.92e6, 1.016}}; /* 30 % propylene glycol, 40 degC: 1,016 kg/m3, 3,860 J/kgK (ASHRAE) */
    wsk_net *net = l->b->net;
    l->heat = fluid[coolant_kind].heat;
    l->rho_rel = fluid[coolant_kind].rho_rel;
    l->hose_w_k = hose_w_mk * hose_m / 4;
    int node =
        wsk_build_node(l->b, wsk_printf(net->arena, "%s.coolant", l->id), l->elem, l->heat * volume_m3, 473.15);
    net->nodes[node].boundary = given_k > 0;
    net->nodes[node].given_k = given_k;
    l->at = l->tank = wsk_build_flow_node(l->b, node);
    /* It takes its pressure from a breather through which nothing flows. */
    wsk_branch breather = coolant(l, l->tank, 0);
    breather.k1 = 1e6;
    wsk_build_branch(l->b, breather);
    l->circuit = &net->circuits[net->n_circuit++];
    *l->circuit = (wsk_circuit){
        .id = l->id, .elem = l->elem, .params = l->p, .facility = given_k > 0, .in = l->in, .tank = node};
}

static void close_loop(loop *l, double hose_m, double bore_m, double fittings)
{
    double area = 0.7853981633974483 * bore_m * bore_m, rho = 1000;
    double loss = wsk_max(0.03 * hose_m / bore_m + 0.7 * fittings, 0.7); /* it enters the tank somewhere */
    wsk_branch back = coolant(l, l->at, l->tank);
    back.k2 = rho / 2 / (area * area) * loss;
    l->circuit->branch = wsk_build_branch(l->b, back);
}

static void build_loop(wsk_build *b, int in, const wsk_elem *e)
{
    const wsk_loop_params *p = e->params;
    bool facility = ((const wsk_loop_ops *)e->kind->ops)->facility;
    loop l = {.b = b, .id = e->id, .elem = e, .p = p, .in = in};
    open_loop(&l, p->coolant, p->volume_m3, facility ? p->supply_k + p->approach_k : 0, p->hose_m);
    if (facility) {
        int to = next_node(&l);
        wsk_branch br = coolant(&l, l.at, to);
        br.a = p->pressure_pa;
        br.d = 0.01 * p->pressure_pa / 1e-6; /* a steep supply: 1 % at 1 l/s */
        br.mover = wsk_build_mover(b, (wsk_mover){.name = wsk_printf(b->net->arena, "%s.cdu", e->id),
                                                  .ref_rpm = 1000,
                                                  .rpm0 = 1000,
                                                  .in = in,
                                                  .heat_node = b->net->flow_node[l.tank],
                                                  .count = 1,
                                                  .coolant = b->net->flow_node[l.tank],
                                                  .fails_ns = -1});
        b->net->movers[br.mover].branch = wsk_build_branch(b, br);
        l.at = to;
    }
    for (const wsk_elem *c = NULL; (c = wsk_elem_child(e, "pump", c)) != NULL;)
        build_pump(&l, c->params);
    build_blocks(&l);
    l.circuit->warmest = b->net->flow_node[l.at];
    for (const wsk_elem *c = NULL; (c = wsk_elem_child(e, "radiator", c)) != NULL;)
        build_radiator(&l, c);
    close_loop(&l, p->hose_m, p->bore_m, p->fittings);
}

static void build_aio(wsk_build *b, wsk_card *c)
{
    const wsk_cooler_params *k = c->cooler;
    const double hose_m = 0.8;
    loop l = {.b = b, .id = wsk_printf(b->net->arena, "%s.loop", c->id), .elem = c->elem, .in = c->in};
    open_loop(&l, WSK_COOLANT_GLYCOL, k->volume_m3, 0, hose_m);
    build_plain_pump(&l, wsk_printf(b->net->arena, "%s.pump", c->id), 1.35 * k->block_drop_pa, k->block_flow_m3s,
                     wsk_fails_ns(c->gpu->pump_fails_s));
    int to = next_node(&l);
    card_block(&l, c, l.at, to);
    l.at = to;
    l.circuit->warmest = b->net->flow_node[to];
    build_aio_radiator(&l, c);
    close_loop(&l, hose_m, 7e-3, 4);
}

static bool own_loop(const wsk_card *c)
{
    return ((const wsk_cooler_ops *)c->cooler->head.elem->kind->ops)->wiring & WSK_COOLER_OWN_LOOP;
}

/* A block must find its loop, and a loop must move its water. */
static void check_loop(wsk_build *b, const wsk_elem *e, bool facility)
{
    if (!facility && !wsk_elem_child(e, "pump", NULL))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, e, NULL, WSK_SAID(WSK_SAY_LOOP_NO_PUMP));
    if (!facility && !wsk_elem_child(e, "radiator", NULL))
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, e, NULL, WSK_SAID(WSK_SAY_LOOP_NO_RADIATOR));
    const wsk_loop_params *p = e->params;
    if (facility && p->supply_k + p->approach_k < b->net->dew_k)
        wsk_elem_diag(
            &b->plan->diags, WSK_DIAG_WARNING, e, "supply",
            WSK_SAID(WSK_SAY_LOOP_CONDENSES, p->supply_k + p->approach_k - WSK_KELVIN, b->net->dew_k - WSK_KELVIN));
}

static int loops_in(const wsk_elem *chassis, const char *named, const char **some)
{
    int n = 0;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(chassis, "loop", e)) != NULL;) {
        *some = e->id;
        n += named ? strcmp(e->id, named) == 0 : 1;
    }
    return n;
}

static void check_member(wsk_build *b, const wsk_elem *chassis, const wsk_elem *e, const char *named)
{
    const char *some = NULL;
    int n = loops_in(chassis, named, &some);
    if (n == 1)
        return;
    if (!some)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, e, NULL, WSK_SAID(WSK_SAY_BLOCK_NO_LOOP));
    else if (named)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, e, "loop", WSK_SAID(WSK_SAY_NO_SUCH_LOOP, named, some));
    else
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, e, NULL, WSK_SAID(WSK_SAY_SEVERAL_LOOPS, some));
}

void wsk_check_loops(wsk_build *b)
{
    const wsk_net *net = b->net;
    for (int i = 0; i < net->n_case; i++) {
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(net->cases[i].elem, "loop", e)) != NULL;)
            check_loop(b, e, ((const wsk_loop_ops *)e->kind->ops)->facility);
        if (net->cases[i].cpu && net->cases[i].cpu->loop)
            check_member(b, net->cases[i].elem, net->cases[i].cpu->head.elem, net->cases[i].cpu->loop);
    }
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        const wsk_cooler_ops *ops = c->cooler->head.elem->kind->ops;
        if (ops->wiring & WSK_COOLER_BLOCK && !own_loop(c))
            check_member(b, net->cases[c->in].elem, c->cooler->head.elem, c->cooler->loop);
    }
}

static void core_solid(wsk_build *b, const wsk_elem *e, const char *name, double cap_j_k)
{
    if (b->n_core >= WSK_ROOM_FOR) {
        b->full = true;
        return;
    }
    int node = b->cores[b->n_core++] = wsk_build_node(b, name, e, cap_j_k, 473.15);
    wsk_build_block(b, node, 1);
}

void wsk_build_loop_solids(wsk_build *b)
{
    wsk_net *net = b->net;
    size_t n = (size_t)net->n_card + 1;
    for (int i = 0; i < net->n_case; i++)
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(net->cases[i].elem, "loop", e)) != NULL;)
            n++;
    net->circuits = wsk_alloc(net->arena, n * sizeof *net->circuits);
    b->cores = wsk_alloc(net->arena, WSK_ROOM_FOR * sizeof *b->cores);
    if (!net->circuits || !b->cores) {
        b->full = true;
        return;
    }
    for (int i = 0; i < net->n_case; i++)
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(net->cases[i].elem, "loop", e)) != NULL;)
            for (const wsk_elem *r = NULL; (r = wsk_elem_child(e, "radiator", r)) != NULL;)
                core_solid(b, r, wsk_printf(net->arena, "%s.core", r->id),
                           ((const wsk_radiator_params *)r->params)->cap_j_k);
    for (int i = 0; i < net->n_card; i++)
        if (own_loop(&net->cards[i]))
            core_solid(b, net->cards[i].elem, wsk_printf(net->arena, "%s.radiator", net->cards[i].id),
                       net->cards[i].cooler->radiator_cap_j_k);
    b->n_core = 0; /* the loops ask for them in this order */
}

void wsk_build_loops(wsk_build *b)
{
    const wsk_net *net = b->net;
    for (int i = 0; i < net->n_case && !b->full; i++)
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(net->cases[i].elem, "loop", e)) != NULL && !b->full;)
            build_loop(b, i, e);
    for (int i = 0; i < net->n_card && !b->full; i++)
        if (own_loop(&net->cards[i]))
            build_aio(b, &net->cards[i]);
}
