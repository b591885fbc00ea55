/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sun's time above the horizon by latitude and date, and the curve of a mean solar day stretched to it. Theory:
 * docs/theory/money.md, "The length of the days" */
#ifndef WSK_SUN_H
#define WSK_SUN_H
#include "sim/net/tariff_table.h"

/* Time from sunrise to sunset, s, 0 to WSK_DAY_S, on a day of the year (1 to 366). latitude: degrees, north
 * positive. */
double wsk_sun_day_s(double latitude, int day);
/* Apparent minus mean solar time (equation of time), s, at noon of a day of the year. */
double wsk_sun_equation_s(int day);
/* Solar power, W, of a mean day's curve at this second of the day. From its last point the curve leads over
 * midnight to its first point. */
double wsk_sun_curve(const wsk_curve *surplus, double second);
/* Solar power, W, on a day of the year: the curve of the mean day, stretched about the sun's noon to the length
 * of this day. offset_s: local clock minus UTC, s. */
double wsk_sun_power(const wsk_sun *sun, const wsk_curve *surplus, int day, double offset_s, double second);
/* Fills the table of stretches for this latitude. by_yield true: the months state the energy of each day, so that
 * a stretched day has as much energy as the curve; false: a longer day has more energy. offset_s: mean over the
 * year of local clock minus UTC, s. */
void wsk_sun_make(wsk_sun *sun, const wsk_curve *surplus, double latitude, bool by_yield, double offset_s);

#endif
