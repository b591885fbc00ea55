/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readings at the wall of whole machines, facts/walls.csv, and the model's watts for them: as shipped, and with each
 * machine left out of a fit of two numbers. */
#ifndef WSK_TESTS_WALLS_H
#define WSK_TESTS_WALLS_H
#include "sim/api.h"
#include "tests/support/replay.h"

enum { WSK_WALL_ROWS = 64 };
/* A row with the model's point. model_w: as the reading, a mean or a peak. For the fit: rest_w of processors, board,
 * memory and drives at rest, span_w how much more they draw when busy, `load` of the host. */
typedef struct {
    const char *machine, *sets, *reading;
    double measured_w, model_w, dc_w, above_w, rest_w, span_w, load;
    bool free_load; /* the class of the work gives the load, not the rig */
    const wsk_supply *psu;
    double psus;
    wsk_rig *rig;
} wsk_wall_row;
typedef struct {
    wsk_csv *csv;
    int n, machines;
    wsk_wall_row rows[WSK_WALL_ROWS]; /* those of a machine are adjacent */
    /* mean |relative error|: of all rows, as shipped; of machines, each left out of the fit */
    double shipped, left_out;
} wsk_walls;

/* Reads and solves all rows; false: a file or a run failed. Free with wsk_walls_free in both cases. */
bool wsk_walls_read(wsk_walls *walls);
void wsk_walls_free(wsk_walls *walls);
/* The most probable factor on the watts of a host at rest, and load of a host, by all machines but one. Returns that
 * machine's mean |relative error| with them. */
double wsk_walls_without(const wsk_walls *walls, const char *machine, double *factor, double *load);
/* Prints the section of the validation page, and with it the shares for its closing table; nonzero: failed. */
int wsk_walls_report(double *shipped, double *left_out);

#endif
