/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_TESTS_TRIP_H
#define WSK_TESTS_TRIP_H
#include "sim/study/trip/trip.h"

/* The result of wsk_steps_trip by Monte Carlo: draws `trials` PSUs and all their load steps from the seeded random
 * stream. */
double wsk_steps_trip_sampled(const wsk_steps *steps, uint64_t seed, int trials);
/* Seconds until a cold breaker trips at m times its rating, in closed form. hold: multiple of the rating that the
 * breaker carries for ever; instant: multiple at which it trips at once. INFINITY: the breaker never trips. */
double wsk_breaker_trip_s(const wsk_breaker *breaker, double hold, double instant, double m);

#endif
