/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/net/load.h"
#include "sim/base/said.h"
#include "sim/study/calibrate/bins.h"
#include "sim/control/control.h"
#include "sim/study/calibrate/thermal.h"

/* MOST_BINS: highest number of bins shorter than 10 s; MOST_OF_DAYS: of longer bins, for logs of hours and days */
enum { MOST_BINS = 900, MOST_OF_DAYS = 4000 };
static const double least_s = 180; /* a shorter log determines neither time constants nor levels */

static const wsk_readings *temperature_of(const wsk_calibrate_trace *t)
{
    return t->die.count ? &t->die : &t->hot_spot;
}

const wsk_said *wsk_thermal_refuses(const wsk_calibrate_trace *t)
{
    static const wsk_said die = {.code = WSK_SAY_CALIBRATE_NO_DIE}, power = {.code = WSK_SAY_CALIBRATE_NO_POWER},
                          brief = {.code = WSK_SAY_CALIBRATE_BRIEF};
    const wsk_readings *s = temperature_of(t);
    if (!s->count)
        return &die;
    if (!t->power.count && !(t->utilisation.count && t->clock.count))
        return &power;
    return s->t_s[s->count - 1] - s->t_s[0] < least_s ? &brief : NULL;
}

static double end_of(const wsk_readings *s)
{
    return s->count ? s->t_s[s->count - 1] : 0;
}

static double *means(wsk_arena *arena, const wsk_readings *s, int bins, double bin_s)
{
    double *mean = s->count ? wsk_alloc(arena, (size_t)bins * sizeof *mean) : NULL;
    if (mean)
        wsk_bins_mean(mean, bins, bin_s, s);
    return mean;
}

double wsk_thermal_modelled_w(const wsk_card *c, const wsk_gpu_class *cls, double idle_w, const wsk_thermal_card *log,
                              int bin)
{
    const double at_k = log->die_k && isfinite(log->die_k[bin]) ? log->die_k[bin] : c->gpu->leakage_temp_k,
                 full = c->ops->power_w(c->gpu, cls, log->clock_hz[bin], at_k, NULL);
    return idle_w + log->busy[bin] * wsk_max(full - idle_w, 0);
}

static void model_watts(wsk_arena *arena, const wsk_card *c, int bins, wsk_thermal_card *log)
{
    wsk_bins_bridge(log->busy, bins);
    wsk_bins_bridge(log->clock_hz, bins);
    log->power_w = log->busy && log->clock_hz ? wsk_alloc(arena, (size_t)bins * sizeof *log->power_w) : NULL;
    for (int i = 0; log->power_w && i < bins; i++)
        log->power_w[i] = wsk_thermal_modelled_w(c, &c->cls, c->gpu->idle_w, log, i);
}

static double first_of(const wsk_readings *s)
{
    double sum = 0;
    size_t n = 0;
    for (; n < s->count && (n == 0 || s->t_s[n] < s->t_s[0] + 3); n++)
        sum += s->value[n];
    return n ? sum / (double)n : (double)NAN;
}

static double opening(const double *v, int bins, double bin_s)
{
    double sum = 0;
    int n = 0;
    for (; v && n < bins && n * bin_s < 60; n++)
        sum += v[n];
    return n ? sum / n : (double)NAN;
}

/* In a log with at most as many readings as bins: replaces each reading by the mean of itself and its neighbours that
 * differ little. A reading is the power of a moment, and the die follows the power at once. In the fit, noise of the
 * readings would look like a die that does not follow the power. */
static void calm(double *v, int bins, size_t readings, wsk_arena *arena)
{
    enum { SIDE = 2 };
    const double little = 0.1;
    double *at = v && readings <= (size_t)bins ? wsk_alloc(arena, (size_t)bins * sizeof *at) : NULL, most = 0;
    int *bin = at ? wsk_alloc(arena, (size_t)bins * sizeof *bin) : NULL, n = 0;
    for (int i = 0; i < bins && bin; i++)
        if (!isnan(v[i])) {
            most = fmax(most, v[i]);
            bin[n] = i;
            at[n++] = v[i];
        }
    for (int k = 0; k < n; k++) {
        double sum = at[k], count = 1;
        for (int way = -1; way <= 1; way += 2)
            for (int m = k + way; m >= 0 && m < n && abs(m - k) <= SIDE && fabs(at[m] - at[k]) < little * most;
                 m += way) {
                sum += at[m];
                count++;
            }
        v[bin[k]] = sum / count;
    }
}

/* Time constant, s, with which a card loses stored heat. rpm: fan speed, NAN: as at full speed. */
static double forgets_in_s(const wsk_card *c, double rpm)
{
    const wsk_cooler_params *k = c->cooler;
    const double share = rpm < c->rpm_max ? wsk_max(rpm / c->rpm_max, 0.1) : 1,
                 ua = isnan(k->ua_w_k) ? k->block_w_k : k->ua_w_k * pow(share, k->ua_exponent);
    return (k->cap_j_k + c->gpu->board_cap_j_k + c->gpu->memory_cap_j_k) / ua;
}

/* Fills out->vague. The load changes at an unknown time between two readings, any time being equally likely. The heat
 * that the heatsink has received is therefore uncertain until the card has lost it. unit_w: power, W, of one unit of
 * `load`; still_k: error of a modelled temperature far from a change of the load. */
static void find_vague(const wsk_thermal_log *log, wsk_arena *arena, const wsk_card *c, const wsk_readings *load,
                       double unit_w, wsk_thermal_card *out)
{
    static const double still_k = 0.3;
    double variance = 0, last = NAN, last_s = 0;
    size_t k = 0;
    out->vague = wsk_alloc(arena, (size_t)log->bins * sizeof *out->vague);
    for (int i = 0; i < log->bins && out->vague; i++) {
        variance *= wsk_exp(-2 * log->bin_s / forgets_in_s(c, out->rpm ? out->rpm[i] : (double)NAN));
        for (; k < load->count && load->t_s[k] < (i + 1) * log->bin_s; k++) {
            if (!isfinite(load->value[k]))
                continue;
            const double j = isnan(last) ? 0 : unit_w * (load->value[k] - last) * (load->t_s[k] - last_s);
            variance += j * j / 12;
            last = load->value[k];
            last_s = load->t_s[k];
        }
        const double off_k = sqrt(variance) / c->cooler->cap_j_k / still_k;
        out->vague[i] = isfinite(off_k) ? sqrt(1 + off_k * off_k) : 1;
    }
}

static void take_card(wsk_thermal_log *log, wsk_arena *arena, const wsk_net *net, const wsk_calibrate_trace *t,
                      wsk_thermal_card *out)
{
    const wsk_card *c = &net->cards[t->card];
    const int bins = log->bins;
    *out = (wsk_thermal_card){.card = (int)t->card,
                              .power_w = means(arena, &t->power, bins, log->bin_s),
                              .die_k = means(arena, temperature_of(t), bins, log->bin_s),
                              .memory_k = means(arena, &t->memory, bins, log->bin_s),
                              .drawn_w = means(arena, &t->power, bins, log->bin_s),
                              .clock_hz = means(arena, &t->clock, bins, log->bin_s),
                              .limit_w = means(arena, &t->limit, bins, log->bin_s),
                              .busy = means(arena, &t->utilisation, bins, log->bin_s),
                              .work = means(arena, &t->work, bins, log->bin_s)};
    const wsk_readings *load = t->power.count ? &t->power : &t->utilisation;
    out->apart_s = end_of(load) / wsk_max((double)load->count - 1, 1);
    calm(out->power_w, bins, t->power.count, arena);
    if (!out->power_w)
        model_watts(arena, c, bins, out);
    wsk_bins_bridge(out->power_w, bins);
    out->traffic = wsk_traffic_stated(net->workload) ? NULL : means(arena, &t->traffic, bins, log->bin_s);
    wsk_bins_bridge(out->traffic, bins);
    for (int i = 0; out->die_k && out->power_w && !t->die.count && i < bins; i++)
        out->die_k[i] -=
            wsk_hotspot_over_k(c->gpu, wsk_die_w(c, out->traffic ? out->traffic[i] : (double)NAN, out->power_w[i]));
    const wsk_readings *fan = t->fan_speed.count ? &t->fan_speed : &t->fan;
    const bool own = c->mover >= 0 && net->movers[c->mover].control == NULL;
    out->rpm = own ? means(arena, fan, bins, log->bin_s) : NULL;
    for (int i = 0; out->rpm && i < bins; i++)
        out->rpm[i] *= fan == &t->fan ? c->rpm_max : 1;
    wsk_bins_bridge(out->rpm, bins);
    out->opening_w = opening(out->power_w, bins, log->bin_s);
    for (int i = 0; out->power_w && i < bins; i++)
        out->highest_w = fmax(out->highest_w, out->power_w[i]);
    out->opening_rpm = opening(out->rpm, bins, log->bin_s);
    if (!out->die_k)
        return;
    wsk_thermal_follow(log, arena, net, out->die_k, out);
    find_vague(log, arena, c, load, t->power.count ? 1 : c->gpu->tdp_w, out);
    while (out->first < bins - 1 && isnan(out->die_k[out->first]))
        out->first++;
    out->last = bins - 1;
    while (out->last > out->first && isnan(out->die_k[out->last]))
        out->last--;
    out->from_w = t->power.count ? first_of(&t->power) : out->power_w[out->first];
    out->from_die_k =
        first_of(temperature_of(t)) - (t->die.count ? 0 : wsk_hotspot_over_k(c->gpu, wsk_die_w(c, NAN, out->from_w)));
}

bool wsk_thermal_bins(wsk_thermal_log *out, wsk_arena *arena, const wsk_net *net, const wsk_calibrate_trace *traces,
                      int count)
{
    double end = 0;
    *out = (wsk_thermal_log){.count = count};
    for (int i = 0; i < count; i++)
        end = fmax(end, fmax(end_of(&traces[i].power), end_of(temperature_of(&traces[i]))));
    static const double bin_s[] = {1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800};
    out->bin_s = 3600 * wsk_max(ceil(end / (3600.0 * MOST_OF_DAYS)), 1);
    for (size_t i = sizeof bin_s / sizeof *bin_s; i-- > 0;)
        out->bin_s = end <= (bin_s[i] < 10 ? MOST_BINS : MOST_OF_DAYS) * bin_s[i] ? bin_s[i] : out->bin_s;
    out->bins = (int)floor(end / out->bin_s) + 1;
    out->cards = wsk_alloc(arena, ((size_t)count + 1) * sizeof *out->cards);
    for (int i = 0; out->cards && i < count; i++) {
        take_card(out, arena, net, &traces[i], &out->cards[i]);
        if (traces[i].inlet.count && !out->inlet_k) {
            out->inlet_k = means(arena, &traces[i].inlet, out->bins, out->bin_s);
            wsk_bins_bridge(out->inlet_k, out->bins);
        }
    }
    if (!wsk_arena_failed(arena))
        wsk_thermal_follow_cards(out, arena, net, NULL, 0);
    return !wsk_arena_failed(arena);
}
