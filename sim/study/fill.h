/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_STUDY_FILL_H
#define WSK_STUDY_FILL_H
#include "sim/results/results.h"

/* Fills what is made of runs: verdict, changes, warnings, uncertainty of cards that were never measured; after
 * wsk_results_gather. */
void wsk_study_fill(wsk_summary *s, const wsk_run *run);
/* The page for a terminal (page.c); false: out of memory. */
bool wsk_results_text(const wsk_run *run, const wsk_result_kind *kind, wsk_buf *out);

#endif
