/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The controls that act at a tick: work schedule (work.c), governors (governors.c), fans and pumps (fans.c,
 * movers.c), processor (cpu.c); rest.c computes how long they can be skipped, events.c logs events. run.h has the run
 * itself. Begin with wsk_control, the tick of all controls, at the end of control.c. */
#ifndef WSK_CONTROL_H
#define WSK_CONTROL_H
#include "sim/control/run.h"

/* Power of a case's processor, W, without its board. */
double wsk_cpu_w(const wsk_run *run, const wsk_case *c);
/* Temperature that the processor's sensor reads, K. */
static inline double wsk_cpu_k(const wsk_run *run, const wsk_case *c)
{
    return run->t[c->cpu_solid] + c->cpu->sensor_res_k_w * wsk_cpu_w(run, c);
}

/* Controls the processor of case `in`: throttling and shutdown. */
void wsk_govern_cpu(wsk_run *run, int in);

/* Time of a controller's next decision, ns. Decisions are at multiples of the period or at the next tick, so that
 * periods that divide a tick stay aligned. */
static inline int64_t wsk_next_decision_ns(int64_t t_ns, int64_t period_ns)
{
    return (t_ns / period_ns + 1) * period_ns;
}

/* Next decision of a controller that may have been skipped while its card rested: as if it had been called at each
 * tick. next_ns 0: it has not decided yet. */
static inline int64_t wsk_in_step(const wsk_run *run, int64_t next_ns, int64_t period_ns)
{
    const int64_t before = (run->head->t_ns - 1) / run->tick_ns * run->tick_ns;
    return next_ns > before || next_ns == 0 ? next_ns : wsk_next_decision_ns(before, period_ns);
}

/* Work (work.c): wsk_work_schedule reads the schedule, wsk_work_card sets clock and power of one card,
 * wsk_work_together adjusts cards that wait for each other. */
void wsk_work_schedule(wsk_run *run);
void wsk_work_card(wsk_run *run, int card);
/* True if the schedule has work for the card, from which lost work is counted. */
bool wsk_should_work(const wsk_run *run, const wsk_card *card);
/* True if working cards are busy for a share of the time and idle for the rest. */
bool wsk_serves(const wsk_run *run);
void wsk_work_together(wsk_run *run);
/* A card's operating point is kept while the die changes by less than this, K: an error of 3e-5 of its power. If the
 * power limit binds, the limit is 4 times wider, because only the clock changes then. */
#define WSK_SAME_DIE_K 0.005
static inline double wsk_same_die_k(const wsk_operating *o)
{
    return o->reasons & WSK_REASON_POWER ? 4 * WSK_SAME_DIE_K : WSK_SAME_DIE_K;
}
/* Rest (rest.c): the time and the temperature bounds within which a card's controls and power stay unchanged.
 * wsk_look_for_rest computes them after the controls have acted. wsk_rests is true while they hold. wsk_wake ends the
 * rest of all cards. */
void wsk_look_for_rest(const wsk_run *run, const wsk_card *card, wsk_card_state *state);
bool wsk_rests(const wsk_run *run, const wsk_card *card, const wsk_card_state *state);
/* wsk_controls_rest is true while only the controls rest; the power may need computing. wsk_stay_near sets the die
 * temperatures for which the present power holds. */
bool wsk_controls_rest(const wsk_run *run, const wsk_card *card, const wsk_card_state *state);
void wsk_stay_near(const wsk_run *run, const wsk_card *card, wsk_card_state *state);
void wsk_wake(wsk_run *run);
/* Counts a shutdown by heat at this moment and ends the rest of all cards. */
void wsk_count_shutdown(wsk_run *run);
/* A tick of all controls, and the effect of a power brake that was pulled at this moment (control.c). */
void wsk_control(wsk_run *run);
void wsk_pull_brakes(wsk_run *run);
/* Updates die_k of all cards from their present power. */
void wsk_read_dies(wsk_run *run);
/* Sets a power limit, as nvidia-smi -pl does; false: outside the allowed range. */
bool wsk_set_limit(wsk_run *run, int card, double limit_w);
/* Reports hunting governors and thermal runaway (watch.c). */
void wsk_watch_card(wsk_run *run, int card);

/* Fan controllers (fans.c). They read whole degrees, follow a rise at once and a fall after the hysteresis, and
 * change by at most 5 % of full speed a second, at least 1 % a decision. wsk_fan_reference is the reading with
 * hysteresis. */
double wsk_fan_reference(double before_k, double sensor_k, double hysteresis_k);
/* Range of readings, K, in which the reference stays unchanged, narrowed by 1e-6 K against rounding. */
void wsk_fan_band(double before_k, double hysteresis_k, double *low_k, double *high_k);
/* The next speed, rpm, on the way to target_rpm; percent_rpm: 1 % of full speed. */
double wsk_fan_ramp(double rpm, double target_rpm, double percent_rpm, double period_s);
/* True if the fan's controller would keep its speed at the present die temperature. */
bool wsk_fan_rests(const wsk_run *run, int card);
bool wsk_mover_rests(const wsk_run *run, int mover);
void wsk_control_fan(wsk_run *run, int card);
/* Governors (governors.c): wsk_govern lets those that are due decide, wsk_find_cap finds the lowest cap,
 * wsk_governor_sees fills their input except elapsed_s. */
void wsk_govern(const wsk_run *run, const wsk_card *card, wsk_card_state *state);
void wsk_find_cap(const wsk_card *card, wsk_card_state *state);
wsk_governor_input wsk_governor_sees(const wsk_run *run, const wsk_card *card, const wsk_card_state *state);
/* Fans and pumps at a tick (movers.c): control, failures, dust. */
void wsk_control_movers(wsk_run *run);
/* Lists the movers that need attention at each tick; false: out of memory. */
bool wsk_movers_make(wsk_run *run);
/* Updates power and noise of fans and pumps at their present speeds. */
void wsk_mover_watts(wsk_run *run);
/* Adds a mover's speed, flow, power and noise over time_s to its integrals. */
void wsk_account_mover(const wsk_run *run, int mover, double time_s, wsk_mover_state *s);
/* Level, dBA, of a sum of 10^(level/10). */
double wsk_dba(double noise_p);

/* Events (events.c): wsk_event logs one, wsk_log_events those of this tick. */
void wsk_event(wsk_run *run, const char *component, const char *what, const char *why);
void wsk_log_events(wsk_run *run);

#endif
