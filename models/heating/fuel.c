/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heating by fuel or heat pump, of which the heat of the rig replaces a part. Theory: docs/theory/money.md, "Heating:
 * fuel" */
#include "sim/net/tariff_table.h"

#define P wsk_heating_params
static const wsk_param params[] = {
    WSK_NUM(P, season, "season", WSK_DIM_FRACTION, NULL, 0, 1, WSK_REQUIRED,
            "share of the year in which the building is heated"),
    WSK_NUM(P, price_j, "price", WSK_DIM_ENERGY_PRICE, NULL, 0, 1e9, WSK_REQUIRED,
            "price of the fuel, or of the electricity of a heat pump"),
    WSK_ASSUME(P, efficiency, "efficiency", WSK_DIM_NONE, "0.9", 0.1, 10, 0,
               "heat per energy of the fuel; a heat pump: its seasonal COP",
               "gas boilers 0.85-0.95 of the gross calorific value over a season"),
    WSK_ASSUME(P, used, "used", WSK_DIM_FRACTION, "100 %", 0, 1, 0,
               "share of the rig's heat in that time that replaces heating",
               "in a heated room with a thermostat all of it, until the rig alone overheats the room"),
    {.name = NULL}};

const wsk_kind wsk_heating_fuel = {.element = "heating",
                                   .name = "fuel",
                                   .is_default = true,
                                   .help = "heating by fuel or heat pump that the rig's heat replaces",
                                   .size = sizeof(P),
                                   .params = params};
