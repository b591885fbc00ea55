/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each card, or group of cards, works independently of the others, all the time or with a constant partial load.
 * Theory: docs/theory/workload.md */
#include <math.h>

#include "sim/net/workload_table.h"

static const wsk_param params[] = {WSK_WORKLOAD_ROWS("training"), WSK_WORKLOAD_LOAD, {.name = NULL}};

static void find_activity(const wsk_workload_params *w, const wsk_moment *now, wsk_activity *out)
{
    (void)now;
    *out = (wsk_activity){.phase = w->load > 0 ? WSK_PHASE_RUN : WSK_PHASE_IDLE,
                          .until_ns = INT64_MAX,
                          .name = "step",
                          .load = w->load,
                          .power_w = NAN};
}

static void find_repeat(const wsk_workload_params *w, const wsk_moment *now, const wsk_activity *last,
                        wsk_repeat *out)
{
    (void)w;
    (void)now;
    (void)last;
    (void)out;
}

static const wsk_workload_ops ops = {.synchronous = false, .at = find_activity, .repeats = find_repeat};
const wsk_kind wsk_workload_constant = {.element = "workload",
                                        .name = "constant",
                                        .is_default = false,
                                        .help = "independent work without pause",
                                        .size = sizeof(wsk_workload_params),
                                        .params = params,
                                        .ops = &ops};
