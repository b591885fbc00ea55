/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rig itself, and when and for how long it runs. All values SI; NAN means "not given". */
#ifndef WSK_RIG_H
#define WSK_RIG_H
#include "sim/net/kind.h"

typedef struct {
    wsk_params head;
    double from_s; /* civil seconds; NAN: midnight of no particular day */
    const char *zone;
    double for_s, step_s, seed;
    int start; /* 0 ambient, 1 steady */
} wsk_runspec_params;
typedef struct {
    wsk_params head;
    const char *name;
} wsk_rig_params;

#endif
