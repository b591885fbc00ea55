/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine, drawn from the rig: seen from its side, front at the left, slot 1 at the top. Places and sizes are those of
 * the parts; colours are mean temperatures, arrows are as thick as the flow of air. */
#include <math.h>
#include <string.h>

#include "cli/report.h"

enum { CPU_H = 84, PSU_H = 46, MOVERS_MAX = 32, FACES = 6 };
typedef enum { FRONT, REAR, TOP, BOTTOM, SIDE, WALL } face;
static const char *const face_names[FACES] = {"front", "rear", "top", "bottom", "side", "wall"};

typedef struct {
    char id[256];  /* in the summary's list of fans */
    face at;
    bool in, core; /* core: behind a radiator */
    int count, first; /* of all at this face */
    double flow, rpm, radiator_c;
} mover;

/* Where things stand from left to right. A phone has its own drawing, for the wide one's words cannot be read that small. */
typedef struct {
    const char *css;
    int width, left, right, cards, slots; /* the case's walls, where the longest card begins, how far in the slots' numbers stand */
    int end, margin, beside, words; /* free ends of the top; words left of the case, right of it, and below the arrows' middle */
} layout;
static const layout wide = {"draw wide", 870, 162, 730, 288, 72, 60, 4, 60, -12},
                    phone = {"draw phone", 400, 92, 332, 180, 60, 16, 2, 6, 22};

typedef struct {
    wsk_report *r;
    const layout *on;
    int chassis;
    bool frame;
    double px_mm, top, slots_y, bottom, air_c, room_c, most_flow;
    mover movers[MOVERS_MAX];
    int n_movers, total[FACES];
    double reach[FACES]; /* how far what sits there comes into the case */
} drawing;

/* ---- reading ---- */

static int listed(const wsk_report *r, const char *list, const char *id)
{
    char other[256];
    for (size_t i = 0; i < wsk_json_count(r->json, list); i++) {
        wsk_report_json_text(r, other, sizeof other, "%s[%zu].id", list, i);
        if (!strcmp(other, id))
            return (int)i;
    }
    return -1;
}

static face face_of(const wsk_report_rig *rig, int e, face otherwise)
{
    char at[32];
    wsk_report_copy(rig, e, "at", at, sizeof at);
    for (int i = 0; i < FACES; i++)
        if (!strcmp(at, face_names[i]))
            return (face)i;
    return otherwise;
}

static void add_mover(drawing *d, const char *id, int place, bool core)
{
    char way[32];
    wsk_report *r = d->r;
    int k = listed(r, "fans", id);
    if (k < 0 || d->n_movers == MOVERS_MAX)
        return;
    mover *m = &d->movers[d->n_movers++];
    *m = (mover){.core = core, .at = face_of(&r->rig, place, TOP), .radiator_c = NAN};
    snprintf(m->id, sizeof m->id, "%s", id);
    m->in = core ? wsk_report_copy(&r->rig, place, "direction", way, sizeof way) && !strcmp(way, "intake") : m->at != REAR && m->at != TOP;
    m->flow = wsk_report_json(r, "fans[%d].flow_m3h", k);
    m->rpm = wsk_report_json(r, "fans[%d].rpm_mean", k);
    double count = wsk_report_json(r, "fans[%d].count", k);
    m->count = count >= 1 && count <= 64 ? (int)count : 1;
    m->first = d->total[m->at];
    d->total[m->at] += m->count;
    d->reach[m->at] = fmax(d->reach[m->at], core ? 48 : 20);
    if (fabs(m->flow) > d->most_flow)
        d->most_flow = fabs(m->flow);
}

/* Fans of the case, of its radiators, and of coolers that are radiators themselves. */
static void find_movers(drawing *d)
{
    const wsk_report_rig *rig = &d->r->rig;
    char id[256], kind[32], fan[264];
    for (int e = -1; (e = wsk_report_next(rig, "fan", e, d->chassis)) >= 0;) {
        int up = rig->elems[e].parent;
        bool core = wsk_report_is(rig, up, "radiator");
        if ((core || up == d->chassis) && wsk_report_copy(rig, e, "id", id, sizeof id))
            add_mover(d, id, core ? up : e, core);
    }
    for (int e = -1; (e = wsk_report_next(rig, "cooler", e, d->chassis)) >= 0;) {
        wsk_report_copy(rig, e, "kind", kind, sizeof kind);
        if (strcmp(kind, "aio") != 0 || !wsk_report_copy(rig, rig->elems[e].parent, "id", id, sizeof id))
            continue;
        snprintf(fan, sizeof fan, "%s.fan", id);
        add_mover(d, fan, e, true);
    }
}

/* ---- strokes ---- */

static void heat_rect(drawing *d, double x, double y, double w, double h, double celsius, const char *more)
{
    char colour[8];
    bool dark;
    fprintf(d->r->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" ", x, y, w, h);
    if (isfinite(celsius))
        fprintf(d->r->out, "class=\"edge\" fill=\"%s\" %s/>", wsk_report_heat(celsius, colour, &dark), more);
    else
        fprintf(d->r->out, "class=\"part\" %s/>", more);
}

static double width_of(const drawing *d, double flow)
{
    return d->most_flow > 0 ? 1.5 + 8.5 * fmin(fabs(flow) / d->most_flow, 1) : 2;
}

static void arrow(drawing *d, double x, double y, double dx, double dy, double flow, double celsius)
{
    if (fabs(flow) > 0.05)
        wsk_report_arrow(d->r->out, x, y, dx, dy, width_of(d, flow), celsius);
}

/* Where the k-th of n things along a face sits, and how long each is. */
static double spread(const drawing *d, face at, int k, double *each)
{
    bool upright = at == FRONT || at == REAR || at == WALL;
    double from = upright ? d->top + 12 : d->on->left + d->on->end, to = upright ? d->bottom - 12 : d->on->right - d->on->end;
    if (at == REAR) /* above the brackets of the cards */
        to = d->slots_y - 8;
    double step = fmin((to - from) / fmax(d->total[at], 1), 84);
    *each = fmin(step - 5, 74);
    double start = at == REAR ? from : from + (to - from - step * d->total[at]) / 2;
    return start + step * k;
}

static void fan_words(drawing *d, const mover *m, double x, double y, const char *css)
{
    FILE *o = d->r->out;
    fprintf(o, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\"><tspan class=\"b\">", css, x, y);
    wsk_report_text(o, m->id);
    fprintf(o, "</tspan><tspan x=\"%.1f\" dy=\"14\">", x);
    if (m->count > 1)
        fprintf(o, "%d × ", m->count);
    fprintf(o, "%.0f rpm</tspan>", m->rpm);
    if (isfinite(m->flow))
        fprintf(o, "<tspan x=\"%.1f\" dy=\"14\">%.0f m³/h</tspan>", x, m->flow);
    fputs("</text>\n", o);
}

static void one_fan(drawing *d, double x, double y, double w, double h)
{
    fprintf(d->r->out, "<rect class=\"part\" rx=\"2\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", x, y, w, h);
    if (h > w)
        fprintf(d->r->out, "<path class=\"fin\" d=\"M%.1f %.1fl%.1f %.1fM%.1f %.1fl%.1f %.1f\"/>", x + 2, y + 3, w - 4, h - 6, x + w - 2, y + 3, 4 - w, h - 6);
    else
        fprintf(d->r->out, "<path class=\"fin\" d=\"M%.1f %.1fl%.1f %.1fM%.1f %.1fl%.1f %.1f\"/>", x + 3, y + 2, w - 6, h - 4, x + 3, y + h - 2, w - 6, 4 - h);
}

/* A group of fans with the radiator they blow through; coordinates run along the face and into the case. */
static void draw_mover(drawing *d, const mover *m)
{
    double each, a = spread(d, m->at, m->first, &each), last = spread(d, m->at, m->first + m->count - 1, &each) + each, mid = (a + last) / 2;
    double out_c = m->in ? d->room_c : d->air_c;
    bool upright = m->at == FRONT || m->at == REAR || m->at == WALL;
    double edge = m->at == FRONT ? d->on->left + 3 : m->at == WALL ? d->on->left + d->on->slots - 42 : m->at == REAR ? d->on->right - 17 : m->at == TOP ? d->top + 3 : d->bottom - 17;
    double way = m->at == REAR || m->at == BOTTOM ? -1 : 1;
    if (m->at == SIDE) { /* it faces the viewer */
        double y = d->bottom - d->reach[BOTTOM] - 34;
        for (int i = 0; i < m->count; i++)
            fprintf(d->r->out, "<circle class=\"open\" cx=\"%d\" cy=\"%.1f\" r=\"24\"/>", d->on->left + 60 + 52 * (m->first + i), y);
        fan_words(d, m, d->on->left + 92 + 52 * (m->first + m->count - 1), y - 10, "halo");
        return;
    }
    if (m->core)
        heat_rect(d, upright ? edge : a, upright ? a : edge, upright ? 24 : last - a, upright ? last - a : 24, m->radiator_c, "rx=\"2\"");
    for (int i = 0; i < m->count; i++) {
        double p = spread(d, m->at, m->first + i, &each), q = edge + way * (m->core ? 28 : 0) + (way < 0 && m->core ? 10 : 0);
        one_fan(d, upright ? q : p, upright ? p : q, upright ? 14 : each, upright ? each : 14);
    }
    switch (m->at) {
    case FRONT:
    case WALL:
        arrow(d, m->in ? d->on->left - 48 : d->on->left - 4, mid, m->in ? 44 : -44, 0, m->flow, out_c);
        fan_words(d, m, d->on->margin, mid + d->on->words, "");
        break;
    case REAR:
        arrow(d, m->in ? d->on->right + 52 : d->on->right + 4, mid, m->in ? -48 : 48, 0, m->flow, out_c);
        fan_words(d, m, d->on->right + d->on->beside, mid + d->on->words, "");
        break;
    case TOP:
        arrow(d, mid, m->in ? d->top - 46 : d->top - 4, 0, m->in ? 42 : -42, m->flow, out_c);
        fan_words(d, m, mid + 16, d->top - 38, "");
        break;
    default:
        arrow(d, mid, m->in ? d->bottom + 46 : d->bottom + 4, 0, m->in ? -42 : 42, m->flow, out_c);
        fan_words(d, m, mid + 16, d->bottom + 18, "");
    }
}

/* What the fans blow in beyond what they blow out, blowers included, goes through vents and supplies; the first vent shows the sum. */
static void vents(drawing *d)
{
    wsk_report *r = d->r;
    double rest = 0;
    char id[256], kind[32], fan[264];
    int v = wsk_report_next(&r->rig, "vent", -1, d->chassis), k;
    for (int i = 0; i < d->n_movers; i++)
        rest += (d->movers[i].in ? 1 : -1) * (isfinite(d->movers[i].flow) ? d->movers[i].flow : 0);
    for (int e = -1; (e = wsk_report_next(&r->rig, "cooler", e, d->chassis)) >= 0;) {
        wsk_report_copy(&r->rig, e, "kind", kind, sizeof kind);
        wsk_report_copy(&r->rig, r->rig.elems[e].parent, "id", id, sizeof id);
        snprintf(fan, sizeof fan, "%s.fan", id);
        if (!strcmp(kind, "blower") && (k = listed(r, "fans", fan)) >= 0)
            rest -= wsk_report_json(r, "fans[%d].flow_m3h", k);
    }
    if (d->frame || !(fabs(rest) >= 1))
        return;
    bool psu = wsk_report_next(&r->rig, "psu", -1, d->chassis) >= 0;
    bool out = rest > 0, up = face_of(&r->rig, v, REAR) == TOP, front = face_of(&r->rig, v, REAR) == FRONT;
    double s = front ? -1 : 1, x = up ? (d->on->left + d->on->right) / 2.0 + 70 : front ? d->on->left - 4 : d->on->right + 4;
    double y = up ? d->top - 4 : v < 0 && psu ? d->bottom - PSU_H / 2.0 - 6 - d->reach[BOTTOM] : d->bottom - 58; /* a supply's beside its box */
    if (up)
        arrow(d, x, out ? y : y - 38, 0, out ? -38 : 38, rest, out ? d->air_c : d->room_c);
    else
        arrow(d, out ? x : x + s * 44, y, out ? s * 44 : -s * 44, 0, rest, out ? d->air_c : d->room_c);
    x = up ? x + 16 : front ? d->on->margin : d->on->right + d->on->beside, y = up ? d->top - 34 : y + d->on->words;
    fprintf(r->out, "<text x=\"%.1f\" y=\"%.1f\"><title>What the case’s fans and the blowers leave over, on balance</title><tspan class=\"b\">%s</tspan>", x, y, v >= 0 ? "vents" : psu ? "psu" : "leaks");
    if (v >= 0 && psu)
        fprintf(r->out, "<tspan x=\"%.1f\" dy=\"14\">and psu</tspan>", x);
    fprintf(r->out, "<tspan x=\"%.1f\" dy=\"14\">%.0f m³/h</tspan></text>\n", x, fabs(rest));
}

/* ---- cards ---- */

static void intake_bar(drawing *d, int g, double x, double y, double w)
{
    static const char *const keys[] = {"room", "case", "neighbour_exhaust", "own_exhaust"}, *const css[] = {"room", "case", "near", "own"};
    double at = 0;
    for (int k = 0; k < 4; k++) {
        double s = wsk_report_json(d->r, "gpus[%d].intake.%s", g, keys[k]);
        if (!(s > 0))
            continue;
        fprintf(d->r->out, "<rect class=\"f-%s edge\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"7\"/>", css[k], x + at * w, y, s * w);
        at += s;
    }
}

/* A card as it is drawn, and what its own fan moves. */
typedef struct {
    int elem, index; /* in the rig, in the summary */
    char id[256], kind[32]; /* its cooler's */
    double x, y, w, h, flow, out_c; /* flow NAN: it has no fan of its own */
} board;

static bool read_board(const drawing *d, int e, board *b)
{
    const wsk_report *r = d->r;
    const wsk_report_rig *rig = &r->rig;
    char fan[264];
    *b = (board){.elem = e, .flow = NAN, .out_c = NAN};
    if (!wsk_report_copy(rig, e, "id", b->id, sizeof b->id) || (b->index = listed(r, "gpus", b->id)) < 0)
        return false;
    double pitch = wsk_report_number(rig, d->chassis, "pitch"), slot = wsk_report_number(rig, e, "slot");
    double thick = wsk_report_number(rig, e, "thickness"), long_mm = wsk_report_number(rig, e, "length"), room = wsk_report_number(rig, d->chassis, "card-length");
    b->h = thick * d->px_mm;
    b->y = d->slots_y + (slot - 1) * pitch * d->px_mm;
    b->w = (d->on->right - 8 - d->on->cards) * fmin(fmax(long_mm / room, d->on == &wide ? 0.42 : 0.93), 1);
    b->x = d->on->right - 8 - b->w;
    wsk_report_copy(rig, wsk_report_next(rig, "cooler", e, e), "kind", b->kind, sizeof b->kind);
    snprintf(fan, sizeof fan, "%s.fan", b->id);
    int m = listed(r, "fans", fan);
    if (m >= 0 && strcmp(b->kind, "aio") != 0) {
        const double air_j_m3k = 1200;
        b->flow = wsk_report_json(r, "fans[%d].flow_m3h", m);
        b->out_c = wsk_report_json(r, "gpus[%d].inlet_mean_c", b->index) + wsk_report_json(r, "gpus[%d].power_mean_w", b->index) / (air_j_m3k * b->flow / 3600);
        b->out_c = fmin(b->out_c, wsk_report_json(r, "gpus[%d].die_mean_c", b->index));
    }
    return isfinite(b->y + b->h + b->w);
}

static void card(drawing *d, int e)
{
    wsk_report *r = d->r;
    FILE *o = r->out;
    char name[64], colour[8];
    board b;
    if (!read_board(d, e, &b))
        return;
    double x = b.x, y = b.y, w = b.w, h = b.h, die = wsk_report_json(r, "gpus[%d].die_mean_c", b.index), rpm = wsk_report_json(r, "gpus[%d].fan_mean_rpm", b.index);
    bool dark = true;
    fputs("<g><title>", o);
    wsk_report_text(o, b.id);
    fprintf(o, ": die %.1f °C on average</title>", die);
    heat_rect(d, x, y, w, h, die, "rx=\"3\"");
    fprintf(o, "<path class=\"wall\" d=\"M%d %.1fV%.1f\"/>", d->on->right - 6, y, y + h);
    if (isfinite(die))
        wsk_report_heat(die, colour, &dark);
    const char *ink = dark ? "on-d" : "on-l";
    fprintf(o, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\"><tspan class=\"b\">", ink, x + 7, y + 14);
    wsk_report_text(o, b.id);
    fputs("</tspan> ", o);
    if (isfinite(die))
        fprintf(o, " %.1f °C", die);
    if (w > 300 && wsk_report_copy(&r->rig, e, "name", name, sizeof name)) {
        fprintf(o, "</text><text class=\"e %s\" x=\"%.1f\" y=\"%.1f\">", ink, x + w - 10, y + 14);
        wsk_report_xml_text(o, name, strlen(name));
    }
    fprintf(o, "</text><text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%.0f W", ink, x + 7, y + 28, wsk_report_json(r, "gpus[%d].power_mean_w", b.index));
    if (isfinite(rpm))
        fprintf(o, ", fan %.0f rpm", rpm);
    if (!strcmp(b.kind, "water") || !strcmp(b.kind, "direct-to-chip"))
        fputs(", water block", o);
    fputs("</text>", o);
    intake_bar(d, b.index, x + 1, y + h - 8, w - 2);
    fputs("</g>\n", o);
    if (!strcmp(b.kind, "blower") && isfinite(b.flow)) {
        arrow(d, d->on->right + 4, y + h / 2, 40, 0, b.flow, b.out_c);
        fprintf(o, "<text x=\"%d\" y=\"%.1f\">%.0f m³/h</text>\n", d->on->right + (d->on == &wide ? 52 : 6), y + h / 2 + (d->on == &wide ? 4 : 17), b.flow);
    }
}

/* The card in the next slot that is taken, below (1) or above (-1). */
static bool next_board(const drawing *d, const board *of, int way, board *out)
{
    board b;
    bool found = false;
    for (int e = -1; (e = wsk_report_next(&d->r->rig, "gpu", e, d->chassis)) >= 0;)
        if (read_board(d, e, &b) && way * (b.y - of->y) > 0 && (!found || way * (b.y - out->y) < 0)) {
            *out = b;
            found = true;
        }
    return found;
}

/* Air that an open-air card draws from the case, gives back to it, and takes from the card below, whose exhaust shares its
 * gap; what returns to its own fan is in the bar alone. */
static void card_air(drawing *d, int e)
{
    wsk_report *r = d->r;
    board b, other;
    if (!read_board(d, e, &b) || !(b.flow > 0) || !strcmp(b.kind, "blower"))
        return;
    double own = fmax(wsk_report_json(r, "gpus[%d].intake.own_exhaust", b.index), 0), near = wsk_report_json(r, "gpus[%d].intake.neighbour_exhaust", b.index);
    double fresh = fmax(1 - own - fmax(near, 0), 0) * b.flow, out = (1 - own) * b.flow, long_px = d->on == &wide ? 34 : 24;
    if (next_board(d, &b, -1, &other) && other.flow > 0 && strcmp(other.kind, "blower") != 0)
        out -= fmax(wsk_report_json(r, "gpus[%d].intake.neighbour_exhaust", other.index), 0) * other.flow;
    fputs("<g><title>", r->out);
    wsk_report_text(r->out, b.id);
    fprintf(r->out, ": %.0f m³/h through its cooler</title>", b.flow);
    arrow(d, b.x - long_px, b.y + b.h * 0.28, long_px - 1, 0, fresh, d->frame ? d->room_c : d->air_c);
    if (out > 0)
        arrow(d, b.x - 1, b.y + b.h * 0.62, 1 - long_px, 0, out, b.out_c);
    fputs("</g>\n", r->out);
    if (!(near > 0.005) || !next_board(d, &b, 1, &other))
        return;
    fputs("<g><title>", r->out);
    wsk_report_text(r->out, other.id);
    fputs("’s exhaust into ", r->out);
    wsk_report_text(r->out, b.id);
    fprintf(r->out, ": %.0f m³/h</title>", near * b.flow);
    wsk_report_hook(r->out, b.x - 1, other.y + other.h * 0.62, b.y + b.h - 4, long_px * 0.7, width_of(d, near * b.flow), other.out_c);
    fputs("</g>\n", r->out);
}

/* ---- the case ---- */

static void shell(drawing *d)
{
    wsk_report *r = d->r;
    FILE *o = r->out;
    char colour[8];
    bool dark;
    if (!d->frame && isfinite(d->air_c))
        fprintf(o, "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" opacity=\".3\" fill=\"%s\"/>", d->on->left, d->top, d->on->right - d->on->left, d->bottom - d->top, wsk_report_heat(d->air_c, colour, &dark));
    fprintf(o, "<rect class=\"%s\" rx=\"4\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>\n", d->frame ? "open" : "wall", d->on->left, d->top, d->on->right - d->on->left, d->bottom - d->top);
    for (int v = -1; (v = wsk_report_next(&r->rig, "vent", v, d->chassis)) >= 0;) {
        face at = face_of(&r->rig, v, REAR);
        double y0 = d->bottom - 70, y1 = d->bottom - 20;
        switch (at) {
        case FRONT: fprintf(o, "<path class=\"vent\" d=\"M%d %.1fV%.1f\"/>", d->on->left, y0, y1); break;
        case REAR: fprintf(o, "<path class=\"vent\" d=\"M%d %.1fV%.1f\"/>", d->on->right, d->slots_y, d->bottom - 60); break;
        case TOP: fprintf(o, "<path class=\"vent\" d=\"M%d %.1fH%d\"/>", d->on->left + 40, d->top, d->on->right - 40); break;
        case BOTTOM: fprintf(o, "<path class=\"vent\" d=\"M%d %.1fH%d\"/>", d->on->left + 40, d->bottom, d->on->right - 40); break;
        default: break;
        }
    }
    for (int i = 0; i < 2; i++)
        fprintf(o, "<text class=\"m %s\" x=\"%d\" y=\"%.1f\">%s</text>", i ? "e" : "", i ? d->on->right - 4 : d->on->left + 4, d->bottom + 15, i ? "rear" : "front");
    double pitch = wsk_report_number(&r->rig, d->chassis, "pitch") * d->px_mm, slots = wsk_report_number(&r->rig, d->chassis, "slots");
    for (int s = 0; s < slots && s < 64; s++) {
        fprintf(o, "<path class=\"slot\" d=\"M%d %.1fH%d\"/>", d->on->left + d->on->slots + 4, d->slots_y + s * pitch, d->on->right - 8);
        if (pitch > 13 || s % 2 == 0)
            fprintf(o, "<text class=\"m e\" x=\"%d\" y=\"%.1f\">%d</text>", d->on->left + d->on->slots, d->slots_y + s * pitch + 11, s + 1);
    }
    fputc('\n', o);
}

static void processors(drawing *d)
{
    wsk_report *r = d->r;
    char id[256], name[264], colour[8];
    bool dark = true;
    double x = d->on == &wide ? 410 : d->on->left + 52, y = d->top + d->reach[TOP] + 14, w = d->on == &wide ? 135 : 94;
    for (int e = -1; (e = wsk_report_next(&r->rig, "cpu", e, d->chassis)) >= 0; x += w + (d->on == &wide ? 10 : 6)) {
        wsk_report_copy(&r->rig, e, "id", id, sizeof id);
        snprintf(name, sizeof name, "%s.die_c", id);
        double top = NAN;
        int v = wsk_report_variable(&r->series, name);
        for (size_t i = 0; v >= 0 && i < r->series.rows; i++)
            top = fmax(top, wsk_report_value(&r->series, i, v, WSK_SERIES_MAX));
        heat_rect(d, x, y, w, 54, top, "rx=\"3\"");
        if (isfinite(top))
            wsk_report_heat(top, colour, &dark);
        fprintf(r->out, "<text class=\"c b %s\" x=\"%.1f\" y=\"%.1f\">", dark ? "on-d" : "on-l", x + w / 2, y + 24);
        wsk_report_text(r->out, id);
        fputs("</text>", r->out);
        if (isfinite(top))
            fprintf(r->out, "<text class=\"c %s\" x=\"%.1f\" y=\"%.1f\">at most %.0f °C</text>\n", dark ? "on-d" : "on-l", x + w / 2, y + 40, top);
    }
}

static void supplies(drawing *d)
{
    wsk_report *r = d->r;
    char id[256];
    int n = 0, i = 0;
    for (int e = -1; (e = wsk_report_next(&r->rig, "psu", e, d->chassis)) >= 0;)
        n++;
    double w = fmin((d->on->right - d->on->left - 2 * d->on->end) / fmax(n, 1), 170), y = d->bottom - PSU_H - 6 - d->reach[BOTTOM];
    for (int e = -1; (e = wsk_report_next(&r->rig, "psu", e, d->chassis)) >= 0; i++) {
        double x = d->on->right - 8 - w * (n - i);
        wsk_report_copy(&r->rig, e, "id", id, sizeof id);
        int k = listed(r, "psus", id);
        fprintf(r->out, "<rect class=\"part\" rx=\"3\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/><text class=\"b\" x=\"%.1f\" y=\"%.1f\">", x, y, w - 8, PSU_H, x + 7, y + 19);
        wsk_report_text(r->out, id);
        fputs("</text>", r->out);
        if (k >= 0 && w > 100) {
            fprintf(r->out, "<text x=\"%.1f\" y=\"%.1f\">load ", x + 7, y + 35);
            wsk_report_percent(r->out, wsk_report_json(r, "psus[%d].load_mean", k));
            fputs("</text>", r->out);
        }
        fputc('\n', r->out);
    }
}

static void scale(drawing *d, double y)
{
    char colour[8];
    bool dark;
    FILE *o = d->r->out;
    int x = d->on == &wide ? d->on->left : 14;
    for (int t = 15; t < 105; t += 5)
        fprintf(o, "<rect x=\"%d\" y=\"%.1f\" width=\"18.5\" height=\"11\" fill=\"%s\"/>", x + (t - 15) * 18 / 5, y, wsk_report_heat(t + 2.5, colour, &dark));
    for (int t = 15; t <= 105; t += 15)
        fprintf(o, "<text class=\"m c\" x=\"%d\" y=\"%.1f\">%d%s</text>", x + (t - 15) * 18 / 5, y + 25, t, t == 105 ? " °C" : "");
    fprintf(o, "<text class=\"m\" x=\"%d\" y=\"%.1f\">thicker arrow: more air</text>\n", d->on == &wide ? x + 370 : x, y + (d->on == &wide ? 10 : 42));
}

static void radiators_heat(drawing *d)
{
    const wsk_report_rig *rig = &d->r->rig;
    for (int i = 0; i < d->n_movers; i++) {
        char loop[264];
        mover *m = &d->movers[i];
        if (!m->core)
            continue;
        int e = wsk_report_with_id(rig, m->id), up = e >= 0 ? rig->elems[e].parent : -1; /* fan, radiator, loop */
        if (e < 0 || !wsk_report_copy(rig, rig->elems[up].parent, "id", loop, sizeof loop)) /* "gpu0.fan": its loop is "gpu0.loop" */
            snprintf(loop, sizeof loop, "%.*s.loop", (int)strcspn(m->id, "."), m->id);
        int k = listed(d->r, "loops", loop);
        m->radiator_c = k >= 0 ? wsk_report_json(d->r, "loops[%d].coolant_mean_c", k) : NAN;
    }
}

static void draw(wsk_report *r, int chassis, const char *id, const layout *on)
{
    drawing d = {.r = r, .chassis = chassis, .on = on};
    char kind[32], box[112], desc[512];
    double thin = INFINITY, pitch = wsk_report_number(&r->rig, chassis, "pitch"), slots = wsk_report_number(&r->rig, chassis, "slots");
    int cards = 0, k = listed(r, "cases", id);
    wsk_report_copy(&r->rig, chassis, "kind", kind, sizeof kind);
    d.frame = !strcmp(kind, "frame");
    d.air_c = k >= 0 && !d.frame ? wsk_report_json(r, "cases[%d].air_mean_c", k) : NAN;
    d.room_c = wsk_report_json(r, "room.mean_c");
    for (int e = -1; (e = wsk_report_next(&r->rig, "gpu", e, chassis)) >= 0; cards++)
        thin = fmin(thin, wsk_report_number(&r->rig, e, "thickness"));
    if (!(pitch > 0) || !(slots > 0))
        return;
    d.px_mm = isfinite(thin) ? fmin(42 / thin, 1400 / (slots * pitch)) : 20 / pitch;
    find_movers(&d);
    radiators_heat(&d);
    int vent = wsk_report_next(&r->rig, "vent", -1, chassis);
    d.top = d.total[TOP] || (!d.frame && vent >= 0 && face_of(&r->rig, vent, REAR) == TOP) ? 66 : 24;
    d.slots_y = d.top + d.reach[TOP] + CPU_H;
    double gap = wsk_report_number(&r->rig, chassis, "wall-gap");
    bool psu = wsk_report_next(&r->rig, "psu", -1, chassis) >= 0;
    d.bottom = d.slots_y + (slots * pitch + (isfinite(gap) ? fmin(gap, 60) : 20)) * d.px_mm + (psu ? PSU_H + 10 : 0) + d.reach[BOTTOM];
    for (int i = 0; i < d.n_movers; i++) /* so many fans need their height */
        d.bottom = fmax(d.bottom, d.top + 30 + 22 * fmax(d.total[FRONT], d.total[WALL]));
    double height = d.bottom + (d.total[BOTTOM] ? 66 : 26) + 34, foot = on == &wide ? 0 : 18;
    snprintf(box, sizeof box, "class=\"%s\" viewBox=\"0 0 %d %.0f\"", on->css, on->width, height + foot);
    snprintf(desc, sizeof desc, "Side view, front at the left, slot 1 at the top: %d card%s in their slots, coloured by mean die temperature, with fans, radiators and power supplies at their places.",
             cards, cards == 1 ? "" : "s");
    fputs("<figure>\n", r->out);
    wsk_report_svg(r, box, "The machine and its air", desc);
    shell(&d);
    supplies(&d);
    processors(&d);
    for (int e = -1; (e = wsk_report_next(&r->rig, "gpu", e, chassis)) >= 0;)
        card(&d, e);
    for (int e = -1; (e = wsk_report_next(&r->rig, "gpu", e, chassis)) >= 0;)
        card_air(&d, e);
    for (int i = 0; i < d.n_movers; i++)
        draw_mover(&d, &d.movers[i]);
    vents(&d);
    if (isfinite(d.air_c))
        fprintf(r->out, "<text class=\"halo\" x=\"%.1f\" y=\"%.1f\">air in the case %.1f °C</text>", on == &wide ? on->left + 90.0 : 120, on == &wide ? d.top + d.reach[TOP] + 22 : 16, d.air_c);
    if (isfinite(d.room_c))
        fprintf(r->out, "<text x=\"4\" y=\"16\">room %.1f °C</text>\n", d.room_c);
    scale(&d, height - 30);
    fputs("</svg></figure>\n", r->out);
}

void wsk_report_chassis(wsk_report *r)
{
    char id[256];
    int first = wsk_report_next(&r->rig, "chassis", -1, -1);
    if (first < 0)
        return;
    fputs("<section>\n<h2>The machine</h2>\n", r->out);
    for (int c = first; c >= 0; c = wsk_report_next(&r->rig, "chassis", c, -1)) {
        wsk_report_copy(&r->rig, c, "id", id, sizeof id);
        if (c != first || wsk_report_next(&r->rig, "chassis", c, -1) >= 0) {
            fputs("<h3>", r->out);
            wsk_report_xml_text(r->out, id, strlen(id));
            fputs("</h3>\n", r->out);
        }
        draw(r, c, id, &wide);
        draw(r, c, id, &phone);
    }
    for (size_t i = 0; i < wsk_json_count(r->json, "loops"); i++) {
        wsk_report_json_text(r, id, sizeof id, "loops[%zu].id", i);
        fputs("<p>Coolant ", r->out);
        wsk_report_text(r->out, id);
        fprintf(r->out, ": %.1f °C to the blocks, at most %.1f °C behind them, %.1f l/min.</p>\n", wsk_report_json(r, "loops[%zu].coolant_mean_c", i),
                wsk_report_json(r, "loops[%zu].return_max_c", i), wsk_report_json(r, "loops[%zu].flow_lpm", i));
    }
    if (wsk_json_find(r->json, "gpus[0].intake.room"))
        fprintf(r->out, "<ul class=\"key\"><li>%sBar along a card: where its intake air comes from</li><li><i class=\"sq f-room\"></i>room</li><li><i class=\"sq f-case\"></i>case</li>"
              "<li><i class=\"sq f-near\"></i>neighbour’s exhaust</li><li><i class=\"sq f-own\"></i>own exhaust</li></ul>\n",
                strstr(r->rig.elems[0].tag, "kind=\"open-air\"") ? "Arrows at its end: air it takes from around it and gives back, and, hooked, the exhaust of the card below. " : "");
    fputs("</section>\n", r->out);
}
