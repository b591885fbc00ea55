/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies: what is made of runs and of a rig's values. A compiled rig is checked and sized (check.h), its uncertain values are moved one by
 * one (spread.h), changes of it are proposed and judged (advice.h); of a run it is found what the user must be told (found.h, trip.h)
 * and what that comes to (verdict.h, fill.h), which page.h lays out; export.h hands the heat network to other solvers. Studies make runs and read them;
 * nothing below knows of them. Begin with verdict.c, then judge.c. */
#ifndef WSK_STUDY_H
#define WSK_STUDY_H
#include "sim/study/advice.h"
#include "sim/study/check.h"
#include "sim/study/export.h"
#include "sim/study/fill.h"
#include "sim/study/found.h"
#include "sim/study/page.h"
#include "sim/study/spread.h"
#include "sim/study/trip.h"
#include "sim/study/verdict.h"

#endif
