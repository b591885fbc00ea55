/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "sim/net/outdoors.h"
#include "sim/study/kit/weather.h"

static double constant_k(const wsk_outdoor_params *outdoor)
{
    return outdoor->mean_k;
}

bool wsk_weather_varies(const wsk_net *net, double *low_k, double *high_k)
{
    const double mean_k = net->outdoor_ops->mean_k(net->outdoor_params);
    *low_k = *high_k = mean_k;
    if (net->nodes[net->room].boundary)
        return false;
    const wsk_outdoors of = wsk_outdoors_of(net);
    *low_k = of.low_k;
    *high_k = of.high_k;
    return of.high_k > mean_k + WSK_WEATHER_TOLD_K || of.low_k < mean_k - WSK_WEATHER_TOLD_K;
}

void wsk_hold_weather(wsk_net *net, const wsk_outdoor_params *at)
{
    static const wsk_outdoor_ops ops = {.mean_k = constant_k};
    if (!isnan(at->mean_k)) {
        net->outdoor_params = at;
        net->outdoor_ops = &ops;
    }
}
