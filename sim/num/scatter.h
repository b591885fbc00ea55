/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_NUM_SCATTER_H
#define WSK_NUM_SCATTER_H

enum { WSK_SCATTER_POINTS = 16, WSK_SCATTER_DIMS = 3 };

/* Interpolation between scattered points by a smoothing spline, r^3 with a linear part. Fills weight[i] of each of the
 * n points x, at most WSK_SCATTER_POINTS, for the estimate at `at`: the sum of weight[i] x value[i]. The weights sum to
 * 1. smooth, in units of x cubed: 0 interpolates; more averages values that scatter. Points in a plane or line are
 * allowed. Theory: G. Wahba, Spline Models for Observational Data (1990), chapter 2.4 */
void wsk_scatter_weights(int n, const double *x, const double at[WSK_SCATTER_DIMS], double smooth, double *weight);

#endif
