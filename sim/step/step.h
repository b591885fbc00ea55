/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes and advances runs. A tick (tick.c): controls act, powers are summed, one time step, accounts. step.c takes the
 * step with the matrices for the present fan speeds (tables.c). leap.c takes several ticks in which no control acts as
 * one step, lanes.c advances several runs at once. make.c makes a run, run.c advances it, steady.c finds a steady
 * point, start.c starts a run from it. Begin with tick.c. */
#ifndef WSK_STEP_H
#define WSK_STEP_H
#include "sim/control/run.h"

/* Ends the run with a reason, of which it keeps a copy (tick.c). Returns false. */
bool wsk_run_fail(wsk_run *run, const wsk_said *why);
/* Checks that each temperature is in its physical range. False: one is not, and wsk_run_fail has been called. */
bool wsk_check_state(wsk_run *run);

/* Makes a run at room temperature (make.c). steady: with reduced heat capacities, for the search of a steady point.
 * The caller frees *out with wsk_run_free. */
wsk_status wsk_run_make(wsk_run **out, const wsk_net *net, const wsk_run_options *options, bool steady);
/* wsk_start_card sets the temperatures of a card's solids from a first reading: its die is at die_k while it draws
 * power_w. The board's excess above the inlet air changes in proportion to the heatsink's, and the memory keeps its
 * difference to the heatsink. wsk_run_create makes a run at the start that the rig asks for: room temperature or
 * steady point (start.c). */
void wsk_start_card(wsk_run *run, int card, double die_k, double power_w);
wsk_status wsk_run_create(wsk_run **out, const wsk_net *net, const wsk_run_options *options);
/* Copies temperatures, speeds and caps of the steady point of the same network to time 0 of a run. wsk_ask_all and
 * wsk_read_values follow. */
void wsk_run_start_from(wsk_run *run, const wsk_run *settled);

/* Runs until the means of temperatures are steady; *out is a run whose means are that point (steady.c), which the
 * caller frees with wsk_run_free. *cycling: temperatures oscillate; band_k (per card, may be NULL): their swing, K.
 * *drift_k (may be NULL): 0, or the change of the means in the last ten minutes if they did not settle in six
 * hours, K. */
wsk_status wsk_steady_solve(wsk_run **out, const wsk_net *net, wsk_stepper stepper, bool *cycling, double *band_k,
                            double *drift_k);
/* As wsk_steady_solve, for the start of a run: a replayed trace has its value at the start, not its mean. */
wsk_status wsk_steady_opening(wsk_run **out, const wsk_net *net, wsk_stepper stepper);
/* As wsk_steady_solve, but with leaps (leap.c), within 0.01 K of it: for points that are only compared with each
 * other. swift: with longer leaps on the way there. */
wsk_status wsk_steady_leap(wsk_run **out, const wsk_net *net, wsk_stepper stepper, bool swift);

/* Makes a run of `net`, with leaps, from the settled state of another network's run. WSK_EINPUT: different structure,
 * or `settled` has shut down or did not settle (steady.c). */
wsk_status wsk_steady_from(wsk_run **out, const wsk_net *net, const wsk_run *settled);
/* Continues a run of wsk_steady_from until its means are steady. */
wsk_status wsk_steady_settle(wsk_run *run);

/* Time of the next event between ticks, ns (quiet.c). */
int64_t wsk_next_event_ns(wsk_run *run);

/* A tick is quiet if no control would act and nothing is due. wsk_quiet then does all of the tick to next_ns except
 * the step; false: the tick is not quiet. wsk_look_for_quiet, called after the controls have acted, computes until
 * when ticks may be quiet. */
bool wsk_quiet(wsk_run *run, int64_t next_ns);
void wsk_look_for_quiet(wsk_run *run);
/* Discards run->now, the findings of earlier ticks, for a run that starts or was restored (tick.c). */
void wsk_ask_all(wsk_run *run);

/* Tries to take several ticks as one step, up to latest_ns. Returns the length of the step, ns; 0: none taken,
 * nothing changed (leap.c). */
int64_t wsk_leap(wsk_run *run, int64_t latest_ns);
#define WSK_LEAP_K 0.05 /* largest change of a temperature in a leap, K */
/* One step of h seconds, from run->heat to run->t and run->mean_t (step.c). False: the flow network has no
 * solution. */
bool wsk_step(wsk_run *run, double h);
/* A tick in parts, for callers that take the step themselves (tick.c). wsk_tick_begin: controls and power; returns
 * the time at which the step ends. wsk_tick_step: the step, repeated until natural convection fits its result.
 * wsk_tick_end: accounts and observation. wsk_tick: all three. False: the run has failed. */
int64_t wsk_tick_begin(wsk_run *run);
bool wsk_tick_step(wsk_run *run, int64_t next_ns);
bool wsk_tick_end(wsk_run *run, int64_t next_ns);
bool wsk_tick(wsk_run *run);
/* Brings accounts and observed values up to date; called after the last tick of wsk_run_advance. */
void wsk_stand(wsk_run *run);
/* wsk_step_keep saves the state before a step, wsk_step_undo restores it. wsk_step_agrees: natural convection still
 * fits the temperatures after the step. */
void wsk_step_keep(wsk_run *run);
void wsk_step_undo(wsk_run *run);
bool wsk_step_agrees(const wsk_run *run);

#endif
