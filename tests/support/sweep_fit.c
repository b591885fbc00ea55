/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deterministic fits of the power model to measured sweeps: Levenberg-Marquardt for the three numbers of a load
 * (P0, c, a), inside a grid and pattern search for the two numbers of the card (knee and slope of the voltage
 * curve). */
#include <math.h>
#include <string.h>

#include "tests/support/sweep.h"

enum { PARAMS = 3, OUTER = 2 };
static const double clock_weight = 0.5, prior_weight = 0.01;
static const double low[PARAMS] = {0.01, 0.02, 0.02}, high[PARAMS] = {0.6, 3, 1};
/* lower bound of P0 as a share of TDP, about the idle draw, where only the mean draw of runs is known */
static const double p0_least = 0.1;
typedef struct {
    const wsk_gpu_params *gpu;
    const wsk_sweep *sweep;
    bool ends;
    const wsk_sweep_prior *prior;
    int n;
    double r[3 * WSK_SWEEP_ROWS + 2];
} fit;

double wsk_sweep_traffic(const wsk_gpu_params *g, const wsk_sweep *s, double a)
{
    static const double share[WSK_CLASS_COUNT] = {[WSK_CLASS_TRAINING] = 0.5,
                                                  [WSK_CLASS_PREFILL] = 0.1,
                                                  [WSK_CLASS_DECODE] = 1,
                                                  [WSK_CLASS_MOE_DECODE] = 0.65,
                                                  [WSK_CLASS_STREAM] = 1};
    return g->memory_w * (s->cls < 0 ? 1 - a * a * a * a : share[s->cls]);
}

/* Class values from the fit's unknowns: u[0] = P0 over TDP, u[1] = c times the highest clock over TDP, u[2] = a. */
static wsk_gpu_class class_of(const fit *f, const double u[PARAMS])
{
    wsk_gpu_class cls = {.p0_w = u[0] * f->gpu->tdp_w,
                         .c_w_hz = u[1] * f->gpu->tdp_w / f->gpu->clock_max_hz,
                         .clock_share = u[2],
                         .traffic_w = wsk_sweep_traffic(f->gpu, f->sweep, u[2])};
    wsk_sweep_refer(f->gpu, &cls, f->sweep);
    return cls;
}

static double residuals(fit *f, const double u[PARAMS])
{
    const wsk_gpu_ops *ops = wsk_gpu_boost.ops;
    const wsk_sweep *s = f->sweep;
    wsk_gpu_class cls = class_of(f, u);
    double sum = 0;
    f->n = 0;
    for (int i = 0; i < s->n; i += f->ends && s->n > 1 ? s->n - 1 : 1) {
        double clock = wsk_sweep_clock(f->gpu, &cls, s->held_w[i]);
        f->r[f->n++] = ops->perf_rel(&cls, clock) / s->perf[i] - 1;
        if (!isnan(s->clock_hz[i]))
            f->r[f->n++] = clock_weight * (clock / s->clock_hz[i] - 1);
        /* the model draws less than the held power where its clock is at the maximum */
        double drawn = ops->power_w(f->gpu, &cls, clock, f->gpu->leakage_temp_k, NULL);
        f->r[f->n++] = clock_weight * (drawn * s->share / s->drawn_w[i] - 1);
    }
    if (f->prior) { /* a deviation of one standard deviation weighs as much as a work error of 1 % */
        f->r[f->n++] = prior_weight * (cls.p0_w / s->held_w[s->n - 1] - f->prior->p0_share) / f->prior->p0_sd;
        f->r[f->n++] = prior_weight * (cls.clock_share - f->prior->clock_share) / f->prior->clock_sd;
    }
    for (int i = 0; i < f->n; i++)
        sum += f->r[i] * f->r[i];
    return sum;
}

/* Solves the 3 by 3 linear system [A|b] in place by Gaussian elimination with pivoting. False: singular. */
static bool solve(double a[PARAMS][PARAMS + 1], double x[PARAMS])
{
    for (int c = 0; c < PARAMS; c++) {
        int p = c;
        for (int r = c + 1; r < PARAMS; r++)
            p = fabs(a[r][c]) > fabs(a[p][c]) ? r : p;
        if (fabs(a[p][c]) < 1e-300)
            return false;
        for (int k = 0; k <= PARAMS; k++) {
            double t = a[c][k];
            a[c][k] = a[p][k];
            a[p][k] = t;
        }
        for (int r = c + 1; r < PARAMS; r++)
            for (int k = PARAMS; k >= c; k--)
                a[r][k] -= a[c][k] * a[r][c] / a[c][c];
    }
    for (int c = PARAMS - 1; c >= 0; c--) {
        x[c] = a[c][PARAMS];
        for (int k = c + 1; k < PARAMS; k++)
            x[c] -= a[c][k] * x[k];
        x[c] /= a[c][c];
    }
    return true;
}

/* Makes one damped Levenberg-Marquardt step from u. True: the cost fell; u and *cost are updated. */
static bool step(fit *f, double u[PARAMS], double *cost, double damping)
{
    double jac[PARAMS][3 * WSK_SWEEP_ROWS + 2], base[3 * WSK_SWEEP_ROWS + 2], a[PARAMS][PARAMS + 1], d[PARAMS],
        v[PARAMS];
    residuals(f, u);
    int n = f->n;
    memcpy(base, f->r, sizeof base);
    for (int p = 0; p < PARAMS; p++) {
        double h = u[p] + 1e-5 < high[p] ? 1e-5 : -1e-5;
        memcpy(v, u, sizeof v);
        v[p] += h;
        residuals(f, v);
        for (int i = 0; i < n; i++)
            jac[p][i] = (f->r[i] - base[i]) / h;
    }
    for (int p = 0; p < PARAMS; p++)
        for (int q = 0; q <= PARAMS; q++) {
            a[p][q] = 0;
            for (int i = 0; i < n; i++)
                a[p][q] += q < PARAMS ? jac[p][i] * jac[q][i] : -jac[p][i] * base[i];
        }
    for (int p = 0; p < PARAMS; p++)
        a[p][p] += damping * (a[p][p] + 1e-6);
    if (!solve(a, d))
        return false;
    for (int p = 0; p < PARAMS; p++)
        v[p] = fmin(fmax(u[p] + d[p], p == 0 && f->sweep->share < 0.97 ? p0_least : low[p]), high[p]);
    double now = residuals(f, v);
    if (!(now < *cost))
        return false;
    *cost = now;
    memcpy(u, v, sizeof v);
    return true;
}

static double descend(fit *f, double u[PARAMS])
{
    double cost = residuals(f, u), damping = 1e-2;
    for (int i = 0; i < 60 && damping < 1e8; i++) {
        double before = cost;
        if (!step(f, u, &cost, damping)) {
            damping *= 8;
            continue;
        }
        damping *= 0.2;
        if (before - cost < 1e-5 * before)
            break;
    }
    return cost;
}

double wsk_sweep_fit_load(const wsk_gpu_params *g, const wsk_sweep *s, bool ends, const wsk_sweep_prior *prior,
                          wsk_gpu_class *out)
{
    static const double start[][2] = {{0.95, 0.4}, {0.7, 0.5}, {0.4, 0.5}, {0.25, 0.9}}; /* start values of a and c */
    fit f = {.gpu = g, .sweep = s, .ends = ends, .prior = prior};
    double best = INFINITY, used = fmin(s->drawn_w[s->n - 1] / s->share / g->tdp_w, 1);
    for (size_t i = 0; i < sizeof start / sizeof start[0]; i++) {
        double u[PARAMS] = {(prior ? prior->p0_share : 0.3) * used, start[i][1] * used, start[i][0]},
               cost = descend(&f, u);
        if (cost < best) {
            best = cost;
            *out = class_of(&f, u);
        }
    }
    return best / s->n;
}

/* Mean square error over the card's loads, plus a weak prior: knee at 0.75 of the maximum clock, slope 0.85 over
 * the maximum clock. One standard deviation of either weighs as much as a work error of 0.3 % in each row. v: knee
 * and slope in those units. */
static double cost_of(wsk_sweep_card *card, int folds, int skip, const double v[OUTER])
{
    double sum = 0, pull;
    int n = 0;
    wsk_gpu_class cls;
    card->gpu.clock_knee_hz = v[0] * card->gpu.clock_max_hz;
    card->gpu.voltage_slope_per_hz = v[1] / card->gpu.clock_max_hz;
    for (int i = 0; i < card->n; i++) {
        if (card->load[i].use != WSK_SWEEP_FIT || (folds && i % folds == skip))
            continue;
        sum += wsk_sweep_fit_load(&card->gpu, &card->load[i], false, NULL, &cls);
        n++;
    }
    pull = (v[0] - 0.75) / 0.1 * ((v[0] - 0.75) / 0.1) + (v[1] - 0.85) / 0.35 * ((v[1] - 0.85) / 0.35);
    return sum / (n ? n : 1) + 0.001 * 0.001 * pull;
}

void wsk_sweep_fit_card(wsk_sweep_card *card, int folds, int skip)
{
    static const double lowest[OUTER] = {0.4, 0.1}, highest[OUTER] = {0.95, 3.5};
    double best[OUTER] = {0.75, 0.85}, cost = INFINITY, size[OUTER] = {0.04, 0.16};
    if (!card->fit_knee)
        return;
    for (double knee = 0.55; knee < 0.91; knee += 0.07)
        for (double slope = 0.3; slope < 1.7; slope += 0.35) {
            double v[OUTER] = {knee, slope}, now = cost_of(card, folds, skip, v);
            if (now < cost) {
                cost = now;
                memcpy(best, v, sizeof best);
            }
        }
    for (int round = 0; round < 12; round++) {
        bool moved = false;
        for (int k = 0; k < 2 * OUTER; k++) {
            double v[OUTER] = {best[0], best[1]};
            v[k / 2] = fmin(fmax(v[k / 2] + (k & 1 ? -size[k / 2] : size[k / 2]), lowest[k / 2]), highest[k / 2]);
            double now = cost_of(card, folds, skip, v);
            if (now < cost) {
                cost = now;
                memcpy(best, v, sizeof best);
                moved = true;
            }
        }
        for (int k = 0; k < OUTER && !moved; k++)
            size[k] /= 2;
    }
    cost_of(card, folds, skip, best);
}

/* Prior from the card's other loads: mean and standard deviation of P0 (as a share of the highest draw) and of a.
 * The deviations are at least 5 % and 10 %. */
static wsk_sweep_prior others(const wsk_sweep_card *card, const wsk_gpu_params *g, int load)
{
    double n = 0, sum[2] = {0}, square[2] = {0}, sd[2];
    for (int i = 0; i < card->n; i++) {
        wsk_gpu_class cls;
        const wsk_sweep *s = &card->load[i];
        if (i == load || s->use != WSK_SWEEP_FIT)
            continue;
        wsk_sweep_fit_load(g, s, false, NULL, &cls);
        double value[2] = {cls.p0_w / s->held_w[s->n - 1], cls.clock_share};
        for (int k = 0; k < 2; k++) {
            sum[k] += value[k];
            square[k] += value[k] * value[k];
        }
        n++;
    }
    for (int k = 0; k < 2; k++) {
        sum[k] /= n;
        sd[k] = sqrt(fmax(square[k] / n - sum[k] * sum[k], 0));
    }
    return (wsk_sweep_prior){sum[0], fmax(sd[0], 0.05), sum[1], fmax(sd[1], 0.1)};
}

static int folds_of(const wsk_sweep_card *card)
{
    return card->fitted <= 8 ? card->n : 4;
}

static void predict(const wsk_sweep_card *card, int load, const wsk_gpu_params *gpu, wsk_gpu_class *out)
{
    wsk_sweep_prior prior = others(card, gpu, load);
    wsk_sweep_fit_load(gpu, &card->load[load], true, card->fitted > 1 ? &prior : NULL, out);
}

void wsk_sweep_predict(const wsk_sweep_card *card, int load, wsk_gpu_params *gpu, wsk_gpu_class *out)
{
    wsk_sweep_card other = *card;
    int folds = folds_of(card);
    wsk_sweep_fit_card(&other, folds, load % folds);
    *gpu = other.gpu;
    predict(card, load, gpu, out);
}

void wsk_sweep_predict_all(const wsk_sweep_card *card, wsk_gpu_params *gpu, wsk_gpu_class *out)
{
    int folds = folds_of(card);
    for (int fold = 0; fold < folds; fold++) {
        wsk_sweep_card other = *card;
        bool any = false;
        for (int i = fold; i < card->n; i += folds)
            any = any || card->load[i].use == WSK_SWEEP_FIT;
        if (any)
            wsk_sweep_fit_card(&other, folds, fold);
        for (int i = fold; any && i < card->n; i += folds)
            if (card->load[i].use == WSK_SWEEP_FIT) {
                gpu[i] = other.gpu;
                predict(card, i, &gpu[i], &out[i]);
            }
    }
}
