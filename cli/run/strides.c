/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/run/strides.h"

#include <stdio.h>

#include "cli/kit/cli.h"

static void print_strides(const wsk_run *run)
{
    wsk_summary *s = NULL;
    if (wsk_run_summary(&s, run, 0) != WSK_OK)
        return;
    const double done = wsk_summary_number(s, WSK_R_STRIDE_SIMULATED, 0),
                 skipped = wsk_summary_number(s, WSK_R_STRIDE_SKIPPED, 0);
    if (skipped > 0) {
        char cycle[32];
        wsk_cli_duration(cycle, wsk_summary_number(s, WSK_R_STRIDE_CYCLE, 0));
        printf(T_("%.0f of %.0f cycles of %s simulated; estimated error of energy %.4f %%, of work %.4f %%, of time "
                  "limited by heat %.0f s, of highest temperatures %.2f K\n"),
               done, done + skipped, cycle, 100 * wsk_summary_number(s, WSK_R_STRIDE_ENERGY, 0),
               100 * wsk_summary_number(s, WSK_R_STRIDE_WORK, 0), wsk_summary_number(s, WSK_R_STRIDE_HEAT, 0),
               wsk_summary_number(s, WSK_R_STRIDE_HOT, 0));
        printf("%s", T_("Events of skipped cycles are not listed.\n"));
    }
    wsk_summary_free(s);
}

void wsk_print_page(const wsk_run *run, const char *page, const char *dir)
{
    wsk_cli_print(stdout, page);
    print_strides(run);
    printf(T_("results in %s\n"), dir);
}
