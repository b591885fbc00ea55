/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/num/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = WSK_FIT_UNKNOWNS };
typedef double square[MOST][MOST];
/* raw: residuals of the rows at the present values, as the problem computes them; r: with the row's weight; jac:
 * derivatives of the residuals with the same weights, stored as the derivatives of all rows by the first unknown, then
 * of all rows by the next unknown; trial, other: residuals at other values. */
typedef struct {
    const wsk_fit_problem *p;
    double *raw, *r, *jac, *trial, *other;
} fit;

static double clamp(const wsk_prior *p, double x)
{
    return fmin(fmax(x, p->low), p->high);
}

/* Residual of a row for which the problem has no finite one. No step leads to it, and it tells no derivative. */
static const double no_result = 1e6;

/* The Huber loss of a residual: its square up to k, and 2 k |r| - k^2 beyond k. */
static double loss(double r, double k)
{
    return k > 0 && fabs(r) > k ? k * (2 * fabs(r) - k) : r * r;
}

static double pull(const wsk_prior *p, double x)
{
    return (x - p->mean) / p->sd;
}

/* Writes the residuals at x, as the problem computes them, and returns the cost. */
static double evaluate(const fit *f, const double *x, double *raw)
{
    double sum = 0;
    f->p->residuals(f->p->user, x, raw);
    for (int i = 0; i < f->p->rows; i++) {
        raw[i] = isfinite(raw[i]) ? raw[i] : no_result;
        sum += loss(raw[i], f->p->huber);
    }
    for (int k = 0; k < f->p->unknowns; k++)
        sum += pull(&f->p->prior[k], x[k]) * pull(&f->p->prior[k], x[k]);
    return sum;
}

/* Root of the weight with which the square of a residual has the slope of the Huber loss: iteratively reweighted least
 * squares. */
static double root_of_weight(double raw, double k)
{
    return k > 0 && fabs(raw) > k ? sqrt(k / fabs(raw)) : 1;
}

/* The rows keep the weights of the present values. With the weights of both ends of a difference that moves all rows
 * beyond the bend of the loss, rows would change by unlike amounts: two unknowns with the same effect would seem to have
 * different ones, and to be told apart. */
static void derive(const fit *f, const double *x)
{
    const int rows = f->p->rows, n = f->p->unknowns;
    const bool quick = f->p->quick;
    double v[MOST];
    memcpy(v, x, (size_t)n * sizeof *v);
    for (int k = 0; k < n; k++) {
        const wsk_prior *p = &f->p->prior[k];
        const double h = (f->p->step > 0 ? f->p->step : 1e-4) * p->sd, up = clamp(p, x[k] + h),
                     down = clamp(p, x[k] - h), to = quick && p->high - x[k] <= x[k] - p->low ? down : up,
                     from = quick ? x[k] : down;
        double *column = f->jac + (size_t)k * (size_t)rows;
        const double *before = quick ? f->raw : f->other;
        v[k] = to;
        evaluate(f, v, column);
        v[k] = from;
        if (!quick)
            evaluate(f, v, f->other);
        v[k] = x[k];
        for (int i = 0; i < rows; i++)
            column[i] = fabs(to - from) > 0 && fmax(fabs(column[i]), fabs(before[i])) < no_result
                            ? root_of_weight(f->raw[i], f->p->huber) * (column[i] - before[i]) / (to - from)
                            : 0;
    }
}

/* Takes f->trial as the residuals at the present values. */
static void arrive(fit *f)
{
    double *was = f->raw;
    f->raw = f->trial;
    f->trial = was;
    for (int i = 0; i < f->p->rows; i++)
        f->r[i] = f->raw[i] * root_of_weight(f->raw[i], f->p->huber);
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static bool factor(square a, int n)
{
    for (int c = 0; c < n; c++)
        for (int r = c; r < n; r++) {
            const double s = a[r][c] - dot(a[r], a[c], c);
            if (r == c && !(s > 0))
                return false;
            a[r][c] = r == c ? sqrt(s) : s / a[c][c];
        }
    return true;
}

static void solve(square l, int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = (x[i] - dot(l[i], x, i)) / l[i][i];
    for (int i = n; i-- > 0;) {
        for (int k = i + 1; k < n; k++)
            x[i] -= l[k][i] * x[k];
        x[i] /= l[i][i];
    }
}

static void curvature(const fit *f, double scale, square a)
{
    const int n = f->p->unknowns, rows = f->p->rows;
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++)
            a[i][k] = a[k][i] =
                dot(f->jac + (size_t)i * (size_t)rows, f->jac + (size_t)k * (size_t)rows, rows) / scale +
                (i == k ? 1 / (f->p->prior[i].sd * f->p->prior[i].sd) : 0);
}

/* f->r and f->jac must be those at x. An unknown that the cost pushes against a bound stays there. Returns by how
 * much the cost would fall if the residuals were linear and no bound cut the step; INFINITY: no step found. */
static double propose(const fit *f, const double *x, double damping, double *next)
{
    const int n = f->p->unknowns;
    square a, part;
    double d[MOST], slope[MOST], gain = 0;
    int free_[MOST], m = 0;
    curvature(f, 1, a);
    for (int k = 0; k < n; k++) {
        const wsk_prior *p = &f->p->prior[k];
        const double down = -dot(f->jac + (size_t)k * (size_t)f->p->rows, f->r, f->p->rows) - pull(p, x[k]) / p->sd;
        next[k] = x[k];
        if ((x[k] <= p->low && down < 0) || (x[k] >= p->high && down > 0))
            continue;
        d[m] = down;
        free_[m++] = k;
    }
    for (int i = 0; i < m; i++)
        for (int k = 0; k < m; k++)
            part[i][k] = a[free_[i]][free_[k]] * (i == k ? 1 + damping : 1);
    if (!factor(part, m))
        return INFINITY;
    memcpy(slope, d, (size_t)m * sizeof *d);
    solve(part, m, d);
    for (int i = 0; i < m; i++) {
        next[free_[i]] = clamp(&f->p->prior[free_[i]], x[free_[i]] + d[i]);
        gain += 2 * slope[i] * d[i];
        for (int k = 0; k < m; k++)
            gain -= d[i] * a[free_[i]][free_[k]] * d[k];
    }
    return gain;
}

static void descend(fit *f, double *x, double *cost)
{
    const double done = f->p->done > 0 ? f->p->done : 1e-6;
    double damping = 1e-2, next[MOST];
    *cost = evaluate(f, x, f->trial);
    arrive(f);
    derive(f, x);
    for (int i = 0; i < 100 && damping < 1e8; i++) {
        const double gain = propose(f, x, damping, next), before = *cost;
        if (f->p->quick && gain < done * before)
            break;
        const double now = evaluate(f, next, f->trial);
        if (!(now < before)) {
            damping *= 8;
            continue;
        }
        damping *= 0.2;
        memcpy(x, next, (size_t)f->p->unknowns * sizeof *x);
        *cost = now;
        arrive(f);
        if (before - now < done * before)
            break;
        derive(f, x);
    }
}

static void judge(fit *f, wsk_fit *out)
{
    const int n = f->p->unknowns, rows = f->p->rows;
    square a;
    double sum = 0, freedom = rows;
    out->worst = -1;
    if (!f->p->quick)
        derive(f, out->x);
    out->cost = evaluate(f, out->x, f->trial);
    arrive(f);
    for (int i = 0; i < rows; i++) {
        sum += loss(f->raw[i], f->p->huber);
        if (out->worst < 0 || !(fabs(f->raw[i]) <= fabs(out->worst_r))) {
            out->worst = i;
            out->worst_r = f->raw[i];
        }
    }
    out->noise = 1;
    for (int pass = 0; pass < 2; pass++) {
        curvature(f, fmax(out->noise * out->noise, 1), a);
        for (int k = 0; k < n; k++)
            out->apart[k] = 1 / sqrt(a[k][k]); /* a[k][k] > 0, because the prior adds 1/sd^2 */
        const bool good = factor(a, n);
        for (int k = 0; k < n; k++) {
            double unit[MOST] = {0};
            unit[k] = 1;
            if (good)
                solve(a, n, unit);
            out->sd[k] = good ? sqrt(unit[k]) : f->p->prior[k].sd;
            for (int i = 0; i < n; i++)
                out->covariance[k][i] = good ? unit[i] : i == k ? out->sd[k] * out->sd[k] : 0;
            freedom -= pass ? 0 : wsk_fit_learnt(&f->p->prior[k], out->sd[k]);
        }
        out->noise = sqrt(sum / fmax(freedom, 1));
    }
}

wsk_status wsk_fit_map(const wsk_fit_problem *p, const double *start, wsk_fit *out)
{
    memset(out, 0, sizeof *out);
    if (p->unknowns < 1 || p->unknowns > MOST || p->rows < 0)
        return WSK_EUSAGE;
    for (int k = 0; k < p->unknowns; k++) {
        if (!(p->prior[k].sd > 0))
            return WSK_EUSAGE;
        out->x[k] = clamp(&p->prior[k], start ? start[k] : p->prior[k].mean);
    }
    const size_t rows = (size_t)(p->rows > 0 ? p->rows : 1), columns = (size_t)p->unknowns + 4;
    double *work = calloc(rows * columns, sizeof *work);
    if (!work)
        return WSK_ENOMEM;
    fit f = {.p = p,
             .raw = work,
             .r = work + rows,
             .trial = work + 2 * rows,
             .other = work + 3 * rows,
             .jac = work + 4 * rows};
    descend(&f, out->x, &out->cost);
    judge(&f, out);
    free(work);
    return WSK_OK;
}
