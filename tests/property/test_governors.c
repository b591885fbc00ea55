/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Governors lower a card's clock for heat or for an overloaded PSU. */
#define _XOPEN_SOURCE 700
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "sim/api.h"
#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/step/step.h"
#include "sim/study/trip/trip.h"
#include "tests/property/governors.h"

static void test_memory_limited(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(PLAIN("memory-limit='90 degC' memory-power='60 W' memory-resistance='1 K/W'"),
                                   3 * 3600, &rig);
    const wsk_card_state *s = &run->cards[0];
    assert_true(s->throttle_ns[3] > 3600 * WSK_NS);
    assert_int_equal(s->throttle_ns[1] + s->throttle_ns[2], 0);
    assert_near(wsk_test_get(run, "gpu0.memory_c"), 90, 2);
    assert_true(wsk_sum_value(&s->work) < 0.98 * wsk_sum_value(&s->work_cool));
    assert_true(told(run, "sw_thermal_slowdown (memory)"));
    char *json = wsk_test_summary(run);
    assert_null(strstr(json, "\"memory\": null"));
    wsk_text_free(json);
    wsk_test_drop(run, rig);
    run = wsk_test_run_to(PLAIN(""), 60, &rig);
    json = wsk_test_summary(run);
    assert_non_null(strstr(json, "\"memory\": null"));
    wsk_text_free(json);
    wsk_test_drop(run, rig);
}

/* The hottest point of the die limits a card whose sensor is far below the thermal target. */
static void test_hot_spot_limited(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(PLAIN("hotspot-offset='4 K' hotspot-resistance='0.08 K/W'"), 3600, &rig);
    const double over_k = 4 + 0.08 * run->cards[0].die_w, spot_c = wsk_test_get(run, "gpu0.hotspot_c");
    assert_near(spot_c, wsk_test_get(run, "gpu0.die_c") + over_k, 0.1);
    assert_int_equal(run->cards[0].throttle_ns[1], 0);
    wsk_test_drop(run, rig);
    char xml[4096];
    snprintf(xml, sizeof xml, PLAIN("hotspot-offset='4 K' hotspot-resistance='0.08 K/W' hotspot-limit='%.1f degC'"),
             spot_c - 8);
    run = wsk_test_run_to(xml, 3600, &rig);
    assert_near(wsk_test_get(run, "gpu0.hotspot_c"), spot_c - 8, 2);
    assert_true(run->cards[0].throttle_ns[1] > 1800 * WSK_NS);
    assert_true(told(run, "gpu0,throttle,sw_thermal_slowdown"));
    wsk_test_drop(run, rig);
}

#define V100(limit) \
    "<rig><site supply='120 V'><room temperature='35 degC'/></site><chassis slots='8'><fan at='front' count='2' " \
    "pressure='11.9 Pa' flow='37 CFM' rpm='900 rpm'/>" \
    "<vent at='rear' area='100 cm2'/><gpu part='gpu/v100-pcie' clock-knee='1141 MHz' voltage-slope='0.29 1/GHz' " \
    "slot='1' power-limit='" limit \
    "' memory-power='59 W'><cooler part='cooler/v100-pcie-shroud-40'/></gpu></chassis>" \
    "<workload kind='constant' class='burn' memory-traffic='50 %'/><run for='4 h'/></rig>"

/* A V100 in a tower, with the highest memory temperatures measured at three power limits (file of
 * github.com/bradrlaw/ai-server: docs/data/comfyui-power-sweep-video-20260804.csv). The governor reacts late,
 * and then lowers the clock until the memory is below its limit. So with 250 W the card does more work in the first
 * minutes than with 175 W, and less from then on. */
static void test_a_higher_limit_slows_a_memory_limited_card(void **state)
{
    (void)state;
    static const struct {
        const char *xml;
        double memory_c;
    } rows[] = {{V100("175 W"), 86}, {V100("200 W"), 87}, {V100("250 W"), 93}};
    double early[3], late[3];
    for (int i = 0; i < 3; i++) {
        wsk_rig *rig = wsk_test_rig(rows[i].xml, NULL);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 4 * 3600);
        wsk_test_advance(run, 600);
        early[i] = wsk_sum_value(&run->cards[0].work);
        wsk_test_advance(run, 7200);
        late[i] = -wsk_sum_value(&run->cards[0].work);
        wsk_test_advance(run, 4 * 3600);
        late[i] += wsk_sum_value(&run->cards[0].work);
        assert_near(wsk_var_high(run, WSK_VAR_CARD_MEMORY_C, 0), rows[i].memory_c, 1.5);
        assert_false(told(run, "hunts"));
        wsk_test_drop(run, rig);
    }
    assert_true(early[2] > early[1] && early[1] > early[0]);
    assert_true(late[2] < 0.997 * late[0] && late[2] > 0.97 * late[0]);
}

#define H100(slot) "<gpu part='gpu/h100-pcie-duct' slot='" slot "'/>"
/* A server with eight H100 and three redundant PSUs. second, third: more attributes of the second and third PSU,
 * such as fails-at. */
#define SERVER(brake, rated, second, third) \
    "<rig><site supply='230 V' circuit='32 A'><room temperature='24 degC'/></site><chassis " \
    "part='chassis/server-4u-8gpu' power-brake='" brake "'>" \
    "<psu part='psu/server-platinum-1600' rated='" rated "' line-rating='100 V:800 W, 180 V:" rated \
    "' redundant='yes'/>" \
    "<psu part='psu/server-platinum-1600' rated='" rated "' line-rating='100 V:800 W, 180 V:" rated \
    "' redundant='yes' " second "/>" \
    "<psu part='psu/server-platinum-1600' rated='" rated "' line-rating='100 V:800 W, 180 V:" rated \
    "' redundant='yes' " third "/>" \
    "<cpu name='two processors' power='200 W' idle='120 W' conductance='20 W/K' flow='80 CFM' board='150 W'/>" H100( \
        "1") H100("3") H100("5") H100("7") H100("9") H100("11") H100("13") \
        H100("15") "</chassis>" \
                   "<workload kind='training' class='training'/><run for='2 h'/></rig>"

/* fails_s: time from which the remaining PSUs are too small. */
static void check_brake(const char *braked, const char *plain, double fails_s)
{
    for (int stepper = 0; stepper < 2; stepper++) {
        wsk_rig *rig = wsk_test_rig(braked, NULL);
        wsk_run *run = wsk_test_run(rig, (wsk_stepper)stepper, 7200);
        wsk_test_advance(run, fails_s);
        double before = run->cards[0].clock_hz, work = wsk_sum_value(&run->cards[0].work);
        assert_int_equal(run->cards[0].throttle_ns[4], 0);
        wsk_test_advance(run, fails_s + 1);
        for (int i = 0; i < 8; i++) {
            assert_rel(run->cards[i].clock_hz, before / 2, 1e-3);
            assert_int_equal(run->cards[i].reasons, WSK_REASON_BRAKE);
        }
        wsk_test_advance(run, 7200);
        double after = wsk_sum_value(&run->cards[0].work) - work;
        assert_true(after > 0.3 * work * (7200 - fails_s) / fails_s &&
                    after < 0.8 * work * (7200 - fails_s) / fails_s);
        for (int i = 0; i < run->net->n_supply; i++) {
            assert_true(run->supplies[i].peak_rel <= 1 && run->supplies[i].over_ns == 0);
            assert_true(run->supplies[i].failed || wsk_supply_trip(run, i) < 0.005);
        }
        assert_true(run->cards[0].throttle_ns[4] == (int64_t)((7200 - fails_s) * 1e9));
        assert_true(wsk_heat_throttle_s(&run->cards[0]) == 0);
        assert_true(wsk_residual(run) <= 1e-9);
        char *text = NULL, *json = wsk_test_summary(run);
        assert_int_equal(wsk_run_events_csv(run, false, &text), WSK_OK);
        assert_non_null(strstr(text, "chassis0,power brake,"));
        assert_non_null(strstr(text, "gpu7,throttle,hw_power_brake_slowdown"));
        assert_null(strstr(strstr(text, "power brake,") + 1, "power brake"));
        wsk_text_free(text);
        assert_non_null(strstr(json, "\"power_brake\": "));
        wsk_text_free(json);
        wsk_test_drop(run, rig);
        run = wsk_test_run_to(plain, 7200, &rig);
        assert_true(run->supplies[0].peak_rel > 1);
        assert_true(wsk_supply_trip(run, 0) > 0.2);
        wsk_test_drop(run, rig);
    }
}

static void test_power_brake(void **state)
{
    (void)state;
    /* In the first rig one of three PSUs fails, and the other two are too small. In the second rig two of three
     * fail, and the last one is too small. */
    check_brake(SERVER("yes", "1600 W", "", "fails-at='1 h'"), SERVER("no", "1600 W", "", "fails-at='1 h'"), 3600);
    check_brake(SERVER("yes", "2200 W", "fails-at='1.5 h'", "fails-at='0.5 h'"),
                SERVER("no", "2200 W", "fails-at='1.5 h'", "fails-at='0.5 h'"), 5400);
}

/* The clock of the upper card hunts with a period that does not divide the windows of the search, so that its means go
 * up and down by 0.4 K for hours. The search ends all the same, by ticks and by leaps at about the same mean. */
static void test_means_that_swing_are_settled(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/spacing/two-open-air.xml");
    wsk_run *steady = NULL, *leaps = NULL;
    bool cycling;
    double drift_k;
    assert_int_equal(wsk_steady_solve(&steady, rig->net, WSK_STEPPER_FAST, &cycling, NULL, &drift_k), WSK_OK);
    assert_int_equal(wsk_steady_leap(&leaps, rig->net, WSK_STEPPER_FAST), WSK_OK);
    assert_true(cycling && drift_k == 0);
    assert_true(wsk_time_s(steady) <= 3600 && wsk_time_s(leaps) <= 3600);
    for (int i = 0; i < rig->net->n_card; i++)
        assert_near(wsk_var_mean(steady, WSK_VAR_CARD_DIE_C, i), wsk_var_mean(leaps, WSK_VAR_CARD_DIE_C, i), 0.5);
    wsk_run_free(steady);
    wsk_run_free(leaps);
    wsk_rig_free(rig);
}

static void test_power_brake_steady(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(SERVER("yes", "1600 W", "", "fails-at='0 s'"), 3600, &rig), *steady = NULL;
    bool cycling = true;
    assert_int_equal(wsk_steady_solve(&steady, run->net, WSK_STEPPER_FAST, &cycling, NULL, NULL), WSK_OK);
    assert_false(cycling);
    assert_int_equal(steady->cases[0].brake, 1);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(steady->cards[i].throttle_ns[4], 600 * WSK_NS);
        assert_rel(steady->cards[i].power_w, run->cards[i].power_w, 0.02);
    }
    wsk_run_free(steady);
    wsk_test_drop(run, rig);
}

/* Hot inlet air lowers the rating of the PSU. The brake acts once when the air gets hot, holds while the air cools by
 * 1 K, and is released once when the PSU has a reserve of 5 % again. */
static void test_power_brake_lets_go(void **state)
{
    (void)state;
    static const char xml[] =
        "<rig><site><room temperature='24 degC'/></site><chassis slots='20' intake-loss='0' wall-gap='1 m' "
        "psu-intake='outside' power-brake='yes'>"
        "<vent at='side' area='100 m2'/><vent at='side' area='100 m2'/><fan at='front' diameter='1 m' pressure='10 "
        "Pa' flow='20 m3/s' rpm='100 rpm' power='0 W'/>"
        "<psu kind='certified' rated='330 W' efficiency-10='90 %' efficiency-20='92 %' efficiency-50='93 %' "
        "efficiency-100='90 %' derate-above='40 degC' derating='0.02 1/K'/>" CARD(
            "target-temperature='110 degC' slowdown-temperature='115 degC' shutdown-temperature='120 degC' "
            "boost-loss='0 MHz/K' leakage='0 W'",
            BLOWER("20 W/K")) "</chassis>" WORK "<run for='4 h'/></rig>";
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 4 * 3600);
    wsk_test_advance(run, 1800);
    assert_int_equal(run->cases[0].brake, 0);
    assert_int_equal(wsk_run_set(run, "room.air_c", 50), WSK_OK);
    wsk_test_advance(run, 3600);
    double full = run->cards[0].full_w, dc = run->dc_w - run->cards[0].power_w;
    assert_int_equal(run->cases[0].brake, 1);
    assert_true(run->cards[0].power_w < 0.7 * full);
    double pulled = 40 + (1 - (full + dc) / 330) / 0.02, free = 40 + (1 - (full + dc) / (0.95 * 330)) / 0.02;
    assert_true(pulled < 50 && free < pulled - 1.5 && free > 25);
    assert_int_equal(wsk_run_set(run, "room.air_c", pulled - 1), WSK_OK);
    wsk_test_advance(run, 7200);
    assert_int_equal(run->cases[0].brake, 1);
    assert_int_equal(wsk_run_set(run, "room.air_c", free - 0.5), WSK_OK);
    wsk_test_advance(run, 7209);
    assert_int_equal(run->cases[0].brake, 0);
    assert_true(run->cards[0].power_w < 0.7 * full);
    wsk_test_advance(run, 7215);
    assert_true(run->cards[0].power_w > 0.98 * full);
    wsk_test_advance(run, 4 * 3600);
    assert_int_equal(wsk_test_events(run, "chassis0,power brake,"), 1);
    assert_int_equal(wsk_test_events(run, "chassis0,power brake ends,"), 1);
    assert_int_equal(run->supplies[0].over_ns, 0);
    wsk_test_drop(run, rig);
}

static void test_runaway_is_named(void **state)
{
    (void)state;
    static const char xml[] = RIG(CARD("power-limit-max='2000 W' power-limit='2000 W' leakage='60 W' "
                                       "leakage-slope='0.06 1/K' leakage-temperature='60 degC'",
                                       BLOWER("6 W/K")),
                                  WORK, HOUR);
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(xml, 3600, &rig);
    assert_true(told(run, "gpu0,thermal runaway"));
    assert_true(run->cards[0].off);
    assert_true(told(run, "gpu0,shutdown"));
    assert_true(wsk_test_get(run, "gpu0.die_c") < 60);
    char *text = NULL;
    assert_int_equal(wsk_run_events_csv(run, false, &text), WSK_OK);
    assert_true(strstr(text, "thermal runaway") < strstr(text, "gpu0,shutdown"));
    wsk_text_free(text);
    char *json = wsk_test_summary(run), *page = NULL;
    assert_non_null(strstr(json, "\"thermal_runaway\": true"));
    assert_non_null(strstr(strstr(json, "\"warnings\""), "gpu0: thermal runaway"));
    wsk_text_free(json);
    assert_int_equal(wsk_run_summary_text(run, &page), WSK_OK);
    assert_non_null(strstr(page, "gpu0: thermal runaway"));
    wsk_text_free(page);
    wsk_test_drop(run, rig);
    static const char held[] =
        RIG(CARD("power-limit='120 W' leakage='60 W' leakage-slope='0.06 1/K' leakage-temperature='60 degC'",
                 BLOWER("6 W/K")),
            WORK, HOUR);
    run = wsk_test_run_to(held, 3600, &rig);
    assert_false(told(run, "runaway"));
    json = wsk_test_summary(run);
    assert_null(strstr(json, "runaway\": true"));
    assert_null(strstr(json, "thermal runaway"));
    wsk_text_free(json);
    assert_false(run->cards[0].off);
    wsk_test_drop(run, rig);
}

/* A closet that gets rid of 506 W at 64 degC, where the cards stay at their lowest clock. On the way there the search
 * of the steady point warms the room faster than a run does, which is no runaway: the cards settle, as in the run. In
 * a smaller closet they shut down. */
static void test_a_card_that_settles_runs_away_nowhere(void **state)
{
    (void)state;
#define CLOSET(conductance) \
    "<rig><site supply='230 V'><room volume='6 m3' conductance='" conductance "'><outdoor mean='22 degC'/></room>" \
    "</site><chassis part='chassis/full-tower-8-slot'><fan part='fan/generic-120-1500' at='front' count='3'/>" \
    "<fan part='fan/generic-120-1500' at='rear'/><psu part='psu/tier-gold-1600'/><cpu " \
    "part='cpu/generic-workstation'/>" \
    "<gpu part='gpu/rtx-3090' slot='1'/><gpu part='gpu/rtx-3090' slot='5'/></chassis>" \
    "<workload kind='constant' class='training'/></rig>"
    static const char *const closets[] = {CLOSET("12 W/K"), CLOSET("5 W/K")};
    for (int i = 0; i < 2; i++) {
        char *json, *page;
        wsk_rig *rig = wsk_test_rig(closets[i], NULL);
        assert_int_equal(wsk_steady_page(rig, WSK_STEPPER_FAST, 0, NULL, &json, &page), WSK_OK);
        if ((strstr(page, "runaway") != NULL) != (i == 1) || (strstr(page, "Shut down") != NULL) != (i == 1) ||
            (strstr(json, "runaway\": true") != NULL) != (i == 1))
            fail_msg("%s", page);
        wsk_text_free(json);
        wsk_text_free(page);
        wsk_rig_free(rig);
    }
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(closets[0], 2 * 86400, &rig);
    assert_false(told(run, "runaway"));
    assert_near(run->cards[0].clock_hz, 210e6, 30e6);
    wsk_test_drop(run, rig);
}

#define HUNTS \
    RIG(CARD("target-temperature='120 degC' slowdown-temperature='60 degC'", \
             BLOWER("12 W/K") "<governor kind='slowdown' dwell='0 s' hysteresis='0 K'/>"), \
        WORK, HOUR)

static double least_gap_s(wsk_run *run, const char *what)
{
    char *text = NULL;
    double before = -INFINITY, least = INFINITY;
    assert_int_equal(wsk_run_events_csv(run, false, &text), WSK_OK);
    for (char *line = text; *line; line = strchr(line, '\n') + 1) {
        const char *found = strstr(line, what);
        if (!found || found > strchr(line, '\n'))
            continue;
        const double at = strtod(line, NULL);
        least = fmin(least, at - before);
        before = at;
    }
    wsk_text_free(text);
    return least;
}

/* Throttle events of a card are about 30 s apart or more. A reason that begins sooner gets its event when the 30 s have
 * passed, even if nothing else happens then. */
static void test_throttling_is_logged_at_most_twice_a_minute(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(HUNTS, 3600, &rig);
    assert_near(least_gap_s(run, ",gpu0,throttle"), 30, 2);
    wsk_test_drop(run, rig);
    rig = wsk_test_rig(PLAIN("power-limit='150 W'"), NULL);
    run = wsk_test_run(rig, WSK_STEPPER_FAST, 3 * 3600);
    wsk_test_advance(run, 7200);
    /* Pins the card to the clock that it already has, which ends the throttling without a change of its power. */
    const double clock_mhz = wsk_test_get(run, "gpu0.clock_mhz");
    assert_int_equal(wsk_run_set(run, "gpu0.clock_mhz", clock_mhz), WSK_OK);
    wsk_test_advance(run, 7210);
    assert_true(told(run, "gpu0,throttle ends"));
    assert_int_equal(wsk_run_set(run, "gpu0.clock_mhz", NAN), WSK_OK);
    wsk_test_advance(run, 7220);
    assert_true(isinf(least_gap_s(run, "gpu0,throttle,sw_power_cap")));
    wsk_test_advance(run, 7300);
    assert_near(least_gap_s(run, "gpu0,throttle,sw_power_cap"), 7230, 5);
    wsk_test_drop(run, rig);
}

static void test_hunting_is_named(void **state)
{
    (void)state;
    static const char calm[] = RIG(CARD("target-temperature='60 degC'", BLOWER("12 W/K")), WORK, HOUR);
    static const char slow[] =
        RIG(CARD("target-temperature='120 degC' slowdown-temperature='60 degC' shutdown-temperature='150 degC'",
                 BLOWER("1.5 W/K")),
            WORK, HOUR);
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(HUNTS, 3600, &rig);
    assert_true(told(run, "gpu0,governor hunts,hw_thermal_slowdown"));
    char *json = wsk_test_summary(run);
    assert_non_null(strstr(json, "gpu0: its slowdown (hw_thermal_slowdown) sets in again"));
    wsk_text_free(json);
    wsk_test_drop(run, rig);
    run = wsk_test_run_to(calm, 3600, &rig);
    assert_true(run->cards[0].throttle_ns[1] > 600 * WSK_NS);
    assert_false(told(run, "hunts"));
    wsk_test_drop(run, rig);
    run = wsk_test_run_to(slow, 3600, &rig);
    assert_true(run->cards[0].throttle_ns[2] > 3000 * WSK_NS && !run->cards[0].off);
    assert_false(told(run, "hunts"));
    wsk_test_drop(run, rig);
}

static void test_shipped_rigs_are_calm(void **state)
{
    (void)state;
    glob_t rigs;
    assert_int_equal(glob("scenarios/*/*.xml", 0, NULL, &rigs), 0);
    for (size_t i = 0; i < rigs.gl_pathc; i++) {
        wsk_rig *rig = wsk_test_rig_file(rigs.gl_pathv[i]);
        double span = wsk_min(wsk_rig_duration(rig), wsk_test_cases(86400, 7200));
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, span);
        wsk_test_advance(run, span);
        if (told(run, "hunts") || (run->head->failed_ns < 0 && told(run, "runaway")))
            fail_msg("%s hunts or runs away", rigs.gl_pathv[i]);
        wsk_test_drop(run, rig);
    }
    assert_true(rigs.gl_pathc >= 7);
    globfree(&rigs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_limited),
        cmocka_unit_test(test_hot_spot_limited),
        cmocka_unit_test(test_a_higher_limit_slows_a_memory_limited_card),
        cmocka_unit_test(test_power_brake),
        cmocka_unit_test(test_means_that_swing_are_settled),
        cmocka_unit_test(test_power_brake_steady),
        cmocka_unit_test(test_power_brake_lets_go),
        cmocka_unit_test(test_runaway_is_named),
        cmocka_unit_test(test_a_card_that_settles_runs_away_nowhere),
        cmocka_unit_test(test_hunting_is_named),
        cmocka_unit_test(test_throttling_is_logged_at_most_twice_a_minute),
        cmocka_unit_test(test_shipped_rigs_are_calm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
