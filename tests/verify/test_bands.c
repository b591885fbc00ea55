/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranges of the results of a run: which states of the run count, and the ends of ranges that a limit cuts. Theory:
 * docs/theory/uncertainty.md */
#include <math.h>
#include <stdio.h>

#include "sim/control/control.h"
#include "sim/study/spread/bands.h"
#include "tests/support/bench.h"

typedef struct {
    double chance, die_c, die_high_c, elastic, year_low, year, year_high, wall_w, wall_low_w, wall_high_w;
    bool hot;
} ranges;

static ranges ranges_of(const char *card, const char *tariff, double for_s)
{
    char xml[2000];
    ranges r;
    wsk_summary *s = NULL;
    snprintf(xml, sizeof xml,
             "<rig><site supply='230 V'><room temperature='24 degC'/>%s</site><chassis "
             "part='chassis/workstation-12-slot'><fan part='fan/generic-120-3000' at='front' count='3'/><fan "
             "part='fan/generic-120-3000' at='rear'/><psu part='psu/tier-gold-1600'/><gpu part='gpu/rtx-2080-blower' "
             "slot='1' %s/></chassis><workload kind='constant' class='training'/></rig>",
             tariff, card);
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, for_s);
    wsk_test_advance(run, for_s);
    assert_int_equal(wsk_bands_find(run), WSK_OK);
    assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
    r.hot = wsk_heat_throttle_s(&run->cards[0]) > 0;
    r.chance = wsk_summary_number(s, WSK_R_THROTTLE_CHANCE, 0);
    r.die_c = wsk_summary_over(s, WSK_R_GPU_DIE_MAX, WSK_OVER_MAX);
    r.die_high_c = wsk_summary_number(s, WSK_R_DIE_HIGH, 0);
    r.elastic = wsk_bands_elastic(s);
    r.year = wsk_summary_number(s, WSK_R_ANNUAL, 0);
    r.year_low = wsk_summary_number(s, WSK_R_ANNUAL_LOW, 0);
    r.year_high = wsk_summary_number(s, WSK_R_ANNUAL_HIGH, 0);
    r.wall_w = wsk_summary_wall_w(s);
    r.wall_low_w = wsk_summary_number(s, WSK_R_WALL_LOW, 0);
    r.wall_high_w = wsk_summary_number(s, WSK_R_WALL_HIGH, 0);
    wsk_summary_free(s);
    wsk_test_drop(run, rig);
    return r;
}

/* After a fan fails, heat slows the card within minutes. If that is the last thousandth of a run, it still happened, and
 * the chance of throttling says so. A failure that comes too late to slow the card does not raise the chance. */
static void a_short_state_counts_if_it_is_hot(void **state)
{
    (void)state;
    const double day_s = 86400;
    const ranges whole = ranges_of("", "", day_s), slowed = ranges_of("fan-fails-at='23.8 h'", "", day_s),
                 late = ranges_of("fan-fails-at='86390 s'", "", day_s);
    assert_true(!whole.hot && slowed.hot && !late.hot);
    assert_true(whole.chance < 0.5 && slowed.chance > 0.9);
    assert_near(late.chance, whole.chance, 1e-9);
    assert_near(late.wall_high_w - late.wall_w, whole.wall_high_w - whole.wall_w, 0.1);
}

/* Without a tariff the bill follows the energy. Charges that do not depend on the energy make its range narrower. */
static void standing_charges_have_no_doubt(void **state)
{
    (void)state;
    const double for_s = 7200;
    const ranges none = ranges_of("", "", for_s),
                 flat = ranges_of("", "<tariff kind='flat' price='0.3 EUR/kWh'/>", for_s),
                 standing = ranges_of("", "<tariff kind='flat' price='0.3 EUR/kWh' standing-day='4 EUR'/>", for_s);
    assert_near(none.elastic, 1, 0);
    assert_near(flat.elastic, 1, 1e-9);
    assert_near(standing.elastic, flat.year / standing.year, 1e-6);
    assert_near(standing.year - flat.year, 4 * 365, 0.01);
    assert_near(standing.year_high - standing.year, flat.year_high - flat.year, 0.01);
    assert_near(standing.year_low - standing.year, flat.year_low - flat.year, 0.01);
    assert_near((flat.year_high - flat.year) / flat.year, (flat.wall_high_w - flat.wall_w) / flat.wall_w, 1e-3);
    assert_true(flat.year_low < flat.year && flat.wall_low_w < flat.wall_w);
}

/* No die gets hotter than the temperature at which the card shuts down, unless its power is pinned. */
static void a_range_ends_at_the_shutdown(void **state)
{
    (void)state;
    char card[200];
    const ranges cool = ranges_of("target-temperature='150 degC' slowdown-temperature='150 degC' "
                                  "shutdown-temperature='150 degC'",
                                  "", 7200);
    const double span_k = cool.die_high_c - cool.die_c;
    assert_true(span_k > 1);
    snprintf(card, sizeof card,
             "target-temperature='150 degC' slowdown-temperature='150 degC' shutdown-temperature='%.2f degC'",
             cool.die_c + 0.5 * span_k);
    const ranges cut = ranges_of(card, "", 7200);
    assert_near(cut.die_c, cool.die_c, 0.1);
    assert_near(cut.die_high_c, cool.die_c + 0.5 * span_k, 0.01);
}

/* Evaluations load two GTX 1080 more than the training between them. They throttle then, and not at the mean load. */
static void a_run_that_throttles_has_at_least_an_even_chance(void **state)
{
    (void)state;
    static const char form[] =
        "<rig><site supply='230 V'><room temperature='%s degC'/></site><chassis "
        "part='chassis/full-tower-8-slot'><fan "
        "part='fan/generic-120-1500' at='front' count='2' blocked='40%%'/><fan part='fan/generic-120-1500' "
        "at='rear'/><psu part='psu/tier-gold-1000'/><gpu part='gpu/gtx-1080' slot='1'/><gpu part='gpu/gtx-1080' "
        "slot='4'/></chassis><workload class='training' data-share='30%%' evaluate-every='1 h' evaluate-takes='10 "
        "min'/></rig>";
    const double for_s = 12 * 3600;
    for (int hot = 0; hot < 2; hot++) {
        char xml[1000];
        snprintf(xml, sizeof xml, form, hot ? "28" : "10");
        wsk_rig *rig = wsk_test_rig(xml, NULL);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, for_s);
        wsk_test_advance(run, for_s);
        const double share = wsk_heat_throttle_s(&run->cards[1]) / for_s;
        assert_int_equal(wsk_bands_find(run), WSK_OK);
        assert_true(hot ? share > 0.01 && share < 0.5 && run->bands->throttles == 0.5
                        : share == 0 && run->bands->throttles < 0.05);
        wsk_test_drop(run, rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_short_state_counts_if_it_is_hot),
                                       cmocka_unit_test(standing_charges_have_no_doubt),
                                       cmocka_unit_test(a_range_ends_at_the_shutdown),
                                       cmocka_unit_test(a_run_that_throttles_has_at_least_an_even_chance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
