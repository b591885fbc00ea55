/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carbon dioxide per energy by time of day, for the carbon of kind daily (models/carbon/daily.c). Theory:
 * docs/theory/money.md */
#include "sim/net/tariff_table.h"

#define P wsk_profile_params
static const wsk_param params[] = {
    WSK_CUR(P, curve, "curve", WSK_DIM_TIME, 0, 0, WSK_DIM_CARBON, 0, 1, NULL, WSK_REQUIRED,
            "time of day to carbon per energy from then on: \"0:00:398 g/kWh, 7:00:367 g/kWh\""),
    WSK_TXT(P, season, "season", NULL, 0, "names of seasons, with spaces between; all year when absent"),
    {.name = NULL}};
const wsk_kind wsk_profile_hours = {.element = "profile",
                                    .name = "hours",
                                    .is_default = true,
                                    .help = "carbon by the hour of the day",
                                    .size = sizeof(P),
                                    .params = params};
