/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An uninterruptible power supply (UPS) between circuit and rig; its loss follows from its efficiency at two points.
 *   P_in = P_out + rated (a + b x), x = P_out/rated, through the points at 25 % and 100 % load.
 * Theory: docs/theory/power.md. Source: online units 85 % at 20-25 % load and 85-95 % at full load (Riello;
 * electrical-engineering.app). */
#include "sim/net/feed.h"

#define P wsk_feed_params
static const wsk_param params[] = {
    WSK_NUM(P, rated_w, "rated", WSK_DIM_POWER, NULL, 1, 1e7, WSK_REQUIRED, "rated output"),
    WSK_ASSUME(P, eff_quarter, "efficiency-25", WSK_DIM_FRACTION, "90 %", 0.3, 1, 0, "output over input at 25 % load",
               "online units: 85-92 %"),
    WSK_ASSUME(P, eff_full, "efficiency-100", WSK_DIM_FRACTION, "93 %", 0.3, 1, 0, "output over input at full load",
               "online units: 90-95 %"),
    WSK_PRICE_ROWS(P, NULL, 1e6, "purchase price"),
    {.name = NULL}};

static double loss_w(const wsk_feed_params *ups, double output_w)
{
    double quarter = 0.25 * (1 / ups->eff_quarter - 1), full = 1 / ups->eff_full - 1;
    /* Both parts of the loss, a and b x, must be at least 0; if not, only the full-load point is met. */
    double b = (full - quarter) / 0.75;
    b = b < 0 ? 0 : b > full ? full : b;
    double a = full - b;
    return ups->rated_w * a + b * output_w;
}

static const wsk_feed_ops ops = {loss_w};
const wsk_kind wsk_ups_online = {.element = "ups",
                                 .name = "online",
                                 .is_default = true,
                                 .help = "uninterruptible supply before the rig",
                                 .size = sizeof(P),
                                 .params = params,
                                 .ops = &ops};
