/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kriging: interpolates a smooth function through known points, and gives its standard deviation elsewhere. For
 * searches in which each value takes long to compute. */
#ifndef WSK_NUM_KRIGING_H
#define WSK_NUM_KRIGING_H
#include "sim/base/base.h"

enum { WSK_KRIGING_LENGTHS = 4 }; /* correlation lengths that are tried */
/* Points in [0, 1]^dims, and the factored covariances between them. All functions whose values are known at these
 * points share them. */
typedef struct {
    size_t n, dims;
    const double *x;                      /* [n][dims], not owned */
    double *lower[WSK_KRIGING_LENGTHS];   /* [n][n] Cholesky factor */
    double *inverse[WSK_KRIGING_LENGTHS]; /* diagonal of the inverse */
    double length[WSK_KRIGING_LENGTHS];
} wsk_kriging;
/* One function, fitted to its values at the points of a wsk_kriging. */
typedef struct {
    int which;     /* correlation length: the one with the least error in points left out */
    double *alpha; /* [n] */
    double mean, scale;
} wsk_kriged;
/* Both results live in the arena. False: out of memory, or two points are the same. */
bool wsk_kriging_make(wsk_kriging *k, wsk_arena *arena, const double *x, size_t n, size_t dims);
bool wsk_kriging_fit(const wsk_kriging *k, wsk_arena *arena, const double *y, wsk_kriged *out);
/* Mean and standard deviation, at the place `at`, of functions that have the values of `f` at the points of `k`;
 * work: 2 n doubles. */
void wsk_kriging_at(const wsk_kriging *k, const wsk_kriged *f, const double *at, double *work, double *mean,
                    double *sd);

#endif
