/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stride skips a number of cycles of the inputs of a run. Its errors are estimated before it, to limit its length,
 * and again from the cycles simulated after it. Headlines are the quantities whose errors count: energy, work, and
 * time limited by heat.
 * Theory: docs/theory/time.md, "Strides" */
#include <math.h>

#include "sim/books/books.h"
#include "sim/step/stride.h"

/* Limits of a stride. allowed_rel: largest estimated error of energy and of work, each as a share of its own amount.
 * allowed_k: largest estimated drift of a node's mean temperature over the stride, K. Assumed:
 * docs/theory/constants.md, "errors of strides" */
static const double allowed_rel = 5e-5, allowed_k = 0.02;
/* Error of energy and work of skipped cycles that a comparison of cycles cannot show, as a share of energy and work.
 * Assumed, as above */
static const double unseen_rel = 5e-6;
/* Largest allowed error of the time limited by heat: allowed_heat x that time, or allowed_heat_s seconds over a whole
 * run, whichever is more. */
static const double allowed_heat = 4e-3, allowed_heat_s = 30;

/* Limits under weather (outdoor air from a file). weather_rel: as allowed_rel. fade: factor by which the weight of a
 * cycle falls with each later cycle. A difference is counted as at most outlier_rel of the cycle's energy or work, or
 * outlier_heat of its length. unseen_k: error of highest temperatures that a comparison of cycles cannot show.
 * Assumed: docs/theory/constants.md, "errors under weather" */
static const double weather_rel = 6e-5, fade = 0.998, outlier_rel = 2e-3, outlier_heat = 0.1, unseen_k = 0.01;

int wsk_cycles_needed(const wsk_stride *s)
{
    return s->cycle.length_ns > INT64_C(43200) * WSK_NS ? 1 : 2;
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

static double clamp(double x, double most)
{
    return x > most ? most : x < -most ? -most : x;
}

static void count_difference(wsk_check *c, double differ, double of, double most)
{
    const double d = clamp(differ, most);
    c->n = 1 + fade * c->n;
    c->bias = d + fade * c->bias;
    c->spread = d * d + fade * c->spread;
    c->of = of + fade * c->of;
}

/* Estimated error of each skipped cycle: the mean difference of the compared cycles from their references, plus the
 * standard error of that mean. The compared cycles stand for the skipped ones, as a random sample would. */
static double error_by_checks(const wsk_check *c)
{
    return c->n > 0 ? (fabs(c->bias) + sqrt(c->spread)) / c->n : INFINITY;
}

void wsk_count_check(wsk_run *run, const double differ[WSK_HEADLINES])
{
    const wsk_stride *s = run->stride;
    wsk_stride_head *h = s->head;
    double of[WSK_HEADLINES];
    wsk_take_headlines(run, s->fresh, of);
    for (int k = 0; k < WSK_OF_HEAT; k++)
        count_difference(&h->checks[k], differ[k], of[k], outlier_rel * of[k]);
    if (of[WSK_OF_HEAT] > 0 || differ[WSK_OF_HEAT] != 0)
        count_difference(&h->checks[WSK_OF_HEAT], differ[WSK_OF_HEAT], of[WSK_OF_HEAT],
                         outlier_heat * (double)s->cycle.length_ns / 1e9);
    h->apart_k = wsk_apart_k(run) + fade * h->apart_k;
}

bool wsk_checks_allow(const wsk_stride_head *h, int headline)
{
    const wsk_check *c = &h->checks[headline];
    return error_by_checks(c) * c->n <= (headline == WSK_OF_HEAT ? allowed_heat : weather_rel) * c->of;
}

static void estimate(const wsk_run *run, double periods, double error[WSK_HEADLINES])
{
    const wsk_stride *s = run->stride;
    for (int k = 0; k < WSK_HEADLINES && s->cycle.weather; k++)
        error[k] = error_by_checks(&s->head->checks[k]);
    if (s->cycle.weather)
        return;
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

/* The errors of cost and carbon rise in proportion to the error of energy. */
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
    if (s->cycle.weather && !(skipped[WSK_OF_HEAT] > 0))
        error[WSK_OF_HEAT] = 0;
    error[WSK_OF_ENERGY] += unseen_rel * all[WSK_OF_ENERGY];
    error[WSK_OF_WORK] += unseen_rel * all[WSK_OF_WORK];
    h->cost_per_j = per_joule(before->cost, after.cost, skipped[WSK_OF_ENERGY]);
    h->carbon_kg_per_j = per_joule(before->carbon_kg, after.carbon_kg, skipped[WSK_OF_ENERGY]);
    for (int k = 0; k < WSK_HEADLINES; k++) {
        h->expected[k] = 0;
        expect_error(h, k, (double)cycles * error[k]);
    }
    h->error_k = wsk_max(h->error_k, s->cycle.weather ? unseen_k + h->apart_k / h->checks[0].n
                                                      : 0.5 * find_drift_k(run) + h->noise_k);
    h->error_peak_rel =
        wsk_max(h->error_peak_rel, all[WSK_OF_ENERGY] > 0 ? error[WSK_OF_ENERGY] / all[WSK_OF_ENERGY] : 0);
}

void wsk_settle_stride(wsk_run *run, const double differ[WSK_HEADLINES], bool agreed)
{
    const int64_t most_reach = 1 << 20;
    wsk_stride *s = run->stride;
    wsk_stride_head *h = s->head;
    for (int k = 0; k < WSK_HEADLINES && !s->cycle.weather; k++) {
        const double error = 0.5 * (double)h->pending * fabs(differ[k]);
        if (error > h->expected[k])
            expect_error(h, k, error);
    }
    if (!s->cycle.weather)
        h->error_k = wsk_max(h->error_k, wsk_apart_k(run));
    if (agreed && h->agreeing + 1 < wsk_cycles_needed(s))
        return;
    const double periods = (double)h->pending * (double)s->cycle.length_ns /
                           (double)(s->cycle.slow_ns ? s->cycle.slow_ns : s->cycle.length_ns);
    h->pending = 0;
    h->reach = !agreed                 ? (int64_t)wsk_max(WSK_FIRST_REACH, periods / 16)
               : h->reach < most_reach ? 4 * h->reach
                                       : h->reach;
}
