/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The failed parts of a rig, with their names for messages. */
#ifndef WSK_STUDY_FAILED_H
#define WSK_STUDY_FAILED_H
#include "sim/control/run.h"
#include "sim/say/say.h"

typedef struct {
    const wsk_said *what; /* its name, such as "psu0" or "2 of the 3 fans of fan0" */
    int64_t fails_ns;     /* time of its failure; -1: unknown, because it failed by command */
    bool card, circuit;
} wsk_failed;

/* The parts that have failed in the run; run NULL: the parts that by the rig fail before by_s. *n: their number.
 * NULL: out of memory. */
const wsk_failed *wsk_failed_parts(wsk_arena *arena, const wsk_net *net, const wsk_run *run, double by_s, size_t *n);

#endif
