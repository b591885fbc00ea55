/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "sim/study/kit/weather.h"

static double constant_k(const wsk_outdoor_params *outdoor)
{
    return outdoor->mean_k;
}

void wsk_hold_weather(wsk_net *net, const wsk_outdoor_params *at)
{
    static const wsk_outdoor_ops ops = {.mean_k = constant_k};
    if (!isnan(at->mean_k)) {
        net->outdoor_params = at;
        net->outdoor_ops = &ops;
    }
}
