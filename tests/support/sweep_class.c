/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A card that nobody has measured, from its class: middle and spread. docs/theory/gpu.md gives the same numbers. */
#include <math.h>

#include "tests/support/sweep.h"

enum { SHIFTS = 5 };
/* One sd of P0 and draw (shares of the default limit), a, knee (of the highest clock), slope (times the highest clock). */
static const double sd[WSK_CLASS_COUNT][SHIFTS] = {
    [WSK_CLASS_BURN] = {0.20, 0.50, 0.10, 0.10, 0.40},       [WSK_CLASS_TRAINING] = {0.10, 0.30, 0.12, 0.10, 0.40},
    [WSK_CLASS_PREFILL] = {0.10, 0.30, 0.12, 0.10, 0.40},    [WSK_CLASS_DECODE] = {0.10, 0.30, 0.15, 0.10, 0.40},
    [WSK_CLASS_MOE_DECODE] = {0.10, 0.30, 0.15, 0.10, 0.40}, [WSK_CLASS_STREAM] = {0.12, 0.30, 0.50, 0.10, 0.40}};

/* The class on a card without a fit, moved by `by` sd along one axis. */
static double work_at(const wsk_sweep_card *card, const wsk_sweep *s, double drawn_w, int axis, double by)
{
    const wsk_gpu_ops *ops = wsk_gpu_boost.ops;
    wsk_elem bare = {.kind = &wsk_gpu_boost};
    wsk_gpu_params g = card->gpu;
    wsk_gpu_class cls;
    double move[SHIFTS] = {0};
    move[axis] = by * sd[s->cls][axis];
    g.head.elem = &bare;
    g.clock_knee_hz = fmin(0.75 + move[3], 0.95) * g.clock_max_hz;
    g.voltage_slope_per_hz = (0.85 + move[4]) / g.clock_max_hz;
    ops->classify(&g, (wsk_class)s->cls, NULL, &cls);
    double p0 = fmax(cls.p0_w + move[0] * g.tdp_w, 0.02 * g.tdp_w),
           top = ops->power_w(&g, &cls, g.clock_max_hz, g.leakage_temp_k, NULL),
           draw = fmax(top + move[1] * g.tdp_w, 1.2 * p0);
    cls.c_w_hz *= (draw - p0) / (top - cls.p0_w);
    cls.p0_w = p0;
    cls.clock_share = fmin(fmax(cls.clock_share + move[2], 0.02), 1);
    wsk_sweep_refer(&g, &cls, s);
    return ops->perf_rel(&cls, wsk_sweep_clock(&g, &cls, drawn_w));
}

double wsk_sweep_unknown(const wsk_sweep_card *card, const wsk_sweep *s, double drawn_w, double *spread)
{
    double middle = work_at(card, s, drawn_w, 0, 0), square = 0.01 * 0.01; /* runs repeat within 1 % */
    for (int axis = 0; axis < SHIFTS; axis++) {
        double up = fabs(work_at(card, s, drawn_w, axis, 1) - middle),
               down = fabs(work_at(card, s, drawn_w, axis, -1) - middle), most = fmax(up, down);
        square += most * most;
    }
    *spread = sqrt(square);
    return middle;
}
