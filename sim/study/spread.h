/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What values that are not known well do to the answer. Theory: docs/theory/uncertainty.md */
#ifndef WSK_STUDY_SPREAD_H
#define WSK_STUDY_SPREAD_H
#include "sim/base/said.h"
#include "sim/net/net.h"
#include "sim/net/spread.h"
#include "sim/control/run.h"

/* One number of the private copy, and what it becomes. */
typedef struct {
    double *at;
    double base, low, high;
} wsk_spread_member;

/* One error: the values that it moves together. */
typedef struct {
    const wsk_said *name;
    const char *key, *text, *where, *why, *spread; /* text: name in English */
    wsk_spread_from from;
    int first, count; /* of its members */
    bool threshold;   /* may matter one way only: a temperature, speed, power or clock */
    double site_rel, work_rel, die_k, noise_db, purchase; /* of the value moved up */
    double size; /* by which they are ordered: of the effects on watts, work and die together */
} wsk_spread_source;

typedef struct {
    double site_w, wall_w, work, die_max_c, noise_dba; /* noise: NAN where nothing is heard */
    double tips_share; /* of the noise's power: of cards whose level is told from the speed of their blades' tips */
} wsk_spread_base;

typedef struct {
    wsk_arena *arena;
    const wsk_net *net; /* of the rig itself */
    wsk_plan *plan;     /* a copy whose values may be moved */
    wsk_spread_member *members;
    wsk_spread_source *sources;
    int n_member, n_source, room_members, room_sources;
    int unread;  /* sourced values whose spread is told in words */
    bool failed; /* out of memory */
    const char *currency;
    wsk_spread_base base;
    double site_rel, work_rel, die_k, noise_db, purchase; /* roots of the sums of squares */
    int solved;
} wsk_spreads;

/* The errors of a rig, none of them followed up yet (spread_find.c). False: out of memory. */
bool wsk_spreads_find(wsk_spreads *s, wsk_arena *arena, const wsk_net *net);
/* The source of that key, made if there is none; NULL: out of memory. */
wsk_spread_source *wsk_spreads_add(wsk_spreads *s, const char *key);
/* Sets name and text of a source. */
void wsk_spread_name(const wsk_spreads *s, wsk_spread_source *source, const wsk_said *name);
/* Finds them, solves the steady point with each moved, and orders them by size, largest first; those that move
 * nothing are left out. WSK_ENUMERIC: the rig itself has no steady point. */
wsk_status wsk_spreads_solve(wsk_spreads *s, wsk_arena *arena, const wsk_net *net, wsk_stepper stepper);

/* As wsk_rig_spread tells it, and as `check` does (spread_words.c). */
void wsk_spreads_json(const wsk_spreads *s, wsk_buf *out);
void wsk_spreads_report(const wsk_spreads *s, wsk_lines *out);

#endif
