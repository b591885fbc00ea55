/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A card whose cooler was not fitted: only the room temperature is fitted, on the idle minute before the load. Power is
 * as measured, and the fan follows the fan curve of its class. */
#include "tests/support/replay.h"
#include "tests/unit/assert.h"

static void lay_out(wsk_trace *trace, const wsk_csv *csv)
{
    const double start = wsk_csv_number(csv, 0, "t_s"), end = wsk_csv_number(csv, wsk_csv_rows(csv) - 1, "t_s");
    assert_int_equal(wsk_trace_make(trace, (int)(end - start) + 1), 0);
    trace->before_w = wsk_csv_number(csv, 0, "power_w");
    for (int i = 0, row = 0; i < trace->count; i++) {
        const double t = start + i;
        while (row + 2 < wsk_csv_rows(csv) && t >= wsk_csv_number(csv, row + 1, "t_s"))
            row++;
        const double from = wsk_csv_number(csv, row, "t_s"), to = wsk_csv_number(csv, row + 1, "t_s"),
                     low = wsk_csv_number(csv, row, "power_w"), high = wsk_csv_number(csv, row + 1, "power_w");
        trace->t_s[i] = t;
        trace->power_w[i] = low + (high - low) * (t - from) / (to - from);
    }
}

static double error_at(const wsk_trace *trace, const wsk_csv *csv, int row)
{
    const int i = (int)(wsk_csv_number(csv, row, "t_s") - trace->t_s[0]);
    return trace->model[WSK_SENSOR_DIE][i] - wsk_csv_number(csv, row, "die_c");
}

static void two_minutes(void **state)
{
    (void)state;
    wsk_csv *csv = wsk_csv_read("tests/validate/facts/bursts.csv");
    assert_non_null(csv);
    wsk_rig *rig = wsk_replay_rig(wsk_csv_text(csv, 0, "rig"), NULL);
    assert_non_null(rig);
    wsk_trace trace;
    lay_out(&trace, csv);
    double room = 25, sum = 0;
    int n = 0;
    for (int i = 0; i < 4; i++) {
        (void)wsk_replay_trace(rig, &trace, room);
        room -= i < 3 ? error_at(&trace, csv, 1) : 0;
    }
    for (int row = 0; row < wsk_csv_rows(csv); row++) {
        const double error = error_at(&trace, csv, row);
        print_message("%s at %.0f s: %+.1f K\n", wsk_csv_text(csv, row, "card"), wsk_csv_number(csv, row, "t_s"),
                      error);
        if (wsk_csv_number(csv, row, "t_s") < 10)
            continue;
        sum += error * error;
        n++;
    }
    print_message("room %.1f degC, %.2f K rms over %d readings under load\n", room, sqrt(sum / n), n);
    assert_true(room > 15 && room < 38);
    assert_true(n == 4 && sqrt(sum / n) <= 4);
    wsk_trace_free(&trace);
    wsk_rig_free(rig);
    wsk_csv_free(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_minutes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
