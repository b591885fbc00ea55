/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a user must be told of a run: parts beyond their limits, what took the work, which cards' data are guessed. */
#ifndef WSK_FOUND_H
#define WSK_FOUND_H
#include "sim/base/said.h"
#include "sim/control/run.h"

/* True where any chassis has a supply. */
bool wsk_supplied(const wsk_net *net);
/* What the user must be told of this run: a message each, without a full stop (found.c). */
void wsk_found(const wsk_run *run, wsk_said_list *out);
/* Of these, what the page does not tell in lines of its own: parts beyond their limits. */
void wsk_found_parts(const wsk_run *run, wsk_said_list *out);

/* What took the work that limits took, a word: "power limits", "a locked clock" or both. */
const char *wsk_lost_to(const wsk_run *run);
/* What links slower than 16 lanes of PCI Express 4 cost, without a full stop; NULL: they cost nothing. */
const wsk_said *wsk_links_said(wsk_arena *arena, const wsk_net *net);
/* A card whose watts and work are taken from other cards: half widths that hold 80 % of such cards, of its work and of its
 * watts as it runs now. NAN where they are its own. */
typedef struct {
    double work_rel, power_rel;
} wsk_card_open;
wsk_card_open wsk_card_spread(const wsk_run *run, int card);

#endif
