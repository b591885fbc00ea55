/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert.h"
#include "wattsink.h"

static wsk_run *begin(wsk_rig **rig, const char *card, const char *workload)
{
    char text[4096];
    snprintf(
        text, sizeof text,
        "<rig><site supply='100 V' circuit='10 A'><room temperature='25 degC'/></site><chassis>"
        "<psu kind='constant' rated='900 W' efficiency='80 %%'/><fan at='front' pressure='18 Pa' flow='55 CFM' "
        "rpm='1500 rpm'/>"
        "<gpu slot='1' tdp='250 W' idle='20 W' clock-max='1900 MHz' clock-knee='1400 MHz' memory-clock='7000 MHz' "
        "memory-type='GDDR6' voltage-slope='0.6 1/GHz' voltage-floor='0.75 V' %s><cooler kind='blower' "
        "conductance='8 W/K' flow='16 CFM' capacity='500 J/K' fan-pressure='320 Pa' fan-flow='29 CFM' "
        "fan-rpm='4000 rpm'/></gpu>"
        "<gpu slot='4' tdp='250 W' idle='20 W' clock-max='1900 MHz' clock-knee='1400 MHz' "
        "voltage-slope='0.6 1/GHz'><cooler kind='blower' conductance='8 W/K' flow='16 CFM' capacity='500 J/K' "
        "fan-pressure='320 Pa' fan-flow='29 CFM' fan-rpm='4000 rpm'/></gpu>"
        "</chassis>%s<run for='2 h'/></rig>",
        card, workload);
    wsk_rig_options o = {.path = "-", .text = text, .text_len = strlen(text), .parts_dir = "parts"};
    wsk_run *run = NULL;
    assert_int_equal(wsk_rig_load(rig, &o), WSK_OK);
    assert_int_equal(wsk_run_new(&run, *rig, NULL), WSK_OK);
    return run;
}

static void end(wsk_rig *rig, wsk_run *run)
{
    wsk_run_free(run);
    wsk_rig_free(rig);
}

static double get(const wsk_run *run, const char *name)
{
    double v = -1;
    assert_int_equal(wsk_run_get(run, name, &v), WSK_OK);
    return v;
}

static void test_energy_is_power_by_time(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = begin(&rig, "power='120 W'", "<workload kind='constant' class='burn' gpus='gpu0'/>");
    for (int t = 0; t <= 3600; t += 1200) {
        assert_int_equal(wsk_run_advance(run, t), WSK_OK);
        assert_rel(get(run, "gpu0.energy_j") + 1, 120.0 * t + 1, 1e-12);
    }
    /* The range from idle power (20 W) to power limit (250 W) is 230 W wide; a card at 120 W uses 100 W of it. */
    assert_rel(get(run, "gpu0.utilisation"), 100.0 / 230, 1e-12);
    assert_rel(get(run, "psu0.input_w"), get(run, "psu0.output_w") / 0.8, 1e-9);
    assert_rel(get(run, "circuit.power_w"), get(run, "psu0.input_w"), 1e-12);
    assert_rel(get(run, "circuit.load"), get(run, "circuit.power_va") / 1000, 1e-9);
    /* after an hour the breaker's heat has settled at (I / rated current)^2 divided by (hold current / rated
     * current)^2 */
    const double heat = get(run, "circuit.breaker_heat"), rel = get(run, "circuit.power_va") / 1000;
    assert_true(heat < rel * rel && heat > rel * rel / (1.5 * 1.5));
    assert_same(get(run, "circuit.on"), 1.0);
    assert_same(get(run, "trips"), 0.0);
    end(rig, run);
}

static void test_a_share_of_the_time(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run =
        begin(&rig, "", "<workload kind='constant' class='burn' load='30 %' gpus='gpu0' rate='50' unit='x'/>");
    assert_int_equal(wsk_run_advance(run, 600), WSK_OK);
    /* 30 % of the reference's work keeps the card busy for no more than 30 % of the time (tolerance 1.2), because the
     * card runs at full clock */
    const double used = get(run, "gpu0.utilisation"), work = get(run, "gpu0.work_rel");
    assert_rel(work, 0.3, 1e-9);
    assert_true(used > 0.2 && used <= 0.3 * 1.2);
    assert_rel(get(run, "work_per_s"), 0.3 * 50, 1e-9);
    assert_rel(get(run, "work_done"), 0.3 * 50 * 600, 1e-3);
    assert_same(get(run, "gpu0.pstate"), 2.0);
    assert_same(get(run, "gpu0.memory_clock_mhz"), 7000.0);
    assert_same(get(run, "gpu1.utilisation"), 0.0);
    assert_same(get(run, "gpu1.reasons"), 1.0);
    assert_same(get(run, "gpu1.pstate"), 8.0);
    assert_true(isnan(get(run, "gpu1.memory_clock_mhz"))); /* the rig states no memory clock for this card */
    assert_true(isnan(get(run, "tokens_per_s")));
    end(rig, run);
}

static void test_held_down_by_a_limit(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = begin(&rig, "power-limit='150 W'", "<workload kind='constant' class='burn' gpus='gpu0'/>");
    assert_int_equal(wsk_run_advance(run, 500), WSK_OK);
    assert_rel(get(run, "gpu0.held_power_s"), 500, 1e-9);
    assert_same(get(run, "gpu0.held_thermal_s"), 0.0);
    assert_same(get(run, "gpu0.reasons"), 4.0);
    assert_same(get(run, "gpu0.power_limit_w"), 150.0);
    assert_same(get(run, "gpu0.enforced_limit_w"), 150.0);
    assert_same(get(run, "gpu0.utilisation"), 1.0);
    assert_true(get(run, "gpu0.clock_mhz") < 1400);
    /* Below the knee of the voltage curve, the voltage is the floor voltage. */
    assert_rel(get(run, "gpu0.voltage_v"), 0.75, 1e-12);
    assert_rel(get(run, "gpu0.fan_percent"), get(run, "gpu0.fan_rpm") / 40, 1e-12);
    assert_same(get(run, "gpu0.fan_failed"), 0.0);
    assert_true(isnan(get(run, "gpu0.lock_high_mhz")));
    end(rig, run);
}

static void test_a_locked_clock_is_told(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = begin(&rig, "lock-clock='900 MHz'", "<workload kind='constant' class='burn' gpus='gpu0'/>");
    assert_int_equal(wsk_run_advance(run, 100), WSK_OK);
    assert_same(get(run, "gpu0.reasons"), 2.0);
    assert_rel(get(run, "gpu0.lock_high_mhz"), 900, 1e-12);
    assert_rel(get(run, "gpu0.lock_low_mhz"), 210, 1e-12);
    end(rig, run);
}

static void test_names_and_numbers(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = begin(&rig, "", "<workload class='burn'/>");
    assert_int_equal(wsk_run_advance(run, 60), WSK_OK);
    for (int r = 0; r < WSK_VAR_COUNT; r++) {
        const wsk_var_row *row = wsk_var_about((wsk_var)r);
        for (size_t i = 0; i < wsk_run_owners(run, row->owner); i++) {
            const char *id = wsk_run_owner(run, row->owner, i);
            char name[160];
            double named = NAN;
            snprintf(name, sizeof name, "%s%s%s", id, *id ? "." : "", row->name);
            const double at = wsk_run_value(run, row->row, i);
            if (wsk_run_get(run, name, &named) == WSK_OK)
                assert_true(at == named || (isnan(at) && isnan(named)));
            else
                assert_true(isnan(at));
        }
        assert_true(isnan(wsk_run_value(run, row->row, wsk_run_owners(run, row->owner))));
    }
    for (size_t i = 0; i < wsk_run_variables(run); i++)
        assert_int_not_equal(wsk_run_variable_row(run, i)->change, WSK_VAR_ASKED);
    assert_int_equal(wsk_run_owners(run, WSK_OF_CARD), 2);
    assert_string_equal(wsk_run_owner(run, WSK_OF_CARD, 1), "gpu1");
    assert_string_equal(wsk_run_owner(run, WSK_OF_CARD, 2), "");
    assert_string_equal(wsk_run_owner(run, WSK_OF_RIG, 0), "");
    assert_true(isnan(wsk_run_value(run, WSK_VAR_COUNT, 0)));
    double v;
    assert_int_equal(wsk_run_get(run, "gpu2.energy_j", &v), WSK_EINPUT);
    assert_int_equal(wsk_run_get(run, "gpu0.energy", &v), WSK_EINPUT);
    end(rig, run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy_is_power_by_time), cmocka_unit_test(test_a_share_of_the_time),
        cmocka_unit_test(test_held_down_by_a_limit), cmocka_unit_test(test_a_locked_clock_is_told),
        cmocka_unit_test(test_names_and_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
