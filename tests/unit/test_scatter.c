/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "sim/num/scatter.h"
#include "tests/unit/assert.h"

enum { N = 12, D = WSK_SCATTER_DIMS };

static double spread(int i, int k)
{
    return sin(1.7 * i + 2.9 * k) + 0.1 * i;
}

static double estimate(int n, const double *x, const double *at, double smooth, const double *value)
{
    double weight[WSK_SCATTER_POINTS], sum = 0;
    wsk_scatter_weights(n, x, at, smooth, weight);
    for (int i = 0; i < n; i++)
        sum += weight[i] * value[i];
    return sum;
}

static void test_linear_functions_are_exact(void **state)
{
    (void)state;
    double x[N * D], value[N], one[N];
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < D; k++)
            x[i * D + k] = spread(i, k);
        value[i] = 3 + 2 * x[i * D] - x[i * D + 1] + 0.5 * x[i * D + 2];
        one[i] = 1;
    }
    for (int i = 0; i < 3; i++) {
        const double at[D] = {0.3 * i, -0.2, 4.0 * i};
        for (int smooth = 0; smooth < 2; smooth++) {
            assert_near(estimate(N, x, at, smooth, value), 3 + 2 * at[0] - at[1] + 0.5 * at[2], 1e-6);
            assert_near(estimate(N, x, at, smooth, one), 1, 1e-12);
        }
    }
}

static void test_points_are_met_or_smoothed(void **state)
{
    (void)state;
    double x[N * D], value[N];
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < D; k++)
            x[i * D + k] = spread(i, k);
        value[i] = i % 2 ? 1 : -1;
    }
    assert_near(estimate(N, x, x + 4 * D, 0, value), value[4], 1e-9);
    assert_true(fabs(estimate(N, x, x + 4 * D, 1e6, value)) < 0.8);
}

static void test_smooth_function(void **state)
{
    (void)state;
    double x[WSK_SCATTER_POINTS * D] = {0}, value[WSK_SCATTER_POINTS];
    for (int i = 0; i < WSK_SCATTER_POINTS; i++) {
        x[i * D] = 0.2 * i;
        value[i] = exp(0.3 * x[i * D]);
    }
    const double at[D] = {1.53, 0, 0};
    assert_near(estimate(WSK_SCATTER_POINTS, x, at, 0, value), exp(0.3 * at[0]), 1e-5);
}

/* If all points coincide, the estimate there is the mean of their values. */
static void test_one_place(void **state)
{
    (void)state;
    double x[N * D], value[N];
    for (int i = 0; i < N * D; i++)
        x[i] = 7;
    for (int i = 0; i < N; i++)
        value[i] = i;
    const double at[D] = {7, 7, 7};
    assert_near(estimate(N, x, at, 0.1, value), 0.5 * (N - 1), 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_linear_functions_are_exact),
                                       cmocka_unit_test(test_points_are_met_or_smoothed),
                                       cmocka_unit_test(test_smooth_function), cmocka_unit_test(test_one_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
