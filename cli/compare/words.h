/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison in words. rule.c finds the winner and find.c finds paybacks and cases with less work at a higher power
 * limit; verdict.c makes messages of them, differs.c, text.c and notices.c print. */
#ifndef WSK_CLI_COMPARE_WORDS_H
#define WSK_CLI_COMPARE_WORDS_H
#include "cli/compare/compare.h"

typedef struct {
    const wsk_cli_comparison *all;
    const wsk_cli_case *cases;
    size_t count;
    char *const *names;
    const wsk_cli_finance *f;
    /* run: currency of electricity; buy: of the parts; "": none known; NULL: the cases have several */
    const char *run, *buy;
    bool annual, time; /* annual: totals per year; time: totals are comparable (annual, or equal durations) */
} wsk_cli_common;
/* Prints why amounts of money are missing: unequal times, or currencies without a rate. payback: the sentences name the
 * payback; false: they name the cost "all in", because the table has no payback. */
void wsk_cli_mixed_words(FILE *out, const wsk_cli_common *all, bool payback);
/* Prints the break-even of each case against the cloud, if --cloud-price is given. With more than `most` cases, prints
 * only the cases without a break-even. */
void wsk_cli_cloud_words(FILE *out, const wsk_cli_comparison *all, size_t most, char *const *names);
void wsk_cli_band_words(FILE *out);
void wsk_cli_all_in_words(FILE *out, const wsk_cli_finance *f);
bool wsk_cli_same_time(const wsk_cli_case *cases, size_t count);
/* Collects the facts that sentences about the whole comparison need. names[i]: name of case i; not copied. */
wsk_cli_common wsk_cli_common_of(const wsk_cli_comparison *all, char *const *names);
/* Prints what differs in b compared with a; nothing if nothing does. */
void wsk_cli_difference_words(FILE *out, const wsk_cli_common *all, const wsk_cli_case *a, const wsk_cli_case *b);
const char *wsk_cli_name_of(const wsk_cli_common *all, const wsk_cli_case *c);
/* True if electricity and parts of all cases are paid in one currency; unknown currencies are ignored. */
bool wsk_cli_one_money(const wsk_cli_common *all);
/* Work in a year, in GPU-hours or in the unit that all cases count; NAN: the work is not comparable. */
double wsk_cli_work_rate(const wsk_cli_common *all, const wsk_cli_case *c);

/* Measure by which cases are ranked, and the amount of work to which printed prices refer, such as a million tokens. */
typedef struct {
    wsk_cli_measure by;
    double scale;        /* units of work for which a price is printed: 1e6 for "per million tokens"; else 1 */
    wsk_code per;        /* WSK_SAY_SCALE_*: the message that names `scale` units, "million tokens" */
    const char *counted; /* unit of work, "tokens"; NULL: the price is per GPU-hour of work, or per year */
    bool work, buy;      /* work: the price is per unit of work, else per year; buy: the purchase is included */
} wsk_cli_yardstick;
typedef enum {
    WSK_CLI_RANKED, /* `best` is the cheapest case; it wins unless it has rivals */
    WSK_CLI_ONE_CASE,
    WSK_CLI_UNEQUAL_TIMES, /* different durations, without --annual */
    WSK_CLI_CURRENCIES,
    WSK_CLI_NO_TARIFFS,
    WSK_CLI_NO_TARIFF,     /* `who` has no tariff, another case has one */
    WSK_CLI_UNLIKE_CARDS,  /* `who` and `other`: GPU-hours of unlike cards are not the same work */
    WSK_CLI_UNLIKE_RATES,  /* `who` and `other`: unlike cards with the same rate="..." of one rig file */
    WSK_CLI_NEGATIVE_COST, /* the cost of `who` is negative, so less work would look better */
    WSK_CLI_UNLIKE_LOADS,  /* the cost is not per unit of work, and the DC loads differ by more than 2 % */
    WSK_CLI_SAME_COST,
    WSK_CLI_SAME_ELECTRICITY /* equal electricity cost, but purchases that differ or cannot be compared */
} wsk_cli_outcome;
/* The ranking. The cheapest case and its rivals form a group: the extra cost of a rival is within the uncertainty. */
typedef struct {
    wsk_cli_outcome outcome;
    const wsk_cli_case *who, *other; /* cases that the outcome is about; NULL: not used */
    wsk_cli_yardstick y;
    const wsk_cli_case *best;        /* the cheapest of the least overloaded cases */
    size_t rivals, beaten, left_out; /* numbers of cases; left_out: more overloaded than the best, so not ranked */
    /* the best case or a rival: the one with the most work, the one with the coolest GPUs; NULL: no rivals, about
     * equal, or unknown */
    const wsk_cli_case *works, *cool;
    wsk_cli_burden burden;
    /* the best case is dearer to buy than the first case, and its saving does not pay for that within --years */
    bool unearned;
    /* a case that is left out as overloaded, but is cheaper and neither does less work nor gets hotter; NULL: none */
    const wsk_cli_case *better;
    /* the case with the most work; NULL: that is `best` or `works`, or the comparison is a sweep of settings */
    const wsk_cli_case *most;
} wsk_cli_ruling;
/* Finds the best case and ranks the others: in a sweep of settings by cost per unit of work, else by the first measure
 * of find_measure in rule.c that is known for all cases. */
wsk_cli_ruling wsk_cli_rule(const wsk_cli_common *all);
/* True if no case is less overloaded than c, so that c can win. */
bool wsk_cli_may_win(const wsk_cli_common *all, const wsk_cli_case *c);
/* True if c may win and its cost differs from the cost of the best by no more than the uncertainty. */
bool wsk_cli_is_rival(const wsk_cli_common *all, const wsk_cli_case *best, const wsk_cli_case *c, wsk_cli_measure by);
/* True if c is the best case or a rival, and does less work than `top`, or if `work` is false has hotter GPUs, by no
 * more than the uncertainty. */
bool wsk_cli_is_close(const wsk_cli_common *all, const wsk_cli_ruling *r, const wsk_cli_case *top,
                      const wsk_cli_case *c, bool work);
/* Adds the overloads of the first overloaded cases, "350W: 33 % chance of a PSU trip.", and then the ruling: "Winner:
 * ...", or why there is none, rivals and warnings (verdict.c). */
void wsk_cli_verdict_say(const wsk_cli_common *all, wsk_lines *out);
void wsk_cli_put_verdict(FILE *out, const wsk_cli_common *all);
/* Prints notices of the cases that bear on the comparison: work of different kinds, cards that were not measured, heat
 * that went into a facility's water (notices.c). */
void wsk_cli_notice_words(FILE *out, const wsk_cli_common *all);

typedef enum {
    WSK_CLI_NOT_ASKED, /* no payback is printed: b is not dearer than a, saves nothing, or a number is unknown */
    WSK_CLI_PAYS,      /* b pays back after `years`; the uncertainty of the saving is at most 2 %, or not known */
    /* b pays back after `years`; with the uncertainty of the saving, from `soonest` to `latest` */
    WSK_CLI_PAYS_BAND,
    WSK_CLI_MAY_NEVER,  /* b pays back after `years`, or never: the uncertainty is at least as large as the saving */
    WSK_CLI_UNPRICED,   /* parts of `who` have no price, so the purchases are not comparable */
    WSK_CLI_OTHER_WORK, /* b does other work than a; `work`: the relative difference, negative if b does less */
    WSK_CLI_UNKNOWN_WORK,
    WSK_CLI_OTHER_LOAD /* only one of a and b counts work, or neither does and their loads are unequal */
} wsk_cli_payback_kind;
typedef struct {
    wsk_cli_payback_kind kind;
    /* years, soonest, latest: see wsk_cli_payback_kind; work: relative difference, 0.1 is 10 % more */
    double years, soonest, latest, work;
    const wsk_cli_case *who;
} wsk_cli_payback;
/* Payback of case b, bought instead of case a. */
wsk_cli_payback wsk_cli_find_payback(const wsk_cli_common *all, const wsk_cli_case *a, const wsk_cli_case *b);

/* A case `hi` that does less work than a case `lo` with a lower power limit. */
typedef struct {
    const wsk_cli_case *hi, *lo; /* NULL: no such pair */
    /* loss: (work of lo - work of hi) / work of lo; band: uncertainty of `loss`, NAN: unknown */
    double loss, band;
    bool locked; /* reason: the locked clock of hi; false: heat */
} wsk_cli_inversion;
/* The pair with the largest loss that is smaller than `below`. Callers pass the last loss to get the next pair. */
wsk_cli_inversion wsk_cli_find_inversion(const wsk_cli_case *cases, size_t count, double below);
#endif
