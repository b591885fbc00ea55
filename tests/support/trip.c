/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/trip.h"

#include <math.h>

double wsk_steps_trip_sampled(const wsk_steps *s, uint64_t seed, int trials)
{
    int64_t steps = (int64_t)(s->time_s / s->step_s);
    int trips = 0, class;
    double q = wsk_min(2 * WSK_STEP_OVERLAP_S / s->step_s, 1);
    bool alone = !s->synchronous && s->n > 1;
    for (int t = 0; t < trials; t++) {
        double sum = wsk_steps_critical(s, wsk_random(seed, (uint64_t)t, 0), &class);
        bool tripped = sum < 0;
        uint64_t draw = 1;
        for (int64_t k = 0; k < steps && !tripped; k++)
            for (int first = 0; first < (alone ? s->n : 1) && !tripped; first++) {
                double w = 0;
                for (int i = 0; i < s->n; i++) {
                    bool there = !alone || i == first || wsk_random(seed, (uint64_t)t, draw++) < q;
                    w += there ? s->card_w[i] * wsk_random(seed, (uint64_t)t, draw++) : 0;
                }
                tripped = w > sum;
            }
        trips += tripped;
    }
    return (double)trips / trials;
}

double wsk_breaker_trip_s(const wsk_breaker *b, double hold, double instant, double m)
{
    if (m >= instant)
        return 0;
    return m <= hold ? INFINITY : -b->tau_s * log1p(-hold * hold / (m * m));
}
