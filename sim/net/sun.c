/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sunrise and sunset by declination and hour angle. Theory: docs/theory/money.md, "The length of the days" */
#include <math.h>

#include "sim/base/calendar.h"
#include "sim/net/sun.h"

static const double pi = 3.14159265358979323846, half_day_s = WSK_DAY_S / 2.0;
enum { QUARTER_S = 900 };

/* The date as an angle, rad. This angle and the two series below, for the declination (rad) and the equation of
 * time, are those of Spencer 1971, as in NOAA's general solar position calculations. */
static double angle_of(int day)
{
    return 2 * pi / 365 * (day - 1);
}

static double declination_of(int day)
{
    const double y = angle_of(day);
    return 0.006918 - 0.399912 * cos(y) + 0.070257 * sin(y) - 0.006758 * cos(2 * y) + 0.000907 * sin(2 * y) -
           0.002697 * cos(3 * y) + 0.00148 * sin(3 * y);
}

double wsk_sun_equation_s(int day)
{
    const double y = angle_of(day), minutes = 229.18 * (0.000075 + 0.001868 * cos(y) - 0.032077 * sin(y) -
                                                        0.014615 * cos(2 * y) - 0.040849 * sin(2 * y));
    return 60 * minutes;
}

double wsk_sun_day_s(double latitude, int day)
{
    /* Zenith angle of the sun's centre at sunrise: the centre is then 50' below the horizon, of which 34' are
     * refraction and 16' the sun's radius. */
    const double below = 90.833 * pi / 180, north = latitude * pi / 180, declination = declination_of(day);
    const double shares = cos(north) * cos(declination), above = cos(below) - sin(north) * sin(declination);
    if (above >= shares)
        return 0;
    if (above <= -shares)
        return WSK_DAY_S;
    return 2 * acos(above / shares) / (2 * pi) * WSK_DAY_S;
}

double wsk_sun_curve(const wsk_curve *c, double second)
{
    double x0 = c->x[c->count - 1] - WSK_DAY_S, y0 = c->y[c->count - 1], x = c->x[0], y = c->y[0];
    for (int i = 0; second > x; i++) {
        x0 = x, y0 = y;
        x = i + 1 < c->count ? c->x[i + 1] : c->x[0] + WSK_DAY_S;
        y = i + 1 < c->count ? c->y[i + 1] : c->y[0];
    }
    return x > x0 ? y0 + (y - y0) * (second - x0) / (x - x0) : y;
}

static double wrapped(double second)
{
    return second - WSK_DAY_S * floor(second / WSK_DAY_S);
}

/* Value of the curve after_s seconds after the sun's noon, with the time from noon divided by `stretch`. The divided
 * time is limited to half a day before or after noon. */
static double stretched(const wsk_sun *sun, const wsk_curve *surplus, double stretch, double after_s)
{
    const double at = stretch > 0 ? after_s / stretch : INFINITY;
    return wsk_sun_curve(surplus, wrapped(sun->noon_s + fmax(-half_day_s, fmin(half_day_s, at))));
}

double wsk_sun_power(const wsk_sun *sun, const wsk_curve *surplus, int day, double offset_s, double second)
{
    const double noon_s = sun->noon_s + offset_s - sun->offset_s - wsk_sun_equation_s(day);
    const double after_s = wrapped(second - noon_s + half_day_s) - half_day_s;
    return sun->scale[day - 1] * stretched(sun, surplus, sun->stretch[day - 1], after_s);
}

/* Time of the sun's noon by the curve, s of the day: the centre of the curve's energy, computed as an angle
 * because the curve repeats daily. */
static double noon_of(const wsk_curve *surplus)
{
    double east = 0, north = 0;
    for (int s = QUARTER_S / 2; s < WSK_DAY_S; s += QUARTER_S) {
        const double w = wsk_sun_curve(surplus, s), angle = 2 * pi * s / WSK_DAY_S;
        east += w * sin(angle);
        north += w * cos(angle);
    }
    return hypot(east, north) > 0 ? wrapped(atan2(east, north) / (2 * pi) * WSK_DAY_S) : half_day_s;
}

void wsk_sun_make(wsk_sun *sun, const wsk_curve *surplus, double latitude, bool by_yield, double offset_s)
{
    double mean_s = 0, all = 0;
    sun->noon_s = noon_of(surplus);
    sun->offset_s = offset_s;
    for (int day = 1; day <= 365; day++)
        mean_s += wsk_sun_day_s(latitude, day) / 365;
    for (int s = QUARTER_S / 2; s < WSK_DAY_S; s += QUARTER_S)
        all += wsk_sun_curve(surplus, s);
    for (int day = 1; day <= 366; day++) {
        double sum = 0;
        sun->stretch[day - 1] = wsk_sun_day_s(latitude, day) / mean_s;
        for (int s = QUARTER_S / 2; s < WSK_DAY_S; s += QUARTER_S)
            sum += stretched(sun, surplus, sun->stretch[day - 1], s - half_day_s);
        sun->scale[day - 1] = !by_yield ? 1 : sum > 0 ? all / sum : 0;
    }
}
