/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kriging with a linear trend: covariance 1 + 4 (x - 1/2)(y - 1/2) + Matern 5/2 of |x - y|/length (Rasmussen and
 * Williams 2006, "Gaussian Processes for Machine Learning", 2.7 and 4.2; errors at points left out by equation
 * 5.12). */
#include "sim/num/kriging.h"

#include <math.h>

/* Noise variance, as a share of the variance of the Matern term. Simulated results are not smooth, because clocks
 * and fans move in steps. */
static const double nugget = 1e-4;

static double covariance(const double *a, const double *b, size_t dims, double length)
{
    double trend = 1, square = 0;
    for (size_t d = 0; d < dims; d++) {
        trend += 4 * (a[d] - 0.5) * (b[d] - 0.5);
        square += (a[d] - b[d]) * (a[d] - b[d]);
    }
    const double r = sqrt(5 * square) / length;
    return trend + (1 + r + r * r / 3) * exp(-r);
}

static bool factor(double *a, size_t n)
{
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++) {
            double sum = a[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            if (i > j)
                a[i * n + j] = sum / a[j * n + j];
            else if (sum > 0)
                a[j * n + j] = sqrt(sum);
            else
                return false;
        }
    return true;
}

static void solve_lower(const double *l, size_t n, double *b)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            b[i] -= l[i * n + k] * b[k];
        b[i] /= l[i * n + i];
    }
}

static void solve_upper(const double *l, size_t n, double *b)
{
    for (size_t i = n; i-- > 0;) {
        b[i] /= l[i * n + i];
        for (size_t k = 0; k < i; k++)
            b[k] -= l[i * n + k] * b[i];
    }
}

/* The diagonal of the inverse: sums of squares over the columns of the inverse of the factor. work: n doubles. */
static void invert_diagonal(const double *l, size_t n, double *out, double *work)
{
    for (size_t j = 0; j < n; j++) {
        double sum = 0;
        for (size_t i = j; i < n; i++) {
            double v = i == j ? 1 : 0;
            for (size_t k = j; k < i; k++)
                v -= l[i * n + k] * work[k];
            work[i] = v / l[i * n + i];
            sum += work[i] * work[i];
        }
        out[j] = sum;
    }
}

bool wsk_kriging_make(wsk_kriging *k, wsk_arena *arena, const double *x, size_t n, size_t dims)
{
    static const double lengths[WSK_KRIGING_LENGTHS] = {0.25, 0.5, 1, 2};
    double *work = wsk_alloc(arena, (n + 1) * sizeof *work);
    *k = (wsk_kriging){.n = n, .dims = dims, .x = x};
    for (int w = 0; w < WSK_KRIGING_LENGTHS; w++) {
        double *a = k->lower[w] = wsk_alloc(arena, (n * n + 1) * sizeof *a);
        k->inverse[w] = wsk_alloc(arena, (n + 1) * sizeof *k->inverse[w]);
        k->length[w] = lengths[w] * sqrt((double)dims);
        if (!work || !a || !k->inverse[w])
            return false;
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j <= i; j++)
                a[i * n + j] = covariance(&x[i * dims], &x[j * dims], dims, k->length[w]);
            a[i * n + i] += nugget;
        }
        if (!factor(a, n))
            return false;
        invert_diagonal(a, n, k->inverse[w], work);
    }
    return true;
}

bool wsk_kriging_fit(const wsk_kriging *k, wsk_arena *arena, const double *y, wsk_kriged *out)
{
    const size_t n = k->n;
    double mean = 0, best = INFINITY;
    *out = (wsk_kriged){0};
    for (size_t i = 0; i < n; i++)
        mean += y[i] / (double)n;
    for (int w = 0; w < WSK_KRIGING_LENGTHS; w++) {
        double *alpha = wsk_alloc(arena, (n + 1) * sizeof *alpha), left_out = 0, scale = 0;
        if (!alpha)
            return false;
        for (size_t i = 0; i < n; i++)
            alpha[i] = y[i] - mean;
        solve_lower(k->lower[w], n, alpha);
        for (size_t i = 0; i < n; i++)
            scale += alpha[i] * alpha[i] / (double)n;
        solve_upper(k->lower[w], n, alpha);
        for (size_t i = 0; i < n; i++)
            left_out += alpha[i] * alpha[i] / (k->inverse[w][i] * k->inverse[w][i]);
        if (left_out < best) {
            best = left_out;
            *out = (wsk_kriged){w, alpha, mean, sqrt(scale)};
        }
    }
    return out->alpha != NULL;
}

void wsk_kriging_at(const wsk_kriging *k, const wsk_kriged *f, const double *at, double *work, double *mean,
                    double *sd)
{
    const double length = k->length[f->which];
    double *near = work, *solved = work + k->n, variance = covariance(at, at, k->dims, length) + nugget;
    *mean = f->mean;
    for (size_t i = 0; i < k->n; i++) {
        near[i] = covariance(at, &k->x[i * k->dims], k->dims, length);
        *mean += near[i] * f->alpha[i];
        solved[i] = near[i];
    }
    solve_lower(k->lower[f->which], k->n, solved);
    for (size_t i = 0; i < k->n; i++)
        variance -= solved[i] * solved[i];
    *sd = f->scale * sqrt(fmax(variance, 0));
}
