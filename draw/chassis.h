/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The drawing of a machine: what its parts, each in a file of its own, know of one another. */
#ifndef WSK_DRAW_CHASSIS_H
#define WSK_DRAW_CHASSIS_H
#include "draw/report.h"

enum { WSK_PSU_H = 46, WSK_MOVERS_MAX = 32, WSK_FACES = 6 };
typedef enum { FRONT, REAR, TOP, BOTTOM, SIDE, WALL } wsk_face;

typedef struct {
    char id[256]; /* in the summary's list of fans */
    wsk_face at;
    bool in, core;    /* core: behind a radiator */
    bool fails;       /* during the run */
    int count, first; /* of all at this face */
    double flow, rpm, radiator_c;
} wsk_mover;

/* Where things stand from left to right. A phone has its own drawing, for the wide one's words cannot be read that small. */
typedef struct {
    const char *css;
    bool wide;
    int width, left, right, cards,
        slots; /* the case's walls, where the longest card begins, how far in the slots' numbers stand */
    int end, margin, beside,
        words; /* free ends of the top; words left of the case, right of it, and below the arrows' middle */
} wsk_layout;

typedef struct {
    wsk_report *r;
    const wsk_layout *on;
    int chassis;
    bool frame;
    double px_mm, top, slots_y, bottom, air_c, room_c, most_flow;
    wsk_mover movers[WSK_MOVERS_MAX];
    int n_movers, total[WSK_FACES];
    double reach[WSK_FACES]; /* how far what sits there comes into the case */
} wsk_drawing;

/* ---- what all of them draw with: shapes.c ---- */
/* The member of a scope of the summary with this id; ids: the scope's result of ids, WSK_R_GPU_ID. -1: none. */
int wsk_draw_listed(const wsk_report *r, wsk_result ids, const char *id);
wsk_face wsk_draw_face(const wsk_elements *rig, int elem, wsk_face otherwise);
void wsk_draw_rect(wsk_drawing *d, double x, double y, double w, double h, double celsius, const char *more);
double wsk_draw_width(const wsk_drawing *d, double flow);
void wsk_draw_arrow(wsk_drawing *d, double x, double y, double dx, double dy, double flow, double celsius);

/* ---- fans, radiators and vents: fans.c ---- */
void wsk_draw_find_fans(wsk_drawing *d); /* before all drawing: they take room */
void wsk_draw_fans(wsk_drawing *d);

/* ---- cards and the air through them: cards.c ---- */
void wsk_draw_cards(wsk_drawing *d);
double wsk_draw_card_thickness(const wsk_drawing *d, int elem); /* mm; as usual where it is not told */
bool wsk_draw_card_told(const wsk_elements *rig, int elem);     /* its size, by rig or part */

#endif
