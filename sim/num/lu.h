/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse LU decomposition of matrices with a fixed pattern: analysed once, then factored and solved many times without
 * searching. No pivoting, because conductance matrices are diagonally dominant; a pivot near zero is reported. */
#ifndef WSK_LU_H
#define WSK_LU_H
#include "sim/base/base.h"

typedef struct {
    int n, nnz;
    int *row_start; /* n + 1 positions; the entries of a row are sorted by column and include fill-in */
    int *col;       /* nnz columns, numbered in order of elimination */
    int *diag;
    int *place; /* n*n: position of entry (row, column) in the caller's numbering; -1: always zero */
    int *order; /* order[k]: the caller's index that is eliminated as the k-th */
    int *ops;   /* n_ops operations of the elimination, three positions each (target, l, u; list_ops in lu.c) */
    int n_ops;
    const unsigned char *pattern; /* the pattern that was analysed */
} wsk_lu;

/* Analyses a pattern of n*n bytes, nonzero where an entry may be nonzero; the diagonal is always included. The result
 * lives in the arena; NULL: out of memory. */
const wsk_lu *wsk_lu_analyse(wsk_arena *arena, int n, const unsigned char *pattern);
int wsk_lu_place(const wsk_lu *lu, int i, int j);
/* Factors the values in place; the diagonal then holds the inverse pivots. False: a pivot is almost zero. */
bool wsk_lu_factor(const wsk_lu *lu, double *v);
/* Inverts a matrix in place, n <= WSK_INVERSE_MAX, stored by columns of wsk_inverse_rows(n) rows with zeros after row
 * n; pivots are taken on the diagonal in the given order. Multiplying by an inverse takes more arithmetic than
 * solving with LU factors, but its rows do not depend on each other. False: a pivot is almost zero. */
#define WSK_INVERSE_MAX 16
static inline int wsk_inverse_rows(int n)
{
    return n <= WSK_INVERSE_MAX / 2 ? WSK_INVERSE_MAX / 2 : WSK_INVERSE_MAX;
}
bool wsk_invert(int n, const int *order, double *a);
/* Solves with factored values v. b, in the caller's order, is replaced by the solution; work: n doubles. */
void wsk_lu_solve(const wsk_lu *lu, const double *v, double *b, double *work);

/* phi1 and phi2 of the n x n matrix a (row-major, n <= WSK_BLOCK_MAX): phi1(a) = (e^a - 1)/a, phi2(a) = (e^a - 1 -
 * a)/a^2. Taylor series with scaling and doubling. */
#define WSK_BLOCK_MAX 8
void wsk_phi(int n, const double *a, double *phi1, double *phi2);

#endif
