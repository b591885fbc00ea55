/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trip probabilities of a run: for the loads of its PSUs and circuits. trip.c has the calculation itself. Theory:
 * docs/theory/trip.md */
#include <math.h>

#include "sim/books/books.h"
#include "sim/books/breaker.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "sim/study/check/check.h"
#include "sim/study/trip/trip.h"

/* Highest inlet temperature, K, at which the PSU can deliver `may` watts; may 0: highest inlet temperature without
 * derating. */
static double inlet_k(const wsk_supply *s, double may)
{
    const wsk_psu_params *p = s->params;
    return p->derate_above_k + (may > 0 && p->derate_per_k > 0 ? (1 - may / s->law.limit_w) / p->derate_per_k : 0);
}

/* Highest share of the time in which requests keep a card busy: that of the load curve, which is for a card of full
 * speed, and more for one that limits or heat slow. */
static double served_share(const wsk_run *run, int card)
{
    const wsk_workload_params *w = run->net->workload;
    const wsk_card_state *s = &run->cards[card];
    const double served_s = (double)s->served_ns / 1e9, done_s = wsk_sum_value(&s->work);
    double most = 0;
    for (int i = 0; w && i < w->load_curve.count; i++)
        most = wsk_max(most, w->load_curve.y[i]);
    return most > 0 ? wsk_min(done_s > 0 ? most * wsk_max(served_s / done_s, 1) : most, 1) : 1;
}

/* Power of a card while it answers requests, W, whose mean is mean_w with the time in which it waits for them. */
static double served_w(const wsk_run *run, int card, double mean_w)
{
    const wsk_card *c = &run->net->cards[card];
    const double share = served_share(run, card),
                 idle_w = isnan(c->gpu->idle_loaded_w) ? c->gpu->idle_w : c->gpu->idle_loaded_w;
    if (!(share < 1) || !(mean_w > idle_w))
        return mean_w;
    return wsk_max(mean_w, wsk_min(idle_w + (mean_w - idle_w) / share, wsk_card_most_w(run->net, c)));
}

/* Power of a card between its pauses, W, whose mean over them is mean_w: it waits for requests, or its class has
 * long pauses. A card without them, or whose power is given, has mean_w. */
static double between_pauses_w(const wsk_run *run, int card, double mean_w)
{
    const wsk_card *c = &run->net->cards[card];
    const double p0 = c->cls.p0_w;
    if (!c->works || wsk_power_is_given(run, card))
        return mean_w;
    mean_w = served_w(run, card, mean_w);
    if (!(c->cls.long_pause > 0) || !(mean_w > p0))
        return mean_w;
    return wsk_max(mean_w, wsk_min(p0 + (mean_w - p0) / (1 - c->cls.long_pause), wsk_card_most_w(run->net, c)));
}

static double highest_w(const wsk_run *run, int card) /* before the first tick, the highest power is minus infinity */
{
    return wsk_max(wsk_var_high(run, WSK_VAR_CARD_POWER_W, card), 0);
}

/* Adds a card that draws `share` of its power, whose highest one-second mean is high_w, from the PSU of `steps`.
 * card_w: steps->card_w; part: share of high_w that it drew when the load was highest. */
static void add_card(const wsk_run *run, int card, double share, double high_w, double part, double *card_w,
                     wsk_steps *steps)
{
    const double mean_w = part * share * high_w, w = part * share * between_pauses_w(run, card, high_w);
    steps->between_w += w - mean_w;
    steps->base_w += w - mean_w;
    card_w[steps->n++] = w;
}

wsk_steps wsk_steps_of_run(const wsk_run *run, int supply, double time_s, double card_w[WSK_STEP_CARDS])
{
    const wsk_net *net = run->net;
    const wsk_supply *s = &net->supplies[supply];
    const wsk_supply_state *state = &run->supplies[supply];
    double all = 0;
    wsk_steps steps = wsk_steps_of_net(net, s, inlet_k(s, state->may_give_w), time_s);
    steps.base_w = steps.limit_w * state->peak_rel;
    for (int i = 0; i < net->n_supply; i++) /* PSUs that are out carry none of the load */
        steps.pool -= net->supplies[i].in == s->in && net->supplies[i].params->redundant && wsk_supply_out(run, i);
    steps.card_w = card_w;
    for (int i = 0; i < net->n_card; i++)
        all += wsk_supply_share(run, &net->cards[i], supply) * highest_w(run, i);
    /* the cards did not all have their highest power when the PSU had its peak load */
    const double part = all > state->peak_cards_w ? state->peak_cards_w / all : 1;
    for (int i = 0; i < net->n_card && steps.n < WSK_STEP_CARDS; i++) {
        const double share = wsk_supply_share(run, &net->cards[i], supply);
        if (share > 0) {
            add_card(run, i, share, highest_w(run, i), part, card_w, &steps);
            steps.least_w +=
                share * wsk_min(between_pauses_w(run, i, highest_w(run, i)), wsk_card_least_w(net, &net->cards[i]));
        }
    }
    return steps;
}

/* Load steps of the cards of a case without a PSU. card_w receives their powers and must outlive the result. */
static wsk_steps steps_of_bare(const wsk_run *run, int in, double card_w[WSK_STEP_CARDS])
{
    const wsk_net *net = run->net;
    wsk_steps steps = wsk_steps_of_work(net);
    steps.card_w = card_w;
    for (int i = 0; i < net->n_card && steps.n < WSK_STEP_CARDS; i++)
        if (net->cards[i].in == in && net->cards[i].works)
            add_card(run, i, 1, highest_w(run, i), 1, card_w, &steps);
    return steps;
}

/* Time in which the load steps of a PSU may trip it, s: of a steady point a day, as `check` has it. */
static double stepping_s(const wsk_run *run)
{
    return run->steady ? 86400 : wsk_window_s(run);
}

double wsk_supply_trip(const wsk_run *run, int supply)
{
    double card_w[WSK_STEP_CARDS];
    wsk_steps steps = wsk_steps_of_run(run, supply, stepping_s(run), card_w);
    return run->supplies[supply].failed ? NAN : wsk_steps_trip(&steps, NULL);
}

/* Returns by how much the swing of the cards raises the heat of a breaker, which follows (current / rating)^2 with the
 * time constant tau_s. The swing has two levels around the mean current m. The heat at the end of the high level is
 * taken, after so many periods that they are all alike. swing_m: current of the cards that swings together. m and
 * swing_m are multiples of the rating. */
static double heat_of_swing(const wsk_breaker *b, const wsk_steps *s, double m, double swing_m)
{
    if (!(s->rise > 0))
        return 0;
    const double high = m + s->rise * swing_m, low = m - s->fall * swing_m, high_s = wsk_swing_high_s(s),
                 share = (1 - exp(-high_s / b->tau_s)) / (1 - exp(-s->step_s / b->tau_s));
    return low * low + (high * high - low * low) * share - m * m;
}

static double add_swing_w(double swing_w, const wsk_steps *steps)
{
    return steps->synchronous ? swing_w + wsk_swing_w(steps) : hypot(swing_w, wsk_swing_w(steps));
}

/* Adds the powers of the cards that a redundant PSU feeds to those of the other redundant PSUs of its case on the same
 * circuit. They all feed the same cards, and the shares of one card swing together. pooled_w: pooled->card_w */
static void pool_cards(const wsk_steps *steps, double *pooled_w, wsk_steps *pooled)
{
    for (int k = 0; k < steps->n; k++)
        pooled_w[k] = (k < pooled->n ? pooled_w[k] : 0) + steps->card_w[k];
    pooled->n = steps->n > pooled->n ? steps->n : pooled->n;
    pooled->synchronous = steps->synchronous;
}

/* Highest current of a circuit as a multiple of its rated current: the peak load, plus short rises of power (steps) of
 * all cards. wsk_steps_wall_w leaves out steps of less than 10 ms, which do not reach the mains. *heat: increase of
 * the breaker's highest heat by the swing of the cards. */
static double peak_multiple(const wsk_run *run, int line, double *heat)
{
    const wsk_net *net = run->net;
    const double rating = wsk_line_rating_w(&net->lines[line]);
    double more = 0, swing_w = 0, card_w[WSK_STEP_CARDS], pooled_w[WSK_STEP_CARDS];
    wsk_steps last = {0};
    for (int in = 0; in < net->n_case; in++) {
        const wsk_case *c = &net->cases[in];
        wsk_steps pooled = {.card_w = pooled_w};
        for (int i = c->first_supply; i < c->first_supply + c->n_supply; i++) {
            if (net->supplies[i].line != line)
                continue;
            last = wsk_steps_of_run(run, i, wsk_window_s(run), card_w);
            more += wsk_steps_wall_w(&last) - last.base_w + last.between_w;
            if (net->supplies[i].params->redundant)
                pool_cards(&last, pooled_w, &pooled);
            else
                swing_w = add_swing_w(swing_w, &last);
        }
        swing_w = add_swing_w(swing_w, &pooled);
        if (c->n_supply == 0 && line == 0) { /* a case without a PSU is on the first circuit */
            last = steps_of_bare(run, in, card_w);
            more += wsk_steps_wall_w(&last);
            swing_w = add_swing_w(swing_w, &last);
        }
    }
    *heat = heat_of_swing(&run->net->lines[line].breaker, &last, run->lines[line].va_peak / rating, swing_w / rating);
    return (run->lines[line].va_peak + more) / rating;
}

double wsk_line_trip(const wsk_run *run, int line)
{
    const wsk_mains_line *l = &run->net->lines[line];
    if (isnan(l->circuit_a))
        return NAN;
    if (run->lines[line].tripped == WSK_LINE_TRIPPED)
        return 1;
    double heat;
    const double most = peak_multiple(run, line, &heat);
    return wsk_breaker_trip(&l->breaker, run->lines[line].breaker_most + heat, most);
}

double wsk_circuit_trip(const wsk_run *run)
{
    double stay = 1;
    bool any = false;
    if (run->net->n_line == 1)
        return wsk_line_trip(run, 0);
    for (int i = 0; i < run->net->n_line; i++) {
        double p = wsk_line_trip(run, i);
        any = any || !isnan(p);
        stay *= 1 - (isnan(p) ? 0 : p);
    }
    return any ? 1 - stay : (double)NAN;
}

/* Rise of the cards' power above the mean, as a meter sees it, W: by the workload's swing if the rig states it, else
 * by steps of 10-20 ms. Cards that are not synchronous rise independently (root of the sum of squares). */
static double ripple_w(const wsk_run *run, const wsk_steps *steps)
{
    const wsk_workload_params *w = run->net->workload;
    double sum = 0, square = 0, rise = wsk_steps_wall_w(steps) - steps->base_w;
    for (int i = 0; i < steps->n; i++) {
        sum += steps->card_w[i];
        square += steps->card_w[i] * steps->card_w[i];
    }
    if (w && w->swing_high > 1)
        rise = (w->swing_high - 1) * sum;
    return sum > 0 && !steps->synchronous ? rise * sqrt(square) / sum : rise;
}

/* Short rise of a case's processors above their mean power, W: (highest power - `power`) times the host's load. */
static double burst_w(const wsk_net *net, const wsk_case *c)
{
    bool bursts = c->cpu && c->cpu->peak_w > c->cpu->power_w && net->cls != WSK_CLASS_IDLE && !c->idles;
    return bursts ? c->cpu->count * net->host_load * (c->cpu->peak_w - c->cpu->power_w) : 0;
}

/* Share of a case's processors that a PSU feeds: equal shares for redundant PSUs that work. */
static double host_share(const wsk_run *run, int supply)
{
    const wsk_supply *all = run->net->supplies;
    const wsk_case *c = &run->net->cases[all[supply].in];
    const int rest = wsk_rest_supply(run->net, c);
    int n = 0;
    if (!all[rest].params->redundant || !all[supply].params->redundant)
        return supply == rest;
    for (int i = c->first_supply; i < c->first_supply + c->n_supply; i++)
        n += all[i].params->redundant && !wsk_supply_out(run, i);
    return n ? 1. / n : 0;
}

double wsk_wall_meter_w(const wsk_run *run)
{
    const wsk_net *net = run->net;
    double peak = run->books->wall_peak_w, card_w[WSK_STEP_CARDS];
    for (int i = 0; i < net->n_supply; i++) {
        const wsk_supply *s = &net->supplies[i];
        double dc = run->supplies[i].dc_peak_w;
        if (run->supplies[i].failed || !(dc > 0))
            continue;
        wsk_steps steps = wsk_steps_of_run(run, i, wsk_window_s(run), card_w);
        double more = steps.between_w + ripple_w(run, &steps) + burst_w(net, &net->cases[s->in]) * host_share(run, i);
        peak += s->ops->input_w(&s->law, dc + more) - s->ops->input_w(&s->law, dc);
    }
    for (int i = 0; i < net->n_case && peak > 0; i++)
        if (!net->cases[i].n_supply) {
            const wsk_steps steps = steps_of_bare(run, i, card_w);
            peak += steps.between_w + ripple_w(run, &steps) + burst_w(net, &net->cases[i]);
        }
    return peak;
}

static const wsk_said *say_chance(wsk_arena *a, double p)
{
    return p > 0.995 ? WSK_SAY(a, WSK_SAY_TRIP_SURE) : WSK_SAY(a, WSK_SAY_TRIP_CHANCE, 100 * p);
}

static void say_line(const wsk_run *run, int line, wsk_said_list *o)
{
    const wsk_mains_line *l = &run->net->lines[line];
    double p = wsk_line_trip(run, line), amp = run->lines[line].va_peak / l->supply_v,
           holds = l->breaker.hold_low * wsk_line_rating_w(l);
    const char *standard = l->breaker.name;
    const wsk_said *other =
        l->supply_v < 180 ? WSK_SAY(o->arena, WSK_SAY_TRIP_OR_AT, wsk_high_line_v(l->supply_v)) : NULL;
    if (!(p >= WSK_TELLS) || run->lines[line].tripped)
        return;
    if (run->net->n_line == 1)
        wsk_said_add(
            o, WSK_SAID(WSK_SAY_TRIP_BREAKER, say_chance(o->arena, p), amp, l->circuit_a, standard, holds, other));
    else
        wsk_said_add(
            o, WSK_SAID(WSK_SAY_TRIP_BRANCH, l->id, say_chance(o->arena, p), amp, l->circuit_a, standard, holds));
}

void wsk_trip_say(const wsk_run *run, wsk_said_list *o)
{
    for (int i = 0; i < run->net->n_line; i++)
        say_line(run, i, o);
    for (int i = 0; i < run->net->n_supply; i++) {
        double card_w[WSK_STEP_CARDS];
        wsk_steps steps = wsk_steps_of_run(run, i, stepping_s(run), card_w);
        if (run->supplies[i].failed)
            continue;
        double p = wsk_steps_trip(&steps, NULL);
        if (p >= WSK_TELLS)
            wsk_said_add(o, WSK_SAID(WSK_SAY_TRIP_PSU, run->net->supplies[i].elem->id, say_chance(o->arena, p),
                                     wsk_steps_said(o->arena, &steps)));
    }
}
