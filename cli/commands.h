/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of commands, used by main.c, help.c and complete.c. A small command is one file in this folder, a large one
 * has a folder of its own, such as run; kit/ holds the code that commands share. Begin with main.c, then a command such
 * as export.c. */
#ifndef WSK_CLI_COMMANDS_H
#define WSK_CLI_COMMANDS_H
#include "cli/kit/cli.h"

extern const wsk_cli_command *const wsk_cli_commands[]; /* the last item is NULL */
/* NULL: there is no such command; a message has been printed, with a similar name if there is one */
const wsk_cli_command *wsk_cli_find(const char *name);

#endif
