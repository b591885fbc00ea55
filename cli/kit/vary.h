/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of one --vary. */
#ifndef WSK_CLI_VARY_H
#define WSK_CLI_VARY_H
#include "cli/kit/cli.h"

enum { WSK_CLI_CASES_MAX = 10000 }; /* that all --vary of a command line make together */

/* Numbers of one unit between colons, "200W:350W:10W": how many (2 or 3), 0 where the text is something else, such as a
 * date, a time of day or a curve, and -1 where it is a range that lacks a unit, -2 where its units do not agree. Between temperatures the step is a
 * difference, in K or degrees: number[2] is it in the unit of the ends. */
int wsk_cli_range(const char *text, double number[3], const char **unit, size_t *len);
/* A copy without the blanks at its ends; the caller frees it. */
char *wsk_cli_trimmed(const char *text, size_t len);
/* Appends "PATH=A", "PATH=B" ... of one --vary; the caller frees them. False after a message. */
bool wsk_cli_expand(const char *text, wsk_cli_list *values);

#endif
