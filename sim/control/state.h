/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of each card, fan or pump, power supply and chassis of a run at a moment: plain data, saved as bytes in the run's
 * block. The run itself is in run.h. */
#ifndef WSK_STATE_H
#define WSK_STATE_H
#include "sim/net/point.h"

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

/* The clock of a run, and when what happened to it. */
typedef struct {
    int64_t t_ns, tick, next_natural_ns;
    int64_t window_ns; /* from here on the totals count */
    int64_t shutdowns, over_logged, phase_logged;
    int64_t saved_ns, undone,
        failures;    /* of the work: last checkpoint; whether the present failure is booked; how many */
    double redone_s; /* work that failures undid, s of reference work */
    int64_t leap_level, leap_next_ns; /* length of the last leap, by its place in leap.c; when the next is tried */
    int64_t failed_ns, slowed_ns, shut_ns; /* first failure; the first slowdown by heat and shutdown after it
                                             (a slowdown at the failure itself: had slowed before); -1: none */
} wsk_run_head;

#endif
