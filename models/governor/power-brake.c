/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Governor for the power brake: while the chassis pulls PWRBRK#, a signal of the PCI Express slot, and for the time
 * `dwell` afterwards, the card's clock is at most half of that before, but not below its lowest clock. Theory:
 * docs/theory/governor.md. Source: NVML, nvmlClocksEventReasons: "HW Power Brake Slowdown". */
#include "sim/net/chassis.h"
#include <math.h>

#include "sim/net/governor_table.h"

#define P wsk_governor_params
static const wsk_param params[] = {
    WSK_NUM(P, period_s, "period", WSK_DIM_TIME, "0.1 s", 0.01, 600, 0,
            "time between two decisions; a pull acts at once"),
    WSK_ASSUME(P, dwell_s, "dwell", WSK_DIM_TIME, "10 s", 0, 3600, 0,
               "how long the clock stays halved after the brake is let go",
               "as the thermal slowdown; a management processor looks about once a second"),
    {.name = NULL}};

static void next(const P *g, const wsk_gpu_params *gpu, wsk_governor_state *s, const wsk_governor_input *in)
{
    double top = wsk_governor_top_hz(gpu);
    s->hold_s -= in->elapsed_s;
    if (in->brake) {
        if (s->cap_hz >= top)
            s->cap_hz = in->clock_hz / 2 < gpu->clock_min_hz ? gpu->clock_min_hz : in->clock_hz / 2;
        s->hold_s = g->dwell_s;
    } else if (s->hold_s <= 0) {
        s->cap_hz = top;
    }
}

static wsk_governor_rest rest(const P *g, const wsk_gpu_params *gpu, const wsk_governor_state *s,
                              const wsk_governor_input *in)
{
    (void)g;
    if (!in->brake && s->cap_hz < wsk_governor_top_hz(gpu))
        return (wsk_governor_rest){s->hold_s > 0 ? INFINITY : 0, INFINITY, s->hold_s};
    return wsk_governor_free_rest(gpu, s, in->brake ? 0 : -INFINITY);
}

static bool is_unheeded(const wsk_elem *elem, const char *param)
{
    (void)param;
    const wsk_elem *chassis = elem->parent ? elem->parent->parent : NULL;
    return chassis && !((const wsk_chassis_params *)chassis->params)->power_brake;
}

static const wsk_governor_ops ops = {
    .next = next, .rest = rest, .reason = "hw_power_brake_slowdown", .cause = WSK_REASON_BRAKE};
const wsk_kind wsk_governor_power_brake = {.element = "governor",
                                           .name = "power-brake",
                                           .is_default = false,
                                           .help = "halves the clock while the chassis pulls the power brake",
                                           .size = sizeof(P),
                                           .params = params,
                                           .ops = &ops,
                                           .unheeded = is_unheeded};
