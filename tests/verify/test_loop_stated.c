/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model of a loop has the hose length, pressure drops and pressures that the rig states. Theory:
 * docs/theory/loop.md */
#include <stdio.h>
#include <string.h>

#include "tests/support/bench.h"

/* A chassis with no effect on temperatures: its air has the room's temperature. */
#define FRONT \
    "<rig><site><room temperature='23.5 degC'/></site><chassis intake-loss='0'><vent at='side' area='100 m2'/>" \
    "<vent at='side' area='100 m2'/><vent at='front' area='100 m2'/><fan at='front' diameter='1 m' pressure='10 " \
    "Pa' " \
    "flow='20 m3/s' rpm='100 rpm' power='0 W'/>"
#define RIG(loop, cards) FRONT loop cards "</chassis></rig>"
#define HEAD(slot) \
    "<gpu slot='" slot "' tdp='300 W' clock-max='1900 MHz' clock-knee='1300 MHz' voltage-slope='0.5 1/GHz' " \
    "memory-to-heatsink='100 %' board-to-heatsink='0 W/K' board-share='8 %' power='250 W'><cooler kind='water' " \
    "conductance='24 W/K' capacity='200 J/K' "
#define CARD(slot, block) HEAD(slot) block "/></gpu>"

static wsk_run *settled(const char *xml, wsk_rig **rig)
{
    *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(*rig, WSK_STEPPER_FAST, 7200);
    wsk_test_advance(run, 7200);
    return run;
}

/* Hoses lose 0.35 W/K per metre of their total length, in equal parts behind the supply and behind each block in
 * series. */
static void test_hoses_lose_by_the_metre(void **state)
{
    (void)state;
#define LONG "<loop kind='facility' supply='60 degC' approach='5 K' coolant='water' blocks='series' hose='40 m'/>"
    static const char *const rigs[] = {RIG(LONG, CARD("1", "")), RIG(LONG, CARD("1", "") CARD("3", "")),
                                       RIG(LONG, CARD("1", "") CARD("3", "") CARD("5", "") CARD("7", ""))};
    const double room_c = 23.5, given_c = 65, block_w = 250 * (1 - 0.08);
    for (size_t i = 0; i < sizeof rigs / sizeof *rigs; i++) {
        wsk_rig *rig;
        wsk_run *run = settled(rigs[i], &rig);
        const int blocks = run->net->n_card;
        const double w = 4.146e6 * wsk_test_get(run, "loop0.flow_lpm") / 60000, gh = 0.35 * 40 / (blocks + 1);
        double over = w * (given_c - room_c) / (w + gh), lost_w = gh * over;
        for (int k = 0; k < blocks; k++) {
            over = (w * over + block_w) / (w + gh);
            lost_w += gh * over;
        }
        assert_near(wsk_test_get(run, "loop0.return_c"), room_c + over, 0.01);
        assert_near(blocks * block_w - w * (wsk_test_get(run, "loop0.return_c") - given_c), lost_w, 0.01 * lost_w);
        wsk_test_drop(run, rig);
    }
}

/* A CDU holds its pressure with any coolant, and the stated drop of a block holds for its data-coolant. So a block of
 * 12 kPa at 3.8 l/min gets 3.8 l/min from 12 kPa in its data-coolant. In another coolant 0.3 of the drop changes with
 * the viscosity and 0.7 with the density. */
static void test_pressure_gives_the_stated_flow(void **state)
{
    (void)state;
#define BEFORE FRONT "<loop kind='facility' pressure='12 kPa' hose='0 m' bore='1 m' fittings='0' coolant='"
#define BETWEEN "'/>" HEAD("1") "drop='12 kPa' flow='3.8 l/min' data-coolant='"
#define AFTER "'/></gpu></chassis></rig>"
    static const struct {
        const char *name, *data;
        double thicker, denser;
    } coolants[] = {{"water", "water", 1, 1},
                    {"glycol-30", "glycol-30", 1, 1},
                    {"pao", "pao", 1, 1},
                    {"glycol-30", "water", 1.4 / 0.653, 1016.0 / 992},
                    {"pao", "water", 4.0 / 0.653, 785.0 / 992},
                    {"water", "glycol-30", 0.653 / 1.4, 992 / 1016.0}};
    for (size_t i = 0; i < sizeof coolants / sizeof *coolants; i++) {
        char xml[2048];
        snprintf(xml, sizeof xml, "%s%s%s%s%s", BEFORE, coolants[i].name, BETWEEN, coolants[i].data, AFTER);
        wsk_rig *rig;
        wsk_run *run = settled(xml, &rig);
        const double line = 0.3 * coolants[i].thicker, square = 0.7 * coolants[i].denser,
                     x = 2 / (line + sqrt(line * line + 4 * square));
        assert_rel(wsk_test_get(run, "loop0.flow_lpm"), 3.8 * x, 1e-3);
        wsk_test_drop(run, rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hoses_lose_by_the_metre),
                                       cmocka_unit_test(test_pressure_gives_the_stated_flow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
