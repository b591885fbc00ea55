/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls the governors of a card, which lower its clock for heat or for the power brake, each with its own period. The
 * lowest of their clocks is the card's cap. Theory: docs/theory/governor.md */
#include "sim/control/control.h"
#include "sim/net/governor_table.h"

#include <math.h>

wsk_governor_input wsk_governor_sees(const wsk_run *run, const wsk_card *c, const wsk_card_state *s)
{
    return (wsk_governor_input){.die_k = s->die_k,
                                .hotspot_k = s->die_k + wsk_hotspot_over_k(c->gpu, s->die_w),
                                .memory_k = run->t[c->memory],
                                .clock_hz = s->clock_hz,
                                .lowest_hz = s->cap_hz,
                                .brake = run->cases[c->in].brake};
}

void wsk_boot_card(wsk_run *run, int card)
{
    const wsk_card *c = &run->net->cards[card];
    wsk_card_state *s = &run->cards[card];
    s->off = 0;
    for (int i = 0; i < c->n_governors; i++)
        s->governor[i] = (wsk_governor_state){.cap_hz = wsk_governor_top_hz(c->gpu)};
}

void wsk_find_cap(const wsk_card *c, wsk_card_state *s)
{
    s->cap_hz = INFINITY;
    s->cap_of = 0;
    for (int i = 0; i < c->n_governors; i++)
        if (s->governor[i].cap_hz < s->cap_hz) {
            s->cap_hz = s->governor[i].cap_hz;
            s->cap_of = i;
        }
}

void wsk_govern(const wsk_run *run, const wsk_card *c, wsk_card_state *s)
{
    wsk_governor_input in = wsk_governor_sees(run, c, s);
    const int64_t now = run->head->t_ns;
    int64_t before = 0;
    for (int i = 0; i < c->n_governors; i++) {
        const int64_t period = c->governors[i].period_ns;
        s->governor_next_ns[i] = wsk_in_step(run, s->governor_next_ns[i], period);
        if (now < s->governor_next_ns[i])
            continue;
        int64_t elapsed = s->governor_next_ns[i] > 0 ? now - s->governor_last_ns[i] : period;
        if (elapsed != before)
            in.elapsed_s = (double)elapsed / 1e9;
        before = elapsed;
        c->governors[i].ops->next(c->governors[i].params, c->gpu, &s->governor[i], &in);
        s->governor_last_ns[i] = now;
        s->governor_next_ns[i] = wsk_next_decision_ns(now, period);
    }
    wsk_find_cap(c, s);
}
