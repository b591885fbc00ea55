/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run: one simulation of a const network. All state that a checkpoint saves, except the closed rows of the series,
 * lies in one flat block of memory. Data that only accounts, observer or stepper use are in their own structs
 * (sim/books/books.h, sim/books/observe.h, sim/step/tables.h). */
#ifndef WSK_RUN_H
#define WSK_RUN_H
#include "sim/control/state.h"

typedef struct wsk_books wsk_books;
typedef struct wsk_observer wsk_observer;
typedef struct wsk_stepping wsk_stepping;
typedef struct wsk_stride wsk_stride;
struct wsk_variables;
struct wsk_advice;
struct wsk_bands;

/* The flows in `point` were solved for the speeds rpm[] of the fans and pumps (movers). */
typedef struct {
    double *rpm;
    wsk_point point;
} wsk_flows;

/* Findings of this tick, and those of earlier ticks that are still valid. They are not saved but found again after a
 * restore. Other ticks may then be quiet (no control of a card is called) than without the restore. A quiet tick must
 * therefore leave the same saved state as a tick with all controls. */
typedef struct {
    /* awake: the controls of some card may change something; stirred: a fan or pump changed its speed */
    bool awake, stirred;
    /* no control of a card can change anything (rest.c), no fan or pump has changed its speed, and no event is due */
    bool quiet;
    bool jumps;  /* powers were summed again, or natural convection changed, so that temperatures may jump */
    bool minute; /* the tick ends a minute or the run */
    bool scheduled;
    bool climbed; /* powers have been summed, so that `heat` and room_heat_w are valid until a power changes */
    bool log_due;
    bool unread;      /* the values of variables and die_k may be older than the last tick */
    int64_t event_ns; /* next event, which may fall between two ticks, or the end of the run */
    /* time of the next event that depends only on time (a load switches, a scheduled limit changes, a part other than
     * a circuit fails); 0: unknown */
    int64_t timed_ns;
    int64_t quiet_ns; /* ticks that end by this time may be quiet; 0: unknown, so the next tick calls all controls */
    int64_t repeats;  /* number of quiet ticks that are not in the accounts yet */
} wsk_now;

struct wsk_run {
    wsk_arena *arena;
    const wsk_net *net;
    wsk_stepper stepper;
    int64_t tick_ns, end_ns;
    uint64_t seed;
    bool leap;             /* several ticks may be taken as one step (leap) while no control would act */
    int64_t leap_until_ns; /* no leap goes beyond this time; 0: no such limit */
    /* a replay of a log (sim/study/calibrate/thermal.c), of which only temperatures and loads of PSUs are read: no
     * accounts are kept, no variables observed, and governors of cards whose power is given are skipped, as caps change
     * nothing */
    bool replays;
    /* a leap may only replace ticks that would all have been quiet, without an act of a control (sim/step/leap.c) */
    bool close_leaps;
    /* skips whole cycles of the inputs, such as days, in which the run would repeat the cycles before
     * (sim/step/stride.h); NULL: all cycles are simulated */
    wsk_stride *stride;
    /* why no cycles are skipped although the caller asks for skipping: "short", "weather", "trace" or "beat", for the
     * values of wsk_strides (sim/step/stride.h); NULL: cycles may be skipped, or the caller does not ask */
    const char *no_strides;
    bool steady; /* the run searches a steady point, with reduced heat capacities of slow nodes */
    /* the run searches the steady point from which another run starts: load, power limits and a trace have their
     * values at the start, not their highest or mean */
    bool opening;
    bool resting; /* the run searches the steady point of the rig while its cards have no work */
    /* Memory of the state that a checkpoint saves. The members from `head` to `line_side_w` point into it, and so does
     * the state of observer and strides. */
    char *block, *kept; /* kept: copy of `block` before wsk_show_start changed it; NULL: it has not */
    size_t block_len;
    wsk_run_head *head;
    wsk_card_state *cards;
    wsk_mover_state *movers;
    wsk_case_state *cases;
    wsk_supply_state *supplies;
    wsk_line_state *lines;
    wsk_books *books;
    /* per node: temperature at the end of the last step; for air and coolant without heat capacity, mean over that
     * step */
    double *t;
    /* per node of air or coolant with heat capacity: rounding error of t, added at its next change */
    double *carry;
    double *t_start;
    double *t_natural;
    double *rpm;
    /* Per node, sums over the open stretch (time with constant flows, see wsk_ledger_close): excess above the room
     * temperature x time, K s; heat put in, J. */
    double *stretch_ks, *stretch_j;
    /* Powers of the last step, W and VA. Per PSU: output and input; per circuit: input of its PSUs, and its part of
     * side_w. */
    double *supply_dc_w, *supply_wall_w, *line_wall_w, *line_va, *line_side_w;
    double *cap; /* per node: heat capacity used in this run, J/K */
    double *mean_t;
    double *heat; /* per node: heat put in, W */
    double *work; /* 3 per node: scratch memory, valid only within one function */
    /* speeds and flows of the last step; NULL: no step was taken yet, or natural convection has changed since */
    const wsk_flows *flows;
    wsk_stepping *stepping;
    wsk_now now;
    int *driven, n_driven;
    int *powered, n_powered;
    bool moving;
    bool braked;
    wsk_activity schedule;
    wsk_activity activity; /* as `schedule`, but idle while all cards wait for a card that is off */
    /* Sums over the cards: throughput that is missing because a card is lost (WSK_LOST), and because a chassis has no
     * mains. */
    double perf_gone, perf_dark;
    double dc_w, wall_w, va;
    double loss_w;
    /* loads on the mains besides the PSUs, plus the losses of UPS and power strip, W; their power factor is taken as
     * 1 */
    double side_w;
    double feed_loss_w;
    double ac_w, ac_heat_w;
    /* heat into the room's node, W, without that of side_w and of the air conditioner */
    double room_heat_w;
    double *case_dc_w;
    /* per PSU: last output for which its input was computed, W (NAN: none); that input, W */
    double *asked_dc_w, *asked_wall_w;
    /* Of each fan or pump: electric power, W; noise as 10^(level/10); speed for which both were computed, rpm. */
    double *mover_w, *mover_noise_p, *mover_rpm;
    double *fresh_m3s, *fresh_q; /* per case: fresh air, m3/s; per branch: flows for which it was computed, m3/s */
    /* Of all fans and pumps together: sum of 10^(level/10), and that sum as a level, dBA. */
    double noise_p, noise_dba;
    const struct wsk_variables *variables;
    wsk_observer *observer;
    const struct wsk_advice *advice;
    const struct wsk_bands *bands;
    wsk_buf events; /* events that the caller has not read yet, one CSV line each */
    const wsk_said *failure;
    const char *error;
};

/* Number of powers behind supply_dc_w: of each PSU two, of each circuit three. */
static inline size_t wsk_count_delivered(const wsk_net *net)
{
    return 2 * (size_t)net->n_supply + 3 * (size_t)net->n_line;
}

static inline double wsk_die_at_k(const wsk_run *run, const wsk_card *card, double traffic, double power_w)
{
    return run->t[card->heatsink] + card->die_res_k_w * wsk_die_w(card, traffic, power_w);
}

static inline void wsk_split_watts(const wsk_card *card, wsk_card_state *s)
{
    if (s->split_w == s->power_w)
        return;
    s->split_w = s->power_w;
    s->memory_w = wsk_memory_w(card, s->traffic, s->power_w);
    s->die_w = s->power_w - s->memory_w - wsk_board_w(card, s->power_w);
}
/* Sets the share of the memory's bandwidth in use. traffic: this share from a log, which may round it to more than 1;
 * NAN: the class of work determines it. */
static inline void wsk_set_traffic(wsk_card_state *s, double traffic)
{
    const double share = traffic > 1 ? 1 : traffic;
    s->split_w = share == s->traffic || (isnan(share) && isnan(s->traffic)) ? s->split_w : -1;
    s->traffic = share;
}
static inline double wsk_die_k(const wsk_run *run, const wsk_card *card, const wsk_card_state *s)
{
    return run->t[card->heatsink] + card->die_res_k_w * s->die_w;
}
static inline double wsk_hotspot_k(const wsk_run *run, const wsk_card *card, const wsk_card_state *s)
{
    return wsk_die_k(run, card, s) + wsk_hotspot_over_k(card->gpu, s->die_w);
}
static inline double wsk_vrm_k(const wsk_run *run, const wsk_card *card, const wsk_card_state *s)
{
    return run->t[card->board] + card->gpu->vrm_res_k_w * wsk_board_w(card, s->power_w);
}

/* True if the time of a part's failure has come (fails_ns -1: the part never fails). A steady point includes only
 * failures at time 0. */
static inline bool wsk_fails_now(const wsk_run *run, int64_t fails_ns)
{
    return fails_ns >= 0 && run->head->t_ns >= fails_ns && !(run->steady && fails_ns > 0);
}

/* True if heat has shut a card down: it is off, but neither lost nor in a machine without power. */
static inline bool wsk_is_shut_down(const wsk_run *run, int card)
{
    const int64_t off = run->cards[card].off;
    return off && off != WSK_LOST && run->cases[run->net->cards[card].in].cpu_off != WSK_DARK;
}

static inline const wsk_card_state *wsk_state_of(const wsk_run *run, const wsk_card *card)
{
    return &run->cards[card - run->net->cards];
}

static inline bool wsk_supply_out(const wsk_run *run, int supply)
{
    return run->supplies[supply].failed || run->lines[run->net->supplies[supply].line].dark;
}

/* Name of a circuit in events, and with which the names of its variables begin. */
static inline const char *wsk_line_name(const wsk_net *net, int line)
{
    return line ? net->lines[line].id : "circuit";
}

/* Load of a circuit that comes through its breaker, VA. */
static inline double wsk_line_va(const wsk_run *run, int line)
{
    return run->lines[line].tripped ? 0 : run->line_va[line] + run->line_side_w[line];
}

static inline bool wsk_is_dark(const wsk_run *run)
{
    for (int i = 0; i < run->net->n_case; i++)
        if (run->cases[i].cpu_off == WSK_DARK)
            return true;
    return false;
}

static inline double wsk_time_s(const wsk_run *run)
{
    return (double)run->head->t_ns / 1e9;
}

/* Length of the window, s: the time up to now over which accounts and means are taken. It begins with the run, or, in
 * the search of a steady point, with the present ten minutes. */
static inline double wsk_window_s(const wsk_run *run)
{
    return (double)(run->head->t_ns - run->head->window_ns) / 1e9;
}

enum { WSK_HEAT = WSK_REASON_THERMAL | WSK_REASON_HW | WSK_REASON_MEMORY };

static inline double wsk_heat_throttle_s(const wsk_card_state *s)
{
    return (double)(s->throttle_ns[1] + s->throttle_ns[2] + s->throttle_ns[3]) / 1e9;
}

#endif
