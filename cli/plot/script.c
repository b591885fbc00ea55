/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The beginning of a picture's script: what it has to know of the run, in gnuplot's words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/plot/plot.h"
#include "cli/run/watch.h"

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

/* As large as the user's terminal; narrower than 60 the keys cover the curves. Rows 0: into a file, as many as it takes. */
static void put_text_size(FILE *out)
{
    int columns, rows;
    wsk_cli_terminal_size(STDOUT_FILENO, &columns, &rows);
    fprintf(out, "text_columns = %d\ntext_rows = %d\n",
            columns < 60    ? 60
            : columns > 400 ? 400
                            : columns,
            isatty(STDOUT_FILENO) || getenv("LINES") ? rows : 0);
}

/* What the scripts know of the run, ahead of the scripts themselves: the whole redraws the picture alone. */
void wsk_plot_preamble(FILE *out, const wsk_plot_head *h)
{
    const char *json = h->json;
    char text[256], *name = wsk_cli_alloc(strlen(json) + 1);
    double seconds = wsk_json_number(json, "simulated_s");
    const char *unit = seconds <= 180 ? "s" : seconds <= 3 * 3600 ? "min" : seconds <= 3 * 86400 ? "h" : "days";
    double per = seconds <= 180 ? 1 : seconds <= 3 * 3600 ? 60 : seconds <= 3 * 86400 ? 3600 : 86400;
    fprintf(out, "# Redraws %s.%s beside this file: gnuplot %s.gp\n", h->name, h->format, h->name);
    char *terminal = wsk_cli_format("%s%s", h->terminal,
                                    !strcmp(h->format, "term") && wsk_cli_colour(STDOUT_FILENO) ? " ansi" : "");
    quote(out, "terminal", terminal);
    free(terminal);
    if (strcmp(h->format, "term") != 0)
        fprintf(out, "set output '%s.%s'\n", h->name, h->format);
    else
        put_text_size(out);
    fprintf(out, "plain = %d\nascii = %d\ncooled = %d\n", !strcmp(h->format, "term"), !wsk_cli_utf8(),
            wsk_json_number(json, "energy.room_cooling_kwh") > 0);
    if (h->columns) {
        fprintf(out, "data = '%s.csv'\n", h->name);
        quote(out, "columns", h->columns);
    }
    if (!wsk_json_text(json, "rig", name, strlen(json) + 1))
        name[0] = '\0';
    shorten(name, TITLE_COLUMNS);
    quote(out, "rig_name", name);
    free(name);
    quote(out, "currency", wsk_json_text(json, "cost.currency", text, sizeof text) ? text : "");
    fprintf(out, "per = %.1f\nxname = 'time (%s)'\nxend = %.10g\ninterval = %.10g\n", per, unit, seconds / per,
            h->interval_s / per);
    double limit = wsk_json_number(json, "circuit.continuous_limit_w");
    fprintf(out, "limit_w = %.10g\n", isnan(limit) ? 0 : limit);
    if (!h->columns)
        return;
    list_units(out, json, "gpus", "gpus");
    list_units(out, json, "psus", "psus");
    list_cooling(out, json);
    list_units(out, json, "cases", "cases");
    list_units(out, json, "loops", "loops");
    list_units(out, json, "fans", "movers");
}
