/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_PSYCHRO_H
#define WSK_PSYCHRO_H

/* Saturation pressure of water vapour over liquid water, Pa. Alduchov and Eskridge 1996 (Magnus form), error 0.4 %
 * from -40 to 50 degC. */
double wsk_saturation_pa(double temp_k);
/* Dew point, K, of air at temp_k and relative humidity 0 to 1; 0 K at humidity 0. */
double wsk_dew_point_k(double temp_k, double humidity);
/* Density of moist air relative to dry air of the same temperature and pressure, ideal gases. pressure_rel: pressure
 * divided by 101,325 Pa. */
double wsk_humid_density_rel(double temp_k, double humidity, double pressure_rel);

#endif
