/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results: what a run came to, as JSON and text, and its series. Begin with results.c. */
#ifndef WSK_RESULTS_H
#define WSK_RESULTS_H
#include "sim/control/run.h"

/* Results (results.c). band: NULL, or the steady state's band of die temperatures per card, K. */
typedef struct {
    bool steady, cycling;
    double drift_k; /* above 0: not settled */
    const double *band_k;
} wsk_result_kind;
bool wsk_results_json(const wsk_run *run, const wsk_result_kind *kind, double wall_clock_s, wsk_buf *out);
bool wsk_results_text(const wsk_run *run, const wsk_result_kind *kind, wsk_buf *out);
bool wsk_results_series(const wsk_run *run, wsk_buf *out);

#endif
