/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "tests/support/bench.h"
#include "sim/books/books.h"

/* A chassis with no effect on temperatures: its air has the room's temperature. */
#define HUGE_CASE \
    "<vent at='side' area='100 m2'/><vent at='side' area='100 m2'/><vent at='front' area='100 m2'/>" \
    "<fan at='front' diameter='1 m' pressure='10 Pa' flow='20 m3/s' rpm='100 rpm' power='0 W'/>"
#define CHIP \
    "tdp='300 W' clock-max='1900 MHz' clock-knee='1300 MHz' voltage-slope='0.5 1/GHz' memory-to-heatsink='100 %' " \
    "board-to-heatsink='0 W/K'"

static const double water = 4.146e6, glycol = 3.92e6, glycol_rho = 1.016, room_c = 23.5;

static wsk_run *settled(const char *xml, wsk_stepper stepper, double span_s, wsk_rig **rig)
{
    *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(*rig, stepper, span_s);
    wsk_test_advance(run, span_s);
    return run;
}

static double root(double lift, double line, double square)
{
    return 2 * lift / (line + sqrt(line * line + 4 * square * lift));
}

/* Conductance, W/K, between a wall of uniform temperature and a stream, relative to the stream's inlet
 * temperature. */
static double wall(double ua, double q, double q_ref, double n, double heat)
{
    double w = heat * q;
    return w * (1 - exp(-ua * pow(q / q_ref, n) / w));
}

static void check_aio(double share, wsk_stepper stepper)
{
    const double p = 260, tdp = 300, q0 = 2.3 / 60000, block_drop = 9000, ua = 24, ua_q = 0.055, fin_drop = 11,
                 r = 0.041;
    const double fan_p = 28, fan_q = 2 * 0.05, curv = 0.3, nu = share, face = 2 * 0.7854 * 0.12 * 0.12;
    wsk_rig *rig = wsk_test_rig(
        "<rig><site><room temperature='23.5 degC' humidity='0 %'/></site><chassis intake-loss='0'>" HUGE_CASE
        "<gpu slot='1' " CHIP " die-resistance='0.041 K/W' board-share='10 %' power='260 W'>"
        "<cooler kind='aio' direction='outside' conductance='24 W/K' flow='55 l/s' exponent='0.62' natural='0 W/K' "
        "drop='11 Pa'"
        " capacity='200 J/K' fans='2' diameter='120 mm' fan-pressure='28 Pa' fan-flow='50 l/s' fan-rpm='2000 rpm'"
        " fan-curvature='30 %' block-conductance='21 W/K' pump-flow='2.3 l/min' block-exponent='0.3' block-drop='9 "
        "kPa'/>"
        "</gpu></chassis></rig>",
        NULL);
    wsk_run *run = wsk_test_run(rig, stepper, 3600);
    assert_int_equal(wsk_run_set(run, "gpu0.fan_rpm", 2000 * share), WSK_OK);
    wsk_test_advance(run, 3600);
    /* Coolant flow with x = q/q0: 2 h - h x^2 = 0.3 (1 + 0.3) drop x + 0.7 (1 + 0.3) drop x^2 + rho hose.
     * q0: stated flow of the pump; h: its pressure at that flow, 1.35 times the block's drop; hose: loss of 0.8 m of
     * 7 mm hose with four fittings. */
    double head = 1.35 * block_drop, bore = 7e-3, area = 3.14159265358979 / 4 * bore * bore;
    double hose = 1000 / 2.0 / (area * area) * (0.03 * 0.8 / bore + 0.7 * 4);
    double q =
        root(2 * head, 0.3 * 1.3 * block_drop / q0, (head + 0.7 * 1.3 * block_drop) / (q0 * q0) + glycol_rho * hose);
    assert_rel(wsk_test_get(run, "gpu0.loop.flow_lpm") / 60000, q, 1e-3);
    double line = curv * fan_p * nu / fan_q + 0.5 * fin_drop / ua_q,
           square = (1 - curv) * fan_p / (fan_q * fan_q) + 0.5 * fin_drop / (ua_q * ua_q) + 1.184 / 2 / (face * face);
    double air = root(fan_p * nu * nu, line, square), w = glycol * q;
    double g_block = wall(21, q, q0, 0.3, glycol), g_water = wall(3 * ua, q, q0, 0.4, glycol),
           g_air = wall(ua, air, ua_q, 0.62, 1.184 * 1006);
    /* Temperature rises above the room around the loop. Each of the three nodes loses a third of the hoses' heat.
     * `tank` is iterated until the loop closes. */
    double p_block = p * (1 - 0.10), p_die = p_block - 0.12 * tdp * p / tdp, gh = 0.35 * 0.8 / 3, tank = 0, one = 0,
           two = 0, core = 0;
    for (int i = 0; i < 20000; i++) {
        one = w * tank / (w + gh);
        two = (w * one + p_block) / (w + gh);
        double q_rad = two / (1 / g_water + 1 / g_air);
        core = q_rad / g_air;
        tank += 0.5 * ((w * two - q_rad) / (w + gh) - tank);
    }
    assert_near(wsk_test_get(run, "gpu0.loop.coolant_c"), room_c + tank, 0.1);
    assert_near(wsk_test_get(run, "gpu0.loop.return_c"), room_c + two, 0.1);
    assert_near(wsk_test_get(run, "gpu0.radiator"), room_c + core, 0.1);
    assert_near(wsk_test_get(run, "gpu0.heatsink"), room_c + one + p_block / g_block, 0.1);
    assert_near(wsk_test_get(run, "gpu0.die_c"), room_c + one + p_block / g_block + r * p_die, 0.1);
    wsk_test_drop(run, rig);
}

static void test_aio(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        check_aio(1, (wsk_stepper)k);
        check_aio(0.45, (wsk_stepper)k);
    }
}

#define RADIATOR \
    "<radiator direction='outside' conductance='40 W/K' flow='90 l/s' coolant-conductance='180 W/K'>" \
    "<fan count='3' pressure='25 Pa' flow='140 m3/h' rpm='1700 rpm' power='0 W'/></radiator>"
#define WET(slot, more) \
    "<gpu slot='" slot "' " CHIP " board-share='8 %' power='250 W'><cooler kind='water' conductance='24 W/K' " \
    "capacity='200 J/K' drop='8 kPa' " more "/></gpu>"
#define FOUR(more) WET("1", more) WET("3", more) WET("5", more) WET("7", more)
#define LOOP_RIG(loop, cards) \
    "<rig><site><room temperature='23.5 degC'/></site><chassis intake-loss='0'>" HUGE_CASE loop cards \
    "</chassis></rig>"
#define PUMP "<pump pressure='45 kPa' flow='20 l/min' rpm='4800 rpm' power='0 W'/>"

static double flow_of(const wsk_run *run, const char *loop)
{
    char name[64];
    snprintf(name, sizeof name, "%s.flow_lpm", loop);
    return wsk_test_get(run, name) / 60000;
}

/* In series, each block warms the next block's coolant by P/w, its power over the coolant's heat capacity flow. In
 * parallel, all blocks have the same temperature. */
static void test_series_against_parallel(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = settled(LOOP_RIG("<loop blocks='series' hose='0 m'>" PUMP RADIATOR RADIATOR "</loop>", FOUR("")),
                           WSK_STEPPER_FAST, 7200, &rig);
    double w = water * flow_of(run, "loop0"), step = 250 * 0.92 / w;
    assert_true(step > 0.3 && step < 2);
    for (int i = 0; i < 3; i++) {
        const wsk_card *a = &run->net->cards[i], *b = a + 1;
        assert_near(run->t[b->heatsink] - run->t[a->heatsink], step, 0.01 * step);
        assert_near(run->t[b->inlet] - run->t[a->inlet], step, 0.01 * step);
    }
    wsk_test_drop(run, rig);
    run = settled(LOOP_RIG("<loop blocks='parallel' hose='0 m'>" PUMP RADIATOR RADIATOR "</loop>", FOUR("")),
                  WSK_STEPPER_FAST, 7200, &rig);
    for (int i = 1; i < 4; i++)
        assert_near(run->t[run->net->cards[i].heatsink], run->t[run->net->cards[0].heatsink], 0.02);
    wsk_test_drop(run, rig);
}

/* If all pressure losses of a loop are proportional to the square of the flow, the flow is proportional to the pump's
 * speed. Without the load, a slow pump's 3 J in ten seconds would be too little to check the heat balance. */
static void test_pump_follows_its_speed(void **state)
{
    (void)state;
    static const char text[] = LOOP_RIG("<loop hose='3 m' bore='9 mm' fittings='20'><pump pressure='45 kPa' flow='20 "
                                        "l/min' rpm='4800 rpm' curvature='40 %'/>"
                                        "<radiator conductance='40 W/K' flow='90 l/s' coolant-drop='1 Pa'/></loop>",
                                        "<load dc='50 W'/>");
    static const char *const duties[] = {"pump.duty=100 %", "pump.duty=60 %", "pump.duty=25 %", "pump.duty=0 %"};
    static const double nu[] = {1, 0.6, 0.25, 0};
    double q0 = 20.0 / 60000, p = 45000, area = 3.14159265358979 / 4 * 9e-3 * 9e-3,
           k2 = 1000 / 2.0 / (area * area) * (0.03 * 3 / 9e-3 + 0.7 * 20);
    for (int i = 0; i < 4; i++) {
        wsk_rig *rig = wsk_test_rig(text, duties[i]);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 10);
        wsk_test_advance(run, 10);
        double q = nu[i] > 0 ? root(p * nu[i] * nu[i], 0.4 * p * nu[i] / q0, 0.6 * p / (q0 * q0) + k2) : 0;
        assert_near(flow_of(run, "loop0"), q, 2e-3 * q + 1e-9);
        wsk_test_drop(run, rig);
    }
}

/* The coolant, which holds nearly all of the heat capacity C, warms by C dT/dt = P - G (T + P/w - T_room). G:
 * conductance from coolant to room; w: heat capacity flow of the coolant. Core and block have almost no heat
 * capacity. */
static void test_tank_warms_by_its_time_constant(void **state)
{
    (void)state;
    const double p = 150 * 0.92, volume = 3e-3;
    for (int k = 0; k < 2; k++) {
        wsk_rig *rig = wsk_test_rig(
            LOOP_RIG(
                "<loop hose='0 m' volume='3 l'>" PUMP
                "<radiator direction='outside' conductance='12 W/K' flow='60 l/s' natural='0 W/K' capacity='1 J/K'>"
                "<fan pressure='30 Pa' flow='300 m3/h' rpm='1500 rpm' power='0 W'/></radiator></loop>",
                "<gpu slot='1' " CHIP " board-share='8 %' memory-capacity='1 J/K' power='150 W'><cooler kind='water' "
                "conductance='24 W/K' capacity='1 J/K'/></gpu>"),
            NULL);
        wsk_run *run = wsk_test_run(rig, (wsk_stepper)k, 3600);
        wsk_test_advance(run, 1);
        const wsk_net *net = run->net;
        double g[2] = {0, 0}; /* conductance from the core to the water [0] and to the air [1], W/K */
        for (int i = 0; i < net->n_port; i++)
            if (strcmp(net->nodes[net->ports[i].solid].name, "radiator0.core") == 0)
                g[net->branches[net->ports[i].branch].heat_w_k_per_m3s < 1e6] += run->flows->point.g[i];
        double w = water * flow_of(run, "loop0"), out = 1 / (1 / g[0] + 1 / g[1]), tau = water * volume / out;
        double end = p / out - p / w;
        assert_true(tau > 600 && tau < 3600);
        for (int t = 100; t <= 3600; t += 500) {
            wsk_test_advance(run, t);
            assert_near(wsk_test_get(run, "loop0.coolant_c"), room_c + end * (1 - exp(-t / tau)), 0.01 * end);
        }
        wsk_test_drop(run, rig);
    }
}

static void test_facility_takes_what_blocks_give(void **state)
{
    (void)state;
    static const char *const covers[] = {"", "covers='die' "};
    for (int k = 0; k < 4; k++) {
        char xml[4096];
        wsk_rig *rig;
        int n = snprintf(
            xml, sizeof xml, "%s%s%s%s%s",
            "<rig><site><room temperature='23.5 degC'/></site><chassis intake-loss='0'>" HUGE_CASE
            "<loop kind='facility' supply='31 degC' approach='4 K' pressure='35 kPa' coolant='water' hose='0 m'/>",
            "<gpu slot='1' tdp='700 W' clock-max='1900 MHz' clock-knee='1300 MHz' voltage-slope='0.5 1/GHz' "
            "board-share='8 %' memory-power='90 W'"
            " memory-type='GDDR6' board-conductance='8 W/K' board-to-heatsink='0 W/K' memory-to-heatsink='100 %' "
            "power='600 W'><cooler kind='water' ",
            covers[k / 2], "conductance='40 W/K' capacity='200 J/K'/></gpu>", "</chassis></rig>");
        assert_true(n > 0 && (size_t)n < sizeof xml);
        wsk_run *run = settled(xml, (wsk_stepper)(k % 2), 7200, &rig);
        const wsk_circuit *c = &run->net->circuits[0];
        double memory = 90 * 600 / 700.0, block = 600 * (1 - 0.08) - (k / 2 ? memory : 0),
               w = water * flow_of(run, "loop0");
        assert_near(run->t[c->tank], 308.15, 1e-9);
        assert_true(wsk_residual(run) < 1e-9);
        assert_near(w * (run->t[c->warmest] - run->t[c->tank]), block, 1e-3 * block);
        wsk_test_drop(run, rig);
    }
}

#define AIO_IN_CASE(place, way, grill) \
    "<rig><site><room temperature='23.5 degC'/></site><chassis slots='4' " grill \
    "><vent at='front' area='300 cm2'/>" \
    "<vent at='rear' area='300 cm2'/><gpu slot='1' " CHIP " power='260 W'><cooler kind='aio' at='" place \
    "' direction='" way "' conductance='24 W/K' flow='55 l/s' drop='11 Pa' fans='2' fan-pressure='28 Pa' fan-flow=" \
    "'50 l/s' fan-rpm='2000 rpm' block-conductance='21 W/K' capacity='200 J/K' pump-flow='2.3 l/min' block-drop='9 " \
    "kPa'/></gpu>" \
    "<psu kind='constant' rated='1500 W' efficiency='100 %'/><load dc='400 W'/></chassis><run for='2 h'/></rig>"
/* Air that leaves the case's air, m3/s. No part of these rigs gives any of it back to the case. */
static double leaving_m3s(const wsk_run *run)
{
    double sum = 0;
    for (int k = 0; k < run->net->n_branch; k++)
        if (run->flows->point.up[k] == run->net->cases[0].air)
            sum += fabs(run->flows->point.q[k]);
    return sum;
}

/* An intake radiator takes room air and warms it before it enters the case. An exhaust radiator takes the air of the
 * case, which 400 W have warmed, and its heat leaves the rig. A radiator outside the case neither takes nor warms the
 * air of the case. A grill before or behind the radiator lowers its air flow. Fresh air is all that replaces the air
 * which leaves, also air through a radiator. */
static void test_direction_of_a_radiator(void **state)
{
    (void)state;
    enum { INTAKE, EXHAUST, OUTSIDE, INTAKE_GRILL, EXHAUST_GRILL, RIGS };
    static const char *const rigs[] = {
        AIO_IN_CASE("front", "intake", ""), AIO_IN_CASE("rear", "exhaust", ""), AIO_IN_CASE("front", "outside", ""),
        AIO_IN_CASE("front", "intake", "intake-loss='9'"), AIO_IN_CASE("rear", "exhaust", "exhaust-loss='9'")};
    double air[RIGS], coolant[RIGS];
    for (int i = 0; i < RIGS; i++) {
        wsk_rig *rig = wsk_test_rig(rigs[i], NULL);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 7200);
        wsk_test_advance(run, 7140);
        const double fresh_s = run->cases[0].fresh_s, sampled_s = run->cases[0].sampled_s;
        wsk_test_advance(run, 7200);
        air[i] = wsk_test_get(run, "case.air_c");
        coolant[i] = wsk_test_get(run, "gpu0.loop.coolant_c");
        assert_rel((run->cases[0].fresh_s - fresh_s) / (run->cases[0].sampled_s - sampled_s), leaving_m3s(run), 1e-3);
        wsk_test_drop(run, rig);
    }
    assert_true(air[EXHAUST] + 5 < air[INTAKE] && air[EXHAUST] + 5 < air[OUTSIDE]);
    assert_true(coolant[OUTSIDE] + 3 < coolant[INTAKE] && coolant[INTAKE] + 3 < coolant[EXHAUST]);
    assert_true(coolant[INTAKE] + 1 < coolant[INTAKE_GRILL] && coolant[EXHAUST] + 1 < coolant[EXHAUST_GRILL]);
}

#define FAN_OUTSIDE(power) \
    "<rig><site><room volume='30 m3' conductance='40 W/K'><outdoor mean='10 degC'/></room></site>" \
    "<chassis><vent at='front' area='90 cm2'/><fan at='rear' pressure='12 Pa' flow='30 l/s' rpm='1000 rpm' " \
    "power='0 W'/><psu kind='constant' rated='2 kW' efficiency='100 %'/><loop hose='0 m'>" PUMP \
    "<radiator direction='outside' conductance='40 W/K' flow='90 l/s' coolant-conductance='180 W/K'>" \
    "<fan count='3' pressure='25 Pa' flow='140 m3/h' rpm='1700 rpm' power='" power \
    "'/></radiator></loop>" WET("1", "") "</chassis></rig>"

/* Power of fans on a radiator outside the case warms the room and not the case. */
static void test_fans_outside_warm_the_room(void **state)
{
    (void)state;
    double room[2], over[2];
    for (int i = 0; i < 2; i++) {
        wsk_rig *rig = wsk_test_rig(i ? FAN_OUTSIDE("50 W") : FAN_OUTSIDE("0 W"), NULL);
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 86400);
        wsk_test_advance(run, 86400);
        room[i] = wsk_test_get(run, "room.air_c");
        over[i] = wsk_test_get(run, "case.air_c") - room[i];
        assert_true(wsk_residual(run) <= 1e-9);
        wsk_test_drop(run, rig);
    }
    assert_near(room[1] - room[0], 3 * 50 / 40.0, 0.1);
    assert_near(over[1], over[0], 0.05);
}

/* If the capacity of the CDU (coolant distribution unit) is half of the heat, its approach doubles; with enough
 * capacity the approach is exactly the stated one. */
static void test_cdu_limits(void **state)
{
    (void)state;
#define ON_CDU(capacity) \
    "<rig><site><room temperature='23 degC'/></site><chassis>" HUGE_CASE "<loop kind='facility' supply='25 degC' " \
    "approach='4 K' " capacity "/><gpu slot='1' " CHIP \
    " power='300 W'><cooler kind='water' conductance='50 W/K' flow='4 l/min' " \
    "drop='12 kPa'/></gpu></chassis><run for='4 h'/></rig>"
    static const char *const rigs[] = {ON_CDU(""), ON_CDU("capacity='10 kW'"), ON_CDU("capacity='140 W'")};
    double coolant[3], die[3], out_w = 0;
    for (int i = 0; i < 3; i++) {
        wsk_rig *rig;
        wsk_run *run = settled(rigs[i], WSK_STEPPER_FAST, 4 * 3600, &rig);
        coolant[i] = wsk_test_get(run, "loop0.coolant_c");
        die[i] = wsk_test_get(run, "gpu0.die_c");
        if (i == 2)
            out_w = wsk_test_get(run, "loop0.flow_lpm") / 60000 * glycol *
                    (wsk_test_get(run, "loop0.return_c") - coolant[i]);
        assert_true(wsk_residual(run) <= 1e-9);
        wsk_test_drop(run, rig);
    }
    assert_same(coolant[0], 29);
    assert_same(coolant[1], 29);
    assert_same(die[0], die[1]);
    assert_true(out_w > 140);
    assert_near(coolant[2], 25 + 4 * out_w / 140, 0.02 * (coolant[2] - 25));
    assert_true(die[2] > die[1] + 2);
    double by[2];
    for (int how = 0; how < 2; how++) {
        wsk_rig *rig = wsk_test_rig(rigs[2], NULL);
        const wsk_run_options o = {
            .duration_s = 4 * 3600, .stepper = how ? WSK_STEPPER_REFERENCE : WSK_STEPPER_FAST, .leap = !how};
        wsk_run *run;
        assert_int_equal(wsk_run_new(&run, rig, &o), WSK_OK);
        wsk_test_advance(run, 4 * 3600);
        by[how] = wsk_test_get(run, "loop0.coolant_c");
        wsk_test_drop(run, rig);
    }
    assert_near(by[0], coolant[2], 0.02);
    assert_near(by[1], coolant[2], 0.02);
}

/* A water block of one slot replaces an air cooler of three slots: the next slot becomes free, and the gap to a card in
 * that slot is the pitch less the block's thickness. If the block states no `slots`, the card keeps its number of
 * slots. */
static void test_block_makes_a_card_thin(void **state)
{
    (void)state;
#define THICK(slot, block) \
    "<gpu slot='" slot "' slots='3' thickness='58 mm' " CHIP "><cooler kind='water' conductance='50 W/K' " \
    "flow='4 l/min' drop='12 kPa' " block "/></gpu>"
#define THICK_RIG(cards) \
    "<rig><site><room temperature='23 degC'/></site><chassis slots='8' wall-gap='30 mm'><loop " \
    "part='loop/custom-2x480-ddc'/>" cards "</chassis><run for='1 h'/></rig>"
    const double pitch = 20.32e-3;
    wsk_rig *rig;
    wsk_run *run = settled(THICK_RIG(THICK("1", "slots='1' thickness='19 mm'") THICK(
                               "2", "slots='1' thickness='19 mm'") THICK("3", "slots='2'") THICK("5", "")),
                           WSK_STEPPER_FAST, 60, &rig);
    const wsk_card *c = run->net->cards;
    assert_near(c[0].gap_m, pitch - 19e-3, 1e-12);
    assert_near(c[1].gap_m, pitch - 19e-3, 1e-12);
    assert_near(c[2].gpu->thickness_m, 2 * pitch - 2e-3, 1e-12);
    assert_near(c[3].gpu->slots, 3, 0);
    assert_near(c[3].gap_m, 4 * pitch + 30e-3 - 58e-3, 1e-12);
    wsk_test_drop(run, rig);
}

/* Properties of coolants at 40 degC: docs/theory/loop.md, "Coolant: water, glycol-30". */
typedef struct {
    const char *name;
    double rho, heat, mu, conductivity;
} liquid;
static const liquid liquids[] = {{"water", 992, 4.146e6, 0.653e-3, 0.631},
                                 {"glycol-30", 1016, 3.92e6, 1.4e-3, 0.47},
                                 {"pao", 785, 785.0 * 2240, 4.0e-3, 0.136}};
enum { LIQUIDS = sizeof liquids / sizeof *liquids };

/* Data of blocks hold with water. The laminar share of a drop is proportional to the viscosity. The film of a block
 * follows Nu ~ Re^m Pr^(1/3); with an exponent n of UA below 1/3, m is 1/3 and the share 3 n of the resistance is the
 * film's. */
static void test_a_block_in_another_coolant(void **state)
{
    (void)state;
    static const double exponents[] = {0, 0.15, 0.3, 0.5};
    const double p_pa = 20e3, drop = 8e3, q0 = 3.8 / 60000, ua = 24, area = 0.7853981633974483 * 1e-4,
                 k2 = 0.7 * 1000 / 2.0 / (area * area), block_w = 250 * (1 - 0.08);
    for (int i = 0; i < LIQUIDS; i++)
        for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++) {
            const liquid *l = &liquids[i], *at = &liquids[0];
            char xml[2048];
            snprintf(
                xml, sizeof xml, "%s%s%s%g%s",
                "<rig><site><room temperature='23.5 degC'/></site><chassis intake-loss='0'>" HUGE_CASE
                "<loop kind='facility' supply='31 degC' approach='4 K' pressure='20 kPa' hose='0 m' bore='10 mm' "
                "fittings='0' coolant='",
                l->name,
                "'/><gpu slot='1' " CHIP " board-share='8 %' power='250 W'><cooler kind='water' capacity='200 "
                "J/K' conductance='24 W/K' flow='3.8 l/min' drop='8 kPa' exponent='",
                exponents[k], "'/></gpu></chassis></rig>");
            wsk_rig *rig;
            wsk_run *run = settled(xml, WSK_STEPPER_FAST, 7200, &rig);
            const double q =
                root(p_pa, 0.3 * drop / q0 * l->mu / at->mu,
                     0.01 * p_pa / 1e-6 + 0.7 * drop / (q0 * q0) * l->rho / at->rho + k2 * l->rho / 1000);
            assert_rel(flow_of(run, "loop0"), q, 1e-3);
            const double m = fmax(exponents[k], 1.0 / 3), share = fmin(3 * exponents[k], 1),
                         prandtl = l->mu * l->heat / l->rho / l->conductivity /
                                   (at->mu * at->heat / at->rho / at->conductivity),
                         film = l->conductivity / at->conductivity * pow(l->rho / l->mu / (at->rho / at->mu), m) *
                                cbrt(prandtl),
                         g = wall(ua / (1 - share + share / film), q, q0, exponents[k], l->heat);
            /* 0.5 W/K to standing coolant are negligible beside g, and not computed here */
            assert_rel(wsk_test_get(run, "gpu0.heatsink") - 35, block_w / g, 4e-3);
            wsk_test_drop(run, rig);
        }
}

/* If the data of a block hold for the coolant of its loop, the block has exactly these values in that coolant. */
static void test_a_block_with_data_for_its_coolant(void **state)
{
    (void)state;
    for (int i = 0; i < LIQUIDS; i++) {
        const liquid *l = &liquids[i];
        char xml[2048];
        snprintf(xml, sizeof xml, "%s%s%s%s%s",
                 "<rig><site><room temperature='23.5 degC'/></site><chassis intake-loss='0'>" HUGE_CASE
                 "<loop kind='facility' supply='31 degC' approach='4 K' pressure='20 kPa' hose='0 m' bore='10 mm' "
                 "fittings='0' coolant='",
                 l->name,
                 "'/><gpu slot='1' " CHIP " board-share='8 %' power='250 W'><cooler kind='water' capacity='200 J/K' "
                 "conductance='24 W/K' flow='3.8 l/min' drop='8 kPa' data-coolant='",
                 l->name, "'/></gpu></chassis></rig>");
        wsk_rig *rig;
        wsk_run *run = settled(xml, WSK_STEPPER_FAST, 7200, &rig);
        const double q = flow_of(run, "loop0");
        assert_rel(wsk_test_get(run, "gpu0.heatsink") - 35, 250 * (1 - 0.08) / wall(24, q, 3.8 / 60000, 0.3, l->heat),
                   4e-3);
        wsk_test_drop(run, rig);
    }
}

/* In a closed loop, a coolant of higher viscosity and lower thermal conductivity flows less and leaves the die
 * hotter. */
static void test_coolants_of_a_closed_loop(void **state)
{
    (void)state;
    double flow = INFINITY, die = 0;
    for (int i = 0; i < LIQUIDS; i++) {
        char xml[4096];
        snprintf(xml, sizeof xml, "%s%s%s",
                 "<rig><site><room temperature='23.5 degC'/></site><chassis intake-loss='0'>" HUGE_CASE
                 "<loop bore='10 mm' hose='2 m' coolant='",
                 liquids[i].name, "'>" PUMP RADIATOR "</loop>" WET("1", "") "</chassis></rig>");
        wsk_rig *rig;
        wsk_run *run = settled(xml, WSK_STEPPER_FAST, 7200, &rig);
        assert_true(flow_of(run, "loop0") < 0.99 * flow);
        assert_true(wsk_test_get(run, "gpu0.die_c") > die + 1);
        flow = flow_of(run, "loop0");
        die = wsk_test_get(run, "gpu0.die_c");
        wsk_test_drop(run, rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aio),
        cmocka_unit_test(test_series_against_parallel),
        cmocka_unit_test(test_pump_follows_its_speed),
        cmocka_unit_test(test_tank_warms_by_its_time_constant),
        cmocka_unit_test(test_direction_of_a_radiator),
        cmocka_unit_test(test_fans_outside_warm_the_room),
        cmocka_unit_test(test_facility_takes_what_blocks_give),
        cmocka_unit_test(test_block_makes_a_card_thin),
        cmocka_unit_test(test_cdu_limits),
        cmocka_unit_test(test_a_block_in_another_coolant),
        cmocka_unit_test(test_a_block_with_data_for_its_coolant),
        cmocka_unit_test(test_coolants_of_a_closed_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
