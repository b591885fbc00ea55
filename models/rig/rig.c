/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/net/rig.h"

#define P wsk_rig_params
static const wsk_param params[] = {WSK_TXT(P, name, "name", NULL, WSK_RIG_ONLY, "name of this rig in results"),
                                   {.name = NULL}};
static const wsk_child children[] = {{"site", 1, "site"}, {"chassis", 64, "tower"}, {"workload", 1, NULL},
                                     {"load", 0, NULL},   {"run", 1, "run"},        {NULL, 0, NULL}};
const wsk_kind wsk_rig_rig = {.element = "rig",
                              .name = "rig",
                              .is_default = true,
                              .help = "a machine, its place and its week",
                              .size = sizeof(P),
                              .params = params,
                              .children = children};
