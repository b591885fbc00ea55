/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The role of a card's cooler. All values SI; NAN means "not given". */
#ifndef WSK_COOLER_H
#define WSK_COOLER_H
#include "sim/net/fan.h"

extern const char *const wsk_covers_names[]; /* ends with NULL */

typedef struct {
    wsk_params head;
    double ua_w_k, flow_ref_m3s, ua_exponent, natural_w_k, cap_j_k; /* fin stack; natural at 10 K */
    double drop_pa;                                                 /* fin stack at flow_ref */
    double fans, diameter_m, pressure_pa, flow_m3s, rpm, curvature; /* one fan at rpm; eye diameter */
    double rpm_min, rpm_max;
    double recess_m, leak_share, outlet_area_m2;
    double recirculation, recirculation_gap; /* r_max; gap/D_fan at which r has fallen to 1/e */
    wsk_curve curve;                         /* die K -> rpm */
    double hysteresis_k, period_s;
    wsk_noise_params noise;  /* all its fans together, at rpm */
    double through, bracket; /* shares of an open-air card's outlet: through the card, through the bracket */
    double block_w_k, block_flow_m3s, block_exponent, block_drop_pa; /* block to coolant at block_flow */
    int intake;                         /* of a passive cooler's own fan: 0 the case's air, 1 a duct from outside */
    int covers;                         /* 0: memory and VRM too; 1: the die alone */
    const char *loop;                   /* id of the loop, NULL: the only one */
    int at, direction;                  /* of an AIO's radiator: wsk_place, wsk_direction */
    double radiator_cap_j_k, volume_m3; /* AIO */
    double board_w_k, saved_w; /* in a bath: board to fluid, 10 K over it; watts of the fans that it does without */
    double column_m, column_area_m2; /* in a bath: the warm fluid over the fins that draws */
} wsk_cooler_params;
/* What a cooler lays out through sim/net/assembly.h, in this order; every part may be NULL. */
typedef struct wsk_build wsk_build;
typedef struct wsk_card wsk_card;
typedef struct wsk_ring wsk_ring;
typedef struct {
    void (*check)(wsk_build *build, const wsk_card *card);  /* what its parameters must be among themselves */
    void (*masses)(wsk_build *build, const wsk_card *card); /* solids besides the card's own */
    void (*open)(wsk_build *build, wsk_card *card);         /* air nodes, of all cards before any is wired */
    void (*wire)(wsk_build *build, wsk_card *card);         /* air through it and around its board */
    /* In a loop of the rig: what lies between two of the loop's flow nodes. */
    void (*join)(wsk_ring *ring, wsk_card *card, int from, int to);
    void (*circuit)(wsk_build *build, wsk_card *card); /* a coolant circuit of its own, behind the rig's loops */
    /* Whether the chassis drives its air, so that another card may stand behind it. */
    bool (*in_duct)(const wsk_cooler_params *cooler);
    bool dielectric; /* the loop that it joins must hold one */
    bool fan, pump;  /* has one of its own, which may fail */
    bool around;     /* its exhaust stays around the card and returns to the gaps beside it */
} wsk_cooler_ops;

#endif
