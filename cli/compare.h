/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cases of a comparison: each a rig, its summary, and what is derived from both. */
#ifndef WSK_CLI_COMPARE_H
#define WSK_CLI_COMPARE_H
#include "cli/cli.h"

/* Net present value of a dearer case over the first: stated in every report, because it is a choice. */
#define WSK_CLI_NPV_YEARS 5
#define WSK_CLI_NPV_RATE 0.05

typedef struct {
    char *label;
    const char *path;
    wsk_cli_rig_options options;
    wsk_rig *rig;
    wsk_stepper stepper;
    wsk_run *run; /* while the case is at work */
    double duration_s; /* 0: as the rig says */
    int code;
    char *why;  /* what stopped it; NULL: the code says it */
    char *json; /* summary; owned by the library */
    double simulated_s, wall_kwh, cost, annual, work, purchase, payback_years, npv, cost_per_work;
    const char *varied;                     /* the assignment that makes this case of one --vary; NULL: other cases */
    double limit_w;                         /* sum of the cards' power limits; NAN: none written */
    bool constant_psu;                      /* one PSU of constant efficiency */
    char currency[8], purchase_currency[8]; /* of electricity, of the parts; "": not known */
} wsk_cli_case;

/* Are both known, and not the same? Prices are never converted. */
bool wsk_cli_other_currency(const char *a, const char *b);
/* Reads numbers out of the summary and the rig; `first` is what payback and NPV refer to. */
void wsk_cli_case_derive(wsk_cli_case *c, const wsk_cli_case *first);
void wsk_cli_compare_json(FILE *out, const wsk_cli_case *cases, size_t count);
void wsk_cli_compare_text(FILE *out, const wsk_cli_case *cases, size_t count, bool annual);
/* True where one setting of the cards (power limit, locked clock, offsets) is all that differs. */
bool wsk_cli_is_sweep(const wsk_cli_case *cases, size_t count);
/* A sweep as a table with the best of each column marked, and in words. */
void wsk_cli_sweep_text(FILE *out, const wsk_cli_case *cases, size_t count);
/* Of the cards: the sum, mean or maximum of a number in the summary; NAN where no card has it. */
typedef enum { WSK_CLI_SUM, WSK_CLI_MEAN, WSK_CLI_MOST } wsk_cli_over;
double wsk_cli_over_gpus(const char *json, const char *key, wsk_cli_over how);
/* Says which case has a higher power limit and does less work; at most `most` of them. */
void wsk_cli_limit_inversions(FILE *out, const wsk_cli_case *cases, size_t count, size_t most);
/* The cases that --vary PATH=A,B and PATH=LOW:HIGH:STEP make of one rig, in order; several multiply. NULL after a
 * message. */
wsk_cli_case *wsk_cli_vary(const char *path, const wsk_cli_rig_options *base, const wsk_cli_list *vary,
                           size_t *count);

#endif
