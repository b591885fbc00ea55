/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The outdoor air of a run. */
#ifndef WSK_OUTDOORS_H
#define WSK_OUTDOORS_H
#include "sim/net/net.h"

/* Outdoor temperatures, K, over wsk_weather_span_s of the run: the mean by trapezoids, lowest and highest. */
typedef struct {
    double mean_k, low_k, high_k;
} wsk_outdoors;
wsk_outdoors wsk_outdoors_of(const wsk_net *net);

#endif
