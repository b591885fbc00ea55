/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run: one flat block of state over a const network. Private to sim/run and sim/api.c. */
#ifndef WSK_RUN_H
#define WSK_RUN_H
#include "sim/net/net.h"
#include "sim/books/bill.h"
#include "sim/study/trip.h"
#include "sim/study/verdict.h"

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

enum { WSK_BUCKETS = 2016, WSK_BUCKET_DOUBLES = 3 << 19 }; /* at most: rows; and numbers in all of them, 12 MB */

typedef struct {
    const char *name, *unit;
} wsk_variable;

typedef struct {
    int node, variable;
} wsk_probe;

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
        *stretch_j;           /* of a stretch, per node: excess over the room x time, heat put in; see ledger.c */
    double *value;            /* variables, as of the end of wsk_run_advance */
    double *sum, *low, *high; /* per variable: open bucket; of a temperature the sum is its rise over its node */
    double *total, *lowest, *highest;  /* per variable: whole run */
    double *node_sum, *node_total;     /* per node: degC x time, of the open bucket and all before */
    double *buckets;                   /* rows of 1 + 3 n: end time, then low, mean, high */
    int64_t bucket_ticks, bucket_rows; /* ticks of a bucket; rows that the whole run needs */
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
    wsk_variable *variables;
    int n_variables, config_turn;
    int first_supply_variable, first_loop_variable, first_mover_variable, first_card_variable;
    wsk_probe *probes; /* temperatures that are variables */
    int n_probe;
    double *
        standing; /* per variable: what is the same until watts, speeds or natural convection change; of a temperature its rise */
    double *node_low, *node_high; /* per node: of quiet ticks that are not booked yet */
    double *least, *most;         /* per variable: of them */
    int *watched;                 /* movers whose speed is a variable, in order */
    int *rig_variable;            /* of each variable of the rig and its cases: its place, -1 where there is none */
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
    const wsk_advice *advice;                    /* NULL: not asked for, or none */
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

/* Reasons that are heat. */
enum { WSK_HEAT = WSK_REASON_THERMAL | WSK_REASON_HW | WSK_REASON_MEMORY };

/* Time that they held the clock down, s. */
static inline double wsk_heat_throttle_s(const wsk_card_state *s)
{
    return (double)(s->throttle_ns[1] + s->throttle_ns[2] + s->throttle_ns[3]) / 1e9;
}

/* Watts of a case's processor, without its board. */
double wsk_cpu_w(const wsk_run *run, const wsk_case *c);
/* Its sensor. */
static inline double wsk_cpu_k(const wsk_run *run, const wsk_case *c)
{
    return run->t[c->cpu_solid] + c->cpu->sensor_res_k_w * wsk_cpu_w(run, c);
}

/* The work (work.c): what the schedule says now; what one card does; what those that work together do. */
void wsk_work_schedule(wsk_run *run);
void wsk_work_card(wsk_run *run, int card);
/* Whether the schedule has work for it, by which what it does not do is counted. */
bool wsk_should_work(const wsk_run *run, const wsk_card *card);
/* Whether cards that work do so for a share of the time, and idle for the rest of it. */
bool wsk_serves(const wsk_run *run);
void wsk_work_together(wsk_run *run);
/* Within this the operating point that was found for a die holds, K: to 3e-5 of its watts; where its limit holds those, of its
 * clock, which leakage moves some times less. */
#define WSK_SAME_DIE_K 0.005
static inline double wsk_same_die_k(const wsk_operating *o)
{
    return o->reasons & WSK_REASON_POWER ? 4 * WSK_SAME_DIE_K : WSK_SAME_DIE_K;
}
/* What was found at earlier ticks is not known: of a run that begins or was restored (run.c). */
void wsk_ask_all(wsk_run *run);
/* Rest (rest.c): after its controls have acted, how long and within which bounds a card may; whether it does; its end for all
 * cards, where what they were found to rest under has changed. */
void wsk_look_for_rest(const wsk_run *run, const wsk_card *card, wsk_card_state *state);
bool wsk_rests(const wsk_run *run, const wsk_card *card, const wsk_card_state *state);
/* Whether its controls do, though its watts may have to be found anew; for which die those hold that were found just now. */
bool wsk_controls_rest(const wsk_run *run, const wsk_card *card, const wsk_card_state *state);
void wsk_stay_near(const wsk_run *run, const wsk_card *card, wsk_card_state *state);
void wsk_wake(wsk_run *run);
/* A tick to next_ns that finds all at rest and nothing due is done with here, but for the step. False: not such a one; then, when
 * its controls have acted, until when there may be more of them. */
bool wsk_quiet(wsk_run *run, int64_t next_ns);
void wsk_look_for_quiet(wsk_run *run);
/* Controls at the tick: governors, fans, watts (control.c). */
void wsk_control(wsk_run *run);
/* die_k of all cards, by the present watts. */
void wsk_read_dies(wsk_run *run);
/* Weather and what the room is given, where all else of the power tree stands as it was. */
void wsk_follow_room(wsk_run *run);
/* Watts into nodes and up the power tree for the coming step (control.c). */
void wsk_power_tree(wsk_run *run);
/* Through the supplies: wall_w, va, their losses into heat; their accounts over a step (delivery.c). True where a chassis pulled
 * its power brake just now. */
bool wsk_deliver(wsk_run *run);
/* False where a brake that is not pulled would be, at the present temperatures. */
bool wsk_brakes_rest(const wsk_run *run);
/* What UPS and strip lose with the rig drawing wall_w; *over (may be NULL): load of the one most loaded, over its rating. */
double wsk_feed_loss_w(const wsk_net *net, double wall_w, double *over);
/* What a tick of dt is booked to; before rates change, or sums are read: what is still to be booked of ticks at which all rested
 * (account.c). */
void wsk_book_tick(wsk_run *run, int64_t dt_ns);
void wsk_book_repeats(wsk_run *run);
void wsk_account_delivery(wsk_run *run, double h, int64_t dt_ns);
/* Probability that it would have switched off so far; NAN: failed, a steady point, no circuit named. */
double wsk_supply_trip(const wsk_run *run, int supply);
/* The second in which the supply was loaded most, as if it had been so for time_s, and the steps of its cards upon it. */
wsk_steps wsk_steps_of_run(const wsk_run *run, int supply, double time_s, double card_w[WSK_STEP_CARDS]);
double wsk_circuit_trip(const wsk_run *run);
/* What would trip, why, and what would cure it, a line each. */
void wsk_trip_words(const wsk_run *run, wsk_buf *out);
/* As nvidia-smi -pl; false outside the settable range. */
bool wsk_set_limit(wsk_run *run, int card, double limit_w);
/* Names what governors should not do, and heat that they cannot hold (watch.c). */
void wsk_watch_card(wsk_run *run, int card);

/* What every fan controller does: reads whole degrees, up at once and down behind the hysteresis; moves by at most 5 % of
 * full speed a second, at least 1 % a decision. */
double wsk_fan_reference(double before_k, double sensor_k, double hysteresis_k);
/* Between these readings it stays where it is; a millionth of a kelvin is left for rounding. */
void wsk_fan_band(double before_k, double hysteresis_k, double *low_k, double *high_k);
double wsk_fan_ramp(double rpm, double target_rpm, double percent_rpm, double period_s);
/* Whether its fan's controller would leave the speed as it is at the die's present temperature. */
bool wsk_fan_rests(const wsk_run *run, int card);
bool wsk_mover_rests(const wsk_run *run, int mover);
/* What a governor of the card reads now; elapsed_s is the caller's. */
wsk_governor_input wsk_governor_sees(const wsk_run *run, const wsk_card *card, const wsk_card_state *state);
/* Fans and pumps at the tick: what they follow, what fails, what dust does (movers.c). */
void wsk_control_movers(wsk_run *run);
/* Lists those that need it each tick; false: out of memory. */
bool wsk_movers_make(wsk_run *run);
/* Electricity and noise of fans and pumps at their present speeds. */
void wsk_mover_watts(wsk_run *run);
/* Their integrals over a time at these speeds. */
void wsk_account_mover(const wsk_run *run, int mover, double time_s, wsk_mover_state *s);
double wsk_dba(double noise_p);
/* Share of a card's intake air by where it was last; sums to 1. All 0: a block in a loop (intake.c). */
void wsk_intake_shares(const wsk_run *run, int card, double share[WSK_INTAKES]);
int64_t wsk_next_event_ns(wsk_run *run);

/* Tries to take several ticks as one step, to `latest_ns` at most; the time that it took, or 0 with everything as it
 * was (leap.c). */
int64_t wsk_leap(wsk_run *run, int64_t latest_ns);
/* One step of h seconds: run->t and run->mean_t from run->heat (step.c). False: the network has no solution. */
bool wsk_step(wsk_run *run, double h);
/* 1/s: of the reference stepper's stages in a step of h seconds. */
double wsk_reference_rate(double h);
/* The tables for the present speeds and steps of h seconds; NULL: the network has no solution (tables.c). */
const wsk_config *wsk_config_for(wsk_run *run, double h);
void wsk_forget_configs(wsk_run *run);
/* Lay out a config's tables, from `gain` to `rows`, or a step's scratch in memory, entries `lanes` apart; how many there are. NULL: counts
 * only. */
int wsk_tables_place(const wsk_net *net, wsk_config *config, double *memory, int lanes);
int wsk_scratch_place(const wsk_net *net, wsk_scratch *scratch, double *memory, int lanes);
/* One tick in parts, for those who take the step themselves: controls and watts, and when the step ends; the step, with
 * natural convection in agreement with it; accounts and observation. False after writing run->error (run.c). */
int64_t wsk_tick_begin(wsk_run *run);
bool wsk_tick_step(wsk_run *run, int64_t next_ns);
bool wsk_tick_end(wsk_run *run, int64_t next_ns);
bool wsk_tick(wsk_run *run);
/* Behind the last tick that its caller asked for: books are brought up to date, and what is read from outside. */
void wsk_stand(wsk_run *run);
/* Before a step that may be taken back; taking it back; whether natural convection agrees with it. */
void wsk_step_keep(wsk_run *run);
void wsk_step_undo(wsk_run *run);
bool wsk_step_agrees(const wsk_run *run);

/* Books one step (ledger.c). */
void wsk_ledger_start(wsk_run *run);
void wsk_ledger_step(wsk_run *run, double h);
/* What constant speeds make linear is booked once for each stretch of them: before they change, or what they meet. */
void wsk_ledger_close(wsk_run *run);
/* Accounts with the open stretch in them. */
wsk_ledger wsk_ledger_now(const wsk_run *run);
wsk_mover_state wsk_mover_now(const wsk_run *run, int mover);
double wsk_stored_j(const wsk_run *run);
double wsk_residual(const wsk_run *run);
double wsk_splitting(const wsk_run *run);

/* Observation (observe.c). */
bool wsk_variables_make(wsk_run *run);
void wsk_read_values(wsk_run *run);
void wsk_observe(wsk_run *run, double h);
/* So many ticks at which all rested, of h each: what stands, and how far temperatures went. */
void wsk_observe_repeats(wsk_run *run, double h, int64_t times);
/* Forgets what was seen so far. */
void wsk_observe_anew(wsk_run *run);
int wsk_variable_find(const wsk_run *run, const char *name);
int64_t wsk_bucket_length(int64_t ticks, int variables);

/* Events (events.c): one; those that this tick shows. */
void wsk_event(wsk_run *run, const char *component, const char *what, const char *why);
void wsk_log_events(wsk_run *run);

/* Physical bounds of every node; false after writing run->error. */
bool wsk_check_state(wsk_run *run);

wsk_status wsk_run_create(wsk_run **out, const wsk_net *net, const wsk_run_options *options, bool steady);
/* Mean of a variable over the whole run so far. */
/* Time that the totals cover, s. */
double wsk_window_s(const wsk_run *run);
double wsk_mean_of(const wsk_run *run, const char *name);
/* Mean of the air in all cases. */
double wsk_case_air_c(const wsk_run *run);
/* Of the variable ID.WHAT: minimum (which < 0), mean (0) or maximum (> 0). */
double wsk_stat_of(const wsk_run *run, const char *id, const char *what, int which);
void wsk_extremes_of(const wsk_run *run, const char *name, double *low, double *high);

/* True where any chassis has a supply. */
bool wsk_supplied(const wsk_net *net);
/* What the user must be told of this run, a line each (found.c). */
void wsk_found(const wsk_run *run, wsk_buf *out);
/* Of these, what the page does not tell in lines of its own: parts beyond their limits. */
void wsk_found_parts(const wsk_run *run, wsk_buf *out);

/* Results (results.c). band: NULL, or the steady state's band of die temperatures per card, K. */
typedef struct {
    bool steady, cycling;
    double drift_k; /* above 0: not settled */
    const double *band_k;
} wsk_result_kind;
bool wsk_results_json(const wsk_run *run, const wsk_result_kind *kind, double wall_clock_s, wsk_buf *out);
bool wsk_results_text(const wsk_run *run, const wsk_result_kind *kind, wsk_buf *out);
bool wsk_results_series(const wsk_run *run, wsk_buf *out);
/* What took the work that limits took: "power limits", "a locked clock" or both. */
const char *wsk_lost_to(const wsk_run *run);
/* What links slower than 16 lanes of PCI Express 4 cost, in words without a full stop; false and nothing: they cost nothing. */
bool wsk_links_words(const wsk_net *net, wsk_buf *out);
/* The page's table of cards and their intake air (page_cards.c). */
void wsk_page_cards(const wsk_run *run, wsk_buf *out);
/* Its watts and work are those of other cards: nothing is known of it in this class of work, nor told by the user. */
bool wsk_card_guessed(const wsk_run *run, int card);
/* Half widths that hold 80 % of such cards, as it runs now: of its work and of its watts. NAN where it is not guessed. */
typedef struct {
    double work_rel, power_rel;
} wsk_card_open;
wsk_card_open wsk_card_spread(const wsk_run *run, int card);

/* Runs to the steady point; *out is a run whose variables' means are that point (steady.c). */
/* *drift_k (may be NULL): 0, or how far means still move in ten minutes where six hours did not settle them. */
wsk_status wsk_steady_solve(wsk_run **out, const wsk_net *net, wsk_stepper stepper, bool *cycling, double *band_k,
                            double *drift_k);
/* The same with leaps over calm stretches, for points that are only compared with one another: within 0.01 K of it. */
wsk_status wsk_steady_leap(wsk_run **out, const wsk_net *net, wsk_stepper stepper);

#endif
