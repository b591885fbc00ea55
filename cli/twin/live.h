/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink twin: a rig that runs by the wall clock, for clients that read it as if its cards were real (docs/twin.md).
 * live.c advances the run and publishes moments; fixed.c fills what a card is, now.c what its sensors tell. Begin with
 * main_twin in twin.c. */
#ifndef WSK_LIVE_H
#define WSK_LIVE_H
#include "cli/kit/cli.h"
#include "twin/segment.h"

/* Time between two moments, real ms; and the longest step of the run, s: the rate at which the power sensor of a card is
 * read anew (docs/twin.md, "Sensors"). */
enum { WSK_LIVE_MS = 100 };
#define WSK_LIVE_STEP_S 0.1
/* The window of a card's averaged power and of its utilisation, s. Assumed, with the next:
 * docs/theory/constants.md, "sensors of a twin" */
#define WSK_LIVE_WINDOW_S 1.0
/* Share of a card's memory that its work holds (docs/twin.md, "Sensors"). */
#define WSK_LIVE_HELD_SHARE 0.9

/* Totals of a card at one time; the difference of two samples gives means. */
typedef struct {
    double t_s, energy_j, busy_s;
} wsk_live_sample;
enum { WSK_LIVE_SAMPLES = 32 };

typedef struct {
    size_t owner;                                    /* its number in the run (wsk_run_owner) */
    double own_limit_w;                              /* power limit of the rig */
    char job[WSK_TWIN_NAME], own_job[WSK_TWIN_NAME]; /* its work now; the work that the rig gives it; "": none */
    int pid;                                  /* number of a job that a client has submitted; 0: the rig's own */
    wsk_live_sample sample[WSK_LIVE_SAMPLES]; /* the newest at `samples - 1`, oldest first */
    int samples;
} wsk_live_card;

typedef struct {
    wsk_rig *rig;
    wsk_run *run;
    const wsk_elements *elements;
    double speed; /* simulated over real time; INFINITY: as fast as it goes */
    bool writable, lockstep;
    int jobs; /* that clients have submitted so far */
    uint64_t seed;
    int64_t utc_ns;                 /* date of the start, Unix time */
    double anchor_s, anchor_real_s; /* simulated and real time from which the speed is kept */
    wsk_status status;              /* of the run: not WSK_OK, and the twin ends */
    wsk_twin_writer *writer;
    wsk_twin_moment moment;
    wsk_live_card card[WSK_TWIN_CARDS];
} wsk_live;

/* Finds the cards of the rig and fills their fixed properties. False after a message: there are none, or too many. */
bool wsk_live_fix(wsk_live *live);
/* The date of the start of the run: as the rig says, else `otherwise`, Unix time in ns. */
int64_t wsk_live_date(const wsk_live *live, int64_t otherwise);

/* Adds a sample of each card at the present time of the run. */
void wsk_live_sample_cards(wsk_live *live);
/* Fills the readings of the cards' sensors. */
void wsk_live_sense(wsk_live *live);

/* Advances by `seconds` of simulated time, however long that takes. On failure the run goes no further; wsk_cli_why says
 * why. */
wsk_status wsk_live_advance(wsk_live *live, double seconds);
/* Advances to where the run should be by the wall clock, or for most of WSK_LIVE_MS if it cannot keep up. */
wsk_status wsk_live_follow(wsk_live *live);
/* Changes the speed from now on. */
void wsk_live_set_speed(wsk_live *live, double speed);
/* Shows the present state to the clients. */
void wsk_live_publish(wsk_live *live);

#endif
