/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advises how often a training job should save checkpoints, so that saves and failures cost the least work. Theory:
 * docs/theory/workload.md, "Workload: training" */
#include <math.h>

#include "sim/books/observe.h"
#include "sim/say/say.h"
#include "sim/study/kit/checkpoints.h"

bool wsk_checkpoints_vain(const wsk_workload_params *job)
{
    return 4 * job->checkpoint_takes_s > job->mtbf_s;
}

double wsk_checkpoint_s(const wsk_workload_params *job)
{
    const double best = sqrt(2 * job->checkpoint_takes_s * job->mtbf_s), now = job->checkpoint_every_s;
    if (!(best > 0) || wsk_checkpoints_vain(job) || (!isnan(now) && now <= 2 * best && now >= best / 2))
        return NAN;
    return best > 3600 ? 600 * floor(best / 600 + 0.5) : best > 120 ? 60 * floor(best / 60 + 0.5) : floor(best + 0.5);
}

/* Share of the time in which work is done that no failure undoes. Only cycles of work and save that end before the
 * next failure count. The time between failures is exponentially distributed, and a restart follows each failure. */
static double lasting_share(const wsk_workload_params *job, double every_s)
{
    const double cycles = 1 / expm1((every_s + job->checkpoint_takes_s) / job->mtbf_s);
    return cycles * every_s / (job->mtbf_s + job->restart_takes_s);
}

/* Work, s, that the cards would have done in the run without saves, failures and restarts. */
static double whole_work_s(const wsk_run *run, double worked_s)
{
    const wsk_workload_params *job = run->net->workload;
    const double restarts = (double)run->head->failures * job->restart_takes_s / wsk_window_s(run), most = 0.95,
                 saves = job->checkpoint_every_s > 0
                             ? job->checkpoint_takes_s / (job->checkpoint_every_s + job->checkpoint_takes_s)
                             : 0;
    return worked_s / (1 - fmin(restarts, most)) / (1 - saves);
}

const wsk_said *wsk_advise_checkpoints(wsk_arena *arena, const wsk_run *run)
{
    const double least = 0.02; /* smaller savings, as a share of the work, are not reported */
    if (!run || !run->net->workload || !(run->head->redone_s > 0))
        return NULL;
    const double every_s = wsk_checkpoint_s(run->net->workload);
    double done_s = 0;
    for (int i = 0; i < run->net->n_card; i++)
        done_s += wsk_sum_value(&run->cards[i].work);
    const double whole_s = whole_work_s(run, done_s + run->head->redone_s),
                 more_s = lasting_share(run->net->workload, every_s) * whole_s - done_s;
    if (!(more_s > least * whole_s))
        return NULL;
    return WSK_SAY(arena, WSK_SAY_ADVICE_CHECKPOINT, wsk_say_span(arena, every_s),
                   wsk_say_rounded(arena, more_s / 3600, 2));
}
