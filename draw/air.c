/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrows of air in the drawing of a machine. Their colour shows the air temperature, and an outline makes them visible
 * on any background. */
#include <math.h>

#include "draw/report.h"

enum { UNKNOWN_C = 25 };

void wsk_report_arrow(FILE *out, double x, double y, double dx, double dy, double width, double celsius)
{
    char colour[8];
    bool dark;
    double len = hypot(dx, dy), ux = dx / len, uy = dy / len, head = width + 5, side = head * .8, half = width / 2;
    double bx = x + dx - ux * head, by = y + dy - uy * head;
    fprintf(out,
            "<path class=\"edge\" stroke-width=\".6\" fill=\"%s\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f "
            "%.1fL%.1f %.1fL%.1f %.1fZ\"/>\n",
            wsk_report_heat(isfinite(celsius) ? celsius : UNKNOWN_C, colour, &dark), x - uy * half, y + ux * half,
            bx - uy * half, by + ux * half, bx - uy * side, by + ux * side, x + dx, y + dy, bx + uy * side,
            by - ux * side, bx + uy * half, by - ux * half, x + uy * half, y - ux * half);
}

void wsk_report_hook(FILE *out, double from_x, double from_y, double to_x, double to_y, double bulge, double width,
                     double celsius)
{
    char colour[8], path[96];
    bool dark;
    double head = width + 5, side = head * .8, left = fmin(from_x, to_x) - bulge;
    wsk_report_heat(isfinite(celsius) ? celsius : UNKNOWN_C, colour, &dark);
    snprintf(path, sizeof path, "M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f", from_x, from_y, left, from_y, left, to_y,
             to_x - head + 1, to_y);
    fprintf(out,
            "<path class=\"hook shade\" stroke-width=\"%.1f\" d=\"%s\"/><path class=\"hook\" stroke=\"%s\" "
            "stroke-width=\"%.1f\" d=\"%s\"/>",
            width + 1.4, path, colour, width, path);
    fprintf(out, "<path class=\"edge\" stroke-width=\".6\" fill=\"%s\" d=\"M%.1f %.1fl%.1f %.1fv%.1fZ\"/>\n", colour,
            to_x + 1, to_y, -head, -side, 2 * side);
}
