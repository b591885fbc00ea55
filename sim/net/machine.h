/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands in the network, a row each: fans and pumps, cards, power supplies, breaker, cases, coolant loops. Built once with the
 * network and const afterwards; what changes while it runs is in sim/control/state.h. */
#ifndef WSK_MACHINE_H
#define WSK_MACHINE_H
#include "sim/net/chassis.h"
#include "sim/net/cooler.h"
#include "sim/net/cpu.h"
#include "sim/net/feed.h"
#include "sim/net/governor.h"
#include "sim/net/loop.h"
#include "sim/net/psu.h"
#include "sim/net/rig.h"
#include "sim/net/site.h"
#include "sim/net/workload.h"

#define WSK_NO (-1)

typedef struct {
    const char *name;
    double ref_rpm;                    /* nu = rpm / ref_rpm */
    double power_w, power_exponent;    /* electrical, 0 when metered elsewhere */
    double rpm0;                       /* setting at the start; the most its controller asks for */
    int in;                            /* the case whose supplies feed it */
    int heat_node;                     /* where its watts end */
    int branch;                        /* whose flow it drives, WSK_NO: none to tell of */
    double count;                      /* how many of them */
    double noise_p;                    /* 10^(level/10) of all at ref_rpm, heard at the listener; 0: silent */
    const wsk_control_params *control; /* NULL: a card's, or at a fixed speed */
    int coolant;                       /* node that sensor="coolant" reads, WSK_NO: none */
    int64_t fails_ns;                  /* stops for good then; -1: never */
} wsk_mover;

/* One card as the run needs it. */
typedef struct wsk_card {
    const wsk_elem *elem;
    const wsk_gpu_params *gpu;
    const wsk_gpu_ops *ops;
    const wsk_cooler_params *cooler;
    const char *id;
    int in;                      /* the case it stands in */
    int supply;                  /* feeds it, WSK_NO: none in its case */
    int heatsink, memory, board; /* nodes; heatsink: or water block */
    int inlet;                   /* media node its cooler draws from: air, or a block's coolant */
    int gap;                     /* flow node of the slot gap under its fans, WSK_NO: it draws through none */
    int exhaust;                 /* media node behind its fins, WSK_NO: a block in a loop */
    int above, behind;           /* the card before it in the stack, the one whose exhaust it draws; WSK_NO: none */
    bool followed;               /* another draws its exhaust */
    double gap_m;                /* air under its fans, to the next card or the wall; below 0: they overlap */
    int mover, branch;           /* WSK_NO: no fan of its own, no air stream of its own */
    double die_res_k_w;          /* with its mount */
    double memory_idle_w, memory_per_w, board_share; /* memory's watts: idle + per_w (board power - idle) */
    wsk_gpu_class cls;
    bool works; /* takes part in the workload */
    double limit_w, default_limit_w, held_w, default_held_w, limit_min_w, limit_max_w;
    double rpm_min, rpm_max;
    double pin_rpm; /* NAN: not pinned */
    int n_governors;
    struct {
        const wsk_governor_params *params;
        const wsk_governor_ops *ops;
        int64_t period_ns;
    } governors[WSK_GOVERNORS];
    int64_t fan_period_ns;
} wsk_card;

typedef struct {
    const wsk_elem *elem;
    const wsk_psu_params *params;
    const wsk_psu_ops *ops;
    wsk_psu_law law;
    int in;           /* case it stands in */
    int solid, inlet; /* nodes: its mass, the air it draws */
    int64_t fails_ns; /* for good; -1: never */
} wsk_supply;

typedef struct {
    const char *name; /* "UL 489", ... */
    double hold_low,
        hold_high; /* I_h over I_n: a unit's thermal element trips above it, given time; uniform between */
    double tau_s;
    double instant_low, instant_high; /* current over I_n at which it trips at once; uniform between */
} wsk_breaker;

/* One chassis with what stands in it besides cards. */
typedef struct {
    const wsk_elem *elem;
    const wsk_chassis_params *params;
    bool open;             /* a frame: its air is the room's */
    int dust;              /* mover whose "speed" is the share that dust blocks; WSK_NO: no dust */
    int air, panel;        /* nodes; panel WSK_NO for a frame */
    int flow_air;          /* flow node of its air */
    int flow_in, flow_out; /* flow nodes before its intakes and behind its outlets: the room unless exhaust returns */
    int first_supply, n_supply; /* its supplies stand together */
    const wsk_cpu_params *cpu;  /* NULL: none */
    int cpu_solid;
} wsk_case;

/* A coolant loop: a <loop>, or the one that comes with an AIO. */
typedef struct {
    const char *id;
    const wsk_elem *elem;
    const wsk_loop_params *params; /* NULL: an AIO's */
    bool facility;
    int in;                    /* case */
    int tank, branch, warmest; /* node it circulates from, branch with all its flow, node behind its last block */
} wsk_circuit;

/* Its exhaust stays around it and returns to the gaps beside it. */
static inline bool wsk_exhausts_around(const wsk_card *c)
{
    return ((const wsk_cooler_ops *)c->cooler->head.elem->kind->ops)->around;
}

/* How a card's board power divides: memory draws its share, up to a bound:
 * docs/theory/constants.md, "memory's share" */
static inline double wsk_memory_w(const wsk_card *c, double power_w)
{
    double w = c->memory_idle_w + c->memory_per_w * (power_w - c->gpu->idle_w),
           most = 0.5 * (1 - c->board_share) * power_w;
    return w < 0 ? 0 : w < most ? w : most;
}
static inline double wsk_die_w(const wsk_card *c, double power_w)
{
    return power_w - wsk_memory_w(c, power_w) - c->board_share * power_w;
}

/* The higher of the two voltages that a site of low line has at hand: Japan's 200 V over 100, North America's 240 over 120. */
static inline int wsk_high_line_v(double supply_v)
{
    return supply_v < 110 ? 200 : 240;
}

wsk_breaker wsk_breaker_of(int kind); /* wsk_breaker_kind */
/* W it may give with intake air of inlet_k: less at low line, less in hot air. */
double wsk_supply_may_give_w(const wsk_supply *supply, double inlet_k);

#endif
