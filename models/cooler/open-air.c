/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Axial fans over open fins: draws air from the gap between the fans and the next card, and exhausts over the card's
 * edges into the case; a flow-through card exhausts a share behind itself. Theory: docs/theory/cooler.md, "Wiring is
 * the style" */
#include "sim/net/assembly.h"
#include "sim/net/cooler_table.h"

static const wsk_param params[] = {
    WSK_COOLER_FINS, WSK_COOLER_FANS(WSK_REQUIRED), WSK_COOLER_RECESS, WSK_COOLER_EDGES, {.name = NULL}};
static void open_air(wsk_build *build, wsk_card *card)
{
    wsk_lay_gap(build, card);
    wsk_lay_exhaust(build, card);
}

/* Connects the card's air nodes. enclosed_db: blades close to fins are louder than a free fan by that many dB:
 * docs/theory/mover.md, "Noise". With an open side panel half of the edge outlet faces the room. */
static void wire_air(wsk_build *build, wsk_card *card)
{
    const wsk_cooler_params *k = wsk_cooler_of(card);
    double area = k->outlet_area_m2, through = k->through,
           bracket = k->bracket < 0.95 - through ? k->bracket : 0.95 - through,
           edges = area * (1 - through - bracket), bare = wsk_open_side(build, card);
    wsk_wire_fins(build, card, wsk_gap_of(card), wsk_exhaust_of(build, card),
                  (wsk_stack){.curtain = true, .fan = true, .enclosed_db = 15});
    wsk_wire_outlet(build, card, wsk_case_air(build, card), edges * (1 - bare));
    wsk_wire_outlet(build, card, WSK_OPEN_ROOM, edges * bare);
    wsk_wire_outlet(build, card, wsk_air_behind(build, card), area * through);
    wsk_wire_outlet(build, card, wsk_case_outlet(build, card), area * bracket);
    wsk_wire_return(build, card, 1 - through - k->bracket);
    wsk_wire_board(build, card, wsk_air_behind(build, card));
}

static const wsk_cooler_ops ops = {.open = open_air, .wire = wire_air, .fan = true, .around = true};
static const wsk_look look = {.air = WSK_AIR_AROUND};
const wsk_kind wsk_cooler_open_air = {.element = "cooler",
                                      .name = "open-air",
                                      .is_default = false,
                                      .help = "open-air: axial fans, exhausts into the case",
                                      .size = sizeof(wsk_cooler_params),
                                      .params = params,
                                      .ops = &ops,
                                      .look = &look};
