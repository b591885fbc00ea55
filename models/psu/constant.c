/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PSU of constant efficiency, for comparison with simple calculations. Theory: docs/theory/psu.md */
#include <math.h>

#include "sim/net/psu_table.h"

#define P wsk_psu_params
static const wsk_param params[] = {
    WSK_NUM(P, rated_w, "rated", WSK_DIM_POWER, NULL, 1, 1e6, WSK_REQUIRED, "rated output"),
    WSK_NUM(P, eff_const, "efficiency", WSK_DIM_FRACTION, NULL, 0.01, 1, WSK_REQUIRED,
            "output over input at any load"),
    WSK_NUM(P, power_factor, "power-factor", WSK_DIM_FRACTION, "100 %", 0.5, 1, 0, "power factor at any load"),
    WSK_NUM(P, standby_w, "standby", WSK_DIM_POWER, "0 W", 0, 100, 0, "input when switched off"),
    WSK_PSU_ROWS,
    {.name = NULL}};

static void prepare(const wsk_psu_params *psu, double supply_v, wsk_psu_law *law)
{
    *law = (wsk_psu_law){.rated_w = psu->rated_w,
                         .limit_w = wsk_psu_limit_w(psu, supply_v),
                         .eff_const = psu->eff_const,
                         .standby_w = psu->standby_w,
                         .power_factor = psu->power_factor};
}

static double input_w(const wsk_psu_law *law, double output_w)
{
    return output_w / law->eff_const;
}

static const wsk_psu_ops ops = {prepare, input_w};
const wsk_kind wsk_psu_constant = {.element = "psu",
                                   .name = "constant",
                                   .help = "PSU of constant efficiency",
                                   .size = sizeof(P),
                                   .params = params,
                                   .ops = &ops,
                                   .traits = WSK_TRAIT_CONSTANT_EFFICIENCY};
