/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The variable table and who watches it: bucketed minimum, mean and maximum, totals. Observing reads
 * the state and never writes it. */
#include <math.h>
#include <string.h>

#include "sim/num/wide.h"
#include "sim/control/run.h"

/* One table: name and unit; of a case, a loop or a card: behind its id. Order is that of the enums. */
#define RIG_VARIABLES(X) \
    X(WALL, "wall_w", "W") \
    X(VA, "wall_va", "VA") \
    X(DC, "dc_w", "W") \
    X(LOSS, "psu_loss_w", "W") \
    X(ROOM, "room.air_c", "degC") \
    X(OUTDOOR, "outdoor.air_c", "degC") \
    X(AC, "ac_w", "W") X(NOISE, "noise_dba", "dBA") X(ENERGY, "energy_kwh", "kWh") X(COST, "cost", "")
#define CASE_VARIABLES(X) X(AIR, "air_c", "degC") X(CPU, "die_c", "degC")
#define SUPPLY_VARIABLES(X) X(LOAD, "load", "") X(EFFICIENCY, "efficiency", "")
#define LOOP_VARIABLES(X) X(COOLANT, "coolant_c", "degC") X(WARM, "return_c", "degC") X(FLOW, "flow_lpm", "l/min")
#define MOVER_VARIABLES(X) X(RPM, "rpm", "rpm")
#define CARD_VARIABLES(X) \
    X(DIE, "die_c", "degC") \
    X(HOTSPOT, "hotspot_c", "degC") \
    X(MEMORY, "memory_c", "degC") \
    X(VRM, "vrm_c", "degC") \
    X(BOARD, "board_c", "degC") \
    X(INLET, "inlet_c", "degC") \
    X(POWER, "power_w", "W") \
    X(CLOCK, "clock_mhz", "MHz") \
    X(FAN, "fan_rpm", "rpm") \
    X(WORK, "work_rel", "") \
    X(T_POWER, "throttle_power", "") \
    X(T_THERMAL, "throttle_thermal", "") X(T_HW, "throttle_hw", "") X(T_MEMORY, "throttle_memory", "")
#define E(sym, ...) V_##sym,
enum { RIG_VARIABLES(E) V_RIG };
#undef E
#define E(sym, ...) H_##sym,
enum { CASE_VARIABLES(E) H_CASE };
#undef E
#define E(sym, ...) P_##sym,
enum { SUPPLY_VARIABLES(E) P_SUPPLY };
#undef E
#define E(sym, ...) L_##sym,
enum { LOOP_VARIABLES(E) L_LOOP };
#undef E
#define E(sym, ...) M_##sym,
enum { MOVER_VARIABLES(E) M_MOVER };
#undef E
#define E(sym, ...) C_##sym,
enum { CARD_VARIABLES(E) C_CARD };
#undef E
#define ROW(sym, name_, unit_) {name_, unit_},
static const wsk_variable rig_rows[] = {RIG_VARIABLES(ROW)}, case_rows[] = {CASE_VARIABLES(ROW)},
                          supply_rows[] = {SUPPLY_VARIABLES(ROW)}, loop_rows[] = {LOOP_VARIABLES(ROW)},
                          mover_rows[] = {MOVER_VARIABLES(ROW)}, card_rows[] = {CARD_VARIABLES(ROW)};
#undef ROW

/* What a rig has not got is no variable of it. */
static bool present(const wsk_net *net, int v)
{
    switch (v) {
    case V_LOSS: return net->n_supply > 0;
    case V_AC: return net->ac != NULL;
    case V_COST: return net->tariff != NULL;
    default: return true;
    }
}

/* A fan or pump whose speed is worth a curve: it follows a sensor or fails, and is no card's. */
static bool watched(const wsk_net *net, int i)
{
    const wsk_mover *m = &net->movers[i];
    for (int k = 0; k < net->n_card; k++)
        if (net->cards[k].mover == i)
            return false;
    return m->branch >= 0 && (m->control || m->fails_ns >= 0);
}

/* The name before the dot: a case's part, or the word that stands for the only case's air; NULL: not there. */
static const char *case_owner(const wsk_run *run, int in, int v)
{
    const wsk_case *c = &run->net->cases[in];
    switch (v) {
    case H_AIR: return run->net->n_case == 1 ? "case" : c->elem->id;
    default: return c->cpu ? c->cpu->head.elem->id : NULL;
    }
}

/* Adds a row under its owner, NULL: the rig; false when out of memory. */
static bool add_variable(wsk_run *run, const char *owner, const wsk_variable *row)
{
    wsk_variable *v = &run->variables[run->n_variables++];
    *v = *row;
    if (owner)
        v->name = wsk_printf(run->arena, "%s.%s", owner, row->name);
    return v->name != NULL;
}

enum { CARD_PROBES = C_INLET + 1 };

static void probe(wsk_run *run, int variable, int node)
{
    if (variable >= 0)
        run->probes[run->n_probe++] = (wsk_probe){node, variable};
}

/* Every temperature that is a variable. */
static bool make_probes(wsk_run *run)
{
    const wsk_net *net = run->net;
    const size_t most =
        (size_t)net->n_card * CARD_PROBES + (size_t)net->n_case * H_CASE + (size_t)net->n_circuit * 2 + 2;
    run->probes = wsk_alloc(run->arena, most * sizeof *run->probes);
    if (!run->probes)
        return false;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        const int at[CARD_PROBES] = {[C_DIE] = c->heatsink, [C_HOTSPOT] = c->heatsink, [C_MEMORY] = c->memory,
                                     [C_VRM] = c->board,    [C_BOARD] = c->board,      [C_INLET] = c->inlet};
        for (int k = 0; k < CARD_PROBES; k++)
            probe(run, run->first_card_variable + i * C_CARD + k, at[k]);
    }
    const int *of = run->rig_variable;
    for (int i = 0; i < net->n_case; i++) {
        probe(run, of[V_RIG + i * H_CASE + H_CPU], net->cases[i].cpu_solid);
        probe(run, of[V_RIG + i * H_CASE + H_AIR], net->cases[i].air);
    }
    probe(run, of[V_ROOM], net->room);
    probe(run, of[V_OUTDOOR], net->outdoor);
    for (int i = 0; i < net->n_circuit; i++) {
        probe(run, run->first_loop_variable + i * L_LOOP + L_COOLANT, net->circuits[i].tank);
        probe(run, run->first_loop_variable + i * L_LOOP + L_WARM, net->circuits[i].warmest);
    }
    return true;
}

static bool make_room(wsk_run *run)
{
    const size_t bytes = (size_t)run->n_variables * sizeof(double), nodes = (size_t)run->net->n_node * sizeof(double);
    run->standing = wsk_alloc(run->arena, bytes);
    run->least = wsk_alloc(run->arena, bytes);
    run->most = wsk_alloc(run->arena, bytes);
    run->node_low = wsk_alloc(run->arena, nodes);
    run->node_high = wsk_alloc(run->arena, nodes);
    return run->standing && run->least && run->most && run->node_low && run->node_high;
}

bool wsk_variables_make(wsk_run *run)
{
    const wsk_net *net = run->net;
    int optional = V_RIG + net->n_case * H_CASE;
    size_t most = (size_t)optional + (size_t)net->n_supply * P_SUPPLY + (size_t)net->n_circuit * L_LOOP +
                  (size_t)net->n_mover * M_MOVER + (size_t)net->n_card * C_CARD;
    bool ok = (run->variables = wsk_alloc(run->arena, (most + 1) * sizeof *run->variables)) != NULL &&
              (run->watched = wsk_alloc(run->arena, ((size_t)net->n_mover + 1) * sizeof *run->watched)) != NULL &&
              (run->rig_variable = wsk_alloc(run->arena, (size_t)optional * sizeof *run->rig_variable)) != NULL;
    for (int i = 0; i < optional && ok; i++) {
        int in = (i - V_RIG) / H_CASE, v = (i - V_RIG) % H_CASE;
        const char *owner = i < V_RIG ? NULL : case_owner(run, in, v);
        bool there = i < V_RIG ? present(net, i) : owner != NULL;
        run->rig_variable[i] = there ? run->n_variables : -1;
        ok = !there || add_variable(run, owner, i < V_RIG ? &rig_rows[i] : &case_rows[v]);
    }
    run->first_supply_variable = run->n_variables;
    for (int i = 0; i < net->n_supply; i++)
        for (int k = 0; k < P_SUPPLY && ok; k++)
            ok = add_variable(run, net->supplies[i].elem->id, &supply_rows[k]);
    run->first_loop_variable = run->n_variables;
    for (int i = 0; i < net->n_circuit; i++)
        for (int k = 0; k < L_LOOP && ok; k++)
            ok = add_variable(run, net->circuits[i].id, &loop_rows[k]);
    run->first_mover_variable = run->n_variables;
    for (int i = 0; i < net->n_mover && ok; i++)
        if (watched(net, i)) {
            run->watched[run->n_variables - run->first_mover_variable] = i;
            ok = add_variable(run, net->movers[i].name, &mover_rows[M_RPM]);
        }
    run->first_card_variable = run->n_variables;
    for (int i = 0; i < net->n_card; i++)
        for (int k = 0; k < C_CARD && ok; k++)
            ok = add_variable(run, net->cards[i].id, &card_rows[k]);
    return ok && make_probes(run) && make_room(run);
}

/* Of the rig or a case. */
static void put(const wsk_run *run, double *to, int v, double x)
{
    if (run->rig_variable[v] >= 0)
        to[run->rig_variable[v]] = x;
}

/* Temperatures by what they stand over their nodes. */
static void read_rises(wsk_run *run)
{
    const wsk_net *net = run->net;
    for (int k = 0; k < run->n_probe; k++)
        run->standing[run->probes[k].variable] = 0;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        const wsk_card_state *s = &run->cards[i];
        const double die_k = c->die_res_k_w * s->die_w;
        double *w = run->standing + run->first_card_variable + i * C_CARD;
        w[C_DIE] += die_k;
        w[C_HOTSPOT] += die_k + c->gpu->hotspot_res_k_w * s->die_w;
        w[C_VRM] += c->gpu->vrm_res_k_w * c->board_share * s->power_w;
    }
    for (int i = 0; i < net->n_case; i++)
        if (net->cases[i].cpu)
            put(run, run->standing, V_RIG + i * H_CASE + H_CPU,
                net->cases[i].cpu->sensor_res_k_w * wsk_cpu_w(run, &net->cases[i]));
}

static void read_card(wsk_run *run, int i)
{
    const wsk_card *c = &run->net->cards[i];
    const wsk_card_state *s = &run->cards[i];
    double *w = run->standing + run->first_card_variable + i * C_CARD;
    w[C_POWER] = s->power_w;
    w[C_CLOCK] = s->off ? 0 : s->clock_hz * 1e-6;
    w[C_FAN] = c->mover >= 0 ? run->rpm[c->mover] : 0;
    w[C_WORK] = s->perf;
    w[C_T_POWER] = s->reasons & WSK_REASON_POWER ? s->busy : 0;
    w[C_T_THERMAL] = s->reasons & WSK_REASON_THERMAL ? s->busy : 0;
    w[C_T_HW] = s->reasons & (WSK_REASON_HW | WSK_REASON_BRAKE) ? s->busy : 0;
    w[C_T_MEMORY] = s->reasons & WSK_REASON_MEMORY ? s->busy : 0;
}

/* What is as it is until watts, speeds or natural convection change. */
static void read_standing(wsk_run *run)
{
    const wsk_net *net = run->net;
    double *to = run->standing;
    put(run, to, V_WALL, run->wall_w + run->side_w);
    put(run, to, V_VA, run->va + run->side_w);
    put(run, to, V_DC, run->dc_w);
    put(run, to, V_LOSS, run->loss_w);
    put(run, to, V_NOISE, run->noise_dba);
    for (int i = 0; i < net->n_supply; i++) {
        double *w = to + run->first_supply_variable + i * P_SUPPLY;
        w[P_LOAD] = run->supply_dc_w[i] / net->supplies[i].law.limit_w;
        w[P_EFFICIENCY] = run->supply_wall_w[i] > 0 ? run->supply_dc_w[i] / run->supply_wall_w[i] : 0;
    }
    for (int i = 0; i < net->n_circuit; i++)
        to[run->first_loop_variable + i * L_LOOP + L_FLOW] =
            run->config ? 60000 * run->config->point.q[net->circuits[i].branch] : 0;
    for (int v = run->first_mover_variable; v < run->first_card_variable; v++)
        to[v] = run->rpm[run->watched[v - run->first_mover_variable]];
    for (int i = 0; i < net->n_card; i++)
        read_card(run, i);
    read_rises(run);
}

/* What changes with every tick beside temperatures; it stands at 0. */
static const int rising[] = {V_AC, V_ENERGY, V_COST};
enum { RISING = sizeof rising / sizeof *rising };

static void read_rising(wsk_run *run)
{
    const wsk_net *net = run->net;
    put(run, run->value, V_AC, run->ac_w);
    put(run, run->value, V_ENERGY,
        (wsk_sum_value(&run->head->ledger.wall) + wsk_sum_value(&run->head->ledger.side)) / 3.6e6);
    if (net->tariff)
        put(run, run->value, V_COST, wsk_bill_cost(&run->head->bill, net->billing, run->head->t_ns));
}

void wsk_read_values(wsk_run *run)
{
    if (run->now.awake || run->now.jumps)
        read_standing(run);
    memcpy(run->value, run->standing, (size_t)run->n_variables * sizeof *run->value);
    for (int k = 0; k < run->n_probe; k++)
        run->value[run->probes[k].variable] += run->t[run->probes[k].node] - WSK_KELVIN;
    read_rising(run);
}

/* Where the air comes from changes as slowly as speeds do: it is sampled once a minute, and at the end. */
static void sample_air(wsk_run *run)
{
    const wsk_net *net = run->net;
    double time = (double)(run->head->t_ns - run->head->sampled_ns) / 1e9;
    run->head->sampled_ns = run->head->t_ns;
    for (int i = 0; i < net->n_card; i++) {
        double share[WSK_INTAKES];
        wsk_intake_shares(run, i, share);
        for (int k = 0; k < WSK_INTAKES; k++)
            run->cards[i].intake[k] += share[k] * time;
        run->cards[i].intake_s += time;
    }
    for (int i = 0; i < net->n_case; i++) {
        const wsk_case *c = &net->cases[i];
        double fresh = 0;
        for (int k = 0; k < net->n_branch && !c->open; k++) /* what comes from outside into the case's air */
            if (run->config->point.down[k] == c->air &&
                (run->config->point.up[k] == net->room || run->config->point.up[k] == net->flow_node[c->flow_in]))
                fresh += fabs(run->config->point.q[k]);
        run->cases[i].fresh_s += fresh * time;
        run->cases[i].pressure_s += run->config->point.pressure[c->flow_air] * time;
        run->cases[i].sampled_s += time;
    }
}

/* Over the window so far. */
static double mean_of(const wsk_run *run, int v)
{
    double sum = run->total[v] + run->sum[v];
    for (int k = 0; k < run->n_probe; k++)
        if (run->probes[k].variable == v)
            sum += run->node_total[run->probes[k].node] + run->node_sum[run->probes[k].node];
    return sum / wsk_window_s(run);
}

double wsk_case_air_c(const wsk_run *run)
{
    double sum = 0;
    for (int i = 0; i < run->net->n_case; i++)
        sum += mean_of(run, run->rig_variable[V_RIG + i * H_CASE + H_AIR]);
    return sum / run->net->n_case;
}

static void empty_bucket(wsk_run *run)
{
    for (int i = 0; i < run->n_variables; i++) {
        run->sum[i] = 0;
        run->low[i] = INFINITY;
        run->high[i] = -INFINITY;
    }
    memset(run->node_sum, 0, (size_t)run->net->n_node * sizeof *run->node_sum);
    run->head->bucket_ns = run->head->t_ns;
}

void wsk_observe_anew(wsk_run *run)
{
    empty_bucket(run);
    for (int i = 0; i < run->n_variables; i++) {
        run->total[i] = 0;
        run->lowest[i] = INFINITY;
        run->highest[i] = -INFINITY;
    }
    memset(run->node_total, 0, (size_t)run->net->n_node * sizeof *run->node_total);
}

/* The open bucket into the totals, and empty. */
static void merge_bucket(wsk_run *run)
{
    for (int i = 0; i < run->n_variables; i++) {
        run->total[i] += run->sum[i];
        run->lowest[i] = wsk_min(run->lowest[i], run->low[i]);
        run->highest[i] = wsk_max(run->highest[i], run->high[i]);
    }
    for (int i = 0; i < run->net->n_node; i++)
        run->node_total[i] += run->node_sum[i];
    empty_bucket(run);
}

/* The shortest round number of ticks with which the whole run fits the buckets; a rack's are fewer, for their memory. */
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

static void close_bucket(wsk_run *run)
{
    wsk_run_head *head = run->head;
    int n = run->n_variables;
    double time = (double)(head->t_ns - head->bucket_ns) / 1e9;
    if (!(time > 0) || head->n_buckets == run->bucket_rows)
        return;
    double *row = run->buckets + (size_t)head->n_buckets++ * (1 + 3 * (size_t)n);
    row[0] = (double)head->t_ns / 1e9;
    memcpy(row + 1, run->low, (size_t)n * sizeof *row);
    memcpy(row + 1 + n, run->sum, (size_t)n * sizeof *row);
    memcpy(row + 1 + 2 * n, run->high, (size_t)n * sizeof *row);
    for (int k = 0; k < run->n_probe; k++)
        row[1 + n + run->probes[k].variable] += run->node_sum[run->probes[k].node];
    for (int i = 0; i < n; i++)
        row[1 + n + i] /= time;
    merge_bucket(run);
}

/* What rises is looked at by itself. */
static void watch_rising(wsk_run *run, double h)
{
    for (int k = 0; k < RISING; k++) {
        const int v = run->rig_variable[rising[k]];
        if (v < 0)
            continue;
        run->sum[v] += run->value[v] * h;
        run->low[v] = wsk_min(run->low[v], run->value[v]);
        run->high[v] = wsk_max(run->high[v], run->value[v]);
    }
}

/* Temperatures are summed by nodes, what they stand over them and all else that stands apart: so a quiet tick has few numbers to look at,
 * and the others follow when such ticks end, to the same bits. */
void wsk_observe(wsk_run *run, double h)
{
    wsk_run_head *head = run->head;
    const int nodes = run->net->n_node, n = run->n_variables;
    wsk_sum_over_time(nodes, run->t, WSK_KELVIN, h, run->node_sum);
    if (!run->now.quiet) {
        wsk_read_values(run);
        wsk_sum_over_time(n, run->standing, 0, h, run->sum);
        wsk_widen(n, run->value, run->value, run->low, run->high);
    } else {
        read_rising(run);
        if (run->now.repeats == 1) { /* the first of them */
            memcpy(run->node_low, run->t, (size_t)nodes * sizeof *run->t);
            memcpy(run->node_high, run->t, (size_t)nodes * sizeof *run->t);
        } else {
            wsk_widen(nodes, run->t, run->t, run->node_low, run->node_high);
        }
    }
    watch_rising(run, h);
    if (run->now.minute)
        sample_air(run);
    if (head->t_ns % (run->bucket_ticks * run->tick_ns) == 0 || head->t_ns >= run->end_ns) {
        wsk_book_repeats(run);
        close_bucket(run);
    }
}

void wsk_observe_repeats(wsk_run *run, double h, int64_t times)
{
    const int n = run->n_variables;
    const size_t bytes = (size_t)n * sizeof *run->value;
    double *least = run->least, *most = run->most;
    wsk_sum_over_times(n, run->standing, h, times, run->sum);
    memcpy(least, run->standing, bytes);
    memcpy(most, run->standing, bytes);
    for (int k = 0; k < run->n_probe; k++) {
        const int v = run->probes[k].variable, at = run->probes[k].node;
        least[v] += run->node_low[at] - WSK_KELVIN;
        most[v] += run->node_high[at] - WSK_KELVIN;
    }
    for (int k = 0; k < RISING; k++) { /* seen at each tick */
        put(run, least, rising[k], INFINITY);
        put(run, most, rising[k], -INFINITY);
    }
    wsk_widen(n, least, most, run->low, run->high);
}

double wsk_window_s(const wsk_run *run)
{
    return (double)(run->head->t_ns - run->head->window_ns) / 1e9;
}

double wsk_mean_of(const wsk_run *run, const char *name)
{
    int i = wsk_variable_find(run, name);
    double time = wsk_window_s(run);
    return i < 0 || !(time > 0) ? NAN : mean_of(run, i);
}

void wsk_extremes_of(const wsk_run *run, const char *name, double *low, double *high)
{
    int i = wsk_variable_find(run, name);
    *low = i < 0 ? NAN : wsk_min(run->lowest[i], run->low[i]);
    *high = i < 0 ? NAN : wsk_max(run->highest[i], run->high[i]);
}

double wsk_stat_of(const wsk_run *run, const char *id, const char *what, int which)
{
    wsk_buf name = {0};
    double low = NAN, high = NAN, mean = NAN;
    wsk_buf_printf(&name, "%s.%s", id, what);
    if (!name.failed && name.data) {
        mean = wsk_mean_of(run, name.data);
        wsk_extremes_of(run, name.data, &low, &high);
    }
    wsk_buf_free(&name);
    return which == 0 ? mean : which < 0 ? low : high;
}

int wsk_variable_find(const wsk_run *run, const char *name)
{
    for (int i = 0; i < run->n_variables; i++)
        if (strcmp(run->variables[i].name, name) == 0)
            return i;
    return -1;
}
