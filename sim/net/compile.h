/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to compilation: growing tables and the places that assemblies share. */
#ifndef WSK_COMPILE_H
#define WSK_COMPILE_H
#include "sim/net/assembly.h"
#include "sim/net/net.h"

enum { WSK_ROOM_FOR = 1024, WSK_ROOM_FIRST = 32 }; /* rows of a table: at most, and at first */
typedef struct wsk_build {
    wsk_net *net;
    wsk_plan *plan;
    const wsk_net *bills_as; /* its tariff and carbon are taken; NULL: the plan's own */
    int *cores;              /* nodes of radiator cores, in the order in which loops ask for them */
    int n_core;
    bool full; /* a table is full, or out of memory */
} wsk_build;

/* The child of which there is one at most, and its parameters; NULL: none. */
static inline const wsk_elem *wsk_only(const wsk_elem *parent, const char *name)
{
    return parent ? wsk_elem_child(parent, name, NULL) : NULL;
}
static inline const void *wsk_params_of(const wsk_elem *e)
{
    return e ? e->params : NULL;
}

int wsk_build_node(wsk_build *b, const char *name, const wsk_elem *elem, double cap_j_k, double absurd_k);
/* A medium node that air flows through: returns the flow node. */
int wsk_build_flow_node(wsk_build *b, int node);
int wsk_build_block(wsk_build *b, int first, int count);
void wsk_build_inner(wsk_build *b, int block, int i, int j, double g);
int wsk_build_port(wsk_build *b, wsk_port port);
/* Fins in the stream of `branch` from `before` to `behind`: the forced and the natural port. */
void wsk_build_fins(wsk_build *b, wsk_port port);
int wsk_build_branch(wsk_build *b, wsk_branch branch);
/* Takes the fields that the caller knows; returns its index. */
int wsk_build_mover(wsk_build *b, wsk_mover mover);
void wsk_build_exchange(wsk_build *b, int a, int c, int branch, double ratio, double area_m2, double height_m);
void wsk_build_cond(wsk_build *b, int a, int c, double g);
/* Loss of a sudden opening: K2 = loss rho/2 / area^2. */
double wsk_loss_k2(double loss, double area_m2);
/* Fan law of n fans from shut-off pressure, free flow and curvature. */
wsk_fan_law wsk_fan_curve(double pressure_pa, double flow_m3s, double curvature, double n);

/* 10^(level/10) at the listener of `count` equal sources; the level by the speed of the blades' tips, plus `more` dB,
 * where none is stated. */
double wsk_noise_p(const wsk_build *b, const wsk_noise_params *noise, double count, double diameter_m, double rpm,
                   double more);
int64_t wsk_fails_ns(double fails_s);
/* A name of this element in the case `in`: PREFIX alone when there is one case, ID.PREFIX otherwise. */
const char *wsk_build_name(const wsk_build *b, int in, const char *prefix);

/* Cases: room, chassis, supply, processor, fans, vents (cases.c). */
void wsk_build_case_table(wsk_build *b);
void wsk_build_case_solids(wsk_build *b);
void wsk_build_media(wsk_build *b);
void wsk_build_case_air(wsk_build *b);
/* A chassis's or radiator's fan drives `branch`, whose other fields are given; coolant: node of sensor="coolant". Returns
 * the branch. */
int wsk_build_fan(wsk_build *b, int in, const wsk_fan_params *f, wsk_branch branch, int coolant);
/* The fans of one element that go on, and those of it that will fail: one or two groups, copied. */
int wsk_fan_groups(const wsk_fan_params *f, wsk_fan_params group[2]);
double wsk_fan_loss_k2(const wsk_fan_params *f, double loss);

static inline const wsk_cooler_ops *wsk_style_of(const wsk_card *c)
{
    return c->cooler->head.elem->kind->ops;
}
/* The case's pressure drives its air. */
static inline bool wsk_ducted(const wsk_card *c)
{
    return wsk_style_of(c)->in_duct && wsk_style_of(c)->in_duct(c->cooler);
}

/* Cards: geometry check, solids (cards.c); what their coolers are made of (wiring.c, ring.c). */
void wsk_build_card_table(wsk_build *b);
void wsk_build_card_solids(wsk_build *b);
void wsk_build_card_air(wsk_build *b);
/* The mover of a card's own fans, more_db louder than free fans of such blades. */
int wsk_build_card_fan(wsk_build *b, const wsk_card *c, double more_db);

/* Power supplies (supplies.c): after the cases; after the cards; of one case. */
void wsk_build_supply_table(wsk_build *b);
void wsk_build_supply_loads(wsk_build *b);
void wsk_build_supply_solids(wsk_build *b, int in);
void wsk_build_supply_air(wsk_build *b, int in);

/* A ring of a <loop>, of its coolant; given_k > 0: held at that temperature (ring.c, as all of these). */
wsk_ring *wsk_ring_of_loop(wsk_build *b, const wsk_elem *loop, int in, double given_k);
void wsk_ring_mover(wsk_ring *ring, wsk_mover mover, wsk_fan_law law);
/* A solid's plate or fins between two nodes: exchange in the stream of a branch with that drop at that flow; returns the branch. */
int wsk_ring_plate(wsk_ring *ring, int solid, int from, int to, double g, double flow, double exponent,
                   double drop_pa);
/* A radiator with fans of its own, or with none. */
void wsk_ring_loop_radiator(wsk_ring *ring, const wsk_elem *radiator);
void wsk_build_core(wsk_build *b, const wsk_elem *e, const char *name, double cap_j_k);

/* Coolant loops (loops.c). The check needs the tables of cases and cards alone. */
void wsk_check_loops(wsk_build *b);
void wsk_build_loop_solids(wsk_build *b);
void wsk_build_loops(wsk_build *b);

/* Checks of the whole (checks.c): when the tables of what stands in the rig are made, and when the network is. */
void wsk_check_plan(wsk_build *b);
void wsk_check_network(wsk_build *b);

/* Patterns of the matrices (matrices.c); false: out of memory. */
bool wsk_net_analyse(wsk_net *net);

#endif
