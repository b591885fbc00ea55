/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Radial blower: draws air from the gap between its intake and the next card, exhausts through the slot bracket, and
 * leaks a share into the case. Theory: docs/theory/cooler.md, "Wiring is the style" */
#include "sim/net/assembly.h"
#include "sim/net/cooler_table.h"

static const wsk_param params[] = {WSK_COOLER_FINS(WSK_REQUIRED),
                                   WSK_COOLER_NATURAL,
                                   WSK_COOLER_FANS(WSK_REQUIRED, WSK_REQUIRED),
                                   WSK_COOLER_RECESS,
                                   WSK_COOLER_DUCTED,
                                   {.name = NULL}};
static void open_air(wsk_build *build, wsk_card *card)
{
    wsk_lay_gap(build, card);
    wsk_lay_exhaust(build, card);
}

/* enclosed_db: a radial wheel in its shroud is louder than a free fan by that many dB:
 * docs/theory/mover.md, "Noise" */
static void wire_air(wsk_build *build, wsk_card *card)
{
    wsk_wire_fins(build, card, wsk_gap_of(card), wsk_exhaust_of(build, card),
                  (wsk_stack){.curtain = true, .fan = true, .enclosed_db = 20});
    wsk_wire_outlet(build, card, wsk_case_outlet(build, card), wsk_cooler_of(card)->outlet_area_m2);
    wsk_wire_leak(build, card);
    wsk_wire_board(build, card, wsk_air_behind(build, card));
}

static const wsk_cooler_ops ops = {.open = open_air, .wire = wire_air, .fan = true};
static const wsk_look look = {.air = WSK_AIR_OUT};
const wsk_kind wsk_cooler_blower = {.element = "cooler",
                                    .name = "blower",
                                    .is_default = true,
                                    .help = "blower: exhausts through the bracket",
                                    .size = sizeof(wsk_cooler_params),
                                    .params = params,
                                    .ops = &ops,
                                    .look = &look};
