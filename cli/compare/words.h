/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison in words: what its parts share. */
#ifndef WSK_CLI_COMPARE_WORDS_H
#define WSK_CLI_COMPARE_WORDS_H
#include "cli/compare/compare.h"

/* What the cases have in common, for only that is compared, and how the report calls them. */
typedef struct {
    const wsk_cli_comparison *all;
    const wsk_cli_case *cases;
    size_t count;
    char *const *names;
    const wsk_cli_finance *f;
    const char *run, *buy; /* currency of electricity and of the parts; NULL: they have several */
    bool annual, time;     /* time: the same simulated, or both brought to a year */
} wsk_cli_common;
/* As the report calls it. */
const char *wsk_cli_name_of(const wsk_cli_common *all, const wsk_cli_case *c);
/* Are electricity and parts of all cases paid in one currency? */
bool wsk_cli_one_money(const wsk_cli_common *all);
/* What a price is of, and how much of it: "per million tokens". */
typedef struct {
    wsk_cli_measure by;
    double scale;
    char text[64];
} wsk_cli_yardstick;
/* "Winner: ...", or the cases that the best one cannot be told from, and what each of these is best at. `best`: the cheapest of
 * those that may win. Returns the case that was said to do the most work; NULL: none was. */
const wsk_cli_case *wsk_cli_crown(FILE *out, const wsk_cli_common *all, const wsk_cli_case *best,
                                  const wsk_cli_yardstick *y);
/* Which case wins, or why none does. */
void wsk_cli_verdict(FILE *out, const wsk_cli_common *all);
/* Work of a year, in what the comparison compares it by; NAN: it does not. */
double wsk_cli_work_rate(const wsk_cli_common *all, const wsk_cli_case *c);

#endif
