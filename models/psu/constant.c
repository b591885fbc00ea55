/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power supply of constant efficiency, for arithmetic that others quote. Theory: docs/theory/psu.md */
#include <math.h>

#include "sim/net/roles.h"

#define P wsk_psu_params
static const wsk_param params[] = {
    WSK_NUM(P, rated_w, "rated", WSK_DIM_POWER, NULL, 0, 1e6, WSK_REQUIRED | WSK_POSITIVE, "rated output"),
    WSK_NUM(P, eff_const, "efficiency", WSK_DIM_FRACTION, NULL, 0.01, 1, WSK_REQUIRED,
            "output over input at any load"),
    WSK_NUM(P, standby_w, "standby", WSK_DIM_POWER, "0 W", 0, 100, 0, "input when switched off"),
    WSK_ASSUME(P, fan_flow_m3s, "fan-flow", WSK_DIM_FLOW, "30 CFM", 1e-4, 10, 0, "air through it",
               "120-140 mm fan at half speed"),
    WSK_ASSUME(P, cap_j_k, "capacity", WSK_DIM_CAPACITY, "1200 J/K", 1, 1e6, 0, "heat capacity",
               "2 kg of copper, steel and aluminium"),
    WSK_ASSUME(P, cond_w_k, "conductance", WSK_DIM_CONDUCTANCE, "6 W/K", 0.01, 1e4, 0, "parts to air at fan-flow",
               "15-20 K over air at full load"),
    WSK_NUM(P, spread, "spread", WSK_DIM_FRACTION, NULL, 0, 0.1, 0,
            "standard deviation of efficiency among such units"),
    WSK_TXT(P, tier, "tier", NULL, 0, "badge"),
    WSK_NUM(P, price, "price", WSK_DIM_PRICE, NULL, 0, 1e6, 0, "purchase price"),
    {.name = NULL}};

static void prepare(const wsk_psu_params *psu, double supply_v, wsk_psu_law *law)
{
    (void)supply_v;
    *law = (wsk_psu_law){.rated_w = psu->rated_w, .eff_const = psu->eff_const, .standby_w = psu->standby_w};
}

static double input_w(const wsk_psu_law *law, double output_w)
{
    return output_w / law->eff_const;
}

static const wsk_psu_ops ops = {prepare, input_w};
const wsk_kind wsk_psu_constant = {.element = "psu",
                                   .name = "constant",
                                   .help = "power supply of constant efficiency",
                                   .size = sizeof(P),
                                   .params = params,
                                   .ops = &ops};
