/* SPDX-License-Identifier: GPL-3.0-or-later */
/* While no control would act, several ticks are taken as one time step, a leap. A leap is tried, and undone if a
 * control would have acted or a temperature moved too far.
 * Theory: docs/theory/time.md */
#include <math.h>

#include "sim/control/run.h"
#include "sim/step/step.h"
#include "sim/step/tables.h"
#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"

/* Lengths of leaps in ticks. They divide 60, the number of 1 s ticks in a minute. No leap crosses a full minute, when
 * natural convection and air flows are checked. */
static const int64_t lengths[] = {1, 2, 5, 10, 20, 30, 60};
enum { LENGTHS = (int)(sizeof lengths / sizeof *lengths) };

/* Largest change of a temperature in a leap, K. long_k: in the search of a steady point, which the way to it does not
 * move, while heat limits no clock. */
static const double leap_k = 0.05, long_k = 0.15;
/* Largest change of a temperature in a close leap (see below), K. close_k: any node; room_k: the room, because the air
 * conditioner follows its temperature in each tick. */
static const double close_k = 0.2, room_k = 0.004;
/* Largest change of a die's temperature in a close leap, as a multiple of the change after which single ticks compute
 * the card's power again. */
static const double same_times = 5;
/* Largest change of a card's clock in a close leap, as a share of the clock, because the card's work in the leap is
 * booked at the clock with which the leap began. Under a tight power limit one kelvin can cost a percent of the
 * clock. */
static const double same_clock = 4e-4;

static bool governors_rest(const wsk_run *run, const wsk_card *c, const wsk_card_state *s, double h)
{
    if (run->replays && !isnan(s->pin_power_w))
        return true;
    wsk_governor_input in = wsk_governor_sees(run, c, s);
    in.elapsed_s = h;
    for (int i = 0; i < c->n_governors; i++) {
        wsk_governor_state next = s->governor[i];
        c->governors[i].ops->next(c->governors[i].params, c->gpu, &next, &in);
        if (next.cap_hz != s->governor[i].cap_hz)
            return false;
    }
    return true;
}

static bool movers_rest(const wsk_run *run)
{
    for (int i = 0; i < run->net->n_mover; i++)
        if (!wsk_mover_rests(run, i))
            return false;
    return true;
}

/* Largest change of a node's temperature in the step from t_before, K; INFINITY if one is not a number. */
static double find_change(const wsk_run *run)
{
    double most = 0;
    for (int i = 0; i < run->net->n_node; i++) {
        const double by = fabs(run->t[i] - run->stepping->t_before[i]);
        if (isnan(by))
            return INFINITY;
        most = wsk_max(most, by);
    }
    return most;
}

/* True if heat limits the clock of some card. Its governor then stands at its threshold, where a few millikelvins
 * decide on the next clock step, so that small errors would change the whole course of the clock. */
static bool is_held(const wsk_run *run)
{
    for (int i = 0; i < run->net->n_card; i++)
        if (run->cards[i].reasons & WSK_HEAT)
            return true;
    return false;
}

static bool may_be_long(const wsk_run *run)
{
    return run->steady && !is_held(run);
}

/* Strain of the step of h seconds from t_before: largest change of a temperature, divided by the allowed change.
 * Above 1 the step is too long. INFINITY: some control would act. */
static double find_strain(wsk_run *run, double h)
{
    const wsk_net *net = run->net;
    const double strain = find_change(run) / (may_be_long(run) ? long_k : leap_k);
    if (!(strain <= 1))
        return strain;
    for (int i = 0; i < net->n_card; i++) {
        wsk_card_state *s = &run->cards[i];
        s->die_k = wsk_die_k(run, &net->cards[i], s);
        if (!s->off && (!wsk_fan_rests(run, i) || !governors_rest(run, &net->cards[i], s, h) ||
                        s->die_k >= net->cards[i].gpu->shutdown_k))
            return INFINITY;
    }
    if (!movers_rest(run) || !wsk_brakes_rest(run))
        return INFINITY;
    for (int i = 0; i < net->n_case; i++) {
        const wsk_case *c = &net->cases[i];
        if (c->cpu && !run->cases[i].cpu_off && (run->cases[i].cpu_share < 1 || wsk_cpu_k(run, c) > c->cpu->limit_k))
            return INFINITY;
    }
    return strain;
}

/* ---- close leaps (run->close_leaps): only as long as single ticks would have been quiet ---- */

/* Strain of a card: the larger of two ratios. First: distance of its die from the temperature for which its power was
 * computed, divided by same_times x the distance at which ticks compute the power again. Second: relative change of
 * its clock by the distance of its die, divided by same_clock. INFINITY: a control of the card would act. */
static double find_card_strain(const wsk_run *run, const wsk_card *c, const wsk_card_state *s)
{
    if (!(s->die_k > s->rest_low_k && s->die_k < s->rest_high_k && run->t[c->memory] > s->rest_memory_low_k &&
          run->t[c->memory] < s->rest_memory_high_k))
        return INFINITY;
    const wsk_operating *o = &s->operating;
    const double half = 0.5 * (s->same_high_k - s->same_low_k), moved = fabs(s->die_k - (s->same_low_k + half));
    if (!isfinite(half))
        return 0;
    const double slower = s->perf > 0 && o->clock_hz > 0 ? moved * fabs(o->clock_per_k) / o->clock_hz : 0;
    return wsk_max(moved / (same_times * half), slower / same_clock);
}

/* Strain of a close leap from t_before. INFINITY: one of its ticks would not have been quiet. */
static double find_close_strain(wsk_run *run)
{
    const wsk_net *net = run->net;
    if (!wsk_step_agrees(run))
        return INFINITY;
    double strain = find_change(run) / close_k;
    if (!net->nodes[net->room].boundary)
        strain = wsk_max(strain, fabs(run->t[net->room] - run->stepping->t_before[net->room]) / room_k);
    for (int i = 0; i < net->n_card; i++) {
        wsk_card_state *s = &run->cards[i];
        s->die_k = wsk_die_k(run, &net->cards[i], s);
        strain = wsk_max(strain, find_card_strain(run, &net->cards[i], s));
    }
    if (!(strain <= 1))
        return strain;
    if (!movers_rest(run))
        return INFINITY;
    for (int i = 0; i < net->n_case; i++) {
        const wsk_case *c = &net->cases[i];
        if (c->cpu && !run->cases[i].cpu_off && wsk_cpu_k(run, c) > c->cpu->limit_k)
            return INFINITY;
    }
    return strain;
}

/* Number of ticks until the end of the minute, the end of the bucket (interval of the recorded series) or latest_ns,
 * whichever is first. A search of a steady point records no series, so that its leaps may cross the ends of buckets,
 * but not where heat limits a clock, which keeps leaps short. */
static int64_t room_for(const wsk_run *run, int64_t latest_ns)
{
    const int64_t grids[] = {60 * WSK_NS, run->observer->bucket_ticks * run->tick_ns};
    int64_t now = run->head->t_ns, end = latest_ns;
    for (int i = 0; i < (may_be_long(run) ? 1 : 2); i++) {
        int64_t next = (now / grids[i] + 1) * grids[i];
        end = next < end ? next : end;
    }
    return (end - now) / run->tick_ns;
}

/* Sets the times of the next decisions of fans and processors to those that single ticks up to end_ns would have
 * left. */
static void pass_decisions(wsk_run *run, int64_t end_ns)
{
    const int64_t tick = run->tick_ns, last = end_ns - tick;
    for (int k = 0; k < run->n_driven; k++) {
        const int i = run->driven[k];
        const wsk_control_params *p = run->net->movers[i].control;
        int64_t *next = &run->movers[i].next_ns;
        while (p && !run->movers[i].failed && *next <= last) {
            const int64_t at = (*next + tick - 1) / tick * tick;
            *next = (at > run->head->t_ns ? at : run->head->t_ns + tick) + (int64_t)(p->period_s * 1e9);
        }
    }
    for (int i = 0; i < run->net->n_case; i++)
        run->cases[i].cpu_ns = run->net->cases[i].cpu ? last : 0;
}

/* The largest index in lengths[], from 1 to `most`, at which a step would have a strain of at most 0.9 if the strain
 * grows in proportion to the length. strain: strain of a step of lengths[length] ticks. */
static int fit_length(int length, double strain, int most)
{
    const double margin = 0.9;
    while (most > 1 && strain * (double)lengths[most] > margin * (double)lengths[length])
        most--;
    return most;
}

/* Index in lengths[] to try after a leap at the index `length`. A search of a steady point raises the index by one and
 * lowers it by half, whatever the strain. If it chose by the strain, rounding errors of rigs whose controls oscillate
 * would grow, and ranges would differ by 1e-6 from one C library to another. */
static int longer(const wsk_run *run, int length, double strain)
{
    const int most = length + (run->steady ? 1 : 2), last = most < LENGTHS ? most : LENGTHS - 1;
    return run->steady ? last : fit_length(length, strain, last);
}
static int shorter(const wsk_run *run, int length, double strain)
{
    return !run->steady && isfinite(strain) && length > 1 ? fit_length(length, strain, length - 1) : length / 2;
}

int64_t wsk_leap(wsk_run *run, int64_t latest_ns)
{
    /* after a failed attempt, this many ticks pass until the next one, because an attempt costs time */
    enum { PATIENCE = 4 };
    wsk_run_head *head = run->head;
    const bool close = run->close_leaps;
    if (head->t_ns < head->leap_next_ns || (close && is_held(run)) || head->t_ns % run->tick_ns != 0)
        return 0;
    if (close && run->now.quiet_ns < latest_ns)
        latest_ns = run->now.quiet_ns;
    int64_t room = room_for(run, latest_ns);
    if (close && (room < 2 || !movers_rest(run)))
        return 0;
    int length = head->leap_level <= 0 ? 1 : head->leap_level < LENGTHS ? (int)head->leap_level : LENGTHS - 1;
    while (length > 0 && lengths[length] > room)
        length--;
    while (length > 0) {
        double h = (double)(lengths[length] * run->tick_ns) / 1e9, strain = INFINITY;
        wsk_step_keep(run);
        if (wsk_step(run, h))
            strain = close ? find_close_strain(run) : find_strain(run, h);
        if (strain <= 1) {
            head->leap_level = longer(run, length, strain);
            if (close)
                pass_decisions(run, head->t_ns + lengths[length] * run->tick_ns);
            return lengths[length] * run->tick_ns;
        }
        wsk_step_undo(run);
        length = shorter(run, length, strain);
    }
    if (close)
        wsk_read_dies(run);
    if (room > 1) {
        head->leap_level = 0;
        head->leap_next_ns = head->t_ns + PATIENCE * run->tick_ns;
    }
    return 0;
}
