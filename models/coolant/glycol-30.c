/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Water with 30 % of propylene glycol by volume. Theory: docs/theory/loop.md, "Coolant: water, glycol-30"
 * At 40 degC: density 1,016 kg/m3, heat capacity 3,860 J/kgK, viscosity 1.4 mPa s (0.95 at 60 degC), conductivity
 * 0.47 W/mK, expansion 5e-4 /K; freezing point -12.8 degC (ASHRAE Handbook, Fundamentals, physical properties of
 * secondary coolants). */
#include <math.h>

#include "sim/net/coolant.h"

static void at(double temp_k, wsk_fluid *fluid)
{
    double over = temp_k - 313.15;
    *fluid = (wsk_fluid){.density_kg_m3 = 1016 - 0.5 * over,
                         .heat_j_m3k = 3.92e6,
                         .viscosity_pa_s = 1.4e-3 * exp(-0.0194 * over),
                         .conductivity_w_mk = 0.47,
                         .expansion_per_k = 5e-4};
}
const wsk_coolant wsk_coolant_glycol_30 = {
    .name = "glycol-30", .help = "water with 30 % of propylene glycol", .freezes_k = 260.35, .at = at};
