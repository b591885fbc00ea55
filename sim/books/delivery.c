/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes the loads through the PSUs to their circuits: distributes them among PSUs and adds the PSUs' losses. Theory:
 * docs/theory/power.md */
#include <math.h>
#include <string.h>

#include "sim/control/run.h"
#include "sim/books/books.h"
#include "sim/control/control.h"

static double may_give_w(const wsk_run *run, const wsk_supply *s)
{
    return wsk_supply_may_give_w(s, run->t[s->inlet]);
}

static bool shares(const wsk_run *run, int supply)
{
    return run->net->supplies[supply].params->redundant && !wsk_supply_out(run, supply);
}

/* Share of the load of PSU `from` that PSU `to` carries, given the failures so far. */
static double find_share(const wsk_run *run, const wsk_case *c, int from, int to)
{
    const wsk_supply *all = run->net->supplies;
    const int end = c->first_supply + c->n_supply;
    int alive = 0, k = 0;
    if (!all[from].params->redundant)
        return from == to;
    if (!shares(run, to))
        return 0;
    for (int i = c->first_supply; i < end; i++)
        if (shares(run, i)) {
            k += i < to;
            alive++;
        }
    double sum = 0;
    for (int i = c->first_supply, j = 0; i < end; i++)
        if (shares(run, i))
            sum += wsk_supply_weight(&all[i], j++, alive);
    return wsk_supply_weight(&all[to], k, alive) / sum;
}

/* Computes the output of each PSU of a case from the loads assigned to PSUs. Redundant PSUs pool their loads. Any
 * other PSU carries its own loads only; if it fails, the machine is off, so that no load needs another PSU. full:
 * computes with the power that the cards would draw at full clocks. */
static void distribute_load(wsk_run *run, int in, bool full)
{
    const wsk_net *net = run->net;
    const wsk_case *c = &net->cases[in];
    double *dc = run->supply_dc_w, *named = run->supply_wall_w, rest = run->case_dc_w[in];
    for (int i = c->first_supply; i < c->first_supply + c->n_supply; i++)
        named[i] = dc[i] = 0;
    for (int i = 0; i < net->n_card; i++)
        if (net->cards[i].in == in && net->cards[i].supply >= 0) {
            named[net->cards[i].supply] += full ? run->cards[i].full_w : run->cards[i].power_w;
            rest -= run->cards[i].power_w;
        }
    if (c->n_supply == 1) {
        dc[c->first_supply] = full ? named[c->first_supply] + rest : run->case_dc_w[in];
        return;
    }
    named[wsk_rest_supply(net, c)] += rest;
    for (int from = c->first_supply; from < c->first_supply + c->n_supply; from++)
        for (int to = c->first_supply; to < c->first_supply + c->n_supply; to++)
            dc[to] += named[from] * find_share(run, c, from, to);
}

/* True if the PSU is switched on: it has a load, or its machine runs and a card is connected to it, which may be
 * lost. */
static bool is_on(const wsk_run *run, int supply, double dc)
{
    const wsk_net *net = run->net;
    bool connected = dc > 0;
    for (int i = 0; i < net->n_card && !connected; i++)
        connected = net->cards[i].supply == supply && run->case_dc_w[net->cards[i].in] > 0;
    return connected;
}

/* The last pair of output and input is remembered, because loads are mostly constant and the PSU's law is slow to
 * compute. */
static double input_w(wsk_run *run, int supply, double dc)
{
    const wsk_supply *s = &run->net->supplies[supply];
    const double off = -1, asked = is_on(run, supply, dc) ? dc : off;
    if (asked != run->asked_dc_w[supply]) {
        run->asked_dc_w[supply] = asked;
        run->asked_wall_w[supply] = asked >= 0 ? s->ops->input_w(&s->law, asked) : s->law.standby_w;
    }
    return run->asked_wall_w[supply];
}

static bool is_overloaded(const wsk_run *run, const wsk_case *c, double share)
{
    for (int k = c->first_supply; k < c->first_supply + c->n_supply; k++)
        if (!wsk_supply_out(run, k) && run->supply_dc_w[k] > share * may_give_w(run, &run->net->supplies[k]))
            return true;
    return false;
}

/* Pulls a chassis's power brake, the signal that makes its cards halve their clocks, if a PSU is overloaded. Releases
 * the brake when each PSU would carry at most 95 % of its limit at full clocks, so that the brake is not pulled again
 * immediately: docs/theory/constants.md, "power brake lets go" */
static bool set_brake(wsk_run *run, int in)
{
    const double room = 0.95;
    const wsk_case *c = &run->net->cases[in];
    wsk_case_state *s = &run->cases[in];
    if (s->brake) {
        distribute_load(run, in, true);
        s->brake = is_overloaded(run, c, room);
        if (!s->brake) {
            wsk_wake(run);
            wsk_event(run, c->elem->id, WSK_WHAT_BRAKE_ENDS, WSK_WHY_PSU_FITS);
        }
        distribute_load(run, in, false);
    } else if (is_overloaded(run, c, 1)) {
        s->brake = 1;
        wsk_wake(run);
        wsk_event(run, c->elem->id, WSK_WHAT_BRAKE, WSK_WHY_PSU_OVER);
        return true;
    }
    return false;
}

bool wsk_brakes_rest(const wsk_run *run)
{
    for (int i = 0; i < run->net->n_case; i++)
        if (run->net->cases[i].params->power_brake && !run->cases[i].brake &&
            is_overloaded(run, &run->net->cases[i], 1))
            return false;
    return true;
}

static void add_to_line(wsk_run *run, int line, double wall_w, double va)
{
    run->wall_w += wall_w;
    run->va += va;
    run->line_wall_w[line] += wall_w;
    run->line_va[line] += va;
}

bool wsk_deliver(wsk_run *run)
{
    const wsk_net *net = run->net;
    bool pulled = false;
    run->wall_w = run->va = 0;
    /* Clears line_wall_w and also line_va, which lies behind it in memory. */
    memset(run->line_wall_w, 0, 2 * (size_t)net->n_line * sizeof *run->line_wall_w);
    for (int i = 0; i < net->n_case; i++) {
        const wsk_case *c = &net->cases[i];
        if (c->n_supply == 0) {
            add_to_line(run, 0, run->case_dc_w[i], run->case_dc_w[i]);
            continue;
        }
        distribute_load(run, i, false);
        if (c->params->power_brake)
            pulled = set_brake(run, i) || pulled;
        for (int k = c->first_supply; k < c->first_supply + c->n_supply; k++) {
            const wsk_supply *s = &net->supplies[k];
            bool out = wsk_supply_out(run, k);
            double dc = run->supply_dc_w[k], wall = out ? 0 : input_w(run, k, dc);
            run->heat[s->solid] += wall - dc;
            run->supply_wall_w[k] = wall;
            add_to_line(run, s->line, wall, out ? 0 : wsk_psu_va(&s->law, wall));
        }
    }
    return pulled;
}

double wsk_feed_loss_w(const wsk_mains_line *line, double wall_w, double *over)
{
    double w = wall_w, most = 0;
    for (int i = 0; i < 2; i++)
        if (line->feeds[i]) {
            most = wsk_max(most, w / line->feeds[i]->rated_w);
            w += line->feed_ops[i]->loss_w(line->feeds[i], w);
        }
    if (over)
        *over = most;
    return w - wall_w;
}

double wsk_supply_share(const wsk_run *run, const wsk_card *k, int supply)
{
    const wsk_supply *s = &run->net->supplies[supply];
    return k->in == s->in && k->supply >= 0 && k->works ? find_share(run, &run->net->cases[s->in], k->supply, supply)
                                                        : 0;
}

static double cards_w(const wsk_run *run, int supply)
{
    double sum = 0;
    for (int i = 0; i < run->net->n_card; i++)
        sum += wsk_supply_share(run, &run->net->cards[i], supply) * run->cards[i].power_w;
    return sum;
}

void wsk_account_delivery(wsk_run *run, int64_t dt_ns)
{
    const wsk_net *net = run->net;
    for (int i = 0; i < net->n_supply; i++) {
        wsk_supply_state *s = &run->supplies[i];
        double dc = run->supply_dc_w[i], may = may_give_w(run, &net->supplies[i]);
        s->dc_peak_w = wsk_max(s->dc_peak_w, dc);
        if (dc / may > s->peak_rel) {
            s->peak_rel = dc / may;
            s->may_give_w = may;
            s->peak_cards_w = cards_w(run, i);
        }
        s->over_ns += dc > may ? dt_ns : 0;
        if (dc > may && !s->logged) {
            s->logged = 1;
            wsk_event(run, net->supplies[i].elem->id, WSK_WHAT_OVER_RATING, WSK_WHY_LOAD);
        }
    }
}
