/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solved flows and the matrices of a time step, for the present speeds of fans and pumps and the step length. The
 * last few sets are remembered. */
#ifndef WSK_TABLES_H
#define WSK_TABLES_H
#include "sim/control/run.h"

/* Flows and matrices for one set of speeds and one step length. They are remembered but never saved in a checkpoint.
 * Made in tables.c, used by kernel.h. Media: nodes of air or coolant, slow if they have a heat capacity. Block:
 * solids that conduct heat to each other. Port: link of a solid to a medium. */
typedef struct {
    /* used: all members are valid; has_gains: at least gain, store and slow_gain are valid, for the step length h */
    bool used, has_gains;
    uint64_t serial, hash; /* serial: a new number whenever the content changes; hash: hash of the speeds */
    double h;              /* step length, s */
    wsk_flows flows;       /* solved flows, and the speeds for which they hold */
    /* per port: index of the medium whose temperature it meets (sense), and of the medium that its heat enters
     * (deposit), both counted from the first medium */
    int *sense, *deposit;
    double *gain;              /* h/C of solids, C: heat capacity; positions by wsk_block.slot */
    double *store, *slow_gain; /* 2 C/h and h/C of slow media */
    double *blocks;            /* matrices of all blocks (wsk_block.table) */
    double *media;             /* matrix of the media's mean temperatures: inverted if small, else factored */
    double *give;              /* per port: conductance, W/K; 0 if a boundary receives the heat */
    /* rows of slow media in the matrix of the exchange between media, without the response of blocks; stored by
     * columns */
    double *rows;
    double *full; /* reference stepper: factored matrix of one of its stages; otherwise NULL */
} wsk_config;
enum { WSK_CONFIGS = 8 };

typedef struct {
    /* solids, by wsk_block.slot. m: mean temperatures over the step, relative to the room; x: temperatures at the start
     * of the step */
    double *m, *x;
    /* media. r: right sides of the equations, then as many work entries; e: mean temperatures over the step, relative
     * to the room */
    double *r, *e;
} wsk_scratch;

/* Of a block with heat capacities C and conductances A, for a step of h seconds: the gains h phi2(z) C^-1, with
 * z = C^-1 A h and phi2(z) = (e^z - 1 - z)/z^2, at one point of a grid of the diagonal of z, and their derivative by
 * each diagonal entry (`span` in tables.c). Per block of up to WSK_KNOWN_NODES solids the last WSK_KNOWN points are
 * remembered. */
enum { WSK_KNOWN = 16, WSK_KNOWN_NODES = 3 };
typedef struct {
    /* step length, s (0: unused), and diagonal entries of the grid point */
    double h, at[WSK_KNOWN_NODES];
    /* the gains (see above), then their derivatives by each diagonal entry, all stored by columns of four rows */
    double mean[(WSK_KNOWN_NODES + 1) * WSK_KNOWN_NODES * WSK_FOUR];
} wsk_known;

/* Data of the steppers besides the run's state; not saved in checkpoints. */
struct wsk_stepping {
    wsk_config configs[WSK_CONFIGS];
    /* the set that the last step used; NULL: none yet, or the sets were discarded since */
    const wsk_config *config;
    int config_turn;
    uint64_t config_serial;
    wsk_scratch scratch;
    /* per node. rhs: right side of the reference stepper; t_before: temperatures before the step, for wsk_step_undo */
    double *rhs, *t_before;
    const wsk_lu *full_lu; /* pattern of the matrix of all nodes; NULL: not the reference stepper */
    wsk_places full_at;
    wsk_known *known;
    unsigned *known_turn; /* per block: number of grid points computed so far */
    double *absurd_k;     /* per node: temperature above which the run stops, K */
    /* per medium, K: bounds of its excess above the room within which natural convection need not be computed again */
    double *natural_low_k, *natural_high_k;
    /* per solid, K: bounds between which no control of a card acts until now.quiet_ns */
    double *quiet_low_k, *quiet_high_k;
};

/* Returns the set for the present speeds and steps of h seconds, computed if it is not remembered; NULL: the flow
 * network has no solution. */
const wsk_config *wsk_config_for(wsk_run *run, double h);
/* Copies from another run the remembered grid points of blocks that are equal in both runs. A grid point depends only
 * on its block, so the copy saves time and does not change results. */
void wsk_known_take(wsk_run *run, const wsk_run *from);
/* Discards all remembered sets, after natural convection has changed. */
void wsk_forget_configs(wsk_run *run);
/* Set the pointers of a config, from `gain` to `rows`, or of a scratch, to consecutive arrays in `memory`, where each
 * entry takes `lanes` doubles. Return the number of entries. memory NULL: only count. */
int wsk_tables_place(const wsk_net *net, wsk_config *config, double *memory, int lanes);
int wsk_scratch_place(const wsk_net *net, wsk_scratch *scratch, double *memory, int lanes);
/* The reference stepper: SDIRK2 (diagonally implicit Runge-Kutta method of order 2) with diagonal WSK_GAMMA =
 * 1 - sqrt(1/2), L-stable (Alexander 1977), in WSK_SUBSTEPS substeps for a step of h seconds. wsk_reference_rate:
 * factor of the heat capacities in a stage's matrix, 1/s. */
enum { WSK_SUBSTEPS = 4 };
#define WSK_GAMMA 0.29289321881345254
static inline double wsk_reference_rate(double h)
{
    return 1 / (WSK_GAMMA * h / WSK_SUBSTEPS);
}

#endif
