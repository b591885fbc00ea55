/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <unistd.h>

#include "cli/kit/cli.h"
#include "cli/plot/plot.h"
#include "cli/run/replace.h"

void wsk_run_replaces(const char *dir)
{
    char *summary = wsk_cli_format("%s/summary.json", dir);
    /* In a folder without results of a run, a report.html is the user's own. */
    const bool earlier = access(summary, F_OK) == 0;
    free(summary);
    if (!earlier)
        return;
    wsk_plot_forget_results(dir, false);
    wsk_cli_delete(dir, "report.html");
}
