/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A price that depends on the energy already used in the billing month: <block up-to="120 kWh" price="..."/>, ...,
 * and a last block without an end. Theory: docs/theory/money.md */
#include "sim/net/tariff_table.h"

#define P wsk_tariff_params
static const wsk_param params[] = {WSK_TARIFF_ROWS, {.name = NULL}};

/* Returns the price 0 at all times, because the <block> elements (models/block) alone price the energy. */
static void find_rate(const wsk_billing *billing, const wsk_local *now, wsk_rate *out)
{
    (void)billing;
    (void)now;
    *out = (wsk_rate){.until_s = INT64_MAX};
}

static const wsk_tariff_ops ops = {.dated = true, .all_blocks = true, .at = find_rate};
const wsk_kind wsk_tariff_blocks = {.element = "tariff",
                                    .name = "blocks",
                                    .help = "a price by the month's use so far",
                                    .size = sizeof(P),
                                    .params = params,
                                    .children = wsk_tariff_children,
                                    .ops = &ops};
