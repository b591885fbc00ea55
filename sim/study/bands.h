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

/* Finds the bands of a run and keeps them in run->bands. A rig without a steady point has none. */
wsk_status wsk_bands_find(wsk_run *run);

/* The same on a thread of its own, where the system gives one, while the caller does something that leaves run->bands
 * and run->arena alone. wsk_bands_end waits, keeps the bands and frees the work; NULL, when out of memory, is
 * WSK_ENOMEM. */
typedef struct wsk_bands_work wsk_bands_work;
wsk_bands_work *wsk_bands_begin(wsk_run *run);
wsk_status wsk_bands_end(wsk_bands_work *work);
/* Adds the bands to a summary. */
void wsk_bands_fill(wsk_summary *summary, const wsk_run *run, wsk_arena *arena);

#endif
