/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of each card, fan or pump, PSU and chassis of a run: plain data, saved as bytes in the run's block. run.h has
 * the run itself. */
#ifndef WSK_STATE_H
#define WSK_STATE_H
#include "sim/net/point.h"

/* Origins of a card's intake air: the room, the air in the case, its own exhaust, another card's exhaust. */
typedef enum { WSK_FROM_ROOM, WSK_FROM_CASE, WSK_FROM_OWN, WSK_FROM_NEIGHBOUR, WSK_INTAKES } wsk_intake_share;

/* A running card's clock and power, and the inputs for which they were solved; solved again when an input changes. */
typedef struct {
    double die_k, heat_hz, held_w; /* inputs: die temperature (0: must be solved), lowest cap, held power */
    int64_t heat_of;               /* index of the governor with that cap */
    double power_w, full_w, clock_hz, perf, perf_cool, perf_free; /* as in wsk_card_state */
    double clock_free_hz; /* clock at the default power limit without heat caps; its next solution starts there */
    double clock_per_k, free_per_k; /* change of clock_hz and of clock_free_hz per kelvin of die, Hz/K */
    int64_t reasons, bound_free;    /* bits of wsk_cause; 1: the default limit binds clock_free_hz */
} wsk_operating;

/* State of one card, saved as bytes. */
typedef struct {
    double pin_power_w, pin_rpm, pin_clock_hz; /* power, fan speed, clock held by the rig or a client; NAN: none */
    double traffic; /* share of the memory's bandwidth in use, from a log; NAN: it follows from the class of work */
    /* A job given from outside keeps the card busy for this share of the time; 0: idle; NAN: the card does the rig's
     * work. */
    double load;
    int64_t found;               /* 1: the card has returned after its scheduled loss */
    double lock_low_hz, lock_hz; /* lowest and highest clock that a lock allows; NAN: no lock */
    double power_w, clock_hz, die_k;
    double split_w, memory_w, die_w;   /* the power_w that was divided; memory's and die's part of it */
    double full_w;                     /* power that the card would have without caps of governors */
    double perf, perf_cool, perf_free; /* throughput: present; without caps; without caps at default limit */
    double fan_ref_k;                  /* reading of the fan's controller, with hysteresis */
    wsk_governor_state governor[WSK_GOVERNORS];
    /* times of each governor's last and next decision, and of the fan controller's next one */
    int64_t governor_last_ns[WSK_GOVERNORS], governor_next_ns[WSK_GOVERNORS], fan_next_ns;
    double cap_hz; /* lowest of the governors' caps on the clock, INFINITY: no governor; cap_of: whose cap */
    int64_t cap_of;
    double fan_rpm;      /* speed that the fan's controller asks for, before rounding to its steps */
    double fan_goal_rpm; /* speed by the curve at fan_ref_k; NAN: not computed yet */
    /* Die and memory temperatures between which the card's controls can be skipped until rest_until_ns. */
    double rest_low_k, rest_high_k, rest_memory_low_k, rest_memory_high_k;
    double same_low_k, same_high_k; /* die temperatures between which the card's present power is valid */
    int64_t rest_until_ns;          /* a time in the past means: call the controls */
    int64_t reasons, off;           /* reasons: bits of wsk_cause; off: 0, 1 after a shutdown, WSK_LOST */
    wsk_operating operating;
    double idle_die_k, idle_w;                   /* idle power, and the die temperature for which it was computed */
    wsk_sum work, work_cool, work_free, safe[3]; /* perf etc. x time, s; safe: these sums at the last checkpoint */
    int64_t throttle_ns[WSK_REASONS];            /* time limited by each cause, ordered as wsk_cause */
    double busy;                                 /* share of time that the card is busy */
    /* present power limit, and the power that the firmware enforces for it (differs on a plateau, a range of limits
     * that all enforce the same power) */
    double limit_w, held_w;
    double cap_before, cap_low, cap_high; /* cap_hz at the last tick watched; lowest and highest since watched_ns */
    /* direction of the cap's last change, 1, -1 or 0: none; its reversals since watched_ns; start of that window */
    int64_t rising, turns, watched_ns;
    double slow_hz;      /* cap of the hardware slowdown at the last tick watched; 0: no tick was watched yet */
    int64_t released_ns; /* time at which slow_hz last rose; 0: never */
    /* hunts: 1 + index of a hunting governor, 0: none. runaway: 1 by leakage, 2 at the lowest clock, 3 after a
     * failure, 0: none. stuck_ns: since when the card is too hot at its lowest clock, -1: it is not. */
    int64_t hunts, runaway, stuck_ns;
    double stuck_k;        /* die temperature at stuck_ns, K */
    int64_t schedule_ns;   /* time of the next scheduled change of limit_w */
    int64_t logged_reason; /* the values logged last: `reasons` (logged_ns: when) and fan speed (logged_rpm) */
    double logged_rpm;
    int64_t logged_ns;
    double intake[WSK_INTAKES], intake_s; /* per origin of the intake air: share x time, s; total time, s */
} wsk_card_state;

enum { WSK_LOST = 2 }; /* value of `off` for a card that has fallen off the PCI Express bus */

/* State of a fan or pump, saved as bytes. */
typedef struct {
    double ref_k, logged_rpm; /* ref_k: reading with hysteresis; logged_rpm: speed logged last */
    int64_t next_ns, failed;
    int64_t mended;                         /* 1: it has returned after its scheduled failure */
    double pin_rpm;                         /* speed at which it is held, rpm; NAN: its controller sets the speed */
    double rpm_s, flow_s, power_j, noise_s; /* integrals over time since window_ns: speed, flow, power, noise_p */
} wsk_mover_state;

/* State of a PSU, and its accounts since window_ns. */
typedef struct {
    wsk_sum dc, wall; /* energy delivered; energy taken from the mains, J */
    /* highest output; highest ratio output / available output, and the available output at that moment */
    double dc_peak_w, peak_rel, may_give_w;
    double peak_cards_w; /* the part of the output that went to cards at that moment */
    int64_t failed, mended, logged,
        over_ns; /* flags: failed; returned after its scheduled failure; overload logged. Time above available output */
} wsk_supply_state;

/* State of a branch circuit, and its accounts since window_ns. */
typedef struct {
    wsk_sum wall;                      /* energy taken from the circuit, J */
    double va_peak, wall_peak_w;       /* highest load, VA and W */
    double feed_peak_rel;              /* highest load / rating of its UPS or strip */
    double breaker_heat, breaker_most; /* heat of the breaker's element, (I/I_n)^2: present, highest */
    /* A step length, s, and the share of its heat that the thermal element keeps over it (cache of the last one). */
    double breaker_h, breaker_keeps;
    int64_t over_ns;                /* time above its continuous limit */
    int64_t mended;                 /* 1: it has returned after its scheduled failure */
    int64_t tripped, at_ns, logged; /* WSK_LINE_ON, ...; time of that change; 1: an overload is logged */
    int64_t dark, dark_ns;          /* 1: its loads have no power; time at which its UPS is empty */
} wsk_line_state;
enum {
    WSK_LINE_ON,
    WSK_LINE_TRIPPED,
    WSK_LINE_FAILED
}; /* TRIPPED: the breaker opened; FAILED: the circuit lost its voltage, as scheduled or by command */

enum { WSK_DARK = 2 }; /* value of cpu_off for a chassis whose circuit is off */
/* State of a chassis, and accounts of its air that are sampled once a minute. */
typedef struct {
    double pressure_s, fresh_s, sampled_s; /* pressure x time, Pa s; outside air drawn in, m3; sampled time, s */
    /* share of its power that the processor uses; below 1: throttled by heat */
    double cpu_share;
    /* cpu_off: 1 if the processor shut down by heat, WSK_DARK if the chassis has no mains; throttle_ns: time
     * throttled; logged: 1 if the throttling is logged */
    int64_t cpu_off, throttle_ns, logged;
    int64_t cpu_ns; /* time of the processor's last control */
    int64_t brake;  /* 1: the power brake is pulled */
} wsk_case_state;

enum { WSK_LOGGED_PHASES = 4 }; /* phases in the event log: 0 work, 1 evaluation, 2 checkpoint, 3 failure */
/* Time of a run, and times and counts of its events. */
typedef struct {
    int64_t t_ns, tick, next_natural_ns; /* present time; steps taken; next check of natural convection */
    int64_t window_ns;                   /* start of the window that the totals cover */
    int64_t shutdowns, phase_logged;     /* number of shutdowns by heat; phase of the work last logged (events.c) */
    /* Work: time of the last checkpoint; 1: the present failure is booked; number of failures. */
    int64_t saved_ns, undone, failures;
    double redone_s;                  /* work lost by failures and done again, in s at the reference throughput */
    int64_t leap_level, leap_next_ns; /* last leap's length, an index in leap.c; time of the next try */
    /* Times of the first failure, and of the first slowdown by heat and the first shutdown after it; -1: none.
     * slowed_ns equal to failed_ns: a card was slowed before the failure. */
    int64_t failed_ns, slowed_ns, shut_ns;
    int64_t ac_failed, ac_mended; /* 1: the air conditioner has stopped; 1: it has returned after its failure */
} wsk_run_head;

#endif
