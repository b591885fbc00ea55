/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the compilation of a rig to a network: functions that add rows to the network's tables (build.c), and
 * the passes that call them for cases, cards, PSUs and coolant loops. */
#ifndef WSK_COMPILE_H
#define WSK_COMPILE_H
#include "sim/net/assembly.h"
#include "sim/net/net.h"

/* WSK_ROOM_FOR: most rows of a table; WSK_ROOM_FIRST: rows of its first allocation */
enum { WSK_ROOM_FOR = 1024, WSK_ROOM_FIRST = 32 };
typedef struct wsk_build {
    wsk_net *net;
    wsk_plan *plan;
    /* network whose compiled tariff, carbon intensity, solar power and heating are used; NULL: those of the plan
     * are compiled */
    const wsk_net *bills_as;
    int *cores; /* temperature nodes of radiator cores, in the order in which loops use them */
    int n_core; /* number of entries in `cores`; while coolant loops are built, number of cores already taken */
    bool full;
} wsk_build;

/* Returns the first child of this name; NULL: none, or parent is NULL. */
static inline const wsk_elem *wsk_only(const wsk_elem *parent, const char *name)
{
    return parent ? wsk_elem_child(parent, name, NULL) : NULL;
}
static inline const void *wsk_params_of(const wsk_elem *e)
{
    return e ? e->params : NULL;
}

/* Adds a temperature node. A run stops with an error if the node becomes hotter than absurd_k. */
int wsk_build_node(wsk_build *b, const char *name, const wsk_elem *elem, double cap_j_k, double absurd_k);
/* Adds a flow node. node: temperature node of its air or coolant. */
int wsk_build_flow_node(wsk_build *b, int node);
/* Groups the `count` solids from node `first` on in a block, in which wsk_build_inner can join them. */
int wsk_build_block(wsk_build *b, int first, int count);
/* i and j: positions of two solids in the block, from 0; g: conductance, W/K. */
void wsk_build_inner(wsk_build *b, int block, int i, int j, double g);
/* A port is a link from a solid to air or coolant. */
int wsk_build_port(wsk_build *b, wsk_port port);
/* Adds fins in the stream of port.branch: a port for forced convection, and one or two for natural convection, of
 * which port.share warms the air before the fins and the rest the node `still`. */
void wsk_build_fins(wsk_build *b, wsk_port port, int still);
/* A branch is a flow path between two flow nodes. */
int wsk_build_branch(wsk_build *b, wsk_branch branch);
void wsk_build_reversal(wsk_build *b, wsk_reversal reversal);
int wsk_build_mover(wsk_build *b, wsk_mover mover);
void wsk_build_exchange(wsk_build *b, int a, int c, int branch, double ratio, double area_m2, double height_m);
void wsk_build_cond(wsk_build *b, int a, int c, double g);
/* Quadratic pressure loss (k2 of wsk_branch) of an opening with the loss coefficient `loss`: loss rho / (2 area^2),
 * Pa/(m3/s)^2. */
double wsk_loss_k2(double loss, double area_m2);
/* Law of n equal parallel fans. pressure_pa: pressure without flow; flow_m3s: flow of one fan without pressure;
 * curvature: 0 if the curve between these two points is a parabola, 1 if it is a straight line. */
wsk_fan_law wsk_fan_curve(double pressure_pa, double flow_m3s, double curvature, double n);

/* Sum of 10^(level/10), level in dBA, over `count` equal sources at the listener. If `noise` states no level, the
 * level follows from the speed of the blade tips, plus `more` dB. */
double wsk_noise_p(const wsk_build *b, const wsk_noise_params *noise, double count, double diameter_m, double rpm,
                   double more);
int64_t wsk_fails_ns(double fails_s);
/* Returns the prefix alone in a rig with one case, "<id of the case>.<prefix>" otherwise. */
const char *wsk_build_name(const wsk_build *b, int in, const char *prefix);

void wsk_build_case_table(wsk_build *b);
void wsk_build_case_solids(wsk_build *b);
void wsk_build_media(wsk_build *b);
void wsk_build_case_air(wsk_build *b);
void wsk_build_reversals(wsk_build *b); /* call this when all other branches are built */
void wsk_check_fan_speed(wsk_build *b, const wsk_elem *e, const char *attribute, double rpm, double highest_rpm);
/* Adds the fan to `branch`, whose flow nodes and losses the caller has set, and returns the branch's index. coolant:
 * temperature node that a controller with sensor="coolant" follows. */
int wsk_build_fan(wsk_build *b, int in, const wsk_fan_params *f, wsk_branch branch, int coolant);
/* Divides fans of which only some fail into two groups: group[0] keeps running, group[1] fails. Returns the number
 * of groups; 1: group[0] has all fans. */
int wsk_fan_groups(const wsk_fan_params *f, wsk_fan_params group[2]);
/* Quadratic pressure loss (k2 of wsk_branch) of grill and filter on the open part of a fan's face. loss: loss
 * coefficient to use if the fan states none. */
double wsk_fan_loss_k2(const wsk_fan_params *f, double loss);

void wsk_build_card_table(wsk_build *b);
void wsk_build_links(wsk_build *b);
/* Power of a card while it works, W, if its mean over a step, in which it may wait for data and for other cards, is
 * mean_w at the reference. */
double wsk_running_w(const wsk_net *net, const wsk_card *card, double mean_w);
/* The reverse of wsk_running_w. */
double wsk_mean_w(const wsk_net *net, const wsk_card *card, double running_w);
void wsk_build_card_solids(wsk_build *b);
void wsk_build_card_air(wsk_build *b);
void wsk_check_place(wsk_build *b, int i);
/* more_db: dB added to the computed noise of the card's fans; unused if their noise is stated. */
int wsk_build_card_fan(wsk_build *b, const wsk_card *c, double more_db);
void wsk_build_log(wsk_build *b);

/* wsk_build_supply_table needs the table of cases, wsk_build_supply_loads also that of cards. */
void wsk_build_supply_table(wsk_build *b);
void wsk_build_supply_loads(wsk_build *b);
void wsk_build_supply_solids(wsk_build *b, int in);
void wsk_build_supply_air(wsk_build *b, int in);

void wsk_build_lines(wsk_build *b, const wsk_elem *site);
/* Index in net->lines of the circuit that `on` names (NULL: the site's own circuit), which is marked as used. An
 * unknown name is an error. */
int wsk_build_on_line(wsk_build *b, const wsk_elem *elem, const char *on);
/* Call wsk_check_lines when PSUs and loads are known. */
void wsk_check_lines(wsk_build *b);
/* given_k: temperature at which the tank of the loop is held, K; 0: it is not held. bath: cards are immersed in the
 * loop, and the data of its plates and radiators hold with its coolant, not with water. */
wsk_ring *wsk_ring_of_loop(wsk_build *b, const wsk_elem *loop, int in, double given_k, bool bath);
void wsk_ring_mover(wsk_ring *ring, wsk_mover mover, wsk_fan_law law);
/* Adds a CDU (coolant distribution unit): a pump that holds the pressure across the loop at pressure_pa, whatever the
 * density of the coolant. */
void wsk_ring_supply(wsk_ring *ring, const char *name, double pressure_pa);
/* Adds a branch between two flow nodes, whose coolant exchanges heat with a solid; returns the branch's index. g:
 * conductance, W/K, at `flow`, m3/s, proportional to flow^exponent; drop_pa: pressure drop at that flow. */
int wsk_ring_plate(wsk_ring *ring, int solid, int from, int to, double g, double flow, double exponent,
                   double drop_pa);
void wsk_ring_loop_radiator(wsk_ring *ring, const wsk_elem *radiator);
void wsk_build_core(wsk_build *b, const wsk_elem *e, const char *name, double cap_j_k);

/* wsk_build_door leads the outlets of case `in`, which must have a door, through the coil; returns the flow node
 * behind the door. */
void wsk_build_door_solid(wsk_build *b, int in);
int wsk_build_door(wsk_build *b, int in);
void wsk_check_door(wsk_build *b, int in);

void wsk_check_loops(wsk_build *b);
void wsk_build_loop_solids(wsk_build *b);
void wsk_build_loops(wsk_build *b);

/* A rule: in an element, the parameter `low` must not be above the parameter `high`. */
typedef struct {
    const char *low, *high; /* names of the parameters */
    wsk_severity severity;
} wsk_order_rule;
/* Checks the rules in their order, until one with low == NULL; only the first mistake of each `low` is reported.
 * Values that are not given are not checked. */
void wsk_check_order(wsk_build *b, const wsk_elem *e, const wsk_order_rule *rules);
void wsk_check_plan(wsk_build *b);
void wsk_check_network(wsk_build *b);

/* Prepares the division of board power among memory, board and die. The card must already have the constants of its
 * class of work. */
void wsk_divide_power(wsk_card *c);

/* Finds the sparsity patterns of the network's matrices (matrices.c). False: out of memory. */
bool wsk_net_analyse(wsk_net *net, const wsk_net *of); /* of: see wsk_net_compile_copy; NULL: none */

#endif
