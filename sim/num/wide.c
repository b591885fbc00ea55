/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each loop stands behind a plain function: clang gives one that it clones for several machines another name outside. */
#include "sim/num/wide.h"

#include <stdint.h>

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

WSK_WIDEST static double count_out(int n, const double *restrict v, double zero, const double *restrict low, const double *restrict high)
{
    double out = 0;
    _Pragma("omp simd reduction(+ : out)") for (int i = 0; i < n; i++) out += v[i] - zero > low[i] && v[i] - zero < high[i] ? 0.0 : 1.0;
    return out;
}

/* A column's numbers stay in registers while all columns pass: sixteen rows in four of them, or twice that. */
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
#define AT(p, k) (((four *)(uintptr_t)(p))[k])
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLLED _Pragma("GCC unroll 8")
#else
#define UNROLLED
#endif
#define ROWS(p) AT(p, 0), AT(p, 1), AT(p, 2), AT(p, 3)

WSK_WIDEST static void add_columns(int rows, int n, const int *restrict at, const double *restrict u, const double *restrict m,
                                   const double *b, double *out)
{
    int r = 0;
    for (; r + 32 <= rows; r += 32) {
        four s[8] = {ROWS(b + r), ROWS(b + r + 16)};
        for (int j = 0; j < n; j++) {
            const double *c = m + at[j] + r, x = u[j];
            UNROLLED for (int k = 0; k < 8; k++)
                s[k] += AT(c, k) * x;
        }
        UNROLLED for (int k = 0; k < 8; k++)
            AT(out + r, k) = s[k];
    }
    for (; r < rows; r += 16) {
        four s[4] = {ROWS(b + r)};
        for (int j = 0; j < n; j++) {
            const double *c = m + at[j] + r, x = u[j];
            UNROLLED for (int k = 0; k < 4; k++)
                s[k] += AT(c, k) * x;
        }
        UNROLLED for (int k = 0; k < 4; k++)
            AT(out + r, k) = s[k];
    }
}

void wsk_watch_values(int n, const double *v, double h, double *sum, double *low, double *high)
{
    watch(n, v, h, sum, low, high);
}

void wsk_sum_over_time(int n, const double *v, double zero, double h, double *sum)
{
    add(n, v, zero, h, sum);
}

bool wsk_within(int n, const double *v, double zero, const double *low, const double *high)
{
    return !(count_out(n, v, zero, low, high) > 0);
}

void wsk_add_columns(int rows, int n, const int *at, const double *u, const double *m, const double *b, double *out)
{
    add_columns(rows, n, at, u, m, b, out);
}
