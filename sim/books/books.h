/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The books: where every watt goes. power.c puts the watts into the nodes and up the power tree, delivery.c through the power
 * supplies to the circuit; account.c books a tick, ledger.c proves that no joule is lost, bill.c prices what the meter reads,
 * observe.c keeps what is watched, by the table in variables.h. Begin with power.c. */
#ifndef WSK_BOOKS_H
#define WSK_BOOKS_H
#include "sim/control/run.h"

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
