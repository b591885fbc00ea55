/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The federal holidays of the United States (5 USC 6103). Theory: docs/theory/money.md */
#include "sim/net/tariff_table.h"

#define P wsk_holiday_params
static const wsk_param params[] = {WSK_CHO(P, observed, "observed", wsk_observed_names, "nearest", 0,
                                           "of a Sunday on Monday; nearest: of a Saturday on Friday as well"),
                                   {.name = NULL}};
const wsk_kind wsk_holiday_us_federal = {.element = "holiday",
                                         .name = "us-federal",
                                         .help = "the federal holidays of the United States",
                                         .size = sizeof(P),
                                         .params = params,
                                         .traits = WSK_TRAIT_DATED};
