/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the machine's base load and the level of its PSUs' efficiency to watts at the wall, and finds how the meter's clock
 * stands to the log's. Method: docs/theory/calibration.md, "The wall". */
#ifndef WSK_WALL_H
#define WSK_WALL_H
#include "sim/net/net.h"
#include "sim/study/thermal.h"

/* Why a meter tells nothing of this rig; NULL: it does. */
const wsk_said *wsk_wall_refuses(const wsk_net *net);
/* dc_w: output of each PSU in each bin of the log, as wsk_thermal has it, W. after_s: the meter's first reading after the
 * log's, s, by their clocks; NAN: unknown. held_s: from this time on nothing is fitted before *out is judged. WSK_EUSAGE:
 * out->refused. */
wsk_status wsk_wall_fit_all(const wsk_net *net, wsk_arena *arena, const wsk_thermal_log *log, const double *dc_w,
                            const wsk_readings *wall, double after_s, double held_s, wsk_wall_fit *out);

#endif
