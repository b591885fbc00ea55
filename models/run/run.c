/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The simulated time: start, duration, step. Theory: docs/theory/time.md. */
#include "sim/net/rig.h"

#define P wsk_runspec_params
static const char *const starts[] = {"ambient", "steady", NULL};
static const wsk_param params[] = {
    WSK_DAT(P, from_s, "from", WSK_RIG_ONLY, "local date and time of the start, 2026-08-03T09:00:00"),
    WSK_TXT(P, zone, "zone", NULL, WSK_RIG_ONLY, "IANA time zone of the site, Europe/Berlin"),
    WSK_NUM(P, for_s, "for", WSK_DIM_TIME, "7 d", 1e-3, 3.2e9, WSK_RIG_ONLY, "simulated time"),
    WSK_NUM(P, step_s, "step", WSK_DIM_TIME, "1 s", 0.05, 60, WSK_RIG_ONLY,
            "time step; above 1 s the engine still steps by 1 s, and the series has no shorter intervals"),
    WSK_NUM(P, seed, "seed", WSK_DIM_COUNT, "1", 0, 9e15, WSK_RIG_ONLY, "seed of the random streams"),
    WSK_CHO(P, start, "start", starts, "ambient", WSK_RIG_ONLY,
            "state at the start: everything at ambient, or settled"),
    {.name = NULL}};
const wsk_kind wsk_run_run = {.element = "run",
                              .name = "run",
                              .is_default = true,
                              .help = "start, length and step of the run",
                              .size = sizeof(P),
                              .params = params};
