/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The role of a coolant loop, with its pump and radiators. All values SI; NAN means "not given". */
#ifndef WSK_LOOP_H
#define WSK_LOOP_H
#include "sim/net/coolant.h"
#include "sim/net/fan.h"

typedef struct {
    wsk_params head;
    int coolant;                                          /* index in wsk_coolants */
    double volume_m3;                                     /* in the whole loop */
    int series;                                           /* blocks one after the other; else side by side */
    double hose_m, bore_m, fittings;                      /* hoses and their bends */
    double supply_k, approach_k, pressure_pa, capacity_w; /* facility: water at the CDU, and what it lifts */
} wsk_loop_params;
typedef struct {
    bool facility; /* heat leaves through a CDU, not through radiators */
} wsk_loop_ops;
typedef struct {
    wsk_params head;
    double pressure_pa, flow_m3s, rpm, curvature, power_w, power_exponent; /* shut-off and free flow at rpm */
    double speed_rpm, speed_share;
    wsk_control_params control;
    wsk_noise_params noise;
    double price;
} wsk_pump_params;
typedef struct {
    wsk_params head;
    int at, direction;                                          /* wsk_place, wsk_direction */
    double ua_w_k, flow_m3s, ua_exponent, natural_w_k, drop_pa; /* air side, at that air flow */
    double coolant_w_k, coolant_flow_m3s, coolant_drop_pa;      /* coolant side, at that coolant flow */
    double cap_j_k, face_m2;
    double price;
} wsk_radiator_params;

#endif
