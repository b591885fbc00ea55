/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Centrifugal pump: pressure rise A nu^2 + B nu q - D q|q| at flow q and relative speed nu. From shut-off pressure p0,
 * free flow q0 and curvature s: A = p0, B = -s p0/q0, D = (1 - s) p0/q0^2, as for a fan. Theory: docs/theory/loop.md.
 * Source: affinity laws. */
#include "sim/net/loop.h"
#include "sim/net/mover_table.h"

#define P wsk_pump_params
static const wsk_param params[] = {
    WSK_NUM(P, pressure_pa, "pressure", WSK_DIM_PRESSURE, NULL, 0, 1e7, WSK_REQUIRED | WSK_POSITIVE,
            "shut-off pressure at rpm (1 m of water is 9.8 kPa)"),
    WSK_NUM(P, flow_m3s, "flow", WSK_DIM_FLOW, NULL, 0, 10, WSK_REQUIRED | WSK_POSITIVE, "free flow at rpm"),
    WSK_NUM(P, rpm, "rpm", WSK_DIM_SPEED, NULL, 0, 1e5, WSK_REQUIRED | WSK_POSITIVE, "speed of these data"),
    WSK_ASSUME(P, curvature, "curvature", WSK_DIM_FRACTION, "20 %", 0, 0.95, 0, "0: parabola, 1: straight line",
               "published curves of loop pumps"),
    WSK_ASSUME(P, power_w, "power", WSK_DIM_POWER, "15 W", 0, 1e5, 0, "electrical power at rpm",
               "loop pumps: 5-25 W"),
    WSK_ASSUME(P, power_exponent, "power-exponent", WSK_DIM_NONE, "2.8", 1.7, 3, 0, "electrical power over speed",
               "affinity law 3 less fixed losses"),
    WSK_NUM(P, speed_rpm, "speed", WSK_DIM_SPEED, NULL, 0, 1e5, WSK_RIG_ONLY, "speed it runs at; default: rpm"),
    WSK_NUM(P, speed_share, "duty", WSK_DIM_FRACTION, NULL, 0, 2, WSK_RIG_ONLY,
            "speed as a share of rpm, instead of speed"),
    WSK_CONTROL_ROWS(P, control),
    WSK_NOISE_ROWS(P, noise, "level at rpm; silent when absent"),
    WSK_PRICE_ROWS(P, NULL, 1e6, "purchase price"),
    {.name = NULL}};
const wsk_kind wsk_pump_centrifugal = {.element = "pump",
                                       .name = "centrifugal",
                                       .is_default = true,
                                       .help = "coolant pump",
                                       .size = sizeof(P),
                                       .params = params};
