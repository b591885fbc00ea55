/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The outer <svg> has no viewBox and its horizontal positions are percentages, so that text keeps its size on a phone;
 * only the curves are scaled. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/frame.h"

enum { POINTS_MAX = 480, HEIGHT = 210, TOP = 8, FLOOR = 190, COLOURS = 8 };

/* A chart of all variables `lines`. title NULL: the label of `variable`. limit: attribute of the cards that is drawn
 * as a line with the label limit_name, if all cards have the same value. zero: the value axis includes 0, and lines
 * that never exceed 0 are left out. The unit is that of `variable`; a variable without unit is shown in %. */
typedef struct {
    wsk_var variable;
    const char *title, *limit, *limit_name;
    bool zero;
    int count;
    wsk_var lines[6];
} picture;
static const picture pictures[] = {
    {WSK_VAR_CARD_DIE_C, NULL, "target-temperature", WSK_N("target %1$.4g %2$s"), false, 1, {WSK_VAR_CARD_DIE_C}},
    {WSK_VAR_CARD_MEMORY_C, NULL, "memory-limit", WSK_N("limit %1$.4g %2$s"), false, 1, {WSK_VAR_CARD_MEMORY_C}},
    {WSK_VAR_ROOM_C,
     WSK_N("Processor, coolant and air"),
     NULL,
     NULL,
     false,
     6,
     {WSK_VAR_ROOM_C, WSK_VAR_OUTDOOR_C, WSK_VAR_CASE_AIR_C, WSK_VAR_LOOP_COOLANT_C, WSK_VAR_LOOP_RETURN_C,
      WSK_VAR_CASE_CPU_C}},
    {WSK_VAR_WALL_W, WSK_N("Power of the rig"), NULL, NULL, true, 3, {WSK_VAR_WALL_W, WSK_VAR_DC_W, WSK_VAR_AC_W}},
    {WSK_VAR_CARD_POWER_W, NULL, "power-limit", WSK_N("limit %1$.4g %2$s"), true, 1, {WSK_VAR_CARD_POWER_W}},
    {WSK_VAR_CARD_CLOCK_MHZ, NULL, NULL, NULL, true, 1, {WSK_VAR_CARD_CLOCK_MHZ}},
    {WSK_VAR_CARD_FAN_RPM, NULL, NULL, NULL, true, 1, {WSK_VAR_CARD_FAN_RPM}},
    {WSK_VAR_MOVER_RPM, NULL, NULL, NULL, true, 1, {WSK_VAR_MOVER_RPM}},
    {WSK_VAR_SUPPLY_LOAD, NULL, NULL, NULL, true, 1, {WSK_VAR_SUPPLY_LOAD}},
    {WSK_VAR_NOISE_DBA, NULL, NULL, NULL, false, 1, {WSK_VAR_NOISE_DBA}}};

typedef struct {
    const picture *what;
    const char *title, *unit;
    double scale; /* factor from the values of the series to `unit` */
    /* lines[i]: index of line i's variable in the series. as[i]: the line that is drawn for line i: i itself, or an
     * earlier line with nearly the same values */
    int *lines, *as, count;
    wsk_frame frame;
    double limit;
} chart;

bool wsk_report_is(const wsk_report *r, size_t v, wsk_var variable)
{
    const wsk_column *c = &r->series->columns[v];
    bool cpu = variable == WSK_VAR_CASE_CPU_C, card = wsk_var_about(variable)->owner == WSK_OF_CARD;
    char id[256];
    if (!wsk_column_is(c, variable) || !wsk_record_knows(r->summary, c))
        return false;
    snprintf(id, sizeof id, "%.*s", (int)c->id_len, c->name);
    return !(cpu || card) || wsk_elements_is(r->rig, wsk_elements_find(r->rig, id), cpu ? "cpu" : "gpu");
}

static void extremes(const wsk_report *r, int v, double scale, double *low, double *high)
{
    for (size_t i = 0; i < r->series->rows; i++) {
        double a = scale * wsk_record_value(r->series, i, v, WSK_STAT_MIN),
               b = scale * wsk_record_value(r->series, i, v, WSK_STAT_MAX);
        if (isfinite(a))
            *low = fmin(*low, a);
        if (isfinite(b))
            *high = fmax(*high, b);
    }
}

static bool alike(const wsk_report *r, int a, int b, double within)
{
    for (size_t i = 0; i < r->series->rows; i++)
        for (int k = 0; k < 3; k++)
            if (fabs(wsk_record_value(r->series, i, a, (wsk_stat)k) -
                     wsk_record_value(r->series, i, b, (wsk_stat)k)) > within)
                return false;
    return true;
}

static void find_alike(const wsk_report *r, chart *c, double within)
{
    for (int i = 0; i < c->count; i++) {
        c->as[i] = i;
        for (int k = 0; k < i && c->as[i] == i; k++)
            if (c->as[k] == k && alike(r, c->lines[k], c->lines[i], within))
                c->as[i] = k;
    }
}

static bool shows(const wsk_report *r, const chart *c, wsk_var variable)
{
    for (int i = 0; i < c->count; i++)
        if (wsk_report_is(r, (size_t)c->lines[i], variable))
            return true;
    return false;
}

static const char *title_of(wsk_report *r, const chart *c)
{
    if (!c->what->title)
        return wsk_report_capital(r, TR_(wsk_var_about(c->what->variable)->label));
    if (c->what->variable != WSK_VAR_ROOM_C)
        return TR_(c->what->title);
    bool cpu = shows(r, c, WSK_VAR_CASE_CPU_C), wet = shows(r, c, WSK_VAR_LOOP_COOLANT_C);
    return cpu && wet ? TR_(c->what->title)
           : cpu      ? TR_("Processor and air")
           : wet      ? TR_("Coolant and air")
                      : TR_("Air");
}

static bool lay_out(wsk_report *r, const picture *p, chart *c)
{
    double low = INFINITY, high = -INFINITY;
    const char *unit = wsk_var_about(p->variable)->unit;
    *c = (chart){.what = p,
                 .frame = {.height = HEIGHT, .top = TOP, .floor = FLOOR},
                 .limit = NAN,
                 .unit = *unit ? wsk_report_unit_of(r, unit) : "%",
                 .scale = *unit ? 1 : 100,
                 .lines = wsk_alloc(r->arena, (r->series->vars + 1) * sizeof *c->lines),
                 .as = wsk_alloc(r->arena, (r->series->vars + 1) * sizeof *c->as)};
    if (!c->lines || !c->as) {
        r->no_memory = true;
        return false;
    }
    bool pinned = !isnan(wsk_elements_number(r->rig, wsk_elements_next(r->rig, "room", -1, -1), "temperature"));
    for (int t = 0; t < p->count; t++)
        for (size_t v = 0; v < r->series->vars; v++) {
            double a = INFINITY, b = -INFINITY;
            if (!wsk_report_is(r, v, p->lines[t]) || (pinned && p->lines[t] == WSK_VAR_OUTDOOR_C))
                continue;
            extremes(r, (int)v, c->scale, &a, &b);
            if (!(b >= a) || (p->zero && b <= 0))
                continue;
            low = fmin(low, a);
            high = fmax(high, b);
            c->lines[c->count++] = (int)v;
        }
    if (!c->count)
        return false;
    c->title = title_of(r, c);
    if (p->limit) {
        c->limit = wsk_elements_number(r->rig, wsk_elements_next(r->rig, "gpu", -1, -1), p->limit);
        for (int g = -1; (g = wsk_elements_next(r->rig, "gpu", g, -1)) >= 0;)
            if (!(fabs(wsk_elements_number(r->rig, g, p->limit) - c->limit) < 1e-9))
                c->limit = NAN;
        if (c->limit > high + 0.6 * fmax(high - low, 10))
            c->limit = NAN;
        if (isfinite(c->limit))
            high = fmax(high, c->limit);
    }
    if (p->zero)
        low = fmin(low, 0);
    if (high - low < 2) {
        low -= 1;
        high += 1;
    }
    find_alike(r, c, 0.008 * (high - low) / c->scale);
    wsk_frame_scale(&c->frame, low, high, 5);
    return true;
}

/* The time nearest to `t`, s from the start, at which the local clock shows a multiple of `step` s; of two that are
 * equally near the later one. */
static double align_tick(const wsk_report *r, double t, double step)
{
    const double past = fmod(wsk_report_local(r, t), step) + (wsk_report_local(r, t) < 0 ? step : 0);
    return past < step / 2 ? t - past : t + step - past;
}

void wsk_report_time_axis(wsk_report *r, double from, double to, int top, int floor_y, int most, double room)
{
    static const double steps[] = {60,    300,   600,    900,    1800,    3600,    7200,    10800,   21600,
                                   43200, 86400, 172800, 604800, 1209600, 2592000, 7776000, 31536000};
    size_t k = 0;
    int shown = 0;
    while (k + 1 < sizeof steps / sizeof *steps && (to - from) / steps[k] > most)
        k++;
    double start = wsk_report_local(r, from) - from,
           first = ceil((start + from) / steps[k] - 1e-9) * steps[k] - start;
    for (double at = align_tick(r, first, steps[k]); at < to - 0.03 * (to - from);
         at = align_tick(r, at + steps[k], steps[k])) {
        char hour[16];
        double x = 100 * (at - from) / (to - from), t = wsk_report_local(r, at) + 0.0; /* 0.0 turns -0 into 0 */
        wsk_report_hour(hour, t);
        const char *text = hour;
        if (isnan(r->from_s) && from <= 0)
            text = steps[k] < 3600    ? wsk_report_format(r, "%1$.0f min", WSK_ARG(t / 60))
                   : steps[k] < 86400 ? wsk_report_format(r, "%1$.0f h", WSK_ARG(t / 3600))
                                      : wsk_report_format(r, "day %1$.0f", WSK_ARG(t / 86400 + 1));
        else if (isfinite(r->from_s) && (steps[k] >= 86400 || fabs(fmod(t, 86400)) < 1))
            text = wsk_report_date(r, t);
        fprintf(r->out, "<line class=\"g\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>", x, x, top,
                floor_y + 4);
        if (x < room)
            fprintf(r->out, "<text class=\"m%s\" x=\"%.2f%%\" y=\"%d\" dx=\"3\">%s</text>\n",
                    (most > 4 && ++shown % 2 == 0) || x > 82 ? " alt" : "", x, floor_y + 15, text);
    }
}

static void value_words(wsk_report *r, const chart *c, bool left)
{
    wsk_frame_numbers(r, &c->frame);
    if (isfinite(c->limit)) {
        fprintf(r->out,
                "<line x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\" class=\"k7 dash\"/><text class=\"%s\" "
                "y=\"%.1f\">",
                wsk_frame_y(&c->frame, c->limit), wsk_frame_y(&c->frame, c->limit),
                left ? "halo\" x=\"4" : "e halo\" x=\"100%\" dx=\"-4", wsk_frame_y(&c->frame, c->limit) - 4);
        wsk_report_put(r, c->what->limit_name, WSK_ARG(c->limit), WSK_ARG(c->unit));
        fputs("</text>", r->out);
    }
    fputc('\n', r->out);
}

/* Rows of the series in the interval that becomes the next point of a curve. all: the band reaches from the lowest to
 * the highest value; otherwise from the 5th to the 95th percentile, which a short pause in each interval does not
 * change. */
typedef struct {
    wsk_span *rows;
    size_t count;
    bool all, abrupt;
} stretch;

static int put(stretch *now, double middle, wsk_point *points, int n)
{
    wsk_point p = {.x = 1000 * middle, .low = INFINITY, .high = -INFINITY};
    double sum = 0, weight = 0;
    for (size_t i = 0; i < now->count; i++) {
        const wsk_span *row = &now->rows[i];
        sum += row->mean * row->seconds;
        weight += row->seconds;
        p.low = fmin(p.low, row->min);
        p.high = fmax(p.high, row->max);
    }
    p.mean = sum / weight;
    if (!now->all) {
        p.low = wsk_spans_percentile(now->rows, now->count, 0.05, now->abrupt);
        p.high = wsk_spans_percentile(now->rows, now->count, 0.95, now->abrupt);
    }
    if (weight > 0 && p.high >= p.low && n < POINTS_MAX)
        points[n++] = p;
    now->count = 0;
    return n;
}

/* Divides `from` to `to` into intervals, the first of which ends at `edge`, s; the others are `width` s long. The mean
 * of a row is weighted by its time in the interval. The incomplete interval at the end is kept, because a failure may
 * lie there; if intervals are whole periods of the load (`periods`), only if it is longer than half an interval. */
static int gather_width(const wsk_report *r, int v, double from, double to, double edge, double width, bool periods,
                        stretch *now, wsk_point *points)
{
    const wsk_record *s = r->series;
    double begin = from, per = 1 / (to - from);
    int n = 0;
    for (size_t i = 0; i < s->rows; i++) {
        double a = fmax(wsk_record_start(s, i), from), b = fmin(s->end_s[i], to),
               m = wsk_record_value(s, i, v, WSK_STAT_MEAN);
        for (double t = a; t < b - 1e-6;) {
            double end = fmin(b, edge);
            if (isfinite(m))
                now->rows[now->count++] = (wsk_span){wsk_record_value(s, i, v, WSK_STAT_MIN), m,
                                                     wsk_record_value(s, i, v, WSK_STAT_MAX), end - t};
            t = end;
            if (end < edge - 1e-6)
                continue;
            n = put(now, per * ((begin + edge) / 2 - from), points, n);
            begin = edge;
            edge += width;
        }
    }
    if (!periods || (now->count && to - begin > 0.5 * width))
        n = put(now, per * ((begin + to) / 2 - from), points, n);
    return n;
}

/* If the load has more than 48 periods between `from` and `to`, each interval covers whole periods, because otherwise
 * its means would alias with the load. */
static int gather(const wsk_report *r, int v, double from, double to, stretch *now, wsk_point *points)
{
    const wsk_record *s = r->series;
    size_t first = 0, last = 0;
    while (first < s->rows && s->end_s[first] <= from + 1e-6)
        first++;
    for (last = first; last < s->rows && wsk_record_start(s, last) < to - 1e-6;)
        last++;
    if (last == first)
        return 0;
    double row = (to - from) / (double)(last - first),
           width = row * (double)((last - first + POINTS_MAX - 1) / POINTS_MAX);
    double period = r->period_s, edge = from + width;
    bool periods = period > 0 && (to - from) / period > 48;
    if (periods) {
        width = ceil(width / period - 1e-9) * period;
        /* The first interval is one row longer than the others, so that the end of a period never falls into the next
         * interval. */
        edge = from + width + row;
    }
    int n = gather_width(r, v, from, to, edge, width, periods, now, points);
    if (n) {
        points[n] = points[n - 1];
        points[n++].x = 1000;
        points[0].x = 0;
    }
    return n;
}

/* Lines beyond the number of colours are dashed. */
static bool is_dashed(int line)
{
    return line / COLOURS % 2;
}

static void curve(wsk_report *r, const chart *c, int line, const wsk_point *p, int n)
{
    double k = c->scale, widest = 0;
    char css[32];
    for (int i = 0; i < n; i++)
        widest = fmax(widest, k * (p[i].high - p[i].low));
    snprintf(css, sizeof css, "bd f%d", line % COLOURS);
    if (widest > 0.01 * (c->frame.high - c->frame.low))
        wsk_frame_band(r, &c->frame, css, p, n, k);
    snprintf(css, sizeof css, "ln k%d%s", line % COLOURS, is_dashed(line) ? " dash" : "");
    wsk_frame_line(r, &c->frame, css, p, n, k);
}

static const char *line_name(wsk_report *r, const wsk_column *column)
{
    static const struct {
        wsk_var variable;
        const char *english;
    } words[] = {{WSK_VAR_WALL_W, WSK_N("at the wall")},   {WSK_VAR_DC_W, WSK_N("after the PSUs")},
                 {WSK_VAR_AC_W, WSK_N("air conditioner")}, {WSK_VAR_NOISE_DBA, WSK_N("all sources")},
                 {WSK_VAR_ROOM_C, WSK_N("room")},          {WSK_VAR_OUTDOOR_C, WSK_N("outdoors")}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (wsk_column_is(column, words[i].variable))
            return TR_(words[i].english);
    const char *id = wsk_report_cut(r, column->name, column->id_len);
    bool air = wsk_column_is(column, WSK_VAR_CASE_AIR_C);
    if (air && !strcmp(id, "case"))
        return TR_("case air");
    return wsk_report_format(r,
                             wsk_column_is(column, WSK_VAR_LOOP_COOLANT_C)  ? WSK_N("%1$s: in the tank")
                             : wsk_column_is(column, WSK_VAR_LOOP_RETURN_C) ? WSK_N("%1$s: warmest coolant")
                             : air                                          ? WSK_N("%1$s air")
                                                                            : "%1$s",
                             WSK_ARG(id));
}

static const char *line_names(wsk_report *r, const chart *c, int first)
{
    const char *list = line_name(r, &r->series->columns[c->lines[first]]);
    int members = 1;
    for (int k = first + 1; k < c->count; k++)
        if (c->as[k] == first) {
            const char *other = line_name(r, &r->series->columns[c->lines[k]]);
            list = wsk_report_format(r, "%1$s, %2$s", WSK_ARG(list), WSK_ARG(other));
            members++;
        }
    return members > 1 ? wsk_report_format(r, "%1$s (alike: one line)", WSK_ARG(list)) : list;
}

/* The hottest hour is as long as whole rows of the series: several hours in a long run. */
static bool several_hours(const wsk_report *r)
{
    return r->hot_to_s - r->hot_from_s >= 1.5 * 3600;
}

static void draw(wsk_report *r, const chart *c, double from, double to, bool zoom)
{
    double low = INFINITY, high = -INFINITY;
    wsk_point *points = wsk_alloc(r->arena, (POINTS_MAX + 2) * sizeof *points);
    stretch now = {.rows = wsk_alloc(r->arena, (r->series->rows + 1) * sizeof *now.rows), .all = zoom};
    if (!points || !now.rows) {
        r->no_memory = true;
        return;
    }
    for (int i = 0; i < c->count; i++)
        extremes(r, c->lines[i], c->scale, &low, &high);
    const char *title = !zoom              ? c->title
                        : several_hours(r) ? wsk_report_format(r, "%1$s, the hottest hours", WSK_ARG(c->title))
                                           : wsk_report_format(r, "%1$s, the hottest hour", WSK_ARG(c->title));
    wsk_report_svg(r, "class=\"ax\" height=\"210\"", title,
                   wsk_report_format(r, "Lines over time: %1$d; over the whole run between %2$.4g and %3$.4g %4$s.",
                                     WSK_ARG(c->count), WSK_ARG(low), WSK_ARG(high), WSK_ARG(c->unit)));
    wsk_frame_grid(r, &c->frame);
    wsk_report_time_axis(r, from, to, TOP, FLOOR, zoom ? 4 : 7, zoom ? 84 : 90);
    if (!zoom && isfinite(r->hot_from_s))
        fprintf(r->out, "<rect class=\"hot\" x=\"%.3f%%\" width=\"%.3f%%\" y=\"%d\" height=\"%d\"/>\n",
                100 * (r->hot_from_s - from) / (to - from),
                fmax(100 * (r->hot_to_s - r->hot_from_s) / (to - from), 0.4), TOP, FLOOR - TOP);
    int shown = 0;
    /* least distance of a curve from the label of the limit, px: [0] for the label at the left end, [1] at the right
     * end */
    double clear[2] = {INFINITY, INFINITY};
    for (int i = 0; i < c->count; i++)
        shown += c->as[i] == i;
    wsk_frame_open(r, &c->frame, shown > 2 ? "many" : "few");
    for (int i = c->count - 1; i >= 0; i--) {
        now.abrupt = wsk_abrupt(&r->series->columns[c->lines[i]]);
        int n = c->as[i] == i ? gather(r, c->lines[i], from, to, &now, points) : 0;
        if (n)
            curve(r, c, i, points, n);
        for (int k = 0; isfinite(c->limit) && k < n; k++)
            if (points[k].x < 300 || points[k].x > 700)
                clear[points[k].x > 700] =
                    fmin(clear[points[k].x > 700], fabs(wsk_frame_y(&c->frame, c->scale * points[k].mean) -
                                                        wsk_frame_y(&c->frame, c->limit) + 8));
    }
    wsk_frame_close(r);
    value_words(r, c, clear[0] > clear[1] + 4);
    fputs("</svg>\n", r->out);
}

static void chart_of(wsk_report *r, const picture *p)
{
    chart c;
    double end = r->series->rows ? r->series->end_s[r->series->rows - 1] : 0;
    bool zoom = isfinite(r->hot_from_s);
    if (!lay_out(r, p, &c))
        return;
    fprintf(r->out, "<div class=\"pair%s\">\n", zoom ? " two" : "");
    wsk_report_open_figure(r, c.title, c.unit);
    draw(r, &c, 0, end, false);
    fputs("<ul class=\"key\">", r->out);
    for (int i = 0; i < c.count; i++) {
        if (c.as[i] != i)
            continue;
        fprintf(r->out, "<li><i class=\"k%d%s\"></i>", i % COLOURS, is_dashed(i) ? " dash" : "");
        wsk_report_text(r->out, line_names(r, &c, i));
        fputs("</li>", r->out);
    }
    fputs("</ul>\n</figure>\n", r->out);
    if (zoom) {
        wsk_report_open_figure(r, "", several_hours(r) ? TR_("the hottest hours") : TR_("the hottest hour"));
        draw(r, &c, r->hot_from_s, r->hot_to_s, true);
        fputs("</figure>\n", r->out);
    }
    fputs("</div>\n", r->out);
}

void wsk_report_curves(wsk_report *r)
{
    if (!r->series->rows)
        return;
    wsk_report_open_section(r, TR_("Over time"));
    fputs("<p class=\"note\">", r->out);
    wsk_report_text(r->out, TR_("Lines are means. Bands reach from the 5th to the 95th percentile over time."));
    if (isfinite(r->hot_from_s)) {
        char from[16], to[16];
        const double start_s = wsk_report_local(r, r->hot_from_s);
        const char *date = isfinite(r->from_s) ? wsk_report_date(r, start_s)
                           : r->simulated_s > 86400
                               ? wsk_report_format(r, "day %1$.0f,", WSK_ARG(floor(r->hot_from_s / 86400) + 1))
                               : "";
        wsk_report_hour(from, start_s);
        wsk_report_hour(to, wsk_report_local(r, r->hot_to_s));
        fputc(' ', r->out);
        const char *span = *date
                               ? wsk_report_format(r, "%1$s %2$s to %3$s", WSK_ARG(date), WSK_ARG(from), WSK_ARG(to))
                               : wsk_report_format(r, "%1$s to %2$s", WSK_ARG(from), WSK_ARG(to));
        if (several_hours(r))
            wsk_report_put(r, "The hottest hours (%1$s) are shaded, and drawn by themselves: %2$s.",
                           WSK_ARG(r->hot_why), WSK_ARG(span));
        else
            wsk_report_put(r, "The hottest hour (%1$s) is shaded, and drawn by itself: %2$s.", WSK_ARG(r->hot_why),
                           WSK_ARG(span));
        fputc(' ', r->out);
        wsk_report_text(r->out, TR_("There the bands reach from the least to the greatest value."));
    }
    fputs("</p>\n", r->out);
    fputs("<div class=\"curves\">\n", r->out);
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
        chart_of(r, &pictures[i]);
    fputs("</div>\n</section>\n", r->out);
}
