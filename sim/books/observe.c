/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the variables at each tick (time step) and keeps their minimum, mean and maximum, per interval of the series
 * (bucket) and over the time since wsk_observe_anew was last called. Observing never changes the simulated state. */
#include "sim/books/observe.h"
#include "sim/books/books.h"
#include "sim/control/control.h"

#include <math.h>
#include <string.h>

#include "sim/num/wide.h"

bool wsk_observer_make(wsk_run *run)
{
    const wsk_variables *v = run->variables = wsk_variables_make(run->net, run->arena);
    wsk_observer *o = run->observer = wsk_alloc(run->arena, sizeof *o);
    if (wsk_arena_failed(run->arena))
        return false;
    const size_t bytes = (size_t)v->n * sizeof(double), nodes = (size_t)run->net->n_node * sizeof(double);
    *o = (wsk_observer){.standing = wsk_alloc(run->arena, bytes),
                        .least = wsk_alloc(run->arena, bytes),
                        .most = wsk_alloc(run->arena, bytes),
                        .node_low = wsk_alloc(run->arena, nodes),
                        .node_high = wsk_alloc(run->arena, nodes)};
    return !wsk_arena_failed(run->arena);
}

static void set_variable(const wsk_run *run, double *to, wsk_var row, int which, double x)
{
    const int at = wsk_variable_at(run->variables, row, which);
    if (at >= 0)
        to[at] = x;
}

/* Position of a card's variable among the variables of that card. Each card has all of them. */
#define CARD(handle) (WSK_VAR_CARD_##handle - WSK_VAR_CARD_DIE_C)
static double *card_values(const wsk_run *run, double *to, int card)
{
    return to + wsk_variable_at(run->variables, WSK_VAR_CARD_DIE_C, card);
}

/* Stores in `standing`, for each variable that is a temperature, its rise above the temperature of its node, K. Only
 * die, hot spot, VRM and processor have a rise. */
static void read_rises(wsk_run *run)
{
    const wsk_net *net = run->net;
    const wsk_variables *v = run->variables;
    double *standing = run->observer->standing;
    for (int k = 0; k < v->n_probe; k++)
        standing[v->probes[k].variable] = 0;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        const wsk_card_state *s = &run->cards[i];
        const double die_k = c->die_res_k_w * s->die_w;
        double *w = card_values(run, standing, i);
        w[CARD(DIE_C)] += die_k;
        w[CARD(HOTSPOT_C)] += die_k + wsk_hotspot_over_k(c->gpu, s->die_w);
        w[CARD(VRM_C)] += c->gpu->vrm_res_k_w * wsk_board_w(c, s->power_w);
    }
    for (int i = 0; i < net->n_case; i++)
        if (net->cases[i].cpu)
            set_variable(run, standing, WSK_VAR_CASE_CPU_C, i, wsk_cpu_rise_k(run, &net->cases[i]));
}

static void read_card(wsk_run *run, int i)
{
    const wsk_card *c = &run->net->cards[i];
    const wsk_card_state *s = &run->cards[i];
    double *w = card_values(run, run->observer->standing, i);
    w[CARD(POWER_W)] = s->power_w;
    w[CARD(CLOCK_MHZ)] = s->off ? 0 : s->clock_hz * 1e-6;
    w[CARD(FAN_RPM)] = c->mover >= 0 ? run->rpm[c->mover] : 0;
    w[CARD(WORK_REL)] = s->perf;
    w[CARD(THROTTLE_POWER)] = s->reasons & WSK_REASON_POWER ? s->busy : 0;
    w[CARD(THROTTLE_THERMAL)] = s->reasons & WSK_REASON_THERMAL ? s->busy : 0;
    w[CARD(THROTTLE_HW)] = s->reasons & (WSK_REASON_HW | WSK_REASON_BRAKE) ? s->busy : 0;
    w[CARD(THROTTLE_MEMORY)] = s->reasons & WSK_REASON_MEMORY ? s->busy : 0;
}

/* Reads into `standing` the variables that keep their value until powers, speeds or natural convection change. */
static void read_standing(wsk_run *run)
{
    const wsk_net *net = run->net;
    const wsk_variables *v = run->variables;
    double *to = run->observer->standing;
    set_variable(run, to, WSK_VAR_WALL_W, 0, run->wall_w + run->side_w);
    set_variable(run, to, WSK_VAR_WALL_VA, 0, run->va + run->side_w);
    set_variable(run, to, WSK_VAR_DC_W, 0, run->dc_w);
    set_variable(run, to, WSK_VAR_PSU_LOSS_W, 0, run->loss_w);
    set_variable(run, to, WSK_VAR_NOISE_DBA, 0, run->noise_dba);
    for (int i = 0; i < net->n_supply; i++) {
        set_variable(run, to, WSK_VAR_SUPPLY_LOAD, i, run->supply_dc_w[i] / net->supplies[i].law.limit_w);
        set_variable(run, to, WSK_VAR_SUPPLY_EFFICIENCY, i,
                     run->supply_wall_w[i] > 0 ? run->supply_dc_w[i] / run->supply_wall_w[i] : 0);
    }
    for (int i = 0; i < net->n_circuit; i++)
        set_variable(run, to, WSK_VAR_LOOP_FLOW_LPM, i,
                     run->flows ? 60000 * run->flows->point.q[net->circuits[i].branch] : 0);
    for (int k = 0; k < v->n_watched; k++)
        set_variable(run, to, WSK_VAR_MOVER_RPM, v->watched[k], run->rpm[v->watched[k]]);
    for (int i = 0; i < net->n_card; i++)
        read_card(run, i);
    read_rises(run);
}

/* Reads the variables, other than temperatures, that may change at each tick. They are 0 in `standing`. */
static void read_changing(wsk_run *run)
{
    const wsk_net *net = run->net;
    double *value = run->observer->value;
    set_variable(run, value, WSK_VAR_AC_W, 0, run->ac_w);
    set_variable(run, value, WSK_VAR_ENERGY_KWH, 0,
                 (wsk_sum_value(&run->books->ledger.wall) + wsk_sum_value(&run->books->ledger.side)) / 3.6e6);
    if (net->tariff) {
        const wsk_bill *bill = &run->books->bill;
        set_variable(run, value, WSK_VAR_COST, 0, wsk_bill_cost(bill, net->billing, run->head->t_ns));
        set_variable(run, value, WSK_VAR_COST_OTHER, 0, wsk_bill_other(bill, net->billing, run->head->t_ns));
    }
}

void wsk_read_values(wsk_run *run)
{
    const wsk_variables *v = run->variables;
    wsk_observer *o = run->observer;
    if (run->now.awake || run->now.jumps)
        read_standing(run);
    memcpy(o->value, o->standing, (size_t)v->n * sizeof *o->value);
    for (int k = 0; k < v->n_probe; k++)
        o->value[v->probes[k].variable] += run->t[v->probes[k].node] - WSK_KELVIN;
    read_changing(run);
}

/* Share of room air in the air before the intakes; the rest is exhaust that came round: docs/theory/air.md,
 * "Chassis: tower" */
static double intake_share(const wsk_run *run, const wsk_case *c)
{
    const wsk_net *net = run->net;
    const wsk_point *p = &run->flows->point;
    const int before = net->flow_node[c->flow_in];
    double in = 0, fresh = 0;
    for (int k = 0; k < net->n_branch && before != net->room; k++)
        if (p->down[k] == before) {
            in += fabs(p->w[k]);
            fresh += p->up[k] == net->room ? fabs(p->w[k]) : 0;
        }
    return in > 0 ? fresh / in : 1;
}

/* Share of the air of a node that came from the room without passing through the case's air. Air passes on through the
 * nodes of radiators, gaps and coolers; at most `steps` of them are followed. */
static double fresh_share(const wsk_run *run, const wsk_case *c, int node, int steps)
{
    const wsk_net *net = run->net;
    const wsk_point *p = &run->flows->point;
    double in = 0, fresh = 0;
    if (node == net->flow_node[c->flow_in])
        return intake_share(run, c);
    if (node == net->room || node == net->flow_node[c->flow_out])
        return 1;
    for (int k = 0; k < net->n_branch && node != c->air && steps > 0; k++)
        if (p->down[k] == node && p->q[k] != 0) {
            in += fabs(p->q[k]);
            fresh += fabs(p->q[k]) * fresh_share(run, c, p->up[k], steps - 1);
        }
    return in > 0 ? fresh / in : 0;
}

static void find_fresh_air(wsk_run *run)
{
    const wsk_net *net = run->net;
    const wsk_point *p = &run->flows->point;
    const size_t size = (size_t)net->n_branch * sizeof *p->q;
    if (memcmp(run->fresh_q, p->q, size) == 0)
        return;
    memcpy(run->fresh_q, p->q, size);
    for (int i = 0; i < net->n_case; i++) {
        const wsk_case *c = &net->cases[i];
        run->fresh_m3s[i] = 0;
        for (int k = 0; k < net->n_branch && !c->open; k++)
            if (p->down[k] == c->air)
                run->fresh_m3s[i] += fabs(p->q[k]) * fresh_share(run, c, p->up[k], 6);
    }
}

/* A sample counts for the time since the last one. One a minute is enough, because flows seldom change. */
static void sample_air(wsk_run *run)
{
    const wsk_net *net = run->net;
    double time = (double)(run->head->t_ns - run->books->sampled_ns) / 1e9;
    run->books->sampled_ns = run->head->t_ns;
    for (int i = 0; i < net->n_card; i++) {
        double share[WSK_INTAKES];
        wsk_intake_shares(run, i, share);
        for (int k = 0; k < WSK_INTAKES; k++)
            run->cards[i].intake[k] += share[k] * time;
        run->cards[i].intake_s += time;
    }
    find_fresh_air(run);
    for (int i = 0; i < net->n_case; i++) {
        const wsk_case *c = &net->cases[i];
        run->cases[i].fresh_s += run->fresh_m3s[i] * time;
        run->cases[i].pressure_s += run->flows->point.pressure[c->flow_air] * time;
        run->cases[i].sampled_s += time;
    }
}

static void empty_bucket(wsk_run *run)
{
    wsk_observer *o = run->observer;
    for (int i = 0; i < run->variables->n; i++) {
        o->sum[i] = 0;
        o->low[i] = INFINITY;
        o->high[i] = -INFINITY;
    }
    memset(o->node_sum, 0, (size_t)run->net->n_node * sizeof *o->node_sum);
    run->books->bucket_ns = run->head->t_ns;
}

void wsk_observe_anew(wsk_run *run)
{
    wsk_observer *o = run->observer;
    empty_bucket(run);
    for (int i = 0; i < run->variables->n; i++) {
        o->total[i] = 0;
        o->lowest[i] = INFINITY;
        o->highest[i] = -INFINITY;
    }
    memset(o->node_total, 0, (size_t)run->net->n_node * sizeof *o->node_total);
}

static void merge_bucket(wsk_run *run)
{
    wsk_observer *o = run->observer;
    for (int i = 0; i < run->variables->n; i++) {
        o->total[i] += o->sum[i];
        o->lowest[i] = wsk_min(o->lowest[i], o->low[i]);
        o->highest[i] = wsk_max(o->highest[i], o->high[i]);
    }
    for (int i = 0; i < run->net->n_node; i++)
        o->node_total[i] += o->node_sum[i];
    empty_bucket(run);
}

/* Returns the shortest round bucket length, in ticks, for which the whole run fits into the rows. Rigs with many
 * variables get fewer rows, to limit memory. */
int64_t wsk_bucket_length(int64_t ticks, int variables)
{
    const int64_t fewest = 50, fit = WSK_BUCKET_DOUBLES / (3 * (int64_t)variables + 1);
    const int64_t rows = fit < fewest ? fewest : fit < WSK_BUCKETS ? fit : WSK_BUCKETS;
    static const int64_t nice[] = {1,   2,   5,    10,   15,   30,    60,    120,  300,
                                   600, 900, 1800, 3600, 7200, 10800, 21600, 43200};
    int64_t day = 86400;
    for (size_t i = 0; i < sizeof nice / sizeof *nice; i++)
        if (ticks <= (rows - 2) * nice[i])
            return nice[i];
    while (ticks > (rows - 2) * day)
        day *= 2;
    return day;
}

static void keep_row(const wsk_run *run, double *row, double time)
{
    const wsk_observer *o = run->observer;
    const wsk_variables *v = run->variables;
    const size_t n = (size_t)v->n;
    row[0] = wsk_time_s(run);
    memcpy(row + 1, o->low, n * sizeof *row);
    memcpy(row + 1 + n, o->sum, n * sizeof *row);
    memcpy(row + 1 + 2 * n, o->high, n * sizeof *row);
    for (int k = 0; k < v->n_probe; k++)
        row[1 + n + (size_t)v->probes[k].variable] += o->node_sum[v->probes[k].node];
    for (size_t i = 0; i < n; i++)
        row[1 + n + i] /= time;
}

void wsk_close_bucket(wsk_run *run)
{
    const wsk_observer *o = run->observer;
    double time = (double)(run->head->t_ns - run->books->bucket_ns) / 1e9;
    if (!(time > 0) || run->books->n_buckets == o->bucket_rows)
        return;
    if (o->buckets)
        keep_row(run, wsk_bucket(run, run->books->n_buckets), time);
    run->books->n_buckets++;
    merge_bucket(run);
}

static void watch_changing(wsk_run *run, double h)
{
    const wsk_variables *v = run->variables;
    wsk_observer *o = run->observer;
    for (int k = 0; k < v->n_changing; k++) {
        const int at = v->changing[k];
        o->sum[at] += o->value[at] * h;
        o->low[at] = wsk_min(o->low[at], o->value[at]);
        o->high[at] = wsk_max(o->high[at], o->value[at]);
    }
}

/* Observes a step. A tick counts with the temperatures at its end. A leap, a step longer than a tick, counts with its
 * mean temperatures, because nodes may warm up in leaps and cool down in ticks. Temperatures are summed per node;
 * their rises above the nodes, and the variables that keep their value, are summed separately. A quiet tick, in which
 * no control acts, therefore adds only few numbers; the others are added when quiet ticks end, with bit-identical
 * results. */
bool wsk_observe(wsk_run *run, double h)
{
    wsk_run_head *head = run->head;
    wsk_observer *o = run->observer;
    const int nodes = run->net->n_node, n = run->variables->n;
    const bool leaps = h > (double)run->tick_ns / 1e9;
    wsk_sum_over_time(nodes, leaps ? run->mean_t : run->t, WSK_KELVIN, h, o->node_sum);
    if (!run->now.quiet) {
        wsk_read_values(run);
        wsk_sum_over_time(n, o->standing, 0, h, o->sum);
        wsk_widen(n, o->value, o->value, o->low, o->high);
    } else {
        read_changing(run);
        if (run->now.repeats == 1) {
            memcpy(o->node_low, run->t, (size_t)nodes * sizeof *run->t);
            memcpy(o->node_high, run->t, (size_t)nodes * sizeof *run->t);
        } else {
            wsk_widen(nodes, run->t, run->t, o->node_low, o->node_high);
        }
    }
    watch_changing(run, h);
    if (run->now.minute)
        sample_air(run);
    return head->t_ns % (o->bucket_ticks * run->tick_ns) == 0 || head->t_ns >= run->end_ns;
}

void wsk_observe_repeats(wsk_run *run, double h, int64_t times)
{
    const wsk_variables *v = run->variables;
    wsk_observer *o = run->observer;
    const size_t bytes = (size_t)v->n * sizeof *o->value;
    double *least = o->least, *most = o->most;
    wsk_sum_over_times(v->n, o->standing, h, times, o->sum);
    memcpy(least, o->standing, bytes);
    memcpy(most, o->standing, bytes);
    for (int k = 0; k < v->n_probe; k++) {
        const int at = v->probes[k].variable, node = v->probes[k].node;
        least[at] += o->node_low[node] - WSK_KELVIN;
        most[at] += o->node_high[node] - WSK_KELVIN;
    }
    for (int k = 0; k < v->n_changing; k++) { /* excluded, because watch_changing has observed them at each tick */
        least[v->changing[k]] = INFINITY;
        most[v->changing[k]] = -INFINITY;
    }
    wsk_widen(v->n, least, most, o->low, o->high);
}

double wsk_mean_at(const wsk_run *run, int at)
{
    const wsk_observer *o = run->observer;
    const double time = wsk_window_s(run);
    if (at < 0 || !(time > 0))
        return NAN;
    const int node = run->variables->all[at].node;
    double sum = o->total[at] + o->sum[at];
    if (node >= 0)
        sum += o->node_total[node] + o->node_sum[node];
    return sum / time;
}

double wsk_low_at(const wsk_run *run, int at)
{
    return at < 0 ? NAN : wsk_min(run->observer->lowest[at], run->observer->low[at]);
}

double wsk_high_at(const wsk_run *run, int at)
{
    return at < 0 ? NAN : wsk_max(run->observer->highest[at], run->observer->high[at]);
}

double wsk_var_mean(const wsk_run *run, wsk_var row, int which)
{
    return wsk_mean_at(run, wsk_variable_at(run->variables, row, which));
}

double wsk_var_low(const wsk_run *run, wsk_var row, int which)
{
    return wsk_low_at(run, wsk_variable_at(run->variables, row, which));
}

double wsk_var_high(const wsk_run *run, wsk_var row, int which)
{
    return wsk_high_at(run, wsk_variable_at(run->variables, row, which));
}

double wsk_door_w(const wsk_run *run, int in)
{
    const wsk_case *c = &run->net->cases[in];
    return c->door_w_k * (wsk_var_mean(run, WSK_VAR_CASE_DOOR_C, in) + WSK_KELVIN - c->door->supply_k);
}

double wsk_loop_heat_w(const wsk_run *run, int circuit)
{
    const wsk_net *net = run->net;
    return wsk_var_mean(run, WSK_VAR_LOOP_FLOW_LPM, circuit) / 60000 *
           net->branches[net->circuits[circuit].branch].heat_w_k_per_m3s *
           (wsk_var_mean(run, WSK_VAR_LOOP_RETURN_C, circuit) - wsk_var_mean(run, WSK_VAR_LOOP_COOLANT_C, circuit));
}

double wsk_facility_heat_w(const wsk_run *run)
{
    double sum = 0;
    for (int i = 0; i < run->net->n_circuit; i++)
        sum += run->net->circuits[i].facility ? wsk_loop_heat_w(run, i) : 0;
    for (int i = 0; i < run->net->n_case; i++)
        sum += run->net->cases[i].door ? wsk_door_w(run, i) : 0;
    return sum;
}

double wsk_case_air_c(const wsk_run *run)
{
    double sum = 0;
    for (int i = 0; i < run->net->n_case; i++)
        sum += wsk_var_mean(run, WSK_VAR_CASE_AIR_C, i);
    return sum / run->net->n_case;
}
