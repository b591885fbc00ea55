/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A group of runs whose networks have the same structure: their time steps are taken together, one run in each lane
 * of the processor's vectors (lanes.c). */
#ifndef WSK_LANES_H
#define WSK_LANES_H
#include "sim/control/run.h"

#define WSK_LANES 8 /* largest number of runs in a group */

typedef struct wsk_lanes wsk_lanes;
/* True if both runs are at the same time, take the same steps and have networks of the same structure, so that only
 * numbers differ. False for runs with leaps or the reference stepper, and for searches of a steady point. */
bool wsk_lanes_alike(const wsk_run *a, const wsk_run *b);
/* Makes a group of 1 to WSK_LANES runs, which must be alike (wsk_lanes_alike). The caller owns the runs, which must
 * outlive the group. NULL: out of memory. */
wsk_lanes *wsk_lanes_new(wsk_run *const *runs, int n);
void wsk_lanes_free(wsk_lanes *lanes);
/* Takes one step for the runs with a bit in `who`, with the same result as wsk_step. Returns the bits of the runs that
 * took the step. The other runs now differ in structure because a stream reversed, or their flows have no solution. */
unsigned wsk_lanes_step(wsk_lanes *lanes, unsigned who);

#endif
