/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the watts go, from the wall to the outdoors, and what they cost. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report.h"

enum { SINKS_MAX = 32, BANDS_H = 300, COL0 = 10, COL1 = 250, COL2 = 560, COL3 = 700, BAR = 14 };

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

/* Who used what the meter counted. */
static shares read_shares(const wsk_report *r)
{
    static const char *const colours[] = {"f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7"};
    shares s = {.wall = wsk_report_json(r, "energy.wall_kwh"), .cooling = wsk_report_json(r, "energy.room_cooling_kwh")};
    double dc = wsk_report_json(r, "energy.dc_kwh"), fans = wsk_report_json(r, "energy.fans_kwh"), loss = wsk_report_json(r, "energy.psu_loss_kwh");
    double feed = wsk_report_json(r, "energy.feed_loss_kwh"), hours = r->simulated_s / 3600, sum = 0;
    size_t n = wsk_json_count(r->json, "gpus");
    for (size_t i = 0; i < n; i++) {
        char id[256];
        double kwh = wsk_report_json(r, "gpus[%zu].power_mean_w", i) * hours / 1000;
        sum += isfinite(kwh) ? kwh : 0;
        wsk_report_json_text(r, id, sizeof id, "gpus[%zu].id", i);
        if (n <= 12)
            add(&s, id, kwh, colours[i % 8]);
    }
    if (n > 12) {
        char all[32];
        snprintf(all, sizeof all, "%zu cards", n);
        add(&s, all, sum, colours[0]);
    }
    fans = isfinite(fans) ? fans : 0;
    add(&s, n ? "processor, board, other loads" : "loads", dc - sum - fans, "f-case");
    add(&s, "fans and pumps", fans, "f-room");
    add(&s, "lost in the power supplies", loss, "f-loss");
    add(&s, "lost in strip and UPS", feed, "f-loss");
    add(&s, "other devices at the wall", s.wall - dc - (isfinite(loss) ? loss : 0) - (isfinite(feed) ? feed : 0), "f-near");
    return s;
}

/* ---- Sankey ---- */

static void band(wsk_report *r, double x0, double y0, double x1, double y1, double h, const char *css)
{
    double c = (x0 + x1) / 2;
    fprintf(r->out, "<path class=\"flow %s\" d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1fV%.1fC%.1f %.1f %.1f %.1f %.1f %.1fZ\"/>", css, x0, y0, c, y0, c, y1, x1, y1,
            y1 + h, c, y1 + h, c, y0 + h, x0, y0 + h);
}

static void node(wsk_report *r, double x, double y, double h, const char *css, const char *name, double kwh, double of, double label_y)
{
    fprintf(r->out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/><text class=\"halo\" x=\"%.1f\" y=\"%.1f\">", css, x, y, BAR, fmax(h, 1), x + BAR + 5, label_y);
    wsk_report_text(r->out, name);
    fprintf(r->out, " <tspan class=\"b\">%.4g kWh</tspan>", kwh);
    if (of > 0)
        fprintf(r->out, "<tspan class=\"m\"> %.*f %%</tspan>", 100 * kwh / of < 10 ? 1 : 0, 100 * kwh / of);
    fputs("</text>\n", r->out);
}

void wsk_report_sankey(wsk_report *r)
{
    shares s = read_shares(r);
    char box[96], room[96] = "heat into the room";
    double cooling = s.cooling > 0 ? s.cooling : 0, out = wsk_report_json(r, "energy.heat_out_kwh"), stored = wsk_report_json(r, "energy.stored_kwh");
    double carried = wsk_report_json(r, "energy.cooling_heat_kwh");
    if (!(s.wall > 0) || !s.count)
        return;
    double px = BANDS_H / (s.wall + cooling), y = 24, at = 24, label = 0, top = 24;
    for (int i = 0; i < s.count; i++) {
        s.list[i].y = y;
        y += fmax(s.list[i].kwh * px, 1) + 6;
        y = fmax(y, s.list[i].y + 16);
    }
    double middle = 24 + fmax(0, (y - 24 - s.wall * px) / 2), ac_y = fmax(y + 16, middle + s.wall * px + 24);
    double height = (cooling > 0 ? ac_y + cooling * px : y) + 16;
    double pinned = wsk_report_number(&r->rig, wsk_report_next(&r->rig, "room", -1, -1), "temperature");
    if (isfinite(pinned))
        snprintf(room, sizeof room, "heat into the room, held at %.4g °C:", pinned);
    fputs("<section>\n<h2>From the wall to heat</h2>\n<figure><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Energy flow\">\n", r->out);
    snprintf(box, sizeof box, "class=\"draw\" viewBox=\"0 0 900 %.0f\"", fmax(height, 120));
    wsk_report_svg(r, box, "Energy from the wall to heat", "Bands as wide as their energy: from the wall to each user, from there into the room as heat, and from the room outdoors.");
    at = middle;
    for (int i = 0; i < s.count; i++) { /* the wall's left side is split in the order of the users */
        double h = s.list[i].kwh * px;
        band(r, COL0 + BAR, at, COL1, s.list[i].y, h, s.list[i].css);
        band(r, COL1 + BAR, s.list[i].y, COL2, at, h, s.list[i].css);
        at += h;
    }
    double h = s.wall * px, to = out * px, out_y = middle;
    if (isfinite(pinned)) {
        out = NAN;
    } else {
        double ac = carried > 0 ? carried : 0, rest = out - cooling - ac;
        if (ac > 0) {
            band(r, COL2 + BAR, middle, COL3, middle, ac * px, "f-room");
            if (rest > 0)
                band(r, COL2 + BAR, middle + ac * px, COL3, middle + (ac + cooling) * px + 30, rest * px, "f-own");
        } else {
            band(r, COL2 + BAR, middle, COL3, middle, fmin(h, (out - cooling) * px), "f-own");
        }
        if (cooling > 0)
            band(r, COL0 + BAR, ac_y, COL3, middle + (ac > 0 ? ac : out - cooling) * px, cooling * px, "f-room");
        if (ac > 0) {
            node(r, COL3, middle, (ac + cooling) * px, "f-room", "air conditioner", ac + cooling, 0, middle + (ac + cooling) * px / 2 + 4);
            if (rest > 1e-3 * out)
                node(r, COL3, middle + (ac + cooling) * px + 30, rest * px, "f-own", "walls, air", rest, 0, middle + (ac + cooling) * px + 30 + rest * px / 2 + 4);
        } else {
            node(r, COL3, out_y, to, "f-own", "outdoors", out, 0, out_y + to / 2 + 4);
        }
    }
    for (int i = 0; i < s.count; i++) {
        sink *k = &s.list[i];
        label = fmax(k->y + fmin(k->kwh * px / 2, BANDS_H) + 4, label + 15);
        node(r, COL1, k->y, k->kwh * px, k->css, k->name, k->kwh, s.wall, label);
    }
    node(r, COL0, middle, h, "f-case", "wall", s.wall, 0, middle - 8);
    if (cooling > 0)
        node(r, COL0, ac_y, cooling * px, "f-room", "air conditioner’s motor", cooling, 0, ac_y - 8);
    node(r, COL2, middle, h, "f-own", room, s.wall, 0, top - 6 > middle - 8 ? top - 6 : middle - 8);
    fputs("</svg></div></figure>\n", r->out);
    if (isfinite(stored) && fabs(stored) > 1e-4 * s.wall)
        fprintf(r->out, "<p class=\"note\">At the end %.3g kWh more are stored in what the rig and the room are made of than at the start.</p>\n", stored);
    fputs("</section>\n", r->out);
}

/* ---- cost ---- */

static void bar(wsk_report *r, int row, const char *name, double amount, double most, double all, const char *css)
{
    int y = row * 34;
    fprintf(r->out, "<text x=\"0\" y=\"%d\">", y + 12);
    wsk_report_text(r->out, name);
    fputs(": <tspan class=\"b\">", r->out);
    wsk_report_money(r, amount);
    fprintf(r->out, "</tspan><tspan class=\"m\"> %.1f %%</tspan></text><rect class=\"%s\" x=\"0\" y=\"%d\" height=\"11\" width=\"%.2f%%\"/>\n", 100 * amount / all, css, y + 17, fmax(100 * amount / most, 0.2));
}

static void bars_begin(wsk_report *r, const char *title, const char *note, int rows)
{
    char box[64];
    fprintf(r->out, "<figure>\n<figcaption>%s <small>%s</small></figcaption>\n", title, note);
    snprintf(box, sizeof box, "width=\"100%%\" height=\"%d\"", rows * 34 + 2);
    wsk_report_svg(r, box, title, "A bar for each, with its amount and its share.");
}

/* Energy charges by who used the energy: each kWh at the mean price, for a meter knows no user. */
static void by_user(wsk_report *r, const shares *s, double energy)
{
    double cooling = s->cooling > 0 ? s->cooling : 0, all = s->wall + cooling, most = cooling;
    for (int i = 0; i < s->count; i++)
        most = fmax(most, s->list[i].kwh);
    bars_begin(r, "Energy by who used it", "at the mean price of the run", s->count + (cooling > 0));
    for (int i = 0; i < s->count; i++)
        bar(r, i, s->list[i].name, energy * s->list[i].kwh / all, energy * most / all, energy, s->list[i].css);
    if (cooling > 0)
        bar(r, s->count, "cooling the room", energy * cooling / all, energy * most / all, energy, "f-room");
    fputs("</svg>\n</figure>\n", r->out);
}

static void by_kind(wsk_report *r, double total)
{
    static const char *const keys[] = {"demand", "standing", "minimum"}, *const names[] = {"demand charge", "standing charge", "minimum charge"};
    size_t n = wsk_json_count(r->json, "cost.periods"), rows = n;
    double most = 0, v[3];
    for (int k = 0; k < 3; k++) {
        v[k] = wsk_report_json(r, "cost.%s", keys[k]);
        rows += v[k] > 0;
        most = fmax(most, isfinite(v[k]) ? v[k] : 0);
    }
    for (size_t i = 0; i < n; i++)
        most = fmax(most, wsk_report_json(r, "cost.periods[%zu].cost", i));
    if (rows < 2 || !(most > 0))
        return;
    bars_begin(r, "What the bill is made of", "tax included where the tariff has it", (int)rows);
    for (size_t i = 0; i < n; i++) {
        char name[128];
        wsk_report_json_text(r, name, sizeof name, "cost.periods[%zu].name", i);
        bar(r, (int)i, name, wsk_report_json(r, "cost.periods[%zu].cost", i), most, total, "f0");
    }
    rows = n;
    for (int k = 0; k < 3; k++)
        if (v[k] > 0)
            bar(r, (int)rows++, names[k], v[k], most, total, "f1");
    fputs("</svg>\n</figure>\n", r->out);
}

/* The running cost rises from row to row; each rise belongs to the hours that its row covers. */
static bool by_hour(const wsk_report *r, double hours[24])
{
    const wsk_report_series *s = &r->series;
    int v = wsk_report_variable(s, "cost");
    double before = 0;
    memset(hours, 0, 24 * sizeof *hours);
    if (v < 0 || isnan(r->from_s))
        return false;
    for (size_t i = 0; i < s->rows; i++) {
        double a = wsk_report_start(s, i), b = s->end_s[i], now = wsk_report_value(s, i, v, WSK_SERIES_MAX);
        if (!isfinite(now) || b - a > 3600 + 1)
            return false;
        for (double t = a; t < b - 1e-6;) {
            double civil = fmod(r->from_s + t, 86400), next = fmin(b, t + 3600 - fmod(civil, 3600));
            hours[(int)(civil / 3600) % 24] += (now - before) * (next - t) / (b - a);
            t = next;
        }
        before = now;
    }
    return s->rows && s->end_s[s->rows - 1] >= 86400 - 1;
}

static void draw_hours(wsk_report *r, const double hours[24])
{
    double most = 0, sum = 0;
    for (int i = 0; i < 24; i++) {
        most = fmax(most, hours[i]);
        sum += hours[i];
    }
    if (!(most > 0))
        return;
    fputs("<figure>\n<figcaption>Cost by hour of the day <small>all days together</small></figcaption>\n", r->out);
    wsk_report_svg(r, "width=\"100%\" height=\"170\"", "Cost by hour of the day", "24 bars, one an hour, from midnight to midnight.");
    fprintf(r->out, "<line class=\"g\" x1=\"0\" x2=\"100%%\" y1=\"20\" y2=\"20\"/><text class=\"m\" x=\"2\" y=\"15\">");
    wsk_report_money(r, most);
    fputs("</text>", r->out);
    for (int i = 0; i < 24; i++) {
        double h = 128 * fmax(hours[i], 0) / most;
        fprintf(r->out, "<g><title>%02d:00 ", i);
        wsk_report_money(r, hours[i]);
        fprintf(r->out, "</title><rect class=\"f0\" x=\"%.2f%%\" width=\"3.4%%\" y=\"%.1f\" height=\"%.1f\"/></g>", 100.0 * i / 24, 148 - h, h);
        if (i % 4 == 0)
            fprintf(r->out, "<text class=\"m\" x=\"%.2f%%\" y=\"164\">%02d:00</text>", 100.0 * i / 24, i);
    }
    fputs("</svg>\n</figure>\n", r->out);
}

void wsk_report_cost(wsk_report *r)
{
    double total = wsk_report_json(r, "cost.run"), energy = wsk_report_json(r, "cost.energy"), hours[24];
    shares s = read_shares(r);
    if (!(total > 0) || !(s.wall > 0))
        return;
    fputs("<section>\n<h2>What it costs</h2>\n<p>", r->out);
    wsk_report_money(r, total);
    fputs(" for ", r->out);
    wsk_report_span(r->out, r->simulated_s);
    fputs(".</p>\n", r->out);
    if (energy > 0)
        by_user(r, &s, energy);
    by_kind(r, total);
    if (by_hour(r, hours))
        draw_hours(r, hours);
    fputs("</section>\n", r->out);
}
