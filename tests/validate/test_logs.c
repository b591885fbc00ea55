/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cards with class values (those that the program assumes for a card that nobody measured) are fitted on the first 60 %
 * of a trace and judged on the rest; and fitted on one day and judged on another day (docs/theory/calibration.md). A
 * row whose trace is missing is skipped and counted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/base.h"
#include "tests/support/log_fit.h"
#include "tests/unit/assert.h"

static bool read_row(wsk_trace *trace, const wsk_csv *facts, int row)
{
    const char *dir = getenv("WATTSINK_DATA");
    const bool there = wsk_log_fit_read(trace, dir && *dir ? dir : "../shared/data", facts, row);
    if (!there)
        print_message("no measured trace %s; set WATTSINK_DATA\n", wsk_csv_text(facts, row, "trace"));
    return there;
}

static wsk_log_fit fit(const wsk_rig *rig, const wsk_trace *trace, double holdout)
{
    wsk_log_fit out;
    assert_int_equal(wsk_log_fit_trace(rig, trace, holdout, &out), WSK_OK);
    return out;
}

static int count_far(const wsk_calibration *fit)
{
    int far = 0;
    for (size_t i = 0; i < fit->count; i++)
        if (wsk_calibrated_is_far(&fit->values[i])) {
            print_message("far from the prior: %s, by %+.1f standard deviations\n", fit->values[i].name,
                          fit->values[i].moved);
            far++;
        }
    return far;
}

typedef struct {
    double mae, rms, worst, within;
    int n;
} tally;

static void count(tally *t, double mae, double rms, double within)
{
    t->within += within;
    t->mae += mae;
    t->rms += rms;
    t->worst = fmax(t->worst, mae);
    t->n++;
}

/* The catalogue's own fan controllers were found from these traces, so this one is used for all cards. */
static const char any_fan[] =
    "; gpu.cooler.fan-curve=40 degC:1000 rpm, 60 degC:1500 rpm, 80 degC:2300 rpm, 92 degC:3200 rpm; "
    "gpu.cooler.fan-rise=2 s; gpu.cooler.fan-fall=75 s";

/* Cards whose fan stops while they are cool are judged separately: then their temperature depends on class values of a
 * cooler without air flow, which the fitted part of the trace does not determine. */
static void held_out(void **state)
{
    (void)state;
    wsk_csv *facts = wsk_csv_read("tests/validate/facts/log_fits.csv");
    assert_non_null(facts);
    tally turns = {0}, stops = {0}, memory = {0}, fans = {0};
    int missing = 0;
    for (int i = 0; i < wsk_csv_rows(facts); i++) {
        wsk_trace r;
        if (!read_row(&r, facts, i)) {
            missing++;
            continue;
        }
        wsk_buf sets = {0};
        const bool own = !isnan(r.fan_rpm[r.count / 2]);
        wsk_buf_printf(&sets, "%s%s", wsk_csv_text(facts, i, "sets"), own ? any_fan : "");
        wsk_rig *rig = wsk_replay_rig(wsk_csv_text(facts, i, "rig"), sets.data);
        wsk_buf_free(&sets);
        assert_non_null(rig);
        const wsk_log_fit f = fit(rig, &r, 0.4);
        assert_true((f.fan.fit.count > 0) == own);
        if (own) {
            print_message("fan: fitted %.2f, held out %.2f %% of full speed\n",
                          100 * f.fan.error_rel[WSK_PART_FITTED], 100 * f.fan.error_rel[WSK_PART_HELD_OUT]);
            count(&fans, 100 * f.fan.error_rel[WSK_PART_HELD_OUT], 0, 0);
        }
        const wsk_log_error *held = &f.die[WSK_PART_HELD_OUT], *hot = &f.memory[WSK_PART_HELD_OUT];
        const bool fan_stops = strcmp(wsk_csv_text(facts, i, "fan_at_rest"), "stops") == 0;
        print_message("%s, %s: fitted %.2f, held out %.2f K mean, %.2f rms, %+.2f bias; memory %.2f; skill %.2f, "
                      "%.2f; %.0f %% within +-%.2f K, needed %.2f\n",
                      wsk_csv_text(facts, i, "card"), wsk_csv_text(facts, i, "run"), f.die[WSK_PART_FITTED].mae_k,
                      held->mae_k, held->rmse_k, held->bias_k, hot->mae_k, f.skill_stays, f.skill_line,
                      100 * f.within[1], f.band_k[1], f.band_needed[1]);
        assert_int_equal(count_far(&f.fit) + count_far(&f.electrical.fit), 0);
        assert_true(f.die[WSK_PART_FITTED].mae_k <= 1 && f.skill_stays > 0 && f.skill_line > 0);
        count(fan_stops ? &stops : &turns, held->mae_k, held->rmse_k, f.within[WSK_PART_HELD_OUT]);
        if (hot->readings && !fan_stops)
            count(&memory, hot->mae_k, hot->rmse_k, 0);
        wsk_rig_free(rig);
        wsk_trace_free(&r);
    }
    wsk_csv_free(facts);
    if (missing)
        print_message("%d traces are not here\n", missing);
    if (!turns.n)
        skip();
    print_message("held out, fan turns: %.2f K mean, %.2f rms over %d runs, worst %.2f, %.0f %% within; fan stops: "
                  "%.2f, %.2f over %d, %.0f %% within\n",
                  turns.mae / turns.n, turns.rms / turns.n, turns.n, turns.worst, 100 * turns.within / turns.n,
                  stops.mae / fmax(stops.n, 1), stops.rms / fmax(stops.n, 1), stops.n,
                  100 * stops.within / fmax(stops.n, 1));
    assert_true(missing || (turns.mae / turns.n <= 1 && turns.rms / turns.n <= 1.5));
    assert_true(missing || (turns.within / turns.n >= 0.75 && turns.within / turns.n <= 0.9));
    assert_true(missing || memory.mae / memory.n <= 2.5);
    print_message("fan held out: %.2f %% of full speed in the mean of %d runs, worst %.2f\n", fans.mae / fans.n,
                  fans.n, fans.worst);
    assert_true(missing || (fans.mae / fans.n <= 2 && fans.worst <= 5));
}

typedef struct {
    int held, all, rooms_held, rooms, fits, far;
} held_values;

/* Counts the values of a fit without fan speeds whose 90 % interval holds the value of the fit with them. */
static void compare_fits(const wsk_calibration *without, const wsk_calibration *with, held_values *out)
{
    for (size_t i = 0; i < without->count; i++)
        for (size_t k = 0; k < with->count; k++) {
            const wsk_calibrated *v = &without->values[i], *w = &with->values[k];
            if (strcmp(v->name, w->name) != 0)
                continue;
            const bool holds = fabs(v->value - w->value) <= 1.645 * v->spread, room = strcmp(v->name, "inlet") == 0;
            out->all++;
            out->held += holds;
            out->rooms += room;
            out->rooms_held += room && holds;
        }
}

/* Each trace is fitted with and without its fan speeds, to two parts: one with the fan of the catalogue, and one whose
 * fan stops when the card is cool. Of twelve traces four are of a card that stops its fan. */
static void fan_not_recorded(void **state)
{
    (void)state;
    static const char stopping_fan[] =
        "; gpu.cooler.rpm-min=0 rpm; gpu.cooler.fan-curve=50 degC:0 rpm, 55 degC:1020 rpm, 60 degC:1310 rpm, "
        "65 degC:1550 rpm, 72 degC:1820 rpm, 80 degC:2250 rpm, 88 degC:2820 rpm, 92 degC:3000 rpm; "
        "gpu.cooler.fan-rise=2 s; gpu.cooler.fan-fall=75 s";
    wsk_csv *facts = wsk_csv_read("tests/validate/facts/log_fits.csv");
    assert_non_null(facts);
    held_values sum = {0};
    int missing = 0;
    for (int i = 0; i < wsk_csv_rows(facts); i++) {
        wsk_trace r;
        if (!read_row(&r, facts, i)) {
            missing++;
            continue;
        }
        double *const middle = &r.fan_rpm[r.count / 2], logged = *middle;
        for (int stops = 0; stops < 2 && !isnan(logged); stops++) {
            wsk_buf sets = {0};
            wsk_buf_printf(&sets, "%s%s", wsk_csv_text(facts, i, "sets"), stops ? stopping_fan : "");
            wsk_rig *rig = wsk_replay_rig(wsk_csv_text(facts, i, "rig"), sets.data);
            wsk_buf_free(&sets);
            assert_non_null(rig);
            *middle = logged;
            const wsk_log_fit with = fit(rig, &r, 0);
            *middle = NAN; /* without this value, wsk_log_fit_trace ignores all fan speeds */
            const wsk_log_fit without = fit(rig, &r, 0);
            compare_fits(&without.fit, &with.fit, &sum);
            sum.fits += 2;
            sum.far += (count_far(&without.fit) > 0) + (count_far(&with.fit) > 0);
            wsk_rig_free(rig);
        }
        wsk_trace_free(&r);
    }
    wsk_csv_free(facts);
    if (!sum.all)
        skip();
    print_message("%d of %d fits have a value far from its prior\n", sum.far, sum.fits);
    assert_true(sum.far <= 0.15 * sum.fits);
    print_message("without fan speeds %d of %d values lie within 90 %%, of them %d of %d rooms\n", sum.held, sum.all,
                  sum.rooms_held, sum.rooms);
    assert_true(missing || sum.held >= 0.85 * sum.all);
    assert_true(missing || sum.rooms_held >= 0.65 * sum.rooms);
}

static const char *assignments(wsk_buf *b, const char *sets, const wsk_calibration *fit)
{
    wsk_buf_printf(b, "%s", sets);
    for (size_t i = 0; i < fit->count; i++) {
        const wsk_calibrated *v = &fit->values[i];
        const bool still = strcmp(v->name, "natural-factor") == 0,
                   cooler = still || strcmp(v->name, "conductance") == 0 || strcmp(v->name, "capacity") == 0;
        if (strcmp(v->name, "inlet") == 0)
            continue;
        wsk_buf_printf(b, "; gpu.%s%s=%.6g %s", cooler ? "cooler." : "", v->name, v->value,
                       still                            ? ""
                       : strstr(v->name, "capacity")    ? "J/K"
                       : strstr(v->name, "conductance") ? "W/K"
                                                        : "K/W");
        if (strcmp(v->name, "board-conductance") == 0)
            wsk_buf_printf(b, "; gpu.board-to-heatsink=%.6g W/K", v->value / v->prior);
    }
    return b->data;
}

static void another_day(void **state)
{
    (void)state;
    wsk_csv *facts = wsk_csv_read("tests/validate/facts/log_fits.csv");
    assert_non_null(facts);
    tally all = {0};
    int missing = 0;
    for (int i = 0; i + 1 < wsk_csv_rows(facts); i++) {
        wsk_trace one, two;
        const char *rig_name = wsk_csv_text(facts, i, "rig"), *sets = wsk_csv_text(facts, i, "sets");
        if (strcmp(wsk_csv_text(facts, i, "card"), wsk_csv_text(facts, i + 1, "card")) != 0)
            continue;
        if (!read_row(&one, facts, i)) {
            missing++;
            continue;
        }
        wsk_rig *rig = wsk_replay_rig(rig_name, sets);
        assert_non_null(rig);
        const wsk_log_fit f = fit(rig, &one, 0);
        if (read_row(&two, facts, i + 1)) {
            wsk_buf b = {0};
            double room; /* the rig of a one-hour trace has the name of the fit's rig without "log-" */
            wsk_rig *other = wsk_replay_rig(rig_name + strlen("log-"), assignments(&b, sets, &f.fit));
            assert_non_null(other);
            const double rms = wsk_replay_trace_inlet(other, &two, &room);
            print_message("%s, %s fitted, %s: %.2f K rms, room %.1f degC\n", wsk_csv_text(facts, i, "card"),
                          wsk_csv_text(facts, i, "run"), wsk_csv_text(facts, i + 1, "run"), rms, room);
            count(&all, rms, rms, 0);
            wsk_buf_free(&b);
            wsk_rig_free(other);
            wsk_trace_free(&two);
        }
        wsk_rig_free(rig);
        wsk_trace_free(&one);
    }
    wsk_csv_free(facts);
    if (!all.n)
        skip();
    print_message("another day: %.2f K rms in the mean of %d runs, worst %.2f\n", all.rms / all.n, all.n, all.worst);
    assert_true(missing || all.rms / all.n <= 1.5);
}

static bool is_far(const char *rig_name, const wsk_trace *trace)
{
    wsk_rig *rig = wsk_replay_rig(rig_name, NULL);
    assert_non_null(rig);
    const wsk_log_fit f = fit(rig, trace, 0);
    wsk_rig_free(rig);
    return count_far(&f.fit) + count_far(&f.electrical.fit) > 0;
}

/* A trace that is fitted by the part of another card, with a much larger or smaller cooler, must give values far from
 * their priors in at least 80 % of the fits. With the card's own part it must not. */
static void another_card(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {{"GTX 1070", "log-rtx-2080"},
                                           {"GTX 1080", "log-rtx-2080"},
                                           {"Vega 64", "log-gtx-1080"},
                                           {"H100 PCIe", "log-gtx-1070"}};
    wsk_csv *facts = wsk_csv_read("tests/validate/facts/log_fits.csv");
    assert_non_null(facts);
    int fits = 0, far = 0, own = 0;
    for (int i = 0; i < wsk_csv_rows(facts); i++) {
        wsk_trace r;
        if (!read_row(&r, facts, i))
            continue;
        own += is_far(wsk_csv_text(facts, i, "rig"), &r);
        wsk_trace_free(&r);
    }
    assert_int_equal(own, 0);
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++)
        for (int i = 0; i < wsk_csv_rows(facts); i++) {
            wsk_trace r;
            if (strcmp(wsk_csv_text(facts, i, "card"), wrong[w][0]) != 0 || !read_row(&r, facts, i))
                continue;
            print_message("%s as %s\n", wrong[w][0], wrong[w][1]);
            far += is_far(wrong[w][1], &r);
            fits++;
            wsk_trace_free(&r);
        }
    wsk_csv_free(facts);
    if (!fits)
        skip();
    print_message("%d of %d traces were recognised as those of another card\n", far, fits);
    assert_true(far >= 0.8 * fits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(held_out), cmocka_unit_test(another_card),
                                       cmocka_unit_test(fan_not_recorded), cmocka_unit_test(another_day)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
