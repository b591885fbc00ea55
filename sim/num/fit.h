/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nonlinear least squares with a prior and bounds for each unknown (maximum a posteriori), and the uncertainty of the
 * result. GSL 2.7's multifit_nlinear has no bounds. */
#ifndef WSK_NUM_FIT_H
#define WSK_NUM_FIT_H
#include <stdbool.h>

#include "sim/base/base.h"

enum { WSK_FIT_UNKNOWNS = 16 };
typedef struct {
    double mean, sd, low, high;
} wsk_prior;
typedef struct {
    int unknowns, rows;
    const wsk_prior *prior;
    /* Writes the residual of each row for the unknowns x: (model - measured) divided by the row's standard
     * deviation. */
    void (*residuals)(void *user, const double *x, double *r);
    void *user;
    /* beyond this residual the cost rises linearly, so that a wrong row has little weight; 0: never */
    double huber;
    double step; /* difference in an unknown, as a share of its prior's sd, for the derivatives; 0: 1e-4 */
    /* the residuals take long to compute: derivatives are one-sided, and sd comes from the derivatives of the last
     * step */
    bool quick;
    double done; /* the fit ends when a step lowers the cost by less than this share; 0: 1e-6 */
} wsk_fit_problem;
typedef struct {
    double x[WSK_FIT_UNKNOWNS];
    /* Standard deviation after the fit. If the residuals are larger than the standard deviations of the rows claim,
     * these standard deviations are enlarged first. */
    double sd[WSK_FIT_UNKNOWNS];
    double apart[WSK_FIT_UNKNOWNS]; /* standard deviation if all other unknowns were known */
    double covariance[WSK_FIT_UNKNOWNS][WSK_FIT_UNKNOWNS];
    double cost;
    /* sqrt(sum of the rows' squared residuals / degrees of freedom); 1: the rows scatter as their standard
     * deviations claim */
    double noise;
    int worst;
    double worst_r;
} wsk_fit;

/* Fits from `start` (NULL: the prior's means; values outside the bounds are moved to them). Deterministic: damped
 * Gauss-Newton steps, at most 100, until the cost falls by less than `done` of itself. Residuals that are not finite
 * count as 1e6. WSK_EUSAGE: no unknown, more than WSK_FIT_UNKNOWNS, a negative number of rows, or a prior without a
 * positive sd; WSK_ENOMEM. */
wsk_status wsk_fit_map(const wsk_fit_problem *problem, const double *start, wsk_fit *out);
/* Share of the prior's variance that the data removed. 0: the data told nothing about the unknown; 1: they determine
 * it. */
static inline double wsk_fit_learnt(const wsk_prior *prior, double sd)
{
    const double rest = sd / prior->sd;
    return rest < 1 ? 1 - rest * rest : 0;
}

#endif
