/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The work that a card which falls off the bus would have done: that of the card, or, where cards wait for each other,
 * that of all of them. Clocks are limited by nothing, so that work is in proportion to the time. */
#include <stdio.h>
#include <string.h>

#include "tests/verify/workloads.h"

static double gone_s(const wsk_run *run)
{
    return wsk_sum_value(&run->head->work_gone);
}

static void test_work_of_a_lost_card(void **state)
{
    (void)state;
    static const struct {
        const char *workload;
        bool together;
    } of[] = {{"<workload kind='constant' class='training'/>", false},
              {"<workload kind='training' class='training'/>", true}};
    static const char *const steps[] = {"run.step=1 s", "run.step=0.4 s"};
    for (int i = 0; i < 4; i++) {
        char xml[4096];
        snprintf(xml, sizeof xml,
                 RIG(CARD("1", "lock-clock='1000 MHz'") CARD("5", "lock-clock='1100 MHz' lost-at='600 s'"), "%s"),
                 of[i / 2].workload);
        wsk_rig *rig = wsk_test_rig(xml, steps[i % 2]);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
        wsk_test_advance(run, 600);
        const double first = work_s(run, 0), second = work_s(run, 1);
        assert_true(first > 100 && second > 100);
        assert_near(gone_s(run), 0, 1e-3 * second); /* at most a step */
        for (int k = 1; k <= 3; k++) {              /* as much in each further ten minutes */
            wsk_test_advance(run, 600 + 600 * k);
            assert_rel(gone_s(run), k * (of[i / 2].together ? first + second : second), 0.005);
            assert_rel(work_s(run, 0), first * (of[i / 2].together ? 1 : 1 + k), 0.005);
            assert_rel(work_s(run, 1), second, 0.005);
        }
        wsk_test_drop(run, rig);
    }
}

/* A card whose fans have stopped shuts down from heat. From the time at which it is lost, its work is lost with it and
 * no longer to heat, and the loss is an event of its own. */
static void test_a_hot_card_that_is_lost_later(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(
        RIG(CARD("1", "") CARD("5", "fan-fails-at='600 s' lost-at='2400 s'"), "<workload kind='constant'/>"), NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
    wsk_test_advance(run, 2000);
    assert_true(run->cards[1].off && run->cards[1].off != WSK_LOST && run->head->shutdowns == 1);
    assert_near(gone_s(run), 0, 0);
    wsk_test_advance(run, 3600);
    assert_int_equal(run->cards[1].off, WSK_LOST);
    assert_int_equal(run->head->shutdowns, 1);
    assert_rel(gone_s(run), 1200.0 / 3600 * work_s(run, 0), 0.02);
    char *text = NULL;
    assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
    assert_non_null(strstr(text, "gpu1 stopped at 40 min"));
    wsk_text_free(text);
    wsk_test_drop(run, rig);
}

static double dark_s(const wsk_run *run)
{
    return wsk_sum_value(&run->head->work_dark);
}

/* Two machines on two circuits. One of them loses its mains for ten of sixty minutes: its card does a sixth less work,
 * and where cards work together the other one does, too. That is neither lost to heat nor with a lost card. */
static void test_work_of_a_machine_without_mains(void **state)
{
    (void)state;
#define MACHINE(id, on, more) \
    "<chassis id='" id "'><psu kind='constant' rated='1000 W' efficiency='90 %' " on "/>" CARD("1", more) "</" \
                                                                                                          "chassis>"
#define MACHINES(work) \
    "<rig><site supply='230 V'><room temperature='25 degC'/><branch id='b' circuit='16 A'/></site>" MACHINE( \
        "m", "", "id='x' lock-clock='1000 MHz'") MACHINE("n", "on='b'", "id='y' lock-clock='1100 MHz'") work \
        "<run for='1 h'/></rig>"
    static const char *const rigs[] = {MACHINES("<workload kind='constant' class='training'/>"),
                                       MACHINES("<workload kind='training' class='training'/>")};
    for (int together = 0; together < 2; together++) {
        wsk_rig *rig = wsk_test_rig(rigs[together], NULL);
        wsk_run *well = wsk_test_run(rig, WSK_STEPPER_FAST, 3600), *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
        wsk_test_advance(well, 3600);
        wsk_test_advance(run, 1200);
        assert_int_equal(wsk_run_set(run, "b.on", 0), WSK_OK);
        wsk_test_advance(run, 1800);
        assert_int_equal(wsk_run_set(run, "b.on", 1), WSK_OK);
        wsk_test_advance(run, 3600);
        assert_rel(work_s(run, 0), work_s(well, 0) * (together ? 5.0 / 6 : 1), 0.005);
        assert_rel(work_s(run, 1), work_s(well, 1) * 5 / 6, 0.005);
        assert_rel(work_s(run, 0) + work_s(run, 1) + dark_s(run), work_s(well, 0) + work_s(well, 1), 0.002);
        assert_near(dark_s(well), 0, 0);
        assert_near(gone_s(run), 0, 0);
        wsk_summary *s = NULL;
        assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
        const double all = work_s(well, 0) + work_s(well, 1), off = together ? 1.0 / 6 : work_s(well, 1) / 6 / all;
        assert_rel(wsk_summary_number(s, WSK_R_WORK_UNTHROTTLED, 0), all * (1 - off) / 3600, 0.002);
        assert_near(wsk_summary_number(s, WSK_R_LOST, 0), 0, 0.001);
        assert_near(wsk_summary_number(s, WSK_R_LOST_TO_OUTAGE, 0), off, 0.002);
        assert_true(isnan(wsk_summary_number(s, WSK_R_LOST_TO_FAILURE, 0)));
        wsk_summary_free(s);
        char *text = NULL, want[80];
        assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
        snprintf(want, sizeof want, "time without mains -%.0f", 100 * off);
        if (!strstr(text, want) || strstr(text, "lost cards"))
            fail_msg("no \"%s\" in:\n%s", want, text);
        wsk_text_free(text);
        wsk_run_free(well);
        wsk_test_drop(run, rig);
    }
}

/* A card that is lost, in a machine that then loses its mains, is lost all the time. */
static void test_a_lost_card_stays_lost_without_mains(void **state)
{
    (void)state;
    wsk_rig *rig =
        wsk_test_rig("<rig><site supply='230 V'><room temperature='25 degC'/></site>" MACHINE(
                         "m", "", "lock-clock='1000 MHz' lost-at='600 s'") "<workload kind='constant' "
                                                                           "class='training'/><run for='1 h'/></rig>",
                     NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
    wsk_test_advance(run, 600);
    const double first = work_s(run, 0);
    wsk_test_advance(run, 1200);
    assert_int_equal(wsk_run_set(run, "circuit.on", 0), WSK_OK);
    wsk_test_advance(run, 3600);
    assert_rel(gone_s(run), 5 * first, 0.005);
    assert_near(dark_s(run), 0, 0);
    wsk_test_drop(run, rig);
}

/* The work of a card whose power is stated is not known, so that none is lost with the card. */
static void test_no_work_of_a_stated_power_is_lost(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(
        RIG(CARD("1", "") CARD("5", "power='200 W' lost-at='600 s'"), "<workload kind='constant' class='training'/>"),
        NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
    wsk_test_advance(run, 3600);
    assert_int_equal(run->cards[1].off, WSK_LOST);
    assert_near(gone_s(run), 0, 0);
    assert_near(wsk_sum_value(&run->cards[1].work_cool), 0, 0);
    wsk_test_drop(run, rig);
}

static void check_cause(const char *name, double value, const char *cause)
{
    wsk_rig *rig = wsk_test_rig(RIG(CARD("1", ""), "<workload kind='constant' class='burn'/>"), NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 600);
    wsk_summary *s = NULL;
    assert_int_equal(wsk_run_set(run, name, value), WSK_OK);
    wsk_test_advance(run, 600);
    assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
    assert_true(wsk_summary_number(s, WSK_R_LOST_TO_LIMIT, 0) > 0.1);
    assert_string_equal(wsk_summary_text(s, WSK_R_LOST_TO, 0), cause);
    wsk_summary_free(s);
    wsk_test_drop(run, rig);
}

/* Work is also lost to a lock or a limit that a client sets during the run. */
static void test_cause_that_a_client_sets(void **state)
{
    (void)state;
    check_cause("gpu0.lock_high_mhz", 1000, "a locked clock");
    check_cause("gpu0.power_limit_w", 150, "power limits");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_work_of_a_lost_card),
                                       cmocka_unit_test(test_a_hot_card_that_is_lost_later),
                                       cmocka_unit_test(test_work_of_a_machine_without_mains),
                                       cmocka_unit_test(test_a_lost_card_stays_lost_without_mains),
                                       cmocka_unit_test(test_no_work_of_a_stated_power_is_lost),
                                       cmocka_unit_test(test_cause_that_a_client_sets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
