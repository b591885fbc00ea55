/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weather that a study chooses for a rig. */
#ifndef WSK_KIT_WEATHER_H
#define WSK_KIT_WEATHER_H
#include "sim/net/net.h"

/* Gives the steady points of `net` the outdoor temperature at->mean_k; NAN: nothing is changed. `net` must have no
 * other user, and `at` must outlive it. */
void wsk_hold_weather(wsk_net *net, const wsk_outdoor_params *at);

#endif
