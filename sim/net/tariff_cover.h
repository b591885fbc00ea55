/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of the hours of a tariff's periods: none may be without a price, none may have two. */
#ifndef WSK_TARIFF_COVER_H
#define WSK_TARIFF_COVER_H
#include "sim/net/tariff_when.h"

/* wsk_cover_tariff and wsk_cover_solar report mistakes in plan->diags. Before the call, each period must have its days,
 * including whether holidays count as Sundays. */
void wsk_cover_tariff(wsk_plan *plan, const wsk_elem *tariff, const wsk_billing *billing);
/* Reports only hours with two prices. Hours without a period have the price of feed-in=. */
void wsk_cover_solar(wsk_plan *plan, const wsk_elem *solar, const wsk_billing *billing);

#endif
