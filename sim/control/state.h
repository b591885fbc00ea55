/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a run, in structs without pointers, which a checkpoint saves as bytes (run.h). */
#ifndef WSK_STATE_H
#define WSK_STATE_H
#include "sim/net/point.h"

typedef enum { WSK_FROM_ROOM, WSK_FROM_CASE, WSK_FROM_OWN, WSK_FROM_NEIGHBOUR, WSK_INTAKES } wsk_intake_share;

typedef struct {
    /* inputs for which clock and power were solved: die temperature, K (0: must be solved); lowest cap on the clock,
     * Hz; power that the limit allows, W */
    double die_k, heat_hz, held_w;
    int64_t heat_of;
    double power_w, full_w, clock_hz, perf, perf_cool, perf_free;
    /* clock at the default power limit without caps and without a locked clock, when last solved, Hz */
    double clock_free_hz;
    double clock_per_k, free_per_k;
    /* reasons: bits of wsk_cause; bound_free: 1 if the default limit determines clock_free_hz */
    int64_t reasons, bound_free;
} wsk_operating;

typedef struct {
    double pin_power_w, pin_rpm, pin_clock_hz; /* values at which power, fan and clock are held; NAN: not held */
    double traffic; /* share of the memory's bandwidth in use, from a log; NAN: it follows from the class of work */
    /* Job that a client gives to the card: share of the time for which it keeps an unthrottled card busy; 0: the card
     * idles; NAN: no such job. */
    double load;
    int64_t found; /* 1: the card has returned after its scheduled loss */
    double lock_low_hz, lock_hz;
    double power_w, clock_hz, die_k;
    /* split_w: power_w when it was last split into parts; memory_w, die_w: the parts of memory and die, W */
    double split_w, memory_w, die_w;
    double full_w; /* power that the card would have without caps of governors */
    /* relative throughput. perf: present; perf_cool: without caps of governors; perf_free: as perf_cool, but at the
     * default power limit and without a locked clock */
    double perf, perf_cool, perf_free;
    double fan_ref_k;
    wsk_governor_state governor[WSK_GOVERNORS];
    int64_t governor_last_ns[WSK_GOVERNORS], governor_next_ns[WSK_GOVERNORS], fan_next_ns;
    /* cap_hz: lowest of the governors' caps on the clock (INFINITY: no governor); cap_of: index of the governor with
     * that cap */
    double cap_hz;
    int64_t cap_of;
    double fan_rpm;      /* speed that the fan's controller asks for, before rounding to the controller's steps */
    double fan_goal_rpm; /* speed by the fan curve at fan_ref_k; NAN: not computed yet */
    /* Die and memory temperatures between which the card's controls can be skipped until rest_until_ns. */
    double rest_low_k, rest_high_k, rest_memory_low_k, rest_memory_high_k;
    double same_low_k, same_high_k; /* die temperatures between which the card's present power is valid */
    int64_t rest_until_ns;
    /* reasons: bits of wsk_cause; off: 0 if the card is on, 1 if it is shut down or has no mains, or WSK_LOST */
    int64_t reasons, off;
    wsk_operating operating;
    /* idle power, W, and the die temperature for which it was computed */
    double idle_die_k, idle_w;
    /* perf, perf_cool and perf_free x time, s; safe: these three sums at the last checkpoint of the job */
    wsk_sum work, work_cool, work_free, safe[3];
    /* time during which each cause limited the clock, in the order of wsk_cause */
    int64_t throttle_ns[WSK_REASONS];
    double busy;
    int64_t served_ns; /* time in which the card, or its group, worked */
    /* present power limit, W; power that the firmware enforces for this limit, W (wsk_card_held_w) */
    double limit_w, held_w;
    /* cap_hz when wsk_watch_card was last called; lowest and highest cap_hz since watched_ns */
    double cap_before, cap_low, cap_high;
    /* direction of the cap's last change, 1, -1 or 0 (none); number of reversals since watched_ns; start of that
     * time */
    int64_t rising, turns, watched_ns;
    double slow_hz;      /* cap of the hardware slowdown when wsk_watch_card was last called; 0: not called yet */
    int64_t released_ns; /* time at which slow_hz last rose; 0: never */
    /* hunts: 1 + index of a governor whose cap oscillates, 0: none. runaway: cause for which the card heats up without
     * bound: 1 leakage, 2 too hot at the lowest clock, 3 an earlier failure, 0: it does not. stuck_ns: while the card
     * is too hot at its lowest clock, start of the minute over which its rise is judged; otherwise -1. */
    int64_t hunts, runaway, stuck_ns;
    double stuck_k;
    int64_t schedule_ns;
    int64_t logged_reason;
    double logged_rpm;
    int64_t logged_ns;
    double intake[WSK_INTAKES], intake_s; /* per origin of the intake air: share x time, s; total time, s */
} wsk_card_state;

enum { WSK_LOST = 2 }; /* value of `off` for a card that has fallen off the PCI Express bus */

typedef struct {
    double ref_k, logged_rpm; /* ref_k: reading of the sensor with hysteresis */
    int64_t next_ns, failed;
    int64_t mended; /* 1: the fan or pump has returned after its scheduled failure */
    /* speed at which the fan or pump is held, rpm; NAN: not held */
    double pin_rpm;
    /* integrals over the time since the start of the window (window_ns of wsk_run_head): speed, flow, power, noise as
     * 10^(level/10) */
    double rpm_s, flow_s, power_j, noise_s;
} wsk_mover_state;

/* State of a PSU, and its accounts since window_ns, the start of the window. */
typedef struct {
    wsk_sum dc, wall; /* energy delivered, J; energy taken from the mains, J */
    /* highest output; highest ratio of output to available output, and the available output at that moment */
    double dc_peak_w, peak_rel, may_give_w;
    double peak_cards_w;
    /* mended: 1 if the PSU has returned after its scheduled failure; over_ns: time above the available output */
    int64_t failed, mended, logged, over_ns;
    int64_t failed_ns; /* time of its last failure, planned or by command */
} wsk_supply_state;

typedef struct {
    wsk_sum wall;
    double va_peak, wall_peak_w;
    double feed_peak_rel;
    /* heat of the breaker's thermal element as (I/I_n)^2, I_n: rated current: present value, highest so far */
    double breaker_heat, breaker_most;
    /* Length of the last step, s, and the share of its heat that the thermal element keeps over that time (kept
     * because most steps have the same length). */
    double breaker_h, breaker_keeps;
    double battery_w; /* load for which dark_ns was computed, W */
    int64_t over_ns;
    int64_t mended;
    /* tripped: WSK_LINE_ON, WSK_LINE_TRIPPED or WSK_LINE_FAILED; trips: how often the breaker opened; at_ns: when the
     * circuit last went off; logged: 1 while the event log has the circuit over its continuous limit */
    int64_t tripped, trips, at_ns, logged;
    /* dark: 1 if the loads of the circuit have no power; dark_ns: time at which its UPS is empty; was_dark_ns: total
     * length of the earlier times without power */
    int64_t dark, dark_ns, was_dark_ns;
} wsk_line_state;
enum {
    WSK_LINE_ON,
    WSK_LINE_TRIPPED,
    WSK_LINE_FAILED
}; /* TRIPPED: the breaker opened; FAILED: the circuit lost its voltage, as scheduled or by command */

enum { WSK_DARK = 2 }; /* value of cpu_off for a chassis without power: its circuit or a PSU that it needs is off */
typedef struct {
    /* pressure x time, Pa s; air drawn in from outside the case, m3; sampled time, s */
    double pressure_s, fresh_s, sampled_s;
    /* share of its power that the processor uses; below 1, heat throttles it */
    double cpu_share;
    /* cpu_off: 1 if the processor shut down by heat, or WSK_DARK. throttle_ns: time for which heat throttled the
     * processor. logged: 1 if the throttling is logged. */
    int64_t cpu_off, throttle_ns, logged;
    int64_t shutdowns; /* shutdowns of the processor by heat */
    int64_t cpu_ns;
    int64_t brake;
} wsk_case_state;

/* phases of the work that the event log tells apart: 0 work, 1 evaluation, 2 checkpoint, 3 failure */
enum { WSK_LOGGED_PHASES = 4 };
typedef struct {
    int64_t t_ns, tick, next_natural_ns;
    int64_t window_ns; /* start of the window, the time up to now over which accounts and means are taken */
    int64_t shutdowns, phase_logged;
    /* Of the job: saved_ns: time of its last checkpoint; undone: 1 if its present failure is booked; failures: number
     * of its failures. */
    int64_t saved_ns, undone, failures;
    /* Undone by failures of the job, in s at the reference throughput: work; work that there would be without heat. */
    double redone_s, redone_cool_s;
    /* perf_gone and perf_dark (wsk_run) x time, s; safe: these sums at the last checkpoint of the job */
    wsk_sum work_gone, work_dark, safe_gone, safe_dark;
    /* index of the length that the next leap tries first (lengths[] in leap.c); earliest time of that try */
    int64_t leap_level, leap_next_ns;
    /* Times of the first failure, and of the first slowdown by heat and the first shutdown after that failure; -1:
     * none. slowed_ns equals failed_ns if a card was slowed already before the failure. */
    int64_t failed_ns, slowed_ns, shut_ns;
    int64_t ac_failed, ac_mended;
} wsk_run_head;

#endif
