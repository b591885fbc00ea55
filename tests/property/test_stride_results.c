/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of a run with strides (tests/property/test_stride.c) against those of a run in ticks, all of them: a
 * quantity that strides do not carry on is too low at the end. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/bench.h"
#include "tests/support/strides.h"
#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/step/stride.h"
#include "wattsink_summary.h"

static const double day_s = 86400;

/* from: time of the day at which the run begins. */
static wsk_rig *load(const char *from)
{
    char set[48];
    snprintf(set, sizeof set, "run.from=2026-08-03T%s", from);
    return wsk_test_rig(
        "<rig><site supply='230 V' circuit='16 A'><room volume='40 m3' conductance='60 W/K'>"
        "<outdoor mean='24 degC' swing='5 K'/><air-conditioner capacity='2.8 kW' setpoint='26 degC'/></room>"
        "<branch id='second' circuit='10 A'><ups rated='3 kW' battery='900 Wh'/></branch>"
        "<tariff kind='time-of-use' standing-month='30 EUR'><period name='day' price='0.4 EUR/kWh' from='7:00' "
        "to='21:00'/><period name='night' price='0.2 EUR/kWh'/></tariff>"
        "<carbon kind='constant' intensity='380 g/kWh'/></site>"
        "<chassis id='a' part='chassis/full-tower-8-slot'><fan part='fan/generic-140-1500' at='front' count='3' "
        "sensor='cpu' curve='30 degC:40 %, 90 degC:100 %'/><fan part='fan/generic-120-1500' at='rear'/>"
        "<cpu power='90 W'/><psu part='psu/tier-gold-1600'/><gpu part='gpu/rtx-3090-blower' slot='1' "
        "limit-schedule='0 h:350 W, 16 h:200 W, 21 h:350 W'/><gpu part='gpu/rtx-3090-blower' slot='5'/></chassis>"
        "<chassis id='b' part='chassis/full-tower-8-slot'><fan part='fan/generic-140-1500' at='front' count='3'/>"
        "<psu part='psu/tier-bronze-850' on='second'/><gpu slot='1' slots='1' tdp='250 W' clock-max='1900 MHz' "
        "clock-knee='1400 MHz' voltage-slope='0.6 1/GHz'><cooler kind='water' loop='w' slots='1' "
        "thickness='19 mm'/></gpu><loop id='w' kind='facility'/></chassis>"
        "<workload kind='training' class='training' rate='3'/>"
        "<run from='2026-08-03T00:00:00' zone='Europe/Berlin'/></rig>",
        set);
}

/* Each number that the results of a run with strides give is near that of the run in ticks, but for what tells of the
 * simulation itself. */
static void all_results_agree(void **state)
{
    (void)state;
    wsk_rig *rig = load("00:00:00");
    const double end = 10 * day_s;
    wsk_run *a = wsk_test_start(rig, end, false), *b = wsk_test_start(rig, end, true);
    wsk_summary *x = NULL, *y = NULL;
    int wrong = 0, compared = 0;
    wsk_test_advance(a, end);
    wsk_test_advance(b, end);
    assert_non_null(b->stride);
    assert_true(b->stride->head->skipped > 0);
    assert_int_equal(wsk_run_summary(&x, a, 0), WSK_OK);
    assert_int_equal(wsk_run_summary(&y, b, 0), WSK_OK);
    for (int r = 0; r < WSK_RESULTS; r++) {
        const wsk_result_row *row = wsk_result_about((wsk_result)r);
        const bool of_simulation =
            r == WSK_R_STEPS || r == WSK_R_RESIDUAL || r == WSK_R_SPLITTING || strncmp(row->key, "strides.", 8) == 0;
        assert_int_equal(wsk_summary_count(x, row->scope), wsk_summary_count(y, row->scope));
        for (size_t i = 0; !of_simulation && i < wsk_summary_count(x, row->scope); i++) {
            const double ticked = wsk_summary_number(x, (wsk_result)r, i),
                         strode = wsk_summary_number(y, (wsk_result)r, i);
            compared += !isnan(ticked);
            if (isnan(ticked) == isnan(strode) && !(fabs(strode - ticked) > 5e-3 * fabs(ticked) + 1e-3))
                continue;
            print_message("%s of %zu: %.9g, with strides %.9g\n", row->key, i, ticked, strode);
            wrong++;
        }
    }
    assert_true(compared > 100);
    assert_int_equal(wrong, 0);
    wsk_summary_free(x);
    wsk_summary_free(y);
    wsk_run_free(a);
    wsk_run_free(b);
    wsk_rig_free(rig);
}

/* Each row of the series has the values of its own time, whether its time was simulated or skipped. */
static void check_rows(const char *from)
{
    wsk_rig *rig = load(from);
    const double end = 10 * day_s;
    wsk_run *a = wsk_test_start(rig, end, false), *b = wsk_test_start(rig, end, true);
    int wrong = 0;
    wsk_test_advance(a, end);
    wsk_test_advance(b, end);
    assert_true(b->stride && b->stride->head->skipped > 0);
    assert_int_equal(a->books->n_buckets, b->books->n_buckets);
    const int n = a->variables->n;
    for (int64_t r = 0; r < a->books->n_buckets; r++) {
        const double *x = wsk_bucket(a, r), *y = wsk_bucket(b, r);
        assert_same(x[0], y[0]);
        for (int i = 1; i <= 3 * n; i++) /* minima, means, maxima */
            if (!(fabs(x[i] - y[i]) <= 0.005 * fabs(x[i]) + 0.02) && isnan(x[i]) == isnan(y[i])) {
                print_message("row %lld, %s of %s: %.6g, with strides %.6g\n", (long long)r,
                              i <= n       ? "minimum"
                              : i <= 2 * n ? "mean"
                                           : "maximum",
                              a->variables->all[(i - 1) % n].name, x[i], y[i]);
                wrong++;
            }
    }
    assert_int_equal(wrong, 0);
    wsk_run_free(a);
    wsk_run_free(b);
    wsk_rig_free(rig);
}

/* From 9:17 on, strides and periods of the tariff begin within rows. */
static void all_rows_agree(void **state)
{
    (void)state;
    check_rows("00:00:00");
    check_rows("09:17:00");
}

static size_t find_variable(const wsk_run *run, const char *wanted)
{
    for (size_t i = 0; i < wsk_run_variables(run); i++) {
        const char *name, *unit;
        double value;
        wsk_run_variable(run, i, &name, &unit, &value);
        if (strcmp(name, wanted) == 0)
            return i;
    }
    fail_msg("no variable %s", wanted);
    return 0;
}

static wsk_run *run_beside_the_cycle(const char *set, wsk_rig **rig)
{
    *rig = wsk_test_rig(
        "<rig><site supply='230 V' circuit='16 A'><room temperature='24 degC'/></site><chassis kind='frame'>"
        "<psu id='p' part='psu/tier-gold-1000' redundant='yes'/><psu id='q' part='psu/tier-gold-1000' "
        "redundant='yes' "
        "fails-at='400 d'/><gpu part='gpu/rtx-3090-blower' slot='1'/></chassis>"
        "<load name='heater' ac='2 kW' duty='40 %' period='5 h'/><workload kind='constant' class='training'/>"
        "<run for='1 h'/></rig>",
        set);
    wsk_run *run = wsk_test_start(*rig, 365 * day_s, true);
    wsk_test_advance(run, 365 * day_s);
    assert_true(run->stride && run->stride->head->skipped > 1000);
    return run;
}

/* Rows that do not begin at the same times of the cycle, here a load of five hours in rows of six. Their watts must be
 * about those of their energy. In rows of which a part is skipped the mean must be within minimum and maximum. */
static void rows_beside_the_cycle_agree(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = run_beside_the_cycle(NULL, &rig);
    const size_t wall = find_variable(run, "wall_w"), kwh = find_variable(run, "energy_kwh");
    double wrong_kwh = 0, before_s = 0, before_kwh = 0;
    for (size_t r = 0; r < wsk_run_series_rows(run); r++) {
        const double end_s = wsk_run_series_end(run, r), mean_w = wsk_run_series_value(run, r, wall, WSK_STAT_MEAN),
                     end_kwh = wsk_run_series_value(run, r, kwh, WSK_STAT_MAX);
        if (mean_w < wsk_run_series_value(run, r, wall, WSK_STAT_MIN) - 0.1 ||
            mean_w > wsk_run_series_value(run, r, wall, WSK_STAT_MAX) + 0.1)
            fail_msg("row %zu: mean %g W, outside of minimum and maximum", r, mean_w);
        wrong_kwh += fabs(mean_w * (end_s - before_s) / 3.6e6 - (end_kwh - before_kwh));
        before_s = end_s;
        before_kwh = end_kwh;
    }
    assert_true(wrong_kwh < 5e-3 * before_kwh);
    wsk_test_drop(run, rig);
}

/* Rows after the failure of a PSU are like others after it. */
static void rows_after_a_failure_are_alike(void **state)
{
    (void)state;
    wsk_rig *rig;
    wsk_run *run = run_beside_the_cycle("psu[1].fails-at=9 d", &rig);
    const size_t load = find_variable(run, "q.load");
    for (size_t r = 0; r < wsk_run_series_rows(run); r++)
        if (wsk_run_series_end(run, r) > 9.3 * day_s && wsk_run_series_value(run, r, load, WSK_STAT_MAX) > 0)
            fail_msg("row %zu: load of the PSU that has failed", r);
    wsk_test_drop(run, rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_results_agree), cmocka_unit_test(all_rows_agree),
                                       cmocka_unit_test(rows_beside_the_cycle_agree),
                                       cmocka_unit_test(rows_after_a_failure_are_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
