/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cards that wait for data or for each other draw their measured-power as the mean over a step, which is what a log of
 * their power shows. */
#include <stdio.h>
#include <string.h>

#include "tests/verify/workloads.h"

static void the_mean_is_the_measured_one(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second, *work;
    } rows[] = {{"", "", "data-share='20 %'"},
                {"", "", "communication='30 %'"},
                {"", "", "parallel='pipeline' micro-batches='4' data-share='10 %'"},
                {"speed='2'", "", ""},
                {"speed='2'", "speed='3'", "data-share='20 %'"},
                {"speed='2'", "", "kind='constant' split='tensor'"},
                {"", "speed='2'", "kind='constant' tensor-parallel='2'"},
                {"speed='2'", "", "kind='constant' split='layer'"},
                {"", "", "kind='constant'"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int watts = 120; watts <= (strstr(rows[i].work, "constant") ? 210 : 180); watts += 30) {
            char xml[3000], cards[2][1200];
            wsk_rig *rig;
            snprintf(cards[0], sizeof cards[0], CARD("1", "%s"), rows[i].first);
            snprintf(cards[1], sizeof cards[1], CARD("5", "%s"), rows[i].second);
            snprintf(xml, sizeof xml, RIG("%s%s", "<workload class='training' measured-power='%d W' %s/>"), cards[0],
                     cards[1], watts, rows[i].work);
            wsk_run *run = wsk_test_run_to(xml, 600, &rig);
            for (int k = 0; k < 2; k++)
                if (!(fabs(run->cards[k].power_w / watts - 1) <= 0.01))
                    fail_msg("%s %s %s: card %d draws %.1f W of %d", rows[i].first, rows[i].second, rows[i].work, k,
                             run->cards[k].power_w, watts);
            wsk_test_drop(run, rig);
        }
}

/* A card at its default limit of 300 W, which waits, has at most a lower mean. Its limit holds the power between the waits
 * of a synchronous job, but the mean over the short waits of a group, and over turns. NVLink exchanges in an eighth of the stated time. */
static void a_mean_that_waits_do_not_allow(void **state)
{
    (void)state;
    static const struct {
        const char *first, *work;
        int watts;
        double most_w; /* NAN: the card reaches these watts */
    } rows[] = {{"", "data-share='20 %'", 250, NAN},
                {"", "data-share='20 %'", 290, 20 + 280 * (0.8 + 0.2 * 0.3)},
                {"", "data-share='10 %' communication='20 %' ", 290, 20 + 280 * (0.7 + 0.125 * 0.3) / 0.825},
                {"", "data-share='40 %'", 230, NAN},
                {"", "data-share='40 %'", 240, 20 + 280 * (0.6 + 0.4 * 0.3)},
                {"speed='2'", "", 200, NAN},
                {"speed='2'", "", 220, 20 + 280 * (0.5 + 0.5 * 0.3)},
                {"speed='2'", "kind='constant' split='tensor'", 270, NAN},
                {"speed='2'", "kind='constant' split='layer'", 270, NAN},
                {"", "kind='constant'", 290, NAN}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char xml[3000];
        wsk_rig *rig;
        int told = 0;
        snprintf(xml, sizeof xml,
                 RIG(CARD("1", "%s nvlink='yes'") CARD("5", "nvlink='yes'"),
                     "<workload class='training' %s measured-power='%d W'/>"),
                 rows[i].first, rows[i].work, rows[i].watts);
        wsk_run *run = wsk_test_run_to(xml, 600, &rig);
        for (size_t k = 0; k < wsk_rig_messages(rig); k++)
            told += wsk_rig_message_said(rig, k)->code == WSK_SAY_MEASURED_WAITS;
        const double power_w = run->cards[0].power_w;
        if (told != !isnan(rows[i].most_w))
            fail_msg("%s %s, %d W: told %d times", rows[i].first, rows[i].work, rows[i].watts, told);
        if (told) {
            assert_rel(power_w, rows[i].most_w, 0.03);
            assert_true(power_w < 0.97 * rows[i].watts);
        } else {
            assert_rel(power_w, rows[i].watts, 0.05);
        }
        wsk_test_drop(run, rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_mean_is_the_measured_one),
                                       cmocka_unit_test(a_mean_that_waits_do_not_allow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
