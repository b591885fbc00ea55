/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_TESTS_WALLS_H
#define WSK_TESTS_WALLS_H
#include "sim/api.h"
#include "tests/support/replay.h"

enum { WSK_WALL_ROWS = 64 };
/* A measurement and the model's value. model_w: power at the wall, mean or peak as in `reading`. Input of the fit:
 * rest_w, power of processors, board, memory and drives at rest; span_w, how much more they draw when busy; load,
 * load of the host from 0 to 1; dc_w, power behind the PSUs; above_w, peak less mean at the wall. low_w, high_w:
 * ends of the range that the program prints, one standard deviation to each side; of a peak, that of the mean and
 * above_w. */
typedef struct {
    const char *machine, *sets, *reading;
    double measured_w, model_w, low_w, high_w, dc_w, above_w, rest_w, span_w, load;
    bool free_load; /* the workload states no load of the host, so the fit may change it */
    const wsk_supply *psu;
    double psus;
    wsk_rig *rig;
} wsk_wall_row;
typedef struct {
    wsk_csv *csv;
    int n, machines;
    wsk_wall_row rows[WSK_WALL_ROWS];
    /* mean |relative error|. shipped: over all rows, with shipped values; left_out: over machines, each left out of
     * the fit */
    double shipped, left_out;
    /* means: rows whose reading is a mean; inside: shares of the rows that the printed range holds, of means and of
     * peaks; inside80: of means, in 1.28 times that range */
    int means;
    double inside, inside80, peaks_inside;
} wsk_walls;

/* Reads the file and solves all rows; false: the file or a run failed. Free with wsk_walls_free in both cases. */
bool wsk_walls_read(wsk_walls *walls);
void wsk_walls_free(wsk_walls *walls);
/* Fits two numbers to all machines but one: *factor on the power of a host at rest, and *load of a host. Returns the
 * left-out machine's mean |relative error| with these numbers. */
double wsk_walls_without(const wsk_walls *walls, const char *machine, double *factor, double *load);
int wsk_walls_report(double *shipped, double *left_out);

#endif
