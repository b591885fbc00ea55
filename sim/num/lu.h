/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse LU of a fixed pattern: analysed once, factored and solved many times without searching.
 * No pivoting: the matrices are diagonally dominant conductance matrices; a vanishing pivot is reported. */
#ifndef WSK_LU_H
#define WSK_LU_H
#include "sim/base/base.h"

typedef struct {
    int n, nnz;
    int *row_start; /* n + 1; entries of a row are sorted by column, fill included */
    int *col;       /* nnz, in elimination order's numbering */
    int *diag;      /* n: position of the diagonal entry of each row */
    int *place;     /* n*n: position of (row, column) in the caller's numbering, -1 when structurally zero */
    int *order;     /* n: order[k] = caller's index eliminated k-th */
    int *ops;       /* triples (target, l, u) : v[target] -= v[l] * v[u], and markers; see lu.c */
    int n_ops;
} wsk_lu;

/* pattern: n*n bytes, nonzero where an entry may be; the diagonal is always taken. NULL when out of memory. */
const wsk_lu *wsk_lu_analyse(wsk_arena *arena, int n, const unsigned char *pattern);
/* Position of entry (i, j) in the value array (nnz doubles), -1 when outside the pattern. */
int wsk_lu_place(const wsk_lu *lu, int i, int j);
/* Factors the values in place; the diagonal holds its inverse afterwards. False on a bad pivot. */
bool wsk_lu_factor(const wsk_lu *lu, double *v);
/* The inverse of a small matrix in place, n <= WSK_INVERSE_MAX, by columns of wsk_inverse_rows(n) rows, those behind n 0; pivots
 * on its diagonal in this order. To multiply by it takes more arithmetic than to solve, but no row waits for the one before. False on
 * a bad pivot. */
#define WSK_INVERSE_MAX 16
static inline int wsk_inverse_rows(int n)
{
    return n <= WSK_INVERSE_MAX / 2 ? WSK_INVERSE_MAX / 2 : WSK_INVERSE_MAX;
}
bool wsk_invert(int n, const int *order, double *a);
/* Solves with factored values: b in the caller's order becomes the solution; work: n doubles. */
void wsk_lu_solve(const wsk_lu *lu, const double *v, double *b, double *work);

/* phi1 and phi2 of the n x n matrix a (row-major, n <= WSK_BLOCK_MAX): phi1(a) = (e^a - 1)/a,
 * phi2(a) = (e^a - 1 - a)/a^2; Taylor series with scaling and doubling, error below 1e-15 relative. */
#define WSK_BLOCK_MAX 8
void wsk_phi(int n, const double *a, double *phi1, double *phi2);

#endif
