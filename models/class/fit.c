/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power of one class of work (such as training or decode) on one card, and how far the core clock bounds that work;
 * the formula stands in models/gpu/boost.c. Theory and fits: docs/theory/gpu.md, "Class: fit" */
#include "sim/net/class.h"

#define P wsk_class_params
static const wsk_param params[] = {
    WSK_CHO(P, name, "name", wsk_class_names, NULL, WSK_REQUIRED, "class of work"),
    WSK_NUM(P, p0_w, "p0", WSK_DIM_POWER, NULL, 0, 1e5, WSK_REQUIRED, "intercept of board power"),
    WSK_NUM(P, c_w_hz, "c", WSK_DIM_POWER_PER_FREQ, NULL, 0, 1, WSK_REQUIRED,
            "dynamic power per clock at the floor voltage"),
    WSK_NUM(P, clock_share, "clock-share", WSK_DIM_FRACTION, NULL, 0, 1, WSK_REQUIRED,
            "share of the work bound by the core clock"),
    WSK_NUM(P, traffic_w, "traffic-power", WSK_DIM_POWER, "0 W", 0, 1e4, 0,
            "power of the memory's traffic at the reference: it follows the work, not the core's voltage"),
    WSK_NUM(P, duty, "duty", WSK_DIM_FRACTION, "100 %", 0.01, 1, 0,
            "share of the time that kernels run, at the reference; no core clock changes the rest"),
    WSK_CHO(
        P, long_pauses, "long-pauses", wsk_yes_names, "no", 0,
        "yes: the time outside duty is long pauses; a power limit then holds the power between them, not the mean"),
    WSK_NUM(P, kernels, "kernel-share", WSK_DIM_FRACTION, NULL, 0.01, 1, 0,
            "decode: share of a step in which kernels ran in the loads of the fit, for workloads that name a model"),
    WSK_NUM(P, limit_share, "limit-share", WSK_DIM_FRACTION, "100 %", 0.05, 1, 0,
            "mean power over the limit while that binds, the same share at each limit; below 100 % if a meter misses "
            "time"),
    {.name = NULL}};
const wsk_kind wsk_class_fit = {.element = "class",
                                .name = "fit",
                                .is_default = true,
                                .help = "power and speed of a class of work on a card",
                                .size = sizeof(P),
                                .params = params};
