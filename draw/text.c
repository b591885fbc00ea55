/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "draw/report.h"
#include "sim/base/calendar.h"

void wsk_report_text(FILE *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (p > text && p[-1] == ' ' && !strncmp(p, "degC", 4)) {
            fputs("°C", out);
            p += 3;
            continue;
        }
        switch (*p) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        case '"': fputs("&quot;", out); break;
        case '\'': fputs("&#39;", out); break;
        default: fputc(*p, out);
        }
    }
}

static const char *keep(wsk_report *r, wsk_buf *buf)
{
    const char *text = buf->failed ? NULL : buf->data ? wsk_strdup(r->arena, buf->data) : "";
    wsk_buf_free(buf);
    r->no_memory = r->no_memory || !text;
    return text ? text : "";
}

const char *wsk_report_render(wsk_report *r, const char *english, const wsk_arg *args, int count)
{
    wsk_buf out = {0};
    wsk_words_render(&out, r->lang, english, args, count);
    return keep(r, &out);
}

const char *wsk_report_pair(wsk_report *r, const char *a, const char *b)
{
    wsk_buf out = {0};
    wsk_buf_printf(&out, "%s %s", a, b);
    return keep(r, &out);
}

const char *wsk_report_cut(wsk_report *r, const char *text, size_t len)
{
    wsk_buf out = {0};
    wsk_buf_put(&out, text, len);
    return keep(r, &out);
}

const char *wsk_report_message(wsk_report *r, const wsk_said *message)
{
    wsk_buf out = {0};
    wsk_words_said(&out, r->lang, message);
    return keep(r, &out);
}

const char *wsk_report_label(const wsk_report *r, wsk_result result)
{
    return TR_(wsk_result_about(result)->label);
}

const char *wsk_report_unit_of(const wsk_report *r, const char *unit)
{
    static const char *const typeset[][2] = {{"degC", "°C"}, {"m3/h", "m³/h"}, {"1", ""}};
    if (!strcmp(unit, "currency"))
        return r->currency;
    for (size_t i = 0; i < sizeof typeset / sizeof *typeset; i++)
        if (!strcmp(unit, typeset[i][0]))
            return typeset[i][1];
    return unit;
}

const char *wsk_report_unit(const wsk_report *r, wsk_result result)
{
    return wsk_report_unit_of(r, wsk_result_about(result)->unit);
}

/* A first word with a digit or "/" is the id of an element or a part, "gpu0" or "gpu/rtx-3090", and stays as it is. */
const char *wsk_report_capital(wsk_report *r, const char *text)
{
    wsk_buf out = {0};
    const size_t word = strcspn(text, " ");
    if (text[0] < 'a' || text[0] > 'z' || strcspn(text, "0123456789/") < word)
        return text;
    wsk_buf_printf(&out, "%c%s", text[0] - 'a' + 'A', text + 1);
    return keep(r, &out);
}

const char *wsk_report_span(wsk_report *r, double s)
{
    static const struct {
        double s, most;
        const char *one, *several;
    } whole[] = {{86400, INFINITY, WSK_N("%1$.0f day"), WSK_N("%1$.0f days")},
                 {3600, 3 * 86400, WSK_N("%1$.0f hour"), WSK_N("%1$.0f hours")},
                 /* Spans of more than 120 minutes would be hard to read in minutes. */
                 {60, 2 * 3600, WSK_N("%1$.0f minute"), WSK_N("%1$.0f minutes")}};
    double t = floor(s + 0.5);
    for (int i = 0; i < 3; i++)
        if (s >= whole[i].s && s <= whole[i].most && fmod(t, whole[i].s) < 0.5)
            return wsk_report_format(r, t < 1.5 * whole[i].s ? whole[i].one : whole[i].several,
                                     WSK_ARG(t / whole[i].s));
    if (s < 60)
        return wsk_report_format(r, "%1$.4g s", WSK_ARG(s));
    if (s < 3600)
        return wsk_report_format(r, "%1$.0f min %2$.0f s", WSK_ARG(floor(t / 60)), WSK_ARG(fmod(t, 60)));
    double hours = floor(fmod(t, 86400) / 3600), minutes = floor(fmod(t, 3600) / 60);
    if (s < 86400) {
        wsk_buf clock = {0};
        wsk_buf_printf(&clock, "%.0f:%02.0f:%02.0f", hours, minutes, fmod(t, 60));
        return keep(r, &clock);
    }
    return wsk_report_format(r, "%1$.0f d %2$02.0f:%3$02.0f", WSK_ARG(floor(t / 86400)), WSK_ARG(hours),
                             WSK_ARG(minutes));
}

const char *wsk_report_percent(wsk_report *r, double share)
{
    double p = 100 * share;
    wsk_buf out = {0};
    if (p > 0 && p < 0.001)
        return TR_("below 0.001 %");
    if (fabs(p) >= 99.95 || p == 0)
        wsk_buf_printf(&out, "%.0f %%", p);
    else
        wsk_buf_printf(&out, "%.*f %%", fabs(p) >= 1 ? 1 : fabs(p) >= 0.1 ? 2 : 3, p);
    return keep(r, &out);
}

const char *wsk_report_amount(wsk_report *r, double amount, int digits)
{
    wsk_buf out = {0};
    if (fabs(amount) >= pow(10, digits))
        wsk_buf_printf(&out, "%.0f", amount);
    else
        wsk_buf_printf(&out, "%.*g", digits, amount);
    return keep(r, &out);
}

const char *wsk_report_money(wsk_report *r, double amount)
{
    wsk_buf out = {0};
    wsk_buf_printf(&out, "%s%.*f %s", wsk_report_minus(amount), fabs(amount) >= 1000 ? 0 : 2, fabs(amount),
                   r->currency);
    return keep(r, &out);
}

double wsk_report_local(const wsk_report *r, double t)
{
    if (!r->zone)
        return isfinite(r->from_s) ? r->from_s + t : t;
    const double utc_s = (double)wsk_zone_utc(r->zone, (int64_t)r->from_s) + t;
    return utc_s + wsk_zone_offset(r->zone, (int64_t)floor(utc_s), NULL);
}

const char *wsk_report_date(wsk_report *r, double civil_s)
{
    static const char *const week[] = {WSK_N("Thu"), WSK_N("Fri"), WSK_N("Sat"), WSK_N("Sun"),
                                       WSK_N("Mon"), WSK_N("Tue"), WSK_N("Wed")};
    static const char *const months[] = {WSK_N("Jan"), WSK_N("Feb"), WSK_N("Mar"), WSK_N("Apr"),
                                         WSK_N("May"), WSK_N("Jun"), WSK_N("Jul"), WSK_N("Aug"),
                                         WSK_N("Sep"), WSK_N("Oct"), WSK_N("Nov"), WSK_N("Dec")};
    char date[24];
    wsk_format_datetime(date, (int64_t)floor(civil_s));
    int month = 10 * (date[5] - '0') + date[6] - '0', day = 10 * (date[8] - '0') + date[9] - '0';
    int64_t days = (int64_t)floor(civil_s / 86400);
    return wsk_report_format(r, "%1$s %2$d %3$s", WSK_WORD(week[(days % 7 + 7) % 7]), WSK_ARG(day),
                             WSK_WORD(months[month - 1]));
}

void wsk_report_hour(char out[16], double civil_s)
{
    double of_day = fmod(civil_s + 0.5, 86400);
    unsigned s = (unsigned)fmax(of_day < 0 ? of_day + 86400 : of_day, 0) % 86400;
    snprintf(out, 16, "%02u:%02u", s / 3600, s / 60 % 60);
}

void wsk_report_item(wsk_report *r, wsk_grade g, const char *label)
{
    static const char *const css[] = {"good", "", "warn", "bad"}, *const mark[] = {"✓", "·", "!", "✗"},
                             *const said[] = {WSK_N("good"), WSK_N("note"), WSK_N("warning"), WSK_N("bad")};
    fprintf(r->out, "<li class=\"%s\"><span class=\"mark\" role=\"img\" aria-label=\"%s\">%s</span><b>", css[g],
            TR_(said[g]), mark[g]);
    wsk_report_text(r->out, label);
    fputs("</b> ", r->out);
}

void wsk_report_open_figure(wsk_report *r, const char *title, const char *note)
{
    fputs("<figure>\n<figcaption>", r->out);
    wsk_report_text(r->out, title);
    fputs(*title ? " <small>" : "<small>", r->out);
    wsk_report_text(r->out, note);
    fputs("</small></figcaption>\n", r->out);
}

void wsk_report_svg(wsk_report *r, const char *box, const char *title, const char *desc)
{
    int n = ++r->pictures;
    /* role="img" would hide the parts of the picture from screen readers; at a steady point these parts can be
     * focused. */
    fprintf(r->out, "<svg role=\"%s\" aria-labelledby=\"pt%d pd%d\" %s><title id=\"pt%d\">",
            r->point ? "group" : "img", n, n, box, n);
    wsk_report_text(r->out, title);
    fprintf(r->out, "</title><desc id=\"pd%d\">", n);
    wsk_report_text(r->out, desc);
    fputs("</desc>\n", r->out);
}

void wsk_report_open_part(wsk_report *r, const char *id, const char *name)
{
    if (r->point) {
        fputs("<g class=\"part-of\" tabindex=\"0\" role=\"button\" data-id=\"", r->out);
        wsk_report_text(r->out, id);
        fputs("\"><title>", r->out);
    } else {
        fputs("<g><title>", r->out);
    }
    wsk_report_text(r->out, name);
    fputs("</title>", r->out);
}

const char *wsk_report_heat(double celsius, char out[8], bool *dark_text)
{
    static const struct {
        double at;
        int rgb[3];
    } ramp[] = {{15, {86, 134, 196}}, {35, {126, 190, 208}}, {50, {170, 212, 150}}, {65, {244, 214, 110}},
                {78, {238, 152, 72}}, {90, {212, 84, 56}},   {105, {150, 24, 40}}};
    enum { N = sizeof ramp / sizeof *ramp };
    int k = 0, rgb[3];
    while (k < N - 2 && celsius > ramp[k + 1].at)
        k++;
    double f = (celsius - ramp[k].at) / (ramp[k + 1].at - ramp[k].at);
    f = f > 0 ? fmin(f, 1) : 0;
    for (int i = 0; i < 3; i++)
        rgb[i] = (int)lround(ramp[k].rgb[i] + f * (ramp[k + 1].rgb[i] - ramp[k].rgb[i]));
    snprintf(out, 8, "#%02x%02x%02x", (unsigned)rgb[0] & 255, (unsigned)rgb[1] & 255, (unsigned)rgb[2] & 255);
    *dark_text = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2] > 112;
    return out;
}
