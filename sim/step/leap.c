/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Leaps: while no control would act, several ticks are taken as one time step. A leap is tried, and undone if a
 * control would act at its end. Theory: docs/theory/time.md */
#include <math.h>

#include "sim/control/run.h"
#include "sim/step/step.h"
#include "sim/step/tables.h"
#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"

/* Lengths of leaps in ticks. They divide 60 ticks, so that leaps of 1 s ticks end at full minutes, when natural
 * convection and air flows are checked. */
static const int64_t lengths[] = {1, 2, 5, 10, 20, 30, 60};
enum { LENGTHS = (int)(sizeof lengths / sizeof *lengths) };

/* Largest temperature change in a leap, K. A card's power, unless a limit holds it, then changes by less than 1e-3 of
 * itself, because only its leakage depends on temperature. */
static const double still_k = 0.05;

/* True if no governor of the card would change its cap at the end of a leap of h seconds. */
static bool governors_rest(const wsk_run *run, const wsk_card *c, const wsk_card_state *s, double h)
{
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

/* True if after the step of h seconds from t_before no temperature has changed much and no control would act. */
static bool calm(wsk_run *run, double h)
{
    const wsk_net *net = run->net;
    for (int i = 0; i < net->n_node; i++)
        if (!(fabs(run->t[i] - run->stepping->t_before[i]) <= still_k))
            return false;
    for (int i = 0; i < net->n_card; i++) {
        wsk_card_state *s = &run->cards[i];
        s->die_k = wsk_die_k(run, &net->cards[i], s);
        if (!s->off && (!wsk_fan_rests(run, i) || !governors_rest(run, &net->cards[i], s, h) ||
                        s->die_k >= net->cards[i].gpu->shutdown_k))
            return false;
    }
    for (int i = 0; i < net->n_mover; i++)
        if (!wsk_mover_rests(run, i))
            return false;
    if (!wsk_brakes_rest(run))
        return false;
    for (int i = 0; i < net->n_case; i++) {
        const wsk_case *c = &net->cases[i];
        if (c->cpu && !run->cases[i].cpu_off && (run->cases[i].cpu_share < 1 || wsk_cpu_k(run, c) > c->cpu->limit_k))
            return false;
    }
    return true;
}

/* Number of ticks until the end of the minute, the end of the observer's bucket or latest_ns, whichever is first. */
static int64_t room_for(const wsk_run *run, int64_t latest_ns)
{
    const int64_t grids[] = {60 * WSK_NS, run->observer->bucket_ticks * run->tick_ns};
    int64_t now = run->head->t_ns, end = latest_ns;
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        int64_t next = (now / grids[i] + 1) * grids[i];
        end = next < end ? next : end;
    }
    return (end - now) / run->tick_ns;
}

int64_t wsk_leap(wsk_run *run, int64_t latest_ns)
{
    enum { PATIENCE = 4 }; /* ticks until the next attempt; a failed attempt costs a quarter of a tick's time */
    wsk_run_head *head = run->head;
    if (head->t_ns < head->leap_next_ns || head->t_ns % run->tick_ns != 0)
        return 0;
    int64_t room = room_for(run, latest_ns);
    int length = head->leap_level + 1 < LENGTHS ? (int)head->leap_level + 1 : LENGTHS - 1;
    while (length > 0 && lengths[length] > room)
        length--;
    for (; length > 0; length /= 2) {
        double h = (double)(lengths[length] * run->tick_ns) / 1e9;
        wsk_step_keep(run);
        if (wsk_step(run, h) && calm(run, h)) {
            head->leap_level = length;
            return lengths[length] * run->tick_ns;
        }
        wsk_step_undo(run);
    }
    if (room > 1) {
        head->leap_level = 0;
        head->leap_next_ns = head->t_ns + PATIENCE * run->tick_ns;
    }
    return 0;
}
