/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/calibrate/bins.h"

#include <math.h>

void wsk_bins_mean(double *mean, int bins, double bin_s, const wsk_readings *readings)
{
    const double early = 0.05; /* by how much of a bin a reading may come too early for the next one */
    size_t at = 0;
    for (int i = 0; i < bins; i++) {
        double sum = 0, n = 0;
        for (; at < readings->count && (i == bins - 1 || readings->t_s[at] < (i + 1 - early) * bin_s); at++)
            if (isfinite(readings->value[at])) {
                sum += readings->value[at];
                n++;
            }
        mean[i] = n > 0 ? sum / n : (double)NAN;
    }
}

void wsk_bins_bridge(double *v, int bins)
{
    int before = -1;
    for (int i = 0; v && i < bins; i++) {
        if (isnan(v[i]))
            continue;
        for (int k = before + 1; k < i; k++)
            v[k] = before < 0 ? v[i] : v[before] + (v[i] - v[before]) * (k - before) / (i - before);
        before = i;
    }
    for (int k = before + 1; v && before >= 0 && k < bins; k++)
        v[k] = v[before];
}

int wsk_ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
