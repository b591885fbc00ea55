/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "sim/books/books.h"
#include "sim/results/results.h"
#include "sim/step/stride.h"

static double share(double error, double of)
{
    return of > 0 ? error / of : 0;
}

void wsk_results_strides(wsk_summary *s, const wsk_run *run)
{
    if (run->no_strides)
        wsk_summary_set_text(s, WSK_R_STRIDE_NONE, 0, run->no_strides);
    if (!run->stride)
        return;
    const wsk_stride_head *h = run->stride->head;
    const wsk_ledger now = wsk_ledger_now(run);
    const wsk_account bill = wsk_bill_account(run);
    double energy = wsk_sum_value(&now.wall) + wsk_sum_value(&now.side) + wsk_sum_value(&now.cooling_electric),
           work = 0;
    for (int i = 0; i < run->net->n_card; i++)
        work += wsk_sum_value(&run->cards[i].work);
    wsk_summary_set_number(s, WSK_R_STRIDE_CYCLE, 0, (double)run->stride->cycle.length_ns / 1e9);
    wsk_summary_set_number(s, WSK_R_STRIDE_SIMULATED, 0, (double)h->simulated);
    wsk_summary_set_number(s, WSK_R_STRIDE_SKIPPED, 0, (double)h->skipped);
    wsk_summary_set_number(s, WSK_R_STRIDE_ENERGY, 0, share(h->error[WSK_OF_ENERGY], energy));
    wsk_summary_set_number(s, WSK_R_STRIDE_WORK, 0, share(h->error[WSK_OF_WORK], work));
    if (!isnan(bill.cost))
        wsk_summary_set_number(s, WSK_R_STRIDE_COST, 0, share(h->error_cost, fabs(bill.cost)));
    if (!isnan(bill.carbon_kg))
        wsk_summary_set_number(s, WSK_R_STRIDE_CARBON, 0, share(h->error_carbon_kg, fabs(bill.carbon_kg)));
    wsk_summary_set_number(s, WSK_R_STRIDE_PEAK, 0, h->error_peak_rel);
    wsk_summary_set_number(s, WSK_R_STRIDE_HOT, 0, h->error_k);
    wsk_summary_set_number(s, WSK_R_STRIDE_HEAT, 0, h->error[WSK_OF_HEAT]);
    wsk_summary_set_number(s, WSK_R_STRIDE_BALANCE, 0, share(fabs(wsk_sum_value(&now.strode)), energy));
}
