/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/calibrate/fan_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/said.h"
#include "sim/control/control.h"
#include "sim/net/spread.h"
#include "sim/num/fit.h"
#include "sim/study/calibrate/bins.h"

enum { KNOTS = 11, FEW_KNOTS = 3, MOST_CELLS = 1 << 17 };
/* knot_k: distance between two points of the fitted curve, K. A fan is fitted only if the log covers least_range_k of
 * die temperature, least_range of the highest speed and least_s seconds, and the fit explains at least `explains` of
 * the variance. Assumed: docs/theory/constants.md, "fan of a log" */
static const double knot_k = 4, least_range_k = 10, least_range = 0.05, least_s = 180, explains = 0.75;
static const double least_sd = 0.02, first_sd = 0.03, reading_sd = 0.005; /* shares of the highest speed */
/* Standard deviations of priors: slew_sd: ln of a time constant; lag_sd_s: LAG, s. huber: residual, in standard
 * deviations, above which a residual counts linearly. */
static const double slew_sd = 0.7, lag_sd_s = 2, huber = 4;
/* Uncertainty that whole degrees and hysteresis leave in the controller's temperature (over_sd_k) and, relative, in
 * its time constants (slew_rel). */
static const double smooth_s = 6, over_sd_k = 0.4, slew_rel = 0.08;
static const double stands = 0.5; /* share of a fan's slowest speed below which it stands still */
/* smallest wsk_calibrated.learnt (share of the prior's variance that the log removed) with which a fitted value
 * replaces the card's value */
static const double least_learnt = 0.1;
/* The time constant of rising speed is fitted only if readings are at most this many time constants apart. */
static const double seen_within = 2;

/* Unknowns of the fit. 0 to KNOTS - 1: speed at the first knot of the curve, and the increase from knot to knot, rpm;
 * RISE, FALL: logarithms of the factors on the card's time constants; LAG: delay of the temperature readings behind
 * those of the fan, s. */
enum { RISE = KNOTS, FALL, LAG, UNKNOWNS };
/* Readings are means over cells of equal time. */
typedef struct {
    const wsk_card *card;
    int cells, until;
    double cell_s, step_s, rise_s, fall_s; /* step_s: mean time between readings of the fan */
    double *die_k, *rpm, *model;
    /* least_rpm: slowest speed, of the card or seen in the log; turning_rpm: below it the fan stands still, 0: it never
     * stops */
    double least_rpm, turning_rpm;
    int knots, at[UNKNOWNS], unknowns;
    double knot[KNOTS];
    wsk_prior prior[UNKNOWNS];
    double sd_rpm, together; /* residuals: standard deviation, and correlation of a cell with the next */
    wsk_fit fit;
} fan_task;

static const wsk_readings *fan_of(const wsk_calibrate_trace *trace)
{
    return trace->fan_speed.count ? &trace->fan_speed : &trace->fan;
}

/* Replaces each value by the mean over smooth_s before and after its cell, so that noise and whole degrees do not
 * move the fan. */
static bool smooth(double *v, int cells, double cell_s)
{
    const int reach = (int)(smooth_s / cell_s);
    double *sum = malloc(((size_t)cells + 1) * sizeof *sum);
    if (!sum)
        return false;
    sum[0] = 0;
    for (int i = 0; i < cells; i++)
        sum[i + 1] = sum[i] + v[i];
    for (int i = 0; i < cells; i++) {
        const int side = (int)fmin(reach, fmin(i, cells - 1 - i));
        v[i] = (sum[i + side + 1] - sum[i - side]) / (2 * side + 1);
    }
    free(sum);
    return true;
}

static bool find_range(const fan_task *t, const double *v, double *low, double *high)
{
    int n = 0;
    double *sorted = t->model; /* t->model is not yet in use, so it serves as scratch memory */
    for (int i = 0; i < t->until; i++)
        if (!isnan(v[i]) && !isnan(t->rpm[i]))
            sorted[n++] = v[i];
    if (!n)
        return false;
    qsort(sorted, (size_t)n, sizeof *sorted, wsk_ascending);
    *low = sorted[n / 50];
    *high = sorted[n - 1 - n / 50];
    return true;
}

static double value_of(const fan_task *t, const double *x, int which, double otherwise)
{
    return t->at[which] < 0 ? otherwise : x[t->at[which]];
}

static wsk_curve curve_of(const fan_task *t, const double *x)
{
    wsk_calibration points = {.count = (size_t)t->knots};
    double rpm = 0;
    for (int k = 0; k < t->knots; k++) {
        rpm += value_of(t, x, k, 0);
        points.values[k] = (wsk_calibrated){.name = "fan-curve", .at = t->knot[k], .value = rpm};
    }
    return wsk_fan_fit_curve(t->card, &points);
}

/* Die temperature at the time of a fan reading: the temperature reading of `lag_s` later. */
static double die_at(const fan_task *t, int cell, double lag_s)
{
    const double at = cell + lag_s / t->cell_s, from = floor(at);
    const int i = (int)fmin(fmax(from, 0), t->cells - 1), k = i + 1 < t->cells ? i + 1 : i;
    const double share = from < 0 || from > t->cells - 1 ? 0 : at - from;
    return t->die_k[i] + share * (t->die_k[k] - t->die_k[i]);
}

/* Computes the speeds that the controller in sim/control/fans.c would set, but without its rounding of temperatures
 * and speeds. Readings do not show to the second when the die passes a whole degree, and a rounded step at the wrong
 * time would look like a slow fan. */
static void run_fan(const fan_task *t, const double *x)
{
    const wsk_cooler_params *p = t->card->cooler;
    const wsk_curve curve = curve_of(t, x);
    const double often = t->cell_s / p->period_s, lag = value_of(t, x, LAG, 0),
                 rise = t->rise_s * wsk_exp(value_of(t, x, RISE, 0)),
                 fall = t->fall_s * wsk_exp(value_of(t, x, FALL, 0)),
                 stays_up = pow(rise / (p->period_s + rise), often),
                 stays_down = pow(fall / (p->period_s + fall), often);
    double ref = die_at(t, 0, lag), rpm = NAN;
    for (int i = 0; i < t->cells; i++) {
        const double die = die_at(t, i, lag);
        ref = wsk_min(wsk_max(ref, die), die + p->hysteresis_k);
        const double goal = wsk_min(wsk_max(wsk_curve_at(&curve, ref), t->least_rpm), t->card->rpm_max);
        rpm = isnan(rpm) ? (isnan(t->rpm[0]) ? goal : t->rpm[0]) : rpm;
        rpm = goal + (rpm - goal) * (goal > rpm ? stays_up : stays_down);
        t->model[i] = rpm;
    }
}

/* Residuals in standard deviations, whitened as those of an AR(1) process: from each residual, `together` times the
 * previous one is subtracted. */
static void residuals(void *user, const double *x, double *r)
{
    const fan_task *t = user;
    double before = NAN;
    int n = 0;
    run_fan(t, x);
    for (int i = 0; i < t->until; i++) {
        const double off = t->model[i] - t->rpm[i];
        if (isnan(off))
            continue;
        r[n++] = isnan(before) ? off / t->sd_rpm
                               : (off - t->together * before) / (t->sd_rpm * sqrt(1 - t->together * t->together));
        before = off;
    }
}

static int count_rows(const fan_task *t)
{
    int n = 0;
    for (int i = 0; i < t->until; i++)
        n += !isnan(t->rpm[i]);
    return n;
}

static void weigh(fan_task *t)
{
    double sum = 0, same = 0, before = NAN;
    int n = 0;
    run_fan(t, t->fit.x);
    for (int i = 0; i < t->until; i++) {
        const double off = t->model[i] - t->rpm[i];
        if (isnan(off))
            continue;
        sum += off * off;
        same += isnan(before) ? 0 : off * before;
        before = off;
        n++;
    }
    t->sd_rpm = fmax(sqrt(sum / n), reading_sd * t->card->rpm_max);
    t->together = sum > 0 ? fmin(fmax(same / sum, 0), 0.98) : 0;
}

static void add(fan_task *t, int which, wsk_prior prior)
{
    t->at[which] = t->unknowns;
    t->prior[t->unknowns++] = prior;
}

/* Standard deviation of the prior of the card's curve at a speed, rpm: the half width that is stated for the curve,
 * or a quarter of the speed, but at least least_sd. */
static double curve_sd(const wsk_card *c, double rpm)
{
    const wsk_elem *e = c->cooler->head.elem;
    const wsk_param *p = wsk_kind_param(e->kind, "fan-curve");
    const double least = least_sd * c->rpm_max, rule = 0.25;
    if (!p || !c->cooler->curve.count)
        return fmax(rule * rpm, least);
    const wsk_spread s = wsk_spread_of(e, p, &e->origins[p - e->kind->params], rpm);
    return fmax(s.half > 0 ? s.half : rule * rpm, least);
}

double wsk_fan_slowest(const wsk_card *card)
{
    const wsk_curve curve = wsk_card_curve(card);
    int i = 0;
    while (i < curve.count && curve.y[i] <= 0)
        i++;
    return card->rpm_min <= 0 && i > 0 && i < curve.count ? curve.y[i] : 0;
}

static void list_unknowns(fan_task *t, double low_k, double high_k, double delay_s)
{
    const wsk_curve curve = wsk_card_curve(t->card);
    const double most = t->card->rpm_max;
    const int knots = (int)((high_k - low_k) / knot_k) + 1;
    double before = 0;
    t->knots = knots < FEW_KNOTS ? FEW_KNOTS : knots > KNOTS ? KNOTS : knots;
    for (int k = 0; k < UNKNOWNS; k++)
        t->at[k] = -1;
    for (int k = 0; k < t->knots; k++) {
        t->knot[k] = low_k + (high_k - low_k) * k / (t->knots - 1);
        const double rpm = fmin(fmax(wsk_curve_at(&curve, t->knot[k]), t->card->rpm_min), most);
        /* Of two cards with the same part one may stop its fan and the other not: the speed while the card is cool is
         * not known, nor the increase to the first point at which the fan turns. */
        const bool open = k ? before < t->turning_rpm && rpm >= t->turning_rpm : rpm <= t->turning_rpm;
        add(t, k,
            (wsk_prior){rpm - before, fmax(curve_sd(t->card, rpm), open ? t->turning_rpm : 0), k ? 0 : t->least_rpm,
                        most});
        before = rpm;
    }
    if (fmax(t->cell_s, t->step_s) <= seen_within * t->rise_s) /* readings further apart miss a rise */
        add(t, RISE, (wsk_prior){0, slew_sd, -2.5, 2.5});
    add(t, FALL, (wsk_prior){0, slew_sd, -2.5, 2.5});
    add(t, LAG, (wsk_prior){delay_s, lag_sd_s, -4, 14});
}

static wsk_status fit_cells(fan_task *t)
{
    wsk_fit_problem p = {.unknowns = t->unknowns,
                         .rows = count_rows(t),
                         .prior = t->prior,
                         .residuals = residuals,
                         .user = t,
                         .huber = huber,
                         .step = 0.05,
                         .quick = true,
                         .done = 1e-3};
    double start[UNKNOWNS];
    wsk_status status = WSK_OK;
    t->sd_rpm = first_sd * t->card->rpm_max;
    t->together = 0.9;
    for (int k = 0; k < t->unknowns; k++)
        start[k] = t->prior[k].mean;
    for (int pass = 0; pass < 3 && status == WSK_OK; pass++) {
        status = wsk_fit_map(&p, start, &t->fit);
        memcpy(start, t->fit.x, sizeof start);
        if (status == WSK_OK && pass < 2)
            weigh(t);
    }
    return status;
}

static double explained(const fan_task *t)
{
    double n = 0, sum = 0, squares = 0, left = 0;
    for (int i = 0; i < t->until; i++)
        if (!isnan(t->rpm[i])) {
            n++;
            sum += t->rpm[i];
            squares += t->rpm[i] * t->rpm[i];
            left += (t->model[i] - t->rpm[i]) * (t->model[i] - t->rpm[i]);
        }
    const double all = squares - sum * sum / n;
    return all > 0 ? 1 - left / all : 0;
}

/* Mean absolute error of the modelled speed, as a share of the highest speed; NAN: no readings. */
static double error_of(const fan_task *t, int from, int to)
{
    double sum = 0;
    int n = 0;
    for (int i = from; i < to; i++)
        if (!isnan(t->rpm[i])) {
            sum += fabs(t->model[i] - t->rpm[i]);
            n++;
        }
    return n ? sum / n / t->card->rpm_max : (double)NAN;
}

/* The steeper of the fitted curve's slopes before and after a knot, rpm/K. */
static double slope_at(const fan_task *t, int knot)
{
    const double step_k = t->knot[1] - t->knot[0];
    const double below = knot ? t->fit.x[t->at[knot]] : 0,
                 above = knot + 1 < t->knots ? t->fit.x[t->at[knot + 1]] : 0;
    return fmax(below, above) / step_k;
}

/* Standard deviation of the speed at a knot. It combines the uncertainties of all unknowns up to the knot, whose sum
 * the speed is, and of the temperature that the controller uses. */
static double knot_sd(const fan_task *t, int knot)
{
    double sum = pow(over_sd_k * slope_at(t, knot), 2);
    for (int i = 0; i <= knot; i++)
        for (int k = 0; k <= knot; k++)
            sum += t->fit.covariance[t->at[i]][t->at[k]];
    return sqrt(wsk_max(sum, 0));
}

/* Standard deviation of the logarithm of a time constant, which is not known better than two of the controller's
 * periods. */
static double slew_sd_of(const fan_task *t, int which, double value_s)
{
    const double sd = t->fit.sd[t->at[which]], period = 2 * t->card->cooler->period_s / value_s;
    return fmin(sqrt(sd * sd + slew_rel * slew_rel + period * period), slew_sd);
}

/* Fitted speed for the report, rpm. A speed below `stands` times the fan's slowest speed is reported as 0. */
static double told_rpm(const fan_task *t, double rpm)
{
    return rpm < stands * t->turning_rpm ? 0 : rpm;
}

static void tell(const fan_task *t, wsk_calibration *out)
{
    double rpm = 0, before = 0;
    *out = (wsk_calibration){.noise = t->fit.noise, .worst = t->fit.worst_r, .work_unit = NAN, .mean_share = NAN};
    for (int k = 0; k < t->knots; k++) {
        const wsk_prior *p = &t->prior[t->at[k]];
        const double sd = knot_sd(t, k);
        rpm += t->fit.x[t->at[k]];
        before += p->mean;
        const wsk_prior all = {.sd = fmax(curve_sd(t->card, before), before < t->turning_rpm ? t->turning_rpm : 0)};
        out->values[out->count++] = (wsk_calibrated){.name = "fan-curve",
                                                     .at = t->knot[k],
                                                     .value = told_rpm(t, rpm),
                                                     .spread = sd,
                                                     .apart = fmin(t->fit.apart[t->at[k]], sd),
                                                     .prior = before,
                                                     .prior_spread = all.sd,
                                                     .learnt = wsk_fit_learnt(&all, sd)};
    }
    if (t->least_rpm < t->card->rpm_min)
        out->values[out->count++] = (wsk_calibrated){.name = "rpm-min",
                                                     .value = told_rpm(t, t->least_rpm),
                                                     .spread = reading_sd * t->card->rpm_max,
                                                     .apart = reading_sd * t->card->rpm_max,
                                                     .prior = t->card->rpm_min,
                                                     .prior_spread = t->card->rpm_min,
                                                     .learnt = 1};
    for (int v = RISE; v <= FALL; v++) {
        const int k = t->at[v];
        if (k < 0)
            continue;
        const double base = v == RISE ? t->rise_s : t->fall_s, value = base * wsk_exp(t->fit.x[k]);
        const double sd = slew_sd_of(t, v, value);
        const bool seen = wsk_fit_learnt(&t->prior[k], sd) >= least_learnt;
        out->values[out->count++] = (wsk_calibrated){.name = v == RISE ? "fan-rise" : "fan-fall",
                                                     .value = seen ? value : base,
                                                     .spread = seen ? sd * value : t->prior[k].sd * base,
                                                     .apart = fmin(t->fit.apart[k], sd) * (seen ? value : base),
                                                     .prior = base,
                                                     .prior_spread = t->prior[k].sd * base,
                                                     .learnt = wsk_fit_learnt(&t->prior[k], sd)};
    }
}

/* Cells are as long as the controller's period, or longer for a log of days. */
static bool make_cells(fan_task *t, const wsk_calibrate_trace *trace)
{
    const wsk_readings *fan = fan_of(trace);
    const double end = fmin(fan->t_s[fan->count - 1], trace->die.t_s[trace->die.count - 1]);
    t->step_s = (fan->t_s[fan->count - 1] - fan->t_s[0]) / (double)(fan->count - 1);
    t->cell_s = fmax(t->card->cooler->period_s, end / (MOST_CELLS - 1));
    t->cells = (int)(end / t->cell_s) + 1;
    t->die_k = calloc((size_t)t->cells * 3, sizeof *t->die_k);
    if (!t->die_k)
        return false;
    t->rpm = t->die_k + t->cells;
    t->model = t->rpm + t->cells;
    wsk_bins_mean(t->die_k, t->cells, t->cell_s, &trace->die);
    wsk_bins_bridge(t->die_k, t->cells);
    wsk_bins_mean(t->rpm, t->cells, t->cell_s, fan);
    for (int i = 0; fan == &trace->fan && i < t->cells; i++)
        t->rpm[i] *= t->card->rpm_max;
    return smooth(t->die_k, t->cells, t->cell_s);
}

static bool fit_part(fan_task *t, int until, double delay_s, const wsk_said **untold, wsk_status *status)
{
    static const wsk_said still = {.code = WSK_SAY_CALIBRATE_FAN_STILL}, held = {.code = WSK_SAY_CALIBRATE_FAN_HELD};
    double low_k, high_k, slow, fast;
    t->until = until;
    t->unknowns = 0;
    *untold = &still;
    if (!find_range(t, t->die_k, &low_k, &high_k) || !find_range(t, t->rpm, &slow, &fast) ||
        high_k - low_k < least_range_k || fast - slow < least_range * t->card->rpm_max ||
        count_rows(t) * fmax(t->cell_s, t->step_s) < least_s)
        return false;
    t->least_rpm = fmin(t->card->rpm_min, slow);
    t->turning_rpm = t->least_rpm < stands * t->card->rpm_min ? t->card->rpm_min : wsk_fan_slowest(t->card);
    list_unknowns(t, low_k, high_k, delay_s);
    *status = fit_cells(t);
    if (*status != WSK_OK)
        return false;
    run_fan(t, t->fit.x);
    *untold = explained(t) < explains ? &held : NULL;
    return *untold == NULL;
}

wsk_status wsk_fan_fit(const wsk_card *card, bool own, const wsk_calibrate_trace *trace, double delay_s,
                       double held_s, wsk_log_fan *out)
{
    const wsk_readings *fan = fan_of(trace);
    wsk_status status = WSK_OK;
    *out = (wsk_log_fan){.error_rel = {NAN, NAN}};
    if (!own || fan->count < 2 || trace->die.count < 2 || card->gpu->pin_fan || !(card->rpm_max > 0))
        return WSK_OK;
    const wsk_cooler_params *p = card->cooler;
    fan_task t = {.card = card, .rise_s = fmax(p->rise_s, 0.5), .fall_s = fmax(p->fall_s, 0.5)};
    if (!make_cells(&t, trace)) {
        free(t.die_k);
        return WSK_ENOMEM;
    }
    const int held = (int)fmin(held_s / t.cell_s, t.cells);
    const wsk_said *unused;
    if (fit_part(&t, held, delay_s, &unused, &status)) {
        out->error_rel[WSK_PART_FITTED] = error_of(&t, 0, held);
        out->error_rel[WSK_PART_HELD_OUT] = error_of(&t, held, t.cells);
    }
    if (status == WSK_OK && fit_part(&t, t.cells, delay_s, &out->untold, &status))
        tell(&t, &out->fit);
    free(t.die_k);
    return status;
}

static void put_point(wsk_curve *c, double at_k, double rpm)
{
    if (c->count == WSK_CURVE_MAX || (c->count && at_k < c->x[c->count - 1] + 0.1))
        return;
    c->x[c->count] = at_k;
    c->y[c->count++] = rpm;
}

void wsk_fan_follow(const wsk_card *card, double *die_k, int cells, double cell_s, double *rpm)
{
    double unknown = NAN;
    const fan_task t = {.card = card,
                        .least_rpm = card->rpm_min,
                        .cells = cells,
                        .cell_s = cell_s,
                        .rise_s = card->cooler->rise_s,
                        .fall_s = card->cooler->fall_s,
                        .die_k = die_k,
                        .rpm = &unknown,
                        .model = rpm,
                        .at = {[RISE] = -1, [FALL] = -1, [LAG] = -1}};
    run_fan(&t, NULL);
}

wsk_curve wsk_fan_fit_curve(const wsk_card *card, const wsk_calibration *fit)
{
    const wsk_curve had = wsk_card_curve(card);
    const double beside_k = 1;
    wsk_curve out = {.count = 0};
    const wsk_calibrated *first = NULL, *last = NULL;
    for (size_t i = 0; i < fit->count; i++)
        if (fit->values[i].at > 0) {
            first = first ? first : &fit->values[i];
            last = &fit->values[i];
        }
    if (!first)
        return had;
    for (int i = 0; i < had.count && out.count < WSK_CURVE_MAX - 2 * KNOTS; i++)
        if (had.x[i] < first->at - beside_k)
            put_point(&out, had.x[i], wsk_min(had.y[i], first->value));
    for (const wsk_calibrated *v = first; v <= last; v++)
        put_point(&out, v->at, v->value);
    for (int i = 0; i < had.count; i++)
        if (had.x[i] > last->at + beside_k)
            put_point(&out, had.x[i], wsk_max(had.y[i], last->value));
    return out;
}
