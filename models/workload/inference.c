/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inference: each card, or group of cards, serves requests independently of the others; the load depends on the time
 * of day. Theory: docs/theory/workload.md */
#include <math.h>

#include "sim/net/model.h"
#include "sim/net/workload_table.h"

#define P wsk_workload_params
static const wsk_param params[] = {
    WSK_WORKLOAD_ROWS("decode"),
    WSK_TXT(P, model, "model", NULL, WSK_NAMES_PART,
            "language model that it serves, a part such as model/llama-3.1-70b"),
    WSK_CHO(P, quant, "quant", wsk_quant_names, "Q4_K_M", 0, "how the model's weights are stored"),
    WSK_CHO(P, engine, "engine", wsk_engine_names, "llama.cpp", 0, "program that serves the model"),
    WSK_NUM(P, context, "context", WSK_DIM_COUNT, "8192", 1, 1e9, 0,
            "tokens of a request in the cache, prompt and answer"),
    WSK_NUM(P, token_price, "token-price", WSK_DIM_PRICE, NULL, 0, 1e9, 0,
            "price of a million generated tokens elsewhere, to compare with"),
    WSK_CUR(
        P, load_curve, "load-curve", WSK_DIM_TIME, 0, 86400, WSK_DIM_FRACTION, 0, 1, NULL, 0,
        "time of day to the share of the time that requests keep a card at its default limit busy; straight between: "
        "\"4:00:20 %, 14:00:90 %, 20:00:100 %\", or \"4 h:20 %\"; all the time when absent"),
    {.name = NULL}};

/* Load at a time of day, linear between the points of the curve. A line leads from the last point over midnight to
 * the first. */
static double load_at(const wsk_curve *c, double day_s)
{
    double x0 = c->x[c->count - 1] - 86400, y0 = c->y[c->count - 1];
    for (int i = 0; i <= c->count; i++) {
        double x = i < c->count ? c->x[i] : c->x[0] + 86400, y = i < c->count ? c->y[i] : c->y[0];
        if (day_s <= x)
            return x > x0 ? y0 + (y - y0) * (day_s - x0) / (x - x0) : y;
        x0 = x;
        y0 = y;
    }
    return y0;
}

/* The load is constant over each minute of the run. */
static void find_activity(const P *w, const wsk_moment *now, wsk_activity *out)
{
    const int64_t minute = 60 * WSK_NS;
    *out =
        (wsk_activity){.phase = WSK_PHASE_RUN, .until_ns = INT64_MAX, .name = "serving", .load = 1, .power_w = NAN};
    if (w->load_curve.count == 0)
        return;
    int64_t begin = now->t_ns / minute * minute;
    out->load = load_at(&w->load_curve, fmod(now->start_civil_s + (double)begin / 1e9 + 30, 86400));
    out->until_ns = wsk_within_clock(now, begin + minute);
    if (!(out->load > 0))
        out->phase = WSK_PHASE_IDLE;
}

static void find_repeat(const P *w, const wsk_moment *now, const wsk_activity *last, wsk_repeat *out)
{
    (void)now;
    (void)last;
    out->daily = w->load_curve.count > 0;
}

static const wsk_child children[] = {{"model", 1, NULL}, {NULL, 0, NULL}};
static const wsk_workload_ops ops = {.synchronous = false, .at = find_activity, .repeats = find_repeat};

/* A mixture of experts is of the class moe-decode, unless the rig names a class. */
static void settle(const wsk_elem *e)
{
    const wsk_elem *model = wsk_elem_child(e, "model", NULL);
    wsk_origin *o = &e->origins[wsk_kind_param(e->kind, "class") - e->kind->params];
    if (!model || o->from != WSK_FROM_DEFAULT || !(((const wsk_model_params *)model->params)->experts > 0))
        return;
    ((P *)e->params)->cls = WSK_CLASS_MOE_DECODE;
    o->text = wsk_class_names[WSK_CLASS_MOE_DECODE];
}

const wsk_kind wsk_workload_inference = {.element = "workload",
                                         .name = "inference",
                                         .is_default = false,
                                         .help = "serving with a daily curve of requests",
                                         .size = sizeof(P),
                                         .params = params,
                                         .children = children,
                                         .ops = &ops,
                                         .settle = settle};
