/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The only folder that turns facts into sentences: the verdict on a run or a steady point, for run, steady, report
 * and compare. Its input is a summary, not a run or rig; a sentence is a message (sim/base/said.h), which words/
 * translates. facts.c takes the facts from a summary, verdict.c makes the sentences, amounts.c those of money and
 * time, page.c lays messages out as a page for a terminal (page.h). Begin with verdict.c. */
#ifndef WSK_SAY_H
#define WSK_SAY_H
#include "sim/base/loud.h"

/* WSK_TELLS: trip probability from which a trip is reported; WSK_SURELY: that from which it is called certain. */
#define WSK_TELLS 0.005
#define WSK_SURELY 0.995
/* Share of the throughput below which a loss is not mentioned. */
#define WSK_LEAST_LOSS 1e-4

/* A result and the ends of the range that it is in with a probability of about two thirds; ends NAN: not known. */
typedef struct {
    double value, low, high;
} wsk_ranged;
/* Half of the width of the range; NAN: not known. */
double wsk_half_width(const wsk_ranged *r);
/* True if the ends lie so unequally far from the value that they are told in place of "±". unit: the smallest
 * difference that the reader sees. */
bool wsk_is_uneven(const wsk_ranged *r, double unit);
/* The message `even` with the value and the half width, or `uneven` with the value and both ends. */
const wsk_said *wsk_say_ranged(wsk_arena *a, const wsk_ranged *r, double unit, wsk_code even, wsk_code uneven);

/* Facts from which a verdict is made; numbers are NAN where the summary lacks them. Texts belong to the summary. */
typedef struct {
    int cards, psus;
    /* hot: number of cards that heat slowed for more than 0.1 % of the time; worst: the card slowed most, -1:
     * none */
    int hot, worst;
    double worst_share;
    const char *worst_id;
    int cards_off, cpus_off;
    /* any shutdown; true also for a summary that has the flag of a shutdown but not the numbers above */
    bool off;
    bool failed; /* a fan, pump, PSU, circuit or air conditioner has failed */
    bool steady;
    double failed_s;         /* time of the first failure; NAN: none, or a steady point */
    double slowed_s, shut_s; /* s from failed_s to throttling by heat, to a shutdown; NAN: it did not follow */
    bool braked;
    bool parts_hot;
    const char *off_circuit, *off_psu; /* circuit that went off; or PSU that stopped a machine by failing */
    /* time at which `off_circuit` went off, or at which that or `off_psu` stopped a machine; NAN: neither, or a steady
     * point */
    double off_s;
    bool stopped; /* a machine stopped because its circuit went off or its PSU failed */
    bool empty;   /* it stopped when the UPS of that circuit was empty */
    /* number of machines, and of those that `off_circuit` or `off_psu` stopped at off_s; the only one of those, or
     * NULL */
    int machines, stops;
    const char *stops_id;
    double trip;         /* chance that a PSU or the breaker trips; NAN: not known */
    double trip_left;    /* the same without the circuits that went off */
    double over_s, over; /* time above the circuit's continuous limit, s; that time / duration, 0: steady point */
    double load;         /* highest load of a PSU / power that it can deliver */
    double feed;         /* highest load of a UPS or power strip / its rating; 0: none */
    /* shares of the throughput, at least 0; lost: lost to heat; gone: lost with lost cards; limited: lost to
     * settings */
    double lost, gone, limited;
    double undone;      /* work undone by failures of the job / all work; 0: none */
    const char *limits; /* the settings that cost `limited`, as a word: "power limits" */
    double lost_low, lost_high;
    double throttles;
    wsk_ranged die_c, wall_w, annual; /* hottest GPU; mean power at the wall; electricity cost of a year */
    const wsk_said *const *doubts;
    size_t n_doubts;
    double noise_dba, listener_m, room_c; /* noise_dba: mean, of a machine that stopped while it was on */
    wsk_standing stand;                   /* kind of place by whose limits the noise is judged */
    /* Tokens; only valid if `model` is true. *_rel: half width of the range / value; *_gib: memory, GiB.
     * token_j: energy at the wall for a generated token, J; token_cost: electricity cost of a million generated
     * tokens. */
    bool model, fits;
    /* tokens_low, tokens_high, prompt_low, prompt_high: ends of the ranges of tokens_s and prompt_s */
    double tokens_low, tokens_high, prompt_low, prompt_high;
    double tokens_s, tokens_rel, prompt_s, prompt_rel, token_j, token_cost, need_gib, have_gib;
    int copies, requests;
    /* request_s: generated tokens a second of one request; token_price: price of a million generated tokens at
     * another provider, with which token_cost is compared */
    double request_s, token_price;
    /* electricity cost: `year` that of a year, `week` 7/365 of it; NAN: a steady point, or a machine stopped */
    double week, year;
    bool partial;          /* the run lacks hours or days of the week that have other prices */
    double solar, heating; /* solar energy / all energy; money for heating saved in a year. NAN: no such plant */
    const char *currency;
} wsk_facts;
wsk_facts wsk_facts_of(const wsk_summary *summary);

bool wsk_facts_loud(const wsk_facts *facts);
bool wsk_facts_room_hot(const wsk_facts *facts);

/* Appends the verdict: first the sentences on problems, on their absence and on noise, then those on tokens,
 * throughput and money. Returns the number of sentences in *out before the latter. */
size_t wsk_say_verdict(const wsk_facts *facts, wsk_said_list *out);
/* Says the verdict, and puts it into the summary, as text and as messages. arena: scratch memory. Returns false
 * without memory. */
bool wsk_put_verdict(wsk_summary *summary, const wsk_facts *facts, wsk_arena *arena);
void wsk_say_heat(const wsk_facts *facts, wsk_said_list *out);
/* The chance of throttling if no card throttles, but the chance that one would, given the uncertainty of the inputs, is
 * above 20 %. NULL: it is not, or after a failure or a shutdown. */
const wsk_said *wsk_say_heat_doubt(const wsk_facts *facts, wsk_arena *arena);
const wsk_said *wsk_say_throttle_chance(double chance, wsk_arena *arena);
/* The throughput, and its losses to settings, heat, power brake and lost cards; NULL: the rig does no work, or a
 * machine stopped. */
const wsk_said *wsk_say_throughput(const wsk_facts *facts, wsk_arena *arena);
/* Each returns NULL if there is nothing to say: no model, a single request, no price elsewhere. */
/* Is the range of the throughput lost to heat so wide that sentences name its ends instead of one value? */
bool wsk_loss_wide(const wsk_facts *facts);
/* Are the tokens a second told with the ends of their range? */
bool wsk_tokens_wide(const wsk_facts *facts);
const wsk_said *wsk_say_tokens(const wsk_facts *facts, wsk_arena *arena);
const wsk_said *wsk_say_requests(const wsk_facts *facts, wsk_arena *arena);
const wsk_said *wsk_say_tokens_elsewhere(const wsk_facts *facts, wsk_arena *arena);
/* The ranges of temperature, power and cost, the chance of throttling, and the sources of a wide range of the lost
 * throughput; NULL: no ranges. */
const wsk_said *wsk_say_ranges(const wsk_facts *facts, wsk_arena *arena);
/* Returns NULL if the chance is below WSK_TELLS or unknown. */
const wsk_said *wsk_say_trip(const wsk_facts *facts, wsk_arena *arena);
const wsk_said *wsk_say_feed(const wsk_facts *facts, wsk_arena *arena);
/* Returns NULL if the noise is unknown, or there is none. */
const wsk_said *wsk_say_noise(const wsk_facts *facts, wsk_arena *arena);

const wsk_said *wsk_say_failure(const wsk_facts *facts, const wsk_said_list *parts);

typedef struct {
    bool no_room;
    bool off, breaker; /* shutdown by heat; the breaker would trip, not a PSU */
    double trip;
    double psu, circuit; /* load / rating of the PSU, load / continuous limit of the circuit; 0: not told */
    double feed;         /* load / rating of the UPS or power strip; 0: not told */
    double over_s, share;
} wsk_burdens;
/* The overloads without a full stop: "33 % chance of a PSU trip, PSU load 107 % of its available output". NULL:
 * none. */
const wsk_said *wsk_say_burdens(const wsk_burdens *burdens, wsk_arena *arena);

const char *wsk_say_rounded(wsk_arena *arena, double value, int places);
const wsk_said *wsk_say_count(wsk_arena *arena, double value);
/* "27.29 USD"; from 1000 on without cents. currency NULL: no unit. */
const wsk_said *wsk_say_money(wsk_arena *arena, double amount, const char *currency);

#endif
