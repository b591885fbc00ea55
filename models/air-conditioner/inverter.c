/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inverter air conditioner: cooling rises from 0 to capacity as the room exceeds the setpoint by `band`. Electric
 * power = cooling / COP. Capacity and COP are rated at 35 degC outdoors (ISO 5151, condition T1) and change with the
 * outdoor temperature. Theory: docs/theory/room.md
 * Source of the curves: direct-expansion curves HPACEIRFT and HPACCoolCapFT of EnergyPlus and the Modelica Buildings
 * library, at 19.4 degC wet bulb indoors; fitted for 18-46.1 degC outdoors. */
#include "sim/net/site.h"

#define P wsk_ac_params
static const wsk_param params[] = {
    WSK_NUM(P, capacity_w, "capacity", WSK_DIM_POWER, NULL, 1, 1e8, WSK_REQUIRED,
            "cooling power at full speed and 35 degC outdoors"),
    WSK_NUM(P, setpoint_k, "setpoint", WSK_DIM_TEMPERATURE, "26 degC", 273.15, 323.15, 0,
            "room temperature it holds"),
    WSK_ASSUME(P, cop, "cop", WSK_DIM_NONE, "3.5", 0.5, 20, 0, "heat removed per electric energy at 35 degC outdoors",
               "rating of the modelled unit; split units 3-4, portable ones 2.5-3"),
    WSK_CUR(P, cop_curve, "cop-curve", WSK_DIM_TEMPERATURE, 173.15, 473.15, WSK_DIM_NONE, 0.5, 20, NULL, 0,
            "outdoor temperature to COP, instead of cop: \"20 degC:4.5, 35 degC:3.5\""),
    WSK_ASSUME(P, band_k, "band", WSK_DIM_TEMP_DIFF, "1 K", 0.1, 10, 0, "excess over the setpoint at full speed",
               "proportional band of an inverter unit"),
    WSK_NUM(P, fails_s, "fails-at", WSK_DIM_TIME, NULL, 0, 3.2e9, WSK_RIG_ONLY, "time at which it stops for good"),
    {.name = NULL}};

/* Coefficients of the curve c0 + c1 x + c2 x^2 + c3 y + c4 y^2 + c5 x y; x: indoor wet bulb, y: outdoors, both degC. */
typedef struct {
    double c0, c1, c2, c3, c4, c5;
} biquadratic;
static const biquadratic energy = {0.342414409, 0.034885008, -0.0006237, 0.004977216, 0.000437951, -0.000728028};
static const biquadratic cooling = {0.942587793, 0.009543347, 0.00068377, -0.011042676, 5.249e-06, -9.72e-06};

/* A curve divided by its value at the rating point, 35 degC outdoors. Below 18 degC, the lower end of the fitted
 * range, the value at 18 degC is used. Above the range the curve continues, because efficiency and capacity do fall
 * further on a hot roof. */
static double relative(const biquadratic *c, double outdoor_k)
{
    const double x = 19.4, rated = 35;
    double y = wsk_max(outdoor_k - WSK_KELVIN, 18), base = c->c0 + (c->c1 + c->c2 * x) * x, slope = c->c3 + c->c5 * x;
    return (base + (slope + c->c4 * y) * y) / (base + (slope + c->c4 * rated) * rated);
}

static double cop(const P *a, double outdoor_k)
{
    return a->cop_curve.count ? wsk_curve_at(&a->cop_curve, outdoor_k) : a->cop / relative(&energy, outdoor_k);
}

static double capacity_w(const P *a, double outdoor_k)
{
    return a->capacity_w * wsk_max(relative(&cooling, outdoor_k), 0);
}

static const wsk_ac_ops ops = {.cop = cop, .capacity_w = capacity_w};
const wsk_kind wsk_air_conditioner_inverter = {.element = "air-conditioner",
                                               .name = "inverter",
                                               .is_default = true,
                                               .help = "room air conditioner",
                                               .size = sizeof(P),
                                               .params = params,
                                               .ops = &ops};
