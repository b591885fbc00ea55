/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a cooler lays out: the pieces of which the files under models/cooler wire a card, and the places they join. Air nodes and
 * coolant nodes are flow nodes, by number; heat and pressure of each piece are the engine's. Theory: docs/theory/cooler.md */
#ifndef WSK_ASSEMBLY_H
#define WSK_ASSEMBLY_H
#include "sim/net/cooler.h"
#include "sim/net/loop.h"

const wsk_cooler_params *wsk_cooler_of(const wsk_card *card);

/* ---- air: places ---- */
enum { WSK_OPEN_ROOM = 0 };
int wsk_case_air(const wsk_build *build, const wsk_card *card);    /* a frame's is the room's */
int wsk_case_intake(const wsk_build *build, const wsk_card *card); /* before the case's intakes */
int wsk_case_outlet(const wsk_build *build, const wsk_card *card); /* behind its outlets */
/* The gap of the card above, which this card's back faces; the case's air where there is none. */
int wsk_air_behind(const wsk_build *build, const wsk_card *card);
int wsk_air_before(const wsk_build *build,
                   const wsk_card *card); /* exhaust of the card it stands behind; the case's air */
int wsk_exhaust_of(const wsk_build *build, const wsk_card *card);
int wsk_gap_of(const wsk_card *card);

/* ---- air: pieces ---- */
void wsk_lay_gap(wsk_build *build, wsk_card *card);     /* the slot gap under its fans, with its inlets */
void wsk_lay_exhaust(wsk_build *build, wsk_card *card); /* the air behind its fins */
/* The fin stack between two air nodes, with what drives the air through it. */
typedef struct {
    bool curtain;       /* air turns from the slot gap into the fans' eyes */
    bool fan;           /* the card's own; without, pressure of the case */
    double enclosed_db; /* how much louder its fan is than a free one of such blades */
} wsk_stack;
void wsk_wire_fins(wsk_build *build, wsk_card *card, int from, int to, wsk_stack stack);
/* From its exhaust through an opening: discharge and grill; none where the area is not above zero. */
void wsk_wire_outlet(wsk_build *build, const wsk_card *card, int to, double area_m2);
/* leak-share of the exhaust into the case, beside an outlet of the cooler's area. */
void wsk_wire_leak(wsk_build *build, const wsk_card *card);
/* Share of the outlet that faces an open side panel. */
double wsk_open_side(const wsk_build *build, const wsk_card *card);
/* `share` of the exhaust returns to the gaps beside the card, the more the narrower they are. */
void wsk_wire_return(wsk_build *build, const wsk_card *card, double share);
/* Board and backplate to an air node, in the stream of the card's own fins. */
void wsk_wire_board(wsk_build *build, const wsk_card *card, int air);
/* The same of a card that moves no air itself: it feels what moves in the case alone. */
void wsk_wire_still_board(wsk_build *build, const wsk_card *card);

/* ---- coolant ---- */
/* A radiator's mass, of those that wsk_ring_radiator asks for in the same order. */
void wsk_lay_core(wsk_build *build, const wsk_card *card, double cap_j_k);
/* NULL: there is no file of this name under models/coolant. */
const wsk_coolant *wsk_coolant_named(const char *name);
/* A sealed ring of its own. Pieces follow one another from its tank on. */
wsk_ring *wsk_ring_open(wsk_build *build, const wsk_card *card, const wsk_coolant *coolant, double volume_m3,
                        double hose_m);
/* A pump known by the flow that it gives against this head. */
void wsk_ring_pump(wsk_ring *ring, const wsk_card *card, double head_pa, double flow_m3s);
int wsk_ring_end(const wsk_ring *ring);
int wsk_ring_next(wsk_ring *ring);     /* a new node, which is then the end */
void wsk_ring_warmest(wsk_ring *ring); /* the end is behind the last block */
void wsk_ring_radiator(wsk_ring *ring, wsk_card *card, const wsk_radiator_params *radiator);
void wsk_ring_close(wsk_ring *ring, double hose_m, double bore_m, double fittings);
/* A cold plate on the card between two nodes of a ring. */
void wsk_wire_plate(wsk_ring *ring, wsk_card *card, int from, int to);
/* Fins and board that stand in the coolant between two nodes, by fields of the cooler: its stream, and the buoyant exchange of the
 * warm column over the fins with the tank. */
void wsk_wire_bath(wsk_ring *ring, wsk_card *card, int from, int to);

#endif
