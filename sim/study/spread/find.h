/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the search for uncertain values: find.c finds the values, find_load.c those of the work, names.c names
 * them. */
#ifndef WSK_SPREAD_FIND_H
#define WSK_SPREAD_FIND_H
#include "sim/study/spread/spread.h"

/* A found value and the number of its source. The list is in order of discovery; find.c sorts it by source. */
typedef struct {
    int source;
    wsk_spread_member member;
} wsk_spread_arrival;
/* unread: keys of the values whose spread is stated only in words, the last one first */
typedef struct wsk_spread_unread {
    const char *key;
    struct wsk_spread_unread *next;
} wsk_spread_unread;
typedef struct {
    wsk_spreads *s;
    wsk_spread_arrival *list;
    int count, room;
    wsk_spread_unread *unread;
} wsk_spread_finder;

/* Adds a value to those that a source changes together. at: address of the value; low, high: its values when the source
 * is lowered and raised. */
void wsk_spread_member_add(wsk_spread_finder *f, const wsk_spread_source *src, double *at, double low, double high);
/* Add the errors of a card's class of work, and of a load that the rig does not state. */
void wsk_spread_take_class(wsk_spread_finder *f, wsk_elem *e);
void wsk_spread_take_loads(wsk_spread_finder *f, wsk_elem *e);
/* wsk_class_words: readable name of a value of a workload class. wsk_place_words: path of an element in the rig, such
 * as "chassis.gpu.cooler". */
wsk_arg wsk_class_words(const char *name);
const char *wsk_place_words(const wsk_spreads *s, const wsk_elem *e);
void wsk_spread_width(const wsk_spreads *s, wsk_spread_source *src, double half, wsk_dim dim, bool relative,
                      double value);
void wsk_spread_explain(const wsk_spreads *s, wsk_spread_source *src, const wsk_param *p, const wsk_origin *o);
/* Id of the part that states a value; NULL: no part does. o: the value's origin, or NULL. */
const char *wsk_spread_part(const wsk_spreads *s, const wsk_elem *e, const wsk_origin *o);
/* Key of the error of a value. *called: its name in reports. */
const char *wsk_spread_key(const wsk_spreads *s, const wsk_elem *e, const wsk_origin *o, const char *name,
                           const wsk_said **called);
/* Returns the error source of a value. Values of a part are grouped by part, defaults by kind, values in the rig
 * file by element. */
wsk_spread_source *wsk_spread_named(wsk_spreads *s, const wsk_elem *e, const wsk_origin *o, const char *name);
/* Adds one error for each kind of card whose power the rig states (sim/study/spread/readings.c). */
void wsk_spread_readings_find(wsk_spreads *s);

#endif
