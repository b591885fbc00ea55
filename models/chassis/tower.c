/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A case with slots, fans and vents. Theory: docs/theory/air.md
 * Slot pitch 20.32 mm (ATX specification). Loss coefficients: Idelchik, Handbook of Hydraulic Resistance
 * (sharp-edged inlet into a channel 0.5 + outlet 1.0; screens and grills). Panel conductance about 6 W/K per
 * m2 and side: natural convection plus radiation (physics.md section 1). */
#include "sim/net/roles.h"

#define P wsk_chassis_params
static const char *const intakes[] = {"case", "outside", NULL};
static const wsk_param params[] = {
    WSK_NUM(P, slots, "slots", WSK_DIM_COUNT, "8", 1, 64, 0, "expansion slots, counted from the CPU down"),
    WSK_NUM(P, pitch_m, "pitch", WSK_DIM_LENGTH, "20.32 mm", 1e-3, 1, 0, "slot pitch"),
    WSK_ASSUME(P, wall_gap_m, "wall-gap", WSK_DIM_LENGTH, "25 mm", 0, 1, 0,
               "free distance behind the last slot to the wall or power-supply shroud",
               "common towers leave one slot pitch or more"),
    WSK_ASSUME(P, card_length_max_m, "card-length", WSK_DIM_LENGTH, "360 mm", 0, 2, 0, "longest card that fits",
               "mid and full towers: 330-420 mm"),
    WSK_ASSUME(P, card_width_m, "card-width", WSK_DIM_LENGTH, "112 mm", 1e-3, 1, 0,
               "height of a card over its slot: width of the gap", "PCI Express CEM full height 111.15 mm"),
    WSK_ASSUME(P, panel_area_m2, "panel-area", WSK_DIM_AREA, "1.0 m2", 0.01, 100, 0,
               "outer surface that passes heat to the room", "0.5 x 0.23 x 0.5 m box"),
    WSK_ASSUME(P, panel_cap_j_k, "panel-capacity", WSK_DIM_CAPACITY, "4000 J/K", 0, 1e7, 0,
               "heat capacity of sheet metal and frame", "8 kg of steel"),
    WSK_ASSUME(P, panel_cond_w_m2k, "panel-conductance", WSK_DIM_NONE, "6", 0.1, 100, 0,
               "W/K per m2 and side of the panels", "natural convection and radiation, 3 W/K per m2 each"),
    WSK_ASSUME(P, intake_loss, "intake-loss", WSK_DIM_NONE, "6", 0, 1000, 0,
               "loss coefficient of an intake fan's grill and filter, on its face area",
               "dust filter 3-5, grill and bezel 1-3"),
    WSK_ASSUME(P, exhaust_loss, "exhaust-loss", WSK_DIM_NONE, "2", 0, 1000, 0,
               "loss coefficient of an exhaust fan's grill, on its face area", "stamped or wire grill 1-3"),
    WSK_ASSUME(P, gap_loss, "gap-loss", WSK_DIM_NONE, "0.5", 0, 100, 0,
               "loss coefficient of the slot gap's edges, on their area", "sharp-edged inlet, Idelchik diagram 3-1"),
    WSK_ASSUME(P, curtain_loss, "curtain-loss", WSK_DIM_NONE, "1.5", 0, 100, 0,
               "loss coefficient of the curtain between gap and fan eye, on its area",
               "inlet 0.5 plus the turn into the eye 1.0"),
    WSK_ASSUME(P, natural_height_m, "height", WSK_DIM_LENGTH, "0.45 m", 0.01, 10, 0,
               "height between low and high openings: buoyant draught", "tower"),
    WSK_CHO(P, psu_intake, "psu-intake", intakes, "outside", 0, "where the power supply draws its air"),
    WSK_NUM(P, price, "price", WSK_DIM_PRICE, NULL, 0, 1e9, 0, "purchase price"),
    {.name = NULL}};
static const wsk_child children[] = {{"fan", 0, NULL}, {"vent", 0, NULL}, {"psu", 1, NULL}, {"cpu", 1, NULL},
                                     {"gpu", 0, NULL}, {"load", 0, NULL}, {NULL, 0, NULL}};
const wsk_kind wsk_chassis_tower = {.element = "chassis",
                                    .name = "tower",
                                    .is_default = true,
                                    .help = "a case with slots, fans and vents",
                                    .size = sizeof(P),
                                    .params = params,
                                    .children = children};
