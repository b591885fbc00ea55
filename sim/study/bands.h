/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far the results of a run may lie from the true ones: the errors of all inputs (spread.h), added to its results. */
#ifndef WSK_STUDY_BANDS_H
#define WSK_STUDY_BANDS_H
#include "sim/control/run.h"

typedef struct wsk_bands {
    /* Change of the share of the throughput lost to heat: at most 0, at least 0. Each input is solved at both its ends;
     * the decreases and the increases are combined apart, because near throttling they are unequal. */
    double lost_down, lost_up;
    double die_k, wall_rel, site_rel; /* hottest die; power at the wall, and with the room's cooling: relative */
    double throttles;                 /* chance that heat lowers the clock of a card; NAN: no card works */
    const wsk_said *source, *half; /* the input that moves the lost throughput most, and its half width; NULL: none */
    bool thickness;                /* that input is the thickness of a card: the air gap below the next one */
} wsk_bands;

/* Finds the bands of a run and keeps them in run->bands. always false: only if heat limited or shut down a card, because
 * the steady points take a third of the time of a run of a week. */
wsk_status wsk_bands_find(wsk_run *run, bool always);
/* Adds the bands to a summary. */
void wsk_bands_fill(wsk_summary *summary, const wsk_run *run, wsk_arena *arena);

#endif
