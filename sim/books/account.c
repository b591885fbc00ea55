/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Books each tick (time step): money, work, losses, and times above limits. In a quiet tick no control acts, and most
 * amounts are the same as in the tick before. Quiet ticks are therefore only counted, and their amounts are added
 * later, with the same result. */
#include <math.h>

#include "sim/num/wide.h"
#include "sim/control/run.h"
#include "sim/books/observe.h"
#include "sim/books/books.h"

static void remember_slowdown(wsk_run *run)
{
    wsk_run_head *head = run->head;
    for (int i = 0; i < run->net->n_card && head->slowed_ns < 0; i++) {
        const wsk_card_state *s = &run->cards[i];
        bool before = head->t_ns == head->failed_ns && wsk_heat_throttle_s(s) > 0;
        if (before || s->reasons & WSK_HEAT)
            head->slowed_ns = head->t_ns;
    }
}

static void add_times(wsk_run *run, int64_t dt_ns)
{
    const wsk_net *net = run->net;
    for (int i = 0; i < net->n_line; i++)
        if (net->lines[i].limit_w > 0 && wsk_line_va(run, i) > net->lines[i].limit_w)
            run->lines[i].over_ns += dt_ns;
    for (int i = 0; i < net->n_case; i++)
        run->cases[i].throttle_ns += run->cases[i].cpu_share < 1 ? dt_ns : 0;
}

static void add_throttling(wsk_run *run, int64_t dt_ns, int64_t times)
{
    for (int i = 0; i < run->net->n_card; i++) {
        wsk_card_state *s = &run->cards[i];
        const int64_t busy_ns = times * (int64_t)(s->busy * (double)dt_ns + 0.5), held_ns = s->reasons ? busy_ns : 0;
        int64_t left = s->reasons;
        s->served_ns += s->perf > 0 ? busy_ns : 0;
        for (int k = 0; left; k++, left >>= 1)
            s->throttle_ns[k] += left & 1 ? held_ns : 0;
    }
}

/* A batch holds sums to which the same amounts are added `times` times: x[i] to *to[i]. sum and comp are copies of
 * the sums, in arrays for vector additions. */
enum { BATCH = 8 * WSK_FOUR };
typedef struct {
    int64_t times;
    int n;
    wsk_sum *to[BATCH];
    double x[BATCH], sum[BATCH], comp[BATCH];
} batch;

static void add_batch(batch *b)
{
    for (int i = 0; i < b->n; i++) {
        b->sum[i] = b->to[i]->sum;
        b->comp[i] = b->to[i]->comp;
    }
    for (int i = b->n; i % WSK_FOUR; i++)
        b->x[i] = b->sum[i] = b->comp[i] = 0;
    wsk_add_often(b->n, b->x, b->times, b->sum, b->comp);
    for (int i = 0; i < b->n; i++)
        *b->to[i] = (wsk_sum){b->sum[i], b->comp[i]};
    b->n = 0;
}

static void add_to_batch(batch *b, wsk_sum *to, double x)
{
    if (b->times == 1) {
        wsk_sum_add(to, x);
        return;
    }
    b->to[b->n] = to;
    b->x[b->n++] = x;
    if (b->n == BATCH)
        add_batch(b);
}

static void book_ticks(wsk_run *run, double h, int64_t times)
{
    const wsk_net *net = run->net;
    wsk_ledger *l = &run->books->ledger;
    batch b;
    b.times = times;
    b.n = 0;
    add_to_batch(&b, &l->dc, run->dc_w * h);
    add_to_batch(&b, &l->psu_loss, run->loss_w * h);
    add_to_batch(&b, &run->books->feed_loss, run->feed_loss_w * h);
    add_to_batch(&b, &run->head->work_gone, run->perf_gone * h);
    add_to_batch(&b, &run->head->work_dark, run->perf_dark * h);
    for (int i = 0; i < net->n_supply; i++) {
        add_to_batch(&b, &run->supplies[i].dc, run->supply_dc_w[i] * h);
        add_to_batch(&b, &run->supplies[i].wall, run->supply_wall_w[i] * h);
    }
    for (int i = 0; i < net->n_line; i++)
        add_to_batch(&b, &run->lines[i].wall, (run->line_wall_w[i] + run->line_side_w[i]) * h);
    for (int i = 0; i < net->n_card; i++) {
        wsk_card_state *s = &run->cards[i];
        add_to_batch(&b, &s->work, s->perf * h);
        add_to_batch(&b, &s->work_cool, s->perf_cool * h);
        add_to_batch(&b, &s->work_free, s->perf_free * h);
    }
    add_batch(&b);
}

void wsk_book_repeats(wsk_run *run)
{
    const int64_t times = run->now.repeats;
    const double h = (double)run->tick_ns / 1e9;
    double *room_j = &run->stretch_j[run->net->room], kept_j = *room_j;
    if (times == 0)
        return;
    run->now.repeats = 0;
    add_times(run, times * run->tick_ns);
    add_throttling(run, run->tick_ns, times);
    wsk_sum_over_times(run->net->n_node, run->heat, h, times, run->stretch_j);
    *room_j = kept_j;
    book_ticks(run, h, times);
    wsk_observe_repeats(run, h, times);
}

void wsk_book_tick(wsk_run *run, int64_t dt_ns)
{
    wsk_books *books = run->books;
    wsk_run_head *head = run->head;
    const double h = (double)dt_ns / 1e9, wall = run->wall_w + run->side_w;
    if (run->net->billing)
        wsk_bill_add(&books->bill, run->net->billing, head->t_ns, head->t_ns + dt_ns, wall + run->ac_w);
    books->noise_s += run->noise_p * h;
    if (!run->now.quiet)
        add_times(run, dt_ns); /* before wsk_account_lines, which may trip a breaker at the end of the tick */
    wsk_account_lines(run, h, dt_ns);
    wsk_account_delivery(run, dt_ns);
    if (run->now.quiet) {
        run->now.repeats++;
        return;
    }
    books->wall_peak_w = wsk_max(books->wall_peak_w, wall);
    books->dc_peak_w = wsk_max(books->dc_peak_w, run->dc_w);
    books->noise_peak = wsk_max(books->noise_peak, run->noise_p);
    if (head->failed_ns >= 0)
        remember_slowdown(run);
    add_throttling(run, dt_ns, 1);
    book_ticks(run, h, 1);
}
