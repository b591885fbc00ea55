/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences on redundant PSUs that are too few, too large, or left with the load of others. */
#include <string.h>

#include "sim/study/findings/found.h"
#include "sim/study/trip/trip.h"
#include "tests/verify/supplies.h"

#define CARD(watts) \
    "<gpu slot='1' slots='1' tdp='250 W' power='" watts "' part='gpu/generic' fan='100 %'>" \
    "<cooler kind='blower' part='cooler/generic-blower'/></gpu>"
#define HALF(more) "<psu kind='constant' rated='700 W' efficiency='100 %' redundant='yes' " more "/>"

/* Two PSUs of 700 W on two circuits share 1000 W. After one circuit fails, the other PSU carries 143 % of its rating
 * and almost certainly trips: no measured PSU tolerated more than 133 %. */
static void the_psu_left_is_overloaded(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_summary *all;
    wsk_run *run =
        after("<rig><site supply='120 V' circuit='15 A'><room temperature='21 degC'/>"
              "<branch id='b2' circuit='15 A' fails-at='10 min'/></site><chassis><vent at='front' area='900 "
              "cm2'/>" HALF("") HALF("on='b2'") CARD("1000 W") "</chassis><run for='2 h'/></rig>",
              3600, &rig);
    assert_int_equal(wsk_run_summary(&all, run, 0), WSK_OK);
    const wsk_facts f = wsk_facts_of(all);
    assert_string_equal(f.off_circuit, "b2");
    assert_true(!f.stopped && f.load > 1.4 && f.trip_left > 0.99);
    wsk_arena *a = wsk_arena_new();
    assert_non_null(strstr(wsk_said_english(a, wsk_line_said(a, run, 1)), "the other circuits take over its load"));
    wsk_arena_free(a);
    wsk_summary_free(all);
    wsk_run_free(run);
    wsk_rig_free(rig);
}

/* Two PSUs of 2000 W on two circuits of 1440 W share 1600 W, of which each circuit then has 800 W. After one circuit
 * fails, the other has 1600 W. With 1200 W it carries on within its limit. */
static void the_circuit_left_is_overloaded(void **state)
{
    (void)state;
#define LARGER(more) "<psu kind='constant' rated='2000 W' efficiency='100 %' redundant='yes' " more "/>"
#define ON(first, watts) \
    "<rig><site supply='120 V' circuit='15 A'><room temperature='21 degC'/>" \
    "<branch id='b2' circuit='15 A' fails-at='10 min'/><branch id='b3' circuit='15 A'/></site><chassis>" \
    "<vent at='front' area='900 cm2'/>" LARGER(first) LARGER("on='b2'") "<load dc='" watts "'/></chassis>" \
                                                                        "<run for='2 h'/></rig>"
    static const struct {
        const char *xml, *says;
    } of[] = {{ON("", "1600 W"), "the other circuits take over its load"},
              {ON("on='b3'", "1600 W"), "the other circuits take over its load"},
              {ON("", "1200 W"), "the other circuits carry on"},
              {ON("on='b3'", "1200 W"), "the other circuits carry on"}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        wsk_rig *rig;
        wsk_run *run = after(of[i].xml, 3600, &rig);
        wsk_arena *a = wsk_arena_new();
        int off = 0;
        while (strcmp(run->net->lines[off].id, "b2") != 0)
            off++;
        const char *text = wsk_said_english(a, wsk_line_said(a, run, off));
        if (!strstr(text, of[i].says))
            fail_msg("%zu: not \"%s\", but \"%s\"", i, of[i].says, text);
        wsk_arena_free(a);
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
}

static void says(const char *xml, const char *words, const char *silent)
{
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    char *text = wsk_test_check(rig);
    if (!strstr(text, words) || (silent && strstr(text, silent)))
        fail_msg("expected \"%s\", not \"%s\":\n%s", words, silent ? silent : "", text);
    wsk_text_free(text);
    wsk_rig_free(rig);
}

#define LARGE(more) "<psu kind='constant' rated='8000 W' efficiency='90 %' redundant='yes' " more "/>"
/* Two PSUs share 1800 W, so each must carry 1800 W alone: 90 % of 2000 W. Of three PSUs two must carry 1800 W, and the
 * one with 6 % more than its share carries 954 W, 87 % of 1100 W. */
static void a_smaller_size_carries_the_load_of_a_lost_one(void **state)
{
    (void)state;
    says(RIG("supply='230 V'", LARGE("imbalance='0 %'") LARGE("imbalance='0 %'"), CARD("1800 W")),
         "PSUs of 2000 W would run at 45 %, and at 90 % with one lost", "a PSU of 1500 W");
    says(RIG("supply='230 V'", LARGE("") LARGE("") LARGE(""), CARD("1800 W")),
         "PSUs of 1100 W would run at 58 %, and at 87 % with one lost", NULL);
    says(RIG("supply='230 V'", "<psu kind='constant' rated='12000 W' efficiency='90 %'/>", CARD("1800 W")),
         "a PSU of 3000 W would run at 60 %", "with one lost");
}

/* load: load of each of the PSUs that share it / rating; pool: number of these PSUs, 0 for a PSU with a load of its
 * own; more: PSUs to be added. Two PSUs at 165 % are at 110 % with one more and at 83 % with two more. */
static void as_many_psus_are_advised_as_help(void **state)
{
    (void)state;
    static const struct {
        double load;
        int pool, more;
    } of[] = {{1.65, 2, 2}, {1.34, 2, 1}, {1.36, 2, 2}, {0.95, 0, 1}, {1.9, 1, 2}, {2.8, 1, 3}};
    wsk_arena *a = wsk_arena_new();
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const wsk_steps s = {.base_w = 1000 * of[i].load,
                             .limit_w = 1000,
                             .rated_w = 1000,
                             .line_w = 1000,
                             .supply_v = 230,
                             .opp = 1.25,
                             .step_s = 1,
                             .time_s = 3600,
                             .pool = of[i].pool};
        const char *text = wsk_said_english(a, wsk_steps_said(a, &s)), *told = of[i].more == 1   ? "one more PSU"
                                                                               : of[i].more == 2 ? "2 more PSUs"
                                                                                                 : "3 more PSUs";
        assert_int_equal(wsk_steps_cure_more(&s), of[i].more);
        if (!strstr(text, told))
            fail_msg("at %g of %d: %s", of[i].load, of[i].pool, text);
    }
    wsk_arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_many_psus_are_advised_as_help),
                                       cmocka_unit_test(a_smaller_size_carries_the_load_of_a_lost_one),
                                       cmocka_unit_test(the_psu_left_is_overloaded),
                                       cmocka_unit_test(the_circuit_left_is_overloaded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
