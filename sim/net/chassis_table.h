/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_CHASSIS_TABLE_H
#define WSK_CHASSIS_TABLE_H
#include "sim/net/chassis.h"
#include "sim/net/fan.h"

#define WSK_CHASSIS_SLOTS \
    WSK_NUM(wsk_chassis_params, slots, "slots", WSK_DIM_COUNT, "8", 1, 64, 0, \
            "expansion slots, counted from the CPU down"), \
        WSK_NUM(wsk_chassis_params, pitch_m, "pitch", WSK_DIM_LENGTH, "20.32 mm", 1e-3, 1, 0, "slot pitch"), \
        WSK_ASSUME(wsk_chassis_params, wall_gap_m, "wall-gap", WSK_DIM_LENGTH, "25 mm", 0, 1, 0, \
                   "free distance behind the last slot to the wall or PSU shroud", \
                   "common towers leave one slot pitch or more"), \
        WSK_NUM(wsk_chassis_params, row_slots, "row-slots", WSK_DIM_COUNT, NULL, 1, 64, 0, \
                "places in the first of two rows: a passive card beyond draws the exhaust of the card that many " \
                "places before; default: one row"), \
        WSK_ASSUME(wsk_chassis_params, card_length_max_m, "card-length", WSK_DIM_LENGTH, "360 mm", 0, 2, 0, \
                   "longest card that fits", "mid and full towers: 330-420 mm"), \
        WSK_NUM(wsk_chassis_params, card_height_max_m, "card-height", WSK_DIM_LENGTH, NULL, 0.05, 2, 0, \
                "free height over the slots, for card, plug and cable; without it any"), \
        WSK_ASSUME(wsk_chassis_params, card_width_m, "card-width", WSK_DIM_LENGTH, "112 mm", 1e-3, 1, 0, \
                   "height of a card over its slot: width of the gap", "PCI Express CEM full height 111.15 mm"), \
        WSK_ASSUME(wsk_chassis_params, gap_loss, "gap-loss", WSK_DIM_NONE, "0.5", 0, 100, 0, \
                   "loss coefficient of the slot gap's edges, on their area", \
                   "sharp-edged inlet, Idelchik diagram 3-1"), \
        WSK_ASSUME(wsk_chassis_params, curtain_loss, "curtain-loss", WSK_DIM_NONE, "1.5", 0, 100, 0, \
                   "loss coefficient of the curtain between gap and fan eye, on its area", \
                   "inlet 0.5 plus the turn into the eye 1.0"), \
        WSK_CHO(wsk_chassis_params, power_brake, "power-brake", wsk_yes_names, "no", 0, \
                "yes: it halves its cards' clocks (PWRBRK# of the slot) when a PSU carries more than it " \
                "may give"), \
        WSK_PRICE_ROWS(wsk_chassis_params, NULL, 1e9, "purchase price")

#define WSK_CHASSIS_CASE \
    WSK_ASSUME(wsk_chassis_params, panel_area_m2, "panel-area", WSK_DIM_AREA, "1.0 m2", 0.01, 100, 0, \
               "outer surface that passes heat to the room", "0.5 x 0.23 x 0.5 m box"), \
        WSK_ASSUME(wsk_chassis_params, panel_cap_j_k, "panel-capacity", WSK_DIM_CAPACITY, "4000 J/K", 0, 1e7, 0, \
                   "heat capacity of sheet metal and frame", "8 kg of steel"), \
        WSK_ASSUME(wsk_chassis_params, panel_cond_w_m2k, "panel-conductance", WSK_DIM_NONE, "6", 0.1, 100, 0, \
                   "W/K per m2 and side of the panels", "natural convection and radiation, 3 W/K per m2 each"), \
        WSK_ASSUME(wsk_chassis_params, intake_loss, "intake-loss", WSK_DIM_NONE, "6", 0, 1000, 0, \
                   "loss coefficient of an intake fan's grill and filter, on its face area", \
                   "dust filter 3-5, grill and bezel 1-3"), \
        WSK_ASSUME(wsk_chassis_params, exhaust_loss, "exhaust-loss", WSK_DIM_NONE, "2", 0, 1000, 0, \
                   "loss coefficient of an exhaust fan's grill, on its face area", "stamped or wire grill 1-3"), \
        WSK_ASSUME(wsk_chassis_params, natural_height_m, "height", WSK_DIM_LENGTH, "0.45 m", 0.01, 10, 0, \
                   "height between low and high openings: buoyant draught", "tower"), \
        WSK_CHO(wsk_chassis_params, psu_intake, "psu-intake", wsk_intake_names, "outside", 0, \
                "where the PSU draws its air"), \
        WSK_CHO(wsk_chassis_params, side, "side-panel", wsk_side_names, "closed", 0, "open: the side panel is off"), \
        WSK_ASSUME(wsk_chassis_params, side_area_m2, "side-area", WSK_DIM_AREA, "0.2 m2", 0, 100, WSK_POSITIVE, \
                   "opening that the side panel leaves", "0.45 x 0.45 m"), \
        WSK_NUM(wsk_chassis_params, volume_m3, "volume", WSK_DIM_VOLUME, NULL, 1e-3, 1e3, 0, \
                "air inside: how often it is changed"), \
        WSK_NUM(wsk_chassis_params, places[0], "front-places", WSK_DIM_COUNT, NULL, 0, 64, 0, \
                "fans of 120 or 140 mm that fit there (of a server: of its own size); a radiator takes a place for " \
                "each 120 mm"), \
        WSK_NUM(wsk_chassis_params, places[1], "rear-places", WSK_DIM_COUNT, NULL, 0, 64, 0, \
                "the same at the rear"), \
        WSK_NUM(wsk_chassis_params, places[2], "top-places", WSK_DIM_COUNT, NULL, 0, 64, 0, "the same at the top"), \
        WSK_NUM(wsk_chassis_params, places[3], "bottom-places", WSK_DIM_COUNT, NULL, 0, 64, 0, \
                "the same at the bottom"), \
        WSK_NUM(wsk_chassis_params, places[4], "side-places", WSK_DIM_COUNT, NULL, 0, 64, 0, \
                "the same at the side"), \
        WSK_NUM(wsk_chassis_params, riser_places, "riser-places", WSK_DIM_COUNT, NULL, 0, 64, 0, \
                "cards that it holds on risers, such as upright before a side panel; without it any number"), \
        WSK_NUM(wsk_chassis_params, riser_depth_m, "riser-depth", WSK_DIM_LENGTH, NULL, 0.01, 2, 0, \
                "of such a place: from the card's back to the panel before its fans; without it any"), \
        WSK_NUM(wsk_chassis_params, exhaust_return, "exhaust-return", WSK_DIM_FRACTION, "0 %", 0, 0.9, 0, \
                "share of the intake air that is exhaust which came round: 5-20 % against a wall"), \
        WSK_NUM(wsk_chassis_params, dust, "dust", WSK_DIM_FRACTION, "0 %", 0, 0.95, 0, \
                "share of filters and fins that dust blocks within dust-time"), \
        WSK_NUM(wsk_chassis_params, dust_time_s, "dust-time", WSK_DIM_TIME, "1 year", 1, 3.2e9, 0, \
                "time in which it does"), \
        WSK_NUM(wsk_chassis_params, dust_start, "dust-start", WSK_DIM_FRACTION, "0 %", 0, 0.95, 0, \
                "share that is blocked at the start")

#define WSK_CHASSIS_CHILDREN \
    { \
        {"fan", 0, NULL}, {"vent", 0, NULL}, {"loop", 0, NULL}, {"rear-door", 1, NULL}, {"psu", 0, NULL}, \
            {"cpu", 1, NULL}, {"gpu", 0, NULL}, {"board", 1, NULL}, {"memory", 0, NULL}, {"storage", 0, NULL}, \
            {"load", 0, NULL}, \
        { \
            NULL, 0, NULL \
        } \
    }

#endif
