/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Least squares under bounds, which GSL 2.7 does not have. */
#ifndef WSK_NUM_LSQ_H
#define WSK_NUM_LSQ_H

/* a, b, c >= 0 for which a + b x + c x^2 has the least sum of squared relative errors against y > 0. Through three points the curve is
 * exact where no term would be negative. Fewer than three points are taken, too; all are 0 where nothing fits. */
void wsk_fit_quadratic(int points, const double x[], const double y[], double abc[3]);

#endif
