/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/net/load.h"
#include "tests/support/sweep.h"

bool wsk_sweep_mean(const wsk_sweep_card *card, int cls, wsk_sweep *out)
{
    int loads = 0;
    for (int k = 0; k < card->n; k++) {
        const wsk_sweep *s = &card->load[k];
        if (s->use != WSK_SWEEP_FIT || s->cls != cls || (loads && s->n != out->n))
            continue;
        double weight = 1.0 / ++loads;
        if (loads == 1)
            *out = *s;
        for (int r = 0; r < s->n; r++) {
            double base = s->perf[s->ref];
            out->held_w[r] += weight * (s->held_w[r] - out->held_w[r]);
            out->drawn_w[r] += weight * (s->drawn_w[r] - out->drawn_w[r]);
            out->clock_hz[r] += weight * (s->clock_hz[r] - out->clock_hz[r]);
            out->perf[r] =
                loads == 1 ? s->perf[r] / base : out->perf[r] + weight * (s->perf[r] / base - out->perf[r]);
        }
    }
    if (!loads)
        return false;
    snprintf(out->name, sizeof out->name, "mean of loads: %d", loads);
    out->ref = 0;
    for (int r = 1; r < out->n; r++)
        if (fabs(out->perf[r] - 1) <= fabs(out->perf[out->ref] - 1) + 1e-6)
            out->ref = r;
    return true;
}

double wsk_sweep_held(const wsk_sweep_card *card, const wsk_gpu_params *g, const wsk_sweep *s, int row)
{
    const wsk_gpu_ops *ops = wsk_gpu_boost.ops;
    return card->limits ? ops->held_w(g, s->limit_w[row]) : s->held_w[row];
}

static double work(const wsk_sweep_card *card, const wsk_gpu_params *g, const wsk_gpu_class *cls, const wsk_sweep *s,
                   int row)
{
    const wsk_gpu_ops *ops = wsk_gpu_boost.ops;
    return ops->perf_rel(cls, wsk_sweep_clock(g, cls, wsk_sweep_held(card, g, s, row)));
}

/* The ratio to the reference row does not depend on the class's reference clock. */
static double relative(const wsk_sweep_card *card, const wsk_gpu_params *g, const wsk_gpu_class *cls,
                       const wsk_sweep *s, int row)
{
    return work(card, g, cls, s, row) / work(card, g, cls, s, s->ref);
}

/* The source LLM-Power-Cap-Expt sums readings times 0.1 s without the time that each reading takes, and so records 0.77
 * of the power (docs/theory/gpu.md, "What was fitted"). */
static double read_w(const wsk_sweep_card *card, const wsk_sweep *s)
{
    return s->drawn_w[s->ref] / (strstr(card->source, "LLM-Power-Cap-Expt") ? 0.77 : 1);
}

static void know(const wsk_sweep_card *card, const wsk_sweep *s, wsk_sweep_known known, double kernels, double bits,
                 wsk_gpu_params *g, wsk_gpu_class *cls)
{
    static wsk_elem bare = {.kind = &wsk_gpu_boost};
    wsk_load load = wsk_load_of(NULL, 1, false);
    load.together = 1;
    load.kernels = kernels;
    load.bits = bits;
    load.measured_w = known == WSK_SWEEP_KNOWS_POWER ? read_w(card, s) : (double)NAN;
    *g = card->gpu;
    g->clock_knee_hz = card->shipped->clock_knee_hz;
    g->voltage_slope_per_hz = card->shipped->voltage_slope_per_hz;
    if (known == WSK_SWEEP_KNOWS_NOTHING) {
        g->head.elem = &bare;
        /* Knee and slope in the middle of those of the fitted cards. */
        g->clock_knee_hz = 0.75 * g->clock_max_hz;
        g->voltage_slope_per_hz = 0.85 / g->clock_max_hz;
    }
    ((const wsk_gpu_ops *)wsk_gpu_boost.ops)->classify(g, (wsk_class)s->cls, &load, cls);
}

void wsk_sweep_know(const wsk_sweep_card *card, const wsk_sweep *s, wsk_sweep_known known, wsk_gpu_params *g,
                    wsk_gpu_class *cls)
{
    know(card, s, known, NAN, NAN, g, cls);
}

wsk_sweep_error wsk_sweep_shipped(const wsk_sweep_card *card, const wsk_sweep *s, double kernels)
{
    wsk_gpu_params g;
    wsk_gpu_class cls;
    wsk_sweep_error e = {0};
    know(card, s, WSK_SWEEP_KNOWS_CARD, kernels, s->bits, &g, &cls);
    for (int i = 0; i < s->n; i++) {
        double err = 100 * fabs(relative(card, &g, &cls, s, i) / s->perf[i] * s->perf[s->ref] - 1);
        e.mean += err / s->n;
        if (err > e.worst) {
            e.worst = err;
            e.worst_w = s->held_w[i];
        }
    }
    return e;
}

wsk_sweep_cover wsk_sweep_predicted(const wsk_sweep_card *card, const wsk_sweep *s, wsk_sweep_known known)
{
    wsk_gpu_params g;
    wsk_gpu_class cls;
    wsk_sweep_cover c = {0};
    wsk_sweep_know(card, s, known, &g, &cls);
    for (int i = 0; i < s->n; i++) {
        if (i == s->ref || s->held_w[i] < 0.98 * card->gpu.limit_min_w)
            continue;
        const double err = fabs(s->perf[i] / s->perf[s->ref] / relative(card, &g, &cls, s, i) - 1),
                     share = wsk_sweep_held(card, &g, s, i) / wsk_sweep_held(card, &g, s, s->ref),
                     spread = wsk_gpu_work_spread(&cls, share), least = wsk_gpu_work_spread(&cls, 1);
        c.ratio[c.rows++] = spread > 1.2 * least ? fmax(err - least, 0) / (spread - least) : (double)NAN;
        c.inside += err <= spread;
        c.worst = fmax(c.worst, 100 * err);
        c.error += err;
        c.spread += spread;
    }
    c.error *= c.rows ? 100.0 / c.rows : 0;
    c.spread *= c.rows ? 100.0 / c.rows : 0;
    return c;
}
