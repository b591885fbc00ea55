/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice for cards in a loop that is too warm, where the gain of a change is uncertain and other parts are hot too, and
 * the heat of its loop that `check` tells. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/bench.h"
#include "sim/study/kit/verdict.h"
#include "sim/control/control.h"

static const double span_s = 12 * 3600;

static char *advice_of(const char *const *sets, size_t n)
{
    const wsk_rig_options o = {
        .path = "scenarios/water-3090/rig.xml", .parts_dir = "parts", .sets = sets, .set_count = n};
    wsk_rig *rig = NULL;
    wsk_run *run = NULL;
    char *text = NULL;
    assert_int_equal(wsk_rig_load(&rig, &o), WSK_OK);
    assert_int_equal(wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = span_s}), WSK_OK);
    wsk_test_advance(run, span_s);
    assert_int_equal(wsk_run_judge(rig, run), WSK_OK);
    assert_int_equal(wsk_run_summary_text(run, &text), WSK_OK);
    wsk_test_drop(run, rig);
    return text;
}

/* Lower power limits give no more work, need as much power and may leave the cards throttling, so they are not
 * listed. */
static void a_change_without_gain_is_not_listed(void **state)
{
    (void)state;
    const char *sets[] = {"room.temperature=35 degC", "radiator[0].fan.curve=30 degC:10 %,60 degC:20 %",
                          "radiator[1].fan.curve=30 degC:10 %,60 degC:20 %"};
    char *text = advice_of(sets, 3);
    if (strstr(text, "power limits of ") || !strstr(text, "a room 5 K cooler"))
        fail_msg("%s", text);
    wsk_text_free(text);
}

/* With the room 5 K cooler the processor is still over its limit; a PSU has nothing to do with it. */
static void parts_that_stay_hot_are_told(void **state)
{
    (void)state;
    char *text = advice_of((const char *[]){"pump[0].duty=15 %"}, 1);
    const char *room = strstr(text, "a room 5 K cooler: "), *psu = strstr(text, " PSU (psu/tier-"),
               *said = room ? strstr(room, "parts still get hotter than their limits") : NULL;
    if (!said || said > strchr(room, '\n') || (psu && strstr(psu, "parts still get hotter")))
        fail_msg("%s", text);
    wsk_text_free(text);
}

/* Both cards and the processor, of 150 W, are in one loop. What heats it is what they may draw, whatever decides it: a
 * limit, the highest limit of a schedule, a limit between long pauses, a stated power, a locked clock, or the lowest
 * clock above a limit that the cards cannot keep. */
static void the_heat_of_a_loop_is_what_its_cards_may_draw(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        double card_w; /* 0: at least what the cards draw while warm and settled */
    } rows[] = {{"gpu.power-limit=290 W", 290},
                {"gpu.limit-schedule=0:00:200 W, 8:00:310 W", 310},
                {"gpu.class+=name=training p0=60W c=150W/GHz clock-share=60% duty=50% long-pauses=yes", 300},
                {"gpu.power=340 W", 340},
                {"gpu.clock=1900 MHz", 0},
                {"gpu.power-limit=100 W", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const wsk_rig_options o = {
            .path = "scenarios/water-3090/rig.xml", .parts_dir = "parts", .sets = &rows[i].set, .set_count = 1};
        wsk_rig *rig = NULL;
        assert_int_equal(wsk_rig_load(&rig, &o), WSK_OK);
        char *text = wsk_test_check(rig);
        const char *told = strstr(text, "Loop water: up to ");
        assert_non_null(told);
        const double cards_w = strtod(told + strlen("Loop water: up to "), NULL) - 150;
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 1800);
        wsk_test_advance(run, 1800);
        const double settled_w = wsk_test_get(run, "gpu0.power_w") + wsk_test_get(run, "gpu1.power_w");
        if (rows[i].card_w > 0)
            assert_near(cards_w, 2 * rows[i].card_w, 1);
        else
            assert_true(cards_w > 0.98 * settled_w && cards_w < 1.1 * settled_w);
        wsk_text_free(text);
        wsk_test_drop(run, rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_change_without_gain_is_not_listed),
                                       cmocka_unit_test(parts_that_stay_hot_are_told),
                                       cmocka_unit_test(the_heat_of_a_loop_is_what_its_cards_may_draw)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
