/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_TARIFF_WHEN_H
#define WSK_TARIFF_WHEN_H
#include "sim/net/tariff.h"

typedef struct {
    const char *from, *to, *days, *season; /* attributes as written, "16:00", "weekdays", ...; NULL: not given */
} wsk_when;
/* Mistakes go to plan->diags. *holidays: set to true if `days` names holidays. */
void wsk_when_span(wsk_plan *plan, const wsk_elem *e, const wsk_seasons *seasons, const wsk_when *when, wsk_span *out,
                   bool *holidays);
void wsk_when_seasons_make(wsk_plan *plan, const wsk_elem *parent, wsk_seasons *out);
/* The seasons named in `text`, one bit each, by their index in `seasons`; all bits if it names none, or one that
 * does not exist. */
uint32_t wsk_when_seasons(wsk_plan *plan, const wsk_elem *e, const wsk_seasons *seasons, const char *text);
/* True if some day of the year is in the season with this index; -1: in none. */
bool wsk_when_season_exists(const wsk_seasons *seasons, int season);
/* Returns the element that is written later in the file. If two elements contradict each other, the error is reported
 * at this one. */
const wsk_elem *wsk_when_later(const wsk_elem *a, const wsk_elem *b);
void wsk_when_holidays_make(wsk_plan *plan, const wsk_elem *parent, wsk_billing *billing);

#endif
