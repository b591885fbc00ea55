/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink twin --backfill: the metrics of a whole run with their times, for
 * `promtool tsdb create-blocks-from openmetrics`. */
#ifndef WSK_TWIN_BACKFILL_H
#define WSK_TWIN_BACKFILL_H
#include "cli/twin/live.h"

/* WSK_OK: the file does not exist, is a stream that is written in place, or is an earlier backfill. Else an exit code,
 * after a message. */
int wsk_backfill_check(const char *path);
/* Advances the run and writes its metrics, one sample every `every_s` of simulated time from its start to its end, to
 * the file `path` in OpenMetrics. Returns an exit code, after a message on failure. */
int wsk_backfill(wsk_live *live, const char *path, double every_s);

#endif
