/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text escaped for HTML, and spans, shares, money and dates as people write them; the head of a picture, and the colours of
 * temperatures. */
#include <math.h>
#include <string.h>

#include "draw/report.h"

void wsk_report_text(FILE *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (p > text && p[-1] == ' ' && !strncmp(p, "degC", 4)) { /* the sentences of a run are in ASCII */
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

void wsk_report_span(FILE *out, double s)
{
    static const struct {
        double s, most;
        const char *name;
    } whole[] = {{86400, INFINITY, "day"},
                 {3600, 3 * 86400, "hour"},
                 {60, 2 * 3600, "minute"}}; /* nobody counts in 10023 minutes */
    double t = floor(s + 0.5);
    for (int i = 0; i < 3; i++)
        if (s >= whole[i].s && s <= whole[i].most && fmod(t, whole[i].s) < 0.5) {
            fprintf(out, "%.0f %s%s", t / whole[i].s, whole[i].name, t < 1.5 * whole[i].s ? "" : "s");
            return;
        }
    if (s < 60)
        fprintf(out, "%.4g s", s);
    else if (s < 3600)
        fprintf(out, "%.0f min %.0f s", floor(t / 60), fmod(t, 60));
    else if (s < 86400)
        fprintf(out, "%.0f:%02.0f:%02.0f", floor(t / 3600), floor(fmod(t, 3600) / 60), fmod(t, 60));
    else /* as watch tells it */
        fprintf(out, "%.0f d %02.0f:%02.0f", floor(t / 86400), floor(fmod(t, 86400) / 3600),
                floor(fmod(t, 3600) / 60));
}

void wsk_report_percent(FILE *out, double share)
{
    double p = 100 * share;
    if (p > 0 && p < 0.001)
        fputs("below 0.001 %", out);
    else if (fabs(p) >= 99.95 || p == 0)
        fprintf(out, "%.0f %%", p);
    else
        fprintf(out, "%.*f %%", fabs(p) >= 10 ? 1 : fabs(p) >= 1 ? 1 : fabs(p) >= 0.1 ? 2 : 3, p);
}

void wsk_report_amount(FILE *out, double amount, int digits)
{
    if (fabs(amount) >= pow(10, digits))
        fprintf(out, "%.0f", amount);
    else
        fprintf(out, "%.*g", digits, amount);
}

void wsk_report_money(const wsk_report *r, double amount)
{
    fprintf(r->out, "%.*f ", fabs(amount) >= 1000 ? 0 : 2, amount);
    wsk_report_text(r->out, r->currency);
}

void wsk_report_date(char out[24], double civil_s)
{
    static const char *const week[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    char date[24]; /* 2026-08-03T09:00:00 */
    wsk_format_datetime(date, (int64_t)floor(civil_s));
    int month = 10 * (date[5] - '0') + date[6] - '0', day = 10 * (date[8] - '0') + date[9] - '0';
    int64_t days = (int64_t)floor(civil_s / 86400);
    snprintf(out, 24, "%s %d %s", week[(days % 7 + 7) % 7], day, months[month - 1]);
}

void wsk_report_hour(char out[16], double civil_s)
{
    unsigned s = (unsigned)fmax(fmod(civil_s + 0.5, 86400), 0) % 86400;
    snprintf(out, 16, "%02u:%02u", s / 3600, s / 60 % 60);
}

void wsk_report_svg(wsk_report *r, const char *box, const char *title, const char *desc)
{
    int n = ++r->pictures;
    fprintf(r->out, "<svg role=\"img\" aria-labelledby=\"pt%d pd%d\" %s><title id=\"pt%d\">", n, n, box, n);
    wsk_report_text(r->out, title);
    fprintf(r->out, "</title><desc id=\"pd%d\">", n);
    wsk_report_text(r->out, desc);
    fputs("</desc>\n", r->out);
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
