/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_STUDY_FILL_H
#define WSK_STUDY_FILL_H
#include "sim/results/results.h"

/* Adds to a summary: verdict, advised changes, trip probabilities, warnings, and the uncertainties of results, cards
 * and token rates. Call after wsk_results_gather. */
void wsk_study_fill(wsk_summary *s, const wsk_run *run);
/* Adds only the verdict and the advised changes (fill_verdict.c). arena: scratch memory. */
void wsk_verdict_fill(const wsk_run *run, wsk_summary *summary, wsk_arena *arena);

#endif
