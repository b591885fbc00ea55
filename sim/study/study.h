/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies evaluate a compiled rig or a run. Of a rig: check and sizing (check.h), uncertainty of inputs (spread.h),
 * proposed changes (advice.h), best settings (optimise.h), export of the heat network (export.h), a card fitted to
 * measured rows (calibrate.h) or to a log (thermal.h). Of a run: findings (found.h), trips (trip.h), checkpoints
 * (checkpoints.h), results for its summary (fill.h), content of its terminal page (page.h). Sentences of the verdict
 * and the page's layout are in sim/say. Lower layers do not include studies. Begin with found.c, then judge.c. */
#ifndef WSK_STUDY_H
#define WSK_STUDY_H
#include "sim/study/advice.h"
#include "sim/study/bands.h"
#include "sim/study/calibrate.h"
#include "sim/study/check.h"
#include "sim/study/checkpoints.h"
#include "sim/study/export.h"
#include "sim/study/fill.h"
#include "sim/study/found.h"
#include "sim/study/page.h"
#include "sim/study/spread.h"
#include "sim/study/trip.h"
#include "sim/study/verdict.h"

#endif
