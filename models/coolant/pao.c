/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthetic polyalphaolefin of viscosity class 2 (nominally 2 mm2/s at 100 degC), a dielectric. Theory:
 * docs/theory/loop.md, "Coolant: pao, mineral-oil". At 40 degC: density 785 kg/m3, heat capacity 2,240 J/kgK,
 * viscosity 5.1 mm2/s (1.7 at 100 degC), conductivity 0.136 W/mK, expansion 8.3e-4 /K, flash point 150 degC at
 * least. All are assumed, as typical of this class of base oil; makers differ by some 5 %. */
#include <math.h>

#include "sim/net/coolant.h"

static void at(double temp_k, wsk_fluid *fluid)
{
    double over = temp_k - 313.15, density = 785 - 0.65 * over;
    *fluid = (wsk_fluid){.density_kg_m3 = density,
                         .heat_j_m3k = density * (2240 + 4 * over),
                         .viscosity_pa_s = 4.0e-3 * exp(-0.0191 * over),
                         .conductivity_w_mk = 0.136,
                         .expansion_per_k = 0.65 / density};
}
const wsk_coolant wsk_coolant_pao = {
    .name = "pao", .help = "synthetic oil, 2 mm2/s at 100 degC", .dielectric = true, .at = at};
