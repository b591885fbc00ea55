/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strides: inputs that repeat, such as hours between checkpoints, are simulated for some cycles; further cycles that
 * would be alike are skipped. cycle.c finds the length of a cycle, skip.c skips cycles, stride.c decides when and
 * how many, estimate.c estimates the errors. Theory: docs/theory/time.md, "Strides" */
#ifndef WSK_STRIDE_H
#define WSK_STRIDE_H
#include "sim/books/bill.h"
#include "sim/control/run.h"

/* Whether a run may take strides; if not, the reason. */
typedef enum {
    WSK_STRIDES_FIT,
    WSK_STRIDES_SHORT,   /* the run is too short for its cycles */
    WSK_STRIDES_WEATHER, /* the weather of a file does not repeat */
    WSK_STRIDES_TRACE,   /* a recorded load does not repeat */
    WSK_STRIDES_BEAT     /* two periods meet again only after days */
} wsk_strides;

/* The cycle of a run. A cycle starts at anchor_ns and at each multiple of length_ns after it. */
typedef struct {
    int64_t length_ns, anchor_ns;
    int64_t
        slow_ns; /* length of a day if inputs also follow the time of day and cycles are shorter; 0: they do not */
    int64_t until_ns; /* end of the time in which the work repeats */
    wsk_strides fits;
} wsk_cycle;
/* Finds the cycle for the time from t_ns on. */
wsk_cycle wsk_find_cycle(const wsk_run *run, int64_t t_ns);
/* End of the time in which inputs repeat, ns: the next single event, such as a failure of a part, or the end of the
 * run. */
int64_t wsk_repeats_until(const wsk_run *run, const wsk_cycle *cycle);

enum { WSK_SKIPS = 64 };
#define WSK_DROPPED INT64_MAX /* marks an entry of the library as unusable */
/* The quantities whose errors are estimated: energy, J; work, s at the reference throughput; time limited by heat, s. */
enum { WSK_OF_ENERGY, WSK_OF_WORK, WSK_OF_HEAT, WSK_HEADLINES };

/* State of the strides, saved with the run. A period is a cycle, or a day where inputs follow the time of day. */
typedef struct {
    int64_t from_ns, next_ns;   /* open cycle: its start and its end */
    int64_t count, oldest;      /* cycles in the library; index of the oldest once the library is full */
    int64_t agreeing;           /* cycles in a row that agreed with the library */
    int64_t once, failures;     /* at the start of the cycle: number of events that come once; failures of the job */
    int64_t simulated, skipped; /* numbers of cycles so far */
    int64_t reach;              /* most periods that the next stride may skip */
    int64_t pending;            /* cycles of the last stride while it is not checked yet; 0: none */
    int64_t skips;              /* strides taken */
    int64_t merged, vain;       /* cycles taken as one; cycles in a row that did not agree */
    int64_t unproven;           /* days skipped since a whole day agreed */
    double wall_peak_w, breaker_most; /* highest power, and heat of a breaker, before the open cycle */
    double
        apart; /* distance of the last agreeing cycles from their reference, periods; weighted sum, later cycles weigh more */
    double noise[WSK_HEADLINES];        /* largest differences of agreeing cycles from their reference */
    double expected[WSK_HEADLINES];     /* estimated errors of the last stride before it is checked */
    double error[WSK_HEADLINES];        /* estimated errors of all strides */
    double cost_per_j, carbon_kg_per_j; /* of the last stride */
    /* Estimated errors of all strides: cost, in the tariff's currency; carbon, kg; highest power, as a share; highest
     * temperatures, K. */
    double error_cost, error_carbon_kg, error_peak_rel, error_k;
    double noise_k; /* largest difference of mean temperatures of agreeing cycles from their reference, K */
    int64_t skip_from_ns[WSK_SKIPS], skip_to_ns[WSK_SKIPS]; /* times skipped */
} wsk_stride_head;

typedef enum { WSK_TALLY_SUM, WSK_TALLY_NUMBER, WSK_TALLY_NS } wsk_tally_kind;
/* An account: an amount that grows with time. `open`: the part of it in the open interval of the series; NULL: none */
typedef struct {
    wsk_tally_kind kind;
    void *at;
    double *open;
} wsk_tally;

/* First accounts of the list; those of each card and of each node follow. */
enum {
    WSK_TALLY_WALL,
    WSK_TALLY_SIDE,
    WSK_TALLY_COOLING,
    WSK_TALLY_OUT,
    WSK_TALLY_WORK /* work of the first card; that of the next card is WSK_CARD_ACCOUNTS later */
};
enum {
    WSK_CARD_ACCOUNTS = 13,
    WSK_CARD_HEAT = 4
}; /* WSK_CARD_HEAT: offset from a card's account of work to its first account of time limited by heat */

/* The strides of a run. The members from `head` on are saved with the run. */
struct wsk_stride {
    wsk_cycle cycle;
    int64_t most_merged;
    int64_t bin_ns;         /* length of the parts of a cycle for which energy is recorded */
    int bins, entries;      /* most parts of a cycle; most cycles that the library can hold */
    int n, nodes;           /* number of accounts; the first of those by node (temperature x time) */
    wsk_tally *places;      /* the accounts, as wsk_list_accounts lists them */
    double *wanted, *fresh; /* n + bins: reference of a cycle; the last cycle */
    double *sum, *drift_k;  /* n: accounts of a stride; per node: temperature change in a stride */
    wsk_stride_head *head;
    int64_t *starts; /* per entry of the library: start of the cycle, ns */
    double *mark;    /* n: accounts at the start of the cycle */
    double *heights; /* per variable: highest value before the open cycle */
    double *trend;   /* n: differences of agreeing cycles from their reference, summed as `apart` */
    double *open_j;  /* bins: energy of the open cycle by part of it, J */
    double *library; /* per entry, n + bins: accounts, energy by part */
};

/* Number of accounts of the run. */
int wsk_count_accounts(const wsk_run *run);
void wsk_list_accounts(wsk_run *run);
double wsk_account_value(const wsk_tally *place);
static inline double *wsk_entry(const wsk_stride *s, int64_t i)
{
    return s->library + (size_t)i * (size_t)(s->n + s->bins);
}
/* Fills s->wanted with accounts and energies of a cycle that starts at t_ns, estimated from the library. Returns the
 * mean distance, periods, from the cycles that were used; 0: the library lacks suitable cycles. */
double wsk_reference(const wsk_run *run, int64_t t_ns);
/* Skips `cycles` cycles: moves the time, adds to the accounts what the library has for the cycles, and drift_k to the
 * temperatures. */
void wsk_skip(wsk_run *run, int64_t cycles);
/* End of the open cycle: no step may cross it. */
static inline int64_t wsk_stride_end(const wsk_run *run)
{
    return run->stride ? run->stride->head->next_ns : INT64_MAX;
}
/* Computes the headline quantities of a cycle from its accounts. */
void wsk_take_headlines(const wsk_run *run, const double *accounts, double x[WSK_HEADLINES]);
/* Largest difference of a node's mean temperature in the last cycle from its reference, K. */
double wsk_apart_k(const wsk_run *run);
/* Number of cycles that must agree before and after a stride. */
int wsk_cycles_needed(const wsk_stride *s);
/* Limits the length of a stride, `most` periods, so that no mean temperature drifts by more than is allowed. */
double wsk_limit_by_heat(const wsk_run *run, double most);
/* True if a stride of `periods` keeps the allowed errors, by their estimate. */
bool wsk_stride_allowed(const wsk_run *run, double periods);
/* Estimates the errors of the cycles just skipped. before: the account at their start. */
void wsk_expect_errors(wsk_run *run, int64_t cycles, double periods, const wsk_account *before);
/* Checks the last stride by a cycle after it, whose headlines differ from their reference: the error grows linearly from 0
 * at the start of the stride to that difference at its end. */
void wsk_settle_stride(wsk_run *run, const double differ[WSK_HEADLINES], bool agreed);
/* Called after a step that began at from_ns. Adds its energy to the open cycle; at the end of a cycle skips the next
 * cycles if they would be alike. */
void wsk_stride_on(wsk_run *run, int64_t from_ns);
/* Allocates the strides of a run, without the saved state, if its inputs repeat often enough; false: out of memory. */
bool wsk_stride_make(wsk_run *run);
/* Opens the first cycle. */
void wsk_stride_start(wsk_run *run);
/* True if restored numbers are in their ranges. */
bool wsk_stride_sound(const wsk_run *run);
/* Skipped part of the time from from_ns to to_ns / that time, 0 to 1. */
double wsk_skipped_share(const wsk_run *run, int64_t from_ns, int64_t to_ns);

#endif
