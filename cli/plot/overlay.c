/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several runs in one picture: of each panel one curve a run, over all of its cards, supplies and fans. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot/plot.h"

typedef enum { MEAN, MOST, LEAST, SUM } unite;
static const struct {
    const char *picture, *column, *title, *unit; /* column: in the table beside the picture; unit "": the currency */
    const char *ending;                          /* of the columns; '*' in front: of every owner */
    wsk_result ids;                              /* of the owners; WSK_RESULTS: of all but room and outdoors */
    unite how;
    double factor;
} panels[] = {
    {"temps", "die_most_c", "die of the hottest card", "°C", "*.die_c", WSK_R_GPU_ID, MOST, 1},
    {"temps", "memory_most_c", "hottest memory", "°C", "*.memory_c", WSK_R_GPU_ID, MOST, 1},
    {"temps", "coolant_most_c", "hottest coolant", "°C", "*.return_c", WSK_R_LOOP_ID, MOST, 1},
    {"temps", "case_air_most_c", "air in the case, the warmest", "°C", "*.air_c", WSK_RESULTS, MOST, 1},
    {"temps", "room_air_c", "air in the room", "°C", "room.air_c", WSK_RESULTS, MEAN, 1},
    {"power", "wall_w", "rig at the wall", "W", "wall_w", WSK_RESULTS, MEAN, 1},
    {"power", "cards_w", "all cards", "W", "*.power_w", WSK_R_GPU_ID, SUM, 1},
    {"power", "psu_loss_w", "lost in the power supplies", "W", "psu_loss_w", WSK_RESULTS, MEAN, 1},
    {"power", "ac_w", "air conditioner", "W", "ac_w", WSK_RESULTS, MEAN, 1},
    {"clocks", "clock_mean_mhz", "mean of all cards", "MHz", "*.clock_mhz", WSK_R_GPU_ID, MEAN, 1},
    {"clocks", "clock_least_mhz", "slowest card", "MHz", "*.clock_mhz", WSK_R_GPU_ID, LEAST, 1},
    {"clocks", "throttle_power_percent", "held down by a power limit, share of their time", "%", "*.throttle_power",
     WSK_R_GPU_ID, MEAN, 100},
    {"clocks", "throttle_thermal_percent", "held down by heat, share of their time", "%", "*.throttle_thermal",
     WSK_R_GPU_ID, MEAN, 100},
    {"clocks", "throttle_memory_percent", "held down by hot memory, share of their time", "%", "*.throttle_memory",
     WSK_R_GPU_ID, MEAN, 100},
    {"fans", "card_fan_most_rpm", "fastest fan of a card", "rpm", "*.fan_rpm", WSK_R_GPU_ID, MOST, 1},
    {"fans", "fan_most_rpm", "fastest of the other fans and pumps that follow a sensor", "rpm", "*.rpm", WSK_R_FAN_ID,
     MOST, 1},
    {"fans", "noise_dba", "noise of the rig", "dBA", "noise_dba", WSK_RESULTS, MEAN, 1},
    {"cost", "cost", "cost", "", "cost", WSK_RESULTS, MEAN, 1},
    {"cost", "energy_kwh", "energy of the rig at the wall", "kWh", "energy_kwh", WSK_RESULTS, MEAN, 1},
    {"psu", "load_most_percent", "load, share of the rating, of the supply most loaded", "%", "*.load", WSK_R_PSU_ID,
     MOST, 100},
    {"psu", "efficiency_percent", "efficiency, mean of the supplies", "%", "*.efficiency", WSK_R_PSU_ID, MEAN, 100},
    {"psu", "psu_loss_w", "loss, all units", "W", "psu_loss_w", WSK_RESULTS, MEAN, 1}};
enum { PANELS = sizeof panels / sizeof *panels, COLUMNS_MAX = 4096 };

static bool owned(const wsk_summary *summary, wsk_result ids, const char *owner, size_t len)
{
    if (ids == WSK_RESULTS)
        return !(len == 4 && !strncmp(owner, "room", 4)) && !(len == 7 && !strncmp(owner, "outdoor", 7));
    return wsk_cli_listed(summary, ids, owner, len);
}

/* Does "gpu0.die_c.mean" belong to the panel? Running sums are taken at the end of the interval. */
static bool belongs(int panel, const wsk_summary *summary, const char *column, size_t len)
{
    const char *kind = !strcmp(panels[panel].picture, "cost") ? ".max" : ".mean", *ending = panels[panel].ending;
    size_t k = strlen(kind), n = strlen(ending);
    if (len <= k || strncmp(column + len - k, kind, k) != 0)
        return false;
    len -= k;
    if (*ending != '*')
        return len == n && !strncmp(column, ending, n);
    n--;
    return len > n && !strncmp(column + len - n, ending + 1, n) && owned(summary, panels[panel].ids, column, len - n);
}

typedef struct {
    const wsk_summary *summary;
    const char *picture;
} choice;

static bool wanted(const void *ctx, const char *column, size_t len)
{
    const choice *c = ctx;
    for (int i = 0; i < PANELS; i++)
        if (!strcmp(panels[i].picture, c->picture) && belongs(i, c->summary, column, len))
            return true;
    return false;
}

static double united(int panel, const wsk_summary *summary, const char *head, const double *cell)
{
    double all = NAN, n = 0;
    size_t column = 0;
    for (const char *p = head; *p && *p != '\n'; column++) {
        size_t len = strcspn(p, ",\n");
        double v = belongs(panel, summary, p, len) ? cell[column] : NAN;
        if (!isnan(v)) {
            unite how = panels[panel].how;
            all = isnan(all) ? v : how == MOST ? fmax(all, v) : how == LEAST ? fmin(all, v) : all + v;
            n++;
        }
        p += len + (p[len] == ',');
    }
    return panels[panel].factor * (panels[panel].how == MEAN ? all / n : all);
}

static void put_table(FILE *out, const choice *c, const char *csv, double interval, bool here[PANELS],
                      bool shown[PANELS])
{
    double *cell = wsk_cli_alloc(COLUMNS_MAX * sizeof *cell);
    bool sums = !strcmp(c->picture, "cost");
    fputs("t_s", out);
    for (int i = 0; i < PANELS; i++)
        if (!strcmp(panels[i].picture, c->picture))
            fprintf(out, ",%s", panels[i].column);
    fputc('\n', out);
    double last = 0;
    for (const char *row = strchr(csv, '\n'); row && row[1]; row = strchr(row + 1, '\n')) {
        const char *p = row + 1, *end;
        for (int i = 0; i < COLUMNS_MAX; i++)
            cell[i] = NAN;
        for (int i = 0; i < COLUMNS_MAX && p; i++) {
            cell[i] = wsk_number_at(p, &end);
            p += strcspn(p, ",\n");
            p = *p == ',' ? p + 1 : NULL;
        }
        /* Means belong to the middle of their interval, sums to its end. */
        double at = cell[0];
        fprintf(out, "%.10g", sums ? at : at - fmin(interval, at - last) / 2);
        last = at;
        for (int i = 0; i < PANELS; i++) {
            if (strcmp(panels[i].picture, c->picture) != 0)
                continue;
            double v = united(i, c->summary, csv, cell);
            /* A card that has no fan has one at rest. */
            here[i] |= !isnan(v) && (v > 0 || strcmp(panels[i].unit, "rpm") != 0);
            shown[i] |= fabs(v) > 0;
            if (isnan(v))
                fputs(",nan", out);
            else
                fprintf(out, ",%.7g", v);
        }
        fputc('\n', out);
    }
    free(cell);
}

/* One currency, or none of the costs is drawn. */
static bool one_currency(const wsk_plot_run *runs, size_t count, char out[16])
{
    for (size_t i = 0; i < count; i++) {
        const char *other = wsk_cli_said(runs[i].summary, WSK_R_CURRENCY, 0);
        if (!other[0] || (i && strcmp(out, other) != 0))
            return false;
        snprintf(out, 16, "%s", other);
    }
    return true;
}

static void put_name(FILE *out, const char *name)
{
    enum { LONGEST = 24 };
    size_t len = strlen(name), from = len > LONGEST ? len - LONGEST + 2 : 0;
    while (from && ((unsigned char)name[from] & 0xC0) == 0x80)
        from++;
    fputs(from ? ".." : "", out);
    for (const char *p = name + from; *p; p++) {
        if (*p == '\'')
            fputc('\'', out);
        if ((unsigned char)*p >= 32)
            fputc(*p, out);
    }
}

char *wsk_plot_overlay_script(const char *what, const wsk_plot_run *runs, size_t count, char **tables)
{
    char *script = NULL, currency[16] = "";
    size_t len;
    bool shown[PANELS] = {false}, *here = wsk_cli_alloc(count * PANELS * sizeof *here),
         priced = one_currency(runs, count, currency);
    FILE *out = open_memstream(&script, &len);
    if (!out)
        exit(WSK_ERUN);
    double longest_s = 0;
    bool cooled = false, sums = !strcmp(what, "cost");
    for (size_t i = 0; i < count; i++) {
        longest_s = fmax(longest_s, wsk_summary_number(runs[i].summary, WSK_R_SIMULATED, 0));
        cooled = cooled || wsk_summary_number(runs[i].summary, WSK_R_ROOM_COOLING_KWH, 0) > 0;
    }
    memset(here, 0, count * PANELS * sizeof *here);
    fprintf(out, "what = '%s'\nruns = %zu\narray run_name[runs]\narray run_data[runs]\n", what, count);
    for (size_t i = 0; i < count; i++) {
        const choice c = {runs[i].summary, what};
        char *csv, *names;
        FILE *table = open_memstream(&tables[i], &len);
        if (!table)
            exit(WSK_ERUN);
        double interval =
            wsk_plot_data(runs[i].series, longest_s, sums ? 0 : runs[i].period_s, wanted, &c, &csv, &names);
        put_table(table, &c, csv, interval, here + i * PANELS, shown);
        fclose(table);
        free(csv);
        free(names);
        fprintf(out, "run_name[%zu] = '", i + 1);
        put_name(out, runs[i].name);
        fprintf(out, "'; run_data[%zu] = '%s-overlay-%zu.csv'\n", i + 1, what, i + 1);
    }
    fputs("run_names = '", out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        put_name(out, runs[i].name);
    }
    fputs("'\n", out);
    int n = 0;
    fprintf(out,
            "panels = 0\narray panel_column[%d]\narray panel_name[%d]\narray panel_unit[%d]\narray panel_runs[%d]\n",
            PANELS, PANELS, PANELS, PANELS);
    for (int i = 0; i < PANELS; i++)
        if (shown[i] && !strcmp(panels[i].picture, what) && (*panels[i].unit || priced)) {
            n++;
            fprintf(out, "panel_column[%d] = '%s'; panel_name[%d] = '%s%s", n, panels[i].column, n, panels[i].title,
                    !strcmp(panels[i].column, "cost") && cooled ? ", with the air conditioner" : "");
            fprintf(out, "'; panel_unit[%d] = '%s'; panel_runs[%d] = '", n,
                    *panels[i].unit ? panels[i].unit : currency, n);
            for (size_t k = 0; k < count; k++)
                if (here[k * PANELS + (size_t)i])
                    fprintf(out, "%zu ", k + 1);
            fputs("'\n", out);
        }
    fprintf(out, "panels = %d\n", n);
    fclose(out);
    free(here);
    if (!n) {
        free(script);
        script = NULL;
    }
    return script;
}
