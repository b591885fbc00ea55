/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_TESTS_REPLAY_RUN_H
#define WSK_TESTS_REPLAY_RUN_H
#include "wattsink.h"

/* Times of a replay, s. In the rigs under tests/validate/rigs the processor is loaded for one hour from 0 and for one
 * hour from 4 h. A settled state under load is therefore taken at the end of the first hour (WSK_HOUR_S), and a trace
 * that begins with 300 s of idling starts 300 s before 4 h (WSK_LEAD_IN_S). */
enum { WSK_LEAD_IN_S = 14100, WSK_IDLE_S = 300, WSK_HOUR_S = 3600 };

double wsk_replay_round(double rpm);
/* Starts a run of one day with power and fan speed of the first card pinned. fan_rpm NAN: the rig's own fan control
 * runs the fan. */
wsk_run *wsk_replay_begin(const wsk_rig *rig, double room_c, double power_w, double fan_rpm);
double wsk_replay_get(const wsk_run *run, const char *name); /* NAN: no such variable */

#endif
