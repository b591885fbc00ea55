/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks a restored state: a checkpoint is a file that anybody may have written, and its numbers are used as indices,
 * times and temperatures. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/results/results.h"
#include "sim/step/stride.h"

static bool within(int64_t value, int64_t low, int64_t high)
{
    return value >= low && value <= high;
}

/* True for a count or a time, ns, to which the run can add without an overflow. */
static bool addable(int64_t value)
{
    return within(value, -(INT64_C(1) << 62), INT64_C(1) << 62);
}

static bool all_addable(const int64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!addable(values[i]))
            return false;
    return true;
}

/* True for a number with which sums and products stay finite; all quantities of a real run are far below the limit. */
static bool tame(double value)
{
    return fabs(value) < 1e30;
}

static bool tame_or_unknown(double value)
{
    return isnan(value) || tame(value);
}

static bool all_tame(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!tame(values[i]))
            return false;
    return true;
}

/* The members of the struct from `first` up to `end` must be doubles; `end` itself is not checked. */
static bool members_tame(const void *of, size_t first, size_t end)
{
    bool ok = true;
    for (size_t at = first; at < end; at += sizeof(double)) {
        double value;
        memcpy(&value, (const char *)of + at, sizeof value);
        ok = ok && tame(value);
    }
    return ok;
}
#define TAME(type, of, first, end) members_tame(of, offsetof(type, first), offsetof(type, end))

static bool flag(int64_t value)
{
    return within(value, 0, 1);
}

static bool addable_or_never(int64_t time_ns)
{
    return time_ns == INT64_MAX || addable(time_ns);
}

static bool head_sound(const wsk_run *run)
{
    const wsk_run_head *h = run->head;
    const int64_t times[] = {h->next_natural_ns, h->leap_next_ns, h->saved_ns,
                             h->failed_ns,       h->slowed_ns,    h->shut_ns};
    return within(h->t_ns, 0, run->end_ns) && h->tick >= 0 && addable(h->tick) && within(h->window_ns, 0, h->t_ns) &&
           within(h->phase_logged, 0, WSK_LOGGED_PHASES - 1) && within(h->leap_level, 0, INT32_MAX) &&
           within(h->shutdowns, 0, INT32_MAX) && flag(h->ac_failed) && flag(h->undone) &&
           within(h->failures, 0, INT32_MAX) && TAME(wsk_run_head, h, redone_s, leap_level) &&
           all_addable(times, sizeof times / sizeof *times);
}

static bool causes_sound(int64_t causes)
{
    return within(causes, 0, (1 << WSK_REASONS) - 1);
}

static bool card_sound(const wsk_card *c, const wsk_card_state *s)
{
    const int64_t last = c->n_governors > 0 ? c->n_governors - 1 : 0;
    const int64_t times[] = {s->fan_next_ns, s->watched_ns, s->stuck_ns, s->logged_ns, s->turns, s->released_ns};
    return all_addable(times, sizeof times / sizeof *times) && all_addable(s->governor_last_ns, WSK_GOVERNORS) &&
           all_addable(s->governor_next_ns, WSK_GOVERNORS) && all_addable(s->throttle_ns, WSK_REASONS) &&
           addable_or_never(s->rest_until_ns) && addable_or_never(s->schedule_ns) && within(s->cap_of, 0, last) &&
           within(s->operating.heat_of, 0, last) && within(s->hunts, 0, c->n_governors) && within(s->runaway, 0, 3) &&
           within(s->off, 0, WSK_LOST) && causes_sound(s->reasons) && causes_sound(s->operating.reasons) &&
           causes_sound(s->logged_reason) && TAME(wsk_card_state, s, power_w, governor_last_ns) &&
           tame_or_unknown(s->pin_power_w) && tame_or_unknown(s->pin_rpm) && tame_or_unknown(s->pin_clock_hz) &&
           (isnan(s->traffic) || (s->traffic >= 0 && s->traffic <= 1)) &&
           (isnan(s->load) || (s->load >= 0 && s->load <= 1)) && tame_or_unknown(s->lock_low_hz) &&
           tame_or_unknown(s->lock_hz) && (isinf(s->cap_hz) ? s->cap_hz > 0 : tame(s->cap_hz)) &&
           tame_or_unknown(s->fan_goal_rpm) && TAME(wsk_operating, &s->operating, power_w, reasons) &&
           TAME(wsk_card_state, s, idle_die_k, throttle_ns) && tame(s->busy) && addable(s->served_ns) &&
           TAME(wsk_card_state, s, limit_w, cap_before) && tame(s->logged_rpm) && tame(s->fan_rpm) &&
           tame(s->slow_hz) && all_tame(s->intake, WSK_INTAKES) && tame(s->intake_s);
}

/* True for a time in seconds since 1970, by the local clock or UTC, that as nanoseconds fits into 64 bits. */
static bool seconds_sound(int64_t time_s)
{
    return within(time_s, -9000000000, 9000000000);
}

static bool bill_sound(const wsk_bill *b, int64_t now_ns)
{
    bool ok = within(b->period, 0, WSK_NAMES - 1) && within(b->season, -1, WSK_SEASONS - 1) &&
              within(b->n_months, 0, INT32_MAX) && addable(b->end_ns) && within(b->began_ns, 0, now_ns) &&
              b->until_ns >= now_ns && seconds_sound(b->month_from_s) && seconds_sound(b->month_to_s) &&
              seconds_sound(b->month_civil_s);
    for (int i = 0; i < WSK_DEMANDS; i++)
        ok = ok && seconds_sound(b->window_end_s[i]);
    for (int i = 0; i < WSK_BILL_MONTHS; i++)
        ok = ok && seconds_sound(b->months[i].from_civil_s) && tame(b->months[i].share) &&
             tame(b->months[i].energy_j) && tame(b->months[i].cost) && tame(b->months[i].peak_w);
    return ok && TAME(wsk_bill, b, open_j, period) && TAME(wsk_bill, b, window_j, month_from_s) &&
           TAME(wsk_bill, b, month_share, n_months);
}

static bool books_sound(const wsk_run *run)
{
    const struct wsk_books *b = run->books;
    return addable(b->weather_ns) && addable(b->supplied_ns) && addable(b->sampled_ns) &&
           within(b->n_buckets, 0, run->observer->bucket_rows) && within(b->bucket_ns, 0, run->head->t_ns) &&
           TAME(struct wsk_books, b, wall_peak_w, bill) && TAME(struct wsk_books, b, ledger, weather_ns) &&
           TAME(struct wsk_books, b, weather_k, bucket_ns) && bill_sound(&b->bill, run->head->t_ns);
}

/* True if lowest and highest value are finite, or still at their start values: low = INFINITY, high = -INFINITY. */
static bool extremes_sound(double low, double high)
{
    return isinf(low) ? low > 0 && isinf(high) && high < 0 : tame(low) && tame(high);
}

static bool observed_sound(const wsk_run *run)
{
    const wsk_observer *o = run->observer;
    const size_t n = (size_t)run->variables->n;
    bool ok = all_tame(o->value, n) && all_tame(o->sum, n) && all_tame(o->total, n);
    for (size_t i = 0; ok && i < n; i++)
        ok = extremes_sound(o->low[i], o->high[i]) && extremes_sound(o->lowest[i], o->highest[i]);
    return ok;
}

bool wsk_state_sound(const wsk_run *run)
{
    bool ok = head_sound(run) && books_sound(run);
    for (int i = 0; ok && i < run->net->n_card; i++)
        ok = card_sound(&run->net->cards[i], &run->cards[i]);
    for (int i = 0; ok && i < run->net->n_case; i++)
        ok = addable(run->cases[i].cpu_ns) && within(run->cases[i].cpu_off, 0, WSK_DARK) &&
             addable(run->cases[i].throttle_ns) && within(run->cases[i].shutdowns, 0, INT32_MAX) &&
             TAME(wsk_case_state, &run->cases[i], pressure_s, cpu_off);
    for (int i = 0; ok && i < run->net->n_supply; i++)
        ok = addable(run->supplies[i].over_ns) && flag(run->supplies[i].failed) &&
             addable(run->supplies[i].failed_ns) && TAME(wsk_supply_state, &run->supplies[i], dc, failed);
    for (int i = 0; ok && i < run->net->n_line; i++) {
        const wsk_line_state *s = &run->lines[i];
        ok = addable(s->over_ns) && addable(s->at_ns) && addable(s->dark_ns) && addable(s->was_dark_ns) &&
             flag(s->dark) && flag(s->logged) && within(s->tripped, WSK_LINE_ON, WSK_LINE_FAILED) &&
             within(s->trips, 0, INT32_MAX) && TAME(wsk_line_state, s, wall, over_ns);
    }
    for (int i = 0; ok && i < run->net->n_mover; i++)
        ok = addable(run->movers[i].next_ns) && flag(run->movers[i].failed) && tame(run->rpm[i]) &&
             tame_or_unknown(run->movers[i].pin_rpm) && TAME(wsk_mover_state, &run->movers[i], ref_k, next_ns) &&
             tame(run->movers[i].rpm_s) && tame(run->movers[i].flow_s) && tame(run->movers[i].power_j) &&
             tame(run->movers[i].noise_s);
    const double *const by_node[] = {run->t,
                                     run->carry,
                                     run->t_start,
                                     run->t_natural,
                                     run->stretch_ks,
                                     run->stretch_j,
                                     run->observer->node_sum,
                                     run->observer->node_total};
    for (size_t k = 0; ok && k < sizeof by_node / sizeof *by_node; k++)
        ok = all_tame(by_node[k], (size_t)run->net->n_node);
    return ok && all_tame(run->supply_dc_w, wsk_count_delivered(run->net)) && observed_sound(run) &&
           wsk_stride_sound(run);
}
