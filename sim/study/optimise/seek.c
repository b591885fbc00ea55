/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One search for the best case. If the settings have few combinations, all are computed. Else the search computes
 * first cases that fill the space evenly (Sobol), then the most promising cases (pick.c), then neighbours of
 * the best case until none is better. The neighbours are left out if wsk_asked.rough is set and they are costly.
 * wsk_seek_elsewhere searches the neighbours of other cases. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "sim/num/design.h"
#include "sim/study/optimise/optimise.h"

static bool try_design(wsk_seeker *s, size_t count)
{
    double *u = wsk_alloc(s->arena, count * s->n * sizeof *u);
    int *levels = wsk_alloc(s->arena, count * s->n * sizeof *levels);
    if (!u || !levels || wsk_design_fill(WSK_DESIGN_SOBOL, s->o->seed, count, s->n, u) != WSK_OK) {
        s->status = WSK_ENOMEM;
        return false;
    }
    for (size_t i = 0; i < count * s->n; i++)
        levels[i] = (int)(u[i] * (double)s->o->settings[i % s->n].count);
    for (size_t first = 0; first < count; first += WSK_PICKS)
        if (!wsk_seek_try(s, &levels[first * s->n], count - first < WSK_PICKS ? count - first : WSK_PICKS))
            return false;
    return true;
}

size_t wsk_seek_left(const wsk_seeker *s)
{
    return !s->o->most ? SIZE_MAX : s->o->most > s->count ? s->o->most - s->count : 0;
}

bool wsk_seek_all(wsk_seeker *s)
{
    const size_t size = (size_t)wsk_seek_size(s);
    int *levels = wsk_alloc(s->arena, size * s->n * sizeof *levels);
    if (!levels) {
        s->status = WSK_ENOMEM;
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        size_t rest = i;
        for (size_t k = 0; k < s->n; rest /= s->o->settings[k++].count)
            levels[i * s->n + k] = (int)(rest % s->o->settings[k].count);
    }
    for (size_t first = 0; first < size; first += WSK_PICKS)
        if (!wsk_seek_try(s, &levels[first * s->n], size - first < WSK_PICKS ? size - first : WSK_PICKS))
            return false;
    s->out->complete = true;
    return true;
}

bool wsk_seek_is_costly(const wsk_seeker *s)
{
    return s->by_run && s->n > 3;
}

/* True if the case violates the limits less than `broken`, or its value is below `value` by enough to continue the
 * search. In a costly search, an improvement that is not significant (wsk_seek_floor) is not enough. */
static bool is_progress(const wsk_seeker *s, const wsk_asked *q, const wsk_tried *t, double value, double broken)
{
    const double least = wsk_seek_is_costly(s) ? wsk_seek_floor(value) : 1e-4 * fabs(value);
    return wsk_asked_broken(s, q, t->v) < broken || wsk_asked_value(s, q, t->v) < value - least;
}

/* Lists cases in which one setting is changed. If `pairs`: cases in which two ordered settings are changed by one step
 * each, with which a search can move along a limit. */
static size_t list_neighbours(const wsk_seeker *s, const int *at, bool pairs, int *out, size_t room)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        const wsk_setting *one = &s->o->settings[i];
        for (int to = 0; to < (int)one->count && !pairs && n < room; to++) {
            if (to == at[i] || (one->ordered && to != at[i] - 1 && to != at[i] + 1))
                continue;
            memcpy(&out[n * s->n], at, s->n * sizeof *out);
            out[n++ * s->n + i] = to;
        }
        for (size_t k = 0; k < i && pairs && one->ordered; k++)
            for (int way = 0; way < 4 && s->o->settings[k].ordered && n < room; way++) {
                const int a = at[i] + (way & 1 ? 1 : -1), b = at[k] + (way & 2 ? 1 : -1);
                if (a < 0 || a >= (int)one->count || b < 0 || b >= (int)s->o->settings[k].count)
                    continue;
                memcpy(&out[n * s->n], at, s->n * sizeof *out);
                out[n * s->n + i] = a;
                out[n++ * s->n + k] = b;
            }
    }
    return n;
}

static const wsk_tried *descend(wsk_seeker *s, const wsk_asked *q, size_t most)
{
    enum { ROOM = 160 };
    int *near = wsk_alloc(s->arena, ROOM * s->n * sizeof *near);
    const wsk_tried *best = wsk_seek_best(s, q);
    const size_t stop = s->count + most;
    const bool costly = wsk_seek_is_costly(s);
    if (!near) {
        s->status = WSK_ENOMEM;
        return best;
    }
    for (bool pairs = false; best && s->count < stop;) {
        int here[WSK_SETTINGS_MAX];
        memcpy(here, best->levels, s->n * sizeof *here);
        const double value = wsk_asked_value(s, q, best->v), broken = wsk_asked_broken(s, q, best->v);
        const size_t left = stop - s->count, n = list_neighbours(s, here, pairs, near, left < ROOM ? left : ROOM);
        if (!wsk_seek_try(s, near, n))
            break;
        best = wsk_seek_best(s, q);
        const bool moved = memcmp(best->levels, here, s->n * sizeof *here) != 0;
        if ((!moved && (pairs || costly)) || (costly && !is_progress(s, q, best, value, broken)))
            break;
        pairs = !moved;
    }
    return wsk_seek_best(s, q);
}

/* Lists cases in which one ordered setting is changed by the share `share` of its range, but at least by one step. */
static size_t list_at_distance(const wsk_seeker *s, const int *at, double share, int *out, size_t room)
{
    size_t n = 0;
    for (size_t i = 0; i < 2 * s->n && n < room; i++) {
        const wsk_setting *one = &s->o->settings[i / 2];
        const int last = (int)one->count - 1, step = (int)fmax(share * last, 1),
                  to = i % 2 ? at[i / 2] + step : at[i / 2] - step;
        if (!one->ordered)
            continue;
        memcpy(&out[n * s->n], at, s->n * sizeof *out);
        out[n++ * s->n + i / 2] = to < 0 ? 0 : to > last ? last : to;
    }
    return n;
}

/* Moves a case to its best neighbour until none is better. It starts with steps of a quarter of each range and ends
 * with single steps. The goal is not smooth, so that small steps alone would end in the nearest local minimum. */
static bool climb(wsk_seeker *s, const wsk_asked *q, int *at, int *near, size_t room, size_t most)
{
    double share = 0.25;
    for (bool pairs = false; s->count < most;) {
        const size_t left = most - s->count, fits = left < room ? left : room,
                     n = share > 0.01 ? list_at_distance(s, at, share, near, fits)
                                      : list_neighbours(s, at, pairs, near, fits);
        if (!wsk_seek_try(s, near, n))
            return false;
        const wsk_tried *best = wsk_seek_known(s, at);
        for (size_t i = 0; i < n; i++) {
            wsk_seek_straighten(s, &near[i * s->n]);
            const wsk_tried *t = wsk_seek_known(s, &near[i * s->n]);
            best = t && (!best || wsk_asked_better(s, q, t, best)) ? t : best;
        }
        const bool moved = best && memcmp(best->levels, at, s->n * sizeof *at) != 0;
        if (moved)
            memcpy(at, best->levels, s->n * sizeof *at);
        else if (pairs)
            break;
        pairs = !moved && share <= 0.01;
        share = moved ? share : share / 2;
    }
    return true;
}

/* The best known case that is far from each of the k cases in `from`. */
static const wsk_tried *best_far(const wsk_seeker *s, const wsk_asked *q, const int *from, size_t k)
{
    static const double far = 0.25; /* a quarter of all ranges */
    const wsk_tried *best = NULL;
    for (size_t i = 0; i < s->count; i++) {
        const wsk_tried *t = &s->all[i];
        bool is_far = !isnan(wsk_asked_value(s, q, t->v));
        for (size_t j = 0; is_far && j < k; j++)
            is_far = wsk_seek_apart(s, t->levels, &from[j * s->n]) > far;
        best = is_far && (!best || wsk_asked_better(s, q, t, best)) ? t : best;
    }
    return best;
}

void wsk_seek_elsewhere(wsk_seeker *s, const wsk_asked *q, size_t most)
{
    enum { STARTS = 6, ROOM = 160 };
    int *from = wsk_alloc(s->arena, 2 * (STARTS + 1) * s->n * sizeof *from);
    int *near = wsk_alloc(s->arena, ROOM * s->n * sizeof *near);
    const wsk_tried *t = wsk_seek_best(s, q);
    size_t k = 0;
    if (!from || !near) {
        s->status = WSK_ENOMEM;
        return;
    }
    for (int i = 0; t && i <= STARTS && s->count < most && !s->stopped && s->status == WSK_OK; i++) {
        int *at = &from[++k * s->n];
        memcpy(at - s->n, t->levels, s->n * sizeof *at);
        memcpy(at, t->levels, s->n * sizeof *at);
        if (i > 0 && !climb(s, q, at, near, ROOM, most))
            break;
        t = best_far(s, q, from, ++k);
    }
}

const wsk_tried *wsk_seek(wsk_seeker *s, const wsk_asked *q, size_t most)
{
    enum { PATIENCE = 4, PATIENCE_COSTLY = 2, SMALL = 64 };
    const size_t allowed = wsk_seek_left(s), stop = s->count + (most < allowed ? most : allowed), fill = 8 + 4 * s->n,
                 filling = fill < stop ? fill : stop;
    const int patience = wsk_seek_is_costly(s) ? PATIENCE_COSTLY : PATIENCE;
    const double size = wsk_seek_size(s);
    if (s->out->complete || (size <= SMALL && size <= (double)s->count + (double)allowed)) {
        if (!s->out->complete)
            wsk_seek_all(s);
        return wsk_seek_best(s, q);
    }
    if (s->count < filling && !try_design(s, filling))
        return wsk_seek_best(s, q);
    int *picks = wsk_alloc(s->arena, WSK_PICKS * s->n * sizeof *picks);
    const wsk_tried *best = wsk_seek_best(s, q);
    for (int idle = 0; picks && best && idle < patience && s->count < stop;) {
        const double value = wsk_asked_value(s, q, best->v), broken = wsk_asked_broken(s, q, best->v);
        const size_t picked = wsk_seek_pick(s, q, picks), n = picked < stop - s->count ? picked : stop - s->count;
        if (n == 0 || !wsk_seek_try(s, picks, n))
            break;
        best = wsk_seek_best(s, q);
        idle = is_progress(s, q, best, value, broken) ? 0 : idle + 1;
    }
    return s->stopped || s->status != WSK_OK || (q->rough && wsk_seek_is_costly(s))
               ? best
               : descend(s, q, stop > s->count ? stop - s->count : 0);
}
