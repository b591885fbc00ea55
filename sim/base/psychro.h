/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Humid air. */
#ifndef WSK_PSYCHRO_H
#define WSK_PSYCHRO_H

/* Saturation pressure of water vapour over water, Pa; Alduchov and Eskridge 1996 (Magnus form), 0.4 % from -40 to 50 degC. */
double wsk_saturation_pa(double temp_k);
/* Dew point, K, of air at temp_k and relative humidity 0-1; at 0 humidity 0 K. */
double wsk_dew_point_k(double temp_k, double humidity);
/* Density of moist over dry air at the same temperature and pressure (pressure_rel: over 101,325 Pa); ideal gases. */
double wsk_humid_density_rel(double temp_k, double humidity, double pressure_rel);

#endif
