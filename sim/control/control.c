/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Controls act at the tick: governors, the cards' fans, the processor, and where the watts go.
 * Theory: docs/theory/governor.md, docs/theory/power.md */
#include <math.h>
#include <string.h>

#include "sim/control/run.h"
#include "sim/step/step.h"
#include "sim/books/books.h"
#include "sim/control/control.h"

wsk_governor_input wsk_governor_sees(const wsk_run *run, const wsk_card *c, const wsk_card_state *s)
{
    return (wsk_governor_input){.die_k = s->die_k,
                                .hotspot_k = s->die_k + c->gpu->hotspot_res_k_w * s->die_w,
                                .memory_k = run->t[c->memory],
                                .clock_hz = s->clock_hz,
                                .brake = run->cases[c->in].brake};
}

/* Controllers decide at multiples of their periods, or at the tick behind: what divides a tick shifts none against another. */
static int64_t next_decision_ns(int64_t t_ns, int64_t period_ns)
{
    return (t_ns / period_ns + 1) * period_ns;
}

/* The next decision of one that would have been asked at the tick before, had its card not rested. */
static int64_t in_step(const wsk_run *run, int64_t next_ns, int64_t period_ns)
{
    const int64_t before = (run->head->t_ns - 1) / run->tick_ns * run->tick_ns;
    return next_ns > before || next_ns == 0 ? next_ns
                                            : next_decision_ns(before, period_ns); /* 0: it has not decided yet */
}

static void find_cap(const wsk_card *c, wsk_card_state *s)
{
    s->cap_hz = INFINITY;
    s->cap_of = 0;
    for (int i = 0; i < c->n_governors; i++)
        if (s->governor[i].cap_hz < s->cap_hz) {
            s->cap_hz = s->governor[i].cap_hz;
            s->cap_of = i;
        }
}

static void govern(const wsk_run *run, const wsk_card *c, wsk_card_state *s)
{
    wsk_governor_input in = wsk_governor_sees(run, c, s);
    const int64_t now = run->head->t_ns;
    int64_t before = 0;
    for (int i = 0; i < c->n_governors; i++) {
        const int64_t period = c->governors[i].period_ns;
        s->governor_next_ns[i] = in_step(run, s->governor_next_ns[i], period);
        if (now < s->governor_next_ns[i])
            continue;
        int64_t elapsed = s->governor_next_ns[i] > 0 ? now - s->governor_last_ns[i] : period;
        if (elapsed != before)
            in.elapsed_s = (double)elapsed / 1e9;
        before = elapsed;
        c->governors[i].ops->next(c->governors[i].params, c->gpu, &s->governor[i], &in);
        s->governor_last_ns[i] = now;
        s->governor_next_ns[i] = next_decision_ns(now, period);
    }
    find_cap(c, s);
}

/* A part without a curve of its own: quiet to 50 degC, 80 % at the target, full speed 4 K above (assumed; the
 * measured curves of coolers.csv rise 36-50 rpm/K above 68 degC). */
static double fan_target(const wsk_card *c, double die_k)
{
    if (c->cooler->curve.count > 0)
        return wsk_curve_at(&c->cooler->curve, die_k);
    double quiet = wsk_max(c->rpm_min, 0.3 * c->rpm_max), target = c->gpu->target_k;
    wsk_curve plain = {.count = 4,
                       .x = {50 + WSK_KELVIN, target - 8, target, target + 4},
                       .y = {quiet, 0.6 * c->rpm_max, 0.8 * c->rpm_max, c->rpm_max}};
    return wsk_curve_at(&plain, die_k);
}

/* The speed that the curve asks for at this reading, in steps of 1 %. */
static double fan_goal(const wsk_card *c, double ref_k)
{
    double target = wsk_min(wsk_max(fan_target(c, ref_k), c->rpm_min), c->rpm_max), percent = c->rpm_max / 100;
    return floor(target / percent + 0.5) * percent;
}

double wsk_fan_reference(double before_k, double sensor_k, double hysteresis_k)
{
    double k = floor(sensor_k - WSK_KELVIN + 0.5) + WSK_KELVIN;
    return k > before_k ? k : k < before_k - hysteresis_k ? k + hysteresis_k : before_k;
}

void wsk_fan_band(double before_k, double hysteresis_k, double *low_k, double *high_k)
{
    const double edge_k = 1e-6, before = before_k - WSK_KELVIN;
    *low_k = ceil(before - hysteresis_k - edge_k) - 0.5 + edge_k + WSK_KELVIN;
    *high_k = floor(before + edge_k) + 0.5 - edge_k + WSK_KELVIN;
}

double wsk_fan_ramp(double rpm, double target_rpm, double percent_rpm, double period_s)
{
    double most = floor(wsk_max(5 * period_s, 1)) * percent_rpm, change = target_rpm - rpm;
    return fabs(change) <= most ? target_rpm : rpm + (change > 0 ? most : -most);
}

/* The controller reads whole degrees, as sensors give them, sets speed in steps of 1 %, and moves by at most 5 % of
 * full speed a second (at least one step a decision): inertia and firmware ramp together. */
static void control_fan(wsk_run *run, int i)
{
    const wsk_card *c = &run->net->cards[i];
    wsk_card_state *s = &run->cards[i];
    if (c->mover < 0 || run->movers[c->mover].failed || run->cases[c->in].cpu_off)
        return;
    double *rpm = &run->rpm[c->mover], percent = c->rpm_max / 100;
    if (!isnan(s->pin_rpm)) {
        *rpm = s->pin_rpm;
        return;
    }
    s->fan_next_ns = in_step(run, s->fan_next_ns, c->fan_period_ns);
    if (run->head->t_ns < s->fan_next_ns)
        return;
    s->fan_next_ns = next_decision_ns(run->head->t_ns, c->fan_period_ns);
    double ref = wsk_fan_reference(s->fan_ref_k, s->die_k, c->cooler->hysteresis_k);
    if (ref != s->fan_ref_k || isnan(s->fan_goal_rpm))
        s->fan_goal_rpm = fan_goal(c, ref);
    s->fan_ref_k = ref;
    if (*rpm != s->fan_goal_rpm)
        *rpm = wsk_fan_ramp(*rpm, s->fan_goal_rpm, percent, c->cooler->period_s);
}

bool wsk_fan_rests(const wsk_run *run, int card)
{
    const wsk_card *c = &run->net->cards[card];
    const wsk_card_state *s = &run->cards[card];
    if (c->mover < 0 || run->movers[c->mover].failed || !isnan(s->pin_rpm))
        return true;
    double ref = wsk_fan_reference(s->fan_ref_k, wsk_die_k(run, c, s), c->cooler->hysteresis_k);
    return ref == s->fan_ref_k && run->rpm[c->mover] == fan_goal(c, ref);
}

static void shut_down_hot(wsk_run *run, int i)
{
    const wsk_card *c = &run->net->cards[i];
    wsk_card_state *s = &run->cards[i];
    if (s->off || !isnan(s->pin_power_w) || s->die_k < c->gpu->shutdown_k)
        return;
    s->off = 1;
    wsk_wake(run);
    run->head->shutdowns++;
    if (run->head->failed_ns >= 0 && run->head->shut_ns < 0)
        run->head->shut_ns = run->head->t_ns;
    wsk_event(run, c->id, "shutdown", "die reached the shutdown temperature");
}

static double day_s(const wsk_run *run)
{
    double start = isnan(run->net->runspec->from_s) ? 0 : run->net->runspec->from_s;
    return fmod(start + (double)run->head->t_ns / 1e9, 86400);
}

/* Over a day; each entry holds until the next. */
static double mean_limit_w(const wsk_curve *plan)
{
    double sum = 0;
    for (int i = 0; i < plan->count; i++)
        sum += plan->y[i] * ((i + 1 < plan->count ? plan->x[i + 1] : plan->x[0] + 86400) - plan->x[i]);
    return sum / 86400;
}

/* The limit by the time of day: each entry holds from its time on, the last one through midnight. A steady point has no time:
 * it takes the mean, which is what a day's watts and its spread hang on. */
static void follow_schedule(wsk_run *run, const wsk_card *c, wsk_card_state *s)
{
    const wsk_curve *plan = &c->gpu->limit_schedule;
    if (plan->count == 0 || run->head->t_ns < s->schedule_ns)
        return;
    if (run->steady) {
        s->limit_w = mean_limit_w(plan);
        s->held_w = c->ops->held_w(c->gpu, s->limit_w);
        s->schedule_ns = INT64_MAX;
        return;
    }
    double now = day_s(run), limit = plan->y[plan->count - 1], next = plan->x[0] + 86400;
    for (int i = 0; i < plan->count; i++) {
        if (plan->x[i] <= now + 1e-6)
            limit = plan->y[i];
        else if (plan->x[i] < next)
            next = plan->x[i];
    }
    s->schedule_ns = run->head->t_ns + (int64_t)ceil((next - now) * 1e9);
    if (limit == s->limit_w)
        return;
    s->limit_w = limit;
    s->held_w = c->ops->held_w(c->gpu, limit);
    wsk_wake(run);
    wsk_event(run, c->id, "power limit", "schedule");
}

bool wsk_set_limit(wsk_run *run, int card, double limit_w)
{
    const wsk_card *c = &run->net->cards[card];
    if (!(limit_w >= c->limit_min_w && limit_w <= c->limit_max_w))
        return false;
    wsk_wake(run);
    run->cards[card].limit_w = limit_w;
    run->cards[card].held_w = c->ops->held_w(c->gpu, limit_w);
    return true;
}

static void set_card(wsk_run *run, int i)
{
    const wsk_card *c = &run->net->cards[i];
    wsk_card_state *s = &run->cards[i];
    shut_down_hot(run, i);
    follow_schedule(run, c, s);
    govern(run, c, s);
    wsk_watch_card(run, i);
    control_fan(run, i);
    wsk_work_card(run, i);
    /* A jump far beyond the limit (a mount that hardly touches) trips in milliseconds, not at the next tick. */
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

/* The processor lowers its own watts at its limit (PROCHOT), 3 % a second down to a tenth, and comes back 1 % a second
 * 3 K below; 15 K above it, the machine goes off, with its cards (THERMTRIP). Steps and margins assumed. */
static void govern_cpu(wsk_run *run, int in)
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
        wsk_event(run, c->cpu->head.elem->id, "throttle", "processor at its limit temperature");
        s->logged = 1;
    }
    if (k < c->cpu->limit_k + 15)
        return;
    s->cpu_off = 1;
    wsk_wake(run);
    run->head->shutdowns++;
    if (run->head->failed_ns >= 0 && run->head->shut_ns < 0)
        run->head->shut_ns = run->head->t_ns;
    wsk_event(run, c->cpu->head.elem->id, "shutdown", "processor reached its shutdown temperature");
    for (int i = 0; i < run->net->n_card; i++)
        if (run->net->cards[i].in == in && isnan(run->cards[i].pin_power_w))
            run->cards[i].off = 1;
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
    wsk_work_schedule(run);
    for (int i = 0; i < net->n_case; i++)
        if (net->cases[i].cpu)
            govern_cpu(run, i);
    wsk_read_dies(run);
    for (int i = 0; i < net->n_card; i++)
        run->now.awake = run->now.awake || !wsk_rests(run, &net->cards[i], &run->cards[i]);
    const bool act = run->now.awake;
    for (int i = 0; i < net->n_card && act;
         i++) { /* those that rest, too: cards that work together wait for one another */
        const wsk_card *c = &net->cards[i];
        wsk_card_state *s = &run->cards[i];
        if (!wsk_controls_rest(run, c, s)) {
            set_card(run, i);
            continue;
        }
        const bool same = wsk_rests(run, c, s);
        if (!same)
            govern(run, c, s); /* they find nothing to do, but see the temperature that they hold the next against */
        wsk_work_card(run, i);
        if (!same)
            wsk_stay_near(run, c, s);
    }
    wsk_control_movers(run);
    if (!act)
        return;                       /* their watts hold what waiting for one another made of them: not twice */
    if (run->head->shutdowns != shut) /* from the next tick on the others may have nothing to do */
        wsk_wake(run);
    wsk_work_together(run);
    wsk_read_dies(run);
}

static bool load_on(const wsk_run *run, const wsk_load_params *l)
{
    int64_t period = (int64_t)(l->period_s * 1e9), on = (int64_t)(l->duty * l->period_s * 1e9);
    return run->steady ? l->duty > 0 : run->head->t_ns % period < on;
}

static double outdoor_k(const wsk_run *run, int64_t t_ns)
{
    const wsk_net *net = run->net;
    if (run->steady)
        return net->outdoor_ops->mean_k(net->outdoor_params);
    double start = isnan(net->runspec->from_s) ? 0 : net->runspec->from_s, since = (double)t_ns / 1e9;
    return net->outdoor_ops->temp_k(net->outdoor_params, start + since, since);
}

static double between(const double x[2], double share)
{
    return x[0] + (x[1] - x[0]) * share;
}

/* Weather turns over hours: it is looked at once a minute, with what the air conditioner then can do and draws for it, and straight
 * between. Returns the share of the minute that has passed. */
static double follow_weather(wsk_run *run)
{
    const int64_t minute = 60 * WSK_NS, t = run->head->t_ns, from = t / minute * minute;
    const wsk_net *net = run->net;
    wsk_run_head *head = run->head;
    for (int i = 0; i < 2 && t >= head->weather_ns; i++) {
        head->weather_k[i] = outdoor_k(run, from + i * minute);
        head->cooling_w[i] = net->ac ? net->ac_ops->capacity_w(net->ac, head->weather_k[i]) : 0;
        head->compressing_w[i] = net->ac ? head->cooling_w[i] / net->ac_ops->cop(net->ac, head->weather_k[i]) : 0;
    }
    head->weather_ns = from + minute;
    const double share = (double)(t - from) / (double)minute;
    run->t[net->outdoor] = between(head->weather_k, share);
    return share;
}

static void card_watts(wsk_run *run)
{
    for (int i = 0; i < run->net->n_card; i++) {
        const wsk_card *c = &run->net->cards[i];
        const wsk_card_state *s = &run->cards[i];
        run->heat[c->heatsink] += s->die_w;
        run->heat[c->memory] += s->memory_w;
        run->heat[c->board] += c->board_share * s->power_w;
        run->case_dc_w[c->in] += s->power_w;
    }
}

/* Share of the time that the processor has work: as long as there is some for the cards. */
static double cpu_load(const wsk_run *run)
{
    const wsk_activity *a = &run->schedule;
    if (a->phase == WSK_PHASE_IDLE || run->net->cls == WSK_CLASS_IDLE)
        return 0;
    return a->phase == WSK_PHASE_RUN ? wsk_min(a->load, 1) : 1;
}

double wsk_cpu_w(const wsk_run *run, const wsk_case *c)
{
    const wsk_case_state *s = &run->cases[c - run->net->cases];
    if (s->cpu_off)
        return 0;
    const double idle = isnan(c->cpu->idle_w) ? c->cpu->power_w : c->cpu->idle_w;
    return s->cpu_share * (idle + cpu_load(run) * (c->cpu->power_w - idle));
}

static double dc_watts(wsk_run *run)
{
    const wsk_net *net = run->net;
    double dc = 0;
    memset(run->case_dc_w, 0, (size_t)net->n_case * sizeof *run->case_dc_w);
    card_watts(run);
    for (int i = 0; i < net->n_case; i++) {
        const wsk_case *c = &net->cases[i];
        if (!c->cpu)
            continue;
        double p = wsk_cpu_w(run, c), board = run->cases[i].cpu_off ? 0 : c->cpu->board_w;
        run->heat[c->cpu_solid] += p;
        run->heat[c->air] += board;
        run->case_dc_w[i] += p + board;
    }
    for (int k = 0; k < run->n_powered; k++) {
        int i = run->powered[k];
        run->heat[net->movers[i].heat_node] += run->mover_w[i];
        run->case_dc_w[net->movers[i].in] += run->mover_w[i];
    }
    for (int i = 0; i < net->n_load; i++)
        if (net->loads[i]->dc_w > 0 && !run->cases[net->load_in[i]].cpu_off && load_on(run, net->loads[i])) {
            run->heat[net->cases[net->load_in[i]].air] += net->loads[i]->dc_w;
            run->case_dc_w[net->load_in[i]] += net->loads[i]->dc_w;
        }
    for (int i = 0; i < net->n_case; i++)
        dc += run->case_dc_w[i];
    return dc;
}

static void condition_room(wsk_run *run, double minute_share)
{
    const wsk_net *net = run->net;
    run->ac_w = run->ac_heat_w = 0;
    if (!net->ac || net->nodes[net->room].boundary)
        return;
    const double over = (run->t[net->room] - net->ac->setpoint_k) / net->ac->band_k,
                 load = wsk_min(wsk_max(over, 0), 1);
    run->ac_heat_w = load * between(run->head->cooling_w, minute_share);
    run->ac_w = load * between(run->head->compressing_w, minute_share);
    run->heat[net->room] -= run->ac_heat_w;
}

/* A brake acts in milliseconds, not at the next tick. */
static void pull_brakes(wsk_run *run)
{
    for (int i = 0; i < run->net->n_card; i++) {
        const wsk_card *c = &run->net->cards[i];
        wsk_card_state *s = &run->cards[i];
        const wsk_governor_input in = wsk_governor_sees(run, c, s);
        for (int k = 0; k < c->n_governors; k++)
            if (c->governors[k].ops->cause == WSK_REASON_BRAKE)
                c->governors[k].ops->next(c->governors[k].params, c->gpu, &s->governor[k], &in);
        find_cap(c, s);
        wsk_work_card(run, i);
    }
    wsk_work_together(run);
}

static bool climb(wsk_run *run)
{
    memset(run->heat, 0, (size_t)run->net->n_node * sizeof *run->heat);
    run->dc_w = dc_watts(run);
    return wsk_deliver(run);
}

void wsk_follow_room(wsk_run *run)
{
    const double share = follow_weather(run);
    run->heat[run->net->room] = run->room_heat_w + run->side_w;
    condition_room(run, share);
}

void wsk_power_tree(wsk_run *run)
{
    const wsk_net *net = run->net;
    const double share = follow_weather(run);
    if (run->now.climbed && !run->now.awake && !run->now.stirred && !run->braked &&
        run->head->t_ns < run->now.timed_ns) {
        run->heat[net->room] = run->room_heat_w;
    } else {
        run->now.jumps = true;
        if (climb(run)) {
            pull_brakes(run);
            climb(run);
        }
        run->room_heat_w = run->heat[net->room];
        run->now.climbed = true;
    }
    run->loss_w = run->wall_w - run->dc_w;
    run->side_w = 0;
    for (int i = 0; i < net->n_load; i++)
        if (net->loads[i]->ac_w > 0 && load_on(run, net->loads[i]))
            run->side_w += net->loads[i]->ac_w;
    double over;
    run->feed_loss_w = wsk_feed_loss_w(run->net, run->wall_w, &over);
    run->head->feed_peak_rel = wsk_max(run->head->feed_peak_rel, over);
    run->side_w += run->feed_loss_w;
    run->heat[net->room] += run->side_w;
    condition_room(run, share);
}

/* A load's switching, a limit's schedule, a failure. */
static int64_t next_timed_ns(const wsk_run *run)
{
    int64_t next = INT64_MAX, t = run->head->t_ns;
    for (int i = 0; i < run->net->n_load; i++) {
        const wsk_load_params *l = run->net->loads[i];
        if (l->duty >= 1 || l->duty <= 0 || run->steady)
            continue;
        int64_t period = (int64_t)(l->period_s * 1e9), on = (int64_t)(l->duty * l->period_s * 1e9), in = t % period;
        int64_t change = t - in + (in < on ? on : period);
        next = change < next ? change : next;
    }
    for (int i = 0; i < run->net->n_card; i++) {
        int64_t change = run->cards[i].schedule_ns;
        next = change > t && change < next ? change : next;
    }
    for (int i = 0; i < run->net->n_supply; i++) {
        int64_t fails = run->net->supplies[i].fails_ns;
        next = fails > t && fails < next ? fails : next;
    }
    for (int i = 0; i < run->net->n_mover; i++) {
        int64_t fails = run->net->movers[i].fails_ns;
        next = fails > t && fails < next ? fails : next;
    }
    return next;
}

/* The next moment that the controls' grid does not show: one of these, or a phase. */
int64_t wsk_next_event_ns(wsk_run *run)
{
    if (run->head->t_ns >= run->now.timed_ns)
        run->now.timed_ns = next_timed_ns(run);
    return run->activity.until_ns < run->now.timed_ns ? run->activity.until_ns : run->now.timed_ns;
}
