/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several runs of one structure, advanced together in the lanes of vectors (lanes.c). */
#ifndef WSK_LANES_H
#define WSK_LANES_H
#include "sim/control/run.h"

#define WSK_LANES 8

typedef struct wsk_lanes wsk_lanes;
/* Whether both take the same step on the same structure: then only numbers differ. Runs that leap never do. */
bool wsk_lanes_alike(const wsk_run *a, const wsk_run *b);
/* A group of 1 to WSK_LANES runs that are alike, all at the same time, which belong to the caller and outlive it; NULL:
 * out of memory. */
wsk_lanes *wsk_lanes_new(wsk_run *const *runs, int n);
void wsk_lanes_free(wsk_lanes *lanes);
/* One step of a tick for the lanes whose bit is set in `who`: run->t and run->mean_t from run->heat, as wsk_step gives
 * them; the bits of those that it took (others go against the structure now, by a stream that turned round). */
unsigned wsk_lanes_step(wsk_lanes *lanes, unsigned who);

#endif
