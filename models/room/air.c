/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The room: one air node with heat capacity, joined to the outdoors by a conductance.
 * Equation: C dT/dt = Q_rig + Q_loads - G (T - T_out) - Q_ac.     Theory: docs/theory/room.md, "Room: air"
 * Valid for one well-mixed room; no radiation between walls. */
#include <math.h>
#include <string.h>

#include "sim/net/site.h"

#define P wsk_room_params
static const wsk_param params[] = {
    WSK_NUM(P, volume_m3, "volume", WSK_DIM_VOLUME, "40 m3", 1, 1e7, 0, "air volume"),
    WSK_ASSUME(P, cap_j_k, "capacity", WSK_DIM_CAPACITY, NULL, 1e3, 1e12, 0,
               "heat capacity of air, furniture and wall surface; default 6 times the air's",
               "light construction follows within the hour: 5-8 times the air alone"),
    WSK_ASSUME(P, cond_w_k, "conductance", WSK_DIM_CONDUCTANCE, "40 W/K", 0, 1e7, 0,
               "to the outdoors, infiltration included",
               "a 30 m3 room with one outer wall, window and 0.5 air changes an hour"),
    WSK_NUM(P, humidity, "humidity", WSK_DIM_FRACTION, "50 %", 0, 1, 0,
            "relative humidity at the start: dew point, and a little of the air's density"),
    WSK_NUM(P, temp_k, "temperature", WSK_DIM_TEMPERATURE, NULL, 223.15, 353.15, WSK_RIG_ONLY, "pins the room's air"),
    {.name = NULL}};
static const wsk_child children[] = {{"outdoor", 1, "sine"}, {"air-conditioner", 1, NULL}, {NULL, 0, NULL}};
static bool is_unheeded(const wsk_elem *elem, const char *param)
{
    return !isnan(((const P *)elem->params)->temp_k) &&
           (strcmp(param, "conductance") == 0 || strcmp(param, "capacity") == 0);
}

const wsk_kind wsk_room_air = {.element = "room",
                               .name = "air",
                               .is_default = true,
                               .help = "the room the rig stands in",
                               .size = sizeof(P),
                               .params = params,
                               .children = children,
                               .unheeded = is_unheeded};
