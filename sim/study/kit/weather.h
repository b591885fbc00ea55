/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weather that a study chooses for a rig. */
#ifndef WSK_KIT_WEATHER_H
#define WSK_KIT_WEATHER_H
#include "sim/net/net.h"

/* Gives the steady points of `net` the outdoor temperature at->mean_k; NAN: nothing is changed. `net` must have no
 * other user, and `at` must outlive it. */
void wsk_hold_weather(wsk_net *net, const wsk_outdoor_params *at);

/* True if the room follows outdoor air that, in the run or the first year of a longer run, is further than
 * WSK_WEATHER_TOLD_K from its mean, at which steady points are solved. The day of the start counts as a whole. *low_k,
 * *high_k: lowest and highest outdoor temperature of that time, K; the mean if the room follows no outdoor air. */
#define WSK_WEATHER_TOLD_K 0.5
bool wsk_weather_varies(const wsk_net *net, double *low_k, double *high_k);

#endif
