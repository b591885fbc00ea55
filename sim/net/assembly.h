/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pieces from which a cooler (a file under models/cooler) wires a card, and the flow nodes that they join. Air
 * and coolant nodes are numbers of flow nodes; the engine adds heat and pressure of each piece. Theory:
 * docs/theory/cooler.md */
#ifndef WSK_ASSEMBLY_H
#define WSK_ASSEMBLY_H
#include "sim/net/cooler.h"
#include "sim/net/loop.h"

/* The parameters of the card's cooler. */
const wsk_cooler_params *wsk_cooler_of(const wsk_card *card);

/* ---- air: flow nodes of a card's surroundings ---- */
enum { WSK_OPEN_ROOM = 0 };
/* air in the card's case; the room for an open frame */
int wsk_case_air(const wsk_build *build, const wsk_card *card);
int wsk_case_intake(const wsk_build *build, const wsk_card *card); /* air before the intakes of the case */
int wsk_case_outlet(const wsk_build *build, const wsk_card *card); /* air behind the outlets of the case */
/* The air at the card's back: the slot gap of the card above, or the air in the case. */
int wsk_air_behind(const wsk_build *build, const wsk_card *card);
/* Flow node of the exhaust of the card in front (attribute behind=), or of the air in the case. */
int wsk_air_before(const wsk_build *build, const wsk_card *card);
/* Flow node of the card's own exhaust. */
int wsk_exhaust_of(const wsk_build *build, const wsk_card *card);
/* Flow node of the slot gap under the card's fans; WSK_NO: none. */
int wsk_gap_of(const wsk_card *card);

/* ---- air: pieces ---- */
void wsk_lay_gap(wsk_build *build, wsk_card *card);     /* the slot gap under the card's fans, with its inlets */
void wsk_lay_exhaust(wsk_build *build, wsk_card *card); /* the node of the air behind the card's fins */
/* Options of a fin stack between two air nodes. */
typedef struct {
    bool curtain;       /* the air turns from the slot gap into the fan eyes, which costs pressure */
    bool fan;           /* the card's own fan drives the air; false: the pressure of the case */
    double enclosed_db; /* dB by which the fan is louder than a free fan of its size */
} wsk_stack;
void wsk_wire_fins(wsk_build *build, wsk_card *card, int from, int to, wsk_stack stack);
/* An opening from the card's exhaust to the flow node `to`: discharge and grill; none if area_m2 is not above 0. */
void wsk_wire_outlet(wsk_build *build, const wsk_card *card, int to, double area_m2);
/* A leak of leak-share of the exhaust into the case, beside an outlet of the cooler's area. */
void wsk_wire_leak(wsk_build *build, const wsk_card *card);
/* Share of the outlet area that faces an open side panel, 0 to 1. */
double wsk_open_side(const wsk_build *build, const wsk_card *card);
/* Returns `share` of the exhaust to the slot gaps beside the card; the narrower the gap, the more returns. */
void wsk_wire_return(wsk_build *build, const wsk_card *card, double share);
/* Board and backplate to the flow node `air`, cooled by the stream through the card's own fins. */
void wsk_wire_board(wsk_build *build, const wsk_card *card, int air);
/* Board and backplate of a card without a fan: only the air in the case cools them. */
void wsk_wire_still_board(wsk_build *build, const wsk_card *card);

/* ---- coolant ---- */
/* Adds the mass of a radiator. wsk_ring_radiator takes these masses in the order in which they were added. */
void wsk_lay_core(wsk_build *build, const wsk_card *card, double cap_j_k);
/* The coolant with this name; NULL: no file under models/coolant has it. */
const wsk_coolant *wsk_coolant_named(const char *name);
/* Opens a sealed ring of the card's own. Each further piece begins where the last one ended; the first begins at the
 * tank. volume_m3: coolant; hose_m: length of the hoses. NULL: out of memory. */
wsk_ring *wsk_ring_open(wsk_build *build, const wsk_card *card, const wsk_coolant *coolant, double volume_m3,
                        double hose_m);
/* A pump described by the flow that it delivers against a head. */
void wsk_ring_pump(wsk_ring *ring, const wsk_card *card, double head_pa, double flow_m3s);
/* The flow node at which the last piece ended. */
int wsk_ring_end(const wsk_ring *ring);
int wsk_ring_next(wsk_ring *ring);     /* adds a flow node and makes it the end */
void wsk_ring_warmest(wsk_ring *ring); /* marks the end as the node behind the last block, where coolant is warmest */
void wsk_ring_radiator(wsk_ring *ring, wsk_card *card, const wsk_radiator_params *radiator);
void wsk_ring_close(wsk_ring *ring, double hose_m, double bore_m, double fittings);
/* A cold plate on the card between two flow nodes of a ring. */
void wsk_wire_plate(wsk_ring *ring, wsk_card *card, int from, int to);
/* Fins and board immersed in the coolant between two flow nodes, by the fields of the cooler: the stream through the
 * fins, and the buoyant exchange between the warm column over the fins and the tank. */
void wsk_wire_bath(wsk_ring *ring, wsk_card *card, int from, int to);

#endif
