/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/run/run.h"

enum { LEAD_IN_S = 14100, IDLE_S = 300, SETTLE_S = 9000, HOUR_S = 3600 };
/* The lead-in and the load of the rigs under tests/validate/rigs go together: there the processor's load
 * switches on at 0 and again at 4 h for an hour: settled means the end of the first hour, and a trace begins 300 s
 * before 4 h. */

wsk_steady_row wsk_steady_read(const wsk_csv *csv, int row)
{
    return (wsk_steady_row){.card = wsk_csv_text(csv, row, "card"), .rig = wsk_csv_text(csv, row, "rig"),
                            .style = wsk_csv_text(csv, row, "style"), .day = wsk_csv_text(csv, row, "day"),
                            .use = wsk_csv_text(csv, row, "use"), .power_w = wsk_csv_number(csv, row, "power_w"),
                            .fan_rpm = wsk_csv_number(csv, row, "fan_rpm"), .room_c = wsk_csv_number(csv, row, "room_c"),
                            .die_c = wsk_csv_number(csv, row, "die_c"), .from_s = wsk_csv_number(csv, row, "from_s"),
                            .to_s = wsk_csv_number(csv, row, "to_s")};
}

wsk_rig *wsk_replay_rig(const char *path, const char *set)
{
    wsk_rig *rig = NULL;
    const wsk_rig_options o = {.path = path, .parts_dir = "parts", .extra_parts_dir = "tests/validate/parts",
                               .sets = set ? &set : NULL, .set_count = set ? 1 : 0};
    if (wsk_rig_load(&rig, &o) == WSK_OK)
        return rig;
    for (size_t i = 0; rig && i < wsk_rig_messages(rig); i++) {
        int severity, line, column;
        const char *file, *text;
        wsk_rig_message(rig, i, &severity, &file, &line, &column, &text);
        fprintf(stderr, "%s:%d:%d: %s\n", file ? file : path, line, column, text);
    }
    wsk_rig_free(rig);
    return NULL;
}

/* The flow solution is remembered per speed: tens of rpm keep the memory warm and change nothing. */
static double round_rpm(double rpm)
{
    return floor(rpm / 10 + 0.5) * 10;
}

static wsk_run *begin(const wsk_rig *rig, double room_c, double power_w, double fan_rpm)
{
    wsk_run *run = NULL;
    if (!rig || wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = 86400, .step_s = 1}) != WSK_OK)
        return NULL;
    bool ok = wsk_run_set(run, "room.air_c", room_c) == WSK_OK && wsk_run_set(run, "gpu0.power_w", power_w) == WSK_OK;
    if (ok && !isnan(fan_rpm))
        ok = wsk_run_set(run, "gpu0.fan_rpm", round_rpm(fan_rpm)) == WSK_OK;
    if (ok)
        return run;
    wsk_run_free(run);
    return NULL;
}

static double get(const wsk_run *run, const char *name)
{
    double value;
    return wsk_run_get(run, name, &value) == WSK_OK ? value : (double)NAN;
}

/* Mean die temperature of a window while the power follows its segments from the settled first one. */
static double window_mean(wsk_run *run, const wsk_steady_row *row, const wsk_csv *segments)
{
    double sum = 0, n = 0;
    for (double t = 0; t < row->to_s; t++) {
        for (int i = 0; i < wsk_csv_rows(segments); i++)
            if (wsk_csv_number(segments, i, "from_s") == t)
                wsk_run_set(run, "gpu0.power_w", wsk_csv_number(segments, i, "power_w"));
        if (wsk_run_advance(run, LEAD_IN_S + t + 1) != WSK_OK)
            return NAN;
        if (t >= row->from_s) {
            sum += get(run, "gpu0.die_c");
            n++;
        }
    }
    return sum / n;
}

double wsk_replay_row(const wsk_rig *rig, const wsk_steady_row *row, const wsk_csv *segments, double room_c)
{
    bool settled = isnan(row->from_s);
    wsk_run *run = begin(rig, room_c, settled ? row->power_w : wsk_csv_number(segments, 0, "power_w"), row->fan_rpm);
    double die = NAN;
    if (run && wsk_run_advance(run, settled ? HOUR_S : LEAD_IN_S) == WSK_OK)
        die = settled ? get(run, "gpu0.die_c") : window_mean(run, row, segments);
    wsk_run_free(run);
    return die;
}

double wsk_replay_inlet(const wsk_rig *rig, const wsk_steady_row *row, const wsk_csv *segments)
{
    double room = 25;
    for (int i = 0; i < 4; i++) /* the die follows the room nearly one to one */
        room += row->die_c - wsk_replay_row(rig, row, segments, room);
    return room;
}

/* ---- traces ---- */

int wsk_trace_read(wsk_trace *trace, const char *path)
{
    wsk_csv *csv = wsk_csv_read(path);
    *trace = (wsk_trace){0};
    if (!csv)
        return 1;
    static const char *const names[] = {"t_s", "gpu_temp_c", "power_w", "fan_rpm", "cpu_temp_c"};
    size_t n = (size_t)wsk_csv_rows(csv);
    double *all = calloc(8 * n + 1, sizeof *all);
    if (all && n) {
        *trace = (wsk_trace){.count = (int)n, .t_s = all, .die_c = all + n, .power_w = all + 2 * n, .fan_rpm = all + 3 * n,
                             .cpu_c = all + 4 * n, .model_c = all + 5 * n, .model_cpu_c = all + 6 * n, .model_case_c = all + 7 * n};
        for (size_t k = 0; k < 5; k++)
            for (size_t i = 0; i < n; i++)
                all[k * n + i] = wsk_csv_number(csv, (int)i, names[k]);
    } else {
        free(all);
    }
    wsk_csv_free(csv);
    return trace->count < 2;
}

void wsk_trace_free(wsk_trace *trace)
{
    free(trace->t_s);
    *trace = (wsk_trace){0};
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

static double rms(const wsk_trace *trace)
{
    double sum = 0;
    for (int i = 0; i < trace->count; i++)
        sum += (trace->model_c[i] - trace->die_c[i]) * (trace->model_c[i] - trace->die_c[i]);
    return sqrt(sum / trace->count);
}

/* What went on before the trace is not recorded: everything starts as warm as the first reading says, by way of
 * the room before it. */
static wsk_run *lead_in(const wsk_rig *rig, const wsk_trace *trace, double room_c)
{
    wsk_run *run = begin(rig, room_c, wsk_trace_mean(trace, trace->power_w, -240, -60), trace->fan_rpm[0]);
    if (run && wsk_run_advance(run, SETTLE_S) == WSK_OK) {
        wsk_run_set(run, "room.air_c", room_c + trace->die_c[0] - get(run, "gpu0.die_c"));
        if (wsk_run_advance(run, LEAD_IN_S) == WSK_OK && wsk_run_set(run, "room.air_c", room_c) == WSK_OK)
            return run;
    }
    wsk_run_free(run);
    return NULL;
}

double wsk_replay_trace(const wsk_rig *rig, wsk_trace *trace, double room_c)
{
    wsk_run *run = lead_in(rig, trace, room_c);
    if (!run)
        return NAN;
    bool ok = true;
    for (int i = 0; i < trace->count && ok; i++) {
        double next = i + 1 < trace->count ? trace->t_s[i + 1] : trace->t_s[i] + 1;
        ok = wsk_run_set(run, "gpu0.power_w", trace->power_w[i]) == WSK_OK &&
             wsk_run_set(run, "gpu0.fan_rpm", round_rpm(trace->fan_rpm[i])) == WSK_OK &&
             wsk_run_advance(run, LEAD_IN_S + IDLE_S + next) == WSK_OK;
        trace->model_c[i] = get(run, "gpu0.die_c");
        trace->model_cpu_c[i] = get(run, "cpu0.die_c");
        trace->model_case_c[i] = get(run, "case.air_c");
    }
    wsk_run_free(run);
    return ok ? rms(trace) : (double)NAN;
}

double wsk_replay_trace_inlet(const wsk_rig *rig, wsk_trace *trace, double *room_c)
{
    double error = NAN;
    *room_c = 25;
    for (int i = 0; i < 4; i++) {
        error = wsk_replay_trace(rig, trace, *room_c);
        if (isnan(error) || i == 3)
            break;
        double all = trace->t_s[trace->count - 1] + 1;
        *room_c += wsk_trace_mean(trace, trace->die_c, -1e9, all) - wsk_trace_mean(trace, trace->model_c, -1e9, all);
    }
    return error;
}

double wsk_replay_cpu_rise(const wsk_rig *rig, double power_w, double fan_rpm)
{
    wsk_run *run = begin(rig, 25, 10, 1500);
    double early = 0, late = 0, n = 0, m = 0, zero = LEAD_IN_S + IDLE_S;
    bool ok = run && wsk_run_advance(run, zero) == WSK_OK && wsk_run_set(run, "gpu0.power_w", power_w) == WSK_OK &&
              wsk_run_set(run, "gpu0.fan_rpm", round_rpm(fan_rpm)) == WSK_OK;
    for (double t = 1; ok && t <= 3600 && wsk_run_advance(run, zero + t) == WSK_OK; t++) {
        bool first = t >= 40 && t <= 90, last = t > 2400;
        early += first ? get(run, "cpu0.die_c") : 0;
        late += last ? get(run, "cpu0.die_c") : 0;
        n += first;
        m += last;
    }
    wsk_run_free(run);
    return m > 0 ? late / m - early / n : (double)NAN;
}

double wsk_replay_tau(const wsk_rig *rig, double fan_rpm)
{
    wsk_run *run = begin(rig, 25, 150, fan_rpm);
    double tau = NAN;
    if (run && wsk_run_advance(run, 3600) == WSK_OK) {
        const wsk_net *net = run->net;
        for (int i = 0; i < net->n_port; i++)
            if (net->ports[i].solid == net->cards[0].heatsink && net->ports[i].law == WSK_PORT_FINS)
                tau = net->nodes[net->cards[0].heatsink].cap_j_k / run->config->point.g[i];
    }
    wsk_run_free(run);
    return tau;
}
