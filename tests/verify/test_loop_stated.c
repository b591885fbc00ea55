/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a loop states, as metres of hose, drops and pressures, is what the model has. Theory: docs/theory/loop.md */
#include <stdio.h>
#include <string.h>

#include "tests/support/bench.h"

/* A chassis with no effect on temperatures: its air has the room's temperature. */
#define RIG(loop, cards) \
    "<rig><site><room temperature='23.5 degC'/></site><chassis intake-loss='0'><vent at='side' area='100 m2'/>" \
    "<vent at='side' area='100 m2'/><vent at='front' area='100 m2'/><fan at='front' diameter='1 m' pressure='10 " \
    "Pa' " \
    "flow='20 m3/s' rpm='100 rpm' power='0 W'/>" loop cards "</chassis></rig>"
#define CARD(slot, block) \
    "<gpu slot='" slot "' tdp='300 W' clock-max='1900 MHz' clock-knee='1300 MHz' voltage-slope='0.5 1/GHz' " \
    "memory-to-heatsink='100 %' board-to-heatsink='0 W/K' board-share='8 %' power='250 W'><cooler kind='water' " \
    "conductance='24 W/K' capacity='200 J/K' " block "/></gpu>"

static wsk_run *settled(const char *xml, wsk_rig **rig)
{
    *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(*rig, WSK_STEPPER_FAST, 7200);
    wsk_test_advance(run, 7200);
    return run;
}

/* 0.35 W/K per metre of hose in all, in equal parts behind the supply and behind each block of a series. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hoses_lose_by_the_metre)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
