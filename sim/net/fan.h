/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a fan, and those that pumps, coolers and radiators have too: controller, noise, place in a case. All
 * values SI; NAN: not given. */
#ifndef WSK_FAN_H
#define WSK_FAN_H
#include "sim/net/kind.h"

extern const char *const wsk_sense_names[], *const wsk_direction_names[], *const wsk_intake_names[];

typedef enum { WSK_SENSE_NONE, WSK_SENSE_GPU, WSK_SENSE_CPU, WSK_SENSE_INLET, WSK_SENSE_COOLANT } wsk_sense;
typedef struct {
    int sensor;
    wsk_curve curve; /* sensor temperature, K -> share of full speed */
    /* total power of the case's cards, W -> lowest temperature, K, at which `curve` is evaluated */
    wsk_curve load_curve;
    double hysteresis_k, period_s, minimum;
    double fails_s;
} wsk_control_params;
typedef struct {
    double dba, distance_m;
} wsk_noise_params;
typedef enum { WSK_DIR_EXHAUST, WSK_DIR_INTAKE, WSK_DIR_OUTSIDE } wsk_direction;
typedef enum { WSK_AT_FRONT, WSK_AT_REAR, WSK_AT_TOP, WSK_AT_BOTTOM, WSK_AT_SIDE, WSK_AT_WALL } wsk_place;
extern const char *const wsk_place_names[];

typedef struct {
    wsk_params head;
    int at; /* place in the case, a wsk_place; fans at rear and top blow out, all others in */
    double count;
    double diameter_m, pressure_pa, flow_m3s, rpm, curvature, power_w, power_exponent;
    double speed_rpm, speed_share; /* fixed speed, in rpm or as a share of rpm; both NAN: full speed */
    double fails;                  /* how many of the `count` fans fail at the time control.fails_s; NAN: all */
    /* loss: loss coefficient of grill and filter, NAN: that of the chassis; blocked: covered share of the fan's
     * face */
    double loss, blocked;
    wsk_control_params control;
    wsk_noise_params noise;
    double price, price_date_s;
} wsk_fan_params;
/* Pressure rise a nu^2 + b nu q - d q|q|, Pa, of a fan at flow q, m3/s, in air of density WSK_RHO0; nu: speed divided
 * by full speed. */
typedef struct {
    double a, b, d;
} wsk_fan_law;

#endif
