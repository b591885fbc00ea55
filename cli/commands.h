/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program: main.c finds a command here; a small command is one file in this folder, a large one has a folder
 * (run, compare, sweep, plot); kit/ is what commands share. Only main, help and complete ask this registry. Begin
 * with main.c, then a command such as export.c. */
#ifndef WSK_CLI_COMMANDS_H
#define WSK_CLI_COMMANDS_H
#include "cli/kit/cli.h"

extern const wsk_cli_command *const wsk_cli_commands[]; /* ends with NULL */
const wsk_cli_command *wsk_cli_find(const char *name);  /* NULL: says so on stderr, with the nearest name */

#endif
