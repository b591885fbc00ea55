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

/* tests/validate/rigs/NAME.xml with settings "a=b; c=d" (NULL: none). NULL: messages go to stderr. */
wsk_rig *wsk_replay_rig(const char *name, const char *sets);

/* ---- settled points ---- */

/* One row of facts/steady.csv. */
typedef struct {
    const char *card, *rig, *style, *day, *use, *sets; /* use: fit, held, report */
    double power_w, fan_rpm, room_c, die_c;            /* NAN: not given */
    double memory_c, hotspot_c;
    double from_s, to_s; /* a window of a rising trace; NAN: settled */
} wsk_steady_row;
wsk_steady_row wsk_steady_read(const wsk_csv *csv, int row);
/* Temperatures, degC, in the state or window of `row` with the room at room_c; segments: power over time for windows
 * (from_s, power_w). NAN on failure. */
typedef struct {
    double die_c, memory_c, hotspot_c;
} wsk_row_temps;
wsk_row_temps wsk_replay_row(const wsk_rig *rig, const wsk_steady_row *row, const wsk_csv *segments, double room_c);
/* The room temperature that gives the row's die temperature. */
double wsk_replay_inlet(const wsk_rig *rig, const wsk_steady_row *row, const wsk_csv *segments);
/* Settled with the processor idle (load false) or at the game's work (true). */
typedef struct {
    double power_w, fan_rpm, die_c;
} wsk_settled;
double wsk_replay_settled(const wsk_rig *rig, const wsk_settled *point, bool load, double room_c);

/* A quantity of a rig that runs as it stands: mean over the last ten minutes of two hours of "gpu0.die_c",
 * "gpu1.die_c - gpu0.die_c" or "gpu1.work_rel / gpu0.work_rel". NAN on failure. */
double wsk_replay_quantity(const wsk_rig *rig, const char *quantity);
/* A row of facts/by_card.csv with the cooler of the rig named: predicted less measured at load, the inlet taken from
 * the idle hour (or stated). NAN on failure. */
double wsk_replay_by_card(const wsk_csv *csv, int row, const char *rig_name, double *load_c);

/* ---- traces ---- */

typedef enum {
    WSK_SENSOR_DIE,
    WSK_SENSOR_MEMORY,
    WSK_SENSOR_HOTSPOT,
    WSK_SENSOR_VRM,
    WSK_SENSOR_CPU,
    WSK_SENSORS
} wsk_sensor;
/* A run of about one reading a second: idle, load, cool-down. */
typedef struct {
    int count;
    double before_w; /* settled before the trace at this power; NAN: as its idle minutes */
    double *t_s, *power_w, *fan_rpm;
    double *measured[WSK_SENSORS], *model[WSK_SENSORS]; /* degC; NAN: no such sensor; model: of the last replay */
} wsk_trace;
/* power_factor: board watts per watt that the sensor reads. More than one reading a second is averaged. 0: done */
int wsk_trace_read(wsk_trace *trace, const char *path, double power_factor);
int wsk_trace_make(wsk_trace *trace, int count); /* empty, all NAN; 0: done */
void wsk_trace_free(wsk_trace *trace);
/* Replays with the room at room_c; the rms difference of the die, NAN on failure. */
double wsk_replay_trace(const wsk_rig *rig, wsk_trace *trace, double room_c);
/* Fits the room's temperature alone, leaves the best replay in the trace. */
double wsk_replay_trace_inlet(const wsk_rig *rig, wsk_trace *trace, double *room_c);
/* Over from_s <= t < to_s: mean of values; mean and rms of model less measured, NAN where nothing was measured. */
double wsk_trace_mean(const wsk_trace *trace, const double *values, double from_s, double to_s);
double wsk_trace_bias(const wsk_trace *trace, wsk_sensor sensor, double from_s, double to_s);
double wsk_trace_rms(const wsk_trace *trace, wsk_sensor sensor, double from_s, double to_s);

/* Rise of the processor from 40-90 s to the last 20 minutes of an hour of constant GPU power, after a settled idle.
 * The processor's own power is constant, so that its own warm-up is not in it. */
double wsk_replay_cpu_rise(const wsk_rig *rig, double power_w, double fan_rpm);

/* ---- time constants ---- */

/* The card's answer to a step from 10 to 150 W at this speed (NAN: the rig's own), taken apart as the published fits
 * are: a jump and two exponentials. */
typedef struct {
    double jump_k_w, fast_k_w, slow_k_w, fast_s, slow_s;
    double node_s; /* heatsink alone: its capacity over its conductance to the air */
} wsk_step_answer;
wsk_step_answer wsk_replay_step(const wsk_rig *rig, double fan_rpm);

/* ---- the node of four cards ---- */

/* Card `card` of the 18-hour trace at `path`, with the power and fan speed that are assumed for it. 0: done */
int wsk_node_read(wsk_trace *trace, const char *path, int card);

#endif
