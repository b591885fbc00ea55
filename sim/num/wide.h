/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops over arrays of doubles in the widest vectors of the machine. Each number sees the same operations at each
 * width, so that the bits are equal on all machines. An array that is written must not overlap another array. */
#ifndef WSK_WIDE_H
#define WSK_WIDE_H
#include <stdbool.h>
#include <stdint.h>

/* Compiles a function for several vector widths and picks the widest at run time. Sanitizers cannot handle that
 * choice. `make coverage` (WSK_COVERAGE) counts each branch once, not once for each width and caller. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(WSK_SANITIZED) && !defined(WSK_COVERAGE)
#define WSK_WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WSK_WIDEST
#endif

#if defined(__GNUC__) && !defined(__clang__)
#define WSK_UNROLLED _Pragma("GCC unroll 4")
#else
#define WSK_UNROLLED
#endif
/* Inlined into its caller, so that it uses the caller's vector width. */
#ifdef WSK_COVERAGE
#define WSK_INLINE static inline
#else
#define WSK_INLINE static inline __attribute__((always_inline))
#endif

/* A vector of four doubles, at any position of an array of doubles. */
enum { WSK_FOUR = 4 };
typedef double wsk_four __attribute__((vector_size(WSK_FOUR * sizeof(double)), aligned(sizeof(double)), may_alias));
#define WSK_FOUR_AT(p, i) (((wsk_four *)(uintptr_t)(p))[i])
/* n rounded up to a multiple of WSK_FOUR: the length with which a column of n values is stored. */
static inline int wsk_rows(int n)
{
    return (n + WSK_FOUR - 1) / WSK_FOUR * WSK_FOUR;
}

/* low[i] = min(low[i], least[i]); high[i] = max(high[i], most[i]). */
void wsk_widen(int n, const double *least, const double *most, double *low, double *high);
/* sum[i] += (v[i] - zero) h. */
void wsk_sum_over_time(int n, const double *v, double zero, double h, double *sum);
/* sum[i] += v[i] h, repeated `times` times. */
void wsk_sum_over_times(int n, const double *v, double h, int64_t times, double *sum);
/* Compensated sums (wsk_sum) += x[i], repeated `times` times; n is rounded up to a multiple of WSK_FOUR. */
void wsk_add_often(int n, const double *x, int64_t times, double *sum, double *comp);
/* True if low < v[i] < high[i] for all i; false if a value is NaN. */
bool wsk_within(int n, const double *v, double low, const double *high);
/* True if low[i] < v[i] < high[i] for all i; false if a value is NaN. n is rounded up to a multiple of WSK_FOUR. */
bool wsk_between(int n, const double *v, const double *low, const double *high);

#endif
