/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a card's cooler, and the functions of a kind of cooler. All values SI; NAN: not given. */
#ifndef WSK_COOLER_H
#define WSK_COOLER_H
#include "sim/net/fan.h"

extern const char *const wsk_covers_names[]; /* ends with NULL */

typedef struct {
    wsk_params head;
    /* fin stack: UA at flow_ref_m3s, UA ~ flow^ua_exponent; natural_w_k: conductance without flow, 10 K over air;
     * NAN: that of the shell around the fins */
    double ua_w_k, flow_ref_m3s, ua_exponent, natural_w_k, cap_j_k;
    /* pressure drop of the fin stack at flow_ref_m3s */
    double drop_pa, fin_factor; /* fin_factor: conductance / that of fins of the card's size */
    double fans, diameter_m, pressure_pa, flow_m3s, rpm, curvature; /* one fan at speed rpm; diameter_m: its eye */
    double rpm_min, rpm_max;
    /* depth of a fan's eye below the card's surface; share of the exhaust that leaks into the case; outlet area */
    double recess_m, leak_share, outlet_area_m2;
    /* share of the exhaust that returns to a closed slot gap; gap / fan diameter at which it has fallen to 1/e */
    double recirculation, recirculation_gap;
    wsk_curve curve; /* fan curve: die temperature, K -> rpm */
    double hysteresis_k, period_s, rise_s, fall_s;
    wsk_noise_params noise;  /* noise of all fans together, at rpm */
    double through, bracket; /* shares of the outlet area that lead through the card and through the bracket */
    /* cold plate at coolant flow block_flow_m3s: conductance to coolant (~ flow^block_exponent), pressure drop */
    double block_w_k, block_flow_m3s, block_exponent, block_drop_pa;
    /* passive cooler: origin of its air: 0 case, 1 duct from outside */
    int intake;
    int covers;                /* parts under the cold plate: 0 die, memory and VRM; 1 die only */
    double slots, thickness_m; /* of a card with this block; not above 0: those of the card */
    const char *loop;          /* id of the coolant loop; NULL: the only one */
    int at, direction;         /* radiator of an AIO (all-in-one liquid cooler): a wsk_place, a wsk_direction */
    double radiator_cap_j_k, volume_m3; /* AIO: heat capacity of the radiator, coolant volume */
    double board_w_k, saved_w; /* immersion: board to fluid, W/K, at 10 K difference; power of removed fans, W */
    double column_m, column_area_m2; /* immersion: height and area of the warm column over the fins */
} wsk_cooler_params;
/* The functions by which a cooler wires a card through sim/net/assembly.h, called in this order; each may be NULL. */
typedef struct wsk_build wsk_build;
typedef struct wsk_card wsk_card;
typedef struct wsk_ring wsk_ring;
typedef struct {
    /* fills in values that are not given (NAN) by the size of the card, m */
    void (*complete)(wsk_cooler_params *cooler, double length_m, double thickness_m);
    void (*check)(wsk_build *build, const wsk_card *card);  /* checks its parameters against each other */
    void (*masses)(wsk_build *build, const wsk_card *card); /* adds its solids, such as a radiator */
    void (*open)(wsk_build *build, wsk_card *card); /* adds its air nodes; for all cards before the first wire() */
    /* connects the air through the cooler and around the board */
    void (*wire)(wsk_build *build, wsk_card *card);
    /* Adds the card's plate or bath between two flow nodes of the <loop> that it needs; NULL: it needs no <loop>. */
    void (*join)(wsk_ring *ring, wsk_card *card, int from, int to);
    /* adds the cooler's own coolant circuit; after all <loop>s of the rig */
    void (*circuit)(wsk_build *build, wsk_card *card);
    /* True if the chassis drives its air, so that another card may draw its exhaust. */
    bool (*in_duct)(const wsk_cooler_params *cooler);
    bool dielectric; /* must join a loop with a dielectric coolant */
    bool fan, pump;  /* the cooler has a fan or pump of its own, which may fail */
    bool around;     /* its exhaust stays around the card and returns to the slot gaps beside it */
} wsk_cooler_ops;

#endif
