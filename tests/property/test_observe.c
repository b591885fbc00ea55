/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The means and extremes that a run records equal those computed from the variables at every tick, in rigs without
 * events inside ticks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/bench.h"
#include "sim/books/books.h"
#include "sim/books/variables.h"
#include "sim/books/observe.h"

typedef struct {
    double sum, low, high;
} seen;

/* The rows of the series cover the run without gaps. The mean of their means, weighted by the length of each row, is
 * the mean of the run, and the extremes of their extremes are those of the run. */
static void rows_agree(const wsk_run *run, const char *what)
{
    const size_t n = (size_t)run->variables->n;
    const int64_t rows = run->books->n_buckets;
    assert_true(rows > 1);
    for (size_t i = 0; i < n; i++) {
        double sum = 0, low = INFINITY, high = -INFINITY, from_s = 0;
        for (int64_t r = 0; r < rows; r++) {
            const double *row = wsk_bucket(run, r), least = row[1 + i], mean = row[1 + n + i],
                         most = row[1 + 2 * n + i], rounding = 1e-9 * (1 + fabs(mean));
            if (!(least - rounding <= mean && mean <= most + rounding))
                fail_msg("%s, %s, row %lld: mean %g, but from %g to %g", what, run->variables->all[i].name,
                         (long long)r, mean, least, most);
            sum += mean * (row[0] - from_s);
            low = fmin(low, least);
            high = fmax(high, most);
            from_s = row[0];
        }
        assert_same(from_s, wsk_run_time(run));
        assert_near(sum / from_s, wsk_mean_at(run, (int)i), 1e-9 * (1 + fabs(sum / from_s)));
        assert_same(low, wsk_low_at(run, (int)i));
        assert_same(high, wsk_high_at(run, (int)i));
    }
}

static void compare(wsk_rig *rig, double seconds, const char *what)
{
    wsk_run *looked = wsk_test_run(rig, WSK_STEPPER_FAST, seconds),
            *whole = wsk_test_run(rig, WSK_STEPPER_FAST, seconds);
    const size_t n = wsk_run_variables(looked);
    seen *all = calloc(n, sizeof *all);
    assert_non_null(all);
    for (size_t i = 0; i < n; i++)
        all[i] = (seen){0, INFINITY, -INFINITY};
    for (double t = 1; t <= seconds; t++) {
        assert_int_equal(wsk_run_advance(looked, t), WSK_OK);
        for (size_t i = 0; i < n; i++) {
            const char *name, *unit;
            double x;
            wsk_run_variable(looked, i, &name, &unit, &x);
            all[i] = (seen){all[i].sum + x, fmin(all[i].low, x), fmax(all[i].high, x)};
        }
    }
    assert_int_equal(wsk_run_advance(whole, seconds), WSK_OK);
    for (size_t i = 0; i < n; i++) {
        const char *name, *unit;
        double now, low, high, mean;
        wsk_run_variable(whole, i, &name, &unit, &now);
        low = wsk_low_at(whole, (int)i);
        high = wsk_high_at(whole, (int)i);
        mean = wsk_mean_at(whole, (int)i);
        if (low != all[i].low || high != all[i].high ||
            !(fabs(mean - all[i].sum / seconds) <= 1e-9 * fmax(fabs(mean), 1)))
            fail_msg("%s, %s: low, mean, high %.17g %.17g %.17g recorded, %.17g %.17g %.17g computed", what, name,
                     low, mean, high, all[i].low, all[i].sum / seconds, all[i].high);
    }
    rows_agree(whole, what);
    free(all);
    wsk_run_free(looked);
    wsk_run_free(whole);
}

/* Adds to *shared the number of throttle reasons that held for a part of some tick, but never for a whole tick. */
static void throttling_agrees(const wsk_rig *rig, double seconds, const char *what, int *shared)
{
    static const struct {
        const char *name;
        wsk_var row;
        int order[2]; /* one or two indices into throttle_ns (values of wsk_cause) whose times belong to the reason */
    } reasons[] = {{"throttle_power", WSK_VAR_CARD_THROTTLE_POWER, {0, 0}},
                   {"throttle_thermal", WSK_VAR_CARD_THROTTLE_THERMAL, {1, 1}},
                   {"throttle_hw", WSK_VAR_CARD_THROTTLE_HW, {2, 4}},
                   {"throttle_memory", WSK_VAR_CARD_THROTTLE_MEMORY, {3, 3}}};
    wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, seconds);
    wsk_test_advance(run, seconds);
    for (int i = 0; i < run->net->n_card; i++)
        for (int k = 0; k < 4; k++) {
            const wsk_card_state *s = &run->cards[i];
            const int *at = reasons[k].order;
            double told_s = (double)(s->throttle_ns[at[0]] + (at[0] != at[1] ? s->throttle_ns[at[1]] : 0)) / 1e9,
                   seen_s = wsk_var_mean(run, reasons[k].row, i) * seconds,
                   most = wsk_var_high(run, reasons[k].row, i);
            if (!(fabs(told_s - seen_s) <= 1e-6 * seconds))
                fail_msg("%s, %s: %s for %.6f s by the summary, %.6f s by the series", what, run->net->cards[i].id,
                         reasons[k].name, told_s, seen_s);
            assert_true(most <= 1);
            *shared += most > 0.001 && most < 0.999;
        }
    wsk_run_free(run);
}

static void test_throttling(void **state)
{
    (void)state;
    static const char *const paths[] = {"scenarios/quad-3090-blower/rig.xml", "scenarios/home-100v-jp/four-100v.xml",
                                        "scenarios/v100-memory/rig.xml"};
    int shared = 0;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        wsk_rig *rig = wsk_test_rig_file(paths[i]);
        throttling_agrees(rig, 4 * 3600 + 31, paths[i], &shared);
        wsk_rig_free(rig);
    }
    wsk_rig *rig = NULL;
    const char *const sets[] = {"workload.load-curve=0h:50%", "gpu[*].power-limit=250W"};
    assert_int_equal(wsk_rig_load(&rig, &(wsk_rig_options){.path = "scenarios/time-of-use-night/always.xml",
                                                           .parts_dir = "parts",
                                                           .sets = sets,
                                                           .set_count = 2}),
                     WSK_OK);
    throttling_agrees(rig, 3600, "half the load", &shared);
    wsk_rig_free(rig);
    /* enough of the reasons hold for only a part of a tick, because the card waits or idles for the rest of it */
    assert_true(shared > 2);
}

static void test_scenarios(void **state)
{
    (void)state;
    static const char *const paths[] = {"scenarios/quad-3090-blower/rig.xml",
                                        "scenarios/water-3090/rig.xml",
                                        "scenarios/h100-4u/rig.xml",
                                        "scenarios/home-100v-jp/rig.xml",
                                        "scenarios/fan-dies/blower.xml",
                                        "scenarios/redundant-8gpu/rig.xml",
                                        "scenarios/time-of-use-night/night.xml",
                                        "scenarios/sxm-air-vs-liquid/liquid.xml"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        wsk_rig *rig = NULL;
        assert_int_equal(wsk_rig_load(&rig, &(wsk_rig_options){.path = paths[i], .parts_dir = "parts"}), WSK_OK);
        compare(rig, 2 * 3600 + 77, paths[i]);
        wsk_rig_free(rig);
    }
}

static void test_handles_find_their_variables(void **state)
{
    (void)state;
    for (int seed = 0; seed < wsk_test_cases(100, 10); seed++) {
        wsk_rig *rig = wsk_test_random(&(wsk_random_rig_spec){.seed = 26011 + (uint64_t)seed});
        wsk_run *run = wsk_test_run(rig, WSK_STEPPER_FAST, 600);
        const wsk_variables *v = run->variables;
        const bool whole = wsk_test_try(run, 300);
        for (int i = 0; i < run->net->n_card; i++) {
            const wsk_card *c = &run->net->cards[i];
            char name[80];
            snprintf(name, sizeof name, "%s.memory_c", c->id);
            const int at = wsk_variable_at(v, WSK_VAR_CARD_MEMORY_C, i);
            assert_string_equal(v->all[at].name, name);
            wsk_var row;
            int which;
            assert_true(wsk_variable_named(run->net, name, &row, &which));
            assert_int_equal(at, wsk_variable_at(v, row, which));
            assert_int_equal(v->all[at].node, c->memory);
            if (whole)
                assert_near(run->observer->value[at], run->t[c->memory] - WSK_KELVIN, 1e-9);
        }
        for (int i = 0; i < run->net->n_case; i++)
            assert_true((wsk_variable_at(v, WSK_VAR_CASE_CPU_C, i) < 0) == (run->net->cases[i].cpu == NULL));
        const int cost = wsk_variable_at(v, WSK_VAR_COST, 0);
        assert_true((cost < 0) == (run->net->tariff == NULL));
        assert_true(cost >= 0 || isnan(wsk_var_mean(run, WSK_VAR_COST, 0)));
        for (int k = 0; k < v->n; k++)
            assert_true((v->all[k].node >= 0) == (strcmp(v->all[k].row->unit, "degC") == 0));
        wsk_run_free(run);
        wsk_rig_free(rig);
    }
}

static wsk_run *start(const wsk_rig *rig, bool ready)
{
    const wsk_run_options o = {.duration_s = 900, .ready = ready};
    wsk_run *run = NULL;
    assert_int_equal(wsk_run_new(&run, rig, &o), WSK_OK);
    return run;
}

static double value_of(const wsk_run *run, wsk_var variable, int i)
{
    return wsk_run_value(run, variable, (size_t)i);
}

/* Before the first step a run that is `ready` has the powers that the first step finds, and no energy yet. */
static void starts_as_it_goes_on(const wsk_run *ready, wsk_run *plain, const char *what)
{
    assert_near(value_of(plain, WSK_VAR_WALL_W, 0), 0, 0);
    wsk_test_advance(plain, 1);
    if (!(fabs(value_of(ready, WSK_VAR_WALL_W, 0) / value_of(plain, WSK_VAR_WALL_W, 0) - 1) < 0.05))
        fail_msg("%s: %g W, then %g W", what, value_of(ready, WSK_VAR_WALL_W, 0), value_of(plain, WSK_VAR_WALL_W, 0));
    assert_near(value_of(ready, WSK_VAR_ENERGY_KWH, 0), 0, 0);
    assert_near(wsk_run_time(ready), 0, 0);
    for (int i = 0; i < plain->net->n_card; i++) {
        const double power = value_of(plain, WSK_VAR_CARD_POWER_W, i);
        assert_near(value_of(ready, WSK_VAR_CARD_POWER_W, i), power, 0.05 * power);
        assert_near(value_of(ready, WSK_VAR_CARD_UTILISATION, i), value_of(plain, WSK_VAR_CARD_UTILISATION, i), 0.05);
        assert_near(value_of(ready, WSK_VAR_CARD_ENERGY_J, i), 0, 0);
    }
    for (int i = 0; i < plain->net->n_circuit; i++)
        assert_true((value_of(ready, WSK_VAR_LOOP_FLOW_LPM, i) > 0) ==
                    (value_of(plain, WSK_VAR_LOOP_FLOW_LPM, i) > 0));
}

static void same_state(wsk_run *a, wsk_run *b, const char *what)
{
    size_t len[2];
    char *bytes[] = {wsk_test_save(a, &len[0]), wsk_test_save(b, &len[1])}, *events[2];
    assert_int_equal(wsk_run_events_csv(a, false, &events[0]), WSK_OK);
    assert_int_equal(wsk_run_events_csv(b, false, &events[1]), WSK_OK);
    if (len[0] != len[1] || memcmp(bytes[0], bytes[1], len[0]) != 0)
        fail_msg("%s: other states", what);
    assert_string_equal(events[0], events[1]);
    for (int i = 0; i < 2; i++) {
        wsk_text_free(bytes[i]);
        wsk_text_free(events[i]);
    }
}

/* The look at the start changes nothing: not what is saved there, nor what is set there, nor what follows. */
static void test_a_ready_run(void **state)
{
    (void)state;
    static const char *const rigs[] = {"scenarios/water-3090/rig.xml",     "scenarios/quad-3090-blower/rig.xml",
                                       "scenarios/redundant-8gpu/rig.xml", "scenarios/two-circuits/rig.xml",
                                       "scenarios/single-3090/rig.xml",    "scenarios/fan-dies/server-one.xml"};
    for (size_t i = 0; i < sizeof rigs / sizeof *rigs; i++)
        for (int set = 0; set < 2; set++) {
            wsk_rig *rig = wsk_test_rig_file(rigs[i]);
            wsk_run *plain = start(rig, false), *ready = start(rig, true);
            same_state(plain, ready, rigs[i]);
            for (int k = 0; k < 2; k++) {
                wsk_run *run = k ? ready : plain;
                const char *id = plain->net->cards[0].id;
                char name[80];
                snprintf(name, sizeof name, "%s.power_limit_w", id);
                if (set)
                    assert_int_equal(wsk_run_set(run, name, plain->net->cards[0].limit_min_w), WSK_OK);
            }
            same_state(plain, ready, rigs[i]);
            starts_as_it_goes_on(ready, plain, rigs[i]);
            wsk_test_advance(plain, 900);
            wsk_test_advance(ready, 0);
            assert_true(value_of(ready, WSK_VAR_WALL_W, 0) > 0);
            wsk_test_advance(ready, 900);
            same_state(plain, ready, rigs[i]);
            wsk_run_free(plain);
            wsk_test_drop(ready, rig);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scenarios), cmocka_unit_test(test_throttling),
                                       cmocka_unit_test(test_handles_find_their_variables),
                                       cmocka_unit_test(test_a_ready_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
