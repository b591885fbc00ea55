/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "draw/chassis.h"
#include "sim/base/slots.h"

typedef enum { IN_SLOT, IN_CASE, OUTSIDE } hanging;

typedef struct {
    int elem, index; /* elem: index in the rig; index: index in the summary */
    char id[256];
    wsk_look look;
    /* flow: of the fans on the card, m3/h (NAN: it has none); out_c: exhaust temperature, degC */
    double x, y, w, h, flow, out_c;
    hanging hangs;
    bool guessed, fails;
} board;

static bool told(const wsk_elements *rig, int e, const char *name)
{
    const wsk_attribute *a = wsk_elements_attribute(rig, e, name);
    return a && isfinite(a->value) && strcmp(a->origin->from, "default") != 0;
}

bool wsk_draw_card_told(const wsk_elements *rig, int e)
{
    return told(rig, e, "length") && told(rig, e, "thickness");
}

double wsk_draw_card_thickness(const wsk_drawing *d, int e)
{
    const wsk_elements *rig = d->r->rig;
    int cooler = wsk_elements_next(rig, "cooler", -1, e); /* a card is as thick as the cooler that it is given */
    double mm = cooler < 0 ? NAN : wsk_elements_number(rig, cooler, "thickness"),
           slots = cooler < 0 ? NAN : wsk_elements_number(rig, cooler, "slots");
    if (!(mm > 0) && !(slots > 0))
        mm = wsk_elements_number(rig, e, "thickness");
    slots = slots > 0 ? slots : wsk_elements_number(rig, e, "slots");
    return mm > 0 ? mm : wsk_slots_thickness_mm(isnan(slots) ? 2 : slots);
}

static hanging hanging_of(const wsk_drawing *d, int e)
{
    const char *at = wsk_elements_text(d->r->rig, e, "riser-at");
    if (d->frame || !(wsk_elements_number(d->r->rig, e, "riser") > 0))
        return IN_SLOT;
    return at && strcmp(at, "room") == 0 ? OUTSIDE : IN_CASE;
}

/* Sum of the thicknesses, px, of the cards that hang as `how` (in a slot, in the case or outside) and come before
 * element `end` in the rig, with the space below each card. */
static double hung_before(const wsk_drawing *d, hanging how, int end)
{
    const double apart = 10;
    double sum = 0;
    for (int e = -1; (e = wsk_elements_next(d->r->rig, "gpu", e, d->chassis)) >= 0 && e != end;)
        sum += hanging_of(d, e) == how ? wsk_draw_card_thickness(d, e) * d->px_mm + apart : 0;
    return sum;
}

double wsk_draw_hung_height(const wsk_drawing *d, bool outside)
{
    return hung_before(d, outside ? OUTSIDE : IN_CASE, -1);
}

static double length_of(const wsk_drawing *d, int e)
{
    double mm = wsk_elements_number(d->r->rig, e, "length");
    return mm > 0 ? mm : 267;
}

static bool read_board(const wsk_drawing *d, int e, board *b)
{
    const wsk_report *r = d->r;
    const wsk_elements *rig = r->rig;
    char fan[264];
    *b = (board){.elem = e, .flow = NAN, .out_c = NAN};
    snprintf(b->id, sizeof b->id, "%s", wsk_elements_id(rig, e));
    if ((b->index = wsk_draw_listed(r, WSK_R_GPU_ID, b->id)) < 0)
        return false;
    double pitch = wsk_elements_number(rig, d->chassis, "pitch"), slot = wsk_elements_number(rig, e, "slot");
    double share = length_of(d, e) / wsk_elements_number(rig, d->chassis, "card-length");
    b->h = wsk_draw_card_thickness(d, e) * d->px_mm;
    b->hangs = hanging_of(d, e);
    b->y = b->hangs == IN_SLOT ? d->slots_y + (slot - 1) * pitch * d->px_mm
                               : d->hung_y[b->hangs == OUTSIDE] + hung_before(d, b->hangs, e);
    b->w = (d->on->right - 8 - d->on->cards) * fmin(fmax(share, d->on->wide ? 0.42 : 0.93), 1);
    b->x = d->on->right - 8 - b->w;
    int cooler = wsk_elements_next(rig, "cooler", e, e);
    if (cooler >= 0 && rig->items[cooler].look)
        b->look = *rig->items[cooler].look;
    snprintf(fan, sizeof fan, "%s.fan", b->id);
    int m = wsk_draw_listed(r, WSK_R_FAN_ID, fan);
    b->fails = wsk_summary_flag(r->summary, WSK_R_FAN_FAILED, (size_t)m);
    if (m >= 0 && !b->look.radiator) {
        const double air_j_m3k = 1200;
        b->flow = wsk_report_result(r, WSK_R_FAN_FLOW, (size_t)m);
        b->out_c = wsk_report_result(r, WSK_R_GPU_INLET_MEAN, (size_t)b->index) +
                   wsk_report_result(r, WSK_R_GPU_POWER_MEAN, (size_t)b->index) / (air_j_m3k * b->flow / 3600);
        b->out_c = fmin(b->out_c, wsk_report_result(r, WSK_R_GPU_DIE_MEAN, (size_t)b->index));
    }
    b->guessed = !wsk_draw_card_told(rig, e);
    return isfinite(b->y + b->h + b->w);
}

static void intake_bar(wsk_drawing *d, int g, double x, double y, double w)
{
    static const struct {
        wsk_result share;
        const char *css;
    } from[] = {{WSK_R_GPU_FROM_ROOM, "room"},
                {WSK_R_GPU_FROM_CASE, "case"},
                {WSK_R_GPU_FROM_NEIGHBOUR, "near"},
                {WSK_R_GPU_FROM_OWN, "own"}};
    double at = 0;
    for (int k = 0; k < 4; k++) {
        double s = wsk_report_result(d->r, from[k].share, (size_t)g);
        if (!(s > 0))
            continue;
        fprintf(d->r->out, "<rect class=\"f-%s edge\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"7\"/>",
                from[k].css, x + at * w, y, s * w);
        at += s;
    }
}

static const char *name_of(wsk_report *r, const board *b, double die, double clock)
{
    if (!r->point)
        return wsk_report_format(r, "%1$s: GPU temperature up to %2$.1f °C, %3$.1f °C on average", WSK_ARG(b->id),
                                 WSK_ARG(die), WSK_ARG(wsk_report_result(r, WSK_R_GPU_DIE_MEAN, (size_t)b->index)));
    return isfinite(clock) ? wsk_report_format(r, "%1$s: GPU temperature %2$.1f °C, clock %3$.0f MHz", WSK_ARG(b->id),
                                               WSK_ARG(die), WSK_ARG(clock))
                           : wsk_report_format(r, "%1$s: GPU temperature %2$.1f °C", WSK_ARG(b->id), WSK_ARG(die));
}

static void card(wsk_drawing *d, int e)
{
    wsk_report *r = d->r;
    FILE *o = r->out;
    char colour[8];
    board b;
    if (!read_board(d, e, &b))
        return;
    double x = b.x, y = b.y, w = b.w, h = b.h, die = wsk_report_result(r, WSK_R_GPU_DIE_MAX, (size_t)b.index),
           clock = wsk_report_result(r, WSK_R_GPU_CLOCK_MEAN, (size_t)b.index),
           rpm = wsk_report_result(r, WSK_R_GPU_FAN_MEAN, (size_t)b.index);
    bool dark = true;
    /* temperature_px: room for " max 100.0 °C" and the margins. id_px, name_px: width of a letter. */
    const double temperature_px = 104, id_px = 7.4, name_px = 7;
    wsk_report_open_part(r, b.id, name_of(r, &b, die, clock));
    wsk_draw_rect(d, x, y, w, h, die, "rx=\"3\"");
    if (b.guessed)
        fprintf(o, "<rect class=\"guess\" rx=\"3\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", x, y, w,
                h);
    fprintf(o, "<path class=\"wall\" d=\"M%d %.1fV%.1f\"/>", d->on->right - 6, y, y + h);
    if (isfinite(die))
        wsk_report_heat(die, colour, &dark);
    const char *ink = dark ? "on-d" : "on-l";
    fprintf(o, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\"><tspan class=\"b\">", ink, x + 7, y + 14);
    const char *id = wsk_draw_brief(r, b.id, w - temperature_px);
    wsk_report_text(o, id);
    fputs("</tspan> ", o);
    if (isfinite(die))
        wsk_report_put(r, r->point ? "%1$.1f °C" : WSK_N("max %1$.1f °C"), WSK_ARG(die));
    const char *name = wsk_elements_text(r->rig, e, "name");
    if (w > 300 && name && strlen(name) < 64 &&
        id_px * (double)strlen(id) + name_px * (double)strlen(name) + temperature_px < w) {
        fprintf(o, "</text><text class=\"e %s\" x=\"%.1f\" y=\"%.1f\">", ink, x + w - 10, y + 14);
        wsk_report_text(o, name);
    }
    fprintf(o, "</text><text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%.0f W", ink, x + 7, y + 28,
            wsk_report_result(r, WSK_R_GPU_POWER_MEAN, (size_t)b.index));
    if (b.fails)
        fprintf(o, ", <tspan class=\"b\">%s</tspan>", TR_("its fan fails"));
    else if (isfinite(rpm))
        wsk_report_put(r, d->on->wide ? WSK_N(", fan %1$.0f rpm") : ", %1$.0f rpm", WSK_ARG(rpm));
    if (b.look.label)
        fprintf(o, ", %s", TR_(b.look.label));
    if (b.hangs != IN_SLOT)
        fprintf(o, ", %s", TR_("on a riser"));
    if (r->point && w > 300 && isfinite(clock))
        fprintf(o, "</text><text class=\"e %s\" x=\"%.1f\" y=\"%.1f\">%.0f MHz", ink, x + w - 10, y + 28, clock);
    fputs("</text>", o);
    intake_bar(d, b.index, x + 1, y + h - 8, w - 2);
    fputs("</g>\n", o);
    if (b.look.air == WSK_AIR_OUT && isfinite(b.flow)) {
        wsk_draw_arrow(d, d->on->right + 4, y + h / 2, 40, 0, b.flow, b.out_c);
        fprintf(o, "<text x=\"%d\" y=\"%.1f\">%.0f m³/h</text>\n", d->on->right + (d->on->wide ? 52 : 6),
                y + h / 2 + (d->on->wide ? 4 : 17), b.flow);
    }
}

static bool next_board(const wsk_drawing *d, const board *of, int way, board *out)
{
    board b;
    bool found = false;
    for (int e = -1; (e = wsk_elements_next(d->r->rig, "gpu", e, d->chassis)) >= 0;)
        if (read_board(d, e, &b) && way * (b.y - of->y) > 0 && (!found || way * (b.y - out->y) < 0)) {
            *out = b;
            found = true;
        }
    return found;
}

/* Draws the arrows of a card's intake and exhaust air, and the hook of a neighbour's exhaust into its intake. Exhaust
 * that returns to the card's own intake is shown only in its intake bar. A blower gets the hook only: card() draws the
 * arrow of its exhaust. */
static void card_air(wsk_drawing *d, int e)
{
    wsk_report *r = d->r;
    board b, other;
    if (!read_board(d, e, &b) || !(b.flow > 0))
        return;
    double own = fmax(wsk_report_result(r, WSK_R_GPU_FROM_OWN, (size_t)b.index), 0),
           near = wsk_report_result(r, WSK_R_GPU_FROM_NEIGHBOUR, (size_t)b.index);
    double fresh = fmax(1 - own - fmax(near, 0), 0) * b.flow, out = (1 - own) * b.flow,
           long_px = d->on->wide ? 34 : 24;
    if (next_board(d, &b, -1, &other) && other.flow > 0)
        out -= fmax(wsk_report_result(r, WSK_R_GPU_FROM_NEIGHBOUR, (size_t)other.index), 0) * other.flow;
    if (b.look.air != WSK_AIR_OUT) {
        fputs("<g><title>", r->out);
        wsk_report_put(r, "%1$s: %2$.0f m³/h through its cooler", WSK_ARG(b.id), WSK_ARG(b.flow));
        fputs("</title>", r->out);
        wsk_draw_arrow(d, b.x - long_px, b.y + b.h * 0.28, long_px - 1, 0, fresh,
                       d->frame || b.hangs == OUTSIDE ? d->room_c : d->air_c);
        if (out > 0)
            wsk_draw_arrow(d, b.x - 1, b.y + b.h * 0.62, 1 - long_px, 0, out, b.out_c);
        fputs("</g>\n", r->out);
    }
    if (!(near > 0.005) || !next_board(d, &b, 1, &other))
        return;
    fputs("<g><title>", r->out);
    wsk_report_put(r, "%1$s’s exhaust into %2$s: %3$.0f m³/h", WSK_ARG(other.id), WSK_ARG(b.id),
                   WSK_ARG(near * b.flow));
    fputs("</title>", r->out);
    wsk_report_hook(r->out, other.x - 1, other.y + other.h * 0.62, b.x - 1, b.y + b.h - 4, long_px * 0.7,
                    wsk_draw_width(d, near * b.flow), other.out_c);
    fputs("</g>\n", r->out);
}

void wsk_draw_cards(wsk_drawing *d)
{
    for (int e = -1; (e = wsk_elements_next(d->r->rig, "gpu", e, d->chassis)) >= 0;)
        card(d, e);
    for (int e = -1; (e = wsk_elements_next(d->r->rig, "gpu", e, d->chassis)) >= 0;)
        card_air(d, e);
}
