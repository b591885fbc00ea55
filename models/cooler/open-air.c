/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Axial fans over open fins: takes from the slot gap under the fans, lets go over the card's edges into the case; a
 * flow-through card lets a share go behind itself.
 * Theory: docs/theory/cooler.md, "Wiring is the style" */
#include "sim/net/cooler_table.h"

static const wsk_param params[] = {
    WSK_COOLER_FINS, WSK_COOLER_FANS(WSK_REQUIRED), WSK_COOLER_RECESS, WSK_COOLER_EDGES, {.name = NULL}};
static const wsk_cooler_ops ops = {.wiring = WSK_COOLER_SIDE_EXHAUST, .curtain = true};
static const wsk_look look = {.air = WSK_AIR_AROUND};
const wsk_kind wsk_cooler_open_air = {.element = "cooler",
                                      .name = "open-air",
                                      .is_default = false,
                                      .help = "open-air: axial fans, exhausts into the case",
                                      .size = sizeof(wsk_cooler_params),
                                      .params = params,
                                      .ops = &ops,
                                      .look = &look};
