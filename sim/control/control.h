/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The controls that act at a tick: workload (schedule.c), clock and power of the cards (work.c), governors
 * (governors.c), fans and pumps (fans.c, movers.c), processor (cpu.c), failures of circuits and PSUs (lines.c). rest.c
 * computes how long controls can be skipped, watch.c watches for oscillation and runaway, events.c logs events. run.h
 * has the run itself. Begin with wsk_control, the tick of all controls, in control.c. */
#ifndef WSK_CONTROL_H
#define WSK_CONTROL_H
#include "sim/control/run.h"

/* Power of a case's processors, W, without their board. */
double wsk_cpu_w(const wsk_run *run, const wsk_case *c);
double wsk_host_w(const wsk_run *run, const wsk_case *c);
/* By how much the processor's sensor is warmer than the processor's cooler, K. */
static inline double wsk_cpu_rise_k(const wsk_run *run, const wsk_case *c)
{
    return c->cpu->sensor_res_k_w * wsk_cpu_w(run, c) / c->cpu->count;
}
static inline double wsk_cpu_k(const wsk_run *run, const wsk_case *c)
{
    return run->t[c->cpu_solid] + wsk_cpu_rise_k(run, c);
}

void wsk_govern_cpu(wsk_run *run, int in);

/* Time of a controller's next decision, ns: the next multiple of its period. The controller decides at the first tick
 * at or after that time, so that a late tick does not delay later decisions. */
static inline int64_t wsk_next_decision_ns(int64_t t_ns, int64_t period_ns)
{
    return (t_ns / period_ns + 1) * period_ns;
}

/* Corrects next_ns, the time noted for a controller's next decision, ns (0: the controller has not decided yet). A
 * controller is not called while its card rests. Returns the value that next_ns would have if the controller had been
 * called at each tick. */
static inline int64_t wsk_in_step(const wsk_run *run, int64_t next_ns, int64_t period_ns)
{
    const int64_t before = (run->head->t_ns - 1) / run->tick_ns * run->tick_ns;
    return next_ns > before || next_ns == 0 ? next_ns : wsk_next_decision_ns(before, period_ns);
}

typedef enum {
#define WSK_WHAT(name, code, english) WSK_WHAT_##name,
#define WSK_WHY(name, code, english)
#include "sim/control/events.def"
#undef WSK_WHAT
#undef WSK_WHY
} wsk_what;
typedef enum {
#define WSK_WHAT(name, code, english)
#define WSK_WHY(name, code, english) WSK_WHY_##name,
#include "sim/control/events.def"
#undef WSK_WHAT
#undef WSK_WHY
} wsk_why;

wsk_moment wsk_moment_at(const wsk_run *run, int64_t t_ns);
void wsk_work_schedule(wsk_run *run);
/* Finds the activity of the last tick again, for variables that are read after a restore; it changes no saved state. */
void wsk_recall_activity(wsk_run *run);
void wsk_work_card(wsk_run *run, int card);
/* True if the schedule now has productive work for the card: neither an evaluation nor a trace that prescribes its
 * power. */
bool wsk_should_work(const wsk_run *run, const wsk_card *card);
/* True if a group (WSK_NO: all cards of synchronous work) cannot go on because one of its cards is off. If `off` is
 * not 0, only cards whose wsk_card_state.off equals it count. */
bool wsk_group_stands(const wsk_run *run, int group, int64_t off);
/* Adds a card with the relative throughput `perf` to the time of a step of its group: the sum over the cards if they
 * work in turn, else the longest. */
static inline void wsk_add_step(const wsk_run *run, const wsk_card *card, double perf, double *time)
{
    const double part = perf > 0 ? card->step / perf : INFINITY;
    *time = run->net->turns ? *time + part : wsk_max(*time, part);
}
static inline bool wsk_has_work(const wsk_run *run, const wsk_card *card, const wsk_card_state *state)
{
    return !state->off && (isnan(state->load) ? card->works && run->activity.phase != WSK_PHASE_IDLE &&
                                                    !(card->group >= 0 && wsk_group_stands(run, card->group, 0))
                                              : state->load > 0);
}
/* These four tell which results of a card are known. If its power is given (pinned, or replayed from a trace or a
 * log), its work is unknown. Its clock is then known only if it is pinned or logged, and its power limit matters only
 * if it cuts the replayed power. */
bool wsk_power_is_given(const wsk_run *run, int card);
bool wsk_work_is_modelled(const wsk_run *run, int card);
bool wsk_clock_is_known(const wsk_run *run, int card);
bool wsk_power_limit_is_known(const wsk_run *run, int card);
/* True if cards have work of which none is known, because the power of each of them is given. */
bool wsk_work_is_unknown(const wsk_run *run);
/* True if the workload keeps cards busy for only a share of the time. */
bool wsk_serves(const wsk_run *run);
/* Sets the state of a card that at full throughput would work for the share `load` of the time and idle for the rest.
 * A slower card is busy longer, up to all the time. */
void wsk_serve_part_time(const wsk_card *card, wsk_card_state *state, double load);
/* Highest clock, Hz, of a card that neither its power limit nor a governor holds: boost, or its locked clock. */
double wsk_highest_hz(const wsk_card *card, const wsk_card_state *state, double die_k);
/* Power, W, of a card that waits for data or other cards and draws `running` while it works. */
double wsk_waiting_w(const wsk_card *card, double running);
void wsk_work_together(wsk_run *run);
/* A card's clock and power are not solved again while its die temperature differs by at most this, K, from the one for
 * which they were solved, and its limits are the same. The width is 4 times as large while a power limit determines
 * the clock. */
#define WSK_SAME_DIE_K 0.005
static inline double wsk_same_die_k(const wsk_operating *o)
{
    return o->reasons & WSK_REASON_POWER ? 4 * WSK_SAME_DIE_K : WSK_SAME_DIE_K;
}
/* A card rests while its controls and power would stay unchanged, so that they can be skipped (rest.c).
 * wsk_look_for_rest, called after the controls have acted, computes the end of the rest and the temperature bounds in
 * which it holds. wsk_rests is true before that end and within those bounds. wsk_wake ends the rest of all cards. */
void wsk_look_for_rest(const wsk_run *run, const wsk_card *card, wsk_card_state *state);
bool wsk_rests(const wsk_run *run, const wsk_card *card, const wsk_card_state *state);
/* wsk_controls_rest is true while the controls can be skipped; the power may still have to be computed. */
bool wsk_controls_rest(const wsk_run *run, const wsk_card *card, const wsk_card_state *state);
void wsk_stay_near(const wsk_run *run, const wsk_card *card, wsk_card_state *state);
void wsk_wake(wsk_run *run);
void wsk_count_shutdown(wsk_run *run);
void wsk_book_failure(wsk_run *run, const char *component, wsk_what what, wsk_why why);
void wsk_fail_mover(wsk_run *run, int mover, wsk_why why);
void wsk_mend_mover(wsk_run *run, int mover);
void wsk_start_movers(wsk_run *run, int in);
void wsk_fail_supply(wsk_run *run, int supply, wsk_why why);
void wsk_mend_supply(wsk_run *run, int supply);
void wsk_fail_cooling(wsk_run *run, wsk_why why);
void wsk_mend_cooling(wsk_run *run);
void wsk_cut_line(wsk_run *run, int line);
void wsk_mend_line(wsk_run *run, int line);
void wsk_lose_card(wsk_run *run, int card, wsk_why why);
/* True if the card's scheduled loss (it falls off its bus) is due, and no order has brought it back since. */
static inline bool wsk_is_gone(const wsk_run *run, int card)
{
    return !run->cards[card].found && wsk_fails_now(run, run->net->cards[card].lost_ns);
}
/* Turns a card on. Its governors forget what they decided before. */
void wsk_boot_card(wsk_run *run, int card);
/* Turns on a card that is off or has fallen off its bus. False: its machine is off. */
bool wsk_find_card(wsk_run *run, int card);
/* wsk_fail_lines turns off the circuits whose scheduled failure is due, and cuts the power of circuits that are off
 * and whose UPS battery is empty. wsk_trip_line trips the breaker of one circuit; the event is dated after_ns from
 * now. wsk_fail_supplies fails the PSUs whose scheduled failure is due. */
void wsk_fail_lines(wsk_run *run);
void wsk_fail_supplies(wsk_run *run);
void wsk_trip_line(wsk_run *run, int line, int64_t after_ns);
/* Updates the time at which each UPS battery in use is empty, if its load has changed. The remaining time at the new
 * load is the battery's state of charge times the runtime of a full battery at that load. */
void wsk_follow_batteries(wsk_run *run);
void wsk_control(wsk_run *run);
void wsk_pull_brakes(wsk_run *run);
void wsk_read_dies(wsk_run *run);
/* Sets the power limit of a card; NAN: back to the limit of the rig or of its schedule. Returns false, and changes
 * nothing, if the limit is outside the card's range. */
bool wsk_set_limit(wsk_run *run, int card, double limit_w);
void wsk_watch_card(wsk_run *run, int card);

/* Fan controllers read whole degrees. They follow a rise of the reading at once, and a fall only beyond the
 * hysteresis. Returns the reading with hysteresis, K; before_k is the value returned last. */
double wsk_fan_reference(double before_k, double sensor_k, double hysteresis_k);
/* Range of sensor temperatures, K, in which wsk_fan_reference returns before_k. The range is narrowed by 1e-6 K
 * against rounding. */
void wsk_fan_band(double before_k, double hysteresis_k, double *low_k, double *high_k);
/* Returns the next speed, rpm, on the way to target_rpm. The largest change in one decision is 5 % of full speed per
 * second of period_s, in whole percent, but not below 1 %. percent_rpm: 1 % of full speed. */
double wsk_fan_ramp(double rpm, double target_rpm, double percent_rpm, double period_s);
bool wsk_fan_rests(const wsk_run *run, int card);
bool wsk_mover_rests(const wsk_run *run, int mover);
void wsk_control_fan(wsk_run *run, int card);
wsk_curve wsk_card_curve(const wsk_card *card);
const wsk_curve *wsk_mover_curve(const wsk_control_params *params);
/* wsk_find_cap finds the lowest of the governors' caps on the clock. wsk_governor_sees returns their input, with
 * elapsed_s 0. */
void wsk_govern(const wsk_run *run, const wsk_card *card, wsk_card_state *state);
void wsk_find_cap(const wsk_card *card, wsk_card_state *state);
wsk_governor_input wsk_governor_sees(const wsk_run *run, const wsk_card *card, const wsk_card_state *state);
void wsk_control_movers(wsk_run *run);
/* Fills run->driven (fans and pumps with a controller or a scheduled failure) and run->powered (those that draw
 * power); false: out of memory. */
bool wsk_movers_make(wsk_run *run);
void wsk_mover_watts(wsk_run *run);
void wsk_account_mover(const wsk_run *run, int mover, double time_s, wsk_mover_state *s);
/* Sound level, dBA, from a sum of 10^(level/10); 0 for a sum up to 1. */
double wsk_dba(double noise_p);

void wsk_event(wsk_run *run, const char *component, wsk_what what, wsk_why why);
wsk_why wsk_why_throttled(int64_t causes);
void wsk_log_events(wsk_run *run);

#endif
