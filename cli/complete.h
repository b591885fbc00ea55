/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_CLI_COMPLETE_H
#define WSK_CLI_COMPLETE_H
#include "cli/kit/cli.h"

/* Prints the completions of the last of `words`, which may be empty. `words`: a command line behind "wattsink". */
void wsk_cli_complete(const wsk_cli_list *words);

#endif
