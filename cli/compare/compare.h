/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink compare: cases side by side. A case is a rig, the summary of its run, and the numbers derived from both
 * (case.c). vary.c makes the cases of --vary, table.c prints the table, limits.c the table of a sweep of settings,
 * differs.c and text.c the differences, verdict.c the best case, write.c compare.json. Begin with compare.c. */
#ifndef WSK_CLI_COMPARE_H
#define WSK_CLI_COMPARE_H
#include <math.h>

#include "cli/kit/burden.h"
#include "cli/kit/compared.h"
#include "cli/kit/money.h"
#include "cli/kit/work.h"

/* Energy that the air conditioner needs for the heat of the PSUs, kWh: all its energy times the PSU losses divided by
 * the energy at the wall. NAN: no PSU, or no air conditioner. */
double wsk_cli_psu_cooling_kwh(const wsk_summary *summary);

/* Changes if one uncertain input is lowered or raised by its standard deviation (wsk_rig_uncertainty,
 * docs/theory/uncertainty.md). site, wall, work: relative changes of the site's power, of the power at the wall and
 * of the throughput; purchase: change of the price; tokens, prompt: relative changes of generated and of prompt
 * tokens, at the same throughput. 0: no effect, or not known. */
typedef struct {
    double site, wall, work, die_k, noise_db, purchase, tokens, prompt;
} wsk_cli_effects;
typedef struct {
    const char *key, *text; /* key: equal for the same input of another rig; text: its name in reports */
    const wsk_said *name;   /* `text` as a translatable message; NULL: `text` is already translated, or is a name */
    wsk_cli_effects lowered, raised;
} wsk_cli_source;
/* Uncertainty of a value of the comparison: how far the true value may lie below and above it, both 0 or more; NAN: not
 * known. */
typedef struct {
    double below, above;
} wsk_cli_sides;

/* Break-even of the own machine against a rented one (--cloud-price). asked: the option is given; never: the
 * electricity of the own machine alone costs at least the cloud's price. All numbers but `own` are NAN if a price is
 * missing, if the currencies differ, or if `never`. */
typedef struct {
    bool asked, never;
    double own; /* electricity cost of the own machine per GPU-hour of work */
    /* break-even without interest, in GPU-hours of work, and in hours of the machine with all cards at full work */
    double gpu_h, hours;
    /* hours with all cards at full work, per year, from which buying pays off within --years, with interest */
    double hours_per_year;
    double years_at_this_use; /* break-even without interest if the machine works as in the run, years */
} wsk_cli_cloud;

typedef struct {
    char *label;
    const char *path; /* rig file; "-": standard input */
    wsk_cli_rig_options options;
    wsk_rig *rig;
    wsk_stepper stepper;
    double duration_s;    /* simulated time, s; 0: that of the rig file */
    bool leap, confirmed; /* confirmed: the winner, simulated again without --leap; leap is then false */
    int code;
    char *why; /* reason of a failure, in the user's language; NULL: only the code is known */
    wsk_summary *summary;
    /* cost, annual: cost of electricity in the run, in a year. work: GPU-hours. cost_per_work: cost of electricity per
     * GPU-hour of work. payback_years, npv (net present value): compared with the first case. NAN: not known. */
    double simulated_s, wall_kwh, cost, annual, work, purchase, payback_years, npv, cost_per_work;
    /* Relative change of the cost per relative change of all power: 1 if each kWh has one price, less with standing
     * charges, more with blocks of rising price, 0 at the minimum bill. */
    double elastic;
    /* like `elastic`, but of the carbon; more than 1 if solar power carries part of the load */
    double elastic_carbon;
    const char *varied; /* "PATH=VALUE" of this case if there is exactly one --vary; else NULL */
    double limit_w;     /* sum of the cards' power limits, W; NAN: no card states one */
    double lock_mhz;    /* mean of the clocks at which cards are locked, MHz; NAN: no clock is locked */
    /* kinds of cards in alphabetical order, "1 x GeForce RTX 3090 and 2 x Tesla P40"; without numbers if there is one
     * kind */
    char cards[WSK_CLI_CARDS_TEXT];
    double trip;  /* highest trip probability of the PSUs and the circuit, 0 to 1 */
    bool breaker; /* true: `trip` is the probability of the breaker; false: of a PSU */
    /* shuts_down: a card or CPU shuts down from heat; braked: an overloaded PSU makes the power brake slow a card */
    bool shuts_down, braked;
    double circuit_share; /* share of the simulated time in which the circuit is above its continuous limit, 0 to 1 */
    /* Highest peak load of a PSU relative to the power that it may give at this mains voltage and inlet temperature;
     * peak VA at the wall relative to the circuit's continuous limit. NAN: unknown. */
    double supply_peak, circuit_peak;
    double feed_peak;  /* highest load of a UPS or power strip relative to its rating; NAN: none */
    bool constant_psu; /* the rig has one PSU only, with the same efficiency at each load */
    char currency[8], purchase_currency[8]; /* currency of electricity, and of the parts; "": not known */
    double worth; /* value of 1 unit of the currency of the rig's prices, in purchase_currency; 1: no rate */
    double count; /* work in the workload's own unit, such as tokens; NAN: not counted */
    char counted[32];
    bool mixed_purchase; /* the parts are priced in several currencies, which are not summed */
    /* this case does other work than the first case, so its lower cost is no return on the purchase */
    bool other_work;
    /* ids of the parts without a price, "psu0, gpu1", which `purchase` lacks; NULL: all parts have one */
    char *unpriced;
    /* text that describes the parts in `unpriced`; equal texts: two cases lack the same prices; NULL: all have a
     * price */
    char *unpriced_what;
    bool same_unpriced; /* the same parts lack a price as in the first case, so the purchases can be compared */
    double total;       /* cost of a year: electricity, and the purchase as an annuity over --years; NAN: unknown */
    double all_in;
    wsk_cli_cloud cloud;
    /* uncertain inputs, largest effect first, and their texts, in one block; NULL: not computed */
    wsk_cli_source *sources;
    size_t n_sources;
    /* how far all inputs together may move the powers, as a share of them, and the noise, dB; NAN: not known */
    double site_below, wall_below, site_above, wall_above, noise_below, noise_above;
    double hottest_c; /* highest temperature at which a card shuts down, degC; NAN: no card, or one is pinned */
    wsk_arena *names; /* memory of sources[i].name */
    bool spread_known;
    bool no_room;               /* the language model that the rig serves does not fit into the memory of its cards */
    bool has_tokens_source;     /* the last of `sources` is the uncertainty of tokens/s */
    const wsk_summary *widened; /* the last summary that wsk_cli_tokens_spread has changed */
} wsk_cli_case;

/* The currency of all cases, of electricity or, with `purchase`, of the parts. "": no case has one. NULL: several. */
const char *wsk_cli_one_currency(const wsk_cli_case *cases, size_t count, bool purchase);
/* Unit by which work is compared. One GPU-hour is the work of a card in an hour at its own default power limit, so
 * GPU-hours of unlike cards are different amounts of work. The rate="..." of a workload is the number of its own units,
 * such as tokens, that one card does in a second. */
typedef enum {
    WSK_CLI_HOURS,   /* GPU-hours: the cases that do work have the same cards */
    WSK_CLI_UNITS,   /* a unit that all cases count: tokens, samples */
    WSK_CLI_UNLIKE,  /* work is not compared: unlike cards, and no unit that all cases count */
    WSK_CLI_ONE_RATE /* work is not compared: unlike cards that share one rate="..." of one rig file */
} wsk_cli_work_by;
wsk_cli_work_by wsk_cli_compared_by(const wsk_cli_case *cases, size_t count);
/* Fills the derived numbers of all cases from their summaries and rigs; payback and NPV refer to the first case. Money
 * is converted to the currency of the first case, also in the summaries, where one of the rigs or --exchange has a
 * rate. Returns the unit by which their work is compared. */
wsk_cli_work_by wsk_cli_cases_derive(wsk_cli_case *cases, size_t count, const wsk_cli_finance *f);
void wsk_cli_case_run(wsk_cli_case *c);
/* After a comparison with --leap: simulates the winner again without --leap, so without long steps and skipped cycles.
 * If another case wins then, does the same for that case, and so on. Stops if a case failed. False: interrupted. */
bool wsk_cli_confirm(wsk_cli_case *cases, size_t count, bool annual, const wsk_cli_finance *f);
void wsk_cli_case_spread(wsk_cli_case *c, const wsk_uncertainty *u);
void wsk_cli_case_forget(wsk_cli_case *c); /* leaves the case without uncertainty */
/* If the case serves a language model and has `sources`, adds the uncertainty of its tokens a second as one more
 * source. Also adds the uncertainties of throughput and power to the uncertainties of tokens in the summary. A second
 * call changes nothing. */
void wsk_cli_tokens_spread(wsk_cli_case *c);
/* Frees everything in the case except its options, and not the case itself. */
void wsk_cli_case_free(wsk_cli_case *c);

/* Measures of a case. Costs are in its `currency`, its purchase price is in `purchase_currency`. */
typedef enum {
    WSK_CLI_BY_ENERGY, /* kWh at the wall and of the air conditioner */
    WSK_CLI_BY_WALL,   /* kWh at the wall */
    WSK_CLI_BY_COST,   /* cost of electricity in the run */
    WSK_CLI_BY_ANNUAL,
    WSK_CLI_BY_WORK,
    WSK_CLI_BY_PER_WORK, /* cost of electricity per GPU-hour of work */
    WSK_CLI_BY_ALL_IN,   /* cost of electricity and purchase per GPU-hour of work */
    WSK_CLI_BY_DIE,      /* highest GPU temperature of the run, degC */
    WSK_CLI_BY_NOISE,    /* mean sound level, dBA */
    WSK_CLI_BY_CARBON,   /* CO2 equivalent of the electricity, kg */
    WSK_CLI_BY_PURCHASE,
    WSK_CLI_BY_TOTAL,           /* cost of electricity in a year, and the purchase as an annuity over --years */
    WSK_CLI_BY_COUNT,           /* cost of electricity per unit of work that the workload counts, such as a token */
    WSK_CLI_BY_COUNTED,         /* number of units of work that the workload counts in the run */
    WSK_CLI_BY_WORK_PER_ENERGY, /* GPU-hours per kWh at the wall and of the air conditioner */
    WSK_CLI_BY_COUNTED_PER_ENERGY, /* units of work that the workload counts, per kWh as in WORK_PER_ENERGY */
    WSK_CLI_BY_TOKENS,             /* generated tokens a second */
    WSK_CLI_BY_PROMPT,
    WSK_CLI_BY_ALL_IN_COUNT /* cost of electricity and purchase per unit of work that the workload counts */
} wsk_cli_measure;
double wsk_cli_measured(const wsk_cli_case *c, wsk_cli_measure by);
/* Uncertainty of a measure, in its unit. below: root of the sum of squares of the effects that lower the measure;
 * above: of those that raise it. wsk_cli_band: mean of below and above. NAN: not known. */
wsk_cli_sides wsk_cli_sides_of(const wsk_cli_case *c, wsk_cli_measure by, const wsk_cli_finance *f);
double wsk_cli_band(const wsk_cli_case *c, wsk_cli_measure by, const wsk_cli_finance *f);
/* Uncertainty of the difference of two cases: the error of a source that both have counts only by the difference of its
 * effects. *most: the source with the largest effect, or NULL; most may be NULL. */
double wsk_cli_band_between(const wsk_cli_case *a, const wsk_cli_case *b, wsk_cli_measure by,
                            const wsk_cli_finance *f, const wsk_cli_source **most);
/* Uncertainty of the difference b x scale_b - a x scale_a, such as that of totals per year of runs of different
 * durations. */
double wsk_cli_band_scaled(const wsk_cli_case *a, double scale_a, const wsk_cli_case *b, double scale_b,
                           wsk_cli_measure by, const wsk_cli_finance *f);
double wsk_cli_band_ratio(const wsk_cli_case *a, const wsk_cli_case *b, wsk_cli_measure by, const wsk_cli_finance *f);

typedef struct {
    const wsk_cli_case *cases;
    size_t count;
    bool annual; /* energy, cost and work per year instead of for the run */
    wsk_cli_finance finance;
    wsk_cli_work_by work;
    const char *digests; /* digests of the rig files as they are, without --vary, --set and other options */
} wsk_cli_comparison;
/* Finds the unit in which all cases count their work, such as tokens, and from the first case the powers of 1000 at
 * which tables print numbers and prices of it ("million tokens"). False: a case counts no work, or the units differ. */
bool wsk_cli_find_units(const wsk_cli_comparison *all, wsk_cli_units *u);
/* Writes compare.json: the summary of each case, after adding the derived numbers to it. False: out of memory. */
bool wsk_cli_compare_json(FILE *out, const wsk_cli_comparison *all);
void wsk_cli_compare_text(FILE *out, const wsk_cli_comparison *all);
/* Short names of the cases, as wsk_cli_short_names returns them. *head: the paths that all cases vary, or "". Free with
 * wsk_cli_names_free. */
char **wsk_cli_name_cases(const wsk_cli_comparison *all, char **head);
void wsk_cli_compare_table(FILE *out, const wsk_cli_comparison *all, char *const *names, const char *head);
/* Line width of a comparison that is not printed to a terminal, unless COLUMNS is set. */
enum { WSK_CLI_PAGE = 80 };
/* Extra decimals for energy and money if little energy is used: 0 at 20 kWh or more, up to 3 below 0.2 kWh. */
int wsk_cli_finer(const wsk_cli_comparison *all);
/* Decimals for a value with the uncertainty `band`, at most `digits`: so many that the band shows one significant
 * digit, or two if it begins with 1. Without a band: `digits`. */
int wsk_cli_places(double band, int digits);
/* Writes "466.0 ±9.0" with `places` decimals, or "466.0 -20.0/+4.0" where the sides are unequal; the value alone if
 * both are 0, not finite, or round to 0. */
void wsk_cli_put_places(char out[48], double value, wsk_cli_sides band, int places);
double wsk_cli_half(wsk_cli_sides band); /* mean of the sides */
wsk_cli_sides wsk_cli_even(double band); /* both sides alike */
/* Factor that turns a total of the run into a total per year if `annual`; else 1. */
double wsk_cli_per(const wsk_cli_case *c, bool annual);
wsk_cli_sides wsk_cli_scaled(wsk_cli_sides band, double factor);
/* Writes a unit as tables show it. "currency" becomes the name of the currency, "#" the unit in which work is counted
 * ("1000 tokens"), "@" the unit for which a price is printed ("million tokens"), "1" becomes "%". */
void wsk_cli_put_unit(char out[64], const char *unit, const char *currency, const wsk_cli_units *units);
void wsk_cli_put_yearly(char unit[64]);
/* The label of a result if it fits into the row name of a table, else its short label. */
const char *wsk_cli_row_name(wsk_result result);
/* Like wsk_cli_put_places, with the decimals of wsk_cli_places. */
void wsk_cli_put_band(char out[48], double value, wsk_cli_sides band, int digits);
/* Finds the last name of the varied path: "power-limit" in "gpu[*].power-limit=300W". */
void wsk_cli_setting_of(const wsk_cli_case *c, const char **name, size_t *len);
/* True if the cases differ only in one setting of the cards (power limit, locked clock or an offset) and all do
 * work. */
bool wsk_cli_is_sweep(const wsk_cli_case *cases, size_t count);
/* Prints the cases for which wsk_cli_is_sweep is true: a table that marks the best of each column, then sentences. */
void wsk_cli_sweep_text(FILE *out, const wsk_cli_comparison *all);
/* Prints the time that the numbers refer to, "Over 6 h." or "Per year ...", and an empty line. Prints nothing if the
 * cases have different durations and are not compared per year. */
void wsk_cli_headline(FILE *out, const wsk_cli_comparison *all);
/* True if the trip probability of a PSU or the breaker is at least 0.5 %. */
bool wsk_cli_would_trip(const wsk_cli_case *c);
/* True if the circuit was above its continuous limit at any time. */
bool wsk_cli_over_circuit(const wsk_cli_case *c);
wsk_cli_burden wsk_cli_case_burden(const wsk_cli_case *c);
/* The lowest burden of any case. Only a case with this burden can win. */
wsk_cli_burden wsk_cli_least_burden(const wsk_cli_case *cases, size_t count);
/* Prints at most `most` cases that do less work than another case with a lower power limit, and the reason. names[i]:
 * name of case i. */
void wsk_cli_limit_inversions(FILE *out, const wsk_cli_case *cases, size_t count, size_t most, char *const *names);
/* Makes the *count cases of --vary, each PATH=A,B or PATH=LOW:HIGH:STEP: all combinations of their values, the last
 * --vary changing fastest. Caller frees. On failure prints a message and returns NULL. */
wsk_cli_case *wsk_cli_vary(const char *path, const wsk_cli_rig_options *base, const wsk_cli_list *vary,
                           size_t *count);
/* False, after printing a message, if two --vary set the same value, or if one of `sets` (--set) sets only values that
 * --vary sets too. rig: the rig of a case of wsk_cli_vary. */
bool wsk_cli_vary_apart(const wsk_rig *rig, const wsk_cli_list *vary, const wsk_cli_list *sets);

#endif
