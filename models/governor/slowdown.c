/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Governor for hardware slowdown: when the die reaches the slowdown temperature, the clock is halved, again in each
 * period in which the die does not cool, and raised step by step when the die has cooled. Theory and source:
 * docs/theory/governor.md, "Governor: slowdown" */
#include "sim/net/governor_table.h"

#define P wsk_governor_params
static const wsk_param params[] = {
    WSK_ASSUME(P, period_s, "period", WSK_DIM_TIME, "1 s", 0.01, 600, 0, "time between two decisions",
               "as the other governors: the die passes a limit by a kelvin at most within it"),
    WSK_ASSUME(P, hysteresis_k, "hysteresis", WSK_DIM_TEMP_DIFF, "5 K", 0, 50, 0,
               "how far the die must fall before the clock may rise", "clocks rest within 1-2 K in the traces"),
    WSK_ASSUME(P, dwell_s, "dwell", WSK_DIM_TIME, "10 s", 0, 3600, 0,
               "least time between lowering and raising the clock", "no hunting seen above 0.2 Hz"),
    {.name = NULL}};

static void next(const wsk_governor_params *g, const wsk_gpu_params *gpu, wsk_governor_state *s,
                 const wsk_governor_input *in)
{
    const double over = in->die_k - gpu->slowdown_k, rise = wsk_governor_rise_k(s, over);
    s->hold_s -= in->elapsed_s;
    if (over >= 0) {
        if (rise < -0.02 && s->cap_hz < wsk_governor_top_hz(gpu))
            return; /* the last halving is still taking effect */
        double half = (s->cap_hz < in->clock_hz ? s->cap_hz : in->clock_hz) / 2;
        s->cap_hz = half < gpu->clock_min_hz ? gpu->clock_min_hz : half;
        s->hold_s = g->dwell_s;
    } else if (over < -g->hysteresis_k && s->hold_s <= 0) {
        wsk_governor_release(gpu, s, in);
    }
}

static wsk_governor_rest rest(const P *g, const wsk_gpu_params *gpu, const wsk_governor_state *s,
                              const wsk_governor_input *in)
{
    return wsk_governor_band_rest(g, gpu, s, in->die_k - gpu->slowdown_k, in);
}

static const wsk_governor_ops ops = {
    .next = next, .rest = rest, .reason = "hw_thermal_slowdown", .cause = WSK_REASON_HW};
const wsk_kind wsk_governor_slowdown = {.element = "governor",
                                        .name = "slowdown",
                                        .is_default = false,
                                        .help = "halves the clock at the slowdown temperature",
                                        .size = sizeof(P),
                                        .params = params,
                                        .ops = &ops};
