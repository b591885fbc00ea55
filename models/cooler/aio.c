/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All-in-one cooler: block, pump and radiator with fans, in a sealed loop of the card. Theory:
 * docs/theory/loop.md, "Cooler: aio" */
#include "sim/net/assembly.h"
#include "sim/net/cooler_table.h"

#define P wsk_cooler_params
static const wsk_param params[] = {
    WSK_COOLER_FINS(WSK_REQUIRED),
    WSK_COOLER_NATURAL,
    WSK_COOLER_FANS(WSK_REQUIRED, WSK_REQUIRED),
    WSK_COOLER_COLD_PLATE("block-conductance", "pump-flow", "block-exponent", "block-drop"),
    WSK_COOLER_SIZE,
    WSK_CHO(P, at, "at", wsk_place_names, "top", 0, "where the radiator sits"),
    WSK_CHO(P, direction, "direction", wsk_direction_names, "exhaust", 0,
            "exhaust: case air goes out through it; intake: room air comes in; outside: it stands beside the case"),
    WSK_ASSUME(P, radiator_cap_j_k, "radiator-capacity", WSK_DIM_CAPACITY, "700 J/K", 1, 1e6, 0,
               "heat capacity of the radiator's metal", "0.8 kg of aluminium"),
    WSK_ASSUME(P, volume_m3, "volume", WSK_DIM_VOLUME, "0.25 l", 0, 1, WSK_POSITIVE, "coolant in the loop",
               "sealed loops of 240-360 mm: 0.2-0.35 l"),
    {.name = NULL}};
static void add_masses(wsk_build *build, const wsk_card *card)
{
    wsk_lay_core(build, card, wsk_cooler_of(card)->radiator_cap_j_k);
}

static void wire_air(wsk_build *build, wsk_card *card)
{
    wsk_wire_still_board(build, card);
}

/* Data sheets of all-in-one coolers do not give the coolant side of the radiator and the hoses. Assumed values:
 * docs/theory/constants.md, "core of an all-in-one"; docs/theory/constants.md, "hoses of an all-in-one" */
static void wire_circuit(wsk_build *build, wsk_card *card)
{
    const double hose_m = 0.8, bore_m = 7e-3, fittings = 4;
    const wsk_cooler_params *k = wsk_cooler_of(card);
    wsk_ring *ring = wsk_ring_open(build, card, wsk_coolant_named("glycol-30"), k->volume_m3, hose_m);
    if (!ring)
        return;
    wsk_ring_pump(ring, card, 1.35 * k->block_drop_pa, k->block_flow_m3s);
    int before = wsk_ring_end(ring);
    wsk_wire_plate(ring, card, before, wsk_ring_next(ring));
    wsk_ring_warmest(ring);
    wsk_ring_radiator(ring, card,
                      &(wsk_radiator_params){.head = k->head,
                                             .at = k->at,
                                             .direction = k->direction,
                                             .ua_w_k = k->ua_w_k,
                                             .flow_m3s = k->flow_ref_m3s,
                                             .ua_exponent = k->ua_exponent,
                                             .natural_w_k = k->natural_w_k,
                                             .drop_pa = k->drop_pa,
                                             .face_m2 = k->fans * 0.7854 * k->diameter_m * k->diameter_m,
                                             .coolant_w_k = 3 * k->ua_w_k,
                                             .coolant_flow_m3s = k->block_flow_m3s,
                                             .coolant_drop_pa = 0.3 * k->block_drop_pa});
    wsk_ring_close(ring, bore_m, fittings);
}

static const wsk_cooler_ops ops = {
    .masses = add_masses, .wire = wire_air, .circuit = wire_circuit, .fan = true, .pump = true};
static const wsk_look look = {.radiator = true};
const wsk_kind wsk_cooler_aio = {.element = "cooler",
                                 .name = "aio",
                                 .is_default = false,
                                 .help = "sealed water loop with a radiator of its own",
                                 .size = sizeof(wsk_cooler_params),
                                 .params = params,
                                 .ops = &ops,
                                 .look = &look};
