/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An open frame or test bench: cards, processor and PSU stand in room air; adjacent cards still draw each other's
 * exhaust. Theory: docs/theory/air.md */
#include "sim/net/chassis_table.h"

static const wsk_param params[] = {WSK_CHASSIS_SLOTS, {.name = NULL}};
static const wsk_child children[] = WSK_CHASSIS_CHILDREN;
static const wsk_chassis_ops ops = {.open = true};
const wsk_kind wsk_chassis_frame = {.element = "chassis",
                                    .name = "frame",
                                    .is_default = false,
                                    .help = "open frame or bench, in room air",
                                    .size = sizeof(wsk_chassis_params),
                                    .params = params,
                                    .children = children,
                                    .ops = &ops,
                                    .traits = WSK_TRAIT_OPEN};
