/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A price by time of day, day and season. Of the <period> elements (models/period) that hold at a time, the most
 * specific one gives the price. A period without hours covers all hours that no other covers. Theory:
 * docs/theory/money.md */
#include "sim/net/tariff_table.h"

#define P wsk_tariff_params
static const wsk_param params[] = {WSK_TARIFF_ROWS, {.name = NULL}};

static int64_t sooner(int64_t until, int at, int second)
{
    return at > second && at - second < until ? at - second : until;
}

/* out->until_s: seconds until the next period begins or ends on this day; INT64_MAX: none does. */
static void find_rate(const wsk_billing *b, const wsk_local *now, wsk_rate *out)
{
    int best = -1;
    *out = (wsk_rate){.until_s = INT64_MAX};
    for (int i = 0; i < b->n_periods; i++) {
        const wsk_span *s = &b->periods[i].when;
        if (wsk_span_holds(s, now) && (best < 0 || s->rank > b->periods[best].when.rank))
            best = i;
        if (s->timed)
            out->until_s = sooner(sooner(out->until_s, s->from_s, now->second), s->to_s, now->second);
    }
    if (best < 0)
        return;
    out->price = b->periods[best].price_j;
    out->period = b->periods[best].name;
}

static const wsk_child children[] = {{"period", 0, NULL}, {"season", 0, NULL},  {"block", 0, NULL},
                                     {"demand", 0, NULL}, {"holiday", 0, NULL}, {NULL, 0, NULL}};
static const wsk_tariff_ops ops = {.dated = true, .all_periods = true, .at = find_rate};
const wsk_kind wsk_tariff_time_of_use = {.element = "tariff",
                                         .name = "time-of-use",
                                         .help = "a price by clock, day and season",
                                         .size = sizeof(P),
                                         .params = params,
                                         .children = children,
                                         .ops = &ops};
