/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The controller of a card's fan, and cards that report only their hot spot, are fitted to generated logs whose true
 * values are known. docs/theory/calibration.md, "The fan". WATTSINK_DRAWS: number of draws (12). */
#include "tests/property/made_log.h"

static wsk_log_fit fit_drawn_fan(const fan *truth, uint64_t seed)
{
    recording rec = stairs;
    rec.own = truth;
    const made m = make(&rec, stairs_s, NULL, 0, seed);
    for (size_t i = 0; i < m.n; i++)
        m.rpm[i] = floor(m.rpm[i] / 30 + 0.5) * 30;
    const wsk_log_fit f = fit(&m, &rec, NAN);
    free(m.t_s);
    return f;
}

/* The fan has another curve and other time constants than the part states. */
static void fan_is_found(void **state)
{
    (void)state;
    const int n = draws();
    int held = 0, all = 0, slews[2] = {0};
    double worst = 0;
    for (int k = 0; k < n; k++) {
        wsk_dice dice = {.seed = 500 + (uint64_t)k};
        const fan truth = {.speed = exp(0.12 * fmin(fmax(wsk_draw_normal(&dice), -2), 2)),
                           .rise_s = 2 * exp(0.7 * fmin(fmax(wsk_draw_normal(&dice), -2), 2)),
                           .fall_s = 75 * exp(0.7 * fmin(fmax(wsk_draw_normal(&dice), -2), 2))};
        const wsk_log_fit f = fit_drawn_fan(&truth, 700 + (uint64_t)k);
        assert_true(f.fan.fit.count >= 4);
        assert_null(f.fan.untold);
        for (size_t i = 0; i < f.fan.fit.count; i++) {
            const wsk_calibrated *v = &f.fan.fit.values[i];
            const double is = v->at > 0                          ? truth_rpm(&truth, v->at - WSK_KELVIN)
                              : strcmp(v->name, "fan-rise") == 0 ? truth.rise_s
                                                                 : truth.fall_s,
                         off = v->at > 0 ? (v->value - is) / v->spread : log(v->value / is) / (v->spread / v->value);
            held += fabs(off) <= 1.645;
            slews[strcmp(v->name, "fan-fall") == 0] += !(v->at > 0) && fabs(off) <= 1.645;
            all++;
        }
        worst = fmax(worst, f.fan.error_rel[WSK_PART_HELD_OUT]);
    }
    print_message(
        "fan: %d of %d within 90 %% (rise %d, fall %d of %d), held out at worst %.1f %% of full speed off\n", held,
        all, slews[0], slews[1], n, 100 * worst);
    assert_true((double)held / all > 0.85 - slack(n) && worst < 0.02 && 2 * slews[1] > n);
    assert_true(n < 100 || (double)held / all < 0.95);
}

/* Of two cards with the same part one may stop its fan while it is cool and the other not: the log decides. A fan that
 * stands still is fitted as standing still, not as turning at a few rpm. */
static void rest_is_found(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        recording truth = stairs, part = stairs;
        truth.stops = k % 2;
        part.stops = k / 2;
        const made m = make(&truth, stairs_s, NULL, 0, 41);
        const wsk_log_fit f = fit(&m, &part, 0);
        free(m.t_s);
        const wsk_calibrated *least = NULL;
        assert_null(f.fan.untold);
        for (size_t i = 0; i < f.fan.fit.count; i++) {
            const wsk_calibrated *v = &f.fan.fit.values[i];
            least = strcmp(v->name, "rpm-min") == 0 ? v : least;
            if (!(v->at > 0))
                continue;
            const double c = v->at - WSK_KELVIN;
            assert_true(!truth.stops || c > 48 || v->value == 0);
            assert_true(truth.stops || c > 48 || fabs(v->value - 1020) < 20);
            assert_true(c < 60 || v->value > 1200);
            assert_true(v->prior_spread <= 1020);
        }
        assert_true(truth.stops && !part.stops ? least && least->value == 0 : !least);
    }
}

static void fan_is_not_told(void **state)
{
    (void)state;
    const made m = make(&stairs, stairs_s, NULL, 0, 21);
    for (size_t i = 0; i < m.n; i++)
        m.rpm[i] = (i / 900) % 2 ? 2400 : 1200;
    const wsk_log_fit held = fit(&m, &stairs, 0);
    assert_int_equal(held.fan.fit.count, 0);
    assert_string_equal(wsk_said_code(held.fan.untold), "calibrate.fan-held");
    for (size_t i = 0; i < m.n; i++)
        m.rpm[i] = 1500;
    const wsk_log_fit still = fit(&m, &stairs, 0);
    assert_int_equal(still.fan.fit.count, 0);
    assert_string_equal(wsk_said_code(still.fan.untold), "calibrate.fan-still");
    recording none = stairs;
    none.fan = false;
    const wsk_log_fit absent = fit(&m, &none, 0);
    assert_true(absent.fan.fit.count == 0 && !absent.fan.untold);
    free(m.t_s);
}

/* A log that contains only the hot spot, 10 K above the sensor as the part states, gives the same inlet temperature
 * and conductance as a log of the sensor. */
static void hot_spot(void **state)
{
    (void)state;
    const made m = make(&stairs, stairs_s, NULL, 0, 23);
    const wsk_log_fit by_die = fit(&m, &stairs, 0);
    for (size_t i = 0; i < m.n; i++)
        m.die_k[i] += 10;
    wsk_rig *rig = load((const char *const[]){"gpu.hotspot-offset=10 K", "gpu.hotspot-resistance=0 K/W"}, 2);
    const wsk_calibrate_trace t = {
        .power = {m.t_s, m.power_w, m.n}, .fan_speed = {m.t_s, m.rpm, m.n}, .hot_spot = {m.t_s, m.die_k, m.n}};
    wsk_log_fit by_spot;
    assert_int_equal(wsk_calibrate_log(rig, &t, 1, 0, &by_spot, NULL), WSK_OK);
    assert_true(by_spot.from_hot_spot && !by_die.from_hot_spot);
    assert_near(value_of(&by_spot.fit, "inlet")->value, value_of(&by_die.fit, "inlet")->value, 0.05);
    assert_rel(value_of(&by_spot.fit, "conductance")->value, value_of(&by_die.fit, "conductance")->value, 0.01);
    wsk_rig_free(rig);
    free(m.t_s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fan_is_found), cmocka_unit_test(rest_is_found),
                                       cmocka_unit_test(fan_is_not_told), cmocka_unit_test(hot_spot)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
