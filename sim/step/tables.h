/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a step goes by: the solved flows and the matrices for the present speeds and length of a step, kept for the last few. */
#ifndef WSK_TABLES_H
#define WSK_TABLES_H
#include "sim/control/run.h"

/* Everything that depends on speeds and step only; remembered, never saved. Of tables.c for kernel.h. */
typedef struct {
    bool used, has_gains;  /* has_gains: those of h, though it may be forgotten since */
    uint64_t serial, hash; /* serial: changes with its content; hash: of the speeds */
    double h;
    wsk_flows flows;           /* for the speeds that are its key */
    int *sense, *deposit;      /* per port: media, counted from the first */
    double *gain;              /* h/C of solids, by slots */
    double *store, *slow_gain; /* 2 C/h and h/C of slow media */
    double *blocks;            /* of all blocks (wsk_block.table) */
    double *media;             /* mean matrix, inverted where it is small, else factored */
    double *give;              /* W/K of each port, 0 where a boundary takes the heat */
    double *rows;              /* rows of the mean matrix for slow media, without capacities and blocks, by columns */
    double *full;              /* factored stage matrix of the reference stepper */
} wsk_config;
enum { WSK_CONFIGS = 8 };

/* What a step works with. */
typedef struct {
    double *m, *x; /* by slots: means of solids over the room; where they began */
    double *r, *e; /* of the media: right sides, and as many more behind them; means over the room */
} wsk_scratch;

/* What phi2 makes of a block at one crossing of the grid of its diagonals, then its slope by each of them; see tables.c. */
enum { WSK_KNOWN = 16, WSK_KNOWN_NODES = 3 };
typedef struct {
    double h, at[WSK_KNOWN_NODES];                                   /* h 0: none yet */
    double mean[(WSK_KNOWN_NODES + 1) * WSK_KNOWN_NODES * WSK_FOUR]; /* h phi2 C^-1 by columns of four */
} wsk_known;

/* What stepping keeps beside the run's state; none of it is saved. */
struct wsk_stepping {
    wsk_config configs[WSK_CONFIGS];
    const wsk_config *config; /* of the last step; NULL: none yet */
    int config_turn;          /* whose place the next tables take */
    uint64_t config_serial;   /* of the newest tables */
    wsk_scratch scratch;
    double *rhs, *t_before; /* per node: of the reference stepper; where a step that may be taken back began */
    const wsk_lu *full_lu;  /* matrix of all nodes; NULL: not the reference stepper */
    wsk_places full_at;     /* in it */
    wsk_known *known;       /* WSK_KNOWN a block */
    unsigned *known_turn;
    double *absurd_k; /* per node, as wsk_node has it */
    double *natural_low_k,
        *natural_high_k;                /* per medium: excess over the room within which natural convection holds */
    double *quiet_low_k, *quiet_high_k; /* per solid: within them all cards rest, if now.quiet_ns is to come */
};

/* The tables for the present speeds and steps of h seconds; NULL: the network has no solution . */
const wsk_config *wsk_config_for(wsk_run *run, double h);
void wsk_forget_configs(wsk_run *run);
/* Lay out a config's tables, from `gain` to `rows`, or a step's scratch in memory, entries `lanes` apart; how many there are. NULL: counts
 * only. */
int wsk_tables_place(const wsk_net *net, wsk_config *config, double *memory, int lanes);
int wsk_scratch_place(const wsk_net *net, wsk_scratch *scratch, double *memory, int lanes);
/* The reference stepper's rate, 1/s: SDIRK2 with 1 - sqrt(1/2) as its diagonal, L-stable (Alexander 1977), in so many stages a step
 * of h seconds. */
enum { WSK_SUBSTEPS = 4 };
#define WSK_GAMMA 0.29289321881345254
static inline double wsk_reference_rate(double h)
{
    return 1 / (WSK_GAMMA * h / WSK_SUBSTEPS);
}

#endif
