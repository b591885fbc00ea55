/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strides: if the inputs of a run repeat in cycles, such as the time between two checkpoints of a training job, some
 * cycles are simulated and further cycles that would be alike are skipped. A stride is one such skip. The library
 * holds the accounts of some simulated cycles. The reference of a cycle is an estimate made from the library. cycle.c
 * finds the length of a cycle, skip.c skips cycles, stride.c decides when and how many, estimate.c estimates the
 * errors. Theory: docs/theory/time.md, "Strides" */
#ifndef WSK_STRIDE_H
#define WSK_STRIDE_H
#include "sim/books/bill.h"
#include "sim/control/run.h"

typedef enum {
    WSK_STRIDES_FIT,
    WSK_STRIDES_SHORT, /* the run is too short for its cycles */
    /* the room follows a weather file, and an input follows the time of day or cycles exceed two hours */
    WSK_STRIDES_WEATHER,
    WSK_STRIDES_TRACE, /* the workload is a recorded load, which does not repeat */
    WSK_STRIDES_BEAT   /* the periods of two inputs coincide again only after more than four days */
} wsk_strides;

/* The cycle of a run. A cycle starts at anchor_ns and at each multiple of length_ns after it. */
typedef struct {
    int64_t length_ns, anchor_ns;
    int64_t slow_ns; /* length of a day if inputs also follow the time of day and cycles are shorter; otherwise 0 */
    bool daily; /* inputs change at times of the day, such as a load curve; a daily sine of outdoor air is none */
    /* cycles are alike where their weather is (weather.c): outdoor air follows a file, or days were found not to repeat
     * although it follows the time of day (by_weather of wsk_stride_head) */
    bool weather;
    int64_t until_ns; /* end of the time in which the inputs repeat */
    /* inputs follow the local clock, so cycles before and after a change of daylight saving time are not alike */
    bool by_clock;
    /* some inputs follow the time of day or the time of the run, such as a load that switches. A failure of the job
     * does not delay these inputs, but it delays the work. A daily sine of outdoor air does not count. */
    bool timed;
    wsk_strides fits;
} wsk_cycle;
wsk_cycle wsk_find_cycle(const wsk_run *run, int64_t t_ns);
/* True if such cycles can be compared by their weather: they are short, and no other input follows the time of day. */
bool wsk_fits_weather(const wsk_cycle *cycle);
/* Returns the end of the time in which inputs repeat, ns: the next single event, such as a failure of a part, or the
 * end of the run. */
int64_t wsk_repeats_until(const wsk_run *run, const wsk_cycle *cycle);
/* By how much clocks were set back since since_ns, ns, if inputs follow the time of the day; negative: forward. */
int64_t wsk_clock_set_back_ns(const wsk_run *run, int64_t since_ns);
/* Moves the starts of the library's cycles by later_ns, the time by which clocks were set back, so that each keeps its
 * time of the day. */
void wsk_follow_clock(wsk_run *run, int64_t later_ns);
/* True if, since `cycle` was found, a restart of the job has delayed its work but not the inputs that follow the time.
 * Cycles before and after the restart are then not alike. */
bool wsk_phase_changed(const wsk_run *run, const wsk_cycle *cycle);

/* most strides of a run; most cycles in the library under weather */
enum { WSK_SKIPS = 1024, WSK_WEATHER_ENTRIES = 128 };
/* After the simulated cycles of so many days, in runs of at least so many days, by_weather may become 1. Assumed:
 * docs/theory/constants.md, "days that do not repeat" */
enum { WSK_DAYS_TRIED = 30, WSK_LONG_RUN_DAYS = 90 };
/* most periods that the first stride may skip, and at least as many after a stride that ended badly */
enum { WSK_FIRST_REACH = 8 };
#define WSK_DROPPED INT64_MAX /* marks an entry of the library as unusable */
/* The headlines, whose errors are estimated: energy, J; work, s at the reference throughput; time limited by heat,
 * s. */
enum { WSK_OF_ENERGY, WSK_OF_WORK, WSK_OF_HEAT, WSK_HEADLINES };

/* Weighted sums over the cycles that had a reference, where older cycles weigh less. n: weights; bias: difference from
 * the reference; spread: squared difference; of: amount. */
typedef struct {
    double n, bias, spread, of;
} wsk_check;

/* State of the strides, saved with the run. A period is a cycle, or a day where inputs follow the time of day. The
 * open cycle is the one being simulated. */
typedef struct {
    int64_t from_ns, next_ns, anchor_ns; /* of the open cycle: start, end, and the anchor of its wsk_cycle */
    /* count: cycles in the library; oldest: index of the oldest entry once the library is full */
    int64_t count, oldest;
    int64_t agreeing; /* number of cycles in a row that agreed with their reference */
    /* at the start of the open cycle. once: number of events that changed the rig for good; failures: failures of
     * the job */
    int64_t once, failures;
    int64_t simulated, skipped;
    int64_t reach;   /* most periods that the next stride may skip */
    int64_t pending; /* number of cycles of the last stride until it has been checked, then 0 */
    int64_t skips;
    /* merged: number of cycles of the inputs taken as one; vain: cycles in a row without a stride */
    int64_t merged, vain;
    int64_t unproven;                 /* days skipped since a whole day agreed */
    int64_t by_weather;               /* 1: see `weather` of wsk_cycle; 0: days are taken to repeat */
    double wall_peak_w, breaker_most; /* highest power and highest breaker heat before the open cycle */
    double
        /* distance in time of the last agreeing cycles from the cycles of their reference, in periods: a weighted sum
         * in which later cycles weigh more */
        apart;
    /* largest difference of an agreeing cycle from its reference; older cycles weigh less */
    double noise[WSK_HEADLINES];
    double expected[WSK_HEADLINES];     /* estimated errors of the last stride */
    double error[WSK_HEADLINES];        /* estimated errors of all strides */
    double cost_per_j, carbon_kg_per_j; /* cost and carbon of the last stride per joule that it skipped */
    /* Estimated errors of all strides: cost, in the tariff's currency; carbon, kg; highest power, as a share; highest
     * temperatures, K. */
    double error_cost, error_carbon_kg, error_peak_rel, error_k;
    /* under weather; per headline: cycles compared with their references */
    wsk_check checks[WSK_HEADLINES];
    double apart_k; /* sum of wsk_apart_k over the cycles of checks[0] */
    double noise_k; /* as `noise`, but of the mean temperature of any node, K */
    int64_t skip_from_ns[WSK_SKIPS], skip_to_ns[WSK_SKIPS];
} wsk_stride_head;

typedef enum { WSK_TALLY_SUM, WSK_TALLY_NUMBER, WSK_TALLY_NS } wsk_tally_kind;
/* An account is an amount that grows with time. `at` points to it: by `kind` a wsk_sum, a double, or an int64_t in ns.
 * `open` points to its part in the open interval of the series, or is NULL if it has none. */
typedef struct {
    wsk_tally_kind kind;
    void *at;
    double *open;
} wsk_tally;

/* Indices of the first accounts of the list; the accounts of each card and of each node follow. */
enum {
    WSK_TALLY_WALL,
    WSK_TALLY_SIDE,
    WSK_TALLY_COOLING,
    WSK_TALLY_OUT,
    WSK_TALLY_WORK /* work of the first card; the work of each further card is WSK_CARD_ACCOUNTS later */
};
enum {
    WSK_CARD_ACCOUNTS = 3 + WSK_REASONS + 1 + WSK_INTAKES + 1,
    WSK_CARD_HEAT = 4
}; /* WSK_CARD_HEAT is the offset from a card's account of work to its first account of time limited by heat */

/* The strides of a run. The members from `head` on are saved with the run. Array lengths use n and bins. */
struct wsk_stride {
    wsk_cycle cycle;
    int64_t most_merged;
    bool may_weather;  /* by_weather of wsk_stride_head may become 1 */
    int64_t bin_ns;    /* length of the parts of a cycle for which energy is recorded */
    int bins, entries; /* most parts of a cycle; most cycles that the library can hold */
    int n, nodes;      /* number of accounts; index of the first account of a node (temperature x time) */
    wsk_tally *places; /* the accounts, as wsk_list_accounts lists them */
    double *wanted,
        *fresh; /* n + bins each, as an entry of the library. wanted: reference of a cycle; fresh: last cycle */
    double *sum, *drift_k; /* n: amounts of all skipped cycles; per node: drift of the temperature in the stride, K */
    double
        *shift_k; /* per node: temperature change from the time of the day at a stride's start to that at its end */
    /* Under weather (weather.c). outdoor: integrals of the outdoor temperature; traits: per entry of the library, its
     * weather; extremes: starts, ns, of cycles that are always simulated; warm_ns: time after which the initial state
     * no longer matters */
    double *outdoor, *traits;
    int64_t *extremes, n_outdoor, warm_ns;
    int n_extremes;
    wsk_stride_head *head;
    int64_t *starts; /* per entry of the library: start of the cycle, ns */
    double *mark;    /* n: accounts at the start of the open cycle */
    double *heights; /* per variable: highest value before the open cycle */
    double *trend;   /* n: differences of agreeing cycles from their reference, weighted and summed as for `apart` */
    double *open_j;  /* bins: energy of each part of the open cycle, J */
    double *library; /* per entry, n + bins: accounts, then energy of each part */
};

int wsk_count_accounts(const wsk_run *run);
void wsk_list_accounts(wsk_run *run);
double wsk_account_value(const wsk_tally *place);
static inline double *wsk_entry(const wsk_stride *s, int64_t i)
{
    return s->library + (size_t)i * (size_t)(s->n + s->bins);
}
/* Start of the first part of a cycle that starts at start_ns. If inputs follow the time and a cycle is a whole number
 * of parts, parts begin at multiples of bin_ns since the start of the run, as the windows of tariffs do. The energy
 * before and after a switch at the end of a window then goes to the right window. Otherwise parts are counted from the
 * start of the cycle. */
static inline int64_t wsk_first_bin_ns(const wsk_stride *s, int64_t start_ns)
{
    return start_ns - (s->cycle.timed && s->cycle.length_ns % s->bin_ns == 0 ? start_ns % s->bin_ns : 0);
}
/* Fills s->wanted with the reference of a cycle that starts at t_ns: accounts and energies, estimated from the
 * library. Returns the mean distance in time, in periods, from the cycles that were used; 0: the library has no
 * suitable cycles. */
double wsk_reference(const wsk_run *run, int64_t t_ns);
/* Skips `cycles` cycles: moves the time, adds to the accounts what the library has for the cycles, and drift_k and
 * shift_k to the temperatures. */
void wsk_skip(wsk_run *run, int64_t cycles);
/* Returns the end of the open cycle, which no step may cross. */
static inline int64_t wsk_stride_end(const wsk_run *run)
{
    return run->stride ? run->stride->head->next_ns : INT64_MAX;
}
/* ---- under weather (weather.c) ---- */
/* Allocates the table of outdoor temperatures. False: out of memory. */
bool wsk_weather_make(wsk_run *run);
/* Fills that table for the whole run, and finds the extremes: 6 us a day of the run. */
void wsk_weather_read(wsk_run *run);
/* As wsk_reference; returns 1 or 0. */
double wsk_reference_of_weather(const wsk_run *run, int64_t t_ns);
/* Start, ns, of the cycle in the library whose weather is most like the weather of the cycle that begins at t_ns. */
int64_t wsk_like_weather(const wsk_run *run, int64_t t_ns);
/* Chooses the index at which the library will keep the cycle that begins at t_ns: in place of an entry, or behind the
 * last one, which raises head->count. */
int64_t wsk_place_in_library(const wsk_run *run, int64_t t_ns);
/* Number of cycles to skip, at most `room`. The stride ends before weather that the library does not know, and before
 * the next of the hottest or coldest cycles. */
int64_t wsk_limit_by_weather(const wsk_run *run, int64_t room);
/* Adds to shift_k the change of temperatures by the weather between both ends of a stride of so many cycles. */
void wsk_shift_by_weather(wsk_run *run, int64_t cycles);
/* Adds the differences of the last cycle from its reference to head->checks. */
void wsk_count_check(wsk_run *run, const double differ[WSK_HEADLINES]);
/* True if, by the sums in head->checks, the error of this headline in skipped cycles is small enough. For time limited
 * by heat only cycles that have such time are counted. */
bool wsk_checks_allow(const wsk_stride_head *h, int headline);

void wsk_take_headlines(const wsk_run *run, const double *accounts, double x[WSK_HEADLINES]);
/* Largest difference of a node's mean temperature in the last cycle from its reference, K. */
double wsk_apart_k(const wsk_run *run);
/* Largest number of cycles, at most `most` and in all at most `periods` days, after which the time of the day is the
 * same again to within 15 minutes; 0: there is none. */
int64_t wsk_whole_days(const wsk_cycle *c, int64_t periods, int64_t most);
/* Largest number of cycles that take a whole number of minutes together, from seven eighths of `most` to `most`; `most`
 * if there is none. Natural convection is updated at full minutes: after a stride that is no whole number of minutes,
 * the updates come at other times of the cycle, and its temperatures differ by up to 0.06 K. */
int64_t wsk_whole_minutes(const wsk_cycle *c, int64_t most);
/* Number of cycles that must agree before and after a stride. */
int wsk_cycles_needed(const wsk_stride *s);
/* Limits the length of a stride, `most` periods, so that no mean temperature drifts by more than is allowed. */
double wsk_limit_by_heat(const wsk_run *run, double most);
bool wsk_stride_allowed(const wsk_run *run, double periods);
/* Estimates the errors of the cycles just skipped. `before` is the account of the bill at the start of the skip. */
void wsk_expect_errors(wsk_run *run, int64_t cycles, double periods, const wsk_account *before);
/* Checks the last stride by a cycle after it, whose headlines differ from their reference by `differ`: the error is
 * assumed to grow linearly from 0 at the start of the stride to that difference at its end. */
void wsk_settle_stride(wsk_run *run, const double differ[WSK_HEADLINES], bool agreed);
/* Called after a step that began at from_ns. Adds the energy of the step to the open cycle; at the end of a cycle
 * skips the next cycles if they would be alike. */
void wsk_stride_on(wsk_run *run, int64_t from_ns);
/* Allocates the strides of a run, except their saved state, if its inputs repeat often enough; otherwise sets
 * run->no_strides to the reason. False: out of memory. */
bool wsk_stride_make(wsk_run *run);
void wsk_stride_start(wsk_run *run);
/* Sets the cycle of a run whose state was restored from a checkpoint, after wsk_stride_sound. */
void wsk_stride_restore(wsk_run *run);
/* True if all numbers restored from a checkpoint are in their ranges. */
bool wsk_stride_sound(const wsk_run *run);
double wsk_skipped_share(const wsk_run *run, int64_t from_ns, int64_t to_ns);

#endif
