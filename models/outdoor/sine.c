/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outdoor air: T = mean + swing cos(2 pi (t - warmest) / 24 h). Theory: docs/theory/room.md
 * Source: the usual daily sine of building physics, warmest at 15:00 (ASHRAE Fundamentals, climatic design). */
#include <math.h>

#include "sim/net/site.h"

#define P wsk_outdoor_params
static const wsk_param params[] = {
    WSK_NUM(P, mean_k, "mean", WSK_DIM_TEMPERATURE, "22 degC", 203.15, 333.15, 0, "daily mean"),
    WSK_NUM(P, swing_k, "swing", WSK_DIM_TEMP_DIFF, "0 K", 0, 30, 0, "half of the daily range"),
    WSK_NUM(P, warmest_s, "warmest", WSK_DIM_TIME, "15 h", 0, 86400, 0, "hour of the day at which it is warmest"),
    {.name = NULL}};

static double mean_k(const P *o)
{
    return o->mean_k;
}

static double temp_k(const P *o, double civil_s, double run_s)
{
    (void)run_s;
    return o->swing_k > 0
               ? o->mean_k + o->swing_k * cos(2 * 3.141592653589793 * (fmod(civil_s, 86400) - o->warmest_s) / 86400)
               : o->mean_k;
}

static const wsk_outdoor_ops ops = {.mean_k = mean_k, .temp_k = temp_k};
const wsk_kind wsk_outdoor_sine = {.element = "outdoor",
                                   .name = "sine",
                                   .is_default = true,
                                   .help = "outdoor temperature, constant or a daily sine",
                                   .size = sizeof(P),
                                   .params = params,
                                   .ops = &ops};
