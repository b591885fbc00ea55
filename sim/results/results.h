/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of a run: the summary, one value for each row of the table (table.c, include/wattsink_results.h) and
 * member; gather.c fills it from a run, write.c and read.c are its JSON; series.c writes the series, save.c the
 * checkpoint. Begin with the table, then gather.c. */
#ifndef WSK_RESULTS_H
#define WSK_RESULTS_H
#include "sim/control/run.h"
#include "sim/results/summary.h"

/* What the steady point adds to a run. */
typedef struct {
    bool steady, cycling;
    double drift_k;       /* above 0: not settled */
    const double *band_k; /* per card: how far the GPU temperature swings; or NULL */
} wsk_result_kind;

/* Fills all but what is made of runs: the verdict, its changes, the warnings. wsk_summary_failed tells of memory. */
void wsk_results_gather(wsk_summary *s, const wsk_run *run, const wsk_result_kind *kind, double wall_clock_s);
/* series.csv; false: out of memory. */
bool wsk_results_series(const wsk_run *run, wsk_buf *out);

#endif
