/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requirements of a card on its machine (slots, thickness, power), for commands that write rigs. */
#ifndef WSK_CLI_CARD_H
#define WSK_CLI_CARD_H
#include "cli/kit/cli.h"

/* Where a card is mounted: in a slot, in the air duct of a server with a fan wall (a card without a fan), as a module
 * (SXM) on a server board, as a module under a cold plate (a card that is sold for liquid cooling only), or on the
 * board of a machine with which it is sold. */
typedef enum {
    WSK_CLI_IN_SLOT,
    WSK_CLI_IN_DUCT,
    WSK_CLI_AS_MODULE,
    WSK_CLI_ON_PLATE,
    WSK_CLI_SOLDERED
} wsk_cli_mount;
typedef struct {
    double tdp_w, limit_min_w, thick_mm; /* limit_min_w: least power limit that can be set; 0: not known */
    int slots;
    wsk_cli_mount place;
    const char *limited_by; /* meaning of the card's power limit, for XML comments: "what nvidia-smi -pl sets" */
} wsk_cli_need;
/* Finds what the first card of a rig needs: size, power, and where it is mounted. */
wsk_cli_need wsk_cli_card_needs(const wsk_elements *rig);
/* Number of slots of the chassis that the card covers; if the chassis states no pitch, the card's own number of slots.
 * gpu, chassis: element indices. NAN: the rig does not state the card's slots. */
double wsk_cli_slots_covered(const wsk_elements *rig, int gpu, int chassis);

#endif
