/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An exchange rate, by which prices of parts are converted to the tariff's currency. Theory: docs/theory/money.md */
#include "sim/net/site.h"

#define P wsk_exchange_params
static const wsk_param params[] = {
    WSK_TXT(P, currency, "currency", NULL, WSK_REQUIRED, "a currency of prices, three capitals such as EUR"),
    WSK_NUM(P, value, "value", WSK_DIM_PRICE, NULL, 1e-9, 1e9, WSK_REQUIRED | WSK_POSITIVE,
            "price of one unit of it in another currency: \"1.08 USD\""),
    {.name = NULL}};
const wsk_kind wsk_exchange_rate = {.element = "exchange",
                                    .name = "rate",
                                    .is_default = true,
                                    .help = "value of a currency in another one",
                                    .size = sizeof(P),
                                    .params = params};
