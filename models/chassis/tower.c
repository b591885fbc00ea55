/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A case with slots, fans and vents. Theory: docs/theory/air.md, "Chassis: tower". Sources of the default values: slot
 * pitch 20.32 mm (ATX specification); loss coefficients from Idelchik, Handbook of Hydraulic Resistance (sharp-edged
 * inlet into a channel 0.5 + outlet 1.0; screens and grills); panel conductance about 6 W/K per m2 and side (natural
 * convection and radiation). */
#include "sim/net/chassis_table.h"

static const wsk_param params[] = {WSK_CHASSIS_SLOTS, WSK_CHASSIS_CASE, {.name = NULL}};
static const wsk_child children[] = WSK_CHASSIS_CHILDREN;
static const wsk_chassis_ops ops = {.open = false};
const wsk_kind wsk_chassis_tower = {.element = "chassis",
                                    .name = "tower",
                                    .is_default = true,
                                    .help = "a case with slots, fans and vents: tower or server",
                                    .size = sizeof(wsk_chassis_params),
                                    .params = params,
                                    .children = children,
                                    .ops = &ops};
