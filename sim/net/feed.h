/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a feed: a UPS or power strip between circuit and PSUs. All values SI; NAN: not given. */
#ifndef WSK_FEED_H
#define WSK_FEED_H
#include "sim/net/kind.h"

typedef struct {
    wsk_params head;
    double rated_w, eff_quarter, eff_full;
    /* of a UPS. battery_j: energy that the new battery delivers over battery_s; battery_age: share of that energy
     * that age has left; battery_eff: output / energy from the battery; peukert: exponent of the runtime over the
     * load */
    double battery_j, battery_s, battery_age, battery_eff, peukert, battery_spread;
    double price, price_date_s;
} wsk_feed_params;
typedef struct {
    /* The loss must not fall as the output rises. */
    double (*loss_w)(const wsk_feed_params *feed, double output_w);
    /* Time for which the battery carries this output, s; 0: this UPS has no battery, or there is no output. NULL: no
     * feed of this kind has one. */
    double (*runtime_s)(const wsk_feed_params *feed, double output_w);
} wsk_feed_ops;

#endif
