/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The power brake of a chassis: pulled in the tick in which a PSU carries more than it may give, let go when each PSU
 * would carry at most 95 % of that at full clocks. docs/theory/governor.md, "Governor: power-brake" */
#include <stdio.h>

#include "tests/support/bench.h"

#define CARD(id, slot) \
    "<gpu id='" id "' slot='" slot "' tdp='300 W' power-limit-min='100 W' clock-max='1900 MHz' clock-min='300 MHz' " \
    "clock-knee='1300 MHz' voltage-slope='0.5 1/GHz'><cooler kind='blower' conductance='30 W/K' " \
    "flow='90 m3/h' drop='120 Pa' diameter='65 mm' fan-pressure='400 Pa' fan-flow='120 m3/h' fan-rpm='3000 rpm' " \
    "rpm-min='1000 rpm' capacity='600 J/K'/></gpu>"
#define PSU(id, rated, more) \
    "<psu kind='constant' id='" id "' rated='" rated "' efficiency='90 %' imbalance='0 %' " more "/>"
#define RIG(brake, psus) \
    "<rig><site supply='230 V'><room temperature='22 degC'/></site><chassis power-brake='" brake \
    "'><fan at='front' " \
    "count='3' pressure='40 Pa' flow='180 m3/h' rpm='1600 rpm' power='5 W'/>" psus CARD("x", "1") \
        CARD("y", "4") "</chassis><workload kind='constant' class='burn'/><run for='2 h' step='1 s'/></rig>"
#define MUCH "2000 W"
#define PULLED "power-brake.psu-over\n"
#define LET_GO "power-brake-ends.psu-fits\n"

static wsk_run *run_to(const char *xml, double until_s, bool leap, wsk_rig **rig)
{
    const wsk_run_options options = {.duration_s = 7200, .leap = leap};
    wsk_run *run;
    *rig = wsk_test_rig(xml, NULL);
    assert_int_equal(wsk_run_new(&run, *rig, &options), WSK_OK);
    wsk_test_advance(run, until_s);
    return run;
}

static bool is_braked(const wsk_run *run, const char *card)
{
    char name[32];
    snprintf(name, sizeof name, "%s.reasons", card);
    return ((int)wsk_test_get(run, name) & 0x80) != 0;
}

static void limit_both(wsk_run *run, double limit_w)
{
    assert_int_equal(wsk_run_set(run, "x.power_limit_w", limit_w), WSK_OK);
    assert_int_equal(wsk_run_set(run, "y.power_limit_w", limit_w), WSK_OK);
}

/* A rig whose PSUs may give much is never braked, and tells what its PSUs carry at a limit of 300 W and what they carry
 * besides the cards. */
static double besides_w(void)
{
    wsk_rig *rig;
    wsk_run *run = run_to(RIG("yes", PSU("p", MUCH, "")), 1200, false, &rig);
    const double cards = wsk_test_get(run, "x.power_w") + wsk_test_get(run, "y.power_w"),
                 besides = wsk_test_get(run, "p.output_w") - cards;
    assert_near(cards, 600, 2);
    assert_true(besides > 10 && besides < 100);
    assert_int_equal(wsk_test_events(run, PULLED), 0);
    assert_false(is_braked(run, "x"));
    wsk_test_drop(run, rig);
    return besides;
}

typedef struct {
    const char *xml;
    double may_give_w; /* of all PSUs together, with the load divided evenly */
} build;

/* PSUs that may give 605 W in all: too little for two cards of 300 W and the fans. */
static const build builds[] = {
    {RIG("yes", PSU("p", "605 W", "")), 605},
    {RIG("yes", PSU("p", "302.5 W", "redundant='yes'") PSU("q", "302.5 W", "redundant='yes'")), 605},
};

static void pulled_and_let_go(void **state)
{
    (void)state;
    const double besides = besides_w();
    for (size_t k = 0; k < 2 * sizeof builds / sizeof *builds; k++) {
        const size_t i = k / 2;
        wsk_rig *rig;
        wsk_run *run = run_to(builds[i].xml, 600, k % 2, &rig);
        const double at = (builds[i].may_give_w - besides) / 2; /* limit of a card at which the PSUs are full */
        assert_true(at > 280 && at < 300);
        /* the full load is above what may be given, so that the brake stays on, and is told once */
        assert_true(is_braked(run, "x") && is_braked(run, "y"));
        assert_true(wsk_test_get(run, "x.clock_mhz") < 0.6 * 1900);
        assert_true(wsk_test_get(run, "p.output_w") < 0.75 * 605);
        assert_near(wsk_test_get(run, "x.held_brake_s"), 600, 1.01);
        assert_int_equal(wsk_test_events(run, PULLED), 1);
        assert_near(wsk_test_get(run, "p.over_s"), 0, 0);
        /* with 3 % left it stays on, with 7 % left it is let go, and the clock returns after the dwell of 10 s */
        limit_both(run, (0.97 * builds[i].may_give_w - besides) / 2);
        wsk_test_advance(run, 660);
        assert_true(is_braked(run, "x"));
        limit_both(run, (0.93 * builds[i].may_give_w - besides) / 2);
        wsk_test_advance(run, 668);
        assert_true(is_braked(run, "x"));
        assert_int_equal(wsk_test_events(run, LET_GO), 1);
        wsk_test_advance(run, 675);
        assert_false(is_braked(run, "x") || is_braked(run, "y"));
        assert_near(wsk_test_get(run, "x.held_brake_s"), 671, 2.01);
        /* at full clocks it stays off up to the limit, and is pulled beyond it */
        limit_both(run, at - 2);
        wsk_test_advance(run, 900);
        assert_false(is_braked(run, "x"));
        assert_true(wsk_test_get(run, "x.power_w") > at - 3);
        limit_both(run, at + 2);
        wsk_test_advance(run, 903);
        assert_true(is_braked(run, "x") && is_braked(run, "y"));
        assert_int_equal(wsk_test_events(run, PULLED), 2);
        assert_near(wsk_test_get(run, "p.over_s"), 0, 0);
        wsk_test_drop(run, rig);
    }
}

/* Without the brake the PSU carries the overload, which is told once; its time and its highest output count. */
static void without_a_brake_it_is_overloaded(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = run_to(RIG("no", PSU("p", "605 W", "")), 600, false, &rig);
    assert_false(is_braked(run, "x"));
    assert_near(wsk_test_get(run, "p.output_w"), 600 + besides_w(), 2);
    assert_true(wsk_test_get(run, "p.over_s") > 590);
    assert_int_equal(wsk_test_events(run, "over-rating"), 1);
    assert_true(run->supplies[0].dc_peak_w >= wsk_test_get(run, "p.output_w"));
    limit_both(run, 200);
    wsk_test_advance(run, 700);
    const double over_s = wsk_test_get(run, "p.over_s"), peak_w = run->supplies[0].dc_peak_w;
    wsk_test_advance(run, 1200);
    assert_near(wsk_test_get(run, "p.over_s"), over_s, 0);
    assert_near(run->supplies[0].dc_peak_w, peak_w, 0);
    wsk_test_drop(run, rig);
}

/* One of two redundant PSUs that fails leaves the other with the whole load, and the brake acts at once; when the PSU is
 * back, half of the load is far below what each may give. */
static void a_failed_psu_pulls_it(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = run_to(RIG("yes", PSU("p", "500 W", "redundant='yes'") PSU("q", "500 W", "redundant='yes'")), 600,
                          false, &rig);
    assert_false(is_braked(run, "x"));
    assert_near(wsk_test_get(run, "p.output_w"), wsk_test_get(run, "q.output_w"), 1e-9);
    assert_int_equal(wsk_run_set(run, "q.on", 0), WSK_OK);
    wsk_test_advance(run, 602);
    assert_true(is_braked(run, "x") && is_braked(run, "y"));
    assert_near(wsk_test_get(run, "q.output_w"), 0, 0);
    assert_near(wsk_test_get(run, "p.over_s"), 0, 0);
    assert_int_equal(wsk_run_set(run, "q.on", 1), WSK_OK);
    wsk_test_advance(run, 620);
    assert_false(is_braked(run, "x") || is_braked(run, "y"));
    assert_near(wsk_test_get(run, "x.power_w"), 300, 2);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pulled_and_let_go),
                                       cmocka_unit_test(without_a_brake_it_is_overloaded),
                                       cmocka_unit_test(a_failed_psu_pulls_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
