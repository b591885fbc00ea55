/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How advice judges a rig: its circuits with the peaks of the run, its price, and its hottest hour. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/api.h"
#include "sim/study/advice/propose.h"
#include "sim/study/trip/trip.h"
#include "tests/verify/circuits.h"

static wsk_judged judged_of(const wsk_rig *rig, wsk_arena *arena)
{
    return (wsk_judged){.arena = arena,
                        .net = rig->net,
                        .input = &rig->input,
                        .parts = {.arena = arena},
                        .mean_k = NAN,
                        .hot_k = NAN,
                        .duty = 1};
}

/* Each circuit bears its own peaks, unless PSUs have moved to other circuits: then all bear the peaks of the rig in
 * proportion to their loads. Both circuits have a limit of 1440 VA. */
static void peaks_of_circuits(void **state)
{
    (void)state;
#define MACHINE(id, on, watts) \
    "<chassis id='" id "'><vent at='front' area='900 cm2'/><psu id='p" id \
    "' kind='constant' rated='3 kW' efficiency='100 %' power-factor='100 %' " on "/><load dc='" watts \
    "'/></chassis>"
    static const char xml[] = "<rig><site supply='120 V' circuit='15 A'><room temperature='21 degC'/><branch id='k' "
                              "circuit='15 A'/></site>" MACHINE("a", "", "1000 W")
                                  MACHINE("b", "on='k'", "1400 W") "<run for='2 h'/></rig>";
    static const struct {
        double extra_va[2];
        bool swapped;
        double over_va;
    } rows[] = {{{0, 0}, false, 0},
                {{300, 0}, false, 0},
                {{600, 0}, false, 1600 - 1440},
                {{0, 300}, false, 1700 - 1440},
                {{600, 300}, false, 1600 - 1440 + 1700 - 1440},
                {{300, 0}, true, 1400 + 300 * 1400 / 2400.0 - 1440},
                {{0, 300}, true, 1400 + 300 * 1400 / 2400.0 - 1440}};
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_arena *arena = wsk_arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double extra[2] = {rows[i].extra_va[0], rows[i].extra_va[1]};
        wsk_judged r = judged_of(rig, arena);
        wsk_variant *v = wsk_alloc(arena, sizeof *v);
        wsk_outcome out = {0};
        r.extra_line_va = extra;
        r.extra_va = extra[0] + extra[1];
        if (rows[i].swapped) {
            wsk_variant_put(v, "psu[pa].on=k");
            wsk_variant_put(v, "psu[pb].on=site");
        }
        assert_true(wsk_judge(&r, rows[i].swapped ? v : NULL, NULL, &out));
        assert_near(out.over_w, rows[i].over_va, 1e-6);
        assert_near(out.wall_w, 2400, 1e-6);
    }
    wsk_arena_free(arena);
    wsk_rig_free(rig);
}

/* Cold cards draw more than at the steady point, where heat holds their clocks. Judged with the peaks of a run, the
 * unchanged rig is over its limit by as much as that run was, and what is judged next bears the same peaks. */
static void peaks_of_a_run(void **state)
{
    (void)state;
    wsk_rig *rig = wsk_test_rig_file("scenarios/quad-3090-15a/350.xml");
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 3600);
    wsk_arena *arena = wsk_arena_new();
    wsk_judged r = judged_of(rig, arena);
    wsk_outcome alone = {0}, with = {0}, next = {0};
    wsk_test_advance(run, 3600);
    const double over_w = run->lines[0].va_peak - run->net->lines[0].limit_w;
    assert_true(wsk_judge(&r, NULL, NULL, &alone));
    assert_true(wsk_judge(&r, NULL, run, &with));
    assert_true(wsk_judge(&r, NULL, NULL, &next));
    assert_true(over_w > alone.over_w + 20);
    assert_near(with.over_w, over_w, 1);
    assert_near(next.over_w, over_w, 1);
    assert_near(with.wall_w, alone.wall_w, 1e-9);
    wsk_arena_free(arena);
    wsk_test_drop(run, rig);
}

/* Advice looks at the first WSK_STEP_CARDS circuits only. Circuits beyond these do not change the price, that of the
 * PSU and all UPSs. */
static void more_circuits_than_are_judged(void **state)
{
    (void)state;
    wsk_arena *arena = wsk_arena_new();
    int beyond = 0;
    for (int n = WSK_STEP_CARDS - 2; n <= WSK_STEP_CARDS + 2; n++) {
        wsk_buf b = {0};
        wsk_buf_printf(&b, "<rig><site supply='120 V' circuit='15 A'><room temperature='21 degC'/>");
        for (int i = 1; i < n; i++)
            wsk_buf_printf(&b, "<branch id='k%d' circuit='15 A'><ups rated='200 W' price='200 USD'/></branch>", i);
        wsk_buf_printf(&b, "<branch id='z' circuit='32 A'><ups rated='200 W' price='200 USD'/></branch></site>%s",
                       "<chassis>" GRID IDEAL("on='z' price='100 USD'") "<load dc='300 W'/>" END);
        wsk_rig *rig = wsk_test_rig(b.data, NULL);
        wsk_judged r = judged_of(rig, arena);
        wsk_outcome out = {0};
        assert_int_equal(rig->net->n_line, n + 1);
        int last = 0;
        while (strcmp(rig->net->lines[last].id, "z") != 0)
            last++;
        beyond += last >= WSK_STEP_CARDS;
        assert_true(wsk_judge(&r, NULL, NULL, &out));
        assert_near(out.over_feed, 0.5, 1e-9);
        assert_near(out.price, 100 + 200 * n, 1e-9);
        for (int i = 0; i < WSK_STEP_CARDS; i++)
            assert_near(out.feed_w[i], i == last ? 300 : 0, 1e-9);
        wsk_buf_free(&b);
        wsk_rig_free(rig);
    }
    assert_true(beyond > 0 && beyond < 5);
    wsk_arena_free(arena);
}

/* At the hottest hour the room is warmer than outdoors by the rig's heat divided by the conductance of the walls. A
 * card that shuts down at that hour is counted as dead, but not as off at the mean temperature. */
static void hottest_hours(void **state)
{
    (void)state;
    static const char xml[] =
        "<rig><site supply='200 V'><room volume='60 m3' conductance='80 W/K'><outdoor mean='20 degC' swing='0 K'/>"
        "</room></site><chassis>" GRID IDEAL("") "<gpu id='g' slot='1' tdp='250 W' clock-max='1900 MHz' "
                                                 "clock-knee='1400 MHz' voltage-slope='0.6 1/GHz' power-limit='200 "
                                                 "W' fan='100 %' shutdown-temperature='68 degC' "
                                                 "target-temperature='120 degC' slowdown-temperature='140 "
                                                 "degC'><cooler kind='blower' conductance='8 W/K' "
                                                 "flow='16 CFM' capacity='500 J/K' fan-pressure='320 Pa' "
                                                 "fan-flow='29 CFM' fan-rpm='4000 rpm'/></gpu></chassis><workload "
                                                 "kind='constant' class='burn'/><run for='2 h'/></rig>";
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_arena *arena = wsk_arena_new();
    double die_c = 0;
    for (int more_k = 0; more_k <= 30; more_k += 5) {
        wsk_judged r = judged_of(rig, arena);
        wsk_outcome out = {0};
        r.mean_k = 20 + WSK_KELVIN;
        r.hot_k = more_k ? 20 + more_k + WSK_KELVIN : (double)NAN;
        assert_true(wsk_judge(&r, NULL, NULL, &out));
        die_c = more_k ? die_c : out.die_c[0];
        assert_near(out.hot_outdoor_c, 20 + more_k, 1e-9);
        assert_near(out.die_c[0], die_c, 0.05); /* at the mean outdoor temperature, not at the hottest hour */
        assert_int_equal(out.dead, die_c + more_k > 68);
        if (!out.dead)
            assert_near(out.hot_room_c, 20 + more_k + out.wall_w / 80, 0.05);
        else
            assert_true(out.hot_room_c < 20 + more_k + out.wall_w / 80);
    }
    assert_true(die_c < 60);
    wsk_arena_free(arena);
    wsk_rig_free(rig);
}

/* The second of two like PSUs feeds nothing. Moved to a circuit of its own it takes no load with it, so that the first
 * circuit stays overloaded while the cards are cold: the excess of the run follows the cards. */
static void peaks_follow_the_cards(void **state)
{
    (void)state;
    static const char xml[] =
        "<rig><site supply='100 V' circuit='10 A'><room temperature='36 degC'/></site><chassis "
        "part='chassis/full-tower-8-slot'><fan part='fan/generic-120-1500' at='front'/><fan "
        "part='fan/generic-120-1500' at='rear'/><psu part='psu/tier-platinum-1600'/><psu "
        "part='psu/tier-platinum-1600'/><gpu part='gpu/rtx-5090' slot='1'/><gpu part='gpu/rtx-5090' slot='3'/>"
        "</chassis><workload kind='training' class='prefill'/><run for='2 h'/></rig>";
    wsk_rig *rig = wsk_test_rig(xml, NULL);
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 7200);
    wsk_test_advance(run, 7200);
    wsk_arena *arena = wsk_arena_new();
    wsk_judged r = judged_of(rig, arena);
    wsk_outcome base = {0}, o = {0};
    assert_true(wsk_judge(&r, NULL, run, &base) && base.over_w > 0);
    assert_near(base.over_w, run->lines[0].va_peak - 1000, 1);
    assert_true(run->supplies[0].peak_rel > 0.5 && run->supplies[1].peak_rel == 0);
    for (int moved = 0; moved < 2; moved++) {
        wsk_variant *v = wsk_alloc(arena, sizeof *v);
        wsk_variant_put(v, "site.branch+=id=b2 circuit=10A");
        wsk_variant_put(v, moved ? "psu[1].on=b2" : "psu[0].on=b2");
        assert_true(wsk_judge(&r, v, NULL, &o));
        assert_true(o.over_w < base.over_w && o.over_w > base.over_w - 25); /* its own 21 VA */
    }
    wsk_arena_free(arena);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(peaks_of_circuits), cmocka_unit_test(peaks_follow_the_cards),
                                       cmocka_unit_test(peaks_of_a_run),
                                       cmocka_unit_test(more_circuits_than_are_judged),
                                       cmocka_unit_test(hottest_hours)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
