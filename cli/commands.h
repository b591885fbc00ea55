/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The registry of commands: only main, help and complete ask it. */
#ifndef WSK_CLI_COMMANDS_H
#define WSK_CLI_COMMANDS_H
#include "cli/kit/cli.h"

extern const wsk_cli_command *const wsk_cli_commands[]; /* ends with NULL */
const wsk_cli_command *wsk_cli_find(const char *name);  /* NULL: says so on stderr, with the nearest name */

#endif
