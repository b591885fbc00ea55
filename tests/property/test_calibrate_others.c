/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A log of one of two cards in a tower: the other works as the logged one does, or rests, which the log does not tell.
 * Both must be within the errors that the fit states. docs/theory/calibration.md, "Method" */
#include "sim/api.h"
#include "sim/study/calibrate/thermal.h"
#include "tests/property/made_log.h"

static const char one[] = "gpu[0].cooler.conductance=17 W/K", die[] = "gpu[0].die-resistance=0.085 K/W",
                  warm[] = "room.temperature=27 degC";

static wsk_rig *two_cards(const char *const *sets, size_t count)
{
#define OPEN \
    "<cooler part='cooler/class-open-air-300' rpm-min='1020 rpm' fan-curve='40 degC:1020 rpm, 50 degC:1020 rpm, " \
    "60 degC:1310 rpm, 65 degC:1550 rpm, 72 degC:1820 rpm, 80 degC:2250 rpm, 88 degC:2820 rpm, 92 degC:3000 rpm'/>"
    return wsk_test_rig_sets(
        "<rig><site><room temperature='25 degC'/></site><chassis part='chassis/mid-tower'>"
        "<fan part='fan/generic-120-1500' at='front' count='2'/><fan part='fan/generic-120-1500' at='rear'/>"
        "<psu part='psu/tier-gold-1000'/><cpu part='cpu/generic-desktop'/>"
        "<gpu part='gpu/rtx-4070-ti-super' slot='1'>" OPEN "</gpu>"
        "<gpu part='gpu/rtx-4070-ti-super' slot='5'>" OPEN "</gpu></chassis>"
        "<workload kind='constant' class='burn' host-load='0 %'/><run for='6 h' step='1 s' start='steady'/></rig>",
        sets, count);
}

static wsk_log_fit fit_one(bool other_rests, const char *more)
{
    const char *sets[] = {one, die, warm, "gpu[*].power=25 W"};
    const size_t n = (size_t)stairs_s;
    wsk_dice dice = {.seed = 7};
    wsk_rig *rig = two_cards(sets, sizeof sets / sizeof *sets);
    wsk_run *run = NULL;
    double *t_s = malloc(4 * n * sizeof *t_s), *power_w = t_s + n, *die_k = t_s + 2 * n, *rpm = t_s + 3 * n;
    assert_non_null(t_s);
    assert_int_equal(
        wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = stairs_s + 1, .step_s = 1, .no_series = true}),
        WSK_OK);
    for (size_t i = 0; i < n; i++) {
        double c;
        t_s[i] = (double)i;
        power_w[i] = fmax(level_of(&stairs, (double)i) + 8 * wsk_draw_normal(&dice), 5);
        assert_int_equal(wsk_run_set(run, "gpu0.power_w", power_w[i]), WSK_OK);
        assert_int_equal(wsk_run_set(run, "gpu1.power_w", other_rests ? 15 : power_w[i]), WSK_OK);
        assert_int_equal(wsk_run_advance(run, (double)i + 1), WSK_OK);
        assert_int_equal(wsk_run_get(run, "gpu0.die_c", &c), WSK_OK);
        assert_int_equal(wsk_run_get(run, "gpu0.fan_rpm", &rpm[i]), WSK_OK);
        die_k[i] = floor(c + 0.2 * wsk_draw_normal(&dice) + 0.5) + WSK_KELVIN;
    }
    wsk_run_free(run);
    wsk_rig_free(rig);
    rig = two_cards(&more, more != NULL);
    wsk_log_fit f;
    const wsk_calibrate_trace trace = {
        .power = {t_s, power_w, n}, .die = {t_s, die_k, n}, .fan_speed = {t_s, rpm, n}};
    assert_int_equal(wsk_calibrate_log(rig, &trace, 1, NAN, &f, NULL), WSK_OK);
    wsk_rig_free(rig);
    free(t_s);
    return f;
}

static void both_are_within_the_errors(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double truth;
    } values[] = {{"inlet", 27 + WSK_KELVIN}, {"conductance", 17}, {"die-resistance", 0.085}};
    for (int rests = 0; rests < 2; rests++) {
        const wsk_log_fit f = fit_one(rests, NULL), known = fit_one(rests, rests ? "workload.gpus=gpu0" : NULL);
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            const wsk_calibrated *x = value_of(&f.fit, values[v].name), *y = value_of(&known.fit, values[v].name);
            print_message("%s %s %.4g +- %.2g (known: %.4g +- %.2g), true %.4g\n", rests ? "rests" : "works", x->name,
                          x->value, x->spread, y->value, y->spread, values[v].truth);
            assert_true(fabs(x->value - values[v].truth) <= 2.6 * x->spread);
            assert_true(fabs(y->value - values[v].truth) <= 2.6 * y->spread);
            assert_true(!rests || y->spread <= x->spread);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_are_within_the_errors)};
    (void)make;
    (void)fit;
    (void)draws;
    (void)slack;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
