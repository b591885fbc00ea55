/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads from a run what advice needs: problems, cards that shut down, idle time, and the hours of the day. Theory:
 * docs/theory/trip.md, "Advice behind a run" */
#include <math.h>

#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "sim/study/advice/advice.h"

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
    for (int i = 0; run && i < net->n_card; i++)
        r->shut_down = r->shut_down || wsk_is_shut_down(run, i);
}

/* The message on idle power is given if the cards are idle for at least least_time of the day, and the idle hours use
 * at least least_energy of the energy. */
static const double least_time = 0.3, least_energy = 0.15;

/* Share of the run in which the cards have no work, by comparison with the steady point `base`. 0: no card has work, or
 * their work is unknown (replay of power). */
static double idle_share(const wsk_run *run, const wsk_outcome *base)
{
    wsk_outcome of_run = {0};
    wsk_judge_cards(run, &of_run);
    const double full = base->busy > 0 && base->load > 0 ? base->busy / base->load : 1;
    return of_run.busy > 0 ? 1 - fmin(of_run.busy / full, 1) : 0;
}

/* Mean load of an hour of the day. Asks the workload, because the load also changes between the last point of its
 * curve and the first one of the next day. */
static double mean_of_hour(const wsk_net *net, int h)
{
    double sum = 0;
    for (int minute = 0; minute < 60; minute++) {
        const wsk_moment at = {.t_ns = (int64_t)(60 * h + minute) * 60 * WSK_NS};
        wsk_activity now = {0};
        net->workload_ops->at(net->workload, &at, &now);
        sum += now.load;
    }
    return sum / 60;
}

/* A share of idle time below this counts as 0, because pauses within the work amount to some percent. */
static const double least_idle = 0.05;

void wsk_look_at_shutdowns(wsk_judged *r, const wsk_run *run, wsk_outcome *base)
{
    wsk_judged without = *r;
    wsk_outcome o = *base, left;
    bool any = false;
    for (int i = 0; r->shut_down && base->dead && i < run->net->n_card; i++) {
        any = any || (wsk_is_shut_down(run, i) && !o.off[i]);
        o.off[i] = o.off[i] || wsk_is_shut_down(run, i);
    }
    if (!any)
        return;
    without.hot_k = NAN;
    without.off = o.off;
    if (wsk_judge(&without, NULL, NULL, &left)) {
        const double cool = base->work / (1 - base->lost);
        o.lost = cool > 0 ? 1 - left.work / cool : base->lost;
        o.work = left.work;
        o.done = left.done;
        o.wall_w = left.wall_w;
        o.site_w = left.site_w;
        o.noise_dba = left.noise_dba;
        o.room_c = left.room_c;
        o.hottest_c = left.hottest_c;
        *base = o;
        r->stopped = true;
    }
    r->parts = without.parts;
}

/* Power of the site with all cards idle, W; `otherwise` if the rig cannot be solved. busy: outcome with the cards
 * busy; cards that are off in it stay off. */
static double solve_idle(wsk_judged *r, const wsk_variant *v, const wsk_outcome *busy, double otherwise)
{
    wsk_judged mean = *r;
    wsk_outcome o;
    mean.resting = true;
    mean.hot_k = NAN;
    mean.off = busy->off;
    const bool solved = wsk_judge(&mean, v, NULL, &o);
    r->parts = mean.parts;
    return solved ? o.site_w : otherwise;
}

static void fill_day(const wsk_judged *r, double busy_w, double idle_w, double watts[24])
{
    for (int h = 0; h < 24; h++)
        watts[h] = r->scale * (idle_w + (busy_w - idle_w) * r->busy[h]);
}

static double mean_of_day(const double hours[24])
{
    double sum = 0;
    for (int h = 0; h < 24; h++)
        sum += hours[h];
    return sum / 24;
}

double wsk_year_of(const wsk_judged *r, double busy_w, double idle_w)
{
    double watts[24];
    fill_day(r, busy_w, idle_w, watts);
    return r->net->tariff ? wsk_bill_of_hours(r->net->billing, watts) : NAN;
}

double wsk_idle_w(wsk_judged *r, const wsk_variant *v, const wsk_outcome *o)
{
    return r->net->tariff && mean_of_day(r->busy) < 1 - least_idle ? solve_idle(r, v, o, r->idle_w) : r->idle_w;
}

void wsk_look_at_hours(wsk_judged *r, const wsk_run *run, const wsk_outcome *base)
{
    const wsk_workload_params *work = r->net->workload;
    const double share = run && !run->steady && run->net->cls != WSK_CLASS_IDLE ? idle_share(run, base) : 0;
    const bool idles = share > least_idle, curved = idles && work && work->load_curve.count >= 2;
    double watts[24];
    for (int h = 0; h < 24; h++)
        r->busy[h] = curved ? mean_of_hour(r->net, h) : 1;
    r->load = base->load > 0 ? base->load : 1;
    r->idle = idles ? share : 0;
    const double mean = mean_of_day(r->busy), busy = fmin(1, (1 - share) / r->load);
    for (int h = 0; h < 24 && idles; h++)
        r->busy[h] = mean > 0 ? fmin(1, r->busy[h] * busy / mean) : busy;
    r->scale = 1;
    r->idle_w = idles ? solve_idle(r, NULL, base, base->site_w) : base->site_w;
    fill_day(r, base->site_w, r->idle_w, watts);
    if (run && base->site_w > 0) {
        r->duty = fmin(1, wsk_site_w(run) / base->site_w);
        r->scale = fmin(1, wsk_site_w(run) / mean_of_day(watts));
    }
    r->year = wsk_year_of(r, base->site_w, r->idle_w);
}

const wsk_said *wsk_advise_idle(wsk_judged *r, const wsk_run *run, const wsk_outcome *base)
{
    const double share = r->idle, year_s = 365 * 86400.0;
    double watts[24];
    if (!run || share < least_time || share * r->idle_w < least_energy * wsk_site_w(run))
        return NULL;
    fill_day(r, base->site_w, r->idle_w, watts);
    for (int h = 0; h < 24; h++)
        watts[h] -= r->scale * r->idle_w * (1 - r->load * r->busy[h]);
    const wsk_said *year = r->net->tariff
                               ? WSK_SAY(r->arena, WSK_SAY_MONEY_WHOLE,
                                         r->year - wsk_bill_of_hours(r->net->billing, watts), r->net->currency)
                               : WSK_SAY(r->arena, WSK_SAY_ADVICE_IDLE_ENERGY, share * r->idle_w * year_s / 3.6e6);
    return WSK_SAY(r->arena, WSK_SAY_ADVICE_IDLE, 100 * share, r->idle_w, year);
}

/* The message on cheaper hours needs a saving of at least this share of the present bill. */
static const double least_saving = 0.05;

static double bill_later(const wsk_billing *billing, const double watts[24], int later)
{
    double moved[24];
    for (int h = 0; h < 24; h++)
        moved[(h + later + 24) % 24] = watts[h];
    return wsk_bill_of_hours(billing, moved);
}

const wsk_said *wsk_advise_hours(wsk_judged *r, const wsk_run *run, const wsk_outcome *base)
{
    const wsk_billing *billing = r->net->billing;
    const wsk_workload_params *work = r->net->workload;
    if (!run || run->steady || !r->net->tariff || !billing->n_periods || !work || work->load_curve.count < 2 ||
        run->net->cls == WSK_CLASS_IDLE || mean_of_day(r->busy) < 0.01 || base->site_w <= r->idle_w)
        return NULL;
    double watts[24];
    fill_day(r, base->site_w, r->idle_w, watts);
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
