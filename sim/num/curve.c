/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/num/curve.h"

#include <math.h>

void wsk_monotone_slopes(int n, const double x[], const double y[], double m[])
{
    double d[WSK_CURVE_POINTS - 1] = {0};
    for (int i = 0; i < n - 1; i++)
        d[i] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
    m[0] = d[0];
    m[n - 1] = d[n > 1 ? n - 2 : 0];
    for (int i = 1; i < n - 1; i++) {
        double h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i];
        m[i] = d[i - 1] * d[i] <= 0 ? 0 : 3 * (h0 + h1) / ((2 * h1 + h0) / d[i - 1] + (h1 + 2 * h0) / d[i]);
    }
    for (int i = 0; i < n - 1; i++) {
        if (d[i] == 0) {
            m[i] = m[i + 1] = 0;
            continue;
        }
        double a = m[i] / d[i], b = m[i + 1] / d[i], s = a * a + b * b;
        if (s > 9) {
            m[i] = 3 / sqrt(s) * a * d[i];
            m[i + 1] = 3 / sqrt(s) * b * d[i];
        }
    }
}
