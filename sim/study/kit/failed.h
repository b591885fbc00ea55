/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The failed parts of a rig, with their names for messages. */
#ifndef WSK_STUDY_FAILED_H
#define WSK_STUDY_FAILED_H
#include "sim/control/run.h"
#include "sim/say/say.h"

typedef struct {
    const wsk_said *what; /* its name, such as "psu0" or "2 of the 3 fans of fan0" */
    int64_t fails_ns;     /* time of its failure in the rig; -1: it failed by command */
    bool card, circuit;
} wsk_failed;

/* The parts that have failed in the run; run NULL: the parts that fail within the run that the rig plans. *n: their
 * number. NULL: out of memory. */
const wsk_failed *wsk_failed_parts(wsk_arena *arena, const wsk_net *net, const wsk_run *run, size_t *n);

#endif
