/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_TARIFF_H
#define WSK_TARIFF_H
#include "sim/base/calendar.h"
#include "sim/net/rig.h"
#include "sim/net/tariff_table.h"

/* Compiles the tariff, carbon intensity, solar power and heating of a site; *out is NULL if the site has none of
 * these. Mistakes go to plan->diags. False: out of memory. */
bool wsk_billing_make(const wsk_billing **out, wsk_arena *arena, wsk_plan *plan, const wsk_elem *site,
                      const wsk_runspec_params *run);
/* Returns an index in `seasons`; -1: the date is in no season. */
int wsk_season_of(const wsk_seasons *seasons, const wsk_date *date);
/* Returns the weekday of a date, 0 for Monday, or WSK_HOLIDAY. */
int wsk_day_kind(const wsk_billing *billing, const wsk_date *date);
/* Cost of the energy that raises the month's total from from_j to to_j, by the price blocks of a tariff. width:
 * factor on the ends of the blocks, for a billing period shorter than a month. */
double wsk_blocks_cost(const wsk_billing *billing, int season, double from_j, double to_j, double width);

#endif
