/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A price on the highest power of a billing month, averaged over windows. Theory: docs/theory/money.md */
#include "sim/net/tariff_table.h"

#define P wsk_demand_params
static const wsk_param params[] = {
    WSK_TXT(P, name, "name", NULL, 0,
            "its name on the bill; several of one name are one charge, on the highest of them"),
    WSK_NUM(P, price_w, "price", WSK_DIM_POWER_PRICE, NULL, 0, 1e9, WSK_REQUIRED,
            "price of power in a billing month"),
    WSK_NUM(P, window_s, "window", WSK_DIM_TIME, "15 min", 60, 3600, 0,
            "time over which power is averaged, by the clock: 15 or 30 min; a divisor of an hour"),
    WSK_WHEN_ROWS(P),
    {.name = NULL}};
const wsk_kind wsk_demand_peak = {.element = "demand",
                                  .name = "peak",
                                  .is_default = true,
                                  .help = "a charge on the highest mean power of a month",
                                  .size = sizeof(P),
                                  .params = params};
