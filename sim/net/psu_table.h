/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_PSU_TABLE_H
#define WSK_PSU_TABLE_H
#include "sim/net/psu.h"

#define WSK_PSU_ROWS \
    WSK_ASSUME(wsk_psu_params, fan_flow_m3s, "fan-flow", WSK_DIM_FLOW, "30 CFM", 1e-4, 10, 0, "air through it", \
               "120-140 mm fan at half speed"), \
        WSK_ASSUME(wsk_psu_params, cap_j_k, "capacity", WSK_DIM_CAPACITY, "1200 J/K", 1, 1e6, 0, "heat capacity", \
                   "2 kg of copper, steel and aluminium"), \
        WSK_ASSUME(wsk_psu_params, cond_w_k, "conductance", WSK_DIM_CONDUCTANCE, "6 W/K", 0.01, 1e4, 0, \
                   "parts to air at fan-flow", "15-20 K over air at full load"), \
        WSK_NUM(wsk_psu_params, spread, "spread", WSK_DIM_FRACTION, NULL, 0, 0.1, 0, \
                "standard deviation of efficiency among such units"), \
        WSK_TXT(wsk_psu_params, tier, "tier", NULL, 0, "80 PLUS or Cybenetics badge"), \
        WSK_PRICE_ROWS(wsk_psu_params, NULL, 1e6, "purchase price"), \
        WSK_CUR(wsk_psu_params, line_rating, "line-rating", WSK_DIM_VOLTAGE, 0, 1000, WSK_DIM_POWER, 1, 1e6, NULL, \
                0, "mains voltage:output it may give there, of a part in proportion to rated; without it rated"), \
        WSK_NUM(wsk_psu_params, supply_min_v, "supply-min", WSK_DIM_VOLTAGE, NULL, 0, 1000, 0, \
                "least mains voltage"), \
        WSK_NUM(wsk_psu_params, supply_max_v, "supply-max", WSK_DIM_VOLTAGE, "264 V", 0, 1000, 0, \
                "highest mains voltage; default that of units for 100-240 V +-10 %"), \
        WSK_ASSUME(wsk_psu_params, derate_above_k, "derate-above", WSK_DIM_TEMPERATURE, "50 degC", 0, 1000, 0, \
                   "inlet above which it may give less", "server and ATX units are rated to 40-55 degC"), \
        WSK_ASSUME(wsk_psu_params, derate_per_k, "derating", WSK_DIM_PER_KELVIN, "0.025 1/K", 0, 1, 0, \
                   "share of the rating lost for each kelvin above", \
                   "Artesyn DS1600SPE 2 %/K, DS2400SPE 2.5 %/K above 50 degC"), \
        WSK_ASSUME(wsk_psu_params, opp, "opp", WSK_DIM_FRACTION, "125 %", 1, 3, 0, \
                   "output over rating at which its protection trips", \
                   "measured on seven units: 118-133 %, mean 125 %"), \
        WSK_CHO(wsk_psu_params, excursions, "excursions", wsk_excursion_names, "plain", 0, \
                "load steps it is built to ride through: plain, or atx3 with a 12V-2x6 plug"), \
        WSK_TXT(wsk_psu_params, feeds, "feeds", NULL, WSK_RIG_ONLY, \
                "ids of the cards it feeds; the rest hangs on the largest PSU that names none"), \
        WSK_TXT(wsk_psu_params, on, "on", NULL, WSK_RIG_ONLY, \
                "id of the <branch> on which it hangs; without it on the site's own circuit"), \
        WSK_CHO(wsk_psu_params, redundant, "redundant", wsk_yes_names, "no", WSK_RIG_ONLY, \
                "shares the load of the whole chassis with the other redundant ones"), \
        WSK_ASSUME(wsk_psu_params, imbalance, "imbalance", WSK_DIM_FRACTION, "6 %", 0, 0.5, 0, \
                   "of redundant sharing: most over the mean", "Artesyn CSU +-6 %, CSV +-10 %, DS1600SPE +-5 %"), \
        WSK_NUM(wsk_psu_params, fails_s, "fails-at", WSK_DIM_TIME, NULL, 0, 3.2e9, WSK_RIG_ONLY, \
                "time from the start of the run at which it fails for good"), \
        WSK_NUM(wsk_psu_params, sockets_eight, "sockets-8-pin", WSK_DIM_COUNT, NULL, 0, 64, 0, \
                "plugs of 6 or 8 pins for cards on its cables; without it as many as PSUs of its rating have"), \
        WSK_NUM(wsk_psu_params, sockets_high, "sockets-12v-2x6", WSK_DIM_COUNT, NULL, 0, 64, 0, \
                "12V-2x6 or 12VHPWR plugs for cards; without it 1 with excursions atx3, 2 from 1200 W"), \
        WSK_NUM(wsk_psu_params, cables, "cables", WSK_DIM_COUNT, NULL, 0, 64, WSK_RIG_ONLY, \
                "PCIe cables from sockets of their own; fewer than plugs: daisy-chained")

#endif
