/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cable between a slot and a card on a riser: the lanes and the generation that it carries. Theory:
 * docs/theory/cooler.md, "On a riser" */
#include "sim/net/gpu.h"

#define P wsk_riser_cable_params
static const wsk_param params[] = {
    WSK_NUM(P, lanes, "lanes", WSK_DIM_COUNT, "16", 1, 64, 0, "PCI Express lanes that it has"),
    WSK_NUM(P, pcie, "pcie", WSK_DIM_COUNT, "4", 1, 8, 0, "PCI Express generation that it carries without errors"),
    WSK_PRICE_ROWS(P, NULL, 1e5, "purchase price, without a holder"),
    {.name = NULL}};

const wsk_kind wsk_riser_cable_ribbon = {.element = "riser-cable",
                                         .name = "ribbon",
                                         .is_default = true,
                                         .help = "cable of a card on a riser",
                                         .size = sizeof(P),
                                         .params = params};
