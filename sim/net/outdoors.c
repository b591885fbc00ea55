/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "sim/net/outdoors.h"

wsk_outdoors wsk_outdoors_of(const wsk_net *net)
{
    const double span_s = wsk_weather_span_s(net->runspec->for_s);
    const int count = (int)ceil(span_s / 900);
    wsk_outdoors of = {.low_k = INFINITY, .high_k = -INFINITY};
    double start_s = 0;
    int64_t until_ns = 0;
    for (int i = 0; i <= count; i++) {
        const double t = span_s * i / count;
        if (i == 0 || t * WSK_NS >= (double)until_ns)
            start_s = wsk_start_civil_s(net, (int64_t)(t * WSK_NS), &until_ns);
        const double k = net->outdoor_ops->temp_k(net->outdoor_params, start_s + t, t);
        of.mean_k += k * (i % count ? 1 : 0.5);
        of.low_k = wsk_min(of.low_k, k);
        of.high_k = wsk_max(of.high_k, k);
    }
    of.mean_k /= count;
    return of;
}
