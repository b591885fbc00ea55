/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink compare: cases side by side; each is a rig, its summary, and what is derived from both (case.c). vary.c
 * makes cases of --vary, table.c prints their table, text.c what differs, verdict.c which is best, write.c
 * compare.json. Begin with compare.c. */
#ifndef WSK_CLI_COMPARE_H
#define WSK_CLI_COMPARE_H
#include <math.h>

#include "cli/kit/compared.h"
#include "cli/kit/money.h"

/* kWh that the air conditioner takes to carry out what the supplies lose: its share of the heat. NAN: no supply, or no
 * air conditioner. */
double wsk_cli_psu_cooling_kwh(const wsk_summary *summary);

/* Effects of one uncertain input, if it is raised by its spread (wsk_rig_uncertainty). */
typedef struct {
    char key[96], text[96];      /* key: equal for the same value in another rig */
    double site, work, purchase; /* relative: power with the air conditioner's, work; in money: purchase */
    double die_k, noise_db;
} wsk_cli_source;

/* The cloud's price against the own machine; NAN where there is no answer. */
typedef struct {
    bool asked, never; /* never: electricity of the own machine alone costs as much as the cloud */
    double own;        /* electricity for a GPU-hour of work */
    double gpu_h,
        hours; /* until the purchase has paid off: GPU-hours of work, and hours of the machine with all its cards */
    double
        hours_per_year; /* needed to pay off within the years of the purchase, with interest; above 8760: impossible */
    double years_at_this_use; /* without interest */
} wsk_cli_cloud;

typedef struct {
    char *label;
    const char *path;
    wsk_cli_rig_options options;
    wsk_rig *rig;
    wsk_stepper stepper;
    double duration_s; /* 0: as the rig says */
    bool leap;
    int code;
    char *why; /* reason of a failure, in the user's language; NULL: only the code is known */
    wsk_summary *summary;
    double simulated_s, wall_kwh, cost, annual, work, purchase, payback_years, npv, cost_per_work;
    double unscaled;         /* share of the cost that does not follow the energy: standing charges */
    const char *varied;      /* the assignment that makes this case of one --vary; NULL: other cases */
    double limit_w;          /* sum of the cards' power limits; NAN: none written */
    double lock_mhz;         /* mean of the cards' locked clocks; NAN: none */
    char cards[256];         /* kinds of cards, "GeForce RTX 3090, Tesla P40"; does not depend on their order */
    double trip;             /* highest trip probability of the PSUs and the circuit, 0 to 1 */
    bool breaker;            /* the highest is that of the breaker */
    bool shuts_down, braked; /* shuts_down: from heat; braked: by the power brake, because PSUs are missing */
    double circuit_share;    /* of the time that the circuit is over its continuous limit */
    double supply_peak,
        circuit_peak;  /* peak loads relative to the PSU's rating and the circuit's continuous limit; NAN: unknown */
    bool constant_psu; /* one PSU of constant efficiency */
    char currency[8], purchase_currency[8]; /* of electricity, of the parts; "": not known */
    double count;                           /* of units of work: tokens, samples; NAN: not counted */
    char counted[32];                       /* their name */
    bool mixed_purchase; /* its parts are priced in several currencies, so the purchase is unknown */
    bool other_work;     /* not the first case's work: what it saves is no return on its price */
    char *unpriced; /* parts that have no price, "psu0, gpu1"; NULL: all have one. `purchase` is that of the others */
    char *unpriced_what; /* the same with what they are, to be compared with another case's */
    bool same_unpriced;  /* as the first case: the difference of the purchases is known all the same */
    double total;        /* electricity of a year, and the purchase spread evenly over the years */
    double all_in;       /* the same for a GPU-hour of work */
    wsk_cli_cloud cloud;
    wsk_cli_source *sources; /* by effect, the largest first */
    size_t n_sources;
    bool spread_known;
} wsk_cli_case;

/* The one that all cases have, or "" where none says; NULL: they have several. */
const char *wsk_cli_one_currency(const wsk_cli_case *cases, size_t count, bool purchase);
/* What work is compared by. An hour of a card at its own default limit is not the work of an hour of another card. */
typedef enum {
    WSK_CLI_HOURS,   /* GPU-hours: all cases have the same kind of card */
    WSK_CLI_UNITS,   /* a unit that all cases count: tokens, samples */
    WSK_CLI_UNLIKE,  /* not at all: unlike cards without such a unit */
    WSK_CLI_ONE_RATE /* not at all: unlike cards, and one rate for all of them */
} wsk_cli_work_by;
/* Of cases that are derived. */
wsk_cli_work_by wsk_cli_compared_by(const wsk_cli_case *cases, size_t count);
/* Reads numbers out of the summaries and the rigs; payback and NPV refer to the first case. */
wsk_cli_work_by wsk_cli_cases_derive(wsk_cli_case *cases, size_t count, const wsk_cli_finance *f);
/* Reads what wsk_rig_spread tells. */
void wsk_cli_case_spread(wsk_cli_case *c, const wsk_uncertainty *u);
/* Frees all that the case has but its options. */
void wsk_cli_case_free(wsk_cli_case *c);

/* What a case is measured by; times and money per year where the name says so. */
typedef enum {
    WSK_CLI_BY_ENERGY, /* kWh with the air conditioner's */
    WSK_CLI_BY_COST,   /* of the run */
    WSK_CLI_BY_ANNUAL,
    WSK_CLI_BY_WORK, /* GPU-hours of the run */
    WSK_CLI_BY_PER_WORK,
    WSK_CLI_BY_ALL_IN,
    WSK_CLI_BY_DIE,
    WSK_CLI_BY_NOISE,
    WSK_CLI_BY_CARBON,
    WSK_CLI_BY_PURCHASE,
    WSK_CLI_BY_TOTAL,           /* electricity of a year, and the purchase spread evenly over the years */
    WSK_CLI_BY_COUNT,           /* price of a counted unit */
    WSK_CLI_BY_COUNTED,         /* units of the run */
    WSK_CLI_BY_WORK_PER_ENERGY, /* GPU-hours for a kWh, with the air conditioner's */
    WSK_CLI_BY_ALL_IN_COUNT     /* all in, for a counted unit */
} wsk_cli_measure;
double wsk_cli_measured(const wsk_cli_case *c, wsk_cli_measure by);
/* Uncertainty from 80 PLUS ratings and assumed inputs: root of the sum of squares of the sources' effects. NAN: not known. */
double wsk_cli_band(const wsk_cli_case *c, wsk_cli_measure by, const wsk_cli_finance *f);
/* Of the difference of two cases: what both share cancels. *most: the source that counts most; NULL: not wanted. */
double wsk_cli_band_between(const wsk_cli_case *a, const wsk_cli_case *b, wsk_cli_measure by,
                            const wsk_cli_finance *f, const char **most);
/* Of the quotient of b's and a's. */
double wsk_cli_band_ratio(const wsk_cli_case *a, const wsk_cli_case *b, wsk_cli_measure by, const wsk_cli_finance *f);

/* All that a report is about. */
typedef struct {
    const wsk_cli_case *cases;
    size_t count;
    bool annual;
    wsk_cli_finance finance;
    wsk_cli_work_by work;
} wsk_cli_comparison;
/* False: the cases count nothing, or different things. */
bool wsk_cli_find_units(const wsk_cli_comparison *all, wsk_cli_units *u);
/* Adds what the comparison knows of each case to its summary, and writes all of them. False: out of memory. */
bool wsk_cli_compare_json(FILE *out, const wsk_cli_comparison *all);
void wsk_cli_compare_text(FILE *out, const wsk_cli_comparison *all);
/* wsk_cli_short_names of the cases. */
char **wsk_cli_name_cases(const wsk_cli_comparison *all, char **head);
void wsk_cli_compare_table(FILE *out, const wsk_cli_comparison *all, char *const *names, const char *head);
/* Columns of a comparison that no terminal shows. */
enum { WSK_CLI_PAGE = 80 };
/* Digits of energy and money behind the point that a short comparison has more than a long one. */
int wsk_cli_finer(const wsk_cli_comparison *all);
/* Digits behind the point that mean something beside a band, at most `digits`: one of the band, two where it begins with 1. */
int wsk_cli_places(double band, int digits);
void wsk_cli_put_places(char out[48], double value, double band, int places);
/* A unit as tables show it: "currency" is replaced by the currency, "#" and "@" by the counted unit, "1" by "%". */
void wsk_cli_put_unit(char out[64], const char *unit, const char *currency, const wsk_cli_units *units);
/* Makes the unit one of a year. */
void wsk_cli_put_yearly(char unit[64]);
/* The result's label where a row has room for it, else its short label. */
const char *wsk_cli_row_name(wsk_result result);
/* "466 ±9"; digits: how many behind the point where there is no band. */
void wsk_cli_put_band(char out[48], double value, double band, int digits);
/* True where one setting of the cards (power limit, locked clock, offsets) is all that differs. */
bool wsk_cli_is_sweep(const wsk_cli_case *cases, size_t count);
/* A sweep as a table with the best of each column marked, and in words. */
void wsk_cli_sweep_text(FILE *out, const wsk_cli_comparison *all);
/* Of own machines against rented ones, where a price was asked about; `most`: of more cases the table tells it. */
void wsk_cli_cloud_words(FILE *out, const wsk_cli_comparison *all, size_t most, char *const *names);
/* What "±" and "all in" mean. */
void wsk_cli_band_words(FILE *out);
void wsk_cli_all_in_words(FILE *out, const wsk_cli_finance *f);
/* "Over 6 h.", or of a year, and an empty line. */
void wsk_cli_headline(FILE *out, const wsk_cli_comparison *all);
/* How badly a case is overloaded. WSK_CLI_STOPS: it would trip, or shuts down from heat. */
typedef enum { WSK_CLI_RUNS, WSK_CLI_OVERLOADS, WSK_CLI_STOPS } wsk_cli_burden;
/* By a chance that is told: 1 in 200 and more. */
bool wsk_cli_would_trip(const wsk_cli_case *c);
/* Over the circuit's continuous limit for longer than moments, 1 % of the time. */
bool wsk_cli_over_circuit(const wsk_cli_case *c);
wsk_cli_burden wsk_cli_case_burden(const wsk_cli_case *c);
/* The least of all cases: only those can win. */
wsk_cli_burden wsk_cli_least_burden(const wsk_cli_case *cases, size_t count);
/* "350W: 33 % chance of a PSU trip.", for each overloaded case. */
void wsk_cli_burden_words(FILE *out, const wsk_cli_comparison *all, char *const *names);
/* Tells cases that do less work at a higher power limit, at most `most` of them; names: as the report calls the cases. */
void wsk_cli_limit_inversions(FILE *out, const wsk_cli_case *cases, size_t count, size_t most, char *const *names);
/* The cases that --vary PATH=A,B and PATH=LOW:HIGH:STEP make of one rig, in order; several multiply. NULL after a
 * message. */
wsk_cli_case *wsk_cli_vary(const char *path, const wsk_cli_rig_options *base, const wsk_cli_list *vary,
                           size_t *count);

#endif
