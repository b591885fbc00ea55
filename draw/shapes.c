/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boxes, arrows and places: what all parts of the machine are drawn with. */
#include <math.h>
#include <string.h>

#include "draw/chassis.h"

int wsk_draw_listed(const wsk_report *r, const char *list, const char *id)
{
    char other[256];
    for (size_t i = 0; i < wsk_report_count(r, list); i++) {
        wsk_report_json_text(r, other, sizeof other, "%s[%zu].id", list, i);
        if (!strcmp(other, id))
            return (int)i;
    }
    return -1;
}

bool wsk_draw_fails(const wsk_report *r, const char *list, int at)
{
    char path[64];
    snprintf(path, sizeof path, "%s[%d].failed", list, at);
    return at >= 0 && wsk_report_true(r, path);
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

double wsk_draw_width(const wsk_drawing *d, double flow)
{
    return d->most_flow > 0 ? 1.5 + 8.5 * fmin(fabs(flow) / d->most_flow, 1) : 2;
}

void wsk_draw_arrow(wsk_drawing *d, double x, double y, double dx, double dy, double flow, double celsius)
{
    if (fabs(flow) > 0.05)
        wsk_report_arrow(d->r->out, x, y, dx, dy, wsk_draw_width(d, flow), celsius);
}
