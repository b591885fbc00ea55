/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison in words: what is found (rule.c, find.c), and the sentences that tell it (text.c, verdict.c). */
#ifndef WSK_CLI_COMPARE_WORDS_H
#define WSK_CLI_COMPARE_WORDS_H
#include "cli/compare/compare.h"

/* The cases, what they have in common, for only that is compared, and their names in the text. */
typedef struct {
    const wsk_cli_comparison *all;
    const wsk_cli_case *cases;
    size_t count;
    char *const *names;
    const wsk_cli_finance *f;
    const char *run, *buy; /* currency of electricity and of the parts; NULL: they have several */
    bool annual, time;     /* time: the same simulated, or both brought to a year */
} wsk_cli_common;
/* A case's name in the text. */
const char *wsk_cli_name_of(const wsk_cli_common *all, const wsk_cli_case *c);
/* Are electricity and parts of all cases paid in one currency? */
bool wsk_cli_one_money(const wsk_cli_common *all);
/* Work of a year, in what the comparison compares it by; NAN: it does not. */
double wsk_cli_work_rate(const wsk_cli_common *all, const wsk_cli_case *c);

/* ---- which case wins: rule.c ---- */
/* By what cases are ranked, and of how much of it the price is told. */
typedef struct {
    wsk_cli_measure by;
    double scale;   /* of the price: 1e6 where it is that of a million tokens */
    char per[56];   /* "million tokens"; "": of a GPU-hour, or of a year */
    bool work, buy; /* for work, else for a year; with the purchase */
} wsk_cli_yardstick;
/* With the unit of work that the price is told for; units: NULL where none is counted. */
wsk_cli_yardstick wsk_cli_yardstick_of(wsk_cli_measure by, const wsk_cli_units *units);
typedef enum {
    WSK_CLI_RANKED, /* the other fields of the ruling tell how */
    WSK_CLI_ONE_CASE,
    WSK_CLI_UNEQUAL_TIMES,
    WSK_CLI_CURRENCIES,
    WSK_CLI_NO_TARIFFS,
    WSK_CLI_NO_TARIFF,     /* of `who` */
    WSK_CLI_UNLIKE_CARDS,  /* of `who` and `other` */
    WSK_CLI_UNLIKE_RATES,  /* the same, and one rate for both */
    WSK_CLI_NEGATIVE_COST, /* of `who`: less work would look cheaper */
    WSK_CLI_UNLIKE_LOADS,
    WSK_CLI_SAME_COST,
    WSK_CLI_SAME_ELECTRICITY /* and purchases that cannot be compared */
} wsk_cli_outcome;
/* A group is the cheapest case and its rivals: cases whose difference to it is within the uncertainty. */
typedef struct {
    wsk_cli_outcome outcome;
    const wsk_cli_case *who, *other;
    wsk_cli_yardstick y;
    const wsk_cli_case *best;         /* the cheapest of those that may win */
    size_t rivals, beaten, left_out;  /* left_out: overloaded, so not ranked */
    const wsk_cli_case *works, *cool; /* of a group: most work, lowest GPU temperature; NULL: they are alike */
    wsk_cli_burden burden;            /* of the best */
    bool unearned;                    /* the purchase of the best does not pay back within the years */
    const wsk_cli_case *most;         /* does more work than the best, and is not told as `works`; NULL: none */
} wsk_cli_ruling;
wsk_cli_ruling wsk_cli_rule(const wsk_cli_common *all);
/* The ruling where the best is known. */
wsk_cli_ruling wsk_cli_rank(const wsk_cli_common *all, const wsk_cli_case *best, wsk_cli_yardstick y);
/* Whether a case can win: none is less overloaded. */
bool wsk_cli_may_win(const wsk_cli_common *all, const wsk_cli_case *c);
bool wsk_cli_is_rival(const wsk_cli_common *all, const wsk_cli_case *best, const wsk_cli_case *c, wsk_cli_measure by);
/* "Winner: ...", or why none wins, and what else the ruling holds. */
void wsk_cli_ruling_words(FILE *out, const wsk_cli_common *all, const wsk_cli_ruling *r);

/* ---- pairs of cases: find.c ---- */
typedef enum {
    WSK_CLI_NOT_ASKED,  /* no difference of purchase and saving to judge */
    WSK_CLI_PAYS,       /* after `years` */
    WSK_CLI_PAYS_BAND,  /* between `soonest` and `latest` */
    WSK_CLI_MAY_NEVER,  /* the saving is within its uncertainty */
    WSK_CLI_UNPRICED,   /* parts of `who` have no price */
    WSK_CLI_OTHER_WORK, /* `work` more, relative */
    WSK_CLI_UNKNOWN_WORK,
    WSK_CLI_OTHER_LOAD
} wsk_cli_payback_kind;
typedef struct {
    wsk_cli_payback_kind kind;
    double years, soonest, latest, work;
    const wsk_cli_case *who;
} wsk_cli_payback;
/* Of b, bought instead of a. */
wsk_cli_payback wsk_cli_find_payback(const wsk_cli_common *all, const wsk_cli_case *a, const wsk_cli_case *b);

/* A case that does less work than another one with a lower power limit. */
typedef struct {
    const wsk_cli_case *hi, *lo; /* NULL: there is none */
    double loss, band;           /* share of the work; NAN: its uncertainty is not known */
    bool locked;                 /* by its locked clock, else by heat */
} wsk_cli_inversion;
/* The one with the largest loss below `below`. */
wsk_cli_inversion wsk_cli_find_inversion(const wsk_cli_case *cases, size_t count, double below);
#endif
