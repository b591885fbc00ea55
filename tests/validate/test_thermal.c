/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The thermal model against measurements, in replay: power and fan speed as measured, the room fitted on one row
 * or run. The bands are those of physics.md section 8. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/base.h"
#include "sim/run/run.h"
#include "tests/support/replay.h"
#include "tests/unit/assert.h"

static const char facts[] = "tests/validate/facts/steady.csv", segment_facts[] = "tests/validate/facts/h100_segments.csv";

static wsk_rig *rig_of(const char *name)
{
    wsk_buf path = {0};
    wsk_buf_printf(&path, "tests/validate/rigs/%s.xml", name);
    wsk_rig *rig = path.data ? wsk_replay_rig(path.data, NULL) : NULL;
    wsk_buf_free(&path);
    assert_non_null(rig);
    return rig;
}

/* Rows of one rig stand together, the fitted one first. */
static void steady_rows(const char *name, double band_k)
{
    wsk_csv *rows = wsk_csv_read(facts), *segments = wsk_csv_read(segment_facts);
    assert_non_null(rows);
    assert_non_null(segments);
    wsk_rig *rig = rig_of(name);
    double inlet = NAN;
    int held = 0;
    for (int i = 0; i < wsk_csv_rows(rows); i++) {
        wsk_steady_row row = wsk_steady_read(rows, i);
        if (strcmp(row.rig, name) != 0)
            continue;
        bool fit = strcmp(row.use, "fit") == 0;
        if (!isnan(row.room_c))
            inlet = row.room_c; /* stated: the cooler's conductance was fitted instead */
        else if (fit)
            inlet = wsk_replay_inlet(rig, &row, segments);
        assert_true(inlet >= 18 && inlet <= 35);
        double die = wsk_replay_row(rig, &row, segments, inlet);
        print_message("%s %.1f W: measured %.1f, %s %.1f degC\n", row.card, row.power_w, row.die_c, fit ? "fitted" : "predicted", die);
        if (fit)
            assert_near(die, row.die_c, isnan(row.room_c) ? 0.1 : 0.5);
        else
            assert_near(die, row.die_c, band_k);
        held += !fit;
    }
    assert_true(held > 0);
    wsk_rig_free(rig);
    wsk_csv_free(rows);
    wsk_csv_free(segments);
}

static void steady_gtx_1080(void **state)
{
    (void)state;
    steady_rows("gtx-1080", 3);
}

static void steady_rtx_2080(void **state)
{
    (void)state;
    steady_rows("rtx-2080", 3);
}

static void steady_h100_pcie(void **state)
{
    (void)state;
    steady_rows("h100-pcie", 3);
}

static void steady_v100_pcie(void **state)
{
    (void)state;
    steady_rows("v100-pcie", 3);
}

static void steady_rtx_3090(void **state)
{
    (void)state;
    steady_rows("rtx-3090", 6);
}

/* ---- transients: the raw traces stay with the measured data ---- */

static void read_trace(wsk_trace *trace, const char *name)
{
    const char *dir = getenv("WATTSINK_DATA");
    wsk_buf path = {0};
    wsk_buf_printf(&path, "%s/thermal/traces/%s.csv", dir && *dir ? dir : "../shared/data", name);
    int failed = !path.data || wsk_trace_read(trace, path.data);
    wsk_buf_free(&path);
    if (failed) {
        print_message("no measured trace %s; set WATTSINK_DATA\n", name);
        skip();
    }
}

static void transient(const char *name, const char *fitted, const char *other)
{
    wsk_trace trace;
    double room;
    read_trace(&trace, fitted);
    wsk_rig *rig = rig_of(name);
    double rms = wsk_replay_trace_inlet(rig, &trace, &room);
    print_message("%s: fitted run %.2f K rms, room %.1f degC\n", name, rms, room);
    assert_true(rms <= 1.0 && room > 15 && room < 38);
    wsk_trace_free(&trace);
    read_trace(&trace, other);
    rms = wsk_replay_trace_inlet(rig, &trace, &room);
    print_message("%s: other run %.2f K rms, room %.1f degC\n", name, rms, room);
    assert_true(rms <= 1.5 && room > 15 && room < 38);
    wsk_trace_free(&trace);
    wsk_rig_free(rig);
}

static void transient_gtx_1080(void **state)
{
    (void)state;
    transient("gtx-1080", "occ_gtx_1080_3dmark_fire_strike_extreme_loop_20210315_1227",
              "occ_gtx_1080_3dmark_time_spy_loop_20210315_1434");
}

static void transient_rtx_2080(void **state)
{
    (void)state;
    transient("rtx-2080", "occ_rtx_2080_3dmark_fire_strike_extreme_loop_20210316_2140",
              "occ_rtx_2080_3dmark_time_spy_loop_20210317_0916");
}

/* ---- time constants: capacity over conductance at the speed that coolers.csv states ---- */

static void time_constants(void **state)
{
    (void)state;
    static const struct {
        const char *rig;
        double rpm, tau_s;
    } facts_[] = {{"gtx-1080", 2200, 70}, {"rtx-2080", 2200, 100}, {"h100-pcie", NAN, 59.5}};
    for (size_t i = 0; i < sizeof facts_ / sizeof *facts_; i++) {
        wsk_rig *rig = rig_of(facts_[i].rig);
        double tau = wsk_replay_tau(rig, facts_[i].rpm);
        print_message("%s: heatsink %.0f s, measured %.0f s\n", facts_[i].rig, tau, facts_[i].tau_s);
        assert_rel(tau, facts_[i].tau_s, 0.35);
        wsk_rig_free(rig);
    }
}

/* ---- what the card does to its case: recirculation.csv ---- */

static void cpu_rise(void **state)
{
    (void)state;
    wsk_rig *blower = rig_of("gtx-1080"), *open = rig_of("rtx-2080");
    double b = wsk_replay_cpu_rise(blower, 140.5, 2302.5) / 140.5, o = wsk_replay_cpu_rise(open, 213.1, 2547.3) / 213.1;
    print_message("processor: blower %.3f K/W (measured 0.050), open-air %.3f K/W (measured 0.102)\n", b, o);
    assert_true(o > 0.07 && o < 0.14);
    assert_true(b / o >= 0.25 && b / o <= 0.6);
    wsk_rig_free(blower);
    wsk_rig_free(open);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_gtx_1080),    cmocka_unit_test(steady_rtx_2080),   cmocka_unit_test(steady_h100_pcie),
        cmocka_unit_test(steady_v100_pcie),   cmocka_unit_test(steady_rtx_3090),   cmocka_unit_test(transient_gtx_1080),
        cmocka_unit_test(transient_rtx_2080), cmocka_unit_test(time_constants),    cmocka_unit_test(cpu_rise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
