/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/num/lu.h"

#include <math.h>
#include <string.h>

#include "sim/num/wide.h"

/* Minimum-degree ordering on the symmetrised pattern p. Fill-in is marked in p as it arises; a 2 on the diagonal
 * marks a row that has been eliminated. */
static void choose_order(int n, unsigned char *p, int *order)
{
    for (int k = 0; k < n; k++) {
        int best = -1, best_degree = n + 1;
        for (int i = 0; i < n; i++) {
            if (p[i * n + i] == 2)
                continue;
            int degree = 0;
            for (int j = 0; j < n; j++)
                degree += j != i && p[j * n + j] != 2 && (p[i * n + j] || p[j * n + i]);
            if (degree < best_degree) {
                best_degree = degree;
                best = i;
            }
        }
        order[k] = best;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (p[i * n + i] != 2 && p[j * n + j] != 2 && i != best && j != best && i != j && p[i * n + best] &&
                    p[best * n + j])
                    p[i * n + j] = 1;
        p[best * n + best] = 2;
    }
}

/* Lists the operations of the elimination as triples (target, l, u) of positions in the values v. (-1, -1, u) inverts
 * the pivot at u; (target, l, -1) multiplies v[l] by the inverse pivot at target; any other triple means
 * v[target] -= v[l] v[u]. ops NULL: only counts. */
static int list_ops(wsk_lu *lu, int *ops)
{
    int n = lu->n, count = 0;
#define AT(i, j) lu->place[lu->order[i] * n + lu->order[j]]
#define OP(t, l, u) \
    do { \
        if (ops) { \
            ops[3 * count] = t, ops[3 * count + 1] = l, ops[3 * count + 2] = u; \
        } \
        count++; \
    } while (0)
    for (int k = 0; k < n; k++) {
        OP(-1, -1, AT(k, k));
        for (int i = k + 1; i < n; i++) {
            if (AT(i, k) < 0)
                continue;
            OP(AT(k, k), AT(i, k), -1);
            for (int j = k + 1; j < n; j++)
                if (AT(k, j) >= 0)
                    OP(AT(i, j), AT(i, k), AT(k, j));
        }
    }
#undef OP
#undef AT
    return count;
}

const wsk_lu *wsk_lu_analyse(wsk_arena *arena, int n, const unsigned char *pattern)
{
    size_t un = (size_t)n, nn = un * un;
    wsk_lu *lu = wsk_alloc(arena, sizeof *lu);
    unsigned char *p = wsk_alloc(arena, nn + 1), *kept = wsk_alloc(arena, nn + 1);
    if (!lu || !p || !kept)
        return NULL;
    lu->n = n;
    lu->pattern = memcpy(kept, pattern, nn);
    lu->order = wsk_alloc(arena, (un + 1) * sizeof(int));
    lu->place = wsk_alloc(arena, (nn + 1) * sizeof(int));
    lu->row_start = wsk_alloc(arena, (un + 1) * sizeof(int));
    lu->diag = wsk_alloc(arena, (un + 1) * sizeof(int));
    if (wsk_arena_failed(arena))
        return NULL;
    for (size_t i = 0; i < nn; i++)
        p[i] = pattern[i] != 0;
    for (int i = 0; i < n; i++)
        p[i * n + i] = 1;
    choose_order(n, p, lu->order);
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++) {
            int at = lu->order[k] * n + lu->order[j];
            lu->place[at] = p[at] ? lu->nnz++ : -1;
        }
    lu->col = wsk_alloc(arena, ((size_t)lu->nnz + 1) * sizeof(int));
    if (!lu->col)
        return NULL;
    int pos = 0;
    for (int k = 0; k < n; k++) {
        lu->row_start[k] = pos;
        for (int j = 0; j < n; j++)
            if (lu->place[lu->order[k] * n + lu->order[j]] >= 0) {
                if (j == k)
                    lu->diag[k] = pos;
                lu->col[pos++] = j;
            }
    }
    lu->row_start[n] = pos;
    lu->n_ops = list_ops(lu, NULL);
    lu->ops = wsk_alloc(arena, (3 * (size_t)lu->n_ops + 1) * sizeof(int));
    if (!lu->ops)
        return NULL;
    list_ops(lu, lu->ops);
    return lu;
}

int wsk_lu_place(const wsk_lu *lu, int i, int j)
{
    return lu->place[i * lu->n + j];
}

bool wsk_lu_factor(const wsk_lu *lu, double *v)
{
    for (const int *o = lu->ops, *end = lu->ops + 3 * (ptrdiff_t)lu->n_ops; o < end; o += 3) {
        if (o[1] < 0) {
            if (!(fabs(v[o[2]]) > 1e-300))
                return false;
            v[o[2]] = 1 / v[o[2]];
        } else if (o[2] < 0) {
            v[o[1]] *= v[o[0]];
        } else {
            v[o[0]] -= v[o[1]] * v[o[2]];
        }
    }
    return true;
}

/* Gauss-Jordan inversion in place of an n x n matrix whose columns have `fours` vectors of four. The code treats
 * columns as rows: the inverse of a transpose is the transpose of the inverse. A single entry is written after its
 * vector, because a vector load waits for a pending scalar store. */
WSK_INLINE bool invert_fours(int n, int fours, const int *order, double *a)
{
    const int rows = fours * WSK_FOUR;
    for (int q = 0; q < n; q++) {
        const int k = order[q];
        double *own = a + k * rows;
        wsk_four kept[WSK_INVERSE_MAX / WSK_FOUR];
        if (!(fabs(own[k]) > 1e-300))
            return false;
        const double inverse = 1 / own[k];
        WSK_UNROLLED for (int j = 0; j < fours; j++) WSK_FOUR_AT(own, j) = kept[j] = WSK_FOUR_AT(own, j) * inverse;
        own[k] = inverse;
        for (int i = 0; i < n; i++) {
            double *other = a + i * rows, f = other[k];
            if (i == k || f == 0)
                continue;
            WSK_UNROLLED for (int j = 0; j < fours; j++) WSK_FOUR_AT(other, j) -= kept[j] * f;
            other[k] = -f * inverse;
        }
    }
    return true;
}

WSK_WIDEST static bool invert_matrix(int n, const int *order, double *a)
{
    return wsk_inverse_rows(n) == 2 * WSK_FOUR ? invert_fours(n, 2, order, a) : invert_fours(n, 4, order, a);
}

bool wsk_invert(int n, const int *order, double *a)
{
    return invert_matrix(n, order, a);
}

void wsk_lu_solve(const wsk_lu *lu, const double *v, double *b, double *work)
{
    int n = lu->n;
    for (int k = 0; k < n; k++) {
        double s = b[lu->order[k]];
        for (int p = lu->row_start[k]; p < lu->diag[k]; p++)
            s -= v[p] * work[lu->col[p]];
        work[k] = s;
    }
    for (int k = n; k-- > 0;) {
        double s = work[k];
        for (int p = lu->diag[k] + 1; p < lu->row_start[k + 1]; p++)
            s -= v[p] * work[lu->col[p]];
        work[k] = s * v[lu->diag[k]];
    }
    for (int k = 0; k < n; k++)
        b[lu->order[k]] = work[k];
}

static inline void multiply_n(int n, const double *restrict a, const double *restrict b, double *restrict out)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += a[i * n + k] * b[k * n + j];
            out[i * n + j] = s;
        }
}

/* Sizes 1 to 3 get loops of constant length, which are faster; the order of operations is the same for all sizes. */
static void multiply_matrices(int n, const double *a, const double *b, double *out)
{
    switch (n) {
    case 1: multiply_n(1, a, b, out); break;
    case 2: multiply_n(2, a, b, out); break;
    case 3: multiply_n(3, a, b, out); break;
    default: multiply_n(n, a, b, out);
    }
}

/* Number of terms of the series of phi2, whose first term is 1/2, until a term is at most 1e-17 for a matrix of
 * this norm. */
static int terms_for(double norm)
{
    double left = 0.5;
    int terms = 0;
    while (left > 1e-17)
        left *= norm / (++terms + 2);
    return terms;
}

void wsk_phi(int n, const double *a, double *phi1, double *phi2)
{
    enum { M = WSK_BLOCK_MAX * WSK_BLOCK_MAX };
    double z[M], t[M], norm = 0;
    int nn = n * n, doublings = 0;
    for (int i = 0; i < n; i++) {
        double row = 0;
        for (int j = 0; j < n; j++)
            row += fabs(a[i * n + j]);
        norm = row > norm ? row : norm;
    }
    double scale = 1;
    while (norm * scale > 0.5) {
        scale *= 0.5;
        doublings++;
    }
    for (int i = 0; i < nn; i++)
        z[i] = a[i] * scale;
    /* phi2 = sum z^k / (k+2)!, by Horner: 1/2 (1 + z/3 (1 + z/4 (...))) */
    memset(phi2, 0, (size_t)nn * sizeof(double));
    for (int i = 0; i < n; i++)
        phi2[i * n + i] = 1;
    for (int k = terms_for(norm * scale); k >= 1; k--) {
        multiply_matrices(n, z, phi2, t);
        double share = 1.0 / (k + 2);
        for (int i = 0; i < nn; i++)
            phi2[i] = t[i] * share;
        for (int i = 0; i < n; i++)
            phi2[i * n + i] += 1;
    }
    for (int i = 0; i < nn; i++)
        phi2[i] *= 0.5;
    multiply_matrices(n, z, phi2, phi1);
    for (int i = 0; i < n; i++)
        phi1[i * n + i] += 1;
    for (int d = 0; d < doublings; d++) {
        double sq[M], e[M];
        multiply_matrices(n, phi1, phi1, sq);
        for (int i = 0; i < nn; i++) /* phi2(2z) = (phi1^2 + 2 phi2) / 4 */
            phi2[i] = (sq[i] + 2 * phi2[i]) * 0.25;
        multiply_matrices(n, z, phi1, e); /* phi1(2z) = (e^z + 1) phi1 / 2 = phi1 + z phi1^2 / 2 */
        multiply_matrices(n, e, phi1, t);
        for (int i = 0; i < nn; i++) {
            phi1[i] += 0.5 * t[i];
            z[i] *= 2;
        }
    }
}
