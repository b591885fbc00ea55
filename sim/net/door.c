/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds a rear door to the network: its coil between the outlets of a chassis and the room. Theory: docs/theory/loop.md,
 * "Rear-door: coil" */
#include "sim/net/compile.h"

void wsk_build_door_solid(wsk_build *b, int in)
{
    wsk_case *c = &b->net->cases[in];
    if (!c->door)
        return;
    c->door_core = wsk_build_node(b, wsk_build_name(b, in, "door-coil"), c->door->head.elem,
                                  c->door->share * c->door->cap_j_k, 473.15);
    wsk_build_block(b, c->door_core, 1);
}

/* Conductance, W/K, between the coil and the entering water. The coil is taken to have the mean temperature of its
 * water, which is above the supply temperature by half of the rise in the coil: the conductance is twice the
 * water's heat-capacity flow. */
static double to_supply(const wsk_door_params *p)
{
    wsk_fluid water;
    wsk_coolants[0]->at(p->supply_k, &water); /* 0: water, which the Makefile lists first */
    return 2 * water.heat_j_m3k * p->share * p->water_m3s;
}

int wsk_build_door(wsk_build *b, int in)
{
    wsk_net *net = b->net;
    wsk_case *c = &net->cases[in];
    const wsk_door_params *p = c->door;
    const wsk_elem *e = p->head.elem;
    const double q = p->share * p->flow_m3s;
    int before = wsk_build_node(b, wsk_build_name(b, in, "before-door"), e, 0, 573.15),
        behind = wsk_build_node(b, wsk_build_name(b, in, "behind-door"), e, 0, 573.15),
        water = wsk_build_node(b, wsk_build_name(b, in, "door-water"), e, 0, 473.15);
    /* Without a flow, nothing but this small conductance gives the air before the door a temperature. */
    wsk_build_cond(b, before, c->air, 1e-6);
    net->nodes[water].boundary = true;
    net->nodes[water].given_k = p->supply_k;
    c->door_w_k = to_supply(p);
    c->flow_out = wsk_build_flow_node(b, before);
    const int out = wsk_build_flow_node(b, behind),
              branch = wsk_build_branch(b, (wsk_branch){.from = c->flow_out,
                                                        .to = out,
                                                        .mover = WSK_NO,
                                                        .column = WSK_NO,
                                                        .k1 = 0.5 * p->drop_pa / q,
                                                        .k2 = 0.5 * p->drop_pa / (q * q)});
    wsk_build_fins(b,
                   (wsk_port){.solid = c->door_core,
                              .branch = branch,
                              .sense = before,
                              .deposit = behind,
                              .g = p->share * p->ua_w_k,
                              .flow_ref = q,
                              .exponent = p->ua_exponent,
                              .natural = p->share * p->natural_w_k},
                   behind);
    wsk_build_port(b, (wsk_port){.solid = c->door_core,
                                 .sense = water,
                                 .deposit = water,
                                 .law = WSK_PORT_FIXED,
                                 .branch = WSK_NO,
                                 .g = c->door_w_k});
    return out;
}

void wsk_check_door(wsk_build *b, int in)
{
    const wsk_case *c = &b->net->cases[in];
    if (!c->door)
        return;
    const wsk_elem *e = c->door->head.elem;
    if (c->open)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, e, NULL, WSK_SAID(WSK_SAY_DOOR_OPEN_FRAME));
    if (c->door->supply_k < b->net->dew_k)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, e, "supply",
                      WSK_SAID(WSK_SAY_LOOP_CONDENSES, c->door->supply_k - WSK_KELVIN, b->net->dew_k - WSK_KELVIN));
}
