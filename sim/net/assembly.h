/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions by which a cooler (a file under models/cooler) connects its card to air and coolant. Each function adds
 * one piece, such as a fin stack or an outlet, to the flow network and the heat network of the rig. Nodes of air and
 * coolant are indices of flow nodes. Theory: docs/theory/cooler.md */
#ifndef WSK_ASSEMBLY_H
#define WSK_ASSEMBLY_H
#include "sim/net/cooler.h"
#include "sim/net/loop.h"

/* The parameters of the card's cooler. */
const wsk_cooler_params *wsk_cooler_of(const wsk_card *card);

/* ---- air: flow nodes of a card's surroundings ---- */
enum { WSK_OPEN_ROOM = 0 };
/* Flow node of the air in the card's case; that of the room for an open frame. */
int wsk_case_air(const wsk_build *build, const wsk_card *card);
int wsk_case_intake(const wsk_build *build, const wsk_card *card); /* flow node before the case's intakes */
int wsk_case_outlet(const wsk_build *build, const wsk_card *card); /* flow node behind the case's outlets */
/* Flow node of the air at the card's back: the slot gap of the card above, else the air in the case. */
int wsk_air_behind(const wsk_build *build, const wsk_card *card);
/* Flow node of the exhaust that the card draws from the card in front (attribute behind=); without such a card, of
 * the air in the case. */
int wsk_air_before(const wsk_build *build, const wsk_card *card);
/* Flow node of the card's own exhaust. */
int wsk_exhaust_of(const wsk_build *build, const wsk_card *card);
/* Flow node of the slot gap under the card's fans; WSK_NO: none. */
int wsk_gap_of(const wsk_card *card);

/* ---- air: pieces of a card's air path ---- */
void wsk_lay_gap(wsk_build *build, wsk_card *card);     /* slot gap under the card's fans, and its inlets */
void wsk_lay_exhaust(wsk_build *build, wsk_card *card); /* adds the node of the air behind the card's fins */
/* Options of a fin stack between two air nodes. */
typedef struct {
    bool curtain;       /* the air flows from the slot gap into the fan eyes, with the loss of that turn */
    bool shell;         /* without flow the fins lose heat by the shell around them, to the air of the case */
    bool fan;           /* the card's own fan drives the air; false: the pressure of the case */
    bool jet;           /* the air that front fans blow at the card enters its fins by its speed */
    double enclosed_db; /* dB by which the fan is louder than a free fan of its size */
} wsk_stack;
void wsk_wire_fins(wsk_build *build, wsk_card *card, int from, int to, wsk_stack stack);
/* Adds an opening from the card's exhaust to the flow node `to`, with the loss of discharge and grill. Adds nothing
 * if area_m2 is not above 0, or if another card draws the exhaust. */
void wsk_wire_outlet(wsk_build *build, const wsk_card *card, int to, double area_m2);
/* Adds a leak from the card's exhaust into the case. Its area is such that it takes the share leak_share of the exhaust
 * beside an outlet of outlet_area_m2 (parameters of the cooler). No leak in an open frame. */
void wsk_wire_leak(wsk_build *build, const wsk_card *card);
/* Share of the card's outlet over its edges that faces an open side panel, 0 to 1; 0: the panel is closed. */
double wsk_open_side(const wsk_build *build, const wsk_card *card);
/* Mixes exhaust into the slot gaps beside the card, the more, the narrower the gap. share: part of the exhaust that
 * leaves over the card's edges, 0 to 1. */
void wsk_wire_return(wsk_build *build, const wsk_card *card, double share);
/* Cools the heatsink by the shell around its fins and the board by its back, in the air of the case. */
void wsk_wire_shell(wsk_build *build, const wsk_card *card);
/* Cools board and backplate by the air of flow node `air`; the conductance rises with the flow through the fins. */
void wsk_wire_board(wsk_build *build, const wsk_card *card, int air);
/* Cools board and backplate of a card without a fan by the air at its back, with a constant conductance. */
void wsk_wire_still_board(wsk_build *build, const wsk_card *card);

/* ---- coolant ---- */
/* Adds the solid of a radiator, with its heat capacity. wsk_ring_radiator uses these solids in the order of
 * addition. */
void wsk_lay_core(wsk_build *build, const wsk_card *card, double cap_j_k);
/* The coolant with this name; NULL: no file under models/coolant has it. */
const wsk_coolant *wsk_coolant_named(const char *name);
/* Opens a ring: a closed coolant circuit of the card alone, which starts at its tank. Each piece added afterwards
 * begins where the last one ended. volume_m3: coolant; hose_m: length of the hoses. NULL: out of memory. */
wsk_ring *wsk_ring_open(wsk_build *build, const wsk_card *card, const wsk_coolant *coolant, double volume_m3,
                        double hose_m);
/* Adds a pump that delivers flow_m3s against the pressure head_pa. */
void wsk_ring_pump(wsk_ring *ring, const wsk_card *card, double head_pa, double flow_m3s);
/* The flow node at which the last piece ended. */
int wsk_ring_end(const wsk_ring *ring);
int wsk_ring_next(wsk_ring *ring);     /* adds a flow node and makes it the end */
void wsk_ring_warmest(wsk_ring *ring); /* records the end as the node behind the last block: the warmest */
void wsk_ring_radiator(wsk_ring *ring, wsk_card *card, const wsk_radiator_params *radiator);
void wsk_ring_close(wsk_ring *ring, double hose_m, double bore_m, double fittings);
/* Adds the card's cold plate between two flow nodes of a ring. */
void wsk_wire_plate(wsk_ring *ring, wsk_card *card, int from, int to);
/* Immerses fins and board in the coolant between two flow nodes: adds the stream through the fins, and the buoyant
 * exchange between the warm column over the fins and the tank. Sizes are those of the card's cooler. */
void wsk_wire_bath(wsk_ring *ring, wsk_card *card, int from, int to);

#endif
