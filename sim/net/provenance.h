/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which values a rig leans on: each value of each distinct part once, and of the classes of work only the one
 * that is run. */
#ifndef WSK_PROVENANCE_H
#define WSK_PROVENANCE_H
#include "sim/net/kind.h"

typedef void wsk_value_fn(void *ctx, const wsk_elem *elem, const wsk_param *param, const wsk_origin *origin);
/* cls: the class of work that is run, as <class name=""> counts it. */
void wsk_each_value(const wsk_elem *rig, int cls, wsk_value_fn *fn, void *ctx);
int wsk_count_assumed(const wsk_elem *rig, int cls);

#endif
