/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_TESTS_REPLAY_H
#define WSK_TESTS_REPLAY_H
#include "wattsink.h"

typedef struct wsk_csv wsk_csv;
wsk_csv *wsk_csv_read(const char *path); /* NULL: the file cannot be read; free with wsk_csv_free */
void wsk_csv_free(wsk_csv *csv);
int wsk_csv_rows(const wsk_csv *csv);
const char *wsk_csv_text(const wsk_csv *csv, int row, const char *column); /* "": no such column */
double wsk_csv_number(const wsk_csv *csv, int row, const char *column);    /* NAN: the cell holds no number */

/* Loads tests/validate/rigs/NAME.xml with --set assignments "a=b; c=d" (or NULL). The caller frees the rig. NULL:
 * loading failed, and the messages are on stderr. */
wsk_rig *wsk_replay_rig(const char *name, const char *sets);

typedef struct {
    /* use: fit (the room temperature is fitted on this row), held (the row is predicted and must be within the band),
     * report (the row is predicted, with a wider band) */
    const char *card, *rig, *style, *day, *use, *sets;
    double power_w, fan_rpm, room_c, die_c; /* NAN: not measured */
    double memory_c, hotspot_c;
    double from_s, to_s; /* start and end of the averaged window, s, in a trace that still warms up; NAN: the state
                          * is settled */
} wsk_steady_row;
wsk_steady_row wsk_steady_read(const wsk_csv *csv, int row);
/* Model temperatures, degC, for the settled state or the time window of `row`, with the room at room_c. A window
 * needs `segments`: the card's power over time in the columns from_s and power_w. NAN: the run failed. */
typedef struct {
    double die_c, memory_c, hotspot_c;
} wsk_row_temps;
wsk_row_temps wsk_replay_row(const wsk_rig *rig, const wsk_steady_row *row, const wsk_csv *segments, double room_c);
double wsk_replay_inlet(const wsk_rig *rig, const wsk_steady_row *row, const wsk_csv *segments);
double wsk_replay_memory_over(const wsk_rig *rig);
/* Standard deviations, K, that result from the spreads of all inputs, below and above the value that the model finds:
 * of the GPU temperature (die), and of memory temperature less GPU temperature (memory_over). NAN: the calculation
 * failed. */
typedef struct {
    double die_below_k, die_above_k, memory_over_below_k, memory_over_above_k;
} wsk_replay_doubt;
/* Standard deviation of the GPU temperature on the side on which the reading is. off_k: found value less reading. */
double wsk_replay_towards(const wsk_replay_doubt *doubt, double off_k);
wsk_replay_doubt wsk_replay_spread(const wsk_rig *rig);
wsk_rig *wsk_replay_memory_rig(const wsk_csv *csv, int row, bool named);
/* A measured settled state of a card. wsk_replay_settled returns the model's die temperature, degC, at the state's
 * power and fan speed. load true: the processor runs the measurement's game; false: the processor idles. */
typedef struct {
    double power_w, fan_rpm, die_c;
} wsk_settled;
double wsk_replay_settled(const wsk_rig *rig, const wsk_settled *point, bool load, double room_c);

/* Mean of a quantity over the last ten minutes of a two-hour run: a variable such as "gpu0.die_c", a difference such as
 * "gpu1.die_c - gpu0.die_c", or a ratio of means such as "gpu1.work_rel / gpu0.work_rel". NAN: the run failed. */
double wsk_replay_quantity(const wsk_rig *rig, const char *quantity);
/* Replays a row of facts/by_card.csv with the card's own cooler, or with another card's (own false). load_c: the
 * model's die temperature under load, degC; error_k: load_c less the measured value; room_c: the room temperature of
 * the row, or if it states none, that at which the model meets the row's idle temperature. NAN: a run failed. */
typedef struct {
    double room_c, load_c, error_k;
} wsk_by_card;
wsk_by_card wsk_replay_by_card(const wsk_csv *csv, int row, bool own);

typedef enum {
    WSK_SENSOR_DIE,
    WSK_SENSOR_MEMORY,
    WSK_SENSOR_HOTSPOT,
    WSK_SENSOR_VRM,
    WSK_SENSOR_CPU,
    WSK_SENSORS
} wsk_sensor;
/* A measured trace with about one reading per second. before_w: power, W, at which the model is settled before the
 * trace begins; NAN: the mean power of the trace from -240 to -60 s. */
typedef struct {
    int count;
    double before_w;
    double *t_s, *power_w, *fan_rpm;
    /* degC; measured NAN: the trace has no such sensor. model: written by the last replay */
    double *measured[WSK_SENSORS], *model[WSK_SENSORS];
} wsk_trace;
/* Board power is the power reading P plus fixed_w + per_w P^2, W, which a sensor behind the card's converters misses;
 * 0, 0: the sensor reads board power. Readings within one second are averaged. Returns 0 on success. wsk_trace_free
 * frees the arrays. */
int wsk_trace_read(wsk_trace *trace, const char *path, double fixed_w, double per_w);
int wsk_trace_make(wsk_trace *trace, int count); /* all readings are NAN; returns 0 on success */
void wsk_trace_free(wsk_trace *trace);
/* Replays the trace in a room of room_c. Returns the rms error of the die temperature, K; NAN: the run failed. */
double wsk_replay_trace(const wsk_rig *rig, wsk_trace *trace, double room_c);
/* Replays the trace in the room whose temperature, *room_c, fits the die temperature best. Returns the rms error of
 * the die temperature, K. */
double wsk_replay_trace_inlet(const wsk_rig *rig, wsk_trace *trace, double *room_c);
/* Over the readings with from_s <= t < to_s: the mean of `values`; the mean (bias) and the rms of model minus
 * measured, K. NAN: no reading is in that span. */
double wsk_trace_mean(const wsk_trace *trace, const double *values, double from_s, double to_s);
double wsk_trace_bias(const wsk_trace *trace, wsk_sensor sensor, double from_s, double to_s);
double wsk_trace_rms(const wsk_trace *trace, wsk_sensor sensor, double from_s, double to_s);

/* Rise of the processor's temperature, K, during an hour of constant GPU power that follows a settled idle: mean of the
 * last 20 minutes minus mean of the seconds 40-90. */
double wsk_replay_cpu_rise(const wsk_rig *rig, double power_w, double fan_rpm);

/* Response of the model's die temperature to a step of the card's power from 10 to 150 W at this fan speed (NAN: the
 * rig's own fan control), in K/W: a jump plus two exponentials with the time constants fast_s and slow_s. */
typedef struct {
    double jump_k_w, fast_k_w, slow_k_w, fast_s, slow_s;
    double node_s; /* time constant of the heatsink node: its heat capacity / its conductance to air */
} wsk_step_answer;
wsk_step_answer wsk_replay_step(const wsk_rig *rig, double fan_rpm);

/* Reads the trace of card number `card` (from 0) from the 18-hour file at `path`, which has neither power nor fan
 * speed: replay_trace.c fills in assumed values. Returns 0 on success. */
int wsk_node_read(wsk_trace *trace, const char *path, int card);

#endif
