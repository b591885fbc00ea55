/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synchronous training: the slowest card sets the pace; every checkpoint-every the cards wait while the
 * state is written. Theory: docs/theory/workload.md */
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
    WSK_NUM(P, checkpoint_every_s, "checkpoint-every", WSK_DIM_TIME, NULL, 1, 3.2e9, 0,
            "work between two checkpoints; none when absent"),
    WSK_NUM(P, checkpoint_takes_s, "checkpoint-takes", WSK_DIM_TIME, "60 s", 0, 1e7, 0, "time a checkpoint takes"),
    {.name = NULL}};

static void at(const wsk_workload_params *w, int64_t t_ns, wsk_activity *out)
{
    *out = (wsk_activity){.phase = WSK_PHASE_RUN, .until_ns = INT64_MAX, .name = "step"};
    if (!(w->checkpoint_every_s > 0) || !(w->checkpoint_takes_s > 0))
        return;
    int64_t work = (int64_t)(w->checkpoint_every_s * 1e9), save = (int64_t)(w->checkpoint_takes_s * 1e9);
    int64_t in = t_ns % (work + save), start = t_ns - in;
    if (in < work) {
        out->until_ns = start + work;
    } else {
        *out = (wsk_activity){.phase = WSK_PHASE_WAIT, .until_ns = start + work + save, .name = "checkpoint"};
    }
}

static const wsk_workload_ops ops = {.synchronous = true, .at = at};
const wsk_kind wsk_workload_training = {.element = "workload",
                                        .name = "training",
                                        .is_default = true,
                                        .help = "synchronous training on several cards",
                                        .size = sizeof(P),
                                        .params = params,
                                        .ops = &ops};
