/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frame of a chart: its value axis, and curves in it. The curves are in an inner <svg> that is 1000 wide and scaled
 * alone, so that text keeps its size. */
#ifndef WSK_DRAW_FRAME_H
#define WSK_DRAW_FRAME_H
#include "draw/report.h"

typedef struct {
    double low, high, tick; /* value axis: ends, distance of ticks */
    int height, top, floor; /* px: of the picture; of the axis' ends */
} wsk_frame;
/* Sets the axis such that it holds low..high with at most `most` ticks or so. */
void wsk_frame_scale(wsk_frame *frame, double low, double high, int most);
double wsk_frame_y(const wsk_frame *frame, double value);
void wsk_frame_grid(wsk_report *r, const wsk_frame *frame);
void wsk_frame_numbers(wsk_report *r, const wsk_frame *frame);
/* Open and close the inner <svg>. */
void wsk_frame_open(wsk_report *r, const wsk_frame *frame, const char *css);
void wsk_frame_close(wsk_report *r);

/* x: 0 to 1000. A point without a value (NAN) is left out. */
typedef struct {
    double x, low, mean, high;
} wsk_point;
/* Write a path with this class: the area from low to high, a line through the means, a dot at each. Values are multiplied
 * by `scale` first. */
void wsk_frame_band(wsk_report *r, const wsk_frame *frame, const char *css, const wsk_point *points, int n,
                    double scale);
void wsk_frame_line(wsk_report *r, const wsk_frame *frame, const char *css, const wsk_point *points, int n,
                    double scale);
void wsk_frame_dots(wsk_report *r, const wsk_frame *frame, const char *css, const wsk_point *points, int n,
                    double scale);

#endif
