/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/calibrate/bins.h"
#include "sim/study/calibrate/thermal.h"

typedef struct {
    const wsk_thermal_card *c;
    const double *die_k, *memory_k;
    int bins, minute, held;
} view;

static const double band_80 =
    1.2816; /* half width of the central 80 % of a normal distribution, in standard deviations */

/* True if the power rose within the minute that ends with this bin: in one of that minute's bins, the power exceeds
 * its mean over the minute before that bin by at least a fifth of the card's highest power. */
static bool after_rise(const view *v, int bin)
{
    const double *w = v->c->power_w, rise = 0.2 * v->c->highest_w;
    for (int i = bin; i > 0 && i > bin - v->minute; i--) {
        double before = 0;
        int n = 0;
        for (int k = i - 1; k >= 0 && k >= i - v->minute; k--, n++)
            before += w[k];
        if (w[i] - before / n >= rise)
            return true;
    }
    return false;
}

static wsk_log_phase phase_of(const view *v, int bin)
{
    const double still_k = 1;
    const int reach = 5 * v->minute / 2;
    int from = bin - reach, to = bin + reach;
    from = from < v->c->first ? v->c->first : from;
    to = to > v->c->last ? v->c->last : to;
    while (from < bin && isnan(v->c->die_k[from]))
        from++;
    while (to > bin && isnan(v->c->die_k[to]))
        to--;
    const double change = v->c->die_k[to] - v->c->die_k[from];
    if (after_rise(v, bin))
        return WSK_PHASE_FIRST;
    return change >= still_k ? WSK_PHASE_WARM_UP : change <= -still_k ? WSK_PHASE_COOL_DOWN : WSK_PHASE_SETTLED;
}

static void count(wsk_log_error *e, double off)
{
    e->readings++;
    e->mae_k += fabs(off);
    e->rmse_k += off * off;
    e->bias_k += off;
    e->worst_k = fabs(off) > fabs(e->worst_k) ? off : e->worst_k;
}

static void close_error(wsk_log_error *e)
{
    const double n = (double)e->readings;
    if (!e->readings) {
        *e = (wsk_log_error){0, NAN, NAN, NAN, NAN};
        return;
    }
    e->mae_k /= n;
    e->bias_k /= n;
    e->rmse_k = sqrt(e->rmse_k / n);
}

/* Skill of the model on the part held out: 1 - q, where q is the rms error of the model divided by that of a linear
 * guess, level + slope x power. */
static double skill(const view *v, double level, double slope, const wsk_log_error *model)
{
    wsk_log_error e = {0};
    for (int i = v->held; i < v->bins; i++)
        if (!isnan(v->c->die_k[i]))
            count(&e, level + slope * v->c->power_w[i] - v->c->die_k[i]);
    close_error(&e);
    return e.rmse_k > 0 ? 1 - model->rmse_k / e.rmse_k : (double)NAN;
}

static void guess(const view *v, wsk_log_fit *out)
{
    double n = 0, w = 0, t = 0, ww = 0, wt = 0, last = NAN;
    for (int i = 0; i < v->held; i++) {
        if (isnan(v->c->die_k[i]))
            continue;
        last = v->c->die_k[i];
        n++;
        w += v->c->power_w[i];
        t += last;
        ww += v->c->power_w[i] * v->c->power_w[i];
        wt += v->c->power_w[i] * last;
    }
    const double apart = n * ww - w * w, slope = apart > 1e-9 * ww * n ? (n * wt - w * t) / apart : 0;
    out->skill_stays = skill(v, last, 0, &out->die[WSK_PART_HELD_OUT]);
    out->skill_line = skill(v, (t - slope * w) / n, slope, &out->die[WSK_PART_HELD_OUT]);
}

/* Evaluates the 80 % band in the bins of a part. within: share of the measurements that lie inside the band; band_k:
 * mean half width; band_needed: factor on the width at which the band would hold 80 %. */
static void judge_band(const wsk_thermal *th, const view *v, const double *sd_k, wsk_log_part part, wsk_log_fit *out)
{
    const int from = part ? v->held : 0, to = part ? v->bins : v->held;
    double *off = wsk_alloc(th->arena, (size_t)(v->bins + 1) * sizeof *off), wide = 0;
    int n = 0, within = 0;
    for (int i = from; off && i < to; i++) {
        if (isnan(v->c->die_k[i]))
            continue;
        off[n] = fabs(v->die_k[i] - v->c->die_k[i]) / (band_80 * sd_k[i]);
        within += off[n++] <= 1;
        wide += band_80 * sd_k[i];
    }
    if (n)
        qsort(off, (size_t)n, sizeof *off, wsk_ascending);
    out->within[part] = n ? (double)within / n : (double)NAN;
    out->band_k[part] = n ? wide / n : (double)NAN;
    out->band_needed[part] = n ? off[(8 * n) / 10 < n ? (8 * n) / 10 : n - 1] : (double)NAN;
}

bool wsk_thermal_one_power(const wsk_thermal *th, int card)
{
    const int minute = (int)fmax(1, 60 / th->log->bin_s), n = th->log->bins / minute;
    const double *w = th->log->cards[card].power_w, apart = 1.3;
    double *mean = n > 0 ? wsk_alloc(th->arena, (size_t)n * sizeof *mean) : NULL;
    for (int i = 0; mean && i < n; i++)
        for (int k = 0; k < minute; k++)
            mean[i] += w[i * minute + k] / minute;
    if (!mean)
        return true;
    qsort(mean, (size_t)n, sizeof *mean, wsk_ascending);
    return mean[n - 1 - n / 20] < apart * mean[n / 20];
}

double wsk_thermal_hottest_k(const wsk_thermal *th, int card)
{
    const double *die_k = th->log->cards[card].die_k;
    double *sorted = wsk_alloc(th->arena, (size_t)th->log->bins * sizeof *sorted);
    int n = 0;
    for (int i = 0; sorted && i < th->log->bins; i++)
        if (!isnan(die_k[i]))
            sorted[n++] = die_k[i];
    if (!n)
        return 0;
    qsort(sorted, (size_t)n, sizeof *sorted, wsk_ascending);
    return sorted[n - 1 - n / 20];
}

static view view_of(const wsk_thermal *th, int card, int held)
{
    const size_t row = (size_t)card * (size_t)th->log->bins;
    return (view){.c = &th->log->cards[card],
                  .die_k = th->die_k ? th->die_k + row : NULL, /* NULL if the caller asks for phases only */
                  .memory_k = th->memory_k ? th->memory_k + row : NULL,
                  .bins = th->log->bins,
                  .minute = (int)fmax(1, 60 / th->log->bin_s),
                  .held = held};
}

wsk_log_phase wsk_thermal_phase(const wsk_thermal *th, int card, int bin)
{
    const view v = view_of(th, card, th->log->bins);
    return phase_of(&v, bin);
}

void wsk_thermal_judge(const wsk_thermal *th, int card, int held, const double *sd_k, wsk_log_fit *out)
{
    const view v = view_of(th, card, held);
    for (int i = 0; i < v.bins; i++) {
        const wsk_log_part part = i < held ? WSK_PART_FITTED : WSK_PART_HELD_OUT;
        if (!isnan(v.c->die_k[i])) {
            count(&out->die[part], v.die_k[i] - v.c->die_k[i]);
            count(&out->phase[part][phase_of(&v, i)], v.die_k[i] - v.c->die_k[i]);
        }
        if (v.c->memory_k && !isnan(v.c->memory_k[i]))
            count(&out->memory[part], v.memory_k[i] - v.c->memory_k[i]);
    }
    for (int part = 0; part < WSK_LOG_PARTS; part++) {
        close_error(&out->die[part]);
        close_error(&out->memory[part]);
        for (int k = 0; k < WSK_PHASES; k++)
            close_error(&out->phase[part][k]);
    }
    guess(&v, out);
    judge_band(th, &v, sd_k, WSK_PART_FITTED, out);
    judge_band(th, &v, sd_k, WSK_PART_HELD_OUT, out);
    out->held_from_s = held * th->log->bin_s;
    out->end_s = v.bins * th->log->bin_s;
}

static const double *copy(wsk_arena *arena, const double *from, int bins)
{
    double *to = from ? wsk_alloc(arena, (size_t)bins * sizeof *to) : NULL;
    if (to)
        memcpy(to, from, (size_t)bins * sizeof *to);
    return to;
}

bool wsk_thermal_curve(const wsk_thermal *th, int card, const double *sd_k, wsk_arena *arena, wsk_log_curve *out)
{
    const wsk_thermal_card *c = &th->log->cards[card];
    const int bins = th->log->bins;
    const size_t row = (size_t)card * (size_t)bins;
    double *t_s = wsk_alloc(arena, (size_t)bins * sizeof *t_s),
           *half_k = wsk_alloc(arena, (size_t)bins * sizeof *half_k);
    for (int i = 0; t_s && half_k && i < bins; i++) {
        t_s[i] = (i + 1) * th->log->bin_s;
        half_k[i] = band_80 * sd_k[i];
    }
    *out = (wsk_log_curve){.count = (size_t)bins,
                           .t_s = t_s,
                           .half_k = half_k,
                           .power_w = copy(arena, c->power_w, bins),
                           .die_k = copy(arena, c->die_k, bins),
                           .die_model_k = copy(arena, th->die_k + row, bins),
                           .memory_k = copy(arena, c->memory_k, bins),
                           .memory_model_k = copy(arena, c->memory_k ? th->memory_k + row : NULL, bins)};
    return !wsk_arena_failed(arena);
}
