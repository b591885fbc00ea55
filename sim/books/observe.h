/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Observation: minimum, mean and maximum of each variable, over buckets of the series and over the whole run. Observing reads the
 * state and never writes it. */
#ifndef WSK_OBSERVE_H
#define WSK_OBSERVE_H
#include "sim/books/variables.h"
#include "sim/control/run.h"

enum { WSK_BUCKETS = 2016, WSK_BUCKET_DOUBLES = 3 << 19 }; /* at most: rows; and numbers in all of them, 12 MB */

/* What was seen. The first lines point into the run's block and are saved. */
struct wsk_observer {
    double *value;            /* variables, as of the end of wsk_run_advance */
    double *sum, *low, *high; /* per variable: open bucket; of a temperature the sum is its rise over its node */
    double *total, *lowest, *highest;  /* per variable: whole run */
    double *node_sum, *node_total;     /* per node: degC x time, of the open bucket and all before */
    double *buckets;                   /* rows of 1 + 3 n: end time, then low, mean, high */
    int64_t bucket_ticks, bucket_rows; /* ticks of a bucket; rows that the whole run needs */
    double *
        standing; /* per variable: what is the same until watts, speeds or natural convection change; of a temperature its rise */
    double *node_low, *node_high; /* per node: of quiet ticks that are not booked yet */
    double *least, *most;         /* per variable: of them */
};

/* Lists the variables and makes room for an observer, but for what lies in the run's block; false: out of memory. */
bool wsk_observer_make(wsk_run *run);
/* Ticks of a bucket. */
int64_t wsk_bucket_length(int64_t ticks, int variables);
/* Forgets what was seen so far. */
void wsk_observe_anew(wsk_run *run);
void wsk_read_values(wsk_run *run);
/* The tick of h seconds that ended now. True where a bucket of the series ends with it: it is to be closed when the books are up to
 * date. */
bool wsk_observe(wsk_run *run, double h);
void wsk_close_bucket(wsk_run *run);
/* So many ticks at which all rested, of h each: what stands, and how far temperatures went. */
void wsk_observe_repeats(wsk_run *run, double h, int64_t times);

/* Of a variable over the whole run so far, NAN where this rig has none: mean, lowest, highest. */
double wsk_var_mean(const wsk_run *run, wsk_var row, int which);
double wsk_var_low(const wsk_run *run, wsk_var row, int which);
double wsk_var_high(const wsk_run *run, wsk_var row, int which);
/* The same by its place among the variables. */
double wsk_mean_at(const wsk_run *run, int place);
double wsk_low_at(const wsk_run *run, int place);
double wsk_high_at(const wsk_run *run, int place);
/* Mean of the air in all cases. */
double wsk_case_air_c(const wsk_run *run);

#endif
