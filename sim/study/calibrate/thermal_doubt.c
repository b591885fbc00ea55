/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds how far the values and predictions of a card's fit may be off, also because of errors in the inputs of
 * the log's replay. docs/theory/calibration.md, "Method" */
#include <math.h>
#include <string.h>

#include "sim/control/control.h"
#include "sim/study/calibrate/calibrate.h"
#include "sim/study/calibrate/thermal.h"

/* Relative error of the predicted rise of the die over the room while the fan stands still. law_share: for a cooler
 * whose natural-factor is fitted; still_share: for any other cooler. Assumed:
 * docs/theory/constants.md, "card with a still fan" */
static const double law_share = 0.1, still_share = 0.25;
/* Excess of the temperature that a fan controller uses over the logged or replayed temperature, K, because controllers
 * and logs round to whole degrees. Assumed: docs/theory/constants.md, "temperature that a controller reads" */
static const double reads_k = 0.4;
/* Raises one of the values from which power is modelled by its standard deviation: idle power, power at the reference
 * clock, or fixed power with the same power at the reference clock. */
static void move_watts(const wsk_card *c, int error, wsk_gpu_class *cls, double *idle_w)
{
    const wsk_calibrate_load l = wsk_calibrate_of_class(c->gpu, c->ops, cls);
    wsk_gpu_class still = *cls;
    still.c_w_hz = 0;
    const double ref = cls->ref_clock_hz, warm_k = c->gpu->leakage_temp_k,
                 by_clock = c->ops->power_w(c->gpu, cls, ref, warm_k, NULL) -
                            c->ops->power_w(c->gpu, &still, ref, warm_k, NULL),
                 fixed = wsk_min(l.p0_sd * cls->p0_w, 0.8 * by_clock);
    if (error == WSK_TH_IDLE_WATTS) {
        *idle_w *= 1 + wsk_thermal_prior_rel(c->elem, "idle", *idle_w, WSK_TH_UNKNOWN_REL);
    } else if (error == WSK_TH_DRAW) {
        cls->c_w_hz *= 1 + l.c_sd;
    } else if (!cls->own && by_clock > 0) {
        cls->p0_w += fixed;
        cls->c_w_hz *= 1 - fixed / by_clock;
    }
}

/* True if the card works at two powers so different that the host's load at the lower one matters. */
static bool has_levels(const wsk_thermal *th, const wsk_thermal_card *log)
{
    const double works = 0.2, apart = 0.1;
    double low_w = log->highest_w;
    for (int i = 0; i < th->log->bins; i++)
        low_w = log->power_w[i] > works * log->highest_w ? fmin(low_w, log->power_w[i]) : low_w;
    return th->net->host_load > 0 && low_w < (1 - apart) * log->highest_w;
}

static bool has_others(const wsk_thermal *th)
{
    for (int i = 0; i < th->net->n_card; i++)
        if (wsk_thermal_is_other(th, i))
            return true;
    return false;
}

static wsk_status refit(wsk_thermal *th, int card, const wsk_thermal_fit *f, double *x)
{
    wsk_thermal_fit again = *f;
    const wsk_status status = wsk_thermal_fit_card(th, card, th->log->bins, &again);
    memcpy(x, again.fit.x, sizeof again.fit.x);
    return status;
}

static void move_modelled_watts(wsk_thermal *th, int card, int error)
{
    wsk_thermal_card *log = &th->log->cards[card];
    const wsk_card *c = &th->net->cards[log->card];
    wsk_gpu_class cls = c->cls;
    double idle_w = c->gpu->idle_w;
    move_watts(c, error, &cls, &idle_w);
    for (int i = 0; i < th->log->bins; i++)
        log->power_w[i] += wsk_thermal_modelled_w(c, &cls, idle_w, log, i) -
                           wsk_thermal_modelled_w(c, &c->cls, c->gpu->idle_w, log, i);
}

static wsk_status refit_moved(wsk_thermal *th, int card, const wsk_thermal_fit *f, int error, const double *watts,
                              double *x)
{
    wsk_thermal_part *p = &th->parts[card];
    if (error < WSK_TH_HOST)
        move_modelled_watts(th, card, error);
    if (error == WSK_TH_STILL_AIR)
        p->x[WSK_TH_STILL] =
            wsk_thermal_prior_rel(p->cooler, "natural-factor", p->base[WSK_TH_STILL], WSK_TH_UNKNOWN_REL);
    th->full_host = error == WSK_TH_HOST;
    th->others_rest = error == WSK_TH_OTHERS;
    const wsk_status status = refit(th, card, f, x);
    th->full_host = th->others_rest = false;
    p->x[WSK_TH_STILL] = error == WSK_TH_STILL_AIR ? 0 : p->x[WSK_TH_STILL];
    memcpy(th->log->cards[card].power_w, watts, (size_t)th->log->bins * sizeof *watts);
    return status;
}

static const double *speeds_of(const wsk_thermal *th, int card)
{
    const wsk_thermal_card *c = &th->log->cards[card];
    return wsk_thermal_stops_anyway(th, card) ? c->rest_rpm : c->rpm;
}

/* True if a fan whose speeds are not logged stands still at some time. */
static bool rests(const wsk_thermal *th, int card)
{
    bool still = false;
    for (int i = 0; i < th->log->bins; i++)
        still = still || wsk_thermal_stands_still(speeds_of(th, card), i);
    return still && th->log->cards[card].follows && th->parts[card].at[WSK_TH_STILL] &&
           !(th->parts[card].slowest_rpm > 0 && th->parts[card].x[WSK_TH_REST] > 0);
}

wsk_status wsk_thermal_doubt_inputs(wsk_thermal *th, int card, wsk_thermal_fit *f)
{
    const wsk_thermal_card *log = &th->log->cards[card];
    const size_t size = (size_t)th->log->bins * sizeof *log->power_w;
    const bool modelled = !log->drawn_w, levels = has_levels(th, log), others = has_others(th),
               still = rests(th, card);
    const bool may[WSK_TH_ERRORS] = {modelled, modelled, modelled, levels, others, still};
    double found[WSK_TH_UNKNOWNS], base[WSK_FIT_UNKNOWNS], moved[WSK_FIT_UNKNOWNS], *watts;
    for (int k = 0; k < f->unknowns && f->other_share > 0; k++)
        f->by_error[WSK_TH_FAN_RESTS][k] = f->other_share * (f->other_x[k] - f->fit.x[k]);
    if (!modelled && !levels && !others && !still)
        return WSK_OK;
    if (!(watts = wsk_alloc(th->arena, size)))
        return WSK_ENOMEM;
    memcpy(found, th->parts[card].x, sizeof found);
    memcpy(watts, log->power_w, size);
    wsk_status status = refit(th, card, f, base);
    for (int error = 0; error < WSK_TH_ERRORS && status == WSK_OK; error++) {
        if (!may[error])
            continue;
        status = refit_moved(th, card, f, error, watts, moved);
        for (int k = 0; k < f->unknowns && status == WSK_OK; k++)
            f->by_error[error][k] = moved[k] - base[k];
    }
    memcpy(th->parts[card].x, found, sizeof found);
    return status == WSK_OK ? wsk_thermal_replay(th, 0) : status;
}

static double still_k(const wsk_thermal *th, int card, const wsk_thermal_fit *f, int bin)
{
    const double room = th->log->inlet_k ? th->log->inlet_k[bin] : th->room_k;
    if (!wsk_thermal_stands_still(speeds_of(th, card), bin))
        return 0;
    return (f->at[WSK_TH_STILL] < 0 ? still_share : law_share) *
           (th->die_k[(size_t)card * (size_t)th->log->bins + (size_t)bin] - room - th->parts[card].x[WSK_TH_INLET]);
}

/* Adds to the variance of each bin the square of other_share times the change of the prediction if the fan, while the
 * card is cool, turns instead of stopping, or the reverse. */
static wsk_status add_other_rest(wsk_thermal *th, int card, const wsk_thermal_fit *f, const double *base,
                                 double *variance)
{
    const double *die = th->die_k + (size_t)card * (size_t)th->log->bins;
    double *now = th->parts[card].x, x[WSK_TH_UNKNOWNS];
    if (!(f->other_share > 0))
        return WSK_OK;
    memcpy(x, now, sizeof x);
    for (int v = 0; v < WSK_TH_UNKNOWNS; v++)
        if (f->at[v] >= 0)
            now[v] = f->other_x[f->at[v]];
    const wsk_status status = wsk_thermal_replay(th, card);
    for (int i = 0; i < th->log->bins && status == WSK_OK; i++)
        variance[i] += pow(f->other_share * (die[i] - base[i]), 2);
    memcpy(now, x, sizeof x);
    return status;
}

/* Replays the log with the speeds that chassis fans have if their controllers read temperatures higher by above_k than
 * die_k. */
static wsk_status replay_read(wsk_thermal *th, int card, const double *die_k, double above_k)
{
    const wsk_thermal_log *log = th->log;
    const int until = th->known_until;
    wsk_thermal_log read = *log;
    read.case_rpm = NULL;
    wsk_thermal_follow_cards(&read, th->arena, th->net, die_k, above_k);
    if (wsk_arena_failed(th->arena))
        return WSK_ENOMEM;
    th->log = &read;
    th->known_until = log->bins;
    const wsk_status status = wsk_thermal_replay(th, card);
    th->log = log;
    th->known_until = until;
    return status;
}

static bool blown(const wsk_thermal *th, int card)
{
    bool any = false;
    for (int i = 0; i < th->net->n_mover && th->log->case_rpm; i++)
        any = any || (th->log->case_rpm[i] && th->net->movers[i].in == th->net->cards[th->log->cards[card].card].in);
    return any;
}

/* Adds to the variance of each bin from `until` on (the part held out) the square of the change of the prediction if
 * fans that follow the cards are one step of their controller faster than in the replay. */
static wsk_status add_steps(wsk_thermal *th, int card, int until, double *variance)
{
    const size_t bins = (size_t)th->log->bins, cells = bins * (size_t)th->log->count;
    double *before =
        blown(th, card) && until < th->log->bins ? wsk_alloc(th->arena, 2 * cells * sizeof *before) : NULL;
    const double *die = th->die_k + (size_t)card * bins;
    if (!before)
        return wsk_arena_failed(th->arena) ? WSK_ENOMEM : WSK_OK;
    wsk_status status = wsk_thermal_replay(th, card);
    memcpy(before, th->die_k, cells * sizeof *before);
    if (status == WSK_OK)
        status = replay_read(th, card, before, 0);
    memcpy(before + cells, die, bins * sizeof *before);
    if (status == WSK_OK)
        status = replay_read(th, card, before, reads_k);
    for (size_t i = (size_t)until; i < bins && status == WSK_OK; i++)
        variance[i] += pow(die[i] - before[cells + i], 2);
    return status;
}

wsk_status wsk_thermal_doubt(wsk_thermal *th, int card, int until, const wsk_thermal_fit *f, double *sd_k)
{
    const int bins = th->log->bins, n = f->unknowns;
    const double *die = th->die_k + (size_t)card * (size_t)bins;
    double *effect = wsk_alloc(th->arena, ((size_t)n + 1) * (size_t)bins * sizeof *effect),
           *base = effect ? effect + (size_t)n * (size_t)bins : NULL;
    wsk_status status = effect ? WSK_OK : WSK_ENOMEM;
    if (status == WSK_OK)
        memcpy(base, die, (size_t)bins * sizeof *base);
    for (int v = 0; v < WSK_TH_UNKNOWNS && status == WSK_OK; v++) {
        const int k = f->at[v];
        if (k < 0)
            continue;
        double *x = &th->parts[card].x[v], *of = effect + (size_t)k * (size_t)bins;
        const double at = *x, step = 0.5 * f->fit.sd[k];
        *x += step;
        status = wsk_thermal_replay(th, card);
        *x = at;
        for (int i = 0; i < bins; i++)
            of[i] = (die[i] - base[i]) / step;
    }
    for (int i = 0; i < bins && status == WSK_OK; i++) {
        const double left_k = f->left_k * wsk_thermal_vague(&th->log->cards[card], i);
        double variance = 0;
        for (int k = 0; k < n; k++)
            for (int l = 0; l < n; l++)
                variance += effect[(size_t)k * (size_t)bins + (size_t)i] * f->fit.covariance[k][l] *
                            effect[(size_t)l * (size_t)bins + (size_t)i];
        sd_k[i] = wsk_max(variance, 0) + left_k * left_k;
    }
    if (status == WSK_OK)
        status = add_other_rest(th, card, f, base, sd_k);
    if (status == WSK_OK)
        status = add_steps(th, card, until, sd_k);
    if (status == WSK_OK)
        status = wsk_thermal_replay(th, 0);
    for (int i = 0; i < bins && status == WSK_OK; i++) {
        const double still = i < until ? 0 : still_k(th, card, f, i);
        sd_k[i] = sqrt(sd_k[i] + still * still);
    }
    return status;
}
