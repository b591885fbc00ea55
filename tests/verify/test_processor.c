/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Temperatures of processors, against solutions by hand (docs/theory/cpu.md). */
#include <stdio.h>
#include <string.h>

#include "sim/control/control.h"
#include "tests/support/bench.h"
#include "wattsink_summary.h"

static const double room_c = 25, watts = 200, cap_j_k = 450, flow_m3s = 0.02, limit_c = 95;

/* Runs a processor in a chassis with no effect on temperatures: wide openings and strong fans, so that its air has
 * the room's temperature. */
static wsk_run *heat(double conductance, const char *more, double until_s, wsk_rig **rig)
{
    char xml[2048];
    int n = snprintf(
        xml, sizeof xml,
        "<rig><site><room temperature='25 degC' humidity='0 %%'/></site><chassis intake-loss='0' wall-gap='1 m'>"
        "<vent at='side' area='100 m2'/><vent at='side' area='100 m2'/><vent at='front' area='100 m2'/>"
        "<fan at='front' diameter='1 m' pressure='10 Pa' flow='20 m3/s' rpm='100 rpm' power='12 W'/>"
        "<psu kind='constant' rated='1500 W' efficiency='100 %%'/>"
        "<cpu id='chip' power='200 W' board='0 W' capacity='450 J/K' conductance='%g W/K' flow='20 l/s'"
        " die-resistance='0 K/W' limit-temperature='95 degC'/>"
        "<gpu slot='1' tdp='100 W' clock-max='1900 MHz' clock-knee='1400 MHz' voltage-slope='0.6 1/GHz'>"
        "<cooler kind='blower' conductance='8 W/K' flow='16 CFM' capacity='500 J/K' fan-pressure='320 Pa'"
        " fan-flow='29 CFM' fan-rpm='4000 rpm'/></gpu>%s</chassis><workload class='burn'/><run for='2 h'/></rig>",
        conductance, more);
    assert_true(n > 0 && (size_t)n < sizeof xml);
    *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(*rig, WSK_STEPPER_FAST, 7200);
    wsk_test_advance(run, until_s);
    return run;
}

/* Conductance, W/K, from fins to inlet air: G = eps w with eps = 1 - exp(-UA/w); w: heat capacity flow of the air
 * through the fins. */
static double to_air(double conductance)
{
    const double w = 1.184 * 1006 * flow_m3s;
    return w * (1 - exp(-conductance / w));
}

/* The fins can carry about 60 % of the processor's power at its temperature limit: the processor settles between the
 * limit and 3 K below it, with the power that the fins carry. */
static void throttles_to_what_its_cooler_carries(void **state)
{
    (void)state;
    const double ua = 1.75;
    wsk_rig *rig;
    wsk_run *run = heat(ua, "", 7200, &rig);
    const double die = wsk_test_get(run, "chip.die_c"), share = run->cases[0].cpu_share;
    assert_true(die >= limit_c - 3.2 && die <= limit_c + 0.2);
    assert_rel(share * watts, to_air(ua) * (die - room_c), 0.03);
    assert_int_equal(wsk_test_events(run, ",throttle,processor"), 1);
    assert_int_equal(wsk_test_events(run, ",shutdown,"), 0);
    wsk_test_drop(run, rig);
}

/* A processor that the test computes by itself, to compare the program with it. c: temperature, degC; share: power /
 * full power. Above the temperature limit the share falls by 0.03 per second, down to 0.1; more than 3 K below the
 * limit it rises by 0.01 per second, up to 1. */
typedef struct {
    double c, share;
} chip;

static void warm(chip *x, double g, int for_s)
{
    const double dt = 0.01;
    for (int n = 1; n <= 100 * for_s; n++) {
        x->c += dt * (x->share * watts - g * (x->c - room_c)) / cap_j_k;
        if (n % 100)
            continue;
        if (x->c > limit_c)
            x->share = fmax(x->share - 0.03, 0.1);
        else if (x->c < limit_c - 3)
            x->share = fmin(x->share + 0.01, 1);
    }
}

static void lowers_and_raises_its_power_by_the_rates(void **state)
{
    (void)state;
    const double ua = 0.45;
    wsk_rig *rig;
    wsk_run *run = heat(ua, "", 100, &rig);
    int fell = 0, held = 0, rose = 0;
    for (double t = 101; t <= 1500; t++) {
        const double before = run->cases[0].cpu_share, cool = wsk_test_get(run, "chip.die_c");
        wsk_test_advance(run, t);
        const double low = fmin(cool, wsk_test_get(run, "chip.die_c")),
                     high = fmax(cool, wsk_test_get(run, "chip.die_c"));
        const double change = run->cases[0].cpu_share - before;
        fell += low > limit_c;
        rose += high < limit_c - 3 && before < 1;
        held += low > limit_c - 3 && high < limit_c;
        if (low > limit_c)
            assert_near(change, -fmin(0.03, before - 0.1), 1e-9);
        else if (high < limit_c - 3)
            assert_near(change, fmin(0.01, 1 - before), 1e-9);
        else if (low > limit_c - 3 && high < limit_c)
            assert_same(change, 0);
    }
    assert_true(fell > 30 && held > 30 && rose > 5);
    wsk_test_drop(run, rig);
}

/* Seconds until a processor with the conductance g to the air, W/K, shuts down, 15 K above its limit. */
static double shutdown_s(double g)
{
    chip x = {room_c, 1};
    double t = 0;
    for (; x.c < limit_c + 15; t++)
        warm(&x, g, 1);
    return t;
}

static void shuts_down_with_its_machine(void **state)
{
    (void)state;
    const double off_s = shutdown_s(to_air(0.01));
    wsk_rig *rig;
    wsk_run *run = heat(0.01, "<load name='lamp' dc='30 W'/>", floor(0.98 * off_s), &rig);
    char *page = NULL;
    assert_int_equal(wsk_test_events(run, ",throttle,processor"), 1);
    assert_int_equal(wsk_test_events(run, ",shutdown,"), 0);
    assert_true(wsk_test_get(run, "dc_w") > 140);
    wsk_test_advance(run, ceil(1.02 * off_s));
    assert_int_equal(wsk_test_events(run, ",shutdown,processor"), 1);
    assert_int_equal(wsk_test_events(run, ",shutdown,"), 1);
    wsk_test_advance(run, 7200);
    assert_same(wsk_test_get(run, "gpu0.power_w"), 0);
    assert_same(wsk_test_get(run, "gpu0.work_rel"), 0);
    assert_same(run->case_dc_w[0], 0);
    assert_int_equal(wsk_test_events(run, ",shutdown,"), 1);
    assert_true(wsk_test_get(run, "chip.die_c") < limit_c + 15);

    wsk_summary *s = NULL;
    assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
    assert_same(wsk_summary_number(s, WSK_R_CPUS_OFF, 0), 1);
    assert_same(wsk_summary_number(s, WSK_R_CARDS_OFF, 0), 0);
    assert_rel(1 - wsk_summary_number(s, WSK_R_LOST, 0), off_s / 7200, 0.02);
    wsk_summary_free(s);
    assert_int_equal(wsk_run_summary_text(run, &page), WSK_OK);
    assert_non_null(strstr(page, "A processor shuts down from heat, and all cards of its machine with it."));
    wsk_text_free(page);

    for (int on = 0; on < 2; on++) { /* the machine loses its mains, and starts again */
        assert_int_equal(wsk_run_set(run, "circuit.on", on), WSK_OK);
        assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
        assert_same(wsk_summary_number(s, WSK_R_CPUS_OFF, 0), 1);
        assert_same(wsk_summary_number(s, WSK_R_CARDS_OFF, 0), 0);
        wsk_summary_free(s);
    }
    wsk_test_drop(run, rig);
}

static void a_set_power_goes_on(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = heat(0.01, "", 10, &rig);
    assert_int_equal(wsk_run_set(run, "gpu0.power_w", 50), WSK_OK);
    wsk_test_advance(run, 600);
    assert_int_equal(wsk_test_events(run, ",shutdown,processor"), 1);
    assert_same(wsk_test_get(run, "gpu0.power_w"), 50);
    wsk_test_drop(run, rig);
}

#define MACHINE(id, cards) \
    "<chassis id='" id "' part='chassis/mining-frame-8'><psu kind='constant' rated='1 kW' efficiency='90 %'/>" \
    "<cpu part='cpu/generic-workstation' power='131 W' idle='47 W'/>" cards "</chassis>"

/* The load of a host follows the work of its own cards. The processor of a machine without cards counts as serving the
 * cards of the other machines. */
static void rests_with_its_cards(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(
        "<rig>" MACHINE("a", "<gpu id='x' part='gpu/rtx-3090' slot='1' riser='60 mm'/>")
            MACHINE("b", "<gpu id='y' part='gpu/rtx-3090' slot='1' riser='60 mm'/>") MACHINE("c", "")
                MACHINE("d", "<gpu id='z' part='gpu/rtx-3090' slot='1' riser='60 mm' power='200 W'/>") "<workload "
                                                                                                       "gpus='x'/>"
                                                                                                       "</rig>",
        NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 60);
    static const double cpu_w[] = {131, 47, 131, 131};
    wsk_test_advance(run, 60);
    for (int i = 0; i < 4; i++)
        assert_near(wsk_cpu_w(run, &run->net->cases[i]), cpu_w[i], 1e-9);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(throttles_to_what_its_cooler_carries),
                                       cmocka_unit_test(lowers_and_raises_its_power_by_the_rates),
                                       cmocka_unit_test(shuts_down_with_its_machine),
                                       cmocka_unit_test(a_set_power_goes_on), cmocka_unit_test(rests_with_its_cards)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
