/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Seeded random rigs as XML text, every value inline: always valid, never twice the same. Cards of all styles (blower,
 * open-air, shrouded and ducted passive, alone and in series, AIO, blocks in closed and facility loops), on risers and in
 * frames, one to three chassis, controllers, failures, dust, blocked and stopped fans. */
#ifndef WSK_TESTS_RANDOM_RIG_H
#define WSK_TESTS_RANDOM_RIG_H
#include "sim/base/base.h"

typedef struct {
    uint64_t seed;
    int least_cards;  /* 0 to 7 cards otherwise */
    bool pin_cards;   /* power and fan of every card are pinned, the case is well aired, nothing follows or fails */
    bool pin_room;    /* the room's temperature is given */
    bool identical;   /* cards differ in their slot alone */
    int rotate;       /* not 0: cards have ids a, b, ... that begin at this slot's card */
    uint64_t shuffle; /* not 0: siblings stand in another order, the content stays */
} wsk_random_rig_spec;

/* The rig's text, ended with NUL; NULL when out of memory. Free with wsk_text_free. */
char *wsk_random_rig(const wsk_random_rig_spec *spec);

#endif
