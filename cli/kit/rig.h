/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads a rig without printing messages, so that the caller can decide what to print. wsk_cli_load (cli.h) loads a rig
 * and prints the messages. */
#ifndef WSK_CLI_RIG_H
#define WSK_CLI_RIG_H
#include "cli/kit/cli.h"

/* Loads a rig and prints nothing. On failure sets *code; the rig then has the messages that say why, or is NULL. */
wsk_rig *wsk_cli_load_quietly(const char *path, const wsk_cli_rig_options *options, int *code);
/* Prints the messages of a rig, and where parts were looked for if it lacks one. show: as in wsk_cli_load. */
void wsk_cli_tell_refusal(const wsk_rig *rig, const wsk_cli_rig_options *options, int show);
/* Prints the warning of a rig that the context of its workload is longer than its model is made for, if it has it. */
void wsk_cli_print_long_context(const wsk_rig *rig, const wsk_cli_rig_options *options);

#endif
