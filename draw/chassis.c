/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "draw/chassis.h"

enum { CPU_H = 84 };
static const wsk_layout wide = {"draw wide", true, 870, 162, 730, 288, 72, 60, 4, 60, -12},
                        phone = {"draw phone", false, 400, 92, 332, 180, 60, 16, 2, 6, 22};

static void put_text(wsk_report *r, const char *css, double x, double y, const char *text)
{
    fprintf(r->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", css, x, y);
    wsk_report_text(r->out, text);
    fputs("</text>\n", r->out);
}

static void shell(wsk_drawing *d)
{
    wsk_report *r = d->r;
    FILE *o = r->out;
    char colour[8];
    bool dark;
    if (!d->frame && isfinite(d->air_c))
        fprintf(o, "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" opacity=\".3\" fill=\"%s\"/>", d->on->left,
                d->top, d->on->right - d->on->left, d->bottom - d->top, wsk_report_heat(d->air_c, colour, &dark));
    fprintf(o, "<rect class=\"%s\" rx=\"4\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>\n",
            d->frame ? "open" : "wall", d->on->left, d->top, d->on->right - d->on->left, d->bottom - d->top);
    for (int v = -1; (v = wsk_elements_next(r->rig, "vent", v, d->chassis)) >= 0;) {
        wsk_face at = wsk_draw_face(r->rig, v, REAR);
        double y0 = d->bottom - 70, y1 = d->bottom - 20;
        switch (at) {
        case FRONT: fprintf(o, "<path class=\"vent\" d=\"M%d %.1fV%.1f\"/>", d->on->left, y0, y1); break;
        case REAR:
            fprintf(o, "<path class=\"vent\" d=\"M%d %.1fV%.1f\"/>", d->on->right, d->slots_y, d->bottom - 60);
            break;
        case TOP:
            fprintf(o, "<path class=\"vent\" d=\"M%d %.1fH%d\"/>", d->on->left + 40, d->top, d->on->right - 40);
            break;
        case BOTTOM:
            fprintf(o, "<path class=\"vent\" d=\"M%d %.1fH%d\"/>", d->on->left + 40, d->bottom, d->on->right - 40);
            break;
        default: break;
        }
    }
    const char *rear = wsk_elements_next(r->rig, "rear-door", -1, d->chassis) >= 0 ? TR_("rear door") : TR_("rear");
    for (int i = 0; i < 2; i++)
        fprintf(o, "<text class=\"m %s\" x=\"%d\" y=\"%.1f\">%s</text>", i ? "e" : "",
                i ? d->on->right - 4 : d->on->left + 4, d->bottom + 15, i ? rear : TR_("front"));
    double pitch = wsk_elements_number(r->rig, d->chassis, "pitch") * d->px_mm,
           slots = wsk_elements_number(r->rig, d->chassis, "slots");
    fprintf(o, "<text class=\"m e\" x=\"%d\" y=\"%.1f\">%s</text>",
            d->on->left + d->on->slots + (d->on->wide ? 0 : 10), d->slots_y - 4, TR_("slot"));
    for (int s = 0; s < slots && s < 64; s++) {
        fprintf(o, "<path class=\"slot\" d=\"M%d %.1fH%d\"/>", d->on->left + d->on->slots + 4, d->slots_y + s * pitch,
                d->on->right - 8);
        if (pitch > 13 || s % 2 == 0)
            fprintf(o, "<text class=\"m e\" x=\"%d\" y=\"%.1f\">%d</text>", d->on->left + d->on->slots,
                    d->slots_y + s * pitch + 11, s + 1);
    }
    fputc('\n', o);
}

static void rear_door(wsk_drawing *d)
{
    wsk_report *r = d->r;
    const int door = wsk_elements_next(r->rig, "rear-door", -1, d->chassis),
              k = wsk_draw_listed(r, WSK_R_CASE_ID, wsk_elements_id(r->rig, d->chassis));
    if (door < 0)
        return;
    const double taken_w = k >= 0 ? wsk_report_result(r, WSK_R_CASE_DOOR, (size_t)k) : NAN;
    fputs("<g>", r->out);
    if (isfinite(taken_w))
        fprintf(r->out, "<title>%s</title>",
                wsk_report_format(r, TR_("The rear door takes %1$.0f W"), WSK_ARG(taken_w)));
    for (int x = 4; x <= 10; x += 3)
        fprintf(r->out, "<path class=\"fin\" fill=\"none\" d=\"M%d %.1fV%.1f\"/>", d->on->right + x, d->top,
                d->bottom);
    fputs("</g>\n", r->out);
}

static bool is_bath(const wsk_elements *rig, int chassis, int loop)
{
    for (int e = -1; (e = wsk_elements_next(rig, "cooler", e, chassis)) >= 0;) {
        const char *named = wsk_elements_text(rig, e, "loop");
        if (rig->items[e].look && rig->items[e].look->bath && (!named || !strcmp(named, wsk_elements_id(rig, loop))))
            return true;
    }
    return false;
}

static void bath(wsk_drawing *d)
{
    wsk_report *r = d->r;
    int loop = wsk_elements_next(r->rig, "loop", -1, d->chassis);
    while (loop >= 0 && !is_bath(r->rig, d->chassis, loop))
        loop = wsk_elements_next(r->rig, "loop", loop, d->chassis);
    if (loop < 0)
        return;
    int k = wsk_draw_listed(r, WSK_R_LOOP_ID, wsk_elements_id(r->rig, loop));
    double coolant_c = k >= 0 ? wsk_report_result(r, WSK_R_LOOP_COOLANT_MEAN, (size_t)k) : NAN,
           y = d->top + d->reach[TOP] + 6,
           end = d->bottom - (wsk_elements_next(r->rig, "psu", -1, d->chassis) >= 0 ? WSK_PSU_H + 10 : 0);
    char colour[8];
    bool dark;
    if (isfinite(coolant_c))
        fprintf(r->out, "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" opacity=\".45\" fill=\"%s\"/>",
                d->on->left + 2, y, d->on->right - d->on->left - 4, end - y,
                wsk_report_heat(coolant_c, colour, &dark));
    fprintf(r->out, "<path class=\"fin\" fill=\"none\" d=\"M%d %.1f", d->on->left + 2, y);
    for (int x = d->on->left + 2; x + 24 <= d->on->right - 2; x += 24)
        fputs("q6 -5 12 0t12 0", r->out);
    fputs("\"/>\n", r->out);
}

/* Temperature of a processor, degC: in a run its highest, at one time of a run its present one. A steady point has only
 * that of the hottest processor, so that it is unknown where the rig has several. */
static double processor_c(const wsk_report *r, const char *id)
{
    const int first = wsk_elements_next(r->rig, "cpu", -1, -1);
    double c = NAN;
    if (r->run) {
        char name[264];
        snprintf(name, sizeof name, "%s.%s", id, wsk_var_about(WSK_VAR_CASE_CPU_C)->name);
        return wsk_run_get(r->run, name, &c) == WSK_OK ? c : NAN;
    }
    if (r->point)
        return wsk_elements_next(r->rig, "cpu", first, -1) < 0 ? wsk_report_result(r, WSK_R_CPU_MAX, 0) : NAN;
    const int v = wsk_record_find(r->series, WSK_VAR_CASE_CPU_C, id);
    for (size_t i = 0; v >= 0 && i < r->series->rows; i++)
        c = fmax(c, wsk_record_value(r->series, i, v, WSK_STAT_MAX));
    return c;
}

static void processors(wsk_drawing *d)
{
    wsk_report *r = d->r;
    char colour[8];
    bool dark = true;
    double x = d->on->wide ? 410 : d->on->left + 52, y = d->top + d->reach[TOP] + 14, w = d->on->wide ? 135 : 94;
    for (int e = -1; (e = wsk_elements_next(r->rig, "cpu", e, d->chassis)) >= 0; x += w + (d->on->wide ? 10 : 6)) {
        const char *id = wsk_elements_id(r->rig, e);
        const double top = processor_c(r, id);
        wsk_draw_rect(d, x, y, w, 54, top, "rx=\"3\"");
        if (isfinite(top))
            wsk_report_heat(top, colour, &dark);
        fprintf(r->out, "<text class=\"c b %s\" x=\"%.1f\" y=\"%.1f\">", dark ? "on-d" : "on-l", x + w / 2, y + 24);
        wsk_report_text(r->out, id);
        fputs("</text>", r->out);
        if (isfinite(top))
            put_text(r, dark ? "c on-d" : "c on-l", x + w / 2, y + 40,
                     wsk_report_format(r,
                                       r->point      ? "%1$.1f °C"
                                       : d->on->wide ? WSK_N("max %1$.1f °C")
                                                     : WSK_N("max %1$.0f °C"),
                                       WSK_ARG(top)));
    }
}

static void draw_psus(wsk_drawing *d)
{
    wsk_report *r = d->r;
    int n = 0, i = 0;
    for (int e = -1; (e = wsk_elements_next(r->rig, "psu", e, d->chassis)) >= 0;)
        n++;
    double w = fmin((d->on->right - d->on->left - 2 * d->on->end) / fmax(n, 1), 170),
           y = d->bottom - WSK_PSU_H - 6 - d->reach[BOTTOM];
    for (int e = -1; (e = wsk_elements_next(r->rig, "psu", e, d->chassis)) >= 0; i++) {
        double x = d->on->right - 8 - w * (n - i);
        const char *id = wsk_elements_id(r->rig, e);
        int k = wsk_draw_listed(r, WSK_R_PSU_ID, id);
        const bool fails = wsk_summary_flag(r->summary, WSK_R_PSU_FAILED, (size_t)k);
        const char *load = k < 0 ? "" : wsk_report_percent(r, wsk_report_result(r, WSK_R_PSU_LOAD_MEAN, (size_t)k));
        const char *state = fails ? TR_("fails") : k < 0 ? "" : wsk_report_format(r, "load %1$s", WSK_ARG(load));
        wsk_report_open_part(r, id, wsk_report_pair(r, id, state));
        fprintf(r->out,
                "<rect class=\"part\" rx=\"3\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/><text class=\"b\" "
                "x=\"%.1f\" y=\"%.1f\">",
                x, y, w - 8, WSK_PSU_H, x + 7, y + 19);
        const char *on = wsk_elements_text(r->rig, e, "on");
        const double room_px = w - 16, half_px = (room_px - 30) / 2;
        wsk_report_text(r->out, on && w > 100
                                    ? wsk_report_format(r, "%1$s on %2$s", WSK_ARG(wsk_draw_brief(r, id, half_px)),
                                                        WSK_ARG(wsk_draw_brief(r, on, half_px)))
                                    : wsk_draw_brief(r, id, room_px));
        fputs("</text>", r->out);
        if (fails || w > 100)
            put_text(r, fails ? "b" : "", x + 7, y + 35, state);
        fputs("</g>\n", r->out);
    }
}

static void scale(wsk_drawing *d, double y)
{
    char colour[8];
    bool dark;
    wsk_report *r = d->r;
    FILE *o = r->out;
    int x = d->on->wide ? d->on->left : 14;
    for (int t = 15; t < 105; t += 5)
        fprintf(o, "<rect x=\"%d\" y=\"%.1f\" width=\"18.5\" height=\"11\" fill=\"%s\"/>", x + (t - 15) * 18 / 5, y,
                wsk_report_heat(t + 2.5, colour, &dark));
    for (int t = 15; t <= 105; t += 15)
        fprintf(o, "<text class=\"m c\" x=\"%d\" y=\"%.1f\">%d%s</text>", x + (t - 15) * 18 / 5, y + 25, t,
                t == 105 ? " °C" : "");
    put_text(r, "m", d->on->wide ? x + 370 : x, y + (d->on->wide ? 10 : 42), TR_("thicker arrow: more air"));
}

static void draw(wsk_report *r, int chassis, const char *id, const wsk_layout *on)
{
    wsk_drawing d = {.r = r, .chassis = chassis, .on = on};
    char box[224];
    const char *side = wsk_elements_text(r->rig, chassis, "side-panel");
    double thin = INFINITY, pitch = wsk_elements_number(r->rig, chassis, "pitch"),
           slots = wsk_elements_number(r->rig, chassis, "slots");
    int cards = 0, k = wsk_draw_listed(r, WSK_R_CASE_ID, id);
    d.frame = (r->rig->items[chassis].traits & WSK_TRAIT_OPEN) != 0;
    d.air_c = k >= 0 && !d.frame ? wsk_report_result(r, WSK_R_CASE_AIR, (size_t)k) : NAN;
    d.room_c = wsk_report_result(r, WSK_R_ROOM_MEAN, 0);
    for (int e = -1; (e = wsk_elements_next(r->rig, "gpu", e, chassis)) >= 0; cards++)
        thin = fmin(thin, wsk_draw_card_thickness(&d, e));
    if (!(pitch > 0) || !(slots > 0))
        return;
    d.px_mm = isfinite(thin) ? fmin(42 / thin, 1400 / (slots * pitch)) : 20 / pitch;
    wsk_draw_find_fans(&d);
    int vent = wsk_elements_next(r->rig, "vent", -1, chassis);
    d.top = d.total[TOP] || (!d.frame && vent >= 0 && wsk_draw_face(r->rig, vent, REAR) == TOP) ? 66 : 24;
    d.slots_y = d.top + d.reach[TOP] + CPU_H;
    double gap = wsk_elements_number(r->rig, chassis, "wall-gap");
    bool psu = wsk_elements_next(r->rig, "psu", -1, chassis) >= 0;
    d.bottom = d.slots_y + (slots * pitch + (isfinite(gap) ? fmin(gap, 60) : 20)) * d.px_mm +
               (psu ? WSK_PSU_H + 10 : 0) + d.reach[BOTTOM];
    for (int i = 0; i < d.n_movers; i++)
        d.bottom = fmax(d.bottom, d.top + 30 + 22 * fmax(d.total[FRONT], d.total[WALL]));
    const double hung = wsk_draw_hung_height(&d, false), outside = wsk_draw_hung_height(&d, true);
    d.hung_y[0] = d.slots_y + slots * pitch * d.px_mm + 6;
    d.bottom += hung;
    d.hung_y[1] = d.bottom + (d.total[BOTTOM] ? 66 : 26);
    double height = d.bottom + (d.total[BOTTOM] ? 66 : 26) + 34 + outside, foot = on->wide ? 0 : 18;
    int used = snprintf(box, sizeof box, "class=\"%s\" viewBox=\"0 0 %d %.0f\"", on->css, on->width, height + foot);
    /* On the page of a steady point (r->point) the user can drag a card to another slot, for which the page's script
     * must know the positions of the slots. */
    if (r->point)
        snprintf(box + used, sizeof box - (size_t)used,
                 " data-slots-y=\"%.1f\" data-pitch=\"%.2f\" data-slots=\"%.0f\"", d.slots_y, pitch * d.px_mm, slots);
    fputs("<figure>\n", r->out);
    wsk_report_svg(
        r, box, TR_("The machine and its air"),
        wsk_report_format(r,
                          "Side view, front at the left, slot 1 at the top. Cards in their slots: %1$d, coloured "
                          "by highest GPU temperature. Fans, radiators and PSUs are at their places.",
                          WSK_ARG(cards)));
    shell(&d);
    rear_door(&d);
    bath(&d);
    draw_psus(&d);
    processors(&d);
    wsk_draw_cards(&d);
    wsk_draw_fans(&d);
    bool open = side && !strcmp(side, "open");
    if (isfinite(d.air_c))
        put_text(r, "", on->wide ? on->left + 68.0 : 120, on->wide ? d.top + d.reach[TOP] + 22 : 16,
                 wsk_report_format(r,
                                   open ? WSK_N("air in the case %1$.1f °C, side panel open")
                                        : WSK_N("air in the case %1$.1f °C"),
                                   WSK_ARG(d.air_c)));
    if (isfinite(d.room_c))
        put_text(r, "", 4, 16, wsk_report_format(r, "room %1$.1f °C", WSK_ARG(d.room_c)));
    scale(&d, height - 30);
    fputs("</svg></figure>\n", r->out);
}

static bool breathes(const wsk_report *r, wsk_result share)
{
    double most = 0;
    for (size_t i = 0; i < wsk_summary_count(r->summary, WSK_SCOPE_GPU); i++)
        most = fmax(most, wsk_report_result(r, share, i));
    return most > 0.005;
}

static bool any_breathes_around(const wsk_report *r)
{
    for (int e = -1; (e = wsk_elements_next(r->rig, "cooler", e, -1)) >= 0;)
        if (r->rig->items[e].look && r->rig->items[e].look->air == WSK_AIR_AROUND)
            return true;
    return false;
}

static void key_item(wsk_report *r, const char *text)
{
    fprintf(r->out, "<li>%s</li>", text);
}

static void key(wsk_report *r)
{
    static const struct {
        wsk_result share;
        const char *css, *name;
    } air[] = {{WSK_R_GPU_FROM_ROOM, "room", WSK_N("room")},
               {WSK_R_GPU_FROM_CASE, "case", WSK_N("case")},
               {WSK_R_GPU_FROM_NEIGHBOUR, "near", WSK_N("neighbour’s exhaust")},
               {WSK_R_GPU_FROM_OWN, "own", WSK_N("own exhaust")}};
    fputs("<ul class=\"key\">", r->out);
    if (!r->point)
        key_item(r, TR_("Colours: highest temperatures of the run; of air and coolant the mean"));
    if (wsk_summary_known(r->summary, WSK_R_GPU_FROM_ROOM, 0)) {
        if (any_breathes_around(r))
            key_item(r,
                     breathes(r, WSK_R_GPU_FROM_NEIGHBOUR)
                         ? TR_("Arrows at a card’s end: air it takes from around it and gives back, and, hooked, the "
                               "exhaust of the card below")
                         : TR_("Arrows at a card’s end: air it takes from around it and gives back"));
        fputs("</ul>\n<ul class=\"key\">", r->out);
        key_item(r, TR_("Bar along a card: where its intake air comes from"));
        for (int k = 0; k < 4; k++)
            if (breathes(r, air[k].share))
                fprintf(r->out, "<li><i class=\"sq f-%s\"></i>%s</li>", air[k].css, TR_(air[k].name));
    }
    for (int e = -1; (e = wsk_elements_next(r->rig, "gpu", e, -1)) >= 0;)
        if (!wsk_draw_card_told(r->rig, e)) {
            key_item(r, TR_("Dashed outline: size unknown, drawn like a usual card"));
            break;
        }
    fputs("</ul>\n", r->out);
}

void wsk_report_chassis(wsk_report *r)
{
    int first = wsk_elements_next(r->rig, "chassis", -1, -1);
    if (first < 0)
        return;
    wsk_report_open_section(r, TR_("The machine"));
    for (int c = first; c >= 0; c = wsk_elements_next(r->rig, "chassis", c, -1)) {
        const char *name = wsk_elements_id(r->rig, c);
        if (c != first || wsk_elements_next(r->rig, "chassis", c, -1) >= 0) {
            fputs("<h3>", r->out);
            wsk_report_text(r->out, name);
            fputs("</h3>\n", r->out);
        }
        if (!r->point || !r->narrow)
            draw(r, c, name, &wide);
        if (!r->point || r->narrow)
            draw(r, c, name, &phone);
    }
    for (size_t i = 0; i < wsk_summary_count(r->summary, WSK_SCOPE_LOOP); i++) {
        const char *id = wsk_report_said(r, WSK_R_LOOP_ID, i);
        int loop = wsk_elements_find(r->rig, id), parent = loop >= 0 ? r->rig->items[loop].parent : -1;
        bool in_bath = parent >= 0 && is_bath(r->rig, parent, loop);
        fputs("<p>", r->out);
        wsk_report_put(
            r,
            in_bath ? WSK_N("Coolant of %1$s: %2$.1f °C below the cards, max %3$.1f °C above them, %4$.1f l/min.")
                    : WSK_N("Coolant of %1$s: %2$.1f °C to the blocks, max %3$.1f °C behind them, %4$.1f l/min."),
            WSK_ARG(id), WSK_ARG(wsk_report_result(r, WSK_R_LOOP_COOLANT_MEAN, i)),
            WSK_ARG(wsk_report_result(r, WSK_R_LOOP_RETURN_MAX, i)),
            WSK_ARG(wsk_report_result(r, WSK_R_LOOP_FLOW, i)));
        fputs("</p>\n", r->out);
    }
    key(r);
    fputs("</section>\n", r->out);
}
