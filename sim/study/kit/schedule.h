/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power limits by the time of day. */
#ifndef WSK_KIT_SCHEDULE_H
#define WSK_KIT_SCHEDULE_H
#include "sim/net/net.h"

/* True if the power limit of a card changes over the day: its steady point has the mean of the limits, and the power
 * of no hour. */
bool wsk_limits_change(const wsk_net *net);

#endif
