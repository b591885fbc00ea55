/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Will it trip? Load steps of a millisecond against a power supply's protection, and seconds to hours of current against
 * a breaker. Pure functions of their arguments. Theory: docs/theory/trip.md */
#ifndef WSK_TRIP_H
#define WSK_TRIP_H
#include "sim/base/said.h"
#include "sim/books/breaker.h"
#include "sim/control/run.h"

/* ---- steps of the cards against a supply ---- */
typedef struct {
    int n;                    /* cards whose steps it feels */
    const double *card_w;     /* watts of each, as the supply feels them: one-second mean */
    double base_w;            /* one-second mean of the whole load, those cards included */
    double limit_w, opp;      /* what it may give; protection over that */
    double rated_w, line_w;   /* its nameplate; what it may give at its supply voltage in cool air; 0: as limit_w */
    double supply_v, inlet_k; /* for the words */
    int excursions;           /* wsk_excursions */
    bool synchronous;         /* the cards step together */
    double step_s, time_s;
} wsk_steps;
typedef struct {
    const char *length; /* of the step that trips first, a word: "1-5 ms"; "a second and more" */
    double peak_w;      /* highest load over that time */
    double built_w;     /* what the supply is built to ride through for it */
} wsk_step_cause;
enum { WSK_STEP_CARDS = 64 };
/* Probability that the supply switches off within time_s; cause may be NULL. */
double wsk_steps_trip(const wsk_steps *steps, wsk_step_cause *cause);
/* Steps of two cards within this time of each other add up, s: docs/theory/constants.md, "overlap of steps" */
#define WSK_STEP_OVERLAP_S 5e-3
/* Of a unit by its strength, 0 to 1 among those made: the sum of steps, each 0 to the card's watts, that trips it, and the
 * class of length that does so first; below 0, with no class (-1): its mean load does. */
double wsk_steps_critical(const wsk_steps *steps, double strength, int *class);
/* Highest load over 10-20 ms, the shortest that the wall feels. */
double wsk_steps_wall_w(const wsk_steps *steps);

/* Without the cards and watts: protection of a supply with intake air of inlet_k, pace of the rig's workload. */
wsk_steps wsk_steps_of_net(const wsk_net *net, const wsk_supply *supply, double inlet_k, double time_s);
/* Loaded beyond this share of what it may give, a supply is called tight: no size that is recommended is. */
#define WSK_TIGHT 0.9
/* Chance of a trip from which on it is told. */
#define WSK_TELLS 0.005
/* Share of the cards' watts, and W of nameplate under the same derating, at which it carries its load (with the nameplate, up to
 * WSK_TIGHT) and trips in less than 1 case of 200; 0, INFINITY: none. */
double wsk_steps_cure_limits(const wsk_steps *steps);
double wsk_steps_cure_rating(const wsk_steps *steps);
/* What trips it and what would cure that. */
const wsk_said *wsk_steps_said(wsk_arena *arena, const wsk_steps *steps);

/* ---- breakers ---- */
/* Share of such breakers that have tripped, by their greatest heat and current over rating. */
double wsk_breaker_trip(const wsk_breaker *breaker, double heat, double m);

/* ---- of a run ---- */
/* Probability that it would have switched off so far; NAN: failed, a steady point, no circuit named. */
double wsk_supply_trip(const wsk_run *run, int supply);
/* The second in which the supply was loaded most, as if it had been so for time_s, and the steps of its cards upon it. */
wsk_steps wsk_steps_of_run(const wsk_run *run, int supply, double time_s, double card_w[WSK_STEP_CARDS]);
double wsk_circuit_trip(const wsk_run *run);
/* What would trip, why, and what would cure it: a message each. */
void wsk_trip_say(const wsk_run *run, wsk_said_list *out);

#endif
