/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/num/lsq.h"

#include <math.h>
#include <stdbool.h>

/* Fits a polynomial with the powers of x in `set` (bit k: x^k) by normal equations, weighted for relative errors.
 * False: a coefficient is negative, or the equations have no solution. */
static bool solve_subset(int set, int points, const double x[], const double y[], double abc[3])
{
    double m[3][4] = {{0}}, sol[3] = {0};
    int idx[3], n = 0;
    for (int k = 0; k < 3; k++)
        if (set & (1 << k))
            idx[n++] = k;
    for (int p = 0; p < points; p++) {
        double f[3] = {1, x[p], x[p] * x[p]}, w = 1 / (y[p] * y[p]);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                m[i][j] += w * f[idx[i]] * f[idx[j]];
            m[i][3] += w * f[idx[i]] * y[p];
        }
    }
    for (int i = 0; i < n; i++)
        for (int r = i + 1; r < n; r++) {
            double k = m[r][i] / m[i][i];
            for (int j = i; j < n; j++)
                m[r][j] -= k * m[i][j];
            m[r][3] -= k * m[i][3];
        }
    bool good = true;
    for (int i = n; i-- > 0;) {
        double s = m[i][3];
        for (int j = i + 1; j < n; j++)
            s -= m[i][j] * sol[j];
        sol[i] = s / m[i][i];
        good = good && sol[i] >= 0 && isfinite(sol[i]);
    }
    abc[0] = abc[1] = abc[2] = 0;
    for (int i = 0; i < n; i++)
        abc[idx[i]] = sol[i];
    return good;
}

void wsk_fit_quadratic(int points, const double x[], const double y[], double abc[3])
{
    double best = INFINITY, c[3];
    abc[0] = abc[1] = abc[2] = 0;
    for (int set = 7; set > 0; set--) {
        if (!solve_subset(set, points, x, y, c))
            continue;
        double err = 0;
        for (int p = 0; p < points; p++) {
            double e = (c[0] + (c[1] + c[2] * x[p]) * x[p]) / y[p] - 1;
            err += e * e;
        }
        if (err < best - 1e-15) {
            best = err;
            for (int k = 0; k < 3; k++)
                abc[k] = c[k];
        }
    }
}
