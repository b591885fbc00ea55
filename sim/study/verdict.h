/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run comes to in plain words, and the changes that would help most (found by sim/advice.c). */
#ifndef WSK_VERDICT_H
#define WSK_VERDICT_H
#include <stdbool.h>

#include "sim/base/base.h"

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
    const char *what;        /* in words */
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
    const char *before; /* said before the first, or instead of any; "": nothing */
    const char *basis;  /* what the run had and the steady points have not; NULL: nothing */
    wsk_ills now;
    double cooling_w;     /* that keeps the room below its mark, where no change told does; NAN: none is wanted */
    bool stays_loud;      /* no change is known that makes it quieter */
    const char *currency; /* of year; NULL: no tariff */
} wsk_advice;

/* "Advice   one free slot between the cards: work +9.9 %, ...", a line each. */
void wsk_advice_text(const wsk_advice *advice, wsk_buf *out);

struct wsk_run;
/* Whether a part got hotter than it may, or a card whose power is pinned than it could (found.c). */
bool wsk_parts_too_hot(const struct wsk_run *run);

/* The verdict's lines, with the advice where the run has been judged; the same as results. */
void wsk_verdict_text(const struct wsk_run *run, wsk_buf *out);
void wsk_verdict_fill(const struct wsk_run *run, wsk_summary *summary);

#endif
