/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The classes of work, such as training or decode, and the constants of a card's power and throughput under a class.
 * All values SI; NAN: not given. */
#ifndef WSK_CLASS_H
#define WSK_CLASS_H
#include "sim/net/kind.h"

#define WSK_CLASS_LIST(X) \
    X(BURN, "burn") \
    X(TRAINING, "training") \
    X(PREFILL, "prefill") X(DECODE, "decode") X(MOE_DECODE, "moe-decode") X(STREAM, "stream") X(IDLE, "idle")
typedef enum {
#define WSK_CLASS_ENUM(sym, text) WSK_CLASS_##sym,
    WSK_CLASS_LIST(WSK_CLASS_ENUM)
#undef WSK_CLASS_ENUM
        WSK_CLASS_COUNT
} wsk_class;
extern const char *const wsk_class_names[];
/* Load of the host (processor, mainboard, memory, drives) under a class of work. At load 0 the parts of the host draw
 * their idle power, at load 1 the power that their XML attribute "power" states. */
extern const double wsk_class_host_load[WSK_CLASS_COUNT];

/* Parameters of an element such as <class name="decode" p0="120 W" c="105 W/GHz" clock-share="0.6"/> inside <gpu>.
 * Theory: docs/theory/gpu.md, "Class: fit" */
typedef struct {
    wsk_params head;
    int name;
    double p0_w; /* constant part of board power, including leakage at leakage_temp_k */
    double c_w_hz;
    /* duration of a kernel if only the core clock bound it, divided by its real duration, both at the reference
     * clocks; symbol a in docs/theory/gpu.md */
    double clock_share;
    /* board power proportional to the work done, at the reference clock; symbol m in docs/theory/gpu.md */
    double traffic_w;
    double duty;
    double kernels;     /* share of a step in which kernels ran, in the loads to which the class was fitted */
    double limit_share; /* mean power divided by power limit while it binds: docs/theory/gpu.md, "Class: fit" */
    int long_pauses;
} wsk_class_params;
/* Source references of values that `wattsink calibrate` fitted begin with these words. */
#define WSK_CALIBRATED_ON "calibrated on "
/* True if calibrate fitted the value: its source begins with WSK_CALIBRATED_ON. */
bool wsk_origin_calibrated(const wsk_origin *origin);
/* True if the source of p0 is of the kind "fitted", and p0 is written in the rig or its source reference begins with
 * WSK_CALIBRATED_ON. */
bool wsk_class_calibrated(const wsk_class_params *cls);
/* Standard deviation of the clock share of a card's calibrated class; 0: the class is not calibrated, or its source
 * states none. */
double wsk_class_share_sd(const wsk_elem *gpu, wsk_class cls);
/* Standard deviation of the share of the memory's bandwidth that loads of a class take, relative to the share. Assumed:
 * docs/theory/uncertainty.md, "How far a value may be off" */
double wsk_class_traffic_rel(wsk_class cls);
/* True if the sources of both p0 and c are of the kind "assumed": nothing of this class was measured on this card. */
bool wsk_class_assumed(const wsk_class_params *cls);

#endif
