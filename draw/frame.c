/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "draw/frame.h"

#include <math.h>

static double nice(double span, int most)
{
    double step = pow(10, floor(log10(span / most)));
    static const double factors[] = {1, 2, 2.5, 5, 10};
    for (int i = 0; i < 5; i++)
        if (span / (factors[i] * step) <= most)
            return factors[i] * step;
    return 10 * step;
}

void wsk_frame_scale(wsk_frame *f, double low, double high, int most)
{
    f->tick = nice(high - low, most);
    f->low = floor(low / f->tick + 1e-9) * f->tick;
    f->high = ceil(high / f->tick - 1e-9) * f->tick;
}

double wsk_frame_y(const wsk_frame *f, double v)
{
    return f->floor - (f->floor - f->top) * (v - f->low) / (f->high - f->low);
}

void wsk_frame_grid(wsk_report *r, const wsk_frame *f)
{
    for (double v = f->low; v <= f->high + 0.01 * f->tick; v += f->tick)
        fprintf(r->out, "<line class=\"g\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>", wsk_frame_y(f, v),
                wsk_frame_y(f, v));
    fputc('\n', r->out);
}

void wsk_frame_numbers(wsk_report *r, const wsk_frame *f)
{
    for (double v = f->low; v <= f->high + 0.01 * f->tick; v += f->tick)
        fprintf(r->out, "<text class=\"m e\" x=\"-6\" y=\"%.1f\">%s%.6g</text>", wsk_frame_y(f, v) + 4,
                v < -1e-9 ? "−" : "", fabs(v) < 1e-9 ? 0 : fabs(v));
}

void wsk_frame_open(wsk_report *r, const wsk_frame *f, const char *css)
{
    fprintf(r->out,
            "<svg class=\"%s\" width=\"100%%\" height=\"%d\" viewBox=\"0 0 1000 %d\" preserveAspectRatio=\"none\">\n",
            css, f->height, f->height);
}

void wsk_frame_close(wsk_report *r)
{
    fputs("</svg>\n", r->out);
}

void wsk_frame_band(wsk_report *r, const wsk_frame *f, const char *css, const wsk_point *p, int n, double scale)
{
    fprintf(r->out, "<path class=\"%s\" d=\"M", css);
    for (int i = 0; i < n; i++)
        fprintf(r->out, "%.1f %.1f ", p[i].x, wsk_frame_y(f, scale * p[i].high));
    for (int i = n - 1; i >= 0; i--)
        fprintf(r->out, "%.1f %.1f ", p[i].x, wsk_frame_y(f, scale * p[i].low));
    fputs("Z\"/>\n", r->out);
}

void wsk_frame_line(wsk_report *r, const wsk_frame *f, const char *css, const wsk_point *p, int n, double scale)
{
    fprintf(r->out, "<path class=\"%s\" d=\"M", css);
    for (int i = 0; i < n; i++)
        if (isfinite(p[i].mean))
            fprintf(r->out, "%.1f %.1f ", p[i].x, wsk_frame_y(f, scale * p[i].mean));
    fputs("\"/>\n", r->out);
}

void wsk_frame_dots(wsk_report *r, const wsk_frame *f, const char *css, const wsk_point *p, int n, double scale)
{
    fprintf(r->out, "<path class=\"%s\" d=\"", css);
    for (int i = 0; i < n; i++)
        if (isfinite(p[i].mean))
            fprintf(r->out, "M%.1f %.1fh0", p[i].x, wsk_frame_y(f, scale * p[i].mean));
    fputs("\"/>\n", r->out);
}
