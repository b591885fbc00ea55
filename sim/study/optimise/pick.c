/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Proposes, from many candidates, the cases with the largest expected improvement times the probability that they
 * keep the limits (Jones, Schonlau and Welch 1998; with limits: Schonlau 1997). Kriging through the known cases
 * predicts their values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/num/kriging.h"
#include "sim/study/optimise/optimise.h"

enum { KNOWN_MAX = 220, DRAWN = 900 }; /* most cases that Kriging interpolates; number of candidates */

static double draw(wsk_seeker *s) /* random number from 0 to 1, by xorshift64* (Vigna 2016) */
{
    s->random ^= s->random >> 12;
    s->random ^= s->random << 25;
    s->random ^= s->random >> 27;
    return (double)((s->random * UINT64_C(2685821657736338717)) >> 11) * 0x1p-53;
}

static size_t dimensions(const wsk_seeker *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        n += s->o->settings[i].ordered ? 1 : s->o->settings[i].count;
    return n;
}

/* Coordinates for Kriging: an ordered setting is one coordinate. Any other setting has one coordinate per value, so
 * that all its values are equally far apart. */
static void place(const wsk_seeker *s, const int *levels, double *x)
{
    for (size_t i = 0; i < s->n; i++) {
        const wsk_setting *one = &s->o->settings[i];
        for (size_t k = 0; k < one->count && !one->ordered; k++)
            *x++ = k == (size_t)levels[i] ? 0.85 : 0.15;
        if (one->ordered)
            *x++ = one->count > 1 ? (double)levels[i] / (double)(one->count - 1) : 0.5;
    }
}

static int draw_level(wsk_seeker *s, size_t i)
{
    return (int)(draw(s) * (double)s->o->settings[i].count);
}

/* Changes some settings at random; ordered settings move by small steps more often than by large ones. */
static void draw_near(wsk_seeker *s, const int *from, int *out)
{
    bool moved = false;
    memcpy(out, from, s->n * sizeof *out);
    while (!moved)
        for (size_t i = 0; i < s->n; i++) {
            const int last = (int)s->o->settings[i].count - 1;
            if (last == 0 || draw(s) > fmax(0.3, 1. / (double)s->n))
                moved = moved || s->n == 1;
            else if (!s->o->settings[i].ordered)
                out[i] = draw_level(s, i), moved = true;
            else {
                const double reach = pow(0.5 * last + 1, draw(s));
                const int to = out[i] + (draw(s) < 0.5 ? -1 : 1) * (int)reach;
                out[i] = to < 0 ? 0 : to > last ? last : to;
                moved = true;
            }
        }
}

static size_t draw_candidates(wsk_seeker *s, const wsk_tried *const *best, size_t best_count, int *out)
{
    const double size = wsk_seek_size(s);
    const bool all = size <= DRAWN;
    size_t n = 0;
    for (size_t i = 0; i < (all ? (size_t)size : DRAWN); i++) {
        int *mine = &out[n * s->n];
        size_t rest = i;
        for (size_t k = 0; k < s->n; k++, rest = all ? rest / s->o->settings[k - 1].count : 0)
            mine[k] = all ? (int)(rest % s->o->settings[k].count) : 0;
        if (!all && (i % 2 == 0 || !best_count))
            for (size_t k = 0; k < s->n; k++)
                mine[k] = draw_level(s, k);
        else if (!all)
            draw_near(s, best[i / 2 % best_count]->levels, mine);
        wsk_seek_straighten(s, mine);
        n += !wsk_seek_known(s, mine);
    }
    return n;
}

static double below(double x) /* cumulative normal distribution */
{
    return 0.5 * erfc(-x / sqrt(2));
}

typedef struct {
    const wsk_seeker *s;
    const wsk_asked *q;
    wsk_kriging k;
    wsk_kriged f[WSK_MEASURES_MAX];
    double *work, *x;
    double best; /* value of the best known case that keeps the limits; INFINITY: no case does */
} judge;

/* Expected improvement times the probability of keeping the limits; only that probability if no known case keeps
 * them. */
static double promise(const judge *j, const int *levels)
{
    const wsk_seeker *s = j->s;
    double mean[WSK_MEASURES_MAX], sd[WSK_MEASURES_MAX], chance = 1, spread = 0;
    place(s, levels, j->x);
    for (size_t i = 0; i < s->m; i++)
        wsk_kriging_at(&j->k, &j->f[i], j->x, j->work, &mean[i], &sd[i]);
    for (size_t i = 0; i < s->o->limits; i++)
        if (isfinite(j->q->need[i]))
            chance *= below((mean[s->o->goals + i] - j->q->need[i]) / fmax(sd[s->o->goals + i], 1e-12));
    if (!isfinite(j->best))
        return chance;
    const double value = wsk_asked_value(s, j->q, mean);
    if (j->q->limit >= 0)
        spread = sd[s->o->goals + (size_t)j->q->limit];
    else if (!j->q->weights)
        spread = sd[0];
    else
        for (size_t i = 0; i < s->o->goals; i++)
            spread = fmax(spread, j->q->weights[i] * sd[i] / j->q->span[i]);
    const double by = j->best - value, u = by / fmax(spread, 1e-12);
    return chance * (by * below(u) + spread * 0.3989422804014327 * exp(-u * u / 2));
}

typedef struct {
    const wsk_tried *t;
    double broken, value;
} ranked;

static int by_rank(const void *x, const void *y)
{
    const ranked *a = x, *b = y;
    if (a->broken < b->broken || a->broken > b->broken)
        return a->broken < b->broken ? -1 : 1;
    if (a->value < b->value || a->value > b->value)
        return a->value < b->value ? -1 : 1;
    return a->t < b->t ? -1 : a->t > b->t;
}

static ranked *rank_known(const wsk_seeker *s, const wsk_asked *q, wsk_arena *arena)
{
    ranked *all = wsk_alloc(arena, (s->count + 1) * sizeof *all);
    for (size_t i = 0; all && i < s->count; i++) {
        const double value = wsk_asked_value(s, q, s->all[i].v);
        all[i] = (ranked){&s->all[i], isnan(value) ? INFINITY : wsk_asked_broken(s, q, s->all[i].v),
                          isnan(value) ? INFINITY : value};
    }
    if (all && s->count)
        qsort(all, s->count, sizeof *all, by_rank);
    return all;
}

/* For a case that could not be built, the worst known value is used. */
static bool fit(judge *j, wsk_arena *arena, const ranked *known, size_t n)
{
    const wsk_seeker *s = j->s;
    const size_t dims = dimensions(s);
    double *x = wsk_alloc(arena, (n * dims + 1) * sizeof *x), *y = wsk_alloc(arena, (n + 1) * sizeof *y);
    j->x = wsk_alloc(arena, (dims + 1) * sizeof *j->x);
    j->work = wsk_alloc(arena, (2 * n + 1) * sizeof *j->work);
    if (!x || !y || !j->x || !j->work)
        return false;
    for (size_t i = 0; i < n; i++)
        place(s, known[i].t->levels, &x[i * dims]);
    if (!wsk_kriging_make(&j->k, arena, x, n, dims))
        return false;
    for (size_t m = 0; m < s->m; m++) {
        double worst = NAN;
        for (size_t i = 0; i < n; i++) {
            const double v = known[i].t->v[m];
            worst = isnan(worst) || (m < s->o->goals ? v > worst : v < worst) ? v : worst;
        }
        for (size_t i = 0; i < n; i++)
            y[i] = isnan(known[i].t->v[m]) ? isnan(worst) ? 0 : worst : known[i].t->v[m];
        if (!wsk_kriging_fit(&j->k, arena, y, &j->f[m]))
            return false;
    }
    return true;
}

/* Each choice lowers the scores of candidates near it, so that a batch is spread out. */
static size_t take(const wsk_seeker *s, const int *drawn, double *score, size_t n, int *out)
{
    size_t taken = 0;
    for (; taken < WSK_PICKS; taken++) {
        size_t best = n;
        for (size_t i = 0; i < n; i++)
            best = score[i] >= 0 && (best == n || score[i] > score[best]) ? i : best;
        if (best == n)
            break;
        memcpy(&out[taken * s->n], &drawn[best * s->n], s->n * sizeof *out);
        score[best] = -1;
        for (size_t i = 0; i < n; i++) {
            const double d = wsk_seek_apart(s, &drawn[i * s->n], &drawn[best * s->n]) / 0.08;
            score[i] *= d == 0 ? -1 : 1 - exp(-d * d / 2);
        }
    }
    return taken;
}

size_t wsk_seek_pick(wsk_seeker *s, const wsk_asked *q, int *levels)
{
    wsk_arena *arena = wsk_arena_new();
    judge j = {.s = s, .q = q, .best = INFINITY};
    ranked *known = arena ? rank_known(s, q, arena) : NULL;
    int *drawn = known ? wsk_alloc(arena, DRAWN * s->n * sizeof *drawn) : NULL;
    double *score = drawn ? wsk_alloc(arena, DRAWN * sizeof *score) : NULL;
    size_t n = 0, near = 0;
    if (score) {
        const size_t used = s->count < KNOWN_MAX ? s->count : KNOWN_MAX;
        const wsk_tried *best[4];
        for (; near < 4 && near < s->count && isfinite(known[near].value); near++)
            best[near] = known[near].t;
        if (s->count && known[0].broken <= 0)
            j.best = known[0].value;
        n = draw_candidates(s, best, near, drawn);
        const bool fits = used > 0 && fit(&j, arena, known, used);
        for (size_t i = 0; i < n; i++)
            score[i] = fits ? promise(&j, &drawn[i * s->n]) : 1;
        n = take(s, drawn, score, n, levels);
    } else {
        s->status = WSK_ENOMEM;
    }
    wsk_arena_free(arena);
    return n;
}
