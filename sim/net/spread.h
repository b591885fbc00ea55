/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a value of a rig may be off, from what its source says. */
#ifndef WSK_NET_SPREAD_H
#define WSK_NET_SPREAD_H
#include "sim/net/kind.h"

typedef enum {
    WSK_SPREAD_NONE,   /* none: written by the user, or sourced without a spread */
    WSK_SPREAD_UNREAD, /* sourced, with a spread in words from which no number can be taken */
    WSK_SPREAD_STATED, /* spread="" gives it */
    WSK_SPREAD_REASON, /* assumed, and the reason gives the range in which such values lie */
    WSK_SPREAD_RULE    /* assumed, and nothing is said: a quarter of the value, a tenth of a length, 5 K, 5 dB */
} wsk_spread_from;
typedef struct {
    wsk_spread_from from;
    double half;   /* the value may be this much more or less, SI */
    bool relative; /* it was told as a share of the value */
    bool of_power; /* it is that of the watts of a class of work: p0 and c move together by it */
} wsk_spread;
/* value: a number in SI, or of a curve one of its y. Grammar: docs/theory/uncertainty.md. */
wsk_spread wsk_spread_of(const wsk_elem *elem, const wsk_param *param, const wsk_origin *origin, double value);

#endif
