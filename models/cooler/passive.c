/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passive fins in a duct with a fan of its own: takes outside air at the card's end, lets go through the bracket.
 * Theory: docs/theory/cooler.md. Source of the wiring: physics.md section 1. */
#include "sim/net/cooler_table.h"

static const wsk_param params[] = {WSK_COOLER_ROWS, WSK_COOLER_DUCTED, {.name = NULL}};
static const wsk_cooler_ops ops = {.wiring = WSK_COOLER_OUT_ROOM | WSK_COOLER_IN_ROOM, .curtain = false};
const wsk_kind wsk_cooler_passive = {.element = "cooler",
                                     .name = "passive",
                                     .is_default = false,
                                     .help = "passive fins in a ducted air stream",
                                     .size = sizeof(wsk_cooler_params),
                                     .params = params,
                                     .ops = &ops};
