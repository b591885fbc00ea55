/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the series that were simulated and are like a row that a stride skips. A row is an interval of the recorded
 * series of a run. */
#ifndef WSK_ALIKE_H
#define WSK_ALIKE_H
#include "sim/control/run.h"

/* Rows like another one: `row`, and with the weight `next` (0 to 1) the row after it. */
typedef struct {
    int64_t row;
    double next;
} wsk_likeness;
/* The rows before first_row at the same time of the cycle as `row`. alike_ns: time after which inputs repeat. */
wsk_likeness wsk_like_rows(const wsk_run *run, int64_t row, int64_t first_row, int64_t alike_ns);
/* Minimum, mean or maximum of variable i in these rows together. */
double wsk_like_value(const wsk_run *run, wsk_likeness like, wsk_stat stat, int i);
#endif
