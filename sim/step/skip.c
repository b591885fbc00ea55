/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Skips cycles of a run whose inputs repeat. The amounts that a skipped cycle adds to the accounts, and its energy in
 * each part of the cycle (bin), are taken from a library of simulated cycles. The bill gets that energy at the true
 * dates, so that tariff, holidays and demand windows need not repeat with the cycle. A row is an interval of the
 * recorded series of the run; the open row is the one that is not complete yet. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/step/step.h"
#include "sim/step/alike.h"
#include "sim/step/stride.h"

/* `count` accounts that follow each other in the state of their owner; `at` is the offset of the first. */
typedef struct {
    wsk_tally_kind kind;
    int count;
    size_t at;
} accounts;

#define SUM(type, member) \
    { \
        WSK_TALLY_SUM, 1, offsetof(type, member) \
    }
#define NUMBER(type, member) \
    { \
        WSK_TALLY_NUMBER, 1, offsetof(type, member) \
    }
#define TIME(type, member) \
    { \
        WSK_TALLY_NS, 1, offsetof(type, member) \
    }

static const accounts of_ledger[] = {
    [WSK_TALLY_WALL] = SUM(wsk_books, ledger.wall),
    [WSK_TALLY_SIDE] = SUM(wsk_books, ledger.side),
    [WSK_TALLY_COOLING] = SUM(wsk_books, ledger.cooling_electric),
    [WSK_TALLY_OUT] = SUM(wsk_books, ledger.out),
};
_Static_assert(sizeof of_ledger / sizeof *of_ledger == WSK_TALLY_WORK, "the work of the first card follows");
static const accounts of_card[] = {
    SUM(wsk_card_state, work),        SUM(wsk_card_state, work_cool),
    SUM(wsk_card_state, work_free),   {WSK_TALLY_NS, WSK_REASONS, offsetof(wsk_card_state, throttle_ns)},
    TIME(wsk_card_state, served_ns),  {WSK_TALLY_NUMBER, WSK_INTAKES, offsetof(wsk_card_state, intake)},
    NUMBER(wsk_card_state, intake_s),
};
static const accounts of_mover[] = {
    NUMBER(wsk_mover_state, rpm_s),
    NUMBER(wsk_mover_state, flow_s),
    NUMBER(wsk_mover_state, power_j),
    NUMBER(wsk_mover_state, noise_s),
};
static const accounts of_case[] = {
    NUMBER(wsk_case_state, pressure_s),
    NUMBER(wsk_case_state, fresh_s),
    NUMBER(wsk_case_state, sampled_s),
    TIME(wsk_case_state, throttle_ns),
};
static const accounts of_supply[] = {
    SUM(wsk_supply_state, dc),
    SUM(wsk_supply_state, wall),
    TIME(wsk_supply_state, over_ns),
};
static const accounts of_line[] = {
    SUM(wsk_line_state, wall),
    TIME(wsk_line_state, over_ns),
};
static const accounts of_books[] = {
    SUM(wsk_books, ledger.dc),     SUM(wsk_books, ledger.psu_loss), SUM(wsk_books, ledger.cooling_heat),
    SUM(wsk_books, ledger.defect), SUM(wsk_books, ledger.strayed),  SUM(wsk_books, ledger.carried),
    SUM(wsk_books, feed_loss),
};
static const accounts of_head[] = {SUM(wsk_run_head, work_gone), SUM(wsk_run_head, work_dark)};
static const accounts of_noise[] = {NUMBER(wsk_books, noise_s)};

/* Owners of one kind: each has the same rows of accounts. first: state of the first owner; size: of each state. */
typedef struct {
    const accounts *row;
    size_t rows, size;
    int owners;
    void *first;
} group;
enum { GROUPS = 9 };
#define ROWS(of) .row = (of), .rows = sizeof(of) / sizeof *(of)

static void list_groups(const wsk_run *run, group out[GROUPS])
{
    const wsk_net *net = run->net;
    const group all[GROUPS] = {
        {ROWS(of_ledger), .owners = 1, .first = run->books},
        {ROWS(of_card), sizeof *run->cards, net->n_card, run->cards},
        {ROWS(of_mover), sizeof *run->movers, net->n_mover, run->movers},
        {ROWS(of_case), sizeof *run->cases, net->n_case, run->cases},
        {ROWS(of_supply), sizeof *run->supplies, net->n_supply, run->supplies},
        {ROWS(of_line), sizeof *run->lines, net->n_line, run->lines},
        {ROWS(of_books), .owners = 1, .first = run->books},
        {ROWS(of_head), .owners = 1, .first = run->head},
        {ROWS(of_noise), .owners = 1, .first = run->books},
    };
    memcpy(out, all, sizeof all);
}

/* Returns the number of accounts that wsk_list_accounts will list. It is needed before the accounts exist. */
int wsk_count_accounts(const wsk_run *run)
{
    group groups[GROUPS];
    int n = run->variables->n + run->net->n_node;
    list_groups(run, groups);
    for (const group *g = groups; g < groups + GROUPS; g++)
        for (size_t r = 0; r < g->rows; r++)
            n += g->owners * g->row[r].count;
    return n;
}

static void put(wsk_stride *s, wsk_tally_kind kind, int count, void *first, double *open)
{
    static const size_t size[] = {
        [WSK_TALLY_SUM] = sizeof(wsk_sum), [WSK_TALLY_NUMBER] = sizeof(double), [WSK_TALLY_NS] = sizeof(int64_t)};
    for (int i = 0; i < count; i++)
        s->places[s->n++] =
            (wsk_tally){.kind = kind, .at = (char *)first + (size_t)i * size[kind], .open = open ? open + i : NULL};
}

void wsk_list_accounts(wsk_run *run)
{
    wsk_stride *s = run->stride;
    const wsk_observer *o = run->observer;
    group groups[GROUPS];
    s->n = 0;
    list_groups(run, groups);
    for (const group *g = groups; g < groups + GROUPS; g++)
        for (int i = 0; i < g->owners; i++)
            for (size_t r = 0; r < g->rows; r++)
                put(s, g->row[r].kind, g->row[r].count, (char *)g->first + (size_t)i * g->size + g->row[r].at, NULL);
    put(s, WSK_TALLY_NUMBER, run->variables->n, o->total, o->sum);
    s->nodes = s->n;
    put(s, WSK_TALLY_NUMBER, run->net->n_node, o->node_total, o->node_sum);
}

double wsk_account_value(const wsk_tally *p)
{
    if (p->kind == WSK_TALLY_NS)
        return (double)*(const int64_t *)p->at;
    if (p->kind == WSK_TALLY_SUM)
        return wsk_sum_value(p->at);
    return *(const double *)p->at + (p->open ? *p->open : 0);
}

static void add_to_account(const wsk_tally *p, double x)
{
    if (p->kind == WSK_TALLY_NS)
        *(int64_t *)p->at += (int64_t)floor(x + 0.5);
    else if (p->kind == WSK_TALLY_SUM)
        wsk_sum_add(p->at, x);
    else if (!p->open)
        *(double *)p->at += x;
}

static void add_entry(const wsk_stride *s, int64_t i, double weight)
{
    const double *entry = wsk_entry(s, i);
    const int n = s->n + s->bins;
    for (int k = 0; k < n; k++)
        s->wanted[k] += weight * entry[k];
}

static int64_t later_by(int64_t a_ns, int64_t b_ns, int64_t day_ns)
{
    const int64_t by = ((a_ns - b_ns) % day_ns + day_ns) % day_ns;
    return by > day_ns / 2 ? by - day_ns : by;
}

/* An entry of the library, and by how much later in the day the skipped cycle begins, ns. */
typedef struct {
    int64_t i, by;
} neighbour;

/* Finds the entry, at least half a day old, that begins closest before (side 1) or after (side -1) the time of the day
 * of t_ns, at a distance above `beyond`, ns. Of two entries that begin at the same time of the day it takes the newer
 * one. i is -1 if there is none within the distance `reach`, ns. */
static neighbour find_neighbour(const wsk_stride *s, int64_t t_ns, int side, int64_t beyond, int64_t reach)
{
    neighbour best = {.i = -1, .by = side * reach};
    for (int64_t i = 0; i < s->head->count; i++) {
        const int64_t by = later_by(t_ns, s->starts[i], s->cycle.slow_ns), off = side * by, least = side * best.by;
        if (s->starts[i] == WSK_DROPPED || t_ns - s->starts[i] < s->cycle.slow_ns / 2 || off <= beyond ||
            off > least || (off == least && best.i >= 0 && s->starts[i] < s->starts[best.i]))
            continue;
        best = (neighbour){.i = i, .by = by};
    }
    return best;
}

/* Fills s->wanted from cycles of other days that began at about this time of the day: from the cycle that began
 * exactly then, or by a cubic polynomial through the two cycles that began last before that time and the two cycles
 * that began first after it. Returns 0 if such cycles are missing, otherwise their mean distance in time from t_ns,
 * in days. */
static double reference_of_day(const wsk_run *run, int64_t t_ns)
{
    const wsk_stride *s = run->stride;
    const int64_t reach = s->cycle.length_ns * 5 / 4;
    neighbour n[4];
    n[1] = find_neighbour(s, t_ns, 1, -1, reach);
    if (n[1].i >= 0 && n[1].by == 0) {
        add_entry(s, n[1].i, 1);
        return (double)(t_ns - s->starts[n[1].i]) / (double)s->cycle.slow_ns;
    }
    n[2] = find_neighbour(s, t_ns, -1, 0, reach);
    n[0] = find_neighbour(s, t_ns, 1, n[1].by, n[1].by + reach);
    n[3] = find_neighbour(s, t_ns, -1, -n[2].by, -n[2].by + reach);
    double apart = 0;
    for (int i = 0; i < 4; i++) {
        double weight = 1;
        if (n[i].i < 0)
            return 0;
        for (int k = 0; k < 4; k++)
            if (k != i)
                weight *= (double)n[k].by / (double)(n[k].by - n[i].by);
        add_entry(s, n[i].i, weight);
        apart += 0.25 * (double)(t_ns - s->starts[n[i].i]) / (double)s->cycle.slow_ns;
    }
    return apart;
}

double wsk_reference(const wsk_run *run, int64_t t_ns)
{
    const wsk_stride *s = run->stride;
    const int64_t n = s->head->count;
    double from = 0;
    if (s->cycle.weather)
        return wsk_reference_of_weather(run, t_ns);
    memset(s->wanted, 0, (size_t)(s->n + s->bins) * sizeof *s->wanted);
    if (s->cycle.slow_ns)
        return reference_of_day(run, t_ns);
    for (int64_t i = 0; i < n; i++) {
        add_entry(s, i, 1 / (double)n);
        from += (double)s->starts[i] / (double)n;
    }
    return n > 0 ? ((double)t_ns - from) / (double)s->cycle.length_ns : 0;
}

typedef struct {
    wsk_run *run;
    const double *sum; /* per account: amount of all skipped cycles together */
    int64_t from_ns, to_ns, row_ns;
    int64_t first_row, alike_ns; /* index of the row in which the skip begins; period of the inputs */
    /* energy_kwh: energy from the start of the run to the time that is reached. Values at the start of the open row:
     * row_kwh: energy since the start of the run; cost: the bill; other: charges of the bill that do not depend on
     * energy. */
    double energy_kwh, row_kwh, cost, other;
} skipping;

/* Sets, in a row, a variable that only grows, such as an energy. The row ends at the value `high`. If all of it is
 * skipped (`whole`), it begins at the value `low`; otherwise it keeps the value with which it began. */
static void set_growing(const wsk_run *run, int64_t at_row, wsk_var variable, bool whole, double low, double high)
{
    const int n = run->variables->n, at = wsk_variable_at(run->variables, variable, 0);
    double *row = wsk_bucket(run, at_row);
    if (at < 0)
        return;
    row[1 + at] = whole ? low : row[1 + at];
    row[1 + n + at] = 0.5 * (row[1 + at] + high);
    row[1 + 2 * n + at] = high;
}

static int growing_at(const wsk_run *run, int i)
{
    static const wsk_var growing[] = {WSK_VAR_ENERGY_KWH, WSK_VAR_COST, WSK_VAR_COST_OTHER};
    return wsk_variable_at(run->variables, growing[i], 0);
}

static bool is_growing(const wsk_run *run, int variable)
{
    return variable == growing_at(run, 0) || variable == growing_at(run, 1) || variable == growing_at(run, 2);
}

/* Replaces the amounts that the open row got for `time` of its skipped part, s, `share` of the whole skip, by the means
 * of rows like it. The total of the closed rows takes the difference. The row's range includes theirs. */
static void correct_part(const skipping *k, wsk_likeness like, double share, double time)
{
    wsk_run *run = k->run;
    const wsk_stride *s = run->stride;
    const wsk_observer *o = run->observer;
    const int n = run->variables->n, first = s->nodes - n;
    for (int i = 0; i < n; i++) {
        const int node = run->variables->all[i].node;
        const double amount = share * (k->sum[first + i] + (node >= 0 ? k->sum[s->nodes + node] : 0)),
                     more = time * wsk_like_value(run, like, WSK_STAT_MEAN, i) - amount;
        if (amount != 0) {
            o->sum[i] += more;
            o->total[i] -= more;
        }
        if (!is_growing(run, i)) {
            o->low[i] = wsk_min(o->low[i], wsk_like_value(run, like, WSK_STAT_MIN, i));
            o->high[i] = wsk_max(o->high[i], wsk_like_value(run, like, WSK_STAT_MAX, i));
        }
    }
}

/* Adds the skipped amounts of the time from from_ns to at_ns to the open row. Of whole cycles the mean is known. */
static void fill_open_row(const skipping *k, int64_t from_ns, int64_t at_ns)
{
    wsk_run *run = k->run;
    const wsk_stride *s = run->stride;
    const double all = (double)(k->to_ns - k->from_ns), share = (double)(at_ns - from_ns) / all;
    const bool part = at_ns - run->books->bucket_ns < k->row_ns || run->books->bucket_ns < k->from_ns;
    for (int i = 0; i < s->n; i++)
        if (s->places[i].open)
            *s->places[i].open += share * k->sum[i];
    if (!part || !run->observer->buckets)
        return;
    const wsk_likeness like = wsk_like_rows(run, run->books->n_buckets, k->first_row, k->alike_ns);
    const double rest = (double)((at_ns - from_ns) % k->alike_ns);
    if (like.row < run->books->n_buckets)
        correct_part(k, like, rest / all, rest / 1e9);
}

/* Gives a row the values of rows like it, and its own end time. */
static void copy_row(const skipping *k, int64_t row)
{
    const wsk_run *run = k->run;
    const int n = run->variables->n;
    const wsk_likeness like = wsk_like_rows(run, row, k->first_row, k->alike_ns);
    for (int i = 0; like.row < row && i < WSK_STATS * n; i++)
        wsk_bucket(run, row)[1 + i] = wsk_like_value(run, like, (wsk_stat)(i / n), i % n);
}

static void end_row(skipping *k, int64_t at_ns)
{
    wsk_run *run = k->run;
    const int64_t row = run->books->n_buckets;
    const wsk_billing *g = run->net->billing;
    double cost = 0, other = 0;
    if (run->net->tariff) {
        cost = wsk_bill_cost(&run->books->bill, g, at_ns);
        other = wsk_bill_other(&run->books->bill, g, at_ns);
    }
    const bool whole = run->books->bucket_ns >= k->from_ns;
    run->head->t_ns = at_ns;
    wsk_close_bucket(run);
    if (run->observer->buckets && run->books->n_buckets > row) {
        if (whole)
            copy_row(k, row);
        set_growing(run, row, WSK_VAR_ENERGY_KWH, whole, k->row_kwh, k->energy_kwh);
        set_growing(run, row, WSK_VAR_COST, whole, k->cost, cost);
        set_growing(run, row, WSK_VAR_COST_OTHER, whole, k->other, other);
    }
    k->row_kwh = k->energy_kwh;
    k->cost = cost;
    k->other = other;
}

static void bill_cycle(skipping *k, int64_t t_ns)
{
    wsk_run *run = k->run;
    const wsk_stride *s = run->stride;
    const int64_t last = t_ns + s->cycle.length_ns, bin = s->bin_ns;
    /* The energy of the cycle's parts includes the cooling of the room, which energy_kwh does not. */
    const double own_j = s->wanted[WSK_TALLY_WALL] + s->wanted[WSK_TALLY_SIDE],
                 all_j = own_j + s->wanted[WSK_TALLY_COOLING], kwh_per_j = all_j > 0 ? own_j / all_j / 3.6e6 : 0,
                 end_kwh = k->energy_kwh + own_j / 3.6e6;
    for (int64_t at = wsk_first_bin_ns(s, t_ns), i = 0; at < last; at += bin, i++) {
        const int64_t begin = at > t_ns ? at : t_ns, end = at + bin < last ? at + bin : last;
        const double power = s->wanted[s->n + i] / ((double)(end - begin) / 1e9);
        for (int64_t from = begin, to; from < end; from = to) {
            const int64_t row_end = (from / k->row_ns + 1) * k->row_ns;
            to = row_end < end ? row_end : end;
            if (run->net->billing)
                wsk_bill_add(&run->books->bill, run->net->billing, from, to, power);
            k->energy_kwh += kwh_per_j * power * (double)(to - from) / 1e9;
            if (to == row_end) {
                const int64_t row_from = run->books->bucket_ns > k->from_ns ? run->books->bucket_ns : k->from_ns;
                fill_open_row(k, row_from, to);
                end_row(k, to);
            }
        }
    }
    k->energy_kwh = end_kwh;
}

static void shift(int64_t *time_ns, int64_t by_ns)
{
    if (*time_ns > 0 && *time_ns < INT64_MAX - by_ns)
        *time_ns += by_ns;
}

/* Moves the times of controls by the length of the skip, so that each control continues where it was before
 * the skip. */
static void shift_times(wsk_run *run, int64_t by_ns)
{
    const int64_t minute = 60 * WSK_NS;
    int64_t clock_until_ns;
    wsk_start_civil_s(run->net, run->head->t_ns, &clock_until_ns);
    for (int i = 0; i < run->net->n_card; i++) {
        wsk_card_state *c = &run->cards[i];
        for (int g = 0; g < WSK_GOVERNORS; g++) {
            shift(&c->governor_last_ns[g], by_ns);
            shift(&c->governor_next_ns[g], by_ns);
        }
        shift(&c->fan_next_ns, by_ns);
        shift(&c->watched_ns, by_ns);
        shift(&c->schedule_ns, by_ns);
        if (run->net->cards[i].gpu->limit_schedule.count > 0 && c->schedule_ns > clock_until_ns)
            c->schedule_ns = clock_until_ns;
        shift(&c->stuck_ns, by_ns);
        shift(&c->released_ns, by_ns);
        shift(&c->logged_ns, by_ns);
        c->rest_until_ns = 0;
    }
    for (int i = 0; i < run->net->n_mover; i++)
        shift(&run->movers[i].next_ns, by_ns);
    for (int i = 0; i < run->net->n_case; i++)
        shift(&run->cases[i].cpu_ns, by_ns);
    shift(&run->head->leap_next_ns, by_ns);
    run->head->next_natural_ns = (run->head->t_ns + minute - 1) / minute * minute; /* now, if this is a full minute */
    run->books->weather_ns = 0;
    run->books->supplied_ns = run->books->sampled_ns = run->head->t_ns;
}

/* Adds drift and shift to the temperatures. Books the difference between the energy balance of the skipped cycles and
 * the heat that the new temperatures store. */
static void move_temperatures(wsk_run *run, const double *sum)
{
    double stored = 0;
    for (int i = 0; i < run->net->n_node; i++) {
        const double by_k = run->stride->drift_k[i] + run->stride->shift_k[i];
        run->t[i] += by_k;
        stored += run->cap[i] * by_k;
    }
    wsk_sum_add(&run->books->ledger.strode,
                sum[WSK_TALLY_WALL] + sum[WSK_TALLY_SIDE] + sum[WSK_TALLY_COOLING] - sum[WSK_TALLY_OUT] - stored);
}

static void add_growing(skipping *k, int64_t row_from_ns)
{
    wsk_run *run = k->run;
    const double time = (double)(k->to_ns - row_from_ns) / 1e9;
    const wsk_billing *g = run->net->billing;
    const double now[] = {k->energy_kwh, run->net->tariff ? wsk_bill_cost(&run->books->bill, g, k->to_ns) : 0,
                          run->net->tariff ? wsk_bill_other(&run->books->bill, g, k->to_ns) : 0};
    for (int i = 0; i < 3; i++)
        if (growing_at(run, i) >= 0)
            run->observer->sum[growing_at(run, i)] += now[i] * time;
}

void wsk_skip(wsk_run *run, int64_t cycles)
{
    wsk_stride *s = run->stride;
    const int64_t length = s->cycle.length_ns, from = run->head->t_ns, to = from + cycles * length;
    const int n = s->n;
    double *sum = s->sum;
    memset(sum, 0, (size_t)n * sizeof *sum);
    for (int64_t j = 0; j < cycles; j++) {
        if (j == 0 || s->cycle.slow_ns || s->cycle.weather)
            wsk_reference(run, from + j * length);
        for (int i = 0; i < n; i++)
            sum[i] += s->wanted[i];
    }
    for (int i = 0; i < 3; i++) /* set to 0 because bill_cycle and add_growing set the variables that only grow */
        if (growing_at(run, i) >= 0)
            sum[s->nodes - run->variables->n + growing_at(run, i)] = 0;
    const wsk_sum *wall = &run->books->ledger.wall, *side = &run->books->ledger.side;
    const double kwh = (wsk_sum_value(wall) + wsk_sum_value(side)) / 3.6e6;
    skipping k = {.run = run,
                  .sum = sum,
                  .from_ns = from,
                  .to_ns = to,
                  .row_ns = run->observer->bucket_ticks * run->tick_ns,
                  .first_row = run->books->n_buckets,
                  .alike_ns = s->cycle.slow_ns ? s->cycle.slow_ns : length,
                  .energy_kwh = kwh,
                  .row_kwh = kwh};
    if (run->net->tariff) {
        k.cost = wsk_bill_cost(&run->books->bill, run->net->billing, from);
        k.other = wsk_bill_other(&run->books->bill, run->net->billing, from);
    }
    for (int64_t j = 0; j < cycles; j++) {
        if (s->cycle.slow_ns || s->cycle.weather)
            wsk_reference(run, from + j * length);
        bill_cycle(&k, from + j * length);
    }
    const int64_t row_from = run->books->bucket_ns > from ? run->books->bucket_ns : from;
    fill_open_row(&k, row_from, to);
    add_growing(&k, row_from);
    run->head->t_ns = to;
    for (int i = 0; i < n; i++)
        add_to_account(&s->places[i], sum[i]);
    move_temperatures(run, sum);
    shift_times(run, to - from);
    wsk_ask_all(run);
}
