/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_MOVER_TABLE_H
#define WSK_MOVER_TABLE_H
#include "sim/net/fan.h"

/* Rows of speed control and failure. S: parameter struct; c: its field of type wsk_control_params. */
#define WSK_CONTROL_ROWS(S, c) \
    WSK_CHO( \
        S, c.sensor, "sensor", wsk_sense_names, "none", 0, \
        "sensor that its speed follows: the hottest gpu, the cpu, the inlet air, the coolant; none: fixed speed"), \
        WSK_CUR(S, c.curve, "curve", WSK_DIM_TEMPERATURE, 173.15, 473.15, WSK_DIM_FRACTION, 0, 1, NULL, 0, \
                "sensor temperature to share of rpm; default 30 % at 40 degC, full speed at 80 (coolant and inlet: " \
                "25 and 45)"), \
        WSK_CUR(S, c.load_curve, "load-curve", WSK_DIM_POWER, 0, 1e7, WSK_DIM_TEMPERATURE, 173.15, 473.15, NULL, 0, \
                "with sensor=\"gpu\": total power of the case's cards to the lowest temperature at which its curve " \
                "is evaluated, as management processors speed up fans before the cards are hot"), \
        WSK_ASSUME(S, c.hysteresis_k, "hysteresis", WSK_DIM_TEMP_DIFF, "2 K", 0, 30, 0, \
                   "fall of the sensor before it slows", "board firmwares offer 1-5 K"), \
        WSK_ASSUME(S, c.period_s, "period", WSK_DIM_TIME, "2 s", 0.1, 600, 0, "time between two decisions", \
                   "controllers of boards and management processors: 1-5 s"), \
        WSK_ASSUME(S, c.minimum, "minimum", WSK_DIM_FRACTION, "20 %", 0, 1, 0, \
                   "least share of rpm when it follows a sensor", "four-wire fans start at 20-30 %"), \
        WSK_NUM(S, c.fails_s, "fails-at", WSK_DIM_TIME, NULL, 0, 3.2e9, WSK_RIG_ONLY, \
                "time from the start of the run at which it stops for good")

/* Rows of noise. S: parameter struct; n: its field of type wsk_noise_params; what: help text of the level. */
#define WSK_NOISE_ROWS(S, n, what) \
    WSK_NUM(S, n.dba, "noise", WSK_DIM_SOUND, NULL, -20, 130, 0, what), \
        WSK_NUM(S, n.distance_m, "noise-distance", WSK_DIM_LENGTH, "1 m", 0.01, 100, 0, "distance of that level")

#endif
