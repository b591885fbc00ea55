/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Laws of single models, from the tables and formulas that state them: coolants (docs/theory/loop.md), open-air coolers
 * by size (cooler.md), air conditioners (room.md), the battery of a UPS (power.md). */
#include <math.h>

#include "sim/net/assembly.h"
#include "sim/net/coolant.h"
#include "sim/net/feed.h"
#include "sim/net/site.h"
#include "tests/unit/assert.h"

extern const wsk_coolant wsk_coolant_water, wsk_coolant_glycol_30, wsk_coolant_pao, wsk_coolant_mineral_oil;
extern const wsk_kind wsk_cooler_open_air, wsk_air_conditioner_inverter, wsk_ups_online;

/* Properties at 40 degC, and viscosity at a second temperature. Water: VDI Heat Atlas; glycol: ASHRAE; oils: assumed
 * values of their parameter tables, which state the viscosity in mm2/s. */
static void coolants(void **state)
{
    (void)state;
    static const struct {
        const wsk_coolant *of;
        double heat, density, mpa_s, conductivity, expansion, hot_c, hot_mpa_s;
    } rows[] = {{&wsk_coolant_water, 4.146e6, 992, 0.653, 0.631, 3.9e-4, 60, 0.467},
                {&wsk_coolant_glycol_30, 3.92e6, 1016, 1.4, 0.47, 5e-4, 60, 0.95},
                {&wsk_coolant_pao, 785 * 2240.0, 785, 785 * 5.1e-3, 0.136, 8.3e-4, 100, 1.7 * 0.746},
                {&wsk_coolant_mineral_oil, 840 * 1970.0, 840, 840 * 10e-3, 0.13, 7.6e-4, 100, 2.7 * 0.8016}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        wsk_fluid f;
        rows[i].of->at(40 + 273.15, &f);
        assert_rel(f.heat_j_m3k, rows[i].heat, 1e-9);
        assert_rel(f.density_kg_m3, rows[i].density, 1e-9);
        assert_rel(f.viscosity_pa_s, rows[i].mpa_s / 1e3, 2e-3);
        assert_rel(f.conductivity_w_mk, rows[i].conductivity, 1e-9);
        assert_rel(f.expansion_per_k, rows[i].expansion, 5e-3);
        rows[i].of->at(rows[i].hot_c + 273.15, &f);
        assert_rel(f.viscosity_pa_s, rows[i].hot_mpa_s / 1e3, 0.02);
        /* the density falls by the expansion, the more so the warmer */
        wsk_fluid warm;
        rows[i].of->at(41 + 273.15, &warm);
        rows[i].of->at(40 + 273.15, &f);
        assert_rel((f.density_kg_m3 - warm.density_kg_m3) / f.density_kg_m3, rows[i].expansion, 0.2);
    }
    wsk_fluid f;
    wsk_coolant_water.at(60 + 273.15, &f);
    assert_rel(f.density_kg_m3, 983, 1e-3);
    assert_same(wsk_coolant_water.freezes_k, 273.15);
    assert_near(wsk_coolant_glycol_30.freezes_k, 273.15 - 12.8, 1e-9);
}

static void open_air_coolers_by_size(void **state)
{
    (void)state;
    const wsk_cooler_ops *ops = wsk_cooler_open_air.ops;
    const wsk_cooler_params none = {.ua_w_k = NAN,
                                    .flow_ref_m3s = NAN,
                                    .cap_j_k = NAN,
                                    .flow_m3s = NAN,
                                    .pressure_pa = NAN,
                                    .fin_factor = 1.3,
                                    .rpm = 2400,
                                    .diameter_m = 0.085};
    /* fans and board take 18 mm; the last card has so little left that its fins count as 4 mm */
    static const double thick[] = {58e-3, 40e-3, 20e-3};
    for (int i = 0; i < 3; i++) {
        wsk_cooler_params k = none;
        ops->complete(&k, 0.3, thick[i]);
        const double s = 0.3 * fmax(thick[i] - 18e-3, 4e-3), n = 2400 / 60.0;
        assert_rel(k.ua_w_k, 1.3 * 1700 * s, 1e-9);
        assert_rel(k.flow_ref_m3s, 2.9 * s, 1e-9);
        assert_rel(k.cap_j_k, 90 + 75e3 * s, 1e-9);
        assert_rel(k.flow_m3s, 0.48 * pow(0.085, 3) * n, 1e-9);
        assert_rel(k.pressure_pa, 3.25 * 0.085 * 0.085 * n * n, 1e-9);
    }
    wsk_cooler_params stated = none;
    stated.ua_w_k = 7, stated.flow_ref_m3s = 8, stated.cap_j_k = 9, stated.flow_m3s = 10, stated.pressure_pa = 11;
    ops->complete(&stated, 0.3, 58e-3);
    assert_true(stated.ua_w_k == 7 && stated.flow_ref_m3s == 8 && stated.cap_j_k == 9);
    assert_true(stated.flow_m3s == 10 && stated.pressure_pa == 11);
}

/* EnergyPlus curves HPACEIRFT and HPACCoolCapFT at 19.4 degC wet bulb, relative to 35 degC outdoors, constant below 18
 * degC. The table in docs/theory/room.md has them to two decimals. */
static void air_conditioners(void **state)
{
    (void)state;
    const wsk_ac_ops *ops = wsk_air_conditioner_inverter.ops;
    const wsk_ac_params ac = {.capacity_w = 2000, .cop = 3.5};
    static const double c[2][6] = {{0.342414409, 0.034885008, -0.0006237, 0.004977216, 0.000437951, -0.000728028},
                                   {0.942587793, 0.009543347, 0.00068377, -0.011042676, 5.249e-06, -9.72e-06}},
                        table[][3] = {{18, 4.60, 1.19}, {20, 4.51, 1.16}, {25, 4.22, 1.11}, {30, 3.87, 1.05},
                                      {35, 3.50, 1.00}, {40, 3.13, 0.95}, {45, 2.78, 0.89}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_near(ops->cop(&ac, table[i][0] + 273.15), table[i][1], 0.0051);
        assert_near(ops->capacity_w(&ac, table[i][0] + 273.15) / 2000, table[i][2], 0.0051);
    }
    for (double out = -10; out < 60; out += 3.5) {
        double at[2], rated[2];
        for (int k = 0; k < 2; k++) {
            const double x = 19.4, y = fmax(out, 18), *q = c[k];
            at[k] = q[0] + q[1] * x + q[2] * x * x + q[3] * y + q[4] * y * y + q[5] * x * y;
            rated[k] = q[0] + q[1] * x + q[2] * x * x + q[3] * 35 + q[4] * 35 * 35 + q[5] * x * 35;
        }
        assert_rel(ops->cop(&ac, out + 273.15), 3.5 * rated[0] / at[0], 1e-9);
        assert_rel(ops->capacity_w(&ac, out + 273.15), 2000 * at[1] / rated[1], 1e-9);
    }
    const wsk_ac_params stated = {.cop = 3.5, .cop_curve = {.count = 2, .x = {293.15, 308.15}, .y = {4.5, 3.5}}};
    assert_rel(ops->cop(&stated, 300.65), 4, 1e-9);
}

/* Runtime of a battery by Peukert's law, H (E age efficiency/(P H))^k. E: energy, H: hours for which E is rated, P:
 * load, age: share of E that is left, k: Peukert exponent. */
static void battery_of_a_ups(void **state)
{
    (void)state;
    const wsk_feed_ops *ops = wsk_ups_online.ops;
    const wsk_feed_params ups = {.rated_w = 1000,
                                 .battery_j = 3.6e6,
                                 .battery_s = 72000,
                                 .battery_age = 0.8,
                                 .battery_eff = 0.9,
                                 .peukert = 1.2};
    assert_rel(ops->runtime_s(&ups, 500), 72000 * pow(3.6e6 * 0.8 * 0.9 / (500 * 72000.0), 1.2), 1e-9);
    assert_same(ops->runtime_s(&ups, 0), 0);
    const wsk_feed_params bare = {
        .rated_w = 1000, .battery_s = 72000, .battery_age = 1, .battery_eff = 1, .peukert = 1};
    assert_same(ops->runtime_s(&bare, 500), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(coolants), cmocka_unit_test(open_air_coolers_by_size),
                                       cmocka_unit_test(air_conditioners), cmocka_unit_test(battery_of_a_ups)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
