/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What gets too hot at the steady point: the same findings as those of `steady`. */
#include "sim/books/observe.h"
#include "sim/study/check/check.h"
#include "sim/study/findings/found.h"
#include "sim/study/kit/verdict.h"

void wsk_check_heat(const wsk_run *steady, wsk_lines *l)
{
    wsk_said_list hot = {.arena = l->arena};
    const double room_c = wsk_var_high(steady, WSK_VAR_ROOM_C, 0);
    wsk_found_hot(steady, &hot);
    l->failed = l->failed || hot.failed;
    for (size_t i = 0; i < hot.count; i++)
        wsk_lines_add(l, 2, WSK_SAID(WSK_SAY_CHECK_HOT, hot.items[i]));
    if (room_c > WSK_HOT_ROOM_C)
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_ROOM_HOT, room_c, (double)WSK_HOT_ROOM_C));
}
