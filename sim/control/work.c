/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the clock, power and throughput of each card at a tick from its work, its power limit and the caps of its
 * governors. Theory: docs/theory/workload.md, docs/theory/gpu.md */
#include <math.h>

#include "sim/control/run.h"
#include "sim/control/control.h"

/* Computes the power of a running card, W, and its die temperature, which follows the power at once, by one Newton
 * step from *die_k. The power is at least 0, because the values that a rig states for a class of work may be below the
 * leakage that they should include. */
static double running_w(const wsk_run *run, const wsk_card *c, double traffic, double clock_hz, double *die_k)
{
    double slope, die = *die_k, power = c->ops->power_w(c->gpu, &c->cls, clock_hz, die, &slope);
    double r = c->die_res_k_w, die_w = wsk_die_w(c, traffic, power),
           gain = wsk_min(r * slope * (wsk_die_w(c, traffic, power + 1) - die_w), 0.9);
    *die_k = die + (run->t[c->heatsink] + r * die_w - die) / (1 - gain);
    return wsk_max(power + slope * (*die_k - die), 0);
}

/* Finds the clock, Hz, under a cap and a power limit held_w, and the power and die temperature at that clock. *bound:
 * true if the power limit determines the clock, false if the cap does. Power increases with the clock, so only one of
 * these two cases fits; the one that *bound has on entry is tried first. */
static double settle_clock(const wsk_run *run, const wsk_card *c, double traffic, double cap_hz, double guess_hz,
                           double held_w, double *power_w, double *die_k, bool *bound)
{
    for (int round = 0; round < 2; round++) {
        if (*bound) {
            double die = wsk_die_at_k(run, c, traffic, held_w),
                   f = c->ops->clock_for(c->gpu, &c->cls, held_w, die, guess_hz);
            if (f <= cap_hz) {
                *die_k = die;
                *power_w = f > c->gpu->clock_min_hz ? held_w : running_w(run, c, traffic, f, die_k);
                return f;
            }
        } else {
            double die = *die_k;
            *power_w = running_w(run, c, traffic, cap_hz, &die);
            if (*power_w <= held_w) {
                *die_k = die;
                return cap_hz;
            }
        }
        *bound = !*bound;
    }
    /* Neither case fits: the clock at the power limit equals the cap within rounding. */
    *bound = true;
    *die_k = wsk_die_at_k(run, c, traffic, held_w);
    *power_w = held_w;
    return cap_hz;
}

/* Change of the clock per kelvin, Hz/K; 0 if the clock changed too much for the temperature to be the cause, as after
 * a clock step or with another cap. */
static double slope_of(double change_hz, double warmer_k)
{
    const double most_hz_k = 2e7;
    return fabs(change_hz) < most_hz_k * fabs(warmer_k) ? change_hz / warmer_k : 0;
}

static double boost_hz(const wsk_card *c, double die_k)
{
    return wsk_max(c->ops->boost_hz(c->gpu, die_k), c->gpu->clock_min_hz);
}

double wsk_highest_hz(const wsk_card *c, const wsk_card_state *s, double die_k)
{
    const double boost = boost_hz(c, die_k);
    return isnan(s->lock_hz) ? boost : wsk_max(wsk_min(boost, s->lock_hz), c->gpu->clock_min_hz);
}

/* Solves clock and power of a running card up to three times: with all limits (perf); without caps of governors
 * (perf_cool); without caps at the default power limit and without a locked clock (perf_free). The difference
 * perf_cool - perf is lost to heat or the power brake, perf_free - perf_cool to the owner's limits. */
static void solve_card(const wsk_run *run, const wsk_card *c, const wsk_card_state *s, double heat_hz,
                       int64_t heat_reason, wsk_operating *o)
{
    const double boost = boost_hz(c, s->die_k), top = wsk_highest_hz(c, s, s->die_k);
    double die = s->die_k;
    const double cap = wsk_min(top, heat_hz), warmer = o->die_k > 0 ? s->die_k - o->die_k : 0, before = s->clock_hz,
                 before_free = o->clock_free_hz,
                 guess = before > c->gpu->clock_min_hz ? before + o->clock_per_k * warmer : c->gpu->clock_knee_hz;
    bool bound = s->reasons & WSK_REASON_POWER, bound_free = o->bound_free, pinned = !isnan(s->pin_clock_hz);
    heat_reason = cap < top ? heat_reason : 0;
    if (pinned) {
        o->clock_hz = s->pin_clock_hz;
        o->power_w = running_w(run, c, s->traffic, o->clock_hz, &die);
        heat_reason = 0;
        bound = false;
    } else {
        o->clock_hz = settle_clock(run, c, s->traffic, cap, guess, s->held_w, &o->power_w, &die, &bound);
    }
    o->clock_per_k = slope_of(o->clock_hz - before, warmer);
    o->perf = o->perf_cool = c->ops->perf_rel(&c->cls, o->clock_hz);
    o->reasons = bound ? WSK_REASON_POWER : heat_reason;
    double power, warm = die;
    o->full_w = o->power_w;
    if (cap < top && !pinned) {
        double clock = settle_clock(run, c, s->traffic, top, guess, s->held_w, &o->full_w, &warm, &bound);
        o->reasons = clock > o->clock_hz ? heat_reason : o->reasons;
        o->perf_cool = c->ops->perf_rel(&c->cls, clock);
    }
    o->perf_free = o->perf_cool;
    if ((c->default_held_w != s->held_w || top < boost) && !pinned) {
        o->clock_free_hz =
            settle_clock(run, c, s->traffic, boost, before_free > 0 ? before_free + o->free_per_k * warmer : guess,
                         c->default_held_w, &power, &warm, &bound_free);
        o->free_per_k = slope_of(o->clock_free_hz - before_free, warmer);
        o->bound_free = bound_free;
        o->perf_free = c->ops->perf_rel(&c->cls, o->clock_free_hz);
    }
}

static void run_card(const wsk_run *run, const wsk_card *c, wsk_card_state *s)
{
    wsk_operating *o = &s->operating;
    double heat_hz = s->cap_hz;
    if (!(fabs(s->die_k - o->die_k) <= wsk_same_die_k(o) && heat_hz == o->heat_hz && s->cap_of == o->heat_of &&
          s->held_w == o->held_w) ||
        !isnan(s->pin_clock_hz)) {
        solve_card(run, c, s, heat_hz, heat_hz < INFINITY ? c->governors[s->cap_of].ops->cause : 0, o);
        o->die_k = isnan(s->pin_clock_hz) ? s->die_k : 0;
        o->heat_hz = heat_hz;
        o->heat_of = s->cap_of;
        o->held_w = s->held_w;
    }
    s->clock_hz = o->clock_hz;
    s->power_w = o->power_w;
    s->full_w = o->full_w;
    s->perf = o->perf;
    s->perf_cool = o->perf_cool;
    s->perf_free = o->perf_free;
    s->reasons = o->reasons;
}

static void rest_card(const wsk_card *c, wsk_card_state *s, double power_w)
{
    s->power_w = power_w;
    s->perf = s->perf_cool = s->perf_free = 0;
    s->reasons = 0;
    s->clock_hz = c->gpu->clock_min_hz;
}

static bool is_pinned(const wsk_run *run, int i)
{
    return !isnan(run->net->cards[i].gpu->pin_power_w) || !isnan(run->cards[i].pin_power_w);
}

static bool is_logged(const wsk_run *run, int i, int quantity)
{
    const int logged = run->net->cards[i].logged;
    return logged >= 0 && wsk_recorded_of(&run->net->workload->log, logged, quantity)->count > 0;
}

bool wsk_power_is_given(const wsk_run *run, int i)
{
    const wsk_workload_params *w = run->net->workload;
    const bool replays = w && run->net->cards[i].works && isnan(run->cards[i].load);
    return is_pinned(run, i) || (replays && (w->power.count > 0 || is_logged(run, i, WSK_LOG_POWER)));
}

bool wsk_work_is_modelled(const wsk_run *run, int i)
{
    return run->net->cards[i].works && !wsk_power_is_given(run, i);
}

bool wsk_work_is_unknown(const wsk_run *run)
{
    bool works = false, known = false;
    for (int i = 0; i < run->net->n_card; i++) {
        works = works || run->net->cards[i].works;
        /* a client may have given the power after the card had worked (wsk_run_set) */
        known = known || wsk_work_is_modelled(run, i) || wsk_sum_value(&run->cards[i].work) > 0;
    }
    return works && !known;
}

bool wsk_clock_is_known(const wsk_run *run, int i)
{
    if (is_pinned(run, i))
        return !isnan(run->cards[i].pin_clock_hz);
    return wsk_work_is_modelled(run, i) || (run->net->cards[i].works && is_logged(run, i, WSK_LOG_CLOCK));
}

/* If the power of a log is replayed, only the effect of a limit below the default is known: it cuts the replayed power.
 * A recording does not show whether the default limit cut the power. No limit cuts the power of a data file. */
bool wsk_power_limit_is_known(const wsk_run *run, int i)
{
    return !wsk_power_is_given(run, i) || (!is_pinned(run, i) && is_logged(run, i, WSK_LOG_POWER) &&
                                           run->cards[i].held_w < run->net->cards[i].default_held_w);
}

bool wsk_should_work(const wsk_run *run, const wsk_card *c)
{
    return c->works && isnan(wsk_state_of(run, c)->load) && run->schedule.phase == WSK_PHASE_RUN &&
           !run->schedule.idle_work && isnan(run->schedule.power_w);
}

double wsk_waiting_w(const wsk_card *c, double running)
{
    return running <= c->gpu->idle_w ? running : c->gpu->idle_w + c->gpu->waiting_share * (running - c->gpu->idle_w);
}

/* The parameter `idle` is for 30 degC; a warmer card leaks more. */
static double idle_w(const wsk_card *c, double die_k)
{
    const wsk_gpu_class leak = {.memory_speed = 1,
                                .p0_w = c->gpu->leakage_w}; /* a class of work whose only power is the leakage */
    double clock = c->gpu->clock_min_hz, now = c->ops->power_w(c->gpu, &leak, clock, die_k, NULL);
    return c->gpu->idle_w + now - c->ops->power_w(c->gpu, &leak, clock, 30 + WSK_KELVIN, NULL);
}

static double idle_now_w(const wsk_card *c, wsk_card_state *s)
{
    if (!(fabs(s->die_k - s->idle_die_k) <= WSK_SAME_DIE_K)) {
        s->idle_die_k = s->die_k;
        s->idle_w = idle_w(c, s->die_k);
    }
    return s->idle_w;
}

/* Power of a card whose job gives it nothing to do, W. Its program may keep the clocks up: then the parameter
 * `idle-loaded` minus the parameter `idle` is added, up to the power limit. */
static double loaded_now_w(const wsk_card *c, wsk_card_state *s)
{
    const double idle = idle_now_w(c, s),
                 loaded = c->works && !isnan(c->gpu->idle_loaded_w) ? c->gpu->idle_loaded_w - c->gpu->idle_w : 0;
    return wsk_max(idle, wsk_min(idle + loaded, s->held_w));
}

bool wsk_serves(const wsk_run *run)
{
    return run->activity.phase == WSK_PHASE_RUN && run->activity.load < 1;
}

void wsk_serve_part_time(const wsk_card *c, wsk_card_state *s, double load)
{
    double busy = s->perf > 0 ? wsk_min(load / s->perf, 1) : 0,
           rush = s->perf_cool > 0 ? wsk_min(load / s->perf_cool, 1) : 0, idle = loaded_now_w(c, s);
    s->full_w = idle + rush * (s->full_w - idle);
    s->power_w = idle + busy * (s->power_w - idle);
    s->busy = busy;
    s->perf = wsk_min(s->perf, load);
    s->perf_cool = wsk_min(s->perf_cool, load);
    s->perf_free = wsk_min(s->perf_free, load);
}

/* Replays a card that was busy for the share `used` of the time at a recorded clock. The card has the work that it
 * did in the recording; under a lower power limit or in heat it takes longer for that work. */
static void replay_clock(const wsk_run *run, const wsk_card *c, wsk_card_state *s, double used, double clock_hz)
{
    const double top = wsk_max(clock_hz, c->gpu->clock_min_hz), cap = wsk_min(top, s->cap_hz);
    double die = s->die_k;
    bool bound = s->reasons & WSK_REASON_POWER;
    s->clock_hz = settle_clock(run, c, s->traffic, cap, cap, s->held_w, &s->power_w, &die, &bound);
    s->reasons = bound ? WSK_REASON_POWER : cap < top ? c->governors[s->cap_of].ops->cause : 0;
    s->perf = s->perf_cool = c->ops->perf_rel(&c->cls, s->clock_hz);
    s->perf_free = c->ops->perf_rel(&c->cls, top);
    s->full_w = s->power_w;
    die = s->die_k;
    if (cap < top)
        s->perf_cool = c->ops->perf_rel(
            &c->cls, settle_clock(run, c, s->traffic, top, top, s->held_w, &s->full_w, &die, &(bool){bound}));
    wsk_serve_part_time(c, s, used * s->perf_free);
}

static void replay_card(const wsk_run *run, const wsk_card *c, wsk_card_state *s)
{
    const wsk_activity *now = &run->activity;
    const double clock = wsk_recorded_at(now->log, c->logged, WSK_LOG_CLOCK, now->in_ns),
                 used = wsk_recorded_at(now->log, c->logged, WSK_LOG_UTILISATION, now->in_ns);
    if (isnan(now->power_w) && !isnan(clock)) {
        replay_clock(run, c, s, used, clock);
        return;
    }
    if (isnan(now->power_w)) {
        run_card(run, c, s);
        wsk_serve_part_time(c, s, used);
        return;
    }
    rest_card(c, s, wsk_recorded_at(now->log, c->logged, WSK_LOG_POWER, now->in_ns));
    if (s->held_w < c->default_held_w && s->power_w > s->held_w) {
        s->power_w = s->held_w;
        s->reasons = WSK_REASON_POWER;
        const double most = c->ops->clock_for(c->gpu, &c->cls, s->held_w, s->die_k, c->gpu->clock_knee_hz);
        s->clock_hz = isnan(clock) ? s->clock_hz : wsk_min(clock, wsk_max(most, c->gpu->clock_min_hz));
    } else if (!isnan(clock)) {
        s->clock_hz = clock;
    }
    s->full_w = s->power_w;
}

/* Sets the state of a card that is off or idle. If the schedule has work for the card, perf_cool and perf_free get
 * the values that they would have if it worked, so that the lost work is counted. They stay 0 if its power is stated,
 * because its work is then not known. */
static void stop_card(const wsk_run *run, const wsk_card *c, wsk_card_state *s)
{
    wsk_card_state ghost = *s;
    rest_card(c, s, 0);
    s->full_w = s->off ? 0 : s->full_w;
    if (wsk_should_work(run, c) && !is_pinned(run, (int)(c - run->net->cards))) {
        double most = INFINITY;
        if (c->logged >= 0 && run->schedule.log) { /* a card of a log has a load of its own */
            replay_card(run, c, &ghost);
        } else {
            run_card(run, c, &ghost);
            most = run->schedule.load < 1 && c->group < 0 ? run->schedule.load : INFINITY;
        }
        s->operating = ghost.operating;
        s->perf_cool = wsk_min(ghost.perf_cool, most);
        s->perf_free = wsk_min(ghost.perf_free, most);
    }
}

void wsk_work_card(wsk_run *run, int i)
{
    const wsk_card *c = &run->net->cards[i];
    wsk_card_state *s = &run->cards[i];
    const wsk_activity *now = &run->activity;
    s->busy = 1;
    if (s->off) {
        stop_card(run, c, s);
    } else if (!isnan(s->pin_power_w)) {
        rest_card(c, s, s->pin_power_w);
        s->full_w = s->power_w;
        s->clock_hz = isnan(s->pin_clock_hz) ? s->clock_hz : s->pin_clock_hz;
    } else if (s->load > 0) {
        run_card(run, c, s);
        if (s->load < 1)
            wsk_serve_part_time(c, s, s->load * s->perf_free);
    } else if (s->load <= 0) {
        rest_card(c, s, idle_now_w(c, s));
        s->full_w = s->power_w;
        s->busy = 0;
    } else if (c->logged >= 0 && now->log) {
        replay_card(run, c, s);
    } else if (c->works && now->phase == WSK_PHASE_RUN && !isnan(now->power_w)) {
        rest_card(c, s, now->power_w);
        s->full_w = s->power_w;
    } else if (wsk_has_work(run, c, s)) {
        run_card(run, c, s);
        if (wsk_serves(run) && c->group < 0)
            wsk_serve_part_time(c, s, now->load);
        if (now->phase == WSK_PHASE_WAIT) {
            s->power_w = wsk_waiting_w(c, s->power_w);
            s->reasons = 0;
        }
        if (now->phase == WSK_PHASE_WAIT || now->idle_work)
            s->perf = s->perf_cool = s->perf_free = 0;
    } else {
        stop_card(run, c, s);
        s->power_w = loaded_now_w(c, s);
    }
}

bool wsk_group_stands(const wsk_run *run, int group, int64_t off)
{
    for (int i = 0; i < run->net->n_card; i++)
        if (run->cards[i].off && (!off || run->cards[i].off == off) && run->net->cards[i].works &&
            run->net->cards[i].group == group && isnan(run->cards[i].load))
            return true;
    return false;
}
