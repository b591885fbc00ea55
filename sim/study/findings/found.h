/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings of a run: parts beyond their limits, causes of lost throughput, and the uncertainty of cards. fill.c adds
 * results to the summary, page.c chooses the content of the terminal page. Begin with found.c. */
#ifndef WSK_FOUND_H
#define WSK_FOUND_H
#include "sim/base/said.h"
#include "sim/control/run.h"

bool wsk_supplied(const wsk_net *net);
/* True if a part exceeded its temperature limit or a card had a thermal runaway. */
bool wsk_parts_too_hot(const wsk_run *run);
/* True if the run has a problem of power or heat: a PSU, circuit, UPS, power strip or CDU was overloaded or went off,
 * something may trip, something shut down or got too hot, or a coolant fell below its freezing point. */
bool wsk_found_ills(const wsk_run *run);
/* Adds all findings of the run: one message each, without a full stop (found.c). */
void wsk_found(const wsk_run *run, wsk_said_list *out);
/* Adds all findings except those on shutdowns, PSUs, circuits, trips, estimated cards and facility water, which the
 * terminal page (page.c) prints in separate lines. */
void wsk_found_parts(const wsk_run *run, wsk_said_list *out);
/* Adds the findings on parts beyond their temperature limits. */
void wsk_found_hot(const wsk_run *run, wsk_said_list *out);
/* Adds a message if a steady point, which has no time of day, was solved with the mean of a schedule of power limits. */
void wsk_found_schedules(const wsk_run *run, wsk_said_list *out);
/* Adds a message for each kind of card whose power and throughput are estimated from other cards. */
void wsk_found_guesses(const wsk_run *run, wsk_said_list *out);
/* Adds a message on the heat that went into the facility's water, whose cooling is neither metered nor priced. */
void wsk_found_water(const wsk_run *run, wsk_said_list *out);

/* Message on a circuit that went off: when, and what that stops; without a full stop. */
const wsk_said *wsk_line_said(wsk_arena *arena, const wsk_run *run, int line);
/* Message on a PSU that failed as scheduled: when, and which machines that stops; NULL: it stopped none, or the run is
 * a steady point. */
const wsk_said *wsk_supply_said(wsk_arena *arena, const wsk_run *run, int supply);

/* Cause of the throughput lost to limits, as a word to translate: "power limits", "a locked clock" or both. */
const char *wsk_lost_to(const wsk_run *run);
/* Message on throughput lost to links slower than 16 lanes of PCI Express 4, without a full stop; NULL: no loss. */
const wsk_said *wsk_links_said(wsk_arena *arena, const wsk_net *net);
/* Message on the rate of a language model over the whole time, if a load-curve lets its cards wait; NULL: they do not
 * wait, or the rate is unknown. busy_s: tokens a second while they work. */
const wsk_said *wsk_served_said(wsk_arena *arena, const wsk_run *run, double busy_s);
/* Uncertainty of a card whose power and throughput are computed from a class of work: relative half widths of the
 * ranges that hold 80 % of cases, at the card's present operating point. NAN: they are stated, replayed or pinned, or
 * the card has no work. */
typedef struct {
    double work_rel, power_rel;
    bool capped; /* a limit or heat caps the power, so that only less is possible */
} wsk_card_open;
wsk_card_open wsk_card_spread(const wsk_run *run, int card);

#endif
