/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/optimise/optimise.h"

double wsk_seek_floor(double value)
{
    return 1e-3 * fabs(value);
}

wsk_asked wsk_seek_ask(const wsk_seeker *s)
{
    wsk_asked q = {.limit = -1, .rough = true};
    memcpy(q.need, s->need, sizeof q.need);
    return q;
}

double wsk_asked_value(const wsk_seeker *s, const wsk_asked *q, const double *v)
{
    double most = -INFINITY, sum = 0;
    if (q->limit >= 0)
        return -v[s->o->goals + (size_t)q->limit];
    if (!q->weights)
        return v[0];
    for (size_t i = 0; i < s->o->goals; i++) {
        const double share = q->weights[i] * (v[i] - q->least[i]) / q->span[i];
        if (isnan(share))
            return NAN;
        most = fmax(most, share);
        sum += share;
    }
    return most + 0.05 * sum;
}

/* Range of a limit's measure over the known cases; makes violations of limits with different units comparable. */
static double range_of(const wsk_seeker *s, size_t limit)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < s->count; i++) {
        const double v = s->all[i].v[s->o->goals + limit];
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    return high > low ? high - low : 1;
}

double wsk_asked_broken(const wsk_seeker *s, const wsk_asked *q, const double *v)
{
    double sum = 0;
    for (size_t i = 0; i < s->o->limits; i++) {
        if (!isfinite(q->need[i]))
            continue;
        const double by = q->need[i] - v[s->o->goals + i];
        if (isnan(by))
            sum += 100;
        else if (by > 0)
            sum += by / range_of(s, i);
    }
    return sum;
}

bool wsk_asked_better(const wsk_seeker *s, const wsk_asked *q, const wsk_tried *a, const wsk_tried *b)
{
    const double va = wsk_asked_value(s, q, a->v), vb = wsk_asked_value(s, q, b->v);
    if (isnan(va) || isnan(vb))
        return isnan(vb) && !isnan(va);
    const double ba = wsk_asked_broken(s, q, a->v), bb = wsk_asked_broken(s, q, b->v);
    return ba < bb || (ba <= bb && va < vb);
}

const wsk_tried *wsk_seek_best(const wsk_seeker *s, const wsk_asked *q)
{
    const wsk_tried *best = NULL;
    for (size_t i = 0; i < s->count; i++)
        if (!isnan(wsk_asked_value(s, q, s->all[i].v)) && (!best || wsk_asked_better(s, q, &s->all[i], best)))
            best = &s->all[i];
    return best;
}

static int by_goal(const void *x, const void *y)
{
    const wsk_tried *const *a = x, *const *b = y;
    return (*a)->v[0] < (*b)->v[0] ? -1 : (*a)->v[0] > (*b)->v[0] ? 1 : *a < *b ? -1 : *a > *b;
}

size_t wsk_seek_list(wsk_seeker *s, const wsk_asked *q, double below, const wsk_tried **out, size_t room)
{
    const wsk_tried **all = wsk_alloc(s->arena, (s->count + 1) * sizeof *all);
    size_t n = 0;
    for (size_t i = 0; all && i < s->count; i++)
        if (s->all[i].v[0] < below && wsk_asked_broken(s, q, s->all[i].v) <= 0)
            all[n++] = &s->all[i];
    if (n)
        qsort(all, n, sizeof *all, by_goal);
    const size_t listed = n < room ? n : room;
    for (size_t i = 0; i < listed; i++)
        out[i] = all[i * n / listed];
    return listed;
}

double wsk_seek_size(const wsk_seeker *s)
{
    double size = 1;
    for (size_t i = 0; i < s->n; i++)
        size *= (double)s->o->settings[i].count;
    return size;
}

double wsk_seek_apart(const wsk_seeker *s, const int *a, const int *b)
{
    double sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        const wsk_setting *one = &s->o->settings[i];
        const double d = !one->ordered ? a[i] != b[i] : (a[i] - b[i]) / fmax((double)one->count - 1, 1);
        sum += d * d;
    }
    return sqrt(sum / (double)s->n);
}
