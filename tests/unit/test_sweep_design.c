/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/kit/files.c"
#include "cli/kit/json.c"
#include "cli/kit/locale.c"
#include "cli/kit/options.c"
#include "cli/kit/text.c"
#include "cli/kit/vary.c"
#include "cli/sweep/axes.c"
#include "cli/sweep/columns.c"

static void test_latin_hypercube(void **state)
{
    (void)state;
    enum { N = 257, D = 5 };
    double *u = wsk_cli_alloc(N * D * sizeof *u), *again = wsk_cli_alloc(N * D * sizeof *u);
    for (uint64_t seed = 0; seed < 20; seed++) {
        assert_int_equal(wsk_design_points(WSK_DESIGN_LHS, seed, N, D, u), WSK_OK);
        for (size_t d = 0; d < D; d++) {
            unsigned char hit[N] = {0};
            for (size_t i = 0; i < N; i++) {
                double x = u[i * D + d];
                assert_true(x >= 0 && x < 1);
                hit[(size_t)(x * N)]++;
            }
            for (size_t k = 0; k < N; k++)
                assert_int_equal(hit[k], 1);
        }
        assert_int_equal(wsk_design_points(WSK_DESIGN_LHS, seed, N, D, again), WSK_OK);
        assert_memory_equal(u, again, N * D * sizeof *u);
        wsk_design_points(WSK_DESIGN_LHS, seed + 1, N, D, again);
        assert_memory_not_equal(u, again, N * D * sizeof *u);
    }
    free(u);
    free(again);
}

/* The Sobol sequence is used without its first point, 0. Of its first 2^k points, 0 included, each of 2^k equal
 * intervals of a dimension holds exactly one. A seed shifts all points of a dimension by the same number, modulo
 * 1. */
static void test_sobol(void **state)
{
    (void)state;
    static const double first[7][2] = {{0.5, 0.5},     {0.75, 0.25},   {0.25, 0.75},  {0.375, 0.375},
                                       {0.875, 0.875}, {0.625, 0.125}, {0.125, 0.625}};
    enum { N = 1023, D = 4 };
    double *u = wsk_cli_alloc(N * D * sizeof *u), *shifted = wsk_cli_alloc(N * D * sizeof *u);
    assert_int_equal(wsk_design_points(WSK_DESIGN_SOBOL, 0, 7, 2, u), WSK_OK);
    assert_memory_equal(u, first, sizeof first);
    assert_int_equal(wsk_design_points(WSK_DESIGN_SOBOL, 0, N, D, u), WSK_OK);
    assert_int_equal(wsk_design_points(WSK_DESIGN_SOBOL, 7, N, D, shifted), WSK_OK);
    for (size_t d = 0; d < D; d++) {
        unsigned char hit[N + 1] = {1}; /* point 0, which the sequence leaves out, would be in interval 0 */
        double by = shifted[d] - u[d] + (shifted[d] < u[d]);
        for (size_t i = 0; i < N; i++) {
            hit[(size_t)(u[i * D + d] * (N + 1))]++;
            double x = u[i * D + d] + by;
            assert_true(fabs(shifted[i * D + d] - (x < 1 ? x : x - 1)) < 1e-12);
            assert_true(shifted[i * D + d] >= 0 && shifted[i * D + d] < 1);
        }
        for (size_t k = 0; k <= N; k++)
            assert_int_equal(hit[k], 1);
    }
    assert_int_equal(wsk_design_points(WSK_DESIGN_SOBOL, 0, 1, 0, u), WSK_EUSAGE);
    assert_int_equal(wsk_design_points(WSK_DESIGN_SOBOL, 0, 1, WSK_DESIGN_DIMENSIONS + 1, u), WSK_EUSAGE);
    free(u);
    free(shifted);
}

static bool lay_out(wsk_sweep_design *d, size_t sample, const char *a, const char *b)
{
    wsk_cli_list vary = {0};
    *d = (wsk_sweep_design){0};
    wsk_cli_push(&vary, a);
    if (b)
        wsk_cli_push(&vary, b);
    bool ok = wsk_sweep_lay_out(d, &vary, sample, WSK_DESIGN_LHS, 3);
    free(vary.items);
    return ok;
}

static void is(const wsk_sweep_design *d, size_t member, size_t i, const char *want)
{
    char *got = wsk_sweep_value(d, member, i);
    assert_string_equal(got, want);
    free(got);
}

static void test_every_combination(void **state)
{
    (void)state;
    wsk_sweep_design d;
    assert_true(lay_out(&d, 0, "gpu.limit=200W:300W:50W", "psu=psu/a,psu/b"));
    assert_int_equal(d.cases, 6);
    static const char *const want[6][2] = {{"200W", "psu/a"}, {"200W", "psu/b"}, {"250W", "psu/a"},
                                           {"250W", "psu/b"}, {"300W", "psu/a"}, {"300W", "psu/b"}};
    for (size_t i = 0; i < 6; i++) {
        is(&d, 0, i, want[i][0]);
        is(&d, 1, i, want[i][1]);
    }
    /* before a rig is loaded it is unknown which attributes are numbers, so every value is to be checked */
    assert_true(!d.members[0].number && wsk_sweep_telling(&d, 0, 1));
    wsk_sweep_take_targets(&d.members[0], "gpu0.limit number /gpu0.limit\ngpu1.limit number /gpu1.limit\n");
    wsk_sweep_take_targets(&d.members[1], "psu0.part text /psu0.part\n");
    assert_true(d.members[0].number && !d.members[1].number);
    assert_string_equal(d.members[0].unit, "W");
    /* Levels that show what an axis changes in a rig: of numbers only the two ends of the range, of names of parts
     * all. */
    assert_true(wsk_sweep_telling(&d, 0, 0) && !wsk_sweep_telling(&d, 0, 1) && wsk_sweep_telling(&d, 0, 2));
    assert_true(wsk_sweep_telling(&d, 1, 0) && wsk_sweep_telling(&d, 1, 1));
    wsk_sweep_design_free(&d);
}

static void test_linked(void **state)
{
    (void)state;
    wsk_sweep_design d;
    assert_true(lay_out(&d, 0, "a=1,2,3&b=10W:30W:10W", "c=x,y"));
    assert_int_equal(d.cases, 6);
    is(&d, 0, 4, "3");
    is(&d, 1, 4, "30W");
    is(&d, 2, 4, "x");
    wsk_sweep_design_free(&d);
    assert_false(lay_out(&d, 0, "a=1,2&b=1,2,3", NULL));
    wsk_sweep_design_free(&d);
    assert_true(lay_out(&d, 0, "a=1,2&b=3,4", "c=5,6"));
    wsk_sweep_take_targets(&d.members[0], "x0.a number /x0.a\nx1.a number /x1.a\n");
    wsk_sweep_take_targets(&d.members[2], "x10.a number /x10.a\nx1.ab number /x1.ab\n");
    assert_true(wsk_sweep_apart(&d, true));
    wsk_sweep_take_targets(&d.members[1], "x2.a number /x2.a\nx9.a number /x1.a\n");
    assert_false(wsk_sweep_apart(&d, true));
    wsk_sweep_design_free(&d);
    assert_false(lay_out(&d, 0, "a=1,2&", NULL));
    wsk_sweep_design_free(&d);
    assert_false(lay_out(&d, 0, "a=1:10000:1", "b=1:10000:1"));
    wsk_sweep_design_free(&d);
}

static void test_sampled(void **state)
{
    (void)state;
    enum { N = 100 };
    wsk_sweep_design d;
    assert_true(lay_out(&d, N, "a=200W:300W&b=0%:10%", "p=x,y,z"));
    size_t seen[3] = {0};
    for (size_t i = 0; i < N; i++) {
        const char *end;
        char *a = wsk_sweep_value(&d, 0, i), *b = wsk_sweep_value(&d, 1, i), *p = wsk_sweep_value(&d, 2, i);
        double x = wsk_number_at(a, &end);
        assert_string_equal(end, "W");
        assert_true(x >= 200 && x <= 300);
        assert_true(fabs(wsk_number_at(b, &end) - (x - 200) / 10) < 1e-6);
        seen[*p - 'x']++;
        free(a);
        free(b);
        free(p);
    }
    /* 100 samples in 3 equal intervals: a sample at a border may fall on either side. */
    for (int k = 0; k < 3; k++)
        assert_true(seen[k] >= 32 && seen[k] <= 35);
    wsk_sweep_design_free(&d);
    assert_false(lay_out(&d, N, "a=200W:300W&p=x,y", NULL));
    wsk_sweep_design_free(&d);
}

static const char SUMMARY[] =
    "{ \"wattsink\": \"0\", \"rig\": \"A \\\"b\\\", c\\nd \\\\ \", \"wall_clock_s\": 1.5, \"carbon_kg\": null,"
    "  \"cost\": { \"annual\": 1e3, \"months\": [] },"
    "  \"gpus\": [ { \"id\": \"gpu0\", \"die_max_c\": 80.5, \"throttle_s\": { \"power\": 1 } },"
    "            { \"id\": \"gpu1\", \"die_max_c\": null, \"throttle_s\": { \"power\": 4 } } ],"
    "  \"psus\": [ { \"id\": \"u\", \"failed\": true } ], \"warnings\": [\"first\", \"second\"] }";

static wsk_summary *read_summary(void)
{
    wsk_summary **all, *one;
    size_t count;
    assert_int_equal(wsk_summaries_read(&all, &count, SUMMARY, strlen(SUMMARY), NULL), WSK_OK);
    one = all[0];
    wsk_summaries_free(all, 0);
    return one;
}

static void test_columns(void **state)
{
    (void)state;
    wsk_sweep_keys keys = {0};
    wsk_sweep_columns c = {0};
    wsk_summary *s = read_summary();
    char hint[160], *text = NULL;
    size_t len;
    wsk_sweep_learn(&keys, s);
    static const char *const known[] = {
        "gpus.die_max_c", "mean(gpus.throttle_s.power)", "wall_clock_s", "npv", "cost.months[2].cost",
        "failure.at_s",   "gpus[1].intake.case"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(wsk_sweep_known(&keys, known[i], hint, sizeof hint));
    static const char *const unknown[] = {
        "gpus[2].die_max_c",   "fans[0].rpm_mean",      "gpus.part", "max(steps)", "steady", "cost", "gpus",
        "cost.periods[0].kwh", "max(gpus[0].die_max_c)"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_false(wsk_sweep_known(&keys, unknown[i], hint, sizeof hint));
    assert_false(wsk_sweep_known(&keys, "cost.anual", hint, sizeof hint));
    assert_non_null(strstr(hint, "'cost.annual'"));
    static const char *const names[] = {"rig",
                                        "cost.annual",
                                        "gpus[1].die_max_c",
                                        "gpus.die_max_c",
                                        "mean(gpus.throttle_s.power)",
                                        "sum(gpus.throttle_s.power)",
                                        "min(gpus.throttle_s.power)",
                                        "psus.failed",
                                        "carbon_kg",
                                        "npv",
                                        "cost.months[2].cost",
                                        "warnings[1]"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        wsk_sweep_add_column(&c, names[i]);
    FILE *out = open_memstream(&text, &len);
    wsk_sweep_put_values(out, &c, s);
    fclose(out);
    assert_string_equal(text,
                        "\"A \"b\", c\\nd \\\\ \n1000\nnull\n80.5\n2.5\n5\n1\ntrue\nnull\nnull\nnull\n\"second\n");
    free(text);
    wsk_sweep_columns_free(&c);
    wsk_sweep_usual_columns(&c, &keys, 1000);
    assert_true(wsk_sweep_has_column(&c, "gpus[1].die_max_c"));
    assert_true(wsk_sweep_has_column(&c, "gpus[0].id"));
    assert_false(wsk_sweep_has_column(&c, "gpus.id"));
    assert_false(wsk_sweep_has_column(&c, "wall_clock_s"));
    assert_false(wsk_sweep_has_column(&c, "verdict.text"));
    wsk_sweep_columns_free(&c);
    /* With at most 150 columns in all, there is no room for one column per card. */
    wsk_sweep_usual_columns(&c, &keys, 150);
    assert_true(wsk_sweep_has_column(&c, "gpus.die_max_c"));
    assert_false(wsk_sweep_has_column(&c, "gpus[1].die_max_c"));
    wsk_sweep_columns_free(&c);
    wsk_summary_free(s);
}

static void test_numbers_come_back(void **state)
{
    (void)state;
    static const double some[] = {
        0, 0.1, 1.0 / 3, 2.0 / 3, 1e-300, 1.7976931348623157e308, -5, 86400, 41.420788952486575, 5e-5};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        char text[32];
        const char *end;
        wsk_sweep_number(text, some[i]);
        double back = wsk_number_at(text, &end);
        assert_memory_equal(&back, &some[i], sizeof back);
    }
    char text[32];
    wsk_sweep_number(text, NAN);
    assert_string_equal(text, "null");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_latin_hypercube),   cmocka_unit_test(test_sobol),
                                       cmocka_unit_test(test_every_combination), cmocka_unit_test(test_linked),
                                       cmocka_unit_test(test_sampled),           cmocka_unit_test(test_columns),
                                       cmocka_unit_test(test_numbers_come_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
