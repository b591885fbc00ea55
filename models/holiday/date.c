/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A holiday given by its date, or by month, weekday and number of that weekday in the month. Theory:
 * docs/theory/money.md */
#include "sim/net/tariff_table.h"

#define P wsk_holiday_params
static const wsk_param params[] = {
    WSK_TXT(P, date, "date", NULL, 0, "\"2026-11-26\", or \"12-25\" for every year"),
    WSK_NUM(P, month, "month", WSK_DIM_COUNT, NULL, 1, 12, 0, "where the date moves: its month"),
    WSK_CHO(P, day, "day", wsk_weekday_names, NULL, 0, "its weekday"),
    WSK_NUM(P, nth, "nth", WSK_DIM_COUNT, NULL, 1, 5, 0, "which of them in the month; 5: the last"),
    WSK_CHO(P, observed, "observed", wsk_observed_names, "no", 0,
            "of a Sunday on Monday; nearest: of a Saturday on Friday as well"),
    {.name = NULL}};
const wsk_kind wsk_holiday_date = {.element = "holiday",
                                   .name = "date",
                                   .is_default = true,
                                   .help = "a day that is no working day",
                                   .size = sizeof(P),
                                   .params = params,
                                   .traits = WSK_TRAIT_DATED};
