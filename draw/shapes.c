/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "draw/chassis.h"

int wsk_draw_listed(const wsk_report *r, wsk_result ids, const char *id)
{
    for (size_t i = 0; i < wsk_summary_count(r->summary, wsk_result_about(ids)->scope); i++)
        if (!strcmp(wsk_report_said(r, ids, i), id))
            return (int)i;
    return -1;
}

wsk_face wsk_draw_face(const wsk_elements *rig, int e, wsk_face otherwise)
{
    static const char *const names[WSK_FACES] = {"front", "rear", "top", "bottom", "side", "wall"};
    const char *at = wsk_elements_text(rig, e, "at");
    for (int i = 0; at && i < WSK_FACES; i++)
        if (!strcmp(at, names[i]))
            return (wsk_face)i;
    return otherwise;
}

void wsk_draw_rect(wsk_drawing *d, double x, double y, double w, double h, double celsius, const char *more)
{
    char colour[8];
    bool dark;
    fprintf(d->r->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" ", x, y, w, h);
    if (isfinite(celsius))
        fprintf(d->r->out, "class=\"edge\" fill=\"%s\" %s/>", wsk_report_heat(celsius, colour, &dark), more);
    else
        fprintf(d->r->out, "class=\"part\" %s/>", more);
}

const char *wsk_draw_brief(wsk_report *r, const char *id, double room_px)
{
    const double letter_px = 7.4;
    const size_t most = (size_t)fmax(room_px / letter_px, 5), half = (most - 1) / 2;
    if (strlen(id) <= most)
        return id;
    return wsk_report_format(r, "%1$s…%2$s", WSK_ARG(wsk_report_cut(r, id, wsk_utf8_cut(id, half))),
                             WSK_ARG(wsk_utf8_tail(id, half)));
}

double wsk_draw_width(const wsk_drawing *d, double flow)
{
    return d->most_flow > 0 ? 1.5 + 8.5 * fmin(fabs(flow) / d->most_flow, 1) : 2;
}

void wsk_draw_arrow(wsk_drawing *d, double x, double y, double dx, double dy, double flow, double celsius)
{
    if (fabs(flow) > 0.05)
        wsk_report_arrow(d->r->out, x, y, dx, dy, wsk_draw_width(d, flow), celsius);
}
