/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solved flows and matrices of a step for the present speeds and step length; the last few are remembered. */
#ifndef WSK_TABLES_H
#define WSK_TABLES_H
#include "sim/control/run.h"

/* All that depends only on speeds and step length: remembered, never saved. Made in tables.c for kernel.h. */
typedef struct {
    bool used, has_gains;  /* has_gains: gain, store, slow_gain are valid for h, even if `used` is false */
    uint64_t serial, hash; /* serial: new for each content; hash: of the speeds */
    double h;
    wsk_flows flows;           /* flows for the speeds that identify this entry */
    int *sense, *deposit;      /* per port: index of the medium, counted from the first medium */
    double *gain;              /* h/C of solids, in padded positions (wsk_block.slot) */
    double *store, *slow_gain; /* 2 C/h and h/C of slow media */
    double *blocks;            /* matrices of all blocks (wsk_block.table) */
    double *media;             /* matrix of the media means: inverted if small, else factored */
    double *give;              /* per port: W/K, 0 if a boundary receives the heat */
    /* rows of that matrix for slow media, without capacities and blocks, stored by columns */
    double *rows;
    double *full; /* factored stage matrix of the reference stepper */
} wsk_config;
enum { WSK_CONFIGS = 8 };

/* Scratch memory of a step. */
typedef struct {
    double *m, *x; /* arrays in padded positions: means of solids relative to the room; their start temperatures */
    double *r, *e; /* media: right sides, followed by as many work entries; means relative to the room */
} wsk_scratch;

/* Gains of a block at one grid point of its diagonal entries, and their slope for each entry; see tables.c. */
enum { WSK_KNOWN = 16, WSK_KNOWN_NODES = 3 };
typedef struct {
    /* step length, s (0: unused), and diagonal entries of the grid point */
    double h, at[WSK_KNOWN_NODES];
    /* gains h phi2 C^-1, then their slopes, by columns of four */
    double mean[(WSK_KNOWN_NODES + 1) * WSK_KNOWN_NODES * WSK_FOUR];
} wsk_known;

/* Data of the steppers besides the run's state; not saved. */
struct wsk_stepping {
    wsk_config configs[WSK_CONFIGS];
    const wsk_config *config; /* tables of the last step; NULL: none yet */
    int config_turn;          /* index of the entry that the next tables replace */
    uint64_t config_serial;   /* serial number of the newest tables */
    wsk_scratch scratch;
    double *rhs, *t_before; /* per node: right side of the reference stepper; start of a step that may be undone */
    const wsk_lu *full_lu;  /* pattern of all nodes; NULL: not the reference stepper */
    wsk_places full_at;     /* positions of entries in full_lu */
    wsk_known *known;       /* WSK_KNOWN grid points per block */
    unsigned *known_turn;
    double *absurd_k; /* per node: highest physical temperature */
    /* Per medium: excess over the room for which natural convection is valid, lower and upper bound. */
    double *natural_low_k, *natural_high_k;
    double *quiet_low_k, *quiet_high_k; /* per solid: bounds within which all cards rest, valid until now.quiet_ns */
};

/* The tables for the present speeds and steps of h seconds; NULL: the flow network has no solution. */
const wsk_config *wsk_config_for(wsk_run *run, double h);
/* Discards all remembered tables, after natural convection has changed. */
void wsk_forget_configs(wsk_run *run);
/* Lay out the tables of a config, from `gain` to `rows`, or the scratch of a step, in memory with entries `lanes`
 * apart. Return the number of entries. memory NULL: only count. */
int wsk_tables_place(const wsk_net *net, wsk_config *config, double *memory, int lanes);
int wsk_scratch_place(const wsk_net *net, wsk_scratch *scratch, double *memory, int lanes);
/* Rate of the reference stepper, 1/s: SDIRK2 with diagonal 1 - sqrt(1/2), L-stable (Alexander 1977), WSK_SUBSTEPS
 * substeps for a step of h seconds. */
enum { WSK_SUBSTEPS = 4 };
#define WSK_GAMMA 0.29289321881345254
static inline double wsk_reference_rate(double h)
{
    return 1 / (WSK_GAMMA * h / WSK_SUBSTEPS);
}

#endif
