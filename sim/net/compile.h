/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to compilation: adding rows to the tables of a network, and the functions of its assembly. */
#ifndef WSK_COMPILE_H
#define WSK_COMPILE_H
#include "sim/net/assembly.h"
#include "sim/net/net.h"

enum { WSK_ROOM_FOR = 1024, WSK_ROOM_FIRST = 32 }; /* rows of a table: maximum, and initial allocation */
typedef struct wsk_build {
    wsk_net *net;
    wsk_plan *plan;
    const wsk_net *bills_as; /* network whose tariff and carbon are used; NULL: those of the plan */
    int *cores;              /* nodes of radiator cores, in the order in which loops take them */
    int n_core;
    bool full; /* a table is full, or memory ran out */
} wsk_build;

/* The only child with this name; NULL: none. wsk_params_of gives the parameters of an element; NULL: no element. */
static inline const wsk_elem *wsk_only(const wsk_elem *parent, const char *name)
{
    return parent ? wsk_elem_child(parent, name, NULL) : NULL;
}
static inline const void *wsk_params_of(const wsk_elem *e)
{
    return e ? e->params : NULL;
}

/* Adds a temperature node and returns its number. The run stops if it exceeds absurd_k. */
int wsk_build_node(wsk_build *b, const char *name, const wsk_elem *elem, double cap_j_k, double absurd_k);
/* Makes a medium node a flow node; returns the number of the flow node. */
int wsk_build_flow_node(wsk_build *b, int node);
/* Adds a block of `count` solids from node `first`; returns its index. */
int wsk_build_block(wsk_build *b, int first, int count);
/* Adds conductance g, W/K, between solids i and j of a block, counted from the block's first. */
void wsk_build_inner(wsk_build *b, int block, int i, int j, double g);
/* Adds a port; returns its index. */
int wsk_build_port(wsk_build *b, wsk_port port);
/* Fins in the stream of port.branch: adds the port for forced and the port for natural convection. */
void wsk_build_fins(wsk_build *b, wsk_port port);
/* Adds a branch; returns its index. */
int wsk_build_branch(wsk_build *b, wsk_branch branch);
/* Adds a mover with the fields that the caller has set; returns its index. */
int wsk_build_mover(wsk_build *b, wsk_mover mover);
/* Adds an exchange between media nodes a and c, described at wsk_exchange. */
void wsk_build_exchange(wsk_build *b, int a, int c, int branch, double ratio, double area_m2, double height_m);
/* Adds a conductance g, W/K, between media nodes a and c; none if g is 0. */
void wsk_build_cond(wsk_build *b, int a, int c, double g);
/* K2 of a sudden opening, Pa/(m3/s)^2: loss rho/2 / area^2. */
double wsk_loss_k2(double loss, double area_m2);
/* Law of n parallel fans from shut-off pressure, free flow and curvature of one fan. */
wsk_fan_law wsk_fan_curve(double pressure_pa, double flow_m3s, double curvature, double n);

/* Sum of 10^(level/10) over `count` equal sources at the listener. Where no level is stated it follows from the speed
 * of the blade tips, plus `more` dB. */
double wsk_noise_p(const wsk_build *b, const wsk_noise_params *noise, double count, double diameter_m, double rpm,
                   double more);
/* Time of failure in ns from a time in s; -1 for NAN (never). */
int64_t wsk_fails_ns(double fails_s);
/* Name of a node of case `in`: PREFIX in a rig with one case, ID.PREFIX otherwise. */
const char *wsk_build_name(const wsk_build *b, int in, const char *prefix);

/* Cases (cases.c): room, chassis, PSU, processor, fans, vents. */
void wsk_build_case_table(wsk_build *b);
void wsk_build_case_solids(wsk_build *b);
void wsk_build_media(wsk_build *b);
void wsk_build_case_air(wsk_build *b);
/* Adds a fan of a chassis or radiator that drives `branch`, whose other fields the caller has set; returns the
 * branch. coolant: node read by sensor="coolant". */
int wsk_build_fan(wsk_build *b, int in, const wsk_fan_params *f, wsk_branch branch, int coolant);
/* Splits the fans of one element into those that keep running and those that will fail; returns the number of groups,
 * 1 or 2. group[] are copies. */
int wsk_fan_groups(const wsk_fan_params *f, wsk_fan_params group[2]);
/* K2 of grill and filter on the open part of a fan's face; `loss` counts if the fan states none. */
double wsk_fan_loss_k2(const wsk_fan_params *f, double loss);

static inline const wsk_cooler_ops *wsk_style_of(const wsk_card *c)
{
    return c->cooler->head.elem->kind->ops;
}
/* True if the pressure of the case drives the card's air. */
static inline bool wsk_ducted(const wsk_card *c)
{
    return wsk_style_of(c)->in_duct && wsk_style_of(c)->in_duct(c->cooler);
}

/* Cards (cards.c): geometry checks and solids. Their coolers are made in wiring.c and ring.c. */
void wsk_build_card_table(wsk_build *b);
void wsk_build_card_solids(wsk_build *b);
void wsk_build_card_air(wsk_build *b);
/* Adds the mover of a card's own fans, which are more_db louder than free fans of their size; returns its index. */
int wsk_build_card_fan(wsk_build *b, const wsk_card *c, double more_db);

/* PSUs (supplies.c): the table after the cases, their loads after the cards; solids and air for one case each. */
void wsk_build_supply_table(wsk_build *b);
void wsk_build_supply_loads(wsk_build *b);
void wsk_build_supply_solids(wsk_build *b, int in);
void wsk_build_supply_air(wsk_build *b, int in);

/* Opens the ring of a <loop>, with the coolant of that element. given_k > 0: the tank is held at that temperature.
 * The functions up to wsk_build_core are in ring.c. */
wsk_ring *wsk_ring_of_loop(wsk_build *b, const wsk_elem *loop, int in, double given_k);
void wsk_ring_mover(wsk_ring *ring, wsk_mover mover, wsk_fan_law law);
/* Wires a solid's plate or fins in the coolant between two flow nodes; returns the branch. g: conductance, W/K, at
 * `flow`, m3/s; drop_pa: pressure drop at that flow. */
int wsk_ring_plate(wsk_ring *ring, int solid, int from, int to, double g, double flow, double exponent,
                   double drop_pa);
/* A radiator of a <loop>, with its fans if it has any. */
void wsk_ring_loop_radiator(wsk_ring *ring, const wsk_elem *radiator);
void wsk_build_core(wsk_build *b, const wsk_elem *e, const char *name, double cap_j_k);

/* Coolant loops (loops.c). wsk_check_loops needs only the tables of cases and cards. */
void wsk_check_loops(wsk_build *b);
void wsk_build_loop_solids(wsk_build *b);
void wsk_build_loops(wsk_build *b);

/* Checks of the whole rig (checks.c): the first before nodes are made, the second on the finished network. */
void wsk_check_plan(wsk_build *b);
void wsk_check_network(wsk_build *b);

/* Finds the patterns of the matrices (matrices.c). False: out of memory. */
bool wsk_net_analyse(wsk_net *net);

#endif
