/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fitter (maximum a posteriori) against closed forms. docs/theory/gpu.md, "Calibration" */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sim/num/fit.h"
#include "tests/unit/assert.h"

typedef struct {
    double y[6], sd;
} line;

static void line_residuals(void *user, const double *x, double *r)
{
    const line *l = user;
    for (int i = 0; i < 6; i++)
        r[i] = (x[0] + x[1] * i - l->y[i]) / l->sd;
}

/* The expected values solve the normal equations of the fit with its priors. */
static void line_is_exact(void **state)
{
    (void)state;
    line l = {{1.1, 2.9, 5.2, 6.8, 9.1, 11.0}, 2};
    const wsk_prior prior[2] = {{0.5, 0.3, -10, 10}, {3, 0.5, -10, 10}};
    const wsk_fit_problem p = {.unknowns = 2, .rows = 6, .prior = prior, .residuals = line_residuals, .user = &l};
    wsk_fit fit;
    assert_int_equal(wsk_fit_map(&p, NULL, &fit), WSK_OK);
    double a = 0, b = 0, d = 0, u = 0, v = 0, w = 1 / (l.sd * l.sd);
    for (int i = 0; i < 6; i++) {
        a += w;
        b += w * i;
        d += w * i * i;
        u += w * l.y[i];
        v += w * i * l.y[i];
    }
    a += 1 / 0.09;
    d += 1 / 0.25;
    u += 0.5 / 0.09;
    v += 3 / 0.25;
    const double det = a * d - b * b;
    assert_rel(fit.x[0], (d * u - b * v) / det, 1e-4);
    assert_rel(fit.x[1], (a * v - b * u) / det, 1e-4);
    assert_rel(fit.sd[0], sqrt(d / det), 1e-5);
    assert_rel(fit.sd[1], sqrt(a / det), 1e-5);
    assert_true(fit.noise < 1);
}

static void bounds_hold(void **state)
{
    (void)state;
    line l = {{1, 3, 5, 7, 9, 11}, 0.1};
    const wsk_prior prior[2] = {{0, 10, -10, 10}, {1, 10, 0, 1.5}};
    const wsk_fit_problem p = {.unknowns = 2, .rows = 6, .prior = prior, .residuals = line_residuals, .user = &l};
    wsk_fit fit;
    assert_int_equal(wsk_fit_map(&p, NULL, &fit), WSK_OK);
    assert_same(fit.x[1], 1.5);
    /* x0 is the mean of y - 1.5 t, because the bound holds the slope at 1.5. */
    assert_rel(fit.x[0], 6 - 1.5 * 2.5, 1e-3);
    assert_true(fit.noise > 1);
}

/* Of six rows one is wrong. Because the loss is linear beyond 3 sd, that row hardly moves the line, and the fit
 * reports its index. */
static void wrong_row_is_named(void **state)
{
    (void)state;
    line l = {{1, 3, 5, 17, 9, 11}, 0.1};
    const wsk_prior prior[2] = {{0, 100, -100, 100}, {1, 100, -100, 100}};
    wsk_fit_problem p = {.unknowns = 2, .rows = 6, .prior = prior, .residuals = line_residuals, .user = &l};
    wsk_fit plain, robust;
    assert_int_equal(wsk_fit_map(&p, NULL, &plain), WSK_OK);
    p.huber = 3;
    assert_int_equal(wsk_fit_map(&p, NULL, &robust), WSK_OK);
    assert_true(fabs(plain.x[0] + 2.5 * plain.x[1] - 6) > 1.5);
    assert_true(fabs(robust.x[0] + 2.5 * robust.x[1] - 6) < 0.3);
    assert_int_equal(robust.worst, 3);
    assert_true(robust.worst_r < -50 && plain.sd[0] > 10 * 0.1);
}

enum { MANY = WSK_FIT_UNKNOWNS };
static const double each_sd = 0.5, sum_sd = 3;

/* Each unknown is measured as 1, and their sum as their number. */
static void sum_residuals(void *user, const double *x, double *r)
{
    (void)user;
    r[MANY] = -MANY / sum_sd;
    for (int k = 0; k < MANY; k++) {
        r[k] = (x[k] - 1) / each_sd;
        r[MANY] += x[k] / sum_sd;
    }
}

/* The most unknowns that a fit may have. The inverse of a I + b 1 1^T is (I - b / (a + n b) 1 1^T) / a (Sherman and
 * Morrison). */
static void most_unknowns_are_exact(void **state)
{
    (void)state;
    const double prior_sd = 2, a = 1 / (each_sd * each_sd) + 1 / (prior_sd * prior_sd), b = 1 / (sum_sd * sum_sd),
                 shared = -b / (a + MANY * b) / a;
    wsk_prior prior[MANY];
    double start[MANY];
    for (int k = 0; k < MANY; k++) {
        prior[k] = (wsk_prior){1, prior_sd, -10, 10};
        start[k] = -3 + 0.5 * k;
    }
    const wsk_fit_problem p = {.unknowns = MANY, .rows = MANY + 1, .prior = prior, .residuals = sum_residuals};
    wsk_fit fit;
    assert_int_equal(wsk_fit_map(&p, start, &fit), WSK_OK);
    for (int k = 0; k < MANY; k++) {
        assert_near(fit.x[k], 1, 1e-4);
        assert_rel(fit.sd[k], sqrt(1 / a + shared), 1e-5);
        assert_rel(fit.apart[k], 1 / sqrt(a + b), 1e-5);
        for (int i = 0; i < MANY; i++)
            assert_rel(fit.covariance[k][i], shared + (i == k ? 1 / a : 0), 1e-5);
    }
}

enum { REPEATS = 200 };
static const double by_x = 50, by_y = 20;

/* Readings of one sum of two unknowns, each 0.9 standard deviations too high or too low. */
static void repeated_residuals(void *user, const double *x, double *r)
{
    (void)user;
    for (int i = 0; i < REPEATS; i++)
        r[i] = by_x * (x[0] - 0.2) + by_y * (x[1] + 0.3) + (i % 2 ? 0.9 : -0.9);
}

/* Readings that tell only a sum leave the rest to the prior, however many they are. A difference of a tenth of the
 * prior's standard deviation moves the first unknown's residuals beyond the bend of the loss, and the second's not. */
static void a_sum_alone_does_not_tell_its_terms(void **state)
{
    (void)state;
    const wsk_prior prior[2] = {{0, 1, -10, 10}, {0, 1, -10, 10}};
    const double a = REPEATS * by_x * by_x + 1, b = REPEATS * by_x * by_y, d = REPEATS * by_y * by_y + 1,
                 sum = by_x * 0.2 - by_y * 0.3, det = a * d - b * b;
    for (int quick = 0; quick < 2; quick++) {
        const wsk_fit_problem p = {.unknowns = 2,
                                   .rows = REPEATS,
                                   .prior = prior,
                                   .residuals = repeated_residuals,
                                   .huber = 3,
                                   .step = 0.1,
                                   .quick = quick};
        wsk_fit fit;
        assert_int_equal(wsk_fit_map(&p, NULL, &fit), WSK_OK);
        assert_rel(fit.sd[0], sqrt(d / det), 1e-3);
        assert_rel(fit.sd[1], sqrt(a / det), 1e-3);
        assert_near(fit.x[0], sum * by_x / (by_x * by_x + by_y * by_y), 5e-3);
        assert_near(fit.x[1], sum * by_y / (by_x * by_x + by_y * by_y), 5e-3);
    }
}

static void misuse_is_refused(void **state)
{
    (void)state;
    line l = {{0}, 1};
    wsk_prior prior[2] = {{0, 1, -1, 1}, {0, 0, -1, 1}};
    wsk_fit_problem p = {.unknowns = 2, .rows = 6, .prior = prior, .residuals = line_residuals, .user = &l};
    wsk_fit fit;
    assert_int_equal(wsk_fit_map(&p, NULL, &fit), WSK_EUSAGE);
    prior[0].sd = 0;
    prior[1].sd = 1;
    assert_int_equal(wsk_fit_map(&p, NULL, &fit), WSK_EUSAGE);
    p.unknowns = 0;
    assert_int_equal(wsk_fit_map(&p, NULL, &fit), WSK_EUSAGE);
    p.unknowns = WSK_FIT_UNKNOWNS + 1;
    assert_int_equal(wsk_fit_map(&p, NULL, &fit), WSK_EUSAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(line_is_exact),
                                       cmocka_unit_test(bounds_hold),
                                       cmocka_unit_test(wrong_row_is_named),
                                       cmocka_unit_test(most_unknowns_are_exact),
                                       cmocka_unit_test(a_sum_alone_does_not_tell_its_terms),
                                       cmocka_unit_test(misuse_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
