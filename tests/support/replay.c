/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/base.h"
#include "tests/support/replay_run.h"

enum { SETS_MAX = 24 };

wsk_steady_row wsk_steady_read(const wsk_csv *csv, int row)
{
    return (wsk_steady_row){.card = wsk_csv_text(csv, row, "card"),
                            .rig = wsk_csv_text(csv, row, "rig"),
                            .style = wsk_csv_text(csv, row, "style"),
                            .day = wsk_csv_text(csv, row, "day"),
                            .use = wsk_csv_text(csv, row, "use"),
                            .sets = wsk_csv_text(csv, row, "sets"),
                            .power_w = wsk_csv_number(csv, row, "power_w"),
                            .fan_rpm = wsk_csv_number(csv, row, "fan_rpm"),
                            .room_c = wsk_csv_number(csv, row, "room_c"),
                            .die_c = wsk_csv_number(csv, row, "die_c"),
                            .memory_c = wsk_csv_number(csv, row, "memory_c"),
                            .hotspot_c = wsk_csv_number(csv, row, "hotspot_c"),
                            .from_s = wsk_csv_number(csv, row, "from_s"),
                            .to_s = wsk_csv_number(csv, row, "to_s")};
}

static int cut_sets(char *text, const char *out[SETS_MAX])
{
    int n = 0;
    for (char *s = text; s && *s;) {
        s += strspn(s, " ;");
        size_t len = strcspn(s, ";");
        if (len && n == SETS_MAX)
            return -1;
        if (len)
            out[n++] = s;
        s += len;
        if (*s)
            *s++ = 0;
    }
    return n;
}

wsk_rig *wsk_replay_rig(const char *name, const char *sets)
{
    wsk_rig *rig = NULL;
    wsk_buf path = {0}, words = {0};
    const char *set[SETS_MAX];
    wsk_buf_printf(&path, "tests/validate/rigs/%s.xml", name);
    wsk_buf_printf(&words, "%s", sets ? sets : "");
    int n = cut_sets(words.data, set);
    const wsk_rig_options o = {.path = path.data,
                               .parts_dir = "parts",
                               .extra_parts_dir = "tests/validate/parts",
                               .sets = n > 0 ? set : NULL,
                               .set_count = n > 0 ? (size_t)n : 0};
    wsk_status status = path.data && n >= 0 ? wsk_rig_load(&rig, &o) : WSK_ENOMEM;
    for (size_t i = 0; status != WSK_OK && rig && i < wsk_rig_messages(rig); i++) {
        int severity, line, column;
        const char *file, *text;
        wsk_rig_message(rig, i, &severity, &file, &line, &column, &text);
        fprintf(stderr, "%s:%d:%d: %s\n", file ? file : name, line, column, text);
    }
    if (status != WSK_OK) {
        wsk_rig_free(rig);
        rig = NULL;
    }
    wsk_buf_free(&path);
    wsk_buf_free(&words);
    return rig;
}

/* Rounds to 10 rpm, which changes temperatures negligibly: the engine caches flow solutions by fan speed, and fewer
 * speeds make replays fast. */
double wsk_replay_round(double rpm)
{
    return floor(rpm / 10 + 0.5) * 10;
}

wsk_run *wsk_replay_begin(const wsk_rig *rig, double room_c, double power_w, double fan_rpm)
{
    wsk_run *run = NULL;
    if (!rig || wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = 86400, .step_s = 1}) != WSK_OK)
        return NULL;
    bool ok = wsk_run_set(run, "room.air_c", room_c) == WSK_OK && wsk_run_set(run, "gpu0.power_w", power_w) == WSK_OK;
    if (ok && !isnan(fan_rpm))
        ok = wsk_run_set(run, "gpu0.fan_rpm", wsk_replay_round(fan_rpm)) == WSK_OK;
    if (ok)
        return run;
    wsk_run_free(run);
    return NULL;
}

double wsk_replay_get(const wsk_run *run, const char *name)
{
    double value;
    return wsk_run_get(run, name, &value) == WSK_OK ? value : (double)NAN;
}

static wsk_row_temps temps_now(const wsk_run *run)
{
    return (wsk_row_temps){wsk_replay_get(run, "gpu0.die_c"), wsk_replay_get(run, "gpu0.memory_c"),
                           wsk_replay_get(run, "gpu0.hotspot_c")};
}

static const wsk_row_temps no_temps = {NAN, NAN, NAN};

static wsk_row_temps window_mean(wsk_run *run, const wsk_steady_row *row, const wsk_csv *segments)
{
    wsk_row_temps sum = {0};
    double n = 0;
    for (double t = 0; t < row->to_s; t++) {
        for (int i = 0; i < wsk_csv_rows(segments); i++)
            if (wsk_csv_number(segments, i, "from_s") == t)
                wsk_run_set(run, "gpu0.power_w", wsk_csv_number(segments, i, "power_w"));
        if (wsk_run_advance(run, WSK_LEAD_IN_S + t + 1) != WSK_OK)
            return no_temps;
        if (t >= row->from_s) {
            wsk_row_temps now = temps_now(run);
            sum = (wsk_row_temps){sum.die_c + now.die_c, sum.memory_c + now.memory_c, sum.hotspot_c + now.hotspot_c};
            n++;
        }
    }
    return (wsk_row_temps){sum.die_c / n, sum.memory_c / n, sum.hotspot_c / n};
}

wsk_row_temps wsk_replay_row(const wsk_rig *rig, const wsk_steady_row *row, const wsk_csv *segments, double room_c)
{
    bool settled = isnan(row->from_s);
    double power = settled ? row->power_w : wsk_csv_number(segments, 0, "power_w");
    wsk_run *run = wsk_replay_begin(rig, room_c, power, row->fan_rpm);
    wsk_row_temps temps = no_temps;
    if (run && wsk_run_advance(run, settled ? WSK_HOUR_S : WSK_LEAD_IN_S) == WSK_OK)
        temps = settled ? temps_now(run) : window_mean(run, row, segments);
    wsk_run_free(run);
    return temps;
}

double wsk_replay_inlet(const wsk_rig *rig, const wsk_steady_row *row, const wsk_csv *segments)
{
    double room = 25;
    /* Fixed-point iteration: the die temperature rises by nearly 1 K for each kelvin of room temperature. */
    for (int i = 0; i < 4; i++)
        room += row->die_c - wsk_replay_row(rig, row, segments, room).die_c;
    return room;
}

double wsk_replay_settled(const wsk_rig *rig, const wsk_settled *point, bool load, double room_c)
{
    wsk_run *run = wsk_replay_begin(rig, room_c, point->power_w, point->fan_rpm);
    double die = NAN;
    if (run && wsk_run_advance(run, load ? WSK_HOUR_S : WSK_LEAD_IN_S) == WSK_OK)
        die = wsk_replay_get(run, "gpu0.die_c");
    wsk_run_free(run);
    return die;
}

wsk_by_card wsk_replay_by_card(const wsk_csv *csv, int row, bool own)
{
    wsk_buf sets = {0};
    const wsk_settled idle = {wsk_csv_number(csv, row, "idle_w"), wsk_csv_number(csv, row, "idle_rpm"),
                              wsk_csv_number(csv, row, "idle_c")},
                      load = {wsk_csv_number(csv, row, "load_w"), wsk_csv_number(csv, row, "load_rpm"),
                              wsk_csv_number(csv, row, "load_c")};
    wsk_buf_printf(&sets, "%s; %s", wsk_csv_text(csv, row, "sets"), own ? "" : wsk_csv_text(csv, row, "other_sets"));
    wsk_rig *rig = wsk_replay_rig(wsk_csv_text(csv, row, own ? "own" : "other"), sets.data);
    wsk_buf_free(&sets);
    double room = wsk_csv_number(csv, row, "room_c");
    if (isnan(room)) {
        room = 25;
        for (int i = 0; i < 4; i++)
            room += idle.die_c - wsk_replay_settled(rig, &idle, false, room);
    }
    const double load_c = wsk_replay_settled(rig, &load, true, room);
    wsk_rig_free(rig);
    return (wsk_by_card){room, load_c, load_c - load.die_c};
}

double wsk_replay_quantity(const wsk_rig *rig, const char *quantity)
{
    enum { FROM_S = 6600, TO_S = 7200, EVERY_S = 10 };
    char first[64] = "", second[64] = "";
    size_t len = strcspn(quantity, " ");
    char sign = quantity[len] ? quantity[len + 1] : ' ';
    if (len >= sizeof first || (sign != ' ' && strlen(quantity + len) >= sizeof second))
        return NAN;
    memcpy(first, quantity, len);
    if (sign != ' ')
        memcpy(second, quantity + len + 3, strlen(quantity + len + 3) + 1);
    wsk_run *run = NULL;
    double a = 0, b = 0, n = 0;
    bool ok = rig && wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = TO_S, .step_s = 1}) == WSK_OK;
    for (double t = FROM_S; ok && t <= TO_S; t += EVERY_S, n++) {
        ok = wsk_run_advance(run, t) == WSK_OK;
        a += wsk_replay_get(run, first);
        b += *second ? wsk_replay_get(run, second) : 0;
    }
    wsk_run_free(run);
    return !ok ? (double)NAN : sign == '/' ? a / b : (a - b) / n;
}

double wsk_replay_cpu_rise(const wsk_rig *rig, double power_w, double fan_rpm)
{
    wsk_run *run = wsk_replay_begin(rig, 25, 10, 1500);
    double early = 0, late = 0, n = 0, m = 0, zero = WSK_LEAD_IN_S + WSK_IDLE_S;
    bool ok = run && wsk_run_advance(run, zero) == WSK_OK && wsk_run_set(run, "gpu0.power_w", power_w) == WSK_OK &&
              wsk_run_set(run, "gpu0.fan_rpm", wsk_replay_round(fan_rpm)) == WSK_OK;
    for (double t = 1; ok && t <= WSK_HOUR_S && wsk_run_advance(run, zero + t) == WSK_OK; t++) {
        bool first = t >= 40 && t <= 90, last = t > 2400;
        early += first ? wsk_replay_get(run, "cpu0.die_c") : 0;
        late += last ? wsk_replay_get(run, "cpu0.die_c") : 0;
        n += first;
        m += last;
    }
    wsk_run_free(run);
    return m > 0 ? late / m - early / n : (double)NAN;
}

wsk_rig *wsk_replay_memory_rig(const wsk_csv *csv, int row, bool named)
{
    const char *sets = wsk_csv_text(csv, row, "sets"), *traffic = strstr(sets, "; workload.memory-traffic");
    wsk_buf b = {0};
    wsk_buf_printf(&b, "%.*s", (int)(named || !traffic ? strlen(sets) : (size_t)(traffic - sets)), sets);
    wsk_rig *rig = wsk_replay_rig("bench-memory", b.data);
    wsk_buf_free(&b);
    return rig;
}

static double number_behind(const char *json, const char *name)
{
    const char *at = json ? strstr(json, name) : NULL;
    return at ? strtod(at + strlen(name), NULL) : (double)NAN;
}

wsk_replay_doubt wsk_replay_spread(const wsk_rig *rig)
{
    char *json = NULL;
    wsk_replay_doubt out = {NAN, NAN, NAN, NAN};
    if (!rig || wsk_rig_spread(rig, WSK_STEPPER_FAST, &json) != WSK_OK)
        return out;
    out.die_below_k = number_behind(strstr(json, "\"below\""), "\"die_k\": ");
    out.die_above_k = number_behind(strstr(json, "\"above\""), "\"die_k\": ");
    double below = 0, above = 0;
    for (const char *at = strstr(json, "\"sources\""); at && (at = strstr(at, "{ \"key\": ")) != NULL; at++) {
        static const char *const ways[] = {"\"lowered\"", "\"raised\""};
        for (int k = 0; k < 2; k++) {
            const char *way = strstr(at, ways[k]);
            const double over = number_behind(way, "\"memory_k\": ") - number_behind(way, "\"die_k\": ");
            below += over < 0 ? over * over : 0;
            above += over > 0 ? over * over : 0;
        }
    }
    out.memory_over_below_k = sqrt(below);
    out.memory_over_above_k = sqrt(above);
    wsk_text_free(json);
    return out;
}

double wsk_replay_towards(const wsk_replay_doubt *doubt, double off_k)
{
    return off_k > 0 ? doubt->die_below_k : doubt->die_above_k;
}

double wsk_replay_memory_over(const wsk_rig *rig)
{
    wsk_run *run = NULL;
    double over = NAN;
    if (rig && wsk_run_new(&run, rig, &(wsk_run_options){.duration_s = 86400, .step_s = 1}) == WSK_OK &&
        wsk_run_advance(run, 5 * WSK_HOUR_S) == WSK_OK)
        over = wsk_replay_get(run, "gpu0.memory_c") - wsk_replay_get(run, "gpu0.die_c");
    wsk_run_free(run);
    return over;
}
