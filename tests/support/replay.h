/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replays measured cases: power and fan speed are pinned to the measured values, the room's temperature is given. */
#ifndef WSK_TESTS_REPLAY_H
#define WSK_TESTS_REPLAY_H
#include "wattsink.h"

/* A table from CSV text with a header line. Quoted cells may contain commas. */
typedef struct wsk_csv wsk_csv;
wsk_csv *wsk_csv_read(const char *path); /* NULL: cannot be read; free with wsk_csv_free */
void wsk_csv_free(wsk_csv *csv);
int wsk_csv_rows(const wsk_csv *csv);
/* Text of a cell in the named column; "" if the column is missing. */
const char *wsk_csv_text(const wsk_csv *csv, int row, const char *column);
double wsk_csv_number(const wsk_csv *csv, int row, const char *column); /* NAN when it is no number */

/* Loads tests/validate/rigs/NAME.xml with --set assignments "a=b; c=d" (or NULL). The caller frees it. NULL:
 * failed; the messages are on stderr. */
wsk_rig *wsk_replay_rig(const char *name, const char *sets);

/* ---- settled points ---- */

/* One row of facts/steady.csv: a measured settled point. */
typedef struct {
    /* use: fit (the room temperature is fitted on this row), held (predicted and checked), report (wider band) */
    const char *card, *rig, *style, *day, *use, *sets;
    double power_w, fan_rpm, room_c, die_c; /* NAN: not measured */
    double memory_c, hotspot_c;
    double from_s, to_s; /* start and end of a window in a rising trace; NAN: settled */
} wsk_steady_row;
wsk_steady_row wsk_steady_read(const wsk_csv *csv, int row);
/* Model temperatures, degC, for the settled state or the time window of `row`, with the room at room_c. For a
 * window, segments gives power over time in the columns from_s and power_w. NAN on failure. */
typedef struct {
    double die_c, memory_c, hotspot_c;
} wsk_row_temps;
wsk_row_temps wsk_replay_row(const wsk_rig *rig, const wsk_steady_row *row, const wsk_csv *segments, double room_c);
/* Returns the room temperature, degC, at which the model gives the row's die temperature. */
double wsk_replay_inlet(const wsk_rig *rig, const wsk_steady_row *row, const wsk_csv *segments);
/* The model's memory temperature over that of the die, K, after five hours. NAN on failure. */
double wsk_replay_memory_over(const wsk_rig *rig);
/* One standard deviation of the model by the spreads of all inputs, K: of the GPU temperature, and of memory over it. NAN
 * on failure. */
typedef struct {
    double die_k, memory_over_k;
} wsk_replay_doubt;
wsk_replay_doubt wsk_replay_spread(const wsk_rig *rig);
/* The rig of a row of facts/memory.csv. named: with the traffic that the row states; else by the class alone. */
wsk_rig *wsk_replay_memory_rig(const wsk_csv *csv, int row, bool named);
/* A measured settled state. wsk_replay_settled gives the model's die temperature, degC, for its power and fan
 * speed, with the processor idle (load false) or running the game of the measurement (true). */
typedef struct {
    double power_w, fan_rpm, die_c;
} wsk_settled;
double wsk_replay_settled(const wsk_rig *rig, const wsk_settled *point, bool load, double room_c);

/* Mean of a quantity over the last ten minutes of a two-hour run with nothing pinned: "gpu0.die_c", "gpu1.die_c -
 * gpu0.die_c" or "gpu1.work_rel / gpu0.work_rel". NAN on failure. */
double wsk_replay_quantity(const wsk_rig *rig, const char *quantity);
/* For a row of facts/by_card.csv, with its own cooler or the other one: the die temperature under load, degC, its error, K,
 * and the room, degC, which the row states or its idle hour gives. NAN on failure. */
typedef struct {
    double room_c, load_c, error_k;
} wsk_by_card;
wsk_by_card wsk_replay_by_card(const wsk_csv *csv, int row, bool own);

/* ---- traces ---- */

typedef enum {
    WSK_SENSOR_DIE,
    WSK_SENSOR_MEMORY,
    WSK_SENSOR_HOTSPOT,
    WSK_SENSOR_VRM,
    WSK_SENSOR_CPU,
    WSK_SENSORS
} wsk_sensor;
/* A measured trace with about one reading per second: idle, load, cool-down. */
typedef struct {
    int count;
    /* power in W at which the run is settled before the trace; NAN: the mean of the trace's idle minutes */
    double before_w;
    double *t_s, *power_w, *fan_rpm;
    /* degC; NAN: no such sensor. model: written by the last replay */
    double *measured[WSK_SENSORS], *model[WSK_SENSORS];
} wsk_trace;
/* Reads a trace. A sensor behind the converters reads P less than the board draws by fixed_w + per_w P^2, W; 0, 0: it
 * reads board power. Readings within one second are averaged. Returns 0 on success. wsk_trace_free frees the arrays. */
int wsk_trace_read(wsk_trace *trace, const char *path, double fixed_w, double per_w);
int wsk_trace_make(wsk_trace *trace, int count); /* makes an empty trace, all NAN; returns 0 if it succeeded */
void wsk_trace_free(wsk_trace *trace);
/* Replays the trace with the room at room_c. Returns the rms error of the die temperature, K; NAN on failure. */
double wsk_replay_trace(const wsk_rig *rig, wsk_trace *trace, double room_c);
/* Replays the trace with the room temperature that fits the die best, *room_c. Returns the rms error, K. */
double wsk_replay_trace_inlet(const wsk_rig *rig, wsk_trace *trace, double *room_c);
/* Over from_s <= t < to_s: mean of the values; mean (bias) and rms of model minus measured, K. NAN if there are
 * none. */
double wsk_trace_mean(const wsk_trace *trace, const double *values, double from_s, double to_s);
double wsk_trace_bias(const wsk_trace *trace, wsk_sensor sensor, double from_s, double to_s);
double wsk_trace_rms(const wsk_trace *trace, wsk_sensor sensor, double from_s, double to_s);

/* Rise of the processor's temperature, K, by an hour of constant GPU power after a settled idle: mean of the last
 * 20 minutes minus mean of the seconds 40-90. Processor power is constant, so that its own warm-up does not count. */
double wsk_replay_cpu_rise(const wsk_rig *rig, double power_w, double fan_rpm);

/* ---- time constants ---- */

/* Response of the die temperature to a power step from 10 to 150 W at this fan speed (NAN: the rig's own), in K/W:
 * a jump plus two exponentials with the time constants fast_s and slow_s, as in published fits. */
typedef struct {
    double jump_k_w, fast_k_w, slow_k_w, fast_s, slow_s;
    double node_s; /* heatsink alone: heat capacity divided by conductance to air, s */
} wsk_step_answer;
wsk_step_answer wsk_replay_step(const wsk_rig *rig, double fan_rpm);

/* ---- server with four cards ---- */

/* Reads card number `card` (from 0) of the 18-hour trace at `path`. Power and fan speed were not recorded: assumed
 * values are filled in (replay_trace.c). Returns 0 on success. */
int wsk_node_read(wsk_trace *trace, const char *path, int card);

#endif
