/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranges of the results of a run: which states of the run count, and the ends of ranges that a limit cuts. Theory:
 * docs/theory/uncertainty.md */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/api.h"
#include "sim/books/observe.h"
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
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(xml, for_s, &rig);
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

/* The power at the wall includes other AC loads, which are exact, and the losses of a UPS, which are not. */
static void the_wall_has_all_that_hangs_on_it(void **state)
{
    (void)state;
    const double for_s = 7200;
    const ranges alone = ranges_of("", "", for_s), loaded = ranges_of("/><load ac='1000 W'", "", for_s),
                 ups = ranges_of("", "<ups rated='2 kW'/>", for_s),
                 exact = ranges_of("", "<ups rated='2 kW' efficiency-25='90 %' efficiency-100='93 %'/>", for_s);
    assert_near(loaded.wall_w, alone.wall_w + 1000, 0.1);
    assert_near(loaded.wall_high_w - loaded.wall_w, alone.wall_high_w - alone.wall_w, 0.1);
    assert_near(loaded.wall_w - loaded.wall_low_w, alone.wall_w - alone.wall_low_w, 0.1);
    assert_near(ups.wall_w, exact.wall_w, 0.1);
    assert_true(ups.wall_high_w > exact.wall_high_w + 0.5 && ups.wall_low_w < exact.wall_low_w - 0.5);
}

/* The power of an air conditioner that is much larger than its load rises by half a kilowatt for each hundredth of a
 * kelvin, to which a steady point is known. Effects on the power of the site are free of it. */
static void a_large_air_conditioner_has_no_doubt_of_its_own(void **state)
{
    (void)state;
    static const char xml[] =
        "<rig><site supply='230 V'><room volume='60 m3' conductance='60 W/K'><outdoor mean='25 "
        "degC'/><air-conditioner "
        "capacity='200 kW' setpoint='24 degC'/></room><ups rated='2 kW'/><pdu rated='2 kW'/></site><chassis "
        "part='chassis/workstation-12-slot'><fan part='fan/generic-120-3000' at='front' count='3'/><psu "
        "part='psu/tier-gold-1600'/><gpu part='gpu/rtx-2080-blower' slot='1'/></chassis><workload kind='constant' "
        "class='training'/></rig>";
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_arena *arena = wsk_arena_new();
    wsk_summary *sum = NULL;
    wsk_spreads s;
    assert_int_equal(wsk_steady_summary(&sum, rig, WSK_STEPPER_FAST, 0, NULL), WSK_OK);
    assert_int_equal(wsk_spreads_solve(&s, arena, rig->net, WSK_STEPPER_FAST), WSK_OK);
    assert_near(s.base.site_w,
                wsk_summary_wall_w(sum) + wsk_summary_number(sum, WSK_R_ROOM_COOLING_KWH, 0) * 3.6e6 /
                                              wsk_summary_number(sum, WSK_R_SIMULATED, 0),
                1);
    bool found = false;
    for (int i = 0; i < s.n_source; i++)
        if (strcmp(s.sources[i].key, "pdu:efficiency") == 0) {
            const wsk_spread_source *pdu = &s.sources[i];
            found = true;
            assert_near(pdu->lowered.site_rel, pdu->lowered.wall_rel, 3e-3);
            assert_near(pdu->raised.site_rel, pdu->raised.wall_rel, 3e-3);
        }
    assert_true(found);
    wsk_summary_free(sum);
    wsk_arena_free(arena);
    wsk_rig_free(rig);
}

/* The range of watts is the mean over time of those of the states, in watts: a card that is lost at half of the run
 * leaves a machine that draws less, with a smaller range. */
static void the_range_of_watts_is_a_mean_of_watts(void **state)
{
    (void)state;
    const double for_s = 7200;
    const ranges whole = ranges_of("", "", for_s), none = ranges_of("lost-at='0 s'", "", for_s),
                 half = ranges_of("lost-at='1 h'", "", for_s);
    assert_true(whole.wall_w > 2 * none.wall_w);
    assert_near(half.wall_high_w - half.wall_w,
                0.5 * (whole.wall_high_w - whole.wall_w) + 0.5 * (none.wall_high_w - none.wall_w), 0.2);
    assert_near(half.wall_w - half.wall_low_w,
                0.5 * (whole.wall_w - whole.wall_low_w) + 0.5 * (none.wall_w - none.wall_low_w), 0.2);
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

static wsk_bands bands_in(const char *room, const char *card, double *hottest_c, bool *told)
{
    char xml[1000];
    const double for_s = 2 * 86400;
    snprintf(xml, sizeof xml,
             "<rig><site supply='230 V'><room %s</room></site><chassis "
             "part='chassis/full-tower-8-slot'><fan part='fan/generic-120-1500' at='front' count='2'/><fan "
             "part='fan/generic-120-1500' at='rear'/><psu part='psu/tier-gold-1000'/><gpu part='gpu/rtx-3090' "
             "slot='1' %s/></chassis><workload kind='constant' class='training'/></rig>",
             room, card);
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(xml, for_s, &rig);
    assert_int_equal(wsk_bands_find(run), WSK_OK);
    const wsk_bands found = *run->bands;
    *hottest_c = wsk_var_high(run, WSK_VAR_CARD_DIE_C, 0);
    *told = wsk_heat_is_told(run);
    wsk_test_drop(run, rig);
    return found;
}

/* In its warmest hours a run is nearer to the limit than at the mean outdoors, and no nearer than where it is always as
 * warm. The chance of throttling is that of these hours. */
static void warm_hours_raise_the_chance(void **state)
{
    (void)state;
    double mean_c, day_c, warm_c;
    bool told[3];
    const wsk_bands mean =
                        bands_in("conductance='40 W/K'><outdoor mean='14 degC' swing='0 K'/>", "", &mean_c, &told[0]),
                    day =
                        bands_in("conductance='40 W/K'><outdoor mean='14 degC' swing='6 K'/>", "", &day_c, &told[1]),
                    warm =
                        bands_in("conductance='40 W/K'><outdoor mean='20 degC' swing='0 K'/>", "", &warm_c, &told[2]);
    assert_true(!told[0] && !told[1] && !told[2]);
    assert_true(mean_c + 2 < day_c && day_c < warm_c + 0.2);
    assert_true(mean.throttles > 0.01 && warm.throttles < 0.5);
    /* as far between the two as its hottest die */
    const double share = (day_c - mean_c) / (warm_c - mean_c), least = mean.throttles,
                 want = least + share * (warm.throttles - least);
    assert_true(warm.throttles - least > 0.03);
    assert_near(day.throttles, want, 0.25 * (warm.throttles - least));
}

/* A steady point takes the mean of a schedule of power limits. The run is as near to the limit as at the highest of them. */
static void a_schedule_has_the_chance_of_its_highest_limit(void **state)
{
    (void)state;
    double always_c, half_c;
    bool told[2];
    const wsk_bands always = bands_in("temperature='22 degC'>", "power-limit='350 W'", &always_c, &told[0]),
                    half = bands_in("temperature='22 degC'>", "limit-schedule='0:00:150 W, 12:00:350 W'", &half_c,
                                    &told[1]);
    assert_true(!told[0] && !told[1] && always.throttles > 0.02);
    assert_near(half_c, always_c, 0.5);
    assert_near(half.throttles, always.throttles, 0.25 * always.throttles);
}

/* Time under the power brake is neither time limited by heat nor taken off it. */
static void the_brake_is_not_heat(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig("<rig><chassis><psu part='psu/tier-gold-1600'/><gpu part='gpu/rtx-2080-blower' "
                                "slot='1'/></chassis><workload kind='constant' class='training'/></rig>",
                                NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 1000);
    wsk_test_advance(run, 1000);
    int64_t *held_ns = run->cards[0].throttle_ns;
    memset(held_ns, 0, WSK_REASONS * sizeof *held_ns);
    held_ns[4] = 500 * WSK_NS;
    assert_false(wsk_heat_is_told(run));
    held_ns[1] = 300 * WSK_NS;
    assert_true(wsk_heat_is_told(run));
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_short_state_counts_if_it_is_hot),
                                       cmocka_unit_test(standing_charges_have_no_doubt),
                                       cmocka_unit_test(a_large_air_conditioner_has_no_doubt_of_its_own),
                                       cmocka_unit_test(the_wall_has_all_that_hangs_on_it),
                                       cmocka_unit_test(the_range_of_watts_is_a_mean_of_watts),
                                       cmocka_unit_test(a_range_ends_at_the_shutdown),

                                       cmocka_unit_test(a_run_that_throttles_has_at_least_an_even_chance),
                                       cmocka_unit_test(warm_hours_raise_the_chance),
                                       cmocka_unit_test(a_schedule_has_the_chance_of_its_highest_limit),
                                       cmocka_unit_test(the_brake_is_not_heat)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
