/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trip probabilities of PSUs (by load steps of milliseconds) and of circuit breakers (by current over seconds to
 * hours). trip.c computes them, trip_run.c for a run; plugs.c checks connectors. The functions keep no state. Theory:
 * docs/theory/trip.md. Begin with trip.c. */
#ifndef WSK_TRIP_H
#define WSK_TRIP_H
#include "sim/base/said.h"
#include "sim/say/say.h"
#include "sim/books/breaker.h"
#include "sim/control/run.h"

typedef struct {
    int n;
    const double *card_w; /* per card: power drawn from this PSU, one-second mean, between long pauses, W */
    double base_w;        /* whole load of the PSU, its cards included, one-second mean, between long pauses, W */
    double between_w;     /* part of base_w by which cards draw more between their long pauses than in the mean, W */
    double least_w;       /* power of all its cards at their lowest power limits, W */
    /* power that the PSU can deliver, W; opp: threshold of its overpower protection, divided by limit_w */
    double limit_w, opp;
    double rated_w, line_w;   /* nameplate power (0: limit_w is used); power deliverable at supply_v in cool air */
    double supply_v, inlet_k; /* input voltage, inlet air: for messages only */
    int excursions;           /* a wsk_excursions: class of load steps for which the PSU is built */
    int pool;                 /* number of PSUs that share the load evenly, with this one; below 2: not shared */
    bool synchronous;
    double step_s, time_s; /* time between steps of a card, s; time over which the trip probability is computed, s */
    /* periodic swing of the cards' power, if the rig states one, with the period step_s. rise: (high - mean) / mean;
     * fall: (mean - low) / mean; rise 0: no swing is stated */
    double rise, fall;
} wsk_steps;
typedef struct {
    wsk_code length; /* duration of the step that trips first, such as WSK_SAY_WORD_STEP_1_5 */
    double peak_w;   /* highest load of the PSU over `length`, W */
    double built_w;  /* load that the PSU is built to tolerate for `length`, W */
} wsk_step_cause;
enum { WSK_STEP_CARDS = 64 };
double wsk_steps_trip(const wsk_steps *steps, wsk_step_cause *cause);
/* Steps of two cards that begin within this time, s, add up: docs/theory/constants.md, "overlap of steps" */
#define WSK_STEP_OVERLAP_S 5e-3
/* Trip threshold of a PSU of the given strength (0: weakest, 1: strongest unit of its model): the sum of the cards'
 * steps, W, that trips it. A card's step lies between 0 and its power. *class: index of the step duration that trips
 * first. If the mean load alone trips the PSU, returns a negative number, and *class is -1. */
double wsk_steps_critical(const wsk_steps *steps, double strength, int *class);
/* Duration of the high part of the swing, s, with which the mean over a period is the mean power. 0: no swing. */
static inline double wsk_swing_high_s(const wsk_steps *steps)
{
    return steps->rise > 0 ? steps->step_s * steps->fall / (steps->rise + steps->fall) : 0;
}
/* Power of the cards that swings together, W: all of it if they step together, else the root of the sum of squares. */
double wsk_swing_w(const wsk_steps *steps);
/* Highest load of a PSU over 10-20 ms, W; shorter steps do not reach the mains. */
double wsk_steps_wall_w(const wsk_steps *steps);
/* Highest value, W, that a wall meter with a response of tenths of a second would show: the peak of the one-second
 * means, plus the ripple of the cards and bursts of the processors (docs/theory/power.md, "Peak of a meter"). */
double wsk_wall_meter_w(const wsk_run *run);

/* Fills in the step timing of the rig's workload alone. */
wsk_steps wsk_steps_of_work(const wsk_net *net);
/* Fills in the limits of a PSU whose inlet air has inlet_k, and the step timing of the rig's workload. The caller adds
 * the cards and the load. */
wsk_steps wsk_steps_of_net(const wsk_net *net, const wsk_supply *supply, double inlet_k, double time_s);
/* A PSU is called tight if its load exceeds this share of the power that it can deliver. */
#define WSK_TIGHT 0.9
/* Cures of trips. With a cure the PSU carries its load, and its trip probability is below WSK_TELLS, so that no trip is
 * reported. wsk_steps_cure_limits: share of the cards' present power to which limits must lower it; 0: no share
 * above 0.3 that the cards' lowest limits allow is a cure. wsk_steps_cure_rating: nameplate power, W, of a PSU with the
 * same derating, loaded to at most WSK_TIGHT; INFINITY: no such size. */
double wsk_steps_cure_limits(const wsk_steps *steps);
double wsk_steps_cure_rating(const wsk_steps *steps);
/* Number of PSUs to add to those that share the load, so that the load of this PSU is at most WSK_TIGHT and its trip
 * probability is below WSK_TELLS; at least 1. If even twice as many PSUs would trip, the number for the load alone. */
int wsk_steps_cure_more(const wsk_steps *steps);
const wsk_said *wsk_steps_said(wsk_arena *arena, const wsk_steps *steps);

/* Probability that a breaker of this type has tripped. heat: highest thermal state, as the square of (current divided
 * by rating); m: highest current divided by rating. */
double wsk_breaker_trip(const wsk_breaker *breaker, double heat, double m);

/* The highest limit that a card has at some time of the day, W (plugs.c). */
double wsk_card_highest_limit_w(const wsk_card *card);
/* Probability that the PSU tripped in the run so far; of a steady point, that it trips within a day. NAN: the PSU has
 * failed. */
double wsk_supply_trip(const wsk_run *run, int supply);
/* Load steps of the PSU at its highest one-second load in the run, assuming that this load lasts for time_s. card_w
 * receives the powers of the cards and must outlive the result. */
wsk_steps wsk_steps_of_run(const wsk_run *run, int supply, double time_s, double card_w[WSK_STEP_CARDS]);
/* Probability that any circuit breaker tripped in the run so far. NAN: the rig states no circuit. */
double wsk_circuit_trip(const wsk_run *run);
/* Probability that the breaker of one circuit tripped; line: index in wsk_net.lines. NAN: the circuit has no
 * rating. */
double wsk_line_trip(const wsk_run *run, int line);
void wsk_trip_say(const wsk_run *run, wsk_said_list *out);

#endif
