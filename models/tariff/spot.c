/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prices of energy from a data file, such as those of a day-ahead market. Each price holds until the next row; negative
 * prices are allowed. Theory: docs/theory/money.md */
#include "sim/net/tariff_table.h"

#define P wsk_tariff_params
static const wsk_param params[] = {
    WSK_SER(P, file, "file", WSK_DIM_ENERGY_PRICE, WSK_REQUIRED | WSK_RIG_ONLY,
            "price over time: a table of two columns in the rig's folder or --data, each price from its row on"),
    WSK_CLOCK_ROW(P),
    WSK_TARIFF_ROWS,
    {.name = NULL}};

static void find_rate(const wsk_billing *billing, const wsk_local *now, wsk_rate *out)
{
    wsk_series_rate(&billing->tariff->file, billing->tariff->clock, now, out);
}

static const wsk_tariff_ops ops = {.dated = true, .at = find_rate};
const wsk_kind wsk_tariff_spot = {.element = "tariff",
                                  .name = "spot",
                                  .help = "hourly prices from a data file",
                                  .size = sizeof(P),
                                  .params = params,
                                  .children = wsk_tariff_children,
                                  .ops = &ops,
                                  .traits = WSK_TRAIT_DATED};
