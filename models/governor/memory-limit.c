/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Governor for memory temperature: lowers the core clock while memory is above its throttle temperature, as firmware
 * does for GDDR6X and HBM. It does not act on a card for which no memory limit is given. Theory and sources:
 * docs/theory/governor.md, "Governor: memory-limit" */
#include <math.h>

#include "sim/net/governor_table.h"

#define P wsk_governor_params
static const wsk_param params[] = {
    WSK_GOVERNOR_LOOP_ROWS,
    WSK_CHO(P, overruns, "overruns", wsk_yes_names, "no", 0,
            "yes: a bin a decision until the memory is below its limit, though it cools already"),
    {.name = NULL}};

static void next(const P *g, const wsk_gpu_params *gpu, wsk_governor_state *s, const wsk_governor_input *in)
{
    if (gpu->memory_limit_k > 0)
        wsk_governor_step(g, gpu, s, in->memory_k - gpu->memory_limit_k, in);
}

static wsk_governor_rest rest(const P *g, const wsk_gpu_params *gpu, const wsk_governor_state *s,
                              const wsk_governor_input *in)
{
    return wsk_governor_band_rest(g, gpu, s, gpu->memory_limit_k > 0 ? in->memory_k - gpu->memory_limit_k : -INFINITY,
                                  in);
}

static const wsk_governor_ops ops = {
    .next = next, .rest = rest, .reason = "sw_thermal_slowdown", .cause = WSK_REASON_MEMORY};
const wsk_kind wsk_governor_memory_limit = {.element = "governor",
                                            .name = "memory-limit",
                                            .is_default = false,
                                            .help = "lowers the clock while the memory is too hot",
                                            .size = sizeof(P),
                                            .params = params,
                                            .ops = &ops};
