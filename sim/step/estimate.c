/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stride skips a number of cycles of the inputs of a run. Its errors are estimated before it, to limit its length,
 * and again from the cycles simulated after it. Headlines are the quantities whose errors count: energy, work, and
 * time limited by heat.
 * Theory: docs/theory/time.md, "Strides" */
#include <math.h>

#include "sim/books/books.h"
#include "sim/step/stride.h"

/* Limits of a stride. allowed_rel: largest estimated error of energy, as a share of the energy, and likewise of work.
 * allowed_k: largest estimated drift of a node's mean temperature over the stride, K. Assumed:
 * docs/theory/constants.md, "errors of strides" */
static const double allowed_rel = 5e-5, allowed_k = 0.02;
/* Error of energy and work of skipped cycles that comparing cycles cannot show, as a share. Assumed, as above */
static const double unseen_rel = 5e-6;
/* Largest allowed error of the time limited by heat, whichever is larger: as a share of that time, or in seconds over
 * a whole run. */
static const double allowed_heat = 4e-3, allowed_heat_s = 30;

int wsk_cycles_needed(const wsk_stride *s)
{
    return s->cycle.length_ns > INT64_C(43200) * WSK_NS ? 1 : 3;
}

void wsk_take_headlines(const wsk_run *run, const double *accounts, double x[WSK_HEADLINES])
{
    x[WSK_OF_ENERGY] = accounts[WSK_TALLY_WALL] + accounts[WSK_TALLY_SIDE] + accounts[WSK_TALLY_COOLING];
    x[WSK_OF_WORK] = x[WSK_OF_HEAT] = 0;
    for (int i = 0; i < run->net->n_card; i++) {
        const double *card = accounts + WSK_TALLY_WORK + WSK_CARD_ACCOUNTS * i, *by = card + WSK_CARD_HEAT;
        x[WSK_OF_WORK] += card[0];
        x[WSK_OF_HEAT] += (by[0] + by[1] + by[2]) / 1e9;
    }
}

double wsk_apart_k(const wsk_run *run)
{
    const wsk_stride *s = run->stride;
    double most = 0;
    for (int i = 0; i < run->net->n_node; i++)
        most = wsk_max(most, fabs(s->fresh[s->nodes + i] - s->wanted[s->nodes + i]));
    return most / ((double)s->cycle.length_ns / 1e9);
}

double wsk_limit_by_heat(const wsk_run *run, double most)
{
    const wsk_stride *s = run->stride;
    const double length_s = (double)s->cycle.length_ns / 1e9;
    for (int i = 0; i < run->net->n_node; i++)
        if (run->cap[i] > 0)
            most = wsk_min(most, allowed_k * length_s * s->head->apart / fabs(s->trend[s->nodes + i]));
    return most;
}

static void estimate(const wsk_run *run, double periods, double error[WSK_HEADLINES])
{
    const wsk_stride *s = run->stride;
    const double of = s->cycle.slow_ns ? 3 : (double)s->head->count;
    double rate[WSK_HEADLINES];
    wsk_take_headlines(run, s->trend, rate);
    for (int k = 0; k < WSK_HEADLINES; k++)
        error[k] = 0.5 * periods * fabs(rate[k]) / s->head->apart + s->head->noise[k] / sqrt(of);
}

bool wsk_stride_allowed(const wsk_run *run, double periods)
{
    const wsk_stride *s = run->stride;
    double error[WSK_HEADLINES], all[WSK_HEADLINES];
    wsk_take_headlines(run, s->fresh, all);
    estimate(run, periods, error);
    const double heat =
        wsk_max(allowed_heat * all[WSK_OF_HEAT], allowed_heat_s * (double)s->cycle.length_ns / (double)run->end_ns);
    return error[WSK_OF_ENERGY] <= allowed_rel * all[WSK_OF_ENERGY] &&
           error[WSK_OF_WORK] <= allowed_rel * all[WSK_OF_WORK] && error[WSK_OF_HEAT] <= heat;
}

/* The errors of cost and carbon rise in proportion to that of energy. */
static void expect_error(wsk_stride_head *h, int k, double error)
{
    const double more = error - h->expected[k];
    h->expected[k] = error;
    h->error[k] += more;
    if (k == WSK_OF_ENERGY) {
        h->error_cost += h->cost_per_j * more;
        h->error_carbon_kg += h->carbon_kg_per_j * more;
    }
}

static double find_drift_k(const wsk_run *run)
{
    double most = 0;
    for (int i = 0; i < run->net->n_node; i++)
        most = wsk_max(most, fabs(run->stride->drift_k[i]));
    return most;
}

static double per_joule(double before, double after, double energy_j)
{
    return isfinite(after - before) && energy_j > 0 ? fabs(after - before) / energy_j : 0;
}

void wsk_expect_errors(wsk_run *run, int64_t cycles, double periods, const wsk_account *before)
{
    const wsk_stride *s = run->stride;
    wsk_stride_head *h = s->head;
    const wsk_account after = wsk_bill_account(run);
    double error[WSK_HEADLINES], all[WSK_HEADLINES], skipped[WSK_HEADLINES];
    wsk_take_headlines(run, s->fresh, all);
    wsk_take_headlines(run, s->sum, skipped);
    estimate(run, periods, error);
    error[WSK_OF_ENERGY] += unseen_rel * all[WSK_OF_ENERGY];
    error[WSK_OF_WORK] += unseen_rel * all[WSK_OF_WORK];
    h->cost_per_j = per_joule(before->cost, after.cost, skipped[WSK_OF_ENERGY]);
    h->carbon_kg_per_j = per_joule(before->carbon_kg, after.carbon_kg, skipped[WSK_OF_ENERGY]);
    for (int k = 0; k < WSK_HEADLINES; k++) {
        h->expected[k] = 0;
        expect_error(h, k, (double)cycles * error[k]);
    }
    h->error_k = wsk_max(h->error_k, 0.5 * find_drift_k(run) + h->noise_k);
    h->error_peak_rel =
        wsk_max(h->error_peak_rel, all[WSK_OF_ENERGY] > 0 ? error[WSK_OF_ENERGY] / all[WSK_OF_ENERGY] : 0);
}

void wsk_settle_stride(wsk_run *run, const double differ[WSK_HEADLINES], bool agreed)
{
    wsk_stride *s = run->stride;
    wsk_stride_head *h = s->head;
    for (int k = 0; k < WSK_HEADLINES; k++) {
        const double error = 0.5 * (double)h->pending * fabs(differ[k]);
        if (error > h->expected[k])
            expect_error(h, k, error);
    }
    h->error_k = wsk_max(h->error_k, wsk_apart_k(run));
    if (agreed && h->agreeing + 1 < wsk_cycles_needed(s))
        return;
    h->pending = 0;
    h->reach = agreed ? 4 * h->reach : 8;
}
