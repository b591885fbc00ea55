/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the search for uncertain values: spread_find.c finds them, spread_names.c says what each is called. */
#ifndef WSK_SPREAD_FIND_H
#define WSK_SPREAD_FIND_H
#include "sim/study/spread.h"

/* Room for one more in a table that holds `count` and has `*room`; where out of memory, s->failed and the table as it was. */
void *wsk_spread_grow(wsk_spreads *s, void *from, int count, int *room, size_t size);
/* What a class's value, and an element's place in the rig, are called. */
wsk_arg wsk_class_words(const char *name);
const char *wsk_place_words(const wsk_spreads *s, const wsk_elem *e);
/* "+-5 %": the half width of a value. */
const char *wsk_spread_text(const wsk_spreads *s, double half, wsk_dim dim, bool relative, double value);
/* Why a value is uncertain: its kind of source and its reference. */
const char *wsk_spread_reason(const wsk_spreads *s, const wsk_param *p, const wsk_origin *o);
/* The source that a value belongs to: by part, by kind where it is a default, by element where it stands in the rig. */
wsk_spread_source *wsk_spread_named(wsk_spreads *s, const wsk_elem *e, const wsk_origin *o, const char *name);

#endif
