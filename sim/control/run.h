/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run: one flat block of state over a const network. Private to sim/run and sim/api.c. */
#ifndef WSK_RUN_H
#define WSK_RUN_H
#include "sim/net/net.h"
#include "sim/books/bill.h"

/* Where a card's intake air comes from. */
typedef enum { WSK_FROM_ROOM, WSK_FROM_CASE, WSK_FROM_OWN, WSK_FROM_NEIGHBOUR, WSK_INTAKES } wsk_intake_share;

/* A running card's operating point, and what it was found for: solved anew when that has moved. */
typedef struct {
    double die_k, heat_hz, held_w; /* die_k 0: not yet, or of a pinned clock; heat_hz: the governors' cap */
    int64_t heat_of;               /* whose that is */
    double power_w, full_w, clock_hz, perf, perf_cool, perf_free;
    double clock_free_hz;           /* at the default limit; starts the next search */
    double clock_per_k, free_per_k; /* how both follow the die */
    int64_t reasons, bound_free;
} wsk_operating;

/* State of one card; plain data, saved as bytes. */
typedef struct {
    double pin_power_w, pin_rpm, pin_clock_hz; /* NAN: free */
    double power_w, clock_hz, die_k;
    double split_w, memory_w, die_w;   /* how power_w divides, and which power that was found for */
    double full_w;                     /* what it would draw with no governor of heat or brake */
    double perf, perf_cool, perf_free; /* now; without heat governors; at the default limit as well */
    double fan_ref_k;
    wsk_governor_state governor[WSK_GOVERNORS];
    int64_t governor_last_ns[WSK_GOVERNORS], governor_next_ns[WSK_GOVERNORS], fan_next_ns;
    double cap_hz; /* the governors' lowest, INFINITY: none; and whose */
    int64_t cap_of;
    double fan_goal_rpm; /* what the curve asks for at fan_ref_k; NAN: not asked yet */
    double rest_low_k, rest_high_k, rest_memory_low_k,
        rest_memory_high_k;         /* controls have nothing to do while die and memory are between */
    double same_low_k, same_high_k; /* and its watts hold while the die is between these */
    int64_t rest_until_ns;          /* and this is to come */
    int64_t reasons, off;           /* off: shut down */
    wsk_operating operating;
    double idle_die_k, idle_w;                   /* what it draws idle, and for which die that was found */
    wsk_sum work, work_cool, work_free, safe[3]; /* safe: as of the last checkpoint */
    int64_t throttle_ns[WSK_REASONS];            /* in the order of wsk_cause */
    double busy;                                 /* share of the time that it works, where work is there for less */
    double limit_w, held_w;                      /* power limit now, and what the firmware makes of it */
    double cap_before, cap_low, cap_high;        /* of its governors: at the last tick, and since watched_ns */
    int64_t rising, turns, watched_ns;           /* way the cap went last; reversals since then */
    int64_t hunts, runaway,
        stuck_ns; /* 0, or which governor, one up; 0, leakage 1, at its lowest clock 2, after a failure 3; since when it is held at its lowest clock and too hot, -1: not */
    double stuck_k;      /* the die then */
    int64_t schedule_ns; /* when its limit may change next */
    int64_t logged_reason;
    double logged_rpm;
    int64_t logged_ns;
    double intake[WSK_INTAKES], intake_s; /* shares x time, and that time */
} wsk_card_state;

/* A fan or pump; plain data, saved as bytes. */
typedef struct {
    double ref_k, logged_rpm; /* sensor at its last decision, with hysteresis */
    int64_t next_ns, failed;
    double rpm_s, flow_s, power_j, noise_s; /* integrals since the window opened */
} wsk_mover_state;

/* A power supply: its accounts. */
typedef struct {
    wsk_sum dc, wall;
    double dc_peak_w, peak_rel, may_give_w; /* highest load; highest over what it might give then, and that */
    double peak_cards_w;                    /* of its cards at that moment */
    int64_t failed, logged, over_ns;        /* for good; whether told; time over what it might give */
} wsk_supply_state;

/* A chassis: what was sampled with the buckets. */
typedef struct {
    double pressure_s, fresh_s, sampled_s;
    double cpu_share;                     /* of its watts that the processor may draw: below 1 it is too hot */
    int64_t cpu_off, throttle_ns, logged; /* shut down; time below 1; whether that is told */
    int64_t cpu_ns;                       /* when it was last decided on */
    int64_t brake;                        /* pulled */
} wsk_case_state;

/* Independent accounts of the ledger, J. */
typedef struct {
    wsk_sum dc, wall, psu_loss, cooling_electric, side; /* metered; side: ac loads on the circuit */
    wsk_sum cooling_heat;                               /* what the air conditioner took from the room */
    wsk_sum out;                                        /* through the boundary */
    wsk_sum defect;                                     /* |given - taken| at media nodes */
    wsk_sum strayed, carried; /* heat-capacity flow x time: unbalanced at nodes, and in all */
} wsk_ledger;

typedef struct {
    int64_t t_ns, tick, next_natural_ns, weather_ns;
    int64_t over_limit_ns, shutdowns;
    double wall_peak_w, dc_peak_w, va_peak;
    wsk_sum feed_loss; /* of UPS and strip, J */
    double feed_peak_rel;
    double breaker_heat, breaker_most; /* of its thermal element, (I/I_n)^2; the most so far */
    wsk_bill bill;
    wsk_ledger ledger;
    double stretch_s, stretch_ac_j; /* since speeds last changed: time; heat and watts of the air conditioner */
    int64_t n_buckets;              /* closed ones */
    int64_t over_logged, phase_logged;
    int64_t window_ns;  /* from here on the totals count */
    int64_t bucket_ns;  /* where the open bucket began */
    int64_t sampled_ns; /* when the air was last looked at */
    int64_t saved_ns, undone,
        failures;    /* of the work: last checkpoint; whether the present failure is booked; how many */
    double redone_s; /* work that failures undid, s of reference work */
    int64_t leap_level, leap_next_ns; /* length of the last leap, by its place in leap.c; when the next is tried */
    double weather_k[2];              /* outdoors, at both ends of the minute that ends at weather_ns */
    double cooling_w[2],
        compressing_w[2]; /* then: the most that the air conditioner takes out, and what it draws for that */
    double noise_s;       /* noise power x time, and its peak */
    double noise_peak;
    int64_t failed_ns, slowed_ns, shut_ns; /* first failure; the first slowdown by heat and shutdown after it
                                             (a slowdown at the failure itself: had slowed before); -1: none */
} wsk_run_head;

/* The run's variables and who watches them: sim/books/variables.h, sim/books/observe.h. */
typedef struct wsk_observer wsk_observer;
struct wsk_variables;

/* Everything that depends on speeds and step only; remembered, never saved. Of tables.c for kernel.h. */
typedef struct {
    bool used, has_gains;  /* has_gains: those of h, though it may be forgotten since */
    uint64_t serial, hash; /* serial: changes with its content; hash: of rpm */
    double h;
    double *rpm; /* key */
    wsk_point point;
    int *sense, *deposit;      /* per port: media, counted from the first */
    double *gain;              /* h/C of solids, by slots */
    double *store, *slow_gain; /* 2 C/h and h/C of slow media */
    double *blocks;            /* of all blocks (wsk_block.table) */
    double *media;             /* mean matrix, inverted where it is small, else factored */
    double *give;              /* W/K of each port, 0 where a boundary takes the heat */
    double *rows;              /* rows of the mean matrix for slow media, without capacities and blocks, by columns */
    double *full;              /* factored stage matrix of the reference stepper */
} wsk_config;
enum { WSK_CONFIGS = 8 };

/* What a step works with. */
typedef struct {
    double *m, *x; /* by slots: means of solids over the room; where they began */
    double *r, *e; /* of the media: right sides, and as many more behind them; means over the room */
} wsk_scratch;

/* What phi2 makes of a block at one crossing of the grid of its diagonals, then its slope by each of them; see tables.c. */
enum { WSK_KNOWN = 16, WSK_KNOWN_NODES = 3 };
typedef struct {
    double h, at[WSK_KNOWN_NODES];                                   /* h 0: none yet */
    double mean[(WSK_KNOWN_NODES + 1) * WSK_KNOWN_NODES * WSK_FOUR]; /* h phi2 C^-1 by columns of four */
} wsk_known;

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
    /* state: one block */
    char *block;
    size_t block_len;
    wsk_run_head *head;
    wsk_card_state *cards;
    wsk_mover_state *movers;
    wsk_case_state *cases;
    wsk_supply_state *supplies;
    double *t;         /* temperatures at the end of the last step; quasi-steady media: mean of it */
    double *carry;     /* of slow media: what rounding kept out of t */
    double *t_start;   /* at the start of the run */
    double *t_natural; /* of the last natural-convection solution */
    double *rpm;       /* now */
    double *stretch_ks,
        *stretch_j; /* of a stretch, per node: excess over the room x time, heat put in; see ledger.c */
    /* scratch */
    double *cap;    /* J/K, as this run uses it */
    double *mean_t; /* of the step */
    double *heat, *rhs, *work, *t_before;
    wsk_scratch scratch;
    wsk_config configs[WSK_CONFIGS];
    uint64_t config_serial; /* of the newest tables */
    const wsk_lu *full_lu;  /* NULL: not the reference stepper */
    wsk_places full_at;     /* in it */
    wsk_known *known;       /* WSK_KNOWN a block */
    unsigned *known_turn;
    int *driven, n_driven;   /* movers that follow a sensor or fail */
    int *powered, n_powered; /* movers with watts of their own */
    double *absurd_k;        /* per node, as wsk_node has it */
    double *natural_low_k,
        *natural_high_k;                /* per medium: excess over the room within which natural convection holds */
    double *quiet_low_k, *quiet_high_k; /* per solid: within them all cards rest, if quiet_ns is to come */
    int config_turn;
    const struct wsk_variables *variables;
    wsk_observer *observer;
    const wsk_config *config;
    wsk_now now;
    bool moving;        /* some fan or pump may change its speed by itself */
    bool braked;        /* some chassis may pull its cards' power brake */
    double room_heat_w; /* what it gives to the room */
    double feed_loss_w; /* of UPS and strip */
    double breaker_h,
        breaker_keeps; /* length of a step, and what the breaker's thermal element keeps of its heat over it */
    wsk_activity schedule, activity; /* as the workload says, and as it is: nothing goes on after a shutdown */
    double dc_w, wall_w, va, loss_w, ac_w, ac_heat_w, side_w; /* va: of the supplies; the side loads' are watts */
    double *case_dc_w, *supply_dc_w, *supply_wall_w;          /* now */
    double *asked_dc_w, *asked_wall_w; /* per supply: the last load that its law was asked about, and the answer */
    double *mover_w, *mover_noise_p, *mover_rpm; /* per mover: now, and the speed they were taken at */
    double noise_p, noise_dba;                   /* 10^(level/10) of all movers now; as a level */
    const struct wsk_advice *advice;             /* of sim/study; NULL: not asked for, or none */
    wsk_buf events;                              /* not yet handed out */
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
