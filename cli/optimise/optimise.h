/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wattsink optimise finds the best settings of a rig. over.c: settings from --over; special.c: settings of slots,
 * curves and filtered parts; cards.c: number of cards; hours.c: schedules; goals.c: functions from --min, --max and
 * --where; rule.c: whether cases can be compared; keep.c: stores computed cases for --resume; tell.c: prints the
 * answer; json.c: writes it as JSON; front.c: draws it. The library does the search. Begin with optimise.c. */
#ifndef WSK_CLI_OPTIMISE_H
#define WSK_CLI_OPTIMISE_H
#include "cli/kit/burden.h"
#include "cli/kit/cli.h"
#include "cli/kit/expr.h"
#include "cli/kit/money.h"

typedef struct {
    char *name;          /* name in the answer, such as "gpu[*].power-limit" */
    wsk_cli_list values; /* owned: values as passed to the library */
    wsk_cli_list shown;  /* owned: values as shown to the user; empty: the same as `values` */
    bool numbers;        /* a range of numbers: no value names a file */
} wsk_chosen;
typedef struct {
    wsk_setting items[WSK_SETTINGS_MAX]; /* the settings as the library takes them; `of` owns their texts */
    wsk_chosen of[WSK_SETTINGS_MAX];
    /* owned texts of wsk_setting.path and .at; NULL: none */
    char *paths[WSK_SETTINGS_MAX], *places[WSK_SETTINGS_MAX];
    size_t count;
    bool by_carbon; /* hours are sorted by carbon dioxide per kWh, not by price */
    bool over_time; /* some setting changes over the day, so all cases must be run over time */
} wsk_choices;
/* Parses one --over option and adds its settings for the rig `base`. Returns WSK_OK, or the exit code if a message
 * has been printed. */
int wsk_choices_add(wsk_choices *c, const char *text, const char *path, const wsk_cli_rig_options *rig,
                    const wsk_rig *base);
void wsk_choices_free(wsk_choices *c);
/* Appends a setting with this name and returns it. NULL: there are too many, and a message has been printed. */
wsk_setting *wsk_choices_open(wsk_choices *c, const char *name);
/* Copies path, place and values of the last setting into its entry of `items`, which the library uses. */
void wsk_choices_close(wsk_choices *c);
/* choices.c: loads the rig with more assignments, one per line; the caller frees *loaded. Returns true if it is valid.
 * Otherwise, if a file is the reason, a message has been printed, and *code is the exit code. */
bool wsk_choices_try(const char *set, const char *path, const wsk_cli_rig_options *rig, const wsk_rig *base,
                     wsk_rig **loaded, int *code);
/* choices.c: loads the rig with each value alone, so that the files of all values are in the memory of `base`; of
 * numbers only the first. Unless `quiet`, warns of a setting that another value of the rig overrides. *digest: hash of
 * the rigs without those of numbers. Returns WSK_OK, also if values do not fit; or, after printing a message, the exit
 * code: a part or another file that a value names does not exist, cannot be read or has mistakes. */
int wsk_choices_look(const wsk_choices *c, const char *path, const wsk_cli_rig_options *rig, const wsk_rig *base,
                     bool quiet, uint64_t *digest);
/* cards.c: wsk_choices_counts: is `path` the number of cards (gpu[*].count)? wsk_choices_add_counts adds it as a
 * setting, which must come before the settings of gpu[*]. */
bool wsk_choices_counts(const char *path);
int wsk_choices_add_counts(wsk_choices *c, const char *name, const wsk_cli_list *values, const char *path,
                           const wsk_cli_rig_options *rig, const wsk_rig *base);
bool wsk_choices_ends(const char *path, const char *end);
/* True if two elements and their coolers have equal values, ignoring `attribute` and values that differ by nature,
 * such as id and slot. */
bool wsk_choices_equal(const wsk_elements *list, int a, int b, const char *attribute);
/* special.c: wsk_choices_special: does the search itself choose the values for this path (slots of cards, a fan
 * curve, hours of work)? wsk_choices_add_special adds its settings. */
bool wsk_choices_special(const char *path);
int wsk_choices_add_special(wsk_choices *c, const char *setting, const char *path, const wsk_cli_rig_options *rig,
                            const wsk_rig *base);
/* special.c: lists the parts that a pattern (a family and a star, with or without a condition such as [rated>1200W])
 * names and that fit at the path `at`.
 * Returns WSK_OK, or the exit code if a message has been printed. */
int wsk_choices_parts(wsk_cli_list *values, const char *at, const char *text, const char *path,
                      const wsk_cli_rig_options *rig, const wsk_rig *base);
/* hours.c: adds the hours of the day in which the work runs as a setting. Returns WSK_OK, or the exit code if a
 * message has been printed. */
int wsk_choices_hours(wsk_choices *c, const char *name, const wsk_rig *base);
/* hours.c: wsk_choices_by_hour: may the value of this path change over the day? wsk_choices_add_by_hour then adds one
 * setting for each group of hours with the same demand charges and about the same price. */
bool wsk_choices_by_hour(const char *path);
int wsk_choices_add_by_hour(wsk_choices *c, const char *name, const wsk_cli_list *values, const wsk_rig *base);
/* Loads the rig of a case; `show` as in wsk_cli_load. On failure, returns NULL and sets *code. */
wsk_rig *wsk_choices_load(const wsk_optimise_options *o, const int *levels, const char *path,
                          const wsk_cli_rig_options *rig, const wsk_rig *base, int show, int *code);
const char *wsk_choices_shown(const wsk_choices *c, size_t setting, int level);

typedef struct {
    char *name;
    wsk_result_place place;
    /* index of a quantity that only the search has, such as owning.annual; -1: `place` is a result of the summary */
    int own;
} wsk_term;
typedef struct {
    wsk_term *terms;
    size_t term_count;
    wsk_goal goals[WSK_OPTIMISE_GOALS];
    wsk_clause limits[WSK_OPTIMISE_LIMITS];
    size_t goal_count, limit_count;
    /* Worst burden (overload) that a case may have. The last limit, which has no condition, checks it. WSK_CLI_STOPS:
     * any burden is allowed, and there is no such limit. */
    wsk_cli_burden spared;
    bool hours_vary;      /* some setting is of the workload, so that the hours or the amount of work vary */
    double years, resale; /* the purchase is written off over `years`, down to `resale` x purchase price */
    const wsk_rig *rig;   /* rig whose currencies the unit texts name */
    wsk_cli_currencies money;
} wsk_aims;
/* Parses the goals, in the order given, and the limits. most[i]: goal i is maximised. Returns WSK_OK, or the exit
 * code if a message has been printed. */
int wsk_aims_read(wsk_aims *a, const wsk_cli_list *goals, const bool *most, const wsk_cli_list *limits);
void wsk_aims_free(wsk_aims *a);
/* Sets a->spared to `most`, and adds or removes the limit that checks it. */
void wsk_aims_spare(wsk_aims *a, wsk_cli_burden most);
/* True if a limit of the user is about a load or a trip. */
bool wsk_aims_load(const wsk_aims *a);
/* Returns the text of a goal for wsk_cli_compare_workers. That of owning.per_work becomes cost_per_work, which counts
 * the same work. */
const char *wsk_aims_work(const char *goal);
/* True if the goal is a cost per unit of work, of electricity alone or with the purchase. */
bool wsk_aims_is_cost_of_work(const char *goal);
/* True if the goal contains the purchase. Such a goal has no number if an exchange rate is missing. */
bool wsk_aims_has_purchase(const char *goal);
/* How a real year differs from the run repeated for a year, if a goal or limit is a cost per year. WSK_CLI_AS_A_YEAR:
 * it does not, or there is no such cost. */
wsk_cli_repeated wsk_aims_repeats(const wsk_aims *a);
/* The limit as shown to the user. */
const char *wsk_aims_limit(const wsk_aims *a, size_t limit);
/* Parses an expression whose keys the goals and limits already contain. False: *error is set. Free *side with
 * wsk_goal_free. */
bool wsk_aims_side(wsk_aims *a, const char *text, wsk_goal *side, wsk_expr_error *error);
/* Implements wsk_optimise_calls.measure: computes the values of goals and limits from a summary; ctx: wsk_aims. */
void wsk_aims_measure(void *ctx, const wsk_summary *summary, double *out);
/* The result that a goal names, or that a limit names left of its comparison sign; NULL: this is an expression. */
const wsk_result_row *wsk_aims_about(const char *text);
/* Writes the unit of a goal or limit as printed, "USD" or "dBA", to `out`; "": no unit. unit: as in wsk_goal. */
const char *wsk_aims_unit(const wsk_aims *a, const char *unit, char out[24]);

typedef struct wsk_keeping wsk_keeping;
/* Opens the file of cases. head: text with which an existing file must begin to be resumed. Returns WSK_OK, or the
 * exit code if a message has been printed. */
int wsk_keeping_open(wsk_keeping **out, const char *path, const char *head, bool resume, bool force);
bool wsk_keeping_close(wsk_keeping *k); /* false: writing failed, and a message has been printed */
size_t wsk_keeping_recall(const wsk_keeping *k, const char *key, double *out, size_t room);
void wsk_keeping_add(wsk_keeping *k, const char *key, const double *values, size_t count);

typedef struct {
    const char *path, *out, *cases, *format;
    wsk_cli_rig_options rig;
    wsk_rig *base;
    wsk_choices choices;
    wsk_aims aims;
    wsk_optimise_options options;
    wsk_optimum *answer;
    wsk_keeping *keeping;
    size_t jobs;
    bool json, quiet, shown; /* shown: a progress line is on the terminal and must be cleared */
    bool unlimited; /* a limit of the user is about a load or a trip, so optimise adds no limit on overloads */
} wsk_optimising;
/* Returns the shell command that runs a case: "wattsink run RIG.xml --set ...". Caller frees. NULL: the rig came
 * from standard input. */
char *wsk_optimise_command(wsk_optimising *o, const int *levels);
void wsk_optimise_tell(wsk_optimising *o);
void wsk_optimise_json(wsk_optimising *o);
/* rule.c: WSK_EUSAGE, after printing a message: a goal counts the work of cards that the settings make unlike. */
int wsk_optimise_check_cards(const wsk_optimising *o);
/* rule.c: a goal by which no case is the best, because it is a negative cost of work in the case *levels. NULL:
 * none. */
const wsk_goal *wsk_optimise_negative(const wsk_optimising *o, const int **levels);
/* front.c: draws the Pareto front beside the file of -o, or deletes that of an earlier answer. Returns the exit code. */
int wsk_optimise_draw(wsk_optimising *o);

#endif
