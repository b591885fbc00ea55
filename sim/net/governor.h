/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The role of a governor: the next cap on the clock, from the sensors, at its period. All values SI; NAN means "not given". */
#ifndef WSK_GOVERNOR_H
#define WSK_GOVERNOR_H
#include "sim/net/gpu.h"

typedef struct {
    wsk_params head;
    double period_s, dwell_s, hysteresis_k;
    int overruns; /* 0 no, 1 yes: goes on lowering while it is over its limit, though that cools already */
} wsk_governor_params;
typedef struct {
    double cap_hz; /* highest clock this governor allows; starts at clock_max */
    double hold_s; /* time left before it may raise the cap again */
    double last_k; /* what it watches, at its last decision */
} wsk_governor_state;
typedef struct {
    double die_k, hotspot_k, memory_k, clock_hz;
    bool brake;       /* the chassis pulls the slot's power brake */
    double elapsed_s; /* since its last decision, which is at least its period */
} wsk_governor_input;
typedef struct {
    double rise_k, fall_k; /* while all temperatures rise and fall by less than this; 0: it is at work, or may be */
    double for_s;          /* and for as long from its last decision */
} wsk_governor_rest;
typedef struct {
    void (*next)(const wsk_governor_params *governor, const wsk_gpu_params *gpu, wsk_governor_state *state,
                 const wsk_governor_input *in);
    /* How long its cap stays where it is, however often it is asked. NULL: never known. */
    wsk_governor_rest (*rest)(const wsk_governor_params *governor, const wsk_gpu_params *gpu,
                              const wsk_governor_state *state, const wsk_governor_input *in);
    const char *reason; /* NVIDIA's clocks_event_reasons name */
    int cause;          /* wsk_cause */
} wsk_governor_ops;
enum { WSK_GOVERNORS = 8 }; /* of a card: the four that every card has, and kinds of one's own */
/* What holds a clock down, one bit each. */
typedef enum {
    WSK_REASON_POWER = 1,
    WSK_REASON_THERMAL = 2,
    WSK_REASON_HW = 4,
    WSK_REASON_MEMORY = 8,
    WSK_REASON_BRAKE = 16
} wsk_cause;
enum { WSK_REASONS = 5 };

#endif
