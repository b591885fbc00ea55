/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files replay*.c, which repeat measurements in the model: runs with power and fan speed pinned to
 * measured values, and the times at which the processor's load switches. */
#ifndef WSK_TESTS_REPLAY_RUN_H
#define WSK_TESTS_REPLAY_RUN_H
#include "wattsink.h"

/* Times of a replay, s. The processor's load in the rigs under tests/validate/rigs switches on at 0 and again at 4
 * h, for one hour each. So a settled state under load is read at the end of the first hour (WSK_HOUR_S), and a
 * trace that begins with 300 s of idling starts 300 s before 4 h (WSK_LEAD_IN_S). */
enum { WSK_LEAD_IN_S = 14100, WSK_IDLE_S = 300, WSK_HOUR_S = 3600 };

double wsk_replay_round(double rpm);
/* Starts a run of one day with power and fan speed of the first card pinned. fan_rpm NAN: the fan is as in the rig. */
wsk_run *wsk_replay_begin(const wsk_rig *rig, double room_c, double power_w, double fan_rpm);
double wsk_replay_get(const wsk_run *run, const char *name); /* NAN: no such variable */

#endif
