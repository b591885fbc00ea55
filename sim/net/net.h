/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The compiled network: a rig as flat tables of nodes and links, built once, const afterwards. kind.h is the
 * interface of models, with a header for each role (gpu.h, cooler.h, fan.h, psu.h, ...); machine.h is what stands in
 * a rig. compile.c makes a plan a network: cards.c and cases.c lay out air, loops.c water, supplies.c electricity, of
 * the pieces in build.c. Begin with this header, then compile.c.
 *
 * Temperature nodes have one numbering. First come solids, grouped in blocks; the solids of a block conduct heat to
 * each other. Then come media nodes, air or coolant. A medium without heat capacity follows its inflows at once
 * (quick), one with capacity is slow (room, panels, tank), a boundary has a given temperature. Branches carry heat
 * downstream with the heat-capacity flow w = rho cp q of their fluid. */
#ifndef WSK_NET_H
#define WSK_NET_H
#include "sim/net/machine.h"
#include "sim/net/tariff_table.h"
#include "sim/num/lu.h"
#include "sim/num/wide.h"

/* A flow branch: pressure from `from` to `to` rises by rho_rel (A nu^2 + B nu q - D q|q|) - K1 q - rho_rel K2 q|q|. A
 * closed coolant loop gets its pressure level from a breather, a branch between one of its nodes and the room. */
typedef struct {
    int from, to;   /* flow nodes; node 0 is the room, pressure 0 */
    int mover;      /* fan or pump that drives it; WSK_NO: none */
    double a, b, d; /* fan law at nu = 1 and reference density, all parallel fans together */
    double k1, k2;
    double k1_foul, k2_foul; /* losses of filter and fins, which dust raises */
    int in;                  /* case whose dust counts */
    double rise_m;           /* height of the warm air column that drives a draught */
    int column;              /* flow node whose air fills that column; WSK_NO: no draught */
    double heat_w_k_per_m3s; /* rho cp of its fluid; 0 when added: air */
    double rho_rel;          /* density of its fluid / density of its curves; 0 when added: air */
    /* m3/s: a usual flow of its fluid; the flow where the search begins (wsk_point_prepare) */
    double usual, start;
    /* Positions of (from, from), (to, to), (from, to), (to, from) in the flow matrix, and of from and to in the
     * right side. The room is no unknown: its entries go to positions behind the last, which are never read. */
    int at[4], rhs[2];
} wsk_branch;

/* Heat exchange without net flow between two media nodes: w = rho cp (ratio |q_branch| + area sqrt(g h dT / T)). */
typedef struct {
    int a, b;   /* the two media nodes */
    int branch; /* branch whose flow counts; WSK_NO: only the buoyant term */
    double ratio, area_m2, height_m;
} wsk_exchange;

typedef struct {
    int a, b; /* the two media nodes */
    double g;
} wsk_conductance;

typedef enum { WSK_PORT_FIXED, WSK_PORT_FINS, WSK_PORT_FINS_NATURAL, WSK_PORT_SURFACE } wsk_port_law;
/* Heat g (T_solid - T_sense) leaves the solid and enters node `deposit`. Fins in a stream sense the air before them
 * and deposit in the air behind them. A second port of the same fins adds natural convection; it senses and deposits
 * at one node, so that no air becomes hotter than the fins. */
typedef struct {
    int solid, sense, deposit;
    wsk_port_law law;
    int branch;
    /* W/K; fins: g = UA at flow_ref; surface: g at flow_ref; natural: at 10 K */
    double g, flow_ref, exponent, natural;
} wsk_port;

typedef struct {
    int first, count; /* solids: nodes first to first + count - 1 */
    int first_port, n_ports;
    int slot; /* position of its solids in arrays padded to fours; takes wsk_rows(count) */
    /* Position of its matrices in a table of all blocks, in columns of wsk_rows(count): P and Q of x_mean = P x + Q
     * f, then A; then per port the change of x_mean and of A x_mean + f per kelvin of the port's medium. */
    int table;
    double inner[WSK_BLOCK_MAX][WSK_BLOCK_MAX]; /* symmetric conductances, W/K; diagonal unused */
    double base[WSK_BLOCK_MAX * WSK_BLOCK_MAX]; /* A without ports, in columns of wsk_rows(count) */
} wsk_block;

/* Doubles that a block with this number of solids and ports takes in the table of all blocks. */
static inline int wsk_table_size(int count, int ports)
{
    return (3 * count + 2 * ports) * wsk_rows(count);
}

/* A series of consecutive blocks with equal numbers of solids and ports. */
typedef struct {
    int blocks, count, ports;
} wsk_alike;

typedef struct {
    const char *name;
    const wsk_elem *elem;
    double cap_j_k;  /* solids: above 0; media: 0 if quick */
    bool boundary;   /* the node's temperature is given */
    double absurd_k; /* the run stops and names the node above this temperature, K */
    double given_k;  /* temperature of a boundary that is constant from the start; 0: otherwise */
} wsk_node;

/* Positions of the entries of a matrix of the nodes from `shift` on. Rows of boundaries, which have no balance, go to
 * position `size`, behind the last entry. */
typedef struct {
    int n, shift, size;
    const int *at;  /* n^2 positions, row by row */
    const int *own; /* diagonal entries of boundaries, in the order of wsk_net.media[WSK_GIVEN] */
    const int(*pair)
        /* Positions of (a, a), (b, a), (b, b), (a, b) for each branch, then exchange, then conductance between a and
         * b. */
        [4];
} wsk_places;

/* Media by the response of their temperature: at once, by their capacity, or given. */
typedef enum { WSK_QUICK, WSK_SLOW, WSK_GIVEN, WSK_MEDIA } wsk_answer;
typedef struct wsk_net {
    wsk_arena *arena;
    const wsk_plan *plan;
    int n_solid, n_node, n_block, n_port, n_branch, n_exchange, n_cond, n_mover, n_card, n_flow, n_case, n_circuit,
        n_supply;
    wsk_node *nodes;
    wsk_block *blocks;
    wsk_alike *alike;
    int n_alike;
    wsk_port *ports;
    wsk_branch *branches;
    wsk_exchange *exchanges;
    wsk_conductance *conds;
    wsk_mover *movers;
    wsk_card *cards;
    int *flow_node;        /* temperature node of each flow node */
    int n_table, n_slot;   /* totals of wsk_block.table and wsk_block.slot */
    int *media[WSK_MEDIA]; /* node numbers of the media of each wsk_answer */
    int n_media[WSK_MEDIA];
    /* port_solid[i]: node; port_slot[i]: its position in padded arrays; port_row[i]: its row in the block */
    int *port_solid, *port_slot, *port_row;
    int *slow_port, n_slow_port; /* ports that sense or deposit in a slow medium */
    double rho_rel, rho_cp;      /* air density / reference density; W/K per m3/s of air */
    int room, outdoor;           /* temperature nodes of room and outdoors */
    double dew_k;                /* dew point of the room air, K */
    double least_flow;           /* m3/s: flows below count as 0 in comparisons */
    const wsk_lu *flow_lu;       /* pattern of the n_flow - 1 unknown pressures */
    const wsk_lu *mean_lu;       /* pattern of the step means of media nodes */
    /* positions in mean_lu; up to WSK_INVERSE_MAX media: in a matrix for wsk_invert */
    wsk_places mean_at;
    wsk_case *cases;
    wsk_supply *supplies;
    wsk_circuit *circuits;
    const wsk_load_params **loads;
    int *load_in; /* case whose PSU feeds load i and whose air it warms */
    int n_load;
    const wsk_workload_params *workload;
    const wsk_workload_ops *workload_ops;
    wsk_class cls;
    /* shares of a reference step: communication over the slowest link; idle time of a pipeline */
    double talk_share, bubble_share;
    const wsk_site_params *site;
    const wsk_room_params *room_params;
    const wsk_outdoor_params *outdoor_params;
    const wsk_outdoor_ops *outdoor_ops;
    const wsk_ac_params *ac;
    const wsk_ac_ops *ac_ops;
    const wsk_tariff_params *tariff;
    const char *currency;
    const wsk_carbon_params *carbon;
    const wsk_billing *billing; /* compiled from tariff and carbon; NULL: neither */
    const wsk_runspec_params *runspec;
    double circuit_w; /* continuous limit of the circuit, VA; 0: no circuit given */
    wsk_breaker breaker;
    const wsk_feed_params *feeds[2]; /* feeds between rig and circuit: power strip, then UPS; NULL: none */
    const wsk_feed_ops *feed_ops[2];
    int assumed; /* number of assumed values in use */
    uint64_t digest;
} wsk_net;

/* Dry air at 25 degC and 101,325 Pa (VDI Heat Atlas, D2.2); standard gravity (CGPM 1901). */
#define WSK_RHO0 1.184 /* density of air, kg/m3 */
#define WSK_CP 1006.0  /* heat capacity of air, J/kg K */
#define WSK_MU 1.85e-5 /* viscosity of air, Pa s */
#define WSK_G 9.80665  /* gravity, m/s2 */

/* Index of the PSU that feeds all loads not named in any feeds=: the first redundant one, else the largest that names
 * no card, else the largest; WSK_NO: none. */
int wsk_rest_supply(const wsk_net *net, const wsk_case *c);

/* Compiles a plan; findings about fit go to plan->diags. The plan must outlive the network. WSK_EINPUT: plan->diags
 * has errors. */
wsk_status wsk_net_compile(wsk_net **out, wsk_plan *plan);
/* Compiles a copy of the plan of `of` and takes tariff and carbon, which must be equal, from `of`. `of` must outlive
 * *out, too. */
wsk_status wsk_net_compile_copy(wsk_net **out, wsk_plan *plan, const wsk_net *of);
void wsk_net_free(wsk_net *net);
/* Pattern of the matrix of all nodes for the reference stepper, in the caller's arena. NULL: out of memory. */
const wsk_lu *wsk_net_full_lu(const wsk_net *net, wsk_arena *arena);
/* Positions of a matrix of the nodes from `shift` on with pattern lu; inverted: stored for wsk_invert. Member `at`
 * NULL: out of memory. */
wsk_places wsk_net_places(const wsk_net *net, const wsk_lu *lu, int shift, bool inverted, wsk_arena *arena);
/* Temperature of the room at the start, K. */
double wsk_room_start_k(const wsk_net *net);

#endif
