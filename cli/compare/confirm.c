/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "cli/compare/compare.h"
#include "cli/compare/words.h"
#include "cli/kit/cases.h"

void wsk_cli_case_run(wsk_cli_case *c)
{
    wsk_cli_simulation sim = {.rig = c->rig};
    wsk_cli_simulate(
        &sim, 1,
        &(wsk_run_options){.stepper = c->stepper, .duration_s = c->duration_s, .leap = c->leap, .stride = c->leap});
    wsk_summary_free(c->summary);
    free(c->why);
    c->code = sim.code;
    c->summary = sim.summary;
    c->widened = NULL;
    c->why = sim.told;
    free(sim.why);
    free(sim.messages);
}

static size_t find_winner(wsk_cli_case *cases, size_t count, bool annual, const wsk_cli_finance *f)
{
    for (size_t i = 0; i < count; i++)
        if (cases[i].code != WSK_OK)
            return count;
    const wsk_cli_work_by work = wsk_cli_cases_derive(cases, count, f);
    const wsk_cli_comparison all = {.cases = cases, .count = count, .annual = annual, .finance = *f, .work = work};
    char *head, **names = wsk_cli_name_cases(&all, &head);
    const wsk_cli_common common = wsk_cli_common_of(&all, names);
    const wsk_cli_case *best = wsk_cli_rule(&common).best;
    wsk_cli_names_free(names, count, head);
    return best ? (size_t)(best - cases) : count;
}

/* Simulates a case again without --leap. False: it was interrupted, and the case is as before. */
static bool run_by_ticks(wsk_cli_case *c)
{
    wsk_summary *summary = c->summary;
    const wsk_summary *widened = c->widened;
    c->summary = NULL;
    c->leap = false;
    wsk_cli_case_run(c);
    c->confirmed = c->code != WSK_EINTERRUPTED;
    if (c->confirmed) {
        wsk_summary_free(summary);
        return true;
    }
    wsk_summary_free(c->summary);
    c->summary = summary;
    c->widened = widened;
    c->leap = true;
    c->code = WSK_OK;
    return false;
}

bool wsk_cli_confirm(wsk_cli_case *cases, size_t count, bool annual, const wsk_cli_finance *f)
{
    size_t best;
    while ((best = find_winner(cases, count, annual, f)) < count && cases[best].leap)
        if (!run_by_ticks(&cases[best]))
            return false;
    return true;
}
