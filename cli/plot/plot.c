/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/kit/compared.h"
#include "cli/kit/lock.h"
#include "cli/kit/replaced.h"
#include "cli/plot/plot.h"

typedef struct {
    bool zero_is_nothing; /* the picture is not drawn if all its values are 0 */
    const char *name;
    size_t count; /* number of variables; 0: a picture of a comparison or calibration */
    wsk_var variables[9];
} picture;
enum { LIMIT = 6, COMPARE, CALIBRATION };
static const picture pictures[] = {
    {false,
     "temps",
     9,
     {WSK_VAR_CARD_DIE_C, WSK_VAR_CARD_HOTSPOT_C, WSK_VAR_CARD_MEMORY_C, WSK_VAR_CARD_INLET_C, WSK_VAR_CASE_AIR_C,
      WSK_VAR_ROOM_C, WSK_VAR_OUTDOOR_C, WSK_VAR_LOOP_COOLANT_C, WSK_VAR_LOOP_RETURN_C}},
    {true, "power", 5, {WSK_VAR_CARD_POWER_W, WSK_VAR_DC_W, WSK_VAR_WALL_W, WSK_VAR_PSU_LOSS_W, WSK_VAR_AC_W}},
    {false,
     "clocks",
     5,
     {WSK_VAR_CARD_CLOCK_MHZ, WSK_VAR_CARD_THROTTLE_POWER, WSK_VAR_CARD_THROTTLE_THERMAL,
      WSK_VAR_CARD_THROTTLE_MEMORY, WSK_VAR_CARD_THROTTLE_HW}},
    {false, "fans", 4, {WSK_VAR_CARD_FAN_RPM, WSK_VAR_MOVER_RPM, WSK_VAR_LOOP_FLOW_LPM, WSK_VAR_NOISE_DBA}},
    {true,
     "cost",
     7,
     {WSK_VAR_COST, WSK_VAR_COST_OTHER, WSK_VAR_ENERGY_KWH, WSK_VAR_CARD_POWER_W, WSK_VAR_WALL_W, WSK_VAR_PSU_LOSS_W,
      WSK_VAR_AC_W}},
    {true, "psu", 3, {WSK_VAR_SUPPLY_LOAD, WSK_VAR_SUPPLY_EFFICIENCY, WSK_VAR_PSU_LOSS_W}},
    [LIMIT] = {false, "limit", 0, {WSK_VAR_COUNT}},
    [COMPARE] = {false, "compare", 0, {WSK_VAR_COUNT}},
    [CALIBRATION] = {false, "calibration", 0, {WSK_VAR_COUNT}}};
enum { PICTURES = sizeof pictures / sizeof *pictures };

typedef struct {
    const picture *picture;
    const wsk_summary *summary;
    bool room_pinned; /* the room has a fixed temperature, so outdoor air has no effect and is not drawn */
} selection;

static bool wanted(const void *ctx, const wsk_column *column)
{
    const selection *s = ctx;
    for (size_t i = 0; i < s->picture->count; i++) {
        wsk_var v = s->picture->variables[i];
        if (s->room_pinned && v == WSK_VAR_OUTDOOR_C)
            continue;
        if (v == WSK_VAR_NOISE_DBA && !wsk_summary_count(s->summary, WSK_SCOPE_GPU))
            continue; /* a rig without cards: noise alone makes no picture of fans */
        if (wsk_plot_is(s->summary, column, v))
            return true;
    }
    return false;
}

static wsk_arena *new_arena(void)
{
    wsk_arena *arena = wsk_arena_new();
    wsk_cli_check_memory(arena != NULL);
    return arena;
}

static const wsk_elements *read_rig(const char *dir, const wsk_summary *summary, int *code)
{
    const wsk_elements *rig = NULL;
    char *xml = wsk_cli_read_in(dir, "rig.resolved.xml", NULL, code);
    if (xml && wsk_cli_half_replaced(dir, xml, summary))
        *code = WSK_EINPUT;
    else if (xml && wsk_elements_read(xml, strlen(xml), &rig) != WSK_OK)
        rig = NULL;
    free(xml);
    return rig;
}

/* Reads a run's files. Those that are missing are NULL, and *code stays as it is; for damaged results, prints a message
 * and sets *code. Free it with free_run. */
static wsk_plot_run read_run(wsk_arena *arena, const char *dir, int *code)
{
    wsk_plot_run r = {.series = NULL};
    char *csv = wsk_cli_read_in(dir, "series.csv", NULL, code);
    wsk_status status = csv ? wsk_record_read(arena, csv, &r.series) : WSK_OK;
    wsk_cli_check_memory(status != WSK_ENOMEM);
    free(csv);
    r.summary = wsk_cli_summary(dir, code);
    r.rig = r.series && r.summary ? read_rig(dir, r.summary, code) : NULL;
    r.events = r.rig ? wsk_cli_read_in(dir, "events.csv", NULL, code) : NULL;
    if (status != WSK_OK ||
        (r.series && r.summary &&
         !wsk_record_reaches(r.series, wsk_summary_number(r.summary, WSK_R_SIMULATED, 0), r.rig))) {
        wsk_cli_error(T_("%s/%s is damaged"), dir, "series.csv");
        *code = WSK_EINPUT;
    }
    return r;
}

static void free_run(const wsk_plot_run *r)
{
    free(r->name);
    free(r->events);
    wsk_summary_free(r->summary);
    wsk_elements_free(r->rig);
}

static int draw_data(const char *dir, const wsk_plot_table *t, const char *as, bool quiet)
{
    char *plots = wsk_cli_format("%s/plots", dir);
    int code = wsk_plot_draw(plots, t, as, quiet);
    free(plots);
    return code;
}

static int draw(const char *dir, const wsk_plot_run *run, const selection *s, const char *as, bool quiet)
{
    char *names, *csv, *facts = wsk_plot_rig(run->rig, s->summary, run->events);
    double interval_s = wsk_plot_data(run->series, wsk_summary_number(s->summary, WSK_R_SIMULATED, 0),
                                      wsk_plot_period(run->rig), wanted, s, &csv, &names);
    char *alike = wsk_plot_alike(csv, s->summary), *more = wsk_cli_format("%s%s", facts, alike);
    const wsk_plot_table t = {.name = s->picture->name,
                              .csv = csv,
                              .columns = names,
                              .summary = s->summary,
                              .script = more,
                              .variables = s->picture->variables,
                              .n_variables = s->picture->count,
                              .interval_s = interval_s};
    int code = draw_data(dir, &t, as, quiet);
    free(more);
    free(alike);
    free(facts);
    free(csv);
    free(names);
    return code;
}

static bool any_but_zero(const wsk_record *series, const selection *s)
{
    for (size_t i = 0; i < series->vars; i++)
        for (size_t row = 0; wanted(s, &series->columns[i]) && row < series->rows; row++)
            if (fabs(wsk_record_value(series, row, (int)i, WSK_STAT_MIN)) > 0 ||
                fabs(wsk_record_value(series, row, (int)i, WSK_STAT_MAX)) > 0)
                return true;
    return false;
}

static bool room_pinned(const wsk_elements *rig)
{
    return rig && wsk_elements_text(rig, wsk_elements_next(rig, "room", -1, -1), "temperature");
}

typedef enum { DRAW, ABSENT, ALL_ZERO } content;

static content look(const selection *s, const wsk_record *series)
{
    for (size_t i = 0; i < series->vars; i++)
        if (wanted(s, &series->columns[i]))
            return !s->picture->zero_is_nothing || any_but_zero(series, s) ? DRAW : ALL_ZERO;
    return ABSENT;
}

void wsk_plot_forget_results(const char *dir, bool compared)
{
    for (int i = 0; i < CALIBRATION; i++)
        if (compared == !pictures[i].count)
            wsk_plot_forget_in(dir, pictures[i].name);
}

/* True if the run has something to draw. If not, deletes the picture of an earlier run in its folder. */
static bool there_is(const char *dir, const selection *s, const wsk_record *series, bool asked, bool quiet, int *code)
{
    content what = look(s, series);
    if (what == DRAW)
        return true;
    wsk_plot_forget_in(dir, s->picture->name);
    if (asked) {
        wsk_cli_error(what == ALL_ZERO ? T_("%s has nothing to draw in '%s': all of it is 0")
                                       : T_("%s has nothing to draw in '%s'"),
                      dir, s->picture->name);
        *code = WSK_EINPUT;
    } else if (what == ALL_ZERO && !quiet) {
        wsk_cli_error(T_("%s: no picture '%s', all of it is 0"), dir, s->picture->name);
    }
    return false;
}

static int plot_run(const char *dir, const picture *only, const char *as, const wsk_plot_run *run, bool quiet)
{
    int code = WSK_OK;
    bool pinned = room_pinned(run->rig);
    for (int i = 0; code == WSK_OK && i < PICTURES; i++) {
        const picture *p = &pictures[i];
        if ((only && only != p) || !p->count)
            continue;
        const selection s = {p, run->summary, pinned};
        if (there_is(dir, &s, run->series, only != NULL, quiet, &code))
            code = draw(dir, run, &s, as, quiet);
    }
    return code;
}

static int draw_limit(const char *dir, const char *as, wsk_summary *const *cases, size_t count, bool asked,
                      bool quiet)
{
    char *csv, *names;
    const char *currency = wsk_cli_shared_currency(cases, count);
    char *script = wsk_cli_format("currency = '%s'\n", currency ? currency : "");
    int code = WSK_OK;
    if (wsk_plot_limit_data(cases, count, &csv, &names)) {
        const wsk_plot_table t = {.name = pictures[LIMIT].name,
                                  .csv = csv,
                                  .columns = names,
                                  .summary = count ? cases[0] : NULL,
                                  .rig_name = "",
                                  .script = script,
                                  .interval_s = 1};
        code = draw_data(dir, &t, as, quiet);
    } else {
        wsk_plot_forget_in(dir, pictures[LIMIT].name);
        if (asked)
            wsk_cli_error(T_("%s has nothing to draw in 'limit': its cases do not differ in power limits"), dir);
        code = asked ? WSK_EINPUT : WSK_OK;
    }
    free(script);
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
    } else {
        wsk_plot_forget_in(dir, pictures[COMPARE].name);
        if (asked)
            wsk_cli_error(T_("%s has %zu cases, and 'compare' has room for %d"), dir, count, WSK_PLOT_CASES);
        code = asked ? WSK_EINPUT : WSK_OK;
    }
    free(script);
    free(csv);
    free(names);
    return code;
}

static int plot_results(const char *dir, const picture *only, const char *as, bool quiet)
{
    size_t count = 0;
    wsk_arena *arena = new_arena();
    int code = WSK_OK;
    const bool limit = only == &pictures[LIMIT], cases = only == &pictures[COMPARE];
    wsk_summary **compared = NULL;
    wsk_plot_run run = {.series = NULL};
    if (!limit && !cases)
        run = read_run(arena, dir, &code);
    if (!only || limit || cases)
        compared = wsk_cli_summaries(dir, "compare.json", &count, &code);
    if (code != WSK_OK) {
        /* the functions that set `code` have printed a message */
    } else if ((limit || cases) && !compared) {
        wsk_cli_error(T_("%s has no compare.json: '%s' draws what 'wattsink compare%s -o DIR' leaves"), dir,
                      only->name, limit ? " RIG.xml --vary gpu[*].power-limit=..." : " ...");
        code = WSK_EINPUT;
    } else if ((!run.series || !run.summary) && !compared) {
        wsk_cli_error(T_("%s/%s is missing: 'wattsink run RIG.xml -o %s' leaves it"), dir,
                      run.series ? "summary.json" : "series.csv", dir);
        code = WSK_EINPUT;
    }
    if (code == WSK_OK && run.series && run.summary)
        code = plot_run(dir, only, as, &run, quiet);
    if (code == WSK_OK && compared && (limit || !only))
        code = draw_limit(dir, as, compared, count, limit, quiet);
    if (code == WSK_OK && compared && (cases || !only))
        code = draw_cases(dir, as, compared, count, cases, quiet);
    wsk_summaries_free(compared, count);
    free_run(&run);
    wsk_arena_free(arena);
    return code;
}

/* True if the folder has the file. False also if the system cannot tell; then prints a message and sets *code. */
static bool holds(const char *dir, const char *name, int *code)
{
    char *path = wsk_cli_format("%s/%s", dir, name);
    const bool there = access(path, F_OK) == 0;
    if (!there && errno != ENOENT && errno != ENOTDIR) {
        wsk_cli_error(T_("cannot read %s: %s"), path, T_(strerror(errno)));
        *code = WSK_ERUN;
    }
    free(path);
    return there;
}

static int plot_dir(const char *dir, const picture *only, const char *as, bool quiet)
{
    int code = WSK_OK;
    if (!wsk_cli_results("plot", dir))
        return WSK_EINPUT;
    const bool calibration =
        only == &pictures[CALIBRATION] || (!only && holds(dir, "calibration.csv", &code) &&
                                           !holds(dir, "series.csv", &code) && !holds(dir, "compare.json", &code));
    if (code != WSK_OK)
        return code;
    if (calibration)
        return wsk_plot_calibration(dir, as, quiet, false);
    return plot_results(dir, only, as, quiet);
}

static int overlay(const char *dir, const picture *p, const char *as, const wsk_plot_run *runs, size_t count,
                   bool quiet)
{
    char **tables = wsk_cli_alloc(count * sizeof *tables), *plots = wsk_cli_format("%s/plots", dir);
    char *more = wsk_plot_overlay_script(p->name, runs, count, tables), *name = wsk_cli_format("%s-overlay", p->name);
    const wsk_summary *longest = runs[0].summary;
    for (size_t i = 0; i < count; i++)
        if (wsk_summary_number(runs[i].summary, WSK_R_SIMULATED, 0) > wsk_summary_number(longest, WSK_R_SIMULATED, 0))
            longest = runs[i].summary;
    const wsk_plot_table t = {.name = name,
                              .body = "overlay",
                              .tables = tables,
                              .n_tables = count,
                              .summary = longest,
                              .script = more,
                              .interval_s = 1};
    int code = WSK_OK;
    if (more)
        code = wsk_plot_draw(plots, &t, as, quiet);
    else
        wsk_plot_forget(plots, name, true);
    for (size_t i = 0; i < count; i++)
        free(tables[i]);
    free(name);
    free(more);
    free(plots);
    free(tables);
    return code;
}

static int plot_together(const char *const *dirs, const wsk_plot_run *runs, size_t count, const picture *only,
                         const char *as, bool quiet)
{
    int code = WSK_OK;
    wsk_plot_run *with = wsk_cli_alloc((count + 1) * sizeof *with);
    for (int i = 0; i < PICTURES; i++) {
        const picture *p = &pictures[i];
        size_t n = 0, first = 0;
        if ((only && only != p) || !p->count)
            continue;
        for (size_t k = 0; k < count; k++) {
            const selection s = {p, runs[k].summary, room_pinned(runs[k].rig)};
            if (!there_is(dirs[k], &s, runs[k].series, only != NULL, quiet, &code))
                continue;
            first = n ? first : k;
            with[n++] = runs[k];
        }
        const selection alone = {p, runs[first].summary, n == 1 && room_pinned(runs[first].rig)};
        int one = n > 1 ? overlay(dirs[first], p, as, with, n, quiet)
                  : n   ? draw(dirs[first], &runs[first], &alone, as, quiet)
                        : WSK_OK;
        code = code == WSK_OK ? one : code;
    }
    free(with);
    return code;
}

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

/* Draws one or several folders. Several runs share their pictures; comparisons and calibrations are drawn one by one.
 * After a folder that cannot be drawn, the others are still drawn. */
static int draw_dirs(const wsk_cli_list *words, const picture *only, const char *as, bool quiet)
{
    int code = WSK_OK;
    size_t count = 0;
    const bool apart = only == &pictures[LIMIT] || only == &pictures[COMPARE] || only == &pictures[CALIBRATION];
    wsk_arena *arena = new_arena();
    const char **dirs = wsk_cli_alloc(words->count * sizeof *dirs);
    wsk_plot_run *runs = wsk_cli_alloc(words->count * sizeof *runs);
    for (size_t i = 0; i < words->count; i++) {
        const char *dir = words->items[i];
        int one = WSK_OK;
        wsk_plot_run run = {.series = NULL};
        if (!apart && words->count > 1)
            run = read_run(arena, dir, &one);
        if (run.series && run.summary && one == WSK_OK) {
            run.name = run_name(dir);
            run.period_s = wsk_plot_period(run.rig);
            dirs[count] = dir;
            runs[count++] = run;
            continue;
        }
        free_run(&run);
        if (one == WSK_OK)
            one = plot_dir(dir, only, as, quiet);
        code = code == WSK_OK ? one : code;
    }
    int together = count ? plot_together(dirs, runs, count, only, as, quiet) : WSK_OK;
    for (size_t i = 0; i < count; i++)
        free_run(&runs[i]);
    free(runs);
    free(dirs);
    wsk_arena_free(arena);
    return code == WSK_OK ? together : code;
}

static int plot_dirs(const wsk_cli_list *words, const picture *only, const char *as, bool quiet)
{
    wsk_cli_lock **locks = wsk_cli_alloc(words->count * sizeof *locks);
    bool free_of_writers = true;
    for (size_t i = 0; i < words->count && free_of_writers; i++)
        if (wsk_cli_is_dir(words->items[i]))
            free_of_writers = (locks[i] = wsk_cli_lock_folder(words->items[i], "plot", WSK_CLI_READS)) != NULL;
    int code = free_of_writers ? draw_dirs(words, only, as, quiet) : WSK_ERUN;
    for (size_t i = 0; i < words->count; i++)
        wsk_cli_lock_drop(locks[i]);
    free(locks);
    return code;
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
    .summary = N_("pictures of a run, a comparison or a calibration, drawn by gnuplot"),
    .options = N_(
        "  --what NAME         one of temps, power, clocks, fans, cost, psu, compare, limit, calibration; the first "
        "six of\n"
        "                      a run, the next two of a comparison (limit: of power limits); default: all of them\n"
        "  --format NAME       one of svg (default), png, pdf, term; the last draws in the terminal, a panel "
        "at a time\n"
        "  -q, --quiet         do not say where the pictures are\n"
        "The picture is DIR/plots/NAME.FORMAT, of several runs NAME-overlay.FORMAT in the first one's folder,\n"
        "of a calibration DIR/calibration.FORMAT.\n"
        "Its script and data stay beside it: change them, and `gnuplot NAME.gp` there draws it anew.\n"),
    .example = "wattsink plot quad-3090-blower.out --what temps --format png",
    .run = main_plot};
