/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Controls of each tick: sets power limits, clocks and fans, shuts hot cards down, lets parts fail, and has the
 * resulting work and power of the cards computed. Theory: docs/theory/governor.md */
#include "sim/control/control.h"

#include <math.h>

static void shut_down_hot(wsk_run *run, int i)
{
    const wsk_card *c = &run->net->cards[i];
    wsk_card_state *s = &run->cards[i];
    if (s->off || !isnan(s->pin_power_w) || s->die_k < c->gpu->shutdown_k)
        return;
    s->off = 1;
    wsk_count_shutdown(run);
    wsk_event(run, c->id, WSK_WHAT_SHUTDOWN, WSK_WHY_DIE_SHUTDOWN);
}

void wsk_lose_card(wsk_run *run, int i, wsk_why why)
{
    if (run->cards[i].off && !wsk_is_shut_down(run, i))
        return;
    run->cards[i].off = WSK_LOST;
    wsk_wake(run);
    wsk_book_failure(run, run->net->cards[i].id, WSK_WHAT_LOST, why);
}

bool wsk_find_card(wsk_run *run, int i)
{
    wsk_card_state *s = &run->cards[i];
    if (!s->off)
        return true;
    if (run->cases[run->net->cards[i].in].cpu_off)
        return false;
    wsk_boot_card(run, i);
    s->found = wsk_fails_now(run, run->net->cards[i].lost_ns);
    s->operating.die_k = 0;
    wsk_wake(run);
    wsk_event(run, run->net->cards[i].id, WSK_WHAT_RETURNS, WSK_WHY_COMMAND);
    return true;
}

static void lose_cards(wsk_run *run)
{
    for (int i = 0; i < run->net->n_card; i++)
        if (wsk_is_gone(run, i))
            wsk_lose_card(run, i, WSK_WHY_SCHEDULED);
}

static double mean_limit_w(const wsk_curve *plan)
{
    double sum = 0;
    for (int i = 0; i < plan->count; i++)
        sum += plan->y[i] * ((i + 1 < plan->count ? plan->x[i + 1] : plan->x[0] + 86400) - plan->x[i]);
    return sum / 86400;
}

/* A steady point has no time of day and takes the mean limit over a day; the one from which a run starts (opening) takes
 * the limit at the start. */
static void follow_schedule(wsk_run *run, const wsk_card *c, wsk_card_state *s)
{
    const wsk_curve *plan = &c->gpu->limit_schedule;
    if (plan->count == 0 || run->head->t_ns < s->schedule_ns)
        return;
    if (run->steady && !run->opening) {
        s->limit_w = mean_limit_w(plan);
        s->held_w = wsk_card_held_w(c, s->limit_w);
        s->schedule_ns = INT64_MAX;
        return;
    }
    int64_t clock_until_ns;
    const double start = wsk_start_civil_s(run->net, run->head->t_ns, &clock_until_ns),
                 now = fmod(start + (double)run->head->t_ns / 1e9, 86400);
    double limit = plan->y[plan->count - 1], next = plan->x[0] + 86400;
    for (int i = 0; i < plan->count; i++) {
        if (plan->x[i] <= now + 1e-6)
            limit = plan->y[i];
        else if (plan->x[i] < next)
            next = plan->x[i];
    }
    const int64_t next_ns = run->head->t_ns + (int64_t)ceil((next - now) * 1e9);
    s->schedule_ns = run->steady ? INT64_MAX : next_ns < clock_until_ns ? next_ns : clock_until_ns;
    if (limit == s->limit_w)
        return;
    s->limit_w = limit;
    s->held_w = wsk_card_held_w(c, limit);
    wsk_wake(run);
    wsk_event(run, c->id, WSK_WHAT_POWER_LIMIT, WSK_WHY_SCHEDULE);
}

bool wsk_set_limit(wsk_run *run, int card, double limit_w)
{
    const wsk_card *c = &run->net->cards[card];
    wsk_card_state *s = &run->cards[card];
    if (isnan(limit_w) && c->gpu->limit_schedule.count > 0) {
        s->schedule_ns = 0;
        follow_schedule(run, c, s);
        return true;
    }
    limit_w = isnan(limit_w) ? c->limit_w : limit_w;
    if (!(limit_w >= c->limit_min_w && limit_w <= c->limit_max_w))
        return false;
    wsk_wake(run);
    s->limit_w = limit_w;
    s->held_w = wsk_card_held_w(c, limit_w);
    return true;
}

static void set_card(wsk_run *run, int i)
{
    const wsk_card *c = &run->net->cards[i];
    wsk_card_state *s = &run->cards[i];
    shut_down_hot(run, i);
    follow_schedule(run, c, s);
    if (!run->replays || isnan(s->pin_power_w)) {
        wsk_govern(run, c, s);
        wsk_watch_card(run, i);
    }
    wsk_control_fan(run, i);
    wsk_work_card(run, i);
    /* If the card's new power puts its die far above the shutdown temperature, as with a badly mounted cooler, the
     * card shuts down at this tick, not at the next: in reality this happens within milliseconds. */
    const double far_k = 25;
    wsk_split_watts(c, s);
    double die = wsk_die_k(run, c, s);
    if (s->off || !isnan(s->pin_power_w) || die < c->gpu->shutdown_k + far_k) {
        wsk_look_for_rest(run, c, s);
        return;
    }
    s->die_k = die;
    shut_down_hot(run, i);
    wsk_work_card(run, i);
}

void wsk_read_dies(wsk_run *run)
{
    for (int i = 0; i < run->net->n_card; i++)
        run->cards[i].die_k = wsk_die_k(run, &run->net->cards[i], &run->cards[i]);
}

void wsk_control(wsk_run *run)
{
    const wsk_net *net = run->net;
    const int64_t shut = run->head->shutdowns;
    run->now.awake = run->now.stirred = false;
    wsk_fail_lines(run);
    wsk_fail_supplies(run);
    lose_cards(run);
    wsk_work_schedule(run);
    for (int i = 0; i < net->n_case; i++)
        if (net->cases[i].cpu)
            wsk_govern_cpu(run, i);
    wsk_read_dies(run);
    for (int i = 0; i < net->n_card; i++)
        run->now.awake = run->now.awake || !wsk_rests(run, &net->cards[i], &run->cards[i]);
    const bool act = run->now.awake;
    /* wsk_work_card is also called for cards at rest, because wsk_work_together may have replaced what it computed. */
    for (int i = 0; i < net->n_card && act; i++) {
        const wsk_card *c = &net->cards[i];
        wsk_card_state *s = &run->cards[i];
        if (!wsk_controls_rest(run, c, s)) {
            set_card(run, i);
            continue;
        }
        const bool same = wsk_rests(run, c, s);
        if (!same)
            /* No cap can change here, but thermal governors record the present temperature for later decisions. */
            wsk_govern(run, c, s);
        wsk_work_card(run, i);
        if (!same)
            wsk_stay_near(run, c, s);
    }
    wsk_control_movers(run);
    if (!act)
        return;                       /* the powers of the last wsk_work_together still hold */
    if (run->head->shutdowns != shut) /* after a shutdown the other cards may become idle at the next tick */
        wsk_wake(run);
    wsk_work_together(run);
    wsk_read_dies(run);
}

/* Lets the governors that obey the power brake decide at once, not at the time of their next decision, because the
 * brake acts within milliseconds. */
void wsk_pull_brakes(wsk_run *run)
{
    for (int i = 0; i < run->net->n_card; i++) {
        const wsk_card *c = &run->net->cards[i];
        wsk_card_state *s = &run->cards[i];
        const wsk_governor_input in = wsk_governor_sees(run, c, s);
        for (int k = 0; k < c->n_governors; k++)
            if (c->governors[k].ops->cause == WSK_REASON_BRAKE)
                c->governors[k].ops->next(c->governors[k].params, c->gpu, &s->governor[k], &in);
        wsk_find_cap(c, s);
        wsk_work_card(run, i);
    }
    wsk_work_together(run);
}
