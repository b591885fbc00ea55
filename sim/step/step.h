/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stepping: how a run is made and advanced. One step moves the temperatures (step.c) by the tables for the present speeds
 * (tables.c); a tick is controls, watts, one step and the books (tick.c); leap.c takes several calm ticks as one step, lanes.c several
 * runs side by side; run.c advances a run, steady.c brings one to its steady point, start.c makes one. Begin with tick.c. */
#ifndef WSK_STEP_H
#define WSK_STEP_H
#include "sim/control/run.h"

/* Physical bounds of every node; false after writing run->error. */
bool wsk_check_state(wsk_run *run);

wsk_status wsk_run_create(wsk_run **out, const wsk_net *net, const wsk_run_options *options, bool steady);
/* Runs to the steady point; *out is a run whose variables' means are that point (steady.c). */
/* *drift_k (may be NULL): 0, or how far means still move in ten minutes where six hours did not settle them. */
wsk_status wsk_steady_solve(wsk_run **out, const wsk_net *net, wsk_stepper stepper, bool *cycling, double *band_k,
                            double *drift_k);
/* The same with leaps over calm stretches, for points that are only compared with one another: within 0.01 K of it. */
wsk_status wsk_steady_leap(wsk_run **out, const wsk_net *net, wsk_stepper stepper);

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
/* 1/s: of the reference stepper's stages in a step of h seconds. */
double wsk_reference_rate(double h);
/* The tables for the present speeds and steps of h seconds; NULL: the network has no solution (tables.c). */
const wsk_config *wsk_config_for(wsk_run *run, double h);
void wsk_forget_configs(wsk_run *run);
/* Lay out a config's tables, from `gain` to `rows`, or a step's scratch in memory, entries `lanes` apart; how many there are. NULL: counts
 * only. */
int wsk_tables_place(const wsk_net *net, wsk_config *config, double *memory, int lanes);
int wsk_scratch_place(const wsk_net *net, wsk_scratch *scratch, double *memory, int lanes);
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
