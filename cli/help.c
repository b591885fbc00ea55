/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/complete.h"

static void overview(void)
{
    wsk_cli_print(stdout, T_("wattsink simulates GPU servers: power, heat, air flow, clocks and cost.\n\n"
                             "usage: wattsink COMMAND [ARGUMENT]...\n\n"));
    for (size_t i = 0; wsk_cli_commands[i]; i++) {
        char *line = wsk_cli_format("  %-9s  %s\n", wsk_cli_commands[i]->name, T_(wsk_cli_commands[i]->summary));
        wsk_cli_print(stdout, line);
        free(line);
    }
    wsk_cli_print(stdout, T_("\n'wattsink help COMMAND' says more; RIG.xml may be - for standard input.\n"
                             "exit codes  0 ok, 1 run-time failure, 2 usage, 3 bad input, 4 numeric failure,\n"
                             "            5 energy audit failed, 12 out of memory,\n"
                             "            130 interrupted, with a checkpoint\n"));
}

static int main_help(int argc, char **argv)
{
    wsk_cli_list words = {0};
    bool complete = false;
    const wsk_cli_option options[] = {{.name = "complete", .flag = &complete}, {.name = NULL}};
    int code = wsk_cli_parse(&wsk_cli_help, argc, argv, options, &words);
    if (code != WSK_OK) {
        code = code < 0 ? WSK_OK : code;
    } else if (complete) {
        wsk_cli_complete(&words);
    } else if (words.count > 1) {
        code = wsk_cli_usage(&wsk_cli_help, T_("one command at a time"));
    } else if (!words.count) {
        overview();
    } else {
        const wsk_cli_command *command = wsk_cli_find(words.items[0]);
        if (command)
            wsk_cli_print_help(command);
        else
            code = WSK_EUSAGE;
    }
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_help = {
    .name = "help",
    .usage = "[COMMAND]",
    .summary = N_("all commands, or one command with an example"),
    .options = N_("  --complete          for shells: completions of the last word of the command line behind --\n"),
    .example = "wattsink help compare",
    .run = main_help};
