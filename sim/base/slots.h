/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slots of PCI Express cards: a card states how many it is wide, 20.32 mm each, and in a chassis with a wider pitch it
 * covers fewer. */
#ifndef WSK_SLOTS_H
#define WSK_SLOTS_H
#include <math.h>

/* Thickness, mm, of a card so many slots wide, which keeps 2 mm from the next slot's plane. */
static inline double wsk_slots_thickness_mm(double slots)
{
    return slots * 20.32 - 2;
}

/* Slots of a chassis with this pitch that a card so many slots wide covers. */
static inline double wsk_slots_covered(double slots, double pitch_mm)
{
    return fmax(ceil(wsk_slots_thickness_mm(slots) / pitch_mm), 1);
}

#endif
