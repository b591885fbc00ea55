/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes speeds of fans that are not logged: the speeds that their controllers set at the logged temperatures of the
 * cards. docs/theory/calibration.md, "Method" */
#include <math.h>
#include <string.h>

#include "sim/control/control.h"
#include "sim/study/calibrate/bins.h"
#include "sim/study/calibrate/fan_fit.h"
#include "sim/study/calibrate/thermal.h"

/* Fills rpm with the speeds that the card's controller sets with this curve at these die temperatures. False: out of
 * memory. */
static bool set_speeds(const wsk_thermal_log *log, wsk_arena *arena, const wsk_card *card, const wsk_curve *curve,
                       double rpm_min, const double *die_k, double *rpm)
{
    wsk_cooler_params cooler = *card->cooler;
    wsk_card moved = *card;
    const size_t size = (size_t)log->bins * sizeof *die_k;
    double *die = wsk_alloc(arena, size);
    if (!die)
        return false;
    memcpy(die, die_k, size);
    wsk_bins_bridge(die, log->bins);
    cooler.curve = *curve;
    moved.cooler = &cooler;
    moved.rpm_min = rpm_min;
    wsk_fan_follow(&moved, die, log->bins, log->bin_s, rpm);
    return true;
}

void wsk_thermal_follow(const wsk_thermal_log *log, wsk_arena *arena, const wsk_net *net, const double *die_k,
                        wsk_thermal_card *out)
{
    const wsk_card *c = &net->cards[out->card];
    if (c->mover < 0 || net->movers[c->mover].control || c->gpu->pin_fan || out->rpm)
        return;
    const size_t size = (size_t)log->bins * sizeof *out->rpm;
    const wsk_curve curve = wsk_card_curve(c), stopping = wsk_thermal_stopping(&curve);
    out->rpm = wsk_alloc(arena, size);
    out->rest_rpm = wsk_thermal_may_stop(c) ? wsk_alloc(arena, size) : NULL;
    out->follows = out->rpm && set_speeds(log, arena, c, &curve, c->rpm_min, die_k, out->rpm) &&
                   (!out->rest_rpm || set_speeds(log, arena, c, &stopping, 0, die_k, out->rest_rpm));
}

/* Temperature, K, that the controller of a chassis fan uses in a bin: that of the hottest die, or, if higher, the
 * temperature that its load curve gives for the power of the cards. NAN: a card of the case is not in the log, or has
 * no temperature in this bin. */
static double sensed_k(const wsk_thermal_log *log, const wsk_net *net, const wsk_mover *m, const double *die_k,
                       int bin)
{
    double hottest_k = 0, total_w = 0;
    int unseen = 0;
    for (int i = 0; i < net->n_card; i++)
        unseen += net->cards[i].in == m->in;
    for (int i = 0; i < log->count; i++) {
        const wsk_thermal_card *c = &log->cards[i];
        const double *die = die_k ? die_k + (size_t)i * (size_t)log->bins : c->die_k;
        if (net->cards[c->card].in != m->in || isnan(die[bin]))
            continue;
        hottest_k = fmax(hottest_k, die[bin]);
        total_w += c->power_w[bin];
        unseen--;
    }
    if (unseen)
        return NAN;
    return m->control->load_curve.count ? fmax(hottest_k, wsk_curve_at(&m->control->load_curve, total_w)) : hottest_k;
}

static bool follows_cards(const wsk_mover *m)
{
    return m->control && m->control->sensor == WSK_SENSE_GPU;
}

/* Replaces the temperatures in k_then_rpm that the controller reads, K, by the fan speeds that it sets, rpm. Neither
 * is rounded, because a log does not show to the second when a temperature passes a whole degree. */
static void drive(const wsk_thermal_log *log, const wsk_mover *m, double *k_then_rpm)
{
    const wsk_control_params *p = m->control;
    /* as in a run (wsk_fan_ramp): at most 5 % a second */
    const double ramp_s = 0.05, most = ramp_s * log->bin_s * m->ref_rpm;
    double ref_k = k_then_rpm[0], rpm = NAN;
    for (int i = 0; i < log->bins; i++) {
        const double now_k = k_then_rpm[i];
        ref_k = wsk_min(wsk_max(ref_k, now_k), now_k + p->hysteresis_k);
        const double share = wsk_max(wsk_curve_at(wsk_mover_curve(p), ref_k), p->minimum),
                     goal = wsk_min(share * m->ref_rpm, m->rpm0);
        rpm = isnan(rpm) ? goal : rpm + wsk_min(wsk_max(goal - rpm, -most), most);
        k_then_rpm[i] = rpm;
    }
}

void wsk_thermal_follow_cards(wsk_thermal_log *log, wsk_arena *arena, const wsk_net *net, const double *die_k,
                              double above_k)
{
    if (!log->case_rpm)
        log->case_rpm = wsk_alloc(arena, ((size_t)net->n_mover + 1) * sizeof *log->case_rpm);
    for (int i = 0; log->case_rpm && i < net->n_mover; i++) {
        const wsk_mover *m = &net->movers[i];
        double *v = log->case_rpm[i];
        int known = 0;
        if (follows_cards(m) && !v)
            v = wsk_alloc(arena, (size_t)log->bins * sizeof *v);
        for (int bin = 0; v && bin < log->bins; bin++) {
            v[bin] = sensed_k(log, net, m, die_k, bin) + above_k;
            known += !isnan(v[bin]);
        }
        if (!known)
            continue;
        wsk_bins_bridge(v, log->bins);
        drive(log, m, v);
        log->case_rpm[i] = v;
    }
}
