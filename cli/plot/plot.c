/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink plot: the list of pictures, their variables, and the choice of pictures for a folder. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot/plot.h"
#include "cli/run/watch.h"

/* A picture of a run and its variables. '*' stands for the id of a card, a PSU, a case, a loop, a fan or a pump. */
typedef struct {
    bool zero_is_nothing; /* nothing is drawn if all values are 0 */
    const char *name, *variables[20];
} picture;
static const picture pictures[] = {
    {false,
     "temps",
     {"*.die_c", "*.hotspot_c", "*.memory_c", "*.inlet_c", "*.air_c", "case.air_c", "room.air_c", "outdoor.air_c",
      "*.coolant_c", "*.return_c"}},
    {true, "power", {"*.power_w", "dc_w", "wall_w", "psu_loss_w", "ac_w"}},
    {false,
     "clocks",
     {"*.clock_mhz", "*.throttle_power", "*.throttle_thermal", "*.throttle_memory", "*.throttle_hw"}},
    {false, "fans", {"*.fan_rpm", "*.rpm", "*.flow_lpm", "noise_dba"}},
    {true, "cost", {"cost", "energy_kwh"}},
    {true, "psu", {"*.load", "*.efficiency", "psu_loss_w"}},
    /* Pictures of a comparison, not of a run: */
    {false, "limit", {NULL}},
    {false, "compare", {NULL}}};
enum { PICTURES = sizeof pictures / sizeof *pictures, LIMIT = PICTURES - 2, COMPARE };

typedef struct {
    const picture *picture;
    const wsk_summary *summary;
    bool room_pinned; /* the room has a fixed temperature, so outdoor air has no effect and is not drawn */
} selection;

/* Checks whether a series column (NAME.min, NAME.mean or NAME.max) belongs to the picture. */
static bool wanted(const void *ctx, const char *column, size_t len)
{
    const selection *s = ctx;
    size_t base = len;
    while (base && column[base - 1] != '.')
        base--;
    if (!base--)
        return false;
    for (size_t i = 0; i < 20 && s->picture->variables[i]; i++) {
        const char *v = s->picture->variables[i];
        if (s->room_pinned && !strncmp(v, "outdoor.", 8))
            continue;
        if (!strcmp(v, "noise_dba") && !wsk_summary_count(s->summary, WSK_SCOPE_GPU))
            continue; /* a rig without cards: noise alone makes no picture of fans */
        if (*v != '*') {
            if (strlen(v) == base && !strncmp(v, column, base))
                return true;
            continue;
        }
        size_t tail = strlen(v + 1);
        if (base <= tail || strncmp(column + base - tail, v + 1, tail) != 0)
            continue;
        static const wsk_result lists[] = {WSK_R_GPU_ID, WSK_R_PSU_ID, WSK_R_CASE_ID, WSK_R_LOOP_ID, WSK_R_FAN_ID};
        for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
            if (wsk_cli_listed(s->summary, lists[l], column, base - tail))
                return true;
    }
    return false;
}

static char *read_in(const char *dir, const char *name)
{
    char *path = wsk_cli_format("%s/%s", dir, name), *text = wsk_cli_read(path, NULL);
    free(path);
    return text;
}

/* Reads the folder's rig.resolved.xml. NULL: missing or damaged. */
static const wsk_elements *read_rig(const char *dir)
{
    const wsk_elements *rig = NULL;
    char *xml = read_in(dir, "rig.resolved.xml");
    if (xml && wsk_elements_read(xml, strlen(xml), &rig) != WSK_OK)
        rig = NULL;
    free(xml);
    return rig;
}

/* Draws a picture into DIR/plots. */
static int draw_data(const char *dir, const wsk_plot_table *t, const char *as, bool quiet)
{
    char *plots = wsk_cli_format("%s/plots", dir);
    int code = wsk_plot_draw(plots, t, as, quiet);
    free(plots);
    return code;
}

static int draw(const char *dir, const selection *s, const char *as, const char *series, bool quiet)
{
    const wsk_elements *rig = read_rig(dir);
    char *names, *csv, *movers = wsk_plot_mover_titles(rig, s->summary);
    /* Running sums are not averaged, so they cannot alias with the period. */
    double period = strcmp(s->picture->name, "cost") != 0 ? wsk_plot_period(rig) : 0;
    double interval_s =
        wsk_plot_data(series, wsk_summary_number(s->summary, WSK_R_SIMULATED, 0), period, wanted, s, &csv, &names);
    char *alike = wsk_plot_alike(csv, s->summary), *more = wsk_cli_format("%s%s", movers, alike);
    const wsk_plot_table t = {.name = s->picture->name,
                              .csv = csv,
                              .columns = names,
                              .summary = s->summary,
                              .script = more,
                              .interval_s = interval_s};
    int code = draw_data(dir, &t, as, quiet);
    free(more);
    free(alike);
    free(movers);
    wsk_elements_free(rig);
    free(csv);
    free(names);
    return code;
}

static bool any_but_zero(const char *series, const selection *s)
{
    char *names, *csv;
    wsk_plot_data(series, wsk_summary_number(s->summary, WSK_R_SIMULATED, 0), 0, wanted, s, &csv, &names);
    bool any = false;
    for (const char *row = strchr(csv, '\n'); row && row[1] && !any; row = strchr(row + 1, '\n'))
        for (const char *cell = row + 1; !any && (cell += strcspn(cell, ",\n")) && *cell == ','; cell++) {
            const char *end;
            any = fabs(wsk_number_at(cell + 1, &end)) > 0;
        }
    free(names);
    free(csv);
    return any;
}

typedef enum { DRAW, ABSENT, ALL_ZERO } content; /* ABSENT: the series has none of the picture's columns */

/* Checks whether a run has data for the picture. Without cards, for example, there are no clocks. */
static content look(const selection *s, const char *series)
{
    for (const char *c = series + strcspn(series, ",\n"); *c == ',';) {
        c++;
        size_t len = strcspn(c, ",\r\n");
        if (wanted(s, c, len))
            return !s->picture->zero_is_nothing || any_but_zero(series, s) ? DRAW : ALL_ZERO;
        c += len;
    }
    return ABSENT;
}

static bool room_pinned(const char *dir)
{
    const wsk_elements *rig = read_rig(dir);
    bool pinned = rig && wsk_elements_text(rig, wsk_elements_next(rig, "room", -1, -1), "temperature");
    wsk_elements_free(rig);
    return pinned;
}

/* Returns whether the picture has data. If not, prints a message; an error if the user asked for this picture. */
static bool there_is(const char *dir, const selection *s, const char *series, bool asked, bool quiet, int *code)
{
    content what = look(s, series);
    if (what == DRAW)
        return true;
    if (asked) {
        wsk_cli_error(T_("%s has nothing to draw in '%s'%s"), dir, s->picture->name,
                      what == ALL_ZERO ? ": all of it is 0" : "");
        *code = WSK_EINPUT;
    } else if (what == ALL_ZERO && !quiet) {
        wsk_cli_error(T_("%s: no picture '%s', all of it is 0"), dir, s->picture->name);
    }
    return false;
}

static int plot_run(const char *dir, const picture *only, const char *as, const char *series,
                    const wsk_summary *summary, bool quiet)
{
    bool pinned = room_pinned(dir);
    int code = WSK_OK;
    for (int i = 0; code == WSK_OK && i < PICTURES; i++) {
        const picture *p = &pictures[i];
        if ((only && only != p) || !p->variables[0])
            continue;
        const selection s = {p, summary, pinned};
        if (there_is(dir, &s, series, only != NULL, quiet, &code))
            code = draw(dir, &s, as, series, quiet);
    }
    return code;
}

static int draw_limit(const char *dir, const char *as, wsk_summary *const *cases, size_t count, bool asked,
                      bool quiet)
{
    char *csv, *names;
    int code = WSK_OK;
    if (wsk_plot_limit_data(cases, count, &csv, &names)) {
        const wsk_plot_table t = {.name = pictures[LIMIT].name,
                                  .csv = csv,
                                  .columns = names,
                                  .summary = count ? cases[0] : NULL,
                                  .rig_name = "",
                                  .script = "",
                                  .interval_s = 1};
        code = draw_data(dir, &t, as, quiet);
    } else if (asked) {
        wsk_cli_error(T_("%s has nothing to draw in 'limit': its cases do not differ in power limits"), dir);
        code = WSK_EINPUT;
    }
    free(csv);
    free(names);
    return code;
}

static int draw_cases(const char *dir, const char *as, wsk_summary *const *cases, size_t count, bool asked,
                      bool quiet)
{
    char *csv, *names, *script;
    int code = WSK_OK;
    if (wsk_plot_compare_data(cases, count, &csv, &names, &script)) {
        const wsk_plot_table t = {.name = pictures[COMPARE].name,
                                  .csv = csv,
                                  .columns = names,
                                  .summary = count ? cases[0] : NULL,
                                  .rig_name = "",
                                  .script = script,
                                  .interval_s = 1};
        code = draw_data(dir, &t, as, quiet);
    } else if (asked) {
        wsk_cli_error(T_("%s has %zu cases, and 'compare' has room for %d"), dir, count, WSK_PLOT_CASES);
        code = WSK_EINPUT;
    }
    free(script);
    free(csv);
    free(names);
    return code;
}

/* Draws the pictures of a folder with a run, a comparison, or both. */
static int plot_dir(const char *dir, const picture *only, const char *as, bool quiet)
{
    if (!wsk_cli_results("plot", dir))
        return WSK_EINPUT;
    size_t count;
    char *series = read_in(dir, "series.csv");
    wsk_summary *summary = wsk_cli_summary(dir), **compared = wsk_cli_summaries(dir, "compare.json", &count);
    bool limit = only == &pictures[LIMIT], cases = only == &pictures[COMPARE];
    int code = WSK_OK;
    if ((limit || cases) && !compared) {
        wsk_cli_error(T_("%s has no compare.json: '%s' draws what 'wattsink compare%s -o DIR' leaves"), dir,
                      only->name, limit ? " RIG.xml --vary gpu[*].power-limit=..." : " ...");
        code = WSK_EINPUT;
    } else if ((!series || !summary) && (!compared || (only && !limit && !cases))) {
        wsk_cli_error(T_("%s/%s is missing: 'wattsink run RIG.xml -o %s' leaves it"), dir,
                      series ? "summary.json" : "series.csv", dir);
        code = WSK_EINPUT;
    }
    if (code == WSK_OK && series && summary && !limit && !cases)
        code = plot_run(dir, only, as, series, summary, quiet);
    if (code == WSK_OK && compared && (limit || !only))
        code = draw_limit(dir, as, compared, count, limit, quiet);
    if (code == WSK_OK && compared && (cases || !only))
        code = draw_cases(dir, as, compared, count, cases, quiet);
    wsk_summaries_free(compared, count);
    wsk_summary_free(summary);
    free(series);
    return code;
}

/* Draws several runs in one picture, in the folder of the first run: a script, and one table per run. */
static int overlay(const char *dir, const picture *p, const char *as, const wsk_plot_run *runs, size_t count,
                   bool quiet)
{
    char **tables = wsk_cli_alloc(count * sizeof *tables), *plots = wsk_cli_format("%s/plots", dir);
    char *more = wsk_plot_overlay_script(p->name, runs, count, tables), *name = wsk_cli_format("%s-overlay", p->name);
    const wsk_summary *longest = runs[0].summary;
    int code = wsk_cli_mkdirs(plots) ? WSK_OK : WSK_ERUN;
    for (size_t i = 0; i < count; i++) {
        if (wsk_summary_number(runs[i].summary, WSK_R_SIMULATED, 0) > wsk_summary_number(longest, WSK_R_SIMULATED, 0))
            longest = runs[i].summary;
        char *file = wsk_cli_format("%s-%zu.csv", name, i + 1);
        if (code == WSK_OK && !wsk_cli_write(plots, file, tables[i], strlen(tables[i])))
            code = WSK_ERUN;
        free(file);
        free(tables[i]);
    }
    if (code == WSK_OK && more) {
        const wsk_plot_table t = {
            .name = name, .body = "overlay", .summary = longest, .script = more, .interval_s = 1};
        code = wsk_plot_draw(plots, &t, as, quiet);
    }
    free(name);
    free(more);
    free(plots);
    free(tables);
    return code;
}

/* Draws each picture with all runs that have data for it. */
static int plot_together(const char *const *dirs, const wsk_plot_run *runs, size_t count, const picture *only,
                         const char *as, bool quiet)
{
    int code = WSK_OK;
    wsk_plot_run *with = wsk_cli_alloc((count + 1) * sizeof *with);
    for (int i = 0; i < PICTURES; i++) {
        const picture *p = &pictures[i];
        size_t n = 0, first = 0;
        if ((only && only != p) || !p->variables[0])
            continue;
        for (size_t k = 0; k < count; k++) {
            const selection s = {p, runs[k].summary, room_pinned(dirs[k])};
            if (!there_is(dirs[k], &s, runs[k].series, only != NULL, quiet, &code))
                continue;
            first = n ? first : k;
            with[n++] = runs[k];
        }
        const selection alone = {p, runs[first].summary, n == 1 && room_pinned(dirs[first])};
        int one = n > 1 ? overlay(dirs[first], p, as, with, n, quiet)
                  : n   ? draw(dirs[first], &alone, as, runs[first].series, quiet)
                        : WSK_OK;
        code = code == WSK_OK ? one : code;
    }
    free(with);
    return code;
}

/* Returns the name of a run: "week" for "runs/week.out/". Caller frees. */
static char *run_name(const char *dir)
{
    size_t len = strlen(dir);
    while (len > 1 && dir[len - 1] == '/')
        len--;
    size_t from = len;
    while (from && dir[from - 1] != '/')
        from--;
    if (len - from > 4 && !strncmp(dir + len - 4, ".out", 4))
        len -= 4;
    return wsk_cli_format("%.*s", (int)(len - from), dir + from);
}

/* Draws several folders. Runs share their pictures; comparisons are drawn one by one. After a folder that cannot be
 * drawn, the others are still drawn. */
static int plot_dirs(const wsk_cli_list *words, const picture *only, const char *as, bool quiet)
{
    int code = WSK_OK;
    size_t count = 0;
    bool cases = only == &pictures[LIMIT] || only == &pictures[COMPARE];
    const char **dirs = wsk_cli_alloc(words->count * sizeof *dirs);
    wsk_plot_run *runs = wsk_cli_alloc(words->count * sizeof *runs);
    for (size_t i = 0; i < words->count; i++) {
        const char *dir = words->items[i];
        char *series = cases || words->count < 2 ? NULL : read_in(dir, "series.csv");
        wsk_summary *summary = series ? wsk_cli_summary(dir) : NULL;
        if (series && summary) {
            const wsk_elements *rig = read_rig(dir);
            dirs[count] = dir;
            runs[count++] = (wsk_plot_run){run_name(dir), series, summary, wsk_plot_period(rig)};
            wsk_elements_free(rig);
            continue;
        }
        free(series);
        wsk_summary_free(summary);
        int one = plot_dir(dir, only, as, quiet);
        code = code == WSK_OK ? one : code;
    }
    int together = count ? plot_together(dirs, runs, count, only, as, quiet) : WSK_OK;
    for (size_t i = 0; i < count; i++) {
        free(runs[i].name);
        free(runs[i].series);
        wsk_summary_free(runs[i].summary);
    }
    free(runs);
    free(dirs);
    return code == WSK_OK ? together : code;
}

static int main_plot(int argc, char **argv)
{
    const char *what = NULL, *as = "svg", *names[PICTURES + 1] = {NULL}, *kinds[8] = {NULL};
    wsk_cli_list words = {0};
    bool quiet = false;
    const wsk_cli_option options[] = {{.name = "what", .value = &what},
                                      {.name = "format", .value = &as},
                                      {.name = "quiet", .letter = 'q', .flag = &quiet},
                                      {.name = NULL}};
    int code = wsk_cli_parse(&wsk_cli_plot, argc, argv, options, &words);
    if (code != WSK_OK) {
        free(words.items);
        return code < 0 ? WSK_OK : code;
    }
    const picture *p = NULL;
    for (int i = 0; i < PICTURES; i++) {
        names[i] = pictures[i].name;
        if (what && !strcmp(what, names[i]))
            p = &pictures[i];
    }
    for (int i = 0; i < 7 && wsk_plot_format(i); i++)
        kinds[i] = wsk_plot_format(i);
    char hint[64];
    if (!words.count)
        code = wsk_cli_usage(&wsk_cli_plot, T_("which folder?"));
    else if (what && !p)
        code = wsk_cli_usage(&wsk_cli_plot, T_("no picture '%s'%s"), what,
                             wsk_cli_hint(hint, sizeof hint, what, names, ""));
    else if (!wsk_plot_is_format(as))
        code =
            wsk_cli_usage(&wsk_cli_plot, T_("no format '%s'%s"), as, wsk_cli_hint(hint, sizeof hint, as, kinds, ""));
    if (code == WSK_OK)
        code = plot_dirs(&words, p, as, quiet);
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_plot = {
    .name = "plot",
    .usage = "DIR... [--what NAME] [--format svg|png|pdf|term]",
    .summary = N_("pictures of a run or a comparison, drawn by gnuplot"),
    .options =
        N_("  --what NAME         one of temps, power, clocks, fans, cost, psu of a run, compare, limit of a "
           "comparison\n"
           "                      (of power limits); default: all of them\n"
           "  --format NAME       one of svg (default), png, pdf, term; the last draws in the terminal, COLUMNS x "
           "LINES\n"
           "  -q, --quiet         do not say where the pictures are\n"
           "The picture is DIR/plots/NAME.FORMAT, of several runs NAME-overlay.FORMAT in the first one's folder.\n"
           "Its script and data stay beside it: change them, and `gnuplot NAME.gp` there draws it anew.\n"),
    .example = "wattsink plot quad-3090-blower.out --what temps --format png",
    .run = main_plot};
