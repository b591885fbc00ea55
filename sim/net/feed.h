/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a feed: a UPS or power strip between circuit and PSUs. All values SI; NAN: not given. */
#ifndef WSK_FEED_H
#define WSK_FEED_H
#include "sim/net/kind.h"

typedef struct {
    wsk_params head;
    double rated_w, eff_quarter, eff_full; /* efficiencies at 25 % and 100 % of rated load */
    /* of a UPS: energy of its battery over battery_s when new, NAN: not given; share that is left with age; output over
     * battery; exponent of the runtime over the load; relative spread of the runtime */
    double battery_j, battery_s, battery_age, battery_eff, peukert, battery_spread;
    double price, price_date_s;
} wsk_feed_params;
typedef struct {
    /* Loss, W, at this output power; must not fall as the output rises. */
    double (*loss_w)(const wsk_feed_params *feed, double output_w);
    /* Time for which the battery carries this output, s; 0: no battery. NULL: this kind has none. */
    double (*runtime_s)(const wsk_feed_params *feed, double output_w);
} wsk_feed_ops;

#endif
