/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Axial fans over open fins: draws air from the gap between the fans and the next card, and exhausts over the card's
 * edges into the case; a flow-through card exhausts a share behind itself. Theory: docs/theory/cooler.md, "Wiring is
 * the style" */
#include <math.h>

#include "sim/net/assembly.h"
#include "sim/net/cooler_table.h"

static const wsk_param params[] = {
    WSK_COOLER_FINS(0),
    WSK_COOLER_NATURAL_BY_SIZE,
    WSK_COOLER_FANS(WSK_REQUIRED, 0),
    WSK_COOLER_RECESS,
    WSK_COOLER_EDGES,
    WSK_NUM(wsk_cooler_params, fin_factor, "fin-factor", WSK_DIM_NONE, "1", 0.1, 10, WSK_POSITIVE,
            "conductance relative to fins of the card's size; used where conductance is not given"),
    {.name = NULL}};

static void fill(double *value, double by_size)
{
    if (isnan(*value))
        *value = by_size;
}

/* Fills in the values of fins and fans that the rig does not give, from the size of the card: docs/theory/cooler.md,
 * "Open-air coolers by size" */
static void complete(wsk_cooler_params *k, double length_m, double thickness_m)
{
    const double fans_and_board_m = 18e-3, least_m = 4e-3;
    /* side: area of one long side of the fin stack, m2 */
    double depth = thickness_m - fans_and_board_m, side = length_m * (depth > least_m ? depth : least_m),
           rev_s = k->rpm / 60, d = k->diameter_m;
    fill(&k->ua_w_k, k->fin_factor * 1700 * side);
    fill(&k->flow_ref_m3s, 2.9 * side);
    fill(&k->cap_j_k, 90 + 75e3 * side);
    fill(&k->flow_m3s, 0.48 * d * d * d * rev_s);
    fill(&k->pressure_pa, 3.25 * d * d * rev_s * rev_s);
}

static void open_air(wsk_build *build, wsk_card *card)
{
    wsk_lay_gap(build, card);
    wsk_lay_exhaust(build, card);
}

/* enclosed_db: blades close to fins are louder than a free fan by that many dB: docs/theory/mover.md, "Noise". bare:
 * share of the outlet at the edges that faces the room through an open side panel. */
static void wire_air(wsk_build *build, wsk_card *card)
{
    const wsk_cooler_params *k = wsk_cooler_of(card);
    double area = k->outlet_area_m2, through = k->through,
           bracket = k->bracket < 0.95 - through ? k->bracket : 0.95 - through,
           edges = area * (1 - through - bracket), bare = wsk_open_side(build, card);
    wsk_wire_fins(build, card, wsk_gap_of(card), wsk_exhaust_of(build, card),
                  (wsk_stack){.curtain = true, .shell = true, .fan = true, .enclosed_db = 15});
    wsk_wire_outlet(build, card, wsk_case_air(build, card), edges * (1 - bare));
    wsk_wire_outlet(build, card, WSK_OPEN_ROOM, edges * bare);
    wsk_wire_outlet(build, card, wsk_air_behind(build, card), area * through);
    wsk_wire_outlet(build, card, wsk_case_outlet(build, card), area * bracket);
    wsk_wire_return(build, card, 1 - through - bracket);
    wsk_wire_board(build, card, wsk_air_behind(build, card));
}

static const wsk_cooler_ops ops = {
    .complete = complete, .open = open_air, .wire = wire_air, .fan = true, .around = true};
static const wsk_look look = {.air = WSK_AIR_AROUND};
const wsk_kind wsk_cooler_open_air = {.element = "cooler",
                                      .name = "open-air",
                                      .is_default = false,
                                      .help = "open-air: axial fans, exhausts into the case",
                                      .size = sizeof(wsk_cooler_params),
                                      .params = params,
                                      .ops = &ops,
                                      .look = &look};
