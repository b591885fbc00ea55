/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A card without fans in a bath of a dielectric: heatsink and board give heat to the fluid that rises past them,
 * driven by the bath's pump and by buoyancy. The bath is the <loop> that loop= names, by default the only one; volume=
 * of that <loop> is the bath's volume. Theory: docs/theory/cooler.md, "Cooler: immersion" */
#include "sim/net/assembly.h"
#include "sim/net/cooler_table.h"

#define P wsk_cooler_params
static const wsk_param params[] = {
    WSK_NUM(P, ua_w_k, "conductance", WSK_DIM_CONDUCTANCE, NULL, 0, 1e4, WSK_REQUIRED | WSK_POSITIVE,
            "heatsink to fluid, UA at flow"),
    WSK_ASSUME(P, flow_ref_m3s, "flow", WSK_DIM_FLOW, "8 l/min", 0, 1, WSK_POSITIVE,
               "fluid past the card at which that conductance and the drop hold",
               "tanks circulate 20-40 l/min per kilowatt"),
    WSK_ASSUME(P, ua_exponent, "exponent", WSK_DIM_NONE, "0.33", 0, 1, 0, "UA ~ flow^exponent",
               "laminar flow that develops along the fins: 1/3 (Shah and London)"),
    WSK_ASSUME(P, natural_w_k, "natural", WSK_DIM_CONDUCTANCE, "6 W/K", 0, 1e4, 0,
               "heatsink in fluid that the pump does not move, 10 K over it",
               "0.3 m2 of fins at 20-30 W/m2K, for the boundary layers of narrow fins meet"),
    WSK_ASSUME(P, board_w_k, "board-conductance", WSK_DIM_CONDUCTANCE, "5 W/K", 0, 1e4, WSK_POSITIVE,
               "board, memory and VRM to the fluid, 10 K over it", "0.06 m2 of both faces at 80 W/m2K"),
    WSK_ASSUME(P, cap_j_k, "capacity", WSK_DIM_CAPACITY, "650 J/K", 1, 1e6, 0, "heat capacity of the heatsink",
               "that of a 350 W card in air"),
    WSK_ASSUME(P, drop_pa, "drop", WSK_DIM_PRESSURE, "30 Pa", 0, 1e6, WSK_POSITIVE, "pressure drop along the card",
               "most of the fluid passes beside the fins"),
    WSK_ASSUME(P, column_m, "column", WSK_DIM_LENGTH, "0.25 m", 0, 10, 0,
               "height of the warm fluid over the heatsink that draws", "a card on edge in its tank"),
    WSK_ASSUME(P, column_area_m2, "column-area", WSK_DIM_AREA, "20 cm2", 0, 1, 0,
               "free area of that fluid, losses included", "a tenth of the gap between two cards"),
    WSK_NUM(P, saved_w, "fan-power", WSK_DIM_POWER, "0 W", 0, 200, 0,
            "part of the board power at work that the card's own fans drew; the bath replaces them"),
    WSK_TXT(P, loop, "loop", NULL, WSK_RIG_ONLY, "id of the loop that is its bath; default: the only one"),
    {.name = NULL}};
static const wsk_cooler_ops ops = {.join = wsk_wire_bath, .dielectric = true};
static const wsk_look look = {.label = WSK_N("in the bath"), .bath = true};
const wsk_kind wsk_cooler_immersion = {.element = "cooler",
                                       .name = "immersion",
                                       .is_default = false,
                                       .help = "fanless in a bath of a dielectric",
                                       .size = sizeof(P),
                                       .params = params,
                                       .ops = &ops,
                                       .look = &look};
