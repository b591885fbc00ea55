/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/num/scatter.h"

#include <math.h>

enum { DIMS = WSK_SCATTER_DIMS, MOST = WSK_SCATTER_POINTS + 1 + DIMS };
/* Keeps the equations solvable if all points lie in a plane: the slope across it is then 0. */
static const double flat = 1e-9;

static double cube_of_distance(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < DIMS; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum * sqrt(sum);
}

/* The equations: rows of the spline at the n points, then of constant and slopes, relative to `at`; right side in the
 * last column. */
static void fill_equations(int n, const double *x, const double *at, double smooth, double m[MOST][MOST + 1])
{
    const int all = n + 1 + DIMS;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            m[i][j] = m[j][i] = i == j ? smooth : cube_of_distance(x + i * DIMS, x + j * DIMS);
        m[i][n] = m[n][i] = 1;
        for (int d = 0; d < DIMS; d++)
            m[i][n + 1 + d] = m[n + 1 + d][i] = x[i * DIMS + d] - at[d];
        m[i][all] = cube_of_distance(x + i * DIMS, at);
    }
    for (int i = n; i < all; i++) {
        for (int j = n; j < all; j++)
            m[i][j] = i == j && i > n ? -flat : 0;
        m[i][all] = i == n;
    }
}

static void swap_rows(double *a, double *b, int count)
{
    for (int i = 0; i < count; i++) {
        const double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

static void eliminate(int all, double m[MOST][MOST + 1])
{
    for (int k = 0; k < all; k++) {
        int best = k;
        for (int i = k + 1; i < all; i++)
            best = fabs(m[i][k]) > fabs(m[best][k]) ? i : best;
        if (best != k)
            swap_rows(m[k] + k, m[best] + k, all + 1 - k);
        for (int i = k + 1; i < all; i++) {
            const double by = m[i][k] / m[k][k];
            for (int j = k + 1; by != 0 && j <= all; j++)
                m[i][j] -= by * m[k][j];
        }
    }
}

void wsk_scatter_weights(int n, const double *x, const double at[DIMS], double smooth, double *weight)
{
    double m[MOST][MOST + 1], solved[MOST];
    const int all = n + 1 + DIMS;
    fill_equations(n, x, at, smooth, m);
    eliminate(all, m);
    for (int i = all; i-- > 0;) {
        double sum = m[i][all];
        for (int j = i + 1; j < all; j++)
            sum -= m[i][j] * solved[j];
        solved[i] = sum / m[i][i];
    }
    for (int i = 0; i < n; i++)
        weight[i] = solved[i];
}
