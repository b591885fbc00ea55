/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "draw/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/report.h"

/* Sets counts[v] if variable v is one of the temperatures by which the hottest hour is found. Returns false if the
 * series has none of these temperatures. */
static bool find_hot(const wsk_report *r, bool *counts)
{
    static const wsk_var hot[][2] = {{WSK_VAR_CARD_DIE_C, WSK_VAR_CARD_DIE_C},
                                     {WSK_VAR_CASE_CPU_C, WSK_VAR_CASE_CPU_C},
                                     {WSK_VAR_LOOP_COOLANT_C, WSK_VAR_LOOP_COOLANT_C},
                                     {WSK_VAR_ROOM_C, WSK_VAR_CASE_AIR_C}};
    bool any = false;
    for (int rank = 0; rank < 4 && !any; rank++)
        for (size_t v = 0; v < r->series->vars; v++) {
            counts[v] = wsk_report_is(r, v, hot[rank][0]) || wsk_report_is(r, v, hot[rank][1]);
            any = any || counts[v];
        }
    return any;
}

static double hottest(const wsk_report *r, size_t row, const bool *counts, int *which)
{
    double top = NAN;
    for (size_t v = 0; v < r->series->vars; v++) {
        double t = counts[v] ? wsk_record_value(r->series, row, (int)v, WSK_STAT_MEAN) : NAN;
        if (isfinite(t) && !(t <= top)) {
            top = t;
            *which = (int)v;
        }
    }
    return isfinite(top) ? top : -300;
}

/* Sets hot_from_s, hot_to_s and hot_why: the hour with the highest mean temperature, made of whole rows of the series,
 * and the id of the hottest part. The times are NAN for a run shorter than 3 h, or if the series has no temperature. */
static void find_hottest(wsk_report *r)
{
    const wsk_record *s = r->series;
    int which = 0;
    bool *counts = wsk_alloc(r->arena, s->vars + 1);
    double best = -INFINITY, sum = 0;
    size_t first = 0;
    r->hot_from_s = r->hot_to_s = NAN;
    r->no_memory = r->no_memory || !counts;
    bool any = counts && find_hot(r, counts) && s->rows && s->end_s[s->rows - 1] >= 3 * 3600;
    for (size_t i = 0; any && i < s->rows; i++) {
        sum += hottest(r, i, counts, &which) * (s->end_s[i] - wsk_record_start(s, i));
        while (first < i && s->end_s[i] - s->end_s[first] >= 3600 - 1e-6) {
            sum -= hottest(r, first, counts, &which) * (s->end_s[first] - wsk_record_start(s, first));
            first++;
        }
        double from = wsk_record_start(s, first), mean = sum / (s->end_s[i] - from);
        if (s->end_s[i] - from >= 3600 - 1e-6 && mean > best + 1e-6) {
            best = mean;
            r->hot_from_s = from;
            r->hot_to_s = s->end_s[i];
            hottest(r, i, counts, &which);
            snprintf(r->hot_why, sizeof r->hot_why, "%.*s", (int)strcspn(s->columns[which].name, "."),
                     s->columns[which].name);
        }
    }
}

void wsk_report_open_page(wsk_report *r, const char *title)
{
    wsk_buf css = {0};
    char digest[64];
    for (int i = 0; wsk_report_css[i]; i++)
        wsk_buf_put(&css, wsk_report_css[i], strlen(wsk_report_css[i]));
    if (css.failed) {
        r->no_memory = true;
        wsk_buf_free(&css);
        return;
    }
    wsk_report_digest(css.data, css.len, digest);
    fprintf(
        r->out,
        "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '%s'; img-src data:; "
        "base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"generator\" content=\"wattsink %s\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
        wsk_lang_names[r->lang], digest, wsk_version());
    wsk_report_text(r->out, title);
    fprintf(r->out, "</title>\n<style>%s</style>\n</head>\n<body>\n", css.data);
    wsk_buf_free(&css);
}

void wsk_report_close_page(wsk_report *r)
{
    fputs("</main>\n</body>\n</html>\n", r->out);
}

static void write_page(wsk_report *r)
{
    const char *rig = wsk_report_said(r, WSK_R_RIG, 0);
    char hour[16];
    wsk_report_open_page(r, wsk_report_format(r, "%1$s - wattsink report", WSK_ARG(rig)));
    fputs("<header>\n<h1>", r->out);
    wsk_report_text(r->out, rig);
    fputs("</h1>\n<p class=\"sub\">", r->out);
    if (isfinite(r->from_s)) {
        wsk_report_hour(hour, r->from_s);
        wsk_report_put(r, "%1$s simulated from %2$s %3$s", WSK_ARG(wsk_report_span(r, r->simulated_s)),
                       WSK_ARG(wsk_report_date(r, r->from_s)), WSK_ARG(hour));
    } else {
        wsk_report_put(r, "%1$s simulated", WSK_ARG(wsk_report_span(r, r->simulated_s)));
    }
    wsk_report_put(r, "; wattsink %1$s, rig %2$s", WSK_ARG(wsk_report_said(r, WSK_R_VERSION, 0)),
                   WSK_ARG(wsk_report_said(r, WSK_R_DIGEST, 0)));
    fputs("</p>\n</header>\n<main>\n", r->out);
    wsk_report_verdict(r);
    wsk_report_tokens(r);
    wsk_report_chassis(r);
    wsk_report_curves(r);
    wsk_report_throttles(r);
    wsk_report_sankey(r);
    wsk_report_cost(r);
    wsk_report_tables(r);
    wsk_report_events(r);
    wsk_report_inputs(r);
    wsk_report_balance(r);
    wsk_report_close_page(r);
}

static const char *read_files(wsk_report *r, const wsk_report_files *files)
{
    if (!(wsk_report_result(r, WSK_R_SIMULATED, 0) > 0))
        return "summary.json";
    if (!(r->rig = files->rig))
        return "rig.resolved.xml";
    wsk_status status = wsk_record_read(r->arena, files->series, &r->series);
    r->no_memory = r->no_memory || status == WSK_ENOMEM;
    const bool whole =
        status == WSK_OK && wsk_record_reaches(r->series, wsk_report_result(r, WSK_R_SIMULATED, 0), r->rig);
    return whole ? NULL : "series.csv";
}

wsk_status wsk_report_write(FILE *out, const wsk_report_files *files, const char **damaged)
{
    int64_t civil_s;
    wsk_report r = {.out = out,
                    .lang = files->lang,
                    .summary = files->summary,
                    .events = files->events,
                    .period_s = files->period_s,
                    .from_s = NAN};
    *damaged = NULL;
    if (!(r.arena = wsk_arena_new()))
        return WSK_ENOMEM;
    *damaged = read_files(&r, files);
    if (!*damaged) {
        r.simulated_s = wsk_report_result(&r, WSK_R_SIMULATED, 0);
        r.currency = wsk_report_said(&r, WSK_R_CURRENCY, 0);
        const char *from = wsk_elements_text(r.rig, wsk_elements_next(r.rig, "run", -1, -1), "from");
        if (from && wsk_parse_datetime(from, &civil_s))
            r.from_s = (double)civil_s;
        r.zone = isfinite(r.from_s) ? files->zone : NULL;
        find_hottest(&r);
        write_page(&r);
    }
    wsk_arena_free(r.arena);
    return r.no_memory ? WSK_ENOMEM : *damaged ? WSK_EINPUT : WSK_OK;
}

static wsk_status write_piece(FILE *out, const wsk_report_point *point, void (*piece)(wsk_report *r))
{
    static const wsk_record no_series = {0};
    wsk_report r = {.out = out,
                    .lang = point->lang,
                    .summary = point->summary,
                    .run = point->run,
                    .rig = point->rig,
                    .series = &no_series,
                    .from_s = NAN,
                    .hot_from_s = NAN,
                    .hot_to_s = NAN,
                    .point = true,
                    .narrow = point->narrow};
    if (!(r.arena = wsk_arena_new()))
        return WSK_ENOMEM;
    r.simulated_s = wsk_report_result(&r, WSK_R_SIMULATED, 0);
    r.currency = wsk_report_said(&r, WSK_R_CURRENCY, 0);
    piece(&r);
    wsk_arena_free(r.arena);
    return r.no_memory ? WSK_ENOMEM : WSK_OK;
}

wsk_status wsk_report_point_machine(FILE *out, const wsk_report_point *point)
{
    return write_piece(out, point, wsk_report_chassis);
}

static void verdict_and_tokens(wsk_report *r)
{
    wsk_report_verdict(r);
    wsk_report_tokens(r);
}

wsk_status wsk_report_point_verdict(FILE *out, const wsk_report_point *point)
{
    return write_piece(out, point, verdict_and_tokens);
}

void wsk_report_point_style(FILE *out)
{
    for (int i = 0; wsk_report_css[i]; i++)
        fputs(wsk_report_css[i], out);
}
