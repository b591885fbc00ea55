/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a chassis and of the vents in its walls. All values SI; NAN: not given. */
#ifndef WSK_CHASSIS_H
#define WSK_CHASSIS_H
#include "sim/net/kind.h"

extern const char *const wsk_side_names[];

enum { WSK_PLACES = 5 }; /* number of places for fans: the entries of wsk_place (fan.h) before WSK_AT_WALL */
typedef struct {
    wsk_params head;
    double slots, pitch_m, wall_gap_m;
    double row_slots; /* slots in the first of two rows of cards; NAN: one row */
    double card_length_max_m;
    double card_height_max_m;
    double riser_places, riser_depth_m;
    double panel_area_m2, panel_cap_j_k, panel_cond_w_m2k;
    double intake_loss, exhaust_loss;
    double gap_loss, curtain_loss;
    double card_width_m; /* height of a card above its slot, which is also the width of its slot gap */
    double natural_height_m;
    int psu_intake; /* where the PSU draws its air: 0 case, 1 outside */
    int side;       /* side panel: 0 closed, 1 off */
    double side_area_m2;
    double volume_m3;
    double places[WSK_PLACES];
    int power_brake; /* 1: the chassis halves the clocks of its cards by the power brake while a PSU is overloaded */
    double exhaust_return;
    /* share of filters and fins that dust blocks: dust_start at the start of the run, and `dust` more after each
     * dust_time_s */
    double dust, dust_time_s, dust_start;
    double price, price_date_s;
} wsk_chassis_params;
typedef struct {
    bool open;
} wsk_chassis_ops;
typedef struct {
    wsk_params head;
    int at;
    double area_m2, loss;
} wsk_vent_params;

#endif
