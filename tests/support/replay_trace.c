/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/replay.h"
#include "tests/support/replay_run.h"

enum { SETTLE_S = 9000, COLUMNS = 3 + 2 * WSK_SENSORS };

int wsk_trace_make(wsk_trace *trace, int count)
{
    size_t n = (size_t)count;
    double *all = malloc((COLUMNS * n + 1) * sizeof *all);
    *trace = (wsk_trace){0};
    if (!all || count < 2) {
        free(all);
        return 1;
    }
    for (size_t i = 0; i < COLUMNS * n; i++)
        all[i] = NAN;
    *trace = (wsk_trace){.count = count, .before_w = NAN, .t_s = all, .power_w = all + n, .fan_rpm = all + 2 * n};
    for (size_t k = 0; k < WSK_SENSORS; k++) {
        trace->measured[k] = all + (3 + k) * n;
        trace->model[k] = all + (3 + WSK_SENSORS + k) * n;
    }
    return 0;
}

void wsk_trace_free(wsk_trace *trace)
{
    free(trace->t_s);
    *trace = (wsk_trace){0};
}

static void average_seconds(wsk_trace *trace)
{
    int out = 0;
    for (int i = 0; i < trace->count; out++) {
        int next = i + 1;
        while (next < trace->count && floor(trace->t_s[next]) == floor(trace->t_s[i]))
            next++;
        for (int k = 1; k < 3 + WSK_SENSORS; k++) {
            double *v = trace->t_s + (size_t)k * (size_t)trace->count, sum = 0;
            for (int j = i; j < next; j++)
                sum += v[j];
            v[out] = sum / (next - i);
        }
        trace->t_s[out] = floor(trace->t_s[i]);
        i = next;
    }
    trace->count = out; /* the arrays keep their allocated length, which is larger than this count */
}

int wsk_trace_read(wsk_trace *trace, const char *path, double fixed_w, double per_w)
{
    static const char *const sensor[WSK_SENSORS] = {"gpu_temp_c", "mem_temp_c", "hotspot_c", "vrm_temp_c",
                                                    "cpu_temp_c"};
    wsk_csv *csv = wsk_csv_read(path);
    *trace = (wsk_trace){0};
    int failed = !csv || wsk_trace_make(trace, wsk_csv_rows(csv));
    for (int i = 0; !failed && i < trace->count; i++) {
        double power = wsk_csv_number(csv, i, "power_w");
        power = isnan(power) ? wsk_csv_number(csv, i, "power_inst_w") : power;
        trace->t_s[i] = wsk_csv_number(csv, i, "t_s");
        trace->power_w[i] = power + fixed_w + per_w * power * power;
        trace->fan_rpm[i] = wsk_csv_number(csv, i, "fan_rpm");
        for (int k = 0; k < WSK_SENSORS; k++)
            trace->measured[k][i] = wsk_csv_number(csv, i, sensor[k]);
    }
    if (!failed && trace->t_s[1] - trace->t_s[0] < 0.9)
        average_seconds(trace);
    wsk_csv_free(csv);
    return failed;
}

double wsk_trace_mean(const wsk_trace *trace, const double *values, double from_s, double to_s)
{
    double sum = 0, n = 0;
    for (int i = 0; i < trace->count; i++)
        if (trace->t_s[i] >= from_s && trace->t_s[i] < to_s) {
            sum += values[i];
            n++;
        }
    return sum / n;
}

double wsk_trace_bias(const wsk_trace *trace, wsk_sensor sensor, double from_s, double to_s)
{
    return wsk_trace_mean(trace, trace->model[sensor], from_s, to_s) -
           wsk_trace_mean(trace, trace->measured[sensor], from_s, to_s);
}

double wsk_trace_rms(const wsk_trace *trace, wsk_sensor sensor, double from_s, double to_s)
{
    double sum = 0, n = 0;
    for (int i = 0; i < trace->count; i++)
        if (trace->t_s[i] >= from_s && trace->t_s[i] < to_s) {
            double d = trace->model[sensor][i] - trace->measured[sensor][i];
            sum += d * d;
            n++;
        }
    return sqrt(sum / n);
}

static bool play(wsk_run *run, wsk_trace *trace, double until_s)
{
    static const char *const variable[WSK_SENSORS] = {"gpu0.die_c", "gpu0.memory_c", "gpu0.hotspot_c", "gpu0.vrm_c",
                                                      "cpu0.die_c"};
    for (int i = 0; i < trace->count && trace->t_s[i] < until_s; i++) {
        if (wsk_run_set(run, "gpu0.power_w", trace->power_w[i]) != WSK_OK ||
            (!isnan(trace->fan_rpm[i]) &&
             wsk_run_set(run, "gpu0.fan_rpm", wsk_replay_round(trace->fan_rpm[i])) != WSK_OK) ||
            wsk_run_advance(run, WSK_LEAD_IN_S + trace->t_s[i] - trace->t_s[0] + 1) != WSK_OK)
            return false;
        for (int k = 0; k < WSK_SENSORS; k++)
            trace->model[k][i] = wsk_replay_get(run, variable[k]);
    }
    return true;
}

/* Starts a run and advances it to the beginning of a trace. The run settles at the power before the trace; from
 * SETTLE_S until the trace begins, the room is shift_k warmer. NULL: the run failed. */
static wsk_run *lead_in(const wsk_rig *rig, const wsk_trace *trace, double room_c, double shift_k)
{
    double power = isnan(trace->before_w) ? wsk_trace_mean(trace, trace->power_w, -240, -60) : trace->before_w;
    wsk_run *run = wsk_replay_begin(rig, room_c, power, trace->fan_rpm[0]);
    if (run && wsk_run_advance(run, SETTLE_S) == WSK_OK &&
        wsk_run_set(run, "room.air_c", room_c + shift_k) == WSK_OK && wsk_run_advance(run, WSK_LEAD_IN_S) == WSK_OK &&
        wsk_run_set(run, "room.air_c", room_c) == WSK_OK)
        return run;
    wsk_run_free(run);
    return NULL;
}

/* Mean of measured minus modelled die temperature, K, from -240 to -60 s, where the card idles. NAN: the run failed. */
static double idle_lack(const wsk_rig *rig, wsk_trace *trace, double room_c, double shift_k)
{
    wsk_run *run = lead_in(rig, trace, room_c, shift_k);
    double lack = run && play(run, trace, -60) ? -wsk_trace_bias(trace, WSK_SENSOR_DIE, -240, -60) : (double)NAN;
    wsk_run_free(run);
    return lack;
}

/* Returns the room shift, K, for lead_in() with which the model meets the idle temperature at the start of the trace,
 * because the trace does not show how warm the machine was before. Two runs suffice, because the temperature is nearly
 * linear in the shift. */
static double idle_shift(const wsk_rig *rig, wsk_trace *trace, double room_c)
{
    if (!isnan(trace->before_w))
        return 0;
    double none = idle_lack(rig, trace, room_c, 0), step = fabs(none) > 0.05 ? none : 0.5;
    double some = idle_lack(rig, trace, room_c, step);
    return fabs(none - some) > 1e-6 ? step * none / (none - some) : 0 * some;
}

double wsk_replay_trace(const wsk_rig *rig, wsk_trace *trace, double room_c)
{
    double shift = idle_shift(rig, trace, room_c);
    wsk_run *run = isnan(shift) ? NULL : lead_in(rig, trace, room_c, shift);
    bool ok = run && play(run, trace, INFINITY);
    wsk_run_free(run);
    return ok ? wsk_trace_rms(trace, WSK_SENSOR_DIE, -INFINITY, INFINITY) : (double)NAN;
}

double wsk_replay_trace_inlet(const wsk_rig *rig, wsk_trace *trace, double *room_c)
{
    double error = NAN;
    *room_c = 25;
    for (int i = 0; i < 4; i++) {
        error = wsk_replay_trace(rig, trace, *room_c);
        if (isnan(error) || i == 3)
            break;
        *room_c -= wsk_trace_bias(trace, WSK_SENSOR_DIE, -INFINITY, INFINITY);
    }
    return error;
}

/* Assumed: a card that waits with a process loaded draws 55 W; a working card draws its limit of 260 W. Fans turn at
 * early_share * settled_rpm until late_from_s and reach settled_rpm at late_to_s (that delay was observed).
 * early_share was fitted on the first half of the traces of all four cards. */
static const double waiting_w = 55, working_w = 260, settled_rpm = 15000, early_share = 0.87, late_from_s = 200,
                    late_to_s = 600;

int wsk_node_read(wsk_trace *trace, const char *path, int card)
{
    wsk_csv *csv = wsk_csv_read(path);
    char column[] = "temp0_c";
    column[4] = (char)('0' + card);
    *trace = (wsk_trace){0};
    int failed = !csv || wsk_trace_make(trace, wsk_csv_rows(csv));
    for (int i = 0; !failed && i < trace->count; i++) {
        double t = wsk_csv_number(csv, i, "t_s"), late = (t - late_from_s) / (late_to_s - late_from_s);
        late = late < 0 ? 0 : late > 1 ? 1 : late;
        trace->t_s[i] = t;
        trace->measured[WSK_SENSOR_DIE][i] = wsk_csv_number(csv, i, column);
        trace->power_w[i] = t <= 5 ? waiting_w : working_w;
        trace->fan_rpm[i] = settled_rpm * (early_share + (1 - early_share) * late);
    }
    wsk_csv_free(csv);
    return failed;
}
