/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power and clocks of cards with class values (those that the program assumes for a card that nobody measured) are
 * fitted to the first 60 % of the load and judged on the rest. A row whose trace is missing is skipped and counted. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/base.h"
#include "tests/support/log_fit.h"
#include "tests/unit/assert.h"

enum { LOAD_S = 3900 }; /* five minutes of rest and an hour of load */

static wsk_log *read_trace(const wsk_csv *facts, int row)
{
    const char *dir = getenv("WATTSINK_DATA");
    wsk_buf path = {0}, text = {0};
    wsk_log *log = NULL;
    char part[65536];
    size_t got;
    wsk_buf_printf(&path, "%s/", dir && *dir ? dir : "../shared/data");
    wsk_log_fit_file(&path, facts, row);
    FILE *f = fopen(path.data, "rb");
    while (f && (got = fread(part, 1, sizeof part, f)) > 0)
        wsk_buf_put(&text, part, got);
    if (f) {
        (void)fclose(f);
        assert_int_equal(wsk_log_read(&log, path.data, text.data, text.len), WSK_OK);
    } else {
        print_message("no measured trace %s; set WATTSINK_DATA\n", wsk_csv_text(facts, row, "trace"));
    }
    wsk_buf_free(&path);
    wsk_buf_free(&text);
    return log;
}

/* The sensor of a Vega card leaves out a part of the board power. */
static wsk_readings board_power(const wsk_csv *facts, int row, wsk_readings sensor)
{
    const double fixed = wsk_csv_number(facts, row, "loss_fixed_w"), per_w = wsk_csv_number(facts, row, "loss_per_w");
    double *watts = malloc((sensor.count + 1) * sizeof *watts);
    assert_non_null(watts);
    for (size_t i = 0; i < sensor.count; i++)
        watts[i] = sensor.value[i] + fixed + per_w * sensor.value[i] * sensor.value[i];
    return (wsk_readings){sensor.t_s, watts, sensor.count};
}

static wsk_readings under_load(const wsk_log *log, wsk_log_quantity quantity)
{
    const wsk_log_series s = wsk_log_of(log, 0, quantity);
    size_t n = 0;
    while (n < s.count && s.t_s[n] < LOAD_S)
        n++;
    return (wsk_readings){s.t_s, s.value, n};
}

static void held_out(void **state)
{
    (void)state;
    wsk_csv *facts = wsk_csv_read("tests/validate/facts/log_fits.csv");
    assert_non_null(facts);
    double power = 0, clock = 0;
    int n = 0, missing = 0;
    for (int i = 0; i < wsk_csv_rows(facts); i++) {
        wsk_log *log = read_trace(facts, i);
        if (!log) {
            missing++;
            continue;
        }
        wsk_rig *rig = wsk_replay_rig(wsk_csv_text(facts, i, "rig"), wsk_csv_text(facts, i, "sets"));
        assert_non_null(rig);
        const wsk_readings watts = board_power(facts, i, under_load(log, WSK_LOG_POWER));
        const wsk_calibrate_trace t = {.power = watts,
                                       .utilisation = under_load(log, WSK_LOG_UTILISATION),
                                       .clock = under_load(log, WSK_LOG_CLOCK),
                                       .die = under_load(log, WSK_LOG_DIE),
                                       .fan_speed = under_load(log, WSK_LOG_FAN_SPEED)};
        wsk_log_fit f;
        assert_int_equal(wsk_calibrate_log(rig, &t, 1, 0.4, &f, NULL), WSK_OK);
        const wsk_log_share *p = &f.electrical.power[WSK_PART_HELD_OUT], *c = &f.electrical.clock[WSK_PART_HELD_OUT];
        print_message(
            "%s, %s: %zu rows, noise %.2f; held out %zu: power %.1f %% mean, %+.1f bias; clock %.1f %%, %+.1f\n",
            wsk_csv_text(facts, i, "card"), wsk_csv_text(facts, i, "run"), f.electrical.rows, f.electrical.fit.noise,
            p->readings, 100 * p->mae_rel, 100 * p->bias_rel, 100 * c->mae_rel, 100 * c->bias_rel);
        /* rows is 0 if the rig file gives the card's power, because then only its temperatures are fitted */
        if (f.electrical.rows) {
            power += p->mae_rel;
            clock += c->mae_rel;
            n++;
        }
        free((void *)(uintptr_t)watts.value);
        wsk_rig_free(rig);
        wsk_log_free(log);
    }
    wsk_csv_free(facts);
    if (missing)
        print_message("%d traces are not here\n", missing);
    if (!n)
        skip();
    print_message("held out: power %.1f %%, clock %.1f %% in the mean of %d runs\n", 100 * power / n, 100 * clock / n,
                  n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(held_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
