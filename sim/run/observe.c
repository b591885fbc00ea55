/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The variable table and who watches it: bucketed minimum, mean and maximum, totals, events. Observing reads
 * the state and never writes it. */
#include <math.h>
#include <string.h>

#include "sim/run/run.h"

/* One table: name (of a card: behind its id) and unit. Order is that of the enum. */
#define CARD_VARIABLES(X) \
    X(DIE, "die_c", "degC") \
    X(MEMORY, "memory_c", "degC") \
    X(BOARD, "board_c", "degC") \
    X(INLET, "inlet_c", "degC") X(POWER, "power_w", "W") X(CLOCK, "clock_mhz", "MHz") X(FAN, "fan_rpm", "rpm") \
        X(WORK, "work_rel", "") X(T_POWER, "throttle_power", "") X(T_THERMAL, "throttle_thermal", "") \
            X(T_HW, "throttle_hw", "")
#define RIG_VARIABLES(X) \
    X(WALL, "wall_w", "W") \
    X(DC, "dc_w", "W") \
    X(LOSS, "psu_loss_w", "W") \
    X(LOAD, "load", "") X(EFFICIENCY, "efficiency", "") X(ROOM, "room.air_c", "degC") \
        X(OUTDOOR, "outdoor.air_c", "degC") X(AC, "ac_w", "W") X(CASE, "case.air_c", "degC") X(CPU, "die_c", "degC") \
            X(ENERGY, "energy_kwh", "kWh") X(COST, "cost", "")
enum {
#define E(sym, ...) V_##sym,
    RIG_VARIABLES(E) V_RIG
#undef E
};
enum {
#define E(sym, ...) C_##sym,
    CARD_VARIABLES(E) C_CARD
#undef E
};

/* What a rig has not got is no variable of it. */
static bool present(const wsk_net *net, int v)
{
    switch (v) {
    case V_LOSS:
    case V_LOAD:
    case V_EFFICIENCY: return net->has_supply;
    case V_AC: return net->ac != NULL;
    case V_CPU: return net->cpu != NULL;
    case V_COST: return net->tariff != NULL;
    default: return true;
    }
}

/* Whose id stands before the name; NULL: the rig's own. */
static const char *owner_of(const wsk_net *net, int v)
{
    if (v == V_LOAD || v == V_EFFICIENCY)
        return net->supply.elem->id;
    return v == V_CPU ? net->cpu->head.elem->id : NULL;
}

bool wsk_variables_make(wsk_run *run)
{
    static const wsk_variable rig[] = {
#define ROW(sym, name_, unit_) {name_, unit_},
        RIG_VARIABLES(ROW)
#undef ROW
    };
    static const wsk_variable card[] = {
#define ROW(sym, name_, unit_) {name_, unit_},
        CARD_VARIABLES(ROW)
#undef ROW
    };
    const wsk_net *net = run->net;
    size_t most = V_RIG + (size_t)net->n_card * C_CARD;
    run->variables = wsk_alloc(run->arena, most * sizeof *run->variables);
    run->rig_variable = wsk_alloc(run->arena, V_RIG * sizeof *run->rig_variable);
    if (!run->variables || !run->rig_variable)
        return false;
    for (int i = 0; i < V_RIG; i++) {
        run->rig_variable[i] = present(net, i) ? run->n_variables : -1;
        if (!present(net, i))
            continue;
        wsk_variable *v = &run->variables[run->n_variables++];
        *v = rig[i];
        const char *owner = owner_of(net, i);
        if (owner && !(v->name = wsk_printf(run->arena, "%s.%s", owner, rig[i].name)))
            return false;
    }
    run->first_card_variable = run->n_variables;
    for (int i = 0; i < net->n_card; i++)
        for (int k = 0; k < C_CARD; k++) {
            wsk_variable *v = &run->variables[run->n_variables++];
            *v = card[k];
            v->name = wsk_printf(run->arena, "%s.%s", net->cards[i].id, card[k].name);
            if (!v->name)
                return false;
        }
    return true;
}

static double celsius(const wsk_run *run, int node)
{
    return run->t[node] - WSK_KELVIN;
}

static void put(wsk_run *run, int v, double x)
{
    if (run->rig_variable[v] >= 0)
        run->value[run->rig_variable[v]] = x;
}

void wsk_read_values(wsk_run *run)
{
    const wsk_net *net = run->net;
    put(run, V_WALL, run->wall_w + run->side_w);
    put(run, V_DC, run->dc_w);
    put(run, V_LOSS, run->loss_w);
    put(run, V_LOAD, net->has_supply ? run->dc_w / net->supply.law.rated_w : 0);
    put(run, V_EFFICIENCY, run->wall_w > 0 ? run->dc_w / run->wall_w : 0);
    put(run, V_ROOM, celsius(run, net->room));
    put(run, V_OUTDOOR, celsius(run, net->outdoor));
    put(run, V_AC, run->ac_w);
    put(run, V_CASE, celsius(run, net->case_air));
    if (net->cpu)
        put(run, V_CPU, celsius(run, net->cpu_solid) + net->cpu->sensor_res_k_w * run->heat[net->cpu_solid]);
    put(run, V_ENERGY, (wsk_sum_value(&run->head->ledger.wall) + wsk_sum_value(&run->head->ledger.side)) / 3.6e6);
    put(run, V_COST, wsk_sum_value(&run->head->cost_sum));
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        const wsk_card_state *s = &run->cards[i];
        double *w = run->value + run->first_card_variable + i * C_CARD;
        w[C_DIE] = wsk_die_k(run, c, s->power_w) - WSK_KELVIN;
        w[C_MEMORY] = celsius(run, c->memory);
        w[C_BOARD] = celsius(run, c->board);
        w[C_INLET] = celsius(run, c->inlet);
        w[C_POWER] = s->power_w;
        w[C_CLOCK] = s->off ? 0 : s->clock_hz * 1e-6;
        w[C_FAN] = run->rpm[c->mover];
        w[C_WORK] = s->perf;
        w[C_T_POWER] = s->reasons & WSK_REASON_POWER ? 1 : 0;
        w[C_T_THERMAL] = s->reasons & WSK_REASON_THERMAL ? 1 : 0;
        w[C_T_HW] = s->reasons & WSK_REASON_HW ? 1 : 0;
    }
}

/* The open bucket into the totals, and empty. */
static void merge_bucket(wsk_run *run)
{
    for (int i = 0; i < run->n_variables; i++) {
        run->total[i] += run->sum[i];
        run->lowest[i] = wsk_min(run->lowest[i], run->low[i]);
        run->highest[i] = wsk_max(run->highest[i], run->high[i]);
        run->sum[i] = 0;
        run->low[i] = INFINITY;
        run->high[i] = -INFINITY;
    }
    run->head->bucket_ns = run->head->t_ns;
}

/* The shortest round number of ticks with which the whole run fits the buckets. */
int64_t wsk_bucket_length(int64_t ticks)
{
    static const int64_t nice[] = {1,   2,   5,    10,   15,   30,    60,    120,  300,
                                   600, 900, 1800, 3600, 7200, 10800, 21600, 43200};
    int64_t day = 86400;
    for (size_t i = 0; i < sizeof nice / sizeof *nice; i++)
        if (ticks <= (WSK_BUCKETS - 2) * nice[i])
            return nice[i];
    while (ticks > (WSK_BUCKETS - 2) * day)
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
    for (int i = 0; i < n; i++) {
        row[1 + i] = run->low[i];
        row[1 + n + i] = run->sum[i] / time;
        row[1 + 2 * n + i] = run->high[i];
    }
    merge_bucket(run);
}

void wsk_observe(wsk_run *run, double h)
{
    wsk_run_head *head = run->head;
    double *restrict sum = run->sum, *restrict low = run->low, *restrict high = run->high;
    const double *restrict v = run->value;
    wsk_read_values(run);
    for (int i = 0; i < run->n_variables; i++) {
        sum[i] += v[i] * h;
        low[i] = v[i] < low[i] ? v[i] : low[i];
        high[i] = v[i] > high[i] ? v[i] : high[i];
    }
    if (head->t_ns % (run->bucket_ticks * run->tick_ns) == 0 || head->t_ns >= run->end_ns)
        close_bucket(run);
}

double wsk_window_s(const wsk_run *run)
{
    return (double)(run->head->t_ns - run->head->window_ns) / 1e9;
}

double wsk_mean_of(const wsk_run *run, const char *name)
{
    int i = wsk_variable_find(run, name);
    double time = wsk_window_s(run);
    return i < 0 || !(time > 0) ? NAN : (run->total[i] + run->sum[i]) / time;
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

/* ---- events: time, component, what, why ---- */

void wsk_event(wsk_run *run, const char *component, const char *what, const char *why)
{
    if (run->steady)
        return;
    char t[40];
    wsk_format_number(t, sizeof t, (double)run->head->t_ns / 1e9);
    wsk_buf_printf(&run->events, "%s,%s,%s,%s\n", t, component, what, why);
}

static const char *const reason_name[5] = {"none", "sw_power_cap", "sw_thermal_slowdown", "", "hw_thermal_slowdown"};

/* A change of reason is an event when it happens, but at most one in half a minute a card: what flickers faster
 * shows in throttle_s alone. */
static void log_card(wsk_run *run, int i)
{
    const wsk_card *c = &run->net->cards[i];
    wsk_card_state *s = &run->cards[i];
    if (s->reasons != s->logged_reason && run->head->t_ns - s->logged_ns >= 30 * WSK_NS) {
        wsk_event(run, c->id, s->reasons ? "throttle" : "throttle ends",
                  reason_name[s->reasons ? s->reasons : s->logged_reason]);
        s->logged_reason = s->reasons;
        s->logged_ns = run->head->t_ns;
    }
    double rpm = run->rpm[c->mover];
    if (fabs(rpm - s->logged_rpm) >= 0.2 * c->rpm_max) {
        wsk_event(run, c->id, rpm > s->logged_rpm ? "fan faster" : "fan slower", "die temperature");
        s->logged_rpm = rpm;
    }
}

void wsk_log_events(wsk_run *run)
{
    wsk_run_head *head = run->head;
    if (run->steady)
        return;
    for (int i = 0; i < run->net->n_card; i++)
        log_card(run, i);
    int64_t waiting = run->activity.phase == WSK_PHASE_WAIT;
    if (waiting != head->phase_logged) {
        wsk_event(run, "workload", waiting ? "checkpoint" : "checkpoint ends", "schedule");
        head->phase_logged = waiting;
    }
    double wall = run->wall_w + run->side_w, limit = run->net->circuit_w;
    bool over = limit > 0 && wall > limit, under = wall < 0.98 * limit;
    if (limit > 0 && (head->over_logged ? under : over)) {
        wsk_event(run, "circuit", over ? "over continuous limit" : "under continuous limit", "wall power");
        head->over_logged = !head->over_logged;
    }
}
