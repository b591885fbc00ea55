/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kriging is an interpolation that also states its standard deviation. */
#include <math.h>

#include "sim/num/kriging.h"
#include "tests/unit/assert.h"

enum { N = 25, DIMS = 2 };

static void lay_out(double x[N * DIMS])
{
    for (int i = 0; i < N; i++) {
        x[2 * i] = (i % 5) / 4.;
        x[2 * i + 1] = (i / 5) / 4.;
    }
}

static void test_plane(void **state)
{
    (void)state;
    wsk_arena *arena = wsk_arena_new();
    double x[N * DIMS], y[N], work[2 * N], mean, sd;
    wsk_kriging k;
    wsk_kriged f;
    lay_out(x);
    for (int i = 0; i < N; i++)
        y[i] = 100 + 7 * x[2 * i] - 3 * x[2 * i + 1];
    assert_true(wsk_kriging_make(&k, arena, x, N, DIMS) && wsk_kriging_fit(&k, arena, y, &f));
    for (double a = 0.05; a < 1; a += 0.1) {
        wsk_kriging_at(&k, &f, (double[]){a, 1 - a * a}, work, &mean, &sd);
        assert_true(fabs(mean - (100 + 7 * a - 3 * (1 - a * a))) < 0.02);
    }
    wsk_arena_free(arena);
}

static void test_wave(void **state)
{
    (void)state;
    wsk_arena *arena = wsk_arena_new();
    double x[N * DIMS], y[N], work[2 * N], mean, sd;
    wsk_kriging k;
    wsk_kriged f;
    lay_out(x);
    for (int i = 0; i < N; i++)
        y[i] = sin(3 * x[2 * i]) * cos(2 * x[2 * i + 1]);
    assert_true(wsk_kriging_make(&k, arena, x, N, DIMS) && wsk_kriging_fit(&k, arena, y, &f));
    for (int i = 0; i < N; i++) {
        wsk_kriging_at(&k, &f, &x[2 * i], work, &mean, &sd);
        assert_true(fabs(mean - y[i]) < 0.02 && sd < 0.05);
    }
    for (double a = 0.1; a < 1; a += 0.13) {
        wsk_kriging_at(&k, &f, (double[]){a, 0.6 * a + 0.07}, work, &mean, &sd);
        assert_true(sd > 0 && fabs(mean - sin(3 * a) * cos(2 * (0.6 * a + 0.07))) < 4 * sd + 0.01);
    }
    double near = sd;
    wsk_kriging_at(&k, &f, (double[]){3, 3}, work, &mean, &sd);
    assert_true(sd > 3 * near);
    wsk_arena_free(arena);
}

static void test_little(void **state)
{
    (void)state;
    wsk_arena *arena = wsk_arena_new();
    const double x[] = {0.5, 0.5, 0.1}, y[] = {4, 4, 4};
    double work[6], mean, sd;
    wsk_kriging k;
    wsk_kriged f;
    for (size_t n = 1; n <= 3; n++) {
        assert_true(wsk_kriging_make(&k, arena, x, n, 1) && wsk_kriging_fit(&k, arena, y, &f));
        wsk_kriging_at(&k, &f, (double[]){0.9}, work, &mean, &sd);
        assert_true(fabs(mean - 4) < 1e-9 && sd >= 0);
    }
    wsk_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plane), cmocka_unit_test(test_wave),
                                       cmocka_unit_test(test_little)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
