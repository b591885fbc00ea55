/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the steady operating point by a run at constant load, with reduced heat capacities of slow nodes, until the
 * mean temperatures of successive windows of ten minutes agree or only oscillate.
 * Theory: docs/theory/time.md */
#include <math.h>
#include <string.h>

#include "sim/control/run.h"
#include "sim/step/step.h"
#include "sim/step/tables.h"
#include "sim/books/observe.h"
#include "sim/books/books.h"
#include "sim/control/control.h"

enum { WINDOW_S = 600, LONGEST_S = 6 * 3600 };
/* A point is settled if the means of two windows differ by less than settled_k, K. A die that varies by more than
 * swing_k, K, within a window may oscillate (is_cycling): then its means need agree only within swing_k. */
static const double settled_k = 0.01, swing_k = 0.5;

static void open_window(wsk_run *run)
{
    run->head->window_ns = run->books->bucket_ns = run->head->t_ns;
    wsk_observe_anew(run);
}

static void open_accounts(wsk_run *run)
{
    wsk_books *books = run->books;
    wsk_run_head *head = run->head;
    /* makes the next tick call all controls, because only a tick that calls them books the peak powers reset below */
    run->now.quiet_ns = 0;
    memset(&books->ledger, 0, sizeof books->ledger);
    wsk_ledger_start(run);
    books->wall_peak_w = books->dc_peak_w = books->va_peak = 0;
    for (int i = 0; i < run->net->n_line; i++)
        run->lines[i] = (wsk_line_state){.tripped = run->lines[i].tripped,
                                         .trips = run->lines[i].trips,
                                         .at_ns = run->lines[i].at_ns,
                                         .dark = run->lines[i].dark,
                                         .dark_ns = run->lines[i].dark_ns,
                                         .logged = run->lines[i].logged,
                                         .breaker_heat = run->lines[i].breaker_heat};
    books->feed_loss = head->work_gone = head->work_dark = (wsk_sum){0};
    for (int i = 0; i < run->net->n_supply; i++)
        run->supplies[i] = (wsk_supply_state){.failed = run->supplies[i].failed};
    wsk_bill_open(&books->bill, run->net->billing, head->t_ns, run->end_ns);
    books->noise_s = books->noise_peak = 0;
    for (int i = 0; i < run->net->n_case; i++)
        run->cases[i] = (wsk_case_state){.cpu_share = run->cases[i].cpu_share,
                                         .cpu_off = run->cases[i].cpu_off,
                                         .cpu_ns = run->cases[i].cpu_ns,
                                         .shutdowns = run->cases[i].shutdowns,
                                         .brake = run->cases[i].brake};
    for (int i = 0; i < run->net->n_mover; i++) {
        wsk_mover_state *m = &run->movers[i];
        m->rpm_s = m->flow_s = m->power_j = m->noise_s = 0;
    }
    for (int i = 0; i < run->net->n_card; i++) {
        wsk_card_state *s = &run->cards[i];
        s->work = s->work_cool = s->work_free = (wsk_sum){0};
        s->served_ns = 0;
        memset(s->throttle_ns, 0, sizeof s->throttle_ns);
        memset(s->intake, 0, sizeof s->intake);
        s->intake_s = 0;
        if (!s->off)
            s->runaway = 0; /* on the way to the point, temperatures rise faster than those of a run */
    }
}

static double card_mean(const wsk_run *run, int card)
{
    return wsk_var_mean(run, WSK_VAR_CARD_DIE_C, card);
}

static wsk_status create_run(wsk_run **out, const wsk_net *net, wsk_stepper stepper)
{
    const wsk_run_options o = {.duration_s = LONGEST_S + 1, .step_s = 1, .stepper = stepper};
    return wsk_run_make(out, net, &o, true);
}

typedef struct {
    double before_c; /* mean die temperature of a card in the window before, degC */
    /* direction of the mean's last change, 1, -1 or 0; number of reversals of that direction */
    int way, turns;
} course;

static void follow_mean(const wsk_run *run, int card, course *c)
{
    const double moved = card_mean(run, card) - c->before_c;
    const int way = fabs(moved) < settled_k ? 0 : moved > 0 ? 1 : -1;
    c->turns += way * c->way < 0;
    c->way = way ? way : c->way;
}

/* True if a card's die temperature oscillates. Its swing in the last window, band_k, must be above swing_k. After a
 * shutdown of a card the others cool down, which is no oscillation: then the mean must also have reversed twice, or
 * the swing must exceed one_way times the change of the mean from window to window. */
static bool is_cycling(const wsk_run *run, int card, double band_k, const course *c)
{
    /* If a temperature rises or falls steadily, its mean changes from window to window by as much as it swings within
     * a window. It oscillates if it swings by more than this factor times that change. */
    const double one_way = 2;
    return band_k > swing_k && !run->cards[card].off &&
           (run->head->shutdowns == 0 || c->turns > 1 || band_k > one_way * fabs(card_mean(run, card) - c->before_c));
}

static double find_farthest(const wsk_run *run, double air_before_c, const course *cards)
{
    double worst = fabs(wsk_case_air_c(run) - air_before_c);
    for (int i = 0; i < run->net->n_card; i++)
        worst = wsk_max(worst, fabs(card_mean(run, i) - cards[i].before_c));
    return worst;
}

static double band_of(const wsk_run *run, int card)
{
    return wsk_var_high(run, WSK_VAR_CARD_DIE_C, card) - wsk_var_low(run, WSK_VAR_CARD_DIE_C, card);
}

/* True if the means differ from window to window only because oscillations do not fit into the windows a whole number
 * of times: the mean of each card that still changes has reversed at least `reversals` times if its die oscillates
 * (is_cycling), otherwise at least three times. Longer runs would not help. */
static bool only_swings(const wsk_run *run, const course *cards, int reversals)
{
    bool any = false;
    for (int i = 0; i < run->net->n_card; i++) {
        const bool cycles = is_cycling(run, i, band_of(run, i), &cards[i]);
        const bool swings = cards[i].turns >= (cycles ? reversals : 3);
        if (!swings && fabs(card_mean(run, i) - cards[i].before_c) >= settled_k)
            return false;
        any = any || swings;
    }
    return any;
}

static wsk_status settle_run(wsk_run *run, bool *cycling, double *band_k, double *drift_k)
{
    const wsk_net *net = run->net;
    wsk_status status;
    course *cards = wsk_alloc(run->arena, ((size_t)net->n_card + 1) * sizeof *cards);
    if (!cards)
        return WSK_ENOMEM;
    const double from = wsk_time_s(run);
    double drift = 0;
    bool settled = false;
    for (double t = from; t < LONGEST_S && !settled;) {
        for (int i = 0; i < net->n_card; i++)
            cards[i].before_c = t > from ? card_mean(run, i) : 0;
        const double air_c = t > from ? wsk_case_air_c(run) : 0;
        open_window(run);
        open_accounts(run);
        t += WINDOW_S;
        status = wsk_run_advance(run, t);
        if (status != WSK_OK)
            return status;
        for (int i = 0; i < net->n_card; i++)
            follow_mean(run, i, &cards[i]);
        drift = t >= from + (from > 0 ? 2 : 3) * WINDOW_S ? find_farthest(run, air_c, cards) : INFINITY;
        settled = drift < settled_k || (drift < swing_k && only_swings(run, cards, from > 0 ? 1 : 3));
    }
    *cycling = false;
    for (int i = 0; i < net->n_card; i++) {
        const double band = band_of(run, i);
        if (band_k)
            band_k[i] = band;
        *cycling = *cycling || is_cycling(run, i, band, &cards[i]);
    }
    /* An oscillation is reported by band_k; the difference between the means of its windows is no drift. */
    if (drift_k)
        *drift_k = settled || (*cycling && drift < swing_k) ? 0 : drift;
    return WSK_OK;
}

wsk_status wsk_steady_solve(wsk_run **out, const wsk_net *net, wsk_stepper stepper, bool *cycling, double *band_k,
                            double *drift_k)
{
    wsk_status status = create_run(out, net, stepper);
    return status == WSK_OK ? settle_run(*out, cycling, band_k, drift_k) : status;
}

wsk_status wsk_steady_settle(wsk_run *run)
{
    bool cycling;
    return settle_run(run, &cycling, NULL, NULL);
}

wsk_status wsk_steady_opening(wsk_run **out, const wsk_net *net, wsk_stepper stepper)
{
    wsk_status status = create_run(out, net, stepper);
    if (status != WSK_OK)
        return status;
    (*out)->opening = true;
    return wsk_steady_settle(*out);
}

static wsk_status solve_leap(wsk_run **out, const wsk_net *net, wsk_stepper stepper, bool resting)
{
    wsk_status status = create_run(out, net, stepper);
    if (status != WSK_OK)
        return status;
    (*out)->resting = resting;
    (*out)->leap = true;
    return wsk_steady_settle(*out);
}

wsk_status wsk_steady_leap(wsk_run **out, const wsk_net *net, wsk_stepper stepper)
{
    return solve_leap(out, net, stepper, false);
}

wsk_status wsk_steady_resting(wsk_run **out, const wsk_net *net, wsk_stepper stepper)
{
    return solve_leap(out, net, stepper, true);
}

static bool is_alike(const wsk_run *a, const wsk_run *b)
{
    const wsk_net *m = a->net, *n = b->net;
    return m->n_node == n->n_node && m->n_mover == n->n_mover && m->n_card == n->n_card && m->n_case == n->n_case;
}

/* Takes temperatures, speeds and controls from another run. Boundary temperatures and fixed speeds of fans and pumps
 * stay those of the run's own network. */
static void take_state(wsk_run *run, const wsk_run *from)
{
    const wsk_net *net = run->net;
    for (int i = 0; i < net->n_node; i++)
        run->t[i] = net->nodes[i].boundary ? run->t[i] : from->t[i];
    memcpy(run->t_natural, from->t_natural, (size_t)net->n_node * sizeof *run->t_natural);
    for (int i = 0; i < net->n_mover; i++) {
        const wsk_control_params *c = net->movers[i].control;
        run->movers[i].ref_k = from->movers[i].ref_k;
        run->rpm[i] = c && c->sensor != WSK_SENSE_NONE ? from->rpm[i] : run->rpm[i];
    }
    for (int i = 0; i < net->n_case; i++)
        run->cases[i].cpu_share = from->cases[i].cpu_share;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        wsk_card_state *s = &run->cards[i];
        const wsk_card_state *other = &from->cards[i];
        memcpy(s->governor, other->governor, sizeof s->governor);
        s->power_w = other->power_w;
        s->clock_hz = other->clock_hz;
        s->die_k = other->die_k;
        s->fan_ref_k = other->fan_ref_k;
        wsk_split_watts(c, s);
        if (c->mover >= 0 && isnan(c->pin_rpm))
            run->rpm[c->mover] = from->rpm[c->mover];
    }
    wsk_mover_watts(run);
    wsk_ask_all(run);
}

wsk_status wsk_steady_from(wsk_run **out, const wsk_net *net, const wsk_run *settled)
{
    wsk_status status = create_run(out, net, settled->stepper);
    if (status == WSK_OK &&
        (!is_alike(*out, settled) || settled->head->shutdowns > 0 || settled->head->t_ns >= LONGEST_S * WSK_NS))
        status = WSK_EINPUT;
    if (status != WSK_OK)
        return status;
    wsk_run *run = *out;
    run->resting = settled->resting;
    run->leap = true;
    run->head->t_ns = settled->head->t_ns;
    take_state(run, settled);
    wsk_known_take(run, settled);
    open_window(run);
    open_accounts(run);
    return WSK_OK;
}
