/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variables of a card that are computed on request. */
#include <stdio.h>
#include <string.h>

#include "tests/verify/workloads.h"

static double get(const wsk_run *run, const char *name)
{
    double v = -1;
    assert_int_equal(wsk_run_get(run, name, &v), WSK_OK);
    return v;
}

/* The times for which each cause held the clock down, all of them different. */
static void test_each_cause_has_its_time(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int cause;
    } of[] = {{"gpu1.held_power_s", WSK_REASON_POWER},
              {"gpu1.held_thermal_s", WSK_REASON_THERMAL},
              {"gpu1.held_hw_s", WSK_REASON_HW},
              {"gpu1.held_memory_s", WSK_REASON_MEMORY},
              {"gpu1.held_brake_s", WSK_REASON_BRAKE}};
    wsk_rig *rig;
    wsk_run *run =
        wsk_test_run_to(RIG(CARD("1", "") CARD("5", ""), "<workload kind='constant' class='burn'/>"), 60, &rig);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (int k = 0; k < WSK_REASONS; k++) {
            memset(run->cards[1].throttle_ns, 0, sizeof run->cards[1].throttle_ns);
            run->cards[1].throttle_ns[k] = 7 * WSK_NS;
            assert_same(get(run, of[i].name), of[i].cause == 1 << k ? 7.0 : 0.0);
        }
    wsk_test_drop(run, rig);
}

/* The same work moves the same bytes: with faster memory it needs a smaller share of the bandwidth. */
static void test_share_of_faster_memory(void **state)
{
    (void)state;
    double moved[2];
    for (int fast = 0; fast < 2; fast++) {
        wsk_rig *rig;
        char xml[4096];
        snprintf(xml, sizeof xml,
                 RIG(CARD("1", "memory-clock='7000 MHz' memory-offset='%s'"),
                     "<workload kind='constant' class='training'/>"),
                 fast ? "1400 MHz" : "0 MHz");
        wsk_run *run = wsk_test_run_to(xml, 60, &rig);
        const double share = get(run, "gpu0.memory_utilisation"), mhz = get(run, "gpu0.memory_clock_mhz");
        assert_rel(mhz, fast ? 8400 : 7000, 1e-12);
        assert_true(share > 0.01 && share < 1);
        moved[fast] = share * mhz / get(run, "gpu0.work_rel");
        wsk_test_drop(run, rig);
    }
    assert_rel(moved[1], moved[0], 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_cause_has_its_time),
                                       cmocka_unit_test(test_share_of_faster_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
