/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synchronous training: the slowest card sets the pace. At intervals (checkpoint-every) the cards wait while the
 * state is written; at other intervals (evaluate-every) they evaluate the model. Failures come at random, on
 * average once in the time mtbf; each costs a restart and the work since the last checkpoint. Theory:
 * docs/theory/workload.md */
#include <math.h>

#include "sim/net/workload_table.h"

#define P wsk_workload_params
static const char *const ways[] = {"data", "pipeline", NULL};
static const wsk_param params[] = {
    WSK_WORKLOAD_ROWS("training"),
    WSK_NUM(P, data_share, "data-share", WSK_DIM_FRACTION, "0 %", 0, 0.95, 0,
            "share of a step, at the reference, in which the cards wait for data"),
    WSK_NUM(P, talk_share, "communication", WSK_DIM_FRACTION, "0 %", 0, 0.95, 0,
            "share of a step, at the reference and over 16 lanes of PCI Express 4, in which they exchange results"),
    WSK_CHO(P, parallel, "parallel", ways, "data", 0,
            "data: each card a part of the batch; pipeline: each card a part of the model"),
    WSK_ASSUME(P, micro_batches, "micro-batches", WSK_DIM_COUNT, "32", 1, 1e6, 0,
               "pipeline: parts of a batch; the cards rest (n - 1)/(m + n - 1) of the step",
               "usual settings of 4-8 a card"),
    WSK_NUM(P, checkpoint_every_s, "checkpoint-every", WSK_DIM_TIME, NULL, 1, 3.2e9, 0,
            "work between two checkpoints; none when absent"),
    WSK_NUM(P, checkpoint_takes_s, "checkpoint-takes", WSK_DIM_TIME, "60 s", 0, 1e7, 0, "time a checkpoint takes"),
    WSK_NUM(P, evaluate_every_s, "evaluate-every", WSK_DIM_TIME, NULL, 1, 3.2e9, 0,
            "time between two evaluations; none when absent"),
    WSK_NUM(P, evaluate_takes_s, "evaluate-takes", WSK_DIM_TIME, "5 min", 0, 1e7, 0, "time an evaluation takes"),
    WSK_NUM(P, mtbf_s, "mtbf", WSK_DIM_TIME, NULL, 60, 3.2e9, 0,
            "mean time between failures of the whole job; none when absent"),
    WSK_NUM(P, restart_takes_s, "restart-takes", WSK_DIM_TIME, "10 min", 1, 1e7, 0,
            "time from a failure until work goes on"),
    {.name = NULL}};

/* Length, ns, of the k-th stretch between two failures: exponentially distributed, by inversion of a random number.
 * It is limited to a century, which is longer than any run; the sum of two centuries, ns, fits an int64. */
static int64_t stretch_ns(const P *w, uint64_t seed, uint64_t k)
{
    double u = wsk_random(seed, 0x6d746266, k), century_s = 3.2e9;
    return (int64_t)(wsk_min(-w->mtbf_s * log(1 - u), century_s) * 1e9);
}

/* Finds the stretch that contains the present time: from *begin to the failure at *failure, and the restart after it.
 * The search continues from the result of the last call, which *out holds. */
static void find_stretch(const P *w, const wsk_moment *now, wsk_activity *out, int64_t *begin, int64_t *failure)
{
    bool onward = out->stretch_ns > 0 && out->stretch_ns <= now->t_ns;
    *begin = onward ? out->stretch_ns : 0;
    *failure = INT64_MAX;
    if (!(w->mtbf_s > 0))
        return;
    for (uint64_t k = onward ? out->stretch : 0;; k++) {
        out->stretch = k;
        out->stretch_ns = *begin;
        *failure = *begin + stretch_ns(w, now->seed, k);
        int64_t next = *failure + (int64_t)(w->restart_takes_s * 1e9);
        if (now->t_ns < next)
            return;
        *begin = next;
    }
}

/* Duration of a stretch of work and the checkpoint after it, ns; 0: no checkpoints. A checkpoint that takes no time
 * counts only if the job may fail: it then bounds the work that a failure undoes. */
static int64_t cycle_ns(const P *w)
{
    if (!(w->checkpoint_every_s > 0) || !(w->checkpoint_takes_s > 0 || w->mtbf_s > 0))
        return 0;
    return (int64_t)(w->checkpoint_every_s * 1e9) + (int64_t)(w->checkpoint_takes_s * 1e9);
}

/* A cycle is a stretch of work and the checkpoint after it. Sets in *out whether the cards work or wait for the
 * checkpoint, and until when. since: ns since the first cycle began; *cycle: ns from there to the start of the present
 * cycle. */
static void set_checkpoint(const P *w, int64_t since, int64_t *cycle, wsk_activity *out)
{
    int64_t work = (int64_t)(w->checkpoint_every_s * 1e9), in = since % cycle_ns(w);
    *cycle = since - in;
    if (in < work) {
        out->until_ns = *cycle + work;
    } else {
        out->phase = WSK_PHASE_WAIT;
        out->name = "checkpoint";
        out->until_ns = *cycle + cycle_ns(w);
    }
}

static void set_evaluation(const P *w, int64_t since, wsk_activity *out)
{
    int64_t work = (int64_t)(w->evaluate_every_s * 1e9), take = (int64_t)(w->evaluate_takes_s * 1e9),
            in = since % (work + take);
    int64_t until = since - in + (in < work ? work : work + take);
    if (in >= work && out->phase == WSK_PHASE_RUN) {
        out->idle_work = true;
        out->name = "evaluation";
    }
    out->until_ns = until < out->until_ns ? until : out->until_ns;
}

static void find_activity(const P *w, const wsk_moment *now, wsk_activity *out)
{
    int64_t begin, failure, cycle = 0;
    find_stretch(w, now, out, &begin, &failure);
    *out = (wsk_activity){.phase = WSK_PHASE_RUN,
                          .until_ns = INT64_MAX,
                          .name = "step",
                          .load = 1,
                          .power_w = NAN,
                          .stretch = out->stretch,
                          .stretch_ns = out->stretch_ns};
    int64_t since = now->t_ns - begin;
    if (now->t_ns >= failure) {
        since = failure - begin;
        out->phase = WSK_PHASE_WAIT;
        out->name = "restart";
        out->undo = true;
    }
    if (cycle_ns(w) > 0) {
        wsk_activity cut = *out;
        set_checkpoint(w, since, &cycle, &cut);
        if (!out->undo)
            *out = cut;
    }
    if (w->evaluate_every_s > 0 && w->evaluate_takes_s > 0 && !out->undo)
        set_evaluation(w, since, out);
    out->saved_ns = begin + cycle;
    if (out->undo)
        out->until_ns = failure + (int64_t)(w->restart_takes_s * 1e9);
    else if (out->until_ns != INT64_MAX)
        out->until_ns = begin + out->until_ns < failure ? begin + out->until_ns : failure;
    else
        out->until_ns = failure;
}

/* Checkpoints and evaluations count from the end of the last restart. If they have no common period below a century,
 * nothing repeats before the next failure. */
static void find_repeat(const P *w, const wsk_moment *now, const wsk_activity *last, wsk_repeat *out)
{
    const int64_t century_ns = INT64_C(3155760000) * WSK_NS;
    int64_t save = cycle_ns(w),
            test = w->evaluate_every_s > 0 && w->evaluate_takes_s > 0
                       ? (int64_t)(w->evaluate_every_s * 1e9) + (int64_t)(w->evaluate_takes_s * 1e9)
                       : 0,
            a = save, b = test;
    wsk_activity found = *last;
    find_stretch(w, now, &found, &out->from_ns, &out->until_ns);
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    out->period_ns = save && test ? (save / a > century_ns / test ? century_ns : save / a * test) : save + test;
}

static const wsk_workload_ops ops = {.synchronous = true, .at = find_activity, .repeats = find_repeat};
const wsk_kind wsk_workload_training = {.element = "workload",
                                        .name = "training",
                                        .is_default = true,
                                        .help = "synchronous training on several cards",
                                        .size = sizeof(P),
                                        .params = params,
                                        .ops = &ops};
