/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses --vary PATH=VALUE,VALUE or PATH=LOW:HIGH:STEP into its values. */
#ifndef WSK_CLI_VARY_H
#define WSK_CLI_VARY_H
#include "cli/kit/cli.h"

enum { WSK_CLI_CASES_MAX = 10000 }; /* most cases of a comparison, and most values of a range */

/* Parses LOW:HIGH or LOW:HIGH:STEP, such as "200W:350W:10W". Returns how many numbers there are, 2 or 3; 0: the text is
 * no range (but a list, a date, a time of day, a curve), -1: some numbers lack the unit, -2: the units differ. *unit,
 * of *len bytes, is in `text`. The step of a temperature range may be in K and its ends in degF: number[2] is converted
 * to the unit of the ends. */
int wsk_cli_range(const char *text, double number[3], const char **unit, size_t *len);
/* Copies the text without leading and trailing blanks. Caller frees. */
char *wsk_cli_trimmed(const char *text, size_t len);
/* Appends the settings "PATH=A", "PATH=B" ... of one --vary. A value with commas is in double quotes. Caller frees
 * each. On failure prints a message and returns false. */
bool wsk_cli_expand(const char *text, wsk_cli_list *values);

#endif
