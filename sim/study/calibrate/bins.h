/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Averages the readings of a log over bins of equal time. */
#ifndef WSK_BINS_H
#define WSK_BINS_H
#include "wattsink.h"

/* Writes the mean of the readings in each bin to mean[0..bins-1]; NAN: no reading in that bin. bin_s: length of a
 * bin, s. A bin ends a little before the next multiple of bin_s, so that jitter moves no reading to another bin if
 * readings are as far apart as bins are long. The last bin takes all that is left. */
void wsk_bins_mean(double *mean, int bins, double bin_s, const wsk_readings *readings);
/* Replaces NAN by linear interpolation between the neighbours, and at the ends by the nearest value. v NULL:
 * does nothing. */
void wsk_bins_bridge(double *v, int bins);
int wsk_ascending(const void *a, const void *b);

#endif
