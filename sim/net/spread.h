/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_NET_SPREAD_H
#define WSK_NET_SPREAD_H
#include "sim/net/kind.h"

typedef enum {
    WSK_SPREAD_NONE,   /* no spread: a value without a source, or with a source that states no spread */
    WSK_SPREAD_UNREAD, /* a sourced value whose spread is stated in words without a usable number */
    WSK_SPREAD_STATED, /* the attribute spread="" of the value's source states the spread */
    WSK_SPREAD_REASON, /* an assumed value; the reason for the assumption states the range of such values */
    WSK_SPREAD_RULE    /* an assumed value without a range: 25 % of the value, 10 % of a length, 5 K, 5 dB */
} wsk_spread_from;
typedef struct {
    wsk_spread_from from;
    /* half width, SI: the true value is expected between value - half and value + half */
    double half;
    bool relative;
} wsk_spread;
/* Finds the spread of `value`, in SI. The value is that of the parameter, or one y if the parameter is a curve.
 * Grammar of spreads: docs/theory/uncertainty.md */
wsk_spread wsk_spread_of(const wsk_elem *elem, const wsk_param *param, const wsk_origin *origin, double value);
/* Parses a spread such as "standard deviation 1.92, 1.12, 0.52, 0.68 points at 10, 20, 50, 100 %", the form used by
 * parts that represent all PSUs of an 80 PLUS rating. half: per load point, as a fraction. False: the text has
 * another form. */
bool wsk_spread_by_point(const char *text, double half[4]);

#endif
