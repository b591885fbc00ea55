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
} wsk_cooler_params;
#define WSK_COOLER_OUT_ROOM 1u /* exhaust leaves the case (through the bracket) */
#define WSK_COOLER_DUCT 2u /* no slot gap: draws from the case or by a duct, driven by it or by a fan of its own */
#define WSK_COOLER_SIDE_EXHAUST 4u /* exhaust leaves over the card's edges: exchange streams with the gaps */
#define WSK_COOLER_BLOCK 8u        /* a block in a loop */
#define WSK_COOLER_OWN_LOOP 16u    /* the loop comes with the card: AIO */
typedef struct {
    unsigned wiring; /* the style is this, and nothing else */
    bool curtain;    /* draws through the slot gap */
} wsk_cooler_ops;

#endif
