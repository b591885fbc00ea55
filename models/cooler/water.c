/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A block (cold plate) in a coolant loop: a custom loop, or direct-to-chip cooling. Components that the block does not
 * cover heat the board and the air. Theory: docs/theory/loop.md, "Cooler: water" */
#include "sim/net/assembly.h"
#include "sim/net/cooler_table.h"

static const wsk_param params[] = {
    WSK_COOLER_COLD_PLATE("conductance", "flow", "exponent", "drop"),
    WSK_CHO(wsk_cooler_params, data_coolant, "data-coolant", wsk_coolant_names, "water", 0,
            "coolant for which conductance and drop are stated: a file of models/coolant"),
    WSK_ASSUME(wsk_cooler_params, cap_j_k, "capacity", WSK_DIM_CAPACITY, "300 J/K", 1, 1e6, 0,
               "heat capacity of the block and its water", "0.7 kg of copper and 40 ml; 4-11 s at the die's side"),
    WSK_COOLER_SIZE,
    WSK_PRICE_ROWS(wsk_cooler_params, NULL, 1e6, "purchase price; 0 of a block that comes with the card"),
    WSK_TXT(wsk_cooler_params, loop, "loop", NULL, WSK_RIG_ONLY, "id of the loop it is in; default: the only one"),
    {.name = NULL}};
static void wire_board(wsk_build *build, wsk_card *card)
{
    wsk_wire_still_board(build, card);
}

static const wsk_cooler_ops ops = {.wire = wire_board, .join = wsk_wire_plate};
static const wsk_look look = {.label = WSK_N("water block")};
const wsk_kind wsk_cooler_water = {.element = "cooler",
                                   .name = "water",
                                   .is_default = false,
                                   .help = "water block in a loop",
                                   .size = sizeof(wsk_cooler_params),
                                   .params = params,
                                   .ops = &ops,
                                   .look = &look};
