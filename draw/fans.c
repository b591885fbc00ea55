/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "draw/chassis.h"

/* Adds a group of fans. `core`: the fans blow through a radiator. id: name of the group in the drawing; listed: its id
 * in the summary's list of fans; if the list lacks this id, nothing is added. place: index of the element that says at
 * which face of the case the fans are. */
static void add_mover(wsk_drawing *d, const char *id, const char *listed, int place, bool core)
{
    wsk_report *r = d->r;
    const char *way = wsk_elements_text(r->rig, place, "direction");
    int k = wsk_draw_listed(r, WSK_R_FAN_ID, listed);
    if (k < 0 || d->n_movers == WSK_MOVERS_MAX)
        return;
    wsk_mover *m = &d->movers[d->n_movers++];
    *m = (wsk_mover){.core = core, .at = wsk_draw_face(r->rig, place, TOP), .radiator_c = NAN};
    snprintf(m->id, sizeof m->id, "%s", id);
    m->in = core ? way && !strcmp(way, "intake") : m->at != REAR && m->at != TOP;
    m->flow = wsk_report_result(r, WSK_R_FAN_FLOW, (size_t)k);
    m->rpm = wsk_report_result(r, WSK_R_FAN_RPM, (size_t)k);
    m->fails = wsk_summary_flag(r->summary, WSK_R_FAN_FAILED, (size_t)k);
    double count = wsk_report_result(r, WSK_R_FAN_COUNT, (size_t)k);
    m->count = count >= 1 && count <= 64 ? (int)count : 1;
    m->first = d->total[m->at];
    d->total[m->at] += m->count;
    d->reach[m->at] = fmax(d->reach[m->at], core ? 48 : 20);
    if (fabs(m->flow) > d->most_flow)
        d->most_flow = fabs(m->flow);
}

static void find_movers(wsk_drawing *d)
{
    const wsk_elements *rig = d->r->rig;
    char fan[264];
    for (int e = -1; (e = wsk_elements_next(rig, "fan", e, d->chassis)) >= 0;) {
        int up = rig->items[e].parent;
        bool core = wsk_elements_is(rig, up, "radiator");
        const char *id = wsk_elements_id(rig, e);
        if (!core && up != d->chassis)
            continue;
        add_mover(d, id, id, core ? up : e, core);
        snprintf(fan, sizeof fan, "%s.failing", id); /* the summary lists the failing fans of a group separately */
        add_mover(d, id, fan, core ? up : e, core);
    }
    for (int e = -1; (e = wsk_elements_next(rig, "cooler", e, d->chassis)) >= 0;) {
        if (!rig->items[e].look || !rig->items[e].look->radiator)
            continue;
        snprintf(fan, sizeof fan, "%s.fan", wsk_elements_id(rig, rig->items[e].parent));
        add_mover(d, fan, fan, e, true);
    }
}

static void radiators_heat(wsk_drawing *d)
{
    const wsk_elements *rig = d->r->rig;
    for (int i = 0; i < d->n_movers; i++) {
        char loop[264];
        wsk_mover *m = &d->movers[i];
        if (!m->core)
            continue;
        int e = wsk_elements_find(rig, m->id), up = e >= 0 ? rig->items[e].parent : -1;
        snprintf(loop, sizeof loop, "%s", wsk_elements_id(rig, up >= 0 ? rig->items[up].parent : -1));
        if (!loop[0]) /* for the all-in-one cooler of a card, the fan is "gpu0.fan" and the loop "gpu0.loop" */
            snprintf(loop, sizeof loop, "%.*s.loop", (int)strcspn(m->id, "."), m->id);
        int k = wsk_draw_listed(d->r, WSK_R_LOOP_ID, loop);
        m->radiator_c = k >= 0 ? wsk_report_result(d->r, WSK_R_LOOP_COOLANT_MEAN, (size_t)k) : NAN;
    }
}

void wsk_draw_find_fans(wsk_drawing *d)
{
    find_movers(d);
    radiators_heat(d);
}

/* Returns where the k-th fan at a face begins, measured along the face, px. *each: length of one fan, px. */
static double spread(const wsk_drawing *d, wsk_face at, int k, double *each)
{
    bool upright = at == FRONT || at == REAR || at == WALL;
    double from = upright ? d->top + 12 : d->on->left + d->on->end,
           to = upright ? d->bottom - 12 : d->on->right - d->on->end;
    if (at == REAR)
        to = d->slots_y - 8;
    double step = fmin((to - from) / fmax(d->total[at], 1), 84);
    *each = fmin(step - fmin(5, step / 2), 74);
    double start = at == REAR ? from : from + (to - from - step * d->total[at]) / 2;
    return start + step * k;
}

static void fan_words(wsk_drawing *d, const wsk_mover *m, double x, double y, const char *css)
{
    wsk_report *r = d->r;
    FILE *o = r->out;
    fprintf(o, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\"><tspan class=\"b\">", css, x, y);
    const double end = x < d->on->left ? d->on->left - (d->on->wide ? 48 : 0) : d->on->width,
                 count_px = m->count > 1 ? 30 : 0;
    wsk_report_text(o, wsk_draw_brief(r, m->id, end - x - count_px));
    fputs("</tspan>", o);
    if (m->count > 1)
        fprintf(o, " × %d", m->count);
    fprintf(o, "<tspan x=\"%.1f\" dy=\"14\">", x);
    if (m->fails)
        fprintf(o, "<tspan class=\"b\">%s</tspan></tspan>", TR_("fails"));
    else
        fprintf(o, "%.0f rpm</tspan>", m->rpm);
    if (isfinite(m->flow))
        fprintf(
            o, "<tspan x=\"%.1f\" dy=\"14\">%s</tspan>", x,
            wsk_report_format(r, m->flow < 0 ? WSK_N("%1$.0f m³/h back") : "%1$.0f m³/h", WSK_ARG(fabs(m->flow))));
    fputs("</text>\n", o);
}

static void one_fan(wsk_drawing *d, double x, double y, double w, double h)
{
    fprintf(d->r->out, "<rect class=\"part\" rx=\"2\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", x, y,
            w, h);
    if (h > w)
        fprintf(d->r->out, "<path class=\"fin\" d=\"M%.1f %.1fl%.1f %.1fM%.1f %.1fl%.1f %.1f\"/>", x + 2, y + 3,
                w - 4, h - 6, x + w - 2, y + 3, 4 - w, h - 6);
    else
        fprintf(d->r->out, "<path class=\"fin\" d=\"M%.1f %.1fl%.1f %.1fM%.1f %.1fl%.1f %.1f\"/>", x + 3, y + 2,
                w - 6, h - 4, x + 3, y + h - 2, w - 6, 4 - h);
}

static void radiator(wsk_drawing *d, const wsk_mover *m, double x, double y, double w, double h)
{
    char colour[8];
    bool dark = true;
    double cx = x + w / 2, cy = y + h / 2;
    wsk_draw_rect(d, x, y, w, h, m->radiator_c, "rx=\"2\"");
    if (!isfinite(m->radiator_c) || fmax(w, h) < 56)
        return;
    wsk_report_heat(m->radiator_c, colour, &dark);
    fprintf(d->r->out, "<text class=\"c %s\" x=\"%.1f\" y=\"%.1f\"", dark ? "on-d" : "on-l", cx, cy + 4);
    if (h > w)
        fprintf(d->r->out, " transform=\"rotate(-90 %.1f %.1f)\"", cx, cy);
    fprintf(d->r->out, ">%s", wsk_tr(d->r->lang, "radiator"));
    if (fmax(w, h) > 100)
        fprintf(d->r->out, " %.1f °C", m->radiator_c);
    fputs("</text>\n", d->r->out);
}

/* a, p, last and mid are positions along the face; edge and q are positions across the face. */
static void draw_mover(wsk_drawing *d, const wsk_mover *m)
{
    double each, a = spread(d, m->at, m->first, &each),
                 last = spread(d, m->at, m->first + m->count - 1, &each) + each, mid = (a + last) / 2;
    bool in = m->in != (m->flow < 0); /* with negative flow, air flows backwards through the fan */
    double out_c = in ? d->room_c : d->air_c;
    bool upright = m->at == FRONT || m->at == REAR || m->at == WALL;
    double edge = m->at == FRONT  ? d->on->left + 3
                  : m->at == WALL ? d->on->left + d->on->slots - 42
                  : m->at == REAR ? d->on->right - 17
                  : m->at == TOP  ? d->top + 3
                                  : d->bottom - 17;
    double way = m->at == REAR || m->at == BOTTOM ? -1 : 1;
    if (m->at == SIDE) {
        double y = d->bottom - d->reach[BOTTOM] - 34;
        for (int i = 0; i < m->count; i++)
            fprintf(d->r->out, "<circle class=\"open\" cx=\"%d\" cy=\"%.1f\" r=\"24\"/>",
                    d->on->left + 60 + 52 * (m->first + i), y);
        fan_words(d, m, d->on->left + 92 + 52 * (m->first + m->count - 1), y - 10, "halo");
        return;
    }
    if (m->core)
        radiator(d, m, upright ? edge : a, upright ? a : edge, upright ? 24 : last - a, upright ? last - a : 24);
    for (int i = 0; i < m->count; i++) {
        double p = spread(d, m->at, m->first + i, &each),
               q = edge + way * (m->core ? 28 : 0) + (way < 0 && m->core ? 10 : 0);
        one_fan(d, upright ? q : p, upright ? p : q, upright ? 14 : each, upright ? each : 14);
    }
    switch (m->at) {
    case FRONT:
    case WALL:
        wsk_draw_arrow(d, in ? d->on->left - 48 : d->on->left - 4, mid, in ? 44 : -44, 0, m->flow, out_c);
        fan_words(d, m, d->on->margin, mid + d->on->words, "");
        break;
    case REAR:
        wsk_draw_arrow(d, in ? d->on->right + 52 : d->on->right + 4, mid, in ? -48 : 48, 0, m->flow, out_c);
        fan_words(d, m, d->on->right + d->on->beside, mid + d->on->words, "");
        break;
    case TOP:
        wsk_draw_arrow(d, mid, in ? d->top - 46 : d->top - 4, 0, in ? 42 : -42, m->flow, out_c);
        fan_words(d, m, mid + 16, d->top - 38, "");
        break;
    default:
        wsk_draw_arrow(d, mid, in ? d->bottom + 46 : d->bottom + 4, 0, in ? -42 : 42, m->flow, out_c);
        fan_words(d, m, mid + 16, d->bottom + 18, "");
    }
}

/* Draws one arrow for the air through all vents and PSUs together: the intake flow of all fans minus their exhaust
 * flow, GPU blowers included. */
static void vents(wsk_drawing *d)
{
    wsk_report *r = d->r;
    double rest = 0;
    char fan[264];
    int v = wsk_elements_next(r->rig, "vent", -1, d->chassis), k;
    for (int i = 0; i < d->n_movers; i++)
        rest += (d->movers[i].in ? 1 : -1) * (isfinite(d->movers[i].flow) ? d->movers[i].flow : 0);
    for (int e = -1; (e = wsk_elements_next(r->rig, "cooler", e, d->chassis)) >= 0;) {
        snprintf(fan, sizeof fan, "%s.fan", wsk_elements_id(r->rig, r->rig->items[e].parent));
        if (r->rig->items[e].look && r->rig->items[e].look->air == WSK_AIR_OUT &&
            (k = wsk_draw_listed(r, WSK_R_FAN_ID, fan)) >= 0)
            rest -= wsk_report_result(r, WSK_R_FAN_FLOW, (size_t)k);
    }
    if (d->frame || !(fabs(rest) >= 1))
        return;
    bool psu = wsk_elements_next(r->rig, "psu", -1, d->chassis) >= 0;
    bool out = rest > 0, up = wsk_draw_face(r->rig, v, REAR) == TOP, front = wsk_draw_face(r->rig, v, REAR) == FRONT;
    double s = front ? -1 : 1, x = up      ? (d->on->left + d->on->right) / 2.0 + 70
                                   : front ? d->on->left - 4
                                           : d->on->right + 4;
    double y = up ? d->top - 4 : v < 0 && psu ? d->bottom - WSK_PSU_H / 2.0 - 6 - d->reach[BOTTOM] : d->bottom - 58;
    if (up)
        wsk_draw_arrow(d, x, out ? y : y - 38, 0, out ? -38 : 38, rest, out ? d->air_c : d->room_c);
    else
        wsk_draw_arrow(d, out ? x : x + s * 44, y, out ? s * 44 : -s * 44, 0, rest, out ? d->air_c : d->room_c);
    x = up ? x + 16 : front ? d->on->margin : d->on->right + d->on->beside, y = up ? d->top - 34 : y + d->on->words;
    fprintf(r->out, "<text x=\"%.1f\" y=\"%.1f\"><title>%s</title><tspan class=\"b\">%s</tspan>", x, y,
            TR_("Net flow of the case’s fans and the blowers, in minus out"),
            v >= 0 ? TR_("vents")
            : psu  ? TR_("PSU")
                   : TR_("leaks"));
    if (v >= 0 && psu)
        fprintf(r->out, "<tspan x=\"%.1f\" dy=\"14\">%s</tspan>", x, TR_("and PSU"));
    fprintf(r->out, "<tspan x=\"%.1f\" dy=\"14\">%.0f m³/h</tspan></text>\n", x, fabs(rest));
}

void wsk_draw_fans(wsk_drawing *d)
{
    for (int i = 0; i < d->n_movers; i++)
        draw_mover(d, &d->movers[i]);
    vents(d);
}
