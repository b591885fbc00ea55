/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits power, clock and work of a card to a log: settled stretches under load become rows, which
 * sim/study/calibrate/calibrate.h fits like those of a sweep. docs/theory/calibration.md, "Watts, clocks and work". */
#ifndef WSK_ELECTRICAL_H
#define WSK_ELECTRICAL_H
#include "sim/study/calibrate/thermal.h"

/* Fits the card to the bins before `held`, computes the errors of that fit before `held` and from `held` on, then fits
 * to all bins. out->rows 0: the log lacks power, clock, or both limit and utilisation, or the card was never settled
 * under load or cannot be fitted to rows. */
wsk_status wsk_electrical_fit(const wsk_thermal *thermal, int card, int held, wsk_log_electrical *out);
/* Sets out->now and out->then of work and power by a fit to the whole log: the uncertainty now, and after each
 * recording that may follow. Both stay unset where the log does not determine them. */
wsk_status wsk_electrical_next(const wsk_thermal *thermal, int card, wsk_log_fit *out);

#endif
