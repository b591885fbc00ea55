/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curve through points that rises and falls only where they do. GSL 2.7 has Steffen's, whose slopes are others. */
#ifndef WSK_NUM_CURVE_H
#define WSK_NUM_CURVE_H

#define WSK_CURVE_POINTS 16 /* the most that wsk_monotone_slopes takes */

/* Slopes at n points (2 to WSK_CURVE_POINTS), x rising, for which the cubics between them are monotone: Fritsch and Carlson 1980,
 * with the harmonic mean of Fritsch and Butland 1984 inside. */
void wsk_monotone_slopes(int n, const double x[], const double y[], double slope[]);
/* The cubic between two points with these slopes, at `at` between x[0] and x[1]. */
static inline double wsk_cubic_at(const double x[2], const double y[2], const double slope[2], double at)
{
    double h = x[1] - x[0], t = (at - x[0]) / h, s = 1 - t;
    return s * s * (1 + 2 * t) * y[0] + t * t * (3 - 2 * t) * y[1] + h * t * s * (s * slope[0] - t * slope[1]);
}

#endif
