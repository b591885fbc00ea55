/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice for cards in a loop that is too warm, where the gain of a change is uncertain and other parts are hot too. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_change_without_gain_is_not_listed),
                                       cmocka_unit_test(parts_that_stay_hot_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
