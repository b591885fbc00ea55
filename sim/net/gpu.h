/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a GPU card, and the functions that compute its power, clock and throughput. All values SI; NAN: not
 * given. */
#ifndef WSK_GPU_H
#define WSK_GPU_H
#include <math.h>

#include "sim/net/class.h"

extern const char *const wsk_plug_names[];
extern const char *const wsk_riser_at_names[];

typedef struct {
    wsk_params head;
    double lanes, pcie;
    double price, price_date_s;
} wsk_riser_cable_params;
typedef struct {
    wsk_params head;
    const char *name;
    /* slots: width as stated; in a network, number of slots of its chassis that the card covers */
    double slot, slots, length_m, thickness_m, height_m, plug_bend_m;
    int plug_at; /* place of the power plug: 0 top, 1 end, 2 no plug; -1: as usual for the kind of cooler */
    double tdp_w, limit_w, limit_min_w, limit_max_w;
    /* power plateau: a limit from plateau_draw_w to plateau_high_w acts as the limit plateau_draw_w */
    double plateau_high_w, plateau_draw_w;
    double limit_draw; /* mean power divided by power limit while the limit holds the card all the time */
    /* waiting_share: while the card waits for others, (its power - idle power) / (running power - idle power) */
    double idle_w, idle_loaded_w, waiting_share; /* idle_loaded_w NAN: as idle_w */
    /* boost clock: above the die temperature boost_temp_k it falls by boost_loss_hz_k per kelvin */
    double clock_min_hz, clock_max_hz, clock_step_hz, clock_knee_hz, voltage_slope_per_hz, boost_loss_hz_k,
        boost_temp_k;
    /* leakage power: leakage_w at relative voltage 1 and die temperature leakage_temp_k, proportional to
     * exp(leakage_slope_per_k x die temperature) */
    double leakage_w, leakage_slope_per_k, leakage_temp_k;
    double target_k, slowdown_k, shutdown_k;
    double memory_byte, memory_w, memory_idle_w, memory_res_k_w, memory_cap_j_k, memory_heatsink_share,
        memory_limit_k;
    /* share of the memory's power in the chips that its sensor shows; the other chips heat the heatsink */
    double memory_hot_share;
    const char *memory_type;
    double memory_byte_s, units, matrix_ops, matrix_ops_16, nvlink_byte_s;
    int fp8;  /* 1: twice as many matrix operations with 8-bit floats */
    int vllm; /* 0: vLLM does not run on the card */
    int stack, liquid_only, soldered;
    /* board_share: share of board power lost in VRM and board, which does not pass the heatsink; board_fixed: part
     * of that loss at tdp that does not depend on the power, while the rest goes with the square of the power; NAN:
     * the whole loss is proportional to the power */
    double die_area_m2, die_res_k_w, board_share, board_fixed;
    double board_cap_j_k, board_cond_w_k, board_heatsink_cond_w_k;
    /* hot spot above the die sensor: hotspot_res_k_w per W of die power, and hotspot_offset_k at any power */
    double hotspot_res_k_w, hotspot_offset_k, hotspot_limit_k;
    double vrm_res_k_w, vrm_limit_k;
    /* factors on the thermal resistance of die (mount) and memory (pads); above 1: bad mount, dry pads */
    double mount, pads;
    /* height of the free air under the fans of a card on a riser; NAN: the card is in a slot */
    double riser_m;
    int riser_at; /* where a card on a riser hangs: 0 in the case, 1 outside the case in the room */
    const char *behind;
    double fan_fails_s, pump_fails_s;
    double lost_s;
    double power_floor_w;
    /* clock_offset_hz: by how much the owner shifts the voltage-frequency curve */
    double lock_clock_hz, clock_offset_hz;
    double voltage_offset_v, voltage_floor_v;
    double memory_clock_hz, memory_offset_hz;
    wsk_curve limit_schedule; /* time of day, s -> power limit from then on */
    double lanes, pcie;
    int nvlink;
    /* throughput of the card at its default limit, in a unit that is the same for all cards of the rig */
    double speed;
    double price, price_date_s;
    const char *connector;
    double maker_psu_w;
    double pin_power_w, pin_clock_hz;
    const char *pin_fan; /* "2200 rpm" or "55 %"; NULL: the fan curve decides */
} wsk_gpu_params;

typedef enum { WSK_STACK_CUDA, WSK_STACK_ROCM, WSK_STACK_OTHER } wsk_software;
extern const char *const wsk_stack_names[];

/* Computes the parameters that a card does not state, by rules that the help texts of the parameters (models/gpu)
 * tell users. */
void wsk_gpu_complete(wsk_gpu_params *gpu);
/* Power limit with which the card starts. */
static inline double wsk_gpu_default_limit_w(const wsk_gpu_params *gpu)
{
    return gpu->limit_max_w < gpu->tdp_w ? gpu->limit_max_w : gpu->tdp_w;
}

/* Formulas: docs/theory/gpu.md */
typedef struct {
    double p0_w, c_w_hz, clock_share, ref_clock_hz; /* ref_clock_hz: clock at the default limit, warm and settled */
    double memory_speed;
    double traffic_w;
    double traffic;
    /* share of the time, at the reference clock, in which no kernel runs; these pauses do not depend on the clock */
    double pause;
    /* `pause` for the model that the load names: 1 - (1 - pause) r, where r is the share of a step in kernels with
     * this model, divided by that share in the loads to which the class was fitted. Below 0: kernels run for more of
     * the time than in those loads. */
    double wait;
    /* share of a step in which kernels ran, in the loads to which the class was fitted; 0: that of a usual model;
     * NAN: unknown */
    double kernels;
    double limit_share; /* mean power divided by the power that a limit enforces, while it binds; 0 stands for 1 */
    /* Part of `pause` in long pauses. A power limit acts on a mean of the power; these pauses last longer than the time
     * of that mean, so that the limit acts on the power between them. */
    double long_pause;
    bool pauses_stated; /* the workload states the pauses, or the class short ones: a fit does not change them */
    /* factors for the weights of the load's model on the ratio of arithmetic to memory traffic and on c_w_hz, by which
     * wsk_load_shape has changed the class; 0: it has not */
    double arithmetic, draw;
    bool fitted;
    bool own;
    /* Uncertainty within which 80 % of the loads stay. work_spread: factor in wsk_gpu_work_spread, for throughput;
     * power_spread_rel: relative half width of the power if no limit binds. */
    double work_spread, power_spread_rel;
} wsk_gpu_class;
static inline double wsk_hotspot_over_k(const wsk_gpu_params *gpu, double die_w)
{
    return gpu->hotspot_offset_k + gpu->hotspot_res_k_w * die_w;
}
static inline double wsk_gpu_limit_share(const wsk_gpu_class *cls)
{
    return cls->limit_share > 0 ? cls->limit_share : 1;
}
/* The class of work on whose power a limit acts: without its long pauses, if it has any. */
static inline wsk_gpu_class wsk_gpu_between(const wsk_gpu_class *cls)
{
    wsk_gpu_class between = *cls;
    if (cls->long_pause > 0) {
        const double rest = 1 - cls->long_pause;
        between.traffic_w /= rest;
        between.pause = 1 - (1 - cls->pause) / rest;
        between.wait = 1 - (1 - cls->wait) / rest;
        between.long_pause = 0;
    }
    return between;
}
/* The reverse of wsk_gpu_between: adds long pauses, between which the class runs for the share `duty` of the time. */
static inline void wsk_gpu_add_pauses(wsk_gpu_class *cls, double duty)
{
    cls->long_pause = 1 - duty;
    cls->traffic_w *= duty;
    cls->pause = 1 - (1 - cls->pause) * duty;
    cls->wait = 1 - (1 - cls->wait) * duty;
}
/* The class with all its pauses taken for long ones. */
static inline wsk_gpu_class wsk_gpu_all_long(const wsk_gpu_class *cls)
{
    wsk_gpu_class out = *cls;
    out.long_pause = cls->pause;
    return out;
}
/* 80 % of the cards that a power limit holds all the time draw their limit plus or minus this share of it
 * (docs/theory/gpu.md, "What was fitted"). */
#define WSK_LIMIT_DRAW_SPREAD 0.04
/* work_spread and power_spread_rel of a calibrated card. Throughput: 85 % of 1,860 measurements are within it, each
 * left out of a fit to three measurements of its load (tests/validate/test_power.c). Power: assumed,
 * docs/theory/constants.md, "calibrated card" */
#define WSK_CALIBRATED_SPREAD 0.03
/* Relative half width of a capped card's power: the real card can only draw less, because it may need less than the
 * cap. free_w: power without the cap; limited: a power limit is the cap. */
static inline double wsk_gpu_capped_spread(const wsk_gpu_class *cls, double free_w, double power_w, bool limited)
{
    const double least = free_w * (1 - cls->power_spread_rel) / power_w;
    return fmax(1 - (least < 1 ? least : 1), limited ? WSK_LIMIT_DRAW_SPREAD : 0);
}
/* Relative half width of throughput at a power limit. share: limit divided by the power at the reference clock. */
static inline double wsk_gpu_work_spread(const wsk_gpu_class *cls, double share)
{
    const double rel = 0.02 + cls->work_spread * fabs(1 / share - 1);
    return rel < 1 ? rel : 1;
}
typedef struct wsk_load wsk_load;
typedef struct {
    /* Takes the constants of the card's <class> child, else the defaults of the class, then changes them by the
     * load (NULL: unchanged). */
    void (*classify)(const wsk_gpu_params *gpu, wsk_class cls, const wsk_load *load, wsk_gpu_class *out);
    /* Board power, W, at this clock and die temperature. *slope_w_k (may be NULL): its change per kelvin. */
    double (*power_w)(const wsk_gpu_params *gpu, const wsk_gpu_class *cls, double clock_hz, double die_k,
                      double *slope_w_k);
    /* Work per time relative to that at the reference clock. */
    double (*perf_rel)(const wsk_gpu_class *cls, double clock_hz);
    double (*voltage_v)(const wsk_gpu_params *gpu, double clock_hz);
    /* Boost clock at this die temperature: the highest clock, clock_max_hz + clock_offset_hz. Above boost_temp_k it
     * is a whole number of clock steps lower, but at least clock_min_hz. */
    double (*boost_hz)(const wsk_gpu_params *gpu, double die_k);
    /* Board power that the firmware enforces for this limit: limit_draw x limit, but plateau_draw_w on the power
     * plateau, and never less than power_floor_w. */
    double (*held_w)(const wsk_gpu_params *gpu, double limit_w);
    /* Clock at which board power is power_w, at least clock_min_hz. The clock may lie between clock steps, because
     * firmware alternates between two steps. guess_hz: where the search begins. */
    double (*clock_for)(const wsk_gpu_params *gpu, const wsk_gpu_class *cls, double power_w, double die_k,
                        double guess_hz);
} wsk_gpu_ops;

/* Mean power, W, of a card that has work all the time, if a power limit enforces held_w. Pauses lower it. If the card
 * draws less at its highest clock, the limit does not bind and the result is above that draw. */
double wsk_gpu_held_mean_w(const wsk_gpu_ops *ops, const wsk_gpu_params *gpu, const wsk_gpu_class *cls,
                           double held_w);

#endif
