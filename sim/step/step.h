/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stepping: how a run is made and advanced. One step moves the temperatures (step.c) by the tables for the present speeds
 * (tables.c); a tick is controls, watts, one step and the books (tick.c); leap.c takes several calm ticks as one step, lanes.c several
 * runs side by side; run.c advances a run, steady.c brings one to its steady point, start.c makes one. Begin with tick.c. */
#ifndef WSK_STEP_H
#define WSK_STEP_H
#include "sim/control/run.h"

/* Physical bounds of every node; false after writing run->error. */
bool wsk_check_state(wsk_run *run);

/* Makes a run at the room's temperature (make.c). steady: for the search of a steady point, with slow masses taken light. */
wsk_status wsk_run_make(wsk_run **out, const wsk_net *net, const wsk_run_options *options, bool steady);
/* A run as the rig asks for it: at the room's temperature or from its steady point (start.c). */
wsk_status wsk_run_create(wsk_run **out, const wsk_net *net, const wsk_run_options *options);

/* Runs to the steady point; *out is a run whose variables' means are that point (steady.c). *drift_k (may be NULL): 0, or how far means still move in ten minutes where six hours did not settle them. */
wsk_status wsk_steady_solve(wsk_run **out, const wsk_net *net, wsk_stepper stepper, bool *cycling, double *band_k,
                            double *drift_k);
/* The same with leaps over calm stretches, for points that are only compared with one another: within 0.01 K of it. */
wsk_status wsk_steady_leap(wsk_run **out, const wsk_net *net, wsk_stepper stepper);

/* A run of `net`, with leaps, from where another one's has settled; WSK_EINPUT: it has another structure, or things in it have
 * shut down or never settled (steady.c). */
wsk_status wsk_steady_from(wsk_run **out, const wsk_net *net, const wsk_run *settled);

/* The next moment at which something is due that the ticks do not show (quiet.c). */
int64_t wsk_next_event_ns(wsk_run *run);

/* A tick to next_ns that finds all at rest and nothing due is done with here, but for the step. False: not such a one; then, when
 * its controls have acted, until when there may be more of them. */
bool wsk_quiet(wsk_run *run, int64_t next_ns);
void wsk_look_for_quiet(wsk_run *run);
/* What was found at earlier ticks is not known: of a run that begins or was restored (run.c). */
void wsk_ask_all(wsk_run *run);

/* Tries to take several ticks as one step, to `latest_ns` at most; the time that it took, or 0 with everything as it
 * was (leap.c). */
int64_t wsk_leap(wsk_run *run, int64_t latest_ns);
/* One step of h seconds: run->t and run->mean_t from run->heat (step.c). False: the network has no solution. */
bool wsk_step(wsk_run *run, double h);
/* One tick in parts, for those who take the step themselves: controls and watts, and when the step ends; the step, with
 * natural convection in agreement with it; accounts and observation. False after writing run->error (run.c). */
int64_t wsk_tick_begin(wsk_run *run);
bool wsk_tick_step(wsk_run *run, int64_t next_ns);
bool wsk_tick_end(wsk_run *run, int64_t next_ns);
bool wsk_tick(wsk_run *run);
/* Behind the last tick that its caller asked for: books are brought up to date, and what is read from outside. */
void wsk_stand(wsk_run *run);
/* Before a step that may be taken back; taking it back; whether natural convection agrees with it. */
void wsk_step_keep(wsk_run *run);
void wsk_step_undo(wsk_run *run);
bool wsk_step_agrees(const wsk_run *run);

#endif
