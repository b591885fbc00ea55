/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The role of a graphics card: its parameters, and what a kind computes of them. All values SI; NAN means "not given". */
#ifndef WSK_GPU_H
#define WSK_GPU_H
#include <math.h>

#include "sim/net/class.h"

typedef struct {
    wsk_params head;
    const char *name;
    double slot, slots, length_m, thickness_m;
    double tdp_w, limit_w, limit_min_w, limit_max_w;
    double plateau_high_w, plateau_draw_w; /* limits in [draw, high] draw `draw` */
    double idle_w, waiting_share; /* waiting_share: of (running - idle) power while a card waits for others */
    double clock_min_hz, clock_max_hz, clock_step_hz, clock_knee_hz, voltage_slope_per_hz, boost_loss_hz_k,
        boost_temp_k;                                      /* boost bins are lost above boost_temp_k */
    double leakage_w, leakage_slope_per_k, leakage_temp_k; /* at V = 1 */
    double target_k, slowdown_k, shutdown_k;
    double memory_byte, memory_w, memory_idle_w, memory_res_k_w, memory_cap_j_k, memory_heatsink_share,
        memory_limit_k;
    const char *memory_type;
    double die_res_k_w, board_share; /* share of board power lost in VRM and board, not through the heatsink */
    double board_cap_j_k, board_cond_w_k, board_heatsink_cond_w_k;
    double hotspot_res_k_w, hotspot_limit_k; /* hottest point over the die's sensor, per die watt */
    double vrm_res_k_w, vrm_limit_k;         /* over the board, per watt lost in VRM and board */
    double mount, pads;                      /* factors on die and memory resistance: bad mount, dry pads */
    double riser_m;                          /* on a riser: free air under the fans; NAN: in its slot */
    const char *behind;                      /* passive: id of the card whose exhaust it draws */
    double fan_fails_s, pump_fails_s;        /* from the start of the run; NAN: never */
    double power_floor_w;                    /* least draw that a limit can hold */
    double lock_clock_hz, clock_offset_hz;   /* NAN: not locked; V(f) moves up by the offset */
    double voltage_offset_v, voltage_floor_v;
    double memory_clock_hz, memory_offset_hz;
    wsk_curve limit_schedule; /* time of day -> limit from then on */
    double lanes, pcie;       /* lanes and generation of its slot */
    int nvlink;               /* 0 no, 1 yes */
    double speed;             /* work at its reference over that of the rig's other cards */
    double price;
    const char *connector;
    double pin_power_w, pin_clock_hz; /* NAN: not pinned */
    const char *pin_fan;              /* "2200 rpm", "55 %"; NULL: not pinned */
} wsk_gpu_params;

/* A card under one class of work, solved at load time. */
typedef struct {
    double p0_w, c_w_hz, clock_share, ref_clock_hz; /* ref_clock: settled at the default limit, warm */
    double memory_speed;                            /* over its default clock */
    double traffic_w;                               /* at the reference */
    bool fitted;                                    /* the card has values of its own for this class */
    double p0_sd_w, share_sd; /* class values: one standard deviation of p0 and of clock_share; 0: fitted */
    double work_spread,
        power_spread_rel; /* class values: see wsk_gpu_work_spread; of the draw without a limit, 80 % of cards; 0: fitted */
} wsk_gpu_class;
/* Half width that holds the work of 80 % of cards, relative to what the class says, where a card is held to `share` of the watts
 * of its reference: 2 % there, and more the lower it is held. 0: fitted. */
static inline double wsk_gpu_work_spread(const wsk_gpu_class *cls, double share)
{
    return cls->fitted ? 0 : 0.02 + cls->work_spread * fabs(1 / share - 1);
}
typedef struct {
    /* p0, c, a of a class on this card (class children first, else the class default), overrides by number
     * (NAN: none). ref_temp_k: die temperature at which "settled, warm" is taken. */
    void (*classify)(const wsk_gpu_params *gpu, wsk_class cls, const wsk_class_params *overrides, wsk_gpu_class *out);
    /* Board power, W, running at clock f with the die at t; *slope_w_k (may be NULL): its rise per kelvin. */
    double (*power_w)(const wsk_gpu_params *gpu, const wsk_gpu_class *cls, double clock_hz, double die_k,
                      double *slope_w_k);
    /* Work per time relative to the reference clock, softened roofline. */
    double (*perf_rel)(const wsk_gpu_class *cls, double clock_hz);
    /* Highest clock that boost allows at this die temperature, on the clock grid. */
    double (*boost_hz)(const wsk_gpu_params *gpu, double die_k);
    /* Board power that the firmware holds for this limit (plateaus). */
    double (*held_w)(const wsk_gpu_params *gpu, double limit_w);
    /* The clock, between bins (the firmware dithers), at which board power is power_w; not below clock_min.
     * `guess` starts the search. */
    double (*clock_for)(const wsk_gpu_params *gpu, const wsk_gpu_class *cls, double power_w, double die_k,
                        double guess_hz);
} wsk_gpu_ops;

#endif
