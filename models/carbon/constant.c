/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carbon dioxide per energy from the grid: one value at all times. Theory: docs/theory/money.md */
#include "sim/net/tariff_table.h"

#define P wsk_carbon_params
static const wsk_param params[] = {WSK_NUM(P, kg_j, "intensity", WSK_DIM_CARBON, NULL, 0, 1, WSK_REQUIRED,
                                           "carbon dioxide per energy, \"0.369 kg/kWh\""),
                                   {.name = NULL}};

static void find_intensity(const wsk_billing *billing, const wsk_local *now, wsk_rate *out)
{
    (void)now;
    *out = (wsk_rate){.price = billing->carbon->kg_j, .until_s = INT64_MAX};
}

static const wsk_carbon_ops ops = {.dated = false, .at = find_intensity};
const wsk_kind wsk_carbon_constant = {.element = "carbon",
                                      .name = "constant",
                                      .is_default = true,
                                      .help = "carbon of the grid's energy",
                                      .size = sizeof(P),
                                      .params = params,
                                      .ops = &ops};
