/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_COOLER_TABLE_H
#define WSK_COOLER_TABLE_H
#include "sim/net/cooler.h"
#include "sim/net/mover_table.h"

/* Rows for fins in an air stream. required: flag of conductance, flow and capacity, WSK_REQUIRED, or 0 if the kind of
 * cooler can complete them. */
#define WSK_COOLER_FINS(required) \
    WSK_NUM(wsk_cooler_params, ua_w_k, "conductance", WSK_DIM_CONDUCTANCE, NULL, 0, 1e5, (required) | WSK_POSITIVE, \
            "fin stack to air, UA at flow"), \
        WSK_NUM(wsk_cooler_params, flow_ref_m3s, "flow", WSK_DIM_FLOW, NULL, 1e-4, 10, (required), \
                "air flow through the fins at which conductance and drop hold"), \
        WSK_ASSUME(wsk_cooler_params, ua_exponent, "exponent", WSK_DIM_NONE, "0.6", 0.3, 1, 0, "UA ~ flow^exponent", \
                   "laminar-to-turbulent fin channels: 0.5-0.8"), \
        WSK_NUM(wsk_cooler_params, cap_j_k, "capacity", WSK_DIM_CAPACITY, NULL, 1, 1e6, (required), \
                "heat capacity of the heatsink; of an AIO: of its block"), \
        WSK_ASSUME(wsk_cooler_params, drop_pa, "drop", WSK_DIM_PRESSURE, "25 Pa", 0, 1e4, 0, \
                   "pressure drop of the fins at flow", "half of a small fan's shut-off pressure"), \
        WSK_ASSUME(wsk_cooler_params, outlet_area_m2, "outlet", WSK_DIM_AREA, "25 cm2", 1e-5, 1, 0, \
                   "free area of the outlet", "vented two-slot bracket")

/* Rows for the conductance of fins without air flow. WSK_COOLER_NATURAL has a default value;
 * WSK_COOLER_NATURAL_BY_SIZE has the default NAN, for which the conductance follows from the card's shell. */
#define WSK_COOLER_NATURAL \
    WSK_ASSUME(wsk_cooler_params, natural_w_k, "natural", WSK_DIM_CONDUCTANCE, "0.6 W/K", 0, 100, 0, \
               "fin stack without air flow, 10 K over air", "0.15 m2 of fins at 4 W/m2K")
#define WSK_COOLER_NATURAL_BY_SIZE \
    WSK_NUM(wsk_cooler_params, natural_w_k, "natural", WSK_DIM_CONDUCTANCE, NULL, 0, 100, 0, \
            "fin stack without air flow to the air of the case, 10 K over it; default by the card's size"), \
        WSK_ASSUME(wsk_cooler_params, natural_factor, "natural-factor", WSK_DIM_NONE, "1", 0.1, 10, WSK_POSITIVE, \
                   "that conductance relative to the one by size; used where natural is not given", \
                   "spread +-40 %: sixteen idle cards in facts/at_rest.csv")

/* Rows for the card's own fans. required: flag of the fan speed, WSK_REQUIRED, or 0 if the chassis may drive the air
 * instead; data: flag of fan pressure and flow, 0 also if the kind of cooler can complete them. */
#define WSK_COOLER_FANS(required, data) \
    WSK_NUM(wsk_cooler_params, fans, "fans", WSK_DIM_COUNT, "1", 1, 8, 0, "number of fans"), \
        WSK_NUM(wsk_cooler_params, diameter_m, "diameter", WSK_DIM_LENGTH, "85 mm", 0.01, 1, 0, "eye of one fan"), \
        WSK_NUM(wsk_cooler_params, pressure_pa, "fan-pressure", WSK_DIM_PRESSURE, NULL, 0, 1e5, \
                (data) | WSK_POSITIVE, "shut-off pressure of a fan at fan-rpm"), \
        WSK_NUM(wsk_cooler_params, flow_m3s, "fan-flow", WSK_DIM_FLOW, NULL, 1e-4, 10, (data), \
                "free flow of one fan at fan-rpm"), \
        WSK_NUM(wsk_cooler_params, rpm, "fan-rpm", WSK_DIM_SPEED, NULL, 1, 1e5, (required), \
                "speed of these fan data"), \
        WSK_ASSUME(wsk_cooler_params, curvature, "fan-curvature", WSK_DIM_FRACTION, "30 %", 0, 0.95, 0, \
                   "0: parabola, 1: straight line", "typical of published curves without their stall bump"), \
        WSK_NUM(wsk_cooler_params, rpm_min, "rpm-min", WSK_DIM_SPEED, "0 rpm", 0, 1e5, 0, "slowest speed"), \
        WSK_NUM(wsk_cooler_params, rpm_max, "rpm-max", WSK_DIM_SPEED, NULL, 1, 1e5, 0, \
                "fastest speed; default: fan-rpm"), \
        WSK_CUR(wsk_cooler_params, curve, "fan-curve", WSK_DIM_TEMPERATURE, 173.15, 473.15, WSK_DIM_SPEED, 0, 1e5, \
                NULL, 0, "default fan curve, die temperature to speed"), \
        WSK_ASSUME(wsk_cooler_params, hysteresis_k, "fan-hysteresis", WSK_DIM_TEMP_DIFF, "2 K", 0, 30, 0, \
                   "fall of the die temperature before the fan slows", "fan speed is seen to rest within 2 K"), \
        WSK_ASSUME(wsk_cooler_params, period_s, "fan-period", WSK_DIM_TIME, "2 s", 0.1, 600, 0, \
                   "time between two decisions of the fan controller", "traces show steps every 1-3 s"), \
        WSK_ASSUME(wsk_cooler_params, rise_s, "fan-rise", WSK_DIM_TIME, "2 s", 0, 600, 0, \
                   "time constant with which the fan speeds up", "2-5 s in the traces of three cards"), \
        WSK_ASSUME(wsk_cooler_params, fall_s, "fan-fall", WSK_DIM_TIME, "75 s", 0, 3600, 0, \
                   "time constant with which the fan slows down", "30-120 s in the traces of four cards"), \
        WSK_NOISE_ROWS(wsk_cooler_params, noise, \
                       "level of all its fans together at fan-rpm; default by the speed of the blades' tips")

#define WSK_COOLER_RECESS \
    WSK_ASSUME(wsk_cooler_params, recess_m, "recess", WSK_DIM_LENGTH, "0 mm", 0, 0.05, 0, \
               "depth of the fan's eye below the card's thickest plane", "axial fans sit flush")

#define WSK_COOLER_DUCTED \
    WSK_ASSUME(wsk_cooler_params, leak_share, "leak", WSK_DIM_FRACTION, "10 %", 0, 0.5, 0, \
               "share of the exhaust that leaks from the shroud into the case", \
               "5-20 %; the card's own heat found in the case air")

#define WSK_COOLER_EDGES \
    WSK_ASSUME(wsk_cooler_params, recirculation, "recirculation", WSK_DIM_FRACTION, "45 %", 0, 1, 0, \
               "share of the card's flow exchanged with each adjoining gap as the gap closes", \
               "spread 30-60 %: TITAN RTX and RTX 3070 stacks in facts/lacking.csv"), \
        WSK_ASSUME(wsk_cooler_params, recirculation_gap, "recirculation-gap", WSK_DIM_NONE, "0.15", 0.01, 10, 0, \
                   "gap over fan diameter at which that share has fallen to 1/e", \
                   "jets re-entrain within a few gap widths"), \
        WSK_NUM(wsk_cooler_params, through, "through", WSK_DIM_FRACTION, "0 %", 0, 0.95, 0, \
                "share of the outlet that leads through the card to the air behind it (flow-through)"), \
        WSK_NUM(wsk_cooler_params, bracket, "bracket", WSK_DIM_FRACTION, "0 %", 0, 0.95, 0, \
                "share of the outlet that leads through the bracket, out of the case")

/* The arguments are the attribute names of the first four rows. */
#define WSK_COOLER_COLD_PLATE(conductance, flow, exponent, drop) \
    WSK_NUM(wsk_cooler_params, block_w_k, conductance, WSK_DIM_CONDUCTANCE, NULL, 0, 1e4, \
            WSK_REQUIRED | WSK_POSITIVE, "block to coolant, at the coolant flow stated beside it"), \
        WSK_ASSUME(wsk_cooler_params, block_flow_m3s, flow, WSK_DIM_FLOW, "3.8 l/min", 0, 1, WSK_POSITIVE, \
                   "coolant flow at which that conductance and the drop hold", \
                   "one US gallon a minute, the usual test flow"), \
        WSK_ASSUME(wsk_cooler_params, block_exponent, exponent, WSK_DIM_NONE, "0.3", 0, 1, 0, \
                   "conductance to coolant ~ flow^exponent", \
                   "laminar channels behind a fixed spreading resistance: 0.2-0.4"), \
        WSK_ASSUME(wsk_cooler_params, block_drop_pa, drop, WSK_DIM_PRESSURE, "12 kPa", 0, 1e6, WSK_POSITIVE, \
                   "pressure drop at that flow", "full-cover blocks: 7-20 kPa at one gallon a minute"), \
        WSK_CHO(wsk_cooler_params, covers, "covers", wsk_covers_names, "all", 0, \
                "all: memory and VRM lie under the plate; die: they heat the board and the air")

/* Size of a card whose own cooler is replaced by a smaller one. */
#define WSK_COOLER_SIZE \
    WSK_NUM(wsk_cooler_params, slots, "slots", WSK_DIM_COUNT, NULL, 1, 8, 0, \
            "slots that a card with this cooler covers; default: those of the card"), \
        WSK_NUM(wsk_cooler_params, thickness_m, "thickness", WSK_DIM_LENGTH, NULL, 1e-3, 0.5, 0, \
                "thickness of a card with this cooler; default: that of the card")

#endif
