/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/base/psychro.h"
#include "sim/net/site.h"
#include "tests/unit/assert.h"

extern const wsk_kind wsk_air_conditioner_inverter, wsk_outdoor_sine;

/* Saturation pressures and dew points agree with the ASHRAE Handbook of Fundamentals, psychrometrics, which prints
 * dew points to 0.1 K. */
static void dew_points_are_those_of_the_tables(void **state)
{
    (void)state;
    static const double pressure[][2] = {{0, 611.2}, {20, 2338.8}, {40, 7383.5}};
    for (size_t i = 0; i < sizeof pressure / sizeof *pressure; i++)
        assert_rel(wsk_saturation_pa(WSK_KELVIN + pressure[i][0]), pressure[i][1], 0.004);
    static const double dew[][3] = {{25, 0.5, 13.9}, {20, 0.4, 6.0}, {30, 0.7, 23.9}, {35, 1, 35}};
    for (size_t i = 0; i < sizeof dew / sizeof *dew; i++)
        assert_near(wsk_dew_point_k(WSK_KELVIN + dew[i][0], dew[i][1]) - WSK_KELVIN, dew[i][2], 0.1);
    assert_same(wsk_dew_point_k(300, 0), 0); /* dry air has no dew point: 0 K */
}

/* Densities follow from volumes of air at 101,325 Pa and 30 degC in ASHRAE's table of moist air: dry 0.8586 m3/kg;
 * saturated 0.8962 m3 per kg of dry air, with 27.33 g of water. */
static void humid_air_is_lighter(void **state)
{
    (void)state;
    assert_same(wsk_humid_density_rel(303.15, 0, 1), 1);
    assert_near(wsk_humid_density_rel(303.15, 1, 1), 1.02733 / 0.8962 * 0.8586, 2e-4);
    assert_near(1 - wsk_humid_density_rel(303.15, 0.5, 0.8), (1 - wsk_humid_density_rel(303.15, 1, 1)) / 1.6, 1e-12);
}

/* Each point is outdoor temperature in degC, COP, and capacity / nominal capacity, from the EnergyPlus curves
 * HPACEIRFT and HPACCoolCapFT at 19.4 degC wet bulb, with a nominal COP of 3.5. */
static void a_conditioner_follows_the_published_curves(void **state)
{
    (void)state;
    static const double points[][3] = {{18, 4.595, 1.185}, {20, 4.506, 1.163}, {25, 4.219, 1.108}, {30, 3.871, 1.053},
                                       {35, 3.497, 0.998}, {40, 3.127, 0.944}, {45, 2.778, 0.890}};
    const wsk_ac_ops *ops = wsk_air_conditioner_inverter.ops;
    wsk_ac_params ac = {.capacity_w = 2800, .cop = 3.5};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        assert_rel(ops->cop(&ac, WSK_KELVIN + points[i][0]), points[i][1], 0.005);
        assert_rel(ops->capacity_w(&ac, WSK_KELVIN + points[i][0]), 2800 * points[i][2], 0.005);
    }
    /* At 35 degC outdoors, the rating point, the nominal values are met exactly. */
    assert_rel(ops->cop(&ac, WSK_KELVIN + 35), 3.5, 1e-12);
    assert_rel(ops->capacity_w(&ac, WSK_KELVIN + 35), 2800, 1e-12);
    double cop = INFINITY, capacity = INFINITY;
    for (double t = -40; t <= 60; t += 1) {
        assert_true(ops->cop(&ac, WSK_KELVIN + t) <= cop && ops->cop(&ac, WSK_KELVIN + t) > 1);
        assert_true(ops->capacity_w(&ac, WSK_KELVIN + t) <= capacity && ops->capacity_w(&ac, WSK_KELVIN + t) > 0);
        cop = ops->cop(&ac, WSK_KELVIN + t);
        capacity = ops->capacity_w(&ac, WSK_KELVIN + t);
    }
    ac.cop_curve = (wsk_curve){.count = 2, .x = {293.15, 308.15}, .y = {4.5, 3}};
    assert_rel(ops->cop(&ac, 273.15), 4.5, 1e-12);
    assert_rel(ops->cop(&ac, 300.65), 3.75, 1e-12);
    assert_rel(ops->cop(&ac, 320), 3, 1e-12);
}

static void the_sine_is_warmest_when_it_says(void **state)
{
    (void)state;
    const wsk_outdoor_ops *ops = wsk_outdoor_sine.ops;
    wsk_outdoor_params o = {.mean_k = 300, .swing_k = 5, .warmest_s = 15 * 3600};
    assert_near(ops->temp_k(&o, 1e6 * 86400.0 + 15 * 3600, 0), 305, 1e-9);
    assert_near(ops->temp_k(&o, 3 * 3600, 7), 295, 1e-9);
    assert_same(ops->mean_k(&o), 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dew_points_are_those_of_the_tables),
        cmocka_unit_test(humid_air_is_lighter),
        cmocka_unit_test(a_conditioner_follows_the_published_curves),
        cmocka_unit_test(the_sine_is_warmest_when_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
