/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A season: a part of the year between two dates, which tariffs and carbon profiles name. Theory:
 * docs/theory/money.md */
#include "sim/net/tariff_table.h"

#define P wsk_season_params
static const wsk_param params[] = {
    WSK_TXT(P, name, "name", NULL, WSK_REQUIRED, "name that periods use"),
    WSK_TXT(P, from, "from", NULL, WSK_REQUIRED, "first day, month and day: \"06-01\""),
    WSK_TXT(P, to, "to", NULL, WSK_REQUIRED, "last day: \"09-30\"; before from: over the turn of the year"),
    {.name = NULL}};
const wsk_kind wsk_season_dates = {.element = "season",
                                   .name = "dates",
                                   .is_default = true,
                                   .help = "a part of the year",
                                   .size = sizeof(P),
                                   .params = params,
                                   .traits = WSK_TRAIT_DATED};
