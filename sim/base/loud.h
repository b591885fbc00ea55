/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places where a machine can stand, and the sound levels from which it is too loud for each. Sources:
 * docs/theory/mover.md, "Too loud" */
#ifndef WSK_BASE_LOUD_H
#define WSK_BASE_LOUD_H
#include "sim/base/said.h"

typedef enum { WSK_STANDS_DESK, WSK_STANDS_ROOM, WSK_STANDS_SERVER_ROOM, WSK_STANDS } wsk_standing;
extern const char *const wsk_stand_names[];
typedef struct {
    double dba, very_dba; /* above dba the machine is too loud; above very_dba nobody stays near it */
    const char *source, *very_source;
    const char *where; /* "server room", to be translated */
} wsk_loud_limits;
extern const wsk_loud_limits wsk_loud_at[WSK_STANDS];

/* The place with this name. NULL or an unknown name gives a desk, because old results state no place. */
wsk_standing wsk_stand_named(const char *name);
/* wsk_loud and wsk_very_loud round the level, as results print it: 55.4 dBA counts as 55. */
bool wsk_loud(wsk_standing stand, double dba);
bool wsk_very_loud(wsk_standing stand, double dba);
/* True if a machine of level `dba` is too loud after a change by change_db (NAN: unknown, counts as 0). If the
 * machine was too loud before, its level must fall to the limit without rounding. */
bool wsk_loud_after(wsk_standing stand, double dba, double change_db);
/* How much quieter, dB, the machine becomes for people near it as its level changes from `before` to `after`; negative:
 * louder. Levels below the limit count as the limit, levels above very_dba as very_dba. Above very_dba nobody is near:
 * if `before` is above it, the result is 0 unless `after` is within the limit. */
double wsk_loud_spared(wsk_standing stand, double before, double after);

#endif
