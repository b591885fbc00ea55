/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "sim/num/curve.h"
#include "sim/num/lsq.h"
#include "sim/num/lu.h"
#include "sim/num/root.h"
#include "tests/unit/assert.h"

static void test_phi_scalar(void **state)
{
    (void)state;
    const double zs[] = {-1e-9, -0.0137, -0.5, -2.385, -17.3, -240.7};
    for (size_t i = 0; i < sizeof zs / sizeof *zs; i++) {
        double z = zs[i], p1, p2, e = expm1(z);
        wsk_phi(1, &z, &p1, &p2);
        assert_rel(p1, e / z, 1e-13);
        if (fabs(z) > 1e-3)
            assert_rel(p2, (e - z) / (z * z), 1e-12);
        else
            assert_rel(p2, 0.5 + z / 6, 1e-13);
    }
}

/* phi1(z) = (e^z - 1)/z and phi2(z) = (e^z - 1 - z)/z^2 of matrices whose e^z is known in closed form: a rotation
 * and a nilpotent matrix. */
static void test_phi_matrix(void **state)
{
    (void)state;
    const double w = 1.37, z[4] = {0, w, -w, 0};
    double p1[4], p2[4];
    wsk_phi(2, z, p1, p2);
    assert_rel(p1[0], sin(w) / w, 1e-14);
    assert_rel(p1[1], (1 - cos(w)) / w, 1e-14);
    assert_rel(p2[0], (1 - cos(w)) / (w * w), 1e-14);
    assert_rel(p2[1], (w - sin(w)) / (w * w), 1e-13);
    const double nil[9] = {0, 3, 5, 0, 0, 7, 0, 0, 0};
    double q1[9], q2[9];
    wsk_phi(3, nil, q1, q2);
    assert_rel(q1[1], 1.5, 1e-14);
    assert_rel(q1[2], 2.5 + 21.0 / 6, 1e-14);
    assert_rel(q2[2], 5.0 / 6 + 21.0 / 24, 1e-14);
}

static void test_lu_random(void **state)
{
    (void)state;
    wsk_arena *arena = wsk_arena_new();
    assert_non_null(arena);
    for (uint64_t seed = 1; seed <= 60; seed++) {
        int n = 1 + (int)(wsk_random(seed, 0, 0) * 40);
        unsigned char pattern[1600] = {0};
        double a[1600] = {0}, x[40], b[40], work[40];
        for (int i = 0; i < n; i++) {
            double sum = 0.3;
            for (int j = 0; j < n; j++)
                if (i != j && wsk_random(seed, (uint64_t)i, (uint64_t)j + 1) < 0.12) {
                    pattern[i * n + j] = 1;
                    a[i * n + j] = -wsk_random(seed, (uint64_t)i + 100, (uint64_t)j);
                    sum -= a[i * n + j];
                }
            a[i * n + i] = sum;
            x[i] = 10 * wsk_random(seed, 7, (uint64_t)i) - 5;
        }
        const wsk_lu *lu = wsk_lu_analyse(arena, n, pattern);
        assert_non_null(lu);
        double *v = wsk_alloc(arena, (size_t)lu->nnz * sizeof *v), *w = wsk_alloc(arena, (size_t)lu->nnz * sizeof *w);
        for (int i = 0; i < n; i++) {
            b[i] = 0;
            for (int j = 0; j < n; j++) {
                b[i] += a[i * n + j] * x[j];
                if (a[i * n + j] != 0) {
                    assert_true(wsk_lu_place(lu, i, j) >= 0);
                    v[wsk_lu_place(lu, i, j)] = a[i * n + j];
                }
            }
        }
        assert_true(wsk_lu_factor(lu, v));
        wsk_lu_solve(lu, v, b, work);
        for (int i = 0; i < n; i++)
            assert_near(b[i], x[i], 1e-11);
    }
    wsk_arena_free(arena);
}

static void test_lu_singular(void **state)
{
    (void)state;
    wsk_arena *arena = wsk_arena_new();
    const unsigned char pattern[4] = {1, 1, 1, 1};
    const wsk_lu *lu = wsk_lu_analyse(arena, 2, pattern);
    double v[4] = {0};
    assert_non_null(lu);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            v[wsk_lu_place(lu, i, j)] = 1;
    assert_false(wsk_lu_factor(lu, v));
    wsk_arena_free(arena);
}

/* For a diagonally dominant matrix with pivots in random order, A times its inverse is the identity, and the padding
 * behind row n of each column stays 0. */
static void test_inverse(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        const int n = 1 + (int)(wsk_random(seed, 0, 0) * WSK_INVERSE_MAX), rows = wsk_inverse_rows(n);
        double a[WSK_INVERSE_MAX * WSK_INVERSE_MAX] = {0}, inverse[WSK_INVERSE_MAX * WSK_INVERSE_MAX];
        int order[WSK_INVERSE_MAX];
        assert_true(rows >= n && rows <= WSK_INVERSE_MAX && rows % 4 == 0);
        for (int i = 0; i < n; i++) {
            const int k = (int)(wsk_random(seed, 3, (uint64_t)i) * (i + 1));
            order[i] = order[k];
            order[k] = i;
            a[i * rows + i] = 0.3;
            for (int j = 0; j < n; j++)
                if (i != j && wsk_random(seed, (uint64_t)i, (uint64_t)j + 1) < 0.4) {
                    a[j * rows + i] = -wsk_random(seed, (uint64_t)i + 100, (uint64_t)j);
                    a[i * rows + i] -= a[j * rows + i];
                }
        }
        memcpy(inverse, a, sizeof a);
        assert_true(wsk_invert(n, order, inverse));
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int k = 0; k < n; k++)
                    sum += a[k * rows + i] * inverse[j * rows + k];
                assert_near(sum, i == j, 1e-11);
                assert_true(i < n || inverse[j * rows + i] == 0);
            }
    }
    double singular[16] = {1, 1, 0, 0, 0, 0, 0, 0, 1, 1};
    assert_false(wsk_invert(2, (const int[]){1, 0}, singular));
}

static double dice(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state / 4294967296.0;
}

static void test_curve_is_monotone(void **state)
{
    (void)state;
    unsigned seed = 2385;
    for (int trial = 0; trial < 500; trial++) {
        enum { N = 7 };
        double x[N], y[N], m[N], at = 0;
        for (int i = 0; i < N; i++) {
            x[i] = at += 0.01 + dice(&seed);
            y[i] = i && dice(&seed) < 0.2 ? y[i - 1] : dice(&seed);
        }
        wsk_monotone_slopes(N, x, y, m);
        for (int i = 0; i + 1 < N; i++) {
            double last = wsk_cubic_at(x + i, y + i, m + i, x[i]), rise = y[i + 1] - y[i];
            assert_rel(last, y[i], 1e-15);
            for (int k = 1; k <= 50; k++) {
                double now = wsk_cubic_at(x + i, y + i, m + i, x[i] + k / 50.0 * (x[i + 1] - x[i]));
                assert_true((now - last) * rise >= -1e-14);
                last = now;
            }
        }
    }
}

static void test_curve_keeps_lines(void **state)
{
    (void)state;
    const double x[] = {0.3, 1, 1.7, 4}, y[] = {2.385 * 0.3 - 1, 2.385 - 1, 2.385 * 1.7 - 1, 2.385 * 4 - 1};
    double m[4];
    wsk_monotone_slopes(4, x, y, m);
    for (int i = 0; i < 4; i++)
        assert_rel(m[i], 2.385, 1e-14);
}

static double error_of(int n, const double *x, const double *y, const double *c)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double e = (c[0] + (c[1] + c[2] * x[i]) * x[i]) / y[i] - 1;
        sum += e * e;
    }
    return sum;
}

/* The fit keeps its coefficients >= 0. If such coefficients fit the points exactly, it finds them; otherwise no small
 * change of the coefficients, kept >= 0, gives a smaller error. */
static void test_fit_under_bounds(void **state)
{
    (void)state;
    const double x[] = {0.1, 0.2, 0.5, 1};
    unsigned seed = 41;
    for (int trial = 0; trial < 500; trial++) {
        double c[4] = {[3] = 17}, y[4], exact[3] = {dice(&seed), dice(&seed), dice(&seed)};
        for (int i = 0; i < 4; i++)
            y[i] = exact[0] + (exact[1] + exact[2] * x[i]) * x[i];
        wsk_fit_quadratic(4, x, y, c);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(c[k] - exact[k]) < 1e-10);
        for (int i = 0; i < 4; i++)
            y[i] = 0.01 + dice(&seed);
        wsk_fit_quadratic(4, x, y, c);
        /* The function writes only the three coefficients before this one. */
        assert_true(c[3] == 17);
        double least = error_of(4, x, y, c);
        for (int step = 0; step < 100; step++) {
            double other[3];
            for (int k = 0; k < 3; k++)
                other[k] = fmax(c[k] + (dice(&seed) - 0.5) * 1e-3, 0);
            assert_true(c[0] >= 0 && c[1] >= 0 && c[2] >= 0 && error_of(4, x, y, other) >= least * (1 - 1e-12));
        }
    }
}

static double power_less(double x, void *of)
{
    const double *c = of; /* exponent, value */
    return pow(x, c[0]) - c[1];
}

static double step_at(double x, void *of)
{
    return x < *(const double *)of ? -1 : 1;
}

static double gap(double x, void *of)
{
    return x > 0.2 && x < 0.9 ? NAN : x - *(const double *)of;
}

static void test_root(void **state)
{
    (void)state;
    const double ends[][2] = {{0, 2}, {1, 1e6}, {0, 1e12}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        for (double exponent = 1; exponent < 5; exponent++) {
            double c[] = {exponent, 1.7};
            const double x = wsk_root(power_less, c, ends[i][0], ends[i][1]);
            assert_true(fabs(x - pow(1.7, 1 / exponent)) <= 3e-12 * ends[i][1]);
        }
    double at = 0.3, none = -1;
    assert_true(fabs(wsk_root(step_at, &at, 0, 1) - 0.3) <= 2e-12);
    /* the same sign at both ends, a root at an end, a place without a value */
    assert_true(wsk_root(power_less, (double[]){1, 9}, 1, 4) == 4);
    assert_true(wsk_root(power_less, (double[]){1, -9}, 1, 4) == 1);
    assert_true(wsk_root(power_less, (double[]){2, 9}, 1, 3) == 3);
    assert_true(wsk_root(power_less, (double[]){2, 1}, 1, 3) == 1);
    at = 0.5;
    const double inside = wsk_root(gap, &at, 0, 1);
    assert_true(inside >= 0 && inside <= 1);
    assert_true(wsk_root(gap, &none, 0, 0.1) == 0);
    assert_true(isfinite(wsk_root(gap, &none, 0.5, 1)));
}

/* Values of the normal distribution to 16 digits: Abramowitz and Stegun, table 26.5, and erfc. */
static void test_normal_quantile(void **state)
{
    (void)state;
    assert_rel(wsk_normal_quantile(0.9), 1.2815515655446004, 1e-14);
    assert_rel(wsk_normal_quantile(0.975), 1.9599639845400545, 1e-14);
    assert_true(fabs(wsk_normal_quantile(0.5)) < 1e-15);
    assert_true(wsk_normal_quantile(0) == -INFINITY && wsk_normal_quantile(1) == INFINITY);
    for (double p = 0.001; p < 0.9995; p += 0.001)
        assert_rel(0.5 * erfc(-wsk_normal_quantile(p) / sqrt(2)), p, 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_phi_scalar),
                                       cmocka_unit_test(test_phi_matrix),
                                       cmocka_unit_test(test_lu_random),
                                       cmocka_unit_test(test_lu_singular),
                                       cmocka_unit_test(test_inverse),
                                       cmocka_unit_test(test_curve_is_monotone),
                                       cmocka_unit_test(test_curve_keeps_lines),
                                       cmocka_unit_test(test_fit_under_bounds),
                                       cmocka_unit_test(test_root),
                                       cmocka_unit_test(test_normal_quantile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
