/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One period of a time-of-use tariff: a price of energy at some hours of some days. Theory: docs/theory/money.md */
#include "sim/net/tariff_table.h"

#define P wsk_period_params
static const wsk_param params[] = {
    WSK_TXT(P, name, "name", "energy", 0, "its name on the bill: peak, off-peak; periods of one name share a line"),
    WSK_NUM(P, price_j, "price", WSK_DIM_ENERGY_PRICE, NULL, -1e9, 1e9, WSK_REQUIRED, "price of energy"),
    WSK_WHEN_ROWS(P),
    {.name = NULL}};
const wsk_kind wsk_period_hours = {.element = "period",
                                   .name = "hours",
                                   .is_default = true,
                                   .help = "a price at some hours of some days",
                                   .size = sizeof(P),
                                   .params = params};
