/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/control/control.h"
#include "sim/net/spread.h"
#include "sim/study/calibrate/calibrate.h"
#include "sim/study/calibrate/thermal.h"

/* Least error of a one-minute mean of die and memory temperature, K, and error of a die sample in the first fit.
 * Assumed: docs/theory/constants.md, "log of a card" */
static const double least_die_k = 0.07, least_memory_k = 0.5, first_die_k = 0.7;
/* Most independent samples in a log. Assumed: docs/theory/constants.md, "log of a card" */
static const double most_samples = 100;
static const double huber = 3; /* standard deviations beyond which a residual counts linearly */

/* Prior standard deviations of the logarithm of values that state no spread. Those of die resistance (dies), board
 * conductance (boards) and board heat capacity (board_heats) are the differences between the cards that were fitted
 * (docs/theory/card.md, "Magnitudes"). All other values (unknown): docs/theory/uncertainty.md. */
static const double dies = 0.45, boards = 0.8, board_heats = 0.35, unknown = WSK_TH_UNKNOWN_REL;

double wsk_thermal_prior_rel(const wsk_elem *e, const char *name, double value, double otherwise)
{
    const double least = 0.05, most = 0.6;
    const wsk_param *p = wsk_kind_param(e->kind, name);
    const wsk_spread s =
        p ? wsk_spread_of(e, p, &e->origins[p - e->kind->params], value) : (wsk_spread){.from = WSK_SPREAD_NONE};
    if (!(s.half > 0) || !(value > 0) || s.from == WSK_SPREAD_RULE)
        return otherwise;
    return fmin(fmax(s.half / value, least), most);
}

/* Prior relative standard deviation of the fins' conductance: at least the differences between specimens, and for
 * passive cards at least the differences in the airflow that servers provide. Assumed:
 * docs/theory/constants.md, "log of a card" */
static double fins_rel(const wsk_card *c, double stated)
{
    const double specimen = 0.1, server = 0.3;
    return fmax(stated, c->cooler->head.elem->kind->traits & WSK_TRAIT_DUCTED ? server : specimen);
}

static wsk_prior factor(double rel)
{
    return (wsk_prior){0, rel, -2.3, 2.3};
}

static void add(wsk_thermal_fit *f, wsk_thermal_value v, wsk_prior prior)
{
    f->at[v] = f->unknowns;
    f->prior[f->unknowns++] = prior;
}

/* natural-factor is fitted if the fan stands still for at least this time, s */
static const double least_still_s = 60;

bool wsk_thermal_stands_still(const double *rpm, int bin)
{
    const double still_rpm = 60;
    return rpm && rpm[bin] < still_rpm;
}

static bool stops(const wsk_thermal_log *log, const wsk_thermal_card *c)
{
    int n = 0;
    for (int i = 0; i < log->bins; i++)
        n += wsk_thermal_stands_still(c->rpm, i);
    return n * log->bin_s >= least_still_s;
}

static const double rest_sd = 0.5; /* prior standard deviation of WSK_TH_REST */

static wsk_prior held_at(double x)
{
    const double held = 0.02; /* standard deviation so small that the unknown practically stays at x */
    return (wsk_prior){x, held, -0.5, 0.5};
}

void wsk_thermal_list(const wsk_thermal *th, int i, wsk_thermal_fit *f)
{
    const wsk_thermal_part *p = &th->parts[i];
    const wsk_card *c = &th->net->cards[th->log->cards[i].card];
    const wsk_cooler_params *cooler = p->cooler->params;
    const bool logged = th->log->inlet_k != NULL;
    *f = (wsk_thermal_fit){.samples = NAN};
    for (int v = 0; v < WSK_TH_UNKNOWNS; v++)
        f->at[v] = -1;
    add(f, WSK_TH_INLET, (wsk_prior){0, logged ? 1.5 : 3, -15, 15});
    add(f, WSK_TH_START_DIE, (wsk_prior){0, 1.5, -15, 15});
    add(f, WSK_TH_START_BOARD, (wsk_prior){0, 8, -40, 40});
    const bool by_size = !p->stated && wsk_kind_param(p->cooler->kind, "fin-factor");
    /* A row tells a change of the load up to a distance of the rows late, and 1.5 s holds for a row a second. */
    const double apart_s = fmax(th->log->cards[i].apart_s, 1),
                 late_s = sqrt(1.5 * 1.5 + (apart_s * apart_s - 1) / 12);
    add(f, WSK_TH_DELAY, (wsk_prior){1, late_s, -1 - apart_s, 9 + apart_s});
    add(f, WSK_TH_FINS,
        factor(fins_rel(c, by_size ? wsk_thermal_prior_rel(p->cooler, "fin-factor", cooler->fin_factor, unknown)
                                   : wsk_thermal_prior_rel(p->cooler, p->fins, p->base[WSK_TH_FINS], unknown))));
    if (p->base[WSK_TH_DIE] > 0)
        add(f, WSK_TH_DIE, factor(wsk_thermal_prior_rel(p->gpu, "die-resistance", p->base[WSK_TH_DIE], dies)));
    if (p->at[WSK_TH_FIN_HEAT])
        add(f, WSK_TH_FIN_HEAT,
            factor(wsk_thermal_prior_rel(p->cooler, "capacity", p->base[WSK_TH_FIN_HEAT], unknown)));
    add(f, WSK_TH_BOARD_HEAT,
        factor(wsk_thermal_prior_rel(p->gpu, "board-capacity", p->base[WSK_TH_BOARD_HEAT], board_heats)));
    if (p->base[WSK_TH_BOARD] > 0)
        add(f, WSK_TH_BOARD,
            factor(wsk_thermal_prior_rel(p->gpu, "board-conductance", p->base[WSK_TH_BOARD], boards)));
    if (th->log->cards[i].memory_k)
        add(f, WSK_TH_MEMORY,
            factor(wsk_thermal_prior_rel(p->gpu, "memory-resistance", p->base[WSK_TH_MEMORY], unknown)));
    if (th->log->cards[i].follows && p->slowest_rpm > 0)
        add(f, WSK_TH_REST, (wsk_prior){0, rest_sd, -0.5, 0.5});
    if (th->log->cards[i].rest_rpm)
        add(f, WSK_TH_REST, held_at(0.5));
    if (p->at[WSK_TH_STILL] && !th->log->cards[i].follows && stops(th->log, &th->log->cards[i]))
        add(f, WSK_TH_STILL,
            factor(wsk_thermal_prior_rel(p->cooler, "natural-factor", p->base[WSK_TH_STILL], unknown)));
}

typedef struct {
    wsk_thermal *th;
    wsk_thermal_fit *f;
    int card, until;
    double die_sd, memory_sd;
    bool no_memory; /* a replay ran out of memory, so that the fit is wrong */
} task;

static void put(const task *t, const double *x)
{
    for (int v = 0; v < WSK_TH_UNKNOWNS; v++)
        if (t->f->at[v] >= 0)
            t->th->parts[t->card].x[v] = x[t->f->at[v]];
}

static bool has(const double *v, int bin)
{
    return v && !isnan(v[bin]);
}

double wsk_thermal_vague(const wsk_thermal_card *c, int bin)
{
    return c->vague ? c->vague[bin] : 1;
}

static void residuals(void *user, const double *x, double *r)
{
    task *t = user;
    const wsk_thermal_card *c = &t->th->log->cards[t->card];
    const size_t row = (size_t)t->card * (size_t)t->th->log->bins;
    int n = 0;
    put(t, x);
    const wsk_status status = wsk_thermal_replay(t->th, t->card);
    const bool ok = status == WSK_OK;
    t->no_memory = t->no_memory || status == WSK_ENOMEM;
    for (int i = 0; i < t->until; i++) {
        if (has(c->die_k, i))
            r[n++] = ok ? (t->th->die_k[row + (size_t)i] - c->die_k[i]) / t->die_sd / wsk_thermal_vague(c, i)
                        : (double)NAN;
        if (has(c->memory_k, i))
            r[n++] = ok ? (t->th->memory_k[row + (size_t)i] - c->memory_k[i]) / t->memory_sd / wsk_thermal_vague(c, i)
                        : (double)NAN;
    }
}

static int count_rows(const task *t)
{
    const wsk_thermal_card *c = &t->th->log->cards[t->card];
    int n = 0;
    for (int i = 0; i < t->until; i++)
        n += has(c->die_k, i) + has(c->memory_k, i);
    return n;
}

typedef struct {
    /* of the residuals. rms: of their one-minute means, K; rms_row: of single bins, K; together: correlation of a
     * minute with the next */
    double rms, rms_row, together;
    int minutes, rows;
} scatter;

static double minute_mean(const task *t, const double *model, const double *measured, int first, scatter *out)
{
    const int bins = (int)fmax(1, 60 / t->th->log->bin_s);
    double sum = 0;
    int n = 0;
    for (int i = first; i < first + bins && i < t->until; i++)
        if (has(measured, i) && !isnan(model[i])) {
            const double off = (model[i] - measured[i]) / wsk_thermal_vague(&t->th->log->cards[t->card], i);
            sum += off;
            out->rms_row += off * off;
            n++;
        }
    out->rows += n;
    return n ? sum / n : (double)NAN;
}

static scatter scatter_of(const task *t, const double *model, const double *measured)
{
    const int bins = (int)fmax(1, 60 / t->th->log->bin_s);
    double sum = 0, same = 0, first = 0, second = 0, before = NAN;
    scatter out = {0};
    for (int i = 0; i < t->until; i += bins) {
        const double r = minute_mean(t, model, measured, i, &out);
        if (isnan(r))
            continue;
        sum += r * r;
        out.minutes++;
        if (!isnan(before)) {
            same += r * before;
            first += r * r;
            second += before * before;
        }
        before = r;
    }
    out.rms = out.minutes ? sqrt(sum / out.minutes) : 0;
    out.rms_row = out.rows ? sqrt(out.rms_row / out.rows) : 0;
    out.together = first > 0 && second > 0 ? same / sqrt(first * second) : 0;
    return out;
}

/* Number of independent samples among n correlated minutes: n (1 - rho)/(1 + rho), rho: correlation of a minute with
 * the next; at most most_samples, because errors of the model that come again with each change of the load do not
 * average out. */
static double samples_of(const scatter *s)
{
    const double rho = fmin(fmax(s->together, 0), 0.98);
    return fmin(fmax(s->minutes * (1 - rho) / (1 + rho), 1), most_samples);
}

/* Standard deviation assigned to a residual, enlarged so that all residuals together weigh as much as the independent
 * samples. */
static double row_sd(const scatter *s, double least_k)
{
    return fmax(s->rms, least_k) * sqrt(s->rows / samples_of(s));
}

static void weigh(task *t, wsk_thermal_fit *f)
{
    const wsk_thermal_card *c = &t->th->log->cards[t->card];
    const size_t row = (size_t)t->card * (size_t)t->th->log->bins;
    const scatter die = scatter_of(t, t->th->die_k + row, c->die_k);
    f->together = die.together;
    f->samples = samples_of(&die);
    f->residual_k = die.rms;
    f->left_k = die.rms_row;
    t->die_sd = row_sd(&die, least_die_k);
    if (c->memory_k) {
        const scatter m = scatter_of(t, t->th->memory_k + row, c->memory_k);
        f->memory_residual_k = m.rms;
        t->memory_sd = row_sd(&m, least_memory_k);
    }
}

/* A real fan stands still or turns at least at its slowest speed. A fitted speed of the cool card's fan below half of
 * the slowest speed therefore means that the fan stands still, and the unknown is held at standstill. */
static void decide_rest(wsk_thermal_fit *f)
{
    const int k = f->at[WSK_TH_REST];
    if (k >= 0 && f->prior[k].sd == rest_sd && f->fit.x[k] < 0)
        f->prior[k] = held_at(-0.5);
}

static wsk_status fit_once(wsk_thermal *th, int card, int until, wsk_thermal_fit *f)
{
    task t = {.th = th, .f = f, .card = card, .until = until, .die_sd = f->die_sd, .memory_sd = f->memory_sd};
    const bool weighed = f->die_sd > 0;
    double start[WSK_TH_UNKNOWNS];
    if (!weighed) {
        const double minutes = until * fmin(th->log->bin_s / 60, 1), often = until / fmax(minutes / 3, 1);
        t.die_sd = first_die_k * sqrt(often);
        t.memory_sd = 2 * t.die_sd;
    }
    wsk_fit_problem p = {.unknowns = f->unknowns,
                         .rows = count_rows(&t),
                         .prior = f->prior,
                         .residuals = residuals,
                         .user = &t,
                         .huber = huber,
                         .step = 0.1,
                         .quick = true};
    for (int v = 0; v < WSK_TH_UNKNOWNS; v++)
        if (f->at[v] >= 0)
            start[f->at[v]] = th->parts[card].x[v];
    wsk_status status = WSK_OK;
    for (int pass = 0; pass < (weighed ? 1 : 2) && status == WSK_OK; pass++) {
        p.done = weighed || pass ? 1e-3 : 2e-2; /* the first fit only finds the weights, so it may be less exact */
        status = wsk_fit_map(&p, start, &f->fit);
        status = t.no_memory ? WSK_ENOMEM : status;
        if (status != WSK_OK)
            break;
        if (!weighed && pass == 0)
            decide_rest(f);
        memcpy(start, f->fit.x, sizeof start);
        put(&t, f->fit.x);
        status = wsk_thermal_replay(th, card);
        if (status == WSK_OK)
            weigh(&t, f);
    }
    f->die_sd = t.die_sd;
    f->memory_sd = t.memory_sd;
    return status;
}

/* Fits the card again with the opposite assumption on whether its fan stops while the card is cool. The fit with the
 * smaller residuals is kept. The difference of the values in the other fit becomes one of the errors. */
static wsk_status try_other_rest(wsk_thermal *th, int card, int until, wsk_thermal_fit *f)
{
    const int k = f->at[WSK_TH_REST];
    const wsk_thermal_fit one = *f;
    double x[WSK_TH_UNKNOWNS], *now = th->parts[card].x;
    memcpy(x, now, sizeof x);
    now[WSK_TH_REST] = x[WSK_TH_REST] < 0 ? 0.5 : -0.5;
    f->prior[k] = held_at(now[WSK_TH_REST]);
    wsk_status status = fit_once(th, card, until, f);
    if (status != WSK_OK) { /* no replay with the opposite assumption: keep the first */
        *f = one;
        memcpy(now, x, sizeof x);
        return status == WSK_ENOMEM ? status : wsk_thermal_replay(th, card);
    }
    const bool better = f->residual_k < one.residual_k;
    const double share =
        pow(fmin(one.residual_k, f->residual_k) / fmax(fmax(one.residual_k, f->residual_k), 1e-9), 2);
    const wsk_thermal_fit other = better ? one : *f;
    if (better) { /* fit again with weights from its own residuals */
        status = fit_once(th, card, until, f);
    } else {
        *f = one;
        memcpy(now, x, sizeof x);
    }
    memcpy(f->other_x, other.fit.x, sizeof f->other_x);
    f->other_share = share;
    return status == WSK_OK ? wsk_thermal_replay(th, card) : status;
}

wsk_status wsk_thermal_fit_card(wsk_thermal *th, int card, int until, wsk_thermal_fit *f)
{
    const int k = f->at[WSK_TH_REST];
    const bool first = !(f->die_sd > 0);
    if (first && k >= 0)
        th->parts[card].x[WSK_TH_REST] = f->prior[k].mean;
    const wsk_status status = fit_once(th, card, until, f);
    return status == WSK_OK && first && k >= 0 ? try_other_rest(th, card, until, f) : status;
}

static const wsk_thermal_value told[] = {WSK_TH_INLET,      WSK_TH_FINS,  WSK_TH_DIE,    WSK_TH_FIN_HEAT,
                                         WSK_TH_BOARD_HEAT, WSK_TH_BOARD, WSK_TH_MEMORY, WSK_TH_STILL};
/* Smallest wsk_calibrated.learnt (share of the prior's variance that the log removed) with which the fitted fan speed
 * of a cool card replaces the speed of the part */
static const double least_rest_learnt = 0.4;

/* Temperature to which the fitted inlet value is added, K: mean of the logged inlet, or the rig's room temperature. */
static double inlet_base_k(const wsk_thermal *th)
{
    double sum_k = 0;
    for (int i = 0; th->log->inlet_k && i < th->log->bins; i++)
        sum_k += th->log->inlet_k[i];
    return th->log->inlet_k ? sum_k / th->log->bins : th->room_k;
}

static double whole_sd(const wsk_thermal_fit *f, int k)
{
    double variance = f->fit.sd[k] * f->fit.sd[k];
    for (int error = 0; error < WSK_TH_ERRORS; error++)
        variance += f->by_error[error][k] * f->by_error[error][k];
    return sqrt(variance);
}

/* Adds the fan speed of a cool card to `out` if the log shows another speed than the part states. If the fan stops
 * although the part lets it turn, adds the first two points of its curve, too. */
static void tell_rest(const wsk_thermal *th, int card, const wsk_thermal_fit *f, wsk_calibration *out)
{
    const wsk_thermal_part *p = &th->parts[card];
    const wsk_card *c = &th->net->cards[th->log->cards[card].card];
    const int k = f->at[WSK_TH_REST];
    if (k < 0)
        return;
    const bool stops = wsk_thermal_stops_anyway(th, card), part_stops = p->slowest_rpm > 0;
    const double slowest_rpm = part_stops ? p->slowest_rpm : c->rpm_min,
                 sd = fmax(whole_sd(f, k), part_stops ? 0.1 : 0),
                 learnt = wsk_fit_learnt(&(wsk_prior){.sd = rest_sd}, sd);
    const bool turns = part_stops && f->fit.x[k] >= 0 && learnt >= least_rest_learnt;
    if (!stops && !turns)
        return;
    if (stops) {
        const wsk_curve had = wsk_card_curve(c), curve = wsk_thermal_stopping(&had);
        for (int i = 0; i < 2; i++)
            out->values[out->count++] = (wsk_calibrated){.name = "fan-curve",
                                                         .at = curve.x[i],
                                                         .value = curve.y[i],
                                                         .spread = rest_sd * slowest_rpm,
                                                         .apart = rest_sd * slowest_rpm,
                                                         .prior = wsk_curve_at(&had, curve.x[i]),
                                                         .prior_spread = slowest_rpm,
                                                         .learnt = learnt};
    }
    out->values[out->count++] = (wsk_calibrated){.name = "rpm-min",
                                                 .value = stops ? 0 : (0.5 + f->fit.x[k]) * slowest_rpm,
                                                 .spread = sd * slowest_rpm,
                                                 .apart = fmin(f->fit.apart[k], sd) * slowest_rpm,
                                                 .prior = stops ? c->rpm_min : 0,
                                                 .prior_spread = rest_sd * slowest_rpm,
                                                 .learnt = learnt};
}

/* Adds the mean share of the memory's bandwidth that the log states under load. The memory was fitted with it, and a run
 * of the fitted rig has to take it, too. */
static void tell_traffic(const wsk_thermal *th, int card, const wsk_thermal_fit *f, wsk_calibration *out)
{
    const double busy = 0.9, half = 0.5, whole_percent = 0.01;
    const wsk_thermal_card *log = &th->log->cards[card];
    const wsk_card *c = &th->net->cards[log->card];
    double n = 0, sum = 0, square = 0;
    for (int i = 0; log->traffic && i < th->log->bins; i++)
        if (has(log->busy, i) ? log->busy[i] >= busy : log->power_w[i] >= half * log->highest_w) {
            n++;
            sum += log->traffic[i];
            square += log->traffic[i] * log->traffic[i];
        }
    if (f->at[WSK_TH_MEMORY] < 0 || !(n > 0))
        return;
    const double mean = sum / n, sd = sqrt(fmax(square / n - mean * mean, 0) / fmin(n, fmax(f->samples, 1))),
                 prior_sd = wsk_class_traffic_rel(th->net->cls) * c->cls.traffic, spread = fmax(sd, whole_percent);
    out->values[out->count++] =
        (wsk_calibrated){.name = "memory-traffic",
                         .value = mean,
                         .spread = spread,
                         .apart = spread,
                         .prior = c->cls.traffic,
                         .prior_spread = prior_sd,
                         .learnt = wsk_fit_learnt(&(wsk_prior){.sd = prior_sd}, fmin(spread, prior_sd))};
}

void wsk_thermal_tell(const wsk_thermal *th, int card, const wsk_thermal_fit *f, wsk_calibration *out)
{
    const wsk_thermal_part *p = &th->parts[card];
    const char *const names[] = {"inlet",
                                 p->fins,
                                 "die-resistance",
                                 "capacity",
                                 "board-capacity",
                                 "board-conductance",
                                 "memory-resistance",
                                 "natural-factor"};
    *out = (wsk_calibration){.noise = f->fit.noise, .worst = f->fit.worst_r, .work_unit = NAN, .mean_share = NAN};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        const int k = f->at[told[i]];
        if (k < 0)
            continue;
        const bool inlet = told[i] == WSK_TH_INLET;
        /* after the fit a value is at least as certain as its prior */
        const double base = inlet ? inlet_base_k(th) : p->base[told[i]], x = f->fit.x[k],
                     sd = fmin(whole_sd(f, k), f->prior[k].sd), value = inlet ? base + x : base * wsk_exp(x),
                     unit = inlet ? 1 : value;
        out->values[out->count++] = (wsk_calibrated){.name = names[i],
                                                     .value = value,
                                                     .spread = sd * unit,
                                                     .apart = fmin(f->fit.apart[k], sd) * unit,
                                                     .prior = base,
                                                     .prior_spread = f->prior[k].sd * (inlet ? 1 : base),
                                                     .learnt = wsk_fit_learnt(&f->prior[k], sd),
                                                     .moved = (x - f->prior[k].mean) / f->prior[k].sd};
    }
    tell_traffic(th, card, f, out);
    tell_rest(th, card, f, out);
}

bool wsk_calibrated_is_far(const wsk_calibrated *value)
{
    const double far_sd = 3.5; /* Assumed: docs/theory/constants.md, "log of a card" */
    return fabs(value->moved) > far_sd && strcmp(value->name, "inlet") != 0;
}
