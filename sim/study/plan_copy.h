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

#endif
