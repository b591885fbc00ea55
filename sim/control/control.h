/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What acts at a tick: the schedule of the work (work.c), governors (governors.c), fans and pumps (fans.c, movers.c), the processor
 * (cpu.c); what a card is spared while nothing changes (rest.c); events (events.c). A run itself is in run.h. Begin with control.c,
 * whose last function is a tick of all controls. */
#ifndef WSK_CONTROL_H
#define WSK_CONTROL_H
#include "sim/control/run.h"

/* Watts of a case's processor, without its board. */
double wsk_cpu_w(const wsk_run *run, const wsk_case *c);
/* Its sensor. */
static inline double wsk_cpu_k(const wsk_run *run, const wsk_case *c)
{
    return run->t[c->cpu_solid] + c->cpu->sensor_res_k_w * wsk_cpu_w(run, c);
}

/* The processor at the tick. */
void wsk_govern_cpu(wsk_run *run, int in);

/* Controllers decide at multiples of their periods, or at the tick behind: what divides a tick shifts none against another. */
static inline int64_t wsk_next_decision_ns(int64_t t_ns, int64_t period_ns)
{
    return (t_ns / period_ns + 1) * period_ns;
}

/* The next decision of one that would have been asked at the tick before, had its card not rested. */
static inline int64_t wsk_in_step(const wsk_run *run, int64_t next_ns, int64_t period_ns)
{
    const int64_t before = (run->head->t_ns - 1) / run->tick_ns * run->tick_ns;
    return next_ns > before || next_ns == 0 ? next_ns
                                            : wsk_next_decision_ns(before, period_ns); /* 0: it has not decided yet */
}

/* The work (work.c): what the schedule says now; what one card does; what those that work together do. */
void wsk_work_schedule(wsk_run *run);
void wsk_work_card(wsk_run *run, int card);
/* Whether the schedule has work for it, by which what it does not do is counted. */
bool wsk_should_work(const wsk_run *run, const wsk_card *card);
/* Whether cards that work do so for a share of the time, and idle for the rest of it. */
bool wsk_serves(const wsk_run *run);
void wsk_work_together(wsk_run *run);
/* Within this the operating point that was found for a die holds, K: to 3e-5 of its watts; where its limit holds those, of its
 * clock, which leakage moves some times less. */
#define WSK_SAME_DIE_K 0.005
static inline double wsk_same_die_k(const wsk_operating *o)
{
    return o->reasons & WSK_REASON_POWER ? 4 * WSK_SAME_DIE_K : WSK_SAME_DIE_K;
}
/* Rest (rest.c): after its controls have acted, how long and within which bounds a card may; whether it does; its end for all
 * cards, where what they were found to rest under has changed. */
void wsk_look_for_rest(const wsk_run *run, const wsk_card *card, wsk_card_state *state);
bool wsk_rests(const wsk_run *run, const wsk_card *card, const wsk_card_state *state);
/* Whether its controls do, though its watts may have to be found anew; for which die those hold that were found just now. */
bool wsk_controls_rest(const wsk_run *run, const wsk_card *card, const wsk_card_state *state);
void wsk_stay_near(const wsk_run *run, const wsk_card *card, wsk_card_state *state);
void wsk_wake(wsk_run *run);
/* Controls at the tick (control.c); what a power brake that was pulled just now does to the cards. */
void wsk_control(wsk_run *run);
void wsk_pull_brakes(wsk_run *run);
/* die_k of all cards, by the present watts. */
void wsk_read_dies(wsk_run *run);
/* As nvidia-smi -pl; false outside the settable range. */
bool wsk_set_limit(wsk_run *run, int card, double limit_w);
/* Names what governors should not do, and heat that they cannot hold (watch.c). */
void wsk_watch_card(wsk_run *run, int card);

/* What every fan controller does: reads whole degrees, up at once and down behind the hysteresis; moves by at most 5 % of
 * full speed a second, at least 1 % a decision. */
double wsk_fan_reference(double before_k, double sensor_k, double hysteresis_k);
/* Between these readings it stays where it is; a millionth of a kelvin is left for rounding. */
void wsk_fan_band(double before_k, double hysteresis_k, double *low_k, double *high_k);
double wsk_fan_ramp(double rpm, double target_rpm, double percent_rpm, double period_s);
/* Whether its fan's controller would leave the speed as it is at the die's present temperature. */
bool wsk_fan_rests(const wsk_run *run, int card);
bool wsk_mover_rests(const wsk_run *run, int mover);
void wsk_control_fan(wsk_run *run, int card);
/* Governors (governors.c): those that are due decide; which allows the least clock; what they read now, but for elapsed_s. */
void wsk_govern(const wsk_run *run, const wsk_card *card, wsk_card_state *state);
void wsk_find_cap(const wsk_card *card, wsk_card_state *state);
wsk_governor_input wsk_governor_sees(const wsk_run *run, const wsk_card *card, const wsk_card_state *state);
/* Fans and pumps at the tick: what they follow, what fails, what dust does (movers.c). */
void wsk_control_movers(wsk_run *run);
/* Lists those that need it each tick; false: out of memory. */
bool wsk_movers_make(wsk_run *run);
/* Electricity and noise of fans and pumps at their present speeds. */
void wsk_mover_watts(wsk_run *run);
/* Their integrals over a time at these speeds. */
void wsk_account_mover(const wsk_run *run, int mover, double time_s, wsk_mover_state *s);
double wsk_dba(double noise_p);

/* Events (events.c): one; those that this tick shows. */
void wsk_event(wsk_run *run, const char *component, const char *what, const char *why);
void wsk_log_events(wsk_run *run);

#endif
