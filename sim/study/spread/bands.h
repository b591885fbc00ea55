/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bands: how far the results of a run may lie from the true values because of the errors of all inputs, as one standard
 * deviation (spread.h). */
#ifndef WSK_STUDY_BANDS_H
#define WSK_STUDY_BANDS_H
#include "sim/control/run.h"
#include "sim/study/spread/spread.h"

typedef struct wsk_bands {
    /* How far results may lie below and above those of the run (wsk_spreads). The rig is solved with each input at both
     * ends of its range; decreases and increases are combined separately, because they are unequal near a limit. */
    wsk_effects below, above;
    double site_w, wall_w, work; /* mean powers and throughput of the solved rig */
    double die_c;     /* hottest die of the solved rig, degC; NAN: no card, or all are lost or without mains */
    double throttles; /* probability that heat lowers a card's clock; NAN: no card has work */
    /* of the solved rig: share of the throughput without losses that lost cards leave; 1: none is lost */
    double alive;
    /* the input that most changes the throughput lost to heat, and the half width of its range; NULL: none changes it
     * noticeably */
    const wsk_said *source, *half;
    const char *key; /* wsk_spread_source.key of `source` */
    bool thickness;  /* `source` is the thickness of a card, which sets the air gap to the next card */
} wsk_bands;

/* Finds the bands of a run and stores them in run->bands; run->bands stays NULL if the rig has no cards or no steady
 * point. */
wsk_status wsk_bands_find(wsk_run *run);

/* True if heat held a card down for so long that the verdict on the run tells it. */
bool wsk_heat_is_told(const wsk_run *run);
/* wsk_bands_begin starts wsk_bands_find on a thread of its own, if the system provides one; meanwhile the caller must
 * not touch run->bands and run->arena. wsk_bands_end waits for it, or, if no thread was started, does the search
 * itself, stores the bands in run->bands and frees the work. wsk_bands_begin returns NULL when out of memory;
 * wsk_bands_end(NULL) then returns WSK_ENOMEM. */
typedef struct wsk_bands_work wsk_bands_work;
wsk_bands_work *wsk_bands_begin(wsk_run *run);
wsk_status wsk_bands_end(wsk_bands_work *work);
/* Relative change of the electricity cost per relative change of the power at the site; negative where the tariff pays
 * for consumption; 1 if it is unknown. */
double wsk_bands_elastic(const wsk_summary *summary);
void wsk_bands_fill(wsk_summary *summary, const wsk_run *run, wsk_arena *arena);

#endif
