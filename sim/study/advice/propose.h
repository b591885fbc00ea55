/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the files that propose changes for advice: propose.c (power, room) and propose_air.c (slots, fans,
 * coolers), propose_restore.c (parts that the rig file states as slow, dirty or worn). */
#ifndef WSK_PROPOSE_H
#define WSK_PROPOSE_H
#include "sim/study/advice/advice.h"

typedef struct {
    wsk_arena *arena;
    const wsk_net *net;
    const wsk_plan_input *input;
    const wsk_outcome *base;
    double dust_s;   /* wsk_judged.dust_s */
    bool heat, loud; /* heat: heat limits the cards; loud: the rig is too loud for its place */
    wsk_variant *list;
    size_t n;
    bool full; /* the list was full, so the last opened variant is `refused` and not in `list` */
    wsk_variant refused;
} wsk_maker;

/* Adds an empty variant. what: its description; NULL: the caller sets it. If the list is full, the variant is
 * discarded when it is closed. */
wsk_variant *wsk_variant_open(wsk_maker *maker, wsk_family family, const wsk_said *what);
/* Drops the last variant if it lacks its description, all assignments, or (`halved`) one assignment. */
void wsk_variant_close(wsk_maker *maker);
/* Appends an assignment; set NULL or no room left: sets `halved` instead. */
void wsk_variant_put(wsk_variant *variant, const char *set);

void wsk_propose_air(wsk_maker *maker);
void wsk_propose_restore(wsk_maker *maker);

#endif
