/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/sweep.h"

static const wsk_gpu_ops *model(void)
{
    return wsk_gpu_boost.ops;
}

double wsk_sweep_traffic(const wsk_gpu_params *g, const wsk_sweep *s)
{
    static const double share[WSK_CLASS_COUNT] = {[WSK_CLASS_TRAINING] = 0.5,
                                                  [WSK_CLASS_PREFILL] = 0.1,
                                                  [WSK_CLASS_DECODE] = 1,
                                                  [WSK_CLASS_MOE_DECODE] = 0.65,
                                                  [WSK_CLASS_STREAM] = 1};
    return g->memory_w * share[s->cls];
}

static wsk_calibrate_load given(const wsk_gpu_params *g, const wsk_sweep *s, bool ends, const wsk_sweep_prior *prior,
                                wsk_calibrate_row row[WSK_SWEEP_ROWS])
{
    wsk_calibrate_load l = wsk_calibrate_any(g);
    l.row = row;
    l.ref_w = s->held_w[s->ref];
    if (s->cls >= 0)
        l.cls.traffic_w = wsk_sweep_traffic(g, s);
    if (prior) {
        l.cls.p0_w = prior->p0_share * s->held_w[s->n - 1];
        l.p0_sd = prior->p0_sd;
        l.cls.clock_share = prior->clock_share;
        l.share_sd = prior->clock_sd;
        l.c_sd = 2; /* weak prior: the load's own draw, in its rows, determines c */
        l.cls.c_w_hz = (s->drawn_w[s->n - 1] - l.cls.p0_w) / g->clock_max_hz;
    }
    for (int i = 0; i < s->n; i += ends && s->n > 1 ? s->n - 1 : 1)
        row[l.rows++] = (wsk_calibrate_row){.limit_w = s->by_limit ? s->limit_w[i] : (double)NAN,
                                            .lock_hz = NAN,
                                            .drawn_w = s->drawn_w[i],
                                            .clock_hz = s->clock_hz[i],
                                            .work = s->perf[i],
                                            .die_k = NAN};
    return l;
}

void wsk_sweep_fit_load(const wsk_gpu_params *g, const wsk_sweep *s, bool ends, const wsk_sweep_prior *prior,
                        wsk_gpu_class *out)
{
    wsk_calibrate_row row[WSK_SWEEP_ROWS];
    wsk_calibrate_fit fit;
    const wsk_calibrate_load l = given(g, s, ends, prior, row);
    if (wsk_calibrate_rows(g, model(), &l, NULL, NULL, &fit) != WSK_OK)
        abort();
    *out = fit.cls;
}

/* The errors of a card's rows are not independent, because they share the model's error: together the rows count as
 * this many independent rows. */
static const double curve_rows = 100;

typedef struct {
    wsk_gpu_params gpu;
    int loads;
    const wsk_calibrate_load *load;
    double (*from)[WSK_FIT_UNKNOWNS]; /* fitted values of each load, from which the load's next fit starts */
    bool begun;
} curve;

static void curve_residuals(void *user, const double *x, double *r)
{
    curve *c = user;
    int n = 0;
    c->gpu.clock_knee_hz = x[0] * c->gpu.clock_max_hz;
    c->gpu.voltage_slope_per_hz = x[1] / c->gpu.clock_max_hz;
    for (int i = 0; i < c->loads; i++) {
        const wsk_calibrate_load *l = &c->load[i];
        wsk_calibrate_fit out;
        if (wsk_calibrate_rows(&c->gpu, model(), l, c->begun ? c->from[i] : NULL, r + n, &out) != WSK_OK)
            abort();
        memcpy(c->from[i], out.fit.x, sizeof c->from[i]);
        for (int k = 0; k < l->rows; k++)
            for (int left = wsk_calibrate_stated(&l->row[k]); left > 0; left--)
                r[n++] *= sqrt(curve_rows / (c->loads * l->rows));
    }
    c->begun = true;
}

/* Fits knee and slope of the voltage curve of g to the loads. near: g has the curve fitted to more loads of this card,
 * so the search begins there only. */
static void fit_curve(wsk_gpu_params *g, bool near, int loads, const wsk_calibrate_load *load)
{
    /* middle and scatter of the fitted cards' knees and slopes: docs/theory/gpu.md, "Class: fit" */
    static const wsk_prior prior[2] = {{0.75, 0.1, 0.4, 0.95}, {0.85, 0.35, 0.1, 3.5}};
    const double starts[][2] = {{g->clock_knee_hz / g->clock_max_hz, g->voltage_slope_per_hz * g->clock_max_hz},
                                {0.6, 0.5},
                                {0.68, 0.5},
                                {0.72, 0.5},
                                {0.8, 0.85},
                                {0.88, 1.2}};
    const size_t first = near ? 0 : 1, last = near ? 1 : sizeof starts / sizeof *starts;
    static double from[WSK_SWEEP_LOADS][WSK_FIT_UNKNOWNS];
    curve c = {.gpu = *g, .loads = loads, .load = load, .from = from};
    wsk_fit_problem p = {.unknowns = 2, .prior = prior, .residuals = curve_residuals, .user = &c, .step = 0.02};
    wsk_fit best = {.cost = INFINITY}, now;
    for (int i = 0; i < loads; i++)
        for (int k = 0; k < load[i].rows; k++)
            p.rows += wsk_calibrate_stated(&load[i].row[k]);
    for (size_t i = first; i < last; i++) {
        c.begun = false;
        if (wsk_fit_map(&p, starts[i], &now) != WSK_OK)
            abort();
        if (now.cost < best.cost)
            best = now;
    }
    g->clock_knee_hz = best.x[0] * g->clock_max_hz;
    g->voltage_slope_per_hz = best.x[1] / g->clock_max_hz;
}

void wsk_sweep_fit_card(wsk_sweep_card *card, int folds, int skip)
{
    static wsk_calibrate_row row[WSK_SWEEP_LOADS][WSK_SWEEP_ROWS];
    static wsk_calibrate_load load[WSK_SWEEP_LOADS];
    int n = 0;
    if (!card->fit_knee)
        return;
    for (int i = 0; i < card->n; i++)
        if (card->load[i].use == WSK_SWEEP_FIT && !(folds && i % folds == skip)) {
            load[n] = given(&card->gpu, &card->load[i], false, NULL, row[n]);
            load[n].p0_sd = 1; /* a wide prior, so that P0 does not pull knee and slope of cards with few rows */
            n++;
        }
    fit_curve(&card->gpu, folds > 0, n, load);
}

/* Fits each load of the card by itself, with the voltage curve of g. */
static void fit_each(const wsk_sweep_card *card, const wsk_gpu_params *g, wsk_gpu_class own[WSK_SWEEP_LOADS])
{
    for (int i = 0; i < card->n; i++)
        if (card->load[i].use == WSK_SWEEP_FIT)
            wsk_sweep_fit_load(g, &card->load[i], false, NULL, &own[i]);
}

/* Prior from the card's other loads. Their variance includes the general scatter of loads, which counts as two further
 * loads. */
static wsk_sweep_prior others(const wsk_sweep_card *card, const wsk_gpu_params *g,
                              const wsk_gpu_class own[WSK_SWEEP_LOADS], int load)
{
    const wsk_calibrate_load any = wsk_calibrate_any(g);
    const double scatter[2] = {any.p0_sd, any.share_sd};
    double n = 0, sum[2] = {0}, square[2] = {0}, sd[2];
    for (int i = 0; i < card->n; i++) {
        const wsk_sweep *s = &card->load[i];
        if (i == load || s->use != WSK_SWEEP_FIT)
            continue;
        double value[2] = {log(own[i].p0_w / s->held_w[s->n - 1]), own[i].clock_share};
        for (int k = 0; k < 2; k++) {
            sum[k] += value[k];
            square[k] += value[k] * value[k];
        }
        n++;
    }
    for (int k = 0; k < 2; k++) {
        sum[k] /= n;
        sd[k] = sqrt((fmax(square[k] - n * sum[k] * sum[k], 0) + 2 * scatter[k] * scatter[k]) / (n + 1));
    }
    return (wsk_sweep_prior){exp(sum[0]), sd[0], sum[1], sd[1]};
}

static int folds_of(const wsk_sweep_card *card)
{
    return card->fitted <= 8 ? card->n : 4;
}

static void predict(const wsk_sweep_card *card, int load, const wsk_gpu_params *gpu,
                    const wsk_gpu_class own[WSK_SWEEP_LOADS], wsk_gpu_class *out)
{
    wsk_sweep_prior prior = others(card, gpu, own, load);
    wsk_sweep_fit_load(gpu, &card->load[load], true, card->fitted > 1 ? &prior : NULL, out);
}

void wsk_sweep_predict(const wsk_sweep_card *card, int load, wsk_gpu_params *gpu, wsk_gpu_class *out)
{
    wsk_sweep_card other = *card;
    wsk_gpu_class own[WSK_SWEEP_LOADS];
    int folds = folds_of(card);
    wsk_sweep_fit_card(&other, folds, load % folds);
    *gpu = other.gpu;
    fit_each(card, gpu, own);
    predict(card, load, gpu, own, out);
}

void wsk_sweep_predict_all(const wsk_sweep_card *card, wsk_gpu_params *gpu, wsk_gpu_class *out)
{
    int folds = folds_of(card);
    for (int fold = 0; fold < folds; fold++) {
        wsk_sweep_card other = *card;
        wsk_gpu_class own[WSK_SWEEP_LOADS];
        bool any = false;
        for (int i = fold; i < card->n; i += folds)
            any = any || card->load[i].use == WSK_SWEEP_FIT;
        if (any) {
            wsk_sweep_fit_card(&other, folds, fold);
            fit_each(card, &other.gpu, own);
        }
        for (int i = fold; any && i < card->n; i += folds)
            if (card->load[i].use == WSK_SWEEP_FIT) {
                gpu[i] = other.gpu;
                predict(card, i, &gpu[i], own, &out[i]);
            }
    }
}
