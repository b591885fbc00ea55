/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The compiled network: a rig as flat tables of nodes and links, built once, const afterwards. kind.h describes
 * kinds of devices, with a header for each element (gpu.h, cooler.h, fan.h, psu.h, ...); machine.h has the tables
 * of devices. compile.c compiles a plan to a network. It calls cards.c, wiring.c (air of cards), cases.c, loops.c
 * (coolant) and supplies.c (PSUs), which add rows by build.c. Begin with this header, then compile.c. */
/* Temperature nodes have one numbering. First come solids, grouped in blocks; the solids of a block conduct heat to
 * each other. Then come media nodes, air or coolant. A medium without heat capacity follows its inflows at once
 * (quick), one with capacity is slow (room, panels, tank), a boundary has a given temperature. Branches carry heat
 * downstream with the heat-capacity flow w = rho cp q of their fluid. */
#ifndef WSK_NET_H
#define WSK_NET_H
#include "sim/net/machine.h"
#include "sim/net/tariff_table.h"
#include "sim/num/lu.h"
#include "sim/num/wide.h"

/* A flow branch. At flow q, m3/s, pressure rises from `from` to `to` by rho_rel (a nu^2 + b nu q - d q|q|) - k1 q -
 * rho_rel k2 q|q|, Pa, plus the draught of its warm column; nu: speed of its mover (fan or pump) divided by
 * wsk_mover.ref_rpm. A closed coolant loop gets its pressure level from a breather, a branch between one of its nodes
 * and the room. */
typedef struct {
    int from, to; /* flow nodes; node 0 is the room, pressure 0 */
    int mover;
    double a, b, d; /* fan law at nu = 1 and reference density, all parallel fans together */
    double k1, k2;
    /* losses of filter and fins, of the same form as k1 and k2 and added to them; dust raises these losses */
    double k1_foul, k2_foul;
    int in;                  /* case whose dust raises k1_foul and k2_foul */
    double rise_m;           /* height of the warm air column that drives a draught */
    int column;              /* flow node whose air fills the warm column; WSK_NO: no draught */
    double heat_w_k_per_m3s; /* rho cp of its fluid; if 0, wsk_build_branch sets it and rho_rel for air */
    double rho_rel;          /* density of its fluid divided by the density for which its losses hold */
    /* usual: typical flow of its fluid in a slot gap or hose, m3/s; start: flow with which the solver begins, m3/s.
     * Both are set by wsk_point_prepare. */
    double usual, start;
    /* Positions of (from, from), (to, to), (from, to), (to, from) in the matrix of pressures, and of from and to in
     * its right side. The room's pressure is known: entries of the room go to positions behind the matrix that nobody
     * reads. */
    int at[4], rhs[2];
} wsk_branch;

/* An opening of a case whose exhaust returns. Air that flows backwards (in at an outlet, out at an intake) is
 * exchanged with the room, not with the zone outside of the opening. Its heat is therefore carried by branch `past`,
 * which leads from the room to the case or back, in place of branch `opening`. Branch `face`, between that zone and
 * the room, carries as much heat-capacity flow in addition, so that the zone stays balanced. */
typedef struct {
    int opening, past, face;
} wsk_reversal;

/* Heat exchange without net flow between two nodes of air or coolant, W/K: rho cp of air x (ratio |q| + area_m2
 * sqrt(g height_m dT / 300 K)); q: flow of `branch`, m3/s; dT: temperature difference of the nodes, at least 0.5 K;
 * g: gravity. */
typedef struct {
    int a, b;
    int branch; /* branch whose flow is q; WSK_NO: only the buoyant term */
    double ratio, area_m2, height_m;
} wsk_exchange;

typedef struct {
    int a, b;
    double g;
} wsk_conductance;

/* Laws of a port's conductance. FIXED: constant; FINS: forced convection of fins in a stream; FINS_NATURAL: natural
 * convection that the same fins add; SURFACE: forced and natural convection of a surface. */
typedef enum { WSK_PORT_FIXED, WSK_PORT_FINS, WSK_PORT_FINS_NATURAL, WSK_PORT_SURFACE } wsk_port_law;
/* Heat g (T_solid - T_sense) leaves the solid and enters node `deposit`. Fins in a stream sense the air before them
 * and deposit in the air behind them. One or two further ports of the same fins add natural convection; each of them
 * senses and deposits at one node. */
typedef struct {
    int solid, sense, deposit;
    wsk_port_law law;
    int branch; /* branch whose flow sets the conductance; WSK_NO: law WSK_PORT_FIXED, or a surface in slow air */
    /* g, W/K: constant (fixed), UA at flow_ref (fins) or conductance at flow_ref (surface), the last two ~
     * flow^exponent; natural, W/K: natural convection of fins or surface at a difference of 10 K; share: part of the
     * fins' natural convection that this port (FINS_NATURAL) carries */
    double g, flow_ref, exponent, natural, share;
} wsk_port;

typedef struct {
    int first, count; /* the solids are the nodes first to first + count - 1 */
    int first_port, n_ports;
    int slot; /* first position of its solids in arrays where a block takes wsk_rows(count) (a multiple of 4)
               * positions */
    /* Position of its matrices in wsk_config.blocks (matrices of a time step, sim/step/tables.h), stored in columns
     * of wsk_rows(count). With temperatures x, heat f and C dx/dt = A x + f they are: P and Q, which give the mean
     * over a step, x_mean = P x + Q f; then A; then, for each port, the changes of x_mean and of A x_mean + f per
     * kelvin of the port's medium. */
    int table;
    double inner[WSK_BLOCK_MAX][WSK_BLOCK_MAX]; /* symmetric conductances, W/K; diagonal unused */
    double base[WSK_BLOCK_MAX * WSK_BLOCK_MAX]; /* A from `inner` alone, in columns of wsk_rows(count) */
} wsk_block;

/* Number of doubles that a block with this number of solids and ports takes from wsk_block.table on. */
static inline int wsk_table_size(int count, int ports)
{
    return (3 * count + 2 * ports) * wsk_rows(count);
}

typedef struct {
    int blocks, count, ports;
} wsk_alike;

typedef struct {
    const char *name;
    const wsk_elem *elem;
    double cap_j_k; /* heat capacity; solids: above 0; quick media: 0 */
    bool boundary;
    double absurd_k; /* if the node becomes hotter than this, K, the run stops with an error that names it */
    double given_k;  /* temperature that facility water holds (tank, water of a rear door), K; 0: other nodes */
} wsk_node;

/* Positions at which the terms of the heat balances are added to a matrix. Its rows are the nodes from `shift` on. A
 * boundary has no heat balance: the terms of its row go to position `size`, behind the last entry, which nobody reads.
 * Its row of the matrix is 1 on the diagonal, at the position in `own`, else 0. */
typedef struct {
    int n, shift, size;
    const int *at;  /* n^2 positions, row by row: that of the entry in row i and column j is at[i n + j] */
    const int *own; /* diagonal entries of boundaries, in the order of wsk_net.media[WSK_GIVEN] */
    /* Positions of (a, a), (b, a), (b, b), (a, b) of each link between nodes a and b: branches, then exchanges, then
     * conductances. */
    const int (*pair)[4];
} wsk_places;

/* Classes of media nodes. QUICK: the temperature follows the inflows at once; SLOW: a heat capacity delays it;
 * GIVEN: it is given. */
typedef enum { WSK_QUICK, WSK_SLOW, WSK_GIVEN, WSK_MEDIA } wsk_answer;
typedef struct wsk_net {
    wsk_arena *arena;
    const wsk_plan *plan;
    int threads; /* threads that a study of the rig may use */
    int n_solid, n_node, n_block, n_port, n_branch, n_exchange, n_cond, n_mover, n_card, n_flow, n_case, n_circuit,
        n_supply, n_reversal;
    wsk_node *nodes;
    wsk_block *blocks;
    wsk_alike *alike;
    int n_alike;
    wsk_port *ports;
    wsk_branch *branches;
    wsk_exchange *exchanges;
    wsk_reversal *reversals;
    wsk_conductance *conds;
    wsk_mover *movers;
    wsk_card *cards;
    int *flow_node;
    /* sizes in doubles. n_table: of wsk_config.blocks; n_slot: of arrays whose positions wsk_block.slot gives */
    int n_table, n_slot;
    int *media[WSK_MEDIA];
    int n_media[WSK_MEDIA];
    /* For the solid of port i: port_solid[i] is its node, port_slot[i] its position by wsk_block.slot,
     * port_row[i] its row in the block. */
    int *port_solid, *port_slot, *port_row;
    int *slow_port, n_slow_port; /* ports that sense or deposit in a slow medium */
    /* rho_rel: air density divided by WSK_RHO0; rho_cp: W/K per m3/s of air */
    double rho_rel, rho_cp;
    int room, outdoor;
    double dew_k;
    double least_flow;
    const wsk_lu *flow_lu;
    const wsk_lu *mean_lu;
    /* positions in the matrix of the media's mean temperatures, whose pattern is mean_lu. With up to WSK_INVERSE_MAX
     * media the matrix is stored in full, and wsk_invert inverts it. */
    wsk_places mean_at;
    wsk_case *cases;
    wsk_supply *supplies;
    wsk_circuit *circuits;
    const wsk_load_params **loads;
    int *load_in;   /* index of the case whose PSUs feed the DC part of load i; this part warms the air of the case */
    int *load_line; /* index in `lines` of the circuit that feeds the AC part of load i; this part warms the room */
    int n_load;
    const wsk_workload_params *workload;
    const wsk_workload_ops *workload_ops;
    const struct wsk_token_rates *tokens;
    wsk_class cls;
    int n_group;
    bool turns; /* the cards of a group work in turn on each step, not all at once */
    double host_load;
    /* talk_share: time of a step's communication over the slowest link of the cards, divided by the time of a whole
     * step at the reference clock with links of 16 lanes of PCI Express 4. bubble_share: share of a step in which a
     * card of a pipeline waits */
    double talk_share, bubble_share;
    const wsk_site_params *site;
    wsk_standing stand;
    const wsk_room_params *room_params;
    const wsk_outdoor_params *outdoor_params;
    const wsk_outdoor_ops *outdoor_ops;
    int64_t ac_fails_ns; /* -1: never */
    const wsk_ac_params *ac;
    const wsk_ac_ops *ac_ops;
    const wsk_tariff_params *tariff;
    const char *currency;
    const wsk_carbon_params *carbon;
    const wsk_billing *billing;
    const wsk_runspec_params *runspec;
    int64_t start_utc_s;   /* start of the run, UTC, s since 1970; used with a time zone */
    wsk_mains_line *lines; /* the site's own circuit, then each <branch> */
    int n_line;            /* number of circuits; above 1: the breakers of the circuits can trip during a run */
    int assumed;
    uint64_t digest;
} wsk_net;

/* Dry air at 25 degC and 101,325 Pa (VDI Heat Atlas, D2.2); standard gravity (CGPM 1901). */
#define WSK_RHO0 1.184 /* density of air, kg/m3 */
#define WSK_CP 1006.0  /* heat capacity of air, J/kg K */
#define WSK_MU 1.85e-5 /* viscosity of air, Pa s */
#define WSK_G 9.80665

/* Slots of case `in` that no card covers. */
double wsk_free_slots(const wsk_net *net, int in);
/* Index of the PSU that feeds those loads of a case that no attribute feeds= assigns to a PSU. It is the first
 * of several redundant PSUs, else the largest without feeds=, else the largest; WSK_NO: the case has no PSU. */
int wsk_rest_supply(const wsk_net *net, const wsk_case *c);

/* True if everything in a case with PSUs has power when those PSUs are out for which is_out(of, supply) is true.
 * Redundant PSUs carry each other's loads; any other load loses its power with the PSU that feeds it. */
typedef bool wsk_supply_test(const void *of, int supply);
bool wsk_case_fed(const wsk_net *net, int in, wsk_supply_test *is_out, const void *of);
/* Weight of the k-th of n redundant PSUs (k from 0) when they share a load. PSUs share in proportion to their limits,
 * with relative deviations that fall evenly from +imbalance for the first to -imbalance for the last. */
double wsk_supply_weight(const wsk_supply *supply, int k, int n);
/* Time, min, for which the UPS battery of a circuit carries wall_w, the power, W, that the circuit's PSUs draw; at
 * most the longest discharge time for which the battery's data hold. *spread: uncertainty of the time, min; NAN at
 * that longest time. NAN: the circuit has no battery, or no load. */
double wsk_battery_minutes(const wsk_mains_line *line, double wall_w, double *spread);
/* Effect on a case of losing a circuit. 1: the case stops; 0: it runs on PSUs of other circuits; -1: none of its
 * PSUs is on the circuit. */
int wsk_line_stops(const wsk_net *net, const wsk_mains_line *line, int in);

/* Start of the run by the clock that holds at t_ns, s since 1970: local time is this plus the time since the start.
 * It is 0 if the run has no date. *until_ns: time at which the clock may change next; INT64_MAX: never. */
double wsk_start_civil_s(const wsk_net *net, int64_t t_ns, int64_t *until_ns);

/* Compiles a plan; the caller frees *out with wsk_net_free. Errors and warnings go to plan->diags. The plan must
 * outlive the network. WSK_EINPUT: plan->diags has errors. */
wsk_status wsk_net_compile(wsk_net **out, wsk_plan *plan);
/* Compiles a plan as wsk_net_compile does, but takes from the network `of` what need not be computed again: the
 * compiled tariff, carbon, solar power and heating (wsk_billing), the count of assumed inputs, and the analysis of
 * each matrix whose pattern is equal in both networks. The plan of `of` must agree with `plan` in all inputs of
 * these, such as the prices and the start of the run. `plan` and `of` must outlive *out. `of` NULL: nothing is
 * taken. */
wsk_status wsk_net_compile_copy(wsk_net **out, wsk_plan *plan, const wsk_net *of);
void wsk_net_free(wsk_net *net);
/* Returns the analysed pattern of a matrix over all nodes, solids included; NULL: out of memory. */
const wsk_lu *wsk_net_full_lu(const wsk_net *net, wsk_arena *arena);
/* Positions of entries in a matrix of the nodes from `shift` on. lu: pattern of the matrix; inverted: the matrix is
 * stored in full for wsk_invert. Member `at` NULL: out of memory. */
wsk_places wsk_net_places(const wsk_net *net, const wsk_lu *lu, int shift, bool inverted, wsk_arena *arena);
double wsk_room_start_k(const wsk_net *net);

#endif
