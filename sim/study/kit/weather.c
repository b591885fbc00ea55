/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "sim/study/kit/weather.h"

static double constant_k(const wsk_outdoor_params *outdoor)
{
    return outdoor->mean_k;
}

bool wsk_weather_varies(const wsk_net *net, double *low_k, double *high_k)
{
    const double every_s = 900, until_s = wsk_weather_span_s(net->runspec->for_s),
                 mean_k = net->outdoor_ops->mean_k(net->outdoor_params);
    *low_k = *high_k = mean_k;
    if (net->nodes[net->room].boundary)
        return false;
    *low_k = INFINITY;
    *high_k = -INFINITY;
    for (double t = 0; t <= until_s; t += every_s) {
        int64_t until_ns;
        const double start = wsk_start_civil_s(net, (int64_t)(t * 1e9), &until_ns),
                     now_k = net->outdoor_ops->temp_k(net->outdoor_params, start + t, t);
        *low_k = fmin(*low_k, now_k);
        *high_k = fmax(*high_k, now_k);
    }
    return *high_k > mean_k + WSK_WEATHER_TOLD_K || *low_k < mean_k - WSK_WEATHER_TOLD_K;
}

void wsk_hold_weather(wsk_net *net, const wsk_outdoor_params *at)
{
    static const wsk_outdoor_ops ops = {.mean_k = constant_k};
    if (!isnan(at->mean_k)) {
        net->outdoor_params = at;
        net->outdoor_ops = &ops;
    }
}
