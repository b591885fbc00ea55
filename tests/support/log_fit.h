/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits cards to the measured traces that facts/log_fits.csv lists. The raw traces are not in the repository. */
#ifndef WSK_TESTS_LOG_FIT_H
#define WSK_TESTS_LOG_FIT_H
#include "sim/base/base.h"
#include "tests/support/replay.h"

/* Name of the row's trace in the folder of data, for wsk_buf_free. */
void wsk_log_fit_file(wsk_buf *name, const wsk_csv *facts, int row);
/* Reads the trace of a row from the folder `data`. False: it is not there, or cannot be read. */
bool wsk_log_fit_read(wsk_trace *trace, const char *data, const wsk_csv *facts, int row);
/* Fits gpu0 of a rig to the trace; holdout as in wsk_calibrate_log. */
wsk_status wsk_log_fit_trace(const wsk_rig *rig, const wsk_trace *trace, double holdout, wsk_log_fit *out);

#endif
