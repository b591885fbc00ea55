/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a load beyond its class of work, and their effect on the class's numbers. Theory:
 * docs/theory/workload.md, "What the load says of itself". All values SI; NAN: not given. */
#ifndef WSK_LOAD_H
#define WSK_LOAD_H
#include "sim/net/gpu.h"
#include "sim/net/workload.h"

struct wsk_load {
    double p0_w, c_w_hz, clock_share; /* replace the class's numbers */
    double duty;                      /* share of the time that kernels run, at the reference clock */
    double traffic;                   /* share of the memory's bandwidth in use, at the reference clock */
    double together;                  /* requests that one card serves in one step */
    double layers_over;               /* cards that share one stream by layers: each works a part of the time */
    double measured_w;                /* mean board power of a card at its default limit */
};

/* The load of each working card; workload may be NULL. cards: number of working cards; nvlink: they talk over it. */
wsk_load wsk_load_of(const wsk_workload_params *workload, int cards, bool nvlink);

/* Changes a class's numbers by all that the load says but the measured power. */
void wsk_load_shape(const wsk_load *load, wsk_class name, wsk_gpu_class *cls);
/* Undoes wsk_load_shape for the clock share and the dynamic power: the class's own numbers under which the load has
 * those in *cls. */
void wsk_load_apart(const wsk_load *load, wsk_class name, wsk_gpu_class *cls);

#endif
