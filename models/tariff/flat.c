/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tariff with the same price of energy at all times. Theory: docs/theory/money.md */
#include "sim/net/tariff_table.h"

#define P wsk_tariff_params
static const wsk_param params[] = {WSK_NUM(P, price_j, "price", WSK_DIM_ENERGY_PRICE, NULL, 0, 1e9, WSK_REQUIRED,
                                           "price of energy, \"0.16 USD/kWh\""),
                                   WSK_TARIFF_ROWS,
                                   {.name = NULL}};

static void find_rate(const wsk_billing *billing, const wsk_local *now, wsk_rate *out)
{
    (void)now;
    *out = (wsk_rate){.price = billing->tariff->price_j, .until_s = INT64_MAX};
}

static const wsk_tariff_ops ops = {.dated = false, .at = find_rate};
const wsk_kind wsk_tariff_flat = {.element = "tariff",
                                  .name = "flat",
                                  .is_default = true,
                                  .help = "one price for every kWh",
                                  .size = sizeof(P),
                                  .params = params,
                                  .children = wsk_tariff_children,
                                  .ops = &ops};
