/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passive fins of a server card. If the card has no fan of its own, the chassis fans press air through it, as in a
 * server's duct. A card with a fan in a shroud at its end draws air from the case, or from outside by a duct. The air
 * leaves through the slot bracket. Theory: docs/theory/cooler.md, "Wiring is the style" */
#include "sim/net/assembly.h"
#include "sim/net/cooler_table.h"

static const wsk_param params[] = {WSK_COOLER_FINS(WSK_REQUIRED),
                                   WSK_COOLER_NATURAL,
                                   WSK_COOLER_FANS(0, 0),
                                   WSK_CHO(wsk_cooler_params, intake, "intake", wsk_intake_names, "case", 0,
                                           "where its own fan draws: the air of the case, or a duct from outside"),
                                   WSK_COOLER_DUCTED,
                                   {.name = NULL}};
static bool is_in_duct(const wsk_cooler_params *k)
{
    return !(k->pressure_pa > 0);
}

static void wire_air(wsk_build *build, wsk_card *card)
{
    const wsk_cooler_params *k = wsk_cooler_of(card);
    bool duct = is_in_duct(k);
    int from = duct        ? wsk_air_before(build, card)
               : k->intake ? wsk_case_intake(build, card)
                           : wsk_case_air(build, card),
        exhaust = wsk_exhaust_of(build, card);
    wsk_wire_fins(build, card, from, exhaust,
                  (wsk_stack){.fan = !duct, .jet = from == wsk_case_air(build, card) && duct, .enclosed_db = 20});
    wsk_wire_outlet(build, card, wsk_case_outlet(build, card), k->outlet_area_m2);
    wsk_wire_leak(build, card);
    wsk_wire_shell(build, card);
    wsk_wire_board(build, card, duct ? exhaust : wsk_air_behind(build, card));
}

static const wsk_cooler_ops ops = {.open = wsk_lay_exhaust, .wire = wire_air, .in_duct = is_in_duct, .fan = true};
const wsk_kind wsk_cooler_passive = {.element = "cooler",
                                     .name = "passive",
                                     .is_default = false,
                                     .help = "passive fins in a ducted air stream",
                                     .size = sizeof(wsk_cooler_params),
                                     .params = params,
                                     .ops = &ops,
                                     .traits = WSK_TRAIT_DUCTED};
