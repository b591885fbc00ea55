/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several runs in one picture: each panel has one curve per run, combined over all cards, PSUs and fans of the run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot/plot.h"

typedef enum { MEAN, MOST, LEAST, SUM } unite;
static const struct {
    /* column: name in the CSV file of the picture; NULL: name of the variable. title NULL: label of the variable. The
     * variable's values of all owners (cards, PSUs ...) become one curve. */
    const char *picture, *column, *title;
    wsk_var variable;
    unite how;
} panels[] = {
    {"temps", "die_most_c", N_("GPU temperature, max of the cards"), WSK_VAR_CARD_DIE_C, MOST},
    {"temps", "memory_most_c", N_("memory temperature, max of the cards"), WSK_VAR_CARD_MEMORY_C, MOST},
    {"temps", "coolant_most_c", N_("coolant temperature, max"), WSK_VAR_LOOP_RETURN_C, MOST},
    {"temps", "case_air_most_c", N_("air temperature in the case, max"), WSK_VAR_CASE_AIR_C, MOST},
    {"temps", "room_air_c", NULL, WSK_VAR_ROOM_C, MEAN},
    {"power", NULL, NULL, WSK_VAR_WALL_W, MEAN},
    {"power", "cards_w", N_("power of all cards"), WSK_VAR_CARD_POWER_W, SUM},
    {"power", NULL, NULL, WSK_VAR_PSU_LOSS_W, MEAN},
    {"power", NULL, NULL, WSK_VAR_AC_W, MEAN},
    {"clocks", "clock_mean_mhz", N_("GPU clock, mean of the cards"), WSK_VAR_CARD_CLOCK_MHZ, MEAN},
    {"clocks", "clock_least_mhz", N_("GPU clock, min of the cards"), WSK_VAR_CARD_CLOCK_MHZ, LEAST},
    {"clocks", "throttle_power_percent", N_("limited by power, share of the time"), WSK_VAR_CARD_THROTTLE_POWER,
     MEAN},
    {"clocks", "throttle_thermal_percent", N_("limited by GPU temperature, share of the time"),
     WSK_VAR_CARD_THROTTLE_THERMAL, MEAN},
    {"clocks", "throttle_memory_percent", N_("limited by memory temperature, share of the time"),
     WSK_VAR_CARD_THROTTLE_MEMORY, MEAN},
    {"fans", "card_fan_most_rpm", N_("fan speed, max of the cards"), WSK_VAR_CARD_FAN_RPM, MOST},
    {"fans", "fan_most_rpm", N_("speed of other fans and pumps that follow a sensor, max"), WSK_VAR_MOVER_RPM, MOST},
    {"fans", NULL, NULL, WSK_VAR_NOISE_DBA, MEAN},
    {"cost", NULL, NULL, WSK_VAR_COST, MEAN},
    {"cost", NULL, NULL, WSK_VAR_ENERGY_KWH, MEAN},
    {"psu", "load_most_percent", N_("load of the PSUs, max"), WSK_VAR_SUPPLY_LOAD, MOST},
    {"psu", "efficiency_percent", N_("efficiency of the PSUs, mean"), WSK_VAR_SUPPLY_EFFICIENCY, MEAN},
    {"psu", NULL, NULL, WSK_VAR_PSU_LOSS_W, MEAN}};
enum { PANELS = sizeof panels / sizeof *panels, COLUMNS_MAX = 4096 };

static const char *column_of(int panel)
{
    return panels[panel].column ? panels[panel].column : wsk_var_about(panels[panel].variable)->name;
}

static bool is_money(int panel)
{
    return panels[panel].variable == WSK_VAR_COST;
}

static bool is_share(int panel)
{
    return !is_money(panel) && !wsk_var_about(panels[panel].variable)->unit[0];
}

static bool is_sum(int panel)
{
    return !strcmp(panels[panel].picture, "cost");
}

/* True if the panel draws this column. A running sum is drawn by its value at the end of the interval (sum_at_end),
 * other variables by their mean. */
static bool belongs(int panel, const wsk_summary *summary, const wsk_column *column)
{
    return (is_sum(panel) || column->stat == WSK_STAT_MEAN) && wsk_plot_is(summary, column, panels[panel].variable);
}

typedef struct {
    const wsk_summary *summary;
    const char *picture;
} choice;

static bool wanted(const void *ctx, const wsk_column *column)
{
    const choice *c = ctx;
    for (int i = 0; i < PANELS; i++)
        if (!strcmp(panels[i].picture, c->picture) && belongs(i, c->summary, column))
            return true;
    return false;
}

static double united(int panel, const wsk_summary *summary, const char *head, const double *cell, wsk_stat stat)
{
    double all = NAN, n = 0;
    size_t column = 0;
    for (const char *p = head; *p && *p != '\n'; column++) {
        size_t len = strcspn(p, ",\n");
        wsk_column c;
        double v =
            wsk_column_read(p, len, &c) && c.stat == stat && belongs(panel, summary, &c) ? cell[column] : (double)NAN;
        if (!isnan(v)) {
            unite how = panels[panel].how;
            all = isnan(all) ? v : how == MOST ? fmax(all, v) : how == LEAST ? fmin(all, v) : all + v;
            n++;
        }
        p += len + (p[len] == ',');
    }
    return (is_share(panel) ? 100 : 1) * (panels[panel].how == MEAN ? all / n : all);
}

/* Returns a running sum at the end of an interval: the maximum, or, where the sum falls because of negative prices, the
 * minimum. before: its value at the end of the interval before. */
static double sum_at_end(int panel, const wsk_summary *summary, const char *head, const double *cell, double before)
{
    const bool falls = united(panel, summary, head, cell, WSK_STAT_MEAN) < before;
    return united(panel, summary, head, cell, falls ? WSK_STAT_MIN : WSK_STAT_MAX);
}

/* Writes the CSV of one run. here[i]: the run has a curve in panel i. shown[i]: some run has a value other than 0 in
 * panel i. */
static void put_table(FILE *out, const choice *c, const char *csv, double interval, bool here[PANELS],
                      bool shown[PANELS])
{
    double *cell = wsk_cli_alloc(COLUMNS_MAX * sizeof *cell);
    bool sums = !strcmp(c->picture, "cost");
    fputs("t_s", out);
    for (int i = 0; i < PANELS; i++)
        if (!strcmp(panels[i].picture, c->picture))
            fprintf(out, ",%s", column_of(i));
    fputc('\n', out);
    double last = 0, sum[PANELS] = {0};
    for (const char *row = strchr(csv, '\n'); row && row[1]; row = strchr(row + 1, '\n')) {
        const char *p = row + 1, *end;
        for (int i = 0; i < COLUMNS_MAX; i++)
            cell[i] = NAN;
        for (int i = 0; i < COLUMNS_MAX && p; i++) {
            cell[i] = wsk_number_at(p, &end);
            p += strcspn(p, ",\n");
            p = *p == ',' ? p + 1 : NULL;
        }
        /* Means are drawn at the midpoint of their interval, running sums at its end. */
        double at = cell[0];
        fprintf(out, "%.10g", sums ? at : at - fmin(interval, at - last) / 2);
        last = at;
        for (int i = 0; i < PANELS; i++) {
            if (strcmp(panels[i].picture, c->picture) != 0)
                continue;
            double v =
                sums ? sum_at_end(i, c->summary, csv, cell, sum[i]) : united(i, c->summary, csv, cell, WSK_STAT_MEAN);
            sum[i] = v;
            /* Fans with 0 rpm throughout are not drawn: the series has 0 for a card without a fan. */
            here[i] |= !isnan(v) && (v > 0 || strcmp(wsk_var_about(panels[i].variable)->unit, "rpm") != 0);
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

/* Checks whether the axis may start above 0: for temperatures, noise and clocks, where 0 has no special meaning, and
 * for PSU efficiency, where only the top of the range matters. */
static bool cuts_axis(int panel)
{
    static const char *const units[] = {"degC", "dBA", "MHz"};
    const wsk_var_row *row = wsk_var_about(panels[panel].variable);
    bool cut = row->row == WSK_VAR_SUPPLY_EFFICIENCY;
    for (int k = 0; k < 3; k++)
        cut = cut || !strcmp(row->unit, units[k]);
    return cut;
}

static void put_name(FILE *out, const char *name)
{
    enum { LONGEST = 24 };
    const char *tail = strlen(name) > LONGEST ? wsk_utf8_tail(name, LONGEST - 2) : name;
    fputs(tail > name ? ".." : "", out);
    for (const char *p = tail; *p; p++) {
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
    FILE *out = wsk_cli_text(&script, &len);
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
        FILE *table = wsk_cli_text(&tables[i], &len);
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
    fprintf(
        out,
        "panels = 0\narray panel_column[%d]\narray panel_name[%d]\narray panel_unit[%d]\narray panel_cut[%d]\narray "
        "panel_runs[%d]\n",
        PANELS, PANELS, PANELS, PANELS, PANELS);
    for (int i = 0; i < PANELS; i++)
        if (shown[i] && !strcmp(panels[i].picture, what) && (priced || !is_money(i))) {
            const wsk_var_row *row = wsk_var_about(panels[i].variable);
            const char *title = panels[i].title ? T_(panels[i].title) : T_(row->label);
            char *with = is_money(i) && cooled ? wsk_cli_format(T_("%s, with the air conditioner"), title) : NULL;
            n++;
            fprintf(out, "panel_column[%d] = '%s'; panel_name[%d] = '%s'; ", n, column_of(i), n, with ? with : title);
            fprintf(out, "panel_unit[%d] = '%s'; panel_cut[%d] = %d; panel_runs[%d] = '", n,
                    is_money(i) ? currency : wsk_plot_unit(row->unit), n, cuts_axis(i), n);
            for (size_t k = 0; k < count; k++)
                if (here[k * PANELS + (size_t)i])
                    fprintf(out, "%zu ", k + 1);
            fputs("'\n", out);
            free(with);
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
