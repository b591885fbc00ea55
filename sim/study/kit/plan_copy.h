/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies a rig's plan, so that a study can change values in the copy and compile the rig again. Also in this folder:
 * side_by_side.c runs work in threads, verdict.h and change.c state what a change of a rig does, failed.c lists failed
 * parts, checkpoints.c says how often a job should save its state. Begin with this header. */
#ifndef WSK_PLAN_COPY_H
#define WSK_PLAN_COPY_H
#include "sim/io/plan.h"
#include "sim/control/run.h"
#include "sim/net/net.h"

/* Copies a plan into `arena`; NULL: out of memory. The copy points to names and texts of `from`, which must outlive
 * it. */
wsk_plan *wsk_plan_copy(wsk_arena *arena, const wsk_plan *from);
wsk_elem *wsk_plan_gpu(wsk_elem *elem, const char *id);
/* Moves each failure of a circuit in the plan of a run to the time at which the battery of its UPS was empty, because
 * until then the machines ran. If the battery was not empty at the end of the run, removes the failure. Returns the
 * number of failures moved or removed. */
int wsk_plan_bridge(wsk_elem *elem, const wsk_run *run);
/* Moves to time 0 each failure of a part of `elem`, and each loss of a card, that is planned between time 0 and by_s,
 * because a steady point includes only failures at time 0. Returns the number of failures moved. */
int wsk_plan_fail(wsk_elem *elem, double by_s);
/* Sets the dust at the start of a run to the dust by_s after it, s. Returns the number of cases in which that is a step
 * of dust (half a percent) more. */
int wsk_plan_gather_dust(wsk_elem *rig, double by_s);
/* The earliest planned failure or loss of a card after after_s, s; INFINITY: there is none. */
double wsk_plan_next_failure(const wsk_elem *elem, double after_s);

#endif
