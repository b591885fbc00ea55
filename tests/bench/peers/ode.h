/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_BENCH_ODE_H
#define WSK_BENCH_ODE_H
#include "tests/bench/peers/case.h"

/* Returns zeroed memory, which the caller frees; ends the program if there is not enough. */
void *wsk_bench_take(size_t count, size_t size);
/* Free with wsk_bench_rows_free. */
double **wsk_bench_rows(int count, int width);
void wsk_bench_rows_free(double **rows);

/* Fills *ode from a recorded case. air_cap: heat capacity of an air node, J/K; 0 eliminates the air nodes. Returns,
 * for each set of air flows in the case, the matrix A of dx/dt = A x + b, dense and row by row, 1/s; free the
 * matrices with wsk_bench_rows_free. */
double **wsk_bench_ode_new(const wsk_bench_case *c, double air_cap, wsk_bench_ode *ode);
void wsk_bench_ode_free(wsk_bench_ode *ode);
/* Fills end_c and mean_c of the case from c->bare. full: the dense matrices that wsk_bench_ode_new returned for
 * c->bare. */
void wsk_bench_solve(wsk_bench_case *c, double **full);

#endif
