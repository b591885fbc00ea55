/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "sim/net/compile.h"

static void check_log(wsk_build *b, const wsk_workload_params *w)
{
    size_t power = 0, busy = 0;
    for (size_t i = 0; i < w->log.cards; i++) {
        power += wsk_recorded_of(&w->log, (int)i, WSK_LOG_POWER)->count > 0;
        busy += wsk_recorded_of(&w->log, (int)i, WSK_LOG_UTILISATION)->count > 0;
    }
    if (power < w->log.cards && busy < w->log.cards)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, w->head.elem, "log", WSK_SAID(WSK_SAY_REPLAY_LACKS));
    const double span_s = (double)w->log.period_ns / 1e9;
    if (b->net->runspec->for_s > span_s + 1)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, w->head.elem, "log",
                      WSK_SAID(WSK_SAY_REPLAY_REPEATS, span_s, b->net->runspec->for_s));
}

void wsk_build_log(wsk_build *b)
{
    wsk_net *net = b->net;
    const wsk_workload_params *w = net->workload;
    int working = 0;
    for (int i = 0; i < net->n_card; i++)
        net->cards[i].logged = WSK_NO;
    if (!w || !w->log.cards)
        return;
    const int logged = (int)w->log.cards;
    for (int i = 0; i < net->n_card; i++) {
        wsk_card *c = &net->cards[i];
        if (!c->works)
            continue;
        c->logged = logged == 1 ? 0 : working;
        working++;
        if (c->logged >= logged)
            continue;
        const double most = wsk_recorded_of(&w->log, c->logged, WSK_LOG_POWER)->most;
        if (most > 1.2 * c->limit_max_w)
            wsk_elem_diag(&b->plan->diags, WSK_DIAG_WARNING, w->head.elem, "log",
                          WSK_SAID(WSK_SAY_TRACE_POWER, most, c->id, c->limit_max_w));
    }
    if (logged > 1 && logged != working)
        wsk_elem_diag(&b->plan->diags, WSK_DIAG_ERROR, w->head.elem, "log",
                      WSK_SAID(WSK_SAY_REPLAY_CARDS, (double)logged, (double)working));
    check_log(b, w);
}
