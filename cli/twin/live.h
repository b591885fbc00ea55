/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink twin: a rig that runs by the wall clock, for clients that read it as if its cards were real
 * (docs/twin.md). live.c advances the run and publishes moments (states of the cards); backfill.c writes the metrics
 * of a whole run; fixed.c fills the fixed properties of a card, now.c the values of its sensors. Begin with main_twin
 * in twin.c. */
#ifndef WSK_LIVE_H
#define WSK_LIVE_H
#include "cli/kit/cli.h"
#include "sim/base/said.h"
#include "twin/segment.h"

/* Number of moments (published states of the twin) that are computed together while no client asks, the later ones
 * before they are due. Each time the twin wakes up, its code and data are no longer in the processor's caches; with
 * fewer wake-ups this costs less. */
enum { WSK_LIVE_AHEAD = 3 };
_Static_assert((int)WSK_LIVE_AHEAD <= (int)WSK_TWIN_AHEAD, "readers look no further");
/* WSK_LIVE_MS: time between two moments, real ms. WSK_LIVE_STEP_S: longest step of the run, s. The power sensors of
 * most cards give a new reading every 0.1 s (docs/twin.md, "Sensors"). */
enum { WSK_LIVE_MS = 100 };
#define WSK_LIVE_STEP_S 0.1
/* Window over which a card's power and utilisation are averaged, s. This and WSK_LIVE_HELD_SHARE are assumed:
 * docs/theory/constants.md, "sensors of a twin" */
#define WSK_LIVE_WINDOW_S 1.0
/* Memory used by a card's work, as a share of the card's memory (docs/twin.md, "Sensors"). */
#define WSK_LIVE_HELD_SHARE 0.9

/* Totals of a card since the start, at t_s: energy, and time in which a kernel ran. The difference of two samples
 * divided by the time between them gives a mean. */
typedef struct {
    double t_s, energy_j, busy_s;
} wsk_live_sample;
enum { WSK_LIVE_SAMPLES = 32 };

typedef struct {
    size_t owner;                                    /* index of the card in the run (wsk_run_owner) */
    char job[WSK_TWIN_NAME], own_job[WSK_TWIN_NAME]; /* present job; job that the rig states; "": no job */
    /* number of the present job if a client has submitted it; 0: the rig's job */
    int pid;
    wsk_live_sample sample[WSK_LIVE_SAMPLES]; /* `samples` entries, the oldest first */
    int samples;
} wsk_live_card;

typedef struct {
    wsk_rig *rig;
    wsk_run *run;
    const wsk_elements *elements;
    double speed; /* simulated seconds per second of real time; INFINITY: as fast as possible */
    bool writable, lockstep;
    int jobs; /* number of orders so far that gave a card a job or made it idle */
    uint64_t seed;
    int64_t utc_ns;                 /* date of the start, Unix time */
    double anchor_s, anchor_real_s; /* simulated time and wsk_clock() from which `speed` counts */
    wsk_status status;              /* status of the run; not WSK_OK: the twin ends */
    wsk_twin_writer *writer;        /* NULL: no client can read the state (--backfill) */
    wsk_arg ends[2]; /* least and highest allowed value, for the message of the last request that was out of range */
    wsk_twin_moment moment;
    wsk_live_card card[WSK_TWIN_CARDS];
} wsk_live;

/* Finds the cards of the rig and fills their fixed properties. False: there are none or too many, and a message has
 * been printed. */
bool wsk_live_fix(wsk_live *live);
/* Date of the start of the run, Unix time in ns: the rig's, or `otherwise` if the rig states none. */
int64_t wsk_live_date(const wsk_live *live, int64_t otherwise);

void wsk_live_sample_cards(wsk_live *live);
void wsk_live_sense(wsk_live *live);

/* Advances by `seconds` of simulated time, however long that takes. On failure, the run cannot continue; wsk_cli_why
 * gives the reason. */
wsk_status wsk_live_advance(wsk_live *live, double seconds);
/* Advances to the simulated time that is due at due_s of wsk_clock. If this computer is too slow for that, stops after
 * most of WSK_LIVE_MS of real time. */
wsk_status wsk_live_follow(wsk_live *live, double due_s);
void wsk_live_set_speed(wsk_live *live, double speed);
void wsk_live_fill(wsk_live *live);
/* Shows the present state to the clients, at once or from due_s of wsk_clock on. */
void wsk_live_publish(wsk_live *live);
void wsk_live_publish_due(wsk_live *live, double due_s);

#endif
