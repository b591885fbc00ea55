/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "draw/series.h"

static double share_below(const wsk_span *s, double x, bool abrupt)
{
    if (x >= s->max)
        return 1;
    if (x < s->min || s->mean >= s->max)
        return 0;
    if (s->mean <= s->min)
        return 1;
    if (abrupt)
        return (s->max - s->mean) / (s->max - s->min);
    return pow((x - s->min) / (s->max - s->min), (s->mean - s->min) / (s->max - s->mean));
}

double wsk_spans_percentile(const wsk_span *spans, size_t count, double share, bool abrupt)
{
    double low = INFINITY, high = -INFINITY, seconds = 0;
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, spans[i].min);
        high = fmax(high, spans[i].max);
        seconds += spans[i].seconds;
    }
    if (!(seconds > 0) || !isfinite(low) || !isfinite(high))
        return NAN;
    for (int round = 0; round < 20 && high > low; round++) {
        double middle = 0.5 * (low + high), below = 0;
        for (size_t i = 0; i < count; i++)
            below += spans[i].seconds * share_below(&spans[i], middle, abrupt);
        if (below >= share * seconds)
            high = middle;
        else
            low = middle;
    }
    return high;
}

bool wsk_abrupt(const wsk_column *column)
{
    static const wsk_var variables[] = {WSK_VAR_CARD_POWER_W, WSK_VAR_WALL_W, WSK_VAR_DC_W, WSK_VAR_PSU_LOSS_W,
                                        WSK_VAR_SUPPLY_LOAD};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (wsk_column_is(column, variables[i]))
            return true;
    return false;
}
