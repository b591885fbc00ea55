/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often a training job that may fail should save its state. */
#ifndef WSK_CHECKPOINTS_H
#define WSK_CHECKPOINTS_H
#include "sim/base/said.h"
#include "sim/control/run.h"

/* True if a save takes over a quarter of the time between failures, so that no checkpoints help. */
bool wsk_checkpoints_vain(const wsk_workload_params *job);
/* The best time between checkpoints, sqrt(2 x time of a save x mean time between failures) (Young 1974,
 * docs/theory/workload.md), rounded for a message, s. NAN: it is unknown, checkpoints do not help, or the present time
 * is within a factor of 2 of it. */
double wsk_checkpoint_s(const wsk_workload_params *job);
/* Message on the best time between checkpoints and the work that it would save in the run. NULL: checkpoints save no
 * noticeable work, or out of memory. */
const wsk_said *wsk_advise_checkpoints(wsk_arena *arena, const wsk_run *run);

#endif
