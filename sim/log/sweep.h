/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep of power limits or locked clocks: sweep.c does the work of wsk_limits_read in wattsink.h. */
#ifndef WSK_LOG_SWEEP_H
#define WSK_LOG_SWEEP_H
#include "sim/base/said.h"

struct wsk_limits {
    wsk_arena *arena;
    wsk_diags diags;
    wsk_calibrate_row *rows;
    struct wsk_limits_place {
        int line, column[WSK_ROW_VALUES];
    } * places; /* per row: its line, and the columns of its values */
    size_t count, room;
};

#endif
