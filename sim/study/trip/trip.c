/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trip probabilities of PSUs and breakers, cures of trips, and messages on both. Sources: tolerated load steps from
 * Intel 613768, table 3-3 (ATX 3); load steps of a card measured on an RTX 5090 (575 W) by Igor's Lab. Theory:
 * docs/theory/trip.md */
#include "sim/study/trip/trip.h"

#include "sim/base/said.h"

#include <math.h>

/* Load steps by their duration. ratio: peak power of a card, divided by its one-second mean. built: load that a PSU
 * must tolerate for that duration, divided by its rated power, for plain and for ATX 3 PSUs (index: wsk_excursions). */
static const struct {
    wsk_code length;
    double ratio, built[2];
} classes[] = {{WSK_SAY_WORD_STEP_1, 1.567, {1.45, 1.80}},
               {WSK_SAY_WORD_STEP_1_5, 1.432, {1.35, 1.60}},
               {WSK_SAY_WORD_STEP_5_10, 1.284, {1.35, 1.60}},
               {WSK_SAY_WORD_STEP_10_20, 1.091, {1.10, 1.20}}};
enum { CLASSES = 4, GRID = 2048, UNITS = 256 };
/* Relative spread of the trip thresholds between units of one PSU model:
 * docs/theory/constants.md, "strength of a PSU" */
static const double unit_spread = 0.15;

/* lasting_s: duration, s, above which a raised load counts as lasting and not as a step. shortest_s: shortest duration
 * of each class of steps, s. Source: as the classes */
static const double lasting_s = 20e-3, shortest_s[] = {0, 1e-3, 5e-3, 10e-3};

double wsk_swing_w(const wsk_steps *s)
{
    double sum = 0, square = 0;
    for (int i = 0; i < s->n; i++) {
        sum += s->card_w[i];
        square += s->card_w[i] * s->card_w[i];
    }
    return s->synchronous ? sum : sqrt(square);
}

/* Rise of the load in the high part of the swing, W, if that part lasts. */
static double lasting_rise_w(const wsk_steps *s)
{
    return wsk_swing_high_s(s) > lasting_s ? s->rise * wsk_swing_w(s) : 0;
}

/* Peak power of a card divided by its mean, for steps of class k. A short high part of the swing counts as a step of
 * its duration. */
static double ratio_of(const wsk_steps *s, int k)
{
    const double high_s = wsk_swing_high_s(s);
    return high_s > shortest_s[k] && high_s <= lasting_s ? wsk_max(classes[k].ratio, 1 + s->rise) : classes[k].ratio;
}

/* v: strength of the unit, 0 to 1. It shifts the overload protection by -7.5 to +7.5 % of limit_w (117.6-133.3 %
 * were measured), and raises the tolerated steps by 0 to 15 % over the required ones. */
double wsk_steps_critical(const wsk_steps *s, double v, int *class)
{
    double opp = s->opp + unit_spread * (v - 0.5), least = INFINITY;
    const double base_w = s->base_w + lasting_rise_w(s);
    *class = -1;
    if (base_w > opp * s->limit_w)
        return -1;
    for (int k = 0; k < CLASSES; k++) {
        double rides = wsk_max(classes[k].built[s->excursions] * (1 + unit_spread * v), opp);
        double sum = (rides * s->limit_w - base_w) / (ratio_of(s, k) - 1);
        if (sum < least) {
            least = sum;
            *class = k;
        }
    }
    return least;
}

/* p: distribution of a sum of steps; p[i] is the probability that the sum is in cell i of a grid with cells of `cell`
 * watts. Adds a step that occurs with probability `there` and is uniform from 0 to w watts. */
static void add_uniform(double *p, int n, double cell, double w, double there)
{
    int width = (int)floor(w / cell + 0.5);
    double window = 0, q[GRID];
    if (width < 1)
        return;
    for (int i = 0; i < n; i++) {
        window += p[i];
        if (i > width)
            window -= p[i - width - 1];
        double head = p[i], tail = i >= width ? p[i - width] : 0; /* trapezoidal rule: both ends count half */
        q[i] = (1 - there) * p[i] + there * (window - 0.5 * (head + tail)) / width;
    }
    for (int i = 0; i < n; i++)
        p[i] = q[i];
}

/* tail[i]: probability that the sum of the cards' steps lies beyond cell i. first: index of the card that steps for
 * certain, while the steps of the others overlap its step by chance; below 0: all cards step together. */
static void step_tail(const wsk_steps *s, int first, double cell, double *tail)
{
    double p[GRID] = {1}, beyond = 0, q = wsk_min(2 * WSK_STEP_OVERLAP_S / s->step_s, 1);
    for (int i = 0; i < s->n; i++)
        add_uniform(p, GRID, cell, s->card_w[i], first < 0 || i == first ? 1 : q);
    for (int i = GRID; i-- > 0;) {
        tail[i] = beyond;
        beyond += p[i];
    }
}

static double tail_at(const double *tail, double cell, double sum)
{
    double x = sum / cell - 0.5;
    int i = (int)floor(x);
    if (i < 0)
        return 1;
    if (i >= GRID - 1)
        return 0;
    return tail[i] + (tail[i + 1] - tail[i]) * (x - i);
}

static double together(const wsk_steps *s)
{
    double sum = 0;
    for (int i = 0; i < s->n; i++)
        sum += s->card_w[i];
    return sum;
}

/* Probability that at least one of `steps` load steps trips a unit, averaged over units of all strengths. stay[u]:
 * probability that unit u has not tripped yet, multiplied on over calls. */
static double mean_over_units(const wsk_steps *s, const double *tail, double cell, double steps, double *stay)
{
    double trips = 0;
    int class;
    for (int u = 0; u < UNITS; u++) {
        double sum = wsk_steps_critical(s, (u + 0.5) / UNITS, &class), p = sum < 0 ? 1 : tail_at(tail, cell, sum);
        stay[u] *= p < 1 ? exp(steps * log1p(-p)) : 0;
        trips += 1 - stay[u];
    }
    return trips / UNITS;
}

/* Cause of a trip for the median of the units that trip, which are the weakest units; if hardly any unit trips, for the
 * median of all units. p: share of the units that trip; all: total power of the cards, W. */
static wsk_step_cause cause_of(const wsk_steps *s, double p, double all)
{
    int class;
    const double base_w = s->base_w + lasting_rise_w(s);
    wsk_steps_critical(s, p < WSK_TELLS ? 0.5 : 0.5 * p, &class);
    if (class < 0)
        return (wsk_step_cause){base_w > s->base_w ? WSK_SAY_WORD_STEP_SWING : WSK_SAY_WORD_STEP_LONG, base_w,
                                s->limit_w};
    return (wsk_step_cause){classes[class].length, base_w + (ratio_of(s, class) - 1) * all,
                            classes[class].built[s->excursions] * s->limit_w};
}

double wsk_steps_trip(const wsk_steps *s, wsk_step_cause *cause)
{
    double tail[GRID], stay[UNITS], all = together(s), cell = wsk_max(all, 1) * 1.02 / GRID, p = 0;
    double steps = s->time_s / s->step_s;
    for (int u = 0; u < UNITS; u++)
        stay[u] = 1;
    if (s->synchronous || s->n < 2) {
        step_tail(s, -1, cell, tail);
        p = mean_over_units(s, tail, cell, steps, stay);
    } else {
        for (int i = 0; i < s->n; i++) {
            step_tail(s, i, cell, tail);
            p = mean_over_units(s, tail, cell, steps, stay);
        }
    }
    if (cause)
        *cause = cause_of(s, p, all);
    return p;
}

double wsk_steps_wall_w(const wsk_steps *s)
{
    return s->base_w + lasting_rise_w(s) + (ratio_of(s, CLASSES - 1) - 1) * together(s);
}

static double share_between(double x, double low, double high)
{
    return wsk_min(wsk_max((x - low) / (high - low), 0), 1);
}

double wsk_breaker_trip(const wsk_breaker *b, double heat, double m)
{
    double slow = share_between(sqrt(wsk_max(heat, 0)), b->hold_low, b->hold_high),
           fast = share_between(m, b->instant_low, b->instant_high);
    return 1 - (1 - slow) * (1 - fast);
}

static bool holds(const wsk_steps *s)
{
    return s->base_w <= s->limit_w && wsk_steps_trip(s, NULL) < WSK_TELLS;
}

static bool holds_with(const wsk_steps *s, double limit_w)
{
    wsk_steps more = *s;
    more.limit_w = limit_w;
    return holds(&more);
}

/* True if the PSU holds with the cards' power multiplied by `share` and the load base_w, W. */
static bool holds_less(const wsk_steps *s, double share, double base_w)
{
    double w[WSK_STEP_CARDS];
    wsk_steps less = *s;
    for (int i = 0; i < s->n; i++)
        w[i] = share * s->card_w[i];
    less.card_w = w;
    less.base_w = base_w;
    return holds(&less);
}

double wsk_steps_cure_limits(const wsk_steps *s)
{
    for (double share = 1; share > 0.3 && share * together(s) >= s->least_w; share -= 0.01)
        if (holds_less(s, share, s->base_w - (1 - share) * together(s)))
            return share;
    return 0;
}

int wsk_steps_cure_more(const wsk_steps *s)
{
    const int n = s->pool > 1 ? s->pool : 1,
              least = (int)wsk_max(1, ceil(n * (s->base_w / (WSK_TIGHT * s->limit_w) - 1) - 1e-9));
    for (int more = least; more <= least + n; more++)
        if (holds_less(s, (double)n / (n + more), s->base_w * n / (n + more)))
            return more;
    return least;
}

double wsk_steps_cure_rating(const wsk_steps *s)
{
    const double rated = s->rated_w > 0 ? s->rated_w : s->limit_w,
                 least = wsk_max(rated, s->base_w * rated / s->limit_w); /* less would not carry the load */
    for (double w = 50 * ceil(least / 50); isfinite(least) && w < 4 * least + 100; w += 50)
        if (s->base_w <= WSK_TIGHT * w * s->limit_w / rated && holds_with(s, w * s->limit_w / rated))
            return w;
    return INFINITY;
}

static const wsk_said *say_derating(wsk_arena *a, const wsk_steps *s)
{
    bool low = s->line_w < 0.999 * s->rated_w, hot = s->limit_w < 0.999 * s->line_w;
    double inlet_c = s->inlet_k - WSK_KELVIN;
    if (!(s->rated_w > 0) || !(low || hot))
        return NULL;
    if (low && hot)
        return WSK_SAY(a, WSK_SAY_TRIP_DERATED_BOTH, s->rated_w, s->limit_w, s->supply_v, inlet_c);
    return low ? WSK_SAY(a, WSK_SAY_TRIP_DERATED_LINE, s->rated_w, s->limit_w, s->supply_v)
               : WSK_SAY(a, WSK_SAY_TRIP_DERATED_AIR, s->rated_w, s->limit_w, inlet_c);
}

static const wsk_said *say_cause(wsk_arena *a, const wsk_steps *s)
{
    wsk_step_cause cause;
    const wsk_said *less = say_derating(a, s);
    wsk_steps_trip(s, &cause);
    if (cause.length == WSK_SAY_WORD_STEP_SWING)
        return WSK_SAY(a, WSK_SAY_TRIP_BY_SWING, cause.peak_w, (s->opp - 0.5 * unit_spread) * s->limit_w, less);
    if (cause.length == WSK_SAY_WORD_STEP_LONG)
        return WSK_SAY(a, WSK_SAY_TRIP_BY_LOAD, cause.peak_w, (s->opp - 0.5 * unit_spread) * s->limit_w, less);
    if (s->n > 1 && s->synchronous)
        return WSK_SAY(a, WSK_SAY_TRIP_BY_STEPS_TOGETHER, s->n, cause.peak_w, wsk_arg_named(cause.length),
                       cause.built_w, less);
    return WSK_SAY(a, WSK_SAY_TRIP_BY_STEPS, s->n, cause.peak_w, wsk_arg_named(cause.length), cause.built_w, less);
}

static const wsk_said *say_fixes(wsk_arena *a, const wsk_steps *s)
{
    double share = wsk_steps_cure_limits(s), rating = wsk_steps_cure_rating(s);
    bool low = s->line_w < 0.999 * s->rated_w, hot = s->limit_w < 0.999 * s->line_w;
    wsk_steps built = *s;
    wsk_said_list fixes = {.arena = a};
    const int more = wsk_steps_cure_more(s);
    built.excursions = WSK_EXCURSIONS_ATX3;
    if (share > 0 && share < 1)
        wsk_said_add(&fixes, WSK_SAID(WSK_SAY_FIX_LIMITS, 100 * (1 - share)));
    if (hot && holds_with(s, s->line_w))
        wsk_said_add(&fixes, WSK_SAID(WSK_SAY_FIX_INLET));
    if (low && holds_with(s, s->rated_w * s->limit_w / s->line_w))
        wsk_said_add(&fixes, WSK_SAID(WSK_SAY_FIX_VOLTAGE, wsk_high_line_v(s->supply_v)));
    if (s->excursions != WSK_EXCURSIONS_ATX3 && holds(&built))
        wsk_said_add(&fixes, WSK_SAID(WSK_SAY_FIX_ATX3));
    if (isfinite(rating) && low)
        wsk_said_add(&fixes,
                     WSK_SAID(WSK_SAY_FIX_PSU_AT, 50 * ceil(rating * s->line_w / s->rated_w / 50), s->supply_v));
    else if (isfinite(rating))
        wsk_said_add(&fixes, WSK_SAID(WSK_SAY_FIX_PSU, rating));
    wsk_said_add(&fixes, more > 1 ? WSK_SAID(WSK_SAY_FIX_MORE, more) : WSK_SAID(WSK_SAY_FIX_ONE_MORE));
    return wsk_said_link_all(&fixes, WSK_SAY_JOINED, WSK_SAY_JOIN_COMMA_OR);
}

const wsk_said *wsk_steps_said(wsk_arena *a, const wsk_steps *s)
{
    return WSK_SAY(a, WSK_SAY_TRIP_WHY, say_cause(a, s), say_fixes(a, s));
}

wsk_steps wsk_steps_of_work(const wsk_net *net)
{
    const wsk_workload_params *job = net->workload;
    return (wsk_steps){.synchronous = net->workload_ops && net->workload_ops->synchronous,
                       .step_s = job && job->swing_period_s > 0 ? job->swing_period_s : 1,
                       .rise = job && job->swing_high > 1 ? job->swing_high - 1 : 0,
                       .fall = job && !isnan(job->swing_low) ? 1 - job->swing_low : 1};
}

wsk_steps wsk_steps_of_net(const wsk_net *net, const wsk_supply *s, double inlet_k, double time_s)
{
    const wsk_case *c = &net->cases[s->in];
    wsk_steps steps = wsk_steps_of_work(net);
    for (int i = c->first_supply; i < c->first_supply + c->n_supply && s->params->redundant; i++)
        steps.pool += net->supplies[i].params->redundant;
    steps.limit_w = wsk_supply_may_give_w(s, inlet_k);
    steps.rated_w = s->law.rated_w;
    steps.line_w = s->law.limit_w;
    steps.supply_v = net->lines[s->line].supply_v;
    steps.inlet_k = inlet_k;
    steps.opp = s->params->opp;
    steps.excursions = s->params->excursions;
    steps.time_s = time_s;
    return steps;
}
