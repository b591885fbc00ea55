/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/num/wide.h"

WSK_WIDEST void wsk_watch_values(int n, const double *restrict v, double h, double *restrict sum, double *restrict low,
                                 double *restrict high)
{
    _Pragma("omp simd") for (int i = 0; i < n; i++)
    {
        sum[i] += v[i] * h;
        low[i] = v[i] < low[i] ? v[i] : low[i];
        high[i] = v[i] > high[i] ? v[i] : high[i];
    }
}

WSK_WIDEST void wsk_sum_over_time(int n, const double *restrict v, double zero, double h, double *restrict sum)
{
    _Pragma("omp simd") for (int i = 0; i < n; i++) sum[i] += (v[i] - zero) * h;
}

WSK_WIDEST bool wsk_within(int n, const double *restrict v, double low, const double *restrict high)
{
    double out = 0;
    _Pragma("omp simd reduction(+ : out)") for (int i = 0; i < n; i++) out += v[i] > low && v[i] < high[i] ? 0.0 : 1.0;
    return !(out > 0);
}
