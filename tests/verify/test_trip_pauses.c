/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads with long pauses: a power limit holds the power between the pauses, and PSUs, breakers and meters see that
 * power, not its mean. Theory: docs/theory/trip.md */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/books/observe.h"
#include "sim/step/step.h"
#include "sim/study/check/check.h"
#include "sim/study/trip/trip.h"
#include "tests/support/bench.h"

static const double p0_w = 60, duty = 0.6;

typedef struct {
    wsk_rig *rig;
    wsk_run *run;
    double card_w[WSK_STEP_CARDS];
    wsk_steps steps;
    double mean_w, load_w; /* of the first card; highest load of the PSU */
} bench;

static bench run_load(const char *card, const char *pauses, const char *load, double rated_w, double for_s)
{
    char xml[3000], cards[2][1000];
    bench b;
    for (int i = 0; i < 2; i++)
        snprintf(
            cards[i], sizeof cards[i],
            "<gpu slot='%d' tdp='300 W' idle='20 W' clock-max='1900 MHz' clock-min='300 MHz' clock-knee='1300 MHz' "
            "voltage-slope='0.5 1/GHz' leakage='0 W' boost-loss='0 MHz/K' %s><class name='training' p0='60 W' "
            "c='150 W/GHz' clock-share='90 %%' duty='60 %%' %s/><cooler kind='blower' conductance='18 W/K' flow='60 "
            "m3/h' drop='120 Pa' diameter='65 mm' fan-pressure='400 Pa' fan-flow='80 m3/h' fan-rpm='3000 rpm' "
            "rpm-min='2900 rpm' capacity='600 J/K'/></gpu>",
            1 + 4 * i, card, pauses);
    snprintf(xml, sizeof xml,
             "<rig><site supply='230 V' circuit='16 A'><room temperature='25 degC'/></site><chassis slots='9'><psu "
             "kind='constant' rated='%g W' efficiency='90 %%'/>%s%s</chassis><workload "
             "class='training' %s/></rig>",
             rated_w, cards[0], cards[1], load);
    b.rig = wsk_test_rig(xml, NULL);
    b.run = wsk_test_run(b.rig, WSK_STEPPER_FAST, for_s);
    wsk_test_advance(b.run, for_s);
    b.steps = wsk_steps_of_run(b.run, 0, for_s, b.card_w);
    b.mean_w = wsk_var_high(b.run, WSK_VAR_CARD_POWER_W, 0);
    b.load_w = b.run->supplies[0].dc_peak_w;
    return b;
}

static bench run_for(const char *card, const char *pauses, double rated_w, double for_s)
{
    return run_load(card, pauses, "kind='constant'", rated_w, for_s);
}

static void drop(bench *b)
{
    wsk_test_drop(b->run, b->rig);
}

static void steps_rise_from_between_the_pauses(void **state)
{
    (void)state;
    static const struct {
        const char *card, *pauses;
        double watts; /* between the pauses; NAN: follows from the mean */
    } cases[] = {{"power-limit='200 W'", "long-pauses='yes'", 200},
                 {"power-limit='600 W' power-limit-max='600 W'", "long-pauses='yes'", NAN},
                 {"power-limit='200 W'", "long-pauses='no'", 0},
                 {"power='170 W'", "long-pauses='yes'", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench b = run_for(cases[i].card, cases[i].pauses, 1600, 3600);
        const double given = p0_w + (b.mean_w - p0_w) / duty, between = cases[i].watts > 0      ? cases[i].watts
                                                                        : isnan(cases[i].watts) ? given
                                                                                                : b.mean_w;
        if (!(fabs(b.card_w[0] - between) < 0.02 * between))
            fail_msg("%s, %s: %.1f W of a mean of %.1f, expected %.1f", cases[i].card, cases[i].pauses, b.card_w[0],
                     b.mean_w, between);
        assert_near(b.steps.base_w, b.load_w + 2 * (b.card_w[0] - b.mean_w), 0.01);
        assert_true(cases[i].watts == 0 ? fabs(b.card_w[0] - b.mean_w) < 1e-9 : b.card_w[0] > 1.1 * b.mean_w);
        drop(&b);
    }
}

/* Cards that answer requests for a part of the time draw as much while they do as cards that always work, and a meter
 * shows it, whether a limit binds or not. */
static void a_meter_sees_cards_that_have_work(void **state)
{
    (void)state;
    static const char *const limits[] = {"power-limit='300 W'", "power-limit='150 W'"};
    for (size_t i = 0; i < 2; i++) {
        bench always = run_for(limits[i], "long-pauses='no'", 1600, 3600),
              partly = run_load(limits[i], "long-pauses='no'", "kind='inference' load-curve='24 h:30 %'", 1600, 3600);
        assert_true(partly.mean_w < 0.6 * always.mean_w);
        assert_near(partly.card_w[0], always.mean_w, 0.02 * always.mean_w);
        assert_near(wsk_wall_meter_w(partly.run), wsk_wall_meter_w(always.run), 0.02 * wsk_wall_meter_w(always.run));
        drop(&always);
        drop(&partly);
    }
}

/* A card that heat slows until it never waits has no higher power than its mean. */
static void a_slow_card_does_not_wait(void **state)
{
    (void)state;
    bench slow = run_load("target-temperature='40 degC' slowdown-temperature='45 degC'", "long-pauses='no'",
                          "kind='inference' load-curve='24 h:80 %'", 1600, 3600);
    const double work = wsk_sum_value(&slow.run->cards[0].work) / 3600;
    assert_true(work < 0.75);
    assert_near(slow.card_w[0], slow.mean_w, 0.03 * slow.mean_w);
    drop(&slow);
}

/* A steady point is judged over a day: it does not say that nothing trips where the PSU does. */
static void steady_tells(const bench *b, bool trips)
{
    char *json = NULL, *page = NULL;
    wsk_run *steady = NULL;
    bool cycling;
    assert_int_equal(wsk_steady_solve(&steady, b->run->net, WSK_STEPPER_FAST, &cycling, NULL, NULL), WSK_OK);
    const double p = wsk_supply_trip(steady, 0);
    assert_true(trips ? p > 0.99 : p < 0.01);
    assert_int_equal(wsk_steady_page(b->rig, WSK_STEPPER_FAST, 0, NULL, &json, &page), WSK_OK);
    assert_int_equal(strstr(page, "Nothing trips") != NULL, !trips);
    assert_int_equal(strstr(page, "psu0 would trip") != NULL, trips);
    wsk_text_free(json);
    wsk_text_free(page);
    wsk_run_free(steady);
}

/* A PSU that carries the mean, but not the load between the pauses, trips; a meter shows that load. */
static void a_psu_trips_between_the_pauses(void **state)
{
    (void)state;
    const double for_s = 3600;
    bench large = run_for("power-limit='250 W'", "long-pauses='yes'", 1600, for_s),
          shorter = run_for("power-limit='250 W'", "long-pauses='no'", 1600, for_s);
    const double mean = large.load_w, between = large.steps.base_w;
    assert_true(between > 1.2 * mean);
    assert_true(wsk_wall_meter_w(large.run) >= between / 0.9);
    assert_true(wsk_wall_meter_w(large.run) - wsk_wall_meter_w(shorter.run) <
                (between - shorter.steps.base_w) / 0.9 * 1.2 + 1);
    bench small = run_for("power-limit='250 W'", "long-pauses='yes'", between / 1.35, for_s);
    assert_true(small.load_w < small.steps.limit_w);
    assert_true(wsk_supply_trip(small.run, 0) > 0.99);
    steady_tells(&large, false);
    steady_tells(&small, true);
    drop(&large);
    drop(&shorter);
    drop(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_rise_from_between_the_pauses), cmocka_unit_test(a_meter_sees_cards_that_have_work),
        cmocka_unit_test(a_slow_card_does_not_wait), cmocka_unit_test(a_psu_trips_between_the_pauses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
