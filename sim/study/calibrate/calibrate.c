/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/calibrate/calibrate.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative standard deviations: repeated runs differ by 1 % in work; clock and power are means of samples that swing
 * by one or two clock bins. Assumed: docs/theory/constants.md, "rows of a sweep" */
static const double work_sd = 0.01, clock_sd = 0.02, draw_sd = 0.02;
/* A residual of more than this many standard deviations counts linearly. The value is larger than Huber's 1.345
 * (1964, for 95 % efficiency), because errors of the model itself are no outliers. */
static const double huber = 5;
/* XML attributes of <class> and <gpu> that hold the unknowns, in the order of wsk_fit_value. */
static const char *const names[] = {"p0", "c", "clock-share", "clock-knee", "voltage-slope", "leakage", "duty"};
/* Mean and standard deviation of the prior of a duty. Assumed: docs/theory/constants.md, "long pauses" */
static const double usual_duty = 0.9, duty_sd = 0.3;
typedef struct {
    const wsk_gpu_params *gpu;
    const wsk_gpu_ops *ops;
    const wsk_calibrate_load *load;
    wsk_calibrate_fit *out;
} task;

static double value(const task *t, const double *x, wsk_fit_value v, double otherwise)
{
    return t->out->at[v] < 0 ? otherwise : x[t->out->at[v]];
}

static double clock_of(const wsk_gpu_params *g, const wsk_gpu_ops *ops, const wsk_calibrate_load *l,
                       const wsk_gpu_class *cls, double mean_w, double die_k)
{
    const double f = ops->clock_for(g, cls, mean_w, isnan(die_k) ? g->leakage_temp_k : die_k, 0.9 * g->clock_max_hz),
                 boost_k = isnan(die_k) ? l->boost_k : die_k;
    return wsk_min(f, isnan(boost_k) ? g->clock_max_hz : ops->boost_hz(g, boost_k));
}

/* duty: share of the time between long pauses, 1 without such pauses. */
static void complete(const wsk_gpu_params *g, const wsk_gpu_ops *ops, const wsk_calibrate_load *l, double duty,
                     wsk_gpu_class *cls)
{
    const double a2 = cls->clock_share * cls->clock_share;
    if (isnan(l->cls.traffic_w))
        cls->traffic_w = g->memory_w * (1 - a2 * a2);
    cls->memory_speed = 1;
    /* At the reference clock the work is 1 and memory traffic draws its full power, traffic_w, which is added to p0_w
     * here. */
    wsk_gpu_class there = *cls;
    there.p0_w += cls->traffic_w;
    there.traffic_w = 0;
    cls->ref_clock_hz = clock_of(g, ops, l, &there, l->ref_w, NAN);
    wsk_gpu_add_pauses(cls, duty);
}

static void set(const task *t, const double *x, wsk_gpu_params *g, wsk_gpu_class *cls)
{
    *g = *t->gpu;
    g->clock_knee_hz = value(t, x, WSK_FIT_KNEE, g->clock_knee_hz / g->clock_max_hz) * g->clock_max_hz;
    g->voltage_slope_per_hz = value(t, x, WSK_FIT_SLOPE, g->voltage_slope_per_hz * g->clock_max_hz) / g->clock_max_hz;
    g->leakage_w *= wsk_exp(value(t, x, WSK_FIT_LEAKAGE, 0));
    *cls = t->load->cls;
    cls->p0_w *= wsk_exp(value(t, x, WSK_FIT_P0, 0));
    cls->c_w_hz *= wsk_exp(value(t, x, WSK_FIT_C, 0));
    cls->clock_share = value(t, x, WSK_FIT_SHARE, 0);
    complete(g, t->ops, t->load, value(t, x, WSK_FIT_DUTY, t->load->duty), cls);
}

/* Mean power of the rows divided by that of the model: below 1 if the log leaves out time with power, or has pauses
 * besides those of the duty. It is taken from the row with the lowest limit that the card kept, because that limit
 * binds if any does. 1: no row has such a limit. If no row states a power, that of the class. */
static double mean_share(const wsk_gpu_params *g, const wsk_gpu_ops *ops, const wsk_gpu_class *cls,
                         const wsk_calibrate_load *l)
{
    const wsk_calibrate_row *lowest = NULL;
    bool drawn = false;
    for (int i = 0; i < l->rows; i++) {
        const wsk_calibrate_row *row = &l->row[i];
        drawn = drawn || !isnan(row->drawn_w);
        if (wsk_calibrate_may_bind(g, ops, row) && !isnan(row->drawn_w) &&
            !(lowest && lowest->limit_w <= row->limit_w))
            lowest = row;
    }
    if (!lowest)
        return drawn ? 1 : l->mean_share;
    return wsk_min(lowest->drawn_w / wsk_gpu_held_mean_w(ops, g, cls, ops->held_w(g, lowest->limit_w)), 1);
}

static wsk_calibrate_row modelled(const wsk_gpu_params *g, const wsk_gpu_ops *ops, const wsk_calibrate_load *l,
                                  const wsk_gpu_class *cls, double mean, const wsk_calibrate_row *row)
{
    wsk_calibrate_row out = *row;
    const double die = isnan(row->die_k) ? g->leakage_temp_k : row->die_k,
                 mean_w = wsk_calibrate_keeps_limit(g, ops, row)
                              ? wsk_gpu_held_mean_w(ops, g, cls, ops->held_w(g, row->limit_w))
                              : row->drawn_w;
    double f =
        isnan(row->limit_w) && !isnan(row->lock_hz) ? row->lock_hz : clock_of(g, ops, l, cls, mean_w, row->die_k);
    f = row->lock_hz < f ? row->lock_hz : f;
    out.work = ops->perf_rel(cls, f);
    out.clock_hz = f;
    out.drawn_w = ops->power_w(g, cls, f, die, NULL) * mean;
    return out;
}

static void residuals(void *user, const double *x, double *r)
{
    const task *t = user;
    wsk_gpu_params g;
    wsk_gpu_class cls;
    int n = 0;
    set(t, x, &g, &cls);
    const double mean = mean_share(&g, t->ops, &cls, t->load), scale = wsk_exp(value(t, x, WSK_FIT_SCALE, 0));
    for (int i = 0; i < t->load->rows; i++) {
        const wsk_calibrate_row *row = &t->load->row[i], m = modelled(&g, t->ops, t->load, &cls, mean, row);
        if (!isnan(row->work))
            r[n++] = (m.work * scale / row->work - 1) / work_sd;
        if (!isnan(row->clock_hz))
            r[n++] = (m.clock_hz / row->clock_hz - 1) / clock_sd;
        if (!isnan(row->drawn_w))
            r[n++] = (m.drawn_w / row->drawn_w - 1) / draw_sd;
    }
}

static void add(wsk_calibrate_fit *out, wsk_fit_value v, int *n, wsk_prior prior)
{
    out->at[v] = *n;
    out->prior[(*n)++] = prior;
}

static int unknowns(const wsk_gpu_params *g, const wsk_calibrate_load *l, wsk_calibrate_fit *out)
{
    int n = 0;
    for (int v = 0; v < WSK_FIT_VALUES; v++)
        out->at[v] = -1;
    add(out, WSK_FIT_P0, &n, (wsk_prior){0, l->p0_sd, -3.5, 3.5});
    add(out, WSK_FIT_C, &n, (wsk_prior){0, l->c_sd, -3.5, 3.5});
    add(out, WSK_FIT_SHARE, &n, (wsk_prior){l->cls.clock_share, l->share_sd, 0.02, 1});
    if (l->knee_sd > 0)
        add(out, WSK_FIT_KNEE, &n, (wsk_prior){g->clock_knee_hz / g->clock_max_hz, l->knee_sd, 0.3, 1});
    if (l->slope_sd > 0)
        add(out, WSK_FIT_SLOPE, &n, (wsk_prior){g->voltage_slope_per_hz * g->clock_max_hz, l->slope_sd, 0.1, 3.5});
    if (l->leakage_sd > 0)
        add(out, WSK_FIT_LEAKAGE, &n, (wsk_prior){0, l->leakage_sd, -2, 2});
    if (l->duty_sd > 0)
        add(out, WSK_FIT_DUTY, &n, (wsk_prior){l->duty, l->duty_sd, 0.1, 1});
    if (l->scale_sd > 0)
        add(out, WSK_FIT_SCALE, &n, (wsk_prior){0, l->scale_sd, -60, 60});
    return n;
}

static int row_of(const wsk_calibrate_load *l, int residual)
{
    int row = 0;
    for (int left = residual; left >= 0 && row < l->rows; row++)
        left -= wsk_calibrate_stated(&l->row[row]);
    return row - 1;
}

static double highest_w(const wsk_gpu_params *g, const wsk_gpu_ops *ops, const wsk_calibrate_load *l)
{
    double most = 0;
    for (int i = 0; i < l->rows; i++)
        most = fmax(most, isnan(l->row[i].limit_w) ? l->row[i].drawn_w : ops->held_w(g, l->row[i].limit_w));
    return most;
}

static double most_work(const wsk_calibrate_load *l)
{
    double most = 0;
    for (int i = 0; i < l->rows; i++)
        most = fmax(most, l->row[i].work);
    return most;
}

/* Without `start`, the fit begins at several points, because its cost has a minimum for memory-bound loads (low clock
 * share) that a start at a high clock share does not find. */
wsk_status wsk_calibrate_rows(const wsk_gpu_params *g, const wsk_gpu_ops *ops, const wsk_calibrate_load *l,
                              const double *start, double *r, wsk_calibrate_fit *out)
{
    /* clock share; power c x highest clock, divided by `used` */
    static const double starts[][2] = {{0.95, 0.4}, {0.7, 0.5}, {0.4, 0.5}, {0.25, 0.9}};
    const double used = highest_w(g, ops, l);
    task t = {g, ops, l, out};
    wsk_fit_problem p = {.prior = out->prior, .residuals = residuals, .user = &t, .huber = huber};
    wsk_fit best = {.cost = INFINITY};
    p.unknowns = unknowns(g, l, out);
    for (int i = 0; i < l->rows; i++)
        p.rows += wsk_calibrate_stated(&l->row[i]);
    for (size_t i = 0; i < (start ? 1 : 2 * sizeof starts / sizeof *starts); i++) {
        double from[WSK_FIT_UNKNOWNS];
        for (int k = 0; k < p.unknowns; k++)
            from[k] = start ? start[k] : out->prior[k].mean;
        if (!start) {
            if (i % 2)
                from[out->at[WSK_FIT_P0]] = log(0.3 * used / l->cls.p0_w);
            from[out->at[WSK_FIT_C]] = log(starts[i / 2][1] * used / (g->clock_max_hz * l->cls.c_w_hz));
            if (out->at[WSK_FIT_SCALE] >= 0)
                from[out->at[WSK_FIT_SCALE]] = log(most_work(l));
            from[out->at[WSK_FIT_SHARE]] = starts[i / 2][0];
        }
        const wsk_status status = wsk_fit_map(&p, from, &out->fit);
        if (status != WSK_OK)
            return status;
        if (out->fit.cost < best.cost)
            best = out->fit;
    }
    out->fit = best;
    set(&t, best.x, &out->gpu, &out->cls);
    out->mean_share = mean_share(&out->gpu, ops, &out->cls, l);
    if (r)
        residuals(&t, best.x, r);
    out->worst_row = best.worst < 0 ? -1 : row_of(l, best.worst);
    return WSK_OK;
}

wsk_calibrate_load wsk_calibrate_any(const wsk_gpu_params *g)
{
    /* mean and standard deviation of the fitted loads of all cards: docs/theory/gpu.md, "Class: fit" */
    wsk_calibrate_load l = {
        .ref_w = g->tdp_w, .p0_sd = 0.6, .c_sd = 1, .share_sd = 0.2, .duty = 1, .mean_share = 1, .boost_k = NAN};
    l.cls = (wsk_gpu_class){.p0_w = 0.15 * g->tdp_w, .clock_share = 0.75, .traffic_w = NAN, .memory_speed = 1};
    l.cls.c_w_hz = (g->tdp_w - l.cls.p0_w) / g->clock_max_hz;
    return l;
}

wsk_calibrate_load wsk_calibrate_of_class(const wsk_gpu_params *g, const wsk_gpu_ops *ops, const wsk_gpu_class *cls)
{
    wsk_calibrate_load l = wsk_calibrate_any(g);
    const double draw = ops->power_w(g, cls, cls->ref_clock_hz, g->leakage_temp_k, NULL),
                 dynamic = wsk_max(draw - cls->p0_w - cls->traffic_w, 0.1 * draw),
                 half_width = 1.28; /* 80 % of a normal distribution lie within 1.28 standard deviations */
    l.ref_w = ops->held_w(g, wsk_gpu_default_limit_w(g));
    l.duty = cls->long_pause > 0 ? 1 - cls->long_pause : cls->pauses_stated ? 1 : usual_duty;
    l.duty_sd = cls->pauses_stated ? 0 : duty_sd;
    l.cls = wsk_gpu_between(cls);
    /* the fit finds the power between pauses, which is the power that the limit acts on */
    l.cls.p0_w /= wsk_gpu_limit_share(cls);
    l.cls.c_w_hz /= wsk_gpu_limit_share(cls);
    l.cls.traffic_w /= wsk_gpu_limit_share(cls);
    l.mean_share = wsk_gpu_limit_share(cls);
    l.boost_k = g->leakage_temp_k;
    l.cls.limit_share = 1;
    l.c_sd = cls->power_spread_rel / half_width * draw / dynamic;
    l.knee_sd = 0.1;
    l.slope_sd = 0.35;
    if (cls->fitted) { /* assumed: docs/theory/constants.md, "loads of a fitted class" */
        l.p0_sd *= 0.5;
        l.share_sd *= 0.5;
        l.knee_sd *= 0.3;
        l.slope_sd *= 0.3;
    }
    l.leakage_sd = 0.35;
    return l;
}

/* unit[v]: SI value of the attribute for an unknown of 1; log: the unknown is the logarithm of a factor on unit[v]. */
static wsk_calibrated told(const wsk_gpu_params *g, const wsk_calibrate_load *l, const wsk_calibrate_fit *f,
                           wsk_fit_value v)
{
    const double unit[] = {l->cls.p0_w, l->cls.c_w_hz, 1, g->clock_max_hz, 1 / g->clock_max_hz, g->leakage_w, 1};
    const bool log = v == WSK_FIT_P0 || v == WSK_FIT_C || v == WSK_FIT_LEAKAGE;
    const wsk_prior *prior = &f->prior[f->at[v]];
    const double x = f->fit.x[f->at[v]], sd = f->fit.sd[f->at[v]], value = unit[v] * (log ? wsk_exp(x) : x);
    return (wsk_calibrated){.name = names[v],
                            .value = value,
                            .spread = sd * (log ? value : unit[v]),
                            .apart = f->fit.apart[f->at[v]] * (log ? value : unit[v]),
                            .prior = unit[v] * (log ? 1 : prior->mean),
                            .prior_spread = prior->sd * unit[v],
                            .learnt = wsk_fit_learnt(prior, sd),
                            .moved = (x - prior->mean) / prior->sd};
}

/* False: there is no row, there are too many, or row out->worst_row is impossible for this card. */
static bool load_of(const wsk_gpu_params *g, const wsk_gpu_ops *ops, const wsk_gpu_class *cls,
                    const wsk_calibrate_row *rows, size_t count, wsk_calibrate_load *l, wsk_calibration *out)
{
    double coldest = INFINITY, warmest = -INFINITY;
    bool clocks = false, work = false, drawn = false, below = false;
    *l = wsk_calibrate_of_class(g, ops, cls);
    for (size_t i = 0; i < count; i++) {
        const wsk_calibrate_row *r = &rows[i];
        out->worst_row = i;
        if (count > INT_MAX / 4 || wsk_calibrate_impossible(g, r, out))
            return false;
        coldest = fmin(coldest, r->die_k);
        warmest = fmax(warmest, r->die_k);
        clocks = clocks || !isnan(r->clock_hz);
        work = work || !isnan(r->work);
        drawn = drawn || !isnan(r->drawn_w);
        below = below || (wsk_calibrate_may_bind(g, ops, r) && r->drawn_w < 0.99 * ops->held_w(g, r->limit_w));
    }
    l->rows = (int)count;
    l->row = rows;
    l->scale_sd = work ? 10 : 0;
    l->knee_sd = clocks ? l->knee_sd : 0;
    l->slope_sd = clocks ? l->slope_sd : 0;
    l->leakage_sd = warmest - coldest >= 10 ? l->leakage_sd : 0;
    if (!(below || (drawn && cls->long_pause > 0))) {
        l->duty = 1 - cls->long_pause;
        l->duty_sd = 0;
    }
    return count > 0;
}

/* If pauses are stated, but as short ones, fits their length: the load is fitted again with all of them long. True: the
 * rows are met better so, and *l and *f are of that fit. */
static bool are_pauses_long(const wsk_gpu_params *g, const wsk_gpu_ops *ops, const wsk_gpu_class *cls,
                            const wsk_calibrate_row *rows, size_t count, wsk_calibrate_load *l, wsk_calibrate_fit *f)
{
    const double clearly = 1; /* least gain of cost: one residual by one standard deviation */
    const wsk_gpu_class longer = wsk_gpu_all_long(cls);
    wsk_calibrate_load load;
    wsk_calibrate_fit fit;
    wsk_calibration unused;
    if (!cls->pauses_stated || cls->long_pause > 0 || !(cls->pause > 0) ||
        !wsk_calibrate_may_have_bound(g, ops, rows, count) ||
        !load_of(g, ops, &longer, rows, count, &load, &unused) ||
        wsk_calibrate_rows(g, ops, &load, NULL, NULL, &fit) != WSK_OK || !(fit.fit.cost < f->fit.cost - clearly))
        return false;
    *l = load;
    *f = fit;
    return true;
}

wsk_status wsk_calibrate_card(const wsk_gpu_params *g, const wsk_gpu_ops *ops, const wsk_gpu_class *cls,
                              const wsk_calibrate_row *rows, size_t count, wsk_calibration *out)
{
    wsk_calibrate_load l;
    wsk_calibrate_fit f;
    memset(out, 0, sizeof *out);
    if (!load_of(g, ops, cls, rows, count, &l, out))
        return WSK_EUSAGE;
    const wsk_status status = wsk_calibrate_rows(g, ops, &l, NULL, NULL, &f);
    const bool are_long = status == WSK_OK && are_pauses_long(g, ops, cls, rows, count, &l, &f);
    for (int v = 0; status == WSK_OK && v < WSK_FIT_SCALE; v++)
        if (f.at[v] >= 0)
            out->values[out->count++] = told(g, &l, &f, (wsk_fit_value)v);
    if (are_long)
        out->values[out->count++] =
            (wsk_calibrated){.name = names[WSK_FIT_DUTY], .value = l.duty, .prior = l.duty, .learnt = 1};
    out->work_unit = f.at[WSK_FIT_SCALE] < 0 ? (double)NAN : wsk_exp(f.fit.x[f.at[WSK_FIT_SCALE]]);
    out->mean_share = f.mean_share;
    out->noise = f.fit.noise;
    out->worst_row = (size_t)(f.worst_row > 0 ? f.worst_row : 0);
    out->worst = f.fit.worst_r;
    return status;
}

/* out[0]: work at 70 % of highest_power_w, divided by the work at highest_power_w. out[1]: logarithm of the power drawn
 * at 70 % of the highest clock. */
static void answers(const task *t, const double *x, double highest_power_w, double die_k, double out[2])
{
    const double share = 0.7;
    wsk_gpu_params g;
    wsk_gpu_class cls;
    set(t, x, &g, &cls);
    const wsk_calibrate_row full = {.limit_w = NAN, .lock_hz = NAN, .drawn_w = highest_power_w, .die_k = die_k},
                            low = {.limit_w = NAN,
                                   .lock_hz = NAN,
                                   .drawn_w = share * highest_power_w,
                                   .die_k = die_k},
                            lock = {
                                .limit_w = NAN, .lock_hz = share * g.clock_max_hz, .drawn_w = NAN, .die_k = die_k};
    out[0] = modelled(&g, t->ops, t->load, &cls, 1, &low).work / modelled(&g, t->ops, t->load, &cls, 1, &full).work;
    out[1] = log(modelled(&g, t->ops, t->load, &cls, 1, &lock).drawn_w);
}

static wsk_calibrate_doubt doubt_of(const task *t, double highest_power_w, double die_k)
{
    const wsk_fit *f = &t->out->fit;
    double effect[2][WSK_FIT_VALUES], base[2], moved[2], sum[2] = {0}, x[WSK_FIT_UNKNOWNS];
    int n = 0;
    for (int v = 0; v < WSK_FIT_VALUES; v++)
        n += t->out->at[v] >= 0;
    memcpy(x, f->x, sizeof x);
    answers(t, x, highest_power_w, die_k, base);
    for (int k = 0; k < n; k++) {
        const double step = 0.1 * f->sd[k];
        x[k] += step;
        answers(t, x, highest_power_w, die_k, moved);
        x[k] -= step;
        for (int a = 0; a < 2; a++)
            effect[a][k] = (moved[a] - base[a]) / step;
    }
    for (int a = 0; a < 2; a++)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++)
                sum[a] += effect[a][i] * f->covariance[i][k] * effect[a][k];
    return (wsk_calibrate_doubt){sqrt(wsk_max(sum[0], 0)), sqrt(wsk_max(sum[1], 0))};
}

/* The planned row as the fitted card would show it. Like a row made from a log, it states its limit if the load has
 * pauses, else the clock that was reached. */
static wsk_calibrate_row foretold(const task *t, const wsk_calibrate_row *planned, bool pauses)
{
    wsk_gpu_params g;
    wsk_gpu_class cls;
    set(t, t->out->fit.x, &g, &cls);
    wsk_calibrate_row row = *planned;
    row.drawn_w = row.lock_hz = NAN;
    row = modelled(&g, t->ops, t->load, &cls, t->out->mean_share, &row);
    row.work =
        t->out->at[WSK_FIT_SCALE] < 0 ? (double)NAN : row.work * wsk_exp(value(t, t->out->fit.x, WSK_FIT_SCALE, 0));
    row.lock_hz = pauses ? (double)NAN : row.clock_hz;
    row.limit_w = pauses ? row.limit_w : (double)NAN;
    return row;
}

wsk_status wsk_calibrate_foretell(const wsk_gpu_params *g, const wsk_gpu_ops *ops, const wsk_gpu_class *cls,
                                  const wsk_calibrate_row *rows, int count, const wsk_calibrate_row *more,
                                  int more_count, bool pauses, wsk_calibrate_doubt *out)
{
    wsk_calibrate_load l, with;
    wsk_calibrate_fit f, after;
    wsk_calibration told;
    const task now = {g, ops, &l, &f}, then = {g, ops, &with, &after};
    double start[WSK_FIT_UNKNOWNS], highest = 0, die_k = NAN;
    if (!load_of(g, ops, cls, rows, (size_t)count, &l, &told))
        return WSK_EUSAGE;
    wsk_status status = wsk_calibrate_rows(g, ops, &l, NULL, NULL, &f);
    wsk_calibrate_row *all = calloc((size_t)(count + more_count), sizeof *all);
    if (!all)
        status = WSK_ENOMEM;
    for (int i = 0; i < count && all; i++) {
        all[i] = rows[i];
        if (rows[i].drawn_w > highest) {
            highest = rows[i].drawn_w;
            die_k = rows[i].die_k;
        }
    }
    for (int i = 0; i < more_count && status == WSK_OK; i++)
        all[count + i] = foretold(&now, &more[i], pauses);
    if (status == WSK_OK && !load_of(g, ops, cls, all, (size_t)(count + more_count), &with, &told))
        status = WSK_EUSAGE;
    if (status == WSK_OK) {
        unknowns(g, &with, &after);
        for (int v = 0; v < WSK_FIT_VALUES; v++)
            if (after.at[v] >= 0)
                start[after.at[v]] = f.at[v] >= 0 ? f.fit.x[f.at[v]] : after.prior[after.at[v]].mean;
        status = wsk_calibrate_rows(g, ops, &with, start, NULL, &after);
    }
    if (status == WSK_OK) {
        /* predicted rows lie exactly on the model, so the noise of the second fit is too low */
        const double scatter = fmax(f.fit.noise, 1) / fmax(after.fit.noise, 1);
        *out = doubt_of(&then, highest, die_k);
        out->work_rel *= scatter;
        out->power_rel *= scatter;
    }
    free(all);
    return status;
}

void wsk_calibrate_row_of(const wsk_gpu_params *gpu, const wsk_gpu_ops *ops, const wsk_gpu_class *cls,
                          const wsk_calibration *fit, const wsk_calibrate_row *row, wsk_calibrate_row *out)
{
    bool are_long = false; /* see wsk_calibrate_card */
    for (size_t i = 0; i < fit->count; i++)
        are_long = are_long || (cls->pauses_stated && strcmp(fit->values[i].name, names[WSK_FIT_DUTY]) == 0 &&
                                fit->values[i].value < 1);
    const wsk_gpu_class of = are_long ? wsk_gpu_all_long(cls) : *cls;
    const wsk_calibrate_load l = wsk_calibrate_of_class(gpu, ops, &of);
    wsk_gpu_params g = *gpu;
    wsk_gpu_class c = l.cls;
    double duty = 1 - of.long_pause;
    double *const to[] = {&c.p0_w,      &c.c_w_hz, &c.clock_share, &g.clock_knee_hz, &g.voltage_slope_per_hz,
                          &g.leakage_w, &duty};
    for (size_t i = 0; i < fit->count; i++)
        for (int v = 0; v < WSK_FIT_SCALE; v++)
            if (strcmp(fit->values[i].name, names[v]) == 0)
                *to[v] = fit->values[i].value;
    complete(&g, ops, &l, duty, &c);
    *out = modelled(&g, ops, &l, &c, fit->mean_share, row);
    out->work *= fit->work_unit;
}
