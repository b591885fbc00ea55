/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions by which a cooler (a file under models/cooler) connects its card to air and coolant. Each function adds
 * one piece, such as a fin stack or an outlet, to the flow network and the heat network of the rig. An int that names
 * air or coolant is the index of a flow node. Theory: docs/theory/cooler.md */
#ifndef WSK_ASSEMBLY_H
#define WSK_ASSEMBLY_H
#include "sim/net/cooler.h"
#include "sim/net/loop.h"

const wsk_cooler_params *wsk_cooler_of(const wsk_card *card);

enum { WSK_OPEN_ROOM = 0 };
int wsk_case_air(const wsk_build *build, const wsk_card *card);
int wsk_case_intake(const wsk_build *build, const wsk_card *card);
int wsk_case_outlet(const wsk_build *build, const wsk_card *card);
/* Returns the flow node of the slot gap of the next card above. If there is no such gap, returns that of the air
 * around the card. */
int wsk_air_behind(const wsk_build *build, const wsk_card *card);
/* Returns the flow node of the exhaust of the card in front (attribute behind=, or the rows of the chassis). Without
 * such a card, returns that of the air around the card. */
int wsk_air_before(const wsk_build *build, const wsk_card *card);
int wsk_exhaust_of(const wsk_build *build, const wsk_card *card);
int wsk_gap_of(const wsk_card *card);

void wsk_lay_gap(wsk_build *build, wsk_card *card);
void wsk_lay_exhaust(wsk_build *build, wsk_card *card);
typedef struct {
    /* true: the air turns from the slot gap into the fans, with the loss coefficient curtain_loss of the chassis */
    bool curtain;
    bool shell;         /* true: natural convection of the fins warms the air around the card; false: that behind the
                         * fins */
    bool fan;           /* true: the card's own fan drives the air; false: the pressure in the case does */
    bool jet;           /* true: the strongest jet of a front fan of the case drives air through the fins */
    double enclosed_db; /* dB added to the computed noise of the card's fans; unused if their noise is stated */
} wsk_stack;
void wsk_wire_fins(wsk_build *build, wsk_card *card, int from, int to, wsk_stack stack);
/* Adds an outlet from the card's exhaust to flow node `to`. Adds nothing if area_m2 is not above 0, or if another
 * card draws the exhaust. */
void wsk_wire_outlet(wsk_build *build, const wsk_card *card, int to, double area_m2);
/* Adds a leak from the card's exhaust into the case. Its area is such that beside an outlet of outlet_area_m2, at
 * equal pressures behind both, it carries the share leak_share of the exhaust. A card in the open has no leak. */
void wsk_wire_leak(wsk_build *build, const wsk_card *card);
/* Share of the outlet at the card's edges that faces the opening of a removed side panel, 0 to 1; 0: the panel is
 * closed, or the card is on a riser. */
double wsk_open_side(const wsk_build *build, const wsk_card *card);
/* Mixes exhaust into the slot gaps on both sides of the card; the narrower the gap, the more. share: part of the
 * exhaust that leaves at the card's edges, 0 to 1. */
void wsk_wire_return(wsk_build *build, const wsk_card *card, double share);
void wsk_wire_shell(wsk_build *build, const wsk_card *card);
/* Cools board and backplate by the air of flow node `air`; the conductance rises with the flow through the fins. */
void wsk_wire_board(wsk_build *build, const wsk_card *card, int air);
/* Cools board and backplate of a card whose cooler blows no air over them, with a constant conductance. */
void wsk_wire_still_board(wsk_build *build, const wsk_card *card);

/* Adds the temperature node of a radiator's core. Calls of wsk_ring_radiator take these nodes in the order in which
 * they were added. */
void wsk_lay_core(wsk_build *build, const wsk_card *card, double cap_j_k);
const wsk_coolant *wsk_coolant_named(const char *name);
/* Opens a ring: a closed coolant circuit of the card alone, which starts at its tank. Each piece added afterwards
 * begins where the last one ended. volume_m3: volume of coolant; hose_m: length of all hoses. NULL: out of memory. */
wsk_ring *wsk_ring_open(wsk_build *build, const wsk_card *card, const wsk_coolant *coolant, double volume_m3,
                        double hose_m);
void wsk_ring_pump(wsk_ring *ring, const wsk_card *card, double head_pa, double flow_m3s);
int wsk_ring_end(const wsk_ring *ring);
int wsk_ring_next(wsk_ring *ring);
void wsk_ring_warmest(wsk_ring *ring);
void wsk_ring_radiator(wsk_ring *ring, wsk_card *card, const wsk_radiator_params *radiator);
void wsk_ring_close(wsk_ring *ring, double bore_m, double fittings);
void wsk_wire_plate(wsk_ring *ring, wsk_card *card, int from, int to);
void wsk_wire_bath(wsk_ring *ring, wsk_card *card, int from, int to);

#endif
