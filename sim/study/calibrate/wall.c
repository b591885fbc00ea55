/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/calibrate/wall.h"

#include <math.h>
#include <string.h>

#include "sim/base/said.h"
#include "sim/net/cpu.h"
#include "sim/net/spread.h"
#include "sim/num/fit.h"

/* Standard deviations. meter_rel: of the meter; cards_rel: of the cards' own power sensors; least_w, least_rel: at
 * least this for a minute's mean, W and relative; least_base_w: at least this for the base load, W; specimen: of the
 * efficiency of a PSU whose part states none. Assumed: docs/theory/constants.md, "meter at the wall" */
static const double meter_rel = 0.01, cards_rel = 0.05, least_w = 0.5, least_rel = 0.002, least_base_w = 5,
                    specimen = 0.005;
/* A base load that the meter shows farther than so many standard deviations from the rig's is not drawn back to it. */
static const double most_sds = 2;
static const double huber = 3, together_s = 600, reach_s = 1800, zones_s = 54000;

/* Unknowns: addition to the base load, W; addition to the efficiencies of the PSUs; shift of the meter's clock, s;
 * relative errors of the meter and of the cards' own power sensors. */
typedef enum { BASE, LEVEL, SHIFT, METER, CARDS, UNKNOWNS } unknown;
typedef struct {
    const wsk_net *net;
    const wsk_case *host;
    const wsk_thermal_log *log;
    const double *dc_w; /* [bin][PSU]: power output of each PSU, W */
    int supplies;
    /* share of cpu.board (power of mainboard, memory, drives) that belongs to parts which the rig does not name */
    double unnamed;
    wsk_psu_law *law; /* per PSU */
    double *model;
    double *cards_w;
    const double *meter;
    double meter_read; /* number of meter bins that have a sample */
    /* number of bins of `meter`, each log->bin_s long, from the meter's first sample on */
    int meter_bins;
    double begins_s; /* time of the meter's first sample on the log's clock */
    /* minutes: length of the meter's log; minutes first..last-1 are fitted. A minute is one bin where bins are longer:
     * those of a log of days */
    int minutes, per_minute, first, last;
    double sd_w;
    wsk_prior prior[UNKNOWNS];
    wsk_fit fit;
} meter_task;

static double unnamed_share(const wsk_case *c)
{
    return c->cpu && c->cpu->board_w > 0 ? c->host_unnamed : 0;
}

const wsk_said *wsk_wall_refuses(const wsk_net *net)
{
    static const wsk_said cases = {.code = WSK_SAY_CALIBRATE_WALL_CASES},
                          board = {.code = WSK_SAY_CALIBRATE_WALL_BOARD};
    if (net->n_case != 1)
        return &cases;
    return unnamed_share(&net->cases[0]) > 0 ? NULL : &board;
}

static double half_of(const wsk_elem *e, const char *name, double value)
{
    const wsk_param *p = wsk_kind_param(e->kind, name);
    if (!p || isnan(value))
        return 0;
    const wsk_spread s = wsk_spread_of(e, p, &e->origins[p - e->kind->params], value);
    return s.half > 0 ? s.half : 0;
}

static double level_sd(const wsk_net *net)
{
    const wsk_psu_params *p = net->n_supply ? net->supplies[0].params : NULL;
    if (!p || p->spread > 0)
        return p ? p->spread : 0;
    const bool constant = p->eff_const > 0;
    const double half = half_of(net->supplies[0].elem, constant ? "efficiency" : "efficiency-50",
                                constant ? p->eff_const : p->eff[2]);
    return half > 0 ? half : specimen;
}

static double base_sd_w(const meter_task *t)
{
    const wsk_elem *cpu = t->host->cpu->head.elem;
    const wsk_cpu_params *p = t->host->cpu;
    const double board = t->unnamed * half_of(cpu, "board", p->board_w),
                 idle = p->count *
                        (isnan(p->idle_w) ? half_of(cpu, "power", p->power_w) : half_of(cpu, "idle", p->idle_w));
    return fmax(sqrt(board * board + idle * idle), least_base_w);
}

/* Share of a change of the machine's load that PSU k takes. */
static double share_of(const meter_task *t, int bin, int k)
{
    const double *dc = &t->dc_w[bin * t->supplies];
    double sum = 0;
    for (int i = 0; i < t->supplies; i++)
        sum += t->net->supplies[i].params->redundant ? dc[i] : 0;
    return sum > 0 ? t->net->supplies[k].params->redundant ? dc[k] / sum : 0 : k == wsk_rest_supply(t->net, t->host);
}

/* Fills t->model with the power at the wall of each bin, W. base_w: addition to the base load; level: addition to the
 * efficiency; cards: (power of the cards - logged power) / logged power. */
static void predict(const meter_task *t, double base_w, double level, double cards)
{
    for (int k = 0; k < t->supplies; k++) {
        const wsk_supply *s = &t->net->supplies[k];
        wsk_psu_params p = *s->params;
        double *const at[] = {&p.eff_const, &p.eff[0],    &p.eff[1],    &p.eff[2],   &p.eff[3],
                              &p.eff230[0], &p.eff230[1], &p.eff230[2], &p.eff230[3]};
        for (size_t i = 0; i < sizeof at / sizeof *at; i++)
            *at[i] = *at[i] > 0 ? wsk_min(*at[i] + level, 0.995) : *at[i];
        s->ops->prepare(&p, t->net->lines[s->line].supply_v, &t->law[k]);
    }
    for (int i = 0; i < t->log->bins; i++) {
        const double more_w = base_w + cards * t->cards_w[i];
        double sum = t->supplies ? 0 : t->dc_w[i] + more_w;
        for (int k = 0; k < t->supplies; k++) {
            const double dc = t->dc_w[i * t->supplies + k] + more_w * share_of(t, i, k);
            sum += dc > 0 ? t->net->supplies[k].ops->input_w(&t->law[k], dc) : t->law[k].standby_w;
        }
        t->model[i] = sum;
    }
}

static double model_at(const meter_task *t, double time_s)
{
    const double at = time_s / t->log->bin_s - 0.5;
    const int i = (int)floor(at);
    if (at < -0.5 || at > t->log->bins - 0.5)
        return NAN;
    if (i < 0 || i + 1 >= t->log->bins)
        return t->model[i < 0 ? 0 : t->log->bins - 1];
    return t->model[i] + (at - i) * (t->model[i + 1] - t->model[i]);
}

/* Correlation of meter and model if the meter's first sample were at begins_s on the log's clock; NAN: they overlap
 * too briefly, or one of them is almost constant. */
static double correlation(const meter_task *t, double begins_s)
{
    double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (int j = 0; j < t->meter_bins; j++) {
        const double m = model_at(t, begins_s + (j + 0.5) * t->log->bin_s), w = t->meter[j];
        if (isnan(m) || isnan(w))
            continue;
        n++;
        x += m, y += w, xx += m * m, yy += w * w, xy += m * w;
    }
    const double shorter = fmin(t->meter_bins, t->log->bins) * t->log->bin_s,
                 together = n / t->meter_read * t->meter_bins * t->log->bin_s, vx = xx / n - (x / n) * (x / n),
                 vy = yy / n - (y / n) * (y / n), flat = 0.02;
    if (together < fmax(together_s, 0.5 * shorter) || vx < pow(flat * x / n, 2) || vy < pow(flat * y / n, 2))
        return NAN;
    return (xy / n - x / n * y / n) / sqrt(vx * vy);
}

/* Sets begins_s to the start with the highest correlation above `enough`. Returns that correlation; 0: there is
 * none. */
static double search(meter_task *t, double from_s, double to_s, double enough)
{
    double best = 0;
    for (double s = from_s; s <= to_s; s += t->log->bin_s) {
        const double c = correlation(t, s);
        if (c > fmax(best, enough)) {
            best = c;
            t->begins_s = s;
        }
    }
    return best;
}

/* Sets begins_s. after_s: start of the meter after that of the log according to their clocks; NAN: unknown. False: no
 * correlation was found, so after_s (or 0) is used. A start far from after_s, as with a clock of another time zone, is
 * taken only if no start near after_s fits well, because a periodic load fits at more than one start. */
static bool find_clock(meter_task *t, double after_s)
{
    const double meter_s = t->meter_bins * t->log->bin_s, log_s = t->log->bins * t->log->bin_s, least = 0.5,
                 well = 0.9, better = 0.05;
    t->begins_s = isnan(after_s) ? 0 : after_s;
    if (isnan(after_s))
        return search(t, -meter_s, log_s, least) > 0;
    /* no start within reach_s makes them overlap */
    const bool apart = after_s + reach_s < -meter_s || after_s - reach_s > log_s;
    const double near = apart ? 0 : search(t, after_s - reach_s, after_s + reach_s, least), near_s = t->begins_s;
    const bool at_edge = near > 0 && fabs(near_s - after_s) > reach_s - 60;
    if (near > well && !at_edge)
        return true;
    return search(t, fmax(after_s - zones_s, -meter_s), fmin(after_s + zones_s, log_s),
                  at_edge ? near : fmax(least, near + better)) > 0 ||
           near > 0;
}

static bool minute_of(const meter_task *t, int minute, double shift_s, double *measured, double *modelled)
{
    int n = 0;
    *measured = *modelled = 0;
    for (int j = minute * t->per_minute; j < (minute + 1) * t->per_minute && j < t->meter_bins; j++) {
        const double m = model_at(t, t->begins_s + shift_s + (j + 0.5) * t->log->bin_s);
        if (isnan(m) || isnan(t->meter[j]))
            continue;
        *measured += t->meter[j];
        *modelled += m;
        n++;
    }
    *measured /= n;
    *modelled /= n;
    return n > 0;
}

static double minute_s(const meter_task *t, int minute)
{
    return t->begins_s + (minute + 0.5) * t->per_minute * t->log->bin_s;
}

static void residuals(void *user, const double *x, double *r)
{
    const meter_task *t = user;
    int n = 0;
    double measured, modelled, here, unused;
    predict(t, x[BASE], x[LEVEL], x[CARDS]);
    for (int i = t->first; i < t->last; i++)
        if (minute_of(t, i, 0, &measured, &unused)) /* use the same minutes for every shift of the clock */
            r[n++] =
                minute_of(t, i, x[SHIFT], &here, &modelled) ? ((1 + x[METER]) * modelled - measured) / t->sd_w : 0;
}

static int count_rows(const meter_task *t)
{
    int n = 0;
    double a, b;
    for (int i = t->first; i < t->last; i++)
        n += minute_of(t, i, 0, &a, &b);
    return n;
}

/* Standard deviation assigned to a residual, W, enlarged so that all residuals together weigh as much as the number of
 * independent minutes (*samples). */
static double row_sd_w(const meter_task *t, double *samples)
{
    double sum = 0, same = 0, mean = 0, before = NAN, measured, modelled;
    int n = 0;
    for (int i = t->first; i < t->last; i++) {
        if (!minute_of(t, i, t->fit.x[SHIFT], &measured, &modelled))
            continue;
        const double r = (1 + t->fit.x[METER]) * modelled - measured;
        sum += r * r;
        same += isnan(before) ? 0 : r * before;
        mean += measured;
        before = r;
        n++;
    }
    const double rho = sum > 0 ? fmin(fmax(same / sum, 0), 0.98) : 0;
    *samples = fmax(n * (1 - rho) / (1 + rho), 1);
    return fmax(sqrt(sum / n), fmax(least_w, least_rel * mean / n)) * sqrt(n / *samples);
}

static wsk_status fit_minutes(meter_task *t, double *samples)
{
    /* For the weights, the base load is free: what an unlikely one leaves would count as scatter of the meter, and the
     * meter as the less the farther it is from the catalogue. */
    wsk_prior prior[UNKNOWNS];
    memcpy(prior, t->prior, sizeof prior);
    prior[BASE].sd = t->prior[BASE].high;
    wsk_fit_problem p = {.unknowns = UNKNOWNS,
                         .prior = prior,
                         .rows = count_rows(t),
                         .residuals = residuals,
                         .user = t,
                         .huber = huber,
                         .step = 0.05};
    wsk_status status = WSK_OK;
    double start[UNKNOWNS] = {0};
    for (int pass = 0; pass < 3 && status == WSK_OK; pass++) {
        if (pass == 2)
            prior[BASE].sd = fmax(t->prior[BASE].sd, fabs(start[BASE]) / most_sds);
        status = wsk_fit_map(&p, start, &t->fit);
        if (status != WSK_OK)
            break;
        memcpy(start, t->fit.x, sizeof start);
        predict(t, t->fit.x[BASE], t->fit.x[LEVEL], t->fit.x[CARDS]);
        t->sd_w = pass < 2 ? row_sd_w(t, samples) : t->sd_w;
    }
    return status;
}

/* Computes CV(RMSE) and NMBE of ASHRAE Guideline 14 (p = 1, measured - modelled) for the model without the fitted
 * errors of the meter and of the cards' power sensors. */
static void judge(const meter_task *t, int from, int to, wsk_wall_error *out)
{
    double sum = 0, squares = 0, mean = 0, n = 0, measured, modelled;
    *out = (wsk_wall_error){0, NAN, NAN, NAN};
    for (int i = from; i < to; i++) {
        if (!minute_of(t, i, t->fit.x[SHIFT], &measured, &modelled))
            continue;
        n++;
        sum += measured - modelled;
        squares += (measured - modelled) * (measured - modelled);
        mean += measured;
    }
    out->minutes = (size_t)round(n * t->per_minute * t->log->bin_s / 60);
    if (n < 2)
        return;
    out->mean_w = mean / n;
    out->cv_rmse = sqrt(squares / (n - 1)) / out->mean_w;
    out->nmbe = sum / ((n - 1) * out->mean_w);
}

/* Computes means over the minutes that meter and log share: power read by the meter, and power logged by the
 * cards, W. */
static void tell_means(const meter_task *t, wsk_wall_fit *out)
{
    meter_task cards = *t;
    double n = 0, measured, logged;
    cards.model = t->cards_w;
    for (int i = 0; i < t->minutes; i++) {
        if (!minute_of(&cards, i, t->fit.x[SHIFT], &measured, &logged))
            continue;
        out->mean_w += measured;
        out->cards_mean_w += logged;
        n++;
    }
    out->mean_w /= n;
    out->cards_mean_w /= n;
}

static void tell(const meter_task *t, wsk_wall_fit *out)
{
    const double u = t->unnamed, board = t->host->cpu->board_w;
    wsk_calibration *c = &out->fit;
    *c = (wsk_calibration){
        .noise = t->fit.noise, .worst = t->fit.worst_r, .work_unit = NAN, .mean_share = NAN, .count = 1};
    c->values[0] = (wsk_calibrated){.name = "board",
                                    .value = board + t->fit.x[BASE] / u,
                                    .spread = t->fit.sd[BASE] / u,
                                    .apart = t->fit.apart[BASE] / u,
                                    .prior = board,
                                    .prior_spread = t->prior[BASE].sd / u,
                                    .learnt = wsk_fit_learnt(&t->prior[BASE], t->fit.sd[BASE]),
                                    .moved = t->fit.x[BASE] / t->prior[BASE].sd};
    if (t->supplies) {
        const wsk_psu_params *p = t->net->supplies[0].params;
        const double before = p->eff_const > 0 ? p->eff_const : p->eff[2];
        c->values[c->count++] = (wsk_calibrated){.name = p->eff_const > 0 ? "efficiency" : "efficiency-50",
                                                 .value = before + t->fit.x[LEVEL],
                                                 .spread = t->fit.sd[LEVEL],
                                                 .apart = t->fit.apart[LEVEL],
                                                 .prior = before,
                                                 .prior_spread = t->prior[LEVEL].sd,
                                                 .learnt = wsk_fit_learnt(&t->prior[LEVEL], t->fit.sd[LEVEL])};
    }
    out->cards_rel = t->fit.x[CARDS];
    out->cards_sd_rel = t->fit.sd[CARDS];
    out->cards_learnt = wsk_fit_learnt(&t->prior[CARDS], t->fit.sd[CARDS]);
    tell_means(t, out);
    out->begins_s = t->begins_s + t->fit.x[SHIFT];
    out->begins_sd_s = t->fit.sd[SHIFT];
}

static bool prepare(meter_task *t, wsk_arena *arena, const wsk_readings *wall)
{
    const double bin_s = t->log->bin_s;
    double *meter;
    t->supplies = t->net->n_supply;
    t->unnamed = unnamed_share(t->host);
    t->meter_bins = wall->count ? (int)fmin(floor(wall->t_s[wall->count - 1] / bin_s) + 1, 1e6) : 0;
    t->per_minute = (int)fmax(1, 60 / bin_s);
    t->minutes = (t->meter_bins + t->per_minute - 1) / t->per_minute;
    t->model = wsk_alloc(arena, (size_t)(t->log->bins + 1) * sizeof *t->model);
    t->meter = meter = wsk_alloc(arena, (size_t)(t->meter_bins + 1) * sizeof *meter);
    t->cards_w = wsk_alloc(arena, (size_t)(t->log->bins + 1) * sizeof *t->cards_w);
    t->law = wsk_alloc(arena, (size_t)(t->supplies + 1) * sizeof *t->law);
    int *n = wsk_alloc(arena, (size_t)(t->meter_bins + 1) * sizeof *n);
    if (!t->model || !meter || !n || !t->cards_w || !t->law)
        return false;
    for (int c = 0; c < t->log->count; c++)
        for (int i = 0; i < t->log->bins; i++)
            t->cards_w[i] += t->log->cards[c].power_w[i];
    for (size_t i = 0; i < wall->count; i++) {
        if (!(wall->value[i] > 0 && isfinite(wall->value[i])))
            continue;
        const int j = (int)fmin(wall->t_s[i] / bin_s, t->meter_bins - 1);
        meter[j] += wall->value[i];
        n[j]++;
    }
    for (int j = 0; j < t->meter_bins; j++)
        meter[j] = n[j] ? meter[j] / n[j] : (double)NAN;
    for (int j = 0; j < t->meter_bins; j++)
        t->meter_read += n[j] > 0;
    t->prior[BASE] = (wsk_prior){0, base_sd_w(t), -t->unnamed * t->host->cpu->board_w, 20 * base_sd_w(t)};
    t->prior[LEVEL] = t->supplies ? (wsk_prior){0, level_sd(t->net), -3 * level_sd(t->net), 3 * level_sd(t->net)}
                                  : (wsk_prior){0, 1e-9, -1e-9, 1e-9};
    t->prior[METER] = (wsk_prior){0, meter_rel, -5 * meter_rel, 5 * meter_rel};
    t->prior[CARDS] = (wsk_prior){0, cards_rel, -5 * cards_rel, 5 * cards_rel};
    t->prior[SHIFT] = (wsk_prior){0, fmax(2 * bin_s, 20), -4 * fmax(2 * bin_s, 20), 4 * fmax(2 * bin_s, 20)};
    return true;
}

wsk_status wsk_wall_fit_all(const wsk_net *net, wsk_arena *arena, const wsk_thermal_log *log, const double *dc_w,
                            const wsk_readings *wall, double after_s, double held_s, wsk_wall_fit *out)
{
    static const wsk_said brief = {.code = WSK_SAY_CALIBRATE_WALL_BRIEF};
    meter_task t = {.net = net, .host = &net->cases[0], .log = log, .dc_w = dc_w};
    *out = (wsk_wall_fit){.refused = wsk_wall_refuses(net), .ahead_s = NAN};
    if (out->refused)
        return WSK_EUSAGE;
    if (!prepare(&t, arena, wall))
        return WSK_ENOMEM;
    predict(&t, 0, 0, 0);
    out->clock_found = find_clock(&t, after_s);
    if (!out->clock_found)
        t.prior[SHIFT] = (wsk_prior){0, 1e-6, -1e-6, 1e-6};
    int held = 0;
    while (held < t.minutes && minute_s(&t, held) < held_s)
        held++;
    t.last = held;
    const int fitted = count_rows(&t);
    t.last = t.minutes;
    if (count_rows(&t) < 10 || fitted < 5) {
        out->refused = &brief;
        return WSK_EUSAGE;
    }
    t.last = held;
    t.sd_w = 10;
    wsk_status status = fit_minutes(&t, &out->samples);
    predict(&t, t.fit.x[BASE], t.fit.x[LEVEL], 0);
    judge(&t, 0, held, &out->error[WSK_PART_FITTED]);
    judge(&t, held, t.minutes, &out->error[WSK_PART_HELD_OUT]);
    t.last = t.minutes;
    if (status == WSK_OK && held < t.minutes)
        status = fit_minutes(&t, &out->samples);
    tell(&t, out);
    out->ahead_s = after_s - out->begins_s;
    return status;
}
