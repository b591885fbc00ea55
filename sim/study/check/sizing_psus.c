/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of equal PSUs in the sizing of `check`. */
#include <string.h>

#include "sim/study/check/check.h"

/* True if `id` is `first` with a number that is higher by `by`, as psu2 is for psu0 and 2. */
static bool counts_on(const char *first, const char *id, int by, wsk_arena *arena)
{
    const size_t stem = strcspn(first, "0123456789");
    double from;
    const char *end;
    const bool counted = first[stem] && wsk_parse_number(first + stem, &end, &from) && *end == '\0';
    const char *want = counted ? wsk_printf(arena, "%.*s%.0f", (int)stem, first, from + by) : NULL;
    return want && strcmp(want, id) == 0;
}

const wsk_said *wsk_say_psus(const wsk_net *net, int supply, int count, wsk_arena *arena)
{
    const wsk_supply *s = &net->supplies[supply];
    const char *first = s->elem->id, *last = s[count - 1].elem->id;
    const double rated_w = s->law.rated_w;
    if (net->n_supply == 1)
        return WSK_SAY(arena, WSK_SAY_CHECK_PSU_ONE, rated_w);
    if (count == 1)
        return WSK_SAY(arena, WSK_SAY_CHECK_PSU_ID, first, rated_w);
    if (count == 2)
        return WSK_SAY(arena, WSK_SAY_CHECK_PSU_TWO, first, last, rated_w);
    wsk_said_list names = {.arena = arena};
    bool series = true;
    for (int i = 0; i < count; i++) {
        series = series && (i == 0 || counts_on(first, s[i].elem->id, i, arena));
        wsk_said_add(&names, WSK_SAID(WSK_SAY_PLAIN, s[i].elem->id));
    }
    return series ? WSK_SAY(arena, WSK_SAY_CHECK_PSU_RANGE, first, last, rated_w)
                  : WSK_SAY(arena, WSK_SAY_CHECK_PSU_LIST, wsk_said_link_all(&names, WSK_SAY_JOINED, WSK_SAY_JOINED),
                            rated_w);
}
