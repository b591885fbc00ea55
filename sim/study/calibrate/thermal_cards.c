/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cards in one room: each card is fitted alone, then all cards are fitted again with one common room temperature.
 * Cards are fitted in parallel, each starting from the same values of the others, so that the result does not depend
 * on the number of threads. */
#include <math.h>
#include <string.h>

#include "sim/study/kit/side_by_side.h"
#include "sim/study/calibrate/thermal.h"

enum { MOST_THREADS = 16 };

typedef struct {
    const wsk_thermal *of;
    wsk_thermal_fit *fits;
    int until, first, step;
    double (*found)[WSK_TH_UNKNOWNS];
    long runs;
    wsk_status status;
} share;

static void fit_share(void *shares, int thread)
{
    share *s = &((share *)shares)[thread];
    wsk_arena *arena = wsk_arena_new();
    wsk_thermal th;
    s->status = arena ? wsk_thermal_make(&th, arena, s->of->net, s->of->log) : WSK_ENOMEM;
    th.known_until = s->until;
    for (int i = s->first; i < s->of->log->count && s->status == WSK_OK; i += s->step) {
        for (int k = 0; k < s->of->log->count; k++)
            memcpy(th.parts[k].x, s->of->parts[k].x, sizeof th.parts[k].x);
        s->status = wsk_thermal_fit_card(&th, i, s->until, &s->fits[i]);
        memcpy(s->found[i], th.parts[i].x, sizeof s->found[i]);
        s->runs = th.runs;
    }
    wsk_arena_free(arena);
}

static wsk_status fit_from(wsk_thermal *th, int first, int until, wsk_thermal_fit *fits)
{
    const int cards = th->log->count, rest = cards - first,
              most = th->net->threads < MOST_THREADS ? th->net->threads : MOST_THREADS,
              threads = rest < most ? rest : most;
    share shares[MOST_THREADS];
    double(*found)[WSK_TH_UNKNOWNS] = wsk_alloc(th->arena, (size_t)cards * sizeof *found);
    wsk_status status = found ? WSK_OK : WSK_ENOMEM;
    for (int i = 0; i < threads && found; i++)
        shares[i] =
            (share){.of = th, .fits = fits, .until = until, .first = first + i, .step = threads, .found = found};
    if (found)
        wsk_side_by_side(threads, fit_share, shares);
    for (int i = 0; i < threads && found; i++) {
        status = status == WSK_OK ? shares[i].status : status;
        th->runs += shares[i].runs;
    }
    for (int i = first; i < cards && status == WSK_OK; i++)
        memcpy(th->parts[i].x, found[i], sizeof th->parts[i].x);
    return status;
}

/* Temperature of the common room: mean of the inlet temperatures that the single fits found, each weighted by 1 /
 * variance. If they scatter more than their standard deviations say, the standard deviation of the mean is larger in
 * proportion. */
static wsk_prior common_inlet(const wsk_thermal *th, const wsk_thermal_fit *fits)
{
    const int cards = th->log->count;
    double weight = 0, sum = 0, scatter = 0;
    for (int i = 0; i < cards; i++) {
        const double sd = fits[i].fit.sd[fits[i].at[WSK_TH_INLET]];
        weight += 1 / (sd * sd);
        sum += fits[i].fit.x[fits[i].at[WSK_TH_INLET]] / (sd * sd);
    }
    for (int i = 0; i < cards; i++) {
        const int k = fits[i].at[WSK_TH_INLET];
        const double off = (fits[i].fit.x[k] - sum / weight) / fits[i].fit.sd[k];
        scatter += off * off / (cards - 1);
    }
    return (wsk_prior){sum / weight, sqrt(fmax(scatter, 1) / weight), -15, 15};
}

/* Mean residual of a card in the minute that begins with bin `first`, K; NAN: no reading. */
static double minute_off(const wsk_thermal *th, int card, int first, int until)
{
    const int bins = (int)fmax(1, 60 / th->log->bin_s);
    const double *log = th->log->cards[card].die_k, *model = th->die_k + (size_t)card * (size_t)th->log->bins;
    double sum = 0;
    int n = 0;
    for (int i = first; i < first + bins && i < until; i++)
        if (!isnan(log[i]) && !isnan(model[i])) {
            sum += model[i] - log[i];
            n++;
        }
    return n ? sum / n : (double)NAN;
}

/* Mean correlation between the residuals of two cards, at least 0. Errors of the modelled air are common to all
 * cards. */
static double shared(const wsk_thermal *th, int until, const wsk_thermal_fit *fits)
{
    const int cards = th->log->count, step = (int)fmax(1, 60 / th->log->bin_s);
    double together = 0, each = 0;
    for (int first = 0; first < until; first += step) {
        double sum = 0, squares = 0;
        for (int i = 0; i < cards; i++) {
            const double off = minute_off(th, i, first, until) / fits[i].residual_k;
            sum += isfinite(off) ? off : 0;
            squares += isfinite(off) ? off * off : 0;
        }
        together += sum * sum;
        each += squares;
    }
    return each > 0 ? fmin(fmax((together / each - 1) / (cards - 1), 0), 1) : 0;
}

/* Fits all cards again in the common room. The standard deviations stay those of the single fits, in which the room
 * was unknown, until know_room corrects them. Only the inlet gets the standard deviation of the common room. */
static wsk_status fit_together(wsk_thermal *th, int until, wsk_thermal_fit *fits)
{
    const int cards = th->log->count;
    const wsk_prior room = common_inlet(th, fits);
    const double held_k = 0.02; /* standard deviation so small that the inlet is practically fixed */
    wsk_thermal_fit *alone = wsk_alloc(th->arena, (size_t)cards * sizeof *alone);
    if (!alone)
        return WSK_ENOMEM;
    memcpy(alone, fits, (size_t)cards * sizeof *alone);
    for (int i = 0; i < cards; i++) {
        th->parts[i].x[WSK_TH_INLET] = room.mean;
        fits[i].prior[fits[i].at[WSK_TH_INLET]] = (wsk_prior){room.mean, held_k, room.low, room.high};
    }
    const wsk_status status = fit_from(th, 0, until, fits);
    for (int i = 0; i < cards; i++) {
        wsk_thermal_fit *f = &fits[i];
        const int inlet = f->at[WSK_TH_INLET];
        f->prior[inlet] = alone[i].prior[inlet];
        memcpy(f->fit.sd, alone[i].fit.sd, sizeof f->fit.sd);
        memcpy(f->fit.covariance, alone[i].fit.covariance, sizeof f->fit.covariance);
        f->fit.x[inlet] = th->parts[i].x[WSK_TH_INLET] = room.mean;
        f->fit.sd[inlet] = room.sd;
    }
    return status;
}

/* A card that was not fitted before begins with the values of the first. What its fan does at rest is never 0: it
 * follows from the card's own part. */
static void begin_as_first(wsk_thermal *th, int i, const wsk_thermal_fit *fits)
{
    double *x = th->parts[i].x;
    const double rest = x[WSK_TH_REST];
    bool fresh = fits[i].unknowns == fits[0].unknowns;
    for (int v = 0; v < WSK_TH_UNKNOWNS; v++)
        fresh = fresh && (v == WSK_TH_REST || x[v] == 0);
    if (fresh)
        memcpy(x, th->parts[0].x, sizeof th->parts[0].x);
    x[WSK_TH_REST] = rest;
}

wsk_status wsk_thermal_doubt_all(wsk_thermal *th, wsk_thermal_fit *fits)
{
    const int cards = th->log->count;
    wsk_status status = WSK_OK;
    double room_k[WSK_TH_ERRORS] = {0};
    for (int i = 0; i < cards && status == WSK_OK; i++) {
        status = wsk_thermal_doubt_inputs(th, i, &fits[i]);
        for (int error = 0; error < WSK_TH_ERRORS; error++)
            room_k[error] = fmax(room_k[error], fabs(fits[i].by_error[error][fits[i].at[WSK_TH_INLET]]));
    }
    for (int i = 0; i < cards && cards > 1; i++)
        for (int error = 0; error < WSK_TH_ERRORS; error++)
            fits[i].by_error[error][fits[i].at[WSK_TH_INLET]] = room_k[error];
    return status;
}

/* Increases the standard deviation of the inlet, because errors that all cards share do not average out: n cards whose
 * residuals have the correlation r determine the room temperature only as well as n / (1 + (n - 1) r) uncorrelated
 * cards. */
static void widen_room(const wsk_thermal *th, int until, wsk_thermal_fit *fits)
{
    const int cards = th->log->count;
    const double by = sqrt(1 + (cards - 1) * shared(th, until, fits));
    for (int i = 0; i < cards; i++)
        fits[i].fit.sd[fits[i].at[WSK_TH_INLET]] *= by;
}

/* Covariance of a single fit if the room is known as well as all cards together tell it. With the column c of the
 * inlet, its variance v in the single fit and u in the common room, C becomes C - c c'/v (1 - u/v). */
static void know_room(wsk_thermal_fit *f)
{
    const int inlet = f->at[WSK_TH_INLET], n = f->unknowns;
    const double v = f->fit.covariance[inlet][inlet], u = f->fit.sd[inlet] * f->fit.sd[inlet];
    double c[WSK_TH_UNKNOWNS];
    if (!(u < v))
        return;
    for (int k = 0; k < n; k++)
        c[k] = f->fit.covariance[k][inlet];
    for (int k = 0; k < n; k++) {
        for (int l = 0; l < n; l++)
            f->fit.covariance[k][l] -= c[k] * c[l] / v * (1 - u / v);
        f->fit.sd[k] = sqrt(f->fit.covariance[k][k]);
    }
}

wsk_status wsk_thermal_fit_all(wsk_thermal *th, int until, wsk_thermal_fit *fits)
{
    const int cards = th->log->count;
    th->known_until = until;
    wsk_status status = wsk_thermal_open(th);
    for (int i = 0; i < cards && status == WSK_OK; i++)
        wsk_thermal_list(th, i, &fits[i]);
    if (status == WSK_OK)
        status = wsk_thermal_fit_card(th, 0, until, &fits[0]);
    for (int i = 1; i < cards && status == WSK_OK; i++)
        begin_as_first(th, i, fits);
    if (status == WSK_OK && cards > 1)
        status = fit_from(th, 1, until, fits);
    if (status == WSK_OK && cards > 1)
        status = fit_together(th, until, fits);
    if (status == WSK_OK)
        status = wsk_thermal_replay(th, 0);
    if (status == WSK_OK && cards > 1)
        widen_room(th, until, fits);
    for (int i = 0; i < cards && cards > 1 && status == WSK_OK; i++)
        know_room(&fits[i]);
    return status;
}
