/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured hours, replayed second by second. facts/transients.csv: the card's parameters are fitted on one run, and for
 * the other runs only the inlet temperature is fitted. facts/halves.csv: parameters are fitted on the first half of a
 * trace, and the second half is predicted. A test whose trace is missing is skipped. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/base.h"
#include "tests/support/replay.h"
#include "tests/unit/assert.h"

static void trace_path(wsk_buf *path, const char *name)
{
    const char *dir = getenv("WATTSINK_DATA");
    wsk_buf_printf(path, "%s/thermal/traces/%s.csv", dir && *dir ? dir : "../shared/data", name);
    FILE *f = path->data ? fopen(path->data, "rb") : NULL;
    if (!f) {
        wsk_buf_free(path);
        print_message("no measured trace %s; set WATTSINK_DATA\n", name);
        skip();
    } else {
        (void)fclose(f);
    }
}

static void read_trace(wsk_trace *trace, const wsk_csv *facts, int row)
{
    wsk_buf path = {0};
    trace_path(&path, wsk_csv_text(facts, row, "trace"));
    int failed = wsk_trace_read(trace, path.data, wsk_csv_number(facts, row, "loss_fixed_w"),
                                wsk_csv_number(facts, row, "loss_per_w"));
    wsk_buf_free(&path);
    assert_int_equal(failed, 0);
}

/* The bands are wider than the die's, because no public fit reports a smaller error. */
static void other_sensors(const wsk_trace *trace)
{
    static const char *const name[WSK_SENSORS] = {"die", "memory", "hot spot", "VRM", "processor"};
    static const double band_k[WSK_SENSORS] = {0, 2.5, 2.5, 3.0, 0};
    for (int k = WSK_SENSOR_MEMORY; k <= WSK_SENSOR_VRM; k++) {
        double rms = wsk_trace_rms(trace, (wsk_sensor)k, -INFINITY, INFINITY);
        if (isnan(rms))
            continue;
        print_message("    %s %.2f K rms\n", name[k], rms);
        assert_true(rms <= band_k[k]);
    }
}

static void replay_run(const wsk_csv *facts, int row, wsk_trace *trace, const char *sets)
{
    double room;
    wsk_rig *rig = wsk_replay_rig(wsk_csv_text(facts, row, "rig"), sets);
    assert_non_null(rig);
    double rms = wsk_replay_trace_inlet(rig, trace, &room);
    print_message("%s, %s (%s%s%s): %.2f K rms, room %.1f degC\n", wsk_csv_text(facts, row, "card"),
                  wsk_csv_text(facts, row, "run"), wsk_csv_text(facts, row, "use"), sets ? ", " : "",
                  sets ? sets : "", rms, room);
    assert_true(rms <= wsk_csv_number(facts, row, "band_k") && room > 15 && room < 38);
    other_sensors(trace);
    wsk_rig_free(rig);
}

/* If the column warmer_case of a run has an assignment, such as "load.dc=40 W" for a busier processor, the run is
 * replayed again with that assignment. */
static void transients_of(const char *card)
{
    wsk_csv *facts = wsk_csv_read("tests/validate/facts/transients.csv");
    assert_non_null(facts);
    int held = 0;
    for (int i = 0; i < wsk_csv_rows(facts); i++) {
        const char *warmer = wsk_csv_text(facts, i, "warmer_case");
        if (strncmp(wsk_csv_text(facts, i, "card"), card, strlen(card)) != 0)
            continue;
        wsk_trace trace;
        read_trace(&trace, facts, i);
        replay_run(facts, i, &trace, NULL);
        if (*warmer)
            replay_run(facts, i, &trace, warmer);
        held += strcmp(wsk_csv_text(facts, i, "use"), "held") == 0;
        wsk_trace_free(&trace);
    }
    assert_true(held > 0);
    wsk_csv_free(facts);
}

static void gtx_770(void **state)
{
    (void)state;
    transients_of("GTX 770");
}

static void gtx_1070(void **state)
{
    (void)state;
    transients_of("GTX 1070");
}

static void gtx_1080(void **state)
{
    (void)state;
    transients_of("GTX 1080");
}

static void rtx_2080(void **state)
{
    (void)state;
    transients_of("RTX 2080");
}

static void vega_64(void **state)
{
    (void)state;
    transients_of("Vega 64");
}

static double halves_of(const wsk_csv *facts, int row)
{
    wsk_trace trace;
    wsk_buf path = {0};
    double card = wsk_csv_number(facts, row, "node_card"), split = wsk_csv_number(facts, row, "split_s");
    trace_path(&path, wsk_csv_text(facts, row, "trace"));
    int failed = isnan(card) ? wsk_trace_read(&trace, path.data, 0, 0) : wsk_node_read(&trace, path.data, (int)card);
    wsk_buf_free(&path);
    assert_int_equal(failed, 0);
    trace.before_w = wsk_csv_number(facts, row, "before_w");
    wsk_rig *rig = wsk_replay_rig(wsk_csv_text(facts, row, "rig"), wsk_csv_text(facts, row, "sets"));
    assert_non_null(rig);
    double all = wsk_replay_trace(rig, &trace, wsk_csv_number(facts, row, "inlet_c"));
    double first = wsk_trace_rms(&trace, WSK_SENSOR_DIE, -INFINITY, split),
           second = wsk_trace_rms(&trace, WSK_SENSOR_DIE, split, INFINITY),
           memory = wsk_trace_rms(&trace, WSK_SENSOR_MEMORY, split, INFINITY);
    print_message("%s: first half %.2f, second half %.2f K rms, memory %.2f\n", wsk_csv_text(facts, row, "card"),
                  first, second, memory);
    assert_true(!isnan(all) && first <= wsk_csv_number(facts, row, "band_first_k") &&
                second <= wsk_csv_number(facts, row, "band_second_k"));
    wsk_rig_free(rig);
    wsk_trace_free(&trace);
    return memory;
}

static void halves(const char *card, double memory_band_k)
{
    wsk_csv *facts = wsk_csv_read("tests/validate/facts/halves.csv");
    int found = 0;
    assert_non_null(facts);
    for (int i = 0; i < wsk_csv_rows(facts); i++)
        if (strncmp(wsk_csv_text(facts, i, "card"), card, strlen(card)) == 0) {
            double memory = halves_of(facts, i);
            assert_true(isnan(memory) || memory <= memory_band_k);
            found++;
        }
    assert_true(found > 0);
    wsk_csv_free(facts);
}

/* The errors that the test accepts are large, because in the second half the load has less memory traffic, but the
 * replay keeps the memory power constant. */
static void h100_halves(void **state)
{
    (void)state;
    halves("H100", 5);
}

static void node_halves(void **state)
{
    (void)state;
    halves("4-GPU", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gtx_770),     cmocka_unit_test(gtx_1070), cmocka_unit_test(gtx_1080),
        cmocka_unit_test(rtx_2080),    cmocka_unit_test(vega_64),  cmocka_unit_test(h100_halves),
        cmocka_unit_test(node_halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
