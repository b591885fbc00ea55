/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run over a const network: the block that control, books, step and study share. What a checkpoint saves lies in one flat block of
 * memory; what only the books, the observer or the stepper use stands in their own structs (sim/books/books.h, sim/books/observe.h,
 * sim/step/tables.h). */
#ifndef WSK_RUN_H
#define WSK_RUN_H
#include "sim/control/state.h"

typedef struct wsk_books wsk_books;
typedef struct wsk_observer wsk_observer;
typedef struct wsk_stepping wsk_stepping;
struct wsk_variables;
struct wsk_advice;

/* The solved flow network, and the speed of each mover for which it was solved. */
typedef struct {
    double *rpm;
    wsk_point point;
} wsk_flows;

/* What this tick found, and what is remembered of earlier ones to be spared asking; never saved, found anew. So which ticks are
 * quiet differs behind a restoration: a quiet tick writes nothing to the state that another would not. */
typedef struct {
    bool awake, stirred; /* some card's controls acted; some fan or pump changed its speed */
    bool quiet;          /* all at rest and nothing due */
    bool jumps;          /* watts, speeds or natural convection are new: temperatures may jump */
    bool minute;         /* it ends one, or the run */
    bool scheduled;      /* schedule holds until its until_ns */
    bool climbed;        /* heat holds the watts of the last tick, and room_heat_w the room's own share */
    bool log_due;        /* a change of reason waits for its turn */
    bool unread;         /* ticks were taken since values and dies were read */
    int64_t event_ns;    /* the next moment that the tick's grid does not show, or the end */
    int64_t
        timed_ns; /* the next that only the clock decides on: a load's switching, a limit's schedule, a failure; 0: look */
    int64_t quiet_ns; /* until then nothing is due while all cards rest; 0: not known */
    int64_t repeats;  /* quiet ticks that are not booked yet: before anything else is */
} wsk_now;

struct wsk_run {
    wsk_arena *arena;
    const wsk_net *net;
    wsk_stepper stepper;
    int64_t tick_ns, end_ns;
    uint64_t seed;
    bool leap;   /* takes calm stretches in longer steps */
    bool steady; /* capacities of slow nodes are small: only the end point counts */
    /* State, saved: these lie in the block, as does what the observer keeps. */
    char *block;
    size_t block_len;
    wsk_run_head *head;
    wsk_card_state *cards;
    wsk_mover_state *movers;
    wsk_case_state *cases;
    wsk_supply_state *supplies;
    wsk_books *books;  /* accounts: see sim/books/books.h */
    double *t;         /* per node: temperature at the end of the last step; of quasi-steady media the mean over it */
    double *carry;     /* of slow media: what rounding kept out of t */
    double *t_start;   /* at the start of the run */
    double *t_natural; /* for which natural convection was last solved */
    double *rpm;       /* per mover, now */
    double *stretch_ks,
        *stretch_j; /* per node, of a stretch: excess over the room x time, heat put in; see ledger.c */
    /* Of the present step, found anew after a restoration. */
    double *cap;                         /* per node: J/K, as this run uses it */
    double *mean_t;                      /* per node: mean over the step */
    double *heat;                        /* per node: watts put in */
    double *work;                        /* per node x 3: scratch of one function */
    const wsk_flows *flows;              /* of the last step; NULL: none yet */
    wsk_stepping *stepping;              /* tables of the steppers */
    wsk_now now;                         /* what this tick found */
    int *driven, n_driven;               /* movers that follow a sensor or fail */
    int *powered, n_powered;             /* movers with watts of their own */
    bool moving;                         /* some fan or pump may change its speed by itself */
    bool braked;                         /* some chassis may pull its cards' power brake */
    wsk_activity schedule;               /* what the workload says */
    wsk_activity activity;               /* what is done: nothing after a shutdown */
    double dc_w, wall_w, va;             /* of all supplies: output, input, apparent power */
    double loss_w;                       /* in them */
    double side_w;                       /* of ac loads beside them, UPS and strip; volt-amperes, too */
    double feed_loss_w;                  /* of UPS and strip */
    double ac_w, ac_heat_w;              /* air conditioner: draws, takes out */
    double room_heat_w;                  /* heat of the room's node without side loads and air conditioner */
    double *case_dc_w;                   /* per case: what its supplies give */
    double *supply_dc_w, *supply_wall_w; /* per supply: output, input */
    double *asked_dc_w, *asked_wall_w;   /* per supply: the last load that its law was asked about, and the answer */
    double *mover_w, *mover_noise_p,
        *mover_rpm;            /* per mover: watts and noise, and the speed for which they were found */
    double noise_p, noise_dba; /* 10^(level/10) of all movers; as a level */
    /* What is seen and told. */
    const struct wsk_variables *variables;
    wsk_observer *observer;
    const struct wsk_advice *advice; /* of sim/study; NULL: not asked for, or none */
    wsk_buf events;                  /* not yet handed out */
    char error[256];
};

/* The die, K: it stands over its heatsink by its watts. */
static inline double wsk_die_at_k(const wsk_run *run, const wsk_card *card, double power_w)
{
    return run->t[card->heatsink] + card->die_res_k_w * wsk_die_w(card, power_w);
}

/* Divides a card's present watts; then its die, hottest point and voltage regulators now. */
static inline void wsk_split_watts(const wsk_card *card, wsk_card_state *s)
{
    if (s->split_w == s->power_w)
        return;
    s->split_w = s->power_w;
    s->memory_w = wsk_memory_w(card, s->power_w);
    s->die_w = s->power_w - s->memory_w - card->board_share * s->power_w;
}
static inline double wsk_die_k(const wsk_run *run, const wsk_card *card, const wsk_card_state *s)
{
    return run->t[card->heatsink] + card->die_res_k_w * s->die_w;
}
static inline double wsk_hotspot_k(const wsk_run *run, const wsk_card *card, const wsk_card_state *s)
{
    return wsk_die_k(run, card, s) + card->gpu->hotspot_res_k_w * s->die_w;
}
static inline double wsk_vrm_k(const wsk_run *run, const wsk_card *card, const wsk_card_state *s)
{
    return run->t[card->board] + card->gpu->vrm_res_k_w * card->board_share * s->power_w;
}

/* Time since the start of the run, s. */
static inline double wsk_time_s(const wsk_run *run)
{
    return (double)run->head->t_ns / 1e9;
}

/* Time that the totals cover, s. */
static inline double wsk_window_s(const wsk_run *run)
{
    return (double)(run->head->t_ns - run->head->window_ns) / 1e9;
}

/* Reasons that are heat. */
enum { WSK_HEAT = WSK_REASON_THERMAL | WSK_REASON_HW | WSK_REASON_MEMORY };

/* Time that they held the clock down, s. */
static inline double wsk_heat_throttle_s(const wsk_card_state *s)
{
    return (double)(s->throttle_ns[1] + s->throttle_ns[2] + s->throttle_ns[3]) / 1e9;
}

#endif
