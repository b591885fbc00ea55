/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_DESIGN_H
#define WSK_DESIGN_H
#include "sim/base/base.h"

/* Does the work of wsk_design_points in wattsink.h: fills u with count x dimensions numbers in [0, 1). */
wsk_status wsk_design_fill(wsk_design design, uint64_t seed, size_t count, size_t dimensions, double *u);

#endif
