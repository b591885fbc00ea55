/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When cycles agree, and when how many are skipped, by the rules of docs/theory/time.md, "Strides". The amounts of the
 * last cycle and the library are made up here. */
#include <math.h>
#include <string.h>

#include "tests/support/bench.h"
#include "tests/support/strides.h"
#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/step/stride.h"

static const int64_t hour_ns = INT64_C(3600) * WSK_NS;
static const double energy_j = 3.6e6, work = 3000, node_k = 300;
enum { MOST = 4000, DAYS = 40 };

/* A rig with two cards and constant inputs, whose cycles are hours; at the end of its third hour. */
static wsk_run *start(wsk_rig **rig)
{
    *rig =
        wsk_test_rig("<rig><site supply='230 V' circuit='16 A'><room temperature='22 degC'/></site>"
                     "<chassis part='chassis/workstation-12-slot'>"
                     "<fan part='fan/generic-120-3000' at='front' count='3'/>"
                     "<fan part='fan/generic-120-1500' at='rear'/><psu part='psu/tier-gold-1600'/>"
                     "<gpu part='gpu/rtx-3090-blower' slot='1'/><gpu part='gpu/rtx-3090-blower' slot='5'/></chassis>"
                     "<workload kind='constant' class='training'/></rig>",
                     NULL);
    wsk_run *run = wsk_test_start(*rig, DAYS * 86400, true);
    assert_non_null(run->stride);
    wsk_test_advance(run, 3 * 3600);
    wsk_book_repeats(run);
    wsk_ledger_close(run);
    assert_int_equal(run->head->t_ns, 3 * hour_ns);
    assert_int_equal(run->stride->cycle.length_ns, hour_ns);
    assert_int_equal(run->stride->cycle.slow_ns, 0);
    assert_true(run->stride->n <= MOST);
    return run;
}

/* A cycle of 1 kWh, so much work, and so much time limited by heat, whose nodes have the mean temperature node_k. */
static void usual(const wsk_run *run, double heat_s, double *x)
{
    const wsk_stride *s = run->stride;
    for (int k = 0; k < s->n + s->bins; k++)
        x[k] = k >= s->nodes && k < s->n ? 3600 * node_k : 0;
    x[wsk_test_account_at(run, &run->books->ledger.wall)] = energy_j;
    x[wsk_test_account_at(run, &run->cards[1].work)] = work;
    x[wsk_test_account_at(run, &run->cards[0].throttle_ns[1])] = heat_s * 1e9;
}

/* Makes the run end a cycle of the amounts x now, after `count` alike cycles of the amounts y. */
static void end_cycle(wsk_run *run, const double *x, int64_t count, const double *y)
{
    wsk_stride *s = run->stride;
    wsk_stride_head *h = s->head;
    h->count = count;
    h->oldest = 0;
    for (int64_t i = 0; i < count; i++) {
        s->starts[i] = run->head->t_ns - (count + 1 - i) * s->cycle.length_ns;
        memcpy(wsk_entry(s, i), y, (size_t)(s->n + s->bins) * sizeof *y);
    }
    for (int k = 0; k < s->n; k++)
        s->mark[k] = wsk_account_value(&s->places[k]) - x[k];
    h->from_ns = run->head->t_ns - s->cycle.length_ns;
    h->next_ns = run->head->t_ns;
    wsk_stride_on(run, run->head->t_ns);
}

/* Ends a cycle whose account `at` differs by `by` from its reference; true if it agrees. */
static bool agrees(wsk_run *run, int at, double by, double heat_s)
{
    static double x[MOST], y[MOST];
    const int64_t before = run->head->t_ns;
    usual(run, heat_s, y);
    memcpy(x, y, sizeof x);
    x[at] += by;
    run->stride->head->agreeing = 0;
    run->stride->head->pending = 0;
    run->stride->head->vain = 0;
    end_cycle(run, x, 4, y);
    assert_int_equal(run->head->t_ns, before); /* one agreeing cycle makes no stride */
    const bool ok = run->stride->head->agreeing == 1;
    /* a cycle that does not agree empties the library; the cycle itself is kept */
    assert_int_equal(run->stride->head->count, ok ? 5 : 1);
    return ok;
}

/* Energy and work within 3e-4, mean temperatures within 0.05 K, times limited by heat within 5 % or 0.2 % of the
 * cycle. */
static void test_bounds(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig);
    const wsk_stride *s = run->stride;
    const int wall = wsk_test_account_at(run, &run->books->ledger.wall),
              done = wsk_test_account_at(run, &run->cards[0].work),
              heat = wsk_test_account_at(run, &run->cards[0].throttle_ns[3]);
    const struct {
        int at;
        double most, heat_s;
    } of[] = {{wall, 3e-4 * energy_j, 0}, {done, 3e-4 * work, 0},       {heat, 7.2e9, 0},
              {heat, 7.2e9, 100},         {heat, 0.05 * 1000e9, 1000},  {s->nodes, 0.05 * 3600, 0},
              {s->n - 1, 0.05 * 3600, 0}, {s->n - 1, 0.05 * 3600, 1000}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            if (of[i].at == heat && sign < 0 && of[i].heat_s == 0)
                continue;
            if (!agrees(run, of[i].at, 0.99 * sign * of[i].most, of[i].heat_s))
                fail_msg("bound %zu: a cycle within it does not agree", i);
            if (agrees(run, of[i].at, 1.01 * sign * of[i].most, of[i].heat_s))
                fail_msg("bound %zu: a cycle beyond it agrees", i);
        }
    wsk_test_drop(run, rig);
}

/* A cycle does not agree if power or a breaker's heat rose by more than 0.1 % above the highest before, or a
 * temperature by 0.03 K. */
static void test_new_heights(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig);
    wsk_stride *s = run->stride;
    wsk_observer *o = run->observer;
    const int wall = wsk_test_account_at(run, &run->books->ledger.wall), probe = run->variables->probes[0].variable,
              last = run->variables->probes[run->variables->n_probe - 1].variable;
    run->lines[0].breaker_most = 0.5;
    assert_false(agrees(run, wall, 0, 0)); /* the breaker had been cold */
    for (int over = 0; over < 2; over++) {
        const double rel = over ? 1.0011 : 1.0009, by_k = over ? 0.031 : 0.029;
        s->head->wall_peak_w = run->books->wall_peak_w / rel;
        assert_true(agrees(run, wall, 0, 0) == !over);
        s->head->breaker_most = 0.5 / rel;
        assert_true(agrees(run, wall, 0, 0) == !over);
        s->heights[probe] = wsk_max(o->highest[probe], o->high[probe]) - by_k;
        assert_true(agrees(run, wall, 0, 0) == !over);
        s->heights[last] = wsk_max(o->highest[last], o->high[last]) - by_k;
        assert_true(agrees(run, wall, 0, 0) == !over);
        assert_true(agrees(run, wall, 0, 0)); /* the height is known now */
    }
    wsk_test_drop(run, rig);
}

/* A part that fails, a shutdown, a circuit that trips and dust empty the library; a failure of the job and a cycle cut
 * short only are no evidence. */
static void test_events(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig);
    wsk_stride *s = run->stride;
    static double y[MOST];
    const int wall = wsk_test_account_at(run, &run->books->ledger.wall);
    usual(run, 0, y);
    for (int event = 0; event < 8; event++) {
        assert_true(agrees(run, wall, 0, 0));
        if (event == 0)
            run->movers[0].failed = 1;
        else if (event == 1)
            run->supplies[0].failed = 1;
        else if (event == 2)
            run->head->shutdowns++;
        else if (event == 3)
            run->lines[0].dark = 1;
        else if (event == 4)
            run->cases[0].cpu_off = 1;
        else if (event == 5)
            run->head->ac_failed = 1;
        else if (event == 6)
            run->cards[1].off = WSK_LOST;
        else
            run->head->failures++;
        end_cycle(run, y, 4, y);
        assert_int_equal(s->head->agreeing, 0);
        assert_int_equal(s->head->count, event < 7 ? 0 : 4);
    }
    assert_true(agrees(run, wall, 0, 0));
    wsk_test_drop(run, rig);
}

/* Evidence of agreeing cycles: earlier cycles count 0.7 in trend, noise and distance for each later one. */
static void test_evidence(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig);
    wsk_stride *s = run->stride;
    wsk_stride_head *h = s->head;
    static double x[MOST], y[MOST];
    const int wall = wsk_test_account_at(run, &run->books->ledger.wall);
    double trend = 0, apart = 0, noise = 0, noise_k = 0;
    usual(run, 0, y);
    h->agreeing = 0;
    for (int n = 0; n < 6; n++) {
        const double by_j = (n % 2 ? -1 : 1) * 1000.0 / (1 + n % 3), by_k = 0.04 / (1 + n);
        memcpy(x, y, sizeof x);
        x[wall] += by_j;
        x[s->nodes + 1] += 3600 * by_k;
        h->reach = 1; /* a stride would be too short */
        end_cycle(run, x, 3, y);
        trend = 0.7 * trend + by_j;
        apart = 0.7 * apart + 2; /* the three cycles of the library end a cycle before this one begins */
        noise = fmax(0.7 * noise, fabs(by_j));
        noise_k = fmax(0.7 * noise_k, by_k);
        assert_int_equal(h->agreeing, n + 1);
        assert_rel(h->apart, apart, 1e-9);
        assert_near(s->trend[wall], trend, 1e-3);
        assert_near(h->noise[WSK_OF_ENERGY], noise, 1e-3);
        assert_near(h->noise_k, noise_k, 1e-6);
    }
    wsk_test_drop(run, rig);
}

/* The stride after two cycles that agree: as many cycles as the reach, at least four, so that two remain before the
 * end of the run, halved until the estimate allows it. */
static void test_lengths(void **state)
{
    (void)state;
    static const struct {
        int64_t agreeing, reach, left, cycles; /* left: hours to the end of the run */
        double noise_rel;                      /* difference of earlier cycles, a share of energy */
    } of[] = {{0, 8, 900, 0, 0},     {1, 8, 900, 8, 0},    {1, 4, 900, 4, 0},   {1, 3, 900, 0, 0},
              {1, 100, 900, 100, 0}, {1, 100, 53, 51, 0},  {1, 100, 6, 4, 0},   {1, 100, 5, 0, 0},
              {2, 8, 900, 0, 2e-4},  {2, 8, 900, 8, 5e-5}, {5, 64, 900, 64, 0}, {1, 64, 40, 38, 0}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        wsk_rig *rig;
        wsk_run *run = start(&rig);
        wsk_stride *s = run->stride;
        static double y[MOST];
        usual(run, 0, y);
        run->end_ns = run->head->t_ns + of[i].left * hour_ns;
        s->head->agreeing = of[i].agreeing;
        s->head->reach = of[i].reach;
        s->head->apart = 2;
        memset(s->trend, 0, (size_t)s->n * sizeof *s->trend);
        memset(s->head->noise, 0, sizeof s->head->noise);
        s->head->noise[WSK_OF_ENERGY] = of[i].noise_rel * energy_j / 0.7;
        const int64_t skipped = s->head->skipped, from = run->head->t_ns;
        end_cycle(run, y, 4, y);
        if (s->head->skipped - skipped != of[i].cycles)
            fail_msg("case %zu: %lld cycles skipped", i, (long long)(s->head->skipped - skipped));
        assert_int_equal(run->head->t_ns, from + of[i].cycles * hour_ns);
        assert_int_equal(s->head->pending, of[i].cycles);
        assert_int_equal(s->head->agreeing, of[i].cycles ? 0 : of[i].agreeing + 1);
        assert_int_equal(s->head->next_ns, run->head->t_ns + hour_ns);
        if (of[i].cycles) {
            assert_int_equal(s->head->skip_from_ns[s->head->skips - 1], from);
            assert_int_equal(s->head->skip_to_ns[s->head->skips - 1], run->head->t_ns);
            assert_rel(wsk_skipped_share(run, from - hour_ns, run->head->t_ns),
                       (double)of[i].cycles / (double)(of[i].cycles + 1), 1e-12);
            assert_same(wsk_skipped_share(run, from - hour_ns, from), 0);
        }
        wsk_test_drop(run, rig);
    }
}

/* Temperatures move over a stride by their trend for each cycle, and a stride is so short that they move by 0.02 K. */
static void test_drift(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig);
    wsk_stride *s = run->stride;
    static double y[MOST];
    double before[64];
    int solid = 0;
    while (!(run->cap[solid] > 0))
        solid++;
    usual(run, 0, y);
    s->head->agreeing = 3;
    s->head->reach = 1000;
    s->head->apart = 1 / 0.7;
    memset(s->trend, 0, (size_t)s->n * sizeof *s->trend);
    memset(s->head->noise, 0, sizeof s->head->noise);
    /* after this cycle: trend 1.2e-3 K over a distance of 1 and of 2.5 cycles */
    s->trend[s->nodes + solid] = 3600 * -1.2e-3 / 0.7;
    assert_true(run->net->n_node <= 64);
    memcpy(before, run->t, (size_t)run->net->n_node * sizeof *before);
    end_cycle(run, y, 4, y);
    const double apart = 1 + 2.5, drift_k = -1.2e-3 / apart;
    const int64_t cycles = s->head->skipped;
    assert_int_equal(cycles, (int64_t)(0.02 / fabs(drift_k)));
    for (int i = 0; i < run->net->n_node; i++)
        assert_near(run->t[i], before[i] + (i == solid ? (double)cycles * drift_k : 0), 1e-6);
    wsk_test_drop(run, rig);
}

/* The library keeps the eight last cycles. After sixteen cycles without a stride, two cycles are taken as one. */
static void test_library_and_merging(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig);
    wsk_stride *s = run->stride;
    wsk_stride_head *h = s->head;
    static double x[MOST];
    usual(run, 0, x);
    h->count = h->oldest = 0;
    h->vain = 0;
    for (int n = 0; n < 16; n++) {
        assert_int_equal(h->merged, 1);
        h->reach = 1;
        for (int64_t i = 0; i < h->count; i++)
            s->starts[i] -= hour_ns; /* the time of the run stands still here */
        for (int k = 0; k < s->n; k++)
            s->mark[k] = wsk_account_value(&s->places[k]) - x[k];
        h->from_ns = run->head->t_ns - s->cycle.length_ns;
        h->next_ns = run->head->t_ns;
        x[wsk_test_account_at(run, &run->cards[0].served_ns)] = 1e9 * n;
        wsk_stride_on(run, run->head->t_ns);
        assert_int_equal(h->vain, (n + 1) % 16);
        if (n == 15)
            break;
        assert_int_equal(h->count, n < 8 ? n + 1 : 8);
        bool kept[16] = {false};
        for (int64_t i = 0; i < h->count; i++) {
            const double of = wsk_entry(s, i)[wsk_test_account_at(run, &run->cards[0].served_ns)] / 1e9;
            for (int m = 0; m < 16; m++)
                kept[m] = kept[m] || fabs(of - m) < 0.01;
        }
        for (int m = 1; m < n; m++) /* the marks were made before x changed, so that cycle n has the amount n - 1 */
            if (kept[m] != (m > n - 1 - 8 && m <= n - 1))
                fail_msg("after cycle %d, cycle %d is %s", n, m, kept[m] ? "kept" : "missing");
    }
    assert_int_equal(h->merged, 2);
    assert_int_equal(h->count, 0);
    assert_int_equal(s->cycle.length_ns, 2 * hour_ns);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bounds),
                                       cmocka_unit_test(test_new_heights),
                                       cmocka_unit_test(test_events),
                                       cmocka_unit_test(test_evidence),
                                       cmocka_unit_test(test_lengths),
                                       cmocka_unit_test(test_drift),
                                       cmocka_unit_test(test_library_and_merging)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
