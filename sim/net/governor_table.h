/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The temperature control loop of a GPU's firmware, and functions that the governors share. */
#ifndef WSK_GOVERNOR_TABLE_H
#define WSK_GOVERNOR_TABLE_H
#include <math.h>

#include "sim/net/governor.h"

#define WSK_GOVERNOR_LOOP_ROWS \
    WSK_ASSUME(wsk_governor_params, period_s, "period", WSK_DIM_TIME, "1 s", 0.01, 600, 0, \
               "time between two decisions", "traces at 1 Hz show a step a second at most"), \
        WSK_ASSUME(wsk_governor_params, hysteresis_k, "hysteresis", WSK_DIM_TEMP_DIFF, "1 K", 0, 50, 0, \
                   "how far it must cool before the clock may rise", "clocks rest within 1-2 K in the traces"), \
        WSK_ASSUME(wsk_governor_params, dwell_s, "dwell", WSK_DIM_TIME, "5 s", 0, 3600, 0, \
                   "least time between lowering and raising the clock", "no hunting seen above 0.2 Hz")

static inline double wsk_governor_top_hz(const wsk_gpu_params *gpu)
{
    return gpu->clock_max_hz + (gpu->clock_offset_hz > 0 ? gpu->clock_offset_hz : 0);
}

/* True while another governor holds the clock more than one step below this governor's cap. The cap then must not
 * rise: it would rise without effect, and the clock would jump up to it when the other governor lets go. */
static inline bool wsk_governor_waits(const wsk_gpu_params *gpu, const wsk_governor_state *s,
                                      const wsk_governor_input *in)
{
    return in->lowest_hz > 0 && s->cap_hz > in->lowest_hz + gpu->clock_step_hz;
}

static inline bool wsk_governor_release(const wsk_gpu_params *gpu, wsk_governor_state *s,
                                        const wsk_governor_input *in)
{
    double top = wsk_governor_top_hz(gpu), next = s->cap_hz + gpu->clock_step_hz;
    if (s->cap_hz >= top || wsk_governor_waits(gpu, s, in))
        return false;
    s->cap_hz = next < top ? next : top;
    return true;
}

/* Change of the watched temperature since the last decision, K; 0 at the first decision. over: excess of that
 * temperature over its limit, K, which is stored in last_k with 1000 K added. */
static inline double wsk_governor_rise_k(wsk_governor_state *s, double over)
{
    double watched = over + 1000, rise = s->last_k > 0 ? watched - s->last_k : 0;
    s->last_k = watched;
    return rise;
}

/* Rest (range of temperatures over which the cap certainly stays unchanged) of a governor that acts only at its
 * temperature limit: the cap stays at the highest clock until the temperature has risen to the limit. The rest is 0 K
 * if the cap is lower already, or the temperature is at the limit. over: K above the limit; negative: below it. */
static inline wsk_governor_rest wsk_governor_free_rest(const wsk_gpu_params *gpu, const wsk_governor_state *s,
                                                       double over)
{
    bool rests = s->cap_hz >= wsk_governor_top_hz(gpu) && over < 0;
    return (wsk_governor_rest){rests ? -over : 0, INFINITY, INFINITY};
}

/* Rest, as in wsk_governor_free_rest, of a governor whose cap may be below the highest clock. Below its limit a
 * lowered cap stays unchanged while wsk_governor_waits holds, or the temperature is within the hysteresis of the
 * limit, or hold_s has not passed. */
static inline wsk_governor_rest wsk_governor_band_rest(const wsk_governor_params *g, const wsk_gpu_params *gpu,
                                                       const wsk_governor_state *s, double over,
                                                       const wsk_governor_input *in)
{
    wsk_governor_rest r = wsk_governor_free_rest(gpu, s, over);
    if (s->cap_hz >= wsk_governor_top_hz(gpu) || !(over < 0))
        return r;
    if (wsk_governor_waits(gpu, s, in))
        return (wsk_governor_rest){-over, INFINITY, INFINITY};
    if (over >= -g->hysteresis_k)
        return (wsk_governor_rest){-over, over + g->hysteresis_k, INFINITY};
    return (wsk_governor_rest){s->hold_s > 0 ? -over : 0, INFINITY, s->hold_s};
}

/* One decision of a governor. over: K above its limit. Above the limit the new cap is one clock step below the old
 * cap or the present clock, whichever is lower, or two steps if more than 2 K above; at least the lowest clock. The
 * cap does not fall if the temperature is less than 2 K above the limit and already falls. With `overruns` the cap
 * falls by one step at each decision above the limit. Further below the limit than the hysteresis, and after the
 * dwell time, the cap rises one step if the temperature does not rise and wsk_governor_waits is false. */
static inline void wsk_governor_step(const wsk_governor_params *g, const wsk_gpu_params *gpu, wsk_governor_state *s,
                                     double over, const wsk_governor_input *in)
{
    double rise = wsk_governor_rise_k(s, over);
    s->hold_s -= in->elapsed_s;
    if (over > 0) {
        if (rise < -0.02 && over < 2 && !g->overruns)
            return; /* already cooling: the last step is still taking effect */
        double from = s->cap_hz < in->clock_hz ? s->cap_hz : in->clock_hz;
        s->cap_hz = from - gpu->clock_step_hz * (over > 2 && !g->overruns ? 2 : 1);
        if (s->cap_hz < gpu->clock_min_hz)
            s->cap_hz = gpu->clock_min_hz;
        s->hold_s = g->dwell_s;
    } else if (over < -g->hysteresis_k && rise < 0.02 && s->hold_s <= 0 && wsk_governor_release(gpu, s, in)) {
        s->hold_s = g->dwell_s;
    }
}

#endif
