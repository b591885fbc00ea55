/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a coolant loop, its pump and its radiators. All values SI; NAN: not given. */
#ifndef WSK_LOOP_H
#define WSK_LOOP_H
#include "sim/net/coolant.h"
#include "sim/net/fan.h"

typedef struct {
    wsk_params head;
    int coolant;
    double volume_m3;
    int series; /* cold plates (blocks): 0 in parallel, 1 in series */
    double hose_m, bore_m, fittings;
    /* Loop of a CDU (coolant distribution unit). supply_k: temperature of the facility water; approach_k: excess of
     * the loop's coolant over that water; pressure_pa: pressure that drives the loop; capacity_w: rated heat flow of
     * the CDU */
    double supply_k, approach_k, pressure_pa, capacity_w;
    double price, price_date_s;
} wsk_loop_params;
typedef struct {
    bool facility;
} wsk_loop_ops;
/* A rear door; conductance, flows and heat capacity are those of the whole door. */
typedef struct {
    wsk_params head;
    double ua_w_k, flow_m3s, ua_exponent, natural_w_k, drop_pa;
    double supply_k, water_m3s, cap_j_k;
    double share; /* part of the door that lies behind this machine, 0 to 1 */
    double price, price_date_s;
} wsk_door_params;
typedef struct {
    wsk_params head;
    /* pump curve at speed rpm: pressure without flow, flow without pressure; curvature 0 parabola, 1 line */
    double pressure_pa, flow_m3s, rpm, curvature, power_w, power_exponent;
    double speed_rpm, speed_share;
    wsk_control_params control;
    wsk_noise_params noise;
    double price, price_date_s;
} wsk_pump_params;
typedef struct {
    wsk_params head;
    int at, direction;
    double ua_w_k, flow_m3s, ua_exponent, natural_w_k, drop_pa; /* air side: values at the air flow flow_m3s */
    double coolant_w_k, coolant_flow_m3s, coolant_drop_pa;
    double cap_j_k, face_m2;
    double price, price_date_s;
} wsk_radiator_params;

#endif
