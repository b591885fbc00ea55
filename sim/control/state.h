/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of each card, fan or pump, PSU and chassis of a run: plain data, saved as bytes in the run's block. run.h has
 * the run itself. */
#ifndef WSK_STATE_H
#define WSK_STATE_H
#include "sim/net/point.h"

/* Origins of a card's intake air. */
typedef enum { WSK_FROM_ROOM, WSK_FROM_CASE, WSK_FROM_OWN, WSK_FROM_NEIGHBOUR, WSK_INTAKES } wsk_intake_share;

/* A card's operating point, and the inputs for which it was solved; solved again when an input changes. */
typedef struct {
    double die_k, heat_hz, held_w; /* inputs: die (0: none yet, or pinned clock), cap of the governors, held power */
    int64_t heat_of;               /* index of the governor with that cap */
    double power_w, full_w, clock_hz, perf, perf_cool, perf_free;
    double clock_free_hz;           /* clock at the default limit; start of the next search */
    double clock_per_k, free_per_k; /* change of clock_hz and clock_free_hz per kelvin of die */
    int64_t reasons, bound_free;
} wsk_operating;

/* State of one card, saved as bytes. */
typedef struct {
    double pin_power_w, pin_rpm, pin_clock_hz; /* pinned values; NAN: not pinned */
    double power_w, clock_hz, die_k;
    double split_w, memory_w, die_w;   /* power_w for which it was divided; parts of memory and die */
    double full_w;                     /* power without governors of heat and brake */
    double perf, perf_cool, perf_free; /* throughput: now; without heat governors; also at the default limit */
    double fan_ref_k;
    wsk_governor_state governor[WSK_GOVERNORS];
    int64_t governor_last_ns[WSK_GOVERNORS], governor_next_ns[WSK_GOVERNORS], fan_next_ns;
    double cap_hz; /* lowest cap of the governors, INFINITY: none; cap_of: index of that governor */
    int64_t cap_of;
    double fan_goal_rpm; /* speed by the curve at fan_ref_k; NAN: not computed yet */
    /* Temperatures of die and memory between which the card's controls rest until rest_until_ns. */
    double rest_low_k, rest_high_k, rest_memory_low_k, rest_memory_high_k;
    double same_low_k, same_high_k; /* die temperatures between which its power stays unchanged */
    int64_t rest_until_ns;          /* end of the rest; in the past: no rest */
    int64_t reasons, off;           /* reasons: bits of wsk_cause; off: shut down */
    wsk_operating operating;
    double idle_die_k, idle_w;                   /* idle power, and the die temperature for which it was computed */
    wsk_sum work, work_cool, work_free, safe[3]; /* safe: work, work_cool, work_free at the last checkpoint */
    int64_t throttle_ns[WSK_REASONS];            /* time limited by each cause, ordered as wsk_cause */
    double busy;                                 /* share of time that the card is busy */
    /* present power limit, and the power that the firmware enforces for it */
    double limit_w, held_w;
    double cap_before, cap_low, cap_high; /* cap at the last tick; lowest and highest cap since watched_ns */
    /* direction in which the cap moved last; reversals since watched_ns */
    int64_t rising, turns, watched_ns;
    /* hunts: 1 + index of a hunting governor, 0: none. runaway: 1 by leakage, 2 at the lowest clock, 3 after a
     * failure, 0: none. stuck_ns: since when the card is too hot at its lowest clock, -1: it is not. */
    int64_t hunts, runaway, stuck_ns;
    double stuck_k;      /* die temperature at stuck_ns, K */
    int64_t schedule_ns; /* next change of its limit by the schedule */
    int64_t logged_reason;
    double logged_rpm;
    int64_t logged_ns;
    double intake[WSK_INTAKES], intake_s; /* share of each origin x time; total time */
} wsk_card_state;

/* State of a fan or pump, saved as bytes. */
typedef struct {
    double ref_k, logged_rpm; /* ref_k: sensor with hysteresis, at its last decision */
    int64_t next_ns, failed;
    double rpm_s, flow_s, power_j, noise_s; /* integrals since window_ns */
} wsk_mover_state;

/* Accounts of a PSU. */
typedef struct {
    wsk_sum dc, wall;
    /* highest output; highest output / available output, and the available output then */
    double dc_peak_w, peak_rel, may_give_w;
    double peak_cards_w;             /* output to cards at that moment */
    int64_t failed, logged, over_ns; /* failed for good; failure logged; time above the available output */
} wsk_supply_state;

/* State of a chassis, and its accounts sampled once per bucket. */
typedef struct {
    double pressure_s, fresh_s, sampled_s;
    /* share of its power that the processor may use; below 1: throttled by heat */
    double cpu_share;
    int64_t cpu_off, throttle_ns, logged; /* shut down; time throttled; throttling logged */
    int64_t cpu_ns;                       /* time of the last control of the processor */
    int64_t brake;                        /* the power brake is pulled */
} wsk_case_state;

/* Time of a run, and times of its events. */
typedef struct {
    int64_t t_ns, tick, next_natural_ns;
    int64_t window_ns; /* start of the window that the totals cover */
    int64_t shutdowns, over_logged, phase_logged;
    /* Work: time of the last checkpoint; 1 if the present failure is booked; number of failures. */
    int64_t saved_ns, undone, failures;
    double redone_s;                  /* work undone by failures, s of reference work */
    int64_t leap_level, leap_next_ns; /* index in leap.c of the last leap's length; time of the next attempt */
    /* Times of the first failure, and of the first slowdown by heat and the first shutdown after it; -1: none.
     * slowed_ns equal to failed_ns: a card was slowed before the failure. */
    int64_t failed_ns, slowed_ns, shut_ns;
} wsk_run_head;

#endif
