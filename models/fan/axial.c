/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Axial fan: pressure rise dp = (rho/rho0)(A nu^2 + B nu q - D q|q|) at flow q, air density rho and relative speed
 * nu = n/n0; a stopped fan (nu = 0) is a finite resistance. From shut-off pressure p0, free flow q0 and curvature
 * s: A = p0, B = -s p0/q0, D = (1 - s) p0/q0^2. Source: affinity laws; docs/theory/air.md, "Fan: axial". Electrical
 * power: docs/theory/mover.md, "Watts" */
#include "sim/net/mover_table.h"

#define P wsk_fan_params
static const wsk_param params[] = {
    WSK_CHO(P, at, "at", wsk_place_names, "front", 0,
            "where it sits; front, bottom, side and wall (a fan wall) blow in, rear and top blow out"),
    WSK_NUM(P, count, "count", WSK_DIM_COUNT, "1", 1, 64, 0, "identical fans side by side"),
    WSK_NUM(P, diameter_m, "diameter", WSK_DIM_LENGTH, "120 mm", 0.02, 1, 0, "frame size"),
    WSK_NUM(P, pressure_pa, "pressure", WSK_DIM_PRESSURE, NULL, 0, 1e5, WSK_REQUIRED | WSK_POSITIVE,
            "shut-off pressure at rpm"),
    WSK_NUM(P, flow_m3s, "flow", WSK_DIM_FLOW, NULL, 1e-4, 100, WSK_REQUIRED, "free flow at rpm"),
    WSK_NUM(P, rpm, "rpm", WSK_DIM_SPEED, NULL, 0, 1e5, WSK_REQUIRED | WSK_POSITIVE, "speed of these data"),
    WSK_ASSUME(P, curvature, "curvature", WSK_DIM_FRACTION, "30 %", 0, 0.95, 0, "0: parabola, 1: straight line",
               "typical of published axial curves without their stall bump"),
    WSK_ASSUME(P, power_w, "power", WSK_DIM_POWER, "2 W", 0, 1e4, 0, "electrical power at rpm", "120 mm fans: 1-3 W"),
    WSK_ASSUME(P, power_exponent, "power-exponent", WSK_DIM_NONE, "2.8", 1.7, 3, 0, "electrical power over speed",
               "exponents of 1.7-3 in fan data sheets"),
    WSK_NUM(P, speed_rpm, "speed", WSK_DIM_SPEED, NULL, 0, 1e5, WSK_RIG_ONLY, "speed it runs at; default: rpm"),
    WSK_NUM(P, speed_share, "duty", WSK_DIM_FRACTION, NULL, 0, 2, WSK_RIG_ONLY,
            "speed as a share of rpm, instead of speed"),
    WSK_NUM(
        P, loss, "loss", WSK_DIM_NONE, NULL, 0, 1000, 0,
        "loss coefficient of its grill and filter, on its face; default: intake-loss or exhaust-loss of the chassis"),
    WSK_NUM(P, blocked, "blocked", WSK_DIM_FRACTION, "0 %", 0, 0.99, 0,
            "share of its face or filter that is blocked"),
    WSK_CONTROL_ROWS(P, control),
    WSK_NUM(P, fails, "fails", WSK_DIM_COUNT, NULL, 0, 64, WSK_RIG_ONLY,
            "how many of count fail at fails-at; default: all"),
    WSK_NOISE_ROWS(P, noise, "level of one fan at rpm; default by the speed of the blades' tips"),
    WSK_PRICE_ROWS(P, NULL, 1e6, "purchase price"),
    {.name = NULL}};
const wsk_kind wsk_fan_axial = {
    .element = "fan", .name = "axial", .is_default = true, .help = "case fan", .size = sizeof(P), .params = params};
