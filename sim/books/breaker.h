/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The thermal element of a breaker. Its heat is given without unit: a constant current I, held for ever, brings it to
 * (I/I_n)^2, where I_n is the rated current. Theory: docs/theory/trip.md */
#ifndef WSK_BREAKER_H
#define WSK_BREAKER_H
#include "sim/net/net.h"
#include "sim/num/wide.h"

/* Share of its heat that the element keeps over h seconds. */
static inline double wsk_breaker_keeps(const wsk_breaker *b, double h)
{
    return wsk_exp(-wsk_min(h / b->tau_s, 600));
}

/* Returns the heat after a time at a constant current of m times the rated current. heat: at the start of that time;
 * keeps: wsk_breaker_keeps of that time. */
static inline double wsk_breaker_heat(double heat, double m, double keeps)
{
    return m * m + (heat - m * m) * keeps;
}

/* Apparent power at the circuit's rated current, VA; NAN: the rig gives no circuit. */
static inline double wsk_line_rating_w(const wsk_mains_line *line)
{
    return line->circuit_a * line->supply_v;
}

#endif
