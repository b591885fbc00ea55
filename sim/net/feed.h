/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The role of a feed between circuit and rig: UPS or power strip. All values SI; NAN: not given. */
#ifndef WSK_FEED_H
#define WSK_FEED_H
#include "sim/net/kind.h"

typedef struct {
    wsk_params head;
    double rated_w, eff_quarter, eff_full; /* efficiencies at 25 % and 100 % of rated load */
    double price;
} wsk_feed_params;
typedef struct {
    /* loss at this output; must not fall as output rises */
    double (*loss_w)(const wsk_feed_params *feed, double output_w);
} wsk_feed_ops;

#endif
