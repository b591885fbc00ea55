/* SPDX-License-Identifier: GPL-3.0-or-later */
/* References of cycles, and what a skip does with them, by the rules of docs/theory/time.md, "Strides". Libraries are
 * filled by hand. */
#include <math.h>
#include <string.h>

#include "tests/support/bench.h"
#include "tests/support/strides.h"
#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/step/stride.h"

static const int64_t hour_ns = INT64_C(3600) * WSK_NS, day_ns = INT64_C(86400) * WSK_NS;

/* A rig with two cards whose room follows the time of day. With checkpoints each 61.5 minutes its cycles do not divide
 * a day. */
static wsk_run *start(wsk_rig **rig, const char *workload)
{
    return wsk_test_start_by_day(rig, workload, 14);
}

/* The reference is the mean of the library where no input follows the time of day. */
static void test_mean_reference(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig, "kind='constant'");
    wsk_stride *s = run->stride;
    s->cycle.slow_ns = 0;
    s->head->count = 0;
    assert_same(wsk_reference(run, 9 * hour_ns), 0);
    s->head->count = 3;
    for (int i = 0; i < 3; i++) {
        s->starts[i] = i * s->cycle.length_ns;
        for (int k = 0; k < s->n + s->bins; k++)
            wsk_entry(s, i)[k] = (i + 1) * (k + 1);
    }
    assert_rel(wsk_reference(run, 6 * s->cycle.length_ns), 5, 1e-12); /* mean start: cycle 1 */
    for (int k = 0; k < s->n + s->bins; k++)
        assert_rel(s->wanted[k], 2 * (k + 1), 1e-12);
    wsk_test_drop(run, rig);
}

/* By how much later in the day than the cycle `entry` the time t_ns is, ns; within half a day. */
static int64_t later_ns(const wsk_stride *s, int64_t entry, int64_t t_ns)
{
    int64_t by = (t_ns - s->starts[entry]) % day_ns;
    by = by < -day_ns / 2 ? by + day_ns : by;
    return by > day_ns / 2 ? by - day_ns : by;
}

/* The entry of another day, at least half a day old, that began closest before (side 1) or after (side -1) the time of
 * the day of t_ns, farther away than `beyond` and at most `reach` farther. -1: none. */
static int64_t neighbour(const wsk_stride *s, int64_t t_ns, int side, int64_t beyond, int64_t reach)
{
    int64_t best = -1, best_off = 0;
    for (int64_t i = 0; i < s->head->count; i++) {
        const int64_t off = side * later_ns(s, i, t_ns);
        if (s->starts[i] != WSK_DROPPED && t_ns - s->starts[i] >= day_ns / 2 && off > beyond &&
            off <= beyond + reach && (best < 0 || off < best_off)) {
            best = i;
            best_off = off;
        }
    }
    return best;
}

/* Slots of a day that do not divide it: the reference is a cubic through the two cycles of other days before and the two
 * after the time of day. So accounts that are cubic in the time of day are found exactly. None without these four,
 * each within 5/4 of a cycle of the one before. */
static void test_reference_between_slots(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig, "kind='training' checkpoint-every='60 min' checkpoint-takes='90 s'");
    wsk_stride *s = run->stride;
    const int64_t length = s->cycle.length_ns, reach = length / 4 * 5;
    const double hour = 3600e9;
    int with = 0, without = 0;
    assert_int_equal(length, 3690 * WSK_NS);
    assert_int_equal(s->cycle.slow_ns, day_ns);
    for (int turn = 0; turn < 3; turn++) {
        s->head->count = s->entries;
        for (int64_t t = day_ns + 3 * hour_ns; t < day_ns * 9 / 4; t += 997 * WSK_NS) {
            for (int64_t i = 0; i < s->entries; i++) {
                s->starts[i] = turn && i % (turn == 1 ? 9 : 3) == 1 ? WSK_DROPPED : i * length;
                const double x = s->starts[i] == WSK_DROPPED ? 0 : -(double)later_ns(s, i, t) / hour;
                for (int k = 0; k < s->n + s->bins; k++)
                    wsk_entry(s, i)[k] = k + 3 + 2 * x - 5 * x * x + 0.5 * x * x * x;
            }
            const int64_t before = neighbour(s, t, 1, -1, reach + 1), after = neighbour(s, t, -1, 0, reach),
                          beyond = before < 0 ? 0 : later_ns(s, before, t),
                          next = after < 0 ? 0 : -later_ns(s, after, t),
                          of[] = {neighbour(s, t, 1, beyond, reach), before, after, neighbour(s, t, -1, next, reach)};
            const bool exact = before >= 0 && beyond == 0,
                       known = exact || (before >= 0 && after >= 0 && of[0] >= 0 && of[3] >= 0);
            double days = 0;
            for (int i = 0; known && !exact && i < 4; i++)
                days += 0.25 * (double)(t - s->starts[of[i]]) / (double)day_ns;
            memset(s->wanted, 0x7f, (size_t)(s->n + s->bins) * sizeof *s->wanted); /* an old reference */
            const double found = wsk_reference(run, t);
            if (exact)
                continue;
            assert_near(found, days, 1e-12);
            for (int k = 0; known && k < s->n + s->bins; k++)
                assert_rel(s->wanted[k], k + 3, 1e-9);
            with += known;
            without += !known;
        }
    }
    assert_true(with > 100 && without > 50);
    wsk_test_drop(run, rig);
}

/* Slots that divide a day: the reference is the newest cycle of another day at the same time. */
static void test_reference_of_slots(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig, "kind='constant'");
    wsk_stride *s = run->stride;
    assert_int_equal(s->cycle.length_ns, hour_ns);
    assert_int_equal(s->cycle.slow_ns, day_ns);
    s->head->count = s->entries;
    for (int i = 0; i < s->entries; i++) {
        s->starts[i] = i * hour_ns;
        for (int k = 0; k < s->n + s->bins; k++)
            wsk_entry(s, i)[k] = 100 * (i + 1) + k;
    }
    for (int h = 24; h < s->entries + 48; h++) {
        const double days = wsk_reference(run, h * hour_ns);
        int newest = -1; /* a cycle of the same day has none */
        for (int i = 0; i < s->entries; i++)
            newest = h > i && (h - i) % 24 == 0 ? i : newest;
        assert_near(days, (h - newest) / 24.0, 1e-12);
        for (int k = 0; k < s->n + s->bins; k++)
            assert_rel(s->wanted[k], 100 * (newest + 1) + k, 1e-12);
    }
    /* the first cycle of the run has none */
    assert_same(wsk_reference(run, 0), 0);
    wsk_test_drop(run, rig);
}

static bool grows(const wsk_run *run, int variable)
{
    return variable == wsk_variable_at(run->variables, WSK_VAR_ENERGY_KWH, 0) ||
           variable == wsk_variable_at(run->variables, WSK_VAR_COST, 0) ||
           variable == wsk_variable_at(run->variables, WSK_VAR_COST_OTHER, 0);
}

/* Amount of account k in cycle i of the library, and energy of its bin b. A tenth of the energy cools the room. */
static double amount(const wsk_run *run, int64_t i, int k)
{
    const wsk_stride *s = run->stride;
    if (k == WSK_TALLY_WALL)
        return 0.8 * 3.6e6 * (1 + 0.1 * (double)i);
    if (k == WSK_TALLY_SIDE || k == WSK_TALLY_COOLING)
        return 0.1 * 3.6e6 * (1 + 0.1 * (double)i);
    return s->places[k].kind == WSK_TALLY_NS ? 1e9 * (k + 5 * (double)i) : 1000 + k + 10 * (double)i;
}

static double bin_j(const wsk_stride *s, int64_t i, int64_t b)
{
    const double bins = (double)(s->cycle.length_ns / s->bin_ns);
    return 3.6e6 * (1 + 0.1 * (double)i) / bins * (1 + 0.5 * ((double)b - 0.5 * (bins - 1)) / bins);
}

static void fill_library(wsk_run *run, int64_t count, int64_t late_ns)
{
    wsk_stride *s = run->stride;
    s->head->count = count;
    for (int64_t i = 0; i < count; i++) {
        s->starts[i] = i * s->cycle.length_ns + late_ns;
        for (int k = 0; k < s->n; k++)
            wsk_entry(s, i)[k] = amount(run, i, k);
        for (int b = 0; b < s->bins; b++)
            wsk_entry(s, i)[s->n + b] = b < s->cycle.length_ns / s->bin_ns ? bin_j(s, i, b) : 0;
    }
}

enum { CYCLES = 5, MOST = 4000 };

/* What is known before the skip. like: first row that is like the open one. */
typedef struct {
    int64_t t_ns, first_row, like, row_ns;
    double account[MOST], t_k[MOST], sum[MOST], kwh;
    wsk_account bill;
} before_skip;

static void remember(before_skip *b, const wsk_run *run, int64_t alike_ns)
{
    const wsk_stride *s = run->stride;
    const wsk_observer *o = run->observer;
    assert_true(s->n <= MOST);
    b->t_ns = run->head->t_ns;
    b->row_ns = o->bucket_ticks * run->tick_ns;
    b->first_row = run->books->n_buckets;
    assert_int_equal(alike_ns % b->row_ns, 0);
    b->like = b->first_row - alike_ns / b->row_ns;
    assert_true(b->like >= 0);
    for (int k = 0; k < s->n; k++)
        b->account[k] = wsk_account_value(&s->places[k]);
    for (int i = 0; i < run->net->n_node; i++)
        b->t_k[i] = run->t[i];
    for (int i = 0; i < run->variables->n; i++) {
        const int node = run->variables->all[i].node;
        b->sum[i] = o->sum[i] + (node >= 0 ? o->node_sum[node] : 0);
    }
    b->kwh = (wsk_sum_value(&run->books->ledger.wall) + wsk_sum_value(&run->books->ledger.side)) / 3.6e6;
    b->bill = wsk_bill_account(run);
}

/* Energy, J, of the first `cycles` cycles skipped, which may end within a bin; entry[j] is the cycle of the library that
 * cycle j copies. */
static double energy_to(const wsk_stride *s, const double *entry, double cycles)
{
    const double bins = (double)(s->cycle.length_ns / s->bin_ns);
    double sum = 0;
    for (int j = 0; j < CYCLES; j++)
        for (int b = 0; b < (int)bins; b++) {
            const double share = fmin(fmax((cycles - j) * bins - b, 0), 1);
            const int64_t low = (int64_t)entry[j];
            sum += share * (bin_j(s, low, b) + (entry[j] - (double)low) * (bin_j(s, low + 1, b) - bin_j(s, low, b)));
        }
    return sum;
}

/* Accounts grow by the references, temperatures move by drift and shift, and the bill gets the energy of the bins. */
static void check_accounts(const wsk_run *run, const before_skip *b, const double *entry)
{
    const wsk_stride *s = run->stride;
    const int first = s->nodes - run->variables->n;
    double stored = 0, all_j = energy_to(s, entry, CYCLES), out_j = 0;
    for (int k = 0; k < s->n; k++) {
        double more = 0;
        for (int j = 0; j < CYCLES; j++)
            more += amount(run, 0, k) + entry[j] * (amount(run, 1, k) - amount(run, 0, k));
        out_j = k == WSK_TALLY_OUT ? more : out_j;
        if (k < first || k >= s->nodes || !grows(run, k - first))
            assert_near(wsk_account_value(&s->places[k]), b->account[k] + more,
                        s->places[k].kind == WSK_TALLY_NS ? 0.51 : 1e-9 * (fabs(b->account[k]) + more));
    }
    for (int i = 0; i < run->net->n_node; i++) {
        const double by_k = 0.001 * i - 0.002 + 0.003;
        assert_near(run->t[i], b->t_k[i] + by_k, 1e-12);
        stored += run->cap[i] * by_k;
    }
    assert_near(wsk_sum_value(&run->books->ledger.strode), all_j - out_j - stored, 1e-6 * all_j);
    const wsk_account bill = wsk_bill_account(run);
    assert_near(bill.cost - b->bill.cost, 0.36 * all_j / 3.6e6, 1e-9);
    assert_near(bill.carbon_kg - b->bill.carbon_kg, 0.72 * all_j / 3.6e6, 1e-9);
    assert_int_equal(run->head->t_ns, b->t_ns + CYCLES * s->cycle.length_ns);
}

/* Row `row` of the series, whose skipped part is copied from a row at the same time of the cycle. */
static void check_row(const wsk_run *run, const before_skip *b, int64_t row, double kwh, double cost, double *last)
{
    const int n = run->variables->n;
    const int64_t from = row * b->row_ns > b->t_ns ? row * b->row_ns : b->t_ns, alike = b->first_row - b->like,
                  like = b->like + (row - b->first_row) % alike;
    const double *x = wsk_bucket(run, row), *y = wsk_bucket(run, like), row_s = (double)b->row_ns / 1e9,
                 skipped_s = (double)((row + 1) * b->row_ns - from) / 1e9;
    assert_rel(x[0], (double)(row + 1) * row_s, 1e-12);
    for (int i = 0; i < n; i++) {
        const bool cost_row = i == wsk_variable_at(run->variables, WSK_VAR_COST, 0);
        if (i == wsk_variable_at(run->variables, WSK_VAR_ENERGY_KWH, 0) || cost_row) {
            const double end = cost_row ? cost : kwh;
            assert_near(x[1 + 2 * n + i], end, 1e-7);
            assert_near(x[1 + n + i], 0.5 * (x[1 + i] + end), 1e-9);
            if (row > b->first_row)
                assert_near(x[1 + i], last[cost_row], 1e-7);
            last[cost_row] = end;
        } else if (row > b->first_row) {
            for (int k = 0; k < 3; k++)
                assert_same(x[1 + k * n + i], y[1 + k * n + i]);
        } else if (!grows(run, i)) {
            assert_near(x[1 + n + i], (b->sum[i] + skipped_s * y[1 + n + i]) / row_s,
                        1e-6 + 1e-9 * fabs(x[1 + n + i]));
        }
    }
}

static void check_rows(const wsk_run *run, const before_skip *b, const double *entry)
{
    const wsk_stride *s = run->stride;
    const wsk_observer *o = run->observer;
    const double length = (double)s->cycle.length_ns;
    double last[2] = {0};
    assert_int_equal(run->books->n_buckets, run->head->t_ns / b->row_ns);
    for (int64_t row = b->first_row; row < run->books->n_buckets; row++) {
        const double j = energy_to(s, entry, (double)((row + 1) * b->row_ns - b->t_ns) / length);
        check_row(run, b, row, b->kwh + 0.9 * j / 3.6e6, b->bill.cost + 0.36 * j / 3.6e6, last);
    }
    /* the row that is still open */
    const int64_t alike = b->first_row - b->like, like = b->like + (run->books->n_buckets - b->first_row) % alike;
    const double *y = wsk_bucket(run, like) + 1 + run->variables->n,
                 open_s = (double)(run->head->t_ns - run->books->n_buckets * b->row_ns) / 1e9;
    assert_true(open_s > 0);
    for (int i = 0; i < run->variables->n; i++) {
        const int node = run->variables->all[i].node;
        if (!grows(run, i))
            assert_near(o->sum[i] + (node >= 0 ? o->node_sum[node] : 0), open_s * y[i], 1e-4 + 1e-9 * fabs(y[i]));
    }
}

/* Each control continues where it was before the skip; times that are not set stay so. */
static void put_times(wsk_run *run)
{
    const int64_t t = run->head->t_ns;
    for (int i = 0; i < run->net->n_card; i++) {
        wsk_card_state *c = &run->cards[i];
        for (int g = 0; g < WSK_GOVERNORS; g++) {
            c->governor_last_ns[g] = t - (g + 1) * WSK_NS;
            c->governor_next_ns[g] = t + (g + 1) * WSK_NS;
        }
        c->fan_next_ns = t + 7 * WSK_NS;
        c->watched_ns = INT64_MAX;
        c->schedule_ns = 0;
        c->stuck_ns = -1;
        c->released_ns = t - 9 * WSK_NS;
        c->logged_ns = t - 11 * WSK_NS;
        c->rest_until_ns = t + 100 * WSK_NS;
    }
    for (int i = 0; i < run->net->n_mover; i++)
        run->movers[i].next_ns = t + 13 * WSK_NS;
    run->cases[0].cpu_ns = t + 15 * WSK_NS;
    run->head->leap_next_ns = t + 17 * WSK_NS;
    run->head->next_natural_ns = t + 19 * WSK_NS;
}

static void check_times(const wsk_run *run)
{
    const int64_t t = run->head->t_ns;
    for (int i = 0; i < run->net->n_card; i++) {
        const wsk_card_state *c = &run->cards[i];
        for (int g = 0; g < WSK_GOVERNORS; g++) {
            assert_int_equal(c->governor_last_ns[g], t - (g + 1) * WSK_NS);
            assert_int_equal(c->governor_next_ns[g], t + (g + 1) * WSK_NS);
        }
        assert_int_equal(c->fan_next_ns, t + 7 * WSK_NS);
        assert_int_equal(c->watched_ns, INT64_MAX);
        assert_int_equal(c->schedule_ns, 0);
        assert_int_equal(c->stuck_ns, -1);
        assert_int_equal(c->released_ns, t - 9 * WSK_NS);
        assert_int_equal(c->logged_ns, t - 11 * WSK_NS);
        assert_int_equal(c->rest_until_ns, 0);
    }
    for (int i = 0; i < run->net->n_mover; i++)
        assert_int_equal(run->movers[i].next_ns, t + 13 * WSK_NS);
    assert_int_equal(run->cases[0].cpu_ns, t + 15 * WSK_NS);
    assert_int_equal(run->head->leap_next_ns, t + 17 * WSK_NS);
    assert_int_equal(run->head->next_natural_ns, (t / (60 * WSK_NS) + 1) * 60 * WSK_NS); /* each whole minute */
}

static void test_skip(void **state)
{
    (void)state;
    static before_skip b;
    for (int slots = 0; slots < 2; slots++) {
        wsk_rig *rig;
        wsk_run *run = start(&rig, "kind='constant'");
        wsk_stride *s = run->stride;
        const int hours = slots ? 27 : 3;
        double entry[CYCLES];
        s->head->skips = WSK_SKIPS;                /* no stride of its own */
        wsk_test_advance(run, hours * 3600 + 250); /* the skip begins and ends within a row */
        s->cycle.slow_ns = slots ? day_ns : 0;
        fill_library(run, hours, run->head->t_ns - hours * hour_ns);
        /* the mean of the library, or the cycle of the day before */
        for (int j = 0; j < CYCLES; j++)
            entry[j] = slots ? hours + j - 24 : 0.5 * (hours - 1);
        for (int i = 0; i < run->net->n_node; i++) {
            s->drift_k[i] = 0.001 * i - 0.002;
            s->shift_k[i] = 0.003;
        }
        wsk_book_repeats(run);
        wsk_ledger_close(run);
        remember(&b, run, slots ? day_ns : hour_ns);
        put_times(run);
        wsk_skip(run, CYCLES);
        check_accounts(run, &b, entry);
        check_rows(run, &b, entry);
        check_times(run);
        wsk_test_drop(run, rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mean_reference),
                                       cmocka_unit_test(test_reference_between_slots),
                                       cmocka_unit_test(test_reference_of_slots), cmocka_unit_test(test_skip)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
