/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The laws of steps and breakers told another way, for tests to hold the engine's against. */
#ifndef WSK_TESTS_TRIP_H
#define WSK_TESTS_TRIP_H
#include "sim/study/trip.h"

/* wsk_steps_trip by drawing `trials` supplies and all their steps from the seeded stream. */
double wsk_steps_trip_sampled(const wsk_steps *steps, uint64_t seed, int trials);
/* Seconds until a breaker that holds `hold` times its rating trips, cold, at m times its rating, by the closed form;
 * INFINITY: never. */
double wsk_breaker_trip_s(const wsk_breaker *breaker, double hold, double instant, double m);

#endif
