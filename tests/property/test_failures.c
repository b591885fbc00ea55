/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/support/bench.h"
#include "sim/step/step.h"
#include "sim/books/books.h"
#include "sim/books/observe.h"

#define CHIP "tdp='300 W' clock-max='1900 MHz' clock-knee='1300 MHz' voltage-slope='0.5 1/GHz'"
#define AIR \
    "<cooler kind='%s' conductance='14 W/K' flow='30 l/s' capacity='500 J/K' drop='60 Pa' fan-pressure='150 Pa' " \
    "fan-flow='50 l/s' fan-rpm='2500 rpm' rpm-min='900 rpm'/>"
#define FANS "<fan at='front' count='2' pressure='40 Pa' flow='180 m3/h' rpm='1600 rpm'/><vent area='150 cm2'/>"
#define LOOP \
    "<loop><pump pressure='45 kPa' flow='20 l/min' rpm='4800 rpm' fails-at='1803.5 s'/><radiator " \
    "direction='outside' conductance='40 W/K' flow='90 l/s'>" \
    "<fan count='3' pressure='25 Pa' flow='140 m3/h' rpm='1700 rpm'/></radiator></loop>"
#define WET "<cooler kind='water' conductance='24 W/K' capacity='300 J/K'/>"
#define AIO(more) \
    "<cooler kind='aio' conductance='24 W/K' flow='55 l/s' drop='11 Pa' capacity='200 J/K' fans='2' diameter='120 " \
    "mm' fan-pressure='28 Pa'" \
    " fan-flow='50 l/s' fan-rpm='2000 rpm' rpm-min='800 rpm' block-conductance='21 W/K' " more "/>"
#define DUCTED \
    "<cooler kind='passive' conductance='20 W/K' flow='25 l/s' capacity='500 J/K' drop='60 Pa' outlet='60 cm2'/>"
#define RIG(around, gpu, cooler) \
    "<rig><site><room temperature='26 degC'/></site><chassis>" around "<gpu slot='1' " CHIP " " gpu ">" cooler \
    "</gpu></chassis>" \
    "<workload kind='constant' class='burn'/></rig>"

static double when(const char *events, const char *what)
{
    const char *at = strstr(events, what);
    if (!at)
        return NAN;
    while (at > events && at[-1] != '\n')
        at--;
    double t;
    const char *end;
    return wsk_parse_number(at, &end, &t) ? t : (double)NAN;
}

static void check_numbers(const wsk_run *run)
{
    for (int i = 0; i < run->variables->n; i++) {
        const char *name, *unit;
        double value;
        wsk_run_variable(run, (size_t)i, &name, &unit, &value);
        if (!isfinite(value))
            fail_msg("%.0f s: %s is no number", wsk_run_time(run), name);
    }
    assert_true(wsk_residual(run) <= 1e-9);
    assert_true(run->flows->point.imbalance <= 1e-9);
}

/* Checks a failure at fails_s: the die gets more than 5 K hotter than before, the card throttles from heat and does
 * not shut down before the failure, but with `dies` after it. */
static void check_failure(const char *xml, bool dies, double fails_s, const char *what)
{
    for (int stepper = 0; stepper < 2; stepper++) {
        wsk_rig *rig = wsk_test_rig(xml, NULL);
        wsk_run *run = wsk_test_run(rig, (wsk_stepper)stepper, 4 * 3600);
        char *events = NULL;
        double before = 0, hottest = 0;
        for (double t = 1; t <= 4 * 3600; t += t < fails_s - 5 || t > fails_s + 900 ? 60 : 1) {
            wsk_test_advance(run, t);
            check_numbers(run);
            double die = wsk_test_get(run, "gpu0.die_c");
            before = t <= fails_s ? die : before;
            hottest = fmax(hottest, die);
        }
        wsk_test_advance(run, 4 * 3600);
        assert_int_equal(wsk_run_events_csv(run, false, &events), WSK_OK);
        double shut = when(events, "shutdown"), slow = wsk_heat_throttle_s(&run->cards[0]);
        if (!(hottest > before + 5) || !(slow > 0) || (dies && isnan(shut)) || shut < fails_s)
            fail_msg("%s, stepper %d: %.1f degC before, %.1f after, %.0f s throttled, shutdown at %.1f s\n%s", what,
                     stepper, before, hottest, slow, shut, events);
        wsk_text_free(events);
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
}

static void test_dead_pump(void **state)
{
    (void)state;
    check_failure(RIG(FANS LOOP, "", WET), true, 1803.5, "a loop's pump");
    check_failure(RIG(FANS, "pump-fails-at='1803.5 s'", AIO("")), true, 1803.5, "an AIO's pump");
    check_failure(RIG(FANS, "pump-fails-at='1803.5 s'", AIO("direction='intake' at='front'")), true, 1803.5,
                  "an AIO's pump at the intake");
}

static void test_dead_fans(void **state)
{
    (void)state;
    check_failure(RIG(FANS, "fan-fails-at='1800 s'", AIO("direction='outside'")), true, 1800, "an AIO's fans");
    check_failure(RIG("<fan at='wall' count='3' pressure='300 Pa' flow='200 m3/h' rpm='9000 rpm' fails-at='1800 s'/>",
                      "", DUCTED),
                  true, 1800, "the wall before a duct");
    static const char *const styles[] = {"blower", "open-air", "passive"};
    for (int i = 0; i < 3; i++) {
        wsk_buf b = {0};
        wsk_buf_printf(&b, RIG(FANS, "fan-fails-at='1800.25 s'", AIR), styles[i]);
        wsk_buf_put(&b, "", 1);
        /* a shutdown is not required, because the case fans may blow air through the card whose fan failed */
        check_failure(b.data, false, 1800.25, styles[i]);
        wsk_buf_free(&b);
    }
}

static void test_all_stand(void **state)
{
    (void)state;
    static const char *const coolers[] = {"blower", "open-air", "passive"};
    for (int i = 0; i < 6; i++) {
        wsk_buf b = {0};
        wsk_buf_printf(
            &b,
            "<rig><site><room temperature='26 degC'/></site><chassis kind='%s'><gpu slot='1' fan='0 rpm' " CHIP ">",
            i < 3 ? "tower" : "frame");
        wsk_buf_printf(&b, AIR, coolers[i % 3]);
        wsk_buf_printf(&b, "</gpu></chassis><workload kind='constant' class='burn' p0='60 W'/></rig>");
        wsk_buf_put(&b, "", 1);
        for (int stepper = 0; stepper < 2; stepper++) {
            wsk_rig *rig = wsk_test_rig(b.data, NULL);
            wsk_run *run = wsk_test_run(rig, (wsk_stepper)stepper, 7200);
            for (double t = 1; t <= 7200; t += t < 600 ? 1 : 60) {
                wsk_test_advance(run, t);
                check_numbers(run);
            }
            assert_true(run->head->shutdowns == 1 && wsk_heat_throttle_s(&run->cards[0]) > 0);
            double hot = run->t[run->net->cards[0].heatsink] - run->t[run->net->room];
            assert_true(hot > 0 && hot < 60);
            wsk_run_free(run);
            wsk_rig_free(rig);
        }
        wsk_buf_free(&b);
    }
}

static void test_sealed_case(void **state)
{
    (void)state;
    wsk_buf b = {0};
    wsk_buf_printf(&b, RIG("", "power-limit='280 W'", AIR), "open-air");
    wsk_buf_put(&b, "", 1);
    wsk_rig *rig = wsk_test_rig(b.data, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 4 * 3600);
    double early = 0;
    for (double t = 60; t <= 4 * 3600; t += 60) {
        wsk_test_advance(run, t);
        check_numbers(run);
        early = t <= 120 ? wsk_test_get(run, "case.air_c") : early;
    }
    assert_true(wsk_test_get(run, "case.air_c") > early + 5 || run->head->shutdowns > 0);
    assert_true(wsk_heat_throttle_s(&run->cards[0]) > 0);
    wsk_run_free(run);
    wsk_rig_free(rig);
    wsk_buf_free(&b);
}

/* The pump that still runs pushes the coolant through the failed one. */
static void test_second_pump_carries_on(void **state)
{
    (void)state;
    static const char text[] =
        RIG(FANS "<loop><pump pressure='45 kPa' flow='20 l/min' rpm='4800 rpm' fails-at='1803.5 s'/>"
                 "<pump id='spare' pressure='45 kPa' flow='20 l/min' rpm='4800 rpm'/><radiator direction='outside' "
                 "conductance='40 W/K' flow='90 l/s'>"
                 "<fan count='3' pressure='25 Pa' flow='140 m3/h' rpm='1700 rpm'/></radiator></loop>",
            "power-limit='290 W'", WET);
    wsk_rig *rig = wsk_test_rig(text, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3 * 3600);
    wsk_test_advance(run, 1803);
    double flow = wsk_test_get(run, "loop0.flow_lpm"), die = wsk_test_get(run, "gpu0.die_c");
    wsk_test_advance(run, 3 * 3600);
    double left = wsk_test_get(run, "loop0.flow_lpm");
    assert_true(left > 0.5 * flow && left < 0.9 * flow);
    assert_true(wsk_test_get(run, "gpu0.die_c") > die && run->head->shutdowns == 0);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

/* Where the pump stands, only hoses connect the coolant behind it to anything else. Without a hose the card gets hot as
 * with one of a centimetre. */
static void test_pump_without_hoses(void **state)
{
    (void)state;
#define HOSE(m) \
    RIG(FANS "<loop hose='" m \
             "'><pump pressure='45 kPa' flow='20 l/min' rpm='4800 rpm' fails-at='600 s'/><radiator " \
             "direction='outside' conductance='40 W/K' flow='90 l/s'>" \
             "<fan count='3' pressure='25 Pa' flow='140 m3/h' rpm='1700 rpm'/></radiator></loop>", \
        "power='30 W'", WET "</gpu><gpu slot='4' " CHIP " power='30 W'>" WET)
    double die_c[2];
    for (int i = 0; i < 2; i++) {
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(i ? HOSE("0 m") : HOSE("1 cm"), 1500, &rig);
        check_numbers(run);
        die_c[i] = wsk_test_get(run, "gpu1.die_c");
        wsk_test_drop(run, rig);
    }
    assert_near(die_c[1], die_c[0], 0.5);
}

/* mount='100' multiplies the thermal resistance between die and heatsink by 100, as if they hardly touched. */
static void test_card_without_paste(void **state)
{
    (void)state;
    for (int stepper = 0; stepper < 2; stepper++) {
        wsk_rig *rig = wsk_test_rig(RIG(FANS LOOP, "mount='100'", WET), NULL);
        wsk_run *run = wsk_test_run(rig, (wsk_stepper)stepper, 3600);
        wsk_test_advance(run, 3600);
        check_numbers(run);
        assert_int_equal(run->head->shutdowns, 1);
        wsk_run_free(run);
        wsk_rig_free(rig);
        rig = wsk_test_rig(RIG(FANS LOOP, "mount='100' power='300 W'", WET), NULL);
        run = wsk_test_run(rig, (wsk_stepper)stepper, 3600);
        assert_int_equal(wsk_run_advance(run, 3600), WSK_ENUMERIC);
        assert_non_null(strstr(wsk_run_error(run), "gpu0.die would be at "));
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
}

static void test_ends_of_ranges(void **state)
{
    (void)state;
    static const char *const sets[] = {"loop.volume=10 ml",
                                       "loop.hose=0 m",
                                       "loop.hose=1000 m",
                                       "loop.bore=1 mm",
                                       "loop.bore=100 mm",
                                       "pump.pressure=1 Pa",
                                       "pump.pressure=9 MPa",
                                       "pump.duty=0 %",
                                       "pump.fails-at=0 s",
                                       "pump.fails-at=0.001 s",
                                       "radiator.conductance=0.01 W/K",
                                       "radiator.conductance=1000 W/K",
                                       "radiator.capacity=0.1 J/K",
                                       "radiator.coolant-conductance=1 W/K",
                                       "radiator.coolant-drop=1 MPa",
                                       "radiator.natural=0 W/K",
                                       "gpu.mount=100",
                                       "gpu.pads=100",
                                       "gpu.riser=1 mm",
                                       "chassis.dust-start=95 %",
                                       "fan.blocked=99 %",
                                       "chassis.exhaust-return=90 %",
                                       "fan.fails-at=0 s",
                                       "fan.count=64",
                                       "cooler.conductance=5000 W/K",
                                       "cooler.flow=0.01 l/min",
                                       "cooler.drop=1 MPa",
                                       "site.altitude=5000 m",
                                       "room.humidity=100 %",
                                       "chassis.panel-area=0.01 m2",
                                       "gpu.memory-resistance=0.001 K/W",
                                       "gpu.memory-capacity=0.01 J/K",
                                       "run.step=0.05 s",
                                       "run.step=0.3 s"};
    int ran = 0;
    for (size_t c = 0; c < sizeof sets / sizeof *sets; c++)
        for (uint64_t seed = 1; seed <= (uint64_t)wsk_test_cases(16, 3); seed++) {
            char *xml = wsk_random_rig(&(wsk_random_rig_spec){.seed = seed, .least_cards = 1});
            assert_non_null(xml);
            const wsk_rig_options o = {.path = "-",
                                       .text = xml,
                                       .text_len = strlen(xml),
                                       .parts_dir = "parts",
                                       .sets = &sets[c],
                                       .set_count = 1};
            wsk_rig *rig = NULL;
            /* Loading fails if the rig lacks the element of the assignment, such as a pump. */
            bool loaded = wsk_rig_load(&rig, &o) == WSK_OK;
            for (int stepper = 0; loaded && stepper < 2; stepper++) {
                wsk_run *run = wsk_test_run(rig, (wsk_stepper)stepper, 300);
                bool whole = wsk_test_try(run, 300);
                if (whole &&
                    !(wsk_residual(run) <= 1e-9 && wsk_splitting(run) <= 1e-6 && run->flows->point.imbalance <= 1e-9))
                    fail_msg("seed %llu, %s: residual %.3g, splitting %.3g, imbalance %.3g", (unsigned long long)seed,
                             sets[c], wsk_residual(run), wsk_splitting(run), run->flows->point.imbalance);
                for (int i = 0; whole && i < run->net->n_node; i++)
                    assert_true(isfinite(run->t[i]));
                ran += whole;
                wsk_run_free(run);
            }
            wsk_rig_free(rig);
            wsk_text_free(xml);
        }
    assert_true(ran > 60);
}

/* If a card throttled from heat before the fan stopped, the text says so; otherwise it says after what time throttling
 * began. */
static void failure_in_words(const char *room, const char *word, const char *other)
{
    char xml[1024], *text = NULL;
    snprintf(
        xml, sizeof xml,
        "<rig><site><room temperature='%s'/></site><chassis part='chassis/full-tower-8-slot'><psu "
        "part='psu/tier-gold-1600'/>"
        "<gpu part='gpu/rtx-3090-blower' slot='1' fan-fails-at='10 min'/><gpu part='gpu/rtx-3090-blower' slot='3'/>"
        "<gpu part='gpu/rtx-3090-blower' slot='5'/></chassis><workload kind='training' class='burn'/><run for='20 "
        "min'/></rig>",
        room);
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 1200);
    bool before = false;
    wsk_test_advance(run, 599);
    for (int i = 0; i < run->net->n_card; i++)
        before = before || wsk_heat_throttle_s(&run->cards[i]) > 0;
    wsk_test_advance(run, 1200);
    assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
    if (!strstr(text, word) || strstr(text, other) || before != (strstr(word, "already") != NULL))
        fail_msg("room of %s, expected \"%s\":\n%s", room, word, text);
    wsk_text_free(text);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static void test_throttling_before_a_failure(void **state)
{
    (void)state;
    failure_in_words("35 degC", "stopped at 10 min; throttling already before", "throttling after");
    failure_in_words("10 degC", "stopped at 10 min; throttling after", "already");
}

#define HEAVY \
    "<gpu part='gpu/mi325x' slot='1' thickness='18 mm'>" \
    "<cooler part='cooler/class-module-1000' capacity='9000 J/K'/></gpu>"

static void test_what_is_off_only_cools(void **state)
{
    (void)state;
    static const char *const rigs[] = {
        "<rig><chassis part='chassis/open-bench'>" HEAVY
        "</chassis><workload kind='constant' class='training'/></rig>",
        "<rig><chassis part='chassis/open-bench'>" HEAVY
        "<gpu part='gpu/rtx-3090-blower' slot='5'/></chassis><workload class='training'/></rig>"};
    for (int i = 0; i < 2; i++) {
        wsk_rig *rig = wsk_test_rig(rigs[i], NULL);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 60), *steady = NULL;
        bool cycling = true;
        double band_k[2], drift_k;
        assert_int_equal(wsk_steady_solve(&steady, run->net, WSK_STEPPER_FAST, &cycling, band_k, &drift_k), WSK_OK);
        /* the solver simulates at most six hours, which here is too short to reach the steady point */
        assert_true(steady->cards[0].off && band_k[0] > 0.5 && drift_k > 0.01);
        assert_false(cycling);
        wsk_run_free(steady);
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
}

/* A card has shut down. The clock of a card with a failed fan next to it oscillates slowly around its lowest steps.
 * This counts as a cycle, although the means of successive windows differ. */
static void test_a_slow_cycle_beside_one_that_is_off(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(
        "<rig><site supply='120 V'><room temperature='25 degC'/></site><chassis "
        "slots='8'><fan at='front' count='2' pressure='11.9 Pa' flow='35 CFM' "
        "rpm='900 rpm'/><vent at='rear' area='100 cm2'/><psu part='psu/tier-gold-850'/><gpu "
        "part='gpu/v100-pcie' clock-knee='1100 MHz' "
        "voltage-slope='0.29 1/GHz' slot='1' power-limit='250 W' memory-power='70 W' "
        "fan-fails-at='0 s'><cooler part='cooler/v100-pcie-shroud-40' natural='0.4 W/K'/></gpu><gpu "
        "part='gpu/rtx-3090-open-air' slot='6' "
        "fan-fails-at='0 s'/></chassis><workload kind='constant' class='burn' memory-traffic='50 %'/></rig>",
        NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 60), *steady = NULL;
    bool cycling = false;
    double band_k[2], drift_k;
    assert_int_equal(wsk_steady_solve(&steady, run->net, WSK_STEPPER_FAST, &cycling, band_k, &drift_k), WSK_OK);
    assert_true(!steady->cards[0].off && steady->cards[1].off && band_k[0] > 0.5 && band_k[0] < 2);
    assert_true(cycling);
    wsk_run_free(steady);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static void test_a_brake_is_no_heat(void **state)
{
    (void)state;
    const char *const sets[] = {"psu[psu2].fails-at=20min"};
    wsk_rig *rig = NULL;
    wsk_rig_options o = {
        .path = "scenarios/redundant-8gpu/braked.xml", .parts_dir = "parts", .sets = sets, .set_count = 1};
    assert_int_equal(wsk_rig_load(&rig, &o), WSK_OK);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 2400);
    char *text = NULL;
    wsk_test_advance(run, 2400);
    char *json = wsk_test_summary(run);
    assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
    assert_true(run->cards[0].throttle_ns[4] > 600 * WSK_NS && wsk_heat_throttle_s(&run->cards[0]) == 0);
    if (!strstr(json, "\"at_s\": 1200") || !strstr(json, "\"to_throttle_s\": null"))
        fail_msg("%s", json);
    if (strstr(text, "throttling already") || !strstr(text, "psu2 stopped at 20 min; no throttling from heat"))
        fail_msg("%s", text);
    wsk_text_free(json);
    wsk_text_free(text);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

#define TWO(workload) \
    "<rig><site><room temperature='26 degC'/></site><chassis>" FANS "<gpu slot='1' " CHIP " lost-at='30 min'>" WET \
    "</gpu><gpu slot='4' " CHIP ">" WET "</gpu><loop><pump pressure='45 kPa' flow='20 l/min' rpm='4800 rpm'/>" \
    "<radiator direction='outside' conductance='90 W/K' flow='90 l/s'><fan count='3' pressure='25 Pa' " \
    "flow='140 m3/h' rpm='1700 rpm'/></radiator></loop></chassis>" workload "</rig>"

/* One of two cards is lost after a quarter of the run. If the cards work independently, half of the work is lost from
 * then on (0.375 in all); if they work together, all of it (0.75). None of this counts as lost to heat. */
static void test_a_lost_card_is_no_heat(void **state)
{
    (void)state;
    const struct {
        const char *xml;
        double share;
    } cases[] = {{TWO("<workload kind='constant' class='burn'/>"), 0.375},
                 {TWO("<workload kind='training'/>"), 0.75}};
    for (int i = 0; i < 2; i++) {
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(cases[i].xml, 7200, &rig);
        wsk_summary *s = NULL;
        assert_int_equal(run->cards[0].off, WSK_LOST);
        assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
        assert_near(wsk_summary_number(s, WSK_R_LOST_TO_FAILURE, 0), cases[i].share, 0.005);
        assert_near(wsk_summary_number(s, WSK_R_LOST, 0), 0, 1e-12);
        wsk_summary_free(s);
        wsk_test_drop(run, rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dead_pump),
        cmocka_unit_test(test_dead_fans),
        cmocka_unit_test(test_all_stand),
        cmocka_unit_test(test_sealed_case),
        cmocka_unit_test(test_second_pump_carries_on),
        cmocka_unit_test(test_pump_without_hoses),
        cmocka_unit_test(test_card_without_paste),
        cmocka_unit_test(test_ends_of_ranges),
        cmocka_unit_test(test_throttling_before_a_failure),
        cmocka_unit_test(test_a_brake_is_no_heat),
        cmocka_unit_test(test_a_lost_card_is_no_heat),
        cmocka_unit_test(test_what_is_off_only_cools),
        cmocka_unit_test(test_a_slow_cycle_beside_one_that_is_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
