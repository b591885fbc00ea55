/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mainboard of a host: its power while the host is busy and at rest. Theory: docs/theory/cpu.md */
#include "sim/net/cpu.h"

#define P wsk_host_params
static const wsk_param params[] = {
    WSK_TXT(P, name, "name", NULL, 0, "name"),
    WSK_NUM(P, power_w, "power", WSK_DIM_POWER, NULL, 0, 1e4, WSK_REQUIRED, "power while the host is busy"),
    WSK_NUM(P, idle_w, "idle", WSK_DIM_POWER, NULL, 0, 1e4, 0, "power at rest; default: the same"),
    WSK_NUM(P, slots, "slots", WSK_DIM_COUNT, NULL, 0, 64, 0, "slots for cards, for the advice of check"),
    WSK_NUM(P, lanes, "lanes", WSK_DIM_COUNT, NULL, 0, 1024, 0,
            "PCI Express lanes of chipset and switches, besides the processor's, for the advice of check"),
    WSK_NUM(P, sockets, "sockets", WSK_DIM_COUNT, NULL, 1, 8, 0, "sockets for processors, for the advice of check"),
    WSK_NUM(P, modules, "memory-slots", WSK_DIM_COUNT, NULL, 0, 64, 0, "places for modules, for the advice of check"),
    WSK_PRICE_ROWS(P, NULL, 1e6, "purchase price"),
    {.name = NULL}};
const wsk_kind wsk_board_mainboard = {.element = "board",
                                      .name = "mainboard",
                                      .is_default = true,
                                      .help = "the mainboard",
                                      .size = sizeof(P),
                                      .params = params};
