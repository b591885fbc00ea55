/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The role of what stands between circuit and rig: UPS and power strip. All values SI; NAN means "not given". */
#ifndef WSK_FEED_H
#define WSK_FEED_H
#include "sim/net/kind.h"

typedef struct {
    wsk_params head;
    double rated_w, eff_quarter, eff_full; /* at 25 % and at rated load */
    double price;
} wsk_feed_params;
typedef struct {
    double (*loss_w)(const wsk_feed_params *feed, double output_w); /* never falls with output */
} wsk_feed_ops;

#endif
