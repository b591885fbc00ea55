/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A further branch circuit of the site, with a breaker of its own. It feeds the PSUs and AC loads that name it in
 * on=. Theory: docs/theory/power.md, "Branch: circuit" */
#include "sim/net/site.h"

#define P wsk_line_params
static const wsk_param params[] = {
    WSK_NUM(P, supply_v, "supply", WSK_DIM_VOLTAGE, NULL, 90, 480, 0, "its mains voltage; default that of the site"),
    WSK_NUM(P, circuit_a, "circuit", WSK_DIM_CURRENT, NULL, 1, 1000, WSK_REQUIRED, "rating of its breaker"),
    WSK_NUM(P, outlet_a, "outlet", WSK_DIM_CURRENT, NULL, 1, 1000, 0,
            "rating of the outlet or plug where it is the smaller: UK 13 A, Schuko 16 A, Japan 15 A"),
    WSK_CHO(P, breaker, "breaker", wsk_breaker_names, NULL, 0,
            "ul, japan, or b, c, d of IEC 60898; default japan at 100 V, ul at 120, 208, 240 and 277 V, else c"),
    WSK_NUM(P, continuous, "continuous", WSK_DIM_FRACTION, NULL, 0.1, 1, 0,
            "share of the circuit allowed as continuous load; default 80 % at 120, 208, 240 and 277 V, else 100 %"),
    WSK_NUM(P, fails_s, "fails-at", WSK_DIM_TIME, NULL, 0, 3.2e9, 0,
            "time from the start of the run at which it loses its voltage for good"),
    {.name = NULL}};
static const wsk_child children[] = {{"ups", 1, NULL}, {"pdu", 1, NULL}, {NULL, 0, NULL}};
const wsk_kind wsk_branch_circuit = {.element = "branch",
                                     .name = "circuit",
                                     .is_default = true,
                                     .help = "one more circuit, on which PSUs and loads hang that name it",
                                     .size = sizeof(P),
                                     .params = params,
                                     .children = children};
