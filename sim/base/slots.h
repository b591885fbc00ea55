/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slots of PCI Express cards. The width of a card is given in slots of 20.32 mm. In a chassis whose slots are further
 * apart, the card covers fewer slots. */
#ifndef WSK_SLOTS_H
#define WSK_SLOTS_H
#include <math.h>

/* Thickness, mm, of a card that is `slots` slots wide. It ends 2 mm before the plane of the next slot. */
static inline double wsk_slots_thickness_mm(double slots)
{
    return slots * 20.32 - 2;
}

/* Number of chassis slots, pitch_mm apart, that a card of width `slots` covers. */
static inline double wsk_slots_covered(double slots, double pitch_mm)
{
    return fmax(ceil(wsk_slots_thickness_mm(slots) / pitch_mm), 1);
}

#endif
