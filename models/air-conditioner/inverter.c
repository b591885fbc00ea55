/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inverter air conditioner: cooling rises from 0 to capacity as the room exceeds the setpoint by `band`;
 * electric power = cooling / COP. Theory: docs/theory/room.md
 * Source: physics.md section 5; money/cooling.csv gives COP 2.5-4.5 for split units, 3.2 is taken. */
#include "sim/net/roles.h"

#define P wsk_ac_params
static const wsk_param params[] = {
    WSK_NUM(P, capacity_w, "capacity", WSK_DIM_POWER, NULL, 1, 1e8, WSK_REQUIRED, "cooling power at full speed"),
    WSK_NUM(P, setpoint_k, "setpoint", WSK_DIM_TEMPERATURE, "26 degC", 273.15, 323.15, 0,
            "room temperature it holds"),
    WSK_ASSUME(P, cop, "cop", WSK_DIM_NONE, "3.2", 0.5, 20, 0, "heat removed per electric energy",
               "middle of split units at 30-35 degC outdoors"),
    WSK_CUR(P, cop_curve, "cop-curve", WSK_DIM_TEMPERATURE, WSK_DIM_NONE, NULL, 0,
            "outdoor temperature to COP, instead of cop: \"20 degC:4.5, 35 degC:3.5\""),
    WSK_ASSUME(P, band_k, "band", WSK_DIM_TEMP_DIFF, "1 K", 0.1, 10, 0, "excess over the setpoint at full speed",
               "proportional band of an inverter unit"),
    {.name = NULL}};

static double cop(const P *a, double outdoor_k)
{
    const wsk_curve *c = &a->cop_curve;
    if (c->count == 0)
        return a->cop;
    for (int i = 0; i < c->count; i++)
        if (outdoor_k <= c->x[i])
            return i == 0 ? c->y[0] : c->y[i - 1] + (c->y[i] - c->y[i - 1]) * (outdoor_k - c->x[i - 1]) / (c->x[i] - c->x[i - 1]);
    return c->y[c->count - 1];
}

static const wsk_ac_ops ops = {.cop = cop};
const wsk_kind wsk_air_conditioner_inverter = {.element = "air-conditioner",
                                               .name = "inverter",
                                               .is_default = true,
                                               .help = "room air conditioner",
                                               .size = sizeof(P),
                                               .params = params, .ops = &ops};
