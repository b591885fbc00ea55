/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several runs of one structure, advanced together in the lanes of vectors (lanes.c). */
#ifndef WSK_LANES_H
#define WSK_LANES_H
#include "sim/control/run.h"

#define WSK_LANES 8

typedef struct wsk_lanes wsk_lanes;
/* True if both runs take the same step on the same structure, so that only numbers differ. False for runs that
 * leap. */
bool wsk_lanes_alike(const wsk_run *a, const wsk_run *b);
/* Makes a group of 1 to WSK_LANES alike runs at the same time. The caller owns the runs, which must outlive the
 * group. NULL: out of memory. */
wsk_lanes *wsk_lanes_new(wsk_run *const *runs, int n);
void wsk_lanes_free(wsk_lanes *lanes);
/* Takes one step for the lanes with a bit in `who`, with the result of wsk_step. Returns the bits of lanes that took
 * it; others differ in structure now because a stream reversed. */
unsigned wsk_lanes_step(wsk_lanes *lanes, unsigned who);

#endif
