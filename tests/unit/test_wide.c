/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The vectorised loops give the same bits as plain loops, for every length. */
#include "sim/num/wide.h"

#include <math.h>
#include <string.h>

#include "sim/base/base.h"
#include "tests/unit/assert.h"

enum { MOST = 40 };

static void fill(double *v, uint64_t seed)
{
    for (int i = 0; i < MOST; i++)
        v[i] = 200 * wsk_random(seed, 1, (uint64_t)i) - 100;
}

static void test_extremes_are_widened(void **state)
{
    (void)state;
    for (int n = 0; n <= MOST; n++) {
        double least[MOST], most[MOST], low[2][MOST], high[2][MOST];
        fill(least, 11);
        fill(most, 12);
        for (int k = 0; k < 2; k++) {
            fill(low[k], 13);
            fill(high[k], 14);
        }
        wsk_widen(n, least, most, low[0], high[0]);
        for (int i = 0; i < n; i++) {
            low[1][i] = fmin(low[1][i], least[i]);
            high[1][i] = fmax(high[1][i], most[i]);
        }
        assert_memory_equal(low[0], low[1], sizeof low[0]);
        assert_memory_equal(high[0], high[1], sizeof high[0]);
    }
}

static void test_sums_over_time(void **state)
{
    (void)state;
    for (int n = 0; n <= MOST; n++) {
        double v[MOST], sum[2][MOST];
        fill(v, 5);
        fill(sum[0], 6);
        memcpy(sum[1], sum[0], sizeof sum[0]);
        wsk_sum_over_time(n, v, 17.3, 0.7, sum[0]);
        for (int i = 0; i < n; i++)
            sum[1][i] += (v[i] - 17.3) * 0.7;
        assert_memory_equal(sum[0], sum[1], sizeof sum[0]);
    }
}

/* wsk_sum_over_times() and wsk_add_often() give the same bits as adding a value `times` times, one addition after the
 * other. */
static void test_often_is_so_many_times(void **state)
{
    (void)state;
    for (int n = 0; n <= MOST - WSK_FOUR; n++)
        for (int64_t times = 0; times < 70; times += 23) {
            double x[MOST], sum[2][MOST], comp[MOST];
            wsk_sum plain[MOST];
            fill(x, 8);
            fill(sum[0], 9);
            fill(comp, 10);
            memcpy(sum[1], sum[0], sizeof sum[0]);
            for (int i = 0; i < n; i++) {
                plain[i] = (wsk_sum){sum[0][i] * 1e9, comp[i] * 1e-9};
                for (int64_t k = 0; k < times; k++) {
                    wsk_sum_add(&plain[i], x[i]);
                    sum[1][i] += x[i] * 0.7;
                }
            }
            wsk_sum_over_times(n, x, 0.7, times, sum[0]);
            assert_memory_equal(sum[0], sum[1], sizeof sum[0]);
            fill(sum[0], 9);
            for (int i = 0; i < n; i++) {
                sum[0][i] *= 1e9;
                comp[i] *= 1e-9;
            }
            wsk_add_often(n, x, times, sum[0], comp);
            for (int i = 0; i < n; i++)
                assert_true(sum[0][i] == plain[i].sum && comp[i] == plain[i].comp);
        }
}

/* Result of wsk_within() for n numbers, all 25 except x at index `at`, and the range 0 to 50. at >= n: x is behind
 * the numbers that are checked. */
static bool within(int n, int at, double x)
{
    double v[MOST], high[MOST];
    for (int i = 0; i < MOST; i++) {
        v[i] = i == at ? x : 25;
        high[i] = 50;
    }
    return wsk_within(n, v, 0, high);
}

static void test_bounds_are_seen_anywhere(void **state)
{
    (void)state;
    const double bad[] = {-1, 0, 50, 51, NAN, INFINITY, -INFINITY};
    for (int n = 0; n <= MOST; n++)
        for (int at = 0; at < MOST; at++) {
            assert_true(within(n, at, 25));
            for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
                assert_int_equal(within(n, at, bad[k]), at >= n);
        }
}

/* wsk_between() is the range check in which each element has its own bounds. */
static void test_own_bounds_are_seen_anywhere(void **state)
{
    (void)state;
    const double bad[] = {-1, 0, 50, 51, NAN, INFINITY, -INFINITY};
    for (int n = WSK_FOUR; n <= 3 * WSK_FOUR; n += WSK_FOUR)
        for (int at = 0; at < 3 * WSK_FOUR; at++)
            for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
                double v[3 * WSK_FOUR], low[3 * WSK_FOUR], high[3 * WSK_FOUR];
                for (int i = 0; i < 3 * WSK_FOUR; i++) {
                    low[i] = i;
                    high[i] = i + 50;
                    v[i] = i + 25;
                }
                assert_true(wsk_between(n, v, low, high));
                v[at] = at + bad[k];
                assert_int_equal(wsk_between(n, v, low, high), at >= n);
                low[at] = -INFINITY;
                high[at] = INFINITY;
                assert_int_equal(wsk_between(n, v, low, high), at >= n || isfinite(bad[k]));
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_extremes_are_widened), cmocka_unit_test(test_sums_over_time),
        cmocka_unit_test(test_often_is_so_many_times), cmocka_unit_test(test_bounds_are_seen_anywhere),
        cmocka_unit_test(test_own_bounds_are_seen_anywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
