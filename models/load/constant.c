/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An electric load other than GPUs and CPU. Its part dc is fed by the PSU and heats the case air; its part ac is fed by
 * the circuit, not through the PSU, and heats the room. The load is on for the share `duty` of each period, from the
 * start of the period. Theory: docs/theory/power.md */
#include "sim/net/cpu.h"

#define P wsk_load_params
static const wsk_param params[] = {
    WSK_TXT(P, name, "name", NULL, 0, "name"),
    WSK_NUM(P, ac_w, "ac", WSK_DIM_POWER, "0 W", 0, 1e7, 0, "power from the circuit"),
    WSK_NUM(P, dc_w, "dc", WSK_DIM_POWER, "0 W", 0, 1e7, 0, "power from the PSU"),
    WSK_NUM(P, duty, "duty", WSK_DIM_FRACTION, "100 %", 0, 1, 0, "share of each period it is on"),
    WSK_NUM(P, period_s, "period", WSK_DIM_TIME, "1 d", 1, 3.2e9, 0, "period of the duty cycle"),
    WSK_TXT(P, on, "on", NULL, WSK_RIG_ONLY,
            "id of the <branch> on which its part ac hangs; without it on the site's own circuit"),
    WSK_PRICE_ROWS(P, "0 USD", 1e7, "purchase price"),
    {.name = NULL}};
const wsk_kind wsk_load_constant = {.element = "load",
                                    .name = "constant",
                                    .is_default = true,
                                    .help = "a plain electrical load",
                                    .size = sizeof(P),
                                    .params = params};
