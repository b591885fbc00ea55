/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Water. Theory: docs/theory/loop.md, "Coolant: water, glycol-30"
 * At 40 and 60 degC, between which the slopes below are taken: density 992 and 983 kg/m3, viscosity 0.653 and 0.467
 * mPa s. At 40 degC: heat capacity 4,179 J/kgK, conductivity 0.631 W/mK, expansion 3.9e-4 /K (VDI Heat Atlas D2.1). */
#include <math.h>

#include "sim/net/coolant.h"

static void at(double temp_k, wsk_fluid *fluid)
{
    double over = temp_k - 313.15;
    *fluid = (wsk_fluid){.density_kg_m3 = 992 - 0.45 * over,
                         .heat_j_m3k = 4.146e6 - 1.9e3 * over,
                         .viscosity_pa_s = 0.653e-3 * exp(-0.0168 * over),
                         .conductivity_w_mk = 0.631,
                         .expansion_per_k = 3.9e-4};
}
const wsk_coolant wsk_coolant_water = {.name = "water", .help = "water", .freezes_k = 273.15, .at = at};
