/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The role of a card's cooler. All values SI; NAN: not given. */
#ifndef WSK_COOLER_H
#define WSK_COOLER_H
#include "sim/net/fan.h"

extern const char *const wsk_covers_names[]; /* ends with NULL */

typedef struct {
    wsk_params head;
    double ua_w_k, flow_ref_m3s, ua_exponent, natural_w_k, cap_j_k; /* fin stack; natural_w_k at 10 K over air */
    /* pressure drop of the fin stack at flow_ref_m3s */
    double drop_pa;
    double fans, diameter_m, pressure_pa, flow_m3s, rpm, curvature; /* data of one fan at rpm; diameter_m: its eye */
    double rpm_min, rpm_max;
    double recess_m, leak_share, outlet_area_m2;
    /* share returned at no gap; gap / fan diameter at which it has fallen to 1/e */
    double recirculation, recirculation_gap;
    wsk_curve curve; /* fan curve: die temperature, K -> rpm */
    double hysteresis_k, period_s;
    wsk_noise_params noise;  /* noise of all fans together, at rpm */
    double through, bracket; /* open-air cards: shares of the outlet through the card and through the bracket */
    /* block to coolant, conductance and drop at block_flow_m3s */
    double block_w_k, block_flow_m3s, block_exponent, block_drop_pa;
    /* passive cooler with a fan of its own: 0 air from the case, 1 duct from outside */
    int intake;
    int covers;                         /* 0: memory and VRM too; 1: only the die */
    const char *loop;                   /* id of the coolant loop; NULL: the only one */
    int at, direction;                  /* radiator of an AIO: wsk_place, wsk_direction */
    double radiator_cap_j_k, volume_m3; /* AIO: heat capacity of the radiator, coolant volume */
    double board_w_k, saved_w; /* immersion: board to fluid, 10 K above it; power of the fans that are removed */
    double column_m, column_area_m2; /* immersion: warm fluid column over the fins that drives the natural flow */
} wsk_cooler_params;
/* The functions by which a cooler wires a card through sim/net/assembly.h, called in this order; each may be NULL. */
typedef struct wsk_build wsk_build;
typedef struct wsk_card wsk_card;
typedef struct wsk_ring wsk_ring;
typedef struct {
    void (*check)(wsk_build *build, const wsk_card *card);  /* checks its parameters against each other */
    void (*masses)(wsk_build *build, const wsk_card *card); /* adds solids besides the card's own */
    void (*open)(wsk_build *build, wsk_card *card);         /* adds air nodes, for all cards before any is wired */
    /* wires the air through the cooler and around the board */
    void (*wire)(wsk_build *build, wsk_card *card);
    /* In a <loop> of the rig: adds what lies between two flow nodes of the loop. */
    void (*join)(wsk_ring *ring, wsk_card *card, int from, int to);
    /* adds a coolant circuit of its own, after the <loop>s of the rig */
    void (*circuit)(wsk_build *build, wsk_card *card);
    /* True if the chassis drives its air, so that another card may draw its exhaust. */
    bool (*in_duct)(const wsk_cooler_params *cooler);
    bool dielectric; /* must join a loop with a dielectric coolant */
    bool fan, pump;  /* the cooler has its own, which may fail */
    bool around;     /* its exhaust stays around the card and returns to the slot gaps beside it */
} wsk_cooler_ops;

#endif
