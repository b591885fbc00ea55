/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector loops of wide.h. Each is a static function that a plain public one calls, because clang renames functions that
 * it compiles for several vector widths. */
#include "sim/num/wide.h"

WSK_WIDEST static void widen(int n, const double *least, const double *most, double *restrict low,
                             double *restrict high)
{
    _Pragma("omp simd") for (int i = 0; i < n; i++)
    {
        low[i] = least[i] < low[i] ? least[i] : low[i];
        high[i] = most[i] > high[i] ? most[i] : high[i];
    }
}

WSK_WIDEST static void add_over_time(int n, const double *restrict v, double zero, double h, double *restrict sum)
{
    _Pragma("omp simd") for (int i = 0; i < n; i++) sum[i] += (v[i] - zero) * h;
}

WSK_WIDEST static double count_out(int n, const double *restrict v, double low, const double *restrict high)
{
    double out = 0;
    _Pragma("omp simd reduction(+ : out)") for (int i = 0; i < n; i++) out +=
        v[i] > low && v[i] < high[i] ? 0.0 : 1.0;
    return out;
}

WSK_WIDEST static void add_often(int n, const double *restrict x, int64_t times, double *restrict sum,
                                 double *restrict comp)
{
    for (int i = 0; i < n; i += WSK_FOUR) {
        wsk_four s = WSK_FOUR_AT(sum + i, 0), c = WSK_FOUR_AT(comp + i, 0), by = WSK_FOUR_AT(x + i, 0);
        for (int64_t k = 0; k < times; k++) {
            wsk_four t = s + by, of_by = t - s;
            c += (s - (t - of_by)) + (by - of_by);
            s = t;
        }
        WSK_FOUR_AT(sum + i, 0) = s;
        WSK_FOUR_AT(comp + i, 0) = c;
    }
}

WSK_WIDEST static void add_times(int n, const double *restrict v, double h, int64_t times, double *restrict sum)
{
    int i = 0;
    for (; i + WSK_FOUR <= n; i += WSK_FOUR) {
        wsk_four s = WSK_FOUR_AT(sum + i, 0), by = WSK_FOUR_AT(v + i, 0) * h;
        for (int64_t k = 0; k < times; k++)
            s += by;
        WSK_FOUR_AT(sum + i, 0) = s;
    }
    for (; i < n; i++)
        for (int64_t k = 0; k < times; k++)
            sum[i] += v[i] * h;
}

/* Compares in vectors of four, the width in which a step has just written these values: a wider load would have to
 * wait for these stores. */
WSK_WIDEST static bool check_between(int n, const double *restrict v, const double *restrict low,
                                     const double *restrict high)
{
    typedef int64_t four_flags __attribute__((vector_size(WSK_FOUR * sizeof(int64_t))));
    four_flags in = {-1, -1, -1, -1};
    for (int i = 0; i < n; i += WSK_FOUR) {
        const wsk_four x = WSK_FOUR_AT(v + i, 0);
        in &= (x > WSK_FOUR_AT(low + i, 0)) & (x < WSK_FOUR_AT(high + i, 0));
    }
    return (in[0] & in[1] & in[2] & in[3]) != 0;
}

void wsk_widen(int n, const double *least, const double *most, double *low, double *high)
{
    widen(n, least, most, low, high);
}

void wsk_sum_over_time(int n, const double *v, double zero, double h, double *sum)
{
    add_over_time(n, v, zero, h, sum);
}

bool wsk_within(int n, const double *v, double low, const double *high)
{
    return !(count_out(n, v, low, high) > 0);
}

void wsk_sum_over_times(int n, const double *v, double h, int64_t times, double *sum)
{
    add_times(n, v, h, times, sum);
}

void wsk_add_often(int n, const double *x, int64_t times, double *sum, double *comp)
{
    add_often(n, x, times, sum, comp);
}

bool wsk_between(int n, const double *v, const double *low, const double *high)
{
    return check_between(n, v, low, high);
}
