/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/net/chassis.h"
#include "sim/net/feed.h"
#include "sim/net/governor_table.h"
#include "sim/net/site.h"
#include "tests/unit/assert.h"

extern const wsk_kind wsk_ups_online, wsk_pdu_strip, wsk_governor_power_brake, wsk_governor_slowdown,
    wsk_governor_thermal_target, wsk_outdoor_file;

static void test_losses_of_feeds(void **state)
{
    (void)state;
    const wsk_feed_ops *ups = wsk_ups_online.ops, *pdu = wsk_pdu_strip.ops;
    const wsk_feed_params usual = {.rated_w = 1000, .eff_quarter = 0.9, .eff_full = 0.93};
    assert_rel(ups->loss_w(&usual, 250), 250 * (1 / 0.9 - 1), 1e-12);
    assert_rel(ups->loss_w(&usual, 1000), 1000 * (1 / 0.93 - 1), 1e-12);
    assert_true(ups->loss_w(&usual, 0) > 0);
    /* Efficiencies that would make the loss fall as the output rises, and efficiencies that would make it negative
     * without load: only the loss at full load is met. */
    const wsk_feed_params falling = {.rated_w = 1000, .eff_quarter = 0.5, .eff_full = 0.95};
    assert_rel(ups->loss_w(&falling, 1000), 1000 * (1 / 0.95 - 1), 1e-12);
    assert_rel(ups->loss_w(&falling, 0), ups->loss_w(&falling, 1000), 1e-12);
    const wsk_feed_params steep = {.rated_w = 1000, .eff_quarter = 0.99, .eff_full = 0.5};
    assert_rel(ups->loss_w(&steep, 1000), 1000, 1e-12);
    assert_near(ups->loss_w(&steep, 0), 0, 1e-9);
    const wsk_feed_params strip = {.rated_w = 2000, .eff_full = 0.98};
    assert_rel(pdu->loss_w(&strip, 1000), pdu->loss_w(&strip, 2000) / 4, 1e-12);
    assert_rel(pdu->loss_w(&strip, 2000), 2000 * (1 / 0.98 - 1), 1e-12);
}

static void test_halved_clocks(void **state)
{
    (void)state;
    const wsk_governor_ops *brake = wsk_governor_power_brake.ops, *slow = wsk_governor_slowdown.ops;
    const wsk_governor_params g = {.dwell_s = 10, .hysteresis_k = 5};
    wsk_gpu_params gpu = {.clock_min_hz = 2e8, .clock_max_hz = 2e9, .clock_step_hz = 15e6, .slowdown_k = 370};
    for (int low = 0; low < 2; low++) {
        /* In the second pass, the minimum clock is above half of the maximum clock. */
        gpu.clock_min_hz = low ? 1.5e9 : 2e8;
        const double half = low ? 1.5e9 : 1e9;
        wsk_governor_state s = {.cap_hz = 2e9};
        brake->next(&g, &gpu, &s, &(wsk_governor_input){.clock_hz = 2e9, .brake = true});
        assert_same(s.cap_hz, half);
        brake->next(&g, &gpu, &s, &(wsk_governor_input){.clock_hz = half, .brake = true, .elapsed_s = 1});
        assert_same(s.cap_hz, half); /* an active brake halves the clock once */
        const wsk_governor_input let_go = {.clock_hz = half, .elapsed_s = 6};
        brake->next(&g, &gpu, &s, &let_go);
        assert_same(s.cap_hz, half);
        /* Seconds that remain of the dwell time, during which the cap cannot change. */
        assert_same(brake->rest(&g, &gpu, &s, &let_go).for_s, 4);
        brake->next(&g, &gpu, &s, &let_go);
        assert_same(s.cap_hz, 2e9);

        s = (wsk_governor_state){.cap_hz = 2e9};
        slow->next(&g, &gpu, &s, &(wsk_governor_input){.die_k = 370, .clock_hz = 2e9});
        assert_same(s.cap_hz, half);
        slow->next(&g, &gpu, &s, &(wsk_governor_input){.die_k = 370.5, .clock_hz = half, .elapsed_s = 1});
        /* The die kept heating: the clock is halved again, but not to below the minimum clock. */
        const double lower = low ? half : half / 2;
        assert_same(s.cap_hz, lower);
        slow->next(&g, &gpu, &s, &(wsk_governor_input){.die_k = 370.4, .clock_hz = lower, .elapsed_s = 1});
        assert_same(s.cap_hz, lower); /* the die cools, so the cap stays */
        slow->next(&g, &gpu, &s, &(wsk_governor_input){.die_k = 364, .elapsed_s = 6});
        assert_same(s.cap_hz, lower); /* the die is cool enough, but the dwell time is not over */
        slow->next(&g, &gpu, &s, &(wsk_governor_input){.die_k = 366, .elapsed_s = 6});
        assert_same(s.cap_hz, lower); /* the dwell time is over, but the die is not cool enough */
        slow->next(&g, &gpu, &s, &(wsk_governor_input){.die_k = 364, .lowest_hz = lower - 20e6, .elapsed_s = 1});
        assert_same(s.cap_hz, lower); /* the cap does not rise, because another governor holds the clock lower */
        slow->next(&g, &gpu, &s, &(wsk_governor_input){.die_k = 364, .lowest_hz = lower, .elapsed_s = 1});
        assert_same(s.cap_hz, lower + 15e6);
    }
}

/* If its cap is below the present clock, a governor lowers the cap, not the clock. A rising cap ends at the maximum
 * clock, plus a positive clock offset. */
static void test_caps_below_the_clock(void **state)
{
    (void)state;
    const wsk_governor_ops *brake = wsk_governor_power_brake.ops, *slow = wsk_governor_slowdown.ops,
                           *target = wsk_governor_thermal_target.ops;
    const wsk_governor_params g = {.period_s = 1, .dwell_s = 5, .hysteresis_k = 1};
    wsk_gpu_params gpu = {
        .clock_min_hz = 2e8, .clock_max_hz = 2e9, .clock_step_hz = 15e6, .slowdown_k = 370, .target_k = 356};
    wsk_governor_state s = {.cap_hz = 1e9};
    slow->next(&g, &gpu, &s, &(wsk_governor_input){.die_k = 370, .clock_hz = 2e9});
    assert_same(s.cap_hz, 5e8);
    s = (wsk_governor_state){.cap_hz = 1e9};
    target->next(&g, &gpu, &s, &(wsk_governor_input){.die_k = 356.5, .clock_hz = 2e9});
    assert_same(s.cap_hz, 1e9 - 15e6);
    const wsk_governor_input let_go = {.clock_hz = 1e9};
    s = (wsk_governor_state){.cap_hz = 1e9, .hold_s = 2};
    assert_true(isinf(brake->rest(&g, &gpu, &s, &let_go).rise_k));
    s.hold_s = 0;
    assert_same(brake->rest(&g, &gpu, &s, &let_go).rise_k, 0);
    for (int offset = -1; offset <= 1; offset++) {
        gpu.clock_offset_hz = offset * 1e8;
        s = (wsk_governor_state){.cap_hz = 2e9 - 5e6};
        for (int i = 0; i < 20; i++)
            slow->next(&g, &gpu, &s, &(wsk_governor_input){.die_k = 300, .elapsed_s = 1});
        assert_same(s.cap_hz, offset > 0 ? 2.1e9 : 2e9);
    }
}

static void test_outdoor_file(void **state)
{
    (void)state;
    const wsk_outdoor_ops *ops = wsk_outdoor_file.ops;
    static const double t[] = {100, 110, 130}, y[] = {280, 290, 270};
    wsk_outdoor_params o = {.file = {.count = 3, .mean = 281, .period_s = 30, .t = t, .y = y}};
    static const double at[][2] = {{100, 280}, {105, 285}, {110, 290}, {120, 280}, {129, 271}, {135, 285}, {85, 285}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        assert_near(ops->temp_k(&o, NAN, at[i][0]), at[i][1], 1e-9);
    assert_near(ops->temp_k(&o, NAN, 130), 270, 1e-9);
    o.file.period_s = 40;
    assert_near(ops->temp_k(&o, NAN, 130), 270, 1e-9);
    assert_near(ops->temp_k(&o, NAN, 135), 275, 1e-9); /* halfway from the last row back to the first */
    o.file.civil = true;
    /* If the file has dates, the calendar time counts and not the time of the run. */
    assert_near(ops->temp_k(&o, 105, NAN), 285, 1e-9);
    assert_same(ops->mean_k(&o), 281);
    o.file.count = 0;
    assert_same(ops->temp_k(&o, 0, 0), 281);
}

static void test_doubt_of_work(void **state)
{
    (void)state;
    const wsk_gpu_class cls = {.work_spread = 0.4};
    assert_rel(wsk_gpu_work_spread(&cls, 1), 0.02, 1e-12);
    assert_rel(wsk_gpu_work_spread(&cls, 0.5), 0.42, 1e-12);
    assert_rel(wsk_gpu_work_spread(&cls, 0.1), 1, 1e-12);
}

static void test_tables_of_parameters(void **state)
{
    (void)state;
    for (const wsk_kind *const *k = wsk_kinds; *k; k++) {
        assert_non_null((*k)->params);
        for (const wsk_param *p = (*k)->params; p->name; p++) {
            assert_true(p->offset >= sizeof(wsk_params) && p->offset < (*k)->size);
            for (const wsk_param *q = (*k)->params; q < p; q++)
                if (strcmp(p->name, q->name) == 0 || p->offset == q->offset)
                    fail_msg("<%s kind=\"%s\">: %s and %s", (*k)->element, (*k)->name, p->name, q->name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_losses_of_feeds),      cmocka_unit_test(test_halved_clocks),
        cmocka_unit_test(test_caps_below_the_clock), cmocka_unit_test(test_outdoor_file),
        cmocka_unit_test(test_doubt_of_work),        cmocka_unit_test(test_tables_of_parameters)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
