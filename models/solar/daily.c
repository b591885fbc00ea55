/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solar power of the site, which would be fed into the grid without the rig. The part that the rig uses costs the
 * price that the grid would have paid. Theory: docs/theory/money.md, "Solar: daily" */
#include "sim/net/tariff_table.h"

#define P wsk_solar_params
static const wsk_param params[] = {
    WSK_CUR(P, surplus, "surplus", WSK_DIM_TIME, 0, 0, WSK_DIM_POWER, 0, 0, NULL, WSK_REQUIRED,
            "time of day to the solar power that others in the house leave, on a mean day; straight between: "
            "\"6:00:0 W, 13:00:4 kW, 20:00:0 W\""),
    WSK_CUR(P, months, "months", WSK_DIM_COUNT, 0, 0, WSK_DIM_ENERGY, 0, 0, NULL, 0,
            "month to the yield of the panels, all twelve: the surplus of a month is that of the mean day times its "
            "yield a "
            "day over the year's; \"1:38 kWh, 2:55 kWh, ..., 12:31 kWh\""),
    WSK_NUM(P, latitude, "latitude", WSK_DIM_NONE, NULL, -90, 90, 0,
            "degrees north, south negative: surplus is then stretched to the length of each day"),
    WSK_NUM(P, feed_in_j, "feed-in", WSK_DIM_ENERGY_PRICE, NULL, -1e9, 1e9, WSK_REQUIRED,
            "price that the grid pays for solar energy, \"0.08 EUR/kWh\"; a <period> states another price for some "
            "hours"),
    {.name = NULL}};

static const wsk_child children[] = {{"period", 0, NULL}, {NULL, 0, NULL}};
const wsk_kind wsk_solar_daily = {.element = "solar",
                                  .name = "daily",
                                  .is_default = true,
                                  .help = "solar power by the hour of the day, and its price to the grid",
                                  .size = sizeof(P),
                                  .params = params,
                                  .children = children};
