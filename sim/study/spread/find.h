/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the search for uncertain values: find.c finds the values, names.c names them. */
#ifndef WSK_SPREAD_FIND_H
#define WSK_SPREAD_FIND_H
#include "sim/study/spread/spread.h"

/* Returns the table, enlarged if needed, so that one more entry fits. count: entries used; *room: entries allocated.
 * Out of memory: sets s->failed and returns the old table. */
void *wsk_spread_grow(wsk_spreads *s, void *from, int count, int *room, size_t size);
/* wsk_class_words: readable name of a value of a workload class. wsk_place_words: path of an element in the rig, such
 * as "chassis.gpu.cooler". */
wsk_arg wsk_class_words(const char *name);
const char *wsk_place_words(const wsk_spreads *s, const wsk_elem *e);
void wsk_spread_width(const wsk_spreads *s, wsk_spread_source *src, double half, wsk_dim dim, bool relative,
                      double value);
void wsk_spread_explain(const wsk_spreads *s, wsk_spread_source *src, const wsk_param *p, const wsk_origin *o);
/* Returns the error source of a value. Values of a part are grouped by part, defaults by kind, values in the rig
 * file by element. */
wsk_spread_source *wsk_spread_named(wsk_spreads *s, const wsk_elem *e, const wsk_origin *o, const char *name);
/* Adds one error for each kind of card whose power the rig states (sim/study/spread/readings.c). */
void wsk_spread_readings_find(wsk_spreads *s);

#endif
