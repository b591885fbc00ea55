/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a card's cooler, and the functions of a kind of cooler. All values SI; NAN: not given. */
#ifndef WSK_COOLER_H
#define WSK_COOLER_H
#include "sim/net/fan.h"

extern const char *const wsk_covers_names[];

typedef struct {
    wsk_params head;
    /* Fin stack. ua_w_k: conductance UA at flow_ref_m3s, UA ~ flow^ua_exponent; natural_w_k: conductance without
     * flow at 10 K over the air, NAN: computed from the card's size; cap_j_k: heat capacity of the heatsink */
    double ua_w_k, flow_ref_m3s, ua_exponent, natural_w_k, cap_j_k;
    double drop_pa;
    /* conductance of the fins with air flow (fin_factor) and without (natural_factor), each divided by the
     * conductance computed from the card's size */
    double fin_factor, natural_factor;
    /* fans: number of fans; the other values are those of one fan at speed rpm; diameter_m: of its eye */
    double fans, diameter_m, pressure_pa, flow_m3s, rpm, curvature;
    double rpm_min, rpm_max;
    double recess_m, leak_share, outlet_area_m2;
    /* recirculation: share of the exhaust that returns to a slot gap that is closed; recirculation_gap: gap, divided
     * by the fan diameter, at which this share has fallen to 1/e */
    double recirculation, recirculation_gap;
    wsk_curve curve;
    double hysteresis_k, period_s, rise_s, fall_s;
    wsk_noise_params noise; /* noise of all fans together at the speed rpm */
    double through, bracket;
    /* Cold plate. block_w_k: conductance to the coolant at the flow block_flow_m3s, ~ flow^block_exponent;
     * block_drop_pa: pressure drop at that flow */
    double block_w_k, block_flow_m3s, block_exponent, block_drop_pa;
    /* where a passive cooler gets its air: 0 from the case, 1 by a duct from outside */
    int intake;
    int data_coolant; /* coolant with which the data of the cold plate hold, an index in wsk_coolants */
    int covers;       /* parts under the cold plate: 0 die, memory and VRM; 1 die only */
    /* size of a card with this cooler; not above 0: not stated */
    double slots, thickness_m;
    const char *loop;
    int at, direction;
    double radiator_cap_j_k, volume_m3;
    /* Immersion. board_w_k: conductance from board to fluid at 10 K difference; saved_w: power of the fans that are
     * removed */
    double board_w_k, saved_w;
    double column_m, column_area_m2;
    double price, price_date_s; /* of a block, which is bought beside the card */
} wsk_cooler_params;
/* The functions by which a cooler wires a card through sim/net/assembly.h; a function that a kind of cooler does not
 * need is NULL. */
typedef struct wsk_build wsk_build;
typedef struct wsk_card wsk_card;
typedef struct wsk_ring wsk_ring;
typedef struct {
    void (*complete)(wsk_cooler_params *cooler, double length_m, double thickness_m);
    void (*check)(wsk_build *build, const wsk_card *card);
    void (*masses)(wsk_build *build, const wsk_card *card);
    /* adds the card's air nodes; called for all cards before the first wire() */
    void (*open)(wsk_build *build, wsk_card *card);
    void (*wire)(wsk_build *build, wsk_card *card);
    /* Adds the card's plate or bath between two flow nodes of a <loop>; NULL: the cooler needs no <loop>. */
    void (*join)(wsk_ring *ring, wsk_card *card, int from, int to);
    /* adds the cooler's own coolant circuit; called after all <loop>s of the rig are added */
    void (*circuit)(wsk_build *build, wsk_card *card);
    /* True if the chassis drives the air through the cooler, so that another card may draw the exhaust of this
     * card. */
    bool (*in_duct)(const wsk_cooler_params *cooler);
    bool dielectric;
    bool fan, pump;
    /* part of the exhaust stays around the card and returns to the slot gaps beside it */
    bool around;
} wsk_cooler_ops;

#endif
