/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carbon dioxide per energy from the grid by time of day and season, from the <profile> elements. Theory:
 * docs/theory/money.md */
#include "sim/net/tariff_table.h"

#define P wsk_carbon_params
static const wsk_param params[] = {{.name = NULL}};

/* Each value of a profile holds from its time of day on; before the first time of a day its last value holds. */
static void find_intensity(const wsk_billing *b, const wsk_local *now, wsk_rate *out)
{
    *out = (wsk_rate){.until_s = WSK_DAY_S - now->second};
    for (int i = 0; i < b->n_profiles; i++) {
        const wsk_curve *c = b->profiles[i].curve;
        if (!(b->profiles[i].seasons >> (now->season < 0 ? WSK_SEASONS : now->season) & 1u))
            continue;
        int k = 0;
        while (k < c->count && c->x[k] <= now->second)
            k++;
        out->price = c->y[k ? k - 1 : c->count - 1];
        if (k < c->count)
            out->until_s = (int64_t)c->x[k] - now->second;
        return;
    }
}

static const wsk_child children[] = {{"season", 0, NULL}, {"profile", 0, NULL}, {NULL, 0, NULL}};
static const wsk_carbon_ops ops = {.dated = true, .profiles = true, .at = find_intensity};
const wsk_kind wsk_carbon_daily = {.element = "carbon",
                                   .name = "daily",
                                   .help = "carbon of the grid's energy by hour and season",
                                   .size = sizeof(P),
                                   .params = params,
                                   .children = children,
                                   .ops = &ops};
