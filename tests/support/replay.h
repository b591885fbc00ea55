/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured cases replayed: power and fan speed pinned to what was measured, the room's temperature given. */
#ifndef WSK_TESTS_REPLAY_H
#define WSK_TESTS_REPLAY_H
#include "wattsink.h"

/* A table of numbers read from CSV text with a header; quoted cells may hold commas. */
typedef struct wsk_csv wsk_csv;
wsk_csv *wsk_csv_read(const char *path); /* NULL: not readable */
void wsk_csv_free(wsk_csv *csv);
int wsk_csv_rows(const wsk_csv *csv);
/* Cell of a named column, "" when there is none. */
const char *wsk_csv_text(const wsk_csv *csv, int row, const char *column);
double wsk_csv_number(const wsk_csv *csv, int row, const char *column); /* NAN when it is no number */

/* One row of facts/steady.csv. */
typedef struct {
    const char *card, *rig, *style, *day, *use; /* use: fit, held, report */
    double power_w, fan_rpm, room_c, die_c;     /* NAN: not given */
    double from_s, to_s;                        /* a window of a rising trace; NAN: settled */
} wsk_steady_row;
wsk_steady_row wsk_steady_read(const wsk_csv *csv, int row);

wsk_rig *wsk_replay_rig(const char *path, const char *set); /* NULL: messages go to stderr */
/* Die temperature in the state or window of `row` with the room at room_c; segments: power over time for
 * windows (from_s, power_w). NAN on failure. */
double wsk_replay_row(const wsk_rig *rig, const wsk_steady_row *row, const wsk_csv *segments, double room_c);
/* The room temperature that gives the row's die temperature. */
double wsk_replay_inlet(const wsk_rig *rig, const wsk_steady_row *row, const wsk_csv *segments);

/* A run of one second per reading: idle, load, cool-down. */
typedef struct {
    int count;
    double *t_s, *die_c, *power_w, *fan_rpm, *cpu_c; /* measured */
    double *model_c, *model_cpu_c, *model_case_c;    /* of the last replay */
} wsk_trace;
int wsk_trace_read(wsk_trace *trace, const char *path); /* 0: done */
void wsk_trace_free(wsk_trace *trace);
/* Replays with the room at room_c; the rms difference of the die, NAN on failure. */
double wsk_replay_trace(const wsk_rig *rig, wsk_trace *trace, double room_c);
/* Fits the room's temperature alone, leaves the best replay in the trace. */
double wsk_replay_trace_inlet(const wsk_rig *rig, wsk_trace *trace, double *room_c);
/* Mean of values over from_s <= t < to_s. */
double wsk_trace_mean(const wsk_trace *trace, const double *values, double from_s, double to_s);

/* Rise of the processor from 40-90 s to the last 20 minutes of an hour of constant GPU power, after a settled idle.
 * The processor's own power is constant, so that its own warm-up is not in it. */
double wsk_replay_cpu_rise(const wsk_rig *rig, double power_w, double fan_rpm);

/* Heatsink of the first card: its capacity over its conductance to the air at this speed (NAN: the rig's own). */
double wsk_replay_tau(const wsk_rig *rig, double fan_rpm);

#endif
