/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies evaluate a compiled rig or a run, a folder each. Of a rig: check (parts that do not fit, sizing), spread
 * (uncertainty of inputs), advice (changes that help), optimise (best settings), calibrate (a card fitted to
 * measurements), export (the heat network). Of a run: findings, trip (of PSUs and breakers). kit is shared by them.
 * Lower layers do not include studies. Begin with findings/found.c, then advice/judge.c. */
#ifndef WSK_STUDY_H
#define WSK_STUDY_H
#include "sim/study/advice/advice.h"
#include "sim/study/spread/bands.h"
#include "sim/study/calibrate/calibrate.h"
#include "sim/study/check/check.h"
#include "sim/study/kit/checkpoints.h"
#include "sim/study/export/export.h"
#include "sim/study/findings/fill.h"
#include "sim/study/findings/found.h"
#include "sim/study/findings/page.h"
#include "sim/study/spread/spread.h"
#include "sim/study/trip/trip.h"
#include "sim/study/kit/verdict.h"

#endif
