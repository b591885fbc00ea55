/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "tests/bench/peers/case.h"

typedef struct {
    const wsk_bench_ode *ode;
    const double *a, *b;
} moment;

static int slope(realtype t, N_Vector y, N_Vector ydot, void *data)
{
    const moment *m = data;
    const wsk_bench_ode *o = m->ode;
    const double *x = N_VGetArrayPointer(y);
    double *f = N_VGetArrayPointer(ydot);
    (void)t;
    for (int i = 0; i < o->n; i++)
        f[i] = m->b[i];
    for (int j = 0; j < o->n; j++)
        for (int e = o->column[j]; e < o->column[j + 1]; e++)
            f[o->row[e]] += m->a[e] * x[j];
    return 0;
}

static int jacobian(realtype t, N_Vector y, N_Vector fy, SUNMatrix j, void *data, N_Vector t1, N_Vector t2,
                    N_Vector t3)
{
    const moment *m = data;
    const wsk_bench_ode *o = m->ode;
    (void)t, (void)y, (void)fy, (void)t1, (void)t2, (void)t3;
    for (int i = 0; i <= o->n; i++)
        SUNSparseMatrix_IndexPointers(j)[i] = o->column[i];
    for (int e = 0; e < o->nnz; e++) {
        SUNSparseMatrix_IndexValues(j)[e] = o->row[e];
        SUNSparseMatrix_Data(j)[e] = m->a[e];
    }
    return 0;
}

typedef struct {
    SUNContext context;
    N_Vector y;
    SUNMatrix matrix;
    SUNLinearSolver linear;
    void *cvode;
} solver;

static bool make(solver *s, const wsk_bench_ode *o, moment *m, double tolerance)
{
    if (SUNContext_Create(NULL, &s->context) != 0)
        return false;
    s->y = N_VNew_Serial(o->n, s->context);
    s->matrix = SUNSparseMatrix(o->n, o->n, o->nnz, CSC_MAT, s->context);
    s->cvode = CVodeCreate(CV_BDF, s->context);
    if (!s->y || !s->matrix || !s->cvode)
        return false;
    for (int i = 0; i < o->n; i++)
        N_VGetArrayPointer(s->y)[i] = o->start[i];
    s->linear = SUNLinSol_KLU(s->y, s->matrix, s->context);
    return s->linear && CVodeInit(s->cvode, slope, 0, s->y) == CV_SUCCESS &&
           CVodeSStolerances(s->cvode, 0, tolerance) == CV_SUCCESS && CVodeSetUserData(s->cvode, m) == CV_SUCCESS &&
           CVodeSetLinearSolver(s->cvode, s->linear, s->matrix) == CV_SUCCESS &&
           CVodeSetJacFn(s->cvode, jacobian) == CV_SUCCESS && CVodeSetMaxNumSteps(s->cvode, 100000) == CV_SUCCESS;
}

static void unmake(solver *s)
{
    CVodeFree(&s->cvode);
    SUNLinSolFree(s->linear);
    SUNMatDestroy(s->matrix);
    N_VDestroy(s->y);
    SUNContext_Free(&s->context);
}

/* again: CVODE is restarted at each second, where powers and flows jump. Otherwise it keeps its order and step size
 * across the jumps, and detects them by its error test. Returns the CPU time, s, or -1 if it failed. */
static double integrate(const wsk_bench_case *c, const wsk_bench_ode *o, double tolerance, bool again, double **end_c)
{
    moment m = {o, o->a[0], o->b[0]};
    solver s = {0};
    if (!make(&s, o, &m, tolerance))
        return -1;
    double began = wsk_bench_cpu_s();
    bool ok = true;
    for (int k = 0; ok && k < c->n_second; k++) {
        realtype t = k;
        m.a = o->a[c->set[k]];
        m.b = o->b[k];
        ok = (!again || CVodeReInit(s.cvode, t, s.y) == CV_SUCCESS) &&
             CVodeSetStopTime(s.cvode, k + 1) == CV_SUCCESS && CVode(s.cvode, k + 1, s.y, &t, CV_NORMAL) >= 0;
        wsk_bench_spread(c, o, k, N_VGetArrayPointer(s.y), end_c[k]);
    }
    double took = wsk_bench_cpu_s() - began;
    unmake(&s);
    return ok ? took : -1;
}

static double anew(const wsk_bench_case *c, const wsk_bench_ode *o, double tolerance, double **end_c)
{
    return integrate(c, o, tolerance, true, end_c);
}

static double on(const wsk_bench_case *c, const wsk_bench_ode *o, double tolerance, double **end_c)
{
    return integrate(c, o, tolerance, false, end_c);
}

static const double loose_to_tight[] = {0.1, 3e-2, 1e-2, 5e-3, 2e-3, 1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 0};
const wsk_bench_peer wsk_peer_cvode[] = {
    {"CVODE BDF and KLU, air with a mass", false, true, 150, 250, loose_to_tight, on},
    {"CVODE BDF and KLU, air with a mass, anew each second", false, true, 150, 250, loose_to_tight, anew},
    {"CVODE BDF and KLU, air eliminated", false, false, 150, 250, loose_to_tight, on},
    {"CVODE BDF and KLU, air eliminated, anew each second", false, false, 150, 250, loose_to_tight, anew},
    {.name = NULL}};
