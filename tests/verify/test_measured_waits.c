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
        for (int watts = 120; watts <= 180; watts += 30) {
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_mean_is_the_measured_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
