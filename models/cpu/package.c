/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A CPU cooled by case air, or by a block in a coolant loop. Air cooling: C dT/dt = P - G (T - T_case), G = eps m cp.
 * C: heat capacity of the cooler; P: power; eps: effectiveness of its fins; m: mass flow of air through them; cp:
 * specific heat of air. Theory: docs/theory/cpu.md */
#include <string.h>

#include "sim/net/cpu.h"

#define P wsk_cpu_params
static const wsk_param params[] = {
    WSK_TXT(P, name, "name", NULL, 0, "name"),
    WSK_NUM(P, power_w, "power", WSK_DIM_POWER, NULL, 0, 1e4, WSK_REQUIRED,
            "power while it is busy with the cards' work"),
    WSK_NUM(P, idle_w, "idle", WSK_DIM_POWER, NULL, 0, 1e4, 0, "power while they do not; default: the same"),
    WSK_ASSUME(P, cap_j_k, "capacity", WSK_DIM_CAPACITY, "450 J/K", 1, 1e6, 0, "heat capacity of the cooler",
               "0.5 kg of copper and aluminium"),
    WSK_ASSUME(P, ua_w_k, "conductance", WSK_DIM_CONDUCTANCE, "6 W/K", 0.01, 1e4, 0, "fins to air",
               "tower coolers: 0.12-0.25 K/W in all"),
    WSK_ASSUME(P, flow_ref_m3s, "flow", WSK_DIM_FLOW, "45 CFM", 0, 10, WSK_POSITIVE, "air through its fins",
               "one 120 mm fan behind fins"),
    WSK_ASSUME(P, sensor_res_k_w, "die-resistance", WSK_DIM_RESISTANCE, "0.08 K/W", 0, 10, 0,
               "sensor over cooler base", "soldered lid"),
    WSK_ASSUME(P, board_w, "board", WSK_DIM_POWER, "35 W", 0, 1e4, 0,
               "mainboard, memory and drives that the rig does not name",
               "workstation boards with eight modules: 25-50 W"),
    WSK_NUM(P, limit_k, "limit-temperature", WSK_DIM_TEMPERATURE, "95 degC", 293.15, 423.15, 0,
            "highest temperature of the processor"),
    WSK_TXT(P, loop, "loop", NULL, WSK_RIG_ONLY, "id of the coolant loop it is in, instead of its air cooler"),
    WSK_ASSUME(P, block_w_k, "block-conductance", WSK_DIM_CONDUCTANCE, "20 W/K", 0, 1e4, WSK_POSITIVE,
               "in a loop: block to coolant, at block-flow", "0.03-0.08 K/W over the coolant"),
    WSK_ASSUME(P, block_flow_m3s, "block-flow", WSK_DIM_FLOW, "3.8 l/min", 0, 1, WSK_POSITIVE,
               "coolant flow of these values", "one US gallon a minute"),
    WSK_ASSUME(P, block_drop_pa, "block-drop", WSK_DIM_PRESSURE, "12 kPa", 0, 1e6, WSK_POSITIVE,
               "pressure drop at that flow", "micro-channel blocks: 7-20 kPa"),
    WSK_NUM(P, cores, "cores", WSK_DIM_COUNT, NULL, 1, 1024, 0, "cores, for the advice of check"),
    WSK_NUM(P, lanes, "lanes", WSK_DIM_COUNT, NULL, 1, 1024, 0,
            "PCI Express lanes of the processor, for the advice of check"),
    WSK_NUM(P, memory_byte, "memory", WSK_DIM_DATA, NULL, 0, 1e15, 0, "memory of the host, for the advice of check"),
    WSK_NUM(P, count, "count", WSK_DIM_COUNT, "1", 1, 8, 0,
            "number of such processors: watts, cores, lanes, cooler and price are those of one"),
    WSK_NUM(P, peak_w, "peak", WSK_DIM_POWER, NULL, 0, 1e4, 0,
            "highest power, all cores busy, for peaks at the wall"),
    WSK_PRICE_ROWS(P, NULL, 1e6, "purchase price"),
    {.name = NULL}};
static bool is_unheeded(const wsk_elem *elem, const char *param)
{
    bool block = strncmp(param, "block-", 6) == 0,
         air = strcmp(param, "conductance") == 0 || strcmp(param, "flow") == 0;
    return ((const P *)elem->params)->loop ? air : block;
}

const wsk_kind wsk_cpu_package = {.element = "cpu",
                                  .name = "package",
                                  .is_default = true,
                                  .help = "CPU with cooler, and its mainboard",
                                  .size = sizeof(P),
                                  .params = params,
                                  .unheeded = is_unheeded};
