/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/control/control.h"

#include <math.h>

static double host_load(const wsk_run *run, const wsk_case *c)
{
    const wsk_activity *a = &run->schedule;
    if (a->phase == WSK_PHASE_IDLE || run->net->cls == WSK_CLASS_IDLE || c->idles)
        return 0;
    return run->net->host_load * (a->phase == WSK_PHASE_RUN ? wsk_min(a->load, 1) : 1);
}

double wsk_cpu_w(const wsk_run *run, const wsk_case *c)
{
    const wsk_case_state *s = &run->cases[c - run->net->cases];
    if (s->cpu_off)
        return 0;
    const double idle = isnan(c->cpu->idle_w) ? c->cpu->power_w : c->cpu->idle_w;
    return c->cpu->count * s->cpu_share * (idle + host_load(run, c) * (c->cpu->power_w - idle));
}

double wsk_host_w(const wsk_run *run, const wsk_case *c)
{
    return run->cases[c - run->net->cases].cpu_off ? 0 : c->host_rest_w + host_load(run, c) * c->host_span_w;
}

/* Above its limit temperature the processor lowers its power (PROCHOT), and raises it again below the limit minus 3 K.
 * At 15 K above the limit it shuts down (THERMTRIP), and so do the cards of its case whose power is not held. Rates
 * and margins are assumed:
 * docs/theory/constants.md, "processor at its limit" */
void wsk_govern_cpu(wsk_run *run, int in)
{
    const wsk_case *c = &run->net->cases[in];
    wsk_case_state *s = &run->cases[in];
    double tick_s = (double)(run->head->t_ns - s->cpu_ns) / 1e9, k = wsk_cpu_k(run, c), before = s->cpu_share;
    s->cpu_ns = run->head->t_ns;
    if (s->cpu_off)
        return;
    run->now.awake = run->now.awake || k > c->cpu->limit_k || before < 1;
    if (k > c->cpu->limit_k)
        s->cpu_share = wsk_max(s->cpu_share - 0.03 * tick_s, 0.1);
    else if (k < c->cpu->limit_k - 3)
        s->cpu_share = wsk_min(s->cpu_share + 0.01 * tick_s, 1);
    if (before == 1 && s->cpu_share < 1 && !s->logged) {
        wsk_event(run, c->cpu->head.elem->id, WSK_WHAT_THROTTLE, WSK_WHY_CPU_LIMIT);
        s->logged = 1;
    }
    if (k < c->cpu->limit_k + 15)
        return;
    s->cpu_off = 1;
    s->shutdowns++;
    wsk_count_shutdown(run);
    wsk_event(run, c->cpu->head.elem->id, WSK_WHAT_SHUTDOWN, WSK_WHY_CPU_SHUTDOWN);
    for (int i = 0; i < run->net->n_card; i++)
        if (run->net->cards[i].in == in && isnan(run->cards[i].pin_power_w) && !run->cards[i].off)
            run->cards[i].off = 1;
}
