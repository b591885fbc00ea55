/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the machine's base load and the efficiency level of its PSUs to power measured at the wall, and finds the
 * offset between the meter's and the log's clock. Method: docs/theory/calibration.md, "The wall". */
#ifndef WSK_WALL_H
#define WSK_WALL_H
#include "sim/net/net.h"
#include "sim/study/calibrate/thermal.h"

const wsk_said *wsk_wall_refuses(const wsk_net *net);
/* Fits the machine to the wall meter's samples. dc_w: output of each PSU in each bin of the log, as in
 * wsk_thermal.dc_w, W. after_s: start of the meter's samples after that of the log, s, according to their clocks;
 * NAN: unknown. held_s: minutes from this time of the log on are held out of the fit from which the errors in *out
 * are computed; the final fit uses all minutes. WSK_EUSAGE: out->refused says why. */
wsk_status wsk_wall_fit_all(const wsk_net *net, wsk_arena *arena, const wsk_thermal_log *log, const double *dc_w,
                            const wsk_readings *wall, double after_s, double held_s, wsk_wall_fit *out);

#endif
