/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of a compiled rig without a run. check.c reports fit and sources, sizing.c judges PSUs, which
 * sizing_psus.c names, sizing_lines.c and sizing_lost.c circuits, rules.c rules of thumb, prices.c old prices;
 * rehearse.c stops the air conditioner, heat.c tells what gets too hot. Begin with check.c. */
#ifndef WSK_CHECK_H
#define WSK_CHECK_H
#include "sim/base/said.h"
#include "sim/control/run.h"

/* Appends what `check` prints for a compiled rig: whether the parts fit in the chassis, sizing, largest uncertainties,
 * number of inputs by source. */
void wsk_check_report(const wsk_net *net, wsk_lines *out);
/* Appends the number of inputs by source, then two lists, assumed and other inputs, each input with its source, reason
 * and spread (uncertainty). */
void wsk_check_sources(const wsk_net *net, wsk_lines *out);
static inline void wsk_check_advise(wsk_lines *out, const wsk_said *advice)
{
    wsk_lines_add(out, 2, WSK_SAID(WSK_SAY_CHECK_ADVICE, advice));
}

/* Highest power of a card in a run, W: the pinned power, if there is one; else the power at its highest limit, unless a
 * pinned clock, the lowest clock or a replayed trace draws more. */
double wsk_card_most_w(const wsk_net *net, const wsk_card *c);
/* Highest power of a card in a run, W, at the lowest power limit that can be set. */
double wsk_card_least_w(const wsk_net *net, const wsk_card *c);
/* These functions append faults of power connections (plugs.c). wsk_report_plugs: connectors of cards and processors.
 * wsk_report_cables: a PSU with fewer PCIe cables than plugs. wsk_report_sockets: a PSU whose cards have more
 * connectors than it has plugs for cards (stated or usual number). */
void wsk_report_plugs(const wsk_net *net, wsk_lines *out);
void wsk_report_cables(const wsk_net *net, int supply, wsk_lines *out);
void wsk_report_sockets(const wsk_net *net, int supply, wsk_lines *out);
/* Loads with all parts at their limits. wall, va: per circuit, power of its PSUs, W, and apparent power, VA, without
 * the losses of UPS and strip; dc: per PSU, output, W. */
typedef struct {
    double *wall, *va, *dc;
} wsk_drawn;
/* Appends the load of each circuit, its breaker, UPS and strip (sizing_lines.c). steady NULL: there is no steady
 * point. */
void wsk_report_lines(const wsk_net *net, const wsk_run *steady, const wsk_drawn *drawn, wsk_lines *out);
/* Apparent power of a circuit, VA, whose PSUs draw `wall` watts and `va` volt-amperes, plus the losses of UPS and strip
 * and the other loads (sizing_lost.c). */
double wsk_line_load_va(const wsk_net *net, int line, double wall, double va);
/* Appends the loads of the other circuits and their PSUs after the loss of a circuit whose load redundant PSUs on other
 * circuits take over (sizing_lost.c). */
void wsk_report_lost_line(const wsk_net *net, const wsk_run *steady, int lost, const wsk_drawn *drawn,
                          wsk_lines *out);
/* Power of the PSUs of a circuit, W, in an outage of all circuits: PSUs on circuits with a battery take over the load of
 * redundant PSUs on the others (sizing_lost.c). */
double wsk_outage_w(const wsk_net *net, const wsk_run *steady, int line, const wsk_drawn *drawn, wsk_lines *out);
static inline double wsk_supply_wall_w(const wsk_supply *s, double dc)
{
    return dc > 0 ? s->ops->input_w(&s->law, dc) : s->law.standby_w;
}
static inline double wsk_inlet_k(const wsk_net *net, const wsk_run *steady, const wsk_supply *s)
{
    return steady ? steady->t[s->inlet] : wsk_room_start_k(net);
}
/* Appends the parts above their temperature limits, and a room above WSK_HOT_ROOM_C (heat.c). */
void wsk_check_heat(const wsk_run *steady, wsk_lines *out);
bool wsk_lacks_sockets(const wsk_net *net); /* true if wsk_report_sockets reports a fault of any PSU */
const wsk_said *wsk_say_prices(const wsk_net *net, wsk_arena *arena);
void wsk_sizing_report(const wsk_net *net, wsk_lines *out);

/* Sizing of a chassis. rated_w: sum of the power that its PSUs can deliver, W. load: highest ratio of a PSU's load to
 * the power that it can deliver. trip: highest probability that a PSU trips within a day. redundant: number of
 * redundant PSUs, 0 if there are fewer than two. lost: highest load of a remaining PSU after one redundant PSU failed,
 * divided by the power that it can deliver. */
typedef struct {
    double rated_w, load, trip, lost;
    /* load and trip at both ends of the load's uncertainty range (sizing.c) */
    double load_low, load_high, trip_low, trip_high;
    int redundant;
} wsk_sized;
void wsk_rules_report(const wsk_net *net, const wsk_run *steady, int in, const wsk_sized *sized, wsk_lines *out);
/* Names `count` equal PSUs from `supply` on, with their rating (sizing_psus.c). */
const wsk_said *wsk_say_psus(const wsk_net *net, int supply, int count, wsk_arena *arena);
/* Appends what happens within four hours after a failure of the air conditioner (rehearse.c). Adds nothing if no air
 * conditioner cools the room at the steady point, or something shut down there. */
void wsk_rehearse_cooling(const wsk_net *net, const wsk_run *steady, wsk_lines *out);
/* Returns the index of the card with the hottest GPU at a steady point. *held: whether heat lowers a card's clock. */
int wsk_check_hottest(const wsk_run *steady, bool *held);
/* Appends what the cards do with the dust of the end of the run, if dust gathers (rehearse.c). */
void wsk_rehearse_dust(const wsk_net *net, wsk_lines *out);
/* True if heat slows the card at the steady point for more than 1 % of the time, or the card is off. */
bool wsk_held_by_heat(const wsk_run *steady, int card);

#endif
