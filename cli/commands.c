/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which commands there are. */
#include <string.h>

#include "cli/cli.h"

const wsk_cli_command *const wsk_cli_commands[] = {
    &wsk_cli_run,  &wsk_cli_new,   &wsk_cli_steady, &wsk_cli_check,  &wsk_cli_compare, &wsk_cli_sweep,
    &wsk_cli_plot, &wsk_cli_report, &wsk_cli_export, &wsk_cli_parts, &wsk_cli_kinds,  &wsk_cli_schema, &wsk_cli_help,
    NULL};

double wsk_cli_started;

const wsk_cli_command *wsk_cli_find(const char *name)
{
    const char *names[sizeof wsk_cli_commands / sizeof *wsk_cli_commands];
    size_t n = 0;
    for (; wsk_cli_commands[n]; n++) {
        if (!strcmp(name, wsk_cli_commands[n]->name))
            return wsk_cli_commands[n];
        names[n] = wsk_cli_commands[n]->name;
    }
    names[n] = NULL;
    char hint[64];
    wsk_cli_error("unknown command '%s'%s", name, wsk_cli_hint(hint, sizeof hint, name, names, ""));
    return NULL;
}
