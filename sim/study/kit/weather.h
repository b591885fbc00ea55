/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weather that a study chooses for a rig. */
#ifndef WSK_KIT_WEATHER_H
#define WSK_KIT_WEATHER_H
#include "sim/net/net.h"

/* Gives the steady points of `net` the outdoor temperature at->mean_k; NAN: nothing is changed. `net` must have no
 * other user, and `at` must outlive it. */
void wsk_hold_weather(wsk_net *net, const wsk_outdoor_params *at);

/* Lowest and highest outdoor temperature of the run, or of its first year if it is longer, K. The day of the start
 * counts as a whole. */
void wsk_weather_range(const wsk_net *net, double *low_k, double *high_k);

/* True if the room follows outdoor air that is not always at its mean, at which steady points are solved. */
bool wsk_weather_varies(const wsk_net *net, double low_k, double high_k);

#endif
