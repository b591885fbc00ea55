/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of a run: the summary, with one value for each member and row of the table (table.c,
 * include/wattsink_results.h). gather.c fills it from a run, write.c and read.c are its JSON; series.c writes the
 * series, save.c the checkpoint. Begin with the table, then gather.c. */
#ifndef WSK_RESULTS_H
#define WSK_RESULTS_H
#include "sim/control/run.h"
#include "sim/results/summary.h"

/* Properties of a steady point; for a run NULL is passed. */
typedef struct {
    bool steady, cycling;
    double drift_k;       /* change of the means in ten minutes; above 0: not settled */
    const double *band_k; /* per card: swing of the GPU temperature, K; NULL: not known */
} wsk_result_kind;

/* Fills all results except those made from several runs: verdict, changes, warnings. wsk_summary_failed tells if
 * memory ran out. */
void wsk_results_gather(wsk_summary *s, const wsk_run *run, const wsk_result_kind *kind, double wall_clock_s);
/* Writes series.csv; false: out of memory. */
bool wsk_results_series(const wsk_run *run, wsk_buf *out);

#endif
