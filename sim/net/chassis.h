/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The role of a chassis, and the vents in its walls. All values SI; NAN means "not given". */
#ifndef WSK_CHASSIS_H
#define WSK_CHASSIS_H
#include "sim/net/kind.h"

extern const char *const wsk_side_names[]; /* ends with NULL */

enum { WSK_PLACES = 5 }; /* front to side, in the order of wsk_place */
typedef struct {
    wsk_params head;
    double slots, pitch_m, wall_gap_m; /* free distance from the last slot's plane to wall or shroud */
    double card_length_max_m;
    double panel_area_m2, panel_cap_j_k, panel_cond_w_m2k;
    double intake_loss, exhaust_loss; /* loss coefficient of grill + filter, on the fan's face area */
    double gap_loss, curtain_loss;    /* slot inlet and curtain under a fan */
    double card_width_m;              /* depth of the slot gap, board edge to edge */
    double natural_height_m;
    int psu_intake; /* 0 case, 1 outside */
    int side;       /* 0 closed, 1 open: the side panel is off */
    double side_area_m2;
    double volume_m3;          /* of the air inside; NAN: not stated */
    double places[WSK_PLACES]; /* fans of usual size that fit at front, rear, ...; NAN: not stated */
    int power_brake;           /* 0 no, 1 yes: halves its cards' clocks when a supply is beyond what it may give */
    double exhaust_return;     /* share of the intake air that is the rig's own exhaust */
    double dust, dust_time_s, dust_start; /* share of filters and fins blocked more after dust_time; at the start */
    double price;
} wsk_chassis_params;
typedef struct {
    bool open; /* no case: cards, fans and supply stand in room air */
} wsk_chassis_ops;
typedef struct {
    wsk_params head;
    int at;
    double area_m2, loss;
} wsk_vent_params;

#endif
