/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured power-limit sweeps of an RTX 3090 against the card's power and performance model. */
#ifndef WSK_TESTS_SWEEP_H
#define WSK_TESTS_SWEEP_H
#include "sim/io/plan.h"
#include "sim/net/roles.h"

enum { WSK_SWEEP_MAX = 40 };
typedef struct {
    int n;
    double limit_w[WSK_SWEEP_MAX], perf[WSK_SWEEP_MAX], clock_hz[WSK_SWEEP_MAX];
} wsk_sweep;
typedef struct {
    double mean, worst, worst_limit_w, clock_mean; /* percent */
} wsk_sweep_error;

bool wsk_sweep_read(wsk_sweep *sweep, const char *cls); /* rows of one class in facts/perf_rel_3090.csv */
wsk_plan *wsk_sweep_card(const wsk_gpu_params **gpu);   /* gpu/rtx-3090; NULL on failure */
/* Settled clock under a limit, and work relative to the default limit. */
double wsk_sweep_clock(const wsk_gpu_params *gpu, const wsk_gpu_class *cls, double limit_w);
double wsk_sweep_perf(const wsk_gpu_params *gpu, const wsk_gpu_class *cls, double limit_w);
wsk_sweep_error wsk_sweep_compare(const wsk_gpu_params *gpu, const wsk_gpu_class *cls, const wsk_sweep *sweep);
/* Predicts one load: knee and slope from another load, P0, c and a from its own lowest and highest limit. */
void wsk_sweep_predict(const wsk_gpu_params *card, const wsk_sweep *from, const wsk_sweep *to, wsk_gpu_params *gpu,
                       wsk_gpu_class *cls);
/* The section on power limits of docs/validation.md, on stdout. 0: done */
int wsk_sweep_report(void);

#endif
