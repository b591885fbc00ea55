/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/commands.h"

#include <string.h>

const wsk_cli_command *const wsk_cli_commands[] = {
    &wsk_cli_run,   &wsk_cli_new,      &wsk_cli_steady,  &wsk_cli_check,     &wsk_cli_compare,
    &wsk_cli_sweep, &wsk_cli_optimise, &wsk_cli_suggest, &wsk_cli_plot,      &wsk_cli_report,
    &wsk_cli_open,  &wsk_cli_twin,     &wsk_cli_smi,     &wsk_cli_calibrate, &wsk_cli_export,
    &wsk_cli_parts, &wsk_cli_kinds,    &wsk_cli_schema,  &wsk_cli_help,      NULL};

/* Words that users may try as commands, each with the command that the message "unknown command" then suggests. */
static const char *const others[][2] = {{"version", "--version"},
                                        {"watch", "run --watch"},
                                        {"simulate", "run"},
                                        {"start", "run"},
                                        {"resume", "run --resume"},
                                        {"init", "new"},
                                        {"create", "new"},
                                        {"validate", "check"},
                                        {"fit", "calibrate"},
                                        {"lint", "check"},
                                        {"vary", "compare"},
                                        {"diff", "compare"},
                                        {"optimize", "optimise"},
                                        {"graph", "plot"},
                                        {"draw", "plot"},
                                        {"html", "report"},
                                        {"web", "open"},
                                        {"browser", "open"},
                                        {"page", "open"},
                                        {"netlist", "export"},
                                        {"spice", "export"},
                                        {"catalogue", "parts"},
                                        {"catalog", "parts"},
                                        {"list", "parts"},
                                        {"search", "parts --search"},
                                        {"show", "parts --show"},
                                        {"elements", "kinds"},
                                        {"xsd", "schema"},
                                        {"commands", "help"},
                                        {"man", "help"},
                                        {"nvidia-smi", "smi"}};

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
    char near[128];
    const char *hint = "";
    for (size_t i = 0; i < sizeof others / sizeof *others && !*hint; i++)
        if (!strcmp(name, others[i][0])) {
            snprintf(near, sizeof near, T_("; did you mean '%s%s'?"), "", others[i][1]);
            hint = near;
        }
    size_t len = strlen(name);
    if (!*hint && (wsk_cli_is_dir(name) || (len > 4 && !strcmp(name + len - 4, ".xml")))) {
        snprintf(near, sizeof near, T_("; did you mean '%s %.30s%s'?"), wsk_cli_is_dir(name) ? "report" : "run", name,
                 len > 30 ? "..." : "");
        hint = near;
    }
    if (!*hint)
        hint = wsk_cli_hint(near, sizeof near, name, names, "");
    wsk_cli_error(T_("unknown command '%s'%s"), name, *hint ? hint : T_("; 'wattsink help' lists the commands"));
    return NULL;
}
