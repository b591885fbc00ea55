/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values that a load states beyond its class of work, and their effect on the constants of the class. Theory:
 * docs/theory/workload.md, "What the load says of itself". All values SI; NAN: not given. */
#ifndef WSK_LOAD_H
#define WSK_LOAD_H
#include "sim/net/gpu.h"
#include "sim/net/workload.h"

/* Die temperature of a warm card under load, for the reference values of its class, K. */
#define WSK_WARM_K (65 + WSK_KELVIN)

struct wsk_load {
    double p0_w, c_w_hz, clock_share; /* if given, they replace the constants of the class */
    double duty;
    double traffic;
    double together;
    /* number of cards over which the model's layers are split */
    double layers_over;
    /* share of a step in which kernels run: of the model that the load names, and of a usual model; NAN: no model */
    double kernels, kernels_usual;
    double bits; /* bits of a weight of that model, if it is dense; NAN: none is named */
    /* work of the cores for a byte of these weights, divided by that of llama.cpp, in which classes were fitted; NAN:
     * that engine, or weights that need no unpacking */
    double unpacking;
    /* power of the card while its part of a step runs, W; limited_w: the mean over short waits, on which a power limit
     * acts, NAN: measured_w */
    double measured_w, limited_w;
    /* die temperature at which the card draws measured_w, K; WSK_WARM_K, unless the kind of its cooler gives another
     * one */
    double measured_k;
    bool exchanges; /* duty is that of a tensor-parallel group, whose exchanges are short pauses */
};

/* Number of cards that work together on each step of one model, of `cards` working cards; 1: each works alone. */
double wsk_load_group(const wsk_workload_params *workload, int cards);
/* workload may be NULL. cards: number of working cards; nvlink: all of them have NVLink. */
wsk_load wsk_load_of(const wsk_workload_params *workload, int cards, bool nvlink);

/* True if the rig states memory-traffic; false if calibrate took it from a log, which gives way to that of other logs.
 * workload may be NULL. */
bool wsk_traffic_stated(const wsk_workload_params *workload);
void wsk_load_shape(const wsk_load *load, wsk_class name, wsk_gpu_class *cls);
/* Undoes what wsk_load_shape changes in clock_share and c_w_hz for requests, split layers and the bits of weights. */
void wsk_load_apart(const wsk_load *load, wsk_class name, wsk_gpu_class *cls);

#endif
