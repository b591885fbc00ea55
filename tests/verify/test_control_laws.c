/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fans and watches, number by number, from docs/theory/mover.md and docs/theory/governor.md ("Fans", hunting, thermal
 * runaway). The controls are called with the temperatures that the test chooses. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/control/control.h"
#include "tests/support/bench.h"

static wsk_run *machine(const char *chassis, const char *fan, const char *card, wsk_rig **rig)
{
    char xml[2048];
    snprintf(xml, sizeof xml,
             "<rig><site><room temperature='25 degC'/></site><chassis intake-loss='0' wall-gap='1 m' %s>"
             "<vent at='side' area='100 m2'/><vent at='front' area='100 m2'/>"
             "<fan at='front' diameter='140 mm' pressure='40 Pa' flow='0.05 m3/s' rpm='2000 rpm' power='4 W' "
             "noise='30 dBA' power-exponent='2.5' count='2' %s/>"
             "<psu kind='constant' rated='1500 W' efficiency='100 %%'/>"
             "<gpu slot='1' tdp='300 W' clock-min='210 MHz' clock-max='1900 MHz' clock-step='15 MHz' "
             "clock-knee='1400 MHz' voltage-slope='0.6 1/GHz' leakage='20 W' leakage-slope='0.03 1/K' "
             "leakage-temperature='65 degC' target-temperature='83 degC' %s><cooler kind='blower' "
             "conductance='8 W/K' flow='16 CFM' capacity='500 J/K' fan-pressure='320 Pa' fan-flow='29 CFM' "
             "fan-rpm='4000 rpm'/><governor kind='slowdown'/><governor kind='thermal-target'/></gpu></chassis>"
             "<workload class='training'/><run for='2 h'/></rig>",
             chassis, fan, card);
    return wsk_test_run_to(xml, 0, rig);
}

static bool told(wsk_run *run, const char *what)
{
    char *text = NULL;
    assert_int_equal(wsk_run_events_csv(run, false, &text), WSK_OK);
    const bool found = strstr(text, what) != NULL;
    wsk_text_free(text);
    return found;
}

static double c_k(double c)
{
    return c + 273.15;
}

static void at_s(wsk_run *run, double t_s)
{
    run->head->t_ns = (int64_t)(t_s * 1e9);
}

/* Reverses the clock cap `turns` times in each of `windows` periods of 600 s, by `bins` clock steps of 15 MHz. Returns
 * whether the card counts as hunting. */
static bool hunts(int turns, double bins, int windows)
{
    wsk_rig *rig;
    wsk_run *run = machine("", "", "", &rig);
    wsk_card_state *s = &run->cards[0];
    const double low = 1e9, high = low + bins * 15e6;
    s->watched_ns = s->turns = s->rising = 0;
    s->cap_hz = s->cap_before = s->cap_low = s->cap_high = low;
    s->die_k = c_k(60);
    for (int w = 0; w < windows; w++) {
        for (int k = 0; k < turns + !w; k++) { /* the very first change is no reversal */
            s->cap_hz = s->cap_hz == low ? high : low;
            at_s(run, 600 * w + 20 * k / (double)turns);
            wsk_watch_card(run, 0);
        }
        at_s(run, 600 * w + 599);
        wsk_watch_card(run, 0);
        assert_false(s->hunts);
        at_s(run, 600 * w + 600);
        wsk_watch_card(run, 0);
    }
    const bool found = s->hunts;
    assert_int_equal(told(run, "governor hunts"), found);
    wsk_test_drop(run, rig);
    return found;
}

/* A governor hunts if the clock cap reverses at least 20 times in ten minutes and spans more than six clock steps. */
static void a_governor_hunts(void **state)
{
    (void)state;
    assert_true(hunts(20, 7, 1));
    assert_false(hunts(19, 7, 1));
    assert_false(hunts(20, 6, 1));
    assert_true(hunts(40, 6.5, 1));
    assert_false(hunts(19, 20, 2));
}

/* A slowdown cycles if it begins again within ten minutes after it has begun to release the clock. */
static void a_slowdown_cycles(void **state)
{
    (void)state;
    for (int later = 0; later < 2; later++) {
        wsk_rig *rig;
        wsk_run *run = machine("", "", "", &rig);
        wsk_card_state *s = &run->cards[0];
        int slowdown = 0;
        while (run->net->cards[0].governors[slowdown].ops->cause != WSK_REASON_HW)
            slowdown++;
        s->die_k = c_k(60);
        static const double caps[] = {1900e6, 950e6, 965e6, 965e6, 480e6};
        const double at[] = {100, 110, 130, 200, later ? 730 : 729};
        for (int k = 0; k < 5; k++) {
            assert_false(s->hunts);
            at_s(run, at[k]);
            s->governor[slowdown].cap_hz = caps[k];
            wsk_watch_card(run, 0);
        }
        assert_int_equal(s->hunts, later ? 0 : 1 + slowdown);
        assert_int_equal(told(run, "governor hunts,hw_thermal_slowdown"), !later);
        wsk_test_drop(run, rig);
    }
}

typedef struct {
    double die_c, watts, clock_mhz;
    int64_t reasons;
} moment;

typedef enum { PLAIN, OFF, PINNED } card_state;

/* Gives a card the state of each moment, apart_s seconds after each other. Returns the kind of runaway that is
 * detected then, 0 for none. */
static int64_t find_runaway(const moment *moments, int n, double apart_s, double failed_s, card_state is)
{
    wsk_rig *rig;
    wsk_run *run = machine("", "", "", &rig);
    wsk_card_state *s = &run->cards[0];
    run->head->failed_ns = (int64_t)(failed_s * 1e9);
    run->t[run->net->cards[0].inlet] = c_k(25);
    s->off = is == OFF;
    s->pin_power_w = is == PINNED ? 200 : NAN;
    for (int k = 0; k < n; k++) {
        at_s(run, 100 + k * apart_s);
        s->die_k = c_k(moments[k].die_c);
        s->power_w = moments[k].watts;
        s->clock_hz = moments[k].clock_mhz * 1e6;
        s->reasons = moments[k].reasons;
        wsk_watch_card(run, 0);
    }
    const int64_t found = s->runaway;
    assert_int_equal(told(run, "thermal runaway"), found == 1 || found == 2);
    assert_int_equal(told(run, "gpu0,") && failed_s >= 0, found == 3);
    wsk_test_drop(run, rig);
    return found;
}

static int64_t runaway(const moment *first, const moment *last, double apart_s, double failed_s)
{
    const moment both[] = {*first, *last};
    return find_runaway(both, 2, apart_s, failed_s, PLAIN);
}

static void a_card_runs_away(void **state)
{
    (void)state;
    enum { LEAKAGE = 1, RISING = 2, FAILURE = 3, HEAT = WSK_REASON_THERMAL };
    /* Card power at which, at a die of 87 degC and inlet air of 25 degC, one more kelvin adds as much leakage as the
     * cooler then removes more */
    const double even = 0.03 * 20 * exp(0.03 * 22) * (87 - 25);
    const moment cold = {60, 200, 1500, 0};
    assert_int_equal(runaway(&cold, &(moment){87, 0.999 * even, 1400, 0}, 1, -1), LEAKAGE);
    assert_int_equal(runaway(&cold, &(moment){87, 1.001 * even, 1400, 0}, 1, -1), 0);
    assert_int_equal(runaway(&cold, &(moment){87, 0.5 * even, 1400, WSK_REASON_POWER}, 1, -1), 0);
    assert_int_equal(runaway(&cold, &(moment){87, 0.999 * even, 1400, 0}, 1, 50), FAILURE);
    assert_int_equal(runaway(&cold, &(moment){86.1, 10, 1500, 0}, 1, -1), LEAKAGE);
    assert_int_equal(runaway(&cold, &(moment){85.9, 10, 1500, 0}, 1, -1), 0);
    /* Rising: the die warms by half a kelvin within a minute in which heat keeps the clock at its minimum. */
    const moment hot = {88, 200, 210, HEAT};
    assert_int_equal(runaway(&hot, &(moment){88.51, 200, 210, HEAT}, 60, -1), RISING);
    assert_int_equal(runaway(&hot, &(moment){88.49, 200, 210, HEAT}, 60, -1), 0);
    assert_int_equal(runaway(&hot, &(moment){90, 200, 210, HEAT}, 59, -1), 0);
    assert_int_equal(runaway(&hot, &(moment){90, 200, 210, 0}, 60, -1), 0);
    assert_int_equal(runaway(&hot, &(moment){90, 200, 225, HEAT}, 60, -1), 0);
    assert_int_equal(runaway(&(moment){88, 200, 225, HEAT}, &(moment){90, 200, 210, HEAT}, 60, -1), 0);
    assert_int_equal(runaway(&hot, &(moment){90, 200, 210, HEAT}, 60, 0), FAILURE);
    const moment leaks[] = {{87, 0.5 * even, 1400, 0}}, idles[] = {{87, 0, 1400, 0}};
    assert_int_equal(find_runaway(leaks, 1, 1, -1, PLAIN), LEAKAGE);
    assert_int_equal(find_runaway(leaks, 1, 1, -1, OFF), 0);
    assert_int_equal(find_runaway(leaks, 1, 1, -1, PINNED), 0);
    assert_int_equal(find_runaway(idles, 1, 1, -1, PLAIN), 0);
    /* the minute starts again after a higher clock or a cooler die */
    const moment clocked[] = {hot, {89, 200, 225, HEAT}, {90, 200, 210, HEAT}},
                 cooled[] = {hot, {85, 200, 210, HEAT}, {90, 200, 210, HEAT}};
    assert_int_equal(find_runaway(clocked, 3, 35, -1, PLAIN), 0);
    assert_int_equal(find_runaway(cooled, 3, 35, -1, PLAIN), 0);
}

/* A controller reads whole degrees. Its reading rises at once and falls only by more than the hysteresis. */
static void readings(void **state)
{
    (void)state;
    for (double hysteresis = 0; hysteresis <= 4; hysteresis += 0.5)
        for (double c = 40; c < 60; c += 0.173) {
            const double whole = floor(c + 0.5), got = wsk_fan_reference(c_k(50), c_k(c), hysteresis),
                         want = whole > 50                ? whole
                                : whole < 50 - hysteresis ? whole + hysteresis
                                                          : 50;
            assert_near(got, c_k(want), 1e-9);
            double low, high;
            wsk_fan_band(c_k(50), hysteresis, &low, &high);
            assert_int_equal(c_k(c) > low && c_k(c) < high, want == 50); /* the band in which the reading stays 50 */
        }
    /* wsk_fan_ramp(rpm, goal, step, s): 5 % of full speed (4000 rpm) a second, in steps of 1 % (40 rpm) */
    assert_near(wsk_fan_ramp(1000, 3000, 40, 1), 1200, 1e-9);
    assert_near(wsk_fan_ramp(1000, 500, 40, 2), 600, 1e-9);
    assert_near(wsk_fan_ramp(1000, 500, 40, 0.1), 960, 1e-9);
    assert_near(wsk_fan_ramp(1000, 3000, 40, 0.5), 1080, 1e-9);
    assert_near(wsk_fan_ramp(1000, 1199, 40, 1), 1199, 1e-9);
    assert_near(wsk_fan_ramp(1000, 801, 40, 1), 801, 1e-9);
}

/* The fan of a card without a fan curve: 30 % up to 50 degC, 60 % at 8 K below the target temperature, 80 % at the
 * target, full speed 4 K above. The speed follows with a lag of 2 s upwards and of 75 s downwards. */
static void the_fan_of_a_card(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = machine("", "", "", &rig);
    const wsk_card *c = &run->net->cards[0];
    wsk_card_state *s = &run->cards[0];
    const wsk_curve curve = wsk_card_curve(c);
    static const double points[][2] = {{30, 0.3}, {50, 0.3}, {62.5, 0.45}, {75, 0.6}, {79, 0.7}, {83, 0.8}, {87, 1}};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        assert_rel(wsk_curve_at(&curve, c_k(points[i][0])), 4000 * points[i][1], 1e-9);
    const double p = c->cooler->period_s;
    double n = run->rpm[c->mover], t = 10000;
    s->fan_rpm = n;
    s->fan_ref_k = c_k(30);
    s->fan_goal_rpm = NAN;
    for (int k = 0; k < 400; k++, t += p) {
        const bool hot = k < 60;
        const double goal = hot ? 4000 * 0.6 : 1200, tau = goal > n ? 2 : 75;
        s->die_k = c_k(hot ? 75 : 40);
        at_s(run, t);
        wsk_control_fan(run, 0);
        n += (goal - n) * p / (p + tau);
        if (fabs(goal - n) < 20)
            n = goal;
        const double step = goal < n ? 120 : 40;
        assert_near(run->rpm[c->mover], n == goal ? goal : floor(n / step + 0.5) * step, 1e-6);
    }
    /* a reading that rose keeps the goal until the die has cooled by the hysteresis */
    const double hysteresis = c->cooler->hysteresis_k;
    s->fan_ref_k = c_k(40);
    for (double die = 75; die > 75 - hysteresis; die -= 1, t += p) {
        s->die_k = c_k(die);
        at_s(run, t);
        wsk_control_fan(run, 0);
        assert_near(s->fan_goal_rpm, 2400, 1e-6);
        assert_near(s->fan_ref_k, c_k(75), 1e-9);
    }
    /* the search of a steady point has no lag: 5 % of full speed a second */
    run->steady = true;
    run->rpm[c->mover] = 1200;
    at_s(run, t + p);
    wsk_control_fan(run, 0);
    assert_near(run->rpm[c->mover], 1200 + fmax(floor(5 * p), 1) * 40, 1e-6);
    wsk_test_drop(run, rig);
}

/* A chassis fan without a fan curve: 30 % at 40 degC and full speed at 80 degC if its sensor is a chip, 25 and 45 degC
 * if it is the air. */
static void the_fan_of_a_chassis(void **state)
{
    (void)state;
    static const struct {
        const char *fan;
        double die_c, watts, share;
    } of[] = {{"sensor='gpu'", 60, 0, 0.65},
              {"sensor='gpu'", 61.4, 0, 0.67}, /* read as 61 degC: 66.75 %, rounded to 67 % */
              {"sensor='gpu'", 20, 0, 0.30},
              {"sensor='gpu'", 95, 0, 1},
              {"sensor='gpu' minimum='45 %'", 20, 0, 0.45},
              {"sensor='gpu' duty='70 %'", 95, 0, 0.70},
              {"sensor='gpu' curve='50 degC:40 %, 90 degC:80 %'", 70, 0, 0.60},
              {"sensor='gpu' load-curve='100 W:40 degC, 300 W:80 degC'", 30, 200, 0.65},
              {"sensor='gpu' load-curve='100 W:40 degC, 300 W:80 degC'", 70, 200, 0.83}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        wsk_rig *rig;
        wsk_run *run = machine("", of[i].fan, "", &rig);
        const double before = run->rpm[0];
        for (double t = 100; t < 200; t += 2) {
            at_s(run, t);
            run->cards[0].die_k = c_k(of[i].die_c);
            run->cards[0].power_w = of[i].watts;
            const double at = run->rpm[0], left = 2000 * of[i].share - at;
            wsk_control_movers(run);
            if (t > 100) /* at most 10 % of full speed, 200 rpm, per control period of two seconds */
                assert_near(run->rpm[0] - at, fmin(fmax(left, -200), 200), 1e-6);
        }
        assert_near(run->rpm[0], 2000 * of[i].share, 1e-6);
        assert_true(before > 0);
        /* noise: 55 dB per decade of the speed; power: by the stated exponent */
        assert_rel(run->mover_w[0], run->net->movers[0].power_w * pow(of[i].share, 2.5), 1e-9);
        assert_rel(10 * log10(run->mover_noise_p[0]),
                   10 * log10(run->net->movers[0].noise_p) + 55 * log10(of[i].share), 1e-9);
        wsk_test_drop(run, rig);
    }
    assert_near(wsk_dba(2000), 33.0103, 1e-4);
    assert_same(wsk_dba(0.5), 0);
}

/* Dust grows linearly from dust-start, by `dust` within dust-time, in steps of half a percent, up to 95 %. */
static void dust_gathers(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = machine("dust='40 %' dust-start='12 %' dust-time='1000 s'", "", "", &rig);
    const int at = run->net->cases[0].dust;
    assert_true(at >= 0);
    for (double t = 3; t < 4000; t += 130) {
        at_s(run, t);
        wsk_control_movers(run);
        assert_near(run->rpm[at], fmin(floor((0.12 + 0.4 * t / 1000) * 200) / 200, 0.95), 1e-9);
    }
    wsk_test_drop(run, rig);
}

/* If several parts fail, the time of failure is that of the first one, also if it is 0 s. */
static void the_first_failure_counts(void **state)
{
    (void)state;
    static const double first_s[] = {0, 40};
    for (int i = 0; i < 2; i++) {
        wsk_rig *rig;
        wsk_run *run = machine("", "", "", &rig);
        assert_true(run->head->failed_ns < 0);
        at_s(run, first_s[i]);
        wsk_fail_mover(run, 0, WSK_WHY_COMMAND);
        assert_same(run->rpm[0], 0);
        at_s(run, 90);
        wsk_fail_cooling(run, WSK_WHY_COMMAND);
        wsk_count_shutdown(run);
        at_s(run, 120);
        wsk_count_shutdown(run);
        assert_true(run->head->failed_ns == (int64_t)(first_s[i] * 1e9));
        assert_true(run->head->shut_ns == (int64_t)90e9);
        assert_int_equal(run->head->shutdowns, 2);
        wsk_mend_mover(run, 0);
        assert_same(run->rpm[0], 2000);
        wsk_test_drop(run, rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_governor_hunts),  cmocka_unit_test(a_slowdown_cycles),
        cmocka_unit_test(a_card_runs_away),  cmocka_unit_test(readings),
        cmocka_unit_test(the_fan_of_a_card), cmocka_unit_test(the_fan_of_a_chassis),
        cmocka_unit_test(dust_gathers),      cmocka_unit_test(the_first_failure_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
