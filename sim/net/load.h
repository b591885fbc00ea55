/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a load states beyond its class of work, and its effect on the constants of the class. Theory:
 * docs/theory/workload.md, "What the load says of itself". All values SI; NAN: not given. */
#ifndef WSK_LOAD_H
#define WSK_LOAD_H
#include "sim/net/gpu.h"
#include "sim/net/workload.h"

struct wsk_load {
    double p0_w, c_w_hz, clock_share; /* if given, they replace the constants of the class */
    double duty;
    double traffic;
    double together; /* requests that one card serves in one step */
    /* number of cards over which the model's layers are split: each card works a part of the time */
    double layers_over;
    double measured_w; /* mean board power of a card at its default limit */
};

/* The load of each working card; workload may be NULL. cards: number of working cards; nvlink: all of them have
 * NVLink. */
wsk_load wsk_load_of(const wsk_workload_params *workload, int cards, bool nvlink);

/* Changes the constants of a class by all that the load states, except its measured power. */
void wsk_load_shape(const wsk_load *load, wsk_class name, wsk_gpu_class *cls);
/* Undoes wsk_load_shape for clock_share and c_w_hz: turns the constants under this load into those of the class
 * alone. */
void wsk_load_apart(const wsk_load *load, wsk_class name, wsk_gpu_class *cls);

#endif
