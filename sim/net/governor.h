/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Governors: firmware loops that lower a card's clock when a sensor demands it. Each sets a cap on the clock, once in
 * each period. All values SI; NAN: not given. */
#ifndef WSK_GOVERNOR_H
#define WSK_GOVERNOR_H
#include "sim/net/gpu.h"

typedef struct {
    wsk_params head;
    double period_s, dwell_s, hysteresis_k;
    int overruns; /* 1: above its limit the governor lowers the clock even while the card cools; 0: it does not */
} wsk_governor_params;
typedef struct {
    double cap_hz; /* highest clock that this governor allows */
    double hold_s;
    /* last decision: watched temperature minus its limit, plus 1000 K, so that 0 can mean "no decision yet" */
    double last_k;
} wsk_governor_state;
typedef struct {
    double die_k, hotspot_k, memory_k, clock_hz;
    double lowest_hz; /* lowest cap of all governors of the card; 0: not known yet */
    bool brake;
    /* time since the governor's last decision, s; 0: an extra decision, when a power brake was pulled */
    double elapsed_s;
} wsk_governor_input;
typedef struct {
    /* The governor's cap cannot change while all temperatures rise by less than rise_k and fall by less than fall_k;
     * 0: the cap may change at any time. */
    double rise_k, fall_k;
    double for_s; /* time after the governor's last decision for which rise_k and fall_k are valid, s */
} wsk_governor_rest;
typedef struct {
    void (*next)(const wsk_governor_params *governor, const wsk_gpu_params *gpu, wsk_governor_state *state,
                 const wsk_governor_input *in);
    /* Computes until which time, and within which changes of temperature, `next` certainly leaves the cap unchanged,
     * however often it is called. NULL: this is never certain. */
    wsk_governor_rest (*rest)(const wsk_governor_params *governor, const wsk_gpu_params *gpu,
                              const wsk_governor_state *state, const wsk_governor_input *in);
    const char *reason;
    int cause;
} wsk_governor_ops;
enum { WSK_GOVERNORS = 8 };
typedef enum {
    WSK_REASON_POWER = 1,
    WSK_REASON_THERMAL = 2,
    WSK_REASON_HW = 4,
    WSK_REASON_MEMORY = 8,
    WSK_REASON_BRAKE = 16
} wsk_cause;
enum { WSK_REASONS = 5 };

#endif
