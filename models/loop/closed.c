/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A closed coolant loop: reservoir, pumps, blocks, radiators. Theory: docs/theory/loop.md
 * Pressure losses of hoses: Darcy friction factor 0.03, and loss coefficient 0.7 for a bend or fitting (Idelchik). */
#include "sim/net/loop.h"

#define P wsk_loop_params
static const char *const orders[] = {"parallel", "series", NULL};
static const wsk_param params[] = {
    WSK_CHO(P, coolant, "coolant", wsk_coolant_names, "water", 0, "the coolant: a file of models/coolant"),
    WSK_ASSUME(P, volume_m3, "volume", WSK_DIM_VOLUME, "0.8 l", 1e-5, 10, 0, "coolant in the loop",
               "reservoir 0.25 l, a radiator 0.2 l, blocks and hoses"),
    WSK_CHO(P, series, "blocks", orders, "series", 0, "blocks one after the other, or side by side"),
    WSK_ASSUME(P, hose_m, "hose", WSK_DIM_LENGTH, "2.5 m", 0, 1000, 0, "length of all hoses", "one machine"),
    WSK_ASSUME(P, bore_m, "bore", WSK_DIM_LENGTH, "10 mm", 1e-3, 1, WSK_POSITIVE, "their inner diameter",
               "10/13 and 10/16 mm hoses"),
    WSK_ASSUME(P, fittings, "fittings", WSK_DIM_COUNT, "14", 0, 1000, 0, "bends and fittings",
               "two a part, some of them angled"),
    {.name = NULL}};
static const wsk_child children[] = {{"pump", 0, NULL}, {"radiator", 0, NULL}, {NULL, 0, NULL}};
static const wsk_loop_ops ops = {.facility = false};
const wsk_kind wsk_loop_closed = {.element = "loop",
                                  .name = "closed",
                                  .is_default = true,
                                  .help = "coolant loop with pumps and radiators",
                                  .size = sizeof(P),
                                  .params = params,
                                  .children = children,
                                  .ops = &ops};
