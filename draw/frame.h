/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frame of a chart: value axis, grid and curves. The curves are in an inner <svg> that is 1000 units wide and is
 * stretched to the width of the page; the text stands outside of it and so keeps its size. */
#ifndef WSK_DRAW_FRAME_H
#define WSK_DRAW_FRAME_H
#include "draw/report.h"

typedef struct {
    double low, high, tick; /* ends of the value axis, and distance between its ticks */
    int height, top, floor; /* px; top, floor: y of the upper and the lower end of the axis */
} wsk_frame;
void wsk_frame_scale(wsk_frame *frame, double low, double high, int most);
double wsk_frame_y(const wsk_frame *frame, double value);
void wsk_frame_grid(wsk_report *r, const wsk_frame *frame);
void wsk_frame_numbers(wsk_report *r, const wsk_frame *frame);
void wsk_frame_open(wsk_report *r, const wsk_frame *frame, const char *css);
void wsk_frame_close(wsk_report *r);

/* A point of a curve. x: 0 at the left, 1000 at the right end. Lines and dots leave out a point whose mean is NAN. */
typedef struct {
    double x, low, mean, high;
} wsk_point;
void wsk_frame_band(wsk_report *r, const wsk_frame *frame, const char *css, const wsk_point *points, int n,
                    double scale);
void wsk_frame_line(wsk_report *r, const wsk_frame *frame, const char *css, const wsk_point *points, int n,
                    double scale);
void wsk_frame_dots(wsk_report *r, const wsk_frame *frame, const char *css, const wsk_point *points, int n,
                    double scale);

#endif
