/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fans, and what they share with pumps, coolers and radiators: a controller, noise, places in a case. All values SI; NAN means "not given". */
#ifndef WSK_FAN_H
#define WSK_FAN_H
#include "sim/net/kind.h"

extern const char *const wsk_sense_names[], *const wsk_direction_names[],
                                                *const wsk_intake_names[]; /* end with NULL */

typedef enum { WSK_SENSE_NONE, WSK_SENSE_GPU, WSK_SENSE_CPU, WSK_SENSE_INLET, WSK_SENSE_COOLANT } wsk_sense;
typedef struct {
    int sensor;                             /* wsk_sense */
    wsk_curve curve;                        /* sensor K -> share of full speed */
    double hysteresis_k, period_s, minimum; /* minimum: share of full speed */
    double fails_s;                         /* from the start of the run; NAN: never */
} wsk_control_params;
typedef struct {
    double dba, distance_m; /* at full speed, of one; NAN: not stated */
} wsk_noise_params;
/* Where a radiator's air comes from and goes to. */
typedef enum { WSK_DIR_EXHAUST, WSK_DIR_INTAKE, WSK_DIR_OUTSIDE } wsk_direction;
typedef enum { WSK_AT_FRONT, WSK_AT_REAR, WSK_AT_TOP, WSK_AT_BOTTOM, WSK_AT_SIDE, WSK_AT_WALL } wsk_place;
extern const char *const wsk_place_names[]; /* ends with NULL */

typedef struct {
    wsk_params head;
    int at;       /* wsk_place */
    double count; /* identical fans in parallel */
    double diameter_m, pressure_pa, flow_m3s, rpm, curvature, power_w, power_exponent;
    double speed_rpm, speed_share; /* setting; NAN: full speed */
    double fails;                  /* how many of count fail at fails_s; NAN: all */
    double loss, blocked;          /* grill and filter, NAN: the chassis's; share of the face that is blocked */
    wsk_control_params control;
    wsk_noise_params noise;
    double price;
} wsk_fan_params;
/* Dp = A nu^2 + B nu q - D q|q| of one fan at density rho0; from shut-off pressure, free flow, curvature. */
typedef struct {
    double a, b, d;
} wsk_fan_law;

#endif
