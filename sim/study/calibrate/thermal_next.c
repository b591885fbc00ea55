/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the next recording, a log that the user is advised to make. A few recordings are simulated with the fitted
 * card. The temperatures of each, taken as further measurements, give the uncertainty that the GPU or memory
 * temperature at full load would then have. Chosen is the shortest recording whose uncertainty is near the smallest.
 * electrical.c computes the uncertainties of work and watts. docs/theory/calibration.md, "What to record next". */
#include <math.h>
#include <string.h>

#include "sim/study/calibrate/thermal.h"

/* One stretch of a recording. share: share of the power at full load, at least the card's lowest limit; 0: the card is
 * idle. fan: share of the highest fan speed; 0: as in the second stretch. If it is 0 in the second stretch, the card
 * controls its fan. */
typedef struct {
    double for_s, share, fan;
} stretch;
enum { STRETCHES = 6 };
static const struct {
    const char *name;
    bool traffic; /* true: the load is memory-bound */
    stretch of[STRETCHES];
} recordings[WSK_NEXTS] = {
    [WSK_NEXT_SOAK] = {"soak", false, {{300, 0, 0}, {1800, 1, 0}}},
    [WSK_NEXT_STAIRCASE] = {"staircase",
                            false,
                            {{300, 0, 0}, {1800, 1, 0}, {1800, 0.85, 0}, {1800, 0.7, 0}, {1800, 0.55, 0}}},
    [WSK_NEXT_FAN] = {"fan", false, {{300, 0, 0}, {900, 1, 0.4}, {900, 1, 0.8}}},
    [WSK_NEXT_IDLE] = {"idle", false, {{300, 0, 0}, {900, 1, 0}, {3600, 0, 0}}},
    [WSK_NEXT_MEMORY] = {"memory", true, {{300, 0, 0}, {1800, 0.85, 0}}}};
static const double bin_s = 30;

const char *wsk_calibrate_next_name(wsk_calibrate_next which, double *for_s)
{
    *for_s = 0;
    for (int i = 0; i < STRETCHES; i++)
        *for_s += recordings[which].of[i].for_s;
    return recordings[which].name;
}

/* Power of a card at full load, W: its modelled power under its class of work at its power limit, but at least the
 * highest logged power and at most the limit. The highest logged power alone would be too low if the card was never
 * loaded. */
static double full_load_w(const wsk_card *c, const wsk_thermal_card *log)
{
    const wsk_gpu_params *g = c->gpu;
    const double warm_k = g->leakage_temp_k, held_w = c->ops->held_w(g, c->limit_w);
    if (!isnan(g->pin_power_w))
        return g->pin_power_w;
    if (!c->works)
        return held_w;
    const double f = fmin(c->ops->clock_for(g, &c->cls, wsk_card_held_w(c, c->limit_w), warm_k, g->clock_max_hz),
                          c->ops->boost_hz(g, warm_k));
    return fmin(held_w, fmax(log->highest_w, c->ops->power_w(g, &c->cls, f, warm_k, NULL)));
}

static bool make_log(wsk_thermal_log *out, wsk_arena *arena, const wsk_thermal *of, wsk_calibrate_next which)
{
    double for_s;
    (void)wsk_calibrate_next_name(which, &for_s);
    const int bins = (int)(for_s / bin_s), count = of->log->count;
    *out = (wsk_thermal_log){.bins = bins, .count = count, .bin_s = bin_s};
    out->cards = wsk_alloc(arena, (size_t)count * sizeof *out->cards);
    for (int i = 0; i < count && out->cards; i++) {
        const wsk_thermal_card *log = &of->log->cards[i];
        const wsk_card *c = &of->net->cards[log->card];
        wsk_thermal_card *to = &out->cards[i];
        const bool fixed = recordings[which].of[1].fan > 0;
        const double full_w = full_load_w(c, log),
                     least_w = recordings[which].traffic ? 0 : fmin(c->limit_min_w, full_w);
        *to = (wsk_thermal_card){.card = log->card,
                                 .power_w = wsk_alloc(arena, (size_t)bins * sizeof *to->power_w),
                                 .rpm = fixed ? wsk_alloc(arena, (size_t)bins * sizeof *to->rpm) : NULL,
                                 .opening_w = c->gpu->idle_w,
                                 .opening_rpm = NAN,
                                 .highest_w = full_w,
                                 .from_w = c->gpu->idle_w};
        double end = recordings[which].of[0].for_s;
        for (int bin = 0, k = 0; bin < bins && to->power_w; bin++) {
            while (bin * bin_s >= end)
                end += recordings[which].of[++k].for_s;
            const stretch *s = &recordings[which].of[k];
            to->power_w[bin] = s->share > 0 ? fmax(s->share * full_w, least_w) : c->gpu->idle_w;
            if (to->rpm)
                to->rpm[bin] = (s->fan > 0 ? s->fan : recordings[which].of[1].fan) * c->rpm_max;
        }
        to->opening_rpm = to->rpm ? to->rpm[0] : (double)NAN;
    }
    return !wsk_arena_failed(arena);
}

static bool possible(const wsk_thermal *of, int card, wsk_calibrate_next which)
{
    const wsk_card *c = &of->net->cards[of->log->cards[card].card];
    if (which == WSK_NEXT_FAN)
        return c->mover >= 0 && of->net->movers[c->mover].control == NULL;
    return which != WSK_NEXT_MEMORY || of->log->cards[card].memory_k;
}

/* Effects of the unknowns of a card on its temperatures in the bins of a recording, K per unit of the unknown. */
typedef struct {
    int bins;
    double *die, *memory; /* [unknown][bin] */
} effects;

static void set_traffic(wsk_thermal *th)
{
    for (wsk_elem *e = th->plan->rig->child; e; e = e->next)
        if (strcmp(e->kind->element, "workload") == 0)
            ((wsk_workload_params *)e->params)->traffic = 1;
}

static wsk_status stand(wsk_thermal *th, const wsk_thermal *of)
{
    for (int i = 0; i < of->log->count; i++) {
        memcpy(th->parts[i].x, of->parts[i].x, sizeof th->parts[i].x);
        th->parts[i].x[WSK_TH_START_DIE] = th->parts[i].x[WSK_TH_START_BOARD] = th->parts[i].x[WSK_TH_DELAY] = 0;
    }
    th->rest_known = true;
    const wsk_status status = wsk_thermal_open(th);
    for (int i = 0; i < of->log->count && status == WSK_OK; i++) {
        const wsk_card *c = &of->net->cards[th->log->cards[i].card];
        th->log->cards[i].from_die_k =
            th->t[c->heatsink] + *th->room_at - th->room_k + c->die_res_k_w * wsk_die_w(c, NAN, c->gpu->idle_w);
    }
    return status;
}

static wsk_status find_effects(effects *out, wsk_arena *arena, const wsk_thermal *of, int card,
                               wsk_calibrate_next which, const wsk_thermal_fit *f)
{
    wsk_thermal_log log;
    wsk_thermal th;
    if (!make_log(&log, arena, of, which))
        return WSK_ENOMEM;
    wsk_status status = wsk_thermal_make(&th, arena, of->net, &log);
    if (status == WSK_OK && recordings[which].traffic)
        set_traffic(&th);
    const size_t bins = (size_t)log.bins, cells = bins * WSK_TH_UNKNOWNS;
    *out = (effects){log.bins, wsk_alloc(arena, cells * sizeof(double)), wsk_alloc(arena, cells * sizeof(double))};
    double *base = wsk_alloc(arena, 2 * bins * sizeof *base);
    if (status == WSK_OK && wsk_arena_failed(arena))
        status = WSK_ENOMEM;
    if (status == WSK_OK)
        status = stand(&th, of);
    if (status == WSK_OK)
        status = wsk_thermal_replay(&th, card);
    bool follows = false;
    for (int i = 0; i < log.count && status == WSK_OK; i++) {
        wsk_thermal_follow(&log, arena, of->net, th.die_k + (size_t)i * bins, &log.cards[i]);
        follows = follows || log.cards[i].follows;
    }
    if (status == WSK_OK)
        wsk_thermal_follow_cards(&log, arena, of->net, th.die_k, 0);
    for (int i = 0; i < of->net->n_mover && log.case_rpm; i++)
        follows = follows || log.case_rpm[i];
    if (status == WSK_OK && wsk_arena_failed(arena))
        status = WSK_ENOMEM;
    if (status == WSK_OK && follows)
        status = wsk_thermal_replay(&th, card);
    for (int v = -1; v < WSK_TH_UNKNOWNS && status == WSK_OK; v++) {
        const double *die = th.die_k + (size_t)card * bins, *memory = th.memory_k + (size_t)card * bins;
        if (v < 0) {
            memcpy(base, die, bins * sizeof *base);
            memcpy(base + bins, memory, bins * sizeof *base);
            continue;
        }
        if (f->at[v] < 0)
            continue;
        double *x = &th.parts[card].x[v];
        const double at = *x, step = 0.5 * f->fit.sd[f->at[v]];
        *x += step;
        status = wsk_thermal_replay(&th, card);
        *x = at;
        for (size_t i = 0; i < bins && status == WSK_OK; i++) {
            out->die[(size_t)f->at[v] * bins + i] = (die[i] - base[i]) / step;
            out->memory[(size_t)f->at[v] * bins + i] = (memory[i] - base[bins + i]) / step;
        }
    }
    return status;
}

typedef double square[WSK_FIT_UNKNOWNS][WSK_FIT_UNKNOWNS];

static double spread(square c, const double *g, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            sum += g[i] * c[i][k] * g[k];
    return sqrt(wsk_max(sum, 0));
}

/* Updates the covariance c of the unknowns by a measurement with effects g and standard deviation sd: c - c g g' c /
 * (sd^2 + g' c g). */
static void learn(square c, const double *g, int n, double sd)
{
    double by[WSK_FIT_UNKNOWNS] = {0}, sum = sd * sd;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            by[i] += c[i][k] * g[k];
    for (int i = 0; i < n; i++)
        sum += g[i] * by[i];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            c[i][k] -= by[i] * by[k] / sum;
}

static void column_of(const double *effect, int bins, int bin, int n, double *g)
{
    for (int k = 0; k < n; k++)
        g[k] = effect[k * bins + bin];
}

/* Sets the covariance before a new recording: that of the log, but the initial state and the sensor's delay are as
 * uncertain as in the prior, because they differ between recordings. */
static void begin_anew(const wsk_thermal_fit *f, square c)
{
    memcpy(c, f->fit.covariance, sizeof(square));
    for (int v = WSK_TH_START_DIE; v < WSK_TH_UNKNOWNS; v++) {
        const int at = f->at[v];
        for (int k = 0; k < f->unknowns && at >= 0; k++)
            c[at][k] = c[k][at] = k == at ? f->prior[at].sd * f->prior[at].sd : 0;
    }
}

/* Standard deviation of the temperature at full load after a recording. The recording's measurements are assumed to
 * have the same scatter and correlation in time as those of the log. */
static double after(const wsk_thermal *th, int card, const wsk_thermal_fit *f, const effects *e, const double *goal)
{
    const wsk_thermal_card *log = &th->log->cards[card];
    const double minutes = e->bins * bin_s / 60, rho = fmin(fmax(f->together, 0), 0.98),
                 samples = fmax(minutes * (1 - rho) / (1 + rho), 1), per = sqrt(e->bins / samples),
                 of_log = sqrt(fmax(f->samples, 1) / fmax(log->last - log->first + 1, 1));
    const double least_k = 0.07, die_sd = fmax(f->residual_k, least_k) * per, memory_sd = f->memory_sd * of_log * per;
    double g[WSK_FIT_UNKNOWNS];
    square c;
    begin_anew(f, c);
    for (int i = 0; i < e->bins; i++) {
        column_of(e->die, e->bins, i, f->unknowns, g);
        learn(c, g, f->unknowns, die_sd);
        column_of(e->memory, e->bins, i, f->unknowns, g);
        if (log->memory_k)
            learn(c, g, f->unknowns, memory_sd);
    }
    return spread(c, goal, f->unknowns);
}

/* Sets the effects of the unknowns on a temperature at the end of the recording. The effects of the initial state and
 * of the sensor's delay are set to 0, because these are no values of the card and its room. */
static void set_goal(const effects *e, const double *effect, const wsk_thermal_fit *f, double *goal)
{
    column_of(effect, e->bins, e->bins - 1, f->unknowns, goal);
    for (int v = WSK_TH_START_DIE; v < WSK_TH_UNKNOWNS; v++)
        if (f->at[v] >= 0)
            goal[f->at[v]] = 0;
}

/* Standard deviation of a temperature, K, including the errors that no recording reduces: the residual of the fitted
 * model in a minute (model_k), and the errors of the inputs of the fit. */
static double with_rest(double sd, double model_k, const wsk_thermal_fit *f, const double *goal)
{
    double variance = sd * sd + model_k * model_k;
    for (int error = 0; error < WSK_TH_ERRORS; error++) {
        double moved = 0;
        for (int k = 0; k < f->unknowns; k++)
            moved += goal[k] * f->by_error[error][k];
        variance += moved * moved;
    }
    return sqrt(variance);
}

wsk_status wsk_thermal_next(const wsk_thermal *th, int card, const wsk_thermal_fit *f, wsk_log_fit *out)
{
    const bool memory = th->log->cards[card].memory_k;
    const double off_k[2] = {f->residual_k, f->memory_residual_k};
    double goal[2][WSK_FIT_UNKNOWNS] = {{0}};
    wsk_status status = WSK_OK;
    out->highest_w = th->log->cards[card].highest_w;
    out->apart_s = th->log->cards[card].apart_s;
    out->full_w = full_load_w(&th->net->cards[th->log->cards[card].card], &th->log->cards[card]);
    for (int which = 0; which < WSK_NEXTS && status == WSK_OK; which++) {
        effects e;
        if (!possible(th, card, (wsk_calibrate_next)which))
            continue;
        wsk_arena *arena = wsk_arena_new();
        status = arena ? find_effects(&e, arena, th, card, (wsk_calibrate_next)which, f) : WSK_ENOMEM;
        /* the last bin of this recording gives the temperature at full load */
        if (status == WSK_OK && which == WSK_NEXT_SOAK) {
            square c;
            set_goal(&e, e.die, f, goal[WSK_GOAL_TEMPERATURE]);
            set_goal(&e, e.memory, f, goal[WSK_GOAL_MEMORY]);
            begin_anew(f, c);
            for (int g = 0; g <= memory; g++)
                out->now[g] = with_rest(spread(c, goal[g], f->unknowns), off_k[g], f, goal[g]);
        }
        for (int g = 0; g <= memory && status == WSK_OK; g++)
            out->then[g][which] = with_rest(after(th, card, f, &e, goal[g]), off_k[g], f, goal[g]);
        wsk_arena_free(arena);
    }
    return status;
}

const char *wsk_calibrate_goal_name(wsk_calibrate_goal goal)
{
    static const char *const names[WSK_GOALS] = {"temperature", "memory", "work", "watts"};
    return names[goal];
}

bool wsk_calibrate_loaded(const wsk_log_fit *fit)
{
    const double loaded = 0.7;
    return fit->highest_w >= loaded * fit->full_w;
}

bool wsk_calibrate_too_hot(const wsk_log_fit *fit)
{
    const double margin_k = 10; /* sensors and thresholds of specimens differ by a few kelvins */
    return fit->hottest_k > fit->shutdown_k + margin_k;
}

/* Chooses the next recording for a goal: the shortest of those that leave nearly as small an uncertainty as the best
 * one. -1: no recording is needed or helps. fine[goal]: uncertainty that is small enough: 0.5 K is the rounding of a
 * sensor of whole degrees, and repeated runs differ by 1 % in work and 2 % in power. If the log is far from full load,
 * a temperature at full load never counts as known well enough, because only the model predicts it. */
int wsk_calibrate_next_for(const wsk_log_fit *fit, wsk_calibrate_goal goal)
{
    static const double fine[WSK_GOALS] = {0.5, 1, 0.01, 0.02};
    const double nearly = 1.1, worth = 0.9, *then = fit->then[goal];
    const bool far = !wsk_calibrate_loaded(fit) && (goal == WSK_GOAL_TEMPERATURE || goal == WSK_GOAL_MEMORY);
    int best = -1, chosen = -1;
    double shortest = INFINITY, for_s;
    for (int i = 0; i < WSK_NEXTS; i++)
        if (!isnan(then[i]) && !(far && i == WSK_NEXT_IDLE) && (best < 0 || then[i] < then[best]))
            best = i;
    if (best < 0 || (!far && (fit->now[goal] < fine[goal] || then[best] > worth * fit->now[goal])))
        return -1;
    for (int i = 0; i < WSK_NEXTS; i++) {
        (void)wsk_calibrate_next_name((wsk_calibrate_next)i, &for_s);
        if (then[i] <= nearly * then[best] && !(far && i == WSK_NEXT_IDLE) && for_s < shortest) {
            chosen = i;
            shortest = for_s;
        }
    }
    return chosen;
}
