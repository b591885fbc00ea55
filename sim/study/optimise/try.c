/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes batches of cases. A case that the caller saved earlier (calls.recall) is not computed again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/optimise/optimise.h"

typedef enum { POINT = WSK_AT_POINT, RUN = WSK_BY_STRIDES, CHECK = WSK_BY_TICKS, DOUBT } what;
typedef struct {
    const wsk_seeker *s;
    what what;
    const int *levels; /* [k][n]: index of each setting's value, case after case */
    double **out;
    size_t *count;
    wsk_status *status;
} batch;

static void compute_one(void *work, size_t i)
{
    const batch *b = work;
    const int *levels = b->levels ? &b->levels[i * b->s->n] : NULL;
    if (b->count[i])
        return;
    if (b->what == DOUBT) {
        const wsk_tried *t = levels ? wsk_seek_known(b->s, levels) : &b->s->as_is;
        b->status[i] = wsk_case_effects(b->s, levels, b->s->by_run && t ? t->results : NULL, b->out[i], &b->count[i]);
    } else {
        b->status[i] = wsk_case_compute(b->s, levels, (wsk_case_way)b->what, b->out[i]);
        b->count[i] = wsk_case_numbers(b->s);
    }
}

static void write_key(const wsk_seeker *s, what w, const int *levels, char *key, size_t room)
{
    static const char *const names[] = {[POINT] = "point", [RUN] = "run", [CHECK] = "check", [DOUBT] = "doubt"};
    size_t at = (size_t)snprintf(key, room, "%s", names[w]);
    for (size_t i = 0; levels && i < s->n && at < room; i++)
        at += (size_t)snprintf(key + at, room - at, " %d", levels[i]);
}

enum { KEY_BYTES = 16 + 12 * WSK_SETTINGS_MAX };

static size_t room_of(const wsk_seeker *s, what w)
{
    return w == DOUBT ? (WSK_ERRORS_MAX + 2) * (s->m + 1) : wsk_case_numbers(s);
}

static bool compute_all(wsk_seeker *s, batch *b, size_t k)
{
    const wsk_optimise_calls *c = &s->o->calls;
    const size_t room = room_of(s, b->what);
    char key[KEY_BYTES];
    for (size_t i = 0; i < k; i++) {
        write_key(s, b->what, b->levels ? &b->levels[i * s->n] : NULL, key, sizeof key);
        b->count[i] = c->recall ? c->recall(c->ctx, key, b->out[i], room) : 0;
        b->count[i] = b->what == DOUBT || b->count[i] == room ? b->count[i] : 0;
        b->status[i] = WSK_OK;
    }
    bool *had = wsk_alloc(s->arena, k + 1);
    if (!had) {
        s->status = WSK_ENOMEM;
        return false;
    }
    for (size_t i = 0; i < k; i++)
        had[i] = b->count[i] > 0;
    if (c->together)
        c->together(c->ctx, k, compute_one, b);
    else
        for (size_t i = 0; i < k; i++)
            compute_one(b, i);
    for (size_t i = 0; i < k; i++) {
        if (b->status[i] != WSK_OK)
            s->status = b->status[i];
        write_key(s, b->what, b->levels ? &b->levels[i * s->n] : NULL, key, sizeof key);
        if (s->status == WSK_OK && !had[i] && b->count[i] && c->keep)
            c->keep(c->ctx, key, b->out[i], b->count[i]);
    }
    return s->status == WSK_OK;
}

static bool open_batch(wsk_seeker *s, batch *b, what w, const int *levels, size_t k)
{
    const size_t room = room_of(s, w);
    *b = (batch){.s = s, .what = w, .levels = levels};
    b->out = wsk_alloc(s->arena, (k + 1) * sizeof *b->out);
    b->count = wsk_alloc(s->arena, (k + 1) * sizeof *b->count);
    b->status = wsk_alloc(s->arena, (k + 1) * sizeof *b->status);
    for (size_t i = 0; b->out && i < k; i++)
        if (!(b->out[i] = wsk_alloc(s->arena, room * sizeof(double))))
            b->count = NULL;
    if (!b->out || !b->count || !b->status)
        s->status = WSK_ENOMEM;
    return s->status == WSK_OK;
}

static bool add_tried(wsk_seeker *s, wsk_tried **list, size_t *count, size_t *room, const int *levels,
                      const double *v)
{
    if (*count == *room) {
        const size_t more = 2 * *room + 64;
        wsk_tried *grown = wsk_alloc(s->arena, more * sizeof *grown);
        if (!grown)
            return false;
        if (*count)
            memcpy(grown, *list, *count * sizeof *grown);
        *list = grown;
        *room = more;
    }
    wsk_tried *t = &(*list)[*count];
    t->levels = wsk_alloc(s->arena, (s->n + 1) * sizeof *t->levels);
    if (!t->levels)
        return false;
    memcpy(t->levels, levels, s->n * sizeof *levels);
    memcpy(t->v, v, s->m * sizeof *v);
    memcpy(t->results, v + s->m, (wsk_case_numbers(s) - s->m) * sizeof *v);
    ++*count;
    return true;
}

static const wsk_tried *find_tried(const wsk_seeker *s, const wsk_tried *list, size_t count, const int *levels)
{
    for (size_t i = 0; i < count; i++)
        if (!memcmp(list[i].levels, levels, s->n * sizeof *levels))
            return &list[i];
    return NULL;
}

const wsk_tried *wsk_seek_known(const wsk_seeker *s, const int *levels)
{
    return find_tried(s, s->all, s->count, levels);
}

static bool goes_on(wsk_seeker *s)
{
    const wsk_optimise_calls *c = &s->o->calls;
    const wsk_asked q = wsk_seek_ask(s);
    const wsk_tried *best = wsk_seek_best(s, &q);
    const bool kept = best && wsk_asked_broken(s, &q, best->v) <= 0;
    const wsk_optimise_progress progress = {s->count, s->most, kept ? best->v : NULL, kept ? best->levels : NULL};
    s->stopped = s->stopped || (c->goes_on && !c->goes_on(c->ctx, &progress));
    return !s->stopped;
}

bool wsk_seek_try(wsk_seeker *s, const int *levels, size_t k)
{
    int *missing = wsk_alloc(s->arena, (k * s->n + 1) * sizeof *missing);
    size_t n = 0;
    for (size_t i = 0; missing && i < k; i++) {
        int *mine = &missing[n * s->n];
        memcpy(mine, &levels[i * s->n], s->n * sizeof *mine);
        wsk_seek_straighten(s, mine);
        bool again = wsk_seek_known(s, mine) != NULL;
        for (size_t j = 0; j < n && !again; j++)
            again = !memcmp(&missing[j * s->n], mine, s->n * sizeof *mine);
        n += !again;
    }
    batch b;
    if (!missing || !open_batch(s, &b, s->by_run ? RUN : POINT, missing, n) || !compute_all(s, &b, n)) {
        s->status = s->status == WSK_OK ? WSK_ENOMEM : s->status;
        return false;
    }
    for (size_t i = 0; i < n; i++)
        if (!add_tried(s, &s->all, &s->count, &s->room, &missing[i * s->n], b.out[i])) {
            s->status = WSK_ENOMEM;
            return false;
        }
    return goes_on(s);
}

static const wsk_tried *try_one(wsk_seeker *s, what w, const int *levels, wsk_tried **list, size_t *count,
                                size_t *room)
{
    const wsk_tried *known = find_tried(s, *list, *count, levels);
    batch b;
    if (known || !open_batch(s, &b, w, levels, 1) || !compute_all(s, &b, 1))
        return known;
    if (!add_tried(s, list, count, room, levels, b.out[0])) {
        s->status = WSK_ENOMEM;
        return NULL;
    }
    return &(*list)[*count - 1];
}

const wsk_tried *wsk_seek_run(wsk_seeker *s, const int *levels)
{
    if (s->by_run)
        return wsk_seek_try(s, levels, 1) || s->status == WSK_OK ? wsk_seek_known(s, levels) : NULL;
    return try_one(s, RUN, levels, &s->runs, &s->run_count, &s->run_room);
}

const wsk_tried *wsk_seek_check(wsk_seeker *s, const int *levels)
{
    return try_one(s, CHECK, levels, &s->checks, &s->check_count, &s->check_room);
}

void wsk_seek_as_is(wsk_seeker *s, double *point)
{
    batch b;
    for (size_t i = 0; i < s->m; i++)
        point[i] = s->as_is.v[i] = NAN;
    if (open_batch(s, &b, POINT, NULL, 1) && compute_all(s, &b, 1))
        memcpy(point, b.out[0], s->m * sizeof *point);
    if (open_batch(s, &b, RUN, NULL, 1) && compute_all(s, &b, 1)) {
        memcpy(s->as_is.v, b.out[0], s->m * sizeof *s->as_is.v);
        memcpy(s->as_is.results, b.out[0] + s->m, (wsk_case_numbers(s) - s->m) * sizeof *s->as_is.results);
    }
}

static int by_key(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return a < b ? -1 : a > b;
}

static wsk_doubt *make_doubt(wsk_seeker *s, const int *levels, double *numbers, size_t count)
{
    const size_t each = s->m + 1;
    wsk_doubt *d = wsk_alloc(s->arena, sizeof *d);
    int *own = wsk_alloc(s->arena, (s->n + 1) * sizeof *own);
    if (!d || !own)
        return NULL;
    if (levels)
        memcpy(own, levels, s->n * sizeof *own);
    qsort(numbers, count / each, each * sizeof *numbers, by_key);
    d->levels = own;
    d->ok = count > 0;
    d->count = count / each;
    uint64_t *key = wsk_alloc(s->arena, (d->count + 1) * sizeof *key);
    d->key = key;
    d->effect = wsk_alloc(s->arena, (d->count + 1) * sizeof *d->effect);
    if (!key || !d->effect)
        return NULL;
    for (size_t i = 0; i < d->count; i++) {
        key[i] = (uint64_t)numbers[i * each];
        for (size_t k = 0; k < s->m; k++) {
            d->effect[i][k] = numbers[i * each + 1 + k];
            d->sd[k] += d->effect[i][k] * d->effect[i][k];
        }
    }
    for (size_t k = 0; k < s->m; k++)
        d->sd[k] = d->ok ? sqrt(d->sd[k]) : NAN;
    return d;
}

static const wsk_doubt *find_doubt(const wsk_seeker *s, const int *levels)
{
    for (size_t i = 0; i < s->doubt_count; i++)
        if (!memcmp(s->doubts[i]->levels, levels, s->n * sizeof *levels))
            return s->doubts[i];
    return NULL;
}

static bool keep_doubt(wsk_seeker *s, wsk_doubt *d)
{
    if (s->doubt_count == s->doubt_room) {
        const size_t more = 2 * s->doubt_room + 32;
        wsk_doubt **grown = wsk_alloc(s->arena, more * sizeof *grown);
        if (!grown)
            return false;
        if (s->doubt_count)
            memcpy(grown, s->doubts, s->doubt_count * sizeof *grown);
        s->doubts = grown;
        s->doubt_room = more;
    }
    s->doubts[s->doubt_count++] = d;
    return true;
}

bool wsk_seek_doubt(wsk_seeker *s, const int *levels, size_t k, const wsk_doubt **out)
{
    int *missing = wsk_alloc(s->arena, (k * s->n + 1) * sizeof *missing);
    size_t n = 0;
    for (size_t i = 0; missing && i < k; i++)
        if (!find_doubt(s, &levels[i * s->n]))
            memcpy(&missing[n++ * s->n], &levels[i * s->n], s->n * sizeof *missing);
    batch b;
    if (!missing || !open_batch(s, &b, DOUBT, missing, n) || !compute_all(s, &b, n)) {
        s->status = s->status == WSK_OK ? WSK_ENOMEM : s->status;
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        wsk_doubt *d = make_doubt(s, &missing[i * s->n], b.out[i], b.count[i]);
        if (!d || !keep_doubt(s, d)) {
            s->status = WSK_ENOMEM;
            return false;
        }
    }
    for (size_t i = 0; i < k; i++)
        out[i] = find_doubt(s, &levels[i * s->n]);
    return true;
}

const wsk_doubt *wsk_seek_doubt_as_is(wsk_seeker *s)
{
    batch b;
    const wsk_doubt *d = NULL;
    if (open_batch(s, &b, DOUBT, NULL, 1) && compute_all(s, &b, 1) &&
        !(d = make_doubt(s, NULL, b.out[0], b.count[0])))
        s->status = WSK_ENOMEM;
    return d;
}

double wsk_doubt_between(const wsk_doubt *a, const wsk_doubt *b, size_t measure)
{
    double sum = 0;
    for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
        const bool left = j == b->count || (i < a->count && a->key[i] <= b->key[j]),
                   right = i == a->count || (j < b->count && b->key[j] <= a->key[i]);
        const double e = (left ? a->effect[i][measure] : 0) - (right ? b->effect[j][measure] : 0);
        sum += e * e;
        i += left;
        j += right;
    }
    return sqrt(sum);
}
