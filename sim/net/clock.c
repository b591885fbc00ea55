/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The local clock of the site during a run. Theory: docs/theory/money.md, "Zones" */
#include <math.h>

#include "sim/base/calendar.h"
#include "sim/net/net.h"

double wsk_start_civil_s(const wsk_net *net, int64_t t_ns, int64_t *until_ns)
{
    const wsk_zone *zone = net->plan->zone;
    const double from_s = net->runspec->from_s;
    *until_ns = INT64_MAX;
    if (isnan(from_s))
        return 0;
    if (!zone)
        return from_s;
    int64_t until_s;
    const int offset = wsk_zone_offset(zone, net->start_utc_s + t_ns / WSK_NS, &until_s);
    if (until_s - net->start_utc_s <= INT64_MAX / WSK_NS)
        *until_ns = (until_s - net->start_utc_s) * WSK_NS;
    return (double)(net->start_utc_s + offset);
}
