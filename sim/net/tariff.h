/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compiling tariffs and carbon, and asking what was compiled. */
#ifndef WSK_TARIFF_H
#define WSK_TARIFF_H
#include "sim/base/calendar.h"
#include "sim/net/rig.h"
#include "sim/net/tariff_table.h"

/* What a site pays and emits; *out NULL where it says neither. Mistakes go to the plan's diagnostics. False: out of memory. */
bool wsk_billing_make(const wsk_billing **out, wsk_arena *arena, wsk_plan *plan, const wsk_elem *site,
                      const wsk_runspec_params *run);
/* Season of a date, -1: none. */
int wsk_season_of(const wsk_seasons *seasons, const wsk_date *date);
/* Its weekday, or WSK_HOLIDAY. */
int wsk_day_kind(const wsk_billing *billing, const wsk_date *date);
/* Price of the blocks for a month's energy from one amount to another; width: share of their widths that the month has. */
double wsk_blocks_cost(const wsk_billing *billing, int season, double from_j, double to_j, double width);

#endif
