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
/* False, after printing a message, if a value is there twice. vary: the text of --vary, for the message. */
bool wsk_cli_values_differ(const wsk_cli_list *values, const char *vary);

/* Lines of wsk_rig_assigned, such as "gpu0.power-limit number /rig0/chassis0/gpu0.power-limit", end with the place of
 * the attribute in the rig. has_place: true if a line of `lines` has the same place as `line`. shared_place: the first
 * line of `a` with the same place as a line of `b`; NULL: none. */
bool wsk_cli_has_place(const char *lines, const char *line);
const char *wsk_cli_shared_place(const char *a, const char *b);
/* False if one of `sets` (--set, the first assignments of the rig) has no effect, because --vary sets the same
 * attributes. varied: the lines of all assignments of --vary. With `speak` it prints a message. */
bool wsk_cli_sets_heeded(const wsk_rig *rig, const wsk_cli_list *sets, const char *varied, bool speak);
/* Prints the first warning of a varied rig that a card cannot hold its power limit. Warnings that `first` has too are
 * left out, because those of `first` have been printed. */
void wsk_cli_print_low_limit(const wsk_rig *rig, const wsk_rig *first, const wsk_cli_rig_options *options);
/* The same for the first warning that a value which is varied has no effect, because another one overrides it. */
void wsk_cli_print_overridden(const wsk_rig *rig, const wsk_rig *first, const wsk_cli_rig_options *options);

#endif
