/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A passive opening between case and room: dp = loss rho/2 (q/A)^2 at flow q through the free area A, with air density
 * rho. Theory: docs/theory/air.md. Source of the loss coefficient: Idelchik, perforated plates; 2.5 is that of a
 * punched steel mesh. */
#include "sim/net/chassis.h"
#include "sim/net/fan.h"

#define P wsk_vent_params
static const wsk_param params[] = {
    WSK_CHO(P, at, "at", wsk_place_names, "rear", 0, "side of the case"),
    WSK_NUM(P, area_m2, "area", WSK_DIM_AREA, NULL, 0, 100, WSK_REQUIRED | WSK_POSITIVE, "free area"),
    WSK_ASSUME(P, loss, "loss", WSK_DIM_NONE, "2.5", 0.1, 1000, 0, "loss coefficient on the free area",
               "punched mesh"),
    {.name = NULL}};
const wsk_kind wsk_vent_opening = {.element = "vent",
                                   .name = "opening",
                                   .is_default = true,
                                   .help = "a passive opening of the case",
                                   .size = sizeof(P),
                                   .params = params};
