/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink report: DIR/report.html, from what a run left in DIR. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "draw/report.h"

/* ---- words and numbers ---- */

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

/* Length of the reference at p, "&lt;" or "&#176;"; 0: none that XML knows by itself. */
static size_t reference(const char *p, size_t len)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i]) <= len && !strncmp(p, known[i], strlen(known[i])))
            return strlen(known[i]);
    if (len < 4 || p[1] != '#')
        return 0;
    bool hex = p[2] == 'x';
    size_t digits = strspn(p + 2 + hex, hex ? "0123456789abcdefABCDEF" : "0123456789"), n = 2 + hex + digits;
    return digits && n < len && p[n] == ';' ? n + 1 : 0;
}

void wsk_report_xml_text(FILE *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        const char one[2] = {text[i], '\0'};
        size_t n = text[i] == '&' ? reference(text + i, len - i) : 0;
        if (n) {
            fwrite(text + i, 1, n, out);
            i += n - 1;
        } else {
            wsk_report_text(out, one);
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

double wsk_report_json(const wsk_report *r, const char *path, ...)
{
    char where[96];
    va_list args;
    va_start(args, path);
    vsnprintf(where, sizeof where, path, args);
    va_end(args);
    return wsk_json_number(r->json, where);
}

void wsk_report_json_text(const wsk_report *r, char *out, size_t size, const char *path, ...)
{
    char where[96];
    va_list args;
    va_start(args, path);
    vsnprintf(where, sizeof where, path, args);
    va_end(args);
    if (!wsk_json_text(r->json, where, out, size))
        out[0] = '\0';
}

/* Days since 1970-01-01 of a date (Howard Hinnant, chrono-compatible low-level date algorithms), and back. */
static double days_of(int y, int m, int d)
{
    y -= m <= 2;
    int era = y / 400, of_era = y - era * 400, of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
    return era * 146097.0 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

void wsk_report_date(char out[24], double civil_s)
{
    static const char *const week[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
    static const char *const months[] = {"Mar", "Apr", "May", "Jun", "Jul", "Aug",
                                         "Sep", "Oct", "Nov", "Dec", "Jan", "Feb"};
    long days = (long)floor(civil_s / 86400), z = days + 719468, of_era = z % 146097;
    long year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    long of_year = of_era - (365 * year + year / 4 - year / 100), month = (5 * of_year + 2) / 153;
    snprintf(out, 24, "%s %ld %s", week[days % 7], of_year - (153 * month + 2) / 5 + 1, months[month % 12]);
}

void wsk_report_hour(char out[16], double civil_s)
{
    unsigned s = (unsigned)fmax(fmod(civil_s + 0.5, 86400), 0) % 86400;
    snprintf(out, 16, "%02u:%02u", s / 3600, s / 60 % 60);
}

/* "2026-08-03T09:00:00" in seconds from 1970-01-01; NAN: something else. */
static double civil(const char *text)
{
    static const int at[6] = {0, 5, 8, 11, 14, 17};
    int field[6] = {0};
    for (int i = 0; i < 6; i++) {
        const char *p = strlen(text) > (size_t)at[i] ? text + at[i] : "";
        for (int n = 0; *p >= '0' && *p <= '9' && n < 4; n++)
            field[i] = 10 * field[i] + (*p++ - '0');
    }
    if (field[0] < 1970 || field[1] < 1 || field[1] > 12 || field[2] < 1)
        return NAN;
    return days_of(field[0], field[1], field[2]) * 86400 + field[3] * 3600 + field[4] * 60 + field[5];
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

/* ---- what was hottest ---- */

/* What heat hurts first: the cards' dies, else a processor's, else coolant, else the air. Sets which variables count. */
static bool find_hot(const wsk_report *r, bool *counts)
{
    static const char *const tails[] = {".die_c", ".die_c", ".coolant_c", "air_c"};
    bool any = false;
    for (int rank = 0; rank < 4 && !any; rank++)
        for (size_t v = 0; v < r->series.vars; v++) {
            const char *name = r->series.names[v];
            size_t n = strlen(name), k = strlen(tails[rank]);
            char id[256];
            counts[v] = n >= k && !strcmp(name + n - k, tails[rank]) && strcmp(name, "outdoor.air_c") != 0;
            snprintf(id, sizeof id, "%.*s", (int)(n >= k ? n - k : 0), name);
            counts[v] = counts[v] && (rank || wsk_report_is(&r->rig, wsk_report_with_id(&r->rig, id), "gpu"));
            any = any || counts[v];
        }
    return any;
}

static double hottest(const wsk_report *r, size_t row, const bool *counts, int *which)
{
    double top = NAN;
    for (size_t v = 0; v < r->series.vars; v++) {
        double t = counts[v] ? wsk_report_value(&r->series, row, (int)v, WSK_SERIES_MEAN) : NAN;
        if (isfinite(t) && !(t <= top)) {
            top = t;
            *which = (int)v;
        }
    }
    return isfinite(top) ? top : -300;
}

/* The hour, on whole rows, in which the hottest of them was hottest on average. */
static void find_hottest(wsk_report *r)
{
    const wsk_report_series *s = &r->series;
    int which = 0;
    bool *counts = wsk_cli_alloc(s->vars + 1);
    double best = -INFINITY, sum = 0;
    size_t first = 0;
    r->hot_from_s = r->hot_to_s = NAN;
    bool any = find_hot(r, counts) && s->rows && s->end_s[s->rows - 1] >= 3 * 3600;
    for (size_t i = 0; any && i < s->rows; i++) {
        sum += hottest(r, i, counts, &which) * (s->end_s[i] - wsk_report_start(s, i));
        while (first < i && s->end_s[i] - s->end_s[first] >= 3600 - 1e-6) {
            sum -= hottest(r, first, counts, &which) * (s->end_s[first] - wsk_report_start(s, first));
            first++;
        }
        double from = wsk_report_start(s, first), mean = sum / (s->end_s[i] - from);
        if (s->end_s[i] - from >= 3600 - 1e-6 && mean > best + 1e-6) {
            best = mean;
            r->hot_from_s = from;
            r->hot_to_s = s->end_s[i];
            hottest(r, i, counts, &which);
            snprintf(r->hot_why, sizeof r->hot_why, "%.*s", (int)strcspn(s->names[which], "."), s->names[which]);
        }
    }
    free(counts);
}

/* ---- the page ---- */

static void page_head(wsk_report *r, const char *rig)
{
    char *css, digest[64];
    size_t len;
    FILE *all = open_memstream(&css, &len);
    if (!all)
        exit(WSK_ERUN);
    for (int i = 0; wsk_report_css[i]; i++)
        fputs(wsk_report_css[i], all);
    fclose(all);
    wsk_report_digest(css, len, digest);
    fprintf(
        r->out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '%s'; img-src data:; "
        "base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"generator\" content=\"wattsink %s\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
        digest, wsk_version());
    wsk_report_text(r->out, rig);
    fprintf(r->out, " - wattsink report</title>\n<style>%s</style>\n</head>\n<body>\n", css);
    free(css);
}

static void page(wsk_report *r)
{
    char rig[4096], digest[32], version[32], date[24], hour[16];
    wsk_report_json_text(r, rig, sizeof rig, "rig");
    wsk_report_json_text(r, digest, sizeof digest, "digest");
    wsk_report_json_text(r, version, sizeof version, "wattsink");
    page_head(r, rig);
    fputs("<header>\n<h1>", r->out);
    wsk_report_text(r->out, rig);
    fputs("</h1>\n<p class=\"sub\">", r->out);
    wsk_report_span(r->out, r->simulated_s);
    fputs(" simulated", r->out);
    if (isfinite(r->from_s)) {
        wsk_report_date(date, r->from_s);
        wsk_report_hour(hour, r->from_s);
        fprintf(r->out, " from %s %s", date, hour);
    }
    fputs("; wattsink ", r->out);
    wsk_report_text(r->out, version);
    fputs(", rig ", r->out);
    wsk_report_text(r->out, digest);
    fputs("</p>\n</header>\n<main>\n", r->out);
    wsk_report_verdict(r);
    wsk_report_chassis(r);
    wsk_report_curves(r);
    wsk_report_throttles(r);
    wsk_report_sankey(r);
    wsk_report_cost(r);
    wsk_report_tables(r);
    wsk_report_events(r);
    wsk_report_inputs(r);
    wsk_report_balance(r);
    fputs("</main>\n</body>\n</html>\n", r->out);
}

static char *read_file(const char *dir, const char *name)
{
    char *path = wsk_cli_format("%s/%s", dir, name), *text = wsk_cli_read(path, NULL);
    if (!text)
        wsk_cli_error("%s is missing: 'wattsink run RIG.xml -o %s' leaves it", path, dir);
    free(path);
    return text;
}

static int report_of(const char *dir)
{
    wsk_report r = {.from_s = NAN};
    char from[64], *html = NULL, *path = wsk_cli_format("%s/rig.resolved.xml", dir);
    size_t len = 0;
    int code = WSK_EINPUT;
    char *json = wsk_cli_results("report", dir) ? read_file(dir, "summary.json") : NULL,
         *xml = json ? read_file(dir, "rig.resolved.xml") : NULL;
    char *series = xml ? read_file(dir, "series.csv") : NULL, *events = series ? read_file(dir, "events.csv") : NULL;
    if (!events) {
        code = WSK_EINPUT;
    } else if (!wsk_json_find(json, "gpus") || !(wsk_json_number(json, "simulated_s") > 0)) {
        wsk_cli_error("%s/summary.json is not the summary of a run", dir);
    } else if (!wsk_report_read_rig(&r.rig, xml)) {
        wsk_cli_error("%s is damaged", path);
    } else if (!wsk_report_read_series(&r.series, series)) {
        wsk_cli_error("%s/series.csv is damaged", dir);
    } else if (!(r.out = open_memstream(&html, &len))) {
        code = WSK_ERUN;
    } else {
        r.json = json;
        r.events = events;
        r.simulated_s = wsk_json_number(json, "simulated_s");
        wsk_report_json_text(&r, r.currency, sizeof r.currency, "cost.currency");
        if (wsk_report_copy(&r.rig, wsk_report_next(&r.rig, "run", -1, -1), "from", from, sizeof from))
            r.from_s = civil(from);
        find_hottest(&r);
        page(&r);
        bool ok = fclose(r.out) == 0 && wsk_cli_write(dir, "report.html", html, len);
        if (ok)
            printf("%s/report.html\n", dir);
        code = ok ? WSK_OK : WSK_ERUN;
    }
    wsk_report_series_free(&r.series);
    free(r.rig.elems);
    free(html);
    free(events);
    free(series);
    free(xml);
    free(json);
    free(path);
    return code;
}

static int main_report(int argc, char **argv)
{
    wsk_cli_list words = {0};
    const wsk_cli_option options[] = {{.name = NULL}};
    int code = wsk_cli_parse(&wsk_cli_report, argc, argv, options, &words);
    if (code != WSK_OK)
        code = code < 0 ? WSK_OK : code;
    else if (words.count != 1)
        code = wsk_cli_usage(&wsk_cli_report,
                             words.count ? "one folder at a time" : "which folder? 'wattsink run' leaves one");
    else
        code = report_of(words.items[0]);
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_report = {.name = "report",
                                        .usage = "DIR",
                                        .summary = "one page of a run: verdict, pictures, tables",
                                        .options = "",
                                        .example = "wattsink report quad-3090-blower.out",
                                        .run = main_report};
