/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/report.h"

void wsk_report_open_section(wsk_report *r, const char *heading)
{
    fputs("<section>\n<h2>", r->out);
    wsk_report_text(r->out, heading);
    fputs("</h2>\n", r->out);
}

void wsk_report_open_table(wsk_report *r, const char *title, const char *css, const wsk_head *heads, size_t count)
{
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"", r->out);
    wsk_report_text(r->out, title);
    fprintf(r->out, "\">\n<table class=\"%s\">\n<caption>", css);
    wsk_report_text(r->out, title);
    fputs("</caption>\n<thead><tr>", r->out);
    for (size_t k = 0; k < count; k++) {
        fprintf(r->out, "<th scope=\"col\"%s>", heads[k].left ? " class=\"l\"" : "");
        wsk_report_text(r->out, heads[k].text);
        fputs("</th>", r->out);
    }
    fputs("</tr></thead>\n<tbody>\n", r->out);
}

void wsk_report_close_table(wsk_report *r)
{
    fputs("</tbody>\n</table>\n</div>\n", r->out);
}

enum { COLUMNS_MAX = 24 };

/* Results of a card in seconds are the times for which the card was throttled; the table shows them as shares of the
 * simulated time. */
static bool is_share_of_run(const wsk_result_row *about)
{
    return about->scope == WSK_SCOPE_GPU && !strcmp(about->unit, "s");
}

static bool shows_percent(const wsk_result_row *about)
{
    return !strcmp(about->unit, "1") || is_share_of_run(about);
}

static void cell(wsk_report *r, size_t i, wsk_result result, bool *there)
{
    const wsk_result_row *about = wsk_result_about(result);
    if (about->type == WSK_IS_TEXT) {
        const char *text = wsk_report_said(r, result, i);
        *there = text[0] != '\0';
        wsk_report_text(r->out, text);
        return;
    }
    double v = wsk_report_result(r, result, i);
    *there = isfinite(v);
    if (!*there)
        fputs("–", r->out);
    else if (shows_percent(about))
        fputs(wsk_report_percent(r, is_share_of_run(about) ? v / r->simulated_s : v), r->out);
    else
        fprintf(r->out, "%s%.*f", v < -0.5 * pow(10, -about->digits) ? "−" : "", about->digits, fabs(v));
}

static size_t used_columns(wsk_report *r, const wsk_result *columns, size_t n, size_t rows, wsk_result *used)
{
    FILE *page = r->out;
    char *drop = NULL;
    size_t len, count = 0;
    if (!(r->out = open_memstream(&drop, &len))) {
        r->out = page;
        r->no_memory = true;
        return 0;
    }
    for (size_t k = 0; k < n; k++) {
        bool any = false, there;
        for (size_t i = 0; i < rows && !any; i++) {
            cell(r, i, columns[k], &there);
            any = there;
        }
        if (any)
            used[count++] = columns[k];
    }
    fclose(r->out);
    free(drop);
    r->out = page;
    return count;
}

static void list_table(wsk_report *r, const char *title, const wsk_result *columns, size_t n)
{
    size_t rows = wsk_summary_count(r->summary, wsk_result_about(columns[0])->scope);
    wsk_result used[COLUMNS_MAX];
    wsk_head heads[COLUMNS_MAX];
    size_t count = rows && n <= COLUMNS_MAX ? used_columns(r, columns, n, rows, used) : 0;
    if (!count)
        return;
    for (size_t k = 0; k < count; k++) {
        const wsk_result_row *about = wsk_result_about(used[k]);
        const char *label = TR_(about->label), *unit = shows_percent(about) ? "" : wsk_report_unit(r, used[k]);
        heads[k].left = about->type == WSK_IS_TEXT;
        heads[k].text = *unit ? wsk_report_format(r, "%1$s (%2$s)", WSK_ARG(label), WSK_ARG(unit)) : label;
    }
    wsk_report_open_table(r, title, "", heads, count);
    for (size_t i = 0; i < rows; i++) {
        fputs("<tr>", r->out);
        for (size_t k = 0; k < count; k++) {
            bool there;
            fputs(k == 0 ? "<th scope=\"row\">" : heads[k].left ? "<td class=\"l\">" : "<td>", r->out);
            cell(r, i, used[k], &there);
            fputs(k == 0 ? "</th>" : "</td>", r->out);
        }
        fputs("</tr>\n", r->out);
    }
    wsk_report_close_table(r);
}

#define TABLE(r, title, columns) list_table(r, title, columns, sizeof columns / sizeof *columns)

void wsk_report_tables(wsk_report *r)
{
    static const wsk_result cards[] = {WSK_R_GPU_ID,
                                       WSK_R_GPU_PART,
                                       WSK_R_GPU_SLOT,
                                       WSK_R_GPU_DIE_MEAN,
                                       WSK_R_GPU_DIE_MAX,
                                       WSK_R_GPU_HOTSPOT_MAX,
                                       WSK_R_GPU_MEMORY_MAX,
                                       WSK_R_GPU_VRM_MAX,
                                       WSK_R_GPU_INLET_MEAN,
                                       WSK_R_GPU_POWER_MEAN,
                                       WSK_R_GPU_CLOCK_MEAN,
                                       WSK_R_GPU_FAN_MEAN,
                                       WSK_R_GPU_WORK,
                                       WSK_R_GPU_LIMITED_BY_POWER,
                                       WSK_R_GPU_LIMITED_BY_HEAT,
                                       WSK_R_GPU_LIMITED_BY_MEMORY,
                                       WSK_R_GPU_SLOWDOWN};
    static const wsk_result intake[] = {WSK_R_GPU_ID,        WSK_R_GPU_FROM_ROOM,
                                        WSK_R_GPU_FROM_CASE, WSK_R_GPU_FROM_NEIGHBOUR,
                                        WSK_R_GPU_FROM_OWN,  WSK_R_GPU_INLET_MEAN};
    static const wsk_result psus[] = {WSK_R_PSU_ID,         WSK_R_PSU_PART,      WSK_R_PSU_RATED,
                                      WSK_R_PSU_LOAD_MEAN,  WSK_R_PSU_LOAD_PEAK, WSK_R_PSU_EFFICIENCY,
                                      WSK_R_PSU_OVER_LIMIT, WSK_R_PSU_TRIP};
    static const wsk_result fans[] = {WSK_R_FAN_ID,    WSK_R_FAN_COUNT, WSK_R_FAN_RPM,  WSK_R_FAN_FLOW,
                                      WSK_R_PUMP_FLOW, WSK_R_FAN_POWER, WSK_R_FAN_NOISE};
    static const wsk_result cases[] = {WSK_R_CASE_ID,       WSK_R_CASE_PART,      WSK_R_CASE_AIR,
                                       WSK_R_CASE_PRESSURE, WSK_R_CASE_FRESH_AIR, WSK_R_CASE_AIR_CHANGES};
    static const wsk_result loops[] = {WSK_R_LOOP_ID, WSK_R_LOOP_COOLANT_MEAN, WSK_R_LOOP_COOLANT_MAX,
                                       WSK_R_LOOP_RETURN_MAX, WSK_R_LOOP_FLOW};
    static const wsk_result months[] = {WSK_R_MONTH_FROM, WSK_R_MONTH_SHARE, WSK_R_MONTH_KWH, WSK_R_MONTH_PEAK,
                                        WSK_R_MONTH_COST};
    wsk_report_open_section(r, TR_("In numbers"));
    TABLE(r, TR_("Cards"), cards);
    TABLE(r, TR_("Where their intake air comes from"), intake);
    if (wsk_summary_count(r->summary, WSK_SCOPE_GPU) > 1 && isfinite(wsk_report_result(r, WSK_R_GPU_FROM_ROOM, 0))) {
        fputs("<p class=\"note\">", r->out);
        wsk_report_text(r->out,
                        TR_("Shares of the air. On its way to the fan the air is warmed further by the board "
                            "of the card next to it: an inlet can be warmer than all that its air comes from."));
        fputs("</p>\n", r->out);
    }
    TABLE(r, TR_("PSUs"), psus);
    TABLE(r, TR_("Fans and pumps"), fans);
    TABLE(r, TR_("Cases"), cases);
    TABLE(r, TR_("Coolant"), loops);
    TABLE(r, TR_("The bill by month"), months);
    fputs("</section>\n", r->out);
}

void wsk_report_balance(wsk_report *r)
{
    static const wsk_result rows[] = {WSK_R_WALL_KWH, WSK_R_ROOM_COOLING_KWH, WSK_R_HEAT_OUT_KWH, WSK_R_STORED_KWH};
    double residual = wsk_report_result(r, WSK_R_RESIDUAL, 0), splitting = wsk_report_result(r, WSK_R_SPLITTING, 0);
    const wsk_head heads[] = {{TR_("account"), true}, {"kWh", false}};
    wsk_report_open_section(r, TR_("Energy balance"));
    wsk_report_open_table(r, TR_("What came in, went out and stayed"), "", heads, 2);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double v = wsk_report_result(r, rows[i], 0);
        if (!isfinite(v))
            continue;
        fputs("<tr><th scope=\"row\">", r->out);
        wsk_report_text(r->out, wsk_report_label(r, rows[i]));
        fprintf(r->out, "</th><td>%.6g</td></tr>\n", v);
    }
    wsk_report_close_table(r);
    fputs("<p>", r->out);
    if (isfinite(residual)) {
        wsk_report_text(r->out, wsk_report_capital(r, wsk_report_label(r, WSK_R_RESIDUAL)));
        fprintf(r->out, ": <b>%.1e</b> ", residual);
        wsk_report_text(r->out, TR_("of the input (a run above 1e-9 is refused)."));
    }
    if (isfinite(splitting)) {
        fputc(' ', r->out);
        wsk_report_text(r->out, wsk_report_capital(r, wsk_report_label(r, WSK_R_SPLITTING)));
        fprintf(r->out, ": %.1e. ", splitting);
    }
    wsk_report_text(r->out, TR_("The balance shows that the books are right, not that the model is."));
    fputs("</p>\n</section>\n", r->out);
}
