/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strides over days, where the outdoor temperature follows the time of day, by the rules of docs/theory/time.md,
 * "Strides". The library holds two days that are made up here. */
#include <math.h>
#include <string.h>

#include "tests/support/bench.h"
#include "tests/support/strides.h"
#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/step/stride.h"

static const int64_t hour_ns = INT64_C(3600) * WSK_NS, day_ns = INT64_C(86400) * WSK_NS;
static const double energy_j = 3.6e6, work = 3000;
enum { MOST = 4000, HOURS = 48 };

/* A run that is so many hours old, whose cycles are the hours of a day. It has taken no stride yet. */
static wsk_run *start(wsk_rig **rig, int hours)
{
    *rig = wsk_test_rig("<rig><site supply='230 V' circuit='16 A'><room volume='40 m3' conductance='60 W/K'>"
                        "<outdoor mean='22 degC' swing='5 K'/></room></site>"
                        "<chassis part='chassis/workstation-12-slot'>"
                        "<fan part='fan/generic-120-3000' at='front' count='3'/>"
                        "<fan part='fan/generic-120-1500' at='rear'/><psu part='psu/tier-gold-1600'/>"
                        "<gpu part='gpu/rtx-3090-blower' slot='1'/></chassis>"
                        "<workload kind='constant' class='training'/></rig>",
                        NULL);
    wsk_run *run = wsk_test_start(*rig, 2000 * 86400, true);
    assert_non_null(run->stride);
    run->stride->head->skips = WSK_SKIPS; /* no stride before */
    wsk_test_advance(run, hours * 3600);
    wsk_book_repeats(run);
    wsk_ledger_close(run);
    run->stride->head->skips = 0;
    assert_int_equal(run->head->t_ns, hours * hour_ns);
    assert_int_equal(run->stride->cycle.length_ns, hour_ns);
    assert_int_equal(run->stride->cycle.slow_ns, day_ns);
    assert_true(run->stride->n + run->stride->bins <= MOST && run->stride->entries >= HOURS);
    return run;
}

/* Temperature of all nodes at an hour of the day, K, and its mean in the hour that begins then. */
static double node_k(double h, double rise_k)
{
    return 300 + rise_k * (h - 0.04 * h * h + 0.0008 * h * h * h);
}

static double node_mean_k(double h, double rise_k)
{
    const double s = 0.2113248654051871; /* Gauss's two points are exact for a cubic */
    return 0.5 * (node_k(h + s, rise_k) + node_k(h + 1 - s, rise_k));
}

/* The cycle that begins at the hour h of the run. */
static void cycle_of(const wsk_run *run, int h, double rise_k, double heat_s, double *x)
{
    const wsk_stride *s = run->stride;
    for (int k = 0; k < s->n + s->bins; k++)
        x[k] = k >= s->nodes && k < s->n ? 3600 * node_mean_k(h % 24, rise_k) : 0;
    x[wsk_test_account_at(run, &run->books->ledger.wall)] = energy_j;
    x[wsk_test_account_at(run, &run->cards[0].work)] = work;
    x[wsk_test_account_at(run, &run->cards[0].throttle_ns[1])] = heat_s * 1e9;
}

/* Makes the run end an hour now that is as that of the day before, after the two days before it. */
static void end_hour(wsk_run *run, double rise_k, double heat_s)
{
    wsk_stride *s = run->stride;
    wsk_stride_head *h = s->head;
    static double x[MOST];
    const int now = (int)(run->head->t_ns / hour_ns);
    h->count = HOURS;
    h->oldest = 0;
    for (int i = 0; i < HOURS; i++) {
        s->starts[i] = (now - 1 - HOURS + i) * hour_ns;
        cycle_of(run, now - 1 - HOURS + i, rise_k, heat_s, wsk_entry(s, i));
    }
    cycle_of(run, now - 1, rise_k, heat_s, x);
    for (int k = 0; k < s->n; k++)
        s->mark[k] = wsk_account_value(&s->places[k]) - x[k];
    h->from_ns = run->head->t_ns - hour_ns;
    h->next_ns = run->head->t_ns;
    h->apart = 1;
    memset(s->trend, 0, (size_t)s->n * sizeof *s->trend);
    wsk_stride_on(run, run->head->t_ns);
}

/* Whole days are skipped: at most six, or one and a half times as many as have passed since the start, until all hours
 * of a day have agreed in a row; none while less than a quarter of these days is left. */
static void test_whole_days(void **state)
{
    (void)state;
    static const struct {
        int hours;
        int64_t agreeing, reach, unproven, days;
        double noise_rel;
    } of[] = {{60, 1, 8, 0, 6, 0},     {60, 1, 3, 0, 3, 0},     {60, 1, 8, 4, 2, 0},        {60, 1, 8, 5, 0, 0},
              {60, 23, 8, 5, 8, 0},    {60, 22, 8, 5, 0, 0},    {60, 0, 8, 0, 0, 0},        {300, 1, 512, 0, 18, 0},
              {300, 1, 512, 13, 5, 0}, {300, 1, 512, 14, 0, 0}, {300, 40, 512, 14, 512, 0}, {60, 2, 8, 0, 0, 2e-4},
              {60, 2, 8, 0, 6, 5e-5}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        wsk_rig *rig;
        wsk_run *run = start(&rig, of[i].hours);
        wsk_stride_head *h = run->stride->head;
        const int64_t from = run->head->t_ns, slots = 24;
        double before[64];
        assert_true(run->net->n_node <= 64);
        memcpy(before, run->t, (size_t)run->net->n_node * sizeof *before);
        h->agreeing = of[i].agreeing;
        h->reach = of[i].reach;
        h->unproven = of[i].unproven;
        memset(h->noise, 0, sizeof h->noise);
        h->noise[WSK_OF_WORK] = of[i].noise_rel * work / 0.7;
        end_hour(run, 1, 0);
        if (run->head->t_ns != from + of[i].days * day_ns)
            fail_msg("case %zu: %g days skipped", i, (double)(run->head->t_ns - from) / (double)day_ns);
        if (of[i].days) /* days count as proven once all hours have agreed */
            assert_int_equal(h->unproven, of[i].agreeing + 1 >= slots ? 0 : of[i].unproven + of[i].days);
        for (int k = 0; k < run->net->n_node; k++) /* without a trend, all is as at this hour of the day before */
            assert_near(run->t[k], before[k], 1e-9);
        wsk_test_drop(run, rig);
    }
}

/* A stride that ends at another time of the day is taken to the end only, less two hours, if it may be as long; where
 * heat limits a clock only if temperatures are the same within 0.1 K. Else whole days are skipped. Temperatures move by
 * what they differ between both times on the days before. */
static void test_last_day(void **state)
{
    (void)state;
    static const struct {
        int hours, left;
        double rise_k, heat_s;
        int64_t cycles;
    } of[] = {{53, 15, 1, 0, 13},   {53, 15, 1, 500, 0},  {53, 15, 0.007, 500, 13}, {53, 15, 0.03, 500, 0},
              {53, 5, 1, 0, 0},     {53, 6, 1, 0, 4},     {53, 27, 1, 0, 25},       {53, 30, 1, 500, 24},
              {53, 146, 1, 0, 144}, {53, 147, 1, 0, 144}, {53, 145, 1, 500, 120},   {53, 145, 1, 0, 143},
              {74, 18, 1, 0, 16}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        wsk_rig *rig;
        wsk_run *run = start(&rig, of[i].hours);
        wsk_stride_head *h = run->stride->head;
        const int64_t from = run->head->t_ns;
        double before[64];
        memcpy(before, run->t, (size_t)run->net->n_node * sizeof *before);
        run->end_ns = from + of[i].left * hour_ns;
        h->agreeing = 1;
        h->reach = 8;
        memset(h->noise, 0, sizeof h->noise);
        end_hour(run, of[i].rise_k, of[i].heat_s);
        const int64_t cycles = (run->head->t_ns - from) / hour_ns;
        if (cycles != of[i].cycles)
            fail_msg("case %zu: %lld hours skipped", i, (long long)cycles);
        const int a = of[i].hours % 24, b = (int)(of[i].hours + cycles) % 24;
        for (int k = 0; k < run->net->n_node && a > 1 && b > 1; k++) {
            const double by_k = node_k(b, of[i].rise_k) - node_k(a, of[i].rise_k);
            assert_near(run->t[k], before[k] + (run->cap[k] > 0 ? by_k : 0), 1e-9);
        }
        wsk_test_drop(run, rig);
    }
}

/* After a stride to another time of the day fans still have the speed of its start, so that the highest temperatures of
 * the next hour are not counted. After whole days they are. */
static void test_overshoot_after_a_stride(void **state)
{
    (void)state;
    for (int whole = 0; whole < 2; whole++) {
        wsk_rig *rig;
        wsk_run *run = start(&rig, 53);
        wsk_stride *s = run->stride;
        const int64_t from = run->head->t_ns;
        const int probe = run->variables->probes[0].variable;
        run->end_ns = from + (whole ? 100 * 24 : 15) * hour_ns;
        s->head->agreeing = 1;
        s->head->reach = 3;
        memset(s->head->noise, 0, sizeof s->head->noise);
        end_hour(run, 1, 0);
        assert_int_equal(run->head->t_ns - from, whole ? 3 * day_ns : 13 * hour_ns);
        run->end_ns += hour_ns; /* the run goes on after both hours */
        for (int hour = 0; hour < 2; hour++) {
            const double height = s->heights[probe];
            assert_int_equal(s->head->from_ns, run->head->t_ns);
            run->observer->high[probe] = height + 50;
            run->head->t_ns += hour_ns;
            wsk_stride_on(run, run->head->t_ns);
            assert_same(s->heights[probe], whole || hour ? height + 50 : height);
        }
        wsk_test_drop(run, rig);
    }
}

/* An hour that differs from the day before drops what its reference was made from. */
static void test_hour_that_differs(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = start(&rig, 60);
    wsk_stride *s = run->stride;
    end_hour(run, 1, 0); /* fills the library */
    const int now = 59;
    int dropped = 0;
    static double x[MOST];
    for (int i = 0; i < HOURS; i++)
        s->starts[i] = (now - HOURS + i) * hour_ns;
    s->head->count = HOURS;
    cycle_of(run, now, 1, 0, x);
    x[wsk_test_account_at(run, &run->books->ledger.wall)] *= 1.001;
    for (int k = 0; k < s->n; k++)
        s->mark[k] = wsk_account_value(&s->places[k]) - x[k];
    run->head->t_ns = 60 * hour_ns;
    s->head->from_ns = now * hour_ns;
    s->head->next_ns = run->head->t_ns;
    wsk_stride_on(run, run->head->t_ns);
    assert_int_equal(s->head->agreeing, 0);
    for (int i = 0; i < HOURS; i++) {
        const bool same = (now - (now - HOURS + i)) % 24 == 0;
        if ((s->starts[i] == WSK_DROPPED) != same)
            fail_msg("the cycle %d hours before is %s", HOURS - i, same ? "kept" : "dropped");
        dropped += same;
    }
    assert_int_equal(dropped, 2);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole_days), cmocka_unit_test(test_last_day),
                                       cmocka_unit_test(test_overshoot_after_a_stride),
                                       cmocka_unit_test(test_hour_that_differs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
