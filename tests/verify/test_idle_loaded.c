/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power of cards on which a program is loaded but has nothing to do. Theory: docs/theory/workload.md */
#include <stdio.h>
#include <string.h>

#include "tests/verify/workloads.h"

/* Power, W, of a card that does not leak, idles at 20 W and draws 60 + 110 x 1.1 W at work, after ten minutes. */
static double card_w(const char *more, const char *workload)
{
    char xml[4096];
    snprintf(xml, sizeof xml, RIG(CARD("1", "clock='1100 MHz' %s"), "%s"), more, workload);
    wsk_rig *rig;
    wsk_run *run = wsk_test_run_to(xml, 600, &rig);
    const double w = run->cards[0].power_w;
    wsk_test_drop(run, rig);
    return w;
}

static void test_a_program_keeps_the_clocks_up(void **state)
{
    (void)state;
    static const char loaded[] = "idle-loaded='50 W'", served[] = "<workload kind='inference' class='training' "
                                                                  "load-curve='0 h:0 %, 12 h:0 %'/>";
    assert_near(card_w("", served), 20, 1e-9);
    assert_near(card_w(loaded, served), 50, 1e-9);
    assert_near(card_w(loaded, "<workload kind='constant' class='training' load='0'/>"), 50, 1e-9);
    /* no program is loaded on the card */
    assert_near(card_w(loaded, ""), 20, 1e-9);
    assert_near(card_w(loaded, "<workload class='idle'/>"), 20, 1e-9);
}

/* Between requests the card draws idle-loaded; during requests, its working power. */
static void test_part_of_the_time(void **state)
{
    (void)state;
    static const char part[] = "<workload kind='constant' class='training' load='0.3'/>",
                      all[] = "<workload kind='constant' class='training'/>";
    const double run_w = card_w("", all), without = card_w("", part), with = card_w("idle-loaded='50 W'", part);
    const double busy = (without - 20) / (run_w - 20);
    assert_near(card_w("idle-loaded='50 W'", all), run_w, 1e-9);
    assert_near(with, 50 + busy * (run_w - 50), 1e-6);
}

/* The power limit holds for a card without work, too. */
static void test_no_more_than_the_limit(void **state)
{
    (void)state;
    static const char rest[] = "<workload kind='constant' class='training' load='0'/>";
    assert_near(card_w("idle-loaded='150 W' power-limit='100 W'", rest), 100, 1e-9);
    assert_near(card_w("idle-loaded='150 W' power-limit='200 W'", rest), 150, 1e-9);
}

static void test_no_less_than_idle(void **state)
{
    (void)state;
    static const char rest[] = RIG(CARD("1", "idle-loaded='15 W'"), "<workload kind='constant'/>");
    const wsk_rig_options options = {.path = "-", .text = rest, .text_len = strlen(rest), .parts_dir = "parts"};
    wsk_rig *rig = NULL;
    assert_int_equal(wsk_rig_load(&rig, &options), WSK_EINPUT);
    wsk_rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_program_keeps_the_clocks_up),
        cmocka_unit_test(test_part_of_the_time),
        cmocka_unit_test(test_no_more_than_the_limit),
        cmocka_unit_test(test_no_less_than_idle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
