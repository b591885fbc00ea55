/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameter rows that every power supply has beside its efficiency. */
#ifndef WSK_PSU_TABLE_H
#define WSK_PSU_TABLE_H
#include "sim/net/roles.h"

#define WSK_PSU_ROWS \
    WSK_ASSUME(wsk_psu_params, fan_flow_m3s, "fan-flow", WSK_DIM_FLOW, "30 CFM", 1e-4, 10, 0, "air through it", \
               "120-140 mm fan at half speed"), \
        WSK_ASSUME(wsk_psu_params, cap_j_k, "capacity", WSK_DIM_CAPACITY, "1200 J/K", 1, 1e6, 0, "heat capacity", \
                   "2 kg of copper, steel and aluminium"), \
        WSK_ASSUME(wsk_psu_params, cond_w_k, "conductance", WSK_DIM_CONDUCTANCE, "6 W/K", 0.01, 1e4, 0, \
                   "parts to air at fan-flow", "15-20 K over air at full load"), \
        WSK_NUM(wsk_psu_params, spread, "spread", WSK_DIM_FRACTION, NULL, 0, 0.1, 0, \
                "standard deviation of efficiency among such units"), \
        WSK_TXT(wsk_psu_params, tier, "tier", NULL, 0, "80 PLUS badge"), \
        WSK_NUM(wsk_psu_params, price, "price", WSK_DIM_PRICE, NULL, 0, 1e6, 0, "purchase price")

#endif
