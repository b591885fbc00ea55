/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An uninterruptible power supply (UPS) between circuit and rig; its loss follows from its efficiency at two points.
 *   P_in = P_out + rated (a + b x), x = P_out/rated, through the points at 25 % and 100 % load.
 * At the load P its battery lasts H (E age efficiency / (P H))^k hours; E: its energy when drawn over H hours, k:
 * Peukert's exponent. Theory: docs/theory/power.md. Source: online units 85 % at 20-25 % load and 85-95 % at full load
 * (Riello; electrical-engineering.app). */
#include <math.h>
#include <string.h>

#include "sim/net/feed.h"

#define P wsk_feed_params
static const wsk_param params[] = {
    WSK_NUM(P, rated_w, "rated", WSK_DIM_POWER, NULL, 1, 1e7, WSK_REQUIRED, "rated output"),
    WSK_ASSUME(P, eff_quarter, "efficiency-25", WSK_DIM_FRACTION, "90 %", 0.3, 1, 0, "output over input at 25 % load",
               "online units: 85-92 %"),
    WSK_ASSUME(P, eff_full, "efficiency-100", WSK_DIM_FRACTION, "93 %", 0.3, 1, 0, "output over input at full load",
               "online units: 90-95 %"),
    WSK_NUM(P, battery_j, "battery", WSK_DIM_ENERGY, NULL, 1, 1e13, 0,
            "energy of its new battery by the label: volts times ampere-hours"),
    WSK_ASSUME(P, battery_s, "battery-hours", WSK_DIM_TIME, "20 h", 1, 3.6e6, 0,
               "time of discharge for which that label holds", "lead-acid: 20 h; lithium: 1-5 h"),
    WSK_ASSUME(P, battery_age, "battery-age", WSK_DIM_FRACTION, "90 %", 0.05, 1, 0,
               "share of the battery's energy that age has left", "100 % new, 80 % at its end by IEEE 1188"),
    WSK_ASSUME(P, battery_eff, "battery-efficiency", WSK_DIM_FRACTION, "90 %", 0.3, 1, 0,
               "output over what the battery gives", "inverters: 85-95 %"),
    WSK_ASSUME(P, peukert, "peukert", WSK_DIM_NONE, "1.25", 1, 2, 0, "exponent of the time over the load",
               "sealed lead-acid: 1.15-1.35; lithium: 1.05"),
    WSK_ASSUME(P, battery_spread, "battery-spread", WSK_DIM_FRACTION, "35 %", 0, 1, 0,
               "uncertainty of the time, relative", "against a maker's table of runtimes"),
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

static bool is_unheeded(const wsk_elem *elem, const char *name)
{
    const wsk_feed_params *ups = elem->params;
    return !(ups->battery_j > 0) && (strncmp(name, "battery-", 8) == 0 || strcmp(name, "peukert") == 0);
}

static double runtime_s(const wsk_feed_params *ups, double output_w)
{
    if (!(ups->battery_j > 0) || !(output_w > 0))
        return 0;
    double energy_j = ups->battery_j * ups->battery_age * ups->battery_eff;
    return ups->battery_s * pow(energy_j / (output_w * ups->battery_s), ups->peukert);
}

static const wsk_feed_ops ops = {loss_w, runtime_s};
const wsk_kind wsk_ups_online = {.element = "ups",
                                 .name = "online",
                                 .is_default = true,
                                 .help = "uninterruptible supply before the rig",
                                 .size = sizeof(P),
                                 .params = params,
                                 .unheeded = is_unheeded,
                                 .ops = &ops};
