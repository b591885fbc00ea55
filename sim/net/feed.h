/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a feed: a UPS or power strip between circuit and PSUs. All values SI; NAN: not given. */
#ifndef WSK_FEED_H
#define WSK_FEED_H
#include "sim/net/kind.h"

typedef struct {
    wsk_params head;
    double rated_w, eff_quarter, eff_full;
    /* Of a UPS. battery_j: energy that the new battery delivers if it is discharged within the time battery_s.
     * battery_age: energy of the aged battery divided by battery_j. battery_eff: output of the UPS divided by the
     * energy from its battery. peukert: the runtime is proportional to load^-peukert. battery_spread: relative
     * uncertainty of the runtime. */
    double battery_j, battery_s, battery_age, battery_eff, peukert, battery_spread;
    double price, price_date_s;
} wsk_feed_params;
typedef struct {
    /* The loss must not fall as the output rises. */
    double (*loss_w)(const wsk_feed_params *feed, double output_w);
    /* Time for which the battery carries this output, s; 0: this UPS has no battery, or there is no output. NULL: no
     * feed of this kind has a battery. */
    double (*runtime_s)(const wsk_feed_params *feed, double output_w);
} wsk_feed_ops;

#endif
