/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prices of the limits, conflicts between them, and the Pareto front. The searches for them reuse the cases known so
 * far. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/optimise.h"

enum { MORE = 32 };

void wsk_seek_prices(wsk_seeker *s, const wsk_tried *best)
{
    for (size_t i = 0; i < s->o->limits && !s->stopped && s->status == WSK_OK; i++) {
        wsk_limit_price *price = &s->out->prices[i];
        wsk_asked q = wsk_seek_ask(s);
        if (!(s->o->tighter[i] > 0))
            continue;
        q.rough = false;
        q.need[i] += s->o->tighter[i];
        const bool kept = best->v[s->o->goals + i] >= q.need[i];
        const wsk_tried *t = kept ? best : wsk_seek(s, &q, MORE);
        price->known = t && wsk_asked_broken(s, &q, t->v) <= 0;
        price->more = price->known ? fmax(t->v[0] - best->v[0], 0) : NAN;
        price->binds = !price->known || price->more > wsk_seek_floor(best->v[0]);
    }
}

/* If the conflict cannot be solved by giving up one limit: finds the case that violates all limits together the
 * least. */
static void find_together(wsk_seeker *s)
{
    const wsk_asked q = wsk_seek_ask(s);
    const wsk_tried *t = wsk_seek(s, &q, MORE);
    for (size_t i = 0; i < s->o->limits && t; i++)
        s->out->conflicts[i].together = fmax(s->need[i] - t->v[s->o->goals + i], 0);
}

void wsk_seek_conflicts(wsk_seeker *s)
{
    bool any = false;
    for (size_t i = 0; i < s->o->limits && !s->stopped && s->status == WSK_OK; i++) {
        wsk_asked q = wsk_seek_ask(s);
        q.limit = (int)i;
        q.need[i] = -INFINITY;
        const wsk_tried *t = wsk_seek(s, &q, MORE);
        wsk_limit_conflict *c = &s->out->conflicts[i];
        c->alone = t && wsk_asked_broken(s, &q, t->v) <= 0;
        c->give = c->alone ? fmax(s->need[i] - t->v[s->o->goals + i], 0) : INFINITY;
        any = any || c->alone;
    }
    if (!any && !s->stopped && s->status == WSK_OK)
        find_together(s);
}

static bool keeps(const wsk_seeker *s, const wsk_tried *t)
{
    const wsk_asked q = wsk_seek_ask(s);
    for (size_t i = 0; i < s->o->goals; i++)
        if (isnan(t->v[i]))
            return false;
    return wsk_asked_broken(s, &q, t->v) <= 0;
}

static bool dominates(const wsk_seeker *s, const wsk_tried *a, const wsk_tried *b)
{
    bool better = false;
    for (size_t i = 0; i < s->o->goals; i++) {
        if (a->v[i] > b->v[i])
            return false;
        better = better || a->v[i] < b->v[i];
    }
    return better || a < b; /* of equal cases, only the first stays */
}

static void find_spans(const wsk_seeker *s, wsk_asked *q)
{
    for (size_t g = 0; g < s->o->goals; g++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < s->count; i++)
            if (keeps(s, &s->all[i])) {
                low = fmin(low, s->all[i].v[g]);
                high = fmax(high, s->all[i].v[g]);
            }
        q->least[g] = isfinite(low) ? low : 0;
        q->span[g] = high > low ? high - low : 1;
    }
}

static int by_first_goal(const void *x, const void *y)
{
    const wsk_optimised *a = x, *b = y;
    return a->point[0] < b->point[0] ? -1 : a->point[0] > b->point[0];
}

void wsk_seek_front(wsk_seeker *s)
{
    enum { SHARES = 8, FRONT_MAX = 200 };
    const size_t goals = s->o->goals;
    for (int a = 0; a <= SHARES && !s->stopped && s->status == WSK_OK; a++)
        for (int b = 0; b <= (goals > 2 ? SHARES - a : 0) && !s->stopped; b += 2) {
            wsk_asked q = wsk_seek_ask(s);
            const double rest = goals > 2 ? SHARES - a - b : 0,
                         weights[WSK_OPTIMISE_GOALS] = {a + 0.05, (goals > 2 ? b : SHARES - a) + 0.05, rest + 0.05};
            find_spans(s, &q);
            q.weights = weights;
            wsk_seek(s, &q, 2 * WSK_PICKS);
        }
    wsk_optimised *front = wsk_alloc(s->arena, FRONT_MAX * sizeof *front);
    size_t n = 0;
    for (size_t i = 0; front && i < s->count && n < FRONT_MAX; i++) {
        bool on = keeps(s, &s->all[i]);
        for (size_t k = 0; k < s->count && on; k++)
            on = k == i || !keeps(s, &s->all[k]) || !dominates(s, &s->all[k], &s->all[i]);
        if (on)
            front[n++] = (wsk_optimised){.levels = s->all[i].levels, .point = s->all[i].v};
    }
    if (n)
        qsort(front, n, sizeof *front, by_first_goal);
    s->out->front = front;
    s->out->front_count = n;
}
