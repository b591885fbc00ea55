/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The only folder that turns facts into sentences: the verdict on a run or a steady point, for the commands run,
 * steady, report and compare. Its input is a summary, not a run or rig. A sentence is a message (sim/base/said.h),
 * which words/ translates. facts.c takes the facts from a summary, verdict.c makes the sentences, amounts.c writes
 * amounts of money and counts, page.c lays messages out as a page for a terminal (page.h). Begin with verdict.c. */
#ifndef WSK_SAY_H
#define WSK_SAY_H
#include "sim/base/loud.h"

/* WSK_TELLS: trip probability from which a trip is reported; WSK_SURELY: trip probability from which a trip is called
 * certain. */
#define WSK_TELLS 0.005
#define WSK_SURELY 0.995
/* The verdict on a run says that heat limits a card if it does for more than this share of the time. */
#define WSK_TOLD_HEAT 0.001
/* Share of the throughput below which a loss is not mentioned. */
#define WSK_LEAST_LOSS 1e-4

/* A result, and the ends of the range in which it lies with a probability of about two thirds. An unknown
 * end is NAN. */
typedef struct {
    double value, low, high;
} wsk_ranged;
/* Half of the width of the range; NAN: not known. */
double wsk_half_width(const wsk_ranged *r);
/* True if the ends lie so unequally far from the value that a sentence gives both ends in place of "±". unit: the
 * smallest difference that the reader sees. */
bool wsk_is_uneven(const wsk_ranged *r, double unit);
/* The message `even` with the value and the half width, or `uneven` with the value and both ends. */
const wsk_said *wsk_say_ranged(wsk_arena *a, const wsk_ranged *r, double unit, wsk_code even, wsk_code uneven);

/* Facts from which a verdict is made; numbers are NAN where the summary lacks them. Texts belong to the summary. */
typedef struct {
    int cards, psus;
    /* hot: number of cards that heat slowed for more than 0.1 % of the time; worst: index of the card that heat
     * slowed for the longest time, -1: none */
    int hot, worst;
    double worst_share;
    const char *worst_id;
    bool given; /* the power of each card is given (pinned or replayed), so that heat cannot lower it */
    int cards_off, cpus_off;
    /* any shutdown; also true for a summary that flags a shutdown without the numbers cards_off and cpus_off */
    bool off;
    bool failed; /* a fan, pump, PSU, circuit or air conditioner has failed */
    bool steady;
    double failed_s;         /* time of the first failure, s; NAN: none, or a steady point */
    double slowed_s, shut_s; /* s from failed_s to throttling by heat, to a shutdown; NAN: it did not happen */
    bool shuts_later;        /* a shutdown did not happen, but a longer run would have it */
    bool braked;
    bool parts_hot;
    const char *off_circuit, *off_psu; /* circuit that went off, PSU whose failure stopped a machine; NULL: none */
    /* time at which `off_circuit` or `off_psu` stopped a machine, s; if no machine stopped, time at which
     * `off_circuit` went off; NAN: neither, or a steady point */
    double off_s;
    bool on_battery; /* the battery of a UPS carries the load of `off_circuit` */
    bool stopped;    /* a machine stopped because its circuit went off or its PSU failed */
    bool empty;      /* the machine stopped later than its circuit lost voltage: when the UPS was empty */
    /* stops: number of machines that `off_circuit` or `off_psu` stopped at off_s; stops_id: id of that machine if it
     * is only one, else NULL */
    int machines, stops;
    const char *stops_id;
    double trip;         /* chance that a PSU or the breaker trips; NAN: not known */
    double trip_left;    /* as `trip`, without the circuits that went off */
    double over_s, over; /* time above the circuit's continuous limit: s, share of the run (0: steady point) */
    double load;         /* highest load of a PSU, divided by its available output */
    double feed;         /* highest load of a UPS or power strip, divided by its rating; 0: none */
    /* Shares, at least 0. limited: share of the full throughput that settings such as power limits cost. Of the
     * throughput that these settings leave: lost, share lost to heat and the power brake; gone, share of cards that
     * fell off their bus. All three are of the time with mains; dark: share of the work that the time without took. */
    double lost, gone, limited, dark;
    double undone;      /* work undone by failures of the job, as a share of all work done; 0: none */
    const char *limits; /* name of the settings that cause `limited`: "power limits" */
    double lost_low, lost_high;
    double throttles;
    wsk_ranged die_c, wall_w, annual; /* hottest GPU; mean power at the wall; electricity cost of a year */
    const wsk_said *const *doubts;
    size_t n_doubts;
    double noise_dba, listener_m, room_c; /* noise_dba: mean; if a machine stopped, mean until then */
    wsk_standing stand;                   /* kind of place by whose limits the noise is judged */
    /* Tokens; only valid if `model` is true. *_rel: half width of the range, as a share of the value; *_gib: memory,
     * GiB. token_j: energy at the wall for a generated token, J; token_cost: electricity cost of a million generated
     * tokens. */
    bool model, fits;
    /* tokens_low, tokens_high, prompt_low, prompt_high: ends of the ranges of tokens_s and prompt_s */
    double tokens_low, tokens_high, prompt_low, prompt_high;
    double tokens_s, tokens_rel, prompt_s, prompt_rel, token_j, token_cost, need_gib, have_gib;
    int copies, requests;
    /* request_s: generated tokens a second of one request; token_price: price of a million generated tokens at
     * another provider, with which token_cost is compared */
    double request_s, token_price;
    /* electricity cost of a week (7/365 of a year's) and of a year; NAN: a steady point, or a machine stopped */
    double week, year;
    bool partial;  /* the run lacks hours or days of the week for which the tariff has other prices */
    double stored; /* heat that room and machine keep, as a share of the energy at the wall */
    /* solar: solar energy used, as a share of all energy of rig and air conditioner; heating: heating cost saved in a
     * year. NAN: no solar plant, no heating */
    double solar, heating;
    const char *currency;
} wsk_facts;
wsk_facts wsk_facts_of(const wsk_summary *summary);

bool wsk_facts_loud(const wsk_facts *facts);
bool wsk_facts_room_hot(const wsk_facts *facts);

/* Appends the verdict: first the sentences on problems, on their absence and on noise, then the sentences on tokens,
 * throughput and money. Returns the number of sentences in *out before the sentences on tokens. */
size_t wsk_say_verdict(const wsk_facts *facts, wsk_said_list *out);
/* Makes the verdict and puts it into the summary, as text and as messages. arena: scratch memory. Returns false if
 * memory ran out. */
bool wsk_put_verdict(wsk_summary *summary, const wsk_facts *facts, wsk_arena *arena);
void wsk_say_heat(const wsk_facts *facts, wsk_said_list *out);
/* The chance of throttling, if no card throttles in the run but, given the uncertainty of the inputs, the chance that
 * one would is above 20 %. NULL: the chance is lower, a card throttles, or there was a failure or a shutdown. */
const wsk_said *wsk_say_heat_doubt(const wsk_facts *facts, wsk_arena *arena);
const wsk_said *wsk_say_throttle_chance(double chance, wsk_arena *arena);
/* The throughput, and its losses to settings, heat, power brake and lost cards; NULL: the rig does no work, or a
 * machine stopped. */
const wsk_said *wsk_say_throughput(const wsk_facts *facts, wsk_arena *arena);
/* How much of the heat the room and the machine keep, so that a year costs more or less than the run says. NULL: little,
 * or there is no cost of a year. */
const wsk_said *wsk_say_warming(const wsk_facts *facts, wsk_arena *arena);
/* True if the range of the throughput lost to heat is so wide that sentences name its ends instead of one value. */
bool wsk_loss_wide(const wsk_facts *facts);
/* True if sentences give the tokens a second with the ends of their range. */
bool wsk_tokens_wide(const wsk_facts *facts);
/* These three return NULL if there is nothing to say: no model, a single request, or no other provider's price. */
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
    bool off, breaker; /* off: shutdown by heat; breaker: the breaker would trip, not a PSU */
    double trip;
    /* load of the PSU divided by its available output; load of the circuit divided by its continuous limit; load of
     * the UPS or power strip divided by its rating; 0: not mentioned */
    double psu, circuit;
    double feed;
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
