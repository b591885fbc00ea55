/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks a restored state: a checkpoint is a file that anybody may have written, and its numbers are used as indices,
 * times and temperatures. */
#include <math.h>

#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/results/results.h"

static bool within(int64_t value, int64_t low, int64_t high)
{
    return value >= low && value <= high;
}

/* True for a count or a time, ns, to which the run can add without an overflow. */
static bool addable(int64_t value)
{
    return within(value, -(INT64_C(1) << 61), INT64_C(1) << 61);
}

static bool all_addable(const int64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!addable(values[i]))
            return false;
    return true;
}

/* INT64_MAX: the time of something that does not come. */
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
           addable(h->shutdowns) && addable(h->failures) && all_addable(times, sizeof times / sizeof *times);
}

static bool causes_sound(int64_t causes)
{
    return within(causes, 0, (1 << WSK_REASONS) - 1);
}

static bool card_sound(const wsk_card *c, const wsk_card_state *s)
{
    const int64_t last = c->n_governors > 0 ? c->n_governors - 1 : 0;
    const int64_t times[] = {s->fan_next_ns, s->watched_ns, s->stuck_ns, s->logged_ns, s->turns};
    return all_addable(times, sizeof times / sizeof *times) && all_addable(s->governor_last_ns, WSK_GOVERNORS) &&
           all_addable(s->governor_next_ns, WSK_GOVERNORS) && all_addable(s->throttle_ns, WSK_REASONS) &&
           addable_or_never(s->rest_until_ns) && addable_or_never(s->schedule_ns) && within(s->cap_of, 0, last) &&
           within(s->operating.heat_of, 0, last) && within(s->hunts, 0, c->n_governors) && within(s->runaway, 0, 3) &&
           within(s->off, 0, 1) && causes_sound(s->reasons) && causes_sound(s->operating.reasons) &&
           causes_sound(s->logged_reason) && isfinite(s->power_w) && isfinite(s->clock_hz);
}

/* True for civil or UTC seconds whose nanoseconds fit into 64 bits. */
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
    return ok;
}

static bool books_sound(const wsk_run *run)
{
    const struct wsk_books *b = run->books;
    return addable(b->weather_ns) && addable(b->sampled_ns) && addable(b->over_limit_ns) &&
           within(b->n_buckets, 0, run->observer->bucket_rows) && within(b->bucket_ns, 0, run->head->t_ns) &&
           bill_sound(&b->bill, run->head->t_ns);
}

bool wsk_state_sound(const wsk_run *run)
{
    bool ok = head_sound(run) && books_sound(run);
    for (int i = 0; ok && i < run->net->n_card; i++)
        ok = card_sound(&run->net->cards[i], &run->cards[i]);
    for (int i = 0; ok && i < run->net->n_case; i++)
        ok = addable(run->cases[i].cpu_ns) && addable(run->cases[i].throttle_ns);
    for (int i = 0; ok && i < run->net->n_supply; i++)
        ok = addable(run->supplies[i].over_ns);
    for (int i = 0; ok && i < run->net->n_mover; i++)
        ok = addable(run->movers[i].next_ns) && isfinite(run->rpm[i]);
    for (int i = 0; ok && i < run->net->n_node; i++)
        ok = isfinite(run->t[i]) && isfinite(run->t_start[i]) && isfinite(run->carry[i]);
    return ok;
}
