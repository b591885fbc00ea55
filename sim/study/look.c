/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Theory: docs/theory/trip.md, "Advice behind a run" */
#include <math.h>

#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "sim/study/advice.h"

static const double least_weather_k = 0.5;

static bool often_undone(const wsk_run *run)
{
    double done = 0;
    for (int i = 0; run && i < run->net->n_card; i++)
        done += wsk_sum_value(&run->cards[i].work);
    return run && run->head->redone_s > 0 && run->head->redone_s > 0.1 * (done + run->head->redone_s);
}

void wsk_look_at(wsk_judged *r, const wsk_run *run)
{
    double high = NAN;
    const wsk_net *net = r->net;
    r->noise_dba = run ? wsk_dba(run->books->noise_s / wsk_window_s(run)) : NAN;
    r->room_c = NAN;
    if (run)
        r->room_c = wsk_var_high(run, WSK_VAR_ROOM_C, 0);
    if (run && !run->steady && isnan(net->room_params->temp_k))
        high = wsk_var_high(run, WSK_VAR_OUTDOOR_C, 0);
    double mean_k = isnan(high) ? NAN : wsk_var_mean(run, WSK_VAR_OUTDOOR_C, 0) + WSK_KELVIN,
           planned_k = net->outdoor_ops->mean_k(net->outdoor_params);
    r->mean_k = fabs(mean_k - planned_k) > least_weather_k ? mean_k : NAN;
    r->hot_k =
        high + WSK_KELVIN > (isnan(r->mean_k) ? planned_k : mean_k) + least_weather_k ? high + WSK_KELVIN : NAN;
    r->fails = often_undone(run);
}

/* The message on idle power needs at least this idle time / total time and idle energy / total energy. */
static const double least_time = 0.3, least_energy = 0.15;

/* Idle time / total time of the cards that have work; 0: no card has work, or their work is unknown (replay of
 * power). Time lost to limits and heat is not idle. */
static double idle_share(const wsk_run *run)
{
    double busy = 0;
    int working = 0;
    for (int i = 0; i < run->net->n_card; i++)
        if (run->net->cards[i].works) {
            busy += wsk_sum_value(&run->cards[i].work_free) / wsk_window_s(run);
            working++;
        }
    return busy > 0 ? 1 - fmin(busy / working, 1) : 0;
}

const wsk_said *wsk_advise_idle(wsk_judged *r, const wsk_run *run)
{
    wsk_variant idle = {.sets = {"workload.class=idle"}, .count = 1};
    wsk_outcome o;
    if (!run || run->steady || run->net->cls == WSK_CLASS_IDLE)
        return NULL;
    const double share = idle_share(run), year_s = 365 * 86400.0;
    if (share < least_time || !wsk_judge(r, &idle, NULL, &o) || share * o.site_w < least_energy * wsk_site_w(run))
        return NULL;
    const double year_j = share * o.site_w * year_s;
    const wsk_said *year = r->net->tariff ? WSK_SAY(r->arena, WSK_SAY_MONEY_WHOLE,
                                                    year_j * wsk_bill_yearly_price(r->net->billing), r->net->currency)
                                          : WSK_SAY(r->arena, WSK_SAY_ADVICE_IDLE_ENERGY, year_j / 3.6e6);
    return WSK_SAY(r->arena, WSK_SAY_ADVICE_IDLE, 100 * share, o.site_w, year);
}

/* The message on cheaper hours needs at least this saving / present bill. */
static const double least_saving = 0.05;

static double bill_later(const wsk_billing *billing, const double watts[24], int later)
{
    double moved[24];
    for (int h = 0; h < 24; h++)
        moved[(h + later + 24) % 24] = watts[h];
    return wsk_bill_of_hours(billing, moved);
}

static double mean_of_hour(const wsk_curve *day, int h)
{
    double sum = 0;
    for (int minute = 0; minute < 60; minute++)
        sum += wsk_curve_at(day, 3600.0 * h + 60 * (minute + 0.5));
    return sum / 60;
}

const wsk_said *wsk_advise_hours(wsk_judged *r, const wsk_run *run)
{
    wsk_variant idle = {.sets = {"workload.class=idle"}, .count = 1};
    wsk_outcome o;
    const wsk_billing *billing = r->net->billing;
    const wsk_workload_params *work = r->net->workload;
    if (!run || run->steady || !r->net->tariff || !billing->n_periods || !work || work->load_curve.count < 2 ||
        run->net->cls == WSK_CLASS_IDLE || !wsk_judge(r, &idle, NULL, &o))
        return NULL;
    const double busy = 1 - idle_share(run), more_w = wsk_site_w(run) - o.site_w;
    if (busy < 0.01 || more_w <= 0)
        return NULL;
    double watts[24];
    for (int h = 0; h < 24; h++)
        watts[h] = o.site_w + more_w / busy * mean_of_hour(&work->load_curve, h);
    const double now = bill_later(billing, watts, 0);
    double least = now;
    int best = 0;
    for (int by = 1; by <= 12; by++)
        for (int sign = 1; sign >= -1; sign -= 2) {
            const double then = bill_later(billing, watts, sign * by);
            if (then < least - 0.002 * now) { /* of shifts with about the same saving, the smallest is kept */
                least = then;
                best = sign * by;
            }
        }
    if (now - least < least_saving * now)
        return NULL;
    const wsk_said *money = WSK_SAY(r->arena, WSK_SAY_MONEY_WHOLE, now - least, r->net->currency);
    return best > 0 ? WSK_SAY(r->arena, WSK_SAY_ADVICE_LATER, (double)best, money)
                    : WSK_SAY(r->arena, WSK_SAY_ADVICE_EARLIER, (double)-best, money);
}
