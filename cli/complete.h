/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_CLI_COMPLETE_H
#define WSK_CLI_COMPLETE_H
#include "cli/kit/cli.h"

/* Prints the completions of the last word, which may be "". `words`: the words of a command line behind "wattsink". */
void wsk_cli_complete(const wsk_cli_list *words);

#endif
