/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies a rig's plan, so that a study can change values in the copy and compile the rig again. */
#ifndef WSK_PLAN_COPY_H
#define WSK_PLAN_COPY_H
#include "sim/io/plan.h"
#include "sim/net/net.h"

/* Copies a plan into `arena`; NULL: out of memory. The copy points to names and texts of `from`, which must outlive
 * it. */
wsk_plan *wsk_plan_copy(wsk_arena *arena, const wsk_plan *from);
wsk_elem *wsk_plan_gpu(wsk_elem *elem, const char *id);
/* Lets each part of `elem` that fails, and each card that is lost, after the start and before by_s fail at the start,
 * because a steady point includes only those failures. Returns their number. */
int wsk_plan_fail(wsk_elem *elem, double by_s);
/* The earliest of those times that is later than after_s; INFINITY: there is none. */
double wsk_plan_next_failure(const wsk_elem *elem, double after_s);

#endif
