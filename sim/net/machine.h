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

/* Highest speed of a fan divided by the highest stated for its type: fans of one type differ by some per cent. */
#define WSK_FAN_VARIES 1.05

typedef struct {
    const char *name;
    double ref_rpm; /* speed at which power_w and noise_p hold; nu = rpm / ref_rpm */
    /* electric power: power_w nu^power_exponent, of a fan in air of the site's density; power_w 0: no power, or it is
     * counted with another device */
    double power_w, power_exponent;
    double rpm0;       /* fixed speed; with `control` the highest speed; of a card's fan the lowest */
    int in, heat_node; /* in: index of the case whose PSUs feed it */
    int branch;        /* branch whose flow is reported as that of the fan or pump; WSK_NO: none */
    double count;
    double noise_p; /* sum of 10^(level/10) of the group at the listener, at ref_rpm; 0: silent */
    bool by_tips;   /* no level is stated, so noise_p follows from the speed of the blade tips */
    const wsk_control_params *control;
    int coolant;
    int64_t fails_ns; /* -1: never */
} wsk_mover;

typedef struct wsk_card {
    const wsk_elem *elem;
    const wsk_gpu_params *gpu;
    const wsk_gpu_ops *ops;
    const wsk_cooler_params *cooler;
    const char *id;
    int in;
    int supply;
    /* temperature nodes; heatsink: the cold plate, if the card has one */
    int heatsink, memory, board;
    int inlet;
    int gap;     /* flow node of the slot gap under its fans; WSK_NO: none */
    int exhaust; /* temperature node of the air behind its fins; WSK_NO: a cold plate has none */
    /* above: index of the card above it in the slots; behind: index of the card whose exhaust it draws; WSK_NO:
     * none */
    int above, behind;
    bool followed;
    /* height of the air gap under the card's fans, to the next card or the wall, or that stated for a card on a
     * riser; below 0: the cards overlap */
    double gap_m;
    /* mover: the card's own fan; branch: the air stream through its fins or its radiator; WSK_NO: none */
    int mover, branch;
    double die_res_k_w; /* thermal resistance die to heatsink, with the factor gpu->mount */
    /* Memory power, before the bounds in wsk_memory_w, is memory_idle_w + memory_per_w x (board power - idle power)
     * up to bend_at_w, then memory_bend_w + memory_above_per_w x (board power - bend_at_w) up to ref_at_w, and
     * constant above ref_at_w. */
    double memory_idle_w, memory_per_w, bend_at_w, memory_bend_w, memory_above_per_w, ref_at_w, board_share;
    /* If the traffic of the memory is known. memory_awake_w: memory power at full clocks without traffic;
     * memory_traffic_w: power that traffic at the whole bandwidth adds; memory_exponent: a share s of the bandwidth
     * adds memory_traffic_w x s^memory_exponent. */
    double memory_awake_w, memory_traffic_w, memory_exponent;
    double board_fixed_w, board_per_w;
    wsk_gpu_class cls;
    bool works;
    /* group: cards with the same index work on each step together; WSK_NO: it works alone. step: time that its part
     * of a step takes at its full pace, in a unit that all cards of the group share. */
    int group;
    double step;
    int logged;
    /* Power limits. limit_w: at the start; held_w, default_held_w: mean power of the card while limit_w or
     * default_limit_w binds; limit_min_w, limit_max_w: range that the driver allows */
    double limit_w, default_limit_w, held_w, default_held_w, limit_min_w, limit_max_w;
    double rpm_min, rpm_max;
    int64_t lost_ns;
    double pin_rpm;
    int n_governors;
    struct {
        const wsk_governor_params *params;
        const wsk_governor_ops *ops;
        int64_t period_ns;
    } governors[WSK_GOVERNORS];
    int64_t fan_period_ns;
} wsk_card;
static inline double wsk_card_held_w(const wsk_card *c, double limit_w)
{
    return wsk_gpu_held_mean_w(c->ops, c->gpu, &c->cls, c->ops->held_w(c->gpu, limit_w));
}

typedef struct {
    const wsk_elem *elem;
    const wsk_psu_params *params;
    const wsk_psu_ops *ops;
    wsk_psu_law law;
    int in;
    int line;
    int solid, inlet;
    int64_t fails_ns; /* -1: never */
} wsk_supply;

typedef struct {
    const char *name;
    /* Hold current divided by rated current: above it the thermal element trips after some time. It differs between
     * breakers of one standard and is taken as uniform between hold_low and hold_high. */
    double hold_low, hold_high;
    double tau_s;
    /* current, divided by the rated current, at which the breaker trips at once; taken as uniform between instant_low
     * and instant_high */
    double instant_low, instant_high;
} wsk_breaker;

typedef struct {
    const wsk_elem *elem;
    const char *id;
    double supply_v, circuit_a;
    double limit_w; /* limit of continuous load, VA; 0: not given */
    bool used;
    int64_t fails_ns;
    wsk_breaker breaker;
    /* behind the circuit's outlet: feeds[0] a power strip, feeds[1] a UPS; NULL: none */
    const wsk_feed_params *feeds[2];
    const wsk_feed_ops *feed_ops[2];
} wsk_mains_line;

typedef struct {
    const wsk_elem *elem;
    const wsk_chassis_params *params;
    bool open;
    /* jet_mover: front fan with the strongest jet; jet_pa: pressure of that jet at a card's end while the fan runs at
     * its rated speed, Pa; 0: no jet */
    int jet_mover;
    double jet_pa;
    int dust; /* index of the mover whose "speed" is the share of filters and fins that dust blocks; WSK_NO: none */
    int air, panel;
    int flow_air;
    /* flow nodes before its intakes and behind its outlets: those of the room, unless exhaust returns to the intakes
     * or a rear door is behind the outlets */
    int flow_in, flow_out;
    int face_in, face_out; /* branches from the room to flow_in, and from the zone at the outlets to the room */
    /* Rear door; NULL: none. door_core: temperature node of its coil; door_w_k: conductance from the coil to the
     * entering water, W/K. */
    const wsk_door_params *door;
    int door_core;
    double door_w_k;
    int first_supply, n_supply;
    const wsk_cpu_params *cpu;
    int cpu_solid;
    bool idles; /* it has cards, but none of them works, so that its processors have no work */
    /* share of the processor's parameter `board` that belongs to parts which the rig does not name */
    double host_unnamed;
    /* mainboard, memory and drives. host_rest_w: power at rest; host_span_w: rise from rest to busy */
    double host_rest_w, host_span_w;
} wsk_case;

/* A coolant loop: a <loop> of the rig, or the circuit of an AIO (all-in-one liquid cooler). */
typedef struct {
    const char *id;
    const wsk_elem *elem;
    const wsk_loop_params *params;
    const wsk_coolant *coolant;
    bool facility;
    bool bath;
    int in;
    /* tank: temperature node of the tank; branch: flow branch that carries all coolant; warmest: temperature node
     * behind the last cold plate */
    int tank, branch, warmest;
} wsk_circuit;

static inline const wsk_cooler_ops *wsk_style_of(const wsk_card *c)
{
    return c->cooler->head.elem->kind->ops;
}
static inline bool wsk_exhausts_around(const wsk_card *c)
{
    return wsk_style_of(c)->around;
}
static inline bool wsk_on_riser(const wsk_card *c)
{
    return !isnan(c->gpu->riser_m);
}
static inline bool wsk_hangs_outside(const wsk_card *c)
{
    return wsk_on_riser(c) && c->gpu->riser_at == 1;
}
/* True if the pressure in the case, not a fan of the card, drives the card's air. */
static inline bool wsk_ducted(const wsk_card *c)
{
    return wsk_style_of(c)->in_duct && wsk_style_of(c)->in_duct(c->cooler);
}

/* True if the card has a fan, or a pump, of its own that can fail. */
static inline bool wsk_fan_can_fail(const wsk_card *c)
{
    return wsk_style_of(c)->fan && !wsk_ducted(c);
}
static inline bool wsk_pump_can_fail(const wsk_card *c)
{
    return wsk_style_of(c)->pump;
}

/* Memory's part of a card's board power, W, from 0 to 0.5 (1 - board_share) power_w:
 * docs/theory/constants.md, "memory's share". traffic: share of the memory's bandwidth in use; NAN: it follows from
 * the class of work and the board power. */
static inline double wsk_memory_w(const wsk_card *c, double traffic, double power_w)
{
    const double over_idle_w = power_w - c->gpu->idle_w, most = 0.5 * (1 - c->board_share) * power_w;
    double w;
    if (!isnan(traffic))
        w = c->memory_idle_w + pow(traffic, c->memory_exponent) * c->memory_traffic_w +
            (c->memory_awake_w - c->memory_idle_w) *
                wsk_min(wsk_max(over_idle_w, 0) / (c->bend_at_w - c->gpu->idle_w), 1);
    else if (power_w < c->bend_at_w)
        w = c->memory_idle_w + c->memory_per_w * over_idle_w;
    else
        w = c->memory_bend_w + c->memory_above_per_w * (wsk_min(power_w, c->ref_at_w) - c->bend_at_w);
    return w < 0 ? 0 : w < most ? w : most;
}
/* Loss of VRM and board at this board power P, W: a share of P, or, if the card states board-fixed, board_fixed_w +
 * board_per_w P^2, but at most half of P, so that the loss is 0 at P = 0. docs/theory/card.md, "Equations" */
static inline double wsk_board_w(const wsk_card *c, double power_w)
{
    if (!(c->board_fixed_w >= 0))
        return c->board_share * power_w;
    return wsk_min(c->board_fixed_w + c->board_per_w * power_w * power_w, 0.5 * power_w);
}
/* Power of the die, W. traffic: as for wsk_memory_w. */
static inline double wsk_die_w(const wsk_card *c, double traffic, double power_w)
{
    return power_w - wsk_memory_w(c, traffic, power_w) - wsk_board_w(c, power_w);
}

/* The higher mains voltage at sites that have two, V: 200 if supply_v is below 110 (Japan), else 240 (North
 * America). */
static inline int wsk_high_line_v(double supply_v)
{
    return supply_v < 110 ? 200 : 240;
}

wsk_breaker wsk_breaker_of(int kind);
/* Output power, W, that the PSU can deliver at its mains voltage with this inlet temperature. */
double wsk_supply_may_give_w(const wsk_supply *supply, double inlet_k);

#endif
