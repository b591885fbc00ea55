/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/plot/plot.h"
#include "words/width.h"

enum { TITLE_COLUMNS = 100 };

static void shorten(char *text, int columns)
{
    if (wsk_width(text) > columns) {
        size_t end = wsk_width_cut(text, columns - 3);
        snprintf(text + end, strlen(text) - end + 1, "...");
    }
}

/* A kind of component, such as cards. The gnuplot variable NAME lists the ids, "gpu0 gpu1"; the array NAME_title has
 * the titles, "gpu0, slot 1, rtx-3090-blower". count: result with the number of alike parts behind one id. */
typedef struct {
    const char *name;
    wsk_scope scope;
    wsk_result id, part, slot, count; /* WSK_RESULTS: no such result in this scope */
} units;

static const char *plain_text(const wsk_summary *summary, wsk_result result, size_t i)
{
    const char *text = result == WSK_RESULTS ? "" : wsk_cli_said(summary, result, i);
    return strchr(text, '\'') ? "" : text;
}

static void list_units(FILE *out, const wsk_summary *summary, const units *u)
{
    size_t count = wsk_summary_count(summary, u->scope);
    fprintf(out, "%s = '", u->name);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%s", i ? " " : "", plain_text(summary, u->id, i));
    fprintf(out, "'\narray %s_title[%zu]\n", u->name, count ? count : 1);
    for (size_t i = 0; i < count; i++) {
        double slot = u->slot == WSK_RESULTS ? NAN : wsk_summary_number(summary, u->slot, i),
               alike = u->count == WSK_RESULTS ? NAN : wsk_summary_number(summary, u->count, i);
        const char *part = plain_text(summary, u->part, i);
        char *title = wsk_cli_format("%s", plain_text(summary, u->id, i));
        if (!isnan(slot))
            title = wsk_plot_join(title, wsk_cli_format(T_("slot %.0f"), slot));
        if (*part)
            title = wsk_plot_join(title, wsk_cli_format("%s", strchr(part, '/') ? strchr(part, '/') + 1 : part));
        if (alike > 1)
            title = wsk_plot_join(title, wsk_cli_format(T_("%.0f alike"), alike));
        fprintf(out, "%s_title[%zu] = '%s'\n", u->name, i + 1, title);
        free(title);
    }
}

/* Writes two arrays, indexed by card from 1: gpus_fan, 1 if the card has a fan; gpus_wet, 1 if a loop cools it
 * instead of air. */
static void list_cooling(FILE *out, const wsk_summary *summary)
{
    static const char *const names[] = {"gpus_fan", "gpus_wet"};
    size_t count = wsk_summary_count(summary, WSK_SCOPE_GPU);
    for (int k = 0; k < 2; k++) {
        fprintf(out, "array %s[%zu]\n", names[k], count ? count : 1);
        for (size_t i = 0; i < count; i++) {
            bool known = wsk_summary_known(summary, k ? WSK_R_GPU_FROM_ROOM : WSK_R_GPU_FAN_MEAN, i);
            fprintf(out, "%s[%zu] = %d\n", names[k], i + 1, known == (k == 0));
        }
    }
}

/* Writes the ids of the open frames, whose air is that of the room. */
static void list_frames(FILE *out, const wsk_summary *s)
{
    fputs("frames = ' ", out);
    for (size_t i = 0; i < wsk_summary_count(s, WSK_SCOPE_CASE); i++)
        if (!wsk_summary_known(s, WSK_R_CASE_PRESSURE, i))
            fprintf(out, "%s ", wsk_cli_said(s, WSK_R_CASE_ID, i));
    fputs("'\n", out);
}

/* Writes the size of a page: that of the user's terminal without a line for the prompt, at least 60 columns, because
 * narrower legends cover the curves, and at least 12 rows. */
static void put_text_size(FILE *out)
{
    int columns, rows;
    wsk_cli_terminal_size(STDOUT_FILENO, &columns, &rows);
    columns = columns < 60 ? 60 : columns > 400 ? 400 : columns;
    rows = rows < 13 ? 13 : rows > 200 ? 200 : rows;
    fprintf(out, "if (!exists('dots')) { dots = 0 }\ntext_columns = %d\ntext_rows = %d\n", columns, rows - 1);
}

/* Writes the lines that stand before the script. With them the file draws the picture again from the CSV beside it. */
void wsk_plot_preamble(FILE *out, const wsk_plot_head *h)
{
    static const units lists[] = {{"gpus", WSK_SCOPE_GPU, WSK_R_GPU_ID, WSK_R_GPU_PART, WSK_R_GPU_SLOT, WSK_RESULTS},
                                  {"psus", WSK_SCOPE_PSU, WSK_R_PSU_ID, WSK_R_PSU_PART, WSK_RESULTS, WSK_RESULTS},
                                  {"cases", WSK_SCOPE_CASE, WSK_R_CASE_ID, WSK_R_CASE_PART, WSK_RESULTS, WSK_RESULTS},
                                  {"loops", WSK_SCOPE_LOOP, WSK_R_LOOP_ID, WSK_RESULTS, WSK_RESULTS, WSK_RESULTS},
                                  {"movers", WSK_SCOPE_FAN, WSK_R_FAN_ID, WSK_RESULTS, WSK_RESULTS, WSK_R_FAN_COUNT}};
    const wsk_summary *s = h->summary;
    double seconds = s ? wsk_summary_number(s, WSK_R_SIMULATED, 0) : h->seconds > 0 ? h->seconds : 1;
    /* Time axis: unit of its ticks, title, seconds in the unit, and longest run, s, that is shown in this unit. */
    static const struct {
        const char *unit, *axis;
        double per_s, most_s;
    } times[] = {{"s", N_("time (s)"), 1, 180},
                 {"min", N_("time (min)"), 60, 3 * 3600},
                 {"h", N_("time (h)"), 3600, 3 * 86400},
                 {"days", N_("time (days)"), 86400, INFINITY}};
    size_t k = 0;
    while (seconds > times[k].most_s)
        k++;
    double per = times[k].per_s;
    fprintf(out, "# Redraws %s.%s beside this file: gnuplot %s.gp\n", h->name, h->format, h->name);
    bool text = !strcmp(h->format, "term"), ansi = text && (wsk_cli_utf8() || wsk_cli_colour(STDOUT_FILENO));
    /* ansi: gnuplot prints colours, by which term.c tells the curves apart */
    char *terminal = wsk_cli_format("%s%s", h->terminal, ansi ? " ansi" : "");
    wsk_plot_quote(out, "terminal", terminal);
    free(terminal);
    if (!text)
        fprintf(out, "if (!exists('printed')) { set output '%s.%s' }\n", h->name, h->format);
    else
        put_text_size(out);
    fprintf(out, "plain = %d\nascii = %d\ncooled = %d\n", text, !wsk_cli_utf8(),
            s && wsk_summary_number(s, WSK_R_ROOM_COOLING_KWH, 0) > 0);
    if (h->columns) {
        fprintf(out, "data = '%s.csv'\n", h->name);
        wsk_plot_quote(out, "columns", h->columns);
    }
    char *name = wsk_cli_format("%s", s ? wsk_cli_said(s, WSK_R_RIG, 0) : h->rig_name);
    shorten(name, TITLE_COLUMNS);
    wsk_plot_quote(out, "rig_name", name);
    free(name);
    wsk_plot_quote(out, "currency", s ? wsk_cli_said(s, WSK_R_CURRENCY, 0) : "");
    fprintf(out, "per = %.1f\ntime_unit = '%s'\nxend = %.10g\ninterval = %.10g\n", per, times[k].unit, seconds / per,
            h->interval_s / per);
    wsk_plot_quote(out, "xname", T_(times[k].axis));
    wsk_plot_words(out, h->body);
    /* with several circuits no limit is drawn, because the drawn power is that of all circuits together */
    bool one = s && wsk_summary_count(s, WSK_SCOPE_CIRCUIT) < 2;
    double limit = one ? wsk_summary_number(s, WSK_R_CIRCUIT_LIMIT, 0) : NAN;
    fprintf(out, "limit_w = %.10g\n", isnan(limit) ? 0 : limit);
    if (!h->columns || !s)
        return;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        list_units(out, s, &lists[i]);
    list_cooling(out, s);
    list_frames(out, s);
}
