/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches for the best settings in rounds. A case is one choice of all settings. For the best case of a round, the
 * uncertainty says how far from each limit to stay, and a run over time gives the error of the steady point. Theory:
 * docs/theory/optimise.md */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/num/root.h"
#include "sim/step/step.h"
#include "sim/study/optimise/optimise.h"

/* Cases are run over time if the first goal of the unchanged rig differs between steady point and run by more than
 * this, relative. */
static const double alike = 0.05;

static void begin(wsk_seeker *s)
{
    double point[WSK_MEASURES_MAX];
    const double *run = s->as_is.v;
    wsk_seek_as_is(s, point);
    memcpy(s->out->now, run, s->m * sizeof *run);
    s->by_run = s->o->over_time || (!isnan(run[0]) && !(fabs(point[0] - run[0]) <= alike * fabs(run[0])));
    for (size_t i = 0; i < s->o->limits; i++) {
        const size_t m = s->o->goals + i;
        const double by = run[m] - point[m];
        s->by_run = s->by_run || (isnan(point[m]) && !isnan(run[m]));
        s->need[i] = isfinite(by) ? -by : 0;
    }
    for (size_t i = 0; i < s->o->limits && s->by_run; i++)
        s->need[i] = 0;
    s->out->by_run = s->by_run;
}

/* Searches at most ROUNDS times, each time with the distances from the limits that the best case so far needs, until
 * the best case stays the same. Returns the best case that was verified to keep the limits; NULL: none. */
static const wsk_tried *search_rounds(wsk_seeker *s)
{
    enum { ROUNDS = 6, MORE = 24 };
    const wsk_tried *verified = NULL;
    const wsk_doubt *doubt;
    int last[WSK_SETTINGS_MAX];
    for (int round = 0; round < ROUNDS && !s->stopped && s->status == WSK_OK; round++) {
        const wsk_asked q = wsk_seek_ask(s);
        const size_t most = round == 0 ? 24 + 4 * s->n : s->count + MORE < s->most ? s->most - s->count : MORE;
        const wsk_tried *best = wsk_seek(s, &q, most);
        if (!best)
            return verified;
        if (wsk_seek_verified(s, best, &doubt) && (!verified || best->v[0] <= verified->v[0]))
            verified = best;
        if (round > 1 && !memcmp(last, best->levels, s->n * sizeof *last))
            break;
        memcpy(last, best->levels, s->n * sizeof *last);
        double need[WSK_OPTIMISE_LIMITS];
        memcpy(need, s->need, sizeof need);
        wsk_seek_needs(s, best, need);
        /* from the third round on distances only grow, so that the rounds end */
        for (size_t i = 0; i < s->o->limits; i++)
            s->need[i] = round < 2 || need[i] > s->need[i] ? need[i] : s->need[i];
    }
    return verified;
}

/* Searches at most PASSES times with the distances from the limits that the best case itself needs, as long as that
 * finds a better case that keeps the limits by its own uncertainty. search_rounds may have kept larger distances,
 * because other cases are less certain. */
static const wsk_tried *search_nearer(wsk_seeker *s, const wsk_tried *best)
{
    enum { PASSES = 4, BETTER = 5, MORE = 40, MORE_RUNS = 16 };
    int levels[BETTER * WSK_SETTINGS_MAX];
    const wsk_doubt *doubts[BETTER], *doubt;
    for (int pass = 0; best && pass < PASSES && !s->stopped && s->status == WSK_OK; pass++) {
        int at[WSK_SETTINGS_MAX];
        memcpy(at, best->levels, s->n * sizeof *at);
        wsk_seek_needs(s, best, s->need);
        wsk_asked q = wsk_seek_ask(s);
        q.rough = false;
        wsk_seek(s, &q, s->by_run ? MORE_RUNS : MORE);
        /* the search may have reallocated the list of cases, so `best` is looked up again */
        best = wsk_seek_known(s, at);
        const wsk_tried *better[BETTER], *found = NULL;
        const size_t n =
            s->stopped ? 0 : wsk_seek_list(s, &q, best->v[0] - wsk_seek_floor(best->v[0]), better, BETTER);
        for (size_t i = 0; i < n; i++)
            memcpy(&levels[i * s->n], better[i]->levels, s->n * sizeof *levels);
        if (n == 0 || !wsk_seek_doubt(s, levels, n, doubts))
            break;
        for (size_t i = 0; i < n && !found; i++)
            if (wsk_seek_verified(s, better[i], &doubt))
                found = better[i];
        if (!found)
            break;
        best = found;
    }
    return best;
}

/* The rounds descend into one minimum of the goal or of a limit's violation, but another minimum may be deeper.
 * It is searched from other known cases. If no case keeps the limits and the search may compute all cases, it
 * computes them. */
static const wsk_tried *search(wsk_seeker *s)
{
    int at[WSK_SETTINGS_MAX];
    const wsk_tried *best = search_rounds(s);
    const size_t before = s->count;
    if (s->stopped || s->status != WSK_OK || s->out->complete || wsk_seek_is_costly(s))
        return best;
    if (best) {
        memcpy(at, best->levels, s->n * sizeof *at);
        wsk_seek_needs(s, best, s->need);
    }
    const wsk_asked q = wsk_seek_ask(s);
    wsk_seek_elsewhere(s, &q, s->most);
    if (best)
        return wsk_seek_known(s, at); /* the list may have been reallocated; search_nearer takes a better case */
    if (s->count > before)
        best = search_rounds(s);
    if (!best && !s->stopped && s->status == WSK_OK && wsk_seek_size(s) <= (double)s->most && wsk_seek_all(s))
        best = search_rounds(s);
    return best;
}

static void answer(wsk_seeker *s)
{
    wsk_optimum *o = s->out;
    const wsk_tried *best = search_nearer(s, search(s));
    if (best)
        wsk_seek_needs(s, best, s->need);
    if (best && s->o->goals > 1) {
        best = wsk_seek_front(s, best);
        wsk_seek_needs(s, best, s->need);
    }
    o->found = best != NULL;
    if (best) {
        o->best = o->simplest = wsk_seek_answer(s, best->levels);
        if (!s->stopped)
            wsk_seek_flat(s, best);
        if (!s->stopped)
            wsk_seek_prices(s, best);
    } else if (!s->stopped) {
        wsk_seek_conflicts(s);
    }
    o->interrupted = s->stopped;
    o->tried = s->count;
    o->runs = (s->by_run ? s->count : s->run_count) + s->check_count;
    o->spreads = s->doubt_count;
}

static bool is_sound(const wsk_optimise_options *o)
{
    bool ok = o->calls.measure && o->setting_count >= 1 && o->setting_count <= WSK_SETTINGS_MAX && o->goals >= 1 &&
              o->goals <= WSK_OPTIMISE_GOALS && o->limits <= WSK_OPTIMISE_LIMITS && o->probability >= 0 &&
              o->probability < 1;
    ok = ok && wsk_run_options_fit(&(wsk_run_options){.duration_s = o->duration_s, .step_s = o->step_s});
    for (size_t i = 0; ok && i < o->limits; i++)
        ok = o->tighter[i] >= 0 && isfinite(o->tighter[i]);
    for (size_t i = 0; ok && i < o->setting_count; i++)
        ok = o->settings[i].count >= 1 && o->settings[i].count <= 100000;
    return ok;
}

wsk_status wsk_optimise(wsk_optimum **out, wsk_arena *arena, const wsk_plan_input *input,
                        const wsk_optimise_options *o)
{
    if (!is_sound(o))
        return WSK_EUSAGE;
    wsk_optimum *answered = wsk_alloc(arena, sizeof *answered);
    if (!answered)
        return WSK_ENOMEM;
    *answered = (wsk_optimum){.band = NAN, .probability = o->probability > 0 ? o->probability : 0.8};
    wsk_seeker s = {.o = o,
                    .input = input,
                    .arena = arena,
                    .out = answered,
                    .n = o->setting_count,
                    .m = o->goals + o->limits,
                    .z = wsk_normal_quantile(answered->probability),
                    .most = o->most ? o->most : 60 + 50 * o->setting_count,
                    .random = UINT64_C(0x9e3779b97f4a7c15) ^ o->seed};
    begin(&s);
    if (s.status == WSK_OK)
        answer(&s);
    const wsk_asked q = wsk_seek_ask(&s);
    if (s.status == WSK_OK && !s.stopped && !wsk_seek_best(&s, &q))
        s.status = WSK_EINPUT;
    *out = s.status == WSK_OK ? answered : NULL;
    return s.status;
}
