/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/chassis.h"
#include "draw/report.h"

enum { SINKS_MAX = 32, BANDS_H = 300, BANDS_TOP = 26, COL0 = 10, COL1 = 250, COL2 = 590, COL3 = 730, BAR = 14 };

typedef struct {
    char name[256];
    const char *css;
    double kwh, y;
} sink;
typedef struct {
    sink list[SINKS_MAX];
    int count;
    double wall, cooling;
} shares;

static void add(shares *s, const char *name, double kwh, const char *css)
{
    if (!(kwh > 2e-4 * s->wall) || s->count == SINKS_MAX)
        return;
    sink *k = &s->list[s->count++];
    *k = (sink){.css = css, .kwh = kwh};
    snprintf(k->name, sizeof k->name, "%s", name);
}

static shares read_shares(wsk_report *r)
{
    enum { ID_PX = 190 }; /* room for an id between the columns, before its energy */
    static const char *const colours[] = {"f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7"};
    shares s = {.wall = wsk_report_result(r, WSK_R_WALL_KWH, 0),
                .cooling = wsk_report_result(r, WSK_R_ROOM_COOLING_KWH, 0)};
    double dc = wsk_report_result(r, WSK_R_DC_KWH, 0), fans = wsk_report_result(r, WSK_R_FANS_KWH, 0),
           loss = wsk_report_result(r, WSK_R_PSU_LOSS_KWH, 0);
    double feed = wsk_report_result(r, WSK_R_FEED_LOSS_KWH, 0), hours = r->simulated_s / 3600, sum = 0;
    size_t n = wsk_summary_count(r->summary, WSK_SCOPE_GPU);
    for (size_t i = 0; i < n; i++) {
        double kwh = wsk_report_result(r, WSK_R_GPU_POWER_MEAN, i) * hours / 1000;
        sum += isfinite(kwh) ? kwh : 0;
        if (n <= 12)
            add(&s, wsk_draw_brief(r, wsk_report_said(r, WSK_R_GPU_ID, i), ID_PX), kwh, colours[i % 8]);
    }
    if (n > 12)
        add(&s, wsk_report_format(r, "%1$d cards", WSK_ARG(n)), sum, colours[0]);
    fans = isfinite(fans) ? fans : 0;
    add(&s, n ? TR_("processor, board, other loads") : TR_("loads"), dc - sum - fans, "f-case");
    add(&s, TR_("fans and pumps"), fans, "f-room");
    add(&s, TR_("lost in the PSUs"), loss, "f-loss");
    add(&s, TR_("lost in power strip and UPS"), feed, "f-loss");
    add(&s, TR_("other devices at the wall"), s.wall - dc - (isfinite(loss) ? loss : 0) - (isfinite(feed) ? feed : 0),
        "f-near");
    return s;
}

static void band(wsk_report *r, double x0, double y0, double x1, double y1, double h, const char *css)
{
    double c = (x0 + x1) / 2;
    fprintf(r->out,
            "<path class=\"flow %s\" d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1fV%.1fC%.1f %.1f %.1f %.1f %.1f "
            "%.1fZ\"/>",
            css, x0, y0, c, y0, c, y1, x1, y1, y1 + h, c, y1 + h, c, y0 + h, x0, y0 + h);
}

/* Returns enough decimals for four significant digits of the energy at the wall, and for two of the energy kwh. */
static int places_of(const wsk_report *r, double kwh)
{
    double all = fmax(wsk_report_result(r, WSK_R_WALL_KWH, 0), 1e-9), own = fmax(fabs(kwh), 1e-9);
    return (int)fmin(fmax(fmax(3 - floor(log10(all)), 1 - floor(log10(own))), 0), 9);
}

static void node(wsk_report *r, double x, double y, double h, const char *css, const char *name, double kwh,
                 double of, double label_y)
{
    fprintf(r->out,
            "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/><text class=\"halo\" x=\"%.1f\" "
            "y=\"%.1f\">",
            css, x, y, BAR, fmax(h, 1), x + BAR + 5, label_y);
    wsk_report_text(r->out, name);
    fprintf(r->out, " <tspan class=\"b\">%.*f kWh</tspan>", places_of(r, kwh), kwh);
    if (of > 0)
        fprintf(r->out, "<tspan class=\"m\"> %.*f %%</tspan>", 100 * kwh / of < 10 ? 1 : 0, 100 * kwh / of);
    fputs("</text>\n", r->out);
}

typedef struct {
    double px;      /* height of one kWh in the drawing, px */
    double cooling; /* electric energy of the air conditioner, kWh */
    /* heat, kWh: removed by the air conditioner; out through the walls; in through the walls; stored at the end */
    double ac, walls, in, stored;
    bool pinned;
    const char *name;
} room_heat;

static room_heat read_room(const wsk_report *r, const shares *s)
{
    double ac = wsk_report_result(r, WSK_R_ROOM_COOLING_HEAT_KWH, 0),
           out = wsk_report_result(r, WSK_R_HEAT_OUT_KWH, 0), stored = wsk_report_result(r, WSK_R_STORED_KWH, 0);
    room_heat q = {
        .cooling = s->cooling > 0 ? s->cooling : 0, .ac = ac > 0 ? ac : 0, .stored = stored > 0 ? stored : 0};
    q.pinned = isfinite(wsk_elements_number(r->rig, wsk_elements_next(r->rig, "room", -1, -1), "temperature"));
    double rest = out - q.cooling - q.ac;
    /* if the rig fixes the room's temperature, `walls` is all heat that the rig gives to the room */
    q.walls = rest > 0 ? rest : 0;
    q.in = rest < 0 ? -rest : 0;
    q.px = BANDS_H / (s->wall + q.cooling + q.in);
    return q;
}

/* Draws how heat leaves the room: by the air conditioner, whose amount includes its own electric energy, through the
 * walls, or not at all (stored). motor_y: y of the band of that electric energy. */
static void draw_out(wsk_report *r, const room_heat *q, double wall, double motor_y)
{
    double from = BANDS_TOP, to = BANDS_TOP, least = 1e-3 * wall;
    if (q->ac > least) {
        double h = q->ac * q->px, all = h + q->cooling * q->px;
        band(r, COL2 + BAR, from, COL3, to, h, "f-room");
        band(r, COL0 + BAR, motor_y, COL3, to + h, q->cooling * q->px, "f-room");
        node(r, COL3, to, all, "f-room", TR_("air conditioner"), q->ac + q->cooling, 0, to + all / 2 + 4);
        from += h;
        to += all + 24;
    }
    if (q->walls > least) {
        double h = q->walls * q->px;
        band(r, COL2 + BAR, from, COL3, to, h, "f-own");
        node(r, COL3, to, h, "f-own", q->name, q->walls, 0, to + h / 2 + 4);
        from += h;
        to += h + 24;
    }
    if (q->stored > 0.2 * least) {
        double h = q->stored * q->px;
        band(r, COL2 + BAR, from, COL3, to, h, "f-case");
        node(r, COL3, to, h, "f-case", TR_("still stored"), q->stored, 0, to + h / 2 + 4);
    }
}

static void draw_users(wsk_report *r, const shares *s, double px)
{
    double at = BANDS_TOP, label = 0;
    for (int i = 0; i < s->count; i++) {
        const sink *k = &s->list[i];
        band(r, COL0 + BAR, at, COL1, k->y, k->kwh * px, k->css);
        band(r, COL1 + BAR, k->y, COL2, at, k->kwh * px, k->css);
        at += k->kwh * px;
    }
    for (int i = 0; i < s->count; i++) {
        const sink *k = &s->list[i];
        double h = k->kwh * px;
        label = fmax(h < 9 ? k->y + h + 11 : k->y + h / 2 + 4, label + 15);
        node(r, COL1, k->y, k->kwh * px, k->css, k->name, k->kwh, s->wall, label);
    }
}

void wsk_report_sankey(wsk_report *r)
{
    shares s = read_shares(r);
    room_heat q = read_room(r, &s);
    char box[96];
    double y = BANDS_TOP;
    if (!(s.wall > 0) || !s.count || !isfinite(q.px))
        return;
    for (int i = 0; i < s.count; i++) {
        s.list[i].y = y;
        y = fmax(y + fmax(s.list[i].kwh * q.px, 1) + 6, y + 16);
    }
    bool wet = false;
    for (int i = 0; i < r->rig->count; i++)
        wet = wet || (r->rig->items[i].traits & WSK_TRAIT_FACILITY);
    q.name = wet && q.pinned ? TR_("into room and water")
             : wet           ? TR_("walls, air and water")
             : q.pinned      ? TR_("into the room")
                             : TR_("walls and air");
    bool in = !q.pinned && q.in > 1e-3 * s.wall;
    double in_y = y + 8, motor_y = (in ? in_y + fmax(q.in * q.px, 10) : y) + 22,
           height = q.cooling > 0 ? motor_y + q.cooling * q.px : motor_y - 14;
    wsk_report_open_section(r, TR_("From the wall to heat"));
    fprintf(r->out, "<figure><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n",
            TR_("Energy flow"));
    snprintf(box, sizeof box, "class=\"draw\" viewBox=\"0 0 940 %.0f\"", fmax(height, BANDS_H + 60) + 12);
    wsk_report_svg(
        r, box, TR_("Energy from the wall to heat"),
        TR_("Bands as wide as their energy: from the wall to each user, from there into the room as heat, and "
            "from the room outdoors."));
    draw_out(r, &q, s.wall, motor_y);
    if (in) {
        band(r, COL1 + BAR, in_y, COL2, BANDS_TOP + s.wall * q.px, q.in * q.px, "f-own");
        node(r, COL1, in_y, q.in * q.px, "f-own", TR_("in through the walls"), q.in, 0, in_y + q.in * q.px / 2 + 4);
    }
    draw_users(r, &s, q.px);
    node(r, COL0, BANDS_TOP, s.wall * q.px, "f-case", TR_("wall"), s.wall, 0, BANDS_TOP - 8);
    if (q.cooling > 0)
        node(r, COL0, motor_y, q.cooling * q.px, "f-room", TR_("wall, for the air conditioner"), q.cooling, 0,
             motor_y - 8);
    node(r, COL2, BANDS_TOP, (s.wall + (in ? q.in : 0)) * q.px, "f-own",
         wet        ? TR_("room and facility water")
         : q.pinned ? TR_("heat")
                    : TR_("room"),
         s.wall + (in ? q.in : 0), 0, BANDS_TOP - 8);
    fputs("</svg></div></figure>\n", r->out);
    if (q.pinned)
        fprintf(r->out, "<p class=\"note\">%s</p>\n",
                TR_("The room is held at its temperature: how its heat is carried away is not part of this run."));
    fputs("</section>\n", r->out);
}

/* If the total `of` is 1000 or more, amounts of 10 or more have no decimals. */
static void put_share(wsk_report *r, double amount, double of)
{
    fprintf(r->out, "%s%.*f ", wsk_report_minus(amount), of >= 1000 && amount >= 10 ? 0 : 2, fabs(amount));
    wsk_report_text(r->out, r->currency);
}

static void bar(wsk_report *r, int row, const char *name, double amount, double most, double all, const char *css)
{
    int y = row * 34;
    fprintf(r->out, "<text x=\"0\" y=\"%d\">", y + 12);
    wsk_report_text(r->out, name);
    fputs(": <tspan class=\"b\">", r->out);
    put_share(r, amount, all);
    fprintf(r->out,
            "</tspan><tspan class=\"m\"> %.1f %%</tspan></text><rect class=\"%s\" x=\"0\" y=\"%d\" height=\"11\" "
            "width=\"%.2f%%\"/>\n",
            100 * amount / all, css, y + 17, fmax(100 * amount / most, 0.2));
}

static void bars_begin(wsk_report *r, const char *title, const char *note, int rows)
{
    char box[64];
    wsk_report_open_figure(r, title, note);
    snprintf(box, sizeof box, "width=\"100%%\" height=\"%d\"", rows * 34 + 2);
    wsk_report_svg(r, box, title, TR_("A bar for each, with its amount and its share."));
}

/* Divides the energy charges by user. Each kWh gets the mean price of the run, because the meter does not distinguish
 * users. */
static void by_user(wsk_report *r, const shares *s, double energy)
{
    double cooling = s->cooling > 0 ? s->cooling : 0, all = s->wall + cooling, most = cooling;
    for (int i = 0; i < s->count; i++)
        most = fmax(most, s->list[i].kwh);
    bars_begin(r, TR_("Energy by who used it"), TR_("at the mean price of the run"), s->count + (cooling > 0));
    for (int i = 0; i < s->count; i++)
        bar(r, i, s->list[i].name, energy * s->list[i].kwh / all, energy * most / all, energy, s->list[i].css);
    if (cooling > 0)
        bar(r, s->count, TR_("cooling the room"), energy * cooling / all, energy * most / all, energy, "f-room");
    fputs("</svg>\n</figure>\n", r->out);
}

static void by_kind(wsk_report *r, double total)
{
    static const wsk_result charges[] = {WSK_R_COST_DEMAND, WSK_R_COST_STANDING, WSK_R_COST_MINIMUM,
                                         WSK_R_COST_SOLAR};
    enum { CHARGES = sizeof charges / sizeof *charges };
    size_t n = wsk_summary_count(r->summary, WSK_SCOPE_PERIOD), rows = n;
    double most = 0, v[CHARGES];
    for (int k = 0; k < CHARGES; k++) {
        v[k] = wsk_report_result(r, charges[k], 0);
        rows += v[k] > 0;
        most = fmax(most, isfinite(v[k]) ? v[k] : 0);
    }
    for (size_t i = 0; i < n; i++)
        most = fmax(most, wsk_report_result(r, WSK_R_PERIOD_COST, i));
    if (rows < 2 || !(most > 0))
        return;
    bars_begin(r, TR_("What the bill is made of"), TR_("tax included where the tariff has it"), (int)rows);
    for (size_t i = 0; i < n; i++)
        bar(r, (int)i, wsk_report_said(r, WSK_R_PERIOD_NAME, i), wsk_report_result(r, WSK_R_PERIOD_COST, i), most,
            total, "f0");
    rows = n;
    for (int k = 0; k < CHARGES; k++)
        if (v[k] > 0)
            bar(r, (int)rows++, wsk_report_label(r, charges[k]), v[k], most, total, "f1");
    fputs("</svg>\n</figure>\n", r->out);
}

/* The cost since the start of the run at the end of a row. before: this cost at the start of the row. If the cost falls
 * in the row, because of negative prices, it ends with the row's minimum, else with the maximum. */
static double cost_at_end(const wsk_record *s, size_t row, int v, double before)
{
    return wsk_record_value(s, row, v,
                            wsk_record_value(s, row, v, WSK_STAT_MEAN) < before ? WSK_STAT_MIN : WSK_STAT_MAX);
}

/* Adds up the electricity cost per hour of the day (0 to 23) over all days: in each row of the series, the rise of the
 * cost goes to the hours that the row covers. False: cost or start time are unknown, rows are longer than an hour, or
 * the run is shorter than a day. */
static bool by_hour(const wsk_report *r, double hours[24])
{
    const wsk_record *s = r->series;
    int v = wsk_record_find(s, WSK_VAR_COST, "");
    double before = 0;
    memset(hours, 0, 24 * sizeof *hours);
    if (v < 0 || isnan(r->from_s))
        return false;
    for (size_t i = 0; i < s->rows; i++) {
        double a = wsk_record_start(s, i), b = s->end_s[i], now = cost_at_end(s, i, v, before);
        if (!isfinite(now) || b - a > 3600 + 1)
            return false;
        for (double t = a; t < b - 1e-6;) {
            double civil = fmod(wsk_report_local(r, t), 86400);
            civil += civil < 0 ? 86400 : 0; /* fmod is negative for times before 1970 */
            double next = fmin(b, t + 3600 - fmod(civil, 3600));
            hours[(int)(civil / 3600) % 24] += (now - before) * (next - t) / (b - a);
            t = next;
        }
        before = now;
    }
    return s->rows && s->end_s[s->rows - 1] >= 86400 - 1;
}

static void draw_hours(wsk_report *r, const double hours[24], double total)
{
    double most = 0, least = 0;
    for (int i = 0; i < 24; i++) {
        most = fmax(most, hours[i]);
        least = fmin(least, hours[i]);
    }
    if (!(most > least))
        return;
    const double px = 128 / (most - least), zero_y = 20 + px * most;
    const char *title = TR_("Cost by hour of the day");
    wsk_report_open_figure(r, title, TR_("all days together"));
    wsk_report_svg(r, "width=\"100%\" height=\"170\"", title,
                   TR_("24 bars, one an hour, from midnight to midnight."));
    fprintf(r->out,
            "<line class=\"g\" x1=\"0\" x2=\"100%%\" y1=\"20\" y2=\"20\"/><text class=\"m\" x=\"2\" y=\"15\">");
    put_share(r, most, total);
    fputs("</text>", r->out);
    if (least < 0) {
        fprintf(
            r->out,
            "<line class=\"g\" x1=\"0\" x2=\"100%%\" y1=\"148\" y2=\"148\"/><text class=\"m\" x=\"2\" y=\"143\">");
        put_share(r, least, total);
        fputs("</text>", r->out);
    }
    for (int i = 0; i < 24; i++) {
        const double h = px * fabs(hours[i]);
        fprintf(r->out, "<g><title>%02d:00 ", i);
        put_share(r, hours[i], total);
        fprintf(r->out, "</title><rect class=\"f0\" x=\"%.2f%%\" width=\"3.4%%\" y=\"%.1f\" height=\"%.1f\"/></g>",
                100.0 * i / 24, hours[i] < 0 ? zero_y : zero_y - h, h);
        if (i % 4 == 0)
            fprintf(r->out, "<text class=\"m\" x=\"%.2f%%\" y=\"164\">%02d:00</text>", 100.0 * i / 24, i);
    }
    fputs("</svg>\n</figure>\n", r->out);
}

void wsk_report_cost(wsk_report *r)
{
    double total = wsk_report_result(r, WSK_R_COST, 0), energy = wsk_report_result(r, WSK_R_COST_ENERGY, 0),
           hours[24];
    shares s = read_shares(r);
    if (!(fabs(total) > 0) || !(s.wall > 0))
        return;
    wsk_report_open_section(r, TR_("What it costs"));
    fputs("<p>", r->out);
    wsk_report_put(r, "%1$s for %2$s.", WSK_ARG(wsk_report_money(r, total)),
                   WSK_ARG(wsk_report_span(r, r->simulated_s)));
    fputs("</p>\n", r->out);
    if (energy > 0)
        by_user(r, &s, energy);
    if (total > 0)
        by_kind(r, total);
    if (by_hour(r, hours))
        draw_hours(r, hours, total);
    fputs("</section>\n", r->out);
}
