/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every result of the table is given by some rig, and results that must agree do. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/base.h"
#include "tests/support/bench.h"
#include "wattsink_summary.h"

/* Shipped scenarios with different kinds of parts, sites and loads. The rigs below have what these lack. */
static const char *const scenarios[] = {
    "quad-3090-15a/350",    "two-circuits/one",         "llama-70b-2x3090/one-4090",
    "redundant-8gpu/rig",   "sxm-air-vs-liquid/liquid", "time-of-use-night/night",
    "water-3090/rig",       "desk-machines/spark",      "v100-memory/capped",
    "h100-4u/rig",          "titan-positions/bottom",   "home-100v-jp/four-100v",
    "quad-2080-openair/rig"};
static const char rest[] =
    "<rig name='what the scenarios lack'><site supply='120 V' circuit='15 A'>"
    "<room volume='40 m3' conductance='50 W/K'><outdoor mean='24 degC' swing='5 K'/>"
    "<air-conditioner capacity='6 kW'/></room>"
    "<ups rated='1500 W' battery='500 Wh'/><tariff kind='flat' price='0.2 USD/kWh'/><carbon intensity='0.4 kg/kWh'/>"
    "<heating season='50 %' price='0.1 USD/kWh'/><branch id='b2' circuit='15 A' fails-at='30 min'><ups rated='1500 "
    "W' "
    "battery='200 Wh'/><pdu rated='1500 W'/></branch></site><chassis part='chassis/mid-tower-mesh'>"
    "<fan part='fan/generic-140-1200' at='front' count='2' fails-at='20 min'/><fan part='fan/generic-140-1200' "
    "at='rear'/>"
    "<psu part='psu/tier-gold-1200' on='b2' redundant='yes'/><psu part='psu/tier-gold-1200' redundant='yes'/>"
    "<cpu part='cpu/generic-desktop'/><gpu part='gpu/rtx-3090-open-air' slot='1' power-limit='300 W'/></chassis>"
    "<workload kind='training' class='training' checkpoint-every='20 min' checkpoint-takes='60 s'/>"
    "<run from='2026-08-03T09:00:00' for='1 h'/></rig>";
static const char bill[] =
    "<rig name='a bill with everything'><site supply='230 V' circuit='32 A'>"
    "<room temperature='24 degC'/><tariff kind='flat' price='0.2 EUR/kWh'><demand price='10 EUR/kW'/></tariff>"
    "<solar surplus='6:00:0 W, 13:00:3 kW, 20:00:0 W' feed-in='0.08 EUR/kWh'/>"
    "<carbon intensity='0.4 kg/kWh'/></site>"
    "<chassis part='chassis/mid-tower-mesh'><fan part='fan/generic-140-1200' at='front' count='2'/>"
    "<fan part='fan/generic-140-1200' at='rear'/><psu part='psu/tier-gold-1600'/><cpu part='cpu/generic-desktop'/>"
    "<rear-door conductance='200 W/K' flow='1000 m3/h'/>"
    "<gpu part='gpu/rtx-3090-open-air' slot='1' fan-fails-at='10 min'/>"
    "<gpu part='gpu/rtx-3090-open-air' slot='5' lost-at='30 min'/></chassis>"
    "<workload kind='training' class='training' mtbf='20 min' checkpoint-every='10 min'/>"
    "<run from='2026-08-03T09:00:00' zone='Europe/Berlin' for='1 h'/></rig>";
static const char stops[] =
    "<rig name='a machine that stops'><site supply='120 V' circuit='15 A'>"
    "<room volume='40 m3' conductance='50 W/K'><outdoor mean='24 degC' swing='5 K'/>"
    "<air-conditioner capacity='6 kW' fails-at='10 min'/></room>"
    "<tariff kind='flat' price='0.2 USD/kWh'/><carbon intensity='0.4 kg/kWh'/>"
    "<branch id='b2' circuit='15 A' fails-at='30 min'/></site>"
    "<chassis part='chassis/mid-tower-mesh'><fan part='fan/generic-140-1200' at='front' count='2'/>"
    "<fan part='fan/generic-140-1200' at='rear'/><psu part='psu/tier-gold-1200' on='b2'/>"
    "<gpu part='gpu/rtx-3090-open-air' slot='1'/></chassis>"
    "<workload kind='constant' class='burn'/><run from='2026-08-03T09:00:00' for='1 h'/></rig>";
static const char serves[] =
    "<rig name='a PSU that fails while a model is served'><site supply='230 V' circuit='32 A'>"
    "<room temperature='24 degC'/></site><chassis part='chassis/mid-tower-mesh'>"
    "<fan part='fan/generic-140-1200' at='front' count='2'/><fan part='fan/generic-140-1200' at='rear'/>"
    "<psu part='psu/tier-gold-1600' id='a' feeds='card' fails-at='30 min'/><psu part='psu/tier-gold-1600' id='b'/>"
    "<cpu part='cpu/generic-desktop'/><gpu part='gpu/rtx-3090-open-air' id='card' slot='1'/></chassis>"
    "<workload kind='inference' model='model/llama-3.1-8b' token-price='0.2 EUR'/><run for='1 h'/></rig>";

static bool given[WSK_RESULTS];

static void note(const wsk_summary *s)
{
    for (int r = 0; r < WSK_RESULTS; r++)
        for (size_t i = 0; i < wsk_summary_count(s, wsk_result_about((wsk_result)r)->scope); i++)
            given[r] = given[r] || wsk_summary_known(s, (wsk_result)r, i);
}

/* No mean is above its peak, and the circuits' shares of the energy add up to 1. */
static void check_relations(const wsk_summary *s, const char *name)
{
    const double wall = wsk_summary_number(s, WSK_R_WALL_KWH, 0), time_s = wsk_summary_number(s, WSK_R_SIMULATED, 0);
    print_message("%s: %.4g kWh in %.0f s\n", name, wall, time_s);
    for (size_t i = 0; i < wsk_summary_count(s, WSK_SCOPE_GPU); i++) {
        const double die = wsk_summary_number(s, WSK_R_GPU_DIE_MEAN, i);
        assert_false(die > wsk_summary_number(s, WSK_R_GPU_DIE_MAX, i) + 1e-9);
    }
    double share = 0;
    for (size_t i = 0; i < wsk_summary_count(s, WSK_SCOPE_CIRCUIT); i++) {
        share += wsk_summary_number(s, WSK_R_BRANCH_SHARE, i);
        const double peak = wsk_summary_number(s, WSK_R_BRANCH_PEAK_VA, i);
        assert_true(peak >= 0);
        assert_false(wsk_summary_number(s, WSK_R_BRANCH_MEAN, i) > peak * (1 + 1e-9));
    }
    assert_near(share, 1, 1e-9);
}

static void run_for(wsk_rig *rig, const char *name, double for_s, bool leap)
{
    wsk_run *one = NULL;
    wsk_summary *s = NULL;
    assert_int_equal(
        wsk_run_new(&one, rig, &(wsk_run_options){.duration_s = for_s, .step_s = 1, .leap = leap, .stride = leap}),
        WSK_OK);
    assert_int_equal(wsk_run_advance(one, for_s), WSK_OK);
    assert_int_equal(wsk_run_summary(&s, one, 1), WSK_OK);
    note(s);
    check_relations(s, name);
    wsk_summary_free(s);
    wsk_run_free(one);
    s = NULL;
    if (wsk_steady_point(&s, rig, WSK_STEPPER_FAST, WSK_POINT_RANGES | WSK_POINT_ADVICE, NULL, NULL) == WSK_OK)
        note(s);
    wsk_summary_free(s);
    wsk_rig_free(rig);
}

/* False for the results of comparisons, and for three that the command `run` adds with its advice (tests/cli/advice.sh,
 * tests/cli/report.sh). */
static bool is_of_a_run(wsk_result r)
{
    const wsk_scope scope = wsk_result_about(r)->scope;
    return scope != WSK_SCOPE_COMPARED && scope != WSK_SCOPE_COMPARISON && r != WSK_R_ADVICE_BASIS &&
           r != WSK_R_COOLING && r != WSK_R_FAILED_SHUTS_LATER;
}

static void run(wsk_rig *rig, const char *name)
{
    run_for(rig, name, 3600, false);
}

static void every_result_is_given(void **state)
{
    (void)state;
    int missing = 0;
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        char path[128];
        snprintf(path, sizeof path, "scenarios/%s.xml", scenarios[i]);
        run(wsk_test_rig_file(path), scenarios[i]);
    }
    run_for(wsk_test_rig_file("scenarios/quad-3090-blower/rig.xml"), "a week in strides", 7 * 86400, true);
    run_for(wsk_test_rig_file("scenarios/quad-3090-blower/rig.xml"), "too short for strides", 3600, true);
    run(wsk_test_rig(rest, NULL), "rest");
    run(wsk_test_rig(rest, "branch[b2].ups.battery=2kWh"), "on a battery");
    run(wsk_test_rig(bill, NULL), "bill");
    run(wsk_test_rig(stops, NULL), "stops");
    run(wsk_test_rig(serves, NULL), "serves");
    for (int r = 0; r < WSK_RESULTS; r++)
        if (!given[r] && is_of_a_run((wsk_result)r)) {
            print_message("not given: %s\n", wsk_result_about((wsk_result)r)->name);
            missing++;
        }
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_result_is_given)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
