/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the price of each limit (by how much the goal gets worse if the limit is tighter), conflicts between limits,
 * and the Pareto front. These searches reuse the cases known so far. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/optimise/optimise.h"

enum { MORE = 32 };

/* Returns a case that keeps the limits, one of them tightened, at the distances that its own uncertainty needs; NULL:
 * none was found. The distances that the best case needs may be larger, because it is less certain. */
static const wsk_tried *find_by_own(wsk_seeker *s, const wsk_tried *best, size_t tightened)
{
    enum { TESTED = 8 };
    const double by = s->o->tighter[tightened];
    int levels[TESTED * WSK_SETTINGS_MAX];
    const wsk_doubt *of_best = NULL, *doubts[TESTED];
    const wsk_tried *row[TESTED];
    wsk_asked q = wsk_seek_ask(s);
    if (!wsk_seek_doubt(s, best->levels, 1, &of_best))
        return NULL;
    for (size_t i = 0; i < s->o->limits; i++) {
        const double sd = of_best->sd[s->o->goals + i];
        q.need[i] += (i == tightened ? by : 0) - (isfinite(sd) ? s->z * sd : 0);
    }
    const size_t n = wsk_seek_list(s, &q, INFINITY, row, TESTED);
    for (size_t i = 0; i < n; i++)
        memcpy(&levels[i * s->n], row[i]->levels, s->n * sizeof *levels);
    if (!n || !wsk_seek_doubt(s, levels, n, doubts))
        return NULL;
    for (size_t i = 0; i < n && s->status == WSK_OK; i++) {
        double need[WSK_OPTIMISE_LIMITS] = {0};
        bool keeps = true;
        wsk_seek_needs(s, row[i], need);
        for (size_t k = 0; k < s->o->limits; k++)
            keeps = keeps && row[i]->v[s->o->goals + k] >= need[k] + (k == tightened ? by : 0);
        if (keeps)
            return row[i];
    }
    return NULL;
}

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
        if (t && wsk_asked_broken(s, &q, t->v) > 0)
            t = find_by_own(s, best, i);
        price->known = t != NULL;
        price->more = price->known ? fmax(t->v[0] - best->v[0], 0) : NAN;
        if (!price->known && !wsk_seek_left(s))
            continue; /* the price stays unknown, because the search may compute no more cases */
        price->binds = !price->known || price->more > wsk_seek_floor(best->v[0]);
    }
}

/* Finds the case that violates all limits together the least. Used if giving up a single limit does not solve the
 * conflict. */
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

/* State of a case in the search for the Pareto front. Cases that do not keep the distances from the limits that the
 * best case needs are left out. Each other case that could be on the front is tested with its own uncertainty. */
typedef enum { LEFT_OUT, UNTESTED, KEEPS, FAILS } standing;
typedef struct {
    standing *of; /* per known case */
    size_t count, tests;
} standings;

static bool is_uncertain(const wsk_seeker *s)
{
    for (size_t i = 0; i < s->o->limits; i++)
        if (!s->o->certain[i])
            return true;
    return false;
}

/* Extends the list to the cases that were computed since the last call. */
static bool grow(wsk_seeker *s, standings *f)
{
    const wsk_asked q = wsk_seek_ask(s);
    standing *of = wsk_alloc(s->arena, (s->count + 1) * sizeof *of);
    if (!of) {
        s->status = WSK_ENOMEM;
        return false;
    }
    for (size_t i = 0; i < s->count; i++) {
        bool known = true;
        for (size_t g = 0; g < s->o->goals; g++)
            known = known && !isnan(s->all[i].v[g]);
        of[i] = i < f->count                                         ? f->of[i]
                : !known || wsk_asked_broken(s, &q, s->all[i].v) > 0 ? LEFT_OUT
                : is_uncertain(s)                                    ? UNTESTED
                                                                     : KEEPS;
    }
    f->of = of;
    f->count = s->count;
    return true;
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

static void find_spans(const wsk_seeker *s, const standings *f, wsk_asked *q)
{
    for (size_t g = 0; g < s->o->goals; g++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < f->count; i++)
            if (f->of[i] == UNTESTED || f->of[i] == KEEPS) {
                low = fmin(low, s->all[i].v[g]);
                high = fmax(high, s->all[i].v[g]);
            }
        q->least[g] = isfinite(low) ? low : 0;
        q->span[g] = high > low ? high - low : 1;
    }
}

static int by_first_goal(const void *x, const void *y)
{
    const wsk_tried *const *a = x, *const *b = y;
    return (*a)->v[0] < (*b)->v[0] ? -1 : (*a)->v[0] > (*b)->v[0];
}

/* Lists the cases that no other case dominates, sorted by the first goal. tested: only cases that passed the test
 * count; else untested cases count, too. */
static size_t list_front(const wsk_seeker *s, const standings *f, bool tested, const wsk_tried **out)
{
    size_t n = 0;
    const standing least = tested ? KEEPS : UNTESTED;
    for (size_t i = 0; i < f->count; i++) {
        bool on = f->of[i] >= least && f->of[i] <= KEEPS;
        for (size_t k = 0; k < f->count && on; k++)
            on = k == i || f->of[k] < least || f->of[k] > KEEPS || !dominates(s, &s->all[k], &s->all[i]);
        if (on)
            out[n++] = &s->all[i];
    }
    if (n)
        qsort(out, n, sizeof *out, by_first_goal);
    return n;
}

/* Tests up to WSK_PICKS cases of the front, spread over it. need: is raised to the distances from the limits that the
 * failing cases need. False: no case is left to test. */
static bool test_some(wsk_seeker *s, standings *f, const wsk_tried **row, double need[WSK_OPTIMISE_LIMITS])
{
    int levels[WSK_PICKS * WSK_SETTINGS_MAX];
    const wsk_doubt *doubts[WSK_PICKS], *doubt;
    size_t left = 0, n = list_front(s, f, false, row);
    for (size_t i = 0; i < n; i++)
        if (f->of[row[i] - s->all] == UNTESTED)
            row[left++] = row[i];
    n = left < WSK_PICKS ? left : WSK_PICKS;
    for (size_t i = 0; i < n; i++) {
        row[i] = row[i * left / n];
        memcpy(&levels[i * s->n], row[i]->levels, s->n * sizeof *levels);
    }
    if (!n || !wsk_seek_doubt(s, levels, n, doubts))
        return false;
    for (size_t i = 0; i < n && s->status == WSK_OK; i++) {
        const bool keeps = wsk_seek_keeps(s, row[i], &doubt);
        f->of[row[i] - s->all] = keeps ? KEEPS : FAILS;
        f->tests++;
        double own[WSK_OPTIMISE_LIMITS];
        memcpy(own, need, sizeof own);
        if (!keeps)
            wsk_seek_needs(s, row[i], own);
        for (size_t k = 0; k < s->o->limits; k++)
            need[k] = fmax(need[k], own[k]);
    }
    return s->status == WSK_OK;
}

static void search_front(wsk_seeker *s, const standings *f)
{
    enum { SHARES = 8 };
    const size_t goals = s->o->goals;
    for (int a = 0; a <= SHARES && !s->stopped && s->status == WSK_OK; a++)
        for (int b = 0; b <= (goals > 2 ? SHARES - a : 0) && !s->stopped; b += 2) {
            wsk_asked q = wsk_seek_ask(s);
            const double rest = goals > 2 ? SHARES - a - b : 0,
                         weights[WSK_OPTIMISE_GOALS] = {a + 0.05, (goals > 2 ? b : SHARES - a) + 0.05, rest + 0.05};
            find_spans(s, f, &q);
            q.weights = weights;
            wsk_seek(s, &q, 2 * WSK_PICKS);
        }
}

/* The best case must be the first row. If another case comes first, it becomes the best case if it also keeps the
 * limits in a run tick by tick; else it is dropped. */
static size_t settle_best(wsk_seeker *s, standings *f, const wsk_tried **row, const wsk_tried **best)
{
    const wsk_doubt *doubt;
    size_t n;
    while ((n = list_front(s, f, true, row)) > 0 && row[0] != *best && s->status == WSK_OK) {
        if (!s->stopped && wsk_seek_verified(s, row[0], &doubt))
            *best = row[0];
        else
            f->of[row[0] - s->all] = FAILS;
    }
    return n;
}

const wsk_tried *wsk_seek_front(wsk_seeker *s, const wsk_tried *best)
{
    enum { PASSES = 2, TESTS = 64, FRONT_MAX = 200 };
    standings f = {0};
    double need[WSK_OPTIMISE_LIMITS], first[WSK_OPTIMISE_LIMITS];
    int at[WSK_SETTINGS_MAX];
    const wsk_tried **row = NULL;
    memcpy(at, best->levels, s->n * sizeof *at);
    memcpy(first, s->need, sizeof first);
    memcpy(need, s->need, sizeof need);
    for (int pass = 0; pass < PASSES && s->status == WSK_OK; pass++) {
        if (!grow(s, &f))
            return best;
        /* the second search keeps the distances that the failing cases of the first search needed */
        memcpy(s->need, need, sizeof need);
        search_front(s, &f);
        memcpy(s->need, first, sizeof first);
        row = wsk_alloc(s->arena, (s->count + 1) * sizeof *row);
        best = wsk_seek_known(s, at); /* the list of cases may have been reallocated */
        if (!row || !grow(s, &f))
            s->status = s->status == WSK_OK ? WSK_ENOMEM : s->status;
        if (s->status != WSK_OK)
            return best;
        f.of[best - s->all] = KEEPS;
        const size_t most = (size_t)(pass + 1) * TESTS / PASSES;
        while (f.tests < most && !s->stopped && test_some(s, &f, row, need))
            ;
        if (!memcmp(need, first, s->o->limits * sizeof *need))
            break;
    }
    size_t n = row && s->status == WSK_OK ? settle_best(s, &f, row, &best) : 0;
    n = n < FRONT_MAX ? n : FRONT_MAX;
    wsk_optimised *front = wsk_alloc(s->arena, (n + 1) * sizeof *front);
    for (size_t i = 0; front && i < n; i++)
        front[i] = (wsk_optimised){.levels = row[i]->levels, .point = row[i]->v};
    if (!front)
        s->status = WSK_ENOMEM;
    s->out->front = front;
    s->out->front_count = front ? n : 0;
    return best;
}
