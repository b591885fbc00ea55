/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the cases whose difference from the best case is within the uncertainty: how far each setting may be moved
 * alone, and which of these cases has the simplest values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/optimise/optimise.h"

static double correction(const wsk_tried *point, const double *run, size_t measure)
{
    const double by = run[measure] - point->v[measure];
    return isfinite(by) ? by : 0;
}

void wsk_seek_needs(wsk_seeker *s, const wsk_tried *t, double need[WSK_OPTIMISE_LIMITS])
{
    const wsk_tried *run = wsk_seek_run(s, t->levels);
    const wsk_doubt *d = NULL;
    if (!run || !wsk_seek_doubt(s, t->levels, 1, &d) || !d)
        return;
    for (size_t i = 0; i < s->o->limits; i++) {
        const size_t m = s->o->goals + i;
        const double sd = isfinite(d->sd[m]) ? d->sd[m] : 0;
        need[i] = s->z * sd - correction(t, run->v, m);
    }
}

static bool keeps_limits(const wsk_seeker *s, const wsk_tried *run, const wsk_doubt *doubt)
{
    bool keeps = run && !isnan(run->v[0]);
    for (size_t i = 0; keeps && i < s->o->limits; i++) {
        const size_t m = s->o->goals + i;
        const double sd = isfinite(doubt->sd[m]) ? doubt->sd[m] : 0;
        keeps = run->v[m] >= s->z * sd - 1e-9 * fabs(run->v[m]);
    }
    return keeps;
}

bool wsk_seek_keeps(wsk_seeker *s, const wsk_tried *t, const wsk_doubt **doubt)
{
    const wsk_tried *run = wsk_seek_run(s, t->levels);
    *doubt = NULL;
    return run && wsk_seek_doubt(s, t->levels, 1, doubt) && *doubt && keeps_limits(s, run, *doubt);
}

bool wsk_seek_verified(wsk_seeker *s, const wsk_tried *t, const wsk_doubt **doubt)
{
    return wsk_seek_keeps(s, t, doubt) && keeps_limits(s, wsk_seek_check(s, t->levels), *doubt);
}

wsk_optimised wsk_seek_answer(wsk_seeker *s, const int *levels)
{
    const wsk_tried *point = wsk_seek_known(s, levels), *run = point ? wsk_seek_check(s, levels) : NULL;
    const wsk_doubt *d = NULL;
    if (run)
        wsk_seek_doubt(s, levels, 1, &d);
    return (wsk_optimised){point ? point->levels : NULL, point ? point->v : NULL, run ? run->v : NULL,
                           d && d->ok ? d->sd : NULL};
}

/* True if the case is as good as the best one, by its known values. `doubt`: uncertainty of the case; NULL: the
 * uncertainty of the best case is used instead, and no errors cancel. */
static bool is_as_good(const wsk_seeker *s, const wsk_tried *best, const wsk_doubt *of_best, const wsk_tried *t,
                       const wsk_doubt *doubt)
{
    if (!t || isnan(t->v[0]) || (doubt && !doubt->ok))
        return false;
    const double band = doubt ? wsk_doubt_between(of_best, doubt, 0) : of_best->sd[0],
                 more = s->z * band + wsk_seek_floor(best->v[0]);
    bool good = t->v[0] - best->v[0] <= more;
    for (size_t i = 0; i < s->o->limits && good; i++) {
        const size_t m = s->o->goals + i;
        const double had = isfinite(of_best->sd[m]) ? of_best->sd[m] : 0,
                     sd = doubt && isfinite(doubt->sd[m]) ? doubt->sd[m] : had;
        good = t->v[m] >= s->need[i] + s->z * (sd - had);
    }
    return good;
}

static bool test_cases(wsk_seeker *s, const wsk_tried *best, const wsk_doubt *of_best, const int *levels, size_t k,
                       bool *good)
{
    int *left = wsk_alloc(s->arena, (k * s->n + 1) * sizeof *left);
    size_t *which = wsk_alloc(s->arena, (k + 1) * sizeof *which), n = 0;
    const wsk_doubt **doubts = wsk_alloc(s->arena, (k + 1) * sizeof *doubts);
    if (!left || !which || !doubts || !wsk_seek_try(s, levels, k))
        return false;
    for (size_t i = 0; i < k; i++) {
        good[i] = false;
        memcpy(&left[n * s->n], &levels[i * s->n], s->n * sizeof *left);
        wsk_seek_straighten(s, &left[n * s->n]);
        /* if straightening raised another point of the curve, or undid the move, this is not the case to be tested */
        if (!memcmp(&left[n * s->n], &levels[i * s->n], s->n * sizeof *left) &&
            is_as_good(s, best, of_best, wsk_seek_known(s, &left[n * s->n]), NULL))
            which[n++] = i;
    }
    if (!wsk_seek_doubt(s, left, n, doubts))
        return false;
    for (size_t i = 0; i < n; i++)
        good[which[i]] = is_as_good(s, best, of_best, wsk_seek_known(s, &left[i * s->n]), doubts[i]);
    return true;
}

typedef struct {
    int good, bad, probe; /* steps from the best case: farthest good, nearest bad, next to test */
    bool done;
} reach;

/* Steps double until a case is not as good as the best, then bisect. Each round tests all settings in one batch. */
static bool find_reaches(wsk_seeker *s, const wsk_tried *best, const wsk_doubt *of_best, reach *r)
{
    int *levels = wsk_alloc(s->arena, 2 * s->n * s->n * sizeof *levels);
    size_t *which = wsk_alloc(s->arena, 2 * s->n * sizeof *which);
    bool *good = wsk_alloc(s->arena, 2 * s->n);
    if (!levels || !which || !good)
        return false;
    for (size_t i = 0; i < 2 * s->n; i++) {
        const wsk_setting *one = &s->o->settings[i / 2];
        const int room = i % 2 ? (int)one->count - 1 - best->levels[i / 2] : best->levels[i / 2];
        r[i] = (reach){0, room + 1, room < 1 ? room : 1, room == 0 || !one->ordered};
    }
    for (size_t n = 1; n;) {
        n = 0;
        for (size_t i = 0; i < 2 * s->n; i++) {
            if (r[i].done)
                continue;
            memcpy(&levels[n * s->n], best->levels, s->n * sizeof *levels);
            levels[n * s->n + i / 2] += i % 2 ? r[i].probe : -r[i].probe;
            which[n++] = i;
        }
        if (n && !test_cases(s, best, of_best, levels, n, good))
            return false;
        for (size_t k = 0; k < n; k++) {
            reach *one = &r[which[k]];
            *(good[k] ? &one->good : &one->bad) = one->probe;
            one->done = one->bad - one->good <= 1;
            one->probe = one->good && 2 * one->good < one->bad ? 2 * one->good : (one->good + one->bad) / 2;
        }
    }
    return true;
}

/* True if the case keeps the limits by a run of its own: test_cases knows only its steady point. */
static bool runs_well(wsk_seeker *s, const int *levels)
{
    const wsk_tried *t = wsk_seek_known(s, levels);
    const wsk_doubt *doubt;
    return !s->o->limits || (t && wsk_seek_verified(s, t, &doubt));
}

/* Shortens the reach of setting i in one direction (way: 1 or -1) to a case that keeps the limits. False: out of
 * memory, or the search must end. */
static bool shorten_reach(wsk_seeker *s, const wsk_tried *best, size_t i, int way, reach *r)
{
    int *levels = wsk_alloc(s->arena, s->n * sizeof *levels);
    int good = 0, bad = r->good + 1;
    if (!levels)
        return false;
    memcpy(levels, best->levels, s->n * sizeof *levels);
    for (int probe = r->good; bad - good > 1; probe = (good + bad) / 2) {
        levels[i] = best->levels[i] + way * probe;
        if (!wsk_seek_try(s, levels, 1))
            return false;
        *(runs_well(s, levels) ? &good : &bad) = probe;
    }
    r->good = good;
    return true;
}

static const bool *const *find_alike(wsk_seeker *s, const wsk_tried *best, const wsk_doubt *of_best)
{
    const bool **alike = wsk_alloc(s->arena, s->n * sizeof *alike);
    for (size_t i = 0; alike && i < s->n; i++) {
        const size_t count = s->o->settings[i].count;
        alike[i] = NULL;
        if (s->o->settings[i].ordered)
            continue;
        bool *good = wsk_alloc(s->arena, count);
        int *levels = wsk_alloc(s->arena, count * s->n * sizeof *levels);
        if (!good || !levels)
            return NULL;
        for (size_t k = 0; k < count; k++) {
            memcpy(&levels[k * s->n], best->levels, s->n * sizeof *levels);
            levels[k * s->n + i] = (int)k;
        }
        if (!test_cases(s, best, of_best, levels, count, good))
            return NULL;
        for (size_t k = 0; k < count; k++)
            good[k] = (int)k == best->levels[i] || (good[k] && runs_well(s, &levels[k * s->n]));
        alike[i] = good;
    }
    return alike;
}

/* Effort to remember a value: the number of its digits without zeros at both ends. A last digit 5 counts half. */
static double effort(const char *value)
{
    double digits = 0, zeros = 0;
    bool any = false, five = false;
    const char *end;
    if (isnan(wsk_number_at(value, &end)))
        return 1;
    for (const char *p = value; p < end; p++) {
        if (*p < '0' || *p > '9')
            continue;
        any = any || *p != '0';
        if (*p == '0') {
            zeros += any;
        } else {
            digits += zeros + 1;
            zeros = 0;
            five = *p == '5';
        }
    }
    return digits - (five ? 0.5 : 0);
}

static double effort_of(const wsk_seeker *s, const int *levels)
{
    double sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again = again || !strcmp(s->o->settings[i].values[levels[i]], s->o->settings[k].values[levels[k]]);
        sum += again ? 0.25 : effort(s->o->settings[i].values[levels[i]]);
    }
    return sum;
}

enum { ROUND = 3, SIMPLE_MAX = 243, TESTED = 32 };
typedef struct {
    double effort, far;
    int levels[WSK_SETTINGS_MAX];
} simple;

static int by_effort(const void *x, const void *y)
{
    const simple *a = x, *b = y;
    if (a->effort < b->effort || a->effort > b->effort)
        return a->effort < b->effort ? -1 : 1;
    return a->far < b->far ? -1 : a->far > b->far;
}

static size_t easiest(const wsk_seeker *s, size_t i, const int *best, int low, int high, int out[ROUND])
{
    size_t n = 0;
    out[n++] = best[i];
    while (n < ROUND) {
        int pick = -1;
        double least = INFINITY;
        for (int k = low; k <= high; k++) {
            bool has = false;
            for (size_t j = 0; j < n; j++)
                has = has || out[j] == k;
            const double e = effort(s->o->settings[i].values[k]) + 1e-3 * abs(k - best[i]);
            if (!has && e < least) {
                least = e;
                pick = k;
            }
        }
        if (pick < 0)
            break;
        out[n++] = pick;
    }
    return n;
}

static size_t list_simple(const wsk_seeker *s, const int *best, simple *out)
{
    int easy[WSK_SETTINGS_MAX][ROUND];
    size_t count[WSK_SETTINGS_MAX], size = 1, n = 0;
    for (size_t i = 0; i < s->n; i++) {
        count[i] = size <= SIMPLE_MAX / ROUND ? easiest(s, i, best, s->out->low[i], s->out->high[i], easy[i]) : 1;
        easy[i][0] = best[i];
        size *= count[i];
    }
    for (size_t c = 0; c < size; c++) {
        simple *one = &out[n];
        size_t rest = c;
        one->far = 0;
        for (size_t i = 0; i < s->n; rest /= count[i++]) {
            one->levels[i] = easy[i][rest % count[i]];
            one->far += abs(one->levels[i] - best[i]) / (double)s->o->settings[i].count;
        }
        wsk_seek_straighten(s, one->levels);
        one->effort = effort_of(s, one->levels);
        n += one->effort < effort_of(s, best);
    }
    if (n)
        qsort(out, n, sizeof *out, by_effort);
    return n;
}

/* Compares the rig as it is with the best case. Returns the first goal above which a case is worse than the rig as it
 * is, if that keeps the limits; else INFINITY. */
static double compare_as_is(wsk_seeker *s, const wsk_tried *best, const wsk_doubt *of_best)
{
    const wsk_doubt *doubt = wsk_seek_doubt_as_is(s);
    const wsk_tried *run = wsk_seek_run(s, best->levels);
    if (!doubt || !doubt->ok || !run || isnan(run->v[0]) || isnan(s->as_is.v[0]))
        return INFINITY;
    if (!keeps_limits(s, &s->as_is, doubt)) {
        s->out->as_is = WSK_AS_IS_BREAKS_LIMITS;
        return INFINITY;
    }
    const double floor = wsk_seek_floor(run->v[0]), more = s->z * wsk_doubt_between(of_best, doubt, 0) + floor,
                 by = s->as_is.v[0] - run->v[0];
    s->out->as_is = by > more ? WSK_AS_IS_WORSE : by < -more ? WSK_AS_IS_BETTER : WSK_AS_IS_AS_GOOD;
    return s->as_is.v[0] + floor;
}

/* worse: a case whose first goal is above this is left out. */
static void find_simplest(wsk_seeker *s, const wsk_tried *best, const wsk_doubt *of_best, double worse)
{
    simple *all = wsk_alloc(s->arena, SIMPLE_MAX * sizeof *all);
    int *levels = wsk_alloc(s->arena, WSK_PICKS * s->n * sizeof *levels);
    if (!all || !levels) {
        s->status = WSK_ENOMEM;
        return;
    }
    const size_t count = list_simple(s, best->levels, all), most = count < TESTED ? count : TESTED;
    for (size_t first = 0; first < most; first += WSK_PICKS) {
        const size_t n = most - first < WSK_PICKS ? most - first : WSK_PICKS;
        bool good[WSK_PICKS];
        for (size_t i = 0; i < n; i++)
            memcpy(&levels[i * s->n], all[first + i].levels, s->n * sizeof *levels);
        if (!test_cases(s, best, of_best, levels, n, good))
            return;
        for (size_t i = 0; i < n; i++) {
            const wsk_doubt *doubt;
            const wsk_tried *t = good[i] ? wsk_seek_known(s, &levels[i * s->n]) : NULL;
            if (t && wsk_seek_verified(s, t, &doubt) && wsk_seek_run(s, t->levels)->v[0] <= worse) {
                s->out->simplest = wsk_seek_answer(s, t->levels);
                return;
            }
        }
    }
}

void wsk_seek_flat(wsk_seeker *s, const wsk_tried *best)
{
    const wsk_doubt *of_best = NULL;
    reach *r = wsk_alloc(s->arena, 2 * s->n * sizeof *r);
    int *low = wsk_alloc(s->arena, s->n * sizeof *low), *high = wsk_alloc(s->arena, s->n * sizeof *high);
    if (!r || !low || !high || !wsk_seek_doubt(s, best->levels, 1, &of_best)) {
        s->status = s->status == WSK_OK ? WSK_ENOMEM : s->status;
        return;
    }
    bool found = of_best->ok && find_reaches(s, best, of_best, r);
    for (size_t i = 0; i < 2 * s->n && found; i++)
        found = shorten_reach(s, best, i / 2, i % 2 ? 1 : -1, &r[i]);
    if (!found || !(s->out->alike = find_alike(s, best, of_best)))
        return;
    for (size_t i = 0; i < s->n; i++) {
        low[i] = best->levels[i] - r[2 * i].good;
        high[i] = best->levels[i] + r[2 * i + 1].good;
    }
    s->out->low = low;
    s->out->high = high;
    s->out->band = s->z * of_best->sd[0];
    find_simplest(s, best, of_best, compare_as_is(s, best, of_best));
}
