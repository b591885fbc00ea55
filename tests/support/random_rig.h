/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_TESTS_RANDOM_RIG_H
#define WSK_TESTS_RANDOM_RIG_H
#include "sim/base/base.h"

typedef struct {
    uint64_t seed;
    int least_cards; /* the first chassis has a random number of cards from this to 7 */
    /* Power and fan of every card are pinned, each chassis has at least two fan groups, and there are no controllers
     * and no failures. */
    bool pin_cards;
    bool pin_room;
    bool identical;
    double warmer_k;  /* K, added to the temperature of the room or outdoors; all else stays the same */
    int rotate;       /* not 0: of n cards, card i (from 0) gets letter (i + rotate) mod n of a, b, ... as its id */
    uint64_t shuffle; /* not 0: shuffles sibling elements by this seed; the content stays the same */
} wsk_random_rig_spec;

/* Returns the rig's text, ended by NUL; NULL when out of memory. Free with wsk_text_free. */
char *wsk_random_rig(const wsk_random_rig_spec *spec);

#endif
