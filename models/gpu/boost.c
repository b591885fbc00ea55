/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A card that boosts its clock: power from clock and voltage, throughput from a roofline with a rounded corner.
 *   P = P0 + m perf(f) + b c f V(f)^2 + V^2 L (exp(l (T - T_ref)) - 1)
 *   V = 1 up to the knee, 1 + k (f - f_knee) above the knee; the card's offsets shift both
 *   perf = 1/((1 - s) g + s),  g = [(a/x)^4 + (1 - a^4)/y^4]^(1/4),  x = f / f_ref,  b = 1 - s perf
 * f: core clock; V: relative voltage; y: memory clock divided by its reference; T, T_ref: die and leakage-temperature;
 * at the reference: s, share of the time in which no kernel runs; a, share of a kernel's time that it would take if
 * only the core clock bound it. Parameters of the card: L leakage, l leakage-slope, k voltage-slope; of the class of
 * work: P0, c, m traffic-power. Theory and fits: docs/theory/gpu.md, "Gpu: boost" */
#include <math.h>
#include <string.h>

#include "sim/net/load.h"

#define P wsk_gpu_params
static const wsk_param params[] = {
    WSK_TXT(P, name, "name", NULL, 0, "product name"),
    WSK_NUM(P, slot, "slot", WSK_DIM_COUNT, NULL, 1, 1000, WSK_RIG_ONLY | WSK_REQUIRED,
            "slot it is plugged into, counted from the CPU down"),
    WSK_NUM(P, slots, "slots", WSK_DIM_COUNT, "2", 1, 8, 0,
            "slots of 20.32 mm it covers; fewer in a chassis of wider pitch"),
    WSK_NUM(P, length_m, "length", WSK_DIM_LENGTH, "267 mm", 0.05, 1, 0, "length"),
    WSK_ASSUME(P, thickness_m, "thickness", WSK_DIM_LENGTH, NULL, 1e-3, 0.5, 0,
               "thickness at the fans; default slots x 20.32 mm - 2 mm",
               "cards keep about 2 mm from the next slot's plane, +-1 mm"),
    WSK_NUM(P, height_m, "height", WSK_DIM_LENGTH, NULL, 0.03, 0.5, 0,
            "height over the slot, as makers state it; default 111 mm, of open-air cards from 250 W on 137 mm"),
    WSK_CHO(P, plug_at, "plug", wsk_plug_names, NULL, 0,
            "where its power plugs stand: top, end or none; default end of a passive card, else top"),
    WSK_NUM(P, plug_bend_m, "plug-bend", WSK_DIM_LENGTH, "35 mm", 0, 0.2, 0,
            "height of plug and bent cable over plugs at the top; 15 mm with an angled one"),
    WSK_CHO(P, liquid_only, "liquid-only", wsk_yes_names, "no", 0,
            "yes: it is sold for liquid cooling only, and an air cooler is a warning"),
    WSK_CHO(P, soldered, "soldered", wsk_yes_names, "no", 0,
            "yes: it is sold inside a machine only, and 'wattsink new' writes no rig with it"),
    WSK_NUM(P, tdp_w, "tdp", WSK_DIM_POWER, NULL, 0, 1e5, WSK_REQUIRED | WSK_POSITIVE, "default power limit"),
    WSK_NUM(P, limit_w, "power-limit", WSK_DIM_POWER, NULL, 0, 1e7, WSK_POSITIVE,
            "power limit; default: tdp, at most power-limit-max"),
    WSK_ASSUME(P, limit_min_w, "power-limit-min", WSK_DIM_POWER, NULL, 0, 1e5, 0,
               "lowest settable limit; default 0.3 tdp", "0.17-0.66 of tdp in the logs of the catalogue"),
    WSK_ASSUME(P, limit_max_w, "power-limit-max", WSK_DIM_POWER, NULL, 0, 1e5, 0,
               "highest settable limit; default tdp", "0-33 % above tdp in the logs of the catalogue"),
    WSK_NUM(P, plateau_high_w, "plateau-high", WSK_DIM_POWER, NULL, 0, 1e5, 0, "highest limit of a firmware plateau"),
    WSK_NUM(P, plateau_draw_w, "plateau-draw", WSK_DIM_POWER, NULL, 0, 1e5, 0,
            "power drawn at any limit from this up to plateau-high"),
    WSK_ASSUME(P, limit_draw, "limit-draw", WSK_DIM_FRACTION, "100 %", 0.5, 1.2, 0,
               "mean power while a power limit holds the card all the time, as a share of the limit",
               "92-103 % on eight cards; spread +-3 %"),
    WSK_ASSUME(P, idle_w, "idle", WSK_DIM_POWER, NULL, 0, 1e5, 0, "board power doing nothing; default 0.08 tdp",
               "0.05-0.23 of tdp in the logs of the catalogue"),
    WSK_NUM(P, idle_loaded_w, "idle-loaded", WSK_DIM_POWER, NULL, 0, 1e5, 0,
            "board power doing nothing while a program holds the card, such as a loaded model; default: as idle"),
    WSK_ASSUME(P, waiting_share, "waiting", WSK_DIM_FRACTION, "35 %", 0, 1, 0,
               "power above idle while waiting for other cards, as a share of running",
               "spinning kernels with few active units: 0.25-0.5"),
    WSK_NUM(P, clock_min_hz, "clock-min", WSK_DIM_FREQUENCY, "210 MHz", 1e6, 1e10, 0, "lowest core clock"),
    WSK_NUM(P, clock_max_hz, "clock-max", WSK_DIM_FREQUENCY, NULL, 1e6, 1e10, WSK_REQUIRED,
            "highest boost clock, cool"),
    WSK_NUM(P, clock_step_hz, "clock-step", WSK_DIM_FREQUENCY, "15 MHz", 1e5, 1e9, 0, "clock grid"),
    WSK_NUM(P, clock_knee_hz, "clock-knee", WSK_DIM_FREQUENCY, NULL, 1e6, 1e10, WSK_REQUIRED,
            "highest clock at the floor voltage"),
    WSK_NUM(P, voltage_slope_per_hz, "voltage-slope", WSK_DIM_PER_FREQ, NULL, 0, 1e-6, WSK_REQUIRED,
            "rise of relative voltage above the knee"),
    WSK_NUM(P, boost_loss_hz_k, "boost-loss", WSK_DIM_FREQ_PER_K, "4 MHz/K", 0, 1e8, 0,
            "boost lost per kelvin of the die"),
    WSK_ASSUME(P, boost_temp_k, "boost-temperature", WSK_DIM_TEMPERATURE, "45 degC", 223.15, 373.15, 0,
               "die temperature above which boost is lost", "first bins go at 38-54 degC"),
    WSK_ASSUME(P, leakage_w, "leakage", WSK_DIM_POWER, NULL, 0, 1e5, 0,
               "leakage at leakage-temperature and floor voltage; default 3 % of tdp",
               "0.2-0.4 % of board power per kelvin at 75-85 degC"),
    WSK_NUM(P, leakage_slope_per_k, "leakage-slope", WSK_DIM_PER_KELVIN, "0.041 1/K", 0, 0.2, 0,
            "leakage ~ exp(slope T): H100 PCIe idle 42.5 + 9.6 exp(0.041 (T - 50))"),
    WSK_ASSUME(P, leakage_temp_k, "leakage-temperature", WSK_DIM_TEMPERATURE, "60 degC", 223.15, 393.15, 0,
               "die temperature at which p0 and c were fitted", "cards under load; sweeps seldom record it"),
    WSK_NUM(P, target_k, "target-temperature", WSK_DIM_TEMPERATURE, "83 degC", 293.15, 423.15, 0, "thermal target"),
    WSK_NUM(P, slowdown_k, "slowdown-temperature", WSK_DIM_TEMPERATURE, "95 degC", 293.15, 423.15, 0,
            "hardware slowdown"),
    WSK_NUM(P, shutdown_k, "shutdown-temperature", WSK_DIM_TEMPERATURE, "98 degC", 293.15, 423.15, 0, "shutdown"),
    WSK_NUM(P, memory_byte, "memory", WSK_DIM_DATA, NULL, 0, 1e15, 0, "memory size"),
    WSK_NUM(P, memory_byte_s, "memory-bandwidth", WSK_DIM_DATA_RATE, NULL, 1e9, 1e15, 0,
            "peak bandwidth of its memory at memory-clock, for tokens"),
    WSK_NUM(P, units, "compute-units", WSK_DIM_COUNT, NULL, 1, 1e5, 0,
            "compute units that are enabled (SMs, CUs), for tokens"),
    WSK_CHO(P, stack, "stack", wsk_stack_names, NULL, 0, "software that drives it, for the band of tokens"),
    WSK_NUM(P, matrix_ops, "matrix-ops", WSK_DIM_COUNT, NULL, 1, 1e6, 0,
            "dense 16-bit matrix operations of a compute unit a clock, two for a multiply-add, for tokens; 128 lanes "
            "without matrix units do 256"),
    WSK_NUM(
        P, matrix_ops_16, "matrix-ops-16", WSK_DIM_COUNT, NULL, 1, 1e6, 0,
        "matrix-ops with 16-bit weights, where lanes without matrix units multiply more numbers of 8 bit; default: "
        "as matrix-ops"),
    WSK_CHO(P, fp8, "fp8", wsk_yes_names, "no", 0, "yes: twice as many matrix-ops with FP8 weights, for tokens"),
    WSK_CHO(P, vllm, "vllm", wsk_yes_names, "yes", 0, "no: vLLM does not run on it, so no tokens with that engine"),
    WSK_TXT(P, memory_type, "memory-type", NULL, 0, "GDDR6X, HBM3, ..."),
    WSK_ASSUME(P, memory_w, "memory-power", WSK_DIM_POWER, NULL, 0, 1e4, 0,
               "memory power with half of its bandwidth in use, as in training; default by memory-type and "
               "memory-bandwidth, else 12 % of tdp",
               "pJ a bit: GDDR5 14, GDDR5X 10.5, GDDR6 and 6X 7.25, GDDR7 5, HBM2e 6, other HBM 3.9; 20 % of the "
               "power at full traffic without any; spread +-10 %"),
    WSK_ASSUME(P, memory_idle_w, "memory-idle", WSK_DIM_POWER, NULL, 0, 1e4, 0,
               "memory power at idle; default: memory-power in proportion to board power",
               "GDDR clocks down when idle; HBM stacks keep theirs"),
    WSK_ASSUME(P, memory_res_k_w, "memory-resistance", WSK_DIM_RESISTANCE, NULL, 1e-3, 100, 0,
               "memory over heatsink and board; default of GDDR6 and later by the chips on a face (memory-bandwidth, "
               "memory-clock, memory), else 0.4 K/W",
               "a chip 6.5 K/W, of GDDR6X below 20 Gbit/s 9.5, behind the board 1.25 times that: pads of 1-2 mm, the "
               "package, and the hottest chip; spread +-10 %"),
    WSK_ASSUME(P, memory_cap_j_k, "memory-capacity", WSK_DIM_CAPACITY, "25 J/K", 1, 1e5, 0,
               "heat capacity of memory and pads", "12-24 packages of 1-2 g"),
    WSK_ASSUME(P, memory_heatsink_share, "memory-to-heatsink", WSK_DIM_FRACTION, NULL, 0, 1, 0,
               "share of the memory's conductance to the heatsink, the rest to the board; default 80 %, of chips "
               "behind the board 20 %",
               "pads on one side, board on the other"),
    WSK_NUM(P, memory_limit_k, "memory-limit", WSK_DIM_TEMPERATURE, NULL, 293.15, 423.15, 0,
            "memory throttle temperature"),
    WSK_NUM(P, die_area_m2, "die-area", WSK_DIM_AREA, NULL, 1e-5, 1e-2, 0, "area of the GPU's die"),
    WSK_ASSUME(P, die_res_k_w, "die-resistance", WSK_DIM_RESISTANCE, NULL, 0, 10, 0,
               "die over heatsink base; default 25 mm2K/W / die-area, without an area 0.05 K/W",
               "16-39 mm2K/W in seven fits of cards (docs/theory/card.md); without an area 0.03-0.09"),
    WSK_ASSUME(P, board_share, "board-share", WSK_DIM_FRACTION, "12 %", 0, 0.6, 0,
               "share of board power lost in VRM and board", "VRM efficiency near 90 % and fan"),
    WSK_NUM(
        P, board_fixed, "board-fixed", WSK_DIM_FRACTION, NULL, 0, 1, 0,
        "part of that loss at tdp that stays without load, the rest rises with the square of the power; without it "
        "the loss is one share at any power"),
    WSK_ASSUME(P, board_cap_j_k, "board-capacity", WSK_DIM_CAPACITY, "350 J/K", 1, 1e5, 0,
               "heat capacity of board, shroud and backplate",
               "time constants of 380-560 s in fits of one-hour traces"),
    WSK_ASSUME(P, board_cond_w_k, "board-conductance", WSK_DIM_CONDUCTANCE, "0.9 W/K", 0, 100, 0,
               "board to the air of the gap behind it", "0.06 m2 at 15 W/m2K"),
    WSK_ASSUME(P, board_heatsink_cond_w_k, "board-to-heatsink", WSK_DIM_CONDUCTANCE, "1.0 W/K", 0, 100, 0,
               "board to heatsink", "Rjb 0.64 K/W (RTX 5000 MXM) and pads"),
    WSK_ASSUME(P, hotspot_res_k_w, "hotspot-resistance", WSK_DIM_RESISTANCE, NULL, 0, 10, 0,
               "hottest point of the die over its sensor, per die watt, beside hotspot-offset; default 0 K/W",
               "two cards at full power and two at rest show no change with power; Radeons have a value"),
    WSK_ASSUME(
        P, hotspot_offset_k, "hotspot-offset", WSK_DIM_TEMP_DIFF, NULL, 0, 100, 0,
        "hottest point of the die over its sensor at any power; default 10 K without hotspot-resistance, else 0 K",
        "9-16 K on NVIDIA's cards (docs/theory/card.md)"),
    WSK_NUM(P, hotspot_limit_k, "hotspot-limit", WSK_DIM_TEMPERATURE, "110 degC", 293.15, 423.15, 0,
            "highest temperature of the hottest point"),
    WSK_ASSUME(P, vrm_res_k_w, "vrm-resistance", WSK_DIM_RESISTANCE, "0.3 K/W", 0, 10, 0,
               "VRM over the board, per watt lost in VRM and board", "power stages spread over 20 cm2"),
    WSK_ASSUME(P, vrm_limit_k, "vrm-limit", WSK_DIM_TEMPERATURE, "115 degC", 293.15, 423.15, 0,
               "highest temperature of the VRM", "power stages are rated to 125 degC and throttle at 110-120"),
    WSK_NUM(P, mount, "mount", WSK_DIM_NONE, "1", 0.1, 100, WSK_RIG_ONLY,
            "factor on die-resistance: above 1 for a bad mount or dried paste"),
    WSK_NUM(P, pads, "pads", WSK_DIM_NONE, "1", 0.1, 100, WSK_RIG_ONLY,
            "factor on memory-resistance: above 1 for dry pads"),
    WSK_NUM(P, riser_m, "riser", WSK_DIM_LENGTH, NULL, 1e-3, 10, WSK_RIG_ONLY,
            "on a riser, with this much free air under its fans; its slot then holds only the connector"),
    WSK_CHO(P, riser_at, "riser-at", wsk_riser_at_names, "case", WSK_RIG_ONLY,
            "where a card on a riser hangs: in the air of its case, or outside of it in the room"),
    WSK_TXT(P, behind, "behind", NULL, WSK_RIG_ONLY, "passive cards: id of the card whose exhaust it draws"),
    WSK_NUM(P, power_floor_w, "power-floor", WSK_DIM_POWER, "0 W", 0, 1e5, 0,
            "least board power that the firmware holds under load: lower limits are not honoured"),
    WSK_NUM(P, lock_clock_hz, "lock-clock", WSK_DIM_FREQUENCY, NULL, 1e6, 1e10, WSK_RIG_ONLY,
            "highest core clock, as nvidia-smi -lgc sets it"),
    WSK_NUM(P, clock_offset_hz, "clock-offset", WSK_DIM_FREQUENCY, "0 MHz", -1e9, 1e9, WSK_RIG_ONLY,
            "addition to the core clock at each voltage"),
    WSK_NUM(P, voltage_offset_v, "voltage-offset", WSK_DIM_VOLTAGE, "0 V", -0.3, 0.2, WSK_RIG_ONLY,
            "addition to the core voltage at each clock; below 0: undervolt"),
    WSK_ASSUME(P, voltage_floor_v, "voltage-floor", WSK_DIM_VOLTAGE, "0.7 V", 0.3, 2, 0,
               "core voltage up to clock-knee", "0.65-0.75 V read on Pascal to Ada"),
    WSK_NUM(P, memory_clock_hz, "memory-clock", WSK_DIM_FREQUENCY, NULL, 1e6, 1e11, 0, "memory clock"),
    WSK_NUM(P, memory_offset_hz, "memory-offset", WSK_DIM_FREQUENCY, "0 MHz", -1e10, 1e10, WSK_RIG_ONLY,
            "addition to memory-clock"),
    WSK_CUR(P, limit_schedule, "limit-schedule", WSK_DIM_TIME, 0, 0, WSK_DIM_POWER, 0, 1e7, NULL, WSK_RIG_ONLY,
            "power limit by time of day, each from its time on: \"7:00:250 W, 22:00:350 W\", or \"7 h:250 W\""),
    WSK_NUM(P, lanes, "lanes", WSK_DIM_COUNT, "16", 1, 64, 0, "PCI Express lanes: fewer of card and slot"),
    WSK_NUM(P, pcie, "pcie", WSK_DIM_COUNT, "4", 1, 8, 0, "PCI Express generation"),
    WSK_NUM(
        P, speed, "speed", WSK_DIM_NONE, "1", 1e-3, 1000, WSK_RIG_ONLY,
        "work an hour at its default limit over the rig's other cards', where unlike cards share synchronous work"),
    WSK_CHO(P, nvlink, "nvlink", wsk_yes_names, "no", 0, "yes: its cards talk over NVLink or a fabric like it"),
    WSK_ASSUME(P, nvlink_byte_s, "nvlink-bandwidth", WSK_DIM_DATA_RATE, "100 GB/s", 1e9, 1e15, 0,
               "peak rate of all links of a card with nvlink, both directions together, for tokens",
               "112 GB/s of a bridge between two RTX 3090"),
    WSK_NUM(P, fan_fails_s, "fan-fails-at", WSK_DIM_TIME, NULL, 0, 3.2e9, WSK_RIG_ONLY,
            "time from the start of the run at which the cooler's fans stop for good"),
    WSK_NUM(P, pump_fails_s, "pump-fails-at", WSK_DIM_TIME, NULL, 0, 3.2e9, WSK_RIG_ONLY,
            "time from the start of the run at which an AIO's pump stops for good"),
    WSK_NUM(P, lost_s, "lost-at", WSK_DIM_TIME, NULL, 0, 3.2e9, WSK_RIG_ONLY,
            "time from the start of the run at which the card falls off the PCI Express bus for good (Xid 79)"),
    WSK_PRICE_ROWS(P, NULL, 1e7, "purchase price"),
    WSK_TXT(P, connector, "connector", NULL, 0, "supplementary power connectors"),
    WSK_NUM(P, maker_psu_w, "recommended-psu", WSK_DIM_POWER, NULL, 1, 1e5, 0,
            "smallest PSU that its maker recommends for a machine with one such card"),
    WSK_NUM(P, pin_power_w, "power", WSK_DIM_POWER, NULL, 0, 1e5, WSK_RIG_ONLY,
            "pins board power: bypasses the governors"),
    WSK_TXT(P, pin_fan, "fan", NULL, WSK_RIG_ONLY, "pins the fan: \"2200 rpm\" or \"55 %\" of rpm-max"),
    WSK_NUM(P, pin_clock_hz, "clock", WSK_DIM_FREQUENCY, NULL, 1e6, 1e10, WSK_RIG_ONLY, "pins the core clock"),
    {.name = NULL}};
static const wsk_child children[] = {{"cooler", 1, NULL},
                                     {"riser-cable", 0, NULL},
                                     {"class", 0, NULL},
                                     {"governor", 0, "thermal-target"},
                                     {"governor", 0, "slowdown"},
                                     {"governor", 0, "memory-limit"},
                                     {"governor", 0, "power-brake"},
                                     {NULL, 0, NULL}};

/* Default values per class of work, for cards without a fit. p0: intercept of the power as a share of tdp; draw:
 * power of a warm card at its full boost clock without a limit, as a share of tdp; a: as in the formulas at the head
 * of this file. These are middle values over the cards of tests/validate/facts/sweep_*.csv:
 * docs/theory/gpu.md, "Class: fit". traffic: share of the memory's bandwidth in use. Assumed:
 * docs/theory/constants.md, "memory traffic of a class" */
static const struct {
    double p0, draw, a, traffic;
    bool pauses; /* loads of the class wait for data between their kernels */
} class_default[WSK_CLASS_COUNT] = {[WSK_CLASS_IDLE] = {.traffic = 0.5},
                                    [WSK_CLASS_BURN] = {0.09, 1.35, 0.98, 0.2, false},
                                    [WSK_CLASS_TRAINING] = {0.15, 1.00, 0.80, 0.5, true},
                                    [WSK_CLASS_PREFILL] = {0.25, 1.30, 0.85, 0.3, false},
                                    [WSK_CLASS_DECODE] = {0.20, 1.20, 0.75, 0.7, false},
                                    [WSK_CLASS_MOE_DECODE] = {0.25, 0.90, 0.65, 0.65, false},
                                    [WSK_CLASS_STREAM] = {0.20, 0.60, 0.50, 1, false}};

/* Errors within which 80 % of the measured rows of a class lie. class_value: the class was not measured on this card,
 * even if its part takes the class from another card of the same chip; own: the class was fitted to this card;
 * measured: the power of the load was measured too. work: error of the throughput under a power limit, as the factor
 * in wsk_gpu_work_spread (sim/net/gpu.h), where the error grows as the limit falls; power: as a share of the power,
 * without a limit. The test spread_holds in tests/validate/test_power.c counts the rows. */
typedef struct {
    double work, power;
} class_error;
static const struct {
    class_error class_value, own, measured;
} class_errors[WSK_CLASS_COUNT] = {[WSK_CLASS_BURN] = {{0.49, 0.46}, {0.20, 0.30}, {0.10, 0.05}},
                                   [WSK_CLASS_TRAINING] = {{0.16, 0.36}, {0.09, 0.21}, {0.05, 0.05}},
                                   [WSK_CLASS_PREFILL] = {{0.22, 0.35}, {0.10, 0.20}, {0.10, 0.05}},
                                   [WSK_CLASS_DECODE] = {{0.22, 0.35}, {0.13, 0.20}, {0.13, 0.06}},
                                   [WSK_CLASS_MOE_DECODE] = {{0.22, 0.45}, {0.13, 0.20}, {0.13, 0.06}},
                                   [WSK_CLASS_STREAM] = {{0.10, 0.30}, {0.08, 0.12}, {0.08, 0.05}}};

static double voltage(const wsk_gpu_params *g, double f)
{
    const double over = wsk_max(f - g->clock_offset_hz - g->clock_knee_hz, 0);
    return wsk_max(1 + g->voltage_slope_per_hz * over + g->voltage_offset_v / g->voltage_floor_v, 0.4);
}

static double voltage_v(const wsk_gpu_params *g, double f)
{
    return g->voltage_floor_v * voltage(g, f);
}

static double leakage_w(const wsk_gpu_params *g, double die_k)
{
    return g->leakage_w * wsk_exp(g->leakage_slope_per_k * (die_k - g->leakage_temp_k));
}

/* Computes g of the formulas at the head of this file: the duration of a kernel at the core clock f, divided by that at
 * the reference clocks. The fourth root is taken as two square roots, which are correctly rounded and so give the same
 * bits on each machine. */
static double stretch(const wsk_gpu_class *c, double f)
{
    const double q = c->clock_share * c->ref_clock_hz / f, q2 = q * q, a2 = c->clock_share * c->clock_share,
                 m2 = c->memory_speed * c->memory_speed;
    return sqrt(sqrt(q2 * q2 + (1 - a2 * a2) / (m2 * m2)));
}

/* Work per time relative to the reference, if kernels last `stretched` times as long as at the reference clock. */
static double work_of(const wsk_gpu_class *c, double stretched)
{
    return 1 / ((1 - c->wait) * stretched + c->wait);
}

static double perf_rel(const wsk_gpu_class *c, double f)
{
    return f > 0 ? work_of(c, stretch(c, f)) : 0;
}

/* Least dynamic power as a share of b c f V^2. On a cold die the leakage term of P is negative. For a light load it
 * would outweigh b c f V^2, so that the power would fall with a rising clock.
 * docs/theory/constants.md, "least dynamic power" */
static const double least_share = 0.1;

static double power_w(const wsk_gpu_params *g, const wsk_gpu_class *c, double f, double die_k, double *slope_w_k)
{
    double v = voltage(g, f), v2 = v * v, leak = leakage_w(g, die_k), work = 1, busy = 1;
    if (fabs(c->wait) > 0 || c->traffic_w > 0) {
        work = perf_rel(c, f);
        busy = 1 - c->wait * work;
    }
    const double dyn = busy * c->c_w_hz * f, least = least_share * dyn, by_voltage = dyn + leak - g->leakage_w;
    const bool bounded = dyn > 0 && by_voltage < least; /* not for dyn = 0, with which drive() finds the leakage */
    if (slope_w_k)
        *slope_w_k = bounded ? 0 : v2 * leak * g->leakage_slope_per_k;
    return c->p0_w + c->traffic_w * work + v2 * (bounded ? least : by_voltage);
}

static double grid(const wsk_gpu_params *g, double top, double f)
{
    const double bins = floor((top - f) / g->clock_step_hz + 1 - 1e-9);
    return wsk_max(top - bins * g->clock_step_hz, g->clock_min_hz);
}

static double boost_hz(const wsk_gpu_params *g, double die_k)
{
    double over = die_k - g->boost_temp_k, top = g->clock_max_hz + g->clock_offset_hz;
    return over <= 0 ? top : grid(g, top, top - g->boost_loss_hz_k * over);
}

static double held_w(const wsk_gpu_params *g, double limit_w)
{
    const bool flat = limit_w >= g->plateau_draw_w && limit_w <= g->plateau_high_w;
    return wsk_max(flat ? g->plateau_draw_w : g->limit_draw * limit_w, g->power_floor_w);
}

/* Models a load that draws less than its class: kernels run for a smaller share of the time (duty) and draw less power,
 * both by the factor sqrt(now_w / full_w), but at most most_w, which the default limit holds. full_w: dynamic power of
 * the class, W; now_w: mean dynamic power of the load, W. docs/theory/gpu.md, "Pauses of a load with measured power" */
static void pause_between(wsk_gpu_class *c, double full_w, double now_w, double most_w)
{
    const double still = c->p0_w + c->traffic_w, capped = now_w / wsk_max(most_w - still, now_w),
                 duty = wsk_max(sqrt(now_w / full_w), capped);
    c->c_w_hz /= duty;
    c->pause = c->wait = 1 - duty;
    c->limit_share = (still + now_w) / (still + now_w / duty);
}

/* Sets the dynamic power so that the card draws the measured power at boost, the highest clock at the temperature of
 * the measurement. If the measured power is at least 95 % of what the default limit holds, the limit may have cut it:
 * then a class that draws more at boost keeps its own draw. */
static void drive(const wsk_gpu_params *g, wsk_gpu_class *c, double boost, const wsk_load *load, bool pauses)
{
    const double read_w = load->measured_w, die_k = load->measured_k, held = held_w(g, wsk_gpu_default_limit_w(g)),
                 most = held * wsk_gpu_limit_share(c), at_limit = 0.95 * (most - c->long_pause * (most - c->p0_w));
    if (isnan(read_w) || (fmin(read_w, load->limited_w) >= at_limit && power_w(g, c, boost, die_k, NULL) >= read_w))
        return;
    /* at least a quarter of the measured power must depend on the clock */
    const double fewer = wsk_min(0.75 * read_w / (c->p0_w + c->traffic_w), 1);
    c->p0_w *= fewer;
    c->traffic_w *= fewer;
    const wsk_gpu_class still = {.p0_w = c->p0_w + c->traffic_w, .clock_share = c->clock_share};
    const double v = voltage(g, boost), per = v * v * boost, rest = power_w(g, &still, boost, die_k, NULL),
                 full_w = c->c_w_hz * per, now_w = wsk_max(read_w - rest, 0.05 * read_w);
    c->c_w_hz = now_w / ((1 - c->wait) * per);
    if (pauses && now_w < full_w && !(c->pause > 0) && !(wsk_gpu_limit_share(c) < 1))
        pause_between(c, full_w, now_w, held);
}

/* Least P0, W, with which a working card at its lowest clock and a die of 30 degC draws no less than its idle power,
 * which is stated for that temperature. draw: its power at the boost clock, W, which stays unchanged. */
static double least_p0_w(const wsk_gpu_params *g, double draw, double boost)
{
    const double v = voltage(g, boost), v_low = voltage(g, g->clock_min_hz), v2 = v_low * v_low,
                 per = g->clock_min_hz * v2 / (boost * v * v),
                 saved = v2 * (g->leakage_w - leakage_w(g, 30 + WSK_KELVIN)),
                 by_voltage = (g->idle_w + saved - draw * per) / (1 - per),
                 by_least = (g->idle_w - least_share * draw * per) / (1 - least_share * per);
    return wsk_min(wsk_min(by_voltage, by_least), 0.9 * draw);
}

/* Bounds the class values of a card without a fit, so that the card can hold its lowest settable power limit. P0
 * is lowered to at most 3/4 of that limit. It is also lowered until the draw at 35 % of the boost clock is at
 * most that limit, but for this not below the idle draw. Then it is raised where the card would draw less than at rest.
 * The draw at the boost clock stays unchanged. */
static void bound(const wsk_gpu_params *g, wsk_gpu_class *c, double boost)
{
    const double least = g->limit_min_w, low = 0.35 * boost, v = voltage(g, boost), v_low = voltage(g, low),
                 per = low * v_low * v_low / (boost * v * v), draw = c->p0_w + c->c_w_hz * boost * v * v,
                 p0_at_low = wsk_max((least - draw * per) / (1 - per), g->idle_w);
    c->p0_w = wsk_min(wsk_min(c->p0_w, 0.75 * least), p0_at_low);
    c->p0_w = wsk_max(c->p0_w, least_p0_w(g, draw, boost));
    c->c_w_hz = (draw - c->p0_w) / (boost * v * v);
}

static void classify(const wsk_gpu_params *tuned, wsk_class cls, const wsk_load *load, wsk_gpu_class *out)
{
    wsk_gpu_params plain = *tuned; /* the reference is the card with factory settings */
    const wsk_gpu_params *g = &plain;
    plain.clock_offset_hz = plain.voltage_offset_v = 0;
    wsk_gpu_complete(&plain);
    double boost = boost_hz(g, WSK_WARM_K), v = voltage(g, boost);
    *out = (wsk_gpu_class){
        .p0_w = class_default[cls].p0 * g->tdp_w, .clock_share = class_default[cls].a, .memory_speed = 1};
    out->c_w_hz = (class_default[cls].draw * g->tdp_w - out->p0_w) / (boost * v * v);
    bound(g, out, boost);
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(g->head.elem, "class", e)) != NULL;) {
        const wsk_class_params *p = e->params;
        if (p->name == (int)cls)
            *out = (wsk_gpu_class){.p0_w = p->p0_w,
                                   .c_w_hz = p->c_w_hz,
                                   .clock_share = p->clock_share,
                                   .traffic_w = p->traffic_w,
                                   .pause = 1 - p->duty,
                                   .wait = 1 - p->duty,
                                   .kernels = p->kernels,
                                   .limit_share = p->limit_share,
                                   .long_pause = p->long_pauses ? 1 - p->duty : 0,
                                   .pauses_stated = p->duty < 1 && !p->long_pauses,
                                   .memory_speed = 1,
                                   .fitted = !wsk_class_assumed(p),
                                   .own = wsk_class_calibrated(p)};
    }
    out->traffic = class_default[cls].traffic;
    out->ref_clock_hz = boost; /* full boost, until the loop below has found the clock that the power limit allows */
    if (load) {
        wsk_load_shape(load, cls, out);
        drive(g, out, boost_hz(g, load->measured_k), load, class_default[cls].pauses);
    }
    const class_error spread = out->own ? (class_error){WSK_CALIBRATED_SPREAD, WSK_CALIBRATED_SPREAD}
                               : load && !isnan(load->measured_w) ? class_errors[cls].measured
                               : out->fitted                      ? class_errors[cls].own
                                                                  : class_errors[cls].class_value;
    out->work_spread = spread.work;
    out->power_spread_rel = spread.power;
    const double held = held_w(g, wsk_gpu_default_limit_w(g)) * wsk_gpu_limit_share(out);
    wsk_gpu_class between = wsk_gpu_between(out);
    while (between.ref_clock_hz > g->clock_min_hz &&
           power_w(g, &between, between.ref_clock_hz, WSK_WARM_K, NULL) > held)
        between.ref_clock_hz -= g->clock_step_hz;
    out->ref_clock_hz = wsk_max(between.ref_clock_hz, g->clock_min_hz);
    out->memory_speed = tuned->memory_clock_hz > 0 ? 1 + tuned->memory_offset_hz / tuned->memory_clock_hz : 1;
}

/* Board power, W, and *slope, its derivative by the clock, W/Hz. dg/df = -(a/x)^4/(f g^3). */
static double power_and_slope(const wsk_gpu_params *g, const wsk_gpu_class *c, double f, double leak, double *slope)
{
    const double v = voltage(g, f), v2 = v * v,
                 rise = f - g->clock_offset_hz > g->clock_knee_hz ? 2 * v * g->voltage_slope_per_hz : 0;
    double dyn = c->c_w_hz * f, p = c->p0_w;
    *slope = 0;
    if (fabs(c->wait) > 0 || c->traffic_w > 0) {
        double longer = stretch(c, f), work = work_of(c, longer), q = c->clock_share * c->ref_clock_hz / (f * longer),
               q2 = q * q, gain = (1 - c->wait) * work * work * longer * q2 * q2 / f, busy = 1 - c->wait * work;
        p += c->traffic_w * work;
        *slope = c->traffic_w * gain - c->wait * gain * v2 * dyn;
        dyn *= busy;
    }
    if (dyn > 0 && dyn + leak < least_share * dyn) {
        wsk_gpu_class light = *c; /* a load with only the least dynamic power */
        light.c_w_hz *= least_share;
        return power_and_slope(g, &light, f, 0, slope);
    }
    *slope += v2 * dyn / f + rise * (dyn + leak);
    return p + v2 * (dyn + leak);
}

/* Finds the clock at which board power is `power`, by Newton's method between bounds that close in. The power of
 * memory traffic is concave in the clock and the rest is convex, so that a Newton step may leave the bounds or
 * go below the minimum clock. In place of such a step the search takes the minimum clock if the lower bound is below
 * it, else the middle of the bounds, or twice the present clock as long as there is no upper bound. */
static double clock_for(const wsk_gpu_params *g, const wsk_gpu_class *c, double power, double die_k, double guess_hz)
{
    double leak = leakage_w(g, die_k) - g->leakage_w, f = guess_hz, low = 0, high = INFINITY;
    if (!(c->c_w_hz > 0))
        return g->clock_max_hz;
    for (int i = 0; i < 60; i++) {
        double slope, over = power_and_slope(g, c, f, leak, &slope) - power, next = f - over / slope;
        if (over > 0)
            high = f;
        else
            low = f;
        if (f <= g->clock_min_hz && over >= 0)
            return g->clock_min_hz;
        if (next > low && next < high && next > g->clock_min_hz) {
            double knee = g->clock_offset_hz + g->clock_knee_hz;
            /* The last step is below 0.1 MHz and did not cross the knee of the voltage: Newton's method has
             * converged. */
            if (fabs(f - next) < 1e5 && (f > knee) == (next > knee))
                return next;
            f = next;
        } else {
            f = low < g->clock_min_hz ? g->clock_min_hz : high < INFINITY ? 0.5 * (low + high) : 2 * f;
        }
    }
    return f;
}

static const wsk_gpu_ops ops = {.clock_for = clock_for,
                                .voltage_v = voltage_v,
                                .classify = classify,
                                .power_w = power_w,
                                .perf_rel = perf_rel,
                                .boost_hz = boost_hz,
                                .held_w = held_w};
static bool unheeded(const wsk_elem *e, const char *param)
{
    static const char *const names[] = {"memory-bandwidth", "compute-units", "stack",           "matrix-ops",
                                        "matrix-ops-16",    "fp8",           "nvlink-bandwidth"};
    bool of_tokens = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        of_tokens = of_tokens || strcmp(param, names[i]) == 0;
    while (e->parent)
        e = e->parent;
    const wsk_elem *work = wsk_elem_child(e, "workload", NULL);
    return of_tokens && !(work && wsk_elem_child(work, "model", NULL));
}

const wsk_kind wsk_gpu_boost = {.element = "gpu",
                                .name = "boost",
                                .is_default = true,
                                .help = "graphics or accelerator card",
                                .size = sizeof(P),
                                .params = params,
                                .children = children,
                                .ops = &ops,
                                .unheeded = unheeded};
