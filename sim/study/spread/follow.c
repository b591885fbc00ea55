/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the effects of each uncertain input on the steady point: changes that input alone, up and down by its spread,
 * and solves the rig both times. Theory: docs/theory/uncertainty.md */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "sim/study/kit/side_by_side.h"
#include "sim/study/spread/spread.h"
#include "sim/step/step.h"

static void read_all(const wsk_spreads *s, const wsk_run *run, wsk_spread_base *out)
{
    wsk_spread_read(run, out);
    if (s->how.reader && !s->resting)
        s->how.reader->read(s->how.reader->ctx, run, out->more);
}

static wsk_status find_point(const wsk_spreads *s, const wsk_net *net, wsk_stepper stepper, wsk_run **run)
{
    return (s->resting ? wsk_steady_resting : wsk_steady_leap)(run, net, stepper);
}

static wsk_status solve(const wsk_spreads *s, const wsk_net *net, wsk_stepper stepper, wsk_spread_base *out)
{
    wsk_run *run = NULL;
    wsk_status status = find_point(s, net, stepper, &run);
    if (status == WSK_OK)
        read_all(s, run, out);
    wsk_run_free(run);
    return status;
}

/* Runs of the unchanged rig. settled: its steady point. later: a run that goes on from that point by look_s, s; read:
 * its results. again: results after that run has settled once more. Changed rigs are solved in the same way as `again`,
 * because the means of `settled` differ from those of `again` if a governor oscillates. If a rig with a changed input
 * goes on from `settled` and gives the results `read`, the input has no effect, and the rig need not be solved. */
static const double look_s = 60;
typedef struct {
    wsk_run *settled, *later;
    wsk_spread_base read, again;
    bool goes_on; /* false: a continuation failed, and only `settled` is of use */
} rest;

static bool go_on(wsk_run *run, const wsk_run *settled)
{
    return wsk_run_advance(run, wsk_time_s(settled) + look_s) == WSK_OK;
}

static void end_rest(rest *r)
{
    wsk_run_free(r->later);
    wsk_run_free(r->settled);
}

static wsk_status settle_again(const wsk_spreads *s, rest *r)
{
    wsk_run *run = NULL;
    wsk_status status = wsk_steady_from(&run, s->net, r->settled);
    if (status == WSK_OK && !go_on(run, r->settled))
        status = WSK_EINPUT;
    if (status == WSK_OK)
        status = wsk_steady_settle(run);
    if (status == WSK_OK)
        read_all(s, run, &r->again);
    wsk_run_free(run);
    return status;
}

/* Solves the unchanged rig. If its continuations fail, every changed rig is solved. */
static wsk_status solve_base(wsk_spreads *s, rest *r, wsk_stepper stepper)
{
    wsk_status status = find_point(s, s->net, stepper, &r->settled);
    if (status != WSK_OK)
        return status;
    read_all(s, r->settled, &s->base);
    s->off = r->settled->head->shutdowns > 0;
    status = wsk_steady_from(&r->later, s->net, r->settled);
    if (status == WSK_OK && !go_on(r->later, r->settled))
        status = WSK_EINPUT;
    if (status == WSK_OK)
        status = settle_again(s, r);
    r->goes_on = status == WSK_OK;
    if (r->goes_on)
        wsk_spread_read(r->later, &r->read);
    return status == WSK_ENOMEM ? status : WSK_OK;
}

static bool looks_like(const wsk_run *a, const wsk_run *b)
{
    return memcmp(a->t, b->t, (size_t)a->net->n_node * sizeof *a->t) == 0 &&
           memcmp(a->rpm, b->rpm, (size_t)a->net->n_mover * sizeof *a->rpm) == 0;
}

/* True if the changed rig has the same steady point as the unchanged rig: both, continued from that point, give
 * bit-identical results. */
static bool stays(const rest *r, wsk_run *run)
{
    wsk_spread_base read;
    if (!go_on(run, r->settled) || !looks_like(run, r->later))
        return false;
    wsk_spread_read(run, &read);
    return memcmp(&read, &r->read, sizeof read) == 0;
}

/* Solves the rig with the changed input. *against: results of the unchanged rig solved in the same way. */
static wsk_status solve_copy(wsk_spreads *s, const rest *r, wsk_stepper stepper, wsk_spread_base *out,
                             const wsk_spread_base **against, bool *there)
{
    *against = &s->base;
    wsk_net *net = NULL;
    size_t before = s->plan->diags.count;
    wsk_status status = wsk_net_compile_copy(&net, s->plan, s->net);
    s->plan->diags.count = before;
    s->plan->diags.errors = 0;
    wsk_run *run = NULL;
    const wsk_status from =
        status == WSK_OK && r->goes_on ? wsk_steady_from(&run, net, r->settled) : (wsk_status)WSK_EINPUT;
    if (from == WSK_ENOMEM) {
        status = from;
    } else if (from == WSK_OK) {
        const bool same = stays(r, run);
        status = same ? WSK_OK : wsk_steady_settle(run);
        if (same)
            *out = s->base;
        else if (status == WSK_OK && run->head->shutdowns > 0)
            /* only a solution from the start tells whether cards shut down */
            status = solve(s, net, stepper, out);
        else {
            read_all(s, run, out);
            *against = &r->again;
        }
    } else if (status == WSK_OK) {
        status = solve(s, net, stepper, out);
    }
    wsk_run_free(run);
    wsk_net_free(net);
    *there = status == WSK_OK;
    return status == WSK_ENOMEM ? status : WSK_OK;
}

void wsk_spreads_move(wsk_spreads *s, const wsk_spread_source *src, int way)
{
    for (int i = src->first; i < src->first + src->count; i++) {
        const wsk_spread_member *m = &s->members[i];
        *m->at = way > 0 ? m->high : way < 0 ? m->low : m->base;
    }
}

static double rel(double more, double less, double base)
{
    return base > 0 ? (more - less) / base : 0;
}

static double gap(double more, double less)
{
    return isnan(more) || isnan(less) ? 0 : more - less;
}

static wsk_effects change(const wsk_spread_base *now, const wsk_spread_base *base)
{
    double margin_k = gap(now->margin_k, base->margin_k);
    /* The margin of a card that is off is not extrapolated to full power like the margins of other cards. */
    if (now->shut != base->shut)
        margin_k = now->shut > base->shut ? fmin(margin_k, 0) : fmax(margin_k, 0);
    return (wsk_effects){.site_rel = rel(now->site_w, base->site_w, base->site_w),
                         .wall_rel = rel(now->wall_w, base->wall_w, base->wall_w),
                         .work_rel = rel(now->work, base->work, base->work),
                         .per_work_rel = now->work > 0 && base->work > 0 && base->wall_w > 0
                                             ? now->wall_w / base->wall_w * base->work / now->work - 1
                                             : 0,
                         .lost = now->lost - base->lost,
                         .die_k = gap(now->die_max_c, base->die_max_c),
                         .memory_k = gap(now->memory_max_c, base->memory_max_c),
                         .noise_db = gap(now->noise_dba, base->noise_dba),
                         .margin_k = margin_k};
}

static wsk_effects reversed(const wsk_effects *e)
{
    return wsk_effects_mix(e, -1, e, 0);
}

/* True if the effect of the increased input is so small that the decreased input need not be solved. Not used for
 * thresholds, which may act in one direction only. */
static bool hardly(const wsk_effects *raised)
{
    return fabs(raised->site_rel) < 3e-4 && fabs(raised->work_rel) < 3e-4 && fabs(raised->die_k) < 0.05 &&
           fabs(raised->memory_k) < 0.05 && fabs(raised->noise_db) < 0.1 && fabs(raised->margin_k) < 0.05;
}

/* Finds the effects of raising and of lowering the input. If one of the two solutions was skipped or does not exist,
 * its effects are taken as those of the other one with the opposite sign. */
static wsk_status follow(wsk_spreads *s, const rest *r, wsk_spread_source *src, wsk_stepper stepper)
{
    wsk_spread_base up, down;
    const wsk_spread_base *up_from, *down_from;
    bool has_up, has_down = false;
    src->raised = src->lowered = (wsk_effects){0};
    wsk_spreads_move(s, src, 1);
    wsk_status status = solve_copy(s, r, stepper, &up, &up_from, &has_up);
    if (has_up)
        src->raised = change(&up, up_from);
    if (status == WSK_OK && (!has_up || src->threshold || !hardly(&src->raised))) {
        wsk_spreads_move(s, src, -1);
        status = solve_copy(s, r, stepper, &down, &down_from, &has_down);
        if (has_down)
            src->lowered = change(&down, down_from);
    }
    wsk_spreads_move(s, src, 0);
    if (status != WSK_OK || (!has_up && !has_down))
        return status;
    if (!has_up)
        src->raised = reversed(&src->lowered);
    if (!has_down)
        src->lowered = reversed(&src->raised);
    src->mean = wsk_effects_mix(&src->raised, 0.5, &src->lowered, -0.5);
    const double half = has_up && has_down ? 0.5 : 1;
    for (int i = 0; i < WSK_SPREAD_MORE; i++)
        src->more[i] = half * ((has_up ? gap(up.more[i], up_from->more[i]) : 0) -
                               (has_down ? gap(down.more[i], down_from->more[i]) : 0));
    return status;
}

/* Threads share the sources: each takes the next one that no thread has taken. Each changes the values of a plan of its
 * own, whose sources are the same in the same order, so that results do not depend on the number of threads. */
enum { THREADS = 8 };
typedef struct {
    wsk_spreads own[THREADS], *all; /* own[0] is not used: the first thread works on `all` */
    wsk_status status[THREADS];
    const rest *r;
    wsk_stepper stepper;
    atomic_int next;
} crew;

static void follow_some(void *of, int thread)
{
    crew *c = of;
    wsk_spreads *s = thread ? &c->own[thread] : c->all;
    for (int i; c->status[thread] == WSK_OK && (i = c->next++) < s->n_source;) {
        wsk_spread_source *src = &s->sources[i], *out = &c->all->sources[i];
        if (src->reads || src->count == 0)
            continue;
        c->status[thread] = follow(s, c->r, src, c->stepper);
        if (out != src) {
            out->raised = src->raised;
            out->lowered = src->lowered;
            out->mean = src->mean;
            memcpy(out->more, src->more, sizeof out->more);
        }
    }
}

/* Finds the sources once more for each thread but the first, in a plan of the thread's own. Returns the number of
 * threads; 0: out of memory. */
static int make_crew(crew *c, wsk_spreads *s)
{
    const int most = s->how.reader || s->n_source < THREADS ? 1 : THREADS,
              wanted = s->net->threads < most ? s->net->threads : most;
    for (int i = 1; i < wanted; i++) {
        wsk_spreads *own = &c->own[i];
        wsk_arena *arena = wsk_arena_new();
        if (!arena || !wsk_spreads_find(own, arena, s->net)) {
            own->arena = arena;
            return 0;
        }
        own->base = s->base;
        own->resting = s->resting;
    }
    return wanted;
}

static wsk_status follow_in_threads(wsk_spreads *s, const rest *r, wsk_stepper stepper)
{
    crew c = {.all = s, .r = r, .stepper = stepper};
    const int threads = make_crew(&c, s);
    wsk_status status = threads ? WSK_OK : WSK_ENOMEM;
    if (threads)
        wsk_side_by_side(threads, follow_some, &c);
    for (int i = 0; i < THREADS; i++) {
        status = c.status[i] != WSK_OK ? c.status[i] : status;
        wsk_arena_free(c.own[i].arena);
    }
    return status;
}

wsk_status wsk_spreads_follow(wsk_spreads *s, wsk_stepper stepper)
{
    rest r = {0};
    wsk_status status = solve_base(s, &r, stepper);
    for (int i = 0; i < s->n_source && status == WSK_OK; i++)
        if (s->sources[i].reads)
            wsk_spread_readings_follow(s, &s->sources[i], r.settled);
    if (status == WSK_OK)
        status = follow_in_threads(s, &r, stepper);
    end_rest(&r);
    return status;
}
