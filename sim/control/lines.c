/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Circuits that go off in a run (the breaker trips, the rig schedules a failure, or a command cuts the circuit), PSUs
 * that fail, and the machines that stop because of either.
 * Theory: docs/theory/power.md, "Branch: circuit" */
#include "sim/control/control.h"

#include <math.h>

static bool is_out(const void *run, int supply)
{
    return wsk_supply_out(run, supply);
}

/* A machine without PSUs is fed by the first circuit. */
static bool has_mains(const wsk_run *run, int in)
{
    return run->net->cases[in].n_supply ? wsk_case_fed(run->net, in, is_out, run) : !run->lines[0].dark;
}

static void stop_cases(wsk_run *run, wsk_why why)
{
    const wsk_net *net = run->net;
    for (int i = 0; i < net->n_case; i++) {
        if (run->cases[i].cpu_off == WSK_DARK || has_mains(run, i))
            continue;
        run->cases[i].cpu_off = WSK_DARK;
        wsk_wake(run);
        wsk_event(run, net->cases[i].elem->id, WSK_WHAT_STOPS, why);
        for (int k = 0; k < net->n_card; k++)
            if (net->cards[k].in == i) {
                run->cards[k].off = run->cards[k].off ? run->cards[k].off : 1; /* a lost card stays lost */
                run->cards[k].pin_power_w = run->cards[k].pin_clock_hz = NAN;
            }
    }
}

static void darken(wsk_run *run, int line)
{
    run->lines[line].dark = 1;
    stop_cases(run, WSK_WHY_NO_MAINS);
    wsk_wake(run);
    run->now.climbed = false;
}

/* Time for which the full battery of a circuit's UPS carries a load, ns; 0: the circuit has no battery. A load below
 * 1 W counts as 1 W. */
static int64_t battery_ns(const wsk_run *run, int line, double load_w)
{
    double spread;
    const double s = 60 * wsk_battery_minutes(&run->net->lines[line], wsk_max(load_w, 1), &spread);
    return s > 0 ? (int64_t)(wsk_min(s, 1e9) * 1e9) : 0;
}

void wsk_follow_batteries(wsk_run *run)
{
    const int64_t now = run->head->t_ns;
    for (int i = 0; i < run->net->n_line; i++) {
        wsk_line_state *s = &run->lines[i];
        const double load_w = run->line_wall_w[i];
        if (!s->tripped || s->dark || s->dark_ns <= now || load_w == s->battery_w)
            continue;
        const double left = (double)(s->dark_ns - now) / (double)battery_ns(run, i, s->battery_w);
        s->dark_ns = now + (int64_t)(wsk_min(left, 1) * (double)battery_ns(run, i, load_w));
        s->battery_w = load_w;
    }
}

static void turn_off(wsk_run *run, int line, int64_t how, wsk_why why)
{
    wsk_line_state *s = &run->lines[line];
    s->tripped = how;
    s->trips += how == WSK_LINE_TRIPPED;
    s->at_ns = run->head->t_ns;
    s->battery_w = run->line_wall_w[line];
    s->dark_ns = s->at_ns + (run->steady ? 0 : battery_ns(run, line, s->battery_w)); /* a steady point has no time */
    if (how == WSK_LINE_FAILED)
        wsk_book_failure(run, wsk_line_name(run->net, line), WSK_WHAT_FAILS, why);
    else
        wsk_event(run, wsk_line_name(run->net, line), WSK_WHAT_TRIPS, why);
    if (s->dark_ns == s->at_ns)
        darken(run, line);
    wsk_wake(run);
    run->now.climbed = false;
}

void wsk_trip_line(wsk_run *run, int line, int64_t after_ns)
{
    const int64_t now = run->head->t_ns;
    run->head->t_ns += after_ns;
    turn_off(run, line, WSK_LINE_TRIPPED, WSK_WHY_CURRENT);
    run->head->t_ns = now;
}

static void start_card(wsk_run *run, int in, int card)
{
    const wsk_card *c = &run->net->cards[card];
    wsk_card_state *s = &run->cards[card];
    if (c->in != in)
        return;
    s->logged_rpm = c->mover >= 0 ? run->rpm[c->mover] : 0;
    s->pin_power_w = c->gpu->pin_power_w;
    s->pin_clock_hz = c->gpu->pin_clock_hz;
    if (s->off && !(s->off == WSK_LOST && wsk_is_gone(run, card)))
        wsk_boot_card(run, card);
}

static void start_cases(wsk_run *run)
{
    for (int i = 0; i < run->net->n_case; i++) {
        if (run->cases[i].cpu_off != WSK_DARK || !has_mains(run, i))
            continue;
        run->cases[i].cpu_off = 0;
        wsk_start_movers(run, i);
        for (int k = 0; k < run->net->n_card; k++)
            start_card(run, i, k);
        wsk_event(run, run->net->cases[i].elem->id, WSK_WHAT_RETURNS, WSK_WHY_COMMAND);
    }
}

void wsk_fail_supply(wsk_run *run, int supply, wsk_why why)
{
    if (run->supplies[supply].failed)
        return;
    run->supplies[supply].failed = 1;
    run->supplies[supply].failed_ns =
        why == WSK_WHY_SCHEDULED ? run->net->supplies[supply].fails_ns : run->head->t_ns;
    wsk_book_failure(run, run->net->supplies[supply].elem->id, WSK_WHAT_FAILS, why);
    stop_cases(run, WSK_WHY_PSU_FAILED);
    run->now.climbed = false;
}

void wsk_mend_supply(wsk_run *run, int supply)
{
    wsk_supply_state *s = &run->supplies[supply];
    if (!s->failed)
        return;
    s->failed = 0;
    s->mended = wsk_fails_now(run, run->net->supplies[supply].fails_ns);
    wsk_event(run, run->net->supplies[supply].elem->id, WSK_WHAT_RETURNS, WSK_WHY_COMMAND);
    start_cases(run);
}

void wsk_cut_line(wsk_run *run, int line)
{
    if (run->lines[line].tripped == WSK_LINE_ON)
        turn_off(run, line, WSK_LINE_FAILED, WSK_WHY_COMMAND);
}

void wsk_mend_line(wsk_run *run, int line)
{
    wsk_line_state *s = &run->lines[line];
    if (s->tripped == WSK_LINE_ON)
        return;
    s->tripped = WSK_LINE_ON;
    s->was_dark_ns += s->dark ? run->head->t_ns - s->dark_ns : 0;
    s->dark = 0;
    s->mended = wsk_fails_now(run, run->net->lines[line].fails_ns);
    wsk_event(run, wsk_line_name(run->net, line), WSK_WHAT_RETURNS, WSK_WHY_COMMAND);
    start_cases(run);
    wsk_wake(run);
    run->now.climbed = false;
}

void wsk_fail_supplies(wsk_run *run)
{
    for (int i = 0; i < run->net->n_supply; i++)
        if (!run->supplies[i].mended && wsk_fails_now(run, run->net->supplies[i].fails_ns))
            wsk_fail_supply(run, i, WSK_WHY_SCHEDULED);
}

/* A run that begins settled on a battery begins at the steady point with mains, because the machine still runs. */
static bool fails_now(const wsk_run *run, int line)
{
    return run->lines[line].tripped == WSK_LINE_ON && !run->lines[line].mended &&
           wsk_fails_now(run, run->net->lines[line].fails_ns) && !(run->opening && battery_ns(run, line, 1) > 0);
}

void wsk_fail_lines(wsk_run *run)
{
    for (int i = 0; i < run->net->n_line; i++) {
        if (fails_now(run, i))
            turn_off(run, i, WSK_LINE_FAILED, WSK_WHY_SCHEDULED);
        if (run->lines[i].tripped && !run->lines[i].dark && run->head->t_ns >= run->lines[i].dark_ns)
            darken(run, i);
    }
}
