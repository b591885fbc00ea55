/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/base/psychro.h"

#include <math.h>

#include "sim/base/base.h"

double wsk_saturation_pa(double temp_k)
{
    double t = temp_k - WSK_KELVIN;
    return 610.94 * exp(17.625 * t / (t + 243.04));
}

double wsk_dew_point_k(double temp_k, double humidity)
{
    if (!(humidity > 0))
        return 0;
    double x = log(humidity * wsk_saturation_pa(temp_k) / 610.94);
    return WSK_KELVIN + 243.04 * x / (17.625 - x);
}

double wsk_humid_density_rel(double temp_k, double humidity, double pressure_rel)
{
    double vapour = humidity * wsk_saturation_pa(temp_k) / (101325 * pressure_rel);
    return 1 - (1 - 0.62198) * vapour; /* 0.62198: molar mass of water divided by that of dry air */
}
