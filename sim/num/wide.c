/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each loop stands behind a plain function: clang gives one that it clones for several machines another name outside. */
#include "sim/num/wide.h"

WSK_WIDEST static void watch(int n, const double *restrict v, double h, double *restrict sum, double *restrict low,
                             double *restrict high)
{
    _Pragma("omp simd") for (int i = 0; i < n; i++)
    {
        sum[i] += v[i] * h;
        low[i] = v[i] < low[i] ? v[i] : low[i];
        high[i] = v[i] > high[i] ? v[i] : high[i];
    }
}

WSK_WIDEST static void add(int n, const double *restrict v, double zero, double h, double *restrict sum)
{
    _Pragma("omp simd") for (int i = 0; i < n; i++) sum[i] += (v[i] - zero) * h;
}

WSK_WIDEST static double count_out(int n, const double *restrict v, double low, const double *restrict high)
{
    double out = 0;
    _Pragma("omp simd reduction(+ : out)") for (int i = 0; i < n; i++) out += v[i] > low && v[i] < high[i] ? 0.0 : 1.0;
    return out;
}

void wsk_watch_values(int n, const double *v, double h, double *sum, double *low, double *high)
{
    watch(n, v, h, sum, low, high);
}

void wsk_sum_over_time(int n, const double *v, double zero, double h, double *sum)
{
    add(n, v, zero, h, sum);
}

bool wsk_within(int n, const double *v, double low, const double *high)
{
    return !(count_out(n, v, low, high) > 0);
}
