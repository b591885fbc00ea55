/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a sweep of power limits, from a file; wattsink_calibrate.h fits them. wattsink.h includes this file. */
#ifndef WATTSINK_LIMITS_H
#define WATTSINK_LIMITS_H
#include "wattsink_messages.h"

/* A row of a sweep of power limits or locked clocks with one load. NAN: unknown. */
typedef struct {
    /* power limit and highest clock that were set; if both are NAN, drawn_w counts as the limit */
    double limit_w, lock_hz;
    double drawn_w, clock_hz; /* mean board power and core clock */
    double work;              /* work per time, in any unit */
    double die_k;             /* GPU temperature */
} wsk_calibrate_row;
/* The values of a row in their order. */
typedef enum {
    WSK_ROW_LIMIT,
    WSK_ROW_LOCK,
    WSK_ROW_DRAWN,
    WSK_ROW_CLOCK,
    WSK_ROW_WORK,
    WSK_ROW_DIE,
    WSK_ROW_VALUES
} wsk_row_value;

typedef struct wsk_limits wsk_limits;
/* Reads a sweep from text with columns that are separated by commas, semicolons or tabs, below a line with their
 * names (docs/format.md, "Sweeps"). path: name of the file for messages. *out is also set on WSK_EINPUT, so that its
 * messages can be read; free it in both cases. */
wsk_status wsk_limits_read(wsk_limits **out, const char *path, const char *text, size_t len);
void wsk_limits_free(wsk_limits *limits);
const wsk_calibrate_row *wsk_limits_rows(const wsk_limits *limits, size_t *count);
/* Line of a row in the text, and column of one of its values; *column is 1 if the row lacks the value, or for
 * WSK_ROW_VALUES. */
void wsk_limits_place(const wsk_limits *limits, size_t row, wsk_row_value value, int *line, int *column);
size_t wsk_limits_messages(const wsk_limits *limits);
/* Message i. *severity: 0 error, 1 warning. *line and *column count from 1. */
const wsk_said *wsk_limits_message(const wsk_limits *limits, size_t i, int *severity, int *line, int *column);

#endif
