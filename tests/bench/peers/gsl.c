/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each integration is interrupted at each second, because powers and flows jump there. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include "tests/bench/peers/case.h"

typedef struct {
    const wsk_bench_ode *ode;
    const double *a, *b;
} moment;

static int slope(double t, const double y[], double f[], void *params)
{
    const moment *m = params;
    const wsk_bench_ode *o = m->ode;
    (void)t;
    for (int i = 0; i < o->n; i++)
        f[i] = m->b[i];
    for (int j = 0; j < o->n; j++)
        for (int e = o->column[j]; e < o->column[j + 1]; e++)
            f[o->row[e]] += m->a[e] * y[j];
    return GSL_SUCCESS;
}

static int jacobian(double t, const double y[], double *dfdy, double dfdt[], void *params)
{
    const moment *m = params;
    const wsk_bench_ode *o = m->ode;
    (void)t;
    (void)y;
    for (int i = 0; i < o->n * o->n; i++)
        dfdy[i] = 0;
    for (int j = 0; j < o->n; j++) {
        dfdt[j] = 0;
        for (int e = o->column[j]; e < o->column[j + 1]; e++)
            dfdy[o->row[e] * o->n + j] = m->a[e];
    }
    return GSL_SUCCESS;
}

static double integrate(const wsk_bench_case *c, const wsk_bench_ode *o, const gsl_odeiv2_step_type *type,
                        double tolerance, double **end_c)
{
    moment m = {.ode = o};
    gsl_odeiv2_system system = {slope, jacobian, (size_t)o->n, &m};
    double y[256], t = 0;
    if (o->n > 256)
        return -1;
    gsl_set_error_handler_off();
    gsl_odeiv2_driver *d = gsl_odeiv2_driver_alloc_y_new(&system, type, 0.1, tolerance, 0);
    if (!d)
        return -1;
    for (int i = 0; i < o->n; i++)
        y[i] = o->start[i];
    double began = wsk_bench_cpu_s();
    for (int k = 0; k < c->n_second; k++) {
        m.a = o->a[c->set[k]];
        m.b = o->b[k];
        gsl_odeiv2_driver_reset(d);
        if (gsl_odeiv2_driver_apply(d, &t, k + 1, y) != GSL_SUCCESS) {
            began = 1e300;
            break;
        }
        wsk_bench_spread(c, o, k, y, end_c[k]);
    }
    double took = wsk_bench_cpu_s() - began;
    gsl_odeiv2_driver_free(d);
    return took;
}

static double rkf45(const wsk_bench_case *c, const wsk_bench_ode *o, double tolerance, double **end_c)
{
    return integrate(c, o, gsl_odeiv2_step_rkf45, tolerance, end_c);
}

static double msbdf(const wsk_bench_case *c, const wsk_bench_ode *o, double tolerance, double **end_c)
{
    return integrate(c, o, gsl_odeiv2_step_msbdf, tolerance, end_c);
}

static double rk8pd(const wsk_bench_case *c, const wsk_bench_ode *o, double tolerance, double **end_c)
{
    return integrate(c, o, gsl_odeiv2_step_rk8pd, tolerance, end_c);
}

static const double loose_to_tight[] = {10, 1, 0.3, 0.1, 3e-2, 1e-2, 5e-3, 2e-3, 1e-3, 1e-4, 1e-5, 0};
const wsk_bench_peer wsk_peer_gsl[] = {{"GSL rkf45, air with a mass", false, true, 80, 125, loose_to_tight, rkf45},
                                       {"GSL rk8pd, air with a mass", false, true, 0, 0, loose_to_tight, rk8pd},
                                       {"GSL msbdf, air with a mass", false, true, 0, 0, loose_to_tight, msbdf},
                                       {"GSL rkf45, air eliminated", false, false, 80, 125, loose_to_tight, rkf45},
                                       {"GSL msbdf, air eliminated", false, false, 0, 0, loose_to_tight, msbdf},
                                       {.name = NULL}};
