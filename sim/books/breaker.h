/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A breaker's thermal element: its heat is the square of a current over the rated one, (I/I_n)^2, that it has settled to.
 * Theory: docs/theory/trip.md */
#ifndef WSK_BREAKER_H
#define WSK_BREAKER_H
#include "sim/net/net.h"
#include "sim/num/wide.h"

/* Share of its heat that it keeps over h seconds. */
static inline double wsk_breaker_keeps(const wsk_breaker *b, double h)
{
    return wsk_exp(-wsk_min(h / b->tau_s, 600));
}

/* Its heat after a time over which it keeps that share, with m times its rated current. */
static inline double wsk_breaker_heat(double heat, double m, double keeps)
{
    return m * m + (heat - m * m) * keeps;
}

/* Volt-amperes at the rated current of the circuit; NAN where none is named. */
static inline double wsk_circuit_rating_w(const wsk_net *net)
{
    return net->site->circuit_a * net->site->supply_v;
}

#endif
