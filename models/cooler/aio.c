/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All-in-one: a block, a pump and a radiator with fans of its own, in one sealed loop that comes with the card.
 * Theory: docs/theory/loop.md, "Cooler: aio" */
#include "sim/net/cooler_table.h"

#define P wsk_cooler_params
static const wsk_param params[] = {
    WSK_COOLER_FINS,
    WSK_COOLER_FANS(WSK_REQUIRED),
    WSK_COOLER_COLD_PLATE("block-conductance", "pump-flow", "block-exponent", "block-drop"),
    WSK_CHO(P, at, "at", wsk_place_names, "top", 0, "where the radiator sits"),
    WSK_CHO(P, direction, "direction", wsk_direction_names, "exhaust", 0,
            "exhaust: case air goes out through it; intake: room air comes in; outside: it stands beside the case"),
    WSK_ASSUME(P, radiator_cap_j_k, "radiator-capacity", WSK_DIM_CAPACITY, "700 J/K", 0, 1e6, WSK_POSITIVE,
               "heat capacity of the radiator's metal", "0.8 kg of aluminium"),
    WSK_ASSUME(P, volume_m3, "volume", WSK_DIM_VOLUME, "0.25 l", 0, 1, WSK_POSITIVE, "coolant in the loop",
               "sealed loops of 240-360 mm: 0.2-0.35 l"),
    {.name = NULL}};
static const wsk_cooler_ops ops = {.wiring = WSK_COOLER_BLOCK | WSK_COOLER_OWN_LOOP, .curtain = false};
static const wsk_look look = {.radiator = true};
const wsk_kind wsk_cooler_aio = {.element = "cooler",
                                 .name = "aio",
                                 .is_default = false,
                                 .help = "sealed water loop with a radiator of its own",
                                 .size = sizeof(wsk_cooler_params),
                                 .params = params,
                                 .ops = &ops,
                                 .look = &look};
