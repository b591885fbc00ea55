/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/num/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = WSK_FIT_UNKNOWNS };
typedef double square[MOST][MOST];
/* raw: residuals of the rows as the problem computes them; r: after the Huber loss; jac: derivatives of r, stored
 * as the derivatives of all rows by the first unknown, then of all rows by the next unknown. */
typedef struct {
    const wsk_fit_problem *p;
    double *raw, *r, *jac;
} fit;

static double clamp(const wsk_prior *p, double x)
{
    return fmin(fmax(x, p->low), p->high);
}

/* Residual whose square is the Huber loss of r: r^2 up to k, and 2 k |r| - k^2 beyond k; 1e3 if r is not finite. */
static double counted(double r, double k)
{
    if (!isfinite(r))
        return 1e3;
    return k > 0 && fabs(r) > k ? copysign(sqrt(k * (2 * fabs(r) - k)), r) : r;
}

static double pull(const wsk_prior *p, double x)
{
    return (x - p->mean) / p->sd;
}

static double evaluate(fit *f, const double *x, double *r)
{
    double sum = 0;
    f->p->residuals(f->p->user, x, f->raw);
    for (int i = 0; i < f->p->rows; i++) {
        r[i] = counted(f->raw[i], f->p->huber);
        sum += r[i] * r[i];
    }
    for (int k = 0; k < f->p->unknowns; k++)
        sum += pull(&f->p->prior[k], x[k]) * pull(&f->p->prior[k], x[k]);
    return sum;
}

/* Computes one-sided derivatives. f->r must hold the residuals at x. */
static void derive_quick(fit *f, const double *x)
{
    const int rows = f->p->rows, n = f->p->unknowns;
    double v[MOST];
    memcpy(v, x, (size_t)n * sizeof *v);
    for (int k = 0; k < n; k++) {
        const wsk_prior *p = &f->p->prior[k];
        const double h = (f->p->step > 0 ? f->p->step : 1e-4) * p->sd,
                     to = p->high - x[k] > x[k] - p->low ? clamp(p, x[k] + h) : clamp(p, x[k] - h);
        double *column = f->jac + (size_t)k * (size_t)rows;
        v[k] = to;
        evaluate(f, v, column);
        v[k] = x[k];
        for (int i = 0; i < rows; i++)
            column[i] = (column[i] - f->r[i]) / (to - x[k]);
    }
}

static void derive(fit *f, const double *x)
{
    if (f->p->quick) {
        derive_quick(f, x);
        return;
    }
    const int rows = f->p->rows, n = f->p->unknowns;
    double *above = f->jac + (size_t)n * (size_t)rows, v[MOST];
    memcpy(v, x, (size_t)n * sizeof *v);
    for (int k = 0; k < n; k++) {
        const wsk_prior *p = &f->p->prior[k];
        const double h = (f->p->step > 0 ? f->p->step : 1e-4) * p->sd, up = clamp(p, x[k] + h),
                     down = clamp(p, x[k] - h);
        double *column = f->jac + (size_t)k * (size_t)rows;
        v[k] = up;
        evaluate(f, v, above);
        v[k] = down;
        evaluate(f, v, column);
        v[k] = x[k];
        for (int i = 0; i < rows; i++)
            column[i] = up > down ? (above[i] - column[i]) / (up - down) : 0;
    }
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
    *cost = evaluate(f, x, f->r);
    derive(f, x);
    for (int i = 0; i < 100 && damping < 1e8; i++) {
        double *trial = f->jac + (size_t)f->p->unknowns * (size_t)f->p->rows;
        const double gain = propose(f, x, damping, next), before = *cost;
        if (f->p->quick && gain < done * before)
            break;
        const double now = evaluate(f, next, trial);
        if (!(now < before)) {
            damping *= 8;
            continue;
        }
        damping *= 0.2;
        memcpy(x, next, (size_t)f->p->unknowns * sizeof *x);
        if (f->p->quick) {
            memcpy(f->r, trial, (size_t)f->p->rows * sizeof *f->r);
            *cost = now;
        } else {
            *cost = evaluate(f, x, f->r);
        }
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
    out->cost = evaluate(f, out->x, f->r);
    for (int i = 0; i < rows; i++) {
        sum += f->r[i] * f->r[i];
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
    const size_t rows = (size_t)(p->rows > 0 ? p->rows : 1), columns = (size_t)p->unknowns + 3;
    double *work = calloc(rows * columns, sizeof *work);
    if (!work)
        return WSK_ENOMEM;
    fit f = {.p = p, .raw = work, .r = work + rows, .jac = work + 2 * rows};
    descend(&f, out->x, &out->cost);
    judge(&f, out);
    free(work);
    return WSK_OK;
}
