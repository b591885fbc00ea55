/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of replay share. */
#ifndef WSK_TESTS_REPLAY_RUN_H
#define WSK_TESTS_REPLAY_RUN_H
#include "wattsink.h"

/* The lead-in and the load of the rigs under tests/validate/rigs go together: there the processor's load switches on
 * at 0 and again at 4 h for an hour: settled means the end of the first hour, and a trace with idle minutes begins
 * 300 s before 4 h. */
enum { WSK_LEAD_IN_S = 14100, WSK_IDLE_S = 300, WSK_HOUR_S = 3600 };

double wsk_replay_round(double rpm);
/* A run of a day with the first card pinned; NULL on failure. fan_rpm NAN: as in the rig. */
wsk_run *wsk_replay_begin(const wsk_rig *rig, double room_c, double power_w, double fan_rpm);
double wsk_replay_get(const wsk_run *run, const char *name); /* NAN: no such variable */

#endif
