/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/kit/burden.h"

#include <math.h>

wsk_cli_burden wsk_cli_burden_by(bool stops, bool lacks_memory, bool overloads)
{
    return stops ? WSK_CLI_STOPS : lacks_memory ? WSK_CLI_LACKS_MEMORY : overloads ? WSK_CLI_OVERLOADS : WSK_CLI_RUNS;
}

bool wsk_cli_lacks_memory(const wsk_summary *s)
{
    return wsk_summary_shown(s, WSK_R_TOKENS_MEMORY, 0) && !wsk_summary_flag(s, WSK_R_TOKENS_FIT, 0);
}

static wsk_cli_burden burden_of(const wsk_summary *s)
{
    return wsk_cli_burden_by(wsk_summary_flag(s, WSK_R_TRIPS, 0) || wsk_summary_flag(s, WSK_R_SHUTS_DOWN, 0),
                             wsk_cli_lacks_memory(s), wsk_summary_flag(s, WSK_R_OVERLOADS, 0));
}

double wsk_cli_burden_margin(const wsk_summary *s, wsk_cli_burden most)
{
    static const wsk_result loads[] = {WSK_R_PSU_LOAD_PEAK, WSK_R_BRANCH_LOAD, WSK_R_BRANCH_FEED};
    /* never: margin, %, of a case that no load limits. worse: highest margin, %, of a case whose burden is above
     * `most`, such as one that trips although none of its loads exceeds its rating. */
    const double worse = -1, never = 100;
    double margin = never;
    if (most != WSK_CLI_RUNS && wsk_summary_flag(s, WSK_R_STEADY, 0))
        return NAN;
    for (size_t i = 0; most == WSK_CLI_RUNS && i < sizeof loads / sizeof *loads; i++)
        margin = fmin(margin, 100 * (1 - wsk_summary_over(s, loads[i], WSK_OVER_MAX)));
    return burden_of(s) > most ? fmin(margin, worse) : fmax(margin, 0);
}
