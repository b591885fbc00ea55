/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes and advances runs. In a tick (tick.c) the controls act, powers are summed, one time step is taken and the
 * accounts are kept. step.c takes the step with the matrices for the present fan speeds (tables.c). leap.c takes
 * several ticks in which no control acts as one step; lanes.c advances several runs at once. make.c makes a run,
 * run.c advances it, steady.c finds a steady point, start.c starts a run from it, show.c shows the start before the
 * first step. Begin with tick.c. */
#ifndef WSK_STEP_H
#define WSK_STEP_H
#include "sim/control/run.h"

/* Marks the run as failed and keeps a copy of the reason. Returns false (tick.c). */
bool wsk_run_fail(wsk_run *run, const wsk_said *why);
/* Checks that each temperature is in its physical range. If one is not, calls wsk_run_fail and returns false. */
bool wsk_check_state(wsk_run *run);

/* Makes a run at room temperature (make.c). steady: with reduced heat capacities, for the search of a steady point.
 * The caller frees *out with wsk_run_free. */
wsk_status wsk_run_make(wsk_run **out, const wsk_net *net, const wsk_run_options *options, bool steady);
/* wsk_start_card sets the temperatures of a card's solids from the first reading of a log, when the die is at die_k
 * and the card draws power_w. The board's excess above the inlet air changes in proportion to the heatsink's, and the
 * memory keeps its difference to the heatsink. wsk_run_create makes a run at the start that the rig asks for: room
 * temperature, steady point, or the start of a replayed log (start.c). */
void wsk_start_card(wsk_run *run, int card, double die_k, double power_w);
bool wsk_run_options_fit(const wsk_run_options *options); /* false: wsk_run_new answers WSK_EUSAGE */
wsk_status wsk_run_create(wsk_run **out, const wsk_net *net, const wsk_run_options *options);
/* Copies the steady point of the same network to a run at time 0: temperatures, speeds of fans and pumps, states of
 * governors, power and clock of the cards. The caller must then call wsk_ask_all and wsk_read_values (which reads the
 * recorded variables). */
void wsk_run_start_from(wsk_run *run, const wsk_run *settled);

/* wsk_show_start computes the clocks, powers and flows of a run at time 0, so that they can be read before the first
 * step. False: out of memory. wsk_hide_start undoes that, because the first step computes them itself; it must be called
 * before the state changes (show.c). wsk_state_replaced forgets what followed from a state that was replaced
 * (tick.c). */
bool wsk_show_start(wsk_run *run);
void wsk_hide_start(wsk_run *run);
void wsk_state_replaced(wsk_run *run);

/* Runs until the mean temperatures are steady, for at most six hours. *out is a run whose means are the steady point
 * (steady.c); the caller frees it with wsk_run_free, also after an error. *cycling: die temperatures oscillate. band_k
 * (per card, may be NULL): highest minus lowest die temperature in the last ten minutes, K. *drift_k (may be NULL): 0,
 * or, if the means did not settle, their change from the ten minutes before to the last ten minutes, K. */
wsk_status wsk_steady_solve(wsk_run **out, const wsk_net *net, wsk_stepper stepper, bool *cycling, double *band_k,
                            double *drift_k);
/* As wsk_steady_solve, but a load curve, a schedule of power limits and a replayed trace count with their values at the
 * start, not with their highest or mean. This is the steady point from which a run starts. */
wsk_status wsk_steady_opening(wsk_run **out, const wsk_net *net, wsk_stepper stepper);
/* As wsk_steady_solve, but with leaps (leap.c): for points that are only compared with each other. */
wsk_status wsk_steady_leap(wsk_run **out, const wsk_net *net, wsk_stepper stepper);
/* As wsk_steady_leap, but while the cards have no work. */
wsk_status wsk_steady_resting(wsk_run **out, const wsk_net *net, wsk_stepper stepper);

/* Makes a run of `net`, with leaps, that starts in the settled state of another network's run. WSK_EINPUT: the
 * networks differ in structure, or in `settled` a card has shut down or the means did not settle. wsk_steady_settle
 * then continues the run until the means are steady. A difference between the networks changes die temperatures at
 * once, faster than governors can act. A shutdown in this run is therefore no proof: only a run of `net` from its
 * start, by wsk_steady_leap, tells whether the card really shuts down. */
wsk_status wsk_steady_from(wsk_run **out, const wsk_net *net, const wsk_run *settled);
wsk_status wsk_steady_settle(wsk_run *run);

/* Returns the time of the next event, ns, which may fall between two ticks (quiet.c). */
int64_t wsk_next_event_ns(wsk_run *run);

/* A tick is quiet if no control of a card would act and nothing is due. If the tick to next_ns is quiet, wsk_quiet
 * does what controls and power still need in it, and returns true. wsk_look_for_quiet, called after the controls have
 * acted, computes until when ticks may be quiet (quiet.c). */
bool wsk_quiet(wsk_run *run, int64_t next_ns);
void wsk_look_for_quiet(wsk_run *run);
/* Discards run->now, the findings of earlier ticks. Needed for a run that starts or was restored (tick.c). */
void wsk_ask_all(wsk_run *run);

/* Tries to take several ticks, up to latest_ns, as one step. Returns the length of the step, ns, or 0 if none was
 * taken and all temperatures are as before (leap.c). */
int64_t wsk_leap(wsk_run *run, int64_t latest_ns);
/* Takes one step of h seconds (step.c): moves the temperatures run->t by the heat run->heat, and sets run->mean_t to
 * their means over the step. False: the flow network has no solution. */
bool wsk_step(wsk_run *run, double h);
/* wsk_tick takes one tick, or a leap in its place, and skips cycles that repeat (stride.h). Its step is split into
 * three parts, for callers that take the step themselves (tick.c):
 * wsk_tick_begin does controls and power, and returns the time at which the step ends; wsk_tick_step takes the step,
 * repeated until natural convection fits its result; wsk_tick_end does accounts and observation. False: the run has
 * failed. */
int64_t wsk_tick_begin(wsk_run *run);
bool wsk_tick_step(wsk_run *run, int64_t next_ns);
bool wsk_tick_end(wsk_run *run, int64_t next_ns);
bool wsk_tick(wsk_run *run);
/* Brings accounts and observed values up to date; called after the last tick of wsk_run_advance. */
void wsk_stand(wsk_run *run);
/* wsk_step_keep saves the temperatures before a step, and wsk_step_undo restores them. wsk_step_agrees is true if the
 * natural convection that the step assumed still fits the temperatures after it. */
void wsk_step_keep(wsk_run *run);
void wsk_step_undo(wsk_run *run);
bool wsk_step_agrees(const wsk_run *run);

#endif
