/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills a summary with the numbers of simulated and skipped cycles, and the estimated errors. */
#include <math.h>

#include "sim/books/books.h"
#include "sim/results/results.h"
#include "sim/step/stride.h"

/* Errors are estimated in J and s; they are put as shares of the run's energy and work. */
void wsk_results_strides(wsk_summary *s, const wsk_run *run)
{
    if (run->no_strides)
        wsk_summary_set_text(s, WSK_R_STRIDE_NONE, 0, run->no_strides);
    if (!run->stride)
        return;
    const wsk_stride_head *h = run->stride->head;
    const wsk_ledger now = wsk_ledger_now(run);
    double energy = wsk_sum_value(&now.wall) + wsk_sum_value(&now.side) + wsk_sum_value(&now.cooling_electric),
           work = 0;
    for (int i = 0; i < run->net->n_card; i++)
        work += wsk_sum_value(&run->cards[i].work);
    wsk_summary_set_number(s, WSK_R_STRIDE_CYCLE, 0, (double)run->stride->cycle.length_ns / 1e9);
    wsk_summary_set_number(s, WSK_R_STRIDE_SIMULATED, 0, (double)h->simulated);
    wsk_summary_set_number(s, WSK_R_STRIDE_SKIPPED, 0, (double)h->skipped);
    wsk_summary_set_number(s, WSK_R_STRIDE_ENERGY, 0, energy > 0 ? h->error[WSK_OF_ENERGY] / energy : 0);
    wsk_summary_set_number(s, WSK_R_STRIDE_WORK, 0, work > 0 ? h->error[WSK_OF_WORK] / work : 0);
    wsk_summary_set_number(s, WSK_R_STRIDE_HEAT, 0, h->error[WSK_OF_HEAT]);
    wsk_summary_set_number(s, WSK_R_STRIDE_BALANCE, 0, energy > 0 ? fabs(wsk_sum_value(&now.strode)) / energy : 0);
}
