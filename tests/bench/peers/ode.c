/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/bench/peers/ode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void *wsk_bench_take(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    if (!p) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return p;
}

double **wsk_bench_rows(int count, int width)
{
    double **r = wsk_bench_take((size_t)count, sizeof *r),
           *all = wsk_bench_take((size_t)count * (size_t)width, sizeof *all);
    for (int i = 0; i < count; i++)
        r[i] = all + (size_t)i * (size_t)width;
    return r;
}

void wsk_bench_rows_free(double **r)
{
    if (r)
        free(r[0]);
    free(r);
}

static void solve(int n, double *a, int m, double *b)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            p = fabs(a[i * n + k]) > fabs(a[p * n + k]) ? i : p;
        for (int j = 0; p != k && j < n; j++) {
            double t = a[k * n + j];
            a[k * n + j] = a[p * n + j];
            a[p * n + j] = t;
        }
        for (int j = 0; p != k && j < m; j++) {
            double t = b[k * m + j];
            b[k * m + j] = b[p * m + j];
            b[p * m + j] = t;
        }
        for (int i = k + 1; i < n; i++) {
            double f = a[i * n + k] / a[k * n + k];
            for (int j = k; f != 0 && j < n; j++)
                a[i * n + j] -= f * a[k * n + j];
            for (int j = 0; f != 0 && j < m; j++)
                b[i * m + j] -= f * b[k * m + j];
        }
    }
    for (int k = n - 1; k >= 0; k--)
        for (int j = 0; j < m; j++) {
            for (int i = k + 1; i < n; i++)
                b[k * m + j] -= a[k * n + i] * b[i * m + j];
            b[k * m + j] /= a[k * n + k];
        }
}

static void times(int n, const double *x, const double *y, double *out)
{
    memset(out, 0, (size_t)n * (size_t)n * sizeof *out);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                out[i * n + j] += x[i * n + k] * y[k * n + j];
}

/* Computes e^a, phi1(a) and phi2(a): scales a down, sums the Taylor series of phi2, then doubles a until the scaling
 * is undone. */
static void exponentials(int n, const double *a, double *e, double *phi1, double *phi2)
{
    size_t nn = (size_t)n * (size_t)n;
    double norm = 0, scale = 1, *z = wsk_bench_take(nn, sizeof *z), *t = wsk_bench_take(nn, sizeof *t),
           *term = wsk_bench_take(nn, sizeof *term);
    int doublings = 0;
    for (size_t i = 0; i < nn; i++)
        norm += fabs(a[i]);
    for (; norm * scale > 0.5; scale /= 2)
        doublings++;
    memset(phi2, 0, nn * sizeof *phi2);
    for (size_t i = 0; i < nn; i++)
        z[i] = a[i] * scale;
    for (int i = 0; i < n; i++)
        phi2[i * n + i] = term[i * n + i] = 0.5;
    for (int k = 3; k < 20; k++) {
        times(n, term, z, t);
        for (size_t i = 0; i < nn; i++) {
            term[i] = t[i] / k;
            phi2[i] += term[i];
        }
    }
    for (int k = 0; k <= doublings; k++) {
        if (k > 0) { /* doubling: phi2 of 2z follows from phi1 and phi2 of z */
            times(n, phi1, phi1, t);
            for (size_t i = 0; i < nn; i++) {
                phi2[i] = (t[i] + 2 * phi2[i]) / 4;
                z[i] *= 2;
            }
        }
        times(n, z, phi2, phi1);
        for (int i = 0; i < n; i++)
            phi1[i * n + i] += 1;
    }
    times(n, z, phi1, e);
    for (int i = 0; i < n; i++)
        e[i * n + i] += 1;
    free(z);
    free(t);
    free(term);
}

typedef struct {
    int nd, nq;
    /* [node]: i for the i-th node with heat capacity; -1-i for the i-th node without; GIVEN for a node with a given
     * temperature */
    int *index;
    int *dynamic;
    double *cap;
} parting;

enum { GIVEN = 1 << 30 };

static parting part(const wsk_bench_case *c, double air_cap)
{
    parting p = {.index = wsk_bench_take((size_t)c->n, sizeof *p.index),
                 .dynamic = wsk_bench_take((size_t)c->n, sizeof *p.dynamic),
                 .cap = wsk_bench_take((size_t)c->n, sizeof *p.cap)};
    for (int i = 0; i < c->n; i++) {
        p.cap[i] = c->net->cap[i] > 0 ? c->net->cap[i] : air_cap;
        if (c->net->given[i]) {
            p.index[i] = GIVEN;
        } else if (p.cap[i] > 0) {
            p.dynamic[p.nd] = i;
            p.index[i] = p.nd++;
        } else {
            p.index[i] = -1 - p.nq++;
        }
    }
    return p;
}

static void unpart(parting *p)
{
    free(p->index);
    free(p->cap);
}

static void assemble(const wsk_bench_case *c, const double *g, double *k)
{
    memset(k, 0, (size_t)c->n * (size_t)c->n * sizeof *k);
    for (int i = 0; i < c->net->n_term; i++) {
        const wsk_term *t = &c->net->terms[i];
        if (t->from >= c->n || !(g[i] > 0))
            continue;
        k[t->from * c->n + t->from] += g[i];
        k[t->to * c->n + t->from] -= g[i];
        if (t->sense >= 0) {
            k[t->from * c->n + t->sense] -= g[i];
            k[t->to * c->n + t->sense] += g[i];
        }
    }
}

/* Solves the heat balance of the air nodes (q) for their temperatures, given those of the nodes with heat capacity
 * (d) and the given temperatures (g): T_q = x_d T_d + x_q (p_q - K_qg T_g), where p are heat sources. Returns x, nq x
 * (nd + nq). */
static double *air_answer(const wsk_bench_case *c, const parting *p, const double *k)
{
    int m = p->nd + p->nq;
    double *kqq = wsk_bench_take((size_t)p->nq * (size_t)p->nq, sizeof *kqq),
           *x = wsk_bench_take((size_t)p->nq * (size_t)m, sizeof *x);
    for (int i = 0; i < c->n; i++) {
        if (p->index[i] >= 0)
            continue;
        int r = -1 - p->index[i];
        x[r * m + p->nd + r] = 1;
        for (int j = 0; j < c->n; j++)
            if (p->index[j] < 0)
                kqq[r * p->nq - 1 - p->index[j]] = k[i * c->n + j];
            else if (p->index[j] != GIVEN)
                x[r * m + p->index[j]] = -k[i * c->n + j];
    }
    solve(p->nq, kqq, m, x);
    free(kqq);
    return x;
}

/* Fills the dense matrix A, 1/s, row by row: -(K_dd + K_dq x_d)/C. */
static void dense(const wsk_bench_case *c, const parting *p, const double *k, const double *x, double *a)
{
    int m = p->nd + p->nq;
    for (int r = 0; r < p->nd; r++) {
        const double *row = k + p->dynamic[r] * c->n;
        for (int s = 0; s < p->nd; s++) {
            double sum = row[p->dynamic[s]];
            for (int j = 0; j < c->n; j++)
                if (p->index[j] < 0)
                    sum += row[j] * x[(-1 - p->index[j]) * m + s];
            a[r * p->nd + s] = -sum / p->cap[p->dynamic[r]];
        }
    }
}

/* Fills the right side of the air nodes' heat balance for one second: p_q - K_qg T_g, W. */
static void air_drive(const wsk_bench_case *c, const parting *p, const double *k, int second, double *q)
{
    for (int i = 0; i < c->n; i++) {
        if (p->index[i] >= 0)
            continue;
        double sum = c->watts[second][i];
        for (int j = 0; j < c->n; j++)
            if (p->index[j] == GIVEN)
                sum -= k[i * c->n + j] * c->given[second][j];
        q[-1 - p->index[i]] = sum;
    }
}

/* drive, nd x n, gets the derivative of each row of b with respect to each node's heat source or given temperature. */
static void drive_matrix(const wsk_bench_case *c, const parting *p, const double *k, const double *x, double *drive)
{
    int m = p->nd + p->nq;
    /* nd x nq matrix: derivative of each row of b with respect to the heat (q in air_drive) of each air node */
    double *air = wsk_bench_take((size_t)p->nd * (size_t)p->nq, sizeof *air);
    for (int r = 0; r < p->nd; r++)
        for (int j = 0; j < c->n; j++)
            for (int s = 0; p->index[j] < 0 && s < p->nq; s++)
                air[r * p->nq + s] -= k[p->dynamic[r] * c->n + j] * x[(-1 - p->index[j]) * m + p->nd + s];
    for (int r = 0; r < p->nd; r++)
        for (int j = 0; j < c->n; j++) {
            double sum = 0;
            if (p->index[j] == GIVEN) {
                sum = -k[p->dynamic[r] * c->n + j];
                for (int i = 0; i < c->n; i++)
                    if (p->index[i] < 0)
                        sum -= air[r * p->nq - 1 - p->index[i]] * k[i * c->n + j];
            } else {
                sum = p->index[j] < 0 ? air[r * p->nq - 1 - p->index[j]] : p->index[j] == r ? 1 : 0;
            }
            drive[r * c->n + j] = sum / p->cap[p->dynamic[r]];
        }
    free(air);
}

static void drive_second(const wsk_bench_case *c, const parting *p, const double *drive, int second, double *b)
{
    double in[256];
    for (int j = 0; j < c->n; j++)
        in[j] = c->net->given[j] ? c->given[second][j] : c->watts[second][j];
    for (int r = 0; r < p->nd; r++) {
        double sum = 0;
        for (int j = 0; j < c->n; j++)
            sum += drive[r * c->n + j] * in[j];
        b[r] = sum;
    }
}

static void compress(wsk_bench_ode *o, double **full)
{
    o->column = wsk_bench_take((size_t)o->n + 1, sizeof *o->column);
    o->row = wsk_bench_take((size_t)o->n * (size_t)o->n, sizeof *o->row);
    for (int j = 0; j < o->n; j++) {
        o->column[j] = o->nnz;
        for (int i = 0; i < o->n; i++) {
            bool any = i == j;
            for (int s = 0; s < o->n_set && !any; s++)
                any = full[s][i * o->n + j] != 0;
            if (any)
                o->row[o->nnz++] = i;
        }
    }
    o->column[o->n] = o->nnz;
    o->a = wsk_bench_rows(o->n_set, o->nnz);
    for (int s = 0; s < o->n_set; s++)
        for (int j = 0; j < o->n; j++)
            for (int e = o->column[j]; e < o->column[j + 1]; e++)
                o->a[s][e] = full[s][o->row[e] * o->n + j];
}

double **wsk_bench_ode_new(const wsk_bench_case *c, double air_cap, wsk_bench_ode *o)
{
    double began = wsk_bench_cpu_s();
    parting p = part(c, air_cap);
    double *k = wsk_bench_take((size_t)c->n * (size_t)c->n, sizeof *k),
           *start = wsk_bench_take((size_t)c->n, sizeof *start), **full = wsk_bench_rows(c->n_set, p.nd * p.nd),
           **drive = wsk_bench_rows(c->n_set, p.nd * c->n);
    *o = (wsk_bench_ode){
        .n = p.nd, .n_set = c->n_set, .b = wsk_bench_rows(c->n_second, p.nd), .node = p.dynamic, .start = start};
    for (int s = 0; s < c->n_set; s++) {
        assemble(c, c->g[s], k);
        double *x = air_answer(c, &p, k);
        dense(c, &p, k, x, full[s]);
        drive_matrix(c, &p, k, x, drive[s]);
        free(x);
    }
    for (int t = 0; t < c->n_second; t++)
        drive_second(c, &p, drive[c->set[t]], t, o->b[t]);
    for (int i = 0; i < p.nd; i++)
        start[i] = c->start_c[p.dynamic[i]];
    compress(o, full);
    o->prepare_s = wsk_bench_cpu_s() - began;
    unpart(&p);
    free(k);
    wsk_bench_rows_free(drive);
    return full;
}

void wsk_bench_spread(const wsk_bench_case *c, const wsk_bench_ode *ode, int second, const double *x, double *out)
{
    for (int i = 0; i < c->n; i++)
        out[i] = c->net->given[i] ? c->given[second][i] : (double)NAN;
    for (int i = 0; i < ode->n; i++)
        out[ode->node[i]] = x[i];
}

/* Matrices of the exact solution over one second, for one set of air flows: within a second the coefficients are
 * constant. */
typedef struct {
    double *e, *phi1, *phi2, *air, *k;
} exact_set;

static exact_set exactly(const wsk_bench_case *c, const parting *p, const double *a, const double *g)
{
    size_t nn = (size_t)p->nd * (size_t)p->nd;
    exact_set x = {wsk_bench_take(nn, sizeof(double)), wsk_bench_take(nn, sizeof(double)),
                   wsk_bench_take(nn, sizeof(double)), NULL,
                   wsk_bench_take((size_t)c->n * (size_t)c->n, sizeof(double))};
    exponentials(p->nd, a, x.e, x.phi1, x.phi2);
    assemble(c, g, x.k);
    x.air = air_answer(c, p, x.k);
    return x;
}

static void air_out(const wsk_bench_case *c, const parting *p, const exact_set *x, const double *q,
                    const double *solids, double *out)
{
    int m = p->nd + p->nq;
    for (int i = 0; i < c->n; i++) {
        if (p->index[i] >= 0)
            continue;
        const double *row = x->air + (-1 - p->index[i]) * m;
        double sum = 0;
        for (int s = 0; s < p->nd; s++)
            sum += row[s] * solids[s];
        for (int s = 0; s < p->nq; s++)
            sum += row[p->nd + s] * q[s];
        out[i] = sum;
    }
}

void wsk_bench_solve(wsk_bench_case *c, double **full)
{
    parting p = part(c, 0);
    int n = p.nd;
    double *t = wsk_bench_take((size_t)n, sizeof *t), *next = wsk_bench_take((size_t)n, sizeof *next),
           *mean = wsk_bench_take((size_t)n, sizeof *mean), *q = wsk_bench_take((size_t)c->n, sizeof *q);
    exact_set *sets = wsk_bench_take((size_t)c->n_set, sizeof *sets);
    memcpy(t, c->bare.start, (size_t)n * sizeof *t);
    for (int k = 0; k < c->n_second; k++) {
        exact_set *x = &sets[c->set[k]];
        const double *b = c->bare.b[k];
        if (!x->e)
            *x = exactly(c, &p, full[c->set[k]], c->g[c->set[k]]);
        for (int i = 0; i < n; i++) {
            next[i] = mean[i] = 0;
            for (int j = 0; j < n; j++) {
                next[i] += x->e[i * n + j] * t[j] + x->phi1[i * n + j] * b[j];
                mean[i] += x->phi1[i * n + j] * t[j] + x->phi2[i * n + j] * b[j];
            }
        }
        memcpy(t, next, (size_t)n * sizeof *t);
        wsk_bench_spread(c, &c->bare, k, t, c->end_c[k]);
        wsk_bench_spread(c, &c->bare, k, mean, c->mean_c[k]);
        air_drive(c, &p, x->k, k, q);
        air_out(c, &p, x, q, t, c->end_c[k]);
        air_out(c, &p, x, q, mean, c->mean_c[k]);
    }
    for (int s = 0; s < c->n_set; s++) {
        free(sets[s].e);
        free(sets[s].phi1);
        free(sets[s].phi2);
        free(sets[s].air);
        free(sets[s].k);
    }
    free(sets);
    free(t);
    free(next);
    free(mean);
    free(q);
    free(p.dynamic);
    unpart(&p);
}

void wsk_bench_ode_free(wsk_bench_ode *o)
{
    free(o->column);
    free(o->row);
    wsk_bench_rows_free(o->a);
    wsk_bench_rows_free(o->b);
    free((void *)(uintptr_t)o->start);
    free((void *)(uintptr_t)o->node);
}
