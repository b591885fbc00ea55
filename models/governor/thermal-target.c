/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thermal target: above the target the clock goes down a bin a period, two when 2 K over; below target minus
 * hysteresis it comes back bin by bin.
 * Theory: docs/theory/governor.md. Source: physics.md section 3. */
#include "sim/net/roles.h"

#define P wsk_governor_params
static const wsk_param params[] = {
    WSK_ASSUME(P, period_s, "period", WSK_DIM_TIME, "1 s", 0.01, 600, 0, "time between two decisions",
               "traces at 1 Hz show a step a second at most"),
    WSK_ASSUME(P, hysteresis_k, "hysteresis", WSK_DIM_TEMP_DIFF, "1 K", 0, 50, 0,
               "how far the die must fall before the clock may rise", "clocks rest within 1-2 K in the traces"),
    WSK_ASSUME(P, dwell_s, "dwell", WSK_DIM_TIME, "5 s", 0, 3600, 0,
               "least time between lowering and raising the clock", "no hunting seen above 0.2 Hz"),
    {.name = NULL}};

static void next(const wsk_governor_params *g, const wsk_gpu_params *gpu, wsk_governor_state *s, double die_k,
                 double clock_hz, double elapsed_s)
{
    double rise = s->last_k > 0 ? die_k - s->last_k : 0;
    s->last_k = die_k;
    s->hold_s -= elapsed_s;
    if (die_k > gpu->target_k) {
        if (rise < -0.02 && die_k < gpu->target_k + 2)
            return; /* already cooling: the last step is still at work */
        double from = s->cap_hz < clock_hz ? s->cap_hz : clock_hz;
        s->cap_hz = from - gpu->clock_step_hz * (die_k > gpu->target_k + 2 ? 2 : 1);
        if (s->cap_hz < gpu->clock_min_hz)
            s->cap_hz = gpu->clock_min_hz;
        s->hold_s = g->dwell_s;
    } else if (die_k < gpu->target_k - g->hysteresis_k && rise < 0.02 && s->hold_s <= 0 &&
               s->cap_hz < gpu->clock_max_hz) {
        s->cap_hz += gpu->clock_step_hz;
        if (s->cap_hz > gpu->clock_max_hz)
            s->cap_hz = gpu->clock_max_hz;
        s->hold_s = g->dwell_s;
    }
}

static const wsk_governor_ops ops = {.next = next, .reason = "sw_thermal_slowdown"};
const wsk_kind wsk_governor_thermal_target = {.element = "governor",
                                              .name = "thermal-target",
                                              .is_default = true,
                                              .help = "lowers the clock at the thermal target",
                                              .size = sizeof(P),
                                              .params = params,
                                              .ops = &ops};
