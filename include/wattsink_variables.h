/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of variables: each quantity that can be watched during a run has one row. wattsink.h includes this
 * file. The columns of series.csv and of `run --full` are made from WSK_VARIABLES, in this order; the variables
 * of WSK_ASKED are computed only when a program asks for them. Programs name a variable by its enumerator, so
 * that code which uses a renamed or removed variable does not compile. */
#ifndef WATTSINK_VARIABLES_H
#define WATTSINK_VARIABLES_H

/* X(NAME, owner, name, unit, label, standard, change, node)
 * NAME     gives the enumerator WSK_VAR_NAME.
 * owner    the object that has the variable. A RIG variable is called by its name alone, any other by owner id,
 *          dot and name: "gpu0.die_c"; the processor of a case by the processor's id.
 * standard name of the variable in the CF conventions (Climate and Forecast metadata, used in NetCDF); NULL: none.
 * change   HOLDS: constant until powers, fan speeds or natural convection change; TICKS: may change at each tick
 *          (time step); GROWS: increases at each tick from 0 at the start; ON_NODE: a temperature, which follows a
 *          node of the heat network; ASKED: not recorded, computed when asked for.
 * node     the node that the temperature follows, as the library's struct of the owner (wsk_card, ...) names it; `none`
 *          unless ON_NODE. */
/* clang-format off */
#define WSK_VARIABLES(X) \
    X(WALL_W, RIG, "wall_w", "W", "power of the rig at the wall", NULL, HOLDS, none) \
    X(WALL_VA, RIG, "wall_va", "VA", "apparent power of the rig at the wall", NULL, HOLDS, none) \
    X(DC_W, RIG, "dc_w", "W", "DC power, after the PSUs", NULL, HOLDS, none) \
    X(PSU_LOSS_W, RIG, "psu_loss_w", "W", "power lost in the PSUs", NULL, HOLDS, none) \
    X(ROOM_C, RIG, "room.air_c", "degC", "air temperature in the room", "air_temperature", ON_NODE, room) \
    X(OUTDOOR_C, RIG, "outdoor.air_c", "degC", "air temperature outdoors", "air_temperature", ON_NODE, outdoor) \
    X(AC_W, RIG, "ac_w", "W", "electric power of the air conditioner", NULL, TICKS, none) \
    X(NOISE_DBA, RIG, "noise_dba", "dBA", "sound level of the rig", NULL, HOLDS, none) \
    X(ENERGY_KWH, RIG, "energy_kwh", "kWh", "energy of the rig at the wall since the start", NULL, GROWS, none) \
    X(COST, RIG, "cost", "", "electricity cost since the start", NULL, GROWS, none) \
    X(COST_OTHER, RIG, "cost_other", "", "of it demand, standing and minimum charges", NULL, GROWS, none) \
    X(CASE_AIR_C, CASE, "air_c", "degC", "air temperature in the case", "air_temperature", ON_NODE, air) \
    X(CASE_CPU_C, CASE, "die_c", "degC", "CPU temperature", NULL, ON_NODE, cpu_solid) \
    X(CASE_DOOR_C, CASE, "door_c", "degC", "temperature of the rear door's coil", NULL, ON_NODE, door_core) \
    X(SUPPLY_LOAD, SUPPLY, "load", "", "load of the PSU", NULL, HOLDS, none) \
    X(SUPPLY_EFFICIENCY, SUPPLY, "efficiency", "", "efficiency of the PSU", NULL, HOLDS, none) \
    X(LOOP_COOLANT_C, LOOP, "coolant_c", "degC", "temperature of the coolant in the tank", NULL, ON_NODE, tank) \
    X(LOOP_RETURN_C, LOOP, "return_c", "degC", "temperature of the warmest coolant", NULL, ON_NODE, warmest) \
    X(LOOP_FLOW_LPM, LOOP, "flow_lpm", "l/min", "flow of the coolant", NULL, HOLDS, none) \
    X(MOVER_RPM, MOVER, "rpm", "rpm", "speed of the fan or pump", NULL, HOLDS, none) \
    X(CARD_DIE_C, CARD, "die_c", "degC", "GPU temperature", NULL, ON_NODE, heatsink) \
    X(CARD_HOTSPOT_C, CARD, "hotspot_c", "degC", "hot spot temperature", NULL, ON_NODE, heatsink) \
    X(CARD_MEMORY_C, CARD, "memory_c", "degC", "memory temperature", NULL, ON_NODE, memory) \
    X(CARD_VRM_C, CARD, "vrm_c", "degC", "VRM temperature", NULL, ON_NODE, board) \
    X(CARD_BOARD_C, CARD, "board_c", "degC", "board temperature", NULL, ON_NODE, board) \
    X(CARD_INLET_C, CARD, "inlet_c", "degC", "temperature of the air or coolant taken in", NULL, ON_NODE, inlet) \
    X(CARD_POWER_W, CARD, "power_w", "W", "board power", NULL, HOLDS, none) \
    X(CARD_CLOCK_MHZ, CARD, "clock_mhz", "MHz", "GPU clock", NULL, HOLDS, none) \
    X(CARD_FAN_RPM, CARD, "fan_rpm", "rpm", "speed of the card's fan", NULL, HOLDS, none) \
    X(CARD_WORK_REL, CARD, "work_rel", "", "throughput, against the card's reference", NULL, HOLDS, none) \
    X(CARD_THROTTLE_POWER, CARD, "throttle_power", "", "limited by power", NULL, HOLDS, none) \
    X(CARD_THROTTLE_THERMAL, CARD, "throttle_thermal", "", "limited by GPU temperature", NULL, HOLDS, none) \
    X(CARD_THROTTLE_HW, CARD, "throttle_hw", "", "in hardware slowdown", NULL, HOLDS, none) \
    X(CARD_THROTTLE_MEMORY, CARD, "throttle_memory", "", "limited by memory temperature", NULL, HOLDS, none)
/* clang-format on */

/* A value is NAN if there is none, such as the locked clock of a card whose clock is not locked, or the hand-set
 * speed of a fan under automatic control. `reasons` is a sum of NVML's bits: 1 idle, 2 clock setting, 4 power
 * limit, 8 hardware slowdown, 0x20 heat (software), 0x40 heat (hardware), 0x80 power brake.
 * docs/data.md, "Variables that are asked for", says how each variable is computed. */
/* clang-format off */
#define WSK_ASKED(X) \
    X(WORK_PER_S, RIG, "work_per_s", "1/s", "units of work a second", NULL, ASKED, none) \
    X(TOKENS_PER_S, RIG, "tokens_per_s", "1/s", "tokens generated a second", NULL, ASKED, none) \
    X(WORK_DONE, RIG, "work_done", "", "units of work since the start", NULL, ASKED, none) \
    X(WORK_UNDONE, RIG, "work_undone", "", "units of work that failures of the job undid", NULL, ASKED, none) \
    X(UNDONE_S, RIG, "undone_gpu_s", "s", "work that failures of the job undid", NULL, ASKED, none) \
    X(UNDONE_COOL_S, RIG, "undone_unthrottled_gpu_s", "s", "of work without throttling, undone by failures", NULL, ASKED, none) \
    X(AC_ON, RIG, "ac_on", "", "1: the air conditioner works", NULL, ASKED, none) \
    X(TRIPS, RIG, "trips", "", "breakers that have tripped", NULL, ASKED, none) \
    X(SHUTDOWNS, RIG, "shutdowns", "", "shutdowns by heat", NULL, ASKED, none) \
    X(CIRCUIT_W, CIRCUIT, "power_w", "W", "power of the circuit", NULL, ASKED, none) \
    X(CIRCUIT_VA, CIRCUIT, "power_va", "VA", "apparent power of the circuit", NULL, ASKED, none) \
    X(CIRCUIT_LOAD, CIRCUIT, "load", "", "load of the circuit over its continuous limit", NULL, ASKED, none) \
    X(CIRCUIT_HEAT, CIRCUIT, "breaker_heat", "", "heat of the breaker, 1 where it trips", NULL, ASKED, none) \
    X(CIRCUIT_OVER_S, CIRCUIT, "over_s", "s", "time above the continuous limit", NULL, ASKED, none) \
    X(CIRCUIT_ON, CIRCUIT, "on", "", "1: the circuit has voltage", NULL, ASKED, none) \
    X(SUPPLY_OUTPUT_W, SUPPLY, "output_w", "W", "output of the PSU", NULL, ASKED, none) \
    X(SUPPLY_INPUT_W, SUPPLY, "input_w", "W", "input of the PSU", NULL, ASKED, none) \
    X(SUPPLY_OVER_S, SUPPLY, "over_s", "s", "time above what the PSU may give", NULL, ASKED, none) \
    X(SUPPLY_ON, SUPPLY, "on", "", "1: the PSU works and has input", NULL, ASKED, none) \
    X(MOVER_PERCENT, MOVER, "percent", "%", "speed of the fan or pump over its full speed", NULL, ASKED, none) \
    X(MOVER_FAILED, MOVER, "failed", "", "1: the fan or pump has failed", NULL, ASKED, none) \
    X(CARD_UTILISATION, CARD, "utilisation", "", "share of the time that a kernel runs", NULL, ASKED, none) \
    X(CARD_WORK_PER_S, CARD, "work_per_s", "1/s", "units of the card's work a second", NULL, ASKED, none) \
    X(CARD_MEMORY_UTILISATION, CARD, "memory_utilisation", "", "share of the memory's bandwidth in use", NULL, ASKED, none) \
    X(CARD_ENERGY_J, CARD, "energy_j", "J", "energy of the card since the start", NULL, ASKED, none) \
    X(CARD_FAN_PERCENT, CARD, "fan_percent", "%", "speed of the card's fan over its full speed", NULL, ASKED, none) \
    X(CARD_FAN_HELD, CARD, "fan_held_percent", "%", "speed at which the card's fan is held", NULL, ASKED, none) \
    X(CARD_FAN_FAILED, CARD, "fan_failed", "", "1: the card's fan has failed", NULL, ASKED, none) \
    X(CARD_PSTATE, CARD, "pstate", "", "performance state, 0 the highest", NULL, ASKED, none) \
    X(CARD_REASONS, CARD, "reasons", "", "reasons for the clock, as NVML's bits", NULL, ASKED, none) \
    X(CARD_VOLTAGE_V, CARD, "voltage_v", "V", "voltage of the GPU", NULL, ASKED, none) \
    X(CARD_MEMORY_CLOCK_MHZ, CARD, "memory_clock_mhz", "MHz", "clock of the memory", NULL, ASKED, none) \
    X(CARD_POWER_LIMIT_W, CARD, "power_limit_w", "W", "power limit", NULL, ASKED, none) \
    X(CARD_POWER_ENFORCED_W, CARD, "enforced_limit_w", "W", "power that the firmware holds for the limit", NULL, ASKED, none) \
    X(CARD_LOCK_LOW_MHZ, CARD, "lock_low_mhz", "MHz", "lowest clock by a lock", NULL, ASKED, none) \
    X(CARD_LOCK_HIGH_MHZ, CARD, "lock_high_mhz", "MHz", "highest clock by a lock", NULL, ASKED, none) \
    X(CARD_MEMORY_LOCK_MHZ, CARD, "memory_lock_mhz", "MHz", "clock at which the memory is locked", NULL, ASKED, none) \
    X(CARD_HELD_POWER_S, CARD, "held_power_s", "s", "time held down by the power limit", NULL, ASKED, none) \
    X(CARD_HELD_THERMAL_S, CARD, "held_thermal_s", "s", "time held down by GPU temperature", NULL, ASKED, none) \
    X(CARD_HELD_HW_S, CARD, "held_hw_s", "s", "time held down by hardware for heat", NULL, ASKED, none) \
    X(CARD_HELD_MEMORY_S, CARD, "held_memory_s", "s", "time held down by memory temperature", NULL, ASKED, none) \
    X(CARD_HELD_BRAKE_S, CARD, "held_brake_s", "s", "time held down by the power brake", NULL, ASKED, none) \
    X(CARD_OFF, CARD, "off", "", "1: the card is shut down or has no power", NULL, ASKED, none)
/* clang-format on */

#define WSK_VAR_ENUM(handle, ...) WSK_VAR_##handle,
typedef enum { WSK_VARIABLES(WSK_VAR_ENUM) WSK_ASKED(WSK_VAR_ENUM) WSK_VAR_COUNT } wsk_var;
#undef WSK_VAR_ENUM

typedef enum {
    WSK_OF_RIG,
    WSK_OF_CASE,
    WSK_OF_SUPPLY,
    WSK_OF_LOOP,
    WSK_OF_MOVER,
    WSK_OF_CARD,
    WSK_OF_CIRCUIT,
    WSK_OWNERS
} wsk_owner;
typedef enum { WSK_VAR_HOLDS, WSK_VAR_TICKS, WSK_VAR_GROWS, WSK_VAR_ON_NODE, WSK_VAR_ASKED } wsk_var_change;

/* A row of the table of variables; the columns are explained above WSK_VARIABLES. */
typedef struct {
    wsk_var row;
    wsk_owner owner;
    const char *name, *unit, *label, *standard;
    wsk_var_change change;
} wsk_var_row;
/* The row of a variable; NULL: there is no such variable. */
const wsk_var_row *wsk_var_about(wsk_var variable);

typedef enum { WSK_STAT_MIN, WSK_STAT_MEAN, WSK_STAT_MAX, WSK_STATS } wsk_stat;
/* The end of a column's name in series.csv: "min", "mean" or "max". */
const char *wsk_stat_name(wsk_stat stat);
/* The parts of a column's name in series.csv: "gpu0.die_c.max" consists of the id "gpu0", the variable's name "die_c"
 * and the statistic "max". */
typedef struct {
    const char *name; /* the column's name; it points into the caller's text and is not terminated */
    size_t len;       /* length of `name` without the statistic */
    size_t id_len;    /* length of the owner's id at the start of `name`; 0: a variable of the rig */
    wsk_stat stat;
} wsk_column;
/* Splits a column's name. False: the name has no statistic at its end. */
bool wsk_column_read(const char *name, size_t len, wsk_column *out);
/* True if the column has this variable's name, and an owner's id unless the variable is one of the rig. Owners of two
 * kinds may share a name, such as "die_c" of a card and of a CPU; the caller must then check the id. */
bool wsk_column_is(const wsk_column *column, wsk_var variable);

#endif
