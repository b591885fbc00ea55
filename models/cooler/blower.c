/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Radial blower: takes from the slot gap over its intake, lets go through the bracket, leaks a share into the case.
 * Theory: docs/theory/cooler.md, "Wiring is the style" */
#include "sim/net/cooler_table.h"

static const wsk_param params[] = {
    WSK_COOLER_FINS, WSK_COOLER_FANS(WSK_REQUIRED), WSK_COOLER_RECESS, WSK_COOLER_DUCTED, {.name = NULL}};
static const wsk_cooler_ops ops = {.wiring = WSK_COOLER_OUT_ROOM, .curtain = true};
static const wsk_look look = {.air = WSK_AIR_OUT};
const wsk_kind wsk_cooler_blower = {.element = "cooler",
                                    .name = "blower",
                                    .is_default = true,
                                    .help = "blower: exhausts through the bracket",
                                    .size = sizeof(wsk_cooler_params),
                                    .params = params,
                                    .ops = &ops,
                                    .look = &look};
