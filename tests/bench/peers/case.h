/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One recorded hour, as every solver of the benchmark gets it: the exported heat network, watts of each second, the
 * flows of each second, and the exact answer. */
#ifndef WSK_BENCH_CASE_H
#define WSK_BENCH_CASE_H
#include "sim/study/export.h"

/* dT/dt = A T + b: A by columns, one pattern for all flows. */
typedef struct {
    int n, nnz, n_set;
    int *column, *row;   /* n + 1 and nnz */
    double **a;          /* n_set rows of nnz, 1/s */
    double **b;          /* per second, K/s */
    const double *start; /* n, degC */
    const int *node;     /* n: the network's number */
    double prepare_s;    /* processor time of finding A for each set of flows and b for each second */
} wsk_bench_ode;

typedef struct {
    wsk_rig *rig;
    wsk_heat_net *net;
    int n, n_second, n_set; /* n: nodes without the dies, whose rise is no equation */
    int *set;               /* per second: which flows */
    double **g;             /* per set, per term */
    double **watts;         /* per second, per node */
    double **given; /* per second, per node: degC at its end as the fast stepper has it; of given nodes, during it */
    double **rpm, **natural_k; /* per second: what the program's own steppers take instead of g */
    int *natural_of;           /* per second: the first from which that is the same */
    int *given_node, n_given;
    const double *start_c;
    wsk_bench_ode bare, massed; /* air eliminated; or air with the mass of a quarter of a litre */
    double **end_c, **mean_c;   /* exact: at the end of each second, and its mean */
} wsk_bench_case;

/* Runs the rig with watts that change each second and records it; NULL after a message on stderr. */
wsk_bench_case *wsk_bench_case_new(const char *rig_path, int seconds);
void wsk_bench_case_free(wsk_bench_case *c);
/* The ODE's unknowns as nodes, degC; NAN: not among them. */
void wsk_bench_spread(const wsk_bench_case *c, const wsk_bench_ode *ode, int second, const double *x, double *out);
double wsk_bench_cpu_s(void);

/* A foreign solver: fills end_c[second][node] of the whole case with `tolerance` in its own sense; the seconds of
 * processor time it took, below 0: failed. */
typedef struct {
    const char *name;
    bool itself;              /* takes the network, no ODE */
    bool air_massed;          /* takes `massed`, not `bare` */
    double must, goal;        /* how many times faster we are to be; 0: nobody said */
    const double *tolerances; /* loose to tight, ends with 0 */
    double (*solve)(const wsk_bench_case *c, const wsk_bench_ode *ode, double tolerance, double **end_c);
} wsk_bench_peer;
/* Lists that end with name NULL. */
extern const wsk_bench_peer wsk_peer_gsl[], wsk_peer_cvode[], wsk_peer_ngspice[];

#endif
