/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kriging: estimates a smooth function from its values at known points, with the standard deviation of each
 * estimate. For searches in which each value takes long to compute. */
#ifndef WSK_NUM_KRIGING_H
#define WSK_NUM_KRIGING_H
#include "sim/base/base.h"

enum { WSK_KRIGING_LENGTHS = 4 };
/* Points in [0, 1]^dims, and the factored covariances between them. All functions whose values are known at these
 * points share them. */
typedef struct {
    size_t n, dims;
    const double *x;                      /* [n][dims], not owned */
    double *lower[WSK_KRIGING_LENGTHS];   /* [n][n] Cholesky factor of the covariances */
    double *inverse[WSK_KRIGING_LENGTHS]; /* [n] diagonal of the inverse of the covariances */
    double length[WSK_KRIGING_LENGTHS];
} wsk_kriging;
typedef struct {
    int which; /* index of its correlation length, the one with the least error at points left out of the fit */
    double *alpha;
    double mean, scale;
} wsk_kriged;
/* wsk_kriging_make factors the covariances of the points x; wsk_kriging_fit fits a function with the values y at
 * these points. Both results live in the arena. False: out of memory, a matrix cannot be factored (make), or a
 * value is not finite (fit). */
bool wsk_kriging_make(wsk_kriging *k, wsk_arena *arena, const double *x, size_t n, size_t dims);
bool wsk_kriging_fit(const wsk_kriging *k, wsk_arena *arena, const double *y, wsk_kriged *out);
/* Estimate (mean) and its standard deviation at the place `at`, for the function that wsk_kriging_fit fitted as `f`.
 * work: 2 n doubles. */
void wsk_kriging_at(const wsk_kriging *k, const wsk_kriged *f, const double *at, double *work, double *mean,
                    double *sd);

#endif
