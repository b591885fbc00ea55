/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One block (tier) of the energy used in a billing month, and its price. Theory: docs/theory/money.md */
#include "sim/net/tariff_table.h"

#define P wsk_block_params
static const wsk_param params[] = {
    WSK_NUM(P, up_to_j, "up-to", WSK_DIM_ENERGY, NULL, 0, 1e18, WSK_POSITIVE,
            "where the block ends, in kWh of a billing month; all the rest when absent"),
    WSK_NUM(P, price_j, "price", WSK_DIM_ENERGY_PRICE, NULL, -1e9, 1e9, WSK_REQUIRED,
            "price of energy in this block"),
    WSK_TXT(P, season, "season", NULL, 0, "names of seasons, with spaces between; all year when absent"),
    {.name = NULL}};
const wsk_kind wsk_block_tier = {.element = "block",
                                 .name = "tier",
                                 .is_default = true,
                                 .help = "a block of a month's energy",
                                 .size = sizeof(P),
                                 .params = params};
