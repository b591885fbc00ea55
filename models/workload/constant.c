/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each card works on its own, without pause. Theory: docs/theory/workload.md */
#include "sim/net/roles.h"

#define P wsk_workload_params
static const wsk_param params[] = {
    WSK_CHO(P, cls, "class", wsk_class_names, "training", 0,
            "class of work: its power and how far the core clock binds it"),
    WSK_TXT(P, gpus, "gpus", "all", 0, "cards that work: all, or ids separated by spaces"),
    WSK_NUM(P, clock_share, "clock-share", WSK_DIM_FRACTION, NULL, 0, 1, 0,
            "overrides the class: share bound by the core clock"),
    WSK_NUM(P, p0_w, "p0", WSK_DIM_POWER, NULL, 0, 1e5, 0, "overrides the class: intercept of board power"),
    WSK_NUM(P, c_w_hz, "c", WSK_DIM_POWER_PER_FREQ, NULL, 0, 1, 0, "overrides the class: dynamic power per clock"),
    {.name = NULL}};

static void at(const wsk_workload_params *w, int64_t t_ns, wsk_activity *out)
{
    (void)w;
    (void)t_ns;
    *out = (wsk_activity){.phase = WSK_PHASE_RUN, .until_ns = INT64_MAX, .name = "step"};
}

static const wsk_workload_ops ops = {.synchronous = false, .at = at};
const wsk_kind wsk_workload_constant = {.element = "workload",
                                        .name = "constant",
                                        .is_default = false,
                                        .help = "independent work without pause",
                                        .size = sizeof(P),
                                        .params = params,
                                        .ops = &ops};
