/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The narrow roles through which the engine uses the models. Parameter structs that assembly reads stand
 * here; what a kind computes stands behind its ops. All values SI; NAN means "not given". */
#ifndef WSK_ROLES_H
#define WSK_ROLES_H
#include <math.h>

#include "sim/net/kind.h"
#include "sim/net/tariff_table.h"

/* ---- workload classes: one list for gpu, class and workload ---- */
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
extern const char *const wsk_class_names[]; /* ends with NULL */

/* <class name="decode" p0="120 W" c="105 W/GHz" clock-share="0.6"/> inside <gpu>: docs/theory/gpu.md, "Class: fit" */
typedef struct {
    wsk_params head;
    int name;           /* wsk_class */
    double p0_w;        /* intercept, contains leakage at leakage_temp_k */
    double c_w_hz;      /* dynamic power per Hz at the floor voltage */
    double clock_share; /* a */
    double traffic_w;   /* m: follows the work, not the core's voltage */
} wsk_class_params;

/* ---- gpu ---- */
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

/* ---- what turns a fan or a pump, what it does to the ear ---- */
typedef enum { WSK_SENSE_NONE, WSK_SENSE_GPU, WSK_SENSE_CPU, WSK_SENSE_INLET, WSK_SENSE_COOLANT } wsk_sense;
typedef struct {
    int sensor;                             /* wsk_sense */
    wsk_curve curve;                        /* sensor K -> share of full speed */
    double hysteresis_k, period_s, minimum; /* minimum: share of full speed */
    double fails_s;                         /* from the start of the run; NAN: never */
} wsk_control_params;
typedef struct {
    double dba, distance_m; /* at full speed, of one; NAN: not stated */
} wsk_noise_params;
/* Where a radiator's air comes from and goes to. */
typedef enum { WSK_DIR_EXHAUST, WSK_DIR_INTAKE, WSK_DIR_OUTSIDE } wsk_direction;

extern const char *const wsk_sense_names[],
    *const wsk_direction_names[], *const wsk_covers_names[], *const wsk_side_names[],
                                                                 *const wsk_intake_names[]; /* end with NULL */

/* ---- cooler ---- */
typedef struct {
    wsk_params head;
    double ua_w_k, flow_ref_m3s, ua_exponent, natural_w_k, cap_j_k; /* fin stack; natural at 10 K */
    double drop_pa;                                                 /* fin stack at flow_ref */
    double fans, diameter_m, pressure_pa, flow_m3s, rpm, curvature; /* one fan at rpm; eye diameter */
    double rpm_min, rpm_max;
    double recess_m, leak_share, outlet_area_m2;
    double recirculation, recirculation_gap; /* r_max; gap/D_fan at which r has fallen to 1/e */
    wsk_curve curve;                         /* die K -> rpm */
    double hysteresis_k, period_s;
    wsk_noise_params noise;  /* all its fans together, at rpm */
    double through, bracket; /* shares of an open-air card's outlet: through the card, through the bracket */
    double block_w_k, block_flow_m3s, block_exponent, block_drop_pa; /* block to coolant at block_flow */
    int intake;                         /* of a passive cooler's own fan: 0 the case's air, 1 a duct from outside */
    int covers;                         /* 0: memory and VRM too; 1: the die alone */
    const char *loop;                   /* id of the loop, NULL: the only one */
    int at, direction;                  /* of an AIO's radiator: wsk_place, wsk_direction */
    double radiator_cap_j_k, volume_m3; /* AIO */
} wsk_cooler_params;
#define WSK_COOLER_OUT_ROOM 1u /* exhaust leaves the case (through the bracket) */
#define WSK_COOLER_DUCT 2u /* no slot gap: draws from the case or by a duct, driven by it or by a fan of its own */
#define WSK_COOLER_SIDE_EXHAUST 4u /* exhaust leaves over the card's edges: exchange streams with the gaps */
#define WSK_COOLER_BLOCK 8u        /* a block in a loop */
#define WSK_COOLER_OWN_LOOP 16u    /* the loop comes with the card: AIO */
typedef struct {
    unsigned wiring; /* the style is this, and nothing else */
    bool curtain;    /* draws through the slot gap */
} wsk_cooler_ops;

/* ---- fan (chassis) ---- */
typedef struct {
    wsk_params head;
    int at;       /* wsk_place */
    double count; /* identical fans in parallel */
    double diameter_m, pressure_pa, flow_m3s, rpm, curvature, power_w, power_exponent;
    double speed_rpm, speed_share; /* setting; NAN: full speed */
    double fails;                  /* how many of count fail at fails_s; NAN: all */
    double loss, blocked;          /* grill and filter, NAN: the chassis's; share of the face that is blocked */
    wsk_control_params control;
    wsk_noise_params noise;
    double price;
} wsk_fan_params;
typedef enum { WSK_AT_FRONT, WSK_AT_REAR, WSK_AT_TOP, WSK_AT_BOTTOM, WSK_AT_SIDE, WSK_AT_WALL } wsk_place;
extern const char *const wsk_place_names[]; /* ends with NULL */
/* Dp = A nu^2 + B nu q - D q|q| of one fan at density rho0; from shut-off pressure, free flow, curvature. */
typedef struct {
    double a, b, d;
} wsk_fan_law;

/* ---- chassis, vent ---- */
enum { WSK_PLACES = 5 }; /* front to side, in the order of wsk_place */
typedef struct {
    wsk_params head;
    double slots, pitch_m, wall_gap_m; /* free distance from the last slot's plane to wall or shroud */
    double card_length_max_m;
    double panel_area_m2, panel_cap_j_k, panel_cond_w_m2k;
    double intake_loss, exhaust_loss; /* loss coefficient of grill + filter, on the fan's face area */
    double gap_loss, curtain_loss;    /* slot inlet and curtain under a fan */
    double card_width_m;              /* depth of the slot gap, board edge to edge */
    double natural_height_m;
    int psu_intake; /* 0 case, 1 outside */
    int side;       /* 0 closed, 1 open: the side panel is off */
    double side_area_m2;
    double volume_m3;          /* of the air inside; NAN: not stated */
    double places[WSK_PLACES]; /* fans of usual size that fit at front, rear, ...; NAN: not stated */
    int power_brake;           /* 0 no, 1 yes: halves its cards' clocks when a supply is beyond what it may give */
    double exhaust_return;     /* share of the intake air that is the rig's own exhaust */
    double dust, dust_time_s, dust_start; /* share of filters and fins blocked more after dust_time; at the start */
    double price;
} wsk_chassis_params;
typedef struct {
    bool open; /* no case: cards, fans and supply stand in room air */
} wsk_chassis_ops;
typedef struct {
    wsk_params head;
    int at;
    double area_m2, loss;
} wsk_vent_params;

/* ---- coolant loop ---- */
typedef struct {
    wsk_params head;
    int coolant;                                          /* wsk_coolant */
    double volume_m3;                                     /* in the whole loop */
    int series;                                           /* blocks one after the other; else side by side */
    double hose_m, bore_m, fittings;                      /* hoses and their bends */
    double supply_k, approach_k, pressure_pa, capacity_w; /* facility: water at the CDU, and what it lifts */
} wsk_loop_params;
typedef enum { WSK_COOLANT_WATER, WSK_COOLANT_GLYCOL } wsk_coolant;
typedef struct {
    bool facility; /* heat leaves through a CDU, not through radiators */
} wsk_loop_ops;
typedef struct {
    wsk_params head;
    double pressure_pa, flow_m3s, rpm, curvature, power_w, power_exponent; /* shut-off and free flow at rpm */
    double speed_rpm, speed_share;
    wsk_control_params control;
    wsk_noise_params noise;
    double price;
} wsk_pump_params;
typedef struct {
    wsk_params head;
    int at, direction;                                          /* wsk_place, wsk_direction */
    double ua_w_k, flow_m3s, ua_exponent, natural_w_k, drop_pa; /* air side, at that air flow */
    double coolant_w_k, coolant_flow_m3s, coolant_drop_pa;      /* coolant side, at that coolant flow */
    double cap_j_k, face_m2;
    double price;
} wsk_radiator_params;

/* ---- psu ---- */
typedef enum { WSK_EXCURSIONS_PLAIN, WSK_EXCURSIONS_ATX3 } wsk_excursions;
extern const char *const wsk_excursion_names[], *const wsk_yes_names[]; /* end with NULL */
typedef struct {
    wsk_params head;
    double rated_w, eff[4], standby_w; /* certified at 10, 20, 50, 100 % and 115 V */
    double eff230[4], eff_light;       /* at 230 V; at 2 %. NAN: not measured */
    double eff_const;
    double power_factor, reactive; /* at full load; share of the rating that its filter draws at 230 V */
    double fan_flow_m3s, cap_j_k, cond_w_k;
    wsk_curve line_rating; /* supply V -> W; count 0: the rating */
    double supply_min_v, derate_above_k, derate_per_k;
    double opp, imbalance, fails_s, cables;
    int excursions, redundant; /* wsk_excursions; 0 no, 1 yes */
    const char *feeds;
    double price, spread; /* spread: of efficiency, one standard deviation, as a fraction */
    const char *tier;
} wsk_psu_params;
enum { WSK_PSU_POINTS = 5 };
typedef struct {
    double rated_w, limit_w; /* by which its losses scale; what it may give at this voltage */
    double a, b, c;          /* loss / rated = (a + b x + c x^2) r(x) */
    int n;                   /* points of r */
    double x[WSK_PSU_POINTS], ln_x[WSK_PSU_POINTS], r[WSK_PSU_POINTS], slope[WSK_PSU_POINTS];
    double eff_const; /* > 0: constant efficiency */
    double standby_w;
    double power_factor, reactive_va; /* VA = sqrt((W/pf)^2 + reactive^2) */
} wsk_psu_law;
static inline double wsk_psu_limit_w(const wsk_psu_params *psu, double supply_v)
{
    return psu->line_rating.count ? wsk_curve_at(&psu->line_rating, supply_v) : psu->rated_w;
}
/* Volt-amperes at these watts of input. */
static inline double wsk_psu_va(const wsk_psu_law *law, double input_w)
{
    double active = input_w / law->power_factor;
    return sqrt(active * active + law->reactive_va * law->reactive_va);
}
typedef struct {
    void (*prepare)(const wsk_psu_params *psu, double supply_v, wsk_psu_law *law);
    double (*input_w)(const wsk_psu_law *law, double output_w); /* strictly rising */
} wsk_psu_ops;

/* ---- ups, pdu: between circuit and rig ---- */
typedef struct {
    wsk_params head;
    double rated_w, eff_quarter, eff_full; /* at 25 % and at rated load */
    double price;
} wsk_feed_params;
typedef struct {
    double (*loss_w)(const wsk_feed_params *feed, double output_w); /* never falls with output */
} wsk_feed_ops;

/* ---- cpu, load ---- */
typedef struct {
    wsk_params head;
    const char *name;
    double power_w, idle_w, cap_j_k, ua_w_k, flow_ref_m3s, sensor_res_k_w, board_w, limit_k, price;
    const char *loop; /* id of the loop it is cooled by; NULL: air */
    double block_w_k, block_flow_m3s, block_drop_pa;
    double cores, lanes, memory_byte; /* NAN: not stated */
} wsk_cpu_params;
typedef struct {
    wsk_params head;
    const char *name;
    double ac_w, dc_w, duty, period_s;
} wsk_load_params;

/* ---- site ---- */
typedef struct {
    wsk_params head;
    double supply_v, circuit_a, outlet_a, altitude_m, continuous, listener_m;
    int breaker; /* wsk_breaker_kind; -1: by the voltage */
} wsk_site_params;
typedef enum { WSK_BREAKER_UL, WSK_BREAKER_B, WSK_BREAKER_C, WSK_BREAKER_D, WSK_BREAKER_JAPAN } wsk_breaker_kind;
extern const char *const wsk_breaker_names[]; /* ends with NULL */
typedef struct {
    wsk_params head;
    double volume_m3, cap_j_k, cond_w_k, temp_k; /* temp_k: pinned */
    double humidity;                             /* relative, at the room's starting temperature */
} wsk_room_params;
typedef struct {
    wsk_params head;
    double mean_k, swing_k, warmest_s;
    wsk_series file;
} wsk_outdoor_params;
typedef struct {
    double (*mean_k)(const wsk_outdoor_params *outdoor);
    /* civil_s: local time; run_s: since the start of the run. */
    double (*temp_k)(const wsk_outdoor_params *outdoor, double civil_s, double run_s);
} wsk_outdoor_ops;
typedef struct {
    wsk_params head;
    double capacity_w, setpoint_k, cop,
        band_k;          /* capacity and cop: at 35 degC outdoors; the ops follow the weather */
    wsk_curve cop_curve; /* outdoor K -> COP; then cop is not used */
} wsk_ac_params;
typedef struct {
    double (*cop)(const wsk_ac_params *ac, double outdoor_k);
    double (*capacity_w)(const wsk_ac_params *ac, double outdoor_k); /* cooling power at full speed */
} wsk_ac_ops;

/* ---- workload: a signal (value now, next change) ---- */
typedef struct {
    wsk_params head;
    int cls;
    const char *gpus;
    double clock_share, p0_w, c_w_hz;
    double load;   /* share of the time that work is there */
    double rate_s; /* units a second of one card at its reference; NAN: not given */
    const char *unit;
    double data_share, talk_share; /* of a step at the reference: loading, communication */
    int parallel;                  /* 0 data, 1 pipeline */
    double micro_batches;
    double checkpoint_every_s, checkpoint_takes_s, evaluate_every_s, evaluate_takes_s;
    double mtbf_s, restart_takes_s;
    wsk_curve load_curve;                         /* time of day -> share of the time that work is there */
    wsk_series power, utilisation;                /* replay */
    double swing_period_s, swing_high, swing_low; /* of a step's power, for the electrical side */
} wsk_workload_params;
typedef enum { WSK_PHASE_IDLE, WSK_PHASE_RUN, WSK_PHASE_WAIT } wsk_phase;
typedef struct {
    wsk_phase phase;
    int64_t until_ns; /* next change; INT64_MAX: none */
    const char *name; /* "step", "checkpoint", ... */
    double load;      /* share of the time that work is there, in WSK_PHASE_RUN */
    bool idle_work;   /* runs, but what it does is not counted: evaluation */
    bool undo;        /* what was done since the last save is lost */
    int64_t saved_ns; /* when work was last safe; the start of the run where it never was */
    double power_w;   /* each card's, from a trace; NAN: its own */
    uint64_t stretch; /* where the model's own search ended, and the time from which that holds: only saves time */
    int64_t stretch_ns;
} wsk_activity;
/* When it is: the run's time, local civil seconds at its start, and its seed. */
typedef struct {
    int64_t t_ns;
    double start_civil_s;
    uint64_t seed;
} wsk_moment;
typedef struct {
    bool synchronous; /* the slowest card sets the pace, the others wait */
    /* A function of its first two arguments; asked again at until_ns with what it said last in *out, or zeros. */
    void (*at)(const wsk_workload_params *workload, const wsk_moment *now, wsk_activity *out);
} wsk_workload_ops;

/* ---- governor: next clock cap from the sensors at its period ---- */
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

/* ---- run, rig ---- */
typedef struct {
    wsk_params head;
    double from_s; /* civil seconds; NAN: midnight of no particular day */
    const char *zone;
    double for_s, step_s, seed;
    int start; /* 0 ambient, 1 steady */
} wsk_runspec_params;
typedef struct {
    wsk_params head;
    const char *name;
} wsk_rig_params;

#endif
