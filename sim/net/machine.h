/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of the devices in the network: fans and pumps, cards, PSUs, breaker, cases, coolant loops. Built once with
 * the network, const afterwards; sim/control/state.h has what changes during a run. */
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
    double ref_rpm;                    /* speed of the data below; nu = rpm / ref_rpm */
    double power_w, power_exponent;    /* electric power at ref_rpm, 0 if metered elsewhere; exponent over nu */
    double rpm0;                       /* fixed speed, or the controller's maximum; the speed at the start */
    int in;                            /* case whose PSUs feed it */
    int heat_node;                     /* node that receives its power as heat */
    int branch;                        /* branch with the flow to report; WSK_NO: none */
    double count;                      /* number of devices in the group */
    double noise_p;                    /* sum of 10^(level/10) of all at ref_rpm, at the listener; 0: silent */
    const wsk_control_params *control; /* NULL: fixed speed, or the fan of a card */
    int coolant;                       /* node read by sensor="coolant"; WSK_NO: none */
    int64_t fails_ns;                  /* time at which it fails for good, ns; -1: never */
} wsk_mover;

/* A card as a run needs it. */
typedef struct wsk_card {
    const wsk_elem *elem;
    const wsk_gpu_params *gpu;
    const wsk_gpu_ops *ops;
    const wsk_cooler_params *cooler;
    const char *id;
    int in;                      /* index of the card's case */
    int supply;                  /* PSU that feeds it; WSK_NO: its case has none */
    int heatsink, memory, board; /* nodes; heatsink: the water block of a liquid-cooled card */
    int inlet;                   /* media node from which its cooler draws: air, or coolant of its block */
    int gap;                     /* flow node of the slot gap under its fans; WSK_NO: none */
    int exhaust;                 /* media node behind its fins; WSK_NO: a block in a loop */
    /* index of the card above it in the slots, and of the card whose exhaust it draws; WSK_NO: none */
    int above, behind;
    bool followed; /* another card draws its exhaust */
    /* air under its fans down to the next card or the wall; below 0: the cards overlap */
    double gap_m;
    int mover, branch;  /* the card's own fan and air stream; WSK_NO: none */
    double die_res_k_w; /* die to heatsink, with the factor of its mount */
    /* memory power = memory_idle_w + memory_per_w (board power - idle power) */
    double memory_idle_w, memory_per_w, board_share;
    wsk_gpu_class cls;
    bool works; /* the card takes part in the workload */
    double limit_w, default_limit_w, held_w, default_held_w, limit_min_w, limit_max_w;
    double rpm_min, rpm_max;
    double pin_rpm; /* pinned fan speed; NAN: not pinned */
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
    int in;           /* index of the PSU's case */
    int solid, inlet; /* nodes of its mass and of the air it draws */
    int64_t fails_ns; /* time at which it fails for good, ns; -1: never */
} wsk_supply;

typedef struct {
    const char *name; /* name of the standard: "UL 489", ... */
    /* I_h / rated current: above I_h the thermal element trips after some time. A unit's I_h lies between
     * hold_low and hold_high, uniformly distributed. */
    double hold_low, hold_high;
    double tau_s;
    double instant_low, instant_high; /* current / rated current of the instant trip, uniformly distributed between */
} wsk_breaker;

/* A chassis and the devices in it other than cards. */
typedef struct {
    const wsk_elem *elem;
    const wsk_chassis_params *params;
    bool open;      /* open frame: its air is the room's */
    int dust;       /* mover whose "speed" is the share blocked by dust; WSK_NO: no dust */
    int air, panel; /* nodes; panel: WSK_NO for an open frame */
    int flow_air;   /* flow node of the case's air */
    /* flow nodes before its intakes and behind its outlets: the room, unless exhaust returns */
    int flow_in, flow_out;
    int first_supply, n_supply; /* the case's PSUs are consecutive rows */
    const wsk_cpu_params *cpu;  /* its processor; NULL: none */
    int cpu_solid;
} wsk_case;

/* A coolant loop: a <loop>, or the circuit of an AIO cooler. */
typedef struct {
    const char *id;
    const wsk_elem *elem;
    const wsk_loop_params *params; /* parameters of the <loop>; NULL: an AIO */
    bool facility;
    int in;                    /* index of the loop's case */
    int tank, branch, warmest; /* node of the tank, branch with the whole flow, node behind the last block */
} wsk_circuit;

/* True if the card's exhaust stays around it and returns to the slot gaps beside it. */
static inline bool wsk_exhausts_around(const wsk_card *c)
{
    return ((const wsk_cooler_ops *)c->cooler->head.elem->kind->ops)->around;
}

/* Memory's part of a card's board power, W, with an upper bound: docs/theory/constants.md, "memory's share" */
static inline double wsk_memory_w(const wsk_card *c, double power_w)
{
    double w = c->memory_idle_w + c->memory_per_w * (power_w - c->gpu->idle_w),
           most = 0.5 * (1 - c->board_share) * power_w;
    return w < 0 ? 0 : w < most ? w : most;
}
/* The die's part of a card's board power, W. */
static inline double wsk_die_w(const wsk_card *c, double power_w)
{
    return power_w - wsk_memory_w(c, power_w) - c->board_share * power_w;
}

/* The higher of the two mains voltages of a site, V: 200 where 100 is usual (Japan), 240 where 120 is (North
 * America). */
static inline int wsk_high_line_v(double supply_v)
{
    return supply_v < 110 ? 200 : 240;
}

wsk_breaker wsk_breaker_of(int kind); /* the breaker of a wsk_breaker_kind */
/* Output power, W, that the PSU can deliver with intake air of inlet_k: less at low mains voltage and in hot air. */
double wsk_supply_may_give_w(const wsk_supply *supply, double inlet_k);

#endif
