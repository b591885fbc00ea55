/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine of the page in the browser: functions that the page's JavaScript calls. Texts are UTF-8. The caller frees
 * a returned text with free(). NULL: there is no such text, or memory ran out. This file does not know the page: it
 * returns pieces of HTML and JSON, which worker.js passes on. The catalogue is in the folder PARTS of an in-memory
 * file system. */
#include <stdlib.h>
#include <string.h>

#include "cli/kit/cli.h"
#include "cli/plot/plot.h"
#include "draw/page.h"
#include "web/engine.h"
#include "words/words.h"

static const char PARTS[] = "/share/parts";
enum { WITH_RESOLVED = 4, NARROW = 8 };

void wsk_page_put_text(FILE *out, const char *key, const char *text)
{
    wsk_buf quoted = {0};
    wsk_buf_json(&quoted, text);
    fprintf(out, ",\"%s\":%s", key, quoted.failed ? "null" : quoted.data);
    wsk_buf_free(&quoted);
}

wsk_status wsk_page_load(wsk_rig **out, const char *xml)
{
    return wsk_rig_load(
        out, &(wsk_rig_options){
                 .path = "rig.xml", .text = xml, .text_len = strlen(xml), .parts_dir = PARTS, .data_dir = "/here"});
}

static void put_messages(FILE *out, const wsk_rig *rig, wsk_lang lang)
{
    fputs(",\"messages\":[", out);
    for (size_t i = 0, n = rig ? wsk_rig_messages(rig) : 0; i < n; i++) {
        int severity, line, column;
        const char *file, *text;
        wsk_buf said = {0};
        wsk_rig_message(rig, i, &severity, &file, &line, &column, &text);
        wsk_words_said(&said, lang, wsk_rig_message_said(rig, i));
        fprintf(out, "%s{\"severity\":%d,\"line\":%d,\"column\":%d", i ? "," : "", severity, line, column);
        wsk_page_put_text(out, "text", said.failed || !said.data ? text : said.data);
        fputc('}', out);
        wsk_buf_free(&said);
    }
    fputc(']', out);
}

typedef wsk_status write_piece(FILE *out, const wsk_report_point *point);

static wsk_status put_piece(FILE *out, const char *key, const wsk_report_point *point, write_piece *piece)
{
    char *html = NULL;
    size_t len = 0;
    FILE *to = wsk_cli_text(&html, &len);
    wsk_status status = piece(to, point);
    fclose(to);
    wsk_page_put_text(out, key, html);
    free(html);
    return status;
}

/* Writes, for each card or fan with a curve, by its id: full speed, rpm, and points of temperature, degC, and share of
 * full speed. */
static void put_curves(FILE *out, const wsk_rig *rig, const wsk_elements *list)
{
    static const char *const movers[] = {"gpu", "fan"};
    double temp_c[WSK_FAN_POINTS], share[WSK_FAN_POINTS], full_rpm;
    const char *comma = "";
    fputs(",\"curves\":{", out);
    for (size_t k = 0; k < sizeof movers / sizeof *movers; k++)
        for (int e = -1; (e = wsk_elements_next(list, movers[k], e, -1)) >= 0;) {
            const int n = wsk_rig_fan_curve(rig, wsk_elements_id(list, e), temp_c, share, &full_rpm);
            wsk_buf id = {0};
            wsk_buf_json(&id, wsk_elements_id(list, e));
            if (n > 0 && !id.failed) {
                fprintf(out, "%s%s:{\"full\":%.17g,\"points\":[", comma, id.data, full_rpm);
                for (int i = 0; i < n; i++)
                    fprintf(out, "%s[%.4f,%.6f]", i ? "," : "", temp_c[i], share[i]);
                fputs("]}", out);
                comma = ",";
            }
            wsk_buf_free(&id);
        }
    fputc('}', out);
}

static wsk_status put_point(FILE *out, const wsk_rig *rig, wsk_lang lang, unsigned with)
{
    wsk_summary *summary = NULL;
    wsk_report_point point = {.lang = lang, .narrow = (with & NARROW) != 0};
    char *why = NULL, *json = NULL, *resolved = NULL;
    const wsk_voice voice = wsk_voice_of(lang, false);
    wsk_status status = wsk_steady_point(&summary, rig, WSK_STEPPER_FAST, with, &voice, &why);
    if (status == WSK_OK)
        status = wsk_rig_elements(rig, &point.rig);
    if (status == WSK_OK)
        status = wsk_summary_json(summary, &json);
    if (status == WSK_OK && with & WITH_RESOLVED)
        status = wsk_rig_resolved(rig, &resolved);
    if (status == WSK_OK) {
        point.summary = summary;
        fprintf(out, ",\"summary\":%s", json);
        status = put_piece(out, "machine", &point, wsk_report_point_machine);
        if (status == WSK_OK)
            status = put_piece(out, "verdict", &point, wsk_report_point_verdict);
        if (resolved) {
            wsk_page_put_text(out, "resolved", resolved);
            put_curves(out, rig, point.rig);
        }
    } else if (why) {
        wsk_page_put_text(out, "why", why);
    }
    wsk_text_free(why);
    wsk_text_free(json);
    wsk_text_free(resolved);
    wsk_elements_free(point.rig);
    wsk_summary_free(summary);
    return status;
}

/* Returns {"version": ..., "messages": [...], "summary": ..., "machine": HTML, "verdict": HTML, "resolved": XML,
 * "curves": ..., "why": ..., "status": exit code}. Members that are unavailable or not wanted are absent. lang: a
 * wsk_lang; with: a sum of wsk_point_parts, WITH_RESOLVED and NARROW. */
char *wsk_web_point(const char *xml, int lang, unsigned with);
char *wsk_web_point(const char *xml, int lang, unsigned with)
{
    char *text = NULL;
    size_t len = 0;
    wsk_rig *rig = NULL;
    FILE *out = wsk_cli_text(&text, &len);
    wsk_status status = wsk_page_load(&rig, xml);
    fputs("{\"version\":\"" WATTSINK_VERSION "\"", out);
    put_messages(out, rig, (wsk_lang)lang);
    if (status == WSK_OK)
        status = put_point(out, rig, (wsk_lang)lang, with);
    fprintf(out, ",\"status\":%d}", (int)status);
    fclose(out);
    wsk_rig_free(rig);
    return text;
}

char *wsk_web_style(void);
char *wsk_web_style(void)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = wsk_cli_text(&text, &len);
    wsk_report_point_style(out);
    fclose(out);
    return text;
}

/* wsk_web_parts writes one part per line: id, then description. */
char *wsk_web_parts(const char *family);
char *wsk_web_parts(const char *family)
{
    char *text = NULL;
    return wsk_parts_text(PARTS, family, NULL, &text) == WSK_OK ? text : NULL;
}

/* A run in slices; only one run exists at a time. */
static struct {
    wsk_rig *rig;
    wsk_run *run;
} now;

void wsk_web_run_end(void);
void wsk_web_run_end(void)
{
    wsk_run_free(now.run);
    wsk_rig_free(now.rig);
    now.run = NULL;
    now.rig = NULL;
}

/* Ends a previous run, and starts one over `seconds` of simulated time. Returns a wsk_status. */
int wsk_web_run(const char *xml, double seconds);
int wsk_web_run(const char *xml, double seconds)
{
    wsk_web_run_end();
    wsk_status status = wsk_page_load(&now.rig, xml);
    if (status == WSK_OK)
        status =
            wsk_run_new(&now.run, now.rig, &(wsk_run_options){.duration_s = seconds, .leap = true, .stride = true});
    return (int)status;
}

/* Continues the run until `share` of its time is simulated. At share 1, the end, also computes verdict and advice.
 * Returns a wsk_status. */
int wsk_web_run_to(double share);
int wsk_web_run_to(double share)
{
    if (!now.run)
        return WSK_EUSAGE;
    wsk_status status = wsk_run_advance(now.run, share * wsk_run_duration(now.run));
    if (status == WSK_OK && share >= 1)
        status = wsk_run_judge(now.rig, now.run);
    return (int)status;
}

char *wsk_web_run_summary(void);
char *wsk_web_run_summary(void)
{
    char *json = NULL;
    if (now.run)
        wsk_run_summary_json(now.run, 0, &json);
    return json;
}

/* Returns the report of the run as an HTML page; empty: there is no run, it has not simulated any time yet, or memory
 * ran out. If the run has failed, wsk_web_run_why gives the reason. */
char *wsk_web_run_report(int lang);
char *wsk_web_run_report(int lang)
{
    char *html = NULL, *series = NULL, *events = NULL;
    size_t len = 0;
    wsk_summary *summary = NULL;
    const wsk_elements *rig = NULL;
    const char *damaged;
    FILE *out = wsk_cli_text(&html, &len);
    wsk_arena *arena = wsk_arena_new();
    if (now.run && wsk_run_summary(&summary, now.run, 0) == WSK_OK &&
        wsk_run_series_csv(now.run, &series) == WSK_OK && wsk_run_events_csv(now.run, false, &events) == WSK_OK &&
        wsk_rig_elements(now.rig, &rig) == WSK_OK)
        wsk_report_write(out,
                         &(wsk_report_files){.summary = summary,
                                             .series = series,
                                             .events = events,
                                             .rig = rig,
                                             .zone = wsk_cli_zone(arena, rig),
                                             .lang = (wsk_lang)lang},
                         &damaged);
    fclose(out);
    wsk_arena_free(arena);
    wsk_text_free(series);
    wsk_text_free(events);
    wsk_elements_free(rig);
    wsk_summary_free(summary);
    return html;
}

/* Returns why the run cannot continue; "": it can continue, or there is no run. */
char *wsk_web_run_why(int lang);
char *wsk_web_run_why(int lang)
{
    wsk_buf said = {0};
    if (now.run)
        wsk_words_said(&said, (wsk_lang)lang, wsk_run_failure(now.run));
    wsk_buf_printf(&said, "%s", "");
    return said.failed ? NULL : said.data;
}

/* A browser has no gnuplot, so there are no pictures. The report of a calibration contains its own drawing. */
void wsk_plot_forget(const char *folder, const char *name, bool data)
{
    (void)folder, (void)name, (void)data;
}

int wsk_plot_calibration(const char *dir, const char *format, bool quiet, bool optional)
{
    (void)dir, (void)format, (void)quiet, (void)optional;
    return WSK_OK;
}

/* Returns the exit code of the command; argv[0] is the command's name. Output goes to the streams that the page has
 * set. */
int wsk_web_command(int argc, char **argv, int lang);
int wsk_web_command(int argc, char **argv, int lang)
{
    static const wsk_cli_command *const offered[] = {&wsk_cli_new, &wsk_cli_calibrate, &wsk_cli_steady};
    int code = WSK_EUSAGE;
    wsk_cli_lang = (wsk_lang)lang;
    for (size_t i = 0; i < sizeof offered / sizeof *offered; i++)
        if (strcmp(argv[0], offered[i]->name) == 0)
            code = offered[i]->run(argc, argv);
    fflush(stdout);
    fflush(stderr);
    return code;
}
