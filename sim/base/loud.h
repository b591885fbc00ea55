/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a machine stands, and from which sound level on it is too loud there. Sources: docs/theory/mover.md, "Too loud" */
#ifndef WSK_BASE_LOUD_H
#define WSK_BASE_LOUD_H
#include "sim/base/said.h"

typedef enum { WSK_STANDS_DESK, WSK_STANDS_ROOM, WSK_STANDS_SERVER_ROOM, WSK_STANDS } wsk_standing;
extern const char *const wsk_stand_names[]; /* "desk", "room", "server-room"; ends with NULL */
typedef struct {
    double dba, very_dba;             /* too loud above it; nobody stays beside it above very_dba */
    const char *source, *very_source; /* of these limits; not translated */
    const char *where;                /* "server room", to be translated */
} wsk_loud_limits;
extern const wsk_loud_limits wsk_loud_at[WSK_STANDS];

/* The place of this name; NULL or unknown: a desk, as in results of old. */
wsk_standing wsk_stand_named(const char *name);
/* The level is rounded, as it is printed: 55.4 dBA counts as 55. */
bool wsk_loud(wsk_standing stand, double dba);
bool wsk_very_loud(wsk_standing stand, double dba);
/* Is a machine of `dba` too loud after a change by change_db (NAN: unknown, taken as 0)? One that was must fall to the limit
 * without rounding. */
bool wsk_loud_after(wsk_standing stand, double dba, double change_db);
/* Decibels, from `before` to `after`, that somebody there is spared: none below the limit, and none above very_dba unless it
 * falls to the limit, as nobody stays beside it. */
double wsk_loud_spared(wsk_standing stand, double before, double after);

#endif
