/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The spread (uncertainty) of a parameter value of a rig, read from the text that states its source. */
#ifndef WSK_NET_SPREAD_H
#define WSK_NET_SPREAD_H
#include "sim/net/kind.h"

typedef enum {
    WSK_SPREAD_NONE,   /* no spread: written by the user, or sourced without a spread */
    WSK_SPREAD_UNREAD, /* sourced; its spread is stated in words without a usable number */
    WSK_SPREAD_STATED, /* the attribute spread="" states it */
    WSK_SPREAD_REASON, /* assumed; the reason states the range of such values */
    WSK_SPREAD_RULE    /* assumed without a range: 25 % of the value, 10 % of a length, 5 K, 5 dB */
} wsk_spread_from;
typedef struct {
    wsk_spread_from from;
    double half;   /* half width: the value lies within +- half, SI */
    bool relative; /* half is in proportion to the value */
    bool of_power; /* half is of a class's whole power: p0 and c vary together */
} wsk_spread;
/* Finds the spread of `value`, in SI: that of the parameter, or one y of its curve. Grammar of spreads:
 * docs/theory/uncertainty.md */
wsk_spread wsk_spread_of(const wsk_elem *elem, const wsk_param *param, const wsk_origin *origin, double value);

#endif
