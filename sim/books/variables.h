/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The variable table: everything of a run that can be watched, a row each. The rows give the names and units of the columns of
 * series.csv, of the live page and of pictures, in this order, and tell which variables are temperatures of the network. A handle
 * is a row and the number of its owner (WSK_VAR_CARD_DIE_C of card 2); wsk_variable_at turns it into a place in the arrays. */
#ifndef WSK_VARIABLES_H
#define WSK_VARIABLES_H
#include "sim/net/net.h"

/* Whose a variable is. The name of a RIG variable stands alone, that of any other behind its owner's id and a dot. */
typedef enum { WSK_OF_RIG, WSK_OF_CASE, WSK_OF_SUPPLY, WSK_OF_LOOP, WSK_OF_MOVER, WSK_OF_CARD, WSK_OWNERS } wsk_owner;

/* When a variable changes: HOLDS until watts, speeds or natural convection change; at every TICK; with the temperature of the
 * NODE that it stands over by a rise that HOLDS. */
typedef enum { WSK_VAR_HOLDS, WSK_VAR_TICKS, WSK_VAR_ON_NODE } wsk_var_change;

/* X(handle, owner, name, unit, change, where the owner's struct in the network names the node) */
#define WSK_VARIABLES(X) \
    X(WALL_W, RIG, "wall_w", "W", HOLDS, 0) \
    X(WALL_VA, RIG, "wall_va", "VA", HOLDS, 0) \
    X(DC_W, RIG, "dc_w", "W", HOLDS, 0) \
    X(PSU_LOSS_W, RIG, "psu_loss_w", "W", HOLDS, 0) \
    X(ROOM_C, RIG, "room.air_c", "degC", ON_NODE, offsetof(wsk_net, room)) \
    X(OUTDOOR_C, RIG, "outdoor.air_c", "degC", ON_NODE, offsetof(wsk_net, outdoor)) \
    X(AC_W, RIG, "ac_w", "W", TICKS, 0) \
    X(NOISE_DBA, RIG, "noise_dba", "dBA", HOLDS, 0) \
    X(ENERGY_KWH, RIG, "energy_kwh", "kWh", TICKS, 0) \
    X(COST, RIG, "cost", "", TICKS, 0) \
    X(CASE_AIR_C, CASE, "air_c", "degC", ON_NODE, offsetof(wsk_case, air)) \
    X(CASE_CPU_C, CASE, "die_c", "degC", ON_NODE, offsetof(wsk_case, cpu_solid)) \
    X(SUPPLY_LOAD, SUPPLY, "load", "", HOLDS, 0) \
    X(SUPPLY_EFFICIENCY, SUPPLY, "efficiency", "", HOLDS, 0) \
    X(LOOP_COOLANT_C, LOOP, "coolant_c", "degC", ON_NODE, offsetof(wsk_circuit, tank)) \
    X(LOOP_RETURN_C, LOOP, "return_c", "degC", ON_NODE, offsetof(wsk_circuit, warmest)) \
    X(LOOP_FLOW_LPM, LOOP, "flow_lpm", "l/min", HOLDS, 0) \
    X(MOVER_RPM, MOVER, "rpm", "rpm", HOLDS, 0) \
    X(CARD_DIE_C, CARD, "die_c", "degC", ON_NODE, offsetof(wsk_card, heatsink)) \
    X(CARD_HOTSPOT_C, CARD, "hotspot_c", "degC", ON_NODE, offsetof(wsk_card, heatsink)) \
    X(CARD_MEMORY_C, CARD, "memory_c", "degC", ON_NODE, offsetof(wsk_card, memory)) \
    X(CARD_VRM_C, CARD, "vrm_c", "degC", ON_NODE, offsetof(wsk_card, board)) \
    X(CARD_BOARD_C, CARD, "board_c", "degC", ON_NODE, offsetof(wsk_card, board)) \
    X(CARD_INLET_C, CARD, "inlet_c", "degC", ON_NODE, offsetof(wsk_card, inlet)) \
    X(CARD_POWER_W, CARD, "power_w", "W", HOLDS, 0) \
    X(CARD_CLOCK_MHZ, CARD, "clock_mhz", "MHz", HOLDS, 0) \
    X(CARD_FAN_RPM, CARD, "fan_rpm", "rpm", HOLDS, 0) \
    X(CARD_WORK_REL, CARD, "work_rel", "", HOLDS, 0) \
    X(CARD_THROTTLE_POWER, CARD, "throttle_power", "", HOLDS, 0) \
    X(CARD_THROTTLE_THERMAL, CARD, "throttle_thermal", "", HOLDS, 0) \
    X(CARD_THROTTLE_HW, CARD, "throttle_hw", "", HOLDS, 0) \
    X(CARD_THROTTLE_MEMORY, CARD, "throttle_memory", "", HOLDS, 0)

#define WSK_VAR_ENUM(handle, ...) WSK_VAR_##handle,
typedef enum { WSK_VARIABLES(WSK_VAR_ENUM) WSK_VAR_COUNT } wsk_var;
#undef WSK_VAR_ENUM

/* A variable that this rig has. */
typedef struct {
    const char *name, *unit;
    wsk_var row;
    int node; /* a temperature's, else WSK_NO */
} wsk_variable;

/* A temperature: its node, and its place among the variables. */
typedef struct {
    int node, variable;
} wsk_probe;

/* The variables that a rig has, in the order of the columns. A function of the network alone. */
typedef struct wsk_variables {
    wsk_variable *all;
    int n;
    wsk_probe *probes; /* those that are temperatures */
    int n_probe;
    int *changing; /* places of those that change at every tick */
    int n_changing;
    int *watched; /* movers whose speed is a variable, in order */
    int n_watched;
    int *place; /* of all owners' rows: place in `all`, or WSK_NO; see wsk_variable_at */
    struct {
        int first, rows, start; /* rows of the table; where the places of its first owner's begin */
    } of[WSK_OWNERS];
} wsk_variables;

/* In the arena; NULL: out of memory. */
const wsk_variables *wsk_variables_make(const wsk_net *net, wsk_arena *arena);
/* The place of a variable of owner number `which` (0 for the rig), WSK_NO where this rig has none. */
int wsk_variable_at(const wsk_variables *v, wsk_var row, int which);
/* The place by name, for names that come from outside; WSK_NO: unknown. */
int wsk_variable_find(const wsk_variables *v, const char *name);

#endif
