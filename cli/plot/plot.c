/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink plot: pictures of a run, drawn by gnuplot from plots/WHAT.gp. The only place that starts gnuplot. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/plot/plot.h"
#include "cli/run/watch.h"
#include "cli/kit/xml.h"

/* What each picture draws: variables, '*' standing for the id of a card, a PSU, a case, a loop, a fan or a pump. */
typedef struct {
    bool zero_is_nothing; /* all of it 0: nothing to draw */
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
    /* Of a comparison, not of a run: */
    {false, "limit", {NULL}},
    {false, "compare", {NULL}}};
#define OVERLAY "-overlay"
enum { PICTURES = sizeof pictures / sizeof *pictures, LIMIT = PICTURES - 2, COMPARE };

typedef struct {
    const char *name, *terminal; /* with %d for width and height in pixels */
} format;
static const format formats[] = {
    {"svg", "set terminal svg size %d,%d font 'Helvetica,Arial,sans-serif,14' background '#ffffff' noenhanced"},
    {"png", "set terminal pngcairo size 2*%d,2*%d font 'DejaVu Sans,11' fontscale 2 linewidth 2 pointscale 2 "
            "background '#ffffff' "
            "noenhanced"},
    {"pdf", "set terminal pdfcairo size %d/96.0,%d/96.0 font 'DejaVu Sans,11' fontscale 0.72 background '#ffffff' "
            "noenhanced"},
    {"term", "set terminal dumb size %d*text_columns/1000,(%d+8)/16 noenhanced"}};
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

/* `more`: what only this picture knows, in gnuplot's words. */
static bool write_script(const char *dir, const picture *p, const format *f, const char *json, const char *names,
                         double interval_s, const char *more)
{
    char *scripts = wsk_cli_share("plots"), *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    bool ok = out != NULL;
    if (ok)
        wsk_plot_preamble(out, &(wsk_plot_head){p->name, f->name, f->terminal, json, names, interval_s});
    if (ok)
        fputs(more, out);
    const char *const files[] = {"style", strstr(p->name, OVERLAY) ? "overlay" : p->name};
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

/* Behind an escape: the colour that it sets, 1 to 6, or 0, which is whatever letters have on this paper. Black, white and the
 * greys between them are one of the two: some terminal's paper is. */
static int colour_of(FILE *text)
{
    int c, last = 0;
    while ((c = getc(text)) != EOF && c != 'm')
        last = c; /* of "[1;31", "[0;39" */
    last = last >= '1' && last <= '6' ? last - '0' : 0;
    printf("\x1b[%dm", last ? 30 + last : 0);
    return last;
}

/* What gnuplot draws in text, to our output: without the form feed ahead of it and the blanks behind its lines, and in
 * ASCII where the locale has no more. */
static void pass_on(FILE *text)
{
    bool ascii = !wsk_cli_utf8();
    long blanks = 0;
    int colour = 0;
    for (int c; (c = getc(text)) != EOF;) {
        if (c == '\f' || (ascii && (c & 0xC0) == 0x80))
            continue;
        if (c == ' ') {
            blanks++;
            continue;
        }
        for (; c != '\n' && blanks > 0; blanks--)
            putchar(' ');
        blanks = 0;
        if (c == '\x1b') {
            colour = colour_of(text);
            continue;
        }
        if (colour &&
            (c == '+' || c == '-' || c == '|')) /* gnuplot's, for every curve; the key shall show the curve's own */
            c = " *o#%=@"[colour];
        putchar(ascii && c >= 0x80 ? '?' : c);
    }
}

/* Runs gnuplot in the folder of the script; no shell in between. Text it draws goes through us: a full disk must be told. */
static int run_gnuplot(const char *dir, const char *script, bool text)
{
    int ends[2] = {-1, -1}, status = -1;
    fflush(stdout);
    if (text && pipe(ends) != 0) {
        wsk_cli_error("no pipe to gnuplot");
        return WSK_ERUN;
    }
    pid_t child = fork();
    if (child == 0) {
        if (chdir(dir) != 0 || (text && dup2(ends[1], STDOUT_FILENO) < 0))
            _exit(126);
        if (text) {
            close(ends[0]);
            close(ends[1]);
        }
        setenv("LC_ALL", "C.UTF-8", 1);
        execlp("gnuplot", "gnuplot", script, (char *)NULL);
        _exit(errno == ENOENT ? 127 : 126);
    }
    if (text) {
        close(ends[1]);
        FILE *from = fdopen(ends[0], "r");
        if (from) {
            pass_on(from);
            fclose(from);
        } else {
            close(ends[0]);
        }
    }
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
static int draw_into(const char *plots, const picture *p, const format *f, const char *json, const char *csv,
                     const char *names, double interval_s, const char *more, bool quiet)
{
    char *csv_name = wsk_cli_format("%s.csv", p->name), *script = wsk_cli_format("%s.gp", p->name);
    int code = WSK_ERUN;
    if (wsk_cli_mkdirs(plots) && (!csv || wsk_cli_write(plots, csv_name, csv, strlen(csv))) &&
        write_script(plots, p, f, json, names, interval_s, more))
        code = run_gnuplot(plots, script, !strcmp(f->name, "term"));
    if (code == WSK_OK && !quiet && strcmp(f->name, "term") != 0)
        printf("%s/%s.%s\n", plots, p->name, f->name);
    free(script);
    free(csv_name);
    return code;
}

static int draw_data(const char *dir, const picture *p, const format *f, const char *json, const char *csv,
                     const char *names, double interval_s, const char *more, bool quiet)
{
    char *plots = wsk_cli_format("%s/plots", dir);
    int code = draw_into(plots, p, f, json, csv, names, interval_s, more, quiet);
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

static char *read_in(const char *dir, const char *name)
{
    char *path = wsk_cli_format("%s/%s", dir, name), *text = wsk_cli_read(path, NULL);
    free(path);
    return text;
}

static int draw(const char *dir, const selection *s, const format *f, const char *series, bool quiet)
{
    char *names, *csv, *xml = read_in(dir, "rig.resolved.xml"),
                       *movers = wsk_plot_mover_titles(xml ? xml : "", s->json);
    /* Running sums are what they are at each moment: nothing beats in them. */
    double period = xml && strcmp(s->picture->name, "cost") != 0 ? wsk_plot_period(xml) : 0;
    double interval_s =
        wsk_plot_data(series, wsk_json_number(s->json, "simulated_s"), period, wanted, s, &csv, &names);
    char *alike = wsk_plot_alike(csv, s->json), *more = wsk_cli_format("%s%s", movers, alike);
    int code = draw_data(dir, s->picture, f, s->json, csv, names, interval_s, more, quiet);
    free(more);
    free(alike);
    free(movers);
    free(xml);
    free(csv);
    free(names);
    return code;
}

static bool any_but_zero(const char *series, const selection *s)
{
    char *names, *csv;
    wsk_plot_data(series, wsk_json_number(s->json, "simulated_s"), 0, wanted, s, &csv, &names);
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
    char *xml = read_in(dir, "rig.resolved.xml");
    bool pinned = false;
    size_t len;
    for (const char *tag = xml; tag && (tag = wsk_xml_tag(tag, &len)) != NULL; tag++)
        pinned |= wsk_xml_is(tag, "room") && wsk_xml_attribute(tag, len, "temperature");
    free(xml);
    return pinned;
}

/* Whether the picture has anything to show; where not, says so: an error where it was asked for. */
static bool there_is(const char *dir, const selection *s, const char *series, bool asked, bool quiet, int *code)
{
    content what = look(s, series);
    if (what == DRAW)
        return true;
    if (asked) {
        wsk_cli_error("%s has nothing to draw in '%s'%s", dir, s->picture->name,
                      what == ALL_ZERO ? ": all of it is 0" : "");
        *code = WSK_EINPUT;
    } else if (what == ALL_ZERO && !quiet) {
        wsk_cli_error("%s: no picture '%s', all of it is 0", dir, s->picture->name);
    }
    return false;
}

static int plot_run(const char *dir, const picture *only, const format *f, const char *series, const char *json,
                    bool quiet)
{
    bool pinned = room_pinned(dir);
    int code = WSK_OK;
    for (int i = 0; code == WSK_OK && i < PICTURES; i++) {
        const picture *p = &pictures[i];
        if ((only && only != p) || !p->variables[0])
            continue;
        const selection s = {p, json, pinned};
        if (there_is(dir, &s, series, only != NULL, quiet, &code))
            code = draw(dir, &s, f, series, quiet);
    }
    return code;
}

static int draw_limit(const char *dir, const format *f, const char *json, bool asked, bool quiet)
{
    char *csv, *names;
    int code = WSK_OK;
    if (wsk_plot_limit_data(json, &csv, &names)) {
        code = draw_data(dir, &pictures[LIMIT], f, wsk_plot_case(json, 0), csv, names, 1, "", quiet);
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
        wsk_cli_error("%s has %zu cases, and 'compare' has room for %d", dir, wsk_json_count(json, "cases"),
                      WSK_PLOT_CASES);
        code = WSK_EINPUT;
    }
    free(script);
    free(csv);
    free(names);
    free(plots);
    return code;
}

/* The folder of a run, of a comparison, or of both. */
static int plot_dir(const char *dir, const picture *only, const format *f, bool quiet)
{
    if (!wsk_cli_results("plot", dir))
        return WSK_EINPUT;
    char *series = read_in(dir, "series.csv"), *json = read_in(dir, "summary.json"),
         *compare = read_in(dir, "compare.json");
    bool limit = only == &pictures[LIMIT], cases = only == &pictures[COMPARE];
    int code = WSK_OK;
    if ((limit || cases) && !compare) {
        wsk_cli_error("%s has no compare.json: '%s' draws what 'wattsink compare%s -o DIR' leaves", dir, only->name,
                      limit ? " RIG.xml --vary gpu[*].power-limit=..." : " ...");
        code = WSK_EINPUT;
    } else if ((!series || !json) && (!compare || (only && !limit && !cases))) {
        wsk_cli_error("%s/%s is missing: 'wattsink run RIG.xml -o %s' leaves it", dir,
                      series ? "summary.json" : "series.csv", dir);
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

/* Into the first one's folder: a script, and a table for each run beside it. */
static int overlay(const char *dir, const picture *p, const format *f, const wsk_plot_run *runs, size_t count,
                   bool quiet)
{
    char **tables = wsk_cli_alloc(count * sizeof *tables), *plots = wsk_cli_format("%s/plots", dir);
    char *more = wsk_plot_overlay_script(p->name, runs, count, tables), *name = wsk_cli_format("%s" OVERLAY, p->name);
    const picture both = {.name = name};
    const char *longest = runs[0].json;
    int code = wsk_cli_mkdirs(plots) ? WSK_OK : WSK_ERUN;
    for (size_t i = 0; i < count; i++) {
        if (wsk_json_number(runs[i].json, "simulated_s") > wsk_json_number(longest, "simulated_s"))
            longest = runs[i].json;
        char *file = wsk_cli_format("%s-%zu.csv", name, i + 1);
        if (code == WSK_OK && !wsk_cli_write(plots, file, tables[i], strlen(tables[i])))
            code = WSK_ERUN;
        free(file);
        free(tables[i]);
    }
    if (code == WSK_OK && more)
        code = draw_into(plots, &both, f, longest, NULL, NULL, 1, more, quiet);
    free(name);
    free(more);
    free(plots);
    free(tables);
    return code;
}

/* Each picture of those runs that have it. */
static int plot_together(const char *const *dirs, const wsk_plot_run *runs, size_t count, const picture *only,
                         const format *f, bool quiet)
{
    int code = WSK_OK;
    wsk_plot_run *with = wsk_cli_alloc((count + 1) * sizeof *with);
    for (int i = 0; i < PICTURES; i++) {
        const picture *p = &pictures[i];
        size_t n = 0, first = 0;
        if ((only && only != p) || !p->variables[0])
            continue;
        for (size_t k = 0; k < count; k++) {
            const selection s = {p, runs[k].json, room_pinned(dirs[k])};
            if (!there_is(dirs[k], &s, runs[k].series, only != NULL, quiet, &code))
                continue;
            first = n ? first : k;
            with[n++] = runs[k];
        }
        const selection alone = {p, runs[first].json, n == 1 && room_pinned(dirs[first])};
        int one = n > 1 ? overlay(dirs[first], p, f, with, n, quiet)
                  : n   ? draw(dirs[first], &alone, f, runs[first].series, quiet)
                        : WSK_OK;
        code = code == WSK_OK ? one : code;
    }
    free(with);
    return code;
}

/* "week" of "runs/week.out/". Caller frees. */
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

/* Runs share their pictures; what is none, or asks for those of comparisons, has its own. A folder that cannot be drawn does
 * not keep the others from it. */
static int plot_dirs(const wsk_cli_list *words, const picture *only, const format *f, bool quiet)
{
    int code = WSK_OK;
    size_t count = 0;
    bool cases = only == &pictures[LIMIT] || only == &pictures[COMPARE];
    const char **dirs = wsk_cli_alloc(words->count * sizeof *dirs);
    wsk_plot_run *runs = wsk_cli_alloc(words->count * sizeof *runs);
    for (size_t i = 0; i < words->count; i++) {
        const char *dir = words->items[i];
        char *series = cases ? NULL : read_in(dir, "series.csv"), *json = cases ? NULL : read_in(dir, "summary.json");
        if (series && json && words->count > 1) {
            char *xml = read_in(dir, "rig.resolved.xml");
            dirs[count] = dir;
            runs[count++] = (wsk_plot_run){run_name(dir), series, json, xml ? wsk_plot_period(xml) : 0};
            free(xml);
            continue;
        }
        free(series);
        free(json);
        int one = plot_dir(dir, only, f, quiet);
        code = code == WSK_OK ? one : code;
    }
    int together = count ? plot_together(dirs, runs, count, only, f, quiet) : WSK_OK;
    for (size_t i = 0; i < count; i++) {
        free(runs[i].name);
        free(runs[i].series);
        free(runs[i].json);
    }
    free(runs);
    free(dirs);
    return code == WSK_OK ? together : code;
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
    if (code == WSK_OK)
        code = plot_dirs(&words, p, f, quiet);
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_plot = {
    .name = "plot",
    .usage = "DIR... [--what NAME] [--format svg|png|pdf|term]",
    .summary = "pictures of a run or a comparison, drawn by gnuplot",
    .options =
        "  --what NAME         one of temps, power, clocks, fans, cost, psu of a run, compare, limit of a "
        "comparison\n"
        "                      (of power limits); default: all that there are\n"
        "  --format NAME       one of svg (default), png, pdf, term; the last draws in the terminal, COLUMNS x "
        "LINES\n"
        "  -q, --quiet         do not say where the pictures are\n"
        "The picture is DIR/plots/NAME.FORMAT, of several runs NAME-overlay.FORMAT in the first one's folder.\n"
        "Its script and data stay beside it: change them, and `gnuplot NAME.gp` there draws it anew.\n",
    .example = "wattsink plot quad-3090-blower.out --what temps --format png",
    .run = main_plot};
