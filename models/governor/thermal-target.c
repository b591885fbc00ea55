/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Governor for GPU temperature: lowers the clock while the die is above its target or the hot spot above its limit.
 * Theory and sources: docs/theory/governor.md, "Governor: thermal-target" */
#include "sim/net/governor_table.h"

#define P wsk_governor_params
static const wsk_param params[] = {WSK_GOVERNOR_LOOP_ROWS, {.name = NULL}};

static double over_k(const wsk_gpu_params *gpu, const wsk_governor_input *in)
{
    double over = in->die_k - gpu->target_k, spot = in->hotspot_k - gpu->hotspot_limit_k;
    return spot > over ? spot : over;
}

static void next(const wsk_governor_params *g, const wsk_gpu_params *gpu, wsk_governor_state *s,
                 const wsk_governor_input *in)
{
    wsk_governor_step(g, gpu, s, over_k(gpu, in), in);
}

static wsk_governor_rest rest(const wsk_governor_params *g, const wsk_gpu_params *gpu, const wsk_governor_state *s,
                              const wsk_governor_input *in)
{
    return wsk_governor_band_rest(g, gpu, s, over_k(gpu, in), in);
}

static const wsk_governor_ops ops = {
    .next = next, .rest = rest, .reason = "sw_thermal_slowdown", .cause = WSK_REASON_THERMAL};
const wsk_kind wsk_governor_thermal_target = {.element = "governor",
                                              .name = "thermal-target",
                                              .is_default = true,
                                              .help = "lowers the clock at the thermal target",
                                              .size = sizeof(P),
                                              .params = params,
                                              .ops = &ops};
