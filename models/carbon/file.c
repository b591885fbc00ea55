/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carbon dioxide per energy from the grid over time, from a data file. Theory: docs/theory/money.md */
#include "sim/net/tariff_table.h"

#define P wsk_carbon_params
static const wsk_param params[] = {WSK_SER(P, file, "file", WSK_DIM_CARBON, WSK_REQUIRED | WSK_RIG_ONLY,
                                           "carbon per energy over time: a table of two columns in the rig's folder "
                                           "or --data, each value from its row on"),
                                   WSK_CLOCK_ROW(P),
                                   {.name = NULL}};

static void find_intensity(const wsk_billing *billing, const wsk_local *now, wsk_rate *out)
{
    wsk_series_rate(&billing->carbon->file, billing->carbon->clock, now, out);
}

static const wsk_carbon_ops ops = {.dated = true, .at = find_intensity};
const wsk_kind wsk_carbon_file = {.element = "carbon",
                                  .name = "file",
                                  .help = "carbon of the grid's energy from a data file",
                                  .size = sizeof(P),
                                  .params = params,
                                  .ops = &ops,
                                  .traits = WSK_TRAIT_DATED};
