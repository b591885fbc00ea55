/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the strides of a run, and checks those that were read from a checkpoint. Theory: docs/theory/time.md,
 * "Strides" */
#include <math.h>

#include "sim/step/stride.h"

bool wsk_stride_make(wsk_run *run)
{
    const wsk_cycle cycle = wsk_find_cycle(run, 0);
    static const char *const none[] = {[WSK_STRIDES_SHORT] = "short",
                                       [WSK_STRIDES_WEATHER] = "weather",
                                       [WSK_STRIDES_TRACE] = "trace",
                                       [WSK_STRIDES_BEAT] = "beat"};
    run->no_strides = none[cycle.fits];
    if (run->no_strides)
        return true;
    wsk_stride *s = run->stride = wsk_alloc(run->arena, sizeof *s);
    if (!s)
        return false;
    const int64_t long_run_ns = WSK_LONG_RUN_DAYS * INT64_C(86400) * WSK_NS;
    const int64_t bin = (cycle.length_ns > 7200 * WSK_NS ? 60 : 30) * WSK_NS,
                  last_day = 2 * cycle.slow_ns / cycle.length_ns + 4;
    int64_t merged = 1;
    while (!cycle.slow_ns && !cycle.weather && merged < 16 && 2 * merged * cycle.length_ns <= INT64_C(86400) * WSK_NS)
        merged *= 2;
    *s = (wsk_stride){.cycle = cycle,
                      .most_merged = merged,
                      .may_weather = cycle.slow_ns && wsk_fits_weather(&cycle) && run->end_ns >= long_run_ns,
                      .bin_ns = bin,
                      .bins = (int)((merged * cycle.length_ns + bin - 1) / bin) + cycle.timed,
                      .entries = cycle.weather   ? WSK_WEATHER_ENTRIES
                                 : cycle.slow_ns ? (int)last_day
                                                 : 8,
                      .n = wsk_count_accounts(run)};
    const size_t n = (size_t)s->n, all = n + (size_t)s->bins;
    s->places = wsk_alloc(run->arena, n * sizeof *s->places);
    s->wanted = wsk_alloc(run->arena, all * sizeof(double));
    s->fresh = wsk_alloc(run->arena, all * sizeof(double));
    s->sum = wsk_alloc(run->arena, n * sizeof(double));
    s->drift_k = wsk_alloc(run->arena, (size_t)run->net->n_node * sizeof(double));
    s->shift_k = wsk_alloc(run->arena, (size_t)run->net->n_node * sizeof(double));
    if (wsk_arena_failed(run->arena) || ((cycle.weather || s->may_weather) && !wsk_weather_make(run)))
        return false;
    if (cycle.weather)
        wsk_weather_read(run);
    return true;
}

static bool tame(const double *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!(fabs(x[i]) < 1e30))
            return false;
    return true;
}

static bool within(int64_t value, int64_t low, int64_t high)
{
    return value >= low && value <= high;
}

bool wsk_stride_sound(const wsk_run *run)
{
    const wsk_stride *s = run->stride;
    if (!s)
        return true;
    const wsk_stride_head *h = s->head;
    const int64_t entry = s->n + s->bins, most = INT64_C(1) << 40;
    bool ok = within(h->from_ns, 0, run->head->t_ns) && within(h->next_ns, 0, INT64_C(1) << 62) &&
              within(h->anchor_ns, 0, INT64_C(1) << 62) && within(h->count, 0, s->entries) &&
              within(h->oldest, 0, s->entries - 1) && within(h->agreeing, 0, most) && within(h->once, 0, most) &&
              within(h->failures, 0, most) && within(h->simulated, 0, most) && within(h->skipped, 0, most) &&
              within(h->reach, 1, most) && within(h->pending, 0, most) && within(h->unproven, 0, most) &&
              within(h->skips, 0, WSK_SKIPS) && within(h->vain, 0, most) && within(h->merged, 1, s->most_merged) &&
              within(h->by_weather, 0, s->may_weather) && tame(&h->wall_peak_w, 3) &&
              tame(h->noise, 3 * WSK_HEADLINES) && tame(&h->cost_per_j, 6) &&
              tame(&h->checks[0].n, 4 * WSK_HEADLINES + 2) && tame(s->mark, s->n) && tame(s->trend, s->n) &&
              tame(s->open_j, s->bins) && tame(s->library, h->count * entry);
    for (int64_t i = 0; ok && i < h->count; i++)
        ok = s->starts[i] == WSK_DROPPED || within(s->starts[i], 0, run->head->t_ns);
    for (int64_t i = 0; ok && i < h->skips; i++)
        ok = within(h->skip_from_ns[i], 0, run->head->t_ns) && within(h->skip_to_ns[i], 0, run->head->t_ns);
    return ok;
}
