/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run found that its user must be told, a line each. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sim/books/books.h"
#include "sim/control/run.h"
#include "sim/study/verdict.h"
#include "sim/study/trip.h"
#include "sim/study/found.h"
#include "sim/books/variables.h"
#include "sim/books/observe.h"

bool wsk_supplied(const wsk_net *net)
{
    return net->n_supply > 0;
}

/* The cards whose temperature `what` passed its limit, on one line: the hottest of them names it. */
static void over_limit(const wsk_run *run, wsk_var what, const char *name, size_t limit_at, wsk_buf *o)
{
    const wsk_card *worst = NULL;
    double top = 0, worst_limit = 0;
    int n = 0;
    for (int i = 0; i < run->net->n_card; i++) {
        const wsk_card *c = &run->net->cards[i];
        double limit, max = wsk_var_high(run, what, i) + WSK_KELVIN;
        memcpy(&limit, (const char *)c->gpu + limit_at, sizeof limit);
        if (isnan(limit) || max <= limit)
            continue;
        n++;
        if (!worst || max > top) {
            worst = c;
            top = max;
            worst_limit = limit;
        }
    }
    if (!worst)
        return;
    wsk_buf_printf(o, "%s: its %s reached %.0f degC, over its limit of %.0f degC", worst->id, name, top - WSK_KELVIN,
                   worst_limit - WSK_KELVIN);
    if (n > 1)
        wsk_buf_printf(o, "; so did that of %d other%s", n - 1, n == 2 ? "" : "s");
    wsk_buf_printf(o, "\n");
}

/* " (and 2 others)" behind the first of several. */
static void and_others(int n, wsk_buf *o)
{
    if (n > 1)
        wsk_buf_printf(o, " (and %d other%s)", n - 1, n == 2 ? "" : "s");
}

static void runaways(const wsk_run *run, int64_t how, const char *words, wsk_buf *o)
{
    const char *first = NULL;
    int n = 0;
    for (int i = 0; i < run->net->n_card; i++)
        if (run->cards[i].runaway == how &&
            !(how == 3 && run->cards[i].off)) { /* a shutdown after the failure is told as such */
            first = first ? first : run->net->cards[i].id;
            n++;
        }
    if (!first)
        return;
    wsk_buf_printf(o, "%s", first);
    and_others(n, o);
    wsk_buf_printf(o, ": %s\n", words);
}

/* A governor that turns round and round: of a steady point there is no such time. */
static void hunts(const wsk_run *run, wsk_buf *o)
{
    int n = 0, first = -1;
    for (int i = 0; i < run->net->n_card && !run->steady; i++)
        if (run->cards[i].hunts) {
            first = first < 0 ? i : first;
            n++;
        }
    if (first < 0)
        return;
    const wsk_card *c = &run->net->cards[first];
    wsk_buf_printf(o, "%s", c->id);
    and_others(n, o);
    wsk_buf_printf(o, ": its governor (%s) hunts, as no real card does\n",
                   c->governors[run->cards[first].hunts - 1].ops->reason);
}

/* A steady point has no time of day. */
static void schedules(const wsk_run *run, wsk_buf *o)
{
    int n = 0, first = -1;
    for (int i = 0; i < run->net->n_card && run->steady; i++)
        if (run->net->cards[i].gpu->limit_schedule.count > 0) {
            first = first < 0 ? i : first;
            n++;
        }
    if (first < 0)
        return;
    wsk_buf_printf(o, "%s", run->net->cards[first].id);
    and_others(n, o);
    wsk_buf_printf(
        o, ": a steady point does not follow limit-schedule; the limit taken is its mean over the day, %.6g W%s\n",
        run->cards[first].limit_w, n > 1 ? ", and of the others theirs" : "");
}

static void cards(const wsk_run *run, wsk_buf *o)
{
    runaways(run, 1, "thermal runaway, its leakage grows faster than its cooler takes heat away", o);
    runaways(run, 2, "thermal runaway, the die still rose at its lowest clock", o);
    runaways(run, 3, "after the failure it gives off more heat than is carried away", o);
    for (int i = 0; i < run->net->n_card; i++) {
        const wsk_card *c = &run->net->cards[i];
        if (!isnan(run->cards[i].pin_power_w) &&
            wsk_var_high(run, WSK_VAR_CARD_DIE_C, i) + WSK_KELVIN > c->gpu->shutdown_k)
            wsk_buf_printf(o, "%s would have shut down from heat, but its power is pinned\n", c->id);
    }
    over_limit(run, WSK_VAR_CARD_MEMORY_C, "memory", offsetof(wsk_gpu_params, memory_limit_k), o);
    over_limit(run, WSK_VAR_CARD_HOTSPOT_C, "hot spot", offsetof(wsk_gpu_params, hotspot_limit_k), o);
    over_limit(run, WSK_VAR_CARD_VRM_C, "VRM", offsetof(wsk_gpu_params, vrm_limit_k), o);
}

static void cases(const wsk_run *run, wsk_buf *o)
{
    const wsk_net *net = run->net;
    for (int i = 0; i < net->n_case; i++) {
        const wsk_case *c = &net->cases[i];
        if (!c->cpu)
            continue;
        double max = wsk_var_high(run, WSK_VAR_CASE_CPU_C, i);
        if (max + WSK_KELVIN > c->cpu->limit_k)
            wsk_buf_printf(o, "%s reached %.0f degC, over its limit of %.0f degC\n", c->cpu->head.elem->id, max,
                           c->cpu->limit_k - WSK_KELVIN);
    }
}

/* The least of what makers of pumps, hoses and AIOs allow. */
static void coolants(const wsk_run *run, wsk_buf *o)
{
    const double hose_limit_k = 60 + WSK_KELVIN;
    for (int i = 0; i < run->net->n_circuit; i++) {
        double max = wsk_var_high(run, WSK_VAR_LOOP_RETURN_C, i);
        if (max + WSK_KELVIN > hose_limit_k)
            wsk_buf_printf(o, "%s: the coolant reached %.0f degC; pumps, hoses and seals are made for 60 degC\n",
                           run->net->circuits[i].id, max);
    }
}

static void facilities(const wsk_run *run, wsk_buf *o)
{
    const wsk_net *net = run->net;
    for (int i = 0; i < net->n_circuit; i++) {
        const wsk_circuit *c = &net->circuits[i];
        double heat = wsk_var_mean(run, WSK_VAR_LOOP_FLOW_LPM, i) / 60000 *
                      net->branches[c->branch].heat_w_k_per_m3s *
                      (wsk_var_mean(run, WSK_VAR_LOOP_RETURN_C, i) - wsk_var_mean(run, WSK_VAR_LOOP_COOLANT_C, i));
        if (c->facility && c->params->capacity_w > 0 && heat > c->params->capacity_w)
            wsk_buf_printf(o, "%s: %.0f W go to a CDU that can pass on %.0f W\n", c->id, heat, c->params->capacity_w);
    }
}

static void supplies(const wsk_run *run, wsk_buf *o)
{
    const wsk_net *net = run->net;
    for (int i = 0; i < net->n_supply; i++) {
        const wsk_supply_state *s = &run->supplies[i];
        if (s->peak_rel <= 1)
            continue;
        wsk_buf_printf(
            o, net->n_supply == 1 ? "the power supply is loaded beyond its rating" : "%s is loaded beyond its rating",
            net->supplies[i].elem->id);
        if (s->may_give_w < net->supplies[i].law.limit_w * 0.999)
            wsk_buf_printf(o, ", which its hot intake air lowers to %.0f W", s->may_give_w);
        wsk_buf_printf(o, "\n");
    }
}

static void feeds(const wsk_run *run, wsk_buf *o)
{
    if (run->books->feed_peak_rel > 1)
        wsk_buf_printf(o, "the %s before the rig is loaded to %.0f %% of its rating\n",
                       run->net->feeds[1] ? "uninterruptible supply or strip" : "strip",
                       100 * run->books->feed_peak_rel);
}

static void shutdowns(const wsk_run *run, wsk_buf *o)
{
    const wsk_net *net = run->net;
    int64_t cards = run->head->shutdowns;
    const char *then = net->workload && net->workload_ops->synchronous ? "; synchronous work stopped there" : "";
    for (int i = 0; i < net->n_case; i++)
        if (run->cases[i].cpu_off) {
            cards--;
            wsk_buf_printf(o, "%s reached its shutdown temperature and took its machine off%s\n",
                           net->cases[i].cpu->head.elem->id, then);
        }
    if (cards > 0)
        wsk_buf_printf(o, "a card reached its shutdown temperature%s\n", then);
}

static void hot_parts(const wsk_run *run, wsk_buf *o)
{
    cards(run, o);
    cases(run, o);
    coolants(run, o);
}

bool wsk_parts_too_hot(const wsk_run *run)
{
    wsk_buf found = {0};
    hot_parts(run, &found);
    bool any = found.len > 0;
    wsk_buf_free(&found);
    return any;
}

void wsk_found_parts(const wsk_run *run, wsk_buf *o)
{
    schedules(run, o);
    hot_parts(run, o);
    hunts(run, o);
    feeds(run, o);
    facilities(run, o);
}

void wsk_found(const wsk_run *run, wsk_buf *o)
{
    shutdowns(run, o);
    supplies(run, o);
    if (run->books->over_limit_ns)
        wsk_buf_printf(o, "the circuit is loaded beyond its continuous limit\n");
    wsk_trip_words(run, o);
    wsk_found_parts(run, o);
}
