/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The place of the rig: mains voltage, branch circuit, altitude. Theory: docs/theory/site.md, "Site: site"
 * In North America a circuit may carry 80 % of its rating continuously (NEC 210.20(A)). Elsewhere it may be used fully,
 * for example a 15 A outlet at 100 V in Japan. */
#include "sim/net/site.h"

#define P wsk_site_params
static const wsk_param params[] = {
    WSK_NUM(P, supply_v, "supply", WSK_DIM_VOLTAGE, "120 V", 90, 480, 0, "mains voltage at the outlet"),
    WSK_NUM(P, circuit_a, "circuit", WSK_DIM_CURRENT, NULL, 1, 1000, 0, "rating of the branch circuit's breaker"),
    WSK_NUM(P, outlet_a, "outlet", WSK_DIM_CURRENT, NULL, 1, 1000, 0,
            "rating of the outlet or plug where it is the smaller: UK 13 A, Schuko 16 A, Japan 15 A"),
    WSK_CHO(P, breaker, "breaker", wsk_breaker_names, NULL, 0,
            "ul, japan, or b, c, d of IEC 60898; default japan at 100 V, ul at 120, 208, 240 and 277 V, else c"),
    WSK_NUM(P, altitude_m, "altitude", WSK_DIM_LENGTH, "0 m", -430, 5000, 0,
            "height above sea level; sets air density"),
    WSK_NUM(P, listener_m, "listener", WSK_DIM_LENGTH, "1 m", 0.1, 100, 0, "distance at which noise is given"),
    WSK_CHO(P, place, "place", wsk_stand_names, NULL, 0,
            "where the machine stands, for the limit of its noise: desk 55 dBA, room (one lives in it) 45, "
            "server-room 80; "
            "default server-room where a case has a wall of fans, else desk"),
    WSK_NUM(P, continuous, "continuous", WSK_DIM_FRACTION, NULL, 0.1, 1, 0,
            "share of the circuit allowed as continuous load; default 80 % at 120, 208, 240 and 277 V, else 100 %"),
    {.name = NULL}};
static const wsk_child children[] = {
    {"room", 1, "air"},  {"tariff", 1, NULL},   {"carbon", 1, NULL}, {"ups", 1, NULL},     {"pdu", 1, NULL},
    {"branch", 0, NULL}, {"exchange", 0, NULL}, {"solar", 1, NULL},  {"heating", 1, NULL}, {NULL, 0, NULL}};
const wsk_kind wsk_site_site = {.element = "site",
                                .name = "site",
                                .is_default = true,
                                .help = "supply, circuit and height of the place",
                                .size = sizeof(P),
                                .params = params,
                                .children = children};
