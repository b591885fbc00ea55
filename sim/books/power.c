/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the power of cards, processor, fans and loads into the nodes of the heat network, and sums it through the PSUs
 * to the meter. Also computes weather and air conditioner. Theory: docs/theory/power.md */
#include <math.h>
#include <string.h>

#include "sim/books/books.h"
#include "sim/control/control.h"
#include "sim/num/wide.h"

static bool load_on(const wsk_run *run, const wsk_load_params *l)
{
    int64_t period = (int64_t)(l->period_s * 1e9), on = (int64_t)(l->duty * l->period_s * 1e9);
    return run->steady ? l->duty > 0 : run->head->t_ns % period < on;
}

double wsk_outdoor_k(const wsk_run *run, int64_t t_ns)
{
    const wsk_net *net = run->net;
    if (run->steady)
        return net->outdoor_ops->mean_k(net->outdoor_params);
    int64_t until_ns;
    const double start = wsk_start_civil_s(net, t_ns, &until_ns), since = (double)t_ns / 1e9;
    return net->outdoor_ops->temp_k(net->outdoor_params, start + since, since);
}

static double interpolate(const double x[2], double share)
{
    return x[0] + (x[1] - x[0]) * share;
}

/* Outdoor temperature, cooling power and compressor power are computed at both ends of the present minute and
 * interpolated, because weather changes over hours. Returns the elapsed share of the minute. */
static double follow_weather(wsk_run *run)
{
    wsk_books *books = run->books;
    const int64_t minute = 60 * WSK_NS, t = run->head->t_ns, from = t / minute * minute;
    const wsk_net *net = run->net;
    for (int i = 0; i < 2 && t >= books->weather_ns; i++) {
        books->weather_k[i] = wsk_outdoor_k(run, from + i * minute);
        books->cooling_w[i] = net->ac ? net->ac_ops->capacity_w(net->ac, books->weather_k[i]) : 0;
        books->compressing_w[i] = net->ac ? books->cooling_w[i] / net->ac_ops->cop(net->ac, books->weather_k[i]) : 0;
    }
    books->weather_ns = from + minute;
    const double share = (double)(t - from) / (double)minute;
    run->t[net->outdoor] = interpolate(books->weather_k, share);
    return share;
}

/* Computes the temperature of the coolant that CDUs (coolant distribution units) supply. Up to its capacity, a CDU
 * holds it at the temperature of the facility water plus `approach`. Beyond that, its heat exchanger needs a larger
 * difference to pass the heat: approach x heat / capacity. The temperature follows with an assumed time constant of a
 * minute: docs/theory/constants.md, "CDU" */
static void follow_supplies(wsk_run *run)
{
    const double minute_s = 60;
    const wsk_net *net = run->net;
    double h = (double)(run->head->t_ns - run->books->supplied_ns) / 1e9;
    run->books->supplied_ns = run->head->t_ns;
    for (int i = 0; i < net->n_circuit && run->flows; i++) {
        const wsk_circuit *c = &net->circuits[i];
        if (!c->facility || !(c->params->capacity_w > 0))
            continue;
        double w = fabs(run->flows->point.q[c->branch]) * net->branches[c->branch].heat_w_k_per_m3s,
               heat = w * (run->t[c->warmest] - run->t[c->tank]),
               rise = c->params->approach_k * wsk_max(heat / c->params->capacity_w, 1),
               goal = c->params->supply_k + rise;
        run->t[c->tank] += (goal - run->t[c->tank]) * (1 - wsk_exp(-wsk_min(h / minute_s, 600)));
    }
}

static void add_card_heat(wsk_run *run)
{
    for (int i = 0; i < run->net->n_card; i++) {
        const wsk_card *c = &run->net->cards[i];
        const wsk_card_state *s = &run->cards[i];
        const double hot_w = c->gpu->memory_hot_share * s->memory_w;
        run->heat[c->heatsink] += s->die_w + (s->memory_w - hot_w);
        run->heat[c->memory] += hot_w;
        run->heat[c->board] += wsk_board_w(c, s->power_w);
        run->case_dc_w[c->in] += s->power_w;
    }
}

static double find_dc_load(wsk_run *run)
{
    const wsk_net *net = run->net;
    double dc = 0;
    memset(run->case_dc_w, 0, (size_t)net->n_case * sizeof *run->case_dc_w);
    add_card_heat(run);
    for (int i = 0; i < net->n_case; i++) {
        const wsk_case *c = &net->cases[i];
        double p = c->cpu ? wsk_cpu_w(run, c) : 0, board = wsk_host_w(run, c);
        if (c->cpu)
            run->heat[c->cpu_solid] += p;
        run->heat[c->air] += board;
        run->case_dc_w[i] += p + board;
    }
    for (int k = 0; k < run->n_powered; k++) {
        int i = run->powered[k];
        run->heat[net->movers[i].heat_node] += run->mover_w[i];
        run->case_dc_w[net->movers[i].in] += run->mover_w[i];
    }
    for (int i = 0; i < net->n_load; i++)
        if (net->loads[i]->dc_w > 0 && !run->cases[net->load_in[i]].cpu_off && load_on(run, net->loads[i])) {
            run->heat[net->cases[net->load_in[i]].air] += net->loads[i]->dc_w;
            run->case_dc_w[net->load_in[i]] += net->loads[i]->dc_w;
        }
    for (int i = 0; i < net->n_case; i++)
        dc += run->case_dc_w[i];
    return dc;
}

static void condition_room(wsk_run *run, double minute_share)
{
    const wsk_net *net = run->net;
    run->ac_w = run->ac_heat_w = 0;
    if (!net->ac || net->nodes[net->room].boundary || run->head->ac_failed)
        return;
    const double over = (run->t[net->room] - net->ac->setpoint_k) / net->ac->band_k,
                 load = wsk_min(wsk_max(over, 0), 1);
    run->ac_heat_w = load * interpolate(run->books->cooling_w, minute_share);
    run->ac_w = load * interpolate(run->books->compressing_w, minute_share);
    run->heat[net->room] -= run->ac_heat_w;
}

static bool sum_powers(wsk_run *run)
{
    memset(run->heat, 0, (size_t)run->net->n_node * sizeof *run->heat);
    run->dc_w = find_dc_load(run);
    return wsk_deliver(run);
}

void wsk_follow_room(wsk_run *run)
{
    const double share = follow_weather(run);
    follow_supplies(run);
    run->heat[run->net->room] = run->room_heat_w + run->side_w;
    condition_room(run, share);
}

static void add_side_loads(wsk_run *run)
{
    const wsk_net *net = run->net;
    run->side_w = run->feed_loss_w = 0;
    memset(run->line_side_w, 0, (size_t)net->n_line * sizeof *run->line_side_w);
    for (int i = 0; i < net->n_load; i++)
        if (net->loads[i]->ac_w > 0 && load_on(run, net->loads[i]) &&
            run->lines[net->load_line[i]].tripped == WSK_LINE_ON)
            run->line_side_w[net->load_line[i]] += net->loads[i]->ac_w;
    for (int i = 0; i < net->n_line; i++) {
        wsk_line_state *s = &run->lines[i];
        double over = 0, loss = s->tripped ? 0 : wsk_feed_loss_w(&net->lines[i], run->line_wall_w[i], &over);
        s->feed_peak_rel = wsk_max(s->feed_peak_rel, over);
        run->feed_loss_w += loss;
        run->side_w += run->line_side_w[i] += loss;
    }
}

void wsk_power_tree(wsk_run *run)
{
    const wsk_net *net = run->net;
    const double share = follow_weather(run);
    follow_supplies(run);
    if (run->now.climbed && !run->now.awake && !run->now.stirred && !run->braked &&
        run->head->t_ns < run->now.timed_ns) {
        run->heat[net->room] = run->room_heat_w;
    } else {
        run->now.jumps = true;
        if (sum_powers(run)) {
            wsk_pull_brakes(run);
            sum_powers(run);
        }
        run->room_heat_w = run->heat[net->room];
        run->now.climbed = true;
    }
    run->loss_w = run->wall_w - run->dc_w;
    wsk_follow_batteries(run);
    add_side_loads(run);
    run->heat[net->room] += run->side_w;
    condition_room(run, share);
}
