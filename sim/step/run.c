/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "sim/step/step.h"
#include "sim/step/stride.h"

static int64_t earlier(int64_t a_ns, int64_t b_ns)
{
    return a_ns < b_ns ? a_ns : b_ns;
}

bool wsk_tick(wsk_run *run)
{
    const int64_t from = run->head->t_ns;
    int64_t next = wsk_tick_begin(run), stop = earlier(run->now.event_ns, wsk_stride_end(run));
    if (run->leap_until_ns)
        stop = earlier(stop, run->leap_until_ns);
    const int64_t leapt = run->leap ? wsk_leap(run, stop) : 0;
    if (leapt > 0)
        next = from + leapt;
    else if (!wsk_tick_step(run, next))
        return false;
    if (!wsk_tick_end(run, next))
        return false;
    wsk_stride_on(run, from);
    return true;
}

void wsk_stand(wsk_run *run)
{
    wsk_book_repeats(run);
    if (!run->now.unread)
        return;
    run->now.unread = false;
    if (!run->replays)
        wsk_read_values(run);
    wsk_read_dies(run);
}

wsk_status wsk_run_advance(wsk_run *run, double until_s)
{
    int64_t until = until_s * 1e9 < (double)run->end_ns ? (int64_t)(wsk_max(until_s, 0) * 1e9) : run->end_ns;
    if (run->failure)
        return WSK_ENUMERIC;
    if (isnan(until_s))
        return WSK_EUSAGE;
    bool ok = true;
    if (run->head->t_ns < until)
        wsk_hide_start(run);
    while (ok && run->head->t_ns < until)
        ok = wsk_tick(run);
    wsk_stand(run);
    if (!ok)
        return WSK_ENUMERIC;
    if (run->head->t_ns >= run->end_ns && wsk_residual(run) > 1e-9)
        return WSK_EAUDIT;
    return WSK_OK;
}
