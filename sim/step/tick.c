/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tick in three parts: controls and power; the time step, repeated until natural convection fits its result;
 * accounts and observation. Theory: docs/theory/time.md */
#include <math.h>
#include <string.h>

#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "sim/num/wide.h"
#include "sim/step/step.h"
#include "sim/step/tables.h"

/* Sets the bounds within which natural convection stays valid during a step: the excess above the room of a quick
 * medium (air or coolant node without heat capacity) may change by 30 % + 10 K. Other media have no bounds. */
static void bound_natural(wsk_run *run)
{
    const wsk_net *net = run->net;
    const double room = run->t_natural[net->room];
    for (int i = 0; i < wsk_rows(net->n_node - net->n_solid); i++) {
        run->stepping->natural_low_k[i] = -INFINITY;
        run->stepping->natural_high_k[i] = INFINITY;
    }
    for (int k = 0; k < net->n_media[WSK_QUICK]; k++) {
        const int at = net->media[WSK_QUICK][k], i = at - net->n_solid;
        const double excess = run->t_natural[at] - room, far = 10 + 0.3 * fabs(excess);
        run->stepping->natural_low_k[i] = excess - far;
        run->stepping->natural_high_k[i] = excess + far;
    }
}

void wsk_ask_all(wsk_run *run)
{
    run->now = (wsk_now){.awake = true, .log_due = true};
    bound_natural(run);
}

void wsk_state_replaced(wsk_run *run)
{
    memcpy(run->mean_t, run->t, (size_t)run->net->n_node * sizeof(double));
    wsk_ask_all(run);
    wsk_recall_activity(run);
    for (int i = 0; i < run->net->n_mover; i++)
        run->mover_rpm[i] = NAN;
    wsk_mover_watts(run);
    run->flows = NULL;
    wsk_forget_configs(run);
}

bool wsk_run_fail(wsk_run *run, const wsk_said *why)
{
    static const wsk_said plain = {.code = WSK_SAY_RUN_OUT_OF_RANGE};
    run->failure = wsk_said_keep(run->arena, why);
    run->error = wsk_said_english(run->arena, run->failure);
    if (!run->failure || !run->error[0]) {
        run->failure = &plain;
        run->error = wsk_code_english(plain.code);
    }
    return false;
}

/* Fails the run because the temperature t_k of the node (or die, hot spot, VRM) `name` is impossible. If `name` belongs
 * to a PSU that is loaded far beyond its rating, the error message names that load as the cause. */
static bool report_absurd(wsk_run *run, const char *name, double t_k)
{
    const wsk_net *net = run->net;
    for (int i = 0; i < net->n_supply; i++) {
        const char *id = net->supplies[i].elem->id;
        if (strncmp(name, id, strlen(id)) == 0 && name[strlen(id)] == '.' &&
            run->supply_dc_w[i] > 1.5 * net->supplies[i].law.limit_w)
            return wsk_run_fail(run,
                                WSK_SAID(WSK_SAY_RUN_SUPPLY, id, run->supply_dc_w[i], net->supplies[i].law.limit_w));
    }
    /* The time in a search for a steady point means nothing to the user, so it is not reported. */
    return wsk_run_fail(
        run, run->steady ? WSK_SAID(WSK_SAY_RUN_TEMPERATURE_STEADY, name, t_k - WSK_KELVIN)
                         : WSK_SAID(WSK_SAY_RUN_TEMPERATURE, name, t_k - WSK_KELVIN, (double)run->head->t_ns / 1e9));
}

/* Die, hot spot and VRM are not nodes: the temperature of each is that of a node plus a rise by its power. */
static bool check_cards(wsk_run *run)
{
    const wsk_net *net = run->net;
    const double hottest_die_k = 473.15, hottest_spot_k = 573.15;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        const wsk_card_state *s = &run->cards[i];
        double die = wsk_die_k(run, c, s);
        if (!(die < hottest_die_k))
            return report_absurd(run, wsk_printf(run->arena, "%s.die", c->id), die);
        double spot = wsk_hotspot_k(run, c, s), vrm = wsk_vrm_k(run, c, s);
        if (!(spot < hottest_spot_k))
            return report_absurd(run, wsk_printf(run->arena, "%s.hotspot", c->id), spot);
        if (!(vrm < hottest_spot_k))
            return report_absurd(run, wsk_printf(run->arena, "%s.vrm", c->id), vrm);
    }
    return true;
}

bool wsk_check_state(wsk_run *run)
{
    const wsk_net *net = run->net;
    const double lowest_k = 150, *restrict t = run->t, *restrict high_k = run->stepping->absurd_k;
    if (!wsk_within(net->n_node, t, lowest_k, high_k))
        for (int i = 0; i < net->n_node; i++)
            if (!(t[i] > lowest_k && t[i] < high_k[i]))
                return report_absurd(run, net->nodes[i].name, t[i]);
    return check_cards(run);
}

/* Returns the change of a node's excess above the room since natural convection was last computed, minus the
 * tolerated share of the old excess, K. */
static double natural_drift(const wsk_run *run, int i, double share)
{
    int room = run->net->room;
    double old = run->t_natural[i] - run->t_natural[room], now = run->t[i] - run->t[room];
    return fabs(now - old) - share * fabs(old);
}

static void take_natural(wsk_run *run)
{
    run->now.jumps = true;
    run->now.quiet_ns = 0;
    wsk_forget_configs(run);
    memcpy(run->t_natural, run->t, (size_t)run->net->n_node * sizeof(double));
    bound_natural(run);
}

static void follow_natural(wsk_run *run)
{
    const int64_t minute = 60 * WSK_NS;
    if (run->head->t_ns < run->head->next_natural_ns)
        return;
    run->head->next_natural_ns = (run->head->t_ns / minute + 1) * minute;
    wsk_ledger_close(run); /* sums of heat over a shorter time have smaller rounding errors */
    double worst = 0;
    for (int i = 0; i < run->net->n_node; i++)
        worst = wsk_max(worst, natural_drift(run, i, 0.1));
    if (worst > 0.5)
        take_natural(run);
}

void wsk_step_keep(wsk_run *run)
{
    const wsk_net *net = run->net;
    memcpy(run->stepping->t_before, run->t, (size_t)net->n_node * sizeof(double));
    for (int k = 0; k < net->n_media[WSK_SLOW]; k++) /* carry: rounding error of t, kept for slow media only */
        run->stepping->t_before[net->n_node + k] = run->carry[net->media[WSK_SLOW][k]];
}

void wsk_step_undo(wsk_run *run)
{
    const wsk_net *net = run->net;
    memcpy(run->t, run->stepping->t_before, (size_t)net->n_node * sizeof(double));
    for (int k = 0; k < net->n_media[WSK_SLOW]; k++)
        run->carry[net->media[WSK_SLOW][k]] = run->stepping->t_before[net->n_node + k];
}

bool wsk_step_agrees(const wsk_run *run)
{
    return wsk_between(run->net->n_node - run->net->n_solid, run->stepping->scratch.e, run->stepping->natural_low_k,
                       run->stepping->natural_high_k);
}

/* Takes the step, and repeats it until the natural convection that it assumed agrees with the temperatures that it
 * computed. The repetition is needed because air without heat capacity changes its temperature at once when powers
 * change, and where no fan runs its flow depends on that new temperature. After 40 steps without agreement the run
 * fails. */
bool wsk_tick_step(wsk_run *run, int64_t next_ns)
{
    double h = (double)(next_ns - run->head->t_ns) / 1e9;
    wsk_step_keep(run);
    for (int round = 0; round < 40; round++) {
        if (!wsk_step(run, h))
            return wsk_run_fail(run, WSK_SAID(WSK_SAY_RUN_AIR_FLOW));
        if (wsk_step_agrees(run))
            return true;
        take_natural(run);
        wsk_step_undo(run);
    }
    return wsk_run_fail(run, WSK_SAID(WSK_SAY_RUN_AIR_FLOW));
}

static void find_event(wsk_run *run)
{
    const int64_t event = wsk_next_event_ns(run);
    run->now.event_ns = event < run->end_ns ? event : run->end_ns;
}

int64_t wsk_tick_begin(wsk_run *run)
{
    int64_t next = (run->head->t_ns / run->tick_ns + 1) * run->tick_ns;
    run->now.jumps = false;
    run->now.quiet = false;
    if (wsk_quiet(run, next)) {
        run->now.quiet = !run->now.stirred;
        if (run->now.quiet)
            return next;
        find_event(run); /* the new load of a circuit may trip its breaker, or empty its battery, earlier */
        run->now.quiet_ns = run->now.event_ns < run->now.quiet_ns ? run->now.event_ns : run->now.quiet_ns;
    } else {
        wsk_book_repeats(run);
        follow_natural(run);
        wsk_control(run);
        wsk_power_tree(run);
        wsk_log_events(run);
        find_event(run);
        wsk_look_for_quiet(run);
    }
    return run->now.event_ns < next ? run->now.event_ns : next;
}

bool wsk_tick_end(wsk_run *run, int64_t next_ns)
{
    wsk_run_head *head = run->head;
    const int64_t minute = 60 * WSK_NS;
    double h = (double)(next_ns - head->t_ns) / 1e9;
    run->now.minute = next_ns / minute != head->t_ns / minute || next_ns >= run->end_ns;
    run->now.quiet = run->now.quiet && next_ns - head->t_ns == run->tick_ns;
    if (!run->replays) {
        if (!run->now.quiet) /* also after a leap that began as a quiet tick */
            wsk_book_repeats(run);
        wsk_ledger_step(run, h);
        wsk_book_tick(run, next_ns - head->t_ns);
    }
    head->t_ns = next_ns;
    head->tick++;
    run->now.unread = true;
    /* Temperatures are checked only after a jump and at full minutes: between those times they change slowly. */
    if ((run->now.jumps || run->now.minute) && !wsk_check_state(run)) {
        run->now.repeats -= run->now.quiet; /* the failed tick is not observed */
        return false;
    }
    if (!run->replays && wsk_observe(run, h)) {
        wsk_book_repeats(run);
        wsk_close_bucket(run);
    }
    return true;
}
