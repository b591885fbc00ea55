/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points that fill a cube evenly: the designs of sampled sweeps. */
#ifndef WSK_DESIGN_H
#define WSK_DESIGN_H
#include "sim/base/base.h"

/* wsk_design_points of the public header. */
wsk_status wsk_design_fill(wsk_design design, uint64_t seed, size_t count, size_t dimensions, double *u);

#endif
