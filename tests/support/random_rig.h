/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random rigs as XML text from a seed, with every value written in the rig. Always valid. Cards with every kind of
 * cooler (blower, open-air, passive shrouded and ducted, alone and in series, AIO, water blocks in closed and
 * facility loops), on risers and in frames; one to three chassis; fan controllers, failures, dust, blocked and
 * stopped fans. */
#ifndef WSK_TESTS_RANDOM_RIG_H
#define WSK_TESTS_RANDOM_RIG_H
#include "sim/base/base.h"

typedef struct {
    uint64_t seed;
    int least_cards; /* 0 to 7 cards otherwise */
    /* power and fan of every card are pinned, the case is well ventilated, no controllers and no failures */
    bool pin_cards;
    bool pin_room;    /* the room's temperature is fixed */
    bool identical;   /* cards differ by their slot only */
    int rotate;       /* not 0: cards get ids a, b, ..., starting with the card in this slot */
    uint64_t shuffle; /* not 0: siblings in another order, same content */
} wsk_random_rig_spec;

/* Returns the rig's text, ended by NUL; NULL when out of memory. Free with wsk_text_free. */
char *wsk_random_rig(const wsk_random_rig_spec *spec);

#endif
