/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run comes to, and the changes that would help most (sim/study/advice.c finds them). */
#ifndef WSK_VERDICT_H
#define WSK_VERDICT_H
#include <stdbool.h>

#include "sim/base/said.h"

/* What ails a rig, or still does with a change. */
typedef struct {
    double trip, trip_psu;      /* chance that something, that a supply, trips within the run's time */
    double over_w, over_psu_w;  /* beyond the circuit and the supplies */
    double lost;                /* share of the work that heat takes */
    bool shuts_down, throttles; /* from heat, at the hottest hour too */
    bool braked, parts_hot, room_hot, loud;
} wsk_ills;

/* One change of the rig and what it does to its steady point, against the rig as it stands. */
typedef struct {
    const wsk_said *what;
    const char *const *sets; /* as --set takes them */
    size_t n_sets;
    double work_rel;        /* of the work; NAN: there is none */
    double wall_w;          /* at the wall */
    double die_k, noise_db; /* hottest die; NAN: no cards, nothing is heard */
    double room_k;          /* the room's air */
    double year;            /* money a year; NAN: no tariff */
    double purchase;        /* money to buy it; NAN: not known */
    char currency[8];       /* of purchase */
    bool
        cooler_clocks; /* more work although heat takes none: a chip that leaks less clocks higher under the same limit */
    wsk_ills then;
} wsk_change;

enum { WSK_CHANGES = 3 };
typedef struct wsk_advice {
    wsk_change changes[WSK_CHANGES]; /* the one that helps most first */
    int n;
    wsk_change
        vain[WSK_CHANGES]; /* the best of what was tried in vain, where none helps or none of them against noise */
    int n_vain;
    const wsk_said *before; /* said before the first, or instead of any; NULL: nothing */
    const wsk_said *basis;  /* what the run had and the steady points have not; NULL: nothing */
    bool trade_offs;        /* what was tried in vain are trade-offs: nothing else is a problem */
    wsk_ills now;
    double cooling_w;     /* that keeps the room below its mark, where no change told does; NAN: none is wanted */
    bool stays_loud;      /* no change is known that makes it quieter */
    const char *currency; /* of year; NULL: no tariff */
} wsk_advice;

/* Effects of a change and the problems that it cures, leaves or brings: a message each. */
void wsk_change_effects(const wsk_advice *advice, const wsk_change *change, wsk_said_list *out);
/* The change with its effects in one sentence. */
const wsk_said *wsk_change_said(wsk_arena *arena, const wsk_advice *advice, const wsk_change *change);
/* The whole advice, a sentence each. */
void wsk_advice_say(const wsk_advice *advice, wsk_said_list *out);

struct wsk_run;
/* Whether a part got hotter than it may, or a card whose power is pinned than it could (found.c). */
bool wsk_parts_too_hot(const struct wsk_run *run);

typedef struct {
    bool throttles, shuts_down, trips, overloads, too_hot, too_loud;
    double cost_week, cost_year; /* money; NAN: no tariff */
} wsk_verdict;
void wsk_verdict_flags(const struct wsk_run *run, wsk_verdict *out);
/* The verdict, a sentence each: what is wrong and what is not (the number returned), then throughput and cost. */
size_t wsk_verdict_say(const struct wsk_run *run, wsk_said_list *out);
/* Throughput as a share of cards that nothing holds back. limited: share lost to what `limits` names; lost: share of the
 * rest lost to what `heat` names. Both names are words. */
const wsk_said *wsk_say_throughput(wsk_arena *arena, double limited, const char *limits, double lost,
                                   const char *heat);
/* "27.29 USD", without cents from 1000 on; currency NULL: unnamed. */
const wsk_said *wsk_say_money(wsk_arena *arena, double amount, const char *currency);

#endif
