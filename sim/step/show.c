/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the clocks and powers of a run at time 0, before its first step computes them. */
#include <stdlib.h>
#include <string.h>

#include "sim/books/books.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"
#include "sim/step/step.h"
#include "sim/step/tables.h"

bool wsk_show_start(wsk_run *run)
{
    const size_t events = run->events.len;
    if (run->head->t_ns > 0 || run->kept || run->failure)
        return true;
    run->kept = malloc(run->block_len);
    if (!run->kept)
        return false;
    memcpy(run->kept, run->block, run->block_len);
    wsk_control(run);
    wsk_power_tree(run);
    /* if the air flow has no solution, the first step fails with a message */
    (void)wsk_config_for(run, (double)run->tick_ns / 1e9);
    run->now.awake = true;
    wsk_read_values(run);
    run->events.len = events; /* the first step logs them */
    if (run->events.data)
        run->events.data[events] = '\0';
    return true;
}

void wsk_hide_start(wsk_run *run)
{
    if (!run->kept)
        return;
    memcpy(run->block, run->kept, run->block_len);
    free(run->kept);
    run->kept = NULL;
    wsk_state_replaced(run);
}
