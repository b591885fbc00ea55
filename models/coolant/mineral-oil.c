/* SPDX-License-Identifier: GPL-3.0-or-later */
/* White mineral oil of 10 mm2/s at 40 degC, a dielectric. Theory: docs/theory/loop.md, "Coolant: pao, mineral-oil"
 * At 40 degC: density 840 kg/m3, heat capacity 1,970 J/kgK, viscosity 10 mm2/s (2.7 at 100 degC), conductivity
 * 0.13 W/mK, expansion 7.6e-4 /K. All are assumed: white oils differ by 5 % in heat capacity and by a factor of two in
 * viscosity. */
#include <math.h>

#include "sim/net/coolant.h"

static void at(double temp_k, wsk_fluid *fluid)
{
    double over = temp_k - 313.15, density = 840 - 0.64 * over;
    *fluid = (wsk_fluid){.density_kg_m3 = density,
                         .heat_j_m3k = density * (1970 + 3.6 * over),
                         .viscosity_pa_s = 8.4e-3 * exp(-0.0225 * over),
                         .conductivity_w_mk = 0.13,
                         .expansion_per_k = 0.64 / density};
}
const wsk_coolant wsk_coolant_mineral_oil = {
    .name = "mineral-oil", .help = "white mineral oil, 10 mm2/s at 40 degC", .dielectric = true, .at = at};
