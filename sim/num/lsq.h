/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_NUM_LSQ_H
#define WSK_NUM_LSQ_H

/* Fits a + b x + c x^2 with a, b, c >= 0 to y > 0 by the least sum of squared relative errors. Through three points
 * the fit is exact if no coefficient would be negative. Fewer points are allowed; without any fit all coefficients
 * are 0. */
void wsk_fit_quadratic(int points, const double x[], const double y[], double abc[3]);

#endif
