/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "cli/suggest/suggest.h"

/* Value of the machine divided by its limit, for the requirement `bad`; above 1: the machine exceeds the limit.
 * INFINITY: this requirement cannot be relaxed. */
static double share_of(wsk_bad bad, const wsk_judged_machine *m, const wsk_ask *ask)
{
    switch (bad) {
    case WSK_BAD_BUDGET: return m->purchase / ask->budget;
    case WSK_BAD_POWER: return m->psu_fails ? INFINITY : m->circuit;
    case WSK_BAD_NOISE: return pow(10, (m->noise_dba - ask->noise_dba) / 20); /* ratio of sound pressures */
    default: return INFINITY;
    }
}

/* Sum of the relative excesses of a machine over the limits that it breaks. INFINITY: it fails a requirement that
 * cannot be relaxed, such as heat. */
static double excess(const wsk_judged_machine *m, const wsk_ask *ask)
{
    double sum = 0;
    for (int b = WSK_GOOD + 1; b < WSK_BADS; b++)
        if (m->broken & 1u << b)
            sum += fmax(share_of((wsk_bad)b, m, ask) - 1, 0);
    return sum;
}

/* Finds the machine of `list` with the smallest excess that breaks only the limit `alone` (WSK_GOOD: any limits that
 * can be relaxed) and is at least 5 % faster than `than`, tokens/s. Heat and circuit are judged again with their
 * uncertainty, and `list` is updated. machine.count 0: there is no such machine. */
static wsk_judged_machine find_nearest(wsk_field *list, wsk_bad alone, const wsk_ask *ask, double than, int *code)
{
    for (;;) {
        wsk_judged_machine *best = NULL, judged;
        for (size_t i = 0; i < list->count; i++) {
            wsk_judged_machine *m = &list->list[i];
            const bool fits = alone == WSK_GOOD ? m->broken != 0 : m->broken == 1u << alone;
            if (fits && isfinite(excess(m, ask)) && m->tokens_s >= 1.05 * than &&
                (!best || excess(m, ask) < excess(best, ask)))
                best = m;
        }
        if (!best)
            return (wsk_judged_machine){0};
        const unsigned had = best->broken;
        wsk_suggest_judge(&judged, &best->machine, ask, true, code);
        *best = judged;
        if (*code != WSK_OK || judged.broken == had)
            return judged;
    }
}

int wsk_suggest_relax(wsk_relaxed *out, const wsk_choice_cards *cards, wsk_known *known, const wsk_ask *ask,
                      double than)
{
    wsk_ask more = *ask;
    wsk_field all = {.all = true};
    *out = (wsk_relaxed){0};
    more.budget = than > 0 ? 1.5 * ask->budget : INFINITY; /* without an answer, any price is told */
    int code = wsk_judge_all(&all, cards, known, &more);
    for (size_t i = 0; i < all.count; i++)
        all.list[i].broken |= all.list[i].purchase > ask->budget ? 1u << WSK_BAD_BUDGET : 0;
    for (int b = WSK_GOOD + 1; b < WSK_BADS && code == WSK_OK; b++)
        out->by[b] = find_nearest(&all, (wsk_bad)b, ask, than, &code);
    if (code == WSK_OK)
        out->together = find_nearest(&all, WSK_GOOD, ask, than, &code);
    free(all.list);
    return code;
}
