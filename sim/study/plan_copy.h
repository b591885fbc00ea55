/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A copy of a rig's plan whose values a study may move, to compile the rig again with them. */
#ifndef WSK_PLAN_COPY_H
#define WSK_PLAN_COPY_H
#include "sim/io/plan.h"
#include "sim/net/net.h"

/* In `arena`; NULL: out of memory. Names and texts stay those of `from`, which must outlive the copy. */
wsk_plan *wsk_plan_copy(wsk_arena *arena, const wsk_plan *from);
/* The <gpu> with this id below (or at) an element; NULL: none. */
wsk_elem *wsk_plan_gpu(wsk_elem *elem, const char *id);

#endif
