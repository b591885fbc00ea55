/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "sim/net/point.h"
#include "tests/support/bench.h"

/* Properties of PAO at 40 degC (models/coolant/pao.c), and the values of the card that write_bath writes. */
static const double heat_j_m3k = 785.0 * 2240, watts = 215, tdp = 250, memory_w = 31, board_share = 0.11;
static const double die_r = 0.043, memory_r = 0.37, ua = 13.7, q_ref = 1.1e-4, n_ua = 0.37, board_g = 4.3;

/* Writes a rig with a card in a bath. The memory gives its heat to the heatsink only, the board to the oil only, so
 * that each temperature is a sum of rises. */
static void write_bath(char *xml, size_t size, const char *loop, const char *more, const char *last)
{
    int n = snprintf(
        xml, size,
        "<rig><site><room temperature='24.3 degC'/></site><chassis kind='frame'>%s"
        "<gpu slot='1' tdp='250 W' clock-max='1900 MHz' clock-knee='1300 MHz' voltage-slope='0.5 1/GHz' power='215 W'"
        " memory-power='31 W' board-share='11 %%' die-resistance='0.043 K/W' memory-resistance='0.37 K/W'"
        " memory-to-heatsink='100 %%' board-to-heatsink='0 W/K' board-capacity='100 J/K'>"
        "<cooler kind='immersion' conductance='13.7 W/K' flow='0.11 l/s' exponent='0.37' capacity='310 J/K'"
        " board-conductance='4.3 W/K' drop='40 Pa' %s/></gpu>%s</chassis></rig>",
        loop, more, last);
    assert_true(n > 0 && (size_t)n < size);
}

static double steady_of(const char *loop, const char *more, const char *what)
{
    char xml[2048];
    wsk_rig *rig;
    write_bath(xml, sizeof xml, loop, more, "");
    rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 20000);
    wsk_test_advance(run, 20000);
    double v = wsk_test_get(run, what);
    wsk_run_free(run);
    wsk_rig_free(rig);
    return v;
}

/* Flow q, m3/s, at which the pressure of the coolant distribution unit (CDU), a - d q|q|, equals the pressure loss
 * of the card and of one hose fitting, 0.3 dp q/q0 + 0.7 dp (q/q0)^2 + K2 q^2. K2 is proportional to the density, dp is
 * that with the fluid itself. a: pressure without flow; d: its fall with the square of the flow; dp: loss of
 * the cooler at its stated flow q0; K2: loss of the fitting. */
static double flow_of(double pressure_pa)
{
    double rho_rel = 0.785, drop = 40, area = 0.7853981633974483 * 0.02 * 0.02, k2 = 1000 / 2.0 / (area * area) * 0.7;
    double square = 0.01 * pressure_pa / 1e-6 + 0.7 * drop / (q_ref * q_ref) + rho_rel * k2,
           line = 0.3 * drop / q_ref, lift = pressure_pa;
    return (-line + sqrt(line * line + 4 * square * lift)) / (2 * square);
}

static void test_closed_form(void **state)
{
    (void)state;
    static const char still[] = "natural='0 W/K' column-area='0 cm2'";
    for (int k = 0; k < 3; k++) {
        double pressure = (double[]){60, 240, 960}[k];
        char loop[256];
        snprintf(loop, sizeof loop,
                 "<loop kind='facility' coolant='pao' supply='36.5 degC' approach='2 K' pressure='%g Pa' hose='0 m'"
                 " bore='20 mm' fittings='0'/>",
                 pressure);
        double q = flow_of(pressure), w = heat_j_m3k * q, g = w * (1 - exp(-ua * pow(q / q_ref, n_ua) / w));
        double p_memory = watts * memory_w / tdp, p_board = watts * board_share, p_die = watts - p_memory - p_board;
        double bath = 38.5, heatsink = bath + (p_die + p_memory) / g, behind = bath + watts / w, rise = 5,
               forced = board_g * pow(q / q_ref, n_ua);
        for (int i = 0; i < 60; i++) /* iterated, because the board's natural convection depends on its rise */
            rise = p_board / cbrt(pow(forced, 3) + pow(board_g * pow(rise / 10, 0.25), 3));
        assert_near(steady_of(loop, still, "gpu0.heatsink"), heatsink, 0.05);
        assert_near(steady_of(loop, still, "gpu0.die_c"), heatsink + die_r * p_die, 0.05);
        assert_near(steady_of(loop, still, "gpu0.memory_c"), heatsink + memory_r * p_memory, 0.05);
        assert_near(steady_of(loop, still, "loop0.coolant2"), behind, 0.02);
        assert_near(steady_of(loop, still, "gpu0.board_c"), behind + rise, 0.1);
        assert_near(steady_of(loop, still, "gpu0.inlet_c"), bath, 0.05);
    }
}

/* Warm fluid over the heatsink exchanges rho cp A sqrt(g H beta dT) with the tank. */
static void test_exchange_by_buoyancy(void **state)
{
    (void)state;
    const double beta = 0.65 / 785, area = 60e-4, height = 0.21;
    char xml[2048];
    write_bath(xml, sizeof xml, "<loop kind='facility' coolant='pao' supply='36.5 degC' pressure='20 Pa'/>",
               "column-area='60 cm2' column='21 cm'", "");
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 20000);
    wsk_test_advance(run, 20000);
    const wsk_net *net = run->net;
    wsk_arena *arena = wsk_arena_new();
    wsk_point at;
    wsk_point_place(net, &at, wsk_alloc(arena, (wsk_point_doubles(net) + 1) * sizeof(double)));
    assert_true(wsk_point_solve(net, run->rpm, run->t, &at));
    int found = 0;
    for (int i = 0; i < net->n_exchange; i++)
        if (net->exchanges[i].b == net->circuits[0].tank && ++found) {
            const double dt = run->t[net->exchanges[i].a] - run->t[net->exchanges[i].b];
            assert_true(dt > 0.6);
            assert_rel(at.x[i], heat_j_m3k * area * sqrt(9.80665 * height * beta * dt), 2e-3);
        }
    assert_int_equal(found, 1);
    wsk_arena_free(arena);
    wsk_test_drop(run, rig);
}

static void test_balance(void **state)
{
    (void)state;
    static const char loop[] =
        "<loop coolant='mineral-oil' volume='40 l' hose='0 m' bore='25 mm' fittings='2'><pump pressure='9 kPa' "
        "flow='30 l/min' rpm='2000 rpm' power='0 W'/><radiator conductance='80 W/K' flow='300 m3/h' "
        "direction='outside' "
        "coolant-flow='20 l/min'><fan diameter='140 mm' pressure='20 Pa' flow='150 m3/h' rpm='1000 rpm' count='3'/>"
        "</radiator></loop>";
    double tank = steady_of(loop, "column-area='0 cm2'", "loop0.coolant_c"),
           behind = steady_of(loop, "column-area='0 cm2'", "loop0.return_c");
    double flow = steady_of(loop, "column-area='0 cm2'", "loop0.flow_lpm") / 60e3;
    assert_true(tank > 26 && tank < 45);
    assert_rel((behind - tank) * flow * 840.0 * 1970, watts, 2e-3);
}

static void test_monotone_in_flow(void **state)
{
    (void)state;
    double last = INFINITY;
    for (int k = 0; k < 7; k++) {
        char loop[256];
        snprintf(loop, sizeof loop,
                 "<loop kind='facility' coolant='pao' supply='36.5 degC' pressure='%g Pa' bore='20 mm'/>",
                 10 * pow(4, k));
        double die = steady_of(loop, "", "gpu0.die_c");
        assert_true(die < last);
        last = die;
    }
}

static void test_pump_stands(void **state)
{
    (void)state;
    static const char loop[] =
        "<loop coolant='pao' volume='200 l' hose='3 m' bore='25 mm'><pump pressure='9 kPa' flow='30 l/min' rpm='2000 "
        "rpm'"
        " power='0 W' fails-at='1 s'/><radiator conductance='80 W/K' flow='300 m3/h' direction='outside'/></loop>";
    double die = steady_of(loop, "", "gpu0.die_c"), tank = steady_of(loop, "", "loop0.coolant_c");
    assert_true(die > tank + 10 && die < tank + 70);
    assert_true(steady_of(loop, "column-area='1 cm2'", "gpu0.die_c") > die + 1);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *loop, *more;
    } bad[] = {{"", ""},
               {"<loop kind='facility' coolant='water'/>", ""},
               {"<loop kind='facility' coolant='glycol-30'/>", ""},
               {"<loop kind='facility'/>", ""},
               {"<loop kind='facility' coolant='lava'/>", ""},
               {"<loop kind='facility' coolant='pao'/>", "natural='-1 W/K'"},
               {"<loop kind='facility' coolant='pao'/>", "fan-rpm='2000 rpm'"},
               {"<loop kind='facility' coolant='pao'/>", "loop='elsewhere'"},
               {"<loop kind='facility' coolant='pao'/>", "fan-power='-5 W'"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char xml[2048];
        wsk_rig *rig = NULL;
        write_bath(xml, sizeof xml, bad[i].loop, bad[i].more, "");
        wsk_rig_options o = {.path = "-", .text = xml, .text_len = strlen(xml), .parts_dir = "parts"};
        assert_int_equal(wsk_rig_load(&rig, &o), WSK_EINPUT);
        wsk_rig_free(rig);
    }
}

static bool checked(const char *more, const char *beside, const char *words)
{
    char xml[2048];
    write_bath(xml, sizeof xml, "<loop kind='facility' coolant='pao'/>", more, beside);
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    char *text = wsk_test_check(rig);
    bool told = strstr(text, words) != NULL;
    wsk_text_free(text);
    wsk_rig_free(rig);
    return told;
}

static void test_told(void **state)
{
    (void)state;
    static const char dry[] = "<gpu id='dry' part='gpu/rtx-3090-blower' slot='4'/>";
    assert_true(checked("", "", "in the bath (gpu0): no fans"));
    assert_true(checked("", "", "gpu0 in the bath draws its fans' power still"));
    assert_false(checked("fan-power='9 W'", "", "fans' power still"));
    assert_true(checked("", dry, "dry is beside the bath") && !checked("", "", "beside the bath"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_form), cmocka_unit_test(test_exchange_by_buoyancy),
        cmocka_unit_test(test_balance),     cmocka_unit_test(test_monotone_in_flow),
        cmocka_unit_test(test_pump_stands), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
