/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outdoor air temperature from a data file, linear between its points; the file repeats after its end. Theory:
 * docs/theory/room.md */
#include <math.h>

#include "sim/net/site.h"

#define P wsk_outdoor_params
static const wsk_param params[] = {
    {.name = "file",
     .help = "temperature over time: a table of two columns in the rig's folder or --data",
     .type = WSK_TYPE_SERIES,
     .dim = WSK_DIM_TEMPERATURE,
     .min = 183.15,
     .max = 333.15,
     .flags = WSK_REQUIRED | WSK_RIG_ONLY,
     .offset = offsetof(P, file)},
    {.name = NULL}};

static double mean_k(const P *o)
{
    return o->file.mean;
}

static double interpolate(double a, double b, double share)
{
    return a + (b - a) * share;
}

static double value_at(const wsk_series *s, double t)
{
    double u = t - s->t[0], span = s->t[s->count - 1] - s->t[0];
    if (u < 0 || u > span) {
        u = fmod(u, s->period_s);
        u = u < 0 ? u + s->period_s : u;
    }
    if (u >= span) /* after the last point: interpolates back to the first */
        return s->period_s > span
                   ? interpolate(s->y[s->count - 1], s->y[0], wsk_min((u - span) / (s->period_s - span), 1))
                   : s->y[s->count - 1];
    const size_t low = wsk_series_row(s, s->count - 1, u), high = low + 1;
    return interpolate(s->y[low], s->y[high], (u - (s->t[low] - s->t[0])) / (s->t[high] - s->t[low]));
}

static double temp_k(const P *o, double civil_s, double run_s)
{
    return o->file.count ? value_at(&o->file, o->file.civil ? civil_s : run_s) : o->file.mean;
}

static const wsk_outdoor_ops ops = {.mean_k = mean_k, .temp_k = temp_k};
const wsk_kind wsk_outdoor_file = {.element = "outdoor",
                                   .name = "file",
                                   .is_default = false,
                                   .help = "outdoor temperature from a data file",
                                   .size = sizeof(P),
                                   .params = params,
                                   .ops = &ops,
                                   .traits = WSK_TRAIT_DATED};
