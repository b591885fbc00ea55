/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges a changed rig by a run of it, where the steady point with all cards busy tells too little of the run, as of
 * one with pauses. Theory: docs/theory/trip.md, "Advice behind a run" */
#include <math.h>

#include "sim/books/bill.h"
#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "sim/step/step.h"
#include "sim/study/advice/advice.h"
#include "sim/study/kit/schedule.h"

/* docs/theory/constants.md, "runs with pauses in advice". least_s: a shorter run may end before heat has its lasting
 * effect, and may lack the hours of full load. busy_duty: mean power of a run without pauses that count, as a share of
 * its steady point's, or more. other_loss: greatest difference between the losses to heat of a run and its steady
 * point, and between those of the hottest hour and the mean one, with which the point stands for the run. */
static const double least_s = 86400, busy_duty = 0.95, other_loss = 0.02;

bool wsk_has_pauses(const wsk_judged *r)
{
    return r->run && !r->run->steady && r->net->n_card && r->duty < busy_duty;
}

/* Highest loads of PSUs and circuits beyond their limits, and chances of trips. */
static void read_delivery(const wsk_run *run, wsk_outcome *o)
{
    const wsk_net *net = run->net;
    double stay = 1, card_w[WSK_STEP_CARDS];
    o->over_w = o->over_psu_w = o->over_feed = 0;
    for (int i = 0; i < net->n_supply && i < WSK_STEP_CARDS; i++) {
        const double trip = wsk_supply_trip(run, i);
        const wsk_steps steps = wsk_steps_of_run(run, i, wsk_window_s(run), card_w);
        stay *= 1 - (isnan(trip) ? 0 : trip);
        o->over_psu_w += isnan(trip) ? 0 : fmax(0, steps.base_w - steps.limit_w);
    }
    o->trip_psu = 1 - stay;
    for (int i = 0; i < net->n_line; i++) {
        const wsk_line_state *s = &run->lines[i];
        const double trip = wsk_line_trip(run, i), limit_w = net->lines[i].limit_w;
        stay *= 1 - (isnan(trip) ? 0 : trip);
        o->over_w += limit_w > 0 ? fmax(0, s->va_peak - limit_w) : 0;
        o->over_feed += fmax(0, s->feed_peak_rel - 1);
    }
    o->trip = 1 - stay;
}

void wsk_read_run(const wsk_run *run, wsk_outcome *o)
{
    const bool uncounted = o->uncounted;
    o->dead = o->gone = 0;
    o->throttles = o->braked = false;
    wsk_judge_cards(run, o);
    o->uncounted = uncounted;
    o->hottest_c = -INFINITY;
    o->done = uncounted ? 0 : o->work;
    for (int i = 0; i < run->net->n_card; i++) {
        o->hottest_c = fmax(o->hottest_c, wsk_var_high(run, WSK_VAR_CARD_DIE_C, i));
        o->done += uncounted ? o->card_w[i] : 0;
    }
    o->throttles = o->throttles || wsk_heat_is_told(run);
    o->wall_w = wsk_var_mean(run, WSK_VAR_WALL_W, 0);
    o->site_w = wsk_site_w(run);
    o->room_c = wsk_var_high(run, WSK_VAR_ROOM_C, 0);
    o->noise_dba = isnan(o->noise_dba) ? o->noise_dba : wsk_dba(run->books->noise_s / wsk_window_s(run));
    o->year = wsk_bill_account(run).annual;
    read_delivery(run, o);
}

bool wsk_judges_over_run(const wsk_judged *r, const wsk_outcome *point)
{
    wsk_outcome o = *point;
    if (!r->run || r->run->steady || r->n_failed || r->shut_down || wsk_window_s(r->run) < least_s)
        return false;
    if (wsk_limits_change(r->net))
        return true;
    wsk_read_run(r->run, &o);
    /* where dust gathers, the point is the end of the run, and strides would be short */
    return r->duty < busy_duty || (!(r->dust_s > 0) && (fabs(o.lost - point->lost) > other_loss ||
                                                        point->hot_lost - point->lost > other_loss));
}

bool wsk_judge_over_run(wsk_judged *r, const wsk_variant *v, wsk_outcome *o)
{
    wsk_plan *plan = NULL;
    wsk_net *net = NULL;
    wsk_run *run = NULL;
    const wsk_run_options options = {.duration_s = wsk_window_s(r->run),
                                     .step_s = (double)r->run->tick_ns / WSK_NS,
                                     .seed = r->run->seed,
                                     .leap = true,
                                     .stride = true,
                                     .no_series = true};
    const bool ok = wsk_load_changed(r, v->sets, v->count, 0, &plan, &net) == WSK_OK &&
                    wsk_run_create(&run, net, &options) == WSK_OK &&
                    wsk_run_advance(run, options.duration_s) == WSK_OK;
    if (ok)
        wsk_read_run(run, o);
    else
        r->parts.first = NULL;
    wsk_run_free(run);
    wsk_net_free(net);
    wsk_plan_free(plan);
    return ok;
}
