/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The books: where every watt goes. power.c puts the watts into the nodes and up the power tree, delivery.c through the power
 * supplies to the circuit; account.c books a tick, ledger.c proves that no joule is lost, bill.c prices what the meter reads,
 * observe.c keeps what is watched, by the table in variables.h. Begin with power.c. */
#ifndef WSK_BOOKS_H
#define WSK_BOOKS_H
#include "sim/books/bill.h"
#include "sim/control/run.h"

/* Independent accounts of the ledger, J. */
typedef struct {
    wsk_sum dc, wall, psu_loss, cooling_electric, side; /* metered; side: ac loads on the circuit */
    wsk_sum cooling_heat;                               /* what the air conditioner took from the room */
    wsk_sum out;                                        /* through the boundary */
    wsk_sum defect;                                     /* |given - taken| at media nodes */
    wsk_sum strayed, carried; /* heat-capacity flow x time: unbalanced at nodes, and in all */
} wsk_ledger;

/* Accounts, saved with the run. Peaks and sums are those of the window (wsk_window_s). */
struct wsk_books {
    double wall_peak_w, dc_peak_w, va_peak;
    int64_t over_limit_ns;             /* time over the circuit's continuous limit */
    wsk_sum feed_loss;                 /* of UPS and strip, J */
    double feed_peak_rel;              /* highest load of the one most loaded, over its rating */
    double breaker_heat, breaker_most; /* of its thermal element, (I/I_n)^2; the most so far */
    double breaker_h,
        breaker_keeps;          /* length of a step, s, and the share of its heat that the element keeps over it */
    double noise_s, noise_peak; /* noise power x time, and its peak */
    wsk_bill bill;
    wsk_ledger ledger;
    double stretch_s, stretch_ac_j; /* since speeds last changed: time; heat and watts of the air conditioner */
    int64_t weather_ns;             /* end of the minute for which the next three hold */
    double weather_k[2];            /* outdoors, at both ends of that minute */
    double cooling_w[2],
        compressing_w[2];         /* of the air conditioner at both ends: the most it takes out, what it then draws */
    int64_t bucket_ns, n_buckets; /* of the series: where the open bucket began; closed ones */
    int64_t sampled_ns;           /* when the air was last looked at */
};

/* Weather and what the room is given, where all else of the power tree stands as it was. */
void wsk_follow_room(wsk_run *run);
/* Watts into nodes and up the power tree for the coming step (power.c). */
void wsk_power_tree(wsk_run *run);
/* Through the supplies: wall_w, va, their losses into heat; their accounts over a step (delivery.c). True where a chassis pulled
 * its power brake just now. */
bool wsk_deliver(wsk_run *run);
/* False where a brake that is not pulled would be, at the present temperatures. */
bool wsk_brakes_rest(const wsk_run *run);
/* What UPS and strip lose with the rig drawing wall_w; *over (may be NULL): load of the one most loaded, over its rating. */
double wsk_feed_loss_w(const wsk_net *net, double wall_w, double *over);
/* What a tick of dt is booked to; before rates change, or sums are read: what is still to be booked of ticks at which all rested
 * (account.c). */
void wsk_book_tick(wsk_run *run, int64_t dt_ns);
void wsk_book_repeats(wsk_run *run);
/* What a supply carries of a card, W for each of the card's. */
double wsk_supply_share(const wsk_run *run, const wsk_card *card, int supply);
void wsk_account_delivery(wsk_run *run, double h, int64_t dt_ns);
/* Share of a card's intake air by where it was last; sums to 1. All 0: a block in a loop (intake.c). */
void wsk_intake_shares(const wsk_run *run, int card, double share[WSK_INTAKES]);

/* Books one step (ledger.c). */
void wsk_ledger_start(wsk_run *run);
void wsk_ledger_step(wsk_run *run, double h);
/* What constant speeds make linear is booked once for each stretch of them: before they change, or what they meet. */
void wsk_ledger_close(wsk_run *run);
/* Accounts with the open stretch in them. */
wsk_ledger wsk_ledger_now(const wsk_run *run);
wsk_mover_state wsk_mover_now(const wsk_run *run, int mover);
double wsk_stored_j(const wsk_run *run);
double wsk_residual(const wsk_run *run);
double wsk_splitting(const wsk_run *run);

#endif
