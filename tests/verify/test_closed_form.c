/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "sim/books/books.h"
#include "tests/support/bench.h"
#include "wattsink_summary.h"

/* A chassis with no effect on temperatures: wide openings and strong fans, so that its air has the room's
 * temperature. */
#define HUGE_CASE \
    "<vent at='side' area='100 m2'/><vent at='side' area='100 m2'/><vent at='front' area='100 m2'/>" \
    "<fan at='front' diameter='1 m' pressure='10 Pa' flow='20 m3/s' rpm='100 rpm' power='0 W'/>"

static wsk_run *run_of(const char *xml, wsk_stepper stepper, double span_s, wsk_rig **rig)
{
    *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(*rig, stepper, span_s);
    return run;
}

static const double watts = 215, tdp = 250, memory_w = 31, board_share = 0.11, die_r = 0.043, memory_r = 0.37;
static const double ua = 11.3, q_ref = 0.021, n_ua = 0.63, drop_pa = 27, fan_pa = 180, fan_q = 0.031,
                    curvature = 0.35;
static const double fan_rpm = 3000, pin_rpm = 2330, outlet_m2 = 42e-4, board_g = 1.2, room_c = 24.3;

static void write_card_rig(char *xml, size_t size, const char *style, double altitude_m)
{
    /* The case's far wall is a metre away, so the card has free air and takes in none of its exhaust. Only the
     * heatsink takes heat from the memory, and none from the board, so that each temperature is a sum of rises. */
    int n = snprintf(
        xml, size,
        "<rig><site altitude='%.0f m'><room temperature='24.3 degC' humidity='0 %%'/></site>"
        "<chassis intake-loss='0' wall-gap='1 m'>" HUGE_CASE
        "<gpu slot='1' tdp='250 W' clock-max='1900 MHz' clock-knee='1300 MHz' voltage-slope='0.5 1/GHz' power='215 W'"
        " fan='2330 rpm' memory-power='31 W' board-share='11 %%' die-resistance='0.043 K/W' memory-resistance='0.37 "
        "K/W'"
        " memory-to-heatsink='100 %%' board-to-heatsink='0 W/K' board-conductance='1.2 W/K' board-capacity='100 J/K'>"
        "<cooler kind='%s' conductance='11.3 W/K' flow='21 l/s' exponent='0.63' natural='0 W/K' capacity='310 J/K'"
        " drop='27 Pa' fan-pressure='180 Pa' fan-flow='31 l/s' fan-rpm='3000 rpm' fan-curvature='35 %%' outlet='42 "
        "cm2'"
        "%s/></gpu></chassis></rig>",
        altitude_m, style, strcmp(style, "open-air") == 0 ? "" : " leak='0 %'");
    assert_true(n > 0 && (size_t)n < size);
}

/* Flow of the card's fan, m3/s, at which the fan's pressure rho (p nu^2 - s p nu q/Q - (1 - s) p q^2/Q^2) equals the
 * pressure loss of the fins (half of it linear in q, half square) plus that of the outlet (square). rho: air density
 * relative to sea level; p: pressure of the fan without flow at full speed; nu: share of full speed; s: curvature;
 * Q: flow without resistance. */
static double card_flow(double rho_rel)
{
    double nu = pin_rpm / fan_rpm, p = fan_pa;
    double square = rho_rel * ((1 - curvature) * p / (fan_q * fan_q) + 0.5 * drop_pa / (q_ref * q_ref) +
                               1.5 * 1.184 / 2 / (outlet_m2 * outlet_m2));
    double line = rho_rel * curvature * p * nu / fan_q + 0.5 * drop_pa / q_ref, lift = rho_rel * p * nu * nu;
    return (-line + sqrt(line * line + 4 * square * lift)) / (2 * square);
}

/* W/m2K between a surface and the slow air of a case. over_k: how much the surface is warmer than the air, K; natural
 * convection rises with it. */
static double slow_air(double over_k)
{
    return cbrt(pow(10, 3) + pow(8 * pow(over_k / 10, 0.25), 3));
}

static void check_card_rig(const char *style, double altitude_m, wsk_stepper stepper)
{
    char xml[2048];
    wsk_rig *rig;
    write_card_rig(xml, sizeof xml, style, altitude_m);
    wsk_run *run = run_of(xml, stepper, 3600, &rig);
    wsk_test_advance(run, 3600);
    double rho_rel = pow(1 - 2.25577e-5 * altitude_m, 5.25588), q = card_flow(rho_rel),
           w = 1.184 * rho_rel * 1006 * q;
    double g = w * (1 - exp(-ua * pow(q / q_ref, n_ua) / w));
    /* a passive card also loses heat through its shell and its board's back, 267 x 112 x 38.64 mm */
    bool passive = strcmp(style, "passive") == 0;
    double side = passive ? 0.267 * 0.112 : 0,
           shell = passive ? side + (2 * 0.267 + 0.112) * (2 * 20.32e-3 - 2e-3) : 0, over = 20;
    double p_memory = watts * memory_w / tdp, p_board = watts * board_share, p_die = watts - p_memory - p_board;
    for (int i = 0; i < 60; i++)
        over = (p_die + p_memory) / (g + shell * slow_air(over));
    double heatsink = room_c + over;
    assert_near(wsk_test_get(run, "gpu0.heatsink"), heatsink, 0.1);
    assert_near(wsk_test_get(run, "gpu0.die_c"), heatsink + die_r * p_die, 0.1);
    assert_near(wsk_test_get(run, "gpu0.memory_c"), heatsink + memory_r * p_memory, 0.1);
    /* the board's natural convection depends on its temperature, so its rise is iterated */
    double rise = 20, forced = board_g * sqrt(q / q_ref);
    for (int i = 0; i < 60; i++)
        rise =
            p_board / (side * slow_air(rise) + cbrt(pow(forced, 3) + pow(0.4 * board_g * pow(rise / 10, 0.25), 3)));
    assert_near(wsk_test_get(run, "gpu0.board_c"), room_c + rise, 0.1);
    assert_near(wsk_test_get(run, "case.air_c"), room_c, 0.05);
    wsk_test_drop(run, rig);
}

static void test_one_card_in_a_huge_case(void **state)
{
    (void)state;
    static const char *const styles[] = {"blower", "open-air", "passive"};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            check_card_rig(styles[i], 0, (wsk_stepper)k);
            check_card_rig(styles[i], 2100, (wsk_stepper)k);
        }
}

/* With board-fixed, the loss of VRM and board is a fixed power plus a part that is proportional to the square of the
 * card's power: at half of tdp the card loses less than half of its loss at tdp, and at very low power the loss is
 * limited to half of the power. Without board-fixed the loss is the same share of any power. */
static void test_losses_of_converters(void **state)
{
    (void)state;
    static const char *const fixed[] = {"", " board-fixed='4 %'"}, *const watts_of[] = {"300 W", "150 W"};
    static const double loss[2][2] = {{45, 22.5}, {45, 1.8 + 43.2 / 4}};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            char xml[1024];
            snprintf(xml, sizeof xml,
                     "<rig><chassis>" HUGE_CASE "<gpu slot='1' slots='2' tdp='300 W' power='%s' clock-max='1900 MHz' "
                     "clock-knee='1300 MHz' voltage-slope='0.5 1/GHz' board-share='15 %%'%s vrm-resistance='0.5 K/W' "
                     "memory-power='30 W' die-resistance='0.04 K/W'><cooler kind='open-air' "
                     "part='cooler/generic-open-air'/></gpu></chassis></rig>",
                     watts_of[k], fixed[i]);
            wsk_rig *rig = wsk_test_rig(xml, NULL);
            wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 10);
            wsk_test_advance(run, 10);
            double p = k ? 150 : 300;
            assert_near(wsk_test_get(run, "gpu0.vrm_c") - wsk_test_get(run, "gpu0.board_c"), 0.5 * loss[i][k], 1e-6);
            assert_near(wsk_test_get(run, "gpu0.die_c") - wsk_test_get(run, "gpu0.heatsink"),
                        0.04 * (0.9 * p - loss[i][k]), 1e-6);
            assert_near(wsk_board_w(run->net->cards, 2), i ? 1 : 0.3, 1e-9);
            wsk_test_drop(run, rig);
        }
}

/* Values of fins and fans that a rig does not state follow from the size of the card: fins of 300 mm by 58 - 18 mm,
 * and three fans of 90 mm at 50 turns a second. Stated values are kept. */
static void test_a_cooler_by_its_size(void **state)
{
    (void)state;
    static const char *const flows[] = {"", " flow='30 l/s'"};
    for (int i = 0; i < 2; i++) {
        char xml[1024];
        snprintf(
            xml, sizeof xml,
            "<rig><chassis><gpu slot='1' slots='3' length='300 mm' thickness='58 mm' tdp='250 W' "
            "clock-max='1900 MHz' clock-knee='1300 MHz' voltage-slope='0.5 1/GHz'><cooler kind='open-air' fans='3' "
            "diameter='90 mm' fan-rpm='3000 rpm' outlet='240 cm2' fin-factor='0.8'%s/></gpu></chassis></rig>",
            flows[i]);
        wsk_rig *rig = wsk_test_rig(xml, NULL);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 10);
        const wsk_cooler_params *k = run->net->cards[0].cooler;
        assert_rel(k->ua_w_k, 0.8 * 1700 * 0.3 * 0.04, 1e-12);
        assert_rel(k->flow_ref_m3s, i ? 0.03 : 2.9 * 0.3 * 0.04, 1e-12);
        assert_rel(k->cap_j_k, 90 + 75e3 * 0.3 * 0.04, 1e-12);
        assert_rel(k->flow_m3s, 0.48 * 0.09 * 0.09 * 0.09 * 50, 1e-12);
        assert_rel(k->pressure_pa, 3.25 * 0.09 * 0.09 * 50 * 50, 1e-12);
        wsk_test_drop(run, rig);
    }
}

/* Without air flow the fins lose 9.9 W/m2K (natural convection and radiation at 10 K) times the area of the card's
 * shell without one end, here of 300 mm by 112 mm by 58 mm, times natural-factor. A stated `natural` replaces that. */
static void test_a_still_fan_by_its_size(void **state)
{
    (void)state;
    const double natural = 9.9 * (0.3 * 0.112 + (2 * 0.3 + 0.112) * 0.058);
    double die[3];
    for (int i = 0; i < 3; i++) {
        char xml[1024], still[60];
        snprintf(still, sizeof still, i == 1 ? "natural='%.9g W/K'" : "natural-factor='%.0f'",
                 i == 1 ? 2 * natural : 2 - 0.5 * i);
        snprintf(xml, sizeof xml,
                 "<rig><chassis card-width='112 mm'><gpu slot='1' slots='3' length='300 mm' thickness='58 mm' "
                 "tdp='250 W' power='20 W' fan='0 rpm' clock-max='1900 MHz' clock-knee='1300 MHz' "
                 "voltage-slope='0.5 1/GHz'><cooler kind='open-air' fans='3' diameter='90 mm' fan-rpm='3000 rpm' "
                 "outlet='240 cm2' %s/></gpu></chassis><run for='1 d' start='steady'/></rig>",
                 still);
        wsk_rig *rig = wsk_test_rig(xml, NULL);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
        wsk_test_advance(run, 3600);
        die[i] = wsk_test_get(run, "gpu0.die_c");
        wsk_test_drop(run, rig);
    }
    assert_near(die[0], die[1], 1e-6);
    assert_true(die[2] > die[0] + 3);
}

static void test_exponential_warm_up(void **state)
{
    (void)state;
    const double p = 83, c = 520, w = 1.184 * 1006 * 0.0213, g = w * (1 - exp(-5.7 / w)), tau = c / g;
    for (int k = 0; k < 2; k++) {
        wsk_rig *rig;
        wsk_run *run =
            run_of("<rig><site><room temperature='21 degC' humidity='0 %'/></site><chassis intake-loss='0'>" HUGE_CASE
                   "<cpu power='83 W' board='0 W' capacity='520 J/K' conductance='5.7 W/K' flow='21.3 l/s'"
                   " die-resistance='0.09 K/W'/></chassis></rig>",
                   (wsk_stepper)k, 3600, &rig);
        static const double moments[] = {1, 10, 47, 100, 230, 600, 3600};
        for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
            wsk_test_advance(run, moments[i]);
            double rise = p / g * (1 - exp(-moments[i] / tau));
            assert_near(wsk_test_get(run, "cpu0.cooler"), 21 + rise, 0.01);
            assert_near(wsk_test_get(run, "cpu0.die_c"), 21 + rise + 0.09 * p, 0.01);
        }
        wsk_test_drop(run, rig);
    }
}

static void test_room_follows_the_outdoor_sine(void **state)
{
    (void)state;
    const double omega = 2 * 3.14159265358979 / 86400, tau = 300e3 / 43, swing = 6.3, mean = 17.5,
                 warmest = 14.5 * 3600;
    double amplitude = swing / sqrt(1 + omega * tau * omega * tau), lag = atan(omega * tau);
    for (int k = 0; k < 2; k++) {
        wsk_rig *rig;
        wsk_run *run = run_of("<rig><site><room capacity='300000 J/K' conductance='43 W/K'>"
                              "<outdoor mean='17.5 degC' swing='6.3 K' warmest='14.5 h'/></room></site>"
                              "<chassis panel-capacity='0 J/K'/><run from='2026-04-05T06:00:00'/></rig>",
                              (wsk_stepper)k, 2 * 86400, &rig);
        for (int hour = 1; hour <= 48; hour++) {
            wsk_test_advance(run, hour * 3600.0);
            double day = hour * 3600.0 + 6 * 3600;
            assert_near(wsk_test_get(run, "outdoor.air_c"), mean + swing * cos(omega * (day - warmest)), 0.002);
            if (hour * 3600 > 14 * tau) /* after 14 time constants the initial state has decayed */
                assert_near(wsk_test_get(run, "room.air_c"), mean + amplitude * cos(omega * (day - warmest) - lag),
                            0.005);
        }
        wsk_test_drop(run, rig);
    }
}

static void test_room_is_set(void **state)
{
    (void)state;
    const double tau = 300e3 / 43, rest = 12 + 730.0 / 43;
    for (int k = 0; k < 2; k++) {
        wsk_rig *rig;
        wsk_run *run = run_of("<rig><site><room capacity='300000 J/K' conductance='43 W/K'>"
                              "<outdoor mean='12 degC' swing='0 K'/></room></site>"
                              "<chassis panel-capacity='0 J/K'/><load ac='730 W'/></rig>",
                              (wsk_stepper)k, 4 * 3600, &rig);
        wsk_test_advance(run, 3600);
        assert_int_equal(wsk_run_set(run, "room.air_c", 40), WSK_OK);
        for (int minutes = 10; minutes <= 180; minutes += 10) {
            wsk_test_advance(run, 3600 + 60.0 * minutes);
            assert_near(wsk_test_get(run, "room.air_c"), rest + (40 - rest) * exp(-60.0 * minutes / tau), 0.005);
        }
        assert_true(wsk_residual(run) <= 1e-9);
        wsk_test_drop(run, rig);
    }
}

/* Steady state of a room with wall conductance G and an air conditioner at its rating point: capacity (T -
 * setpoint)/band = load + G (T_out - T). */
static void test_air_conditioner_settles(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run =
        run_of("<rig><site><room capacity='200000 J/K' conductance='40 W/K'><outdoor mean='35 degC'/>"
               "<air-conditioner capacity='2.5 kW' setpoint='24 degC' cop='2.9' band='1.5 K'/></room></site>"
               "<load ac='730 W'/></rig>",
               WSK_STEPPER_FAST, 86400, &rig);
    wsk_test_advance(run, 86400);
    double slope = 2500 / 1.5, t = (730 + 40 * 35 + slope * 24) / (40 + slope);
    assert_near(wsk_test_get(run, "room.air_c"), t, 0.01);
    assert_near(wsk_test_get(run, "ac_w"), slope * (t - 24) / 2.9, 1);
    wsk_test_drop(run, rig);
}

static double weekly_cost(const char *efficiency)
{
    char xml[512];
    wsk_rig *rig;
    snprintf(xml, sizeof xml,
             "<rig><site><room temperature='22 degC'/><tariff price='0.16 USD/kWh'/></site><chassis>" HUGE_CASE
             "<psu kind='constant' rated='1600 W' efficiency='%s'/></chassis>"
             "<load dc='1600 W' duty='20 %%' period='1 week'/></rig>",
             efficiency);
    wsk_run *run = run_of(xml, WSK_STEPPER_FAST, 7 * 86400, &rig);
    wsk_test_advance(run, 7 * 86400);
    double cost = wsk_test_get(run, "cost");
    wsk_test_drop(run, rig);
    return cost;
}

/* 1600 W of output for a fifth of the year: 1600/0.82 - 1600/0.87 W = 112.1 W, which is 31.43 USD a year at 0.16
 * USD/kWh. */
static void test_bronze_against_gold(void **state)
{
    (void)state;
    double bronze = weekly_cost("82 %"), gold = weekly_cost("87 %"), year = 365.0 / 7;
    assert_rel(bronze, 1.6 / 0.82 * 0.2 * 168 * 0.16, 1e-9);
    assert_near((bronze - gold) * year, (1.6 / 0.82 - 1.6 / 0.87) * 0.2 * 8760 * 0.16, 1e-6);
    assert_near((bronze - gold) * year, 31.43, 0.005);
}

static void test_certified_points(void **state)
{
    (void)state;
    static const double x[4] = {0.1, 0.2, 0.5, 1}, eff[4] = {0.871, 0.903, 0.921, 0.887};
    wsk_rig *rig;
    wsk_run *run = run_of("<rig><site supply='115 V'/><chassis><psu rated='1300 W' efficiency-10='87.1 %' "
                          "efficiency-20='90.3 %' efficiency-50='92.1 %'"
                          " efficiency-100='88.7 %'/></chassis></rig>",
                          WSK_STEPPER_FAST, 10, &rig);
    const wsk_supply *s = &run->net->supplies[0];
    for (int i = 0; i < 4; i++)
        assert_rel(1300 * x[i] / s->ops->input_w(&s->law, 1300 * x[i]), eff[i], 1e-9);
    for (double load = 0.1; load < 1; load += 0.01) {
        double e = 1300 * load / s->ops->input_w(&s->law, 1300 * load);
        assert_true(e > 0.871 - 1e-9 && e < 0.93);
    }
    wsk_test_drop(run, rig);
}

static void test_seconds_over_the_circuit(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = run_of("<rig><site supply='120 V' circuit='15 A'><room temperature='22 degC'/></site>"
                          "<load ac='1000 W'/><load ac='441 W' duty='25 %' period='1 h'/></rig>",
                          WSK_STEPPER_FAST, 4 * 3600, &rig);
    wsk_test_advance(run, 4 * 3600);
    assert_near((double)run->lines[0].over_ns / 1e9, 3600, 1e-6);
    assert_near(run->books->wall_peak_w, 1441, 1e-9);
    char *events = NULL;
    int begins = 0, ends = 0;
    assert_int_equal(wsk_run_events_csv(run, false, &events), WSK_OK);
    for (const char *at = events; (at = strstr(at, ",circuit,")) != NULL; at++) {
        begins += strncmp(at, ",circuit,over continuous limit,", 31) == 0;
        ends += strncmp(at, ",circuit,under continuous limit,", 32) == 0;
    }
    wsk_text_free(events);
    assert_int_equal(begins, 4);
    assert_int_equal(ends, 4);
    assert_near(wsk_test_get(run, "energy_kwh"), 4 + 0.441, 1e-9);
    wsk_test_drop(run, rig);
}

/* The work of this card is proportional to its clock. A locked clock, a power limit and both together cost the share
 * of the clock by which they lower it. No work is lost to heat. */
static void test_work_lost_to_limits(void **state)
{
    (void)state;
    const double top_mhz = 1900, held_mhz[] = {1900, 950, NAN, 950};
    static const char *const limits[] = {"", "lock-clock='950 MHz'", "power-limit='110 W'",
                                         "power-limit='110 W' lock-clock='950 MHz'"};
    for (int i = 0; i < 4; i++) {
        char xml[2048];
        snprintf(xml, sizeof xml,
                 "<rig><site><room temperature='10 degC'/></site><chassis intake-loss='0' wall-gap='1 m'>" HUGE_CASE
                 "<gpu slot='1' tdp='400 W' power-limit-min='90 W' clock-max='1900 MHz' clock-knee='1300 MHz' "
                 "voltage-slope='0.5 1/GHz' fan='3000 rpm' %s><class name='training' p0='30 W' c='60 W/GHz' "
                 "clock-share='100 %%'/><cooler kind='blower' conductance='20 W/K' flow='21 l/s' capacity='310 J/K' "
                 "fan-pressure='180 Pa' fan-flow='31 l/s' fan-rpm='3000 rpm'/></gpu></chassis>"
                 "<workload kind='constant' class='training'/><run for='1 h'/></rig>",
                 limits[i]);
        wsk_rig *rig;
        wsk_run *run = run_of(xml, WSK_STEPPER_FAST, 3600, &rig);
        wsk_test_advance(run, 3600);
        wsk_summary *s = NULL;
        assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
        const double f = wsk_test_get(run, "gpu0.clock_mhz");
        if (isnan(held_mhz[i]))
            assert_true(f > 950 && f < 0.8 * top_mhz);
        else
            assert_near(f, held_mhz[i], 1e-9);
        assert_near(wsk_summary_number(s, WSK_R_LOST_TO_LIMIT, 0), 1 - f / top_mhz, 1e-3);
        assert_near(wsk_summary_number(s, WSK_R_LOST, 0), 0, 1e-9);
        assert_near(wsk_summary_number(s, WSK_R_GPU_LIMITED_BY_POWER, 0), i == 2 ? 3600 : 0, 1);
        assert_near(wsk_summary_number(s, WSK_R_GPU_LIMITED_BY_HEAT, 0), 0, 0);
        wsk_summary_free(s);
        wsk_test_drop(run, rig);
    }
}

/* At a given speed the shaft power of a fan is proportional to the air density, by the standard atmosphere and the
 * humidity. That of a pump is not, nor the power of a card, which its fans are a part of. */
static void test_watts_of_movers_in_thin_air(void **state)
{
    (void)state;
    static const double altitude_m[] = {0, 3000};
    for (int i = 0; i < 2; i++) {
        char xml[2048];
        snprintf(xml, sizeof xml,
                 "<rig><site altitude='%.0f m'><room temperature='24.3 degC' humidity='0 %%'/></site><chassis>"
                 "<fan id='wall' at='front' count='2' diameter='80 mm' pressure='300 Pa' flow='0.05 m3/s' "
                 "rpm='9000 rpm' power='18 W' power-exponent='2.5' duty='60 %%'/>"
                 "<fan at='rear' diameter='80 mm' pressure='300 Pa' flow='0.05 m3/s' rpm='9000 rpm' power='0 W'/>"
                 "<loop id='water'><pump id='d5' pressure='45 kPa' flow='20 l/min' rpm='4800 rpm' power='19 W'/>"
                 "<radiator direction='outside' conductance='40 W/K' flow='90 l/s'><fan id='core' count='3' "
                 "pressure='25 Pa' flow='140 m3/h' rpm='1700 rpm' power='2 W'/></radiator></loop>"
                 "<gpu slot='1' tdp='300 W' power='200 W' clock-max='1900 MHz' clock-knee='1300 MHz' "
                 "voltage-slope='0.5 1/GHz'><cooler kind='water' conductance='24 W/K' drop='8 kPa'/></gpu>"
                 "</chassis><workload kind='constant' class='burn'/><run for='1 h'/></rig>",
                 altitude_m[i]);
        wsk_rig *rig;
        wsk_run *run = run_of(xml, WSK_STEPPER_FAST, 3600, &rig);
        wsk_test_advance(run, 3600);
        wsk_summary *s = NULL;
        assert_int_equal(wsk_run_summary(&s, run, 0), WSK_OK);
        const double rho_rel = pow(1 - 2.25577e-5 * altitude_m[i], 5.25588);
        static const char *const names[] = {"wall", "d5", "core"};
        const double watts_of[] = {2 * 18 * pow(0.6, 2.5) * rho_rel, 19, 3 * 2 * rho_rel};
        int found = 0;
        for (size_t row = 0; row < wsk_summary_count(s, WSK_SCOPE_FAN); row++)
            for (int k = 0; k < 3; k++)
                if (strcmp(wsk_summary_text(s, WSK_R_FAN_ID, row), names[k]) == 0) {
                    assert_rel(wsk_summary_number(s, WSK_R_FAN_POWER, row), watts_of[k], 1e-6);
                    found++;
                }
        assert_int_equal(found, 3);
        assert_near(wsk_test_get(run, "gpu0.power_w"), 200, 1e-9);
        wsk_summary_free(s);
        wsk_test_drop(run, rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_card_in_a_huge_case),
        cmocka_unit_test(test_losses_of_converters),
        cmocka_unit_test(test_a_cooler_by_its_size),
        cmocka_unit_test(test_a_still_fan_by_its_size),
        cmocka_unit_test(test_exponential_warm_up),
        cmocka_unit_test(test_room_follows_the_outdoor_sine),
        cmocka_unit_test(test_room_is_set),
        cmocka_unit_test(test_air_conditioner_settles),
        cmocka_unit_test(test_bronze_against_gold),
        cmocka_unit_test(test_certified_points),
        cmocka_unit_test(test_work_lost_to_limits),
        cmocka_unit_test(test_seconds_over_the_circuit),
        cmocka_unit_test(test_watts_of_movers_in_thin_air),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
