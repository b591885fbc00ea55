/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drives of a host: their power while the host is busy and at rest. Theory: docs/theory/cpu.md */
#include "sim/net/cpu.h"

#define P wsk_host_params
static const wsk_param params[] = {
    WSK_TXT(P, name, "name", NULL, 0, "name"),
    WSK_NUM(P, count, "count", WSK_DIM_COUNT, "1", 1, 256, 0, "number of such drives"),
    WSK_NUM(P, power_w, "power", WSK_DIM_POWER, NULL, 0, 1e3, WSK_REQUIRED,
            "power of a drive while the host is busy"),
    WSK_NUM(P, idle_w, "idle", WSK_DIM_POWER, NULL, 0, 1e3, 0, "power of a drive at rest; default: the same"),
    WSK_NUM(P, size_byte, "size", WSK_DIM_DATA, NULL, 0, 1e18, 0, "size of a drive"),
    WSK_NUM(P, lanes, "lanes", WSK_DIM_COUNT, NULL, 0, 64, 0,
            "PCI Express lanes of a drive, for the advice of check"),
    WSK_PRICE_ROWS(P, NULL, 1e6, "purchase price of a drive"),
    {.name = NULL}};
const wsk_kind wsk_storage_drive = {.element = "storage",
                                    .name = "drive",
                                    .is_default = true,
                                    .help = "drives of the host",
                                    .size = sizeof(P),
                                    .params = params};
