/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advances a run to a given time, by ticks or leaps. */
#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "sim/step/step.h"

bool wsk_tick(wsk_run *run)
{
    const int64_t next = wsk_tick_begin(run), event = run->now.event_ns, stop = run->leap_until_ns,
                  leapt = run->leap ? wsk_leap(run, stop && stop < event ? stop : event) : 0;
    if (leapt > 0)
        return wsk_tick_end(run, run->head->t_ns + leapt);
    return wsk_tick_step(run, next) && wsk_tick_end(run, next);
}

void wsk_stand(wsk_run *run)
{
    wsk_book_repeats(run);
    if (!run->now.unread)
        return;
    run->now.unread = false;
    wsk_read_values(run);
    wsk_read_dies(run);
}

wsk_status wsk_run_advance(wsk_run *run, double until_s)
{
    int64_t until = until_s * 1e9 >= (double)run->end_ns ? run->end_ns : (int64_t)(until_s * 1e9);
    if (run->failure)
        return WSK_ENUMERIC;
    bool ok = true;
    while (ok && run->head->t_ns < until)
        ok = wsk_tick(run);
    wsk_stand(run);
    if (!ok)
        return WSK_ENUMERIC;
    if (run->head->t_ns >= run->end_ns && wsk_residual(run) > 1e-9)
        return WSK_EAUDIT;
    return WSK_OK;
}
