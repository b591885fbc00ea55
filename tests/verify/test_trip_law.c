/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Load steps, trip thresholds and cures, number by number, from the tables and formulas of docs/theory/trip.md. */
#include <math.h>
#include <string.h>

#include "sim/net/psu.h"
#include "sim/study/trip/trip.h"
#include "tests/support/bench.h"

/* The table in docs/theory/trip.md, "Load steps against a PSU"; columns: load steps of up to 1, 5, 10 and 20 ms. */
static const double ratios[4] = {1.567, 1.432, 1.284, 1.091},
                    tolerated[2][4] = {{1.45, 1.35, 1.35, 1.10}, {1.80, 1.60, 1.60, 1.20}};
static const double three[] = {300, 400, 450};

static wsk_steps unit(int n, double base_w)
{
    return (wsk_steps){.n = n,
                       .card_w = three,
                       .base_w = base_w,
                       .limit_w = 1000,
                       .opp = 1.25,
                       .rated_w = 1000,
                       .line_w = 1000,
                       .supply_v = 230,
                       .step_s = 1,
                       .time_s = 1,
                       .synchronous = true};
}

/* Sum of load steps, W, that trips a PSU of this strength (0: weakest, 1: strongest); -1: the lasting load base_w
 * trips it. */
static double threshold(const wsk_steps *s, double strength, double base_w, const double ratio[4])
{
    double least = INFINITY;
    if (base_w > (s->opp + 0.15 * (strength - 0.5)) * s->limit_w)
        return -1;
    for (int k = 0; k < 4; k++) {
        const double rides =
            fmax((1 + 0.15 * strength) * tolerated[s->excursions][k], s->opp + 0.15 * (strength - 0.5));
        least = fmin(least, (rides * s->limit_w - base_w) / (ratio[k] - 1));
    }
    return least;
}

static void strengths(void **state)
{
    (void)state;
    for (int atx3 = 0; atx3 < 2; atx3++)
        for (double opp = 1.1; opp < 2; opp += 0.2)
            for (double base = 500; base < 1500; base += 90)
                for (double v = 0; v <= 1; v += 0.125) {
                    int class;
                    wsk_steps s = unit(2, base);
                    s.excursions = atx3 ? WSK_EXCURSIONS_ATX3 : WSK_EXCURSIONS_PLAIN;
                    s.opp = opp;
                    assert_near(wsk_steps_critical(&s, v, &class), threshold(&s, v, base, ratios), 1e-6);
                }
}

/* The high part of a swing counts as a lasting load if it is longer than 20 ms, else as a load step of its own length
 * and of all shorter lengths. */
static void swings(void **state)
{
    (void)state;
    static const struct {
        double period_s;
        int longest; /* row of the table in which the high ends; -1: it lasts */
    } of[] = {{0.0007 * 2, 0}, {0.003 * 2, 1}, {0.007 * 2, 2}, {0.015 * 2, 3}, {0.025 * 2, -1}, {2, -1}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (int together = 0; together < 2; together++) {
            wsk_steps s = unit(3, 800);
            s.step_s = of[i].period_s;
            s.rise = s.fall = 0.5;
            s.synchronous = together;
            double ratio[4], all = 300 + 400 + 450,
                             swing = together ? all : sqrt(300 * 300.0 + 400 * 400.0 + 450 * 450.0),
                             base = of[i].longest < 0 ? 800 + 0.5 * swing : 800;
            for (int k = 0; k < 4; k++)
                ratio[k] = k <= of[i].longest ? fmax(ratios[k], 1.5) : ratios[k];
            int class;
            assert_rel(wsk_swing_w(&s), swing, 1e-12);
            assert_near(wsk_swing_high_s(&s), of[i].period_s / 2, 1e-12);
            assert_near(wsk_steps_critical(&s, 0.3, &class), threshold(&s, 0.3, base, ratio), 1e-6);
            /* only load steps of 10 to 20 ms reach the mains */
            assert_near(wsk_steps_wall_w(&s), base + (ratio[3] - 1) * all, 1e-6);
        }
}

/* Probability that load steps of n cards (1 or 2) that step together exceed x in sum; each is uniform from 0 to w[i],
 * W. */
static double above(int n, const double *w, double x)
{
    if (n == 1)
        return fmin(fmax(1 - x / w[0], 0), 1);
    double area = 0; /* of the rectangle w0 x w1 above the line a + b = x */
    for (int k = 0; k < 2000; k++) {
        const double a = w[0] * (k + 0.5) / 2000;
        area += fmin(fmax(1 - (x - a) / w[1], 0), 1) / 2000;
    }
    return area;
}

static void trips_of_steps(void **state)
{
    (void)state;
    for (int n = 1; n <= 2; n++)
        for (double base = 700; base < 1400; base += 70)
            for (double times = 1; times <= 100; times *= 10) {
                wsk_steps s = unit(n, base);
                s.time_s = 3 * times;
                s.step_s = 3;
                double mean = 0;
                for (int u = 0; u < 256; u++) {
                    const double at = threshold(&s, (u + 0.5) / 256, base, ratios);
                    mean += at < 0 ? 1 : 1 - pow(1 - above(n, three, at), times);
                }
                assert_near(wsk_steps_trip(&s, NULL), mean / 256, 2e-3);
            }
    /* The steps of two unsynchronised cards meet with a probability of 2 x 5 ms / 50 ms, the time between steps. */
    wsk_steps s = unit(2, 1150);
    s.synchronous = false;
    s.step_s = s.time_s = 0.05;
    double mean = 0;
    for (int u = 0; u < 256; u++) {
        const double at = threshold(&s, (u + 0.5) / 256, 1150, ratios), both = 0.2 * above(2, three, at);
        mean += 1 - (1 - both - 0.8 * above(1, three, at)) * (1 - both - 0.8 * above(1, three + 1, at));
    }
    assert_true(mean / 256 > 0.01);
    assert_near(wsk_steps_trip(&s, NULL), mean / 256, 2e-3);
}

static void causes(void **state)
{
    (void)state;
    wsk_step_cause cause;
    wsk_steps s = unit(3, 700);
    wsk_steps_trip(&s, &cause);
    assert_int_equal(cause.length, WSK_SAY_WORD_STEP_1);
    assert_rel(cause.peak_w, 700 + 0.567 * 1150, 1e-9);
    assert_rel(cause.built_w, 1450, 1e-9);
    s.base_w = 1150;
    wsk_steps_trip(&s, &cause);
    /* for a PSU of middling strength, steps of 1 to 5 ms have the least threshold */
    assert_int_equal(cause.length, WSK_SAY_WORD_STEP_1_5);
    assert_rel(cause.peak_w, 1150 + 0.432 * 1150, 1e-9);
    assert_rel(cause.built_w, 1350, 1e-9);
    s.base_w = 1400; /* above the overload protection at 125 % */
    wsk_steps_trip(&s, &cause);
    assert_int_equal(cause.length, WSK_SAY_WORD_STEP_LONG);
    assert_rel(cause.peak_w, 1400, 1e-9);
    s = unit(3, 900);
    s.rise = s.fall = 0.5;
    wsk_steps_trip(&s, &cause);
    assert_int_equal(cause.length, WSK_SAY_WORD_STEP_SWING);
    assert_rel(cause.peak_w, 900 + 0.5 * 1150, 1e-9);
}

static bool is_cured(wsk_steps s)
{
    return s.base_w <= s.limit_w && wsk_steps_trip(&s, NULL) < 0.005;
}

/* Cures: the smallest rating, in steps of 50 W, that is at most 90 % loaded and does not trip; the highest power of
 * the cards, in steps of 1 %; the fewest further PSUs. A larger PSU gives the same share of its rating at low
 * voltage. */
static void cures(void **state)
{
    (void)state;
    for (double base = 400; base < 1600; base += 57)
        for (double gives = 1; gives > 0.6; gives -= 0.3) {
            wsk_steps s = unit(3, base);
            s.limit_w = s.line_w = gives * 1000;
            double rating = 1000;
            for (;; rating += 50) {
                wsk_steps more = s;
                more.limit_w = gives * rating;
                if (is_cured(more) && base <= 0.9 * more.limit_w)
                    break;
            }
            assert_near(wsk_steps_cure_rating(&s), rating, 1e-6);
            double share = 1;
            for (; share > 0.305; share -= 0.01) {
                const double less[] = {300 * share, 400 * share, 450 * share};
                wsk_steps limited = s;
                limited.card_w = less;
                limited.base_w = base - (1 - share) * 1150;
                if (is_cured(limited))
                    break;
            }
            assert_near(wsk_steps_cure_limits(&s), share > 0.305 ? share : 0, 1e-9);
            for (int pool = 0; pool <= 4; pool += 2) {
                int more = 1;
                const double n = pool ? pool : 1;
                s.pool = pool;
                for (; more < 2 * n; more++) {
                    const double k = n / (n + more), less[] = {300 * k, 400 * k, 450 * k};
                    wsk_steps shared = s;
                    shared.card_w = less;
                    shared.base_w = base * k;
                    if (is_cured(shared) && shared.base_w <= 0.9 * s.limit_w * (1 + 1e-9))
                        break;
                }
                if (more < 2 * n)
                    assert_int_equal(wsk_steps_cure_more(&s), more);
            }
        }
}

/* The table in "Breaker": thermal and instant trips are independent, each uniform in its range. */
static void breakers(void **state)
{
    (void)state;
    static const struct {
        int kind;
        double low, high, tau_s, instant_low, instant_high;
    } of[] = {{WSK_BREAKER_UL, 1.05, 1.32, 150, 8, 15},
              {WSK_BREAKER_B, 1.15, 1.43, 120, 3.05, 4.95},
              {WSK_BREAKER_C, 1.15, 1.43, 120, 5.05, 9.95},
              {WSK_BREAKER_D, 1.15, 1.43, 120, 10.05, 19.95},
              {WSK_BREAKER_JAPAN, 1.02, 1.22, 150, 5.05, 9.95}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const wsk_breaker b = wsk_breaker_of(of[i].kind);
        assert_same(b.tau_s, of[i].tau_s);
        for (double i_h = 0.9; i_h < 1.6; i_h += 0.05)
            for (double m = 1; m < 22; m += 1.5) {
                const double slow = fmin(fmax((i_h - of[i].low) / (of[i].high - of[i].low), 0), 1),
                             fast =
                                 fmin(fmax((m - of[i].instant_low) / (of[i].instant_high - of[i].instant_low), 0), 1);
                assert_near(wsk_breaker_trip(&b, i_h * i_h, m), slow + fast - slow * fast, 1e-9);
            }
    }
}

/* The sentence names the cause, and only cures that help. */
static void sentences(void **state)
{
    (void)state;
    wsk_arena *arena = wsk_arena_new();
    wsk_steps s = unit(3, 1400);
    const char *text = wsk_said_english(arena, wsk_steps_said(arena, &s));
    assert_non_null(strstr(text, "carries 1400 W for a second"));
    assert_non_null(strstr(text, "may trip from 1175 W")); /* 125 %, less 7.5 % for a weak PSU */
    assert_null(strstr(text, "cooler inlet air"));
    s = unit(1, 1150);
    assert_non_null(strstr(wsk_said_english(arena, wsk_steps_said(arena, &s)), "load steps of its cards (1)"));
    s = unit(2, 1150);
    assert_non_null(strstr(wsk_said_english(arena, wsk_steps_said(arena, &s)), "2 cards in step"));
    s.synchronous = false;
    assert_non_null(strstr(wsk_said_english(arena, wsk_steps_said(arena, &s)), "load steps of its cards (2)"));
    s = unit(2, 700); /* the PSU could carry its load, but hot air derates it from 1,000 to 500 W */
    s.limit_w = 500;
    assert_non_null(strstr(wsk_said_english(arena, wsk_steps_said(arena, &s)), "cooler inlet air"));
    s.line_w = 500; /* low voltage limits the PSU */
    text = wsk_said_english(arena, wsk_steps_said(arena, &s));
    assert_null(strstr(text, "cooler inlet air"));
    assert_non_null(strstr(text, "240 V"));
    wsk_arena_free(arena);
}

/* Reads the values of load steps from a rig: two redundant PSUs at a low mains voltage, and a job that swings. */
static void steps_of_a_rig(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(
        "<rig><site supply='120 V' circuit='20 A'/><chassis kind='frame' slots='4'>"
        "<psu id='a' rated='1000 W' redundant='yes' opp='130 %' excursions='atx3' efficiency-20='90 %' "
        "efficiency-50='92 %' efficiency-100='89 %' line-rating='100 V:700 W, 120 V:800 W, 200 V:1000 W' "
        "derate-above='50 degC' derating='2 %/K'/>"
        "<psu id='b' rated='1000 W' redundant='yes' efficiency-20='90 %' efficiency-50='92 %' efficiency-100='89 %'/>"
        "<gpu part='gpu/rtx-3060' slot='1'/></chassis><workload kind='training' class='training' swing-period='400 "
        "ms' "
        "swing-high='120 %' swing-low='70 %'/><run for='1 h'/></rig>",
        0, &rig);
    const wsk_steps s = wsk_steps_of_net(run->net, &run->net->supplies[0], 55 + 273.15, 3600);
    assert_rel(s.rated_w, 1000, 1e-9);
    assert_rel(s.line_w, 800, 1e-9);
    assert_rel(s.limit_w, 800 * (1 - 0.02 * 5), 1e-9);
    assert_same(s.supply_v, 120);
    assert_rel(s.inlet_k, 328.15, 1e-12);
    assert_same(s.opp, 1.3);
    assert_int_equal(s.excursions, WSK_EXCURSIONS_ATX3);
    assert_int_equal(s.pool, 2);
    assert_true(s.synchronous && s.time_s == 3600);
    assert_rel(s.step_s, 0.4, 1e-12);
    assert_rel(s.rise, 0.2, 1e-9);
    assert_rel(s.fall, 0.3, 1e-9);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(strengths),      cmocka_unit_test(swings),
                                       cmocka_unit_test(trips_of_steps), cmocka_unit_test(causes),
                                       cmocka_unit_test(cures),          cmocka_unit_test(breakers),
                                       cmocka_unit_test(sentences),      cmocka_unit_test(steps_of_a_rig)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
