/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The federal holidays of the United States (5 USC 6103). Theory: docs/theory/money.md */
#include "sim/net/tariff_table.h"

#define P wsk_holiday_params
static const wsk_param params[] = {WSK_CHO(P, observed, "observed", wsk_observed_names, "nearest", 0,
                                           "of a Sunday on Monday; nearest: of a Saturday on Friday as well"),
                                   {.name = NULL}};
static const wsk_holiday_rule rules[] = {{0, 1, 1, 0, 0, 0},  {0, 1, 0, 0, 3, 0},  {0, 2, 0, 0, 3, 0},
                                         {0, 5, 0, 0, 5, 0},  {0, 6, 19, 0, 0, 0}, {0, 7, 4, 0, 0, 0},
                                         {0, 9, 0, 0, 1, 0},  {0, 10, 0, 0, 2, 0}, {0, 11, 11, 0, 0, 0},
                                         {0, 11, 0, 3, 4, 0}, {0, 12, 25, 0, 0, 0}};
static const wsk_holiday_ops ops = {rules, sizeof rules / sizeof *rules};
const wsk_kind wsk_holiday_us_federal = {.element = "holiday",
                                         .name = "us-federal",
                                         .help = "the federal holidays of the United States",
                                         .size = sizeof(P),
                                         .params = params,
                                         .ops = &ops,
                                         .traits = WSK_TRAIT_DATED};
