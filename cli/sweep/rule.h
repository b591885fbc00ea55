/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the cases of a sweep can be compared. */
#ifndef WSK_SWEEP_RULE_H
#define WSK_SWEEP_RULE_H
#include "cli/kit/work.h"
#include "cli/sweep/inner.h"

typedef struct {
    wsk_sweep_outcome outcome;
    const wsk_goal *goal;
    wsk_cli_worker a, b; /* cards and rates of two cases that cannot be compared */
    size_t id;           /* id of the case with the negative cost */
} wsk_sweep_ruling;
/* True if the cases of the sweep may have unlike cards, and a goal counts their work in GPU-hours or in its own units.
 * wsk_sweep_rule_cards then tells whether the work is comparable. */
bool wsk_sweep_asks_cards(const wsk_sweep *s, const wsk_question *q);
/* Sets *r if the goals cannot compare the cases with these ids. */
void wsk_sweep_rule_cards(const wsk_sweep *s, const wsk_question *q, const size_t *ids, size_t count,
                          wsk_sweep_ruling *r);
/* Sets *r if the goal has this value in the case `id` and less work makes it better. */
void wsk_sweep_rule_cost(const wsk_goal *goal, double value, size_t id, wsk_sweep_ruling *r);
void wsk_sweep_tell_ruling(FILE *out, const wsk_sweep_ruling *r);
/* Name of the outcome in the output of --json; NULL for WSK_SWEEP_RANKED. */
const char *wsk_sweep_outcome_code(wsk_sweep_outcome outcome);

#endif
