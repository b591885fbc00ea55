/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_BENCH_CASE_H
#define WSK_BENCH_CASE_H
#include "sim/study/export/export.h"

/* The network as an ODE, dT/dt = A T + b. A is stored by columns. All sets of air flows share one sparsity pattern. */
typedef struct {
    int n, nnz, n_set;
    int *column, *row;   /* n + 1 column starts, and nnz row indices */
    double **a;          /* [set of flows]: the nnz values of A, 1/s */
    double **b;          /* [second]: the n values of b, K/s */
    const double *start; /* [unknown]: start temperature, degC */
    const int *node;     /* [unknown]: its node */
    double prepare_s;    /* processor time, s, of making A for all sets of flows and b for all seconds */
} wsk_bench_ode;

typedef struct {
    wsk_rig *rig;
    wsk_heat_net *net;
    /* n: number of nodes without the dies, whose temperature is that of their node plus resistance x power */
    int n, n_second, n_set;
    int *set;
    double **g;     /* [set of flows][term]: conductance, W/K */
    double **watts; /* [second][node]: heat source, W */
    /* [second][node], degC: for a node with a given temperature, that temperature during the second; for any other
     * node, the fast stepper's temperature at the end of the second */
    double **given;
    /* rpm: [second][fan or pump], its speed. natural_k: [second][node], the temperature, K, with which natural
     * convection is computed. The steppers of wattsink compute g from both during the comparison. */
    double **rpm, **natural_k;
    int *natural_of; /* [second]: the first second that has the same natural_k */
    int *given_node, n_given;
    const double *start_c;
    /* bare: air nodes are eliminated; massed: each air node has the heat capacity of a quarter of a litre of air */
    wsk_bench_ode bare, massed;
    double **end_c, **mean_c;
} wsk_bench_case;

/* Records a run of the rig whose card powers change each second. Ends the program with a message if that fails. */
wsk_bench_case *wsk_bench_case_new(const char *rig_path, int seconds);
void wsk_bench_case_free(wsk_bench_case *c);
/* out[]: degC; NAN for nodes that are not unknowns. */
void wsk_bench_spread(const wsk_bench_case *c, const wsk_bench_ode *ode, int second, const double *x, double *out);
double wsk_bench_cpu_s(void);

/* A solver with which ours is compared. solve() fills end_c[second][node] for the whole case, and returns the processor
 * time, s, or a negative number if it failed. Each solver has its own meaning of `tolerance`. */
typedef struct {
    const char *name;
    bool itself;     /* solve() reads the exported network, not the ODE */
    bool air_massed; /* solve() takes the ODE `massed`, not `bare` */
    /* how many times faster our stepper must be (must) and should be (goal); 0: there is no budget */
    double must, goal;
    const double *tolerances; /* tolerances to try, from loose to tight; 0 ends the list */
    double (*solve)(const wsk_bench_case *c, const wsk_bench_ode *ode, double tolerance, double **end_c);
} wsk_bench_peer;
extern const wsk_bench_peer wsk_peer_gsl[], wsk_peer_cvode[], wsk_peer_ngspice[];

#endif
