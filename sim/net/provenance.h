/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks the values that a rig uses: each value of each different part once, and only the class of work that is
 * run. */
#ifndef WSK_PROVENANCE_H
#define WSK_PROVENANCE_H
#include "sim/net/kind.h"

typedef void wsk_value_fn(void *ctx, const wsk_elem *elem, const wsk_param *param, const wsk_origin *origin);
/* cls: the class of work that is run, numbered as wsk_class_params.name. */
void wsk_each_value(const wsk_elem *rig, int cls, wsk_value_fn *fn, void *ctx);
/* Number of assumed values in use. */
int wsk_count_assumed(const wsk_elem *rig, int cls);

#endif
