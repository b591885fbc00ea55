/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Radiator: tubes and fins between coolant and air; its core is one mass between two streams.
 *   G_air = eps w,  eps = 1 - exp(-UA/w),  UA = conductance (q/flow)^exponent;  on the coolant's side likewise
 * with w = heat-capacity flow, W/K, and q = volume flow. Theory: docs/theory/loop.md. Source: eps-NTU method, Kays and
 * London. */
#include "sim/net/loop.h"

#define P wsk_radiator_params
static const wsk_param params[] = {
    WSK_CHO(P, at, "at", wsk_place_names, "top", 0, "where it sits"),
    WSK_CHO(P, direction, "direction", wsk_direction_names, "exhaust", 0,
            "exhaust: case air goes out through it; intake: room air comes in; outside: it stands beside the case"),
    WSK_NUM(P, ua_w_k, "conductance", WSK_DIM_CONDUCTANCE, NULL, 0, 1e5, WSK_REQUIRED | WSK_POSITIVE,
            "core to air, UA at flow"),
    WSK_NUM(P, flow_m3s, "flow", WSK_DIM_FLOW, NULL, 0, 100, WSK_REQUIRED | WSK_POSITIVE,
            "air flow at which conductance and drop hold"),
    WSK_ASSUME(P, ua_exponent, "exponent", WSK_DIM_NONE, "0.6", 0.3, 1, 0, "UA ~ flow^exponent",
               "louvred fins: 0.5-0.7"),
    WSK_ASSUME(P, natural_w_k, "natural", WSK_DIM_CONDUCTANCE, "1.5 W/K", 0, 1000, 0,
               "without air flow, 10 K over air", "dense fins lying flat pass little air by themselves"),
    WSK_ASSUME(P, drop_pa, "drop", WSK_DIM_PRESSURE, "12 Pa", 0, 1e4, WSK_POSITIVE,
               "pressure drop of the air at flow", "30 mm cores of 16 fins an inch at 1.5 m/s"),
    WSK_ASSUME(P, coolant_w_k, "coolant-conductance", WSK_DIM_CONDUCTANCE, "150 W/K", 0, 1e6, WSK_POSITIVE,
               "coolant to core at coolant-flow", "0.1 m2 of flat tube at 1,500 W/m2K"),
    WSK_ASSUME(P, coolant_flow_m3s, "coolant-flow", WSK_DIM_FLOW, "3.8 l/min", 0, 1, WSK_POSITIVE,
               "coolant flow at which that and coolant-drop hold", "one US gallon a minute, the usual test flow"),
    WSK_ASSUME(P, coolant_drop_pa, "coolant-drop", WSK_DIM_PRESSURE, "4 kPa", 0, 1e6, WSK_POSITIVE,
               "pressure drop of the coolant", "radiators of flat tubes: 2-7 kPa at one gallon a minute"),
    WSK_ASSUME(P, cap_j_k, "capacity", WSK_DIM_CAPACITY, "450 J/K", 1, 1e6, 0, "heat capacity of its metal",
               "1.2 kg of copper and brass"),
    WSK_ASSUME(P, face_m2, "face", WSK_DIM_AREA, "430 cm2", 0, 100, WSK_POSITIVE, "face that the air passes",
               "three fans of 120 mm"),
    WSK_PRICE_ROWS(P, NULL, 1e6, "purchase price"),
    {.name = NULL}};
static const wsk_child children[] = {{"fan", 0, NULL}, {NULL, 0, NULL}};
const wsk_kind wsk_radiator_core = {.element = "radiator",
                                    .name = "core",
                                    .is_default = true,
                                    .help = "radiator of a coolant loop",
                                    .size = sizeof(P),
                                    .params = params,
                                    .children = children};
