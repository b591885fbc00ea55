/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_STUDY_FILL_H
#define WSK_STUDY_FILL_H
#include "sim/results/results.h"

/* Fills what is made of runs: verdict, changes, warnings, uncertainty of cards that were never measured; after
 * wsk_results_gather. */
void wsk_study_fill(wsk_summary *s, const wsk_run *run);
/* Of that, the verdict and the changes (fill_verdict.c). The arena is for what is needed meanwhile. */
void wsk_verdict_fill(const wsk_run *run, wsk_summary *summary, wsk_arena *arena);

#endif
