/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The controller of a card's fan in a log (docs/theory/calibration.md, "The fan"): its speeds at given temperatures, what
 * a log must have for a fit, and the curve that is written. */
#include "sim/study/calibrate/fan_fit.h"
#include "tests/verify/log_bench.h"

enum { MOST = 2000 };

/* 1000 rpm at 40 degC, 40 rpm more for each kelvin, at most 3000 rpm. It never stops. */
static const char turns[] =
    LOG_RIG("", "",
            "<cooler part='cooler/class-open-air-300' rpm-min='1000 rpm' fan-hysteresis='3 K' "
            "fan-rise='8 s' fan-fall='40 s' fan-period='2 s' "
            "fan-curve='40 degC:1000 rpm, 90 degC:3000 rpm'/>",
            TRAINING);

static double curve_rpm(double die_c)
{
    return fmin(fmax(1000 + 40 * (die_c - 40), 1000), 3000);
}

/* The speed follows its goal with a first-order lag, tau/(tau + 2 s) of the distance in each period of 2 s; the goal falls
 * 3 K behind the die. */
static void follow(const double *die_c, int cells, double *rpm)
{
    double ref = die_c[0], now = curve_rpm(ref);
    for (int i = 0; i < cells; i++) {
        ref = fmin(fmax(ref, die_c[i]), die_c[i] + 3);
        const double goal = curve_rpm(ref), tau_s = goal > now ? 8 : 40;
        now = goal + (now - goal) * tau_s / (tau_s + 2);
        rpm[i] = now;
    }
}

static void a_fan_follows_with_a_lag(void **state)
{
    (void)state;
    enum { CELLS = 400 };
    wsk_rig *rig = wsk_test_rig(turns, NULL);
    double die_c[CELLS], die_k[CELLS], want[CELLS], rpm[2 * CELLS];
    for (int i = 0; i < CELLS; i++) {
        die_c[i] = i < 50 ? 30 : i < 150 ? 70 : i < 250 ? 50 + 0.1 * i : 95;
        die_k[i] = die_c[i] + WSK_KELVIN;
    }
    follow(die_c, CELLS, want);
    wsk_fan_follow(&rig->net->cards[0], die_k, CELLS, 2, rpm);
    for (int i = 0; i < CELLS; i++)
        assert_near(rpm[i], want[i], 1e-6);
    /* in cells of 10 s, five periods at one temperature */
    for (int i = 0; i < CELLS / 5; i++)
        die_k[i] = (i < 20 ? 30 : i < 50 ? 70 : 45) + WSK_KELVIN;
    for (int i = 0; i < CELLS; i++)
        die_c[i] = i < 100 ? 30 : i < 250 ? 70 : 45;
    follow(die_c, CELLS, want);
    wsk_fan_follow(&rig->net->cards[0], die_k, CELLS / 5, 10, rpm);
    for (int i = 0; i < CELLS / 5; i++)
        assert_near(rpm[i], want[5 * i + 4], 1e-6);
    wsk_rig_free(rig);
}

typedef struct {
    double t_s[MOST], die_k[MOST], rpm[MOST];
    int n;
} fan_log;

static wsk_log_fan fit_fan(const char *xml, const fan_log *l, double held_s)
{
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_log_fan out;
    const wsk_calibrate_trace t = {.die = {l->t_s, l->die_k, (size_t)l->n},
                                   .fan_speed = {l->t_s, l->rpm, (size_t)l->n}};
    assert_int_equal(wsk_fan_fit(&rig->net->cards[0], true, &t, 0, held_s, &out), WSK_OK);
    wsk_rig_free(rig);
    return out;
}

/* A log whose die goes up and down between two temperatures, each for `for_s`, and whose fan does what its part says. */
static void make_log(fan_log *l, double low_c, double high_c, double for_s, int n)
{
    static double die_c[MOST];
    l->n = n;
    for (int i = 0; i < n; i++) {
        const double phase = 2 * i / for_s, up = phase - 2 * floor(phase / 2);
        /* a quarter of the time at each end, and on the way between them for the rest */
        const double share = fmin(fmax(up < 1 ? 2 * up - 0.5 : 3.5 - 2 * up, 0), 1);
        l->t_s[i] = 2.0 * i;
        die_c[i] = low_c + (high_c - low_c) * share;
        l->die_k[i] = die_c[i] + WSK_KELVIN;
    }
    follow(die_c, n, l->rpm);
}

/* A fan that does as its part says has the part's curve and time constants, at temperatures 4 K apart or more, at least
 * three and at most eleven of them. */
static void a_fan_of_its_part_is_left_as_it_is(void **state)
{
    (void)state;
    static const struct {
        double low_c, high_c;
        int points;
    } cases[] = {{50, 61.5, 3}, {45, 65.5, 6}, {42, 88, 11}};
    for (int k = 0; k < 3; k++) {
        static fan_log l;
        make_log(&l, cases[k].low_c, cases[k].high_c, 600, 1500);
        const wsk_log_fan f = fit_fan(turns, &l, 1800);
        assert_null(f.untold);
        int points = 0;
        bool fell = false;
        for (size_t i = 0; i < f.fit.count; i++) {
            const wsk_calibrated *v = &f.fit.values[i];
            if (v->at > 0) {
                const double at_c = v->at - WSK_KELVIN, want = curve_rpm(at_c);
                assert_string_equal(v->name, "fan-curve");
                assert_near(
                    at_c, cases[k].low_c + (cases[k].high_c - cases[k].low_c) * points / (cases[k].points - 1), 0.3);
                assert_near(v->value, want, 25);
                assert_rel(v->prior, want, 1e-6);
                assert_rel(v->prior_spread, 0.25 * want, 1e-6); /* a curve without a stated spread */
                assert_true(v->spread < v->prior_spread && v->apart <= v->spread);
                assert_near(v->learnt, 1 - pow(v->spread / v->prior_spread, 2), 1e-6);
                points++;
            } else {
                const bool fall = strcmp(v->name, "fan-fall") == 0;
                assert_true(fall || strcmp(v->name, "fan-rise") == 0);
                assert_rel(v->prior, fall ? 40 : 8, 1e-9);
                assert_rel(v->prior_spread, 0.7 * v->prior, 1e-9);
                assert_rel(v->value, v->prior, 0.15);
                fell = fell || fall;
            }
        }
        assert_int_equal(points, cases[k].points);
        assert_true(fell);
        assert_true(f.error_rel[WSK_PART_FITTED] < 0.004 && f.error_rel[WSK_PART_HELD_OUT] < 0.004);
    }
}

/* Nothing is fitted where the log has less than 10 K, 5 % of full speed (150 rpm) or 3 minutes. */
static void what_a_log_must_have(void **state)
{
    (void)state;
    static const struct {
        double kelvins, speeds, for_s;
        bool told;
    } cases[] = {{10.2, 400, 900, true}, {9.8, 400, 900, false}, {20, 152, 900, true},
                 {20, 148, 900, false},  {20, 400, 180, true},   {20, 400, 176, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        static fan_log l;
        l.n = (int)(cases[k].for_s / 2);
        for (int i = 0; i < l.n; i++) {
            const bool hot = i % 90 >= 45; /* a minute and a half each */
            l.t_s[i] = 2.0 * i;
            l.die_k[i] = WSK_KELVIN + 50 + (hot ? cases[k].kelvins : 0);
            l.rpm[i] = 1400 + (hot ? cases[k].speeds : 0);
        }
        const wsk_log_fan f = fit_fan(turns, &l, 1e9);
        if (cases[k].told)
            assert_true(!f.untold || strcmp(wsk_said_code(f.untold), "calibrate.fan-held") == 0);
        else
            assert_string_equal(wsk_said_code(f.untold), "calibrate.fan-still");
        assert_int_equal(f.fit.count > 0, f.untold == NULL);
    }
}

/* A fan that the log shows below the slowest speed of its part has that speed: less than half of the slowest is none. */
static void a_slower_fan_is_told(void **state)
{
    (void)state;
    static const double slower[] = {0, 300, 480, 520, 1000};
    for (int k = 0; k < 5; k++) {
        static fan_log l;
        make_log(&l, 40, 70, 600, 1500);
        for (int i = 0; i < l.n; i++)
            l.rpm[i] -= slower[k] * (2200 - l.rpm[i]) / 1200;
        const wsk_log_fan f = fit_fan(turns, &l, 1e9);
        assert_null(f.untold);
        const wsk_calibrated *least = NULL;
        for (size_t i = 0; i < f.fit.count; i++)
            least = strcmp(f.fit.values[i].name, "rpm-min") == 0 ? &f.fit.values[i] : least;
        assert_int_equal(least != NULL, k > 0);
        if (!least)
            continue;
        assert_near(least->value, slower[k] > 500 ? 0 : 1000 - slower[k], 1);
        assert_near(least->spread, 15, 1e-9); /* half a per cent of full speed, 3000 rpm */
        assert_near(least->apart, 15, 1e-9);
        assert_near(least->prior, 1000, 1e-9);
        assert_near(least->prior_spread, 1000, 1e-9);
        assert_near(least->learnt, 1, 1e-9);
    }
}

/* The card's curve continues beside the fitted points, as far as it does not cross them. */
static void the_curve_goes_on_beside_the_fitted_points(void **state)
{
    (void)state;
    static const struct {
        double first, last; /* fitted speeds at 50 and 70 degC; the card has 1400 and 2200 rpm there */
        double at_40, at_90;
    } cases[] = {{1300, 2300, 1000, 3000}, {900, 2300, 900, 3000}, {1300, 3200, 1000, 3200}};
    wsk_rig *rig = wsk_test_rig(turns, NULL);
    const wsk_card *c = &rig->net->cards[0];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        wsk_calibration fit = {.count = 3};
        fit.values[0] = (wsk_calibrated){.name = "fan-curve", .at = WSK_KELVIN + 50, .value = cases[k].first};
        fit.values[1] = (wsk_calibrated){.name = "fan-curve", .at = WSK_KELVIN + 70, .value = cases[k].last};
        fit.values[2] = (wsk_calibrated){.name = "fan-fall", .value = 30};
        const wsk_curve curve = wsk_fan_fit_curve(c, &fit);
        assert_int_equal(curve.count, 4);
        const double want[] = {cases[k].at_40, cases[k].first, cases[k].last, cases[k].at_90},
                     at[] = {40, 50, 70, 90};
        for (int i = 0; i < 4; i++) {
            assert_near(curve.x[i] - WSK_KELVIN, at[i], 1e-9);
            assert_near(curve.y[i], want[i], 1e-9);
        }
        fit.values[0].at = WSK_KELVIN + 40.9; /* a point of the card that is within a kelvin is replaced */
        fit.values[1].at = WSK_KELVIN + 89.1;
        assert_int_equal(wsk_fan_fit_curve(c, &fit).count, 2);
        fit.values[0].at = WSK_KELVIN + 41.1;
        fit.values[1].at = WSK_KELVIN + 88.9;
        assert_int_equal(wsk_fan_fit_curve(c, &fit).count, 4);
        fit.count = 0;
        assert_int_equal(wsk_fan_fit_curve(c, &fit).count, 2);
    }
    wsk_rig_free(rig);
}

/* The slowest speed at which a fan turns that stops at rest: the first point of its curve above 0. */
static void the_slowest_speed_of_a_fan_that_stops(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig(turns, NULL), *stops = wsk_test_rig(LOG_RIG("", "", OPEN_AIR, TRAINING), NULL);
    assert_same(wsk_fan_slowest(&rig->net->cards[0]), 0);
    assert_same(wsk_fan_slowest(&stops->net->cards[0]), 1020);
    wsk_rig_free(rig);
    wsk_rig_free(stops);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_fan_follows_with_a_lag),
                                       cmocka_unit_test(a_fan_of_its_part_is_left_as_it_is),
                                       cmocka_unit_test(what_a_log_must_have),
                                       cmocka_unit_test(a_slower_fan_is_told),
                                       cmocka_unit_test(the_curve_goes_on_beside_the_fitted_points),
                                       cmocka_unit_test(the_slowest_speed_of_a_fan_that_stops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
