/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/bench.h"

#define CHIP "tdp='300 W' clock-max='1900 MHz' clock-knee='1300 MHz' voltage-slope='0.5 1/GHz' "
#define FANS "<fan at='front' count='2' pressure='40 Pa' flow='180 m3/h' rpm='1600 rpm'/><vent area='150 cm2'/>"
#define BLOWER \
    "<cooler kind='blower' conductance='14 W/K' flow='30 l/s' capacity='500 J/K' drop='60 Pa' fan-pressure='150 " \
    "Pa' fan-flow='50 l/s' fan-rpm='2500 rpm' rpm-min='900 rpm'/>"
#define RIG(around, card, work) \
    "<rig><site><room temperature='26 degC'/></site><chassis>" around card "</chassis>" work "</rig>"
#define CARD(more) "<gpu slot='1' " CHIP more ">" BLOWER "</gpu>"
#define SLOT(slot) "<gpu slot='" slot "' " CHIP ">" BLOWER "</gpu>"
#define PUMP "<pump pressure='45 kPa' flow='20 l/min' rpm='4800 rpm'/>"
#define RADIATOR "<radiator conductance='40 W/K' flow='90 l/s'/>"

static char *events_of(wsk_run *run)
{
    char *text = NULL;
    assert_int_equal(wsk_run_events_csv(run, false, &text), WSK_OK);
    return text;
}

static void assert_refused(const char *xml, const char *word)
{
    const wsk_rig_options o = {.path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts"};
    wsk_rig *rig = NULL;
    bool said = false;
    assert_int_equal(wsk_rig_load(&rig, &o), WSK_EINPUT);
    for (size_t i = 0; i < wsk_rig_messages(rig); i++) {
        int severity, line, column;
        const char *file, *text;
        wsk_rig_message(rig, i, &severity, &file, &line, &column, &text);
        said = said || strstr(text, word);
    }
    if (!said)
        fail_msg("no word of \"%s\"", word);
    wsk_rig_free(rig);
}

static void test_bare_loops(void **state)
{
    (void)state;
    static const char *const loops[] = {
        RIG(FANS "<loop hose='0 m' fittings='0'>" PUMP RADIATOR "</loop>", CARD(""), ""),
        RIG(FANS "<loop kind='facility' hose='0 m' fittings='0'/>", CARD(""), "")};
    for (int i = 0; i < 2; i++) {
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(loops[i], 600, &rig);
        double flow = wsk_test_get(run, "loop0.flow_lpm");
        assert_true(flow > 1 && flow < 1000);
        wsk_test_drop(run, rig);
    }
}

static void test_what_is_refused(void **state)
{
    (void)state;
    assert_refused(RIG(FANS,
                       "<gpu slot='1' " CHIP "><cooler kind='passive' conductance='5 W/K' flow='50 m3/h' "
                       "capacity='300 J/K' fan-pressure='100 Pa'/></gpu>",
                       ""),
                   "fan-rpm");
    assert_refused(RIG(FANS, CARD("memory-clock='1 GHz' memory-offset='-1 GHz'"), ""), "memory clock");
}

static void test_too_large(void **state)
{
    (void)state;
    static const struct {
        const char *head, *repeat, *tail;
        int times;
    } cases[] = {
        {"<rig><chassis/>", "<load dc='1 W'/>", "</rig>", 1100},
        {"<rig><chassis>", "<fan at='front' pressure='40 Pa' flow='180 m3/h' rpm='1600 rpm'/>", "</chassis></rig>",
         1100},
        {"<rig><chassis>", "<vent area='1 cm2'/>", "</chassis></rig>", 1100},
        {"<rig>", "<chassis>" CARD("") SLOT("3") SLOT("5") "</chassis>", "</rig>", 64},
        {"<rig>", "<chassis>" FANS FANS FANS FANS FANS FANS FANS FANS "</chassis>", "</rig>", 64},
        {"<rig><chassis>", "<psu kind='constant' rated='500 W' efficiency='90 %'/>", "</chassis></rig>", 1100},
        {"<rig><chassis>", "<loop>" PUMP RADIATOR "</loop>", "</chassis></rig>", 300},
        {"<rig><chassis><loop>" PUMP, RADIATOR, "</loop></chassis></rig>", 1100},
        {"<rig><chassis><loop>" RADIATOR, PUMP, "</loop></chassis></rig>", 1100},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wsk_buf b = {0};
        wsk_buf_printf(&b, "%s", cases[i].head);
        for (int k = 0; k < cases[i].times; k++)
            wsk_buf_printf(&b, "%s", cases[i].repeat);
        wsk_buf_printf(&b, "%s", cases[i].tail);
        assert_false(b.failed);
        assert_refused(b.data, "the rig is too large");
        wsk_buf_free(&b);
    }
}

static void test_failures_without_effect(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(RIG(FANS, CARD("pump-fails-at='1 h' fan-fails-at='2 h'"), ""), NULL);
    int severity, line, column, said = 0;
    const char *file, *text;
    for (size_t i = 0; i < wsk_rig_messages(rig); i++) {
        wsk_rig_message(rig, i, &severity, &file, &line, &column, &text);
        said += strstr(text, "no pump of its own") != NULL;
        assert_null(strstr(text, "no fan of its own"));
    }
    assert_int_equal(said, 1);
    wsk_rig_free(rig);
}

static void test_power_and_clock_have_a_floor(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run =
        wsk_test_run_to(RIG(FANS, CARD(""), "<workload kind='constant' p0='0 W' c='0 W/GHz'/>"), 600, &rig);
    assert_true(wsk_test_get(run, "gpu0.power_w") >= 0);
    wsk_test_drop(run, rig);
    run = wsk_test_run_to(
        RIG(FANS, CARD("clock-min='1200 MHz' clock-offset='-1 GHz'"), "<workload kind='constant'/>"), 60, &rig);
    assert_near(wsk_test_get(run, "gpu0.clock_mhz"), 1200, 1);
    wsk_test_drop(run, rig);
}

/* A die that passes its shutdown temperature within one step shuts down. */
static void test_no_contact(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(
        RIG(FANS, CARD("die-resistance='0.8 K/W'"), "<workload kind='constant' class='burn'/>"), 600, &rig);
    assert_true(run->cards[0].off);
    assert_true(wsk_test_get(run, "gpu0.die_c") < 60);
    wsk_test_drop(run, rig);
}

static void test_rest_is_no_runaway(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(RIG(FANS, CARD("fan='0 rpm' idle='60 W' target-temperature='40 degC'"),
                                       "<workload kind='constant' class='idle'/>"),
                                   3600, &rig);
    char *text = events_of(run);
    assert_true(wsk_test_get(run, "gpu0.die_c") > 45);
    assert_null(strstr(text, "runaway"));
    wsk_text_free(text);
    wsk_test_drop(run, rig);
}

static void test_rare_failures(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        wsk_rig *rig = wsk_test_rig(RIG(FANS, CARD(""), "<workload mtbf='100 years'/>"), NULL);
        const wsk_run_options o = {.duration_s = 60, .seed = seed + 1};
        wsk_run *run = NULL;
        assert_int_equal(wsk_run_new(&run, rig, &o), WSK_OK);
        wsk_test_advance(run, 60);
        assert_int_equal(run->head->failures, 0);
        assert_true(wsk_sum_value(&run->cards[0].work) > 0);
        wsk_test_drop(run, rig);
    }
}

static void test_dead_card_under_partial_load(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(
        RIG(FANS, CARD("shutdown-temperature='40 degC'"), "<workload kind='constant' class='burn' load='30 %'/>"),
        600, &rig);
    assert_true(run->cards[0].off);
    assert_near(wsk_sum_value(&run->cards[0].work_cool), 0.3 * 600, 1);
    wsk_test_drop(run, rig);
}

static void test_processor_steps_by_time(void **state)
{
    (void)state;
    static const char xml[] =
        RIG("<cpu power='80 W' conductance='2 W/K' capacity='50 J/K' limit-temperature='60 degC'/>", "", "%s");
    double share[2];
    for (int i = 0; i < 2; i++) {
        wsk_buf b = {0};
        wsk_buf_printf(&b, xml, i ? "<load dc='0.001 W' duty='50 %' period='1 s'/>" : "");
        wsk_buf_put(&b, "", 1);
        wsk_rig *rig;
        wsk_run *run = wsk_test_run_to(b.data, 60, &rig);
        share[i] = run->cases[0].cpu_share;
        wsk_test_drop(run, rig);
        wsk_buf_free(&b);
    }
    assert_true(share[0] < 0.9);
    assert_near(share[1], share[0], 0.05);
}

static void test_words(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(
        RIG("<cpu power='400 W' conductance='0.5 W/K' capacity='20 J/K'/>", CARD(""), "<workload/>"), 600, &rig);
    char *text = NULL, *json = wsk_test_summary(run);
    assert_true(run->cases[0].cpu_off);
    assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
    assert_non_null(strstr(text, "A processor shuts down from heat"));
    assert_null(strstr(json, "A card reached"));
    assert_non_null(strstr(json, "cpu0 reached its shutdown temperature"));
    wsk_text_free(text);
    wsk_text_free(json);
    wsk_test_drop(run, rig);
    run = wsk_test_run_to(RIG("<fan id='one' fails-at='30 s' pressure='40 Pa' flow='180 m3/h' rpm='1600 rpm'/>"
                              "<fan id='two' fails-at='90 s' pressure='40 Pa' flow='180 m3/h' rpm='1600 rpm'/>",
                              CARD(""), "<workload/>"),
                          120, &rig);
    assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
    assert_non_null(strstr(
        text, "Failure  one stopped at 30 s, two stopped at 90 s; from the first on: no throttling, no shutdown."));
    wsk_text_free(text);
    wsk_test_drop(run, rig);
}

static void test_large_tank_settles(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(
        RIG(FANS "<loop volume='2 m3'>" PUMP "<radiator conductance='40 W/K' flow='90 l/s'><fan count='3' "
                 "pressure='25 Pa' flow='140 m3/h' rpm='1700 rpm'/></radiator></loop>",
            "<gpu slot='1' " CHIP "><cooler kind='water' conductance='24 W/K' capacity='300 J/K'/></gpu>",
            "<workload/>"),
        NULL);
    char *json = NULL, *text = NULL;
    assert_int_equal(wsk_steady_page(rig, WSK_STEPPER_FAST, 0, NULL, &json, &text), WSK_OK);
    assert_non_null(strstr(json, "\"settled\": true"));
    wsk_text_free(json);
    wsk_text_free(text);
    wsk_rig_free(rig);
}

/* The rows of a trace are not aligned with control ticks: a checkpoint saved in the middle of a row does not change a
 * bit of the result. */
static void test_trace_from_a_checkpoint(void **state)
{
    (void)state;
    char folder[256], path[300];
    snprintf(folder, sizeof folder, "%s/wsk-trace-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/trace.csv", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "t_s,u_percent\n0,10\n1.3,70\n2.9,0\n5,100\n");
    assert_int_equal(fclose(f), 0);
    static const char xml[] = RIG(FANS, CARD(""), "<workload kind='replay' utilisation='trace.csv'/>");
    const wsk_rig_options o = {
        .path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts", .data_dir = folder};
    wsk_rig *rig = NULL;
    assert_int_equal(wsk_rig_load(&rig, &o), WSK_OK);
    wsk_run *once = wsk_test_run(rig, WSK_STEPPER_FAST, 900), *often = wsk_test_run(rig, WSK_STEPPER_FAST, 900);
    wsk_test_advance(once, 900);
    size_t a, b;
    for (double t = 3.7; t < 900; t += 3.7) {
        wsk_test_advance(often, t);
        char *bytes = wsk_test_save(often, &b);
        wsk_run_free(often);
        often = wsk_test_run(rig, WSK_STEPPER_FAST, 900);
        assert_int_equal(wsk_run_restore(often, bytes, b), WSK_OK);
        wsk_text_free(bytes);
    }
    wsk_test_advance(often, 900);
    char *x = wsk_test_save(once, &a), *y = wsk_test_save(often, &b);
    assert_int_equal(a, b);
    assert_memory_equal(x, y, a);
    wsk_text_free(x);
    wsk_text_free(y);
    wsk_run_free(often);
    wsk_test_drop(once, rig);
    remove(path);
    rmdir(folder);
}

static void test_dust_stays_when_the_machine_goes_off(void **state)
{
    (void)state;
    wsk_rig *rig =
        wsk_test_rig("<rig><site><room temperature='25 degC'/></site><chassis dust-start='30 %'>"
                     "<fan at='front' pressure='20 Pa' flow='60 CFM' rpm='1500 rpm'/><vent at='rear' area='50 cm2'/>"
                     "<cpu power='900 W' conductance='1 W/K' limit-temperature='80 degC'/></chassis></rig>",
                     NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 7200);
    int dust = run->net->cases[0].dust;
    assert_true(dust >= 0);
    wsk_test_advance(run, 7200);
    assert_true(run->cases[0].cpu_off);
    assert_near(run->rpm[dust], 0.3, 1e-12);
    for (int i = 0; i < run->net->n_mover; i++)
        assert_true(i == dust || run->rpm[i] == 0);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dust_stays_when_the_machine_goes_off),
        cmocka_unit_test(test_bare_loops),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_failures_without_effect),
        cmocka_unit_test(test_power_and_clock_have_a_floor),
        cmocka_unit_test(test_no_contact),
        cmocka_unit_test(test_rest_is_no_runaway),
        cmocka_unit_test(test_rare_failures),
        cmocka_unit_test(test_dead_card_under_partial_load),
        cmocka_unit_test(test_processor_steps_by_time),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_large_tank_settles),
        cmocka_unit_test(test_trace_from_a_checkpoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
