/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rear door: a coil of facility water behind the outlets of a machine in a rack. It has no fans: those of the machine
 * push their exhaust through it.
 *   G_air = w (1 - exp(-UA/w)),  UA = conductance (q/flow)^exponent;  the coil has the mean temperature of its water
 * with w = heat-capacity flow of the air, W/K, and q = its volume flow. Theory:
 * docs/theory/loop.md, "Rear-door: coil" */
#include "sim/net/loop.h"

#define P wsk_door_params
static const wsk_param params[] = {
    WSK_NUM(P, ua_w_k, "conductance", WSK_DIM_CONDUCTANCE, NULL, 0, 1e6, WSK_REQUIRED | WSK_POSITIVE,
            "air to water, UA of the whole door at flow"),
    WSK_NUM(P, flow_m3s, "flow", WSK_DIM_FLOW, NULL, 0, 100, WSK_REQUIRED | WSK_POSITIVE,
            "air flow of the whole door at which conductance and drop hold"),
    WSK_NUM(P, supply_k, "supply", WSK_DIM_TEMPERATURE, "18 degC", 273.15, 343.15, 0, "water into the door"),
    WSK_ASSUME(P, water_m3s, "water-flow", WSK_DIM_FLOW, "38 l/min", 1e-6, 1, WSK_POSITIVE,
               "water through the whole door", "10 US gallons a minute, the usual design flow"),
    WSK_NUM(P, share, "share", WSK_DIM_FRACTION, "100 %", 1e-3, 1, 0,
            "part of the door behind this machine: its height over that of all machines of the rack"),
    WSK_ASSUME(P, drop_pa, "drop", WSK_DIM_PRESSURE, "15 Pa", 0, 1e4, WSK_POSITIVE,
               "pressure drop of the air at flow", "wide fins of a deep coil at 1.5 m/s: 10-25 Pa"),
    WSK_ASSUME(P, ua_exponent, "exponent", WSK_DIM_NONE, "0.6", 0.3, 1, 0, "UA ~ flow^exponent",
               "finned tubes: 0.5-0.7"),
    WSK_ASSUME(P, natural_w_k, "natural", WSK_DIM_CONDUCTANCE, "10 W/K", 0, 1e4, 0, "without air flow, 10 K over air",
               "dense fins pass little air by themselves"),
    WSK_ASSUME(P, cap_j_k, "capacity", WSK_DIM_CAPACITY, "32 kJ/K", 1, 1e8, 0, "heat capacity of coil and water",
               "6 kg of water and 13 kg of copper and aluminium"),
    WSK_PRICE_ROWS(P, NULL, 1e6, "purchase price of this machine's share of the door"),
    {.name = NULL}};
const wsk_kind wsk_rear_door_coil = {.element = "rear-door",
                                     .name = "coil",
                                     .is_default = true,
                                     .help = "coil of facility water in the rear door of a rack, cooling the exhaust",
                                     .size = sizeof(P),
                                     .params = params,
                                     .traits = WSK_TRAIT_FACILITY};
