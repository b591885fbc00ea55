/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plain loops over many numbers, in the widest vectors that the machine has: each number sees the same operations, so the bits
 * are the same with all of them. Arrays do not overlap. */
#ifndef WSK_WIDE_H
#define WSK_WIDE_H
#include <stdbool.h>
#include <stdint.h>

/* The widest vectors at run time. Sanitizers cannot look into the choice. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(WSK_SANITIZED)
#define WSK_WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WSK_WIDEST
#endif

/* Loops whose length the compiler knows, written out. */
#if defined(__GNUC__) && !defined(__clang__)
#define WSK_UNROLLED _Pragma("GCC unroll 4")
#else
#define WSK_UNROLLED
#endif
/* For whichever vectors the caller is compiled. */
#define WSK_INLINE static inline __attribute__((always_inline))

/* Four numbers side by side, wherever they stand in an array of doubles. */
enum { WSK_FOUR = 4 };
typedef double wsk_four __attribute__((vector_size(WSK_FOUR * sizeof(double)), aligned(sizeof(double)), may_alias));
#define WSK_FOUR_AT(p, i) (((wsk_four *)(uintptr_t)(p))[i])
/* Rows that a column of n has, so that fours fit it. */
static inline int wsk_rows(int n)
{
    return (n + WSK_FOUR - 1) / WSK_FOUR * WSK_FOUR;
}

/* low and high as far as these reach beyond them. */
void wsk_widen(int n, const double *least, const double *most, double *low, double *high);
/* sum += (v - zero) h */
void wsk_sum_over_time(int n, const double *v, double zero, double h, double *sum);
/* sum += v h, so many times. */
void wsk_sum_over_times(int n, const double *v, double h, int64_t times, double *sum);
/* Compensated sums (wsk_sum) += x, so many times; n is rounded up to a multiple of WSK_FOUR. */
void wsk_add_often(int n, const double *x, int64_t times, double *sum, double *comp);
/* Whether low < v < high[i] for all of them; false where one is no number. */
bool wsk_within(int n, const double *v, double low, const double *high);
/* Whether low[i] < v[i] < high[i] for all of them; false where one is no number. n is rounded up to a multiple of WSK_FOUR. */
bool wsk_between(int n, const double *v, const double *low, const double *high);

#endif
