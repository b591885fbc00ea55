/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of the root element <rig>, and of <run>: start, duration, time step. All values SI; NAN: not given. */
#ifndef WSK_RIG_H
#define WSK_RIG_H
#include "sim/net/kind.h"

typedef struct {
    wsk_params head;
    double from_s; /* start by the local clock, s since 1970; NAN: midnight of an unspecified day */
    const char *zone;
    double for_s, step_s, seed;
    int start; /* initial temperatures: 0 ambient, 1 steady state */
} wsk_runspec_params;
typedef struct {
    wsk_params head;
    const char *name;
} wsk_rig_params;

#endif
