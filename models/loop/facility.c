/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks fed by a coolant distribution unit (CDU). The CDU keeps the coolant to the blocks at the temperature of the
 * facility water plus an approach, and keeps the pressure difference across the blocks constant. Theory:
 * docs/theory/loop.md */
#include "sim/net/loop.h"

#define P wsk_loop_params
static const char *const orders[] = {"parallel", "series", NULL};
static const wsk_param params[] = {
    WSK_CHO(P, coolant, "coolant", wsk_coolant_names, "glycol-30", 0, "the coolant: a file of models/coolant"),
    WSK_NUM(P, supply_k, "supply", WSK_DIM_TEMPERATURE, "30 degC", 273.15, 343.15, 0, "facility water into the CDU"),
    WSK_ASSUME(P, approach_k, "approach", WSK_DIM_TEMP_DIFF, "4 K", 0, 40, 0,
               "coolant to the blocks over facility water", "liquid-to-liquid CDUs are rated at 3-5 K"),
    WSK_ASSUME(P, pressure_pa, "pressure", WSK_DIM_PRESSURE, "40 kPa", 1, 1e6, WSK_POSITIVE,
               "pressure difference that the CDU keeps across this machine's loop", "servers ask for 20-70 kPa"),
    WSK_NUM(P, capacity_w, "capacity", WSK_DIM_POWER, NULL, 1, 1e9, 0, "heat that the CDU can pass on"),
    WSK_CHO(P, series, "blocks", orders, "parallel", 0, "blocks one after the other, or side by side"),
    WSK_ASSUME(P, hose_m, "hose", WSK_DIM_LENGTH, "3 m", 0, 1000, 0, "length of all hoses",
               "one server to its manifold"),
    WSK_ASSUME(P, bore_m, "bore", WSK_DIM_LENGTH, "12 mm", 1e-3, 1, WSK_POSITIVE, "their inner diameter",
               "half-inch manifold hoses"),
    WSK_ASSUME(P, fittings, "fittings", WSK_DIM_COUNT, "10", 0, 1000, 0, "bends and couplings",
               "two quick couplings"),
    WSK_PRICE_ROWS(P, NULL, 1e8, "purchase price of the CDU, or of this machine's share of it"),
    {.name = NULL}};
static const wsk_loop_ops ops = {.facility = true};
const wsk_kind wsk_loop_facility = {.element = "loop",
                                    .name = "facility",
                                    .is_default = false,
                                    .help = "direct-to-chip coolant from a CDU on facility water",
                                    .size = sizeof(P),
                                    .params = params,
                                    .ops = &ops,
                                    .traits = WSK_TRAIT_FACILITY};
