/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds coolant rings to the network. A ring is a closed coolant circuit, of a <loop> or of a cooler: tank, pumps,
 * cold plates, radiators, hoses. Theory: docs/theory/loop.md */
#include <math.h>
#include <string.h>

#include "sim/net/compile.h"

/* Heat loss of a hose, W/K per metre: 13 mm rubber hose, 10 W/m2K outside (VDI Heat Atlas, natural convection and
 * radiation), 0.2 W/mK in the wall. */
static const double hose_w_mk = 0.35;
/* Shortest hose, m, for that heat loss. A node of coolant that neither flows nor touches a plate would have no
 * temperature without it. */
static const double least_hose_m = 1e-6;
/* Assumed conductance of a plate or radiator core to standing coolant, W/K:
 * docs/theory/constants.md, "standing coolant" */
static const double still_w_k = 0.5;
/* Assumed exponent e of a radiator's UA ~ (coolant flow)^e, for transitional flow in flat tubes:
 * docs/theory/constants.md, "coolant side of a core" */
static const double core_exponent = 0.4;
/* Properties of coolants are taken at this temperature: closed loops run at 30-50 degC. */
static const double coolant_k = 40 + WSK_KELVIN;
/* Above this viscosity the flow in hoses is laminar: an oil of 850 kg/m3 has Re = 4 rho q/(pi D mu) < 2300 in a
 * hose of D = 10 mm at q = 3.8 l/min. */
static const double laminar_pa_s = 3e-3;

struct wsk_ring {
    wsk_build *b;
    const char *id;
    const wsk_elem *elem;
    int in;
    int tank, end; /* flow nodes: tank; end of the piece added last */
    int nodes;
    int first_cond; /* index in net->conds of its first conductance from coolant to case air */
    double hose_m;
    wsk_fluid fluid, data_fluid; /* data_fluid: the coolant with which the data of its plates and radiators hold */
    bool own_data;               /* the data of all of its pieces hold with its coolant */
    double rho_rel;              /* density of the coolant divided by 1000 kg/m3 */
    wsk_circuit *circuit;
};

const wsk_coolant *wsk_coolant_named(const char *name)
{
    for (const wsk_coolant *const *c = wsk_coolants; *c; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

static wsk_branch coolant_branch(const wsk_ring *r, int from, int to)
{
    return (wsk_branch){.from = from,
                        .to = to,
                        .mover = WSK_NO,
                        .column = WSK_NO,
                        .heat_w_k_per_m3s = r->fluid.heat_j_m3k,
                        .rho_rel = r->rho_rel};
}

int wsk_ring_end(const wsk_ring *r)
{
    return r->end;
}

void wsk_ring_warmest(wsk_ring *r)
{
    r->circuit->warmest = r->b->net->flow_node[r->end];
}

int wsk_ring_next(wsk_ring *r)
{
    wsk_net *net = r->b->net;
    int node = wsk_build_node(r->b, wsk_printf(net->arena, "%s.coolant%d", r->id, ++r->nodes), r->elem, 0, 473.15);
    /* Heat loss of all hoses of the ring; wsk_ring_close divides it by the number of nodes. */
    wsk_build_cond(r->b, node, net->cases[r->in].air, hose_w_mk * wsk_max(r->hose_m, least_hose_m));
    return r->end = wsk_build_flow_node(r->b, node);
}

/* Adds a pressure drop between laminar and turbulent, assumed to be 0.3 linear and 0.7 quadratic in the flow:
 * docs/theory/constants.md, "coolant drop". The linear part is proportional to the viscosity, the other to the
 * density. thicker: viscosity of the ring's coolant divided by that of the coolant for which the drop is stated;
 * data_kg_m3: density of the latter coolant. */
static wsk_branch with_drop(wsk_branch br, double drop_pa, double flow_m3s, double thicker, double data_kg_m3)
{
    br.k1 += 0.3 * drop_pa * thicker / flow_m3s;
    br.k2 += 0.7 * drop_pa / (flow_m3s * flow_m3s) / (data_kg_m3 / 1000);
    return br;
}

static void exchange_with(wsk_ring *r, wsk_port port, int from, int to)
{
    port.sense = r->b->net->flow_node[from];
    port.deposit = r->b->net->flow_node[to];
    wsk_build_fins(r->b, port, port.deposit);
}

/* Conductance UA ~ flow^exponent of a coolant, divided by that of the coolant `data` at the same flow, by Nu ~ Re^m
 * Pr^(1/3). Theory: docs/theory/loop.md, "A coolant other than that of a part's data" */
static double conductance_rel(const wsk_fluid *fluid, const wsk_fluid *data, double exponent)
{
    const double developing = 1.0 / 3, m = wsk_max(exponent, developing), share = wsk_min(exponent / developing, 1);
    double film_rel = pow(fluid->conductivity_w_mk / data->conductivity_w_mk, 2.0 / 3) *
                      pow(fluid->heat_j_m3k / data->heat_j_m3k, 1.0 / 3) *
                      pow(fluid->viscosity_pa_s / fluid->density_kg_m3 / (data->viscosity_pa_s / data->density_kg_m3),
                          developing - m);
    return 1 / (1 + share * (1 / film_rel - 1));
}

static int add_plate(wsk_ring *r, wsk_port port, int from, int to, double drop_pa, const wsk_fluid *data)
{
    port.branch =
        wsk_build_branch(r->b, with_drop(coolant_branch(r, from, to), drop_pa, port.flow_ref,
                                         r->fluid.viscosity_pa_s / data->viscosity_pa_s, data->density_kg_m3));
    port.g *= conductance_rel(&r->fluid, data, port.exponent);
    port.natural = still_w_k;
    exchange_with(r, port, from, to);
    return port.branch;
}

int wsk_ring_plate(wsk_ring *r, int solid, int from, int to, double g, double flow, double exponent, double drop_pa)
{
    return add_plate(r, (wsk_port){.solid = solid, .g = g, .flow_ref = flow, .exponent = exponent}, from, to, drop_pa,
                     &r->data_fluid);
}

void wsk_wire_plate(wsk_ring *r, wsk_card *c, int from, int to)
{
    const wsk_cooler_params *k = c->cooler;
    wsk_fluid data = r->data_fluid;
    if (!r->own_data)
        wsk_coolants[k->data_coolant]->at(coolant_k, &data);
    add_plate(
        r,
        (wsk_port){
            .solid = c->heatsink, .g = k->block_w_k, .flow_ref = k->block_flow_m3s, .exponent = k->block_exponent},
        from, to, k->block_drop_pa, &data);
    c->inlet = r->b->net->flow_node[from];
}

/* wsk_exchange has rho cp of air and its expansion at 300 K, so the area is scaled by the ratio of the coolant's heat
 * flow to that of air. */
void wsk_wire_bath(wsk_ring *r, wsk_card *c, int from, int to)
{
    const wsk_cooler_params *k = c->cooler;
    wsk_net *net = r->b->net;
    int behind = net->flow_node[to];
    int branch = wsk_build_branch(
        r->b, with_drop(coolant_branch(r, from, to), k->drop_pa, k->flow_ref_m3s, 1, r->fluid.density_kg_m3));
    r->circuit->bath = true;
    exchange_with(r,
                  (wsk_port){.solid = c->heatsink,
                             .branch = branch,
                             .g = k->ua_w_k,
                             .flow_ref = k->flow_ref_m3s,
                             .exponent = k->ua_exponent,
                             .natural = k->natural_w_k},
                  from, to);
    wsk_build_port(r->b, (wsk_port){.solid = c->board,
                                    .sense = behind,
                                    .deposit = behind,
                                    .law = WSK_PORT_SURFACE,
                                    .branch = branch,
                                    .g = k->board_w_k,
                                    .flow_ref = k->flow_ref_m3s,
                                    .exponent = k->ua_exponent,
                                    .natural = k->board_w_k});
    double as_air = r->fluid.heat_j_m3k / net->rho_cp * sqrt(r->fluid.expansion_per_k * 300);
    wsk_build_exchange(r->b, behind, net->flow_node[r->tank], WSK_NO, 0, as_air * k->column_area_m2, k->column_m);
    c->inlet = net->flow_node[from];
}

typedef struct {
    int from, behind, to;
    double grill; /* loss coefficient of the case's grill in this path; 0: no grill */
} passage;

static passage open_passage(wsk_ring *r, const wsk_radiator_params *p, const char *name)
{
    wsk_net *net = r->b->net;
    const wsk_case *c = &net->cases[r->in];
    bool outside = p->direction == WSK_DIR_OUTSIDE || c->open, in = p->direction == WSK_DIR_INTAKE;
    passage way = {.from = outside ? 0
                           : in    ? c->flow_in
                                   : c->flow_air,
                   .to = outside ? 0
                         : in    ? c->flow_air
                                 : c->flow_out};
    way.grill = outside ? 0 : in ? c->params->intake_loss : c->params->exhaust_loss;
    int node = wsk_build_node(r->b, wsk_printf(net->arena, "%s.air", name), p->head.elem, 0, 573.15);
    way.behind = wsk_build_flow_node(r->b, node);
    wsk_build_branch(
        r->b,
        (wsk_branch){
            .from = way.behind, .to = way.to, .mover = WSK_NO, .column = WSK_NO, .k2 = wsk_loss_k2(1, p->face_m2)});
    wsk_build_exchange(r->b, node, net->flow_node[way.to], WSK_NO, 0, 0.05 * p->face_m2, 0.12);
    return way;
}

static void wire_air_side(wsk_ring *r, const wsk_radiator_params *p, const passage *way, int core, int branch,
                          double share)
{
    exchange_with(r,
                  (wsk_port){.solid = core,
                             .branch = branch,
                             .g = p->ua_w_k * share,
                             .flow_ref = p->flow_m3s * share,
                             .exponent = p->ua_exponent,
                             .natural = p->natural_w_k * share},
                  way->from, way->behind);
}

static wsk_branch through_core(const wsk_ring *r, const wsk_radiator_params *p, const passage *way, double share)
{
    double q = p->flow_m3s * share;
    return (wsk_branch){.from = way->from,
                        .to = way->behind,
                        .mover = WSK_NO,
                        .column = WSK_NO,
                        .in = r->in,
                        .k1_foul = 0.5 * p->drop_pa / q,
                        .k2_foul = 0.5 * p->drop_pa / (q * q)};
}

static double fans_of(const wsk_elem *e)
{
    double n = 0;
    for (const wsk_elem *f = NULL; (f = wsk_elem_child(e, "fan", f)) != NULL;)
        n += ((const wsk_fan_params *)f->params)->count;
    return n;
}

void wsk_build_core(wsk_build *b, const wsk_elem *e, const char *name, double cap_j_k)
{
    if (b->n_core >= WSK_ROOM_FOR) {
        b->full = true;
        return;
    }
    int node = b->cores[b->n_core++] = wsk_build_node(b, name, e, cap_j_k, 473.15);
    wsk_build_block(b, node, 1);
}

void wsk_lay_core(wsk_build *b, const wsk_card *c, double cap_j_k)
{
    wsk_build_core(b, c->elem, wsk_printf(b->net->arena, "%s.radiator", c->id), cap_j_k);
}

static int next_core(wsk_ring *r)
{
    return r->b->cores[r->b->n_core++];
}

static void wire_coolant_side(wsk_ring *r, const wsk_radiator_params *p, int core)
{
    int from = r->end, to = wsk_ring_next(r);
    wsk_ring_plate(r, core, from, to, p->coolant_w_k, p->coolant_flow_m3s, core_exponent, p->coolant_drop_pa);
}

void wsk_ring_loop_radiator(wsk_ring *r, const wsk_elem *e)
{
    const wsk_radiator_params *p = e->params;
    passage way = open_passage(r, p, e->id);
    int core = next_core(r);
    double n = fans_of(e);
    for (const wsk_elem *f = NULL; (f = wsk_elem_child(e, "fan", f)) != NULL;) {
        wsk_fan_params group[2];
        for (int groups = wsk_fan_groups(f->params, group), g = 0; g < groups; g++) {
            double share = group[g].count / n;
            wsk_branch br = through_core(r, p, &way, share);
            br.k2_foul += wsk_fan_loss_k2(&group[g], way.grill);
            const int fan = wsk_build_fan(r->b, r->in, &group[g], br, r->b->net->flow_node[r->tank]);
            if (p->direction == WSK_DIR_OUTSIDE)
                r->b->net->movers[r->b->net->branches[fan].mover].heat_node = r->b->net->room;
            wire_air_side(r, p, &way, core, fan, share);
        }
    }
    if (n == 0)
        wire_air_side(r, p, &way, core, wsk_build_branch(r->b, through_core(r, p, &way, 1)), 1);
    wire_coolant_side(r, p, core);
}

void wsk_ring_radiator(wsk_ring *r, wsk_card *c, const wsk_radiator_params *p)
{
    wsk_net *net = r->b->net;
    const wsk_cooler_params *k = c->cooler;
    passage way = open_passage(r, p, wsk_printf(net->arena, "%s.radiator", c->id));
    wsk_branch br = through_core(r, p, &way, 1);
    wsk_fan_law law = wsk_fan_curve(k->pressure_pa, k->flow_m3s, k->curvature, k->fans);
    br.a = law.a;
    br.b = law.b;
    br.d = law.d;
    br.k2_foul += wsk_loss_k2(way.grill, p->face_m2);
    br.mover = c->mover = wsk_build_card_fan(r->b, c, 3);
    int core = next_core(r), branch = c->branch = net->movers[c->mover].branch = wsk_build_branch(r->b, br);
    wire_air_side(r, p, &way, core, branch, 1);
    wire_coolant_side(r, p, core);
}

void wsk_ring_mover(wsk_ring *r, wsk_mover mover, wsk_fan_law law)
{
    wsk_net *net = r->b->net;
    int from = r->end, to = wsk_ring_next(r);
    wsk_branch br = coolant_branch(r, from, to);
    mover.in = r->in;
    mover.count = 1;
    mover.heat_node = mover.coolant = net->flow_node[r->tank];
    br.mover = wsk_build_mover(r->b, mover);
    br.a = law.a;
    br.b = law.b;
    br.d = law.d;
    net->movers[br.mover].branch = wsk_build_branch(r->b, br);
}

/* Makes the law of a pump whose pressure does not depend on the coolant's density: the flow network multiplies laws
 * by rho_rel, so they are divided by it here. */
static wsk_fan_law regulated(const wsk_ring *r, double a, double d)
{
    return (wsk_fan_law){.a = a / r->rho_rel, .d = d / r->rho_rel};
}

/* Pump law 2 h - h (q/q0)^2 with h = head_pa and q0 = flow_m3s: a circuit whose loss is h (q/q0)^2 gets the flow
 * q0. */
void wsk_ring_pump(wsk_ring *r, const wsk_card *c, double head_pa, double flow_m3s)
{
    wsk_ring_mover(r,
                   (wsk_mover){.name = wsk_printf(r->b->net->arena, "%s.pump", c->id),
                               .ref_rpm = 1000,
                               .rpm0 = 1000,
                               .fails_ns = wsk_fails_ns(c->gpu->pump_fails_s)},
                   regulated(r, 2 * head_pa, head_pa / (flow_m3s * flow_m3s)));
}

void wsk_ring_supply(wsk_ring *r, const char *name, double pressure_pa)
{
    /* The pressure falls by 1 % at 1 l/s. Assumed: docs/theory/constants.md, "facility supply" */
    const double falls = 0.01 * pressure_pa / 1e-6;
    wsk_ring_mover(r, (wsk_mover){.name = name, .ref_rpm = 1000, .rpm0 = 1000, .fails_ns = -1},
                   regulated(r, pressure_pa, falls));
}

static wsk_ring *open_ring(wsk_build *b, wsk_ring as, const wsk_coolant *coolant, const wsk_loop_params *loop,
                           double volume_m3, double given_k, double hose_m)
{
    wsk_net *net = b->net;
    wsk_ring *r = wsk_alloc(net->arena, sizeof *r);
    if (!r) {
        b->full = true;
        return NULL;
    }
    *r = as;
    r->b = b;
    coolant->at(coolant_k, &r->fluid);
    r->data_fluid = r->fluid;
    r->own_data = true;
    r->rho_rel = r->fluid.density_kg_m3 / 1000;
    r->first_cond = net->n_cond;
    r->hose_m = hose_m;
    int node = wsk_build_node(b, wsk_printf(net->arena, "%s.coolant", r->id), r->elem,
                              r->fluid.heat_j_m3k * volume_m3, 473.15);
    net->nodes[node].boundary = given_k > 0;
    net->nodes[node].given_k = given_k;
    r->end = r->tank = wsk_build_flow_node(b, node);
    /* The breather, a branch to the room, sets the pressure level of the ring; nothing flows through it. */
    wsk_branch breather = coolant_branch(r, r->tank, WSK_OPEN_ROOM);
    breather.k1 = 1e6;
    wsk_build_branch(b, breather);
    r->circuit = &net->circuits[net->n_circuit++];
    *r->circuit = (wsk_circuit){.id = r->id,
                                .elem = r->elem,
                                .params = loop,
                                .coolant = coolant,
                                .facility = given_k > 0,
                                .in = r->in,
                                .tank = node};
    return r;
}

wsk_ring *wsk_ring_of_loop(wsk_build *b, const wsk_elem *e, int in, double given_k, bool bath)
{
    const wsk_loop_params *p = e->params;
    wsk_ring *r = open_ring(b, (wsk_ring){.id = e->id, .elem = e, .in = in}, wsk_coolants[p->coolant], p,
                            p->volume_m3, given_k, p->hose_m);
    if (r && !bath) {
        r->own_data = false;
        wsk_coolants[0]->at(coolant_k, &r->data_fluid); /* water */
    }
    return r;
}

wsk_ring *wsk_ring_open(wsk_build *b, const wsk_card *c, const wsk_coolant *coolant, double volume_m3, double hose_m)
{
    return open_ring(b, (wsk_ring){.id = wsk_printf(b->net->arena, "%s.loop", c->id), .elem = c->elem, .in = c->in},
                     coolant, NULL, volume_m3, 0, hose_m);
}

/* The hoses lose heat in equal parts at all nodes. Until a ring is closed nothing else adds conductances. */
static void share_hoses(const wsk_ring *r)
{
    for (int i = r->first_cond; i < r->b->net->n_cond; i++)
        r->b->net->conds[i].g /= r->nodes;
}

/* Closes the ring by the hoses back to the tank. Their pressure loss has the friction factor 0.03, or follows
 * Hagen-Poiseuille's law for a viscous coolant. The loss coefficient is 0.7 for each fitting (Idelchik). Friction
 * and fittings together have at least 0.7, for the inlet of the tank. */
void wsk_ring_close(wsk_ring *r, double bore_m, double fittings)
{
    double area = 0.7853981633974483 * bore_m * bore_m, rho = 1000, mu = r->fluid.viscosity_pa_s, hose_m = r->hose_m;
    bool laminar = mu > laminar_pa_s;
    double loss = wsk_max((laminar ? 0 : 0.03 * hose_m / bore_m) + 0.7 * fittings, 0.7);
    wsk_branch back = coolant_branch(r, r->end, r->tank);
    back.k1 = laminar ? 32 * mu * hose_m / (area * bore_m * bore_m) : 0;
    back.k2 = rho / 2 / (area * area) * loss;
    r->circuit->branch = wsk_build_branch(r->b, back);
    share_hoses(r);
}
