/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The drawing of a machine (side view): declarations that chassis.c, cards.c, fans.c and shapes.c share. */
#ifndef WSK_DRAW_CHASSIS_H
#define WSK_DRAW_CHASSIS_H
#include "draw/report.h"

enum { WSK_PSU_H = 46, WSK_MOVERS_MAX = 32, WSK_FACES = 6 };
typedef enum { FRONT, REAR, TOP, BOTTOM, SIDE, WALL } wsk_face;

typedef struct {
    /* id of the fan element in the rig, whose fans are this group, or "gpu0.fan" for the fans of a card's own
     * radiator */
    char id[256];
    wsk_face at;
    bool in, core; /* in: the fans blow into the case; core: they blow through a radiator */
    bool fails;
    int count, first; /* first: index of the group's first fan among all fans at this face */
    /* air flow of the group, m3/h; mean speed, rpm; mean coolant temperature of the group's radiator, degC (NAN:
     * none) */
    double flow, rpm, radiator_c;
} wsk_mover;

/* Horizontal positions in a drawing, px. Phones have a drawing of their own, because on a phone the labels of the wide
 * one would be too small. */
typedef struct {
    const char *css;
    bool wide;
    /* left, right: walls of the case. cards: left end of the longest card. slots: right end of the slot numbers,
     * measured from the left wall. */
    int width, left, right, cards, slots;
    /* end: space kept free at both ends of the top and the bottom of the case. margin: position of the flow labels left
     * of the case. beside: distance of the flow labels right of the case from its wall. words: offset of a flow label
     * below its arrow. */
    int end, margin, beside, words;
} wsk_layout;

/* The drawing of one chassis. chassis: its index in the rig. frame: an open frame without a case. px_mm: scale, px per
 * mm. top, slots_y, bottom: y of the top of the case, of slot 1 and of the bottom, px. air_c, room_c: mean
 * temperatures of the air in the case and in the room. most_flow: largest air flow of a fan group, m3/h. total: number
 * of fans per face. reach: depth inside the case that the fans at a face take, px. */
typedef struct {
    wsk_report *r;
    const wsk_layout *on;
    int chassis;
    bool frame;
    /* vertical position of the first card on risers: [0] in the case, below its slots; [1] outside, below the case */
    double hung_y[2];
    double px_mm, top, slots_y, bottom, air_c, room_c, most_flow;
    wsk_mover movers[WSK_MOVERS_MAX];
    int n_movers, total[WSK_FACES];
    double reach[WSK_FACES];
} wsk_drawing;

/* Returns the index of a member in a list of the summary (cards, fans, ...) by its id, or -1. `ids`: the result with
 * the ids of that list, such as WSK_R_GPU_ID. */
int wsk_draw_listed(const wsk_report *r, wsk_result ids, const char *id);
wsk_face wsk_draw_face(const wsk_elements *rig, int elem, wsk_face otherwise);
void wsk_draw_rect(wsk_drawing *d, double x, double y, double w, double h, double celsius, const char *more);
/* Returns an id, shortened in its middle if it is wider than `room_px` in bold type. */
const char *wsk_draw_brief(wsk_report *r, const char *id, double room_px);
double wsk_draw_width(const wsk_drawing *d, double flow);
void wsk_draw_arrow(wsk_drawing *d, double x, double y, double dx, double dy, double flow, double celsius);

/* Fills movers, total, reach and most_flow, on which the vertical positions of the drawing depend. */
void wsk_draw_find_fans(wsk_drawing *d);
void wsk_draw_fans(wsk_drawing *d);

void wsk_draw_cards(wsk_drawing *d);
/* Thickness, mm; computed from the number of slots if it is unknown. */
double wsk_draw_card_thickness(const wsk_drawing *d, int elem);
/* Height of all cards on risers within the case of a chassis, or outside of the case, px. Cards in an open frame do not
 * count, because they hang in its slots. */
double wsk_draw_hung_height(const wsk_drawing *d, bool outside);
bool wsk_draw_card_told(const wsk_elements *rig, int elem); /* true if the rig or the part gives the card's size */

#endif
