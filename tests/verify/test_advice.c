/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The advice behind a run: never "nothing needs help" where something would trip; what it advises helps when it is done. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/bench.h"

#define CARD(slot) "<gpu part='gpu/generic' slot='" slot "' slots='1' tdp='300 W' power-limit='%s'><cooler kind='blower' part='cooler/generic-blower'/></gpu>"
#define FOUR CARD("1") CARD("3") CARD("5") CARD("7")

typedef struct {
    double psu_trip, breaker_trip, over_s, load;
    char advice[400];
} outcome;

/* Four cards that burn for two hours. */
static outcome of(const char *site, const char *supplies, const char *limit)
{
    char xml[4096];
    outcome o = {0};
    snprintf(xml, sizeof xml,
             "<rig><site %s><room temperature='10 degC'/></site><chassis slots='8'><vent at='front' area='900 cm2'/><vent at='rear' area='900 cm2'/>"
             "<fan part='fan/generic-120-1500' at='front' count='3'/>%s" FOUR "<load dc='250 W'/></chassis><workload kind='training' class='burn'/><run for='2 h'/></rig>",
             site, supplies, limit, limit, limit, limit);
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 7200);
    wsk_test_advance(run, 7200);
    for (int i = 0; i < run->net->n_supply; i++) {
        o.psu_trip = fmax(o.psu_trip, run->supplies[i].failed ? 0 : wsk_supply_trip(run, i));
        o.load = fmax(o.load, run->supplies[i].peak_rel);
    }
    o.breaker_trip = isnan(wsk_circuit_trip(run)) ? 0 : wsk_circuit_trip(run);
    o.over_s = (double)run->head->over_limit_ns / 1e9;
    char *text = NULL;
    assert_int_equal(wsk_run_advice(rig, run, &text), WSK_OK);
    snprintf(o.advice, sizeof o.advice, "%s", text);
    wsk_text_free(text);
    wsk_run_free(run);
    wsk_rig_free(rig);
    return o;
}

static void advice_never_contradicts_the_verdict(void **state)
{
    (void)state;
    int trips = 0, quiet = 0;
    for (int w = 1000; w <= 2600; w += 200)
        for (int low = 0; low < 2; low++) {
            char psu[128];
            snprintf(psu, sizeof psu, "<psu kind='constant' rated='%d W' efficiency='92 %%'/>", w);
            outcome o = of(low ? "supply='120 V' circuit='15 A'" : "supply='230 V' circuit='16 A'", psu, "300 W");
            bool trip = o.psu_trip >= 0.005 || o.breaker_trip >= 0.005, ill = trip || o.over_s > 0 || o.load > 1;
            bool calm = strstr(o.advice, "nothing needs help") != NULL;
            if (ill && calm)
                fail_msg("%d W at %s: trips %.3f and %.3f, over the circuit for %.0f s, load %.2f:\n%s", w, low ? "120 V" : "230 V", o.psu_trip,
                         o.breaker_trip, o.over_s, o.load, o.advice);
            if (trip && !strstr(o.advice, "it would then not trip"))
                fail_msg("%d W: trips %.3f and %.3f and is not cured:\n%s", w, o.psu_trip, o.breaker_trip, o.advice);
            trips += trip;
            quiet += calm;
        }
    assert_true(trips >= 4 && quiet >= 2);
}

/* Done as advised, it no longer trips. */
static void advice_cures(void **state)
{
    (void)state;
    static const char small[] = "<psu kind='constant' rated='1250 W' efficiency='92 %'/>";
    outcome before = of("supply='230 V'", small, "300 W");
    double percent = 0, watts = 0;
    assert_true(before.psu_trip > 0.05);
    const char *limits = strstr(before.advice, "power limits "), *supply = strstr(before.advice, "a power supply of ");
    if (supply) {
        char psu[128];
        watts = strtod(supply + strlen("a power supply of "), NULL);
        snprintf(psu, sizeof psu, "<psu kind='constant' rated='%.0f W' efficiency='92 %%'/>", watts);
        assert_true(of("supply='230 V'", psu, "300 W").psu_trip < 0.005);
    } else {
        char limit[32];
        assert_non_null(limits);
        percent = strtod(limits + strlen("power limits "), NULL);
        snprintf(limit, sizeof limit, "%.0f W", floor(300 * (1 - percent / 100)));
        assert_true(of("supply='230 V'", small, limit).psu_trip < 0.005);
    }
}

/* Two of three carry all once the third has failed: the steady point before that is not what the advice is about. */
static void advice_is_about_what_is_left(void **state)
{
    (void)state;
    outcome o = of("supply='230 V'", "<psu kind='constant' rated='650 W' efficiency='92 %' redundant='yes'/><psu kind='constant' rated='650 W' efficiency='92 %' redundant='yes'/>"
                                     "<psu kind='constant' rated='650 W' efficiency='92 %' redundant='yes' fails-at='1 h'/>", "300 W");
    assert_true(o.load > 1 && o.psu_trip > 0.005);
    assert_true(strstr(o.advice, "after the failure: ") && strstr(o.advice, "it would then not trip"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(advice_never_contradicts_the_verdict),
        cmocka_unit_test(advice_cures),
        cmocka_unit_test(advice_is_about_what_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
