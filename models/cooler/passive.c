/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passive fins. Without a fan of its own the pressure of the case drives air through them and out, as in a server's duct;
 * with one (a shroud) they take the case's air at the card's end, or outside air by a duct. The air leaves through the bracket.
 * Theory: docs/theory/cooler.md, "Wiring is the style" */
#include "sim/net/cooler_table.h"

static const wsk_param params[] = {WSK_COOLER_FINS,
                                   WSK_COOLER_FANS(0),
                                   WSK_CHO(wsk_cooler_params, intake, "intake", wsk_intake_names, "case", 0,
                                           "where its own fan draws: the air of the case, or a duct from outside"),
                                   WSK_COOLER_DUCTED,
                                   {.name = NULL}};
static const wsk_cooler_ops ops = {.wiring = WSK_COOLER_OUT_ROOM | WSK_COOLER_DUCT, .curtain = false};
const wsk_kind wsk_cooler_passive = {.element = "cooler",
                                     .name = "passive",
                                     .is_default = false,
                                     .help = "passive fins in a ducted air stream",
                                     .size = sizeof(wsk_cooler_params),
                                     .params = params,
                                     .ops = &ops,
                                     .traits = WSK_TRAIT_DUCTED};
