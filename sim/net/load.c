/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes the constants of a class of work by what a load states: requests, cards that share a model, duty. Sources
 * and ranges: docs/theory/workload.md, "What the load says of itself" */
#include "sim/net/load.h"

#include <string.h>

#include "sim/net/spread.h"

/* Number of further requests, served together with the first, that double the ratio of a step's arithmetic to its
 * memory traffic. Weights are read and unpacked once for all requests; mixtures of experts read more weights for each
 * further request. Assumed: docs/theory/constants.md, "requests served together" */
static const double dense_doubles = 64, experts_double = 256;
/* Relative rise of the dynamic power per clock from one request to very many: batched arithmetic keeps more units
 * busy. Assumed, 0.2 to 1: docs/theory/constants.md, "dynamic power of many requests" */
static const double full_over_single = 0.6;
/* Times in one step of a card of a tensor-parallel group. step_s: the card reads three quarters of its memory (19 ms
 * for 24 GB at 936 GB/s, 40 ms for 96 GB at 1,792 GB/s); exchanges: two in each of 80 layers; nvlink_s, pcie_s: time
 * of one exchange. Assumed: docs/theory/constants.md, "exchanges of a tensor-parallel group" */
static const double step_s = 20e-3, exchanges = 160, nvlink_s = 12e-6, pcie_s = 25e-6;

/* Bounds of the share of a step in kernels with the named model, divided by that share in the class's loads: somewhat
 * wider than the ratios of the measured models of 3 to 14 billion parameters. Assumed:
 * docs/theory/constants.md, "bounds of a model's kernels" */
static const double least_kernels = 0.5, most_kernels = 1.4;
/* Weights of other bits. usual_bits: those of Q4_K_M, for which the class decode holds; a weight of more bits takes longer
 * to read, while the cores' work on it is the same. bits_exponent: dynamic power per clock falls with this power of the
 * bits. docs/theory/constants.md, "bits of a weight" */
static const double usual_bits = 4.8944, bits_exponent = 0.65;

double wsk_load_group(const wsk_workload_params *w, int cards)
{
    return w->tensor_parallel > 1 ? w->tensor_parallel : w->split != WSK_SPLIT_NONE ? cards : 1;
}

wsk_load wsk_load_of(const wsk_workload_params *w, int cards, bool nvlink)
{
    wsk_load l = {.p0_w = NAN,
                  .c_w_hz = NAN,
                  .clock_share = NAN,
                  .duty = NAN,
                  .traffic = NAN,
                  .together = NAN,
                  .layers_over = NAN,
                  .kernels = NAN,
                  .kernels_usual = NAN,
                  .bits = NAN,
                  .unpacking = NAN,
                  .measured_w = NAN,
                  .limited_w = NAN,
                  .measured_k = WSK_WARM_K};
    if (!w)
        return l;
    const bool tensor = w->split == WSK_SPLIT_TENSOR || w->tensor_parallel > 1,
               layers = w->split == WSK_SPLIT_LAYER && !tensor;
    const double group = wsk_load_group(w, cards);
    l.p0_w = w->p0_w;
    l.c_w_hz = w->c_w_hz;
    l.clock_share = w->clock_share;
    l.duty = w->duty;
    l.measured_w = w->measured_w;
    l.traffic = w->traffic;
    l.together = !isnan(w->batch) ? w->batch : wsk_max(w->streams * group / cards, 1);
    if (layers && cards > 1)
        l.layers_over = cards;
    l.exchanges = tensor && group > 1 && isnan(l.duty);
    if (l.exchanges)
        l.duty = step_s / (step_s + exchanges * (nvlink ? nvlink_s : pcie_s));
    return l;
}

/* Factor by which the ratio of arithmetic to memory traffic of a step grows when requests are served together; 1 for
 * classes of work that serve no requests. */
static double growth(double together, wsk_class name)
{
    const double doubles = name == WSK_CLASS_MOE_DECODE ? experts_double : dense_doubles;
    const bool serves = name == WSK_CLASS_DECODE || name == WSK_CLASS_MOE_DECODE;
    return serves && together > 1 ? 1 + (together - 1) / doubles : 1;
}

/* Factor on dynamic power per clock for requests served together. grown: result of growth(), so that 1 - 1/grown =
 * (together - 1)/(together - 1 + doubles). */
static double fuller(double grown)
{
    return 1 + full_over_single * (1 - 1 / grown);
}

/* Multiplies k, the time of a step's arithmetic divided by the time of its memory traffic, by `grown`. The clock
 * share a follows from k: a^4 = k^4/(1 + k^4). Traffic falls, because the step takes longer. */
static void grow(double grown, wsk_gpu_class *c)
{
    const double a2 = c->clock_share * c->clock_share, g2 = grown * grown, k4 = a2 * a2 * g2 * g2, b4 = 1 - a2 * a2;
    c->clock_share = sqrt(sqrt(k4 / (k4 + b4)));
    const double less = sqrt(sqrt(1 / (k4 + b4)));
    c->traffic_w *= less;
    c->traffic *= less;
}

/* True if the model that a load names changes the constants of its class. Only the class decode depends on the model,
 * and only if the loads to which it was fitted are known and the load states no constants itself. */
static bool depends_on_model(const wsk_load *l, wsk_class name, const wsk_gpu_class *c)
{
    const bool stated = !isnan(l->p0_w) || !isnan(l->c_w_hz) || !isnan(l->clock_share);
    return name == WSK_CLASS_DECODE && !isnan(c->kernels) && !stated;
}

/* Share of a step in which the kernels of the named model run, divided by that of the loads to which the class was
 * fitted, within least_kernels and most_kernels; 1 if either share is unknown. */
static double kernels_of(const wsk_load *l, wsk_class name, const wsk_gpu_class *c)
{
    if (!depends_on_model(l, name, c) || isnan(l->kernels))
        return 1;
    return wsk_min(wsk_max(l->kernels / c->kernels, least_kernels), most_kernels);
}

/* Changes a class for other weights. arithmetic: factor on the ratio of a step's arithmetic to its memory traffic; draw:
 * factor on dynamic power per clock. Traffic stays, because it already uses the whole bandwidth. */
static void weigh(double arithmetic, double draw, wsk_gpu_class *c)
{
    const double traffic_w = c->traffic_w, traffic = c->traffic;
    grow(arithmetic, c);
    c->traffic_w = traffic_w;
    c->traffic = traffic;
    c->c_w_hz *= draw;
}

void wsk_load_shape(const wsk_load *l, wsk_class name, wsk_gpu_class *c)
{
    if (!isnan(l->p0_w))
        c->p0_w = l->p0_w;
    if (!isnan(l->c_w_hz))
        c->c_w_hz = l->c_w_hz;
    if (!isnan(l->clock_share))
        c->clock_share = l->clock_share;
    if (!isnan(l->p0_w) || !isnan(l->c_w_hz))
        c->traffic_w = 0; /* the p0 and c of a load already include the power of memory traffic */
    if (!isnan(l->bits) && depends_on_model(l, name, c)) {
        const double over = l->bits / usual_bits, draw = pow(over, -bits_exponent);
        c->arithmetic = isnan(l->unpacking) ? 1 / over : l->unpacking;
        c->draw = isnan(l->unpacking) ? draw : wsk_min(draw, 1);
        weigh(c->arithmetic, c->draw, c);
    }
    const double grown = growth(l->together, name);
    if (grown > 1) { /* after the bits: requests take traffic from a step that has the ratio of these weights */
        grow(grown, c);
        c->c_w_hz *= fuller(grown);
    }
    if (!isnan(l->duty)) {
        const double duty = l->exchanges ? l->duty * (1 - c->long_pause) : l->duty;
        c->traffic_w *= duty / (1 - c->pause);
        c->traffic *= duty / (1 - c->pause);
        c->pause = 1 - duty;
        if (!l->exchanges) {
            c->long_pause = c->long_pause > 0 ? c->pause : 0;
            c->pauses_stated = true;
        }
    }
    if (l->layers_over > 1) {
        c->traffic_w /= l->layers_over;
        c->traffic /= l->layers_over;
        c->c_w_hz /= l->layers_over;
    }
    if (!(c->kernels > 0) && !isnan(c->kernels))
        c->kernels = l->kernels_usual;
    const double kernels = kernels_of(l, name, c);
    c->wait = c->pause - (1 - c->pause) * (kernels - 1);
    c->traffic_w *= kernels;
    c->traffic = isnan(l->traffic) ? wsk_min(c->traffic * kernels, 1) : l->traffic;
}

void wsk_load_apart(const wsk_load *l, wsk_class name, wsk_gpu_class *c)
{
    const double grown = growth(l->together, name), traffic_w = c->traffic_w, traffic = c->traffic;
    if (l->layers_over > 1)
        c->c_w_hz *= l->layers_over;
    if (grown > 1) {
        grow(1 / grown, c);
        c->c_w_hz /= fuller(grown);
    }
    if (c->draw > 0)
        weigh(1 / c->arithmetic, 1 / c->draw, c);
    c->traffic_w = traffic_w;
    c->traffic = traffic;
}

bool wsk_origin_calibrated(const wsk_origin *o)
{
    return o->ref && strncmp(o->ref, WSK_CALIBRATED_ON, strlen(WSK_CALIBRATED_ON)) == 0;
}

bool wsk_traffic_stated(const wsk_workload_params *w)
{
    return w && !isnan(w->traffic) && !wsk_origin_calibrated(wsk_elem_origin(w->head.elem, "memory-traffic"));
}

double wsk_class_traffic_rel(wsk_class cls)
{
    return cls == WSK_CLASS_STREAM ? 0.35 : 0.3;
}

bool wsk_class_calibrated(const wsk_class_params *cls)
{
    const wsk_origin *o = wsk_elem_origin(cls->head.elem, "p0");
    return (o->from == WSK_FROM_RIG || wsk_origin_calibrated(o)) && o->source && strcmp(o->source, "fitted") == 0;
}

double wsk_class_share_sd(const wsk_elem *gpu, wsk_class cls)
{
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(gpu, "class", e)) != NULL;) {
        const wsk_class_params *p = e->params;
        if (p->name == (int)cls && wsk_class_calibrated(p))
            return wsk_spread_of(e, wsk_kind_param(e->kind, "clock-share"), wsk_elem_origin(e, "clock-share"),
                                 p->clock_share)
                .half;
    }
    return 0;
}

bool wsk_class_assumed(const wsk_class_params *cls)
{
    return wsk_elem_origin(cls->head.elem, "p0")->assumed && wsk_elem_origin(cls->head.elem, "c")->assumed;
}

double wsk_gpu_held_mean_w(const wsk_gpu_ops *ops, const wsk_gpu_params *gpu, const wsk_gpu_class *cls, double held_w)
{
    held_w *= wsk_gpu_limit_share(cls);
    if (!(cls->long_pause > 0))
        return held_w;
    const wsk_gpu_class between = wsk_gpu_between(cls);
    const double top = gpu->clock_max_hz + gpu->clock_offset_hz,
                 f = wsk_min(ops->clock_for(gpu, &between, held_w, gpu->leakage_temp_k, cls->ref_clock_hz), top);
    return cls->p0_w + (1 - cls->long_pause * ops->perf_rel(cls, f)) * (held_w - cls->p0_w);
}
