/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "sim/study/kit/schedule.h"

bool wsk_limits_change(const wsk_net *net)
{
    bool change = false;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_curve *plan = &net->cards[i].gpu->limit_schedule;
        for (int k = 1; k < plan->count && isnan(net->cards[i].gpu->pin_power_w); k++)
            change = change || plan->y[k] < plan->y[0] || plan->y[k] > plan->y[0];
    }
    return change;
}
