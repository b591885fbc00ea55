/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of a run: the summary, with values for the rows of the table of results (table.c,
 * include/wattsink_results.h). gather.c fills it from a run, write.c writes it as JSON, read.c reads it; series.c
 * writes series.csv, save.c the checkpoint. Begin with the table, then gather.c. */
#ifndef WSK_RESULTS_H
#define WSK_RESULTS_H
#include "sim/control/run.h"
#include "sim/results/summary.h"

/* Kind of a result: a steady point (steady true), or a run over time (steady false). A NULL pointer to this struct also
 * means a run over time. */
typedef struct {
    bool steady, cycling;
    double drift_k;       /* change of mean temperatures in ten minutes, K; 0: settled */
    const double *band_k; /* per card: highest minus lowest GPU temperature, K; NULL: not known */
} wsk_result_kind;

/* Fills all results except those that sim/study/findings/fill.c adds. wsk_summary_failed tells if memory ran out. */
void wsk_results_gather(wsk_summary *s, const wsk_run *run, const wsk_result_kind *kind, double wall_clock_s);
/* The results on energy, money and work must be filled before, because energy and cost per token come from them. */
void wsk_results_tokens(wsk_summary *s, const wsk_run *run);
void wsk_results_strides(wsk_summary *s, const wsk_run *run);
/* False if a number of a restored state cannot be used, such as an index out of range. */
bool wsk_state_sound(const wsk_run *run);
bool wsk_results_series(const wsk_run *run, wsk_buf *out);

#endif
