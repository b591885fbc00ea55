/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink plot: pictures of a run, drawn by gnuplot from plots/WHAT.gp. The only place that starts gnuplot. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/plot.h"
#include "cli/xml.h"

/* What each picture draws: variables, '*' standing for the id of a card, a PSU, a case, a loop, a fan or a pump. */
typedef struct {
    bool zero_is_nothing; /* all of it 0: nothing to draw */
    const char *name, *variables[20];
} picture;
static const picture pictures[] = {
    {false,
     "temps",
     {"*.die_c", "*.hotspot_c", "*.memory_c", "*.inlet_c", "*.air_c", "case.air_c", "room.air_c", "outdoor.air_c", "*.coolant_c",
      "*.return_c"}},
    {true, "power", {"*.power_w", "dc_w", "wall_w", "psu_loss_w", "ac_w"}},
    {false, "clocks", {"*.clock_mhz", "*.throttle_power", "*.throttle_thermal", "*.throttle_memory", "*.throttle_hw"}},
    {false, "fans", {"*.fan_rpm", "*.rpm", "*.flow_lpm", "noise_dba"}},
    {true, "cost", {"cost", "energy_kwh"}},
    {true, "psu", {"*.load", "*.efficiency", "psu_loss_w"}},
    /* Of a comparison, not of a run: */
    {false, "limit", {NULL}},
    {false, "compare", {NULL}}};
enum { PICTURES = sizeof pictures / sizeof *pictures, LIMIT = PICTURES - 2, COMPARE };

typedef struct {
    const char *name, *terminal; /* with %d for width and height in pixels */
} format;
static const format formats[] = {
    {"svg", "set terminal svg size %d,%d font 'Helvetica,Arial,sans-serif,14' background '#ffffff' noenhanced"},
    {"png", "set terminal pngcairo size 2*%d,2*%d font 'DejaVu Sans,11' fontscale 2 linewidth 2 background '#ffffff' "
            "noenhanced"},
    {"pdf", "set terminal pdfcairo size %d/96.0,%d/96.0 font 'DejaVu Sans,11' fontscale 0.72 background '#ffffff' "
            "noenhanced"},
    {"term", "set terminal dumb size %d*text_columns/1000,%d/16 noenhanced"}};
enum { FORMATS = sizeof formats / sizeof *formats };

typedef struct {
    const picture *picture;
    const char *json;
    bool room_pinned; /* the air outdoors matters to nothing */
} selection;

/* The series has columns NAME.min, NAME.mean and NAME.max. */
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
        if (!strcmp(v, "noise_dba") && !wsk_json_count(s->json, "gpus"))
            continue; /* without a card's fan no picture of fans */
        if (*v != '*') {
            if (strlen(v) == base && !strncmp(v, column, base))
                return true;
            continue;
        }
        size_t tail = strlen(v + 1);
        if (base <= tail || strncmp(column + base - tail, v + 1, tail) != 0)
            continue;
        static const char *const lists[] = {"gpus", "psus", "cases", "loops", "fans"};
        for (int l = 0; l < 5; l++)
            for (size_t k = 0; k < wsk_json_count(s->json, lists[l]); k++) {
                char path[32], id[72];
                snprintf(path, sizeof path, "%s[%zu].id", lists[l], k);
                if (wsk_json_text(s->json, path, id, sizeof id) && strlen(id) == base - tail &&
                    !strncmp(id, column, base - tail))
                    return true;
            }
    }
    return false;
}

static void quote(FILE *out, const char *name, const char *text)
{
    fprintf(out, "%s = '", name);
    for (const char *p = text; *p; p++) {
        if (*p == '\'')
            fputc('\'', out);
        if ((unsigned char)*p >= 32)
            fputc(*p, out);
    }
    fputs("'\n", out);
}

enum { TITLE_COLUMNS = 100 };

/* Cuts UTF-8 text to what fits beside the picture's left edge; CJK characters are two columns wide. */
static void shorten(char *text, int columns)
{
    int used = 0;
    char *last = text;
    for (char *p = text; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if ((c & 0xC0) == 0x80)
            continue;
        /* The three bytes of an ellipsis take the place of the character that is one too many, and more. */
        if (used <= columns - 3)
            last = p;
        used += c >= 0xE1 ? 2 : 1;
    }
    if (used > columns)
        memcpy(last, "...", sizeof "...");
}

/* "gpu0 gpu1", and for the titles "gpu0, slot 1, gpu/rtx-3090-blower|..." */
static void list_units(FILE *out, const char *json, const char *list, const char *name)
{
    fprintf(out, "%s = '", name);
    size_t count = wsk_json_count(json, list);
    char path[64], text[128];
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s[%zu].id", list, i);
        if (wsk_json_text(json, path, text, sizeof text) && !strchr(text, '\''))
            fprintf(out, "%s%s", i ? " " : "", text);
    }
    fprintf(out, "'\narray %s_title[%zu]\n", name, count ? count : 1);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s_title[%zu] = '", name, i + 1);
        snprintf(path, sizeof path, "%s[%zu].id", list, i);
        if (wsk_json_text(json, path, text, sizeof text) && !strchr(text, '\''))
            fputs(text, out);
        snprintf(path, sizeof path, "%s[%zu].slot", list, i);
        double slot = wsk_json_number(json, path);
        if (!isnan(slot))
            fprintf(out, ", slot %.0f", slot);
        snprintf(path, sizeof path, "%s[%zu].part", list, i);
        if (wsk_json_text(json, path, text, sizeof text) && *text && !strchr(text, '\''))
            fprintf(out, ", %s", strchr(text, '/') ? strchr(text, '/') + 1 : text);
        snprintf(path, sizeof path, "%s[%zu].count", list, i);
        if (wsk_json_number(json, path) > 1)
            fprintf(out, ", %.0f alike", wsk_json_number(json, path));
        fputs("'\n", out);
    }
}

/* Which cards have fans, and which breathe a loop's coolant instead of air: a number each, counted from 1. */
static void list_cooling(FILE *out, const char *json)
{
    static const char *const names[] = {"gpus_fan", "gpus_wet"};
    size_t count = wsk_json_count(json, "gpus");
    for (int k = 0; k < 2; k++) {
        fprintf(out, "array %s[%zu]\n", names[k], count ? count : 1);
        for (size_t i = 0; i < count; i++) {
            char path[64];
            snprintf(path, sizeof path, k ? "gpus[%zu].intake.room" : "gpus[%zu].fan_mean_rpm", i);
            fprintf(out, "%s[%zu] = %d\n", names[k], i + 1, isnan(wsk_json_number(json, path)) == (k == 1));
        }
    }
}

/* As wide as the user's terminal says that it is: COLUMNS; narrower than 60 the keys cover the curves. */
static int text_columns(void)
{
    const char *text = getenv("COLUMNS"), *end;
    double columns = text ? wsk_cli_number(text, &end) : NAN;
    return columns >= 60 && columns <= 400 ? (int)columns : columns < 60 ? 60 : TITLE_COLUMNS;
}

/* What the scripts know of the run, ahead of the scripts themselves: the whole redraws the picture alone. */
static void preamble(FILE *out, const picture *p, const format *f, const char *json, const char *names,
                     double interval_s)
{
    char text[256], *name = wsk_cli_alloc(strlen(json) + 1);
    double seconds = wsk_json_number(json, "simulated_s");
    const char *unit = seconds <= 180 ? "s" : seconds <= 3 * 3600 ? "min" : seconds <= 3 * 86400 ? "h" : "days";
    double per = seconds <= 180 ? 1 : seconds <= 3 * 3600 ? 60 : seconds <= 3 * 86400 ? 3600 : 86400;
    fprintf(out, "# Redraws %s.%s beside this file: gnuplot %s.gp\n", p->name, f->name, p->name);
    quote(out, "terminal", f->terminal);
    if (strcmp(f->name, "term") != 0)
        fprintf(out, "set output '%s.%s'\n", p->name, f->name);
    else
        fprintf(out, "text_columns = %d\n", text_columns());
    fprintf(out, "plain = %d\n", !strcmp(f->name, "term"));
    fprintf(out, "data = '%s.csv'\n", p->name);
    quote(out, "columns", names);
    if (!wsk_json_text(json, "rig", name, strlen(json) + 1))
        name[0] = '\0';
    shorten(name, TITLE_COLUMNS);
    quote(out, "rig_name", name);
    free(name);
    quote(out, "currency", wsk_json_text(json, "cost.currency", text, sizeof text) ? text : "");
    fprintf(out, "per = %.1f\nxname = 'time (%s)'\nxend = %.10g\ninterval = %.10g\n", per, unit, seconds / per,
            interval_s / per);
    double limit = wsk_json_number(json, "circuit.continuous_limit_w");
    fprintf(out, "limit_w = %.10g\n", isnan(limit) ? 0 : limit);
    list_units(out, json, "gpus", "gpus");
    list_units(out, json, "psus", "psus");
    list_cooling(out, json);
    list_units(out, json, "cases", "cases");
    list_units(out, json, "loops", "loops");
    list_units(out, json, "fans", "movers");
}

/* `more`: what only this picture knows, in gnuplot's words. */
static bool write_script(const char *dir, const picture *p, const format *f, const char *json, const char *names,
                         double interval_s, const char *more)
{
    char *scripts = wsk_cli_share("plots"), *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    bool ok = out != NULL;
    if (ok)
        preamble(out, p, f, json, names, interval_s);
    if (ok)
        fputs(more, out);
    const char *const files[] = {"style", p->name};
    for (int i = 0; ok && i < 2; i++) {
        char *path = wsk_cli_format("%s/%s.gp", scripts, files[i]), *body = wsk_cli_read(path, NULL);
        if (body)
            fputs(body, out);
        else
            wsk_cli_error("cannot read the plot script %s", path);
        ok = body != NULL;
        free(body);
        free(path);
    }
    if (out && fclose(out) != 0)
        ok = false;
    char *name = wsk_cli_format("%s.gp", p->name);
    ok = ok && wsk_cli_write(dir, name, text, len);
    free(name);
    free(text);
    free(scripts);
    return ok;
}

/* Runs gnuplot in the folder of the script; no shell in between. */
static int run_gnuplot(const char *dir, const char *script)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (chdir(dir) != 0)
            _exit(126);
        setenv("LC_ALL", "C.UTF-8", 1);
        execlp("gnuplot", "gnuplot", script, (char *)NULL);
        _exit(errno == ENOENT ? 127 : 126);
    }
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return WSK_OK;
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127)
        wsk_cli_error("gnuplot is not installed (Debian: gnuplot-nox)");
    else
        wsk_cli_error("gnuplot failed on %s/%s", dir, script);
    return WSK_ERUN;
}

/* Writes data and script beside the picture, and draws it. */
static int draw_into(const char *plots, const picture *p, const format *f, const char *json, const char *csv, const char *names,
                     double interval_s, const char *more, bool quiet)
{
    char *csv_name = wsk_cli_format("%s.csv", p->name), *script = wsk_cli_format("%s.gp", p->name);
    int code = WSK_ERUN;
    if (wsk_cli_mkdirs(plots) && wsk_cli_write(plots, csv_name, csv, strlen(csv)) &&
        write_script(plots, p, f, json, names, interval_s, more))
        code = run_gnuplot(plots, script);
    if (code == WSK_OK && !quiet && strcmp(f->name, "term") != 0)
        printf("%s/%s.%s\n", plots, p->name, f->name);
    free(script);
    free(csv_name);
    return code;
}

static int draw_data(const char *dir, const picture *p, const format *f, const char *json, const char *csv, const char *names,
                     double interval_s, bool quiet)
{
    char *plots = wsk_cli_format("%s/plots", dir);
    int code = draw_into(plots, p, f, json, csv, names, interval_s, "", quiet);
    free(plots);
    return code;
}

static const format *find_format(const char *name)
{
    for (int i = 0; i < FORMATS; i++)
        if (!strcmp(name, formats[i].name))
            return &formats[i];
    return NULL;
}

bool wsk_plot_is_format(const char *name)
{
    return find_format(name) != NULL;
}

int wsk_plot_draw(const char *folder, const wsk_plot_table *t, const char *as, bool quiet)
{
    const picture p = {.name = t->name};
    return draw_into(folder, &p, find_format(as), t->json, t->csv, t->columns, 1, t->script, quiet);
}

static int draw(const char *dir, const selection *s, const format *f, const char *series, bool quiet)
{
    char *names, *csv;
    double interval_s = wsk_plot_data(series, wsk_json_number(s->json, "simulated_s"), wanted, s, &csv, &names);
    int code = draw_data(dir, s->picture, f, s->json, csv, names, interval_s, quiet);
    free(csv);
    free(names);
    return code;
}

static bool any_but_zero(const char *series, const selection *s)
{
    char *names, *csv;
    wsk_plot_data(series, wsk_json_number(s->json, "simulated_s"), wanted, s, &csv, &names);
    bool any = false;
    for (const char *row = strchr(csv, '\n'); row && row[1] && !any; row = strchr(row + 1, '\n'))
        for (const char *cell = row + 1; !any && (cell += strcspn(cell, ",\n")) && *cell == ','; cell++) {
            const char *end;
            any = fabs(wsk_cli_number(cell + 1, &end)) > 0;
        }
    free(names);
    free(csv);
    return any;
}

typedef enum { DRAW, ABSENT, ALL_ZERO } content;

/* Is there anything to draw? A rig without cards has no fans to show, one without load no watts. */
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
    char *path = wsk_cli_format("%s/rig.resolved.xml", dir), *xml = wsk_cli_read(path, NULL);
    bool pinned = false;
    size_t len;
    for (const char *tag = xml; tag && (tag = wsk_xml_tag(tag, &len)) != NULL; tag++)
        pinned |= wsk_xml_is(tag, "room") && wsk_xml_attribute(tag, len, "temperature");
    free(xml);
    free(path);
    return pinned;
}

static int plot_run(const char *dir, const picture *only, const format *f, const char *series, const char *json, bool quiet)
{
    bool pinned = room_pinned(dir);
    int code = WSK_OK;
    for (int i = 0; code == WSK_OK && i < PICTURES; i++) {
        const picture *p = &pictures[i];
        if ((only && only != p) || !p->variables[0])
            continue;
        const selection s = {p, json, pinned};
        content what = look(&s, series);
        if (what == DRAW) {
            code = draw(dir, &s, f, series, quiet);
        } else if (only) {
            wsk_cli_error("%s has nothing to draw in '%s'%s", dir, p->name,
                          what == ALL_ZERO ? ": all of it is 0" : "");
            code = WSK_EINPUT;
        } else if (what == ALL_ZERO && !quiet) {
            wsk_cli_error("%s: no picture '%s', all of it is 0", dir, p->name);
        }
    }
    return code;
}

static int draw_limit(const char *dir, const format *f, const char *json, bool asked, bool quiet)
{
    char *csv, *names;
    int code = WSK_OK;
    if (wsk_plot_limit_data(json, &csv, &names)) {
        code = draw_data(dir, &pictures[LIMIT], f, wsk_plot_case(json, 0), csv, names, 1, quiet);
    } else if (asked) {
        wsk_cli_error("%s has nothing to draw in 'limit': its cases do not differ in power limits", dir);
        code = WSK_EINPUT;
    }
    free(csv);
    free(names);
    return code;
}

static int draw_cases(const char *dir, const format *f, const char *json, bool asked, bool quiet)
{
    char *csv, *names, *script, *plots = wsk_cli_format("%s/plots", dir);
    int code = WSK_OK;
    if (wsk_plot_compare_data(json, &csv, &names, &script)) {
        code = draw_into(plots, &pictures[COMPARE], f, wsk_plot_case(json, 0), csv, names, 1, script, quiet);
    } else if (asked) {
        wsk_cli_error("%s has %zu cases, and 'compare' has room for %d", dir, wsk_json_count(json, "cases"), WSK_PLOT_CASES);
        code = WSK_EINPUT;
    }
    free(script);
    free(csv);
    free(names);
    free(plots);
    return code;
}

static char *read_in(const char *dir, const char *name)
{
    char *path = wsk_cli_format("%s/%s", dir, name), *text = wsk_cli_read(path, NULL);
    free(path);
    return text;
}

/* The folder of a run, of a comparison, or of both. */
static int plot_dir(const char *dir, const picture *only, const format *f, bool quiet)
{
    char *series = read_in(dir, "series.csv"), *json = read_in(dir, "summary.json"), *compare = read_in(dir, "compare.json");
    bool limit = only == &pictures[LIMIT], cases = only == &pictures[COMPARE];
    int code = WSK_OK;
    if ((limit || cases) && !compare) {
        wsk_cli_error("%s has no compare.json: '%s' draws what 'wattsink compare%s -o DIR' leaves", dir, only->name,
                      limit ? " RIG.xml --vary gpu[*].power-limit=..." : " ...");
        code = WSK_EINPUT;
    } else if ((!series || !json) && (!compare || (only && !limit && !cases))) {
        wsk_cli_error("%s has no %s: is it the folder of a run?", dir, series ? "summary.json" : "series.csv");
        code = WSK_EINPUT;
    }
    if (code == WSK_OK && series && json && !limit && !cases)
        code = plot_run(dir, only, f, series, json, quiet);
    if (code == WSK_OK && compare && (limit || !only))
        code = draw_limit(dir, f, compare, limit, quiet);
    if (code == WSK_OK && compare && (cases || !only))
        code = draw_cases(dir, f, compare, cases, quiet);
    free(series);
    free(json);
    free(compare);
    return code;
}

static int main_plot(int argc, char **argv)
{
    const char *what = NULL, *as = "svg", *names[PICTURES + 1] = {NULL}, *kinds[FORMATS + 1] = {NULL};
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
    const format *f = NULL;
    for (int i = 0; i < PICTURES; i++) {
        names[i] = pictures[i].name;
        if (what && !strcmp(what, names[i]))
            p = &pictures[i];
    }
    for (int i = 0; i < FORMATS; i++) {
        kinds[i] = formats[i].name;
        if (!strcmp(as, kinds[i]))
            f = &formats[i];
    }
    char hint[64];
    if (!words.count)
        code = wsk_cli_usage(&wsk_cli_plot, "which folder?");
    else if (what && !p)
        code =
            wsk_cli_usage(&wsk_cli_plot, "no picture '%s'%s", what, wsk_cli_hint(hint, sizeof hint, what, names, ""));
    else if (!f)
        code = wsk_cli_usage(&wsk_cli_plot, "no format '%s'%s", as, wsk_cli_hint(hint, sizeof hint, as, kinds, ""));
    /* A folder that cannot be drawn does not keep the others from it. */
    bool draw_them = code == WSK_OK;
    for (size_t i = 0; draw_them && i < words.count; i++) {
        int one = plot_dir(words.items[i], p, f, quiet);
        code = code == WSK_OK ? one : code;
    }
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_plot = {
    .name = "plot",
    .usage = "DIR... [--what NAME] [--format svg|png|pdf|term]",
    .summary = "pictures of a run or a comparison, drawn by gnuplot",
    .options = "  --what NAME         one of temps, power, clocks, fans, cost, psu of a run, compare, limit of a comparison\n"
               "                      (of power limits); default: all that there are\n"
               "  --format NAME       one of svg (default), png, pdf, term; the last draws in the terminal, COLUMNS wide\n"
               "  -q, --quiet         do not say where the pictures are\n"
               "The picture is DIR/plots/NAME.FORMAT; its script and data stay beside it.\n",
    .example = "wattsink plot quad-3090-blower.out --what temps --format png",
    .run = main_plot};
