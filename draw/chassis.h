/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The drawing of a machine: declarations shared by shapes.c, fans.c, cards.c and chassis.c. */
#ifndef WSK_DRAW_CHASSIS_H
#define WSK_DRAW_CHASSIS_H
#include "draw/report.h"

enum { WSK_PSU_H = 46, WSK_MOVERS_MAX = 32, WSK_FACES = 6 };
typedef enum { FRONT, REAR, TOP, BOTTOM, SIDE, WALL } wsk_face;

typedef struct {
    char id[256]; /* id in the summary's list of fans */
    wsk_face at;
    bool in, core;    /* in: intake; core: the fan blows through a radiator */
    bool fails;       /* the fan fails during the run */
    int count, first; /* number of fans; index of the first among all fans at this face */
    double flow, rpm, radiator_c;
} wsk_mover;

/* Horizontal positions in the drawing, px. Phones get a second drawing, because the labels of the wide one are too small to read
 * there. */
typedef struct {
    const char *css;
    bool wide;
    int width, left, right, cards,
        slots; /* total width; case walls; left end of the longest card; slot numbers, from the left wall */
    int end, margin, beside,
        words; /* free length at both ends of the top; labels: left of the case, right of it, offset below the arrow */
} wsk_layout;

typedef struct {
    wsk_report *r;
    const wsk_layout *on;
    int chassis;
    bool frame;
    double px_mm, top, slots_y, bottom, air_c, room_c, most_flow;
    wsk_mover movers[WSK_MOVERS_MAX];
    int n_movers, total[WSK_FACES];
    double reach[WSK_FACES]; /* depth of the components at each face, px */
} wsk_drawing;

/* ---- shared shapes: shapes.c ---- */
/* Returns the index of the member of a summary scope that has this id, or -1. `ids`: the scope's id result, such as
 * WSK_R_GPU_ID. */
int wsk_draw_listed(const wsk_report *r, wsk_result ids, const char *id);
wsk_face wsk_draw_face(const wsk_elements *rig, int elem, wsk_face otherwise);
void wsk_draw_rect(wsk_drawing *d, double x, double y, double w, double h, double celsius, const char *more);
double wsk_draw_width(const wsk_drawing *d, double flow);
void wsk_draw_arrow(wsk_drawing *d, double x, double y, double dx, double dy, double flow, double celsius);

/* ---- fans, radiators and vents: fans.c ---- */
void wsk_draw_find_fans(wsk_drawing *d); /* call before drawing: fans need space */
void wsk_draw_fans(wsk_drawing *d);

/* ---- cards and the air through them: cards.c ---- */
void wsk_draw_cards(wsk_drawing *d);
double wsk_draw_card_thickness(const wsk_drawing *d, int elem); /* mm; a typical value if unknown */
bool wsk_draw_card_told(const wsk_elements *rig, int elem);     /* true: the rig or the part gives the card's size */

#endif
