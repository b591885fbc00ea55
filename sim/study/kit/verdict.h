/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The changes that help most (found by sim/study/advice/advice.c), as facts and as messages. */
#ifndef WSK_VERDICT_H
#define WSK_VERDICT_H
#include "sim/base/loud.h"

/* chance of throttling above which a message does not say that a change ends the throttling */
#define WSK_TOLD_CHANCE 0.2

typedef struct {
    /* probability of a trip within the run: of a PSU or breaker (trip); of a PSU alone (trip_psu) */
    double trip, trip_psu;
    double over_w, over_psu_w; /* load beyond the circuit's limit, VA, and beyond the PSUs' available power, W */
    double over_feed; /* load of UPS or strip beyond its rating, as a share of it, summed over the circuits */
    /* lost: throughput lost to heat, as a share of the throughput without that loss; margin_k: distance from
     * throttling, K */
    double lost, margin_k;
    bool shuts_down, throttles; /* at the steady point or at the hottest hour */
    /* braked: by the power brake; parts_hot: a part is over its limit; loud: too loud for its place */
    bool braked, parts_hot, room_hot, loud;
    wsk_standing stand;
} wsk_ills;

/* One change of the rig, and the differences of its steady point from that of the unchanged rig; or, if the run has
 * pauses, of a run of the changed rig from the run. */
typedef struct {
    const wsk_said *what;
    const char *const *sets;
    size_t n_sets;
    double work_rel; /* relative change of throughput; NAN: the cards have no work */
    /* Ends of the range of work_rel, if the most influential uncertain input makes the range wide; NAN: no range. */
    double work_low, work_high;
    double point_rel; /* work_rel of the steady points; equals work_rel if that is of the steady points */
    double chance;    /* estimated probability that the changed rig throttles; NAN: unknown */
    double wall_w;
    /* change of the hottest die (NAN: no cards) and of noise (NAN: unknown, or no sound source) */
    double die_k, noise_db;
    double room_k; /* change of the room temperature; NAN: the room temperature is given */
    double year;   /* change of the electricity cost, money a year; NAN: no tariff */
    double purchase;
    char currency[8];
    /* True if throughput rises although no card throttled: a cooler die leaks less and clocks higher under the same
     * limit. */
    bool cooler_clocks;
    bool work_unknown; /* a replay of recorded power counts no work, and the change lowers the cards' power */
    wsk_ills then;
} wsk_change;

enum { WSK_CHANGES = 3 };
typedef struct wsk_advice {
    wsk_change changes[WSK_CHANGES];
    int n;
    /* best rejected changes; filled if no change helps, or if the rig is loud and no change makes it quieter */
    wsk_change vain[WSK_CHANGES];
    int n_vain;
    bool vain_cures; /* with one of `vain` the rig no longer fails or, if only noise is a problem, is quiet enough */
    const wsk_said *before; /* message before the changes, or in their place */
    /* Message on the weather and load for which the changes were judged, if they differ from weather and load of the
     * run; NULL: no message. */
    const wsk_said *basis;
    const wsk_said *idle;
    const wsk_said *hours;
    const wsk_said *checkpoint; /* message on a better time between checkpoints of a job with failures; NULL: none */
    /* True if no change is worthwhile, `vain` is not empty, and the rig neither fails nor throttles, loses no work to
     * heat and has no part over its limit. The message `before` then ends in "Trade-offs:", which introduces the
     * changes in `vain`. */
    bool trade_offs;
    wsk_ills now;
    /* Size, W, of an air conditioner that keeps the room below WSK_HOT_ROOM_C. NAN: not needed, or no sensible
     * size. */
    double cooling_w;
    bool stays_loud; /* there are changes, but none makes the loud rig noticeably quieter */
    const char *currency;
} wsk_advice;

void wsk_change_effects(const wsk_advice *advice, const wsk_change *change, wsk_said_list *out);
const wsk_said *wsk_change_said(wsk_arena *arena, const wsk_advice *advice, const wsk_change *change);
void wsk_advice_say(const wsk_advice *advice, wsk_said_list *out);

#endif
