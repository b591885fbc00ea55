/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The law of a certified PSU, number by number, from docs/theory/psu.md, "PSU: certified". */
#include <math.h>

#include "sim/net/psu.h"
#include "tests/unit/assert.h"

extern const wsk_kind wsk_psu_certified;

static const double at[4] = {0.1, 0.2, 0.5, 1}, volts[] = {85, 100, 115, 120, 172.5, 230, 240, 277};
enum { VOLTS = sizeof volts / sizeof *volts };

static wsk_psu_params unit(void)
{
    return (wsk_psu_params){.rated_w = 800,
                            .eff = {0.86, 0.90, 0.915, 0.885},
                            .eff230 = {NAN, NAN, NAN, NAN},
                            .eff_light = NAN,
                            .eff230_light = NAN,
                            .no_load_w = NAN,
                            .no_load_share = 0.67,
                            .power_factor = 0.98,
                            .reactive = 0.07,
                            .standby_w = 0.4};
}

static double place(double volt)
{
    return fmin(fmax((volt - 115) / 115, -0.15), 1.1);
}

static wsk_psu_law law_of(const wsk_psu_params *p, double volt)
{
    wsk_psu_law law;
    ((const wsk_psu_ops *)wsk_psu_certified.ops)->prepare(p, volt, &law);
    return law;
}

/* Loss at this share of the rating, divided by the rating. */
static double loss_of(const wsk_psu_params *p, double volt, double x)
{
    const wsk_psu_law law = law_of(p, volt);
    return ((const wsk_psu_ops *)wsk_psu_certified.ops)->input_w(&law, x * p->rated_w) / p->rated_w - x;
}

static double certified(double x, double efficiency)
{
    return x * (1 / fmin(efficiency, 0.995) - 1);
}

static void points_follow_the_mains_voltage(void **state)
{
    (void)state;
    static const double gain[4] = {0.011, 0.009, 0.010, 0.017}, high[4] = {0.88, 0.915, 0.93, 0.895};
    wsk_psu_params p = unit(), both = unit(), best = unit();
    for (int i = 0; i < 4; i++) {
        both.eff230[i] = high[i];
        best.eff[i] = 0.99;
    }
    for (int v = 0; v < VOLTS; v++)
        for (int i = 0; i < 4; i++) {
            const double k = place(volts[v]);
            assert_rel(loss_of(&p, volts[v], at[i]), certified(at[i], p.eff[i] + k * gain[i]), 1e-9);
            assert_rel(loss_of(&both, volts[v], at[i]), certified(at[i], p.eff[i] + k * (high[i] - p.eff[i])), 1e-9);
            assert_rel(loss_of(&best, volts[v], at[i]), certified(at[i], 0.99 + k * gain[i]), 1e-9);
        }
}

/* If the losses at the certified points are a quadratic of the load, so are those between the points. In general the
 * loss is the fitted quadratic times r(x), a curve through the points that is constant beyond them. */
static void loss_between_the_points(void **state)
{
    (void)state;
    wsk_psu_params p = unit();
    const double a = 0.008, b = 0.05, c = 0.06;
    for (int i = 0; i < 4; i++)
        p.eff[i] = at[i] / (at[i] + a + (b + c * at[i]) * at[i]);
    for (double x = 0.1; x < 1.3; x += 0.037)
        assert_rel(loss_of(&p, 115, x), a + (b + c * x) * x, 1e-8);
    p = unit();
    const wsk_psu_law law = law_of(&p, 115);
    for (double x = 0.1; x < 1.3; x += 0.037) {
        const double fit = law.a + (law.b + law.c * x) * x;
        int i = 0;
        while (i < 3 && x >= at[i + 1])
            i++;
        double r = law.r[i];
        if (i < 3) { /* cubic over ln x through two points with the given slopes */
            const double h = log(at[i + 1] / at[i]), t = log(x / at[i]) / h;
            r = (1 + 2 * t) * (1 - t) * (1 - t) * law.r[i] + t * t * (3 - 2 * t) * law.r[i + 1] +
                h * t * (1 - t) * ((1 - t) * law.slope[i] - t * law.slope[i + 1]);
        }
        assert_rel(loss_of(&p, 115, x), fit * r, 1e-9);
    }
}

static void without_a_point_at_10_percent(void **state)
{
    (void)state;
    wsk_psu_params p = unit();
    p.eff[0] = NAN;
    double l20 = certified(0.2, 0.90), l50 = certified(0.5, 0.915);
    assert_rel(loss_of(&p, 115, 0.1), 0.958 * l20 - 0.108 * l50, 1e-9);
    p.eff[2] = 0.86;
    p.eff[3] = 0.80;
    l50 = certified(0.5, 0.86);
    assert_rel(loss_of(&p, 115, 0.1), 0.958 * l20 - 0.108 * l50, 1e-9);
    p.eff[2] = 0.62;
    p.eff[3] = 0.6;
    assert_rel(loss_of(&p, 115, 0.1), 0.5 * l20, 1e-9);
}

/* Loss below 10 % load: a straight line from no load (none) to 2 % (l2) and another from there to 10 % (l10). */
static void light(const wsk_psu_params *p, double volt, double none, double l2, double l10)
{
    static const double loads[] = {0, 0.007, 0.02, 0.05, 0.0999};
    for (int i = 0; i < 5; i++) {
        const double x = loads[i],
                     loss = x < 0.02 ? none + (l2 - none) * x / 0.02 : l2 + (l10 - l2) * (x - 0.02) / 0.08;
        assert_near(loss_of(p, volt, x), loss, 1e-12);
    }
}

static void light_load(void **state)
{
    (void)state;
    for (int v = 0; v < VOLTS; v++) {
        const double k = place(volts[v]), l10 = certified(0.1, 0.86 + 0.011 * k);
        wsk_psu_params p = unit();
        light(&p, volts[v], 0.67 * l10, (0.67 + 0.33 * 0.2) * l10, l10);
        /* an efficiency is stated for 2 % load: at one voltage, at the other, at both */
        p.eff_light = 0.70;
        double l2 = certified(0.02, 0.70) * l10 / certified(0.1, 0.86);
        light(&p, volts[v], (0.1 * l2 - 0.02 * l10) / 0.08, l2, l10);
        p.eff230_light = 0.73;
        l2 = certified(0.02, 0.70 + 0.03 * k);
        light(&p, volts[v], (0.1 * l2 - 0.02 * l10) / 0.08, l2, l10);
        p.eff_light = NAN;
        l2 = certified(0.02, 0.73) * l10 / certified(0.1, 0.871);
        light(&p, volts[v], (0.1 * l2 - 0.02 * l10) / 0.08, l2, l10);
        p.no_load_w = 4;
        light(&p, volts[v], 4 / 800.0, l2, l10);
        p.eff230_light = NAN;
        light(&p, volts[v], 4 / 800.0, 4 / 800.0 + 0.2 * (l10 - 4 / 800.0), l10);
        p = unit(); /* the loss at 2 % is so small that the line would give a negative loss without load */
        p.eff230_light = 0.92;
        l2 = certified(0.02, 0.92) * l10 / certified(0.1, 0.871);
        light(&p, volts[v], 0, l2, l10);
    }
}

static void volt_amperes(void **state)
{
    (void)state;
    const wsk_psu_params p = unit();
    for (int v = 0; v < VOLTS; v++) {
        const wsk_psu_law law = law_of(&p, volts[v]);
        const double u = volts[v] / 230;
        assert_rel(wsk_psu_va(&law, 300), hypot(300 / 0.98, 0.07 * 800 * u * u), 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_follow_the_mains_voltage),
                                       cmocka_unit_test(loss_between_the_points),
                                       cmocka_unit_test(without_a_point_at_10_percent), cmocka_unit_test(light_load),
                                       cmocka_unit_test(volt_amperes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
