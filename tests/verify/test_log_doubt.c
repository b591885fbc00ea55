/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far the temperatures of a fitted card may be off (docs/theory/calibration.md, "Method"): the spread of the fitted
 * values, carried through the replay. At constant power and fan speed the effects of two values are known: the die
 * temperature rises by 1 K with each kelvin of the inlet, and by the die's power with each K/W of its resistance. */
#include <math.h>
#include <string.h>

#include "sim/api.h"
#include "sim/study/calibrate/thermal.h"
#include "tests/support/bench.h"

enum { BINS = 120 };
static const double bin_s = 30, power_w = 200, res_k_w = 0.05;

typedef struct {
    wsk_rig *rig;
    wsk_arena *arena;
    double power[BINS], rpm[BINS], die_k[BINS], sd_k[BINS];
    wsk_thermal_card card;
    wsk_thermal_log log;
    wsk_thermal th;
    wsk_thermal_fit fit;
} bench;

/* An hour at one power. The fit has no unknowns yet. */
static void open_bench(bench *b)
{
    memset(b, 0, sizeof *b);
    b->rig = wsk_test_rig(
        "<rig><site supply='230 V'><room temperature='22 degC'/></site><chassis><vent at='front' area='1900 cm2'/>"
        "<vent at='rear' area='1900 cm2'/><fan part='fan/generic-120-1500' at='front' count='3'/>"
        "<psu kind='constant' rated='1000 W' efficiency='90 %'/><gpu id='g' slot='1' tdp='250 W' "
        "die-resistance='0.05 "
        "K/W' clock-max='1900 MHz' clock-knee='1400 MHz' voltage-slope='0.6 1/GHz'><cooler kind='blower' "
        "conductance='8 W/K' flow='16 CFM' capacity='500 J/K' fan-pressure='320 Pa' fan-flow='29 CFM' fan-rpm='4000 "
        "rpm'/></gpu></chassis><workload kind='training'/><run for='1 h'/></rig>",
        NULL);
    b->arena = wsk_arena_new();
    for (int i = 0; i < BINS; i++) {
        b->power[i] = power_w;
        b->rpm[i] = 2000;
        b->die_k[i] = 340;
    }
    b->card = (wsk_thermal_card){.power_w = b->power,
                                 .rpm = b->rpm,
                                 .die_k = b->die_k,
                                 .drawn_w = b->power,
                                 .opening_w = power_w,
                                 .opening_rpm = 2000,
                                 .highest_w = power_w,
                                 .from_die_k = 340,
                                 .from_w = power_w,
                                 .last = BINS - 1};
    b->log = (wsk_thermal_log){.bins = BINS, .count = 1, .bin_s = bin_s, .cards = &b->card};
    assert_int_equal(wsk_thermal_make(&b->th, b->arena, b->rig->net, &b->log), WSK_OK);
    assert_int_equal(wsk_thermal_open(&b->th), WSK_OK);
    assert_int_equal(wsk_thermal_replay(&b->th, 0), WSK_OK);
    for (int v = 0; v < WSK_TH_UNKNOWNS; v++)
        b->fit.at[v] = -1;
}

static void fit_value(bench *b, wsk_thermal_value value, double sd)
{
    const int k = b->fit.unknowns++;
    b->fit.at[value] = k;
    b->fit.fit.sd[k] = sd;
    b->fit.fit.covariance[k][k] = sd * sd;
}

/* The standard deviation of the temperature at the end of the log. */
static double doubt(bench *b)
{
    double before[BINS];
    memcpy(before, b->th.die_k, sizeof before);
    assert_int_equal(wsk_thermal_doubt(&b->th, 0, BINS / 2, &b->fit, b->sd_k), WSK_OK);
    for (int i = 0; i < BINS; i++)
        assert_rel(b->th.die_k[i], before[i], 1e-12); /* the log is replayed with the fitted values again */
    return b->sd_k[BINS - 1];
}

static void close_bench(bench *b)
{
    wsk_arena_free(b->arena);
    wsk_rig_free(b->rig);
}

static void the_spread_of_values_is_carried_on(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    assert_near(doubt(&b), 0, 1e-12);
    const wsk_card *c = &b.rig->net->cards[0];
    const double die_k = res_k_w * wsk_die_w(c, NAN, power_w), inlet_sd = 0.7, die_sd = 0.1;
    assert_rel(c->die_res_k_w, res_k_w, 1e-9);
    fit_value(&b, WSK_TH_INLET, inlet_sd);
    assert_rel(doubt(&b), inlet_sd, 0.01);
    for (int i = 1; i < BINS; i++)
        assert_true(b.sd_k[i] >= b.sd_k[i - 1] - 1e-9); /* the heatsink begins at the temperature of the log */
    fit_value(&b, WSK_TH_DIE, die_sd);
    const double effect_k = die_k * (exp(die_sd / 2) - 1) / (die_sd / 2) * die_sd;
    assert_rel(doubt(&b), hypot(inlet_sd, effect_k), 0.01);
    /* With a correlation of 1 between the two values their effects add up; with -1 they cancel out. */
    for (int way = -1; way <= 1; way += 2) {
        b.fit.fit.covariance[0][1] = b.fit.fit.covariance[1][0] = way * inlet_sd * die_sd;
        assert_near(doubt(&b), fabs(inlet_sd + way * effect_k), 0.01);
    }
    /* The residuals of the fit add to the uncertainty, and more so in bins where the time of a change is uncertain. */
    double vague[BINS];
    for (int i = 0; i < BINS; i++)
        vague[i] = i < BINS - 1 ? 1 : 3;
    b.fit.fit.covariance[0][1] = b.fit.fit.covariance[1][0] = 0;
    b.fit.left_k = 0.4;
    assert_rel(doubt(&b), hypot(hypot(inlet_sd, effect_k), 0.4), 0.01);
    b.card.vague = vague;
    assert_rel(doubt(&b), hypot(hypot(inlet_sd, effect_k), 3 * 0.4), 0.01);
    close_bench(&b);
}

/* A fan whose speeds are not logged may turn instead of stopping while the card is cool, or the reverse. The change of
 * the temperature by that counts in proportion to other_share: how well the fit with that assumption meets the log. */
static void another_fit_counts_by_its_share(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    fit_value(&b, WSK_TH_INLET, 0);
    b.fit.fit.sd[0] = 0.01; /* the step of the derivative; the covariance stays 0 */
    b.fit.other_x[0] = 2;
    for (int k = 0; k <= 2; k++) {
        b.fit.other_share = 0.5 * k;
        assert_near(doubt(&b), 0.5 * k * 2, 0.02);
    }
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_spread_of_values_is_carried_on),
                                       cmocka_unit_test(another_fit_counts_by_its_share)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
