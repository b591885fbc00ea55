/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Observation: minimum, mean and maximum of each variable, over the intervals of series.csv (buckets) and over the
 * window: the whole run so far, or, in the search of a steady point, its last ten minutes. Observing never changes
 * the simulated state. */
#ifndef WSK_OBSERVE_H
#define WSK_OBSERVE_H
#include "sim/books/variables.h"
#include "sim/control/run.h"

/* WSK_BUCKETS: most rows of a series. With many variables a series has fewer rows, so that all rows together have
 * about WSK_BUCKET_DOUBLES numbers (12 MB). */
enum { WSK_BUCKETS = 2016, WSK_BUCKET_DOUBLES = 3 << 19 };

/* The observer. Some members (value to highest, node_sum, node_total) point into the block of state of the run, which
 * a checkpoint saves. */
struct wsk_observer {
    double *value; /* present values of the variables, complete after wsk_read_values */
    /* Per variable, in the open bucket: value x time, minimum, maximum. The sum of a temperature contains only its
     * rise above the temperature of its node. */
    double *sum, *low, *high;
    double *total, *lowest, *highest; /* per variable, over all closed buckets: value x time, minimum, maximum */
    double *node_sum, *node_total;    /* per node: degC x time, in the open bucket and in the closed ones */
    int64_t bucket_ticks, bucket_rows;
    double *buckets;        /* rows of wsk_bucket_doubles numbers; NULL: no series is kept */
    wsk_sha256 sum_of_rows; /* hash of a checkpoint's header and of the first `summed` rows (sim/results/save.c) */
    int64_t summed;
    /* Per variable: the value that it keeps until powers, speeds or natural convection change. For a temperature this
     * is only its rise above the temperature of its node. */
    double *standing;
    /* per node: lowest and highest temperature over the quiet ticks that are not booked yet */
    double *node_low, *node_high;
    double *least, *most; /* per variable: lowest and highest value over the quiet ticks not booked yet */
};

/* Returns the present value of a variable, whether the series records it or it is computed only on request (ask.c).
 * which: index of the card, fan, PSU or other part that has the variable. NAN: this rig has no such variable, or it
 * has no value at present. */
double wsk_read_variable(const wsk_run *run, wsk_var row, int which);
/* Sets a variable from the present time on (steer.c). False: the variable cannot be set, or not to this value, and
 * nothing changes. */
bool wsk_set_variable(wsk_run *run, wsk_var row, int which, double value);
/* Lists the variables and allocates the observer, except the members in the run's block of state and `buckets`
 * (sim/step/make.c allocates both); false: out of memory. */
bool wsk_observer_make(wsk_run *run);
int64_t wsk_bucket_length(int64_t ticks, int variables);
/* Returns how many numbers a row has: end time, then minimum, mean and maximum of each variable. */
static inline size_t wsk_bucket_doubles(const wsk_variables *variables)
{
    return 1 + 3 * (size_t)variables->n;
}
static inline double *wsk_bucket(const wsk_run *run, int64_t row)
{
    return run->observer->buckets + (size_t)row * wsk_bucket_doubles(run->variables);
}
/* Discards all observations so far and starts a new bucket. */
void wsk_observe_anew(wsk_run *run);
void wsk_read_values(wsk_run *run);
/* Observes the tick of h seconds that ends now. True if a bucket ends with the tick; the caller then calls
 * wsk_close_bucket when the books are up to date. */
bool wsk_observe(wsk_run *run, double h);
void wsk_close_bucket(wsk_run *run);
/* Adds `times` quiet ticks of h seconds (no control acts in them) to the sums of variables that keep their value, and
 * to the extremes of temperatures. */
void wsk_observe_repeats(wsk_run *run, double h, int64_t times);

/* Mean, lowest and highest value of a variable over the window (see above); NAN: the rig has no such variable, or, for
 * the mean, the window has only just begun. */
double wsk_var_mean(const wsk_run *run, wsk_var row, int which);
double wsk_var_low(const wsk_run *run, wsk_var row, int which);
double wsk_var_high(const wsk_run *run, wsk_var row, int which);
/* Mean, lowest and highest value of the variable with the index `place` in wsk_variables.all; an index below 0 gives
 * NAN. */
double wsk_mean_at(const wsk_run *run, int place);
double wsk_low_at(const wsk_run *run, int place);
double wsk_high_at(const wsk_run *run, int place);
double wsk_case_air_c(const wsk_run *run);
/* Mean heat, W, that the rear door (an exchanger behind the rack) of chassis `in` takes up. The chassis must have
 * one. */
double wsk_door_w(const wsk_run *run, int in);
/* Mean heat, W, that the coolant of a loop takes up on its way from the tank past the cold plates (or through the
 * bath) to its warmest point. */
double wsk_loop_heat_w(const wsk_run *run, int circuit);
/* Mean heat, W, that goes into the water of the facility, by loops and rear doors; 0: the rig has neither. */
double wsk_facility_heat_w(const wsk_run *run);

#endif
