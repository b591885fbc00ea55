/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The compiled network: a rig as flat tables of nodes and links, built once, const afterwards.
 *
 * Temperature nodes share one numbering: solids first (grouped in blocks, each an assembly whose nodes see one
 * another directly), then media nodes. A medium node is air or coolant; without capacity it is quasi-steady,
 * with capacity it is slow (room, panels), as a boundary it is given. Streams carry heat downstream; the
 * heat-capacity flow w = rho cp q belongs to the branch's fluid, so coolant is carried as air is. */
#ifndef WSK_NET_H
#define WSK_NET_H
#include "sim/net/machine.h"
#include "sim/net/tariff_table.h"
#include "sim/num/lu.h"
#include "sim/num/wide.h"

/* Flow branch: dp = rho_rel (A nu^2 + B nu q - D q|q|) - K1 q - rho_rel K2 q|q|, from `from` to `to`. A closed
 * coolant loop takes its pressure from a breather: a branch between one of its nodes and the room. */
typedef struct {
    int from, to;   /* flow nodes; node 0 is the room at zero pressure */
    int mover;      /* whose speed drives it, WSK_NO: none */
    double a, b, d; /* at nu = 1 and reference density, for all parallel fans together */
    double k1, k2;
    double k1_foul, k2_foul; /* further losses, of filter and fins, which dust raises */
    int in;                  /* the case whose dust that is */
    double rise_m;           /* height over which the warm column of `column` draws */
    int column;              /* flow node whose air stands in the column, WSK_NO: none */
    double heat_w_k_per_m3s; /* rho cp of its fluid; 0 when built: air */
    double rho_rel;          /* density over the one its curves hold for; 0 when built: the site's air */
    double usual, start;     /* m3/s: a usual flow of its fluid; where the search begins (wsk_point_prepare) */
    int at[4],
        rhs[2]; /* its places in the matrix, (from, from), (to, to), (from, to), (to, from), and in the right side; the room
                                is no unknown: what would be its goes behind the last, where nobody reads it */
} wsk_branch;

/* Heat without net mass between two media nodes: w = rho cp (ratio |q_branch| + area sqrt(g h dT / T)). */
typedef struct {
    int a, b;   /* node numbers */
    int branch; /* WSK_NO: only the buoyant part */
    double ratio, area_m2, height_m;
} wsk_exchange;

typedef struct {
    int a, b; /* node numbers, both media */
    double g;
} wsk_conductance;

typedef enum { WSK_PORT_FIXED, WSK_PORT_FINS, WSK_PORT_FINS_NATURAL, WSK_PORT_SURFACE } wsk_port_law;
/* Heat g (T_solid - T_sense) leaves the solid and enters `deposit`. Fins that a stream passes sense the air before
 * them and give to the air behind; what natural convection adds (the same fins, a second port) senses and gives
 * at one place, so that no air becomes hotter than the fins. */
typedef struct {
    int solid, sense, deposit;
    wsk_port_law law;
    int branch;
    double g, flow_ref, exponent, natural; /* fins: g = UA at flow_ref; surface: g at flow_ref; natural: at 10 K */
} wsk_port;

typedef struct {
    int first, count; /* solids */
    int first_port, n_ports;
    int slot;  /* where its solids stand in arrays by fours: wsk_rows(count) of them */
    int table; /* where its matrices stand in a table of all blocks: by columns of wsk_rows(count), x_mean = P x + Q f with P and Q, A, and
                  per port what a kelvin of its medium adds to x_mean and to A x_mean + f */
    double inner[WSK_BLOCK_MAX][WSK_BLOCK_MAX]; /* symmetric conductances, W/K; diagonal unused */
    double base[WSK_BLOCK_MAX * WSK_BLOCK_MAX]; /* A without ports, by such columns */
} wsk_block;

static inline int wsk_table_size(int count, int ports)
{
    return (3 * count + 2 * ports) * wsk_rows(count);
}

/* Blocks of one shape that follow one another. */
typedef struct {
    int blocks, count, ports;
} wsk_alike;

typedef struct {
    const char *name;
    const wsk_elem *elem;
    double cap_j_k;  /* solids: > 0; media: 0 or slow */
    bool boundary;   /* temperature is given */
    double absurd_k; /* above this the run stops and names the node */
    double given_k;  /* a boundary's temperature where it is constant from the start, else 0 */
} wsk_node;

/* Where the entries of a matrix of the nodes from `shift` on stand; rows of boundaries, which hold no balance, behind the last, at
 * `size`. */
typedef struct {
    int n, shift, size;
    const int *at;  /* n^2: (row, column) */
    const int *own; /* diagonal entries of boundaries, in the order of wsk_net.media[WSK_GIVEN] */
    const int (*pair)
        [4]; /* of branches, then exchanges, then conductances between a and b: (a, a), (b, a), (b, b), (a, b) */
} wsk_places;

/* Media by how they answer: at once, by their capacity, not at all. */
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
    int *flow_node;        /* flow node -> temperature node */
    int n_table, n_slot;   /* see wsk_block */
    int *media[WSK_MEDIA]; /* their nodes */
    int n_media[WSK_MEDIA];
    int *port_solid, *port_slot, *port_row; /* of each port: its solid, that one's slot, and its row in its block */
    int *slow_port, n_slow_port;            /* ports that may give to a medium with a capacity */
    double rho_rel, rho_cp;                 /* density over reference; W/K per m3/s of air */
    int room, outdoor;                      /* temperature nodes */
    double dew_k;                           /* dew point of the room's air */
    double least_flow;                      /* m3/s: nothing, when flows are compared */
    const wsk_lu *flow_lu;                  /* n_flow - 1 unknown pressures */
    const wsk_lu *mean_lu;                  /* media nodes, step means */
    wsk_places mean_at;                     /* in it; of up to WSK_INVERSE_MAX media in a matrix for wsk_invert */
    wsk_case *cases;
    wsk_supply *supplies;
    wsk_circuit *circuits;
    const wsk_load_params **loads;
    int *load_in; /* the case whose supply feeds a load, and whose air it warms */
    int n_load;
    const wsk_workload_params *workload;
    const wsk_workload_ops *workload_ops;
    wsk_class cls;
    double talk_share, bubble_share; /* of a reference step: communication over the slowest link; a pipeline's rest */
    const wsk_site_params *site;
    const wsk_room_params *room_params;
    const wsk_outdoor_params *outdoor_params;
    const wsk_outdoor_ops *outdoor_ops;
    const wsk_ac_params *ac;
    const wsk_ac_ops *ac_ops;
    const wsk_tariff_params *tariff;
    const char *currency;
    const wsk_carbon_params *carbon;
    const wsk_billing *billing; /* compiled from both; NULL: neither */
    const wsk_runspec_params *runspec;
    double circuit_w; /* continuous limit, VA; 0: no circuit named */
    wsk_breaker breaker;
    const wsk_feed_params *feeds[2]; /* on the way to the circuit: strip, then UPS; NULL: none */
    const wsk_feed_ops *feed_ops[2];
    int assumed; /* values without a source among those used */
    uint64_t digest;
} wsk_net;

/* Dry air at 25 degC and 101,325 Pa (VDI Heat Atlas, D2.2); standard gravity (CGPM 1901). */
#define WSK_RHO0 1.184 /* kg/m3 */
#define WSK_CP 1006.0  /* J/kg K */
#define WSK_MU 1.85e-5 /* Pa s */
#define WSK_G 9.80665  /* m/s2 */

/* The supply on which hangs what no supply names: the first redundant one, else the largest that names no card, else the
 * largest; WSK_NO: none. */
int wsk_rest_supply(const wsk_net *net, const wsk_case *c);

/* Compiles a plan; messages about fit go to plan->diags. The plan must outlive the network. */
wsk_status wsk_net_compile(wsk_net **out, wsk_plan *plan);
/* Of a copy of a network's plan with the same tariff and carbon, which are taken from it: `of` must outlive it, too. */
wsk_status wsk_net_compile_copy(wsk_net **out, wsk_plan *plan, const wsk_net *of);
void wsk_net_free(wsk_net *net);
/* The matrix of all nodes, for the reference stepper; in the caller's arena. NULL: out of memory. */
const wsk_lu *wsk_net_full_lu(const wsk_net *net, wsk_arena *arena);
/* at is NULL: out of memory. */
wsk_places wsk_net_places(const wsk_net *net, const wsk_lu *lu, int shift, bool inverted, wsk_arena *arena);
/* What the room starts at. */
double wsk_room_start_k(const wsk_net *net);

#endif
