/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits cards to the measured traces that facts/log_fits.csv lists. The repository does not contain the traces. */
#ifndef WSK_TESTS_LOG_FIT_H
#define WSK_TESTS_LOG_FIT_H
#include "sim/base/base.h"
#include "tests/support/replay.h"

void wsk_log_fit_file(wsk_buf *name, const wsk_csv *facts, int row);
bool wsk_log_fit_read(wsk_trace *trace, const char *data, const wsk_csv *facts, int row);
/* Fits gpu0 of a rig to the trace. holdout: share of the trace that is kept out of the fit, as in wsk_calibrate_log. */
wsk_status wsk_log_fit_trace(const wsk_rig *rig, const wsk_trace *trace, double holdout, wsk_log_fit *out);

#endif
