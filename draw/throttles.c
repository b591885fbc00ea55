/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>

#include "draw/report.h"

/* variable: share of the time of a row of the series in which this throttle reason held. time: seconds for which it
 * held. why: name of the reason, as wsk_report_reason takes it. */
static const struct {
    wsk_var variable;
    wsk_result time;
    const char *why;
} reasons[] = {{WSK_VAR_CARD_THROTTLE_POWER, WSK_R_GPU_LIMITED_BY_POWER, "sw_power_cap"},
               {WSK_VAR_CARD_THROTTLE_THERMAL, WSK_R_GPU_LIMITED_BY_HEAT, "sw_thermal_slowdown"},
               {WSK_VAR_CARD_THROTTLE_MEMORY, WSK_R_GPU_LIMITED_BY_MEMORY, "sw_thermal_slowdown (memory)"},
               {WSK_VAR_CARD_THROTTLE_HW, WSK_R_GPU_SLOWDOWN, "hw_slowdown"}};
enum { REASONS = 4, LEVELS = 5, STRETCHES = 480 };

/* Draws a card's bar for one throttle reason. Its opacity shows, in LEVELS steps, the share of each interval in which
 * the reason held. Neighbouring intervals of equal opacity become one rectangle, which keeps the page small. */
static void lane(wsk_report *r, int v, int reason, int y)
{
    const wsk_record *s = r->series;
    double end = s->end_s[s->rows - 1];
    size_t each = (s->rows + STRETCHES - 1) / STRETCHES, from = 0;
    int held = -1;
    for (size_t i = 0; i <= s->rows; i += i < s->rows && i + each > s->rows ? s->rows - i : each) {
        int level = -1;
        if (i < s->rows) {
            double sum = 0, weight = 0;
            for (size_t k = i; k < i + each && k < s->rows; k++) {
                double dt = s->end_s[k] - wsk_record_start(s, k);
                sum += wsk_record_value(s, k, v, WSK_STAT_MEAN) * dt;
                weight += dt;
            }
            level = sum > 0 ? (int)ceil(LEVELS * fmin(sum / weight, 1) - 1e-9) : 0;
        }
        if (level != held) {
            if (held > 0) {
                double a = wsk_record_start(s, from), b = i < s->rows ? wsk_record_start(s, i) : end;
                fprintf(r->out,
                        "<rect class=\"r%d\" x=\"%.2f%%\" width=\"%.2f%%\" y=\"%d\" height=\"9\" opacity=\"%.2g\"/>",
                        reason, 100 * a / end, fmax(100 * (b - a) / end, 0.15), y, (double)held / LEVELS);
            }
            held = level;
            from = i;
        }
        if (i == s->rows)
            break;
    }
    fputc('\n', r->out);
}

/* False for a card whose power is given: nothing is known of what limits it, or only that a power limit never cut it. */
static bool is_known(const wsk_report *r, size_t card)
{
    return !isnan(wsk_report_result(r, WSK_R_GPU_LIMITED_BY_HEAT, card)) ||
           wsk_report_result(r, WSK_R_GPU_LIMITED_BY_POWER, card) > 0;
}

/* Returns the y below the card's bars. */
static int row_of(wsk_report *r, size_t card, const bool *seen, int y, bool write)
{
    const char *id = wsk_report_said(r, WSK_R_GPU_ID, card);
    if (!is_known(r, card))
        return y;
    if (write) {
        const char *list = "";
        fprintf(r->out, "<text x=\"0\" y=\"%d\"><tspan class=\"b\">", y + 12);
        wsk_report_text(r->out, id);
        fputs("</tspan>: ", r->out);
        for (int k = 0; k < REASONS; k++) {
            double t = wsk_report_result(r, reasons[k].time, card);
            if (!(t > 0))
                continue;
            const char *one =
                wsk_report_pair(r, TR_(wsk_report_reason(reasons[k].why)), wsk_report_percent(r, t / r->simulated_s));
            list = *list ? wsk_report_format(r, "%1$s, %2$s", WSK_ARG(list), WSK_ARG(one)) : one;
        }
        wsk_report_text(r->out, *list ? list : TR_("never"));
        fputs("</text>\n", r->out);
    }
    y += 16;
    for (int k = 0; k < REASONS; k++) {
        int v = wsk_record_find(r->series, reasons[k].variable, id);
        if (!seen[k] || v < 0)
            continue;
        if (write) {
            fprintf(r->out, "<rect class=\"idle\" x=\"0\" width=\"100%%\" y=\"%d\" height=\"9\" opacity=\".5\"/>", y);
            lane(r, v, k, y);
        }
        y += 11;
    }
    return y + 6;
}

void wsk_report_throttles(wsk_report *r)
{
    size_t cards = wsk_summary_count(r->summary, WSK_SCOPE_GPU);
    bool seen[REASONS] = {false}, any = false, all_known = true;
    for (size_t i = 0; i < cards; i++) {
        all_known = all_known && is_known(r, i);
        for (int k = 0; k < REASONS; k++)
            if (wsk_report_result(r, reasons[k].time, i) > 0)
                seen[k] = any = true;
    }
    if (!cards || !r->series->rows || (!any && !all_known))
        return;
    wsk_report_open_section(r, TR_("Throttling"));
    if (!any) {
        fprintf(r->out, "<p>%s</p>\n</section>\n", TR_("No card was limited by anything, at any time."));
        return;
    }
    int height = 0;
    char box[64];
    for (size_t i = 0; i < cards; i++)
        height = row_of(r, i, seen, height, false);
    wsk_report_open_figure(r, TR_("What limited the cards, and when"),
                           TR_("stronger colour: a larger share of the time; percentages are of the whole run"));
    snprintf(box, sizeof box, "width=\"100%%\" height=\"%d\"", height + 18);
    wsk_report_svg(r, box, TR_("Throttle timeline"),
                   TR_("A bar for each card and reason over the time of the run; the shares stand above the bars."));
    wsk_report_time_axis(r, 0, r->series->end_s[r->series->rows - 1], 0, height, 7, 90);
    for (size_t i = 0, y = 0; i < cards; i++)
        y = (size_t)row_of(r, i, seen, (int)y, true);
    fputs("</svg>\n<ul class=\"key\">", r->out);
    for (int k = 0; k < REASONS; k++)
        if (seen[k]) {
            fprintf(r->out, "<li><i class=\"r%d\"></i>", k);
            wsk_report_put_reason(r, reasons[k].why);
            fputs("</li>", r->out);
        }
    fputs("</ul>\n</figure>\n</section>\n", r->out);
}
