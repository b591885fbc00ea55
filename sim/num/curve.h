/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/num holds numerical methods without physics: curves (here), least squares with bounds (lsq.h) and priors
 * (fit.h), Kriging (kriging.h), sparse LU (lu.h), vectors (wide.h), sample points (design.h). Only this folder
 * includes GSL. Begin with lu.h, which solves each time step.
 *
 * Monotone cubic curve through points: between two points it stays between their values. The only monotone method of
 * GSL 2.7, Steffen's, has other slopes. */
#ifndef WSK_NUM_CURVE_H
#define WSK_NUM_CURVE_H

#define WSK_CURVE_POINTS 16

/* Slopes at n points (2 to WSK_CURVE_POINTS, x increasing) for which the cubics between the points are monotone.
 * Source: Fritsch and Carlson 1980, with the harmonic mean of Fritsch and Butland 1984 at inner points. */
void wsk_monotone_slopes(int n, const double x[], const double y[], double slope[]);
static inline double wsk_cubic_at(const double x[2], const double y[2], const double slope[2], double at)
{
    double h = x[1] - x[0], t = (at - x[0]) / h, s = 1 - t;
    return s * s * (1 + 2 * t) * y[0] + t * t * (3 - 2 * t) * y[1] + h * t * s * (s * slope[0] - t * slope[1]);
}

#endif
