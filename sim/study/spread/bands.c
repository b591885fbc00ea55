/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the bands of a run (bands.h), also when parts fail during the run, and fills them into the summary. Theory:
 * docs/theory/uncertainty.md */
#include "sim/study/spread/bands.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "sim/books/observe.h"
#include "sim/results/summary.h"
#include "sim/say/say.h"
#include "sim/study/check/check.h"
#include "sim/study/kit/plan_copy.h"
#include "sim/study/kit/schedule.h"
#include "sim/study/spread/spread.h"

static double width_of(const wsk_spread_source *src)
{
    return fmax(fmax(src->raised.lost, src->lowered.lost), 0) - fmin(fmin(src->raised.lost, src->lowered.lost), 0);
}

/* Distance, K, from the temperature that lowers a clock in the hottest hours of the run: that of the solved rig, less the
 * rise of the hottest die over it, as far as the room rose, or as the solved rig had the mean of a schedule of power
 * limits. Other rises are failures of parts, which have solved rigs of their own, and oscillations. Heat lowered no
 * clock for that: then the distance is not below 0. */
static double least_margin_k(const wsk_run *run, const wsk_spread_base *of)
{
    double die_k = 0;
    if (run->steady || !(of->margin_k > 0))
        return of->margin_k;
    for (int i = 0; i < run->net->n_card; i++)
        die_k = fmax(die_k, wsk_var_high(run, WSK_VAR_CARD_DIE_C, i) - of->die_max_c);
    if (run->head->failed_ns >= 0 || !wsk_limits_change(run->net))
        die_k = fmin(die_k, fmax(wsk_var_high(run, WSK_VAR_ROOM_C, 0) - of->room_c, 0));
    return fmax(of->margin_k - die_k, 0);
}

/* Copies the results from `s`, and their texts into `arena`, because the texts of `s` may be freed with the
 * solved rig. */
static wsk_status take(const wsk_spreads *s, const wsk_run *run, wsk_arena *arena, wsk_bands *out)
{
    const wsk_spread_source *most = NULL;
    for (int i = 0; i < s->n_source; i++)
        if (width_of(&s->sources[i]) > (most ? width_of(most) : 1e-3))
            most = &s->sources[i];
    *out = (wsk_bands){.below = s->below,
                       .above = s->above,
                       .site_w = s->mean_site_w,
                       .wall_w = s->mean_wall_w,
                       .work = s->base.work,
                       .die_c = s->base.die_max_c,
                       .throttles =
                           wsk_spread_chance(least_margin_k(run, &s->base), s->below.margin_k, s->above.margin_k),
                       .alive = 1 - s->base.gone};
    if (!most)
        return WSK_OK;
    out->source = wsk_said_keep(arena, most->name);
    out->half = wsk_said_keep(arena, most->half);
    out->key = wsk_printf(arena, "%s", most->key);
    out->thickness = strstr(most->key, "thickness") != NULL;
    return out->source && out->half && out->key ? WSK_OK : WSK_ENOMEM;
}

/* Finds the bands of the rig in which the parts have failed that fail before by_s, with the dust at dust_s. *there
 * false: that rig has no steady point. */
static wsk_status solve_state(const wsk_run *run, double by_s, double dust_s, wsk_arena *arena, wsk_bands *out,
                              bool *there)
{
    wsk_spreads s;
    wsk_net *net = NULL;
    wsk_plan *plan = wsk_plan_copy(arena, run->net->plan);
    wsk_status status = plan ? WSK_OK : WSK_ENOMEM;
    if (plan &&
        wsk_plan_bridge(plan->rig, run) + wsk_plan_fail(plan->rig, by_s) + wsk_plan_gather_dust(plan->rig, dust_s) >
            0)
        status = wsk_net_compile_copy(&net, plan, run->net);
    if (status == WSK_OK)
        status = wsk_spreads_solve_with(&s, arena, net ? net : run->net, WSK_STEPPER_FAST,
                                        &(wsk_spread_how){.over_s = run->steady ? 0 : wsk_time_s(run)});
    *there = status == WSK_OK;
    if (*there)
        status = take(&s, run, arena, out);
    wsk_net_free(net);
    return status == WSK_ENOMEM ? status : WSK_OK;
}

/* Multiplies the effects that are relative to a power or to the throughput. */
static wsk_effects scale(const wsk_effects *rel, double site, double wall, double work)
{
    wsk_effects out = *rel;
    out.site_rel *= site;
    out.wall_rel *= wall;
    out.per_work_rel *= wall;
    out.work_rel *= work;
    return out;
}

static double inverse(double v)
{
    return v > 0 ? 1 / v : 0;
}

static void add_state(wsk_bands *sum, const wsk_bands *of, double part)
{
    const wsk_effects below = scale(&of->below, of->site_w, of->wall_w, of->work),
                      above = scale(&of->above, of->site_w, of->wall_w, of->work);
    sum->below = wsk_effects_mix(&sum->below, 1, &below, part);
    sum->above = wsk_effects_mix(&sum->above, 1, &above, part);
    sum->site_w += part * of->site_w;
    sum->wall_w += part * of->wall_w;
    sum->work += part * of->work;
    sum->alive += part * of->alive;
    sum->throttles = fmax(sum->throttles, of->throttles); /* fmax of NAN and a number is the number */
}

static bool is_hot(const wsk_run *run)
{
    bool hot = false;
    for (int i = 0; i < run->net->n_card; i++)
        hot = hot || wsk_heat_throttle_s(&run->cards[i]) > 0;
    return hot;
}

bool wsk_heat_is_told(const wsk_run *run)
{
    bool told = false;
    for (int i = 0; i < run->net->n_card; i++)
        told = told || wsk_heat_throttle_s(&run->cards[i]) > WSK_TOLD_HEAT * wsk_window_s(run);
    return told;
}

/* The chance that heat lowers the clock of a card. The states are those of the mean load. A run that throttles in its
 * hottest hour had no margin then, for which the chance is a half. */
static double chance_of(const wsk_run *run, double at_states)
{
    return !run->steady && wsk_heat_is_told(run) ? fmax(at_states, wsk_spread_chance(0, 0, 0)) : at_states;
}

/* The mean effects over the states of a run, in watts and in units of work, weighted by their time, but with the
 * temperatures of the hottest state. */
static wsk_effects whole_run(const wsk_effects *mean, const wsk_effects *hottest)
{
    wsk_effects out = *mean;
    out.die_k = hottest->die_k;
    out.memory_k = hottest->memory_k;
    out.margin_k = hottest->margin_k;
    return out;
}

/* Each failure changes the rig, so a run has as many states as failures, and one more. The bands of powers, throughput
 * and noise are means over the states, weighted by their time. The lower end of the band of the highest die temperature
 * is the highest of the lower ends of all states; likewise the upper end. A state of less than least_part of the time
 * counts only if heat limited a card, because the chance of throttling must not contradict the run. */
static wsk_status solve(const wsk_run *run, wsk_arena *arena, wsk_bands *out, bool *there)
{
    const double end_s = run->steady ? 0 : wsk_time_s(run), least_part = 0.01;
    double from_s = 0, until_s;
    wsk_bands sum = {.throttles = NAN}, of;
    wsk_status status = WSK_OK;
    bool solved;
    wsk_plan *plan = wsk_plan_copy(arena, run->net->plan);
    *there = false;
    if (!plan)
        return WSK_ENOMEM;
    wsk_plan_bridge(plan->rig, run);
    const bool dusty = wsk_plan_gather_dust(plan->rig, end_s) > 0;
    do {
        until_s = fmin(wsk_plan_next_failure(plan->rig, from_s), end_s);
        const double part = end_s > 0 ? (until_s - from_s) / end_s : 1;
        /* dust that gathers: half of the time as at the beginning, half as at the end of the state */
        for (int k = dusty ? 0 : 1; k < 2 && status == WSK_OK && (part >= least_part || is_hot(run)); k++) {
            status = solve_state(run, until_s, k ? until_s : from_s, arena, &of, &solved);
            if (status == WSK_OK && solved) {
                add_state(&sum, &of, dusty ? part / 2 : part);
                const double low_c =
                                 fmax(*there ? out->die_c - out->below.die_k : -INFINITY, of.die_c - of.below.die_k),
                             high_c =
                                 fmax(*there ? out->die_c + out->above.die_k : -INFINITY, of.die_c + of.above.die_k);
                *out = *there && !isnan(out->die_c) && !(of.die_c > out->die_c) ? *out : of;
                out->below.die_k = isfinite(low_c) ? out->die_c - low_c : 0;
                out->above.die_k = isfinite(high_c) ? high_c - out->die_c : 0;
                *there = true;
            }
        }
        from_s = until_s;
    } while (status == WSK_OK && until_s < end_s);
    const double site = inverse(sum.site_w), wall = inverse(sum.wall_w), work = inverse(sum.work);
    const wsk_effects below = scale(&sum.below, site, wall, work), above = scale(&sum.above, site, wall, work);
    out->below = whole_run(&below, &out->below);
    out->above = whole_run(&above, &out->above);
    out->alive = sum.alive;
    out->throttles = chance_of(run, sum.throttles);
    return status;
}

wsk_status wsk_bands_find(wsk_run *run)
{
    bool there;
    if (run->bands || !run->net->n_card)
        return WSK_OK;
    wsk_bands *bands = wsk_alloc(run->arena, sizeof *bands);
    const wsk_status status = bands ? solve(run, run->arena, bands, &there) : WSK_ENOMEM;
    if (status == WSK_OK && there)
        run->bands = bands;
    return status;
}

struct wsk_bands_work {
    wsk_run *run;
    wsk_arena *arena; /* separate arena of the thread, because two threads must not share an arena */
    pthread_t thread;
    wsk_bands bands;
    bool apart, there;
    wsk_status status;
};

static void *work_on(void *of)
{
    wsk_bands_work *work = of;
    work->status = solve(work->run, work->arena, &work->bands, &work->there);
    return NULL;
}

wsk_bands_work *wsk_bands_begin(wsk_run *run)
{
    wsk_arena *arena = wsk_arena_new();
    wsk_bands_work *work = arena ? wsk_alloc(arena, sizeof *work) : NULL;
    if (!work) {
        wsk_arena_free(arena);
        return NULL;
    }
    *work = (wsk_bands_work){.run = run, .arena = arena};
    work->apart = !run->bands && run->net->n_card && pthread_create(&work->thread, NULL, work_on, work) == 0;
    return work;
}

static wsk_status keep(const wsk_bands *found, wsk_run *run)
{
    wsk_bands *bands = wsk_alloc(run->arena, sizeof *bands);
    if (!bands)
        return WSK_ENOMEM;
    *bands = *found;
    if (found->source) {
        bands->source = wsk_said_keep(run->arena, found->source);
        bands->half = wsk_said_keep(run->arena, found->half);
        bands->key = wsk_printf(run->arena, "%s", found->key);
        if (!bands->source || !bands->half || !bands->key)
            return WSK_ENOMEM;
    }
    run->bands = bands;
    return WSK_OK;
}

wsk_status wsk_bands_end(wsk_bands_work *work)
{
    if (!work)
        return WSK_ENOMEM;
    if (work->apart)
        pthread_join(work->thread, NULL);
    wsk_status status = work->apart ? work->status : wsk_bands_find(work->run);
    if (status == WSK_OK && work->there)
        status = keep(&work->bands, work->run);
    wsk_arena_free(work->arena);
    return status;
}

static double share(double v)
{
    return isnan(v) ? v : fmin(fmax(v, 0), 1);
}

double wsk_bands_elastic(const wsk_summary *s)
{
    const double marginal = wsk_summary_number(s, WSK_R_COST_MARGINAL, 0),
                 cost = wsk_summary_number(s, WSK_R_COST, 0);
    return isnan(marginal) || cost == 0 ? 1 : marginal / cost;
}

/* Sets the ends of the range of a result, and half of its width. If the result is NAN, all three become null. */
static void fill_range(wsk_summary *s, double value, double below, double above, const wsk_result results[3])
{
    wsk_summary_set_number(s, results[0], 0, isnan(value) ? value : (below + above) / 2);
    wsk_summary_set_number(s, results[1], 0, value - below);
    wsk_summary_set_number(s, results[2], 0, value + above);
}

/* No die gets hotter than the temperature at which a card shuts down, unless its power is pinned. */
static void fill_die(wsk_summary *s, const wsk_run *run, const wsk_bands *b, const wsk_result results[3])
{
    const double die_c = wsk_summary_over(s, WSK_R_GPU_DIE_MAX, WSK_OVER_MAX);
    double most_c = die_c;
    /* after a shutdown the summary has the cold card, but the bands were found for the hot card */
    if (run->steady && run->head->shutdowns > 0)
        return;
    for (int i = 0; i < run->net->n_card; i++)
        most_c = fmax(most_c,
                      isnan(run->cards[i].pin_power_w) ? run->net->cards[i].gpu->shutdown_k - WSK_KELVIN : INFINITY);
    fill_range(s, die_c, b->below.die_k, fmin(b->above.die_k, most_c - die_c), results);
}

static bool has_free_slot(const wsk_net *net)
{
    bool any = false;
    for (int c = 0; c < net->n_case; c++)
        any = any || wsk_free_slots(net, c) >= 1;
    return any;
}

void wsk_bands_fill(wsk_summary *s, const wsk_run *run, wsk_arena *arena)
{
    static const wsk_result die[] = {WSK_R_DIE_SPREAD, WSK_R_DIE_LOW, WSK_R_DIE_HIGH},
                            memory[] = {WSK_R_MEMORY_SPREAD, WSK_R_MEMORY_LOW, WSK_R_MEMORY_HIGH},
                            noise[] = {WSK_R_NOISE_SPREAD, WSK_R_NOISE_LOW, WSK_R_NOISE_HIGH},
                            wall[] = {WSK_R_WALL_SPREAD, WSK_R_WALL_LOW, WSK_R_WALL_HIGH},
                            annual[] = {WSK_R_ANNUAL_SPREAD, WSK_R_ANNUAL_LOW, WSK_R_ANNUAL_HIGH};
    const wsk_bands *b = run->bands;
    if (!b)
        return;
    const double gone = fmax(wsk_summary_number(s, WSK_R_LOST_TO_FAILURE, 0), 0), /* fmax of NAN and 0 is 0 */
        lost = share(wsk_summary_number(s, WSK_R_LOST, 0)), alive = b->alive > 0 ? (1 - gone) / b->alive : 0,
                 wall_w = wsk_summary_wall_w(s), year = wsk_summary_number(s, WSK_R_ANNUAL, 0);
    wsk_said_list source = {.arena = arena};
    wsk_summary_set_number(s, WSK_R_LOST_LOW, 0, share(lost - alive * b->below.lost));
    wsk_summary_set_number(s, WSK_R_LOST_HIGH, 0, share(lost + alive * b->above.lost));
    fill_die(s, run, b, die);
    const bool cold = run->steady && run->head->shutdowns > 0; /* the summary has the cards after a shutdown */
    fill_range(s, cold ? NAN : wsk_summary_over(s, WSK_R_GPU_MEMORY_MAX, WSK_OVER_MAX), b->below.memory_k,
               b->above.memory_k, memory);
    fill_range(s, wsk_summary_number(s, WSK_R_NOISE, 0), b->below.noise_db, b->above.noise_db, noise);
    fill_range(s, wall_w, wall_w * b->below.wall_rel, wall_w * b->above.wall_rel, wall);
    const double less = b->below.site_rel * year * wsk_bands_elastic(s),
                 more = b->above.site_rel * year * wsk_bands_elastic(s); /* negative where power earns money */
    fill_range(s, year, fmax(less, -more), fmax(more, -less), annual);
    wsk_summary_set_number(s, WSK_R_THROTTLE_CHANCE, 0, b->throttles);
    if (!b->source)
        return;
    wsk_said_add(&source, WSK_SAID(WSK_SAY_BAND_SOURCE, b->source, b->half));
    if (b->thickness)
        wsk_said_add(&source,
                     has_free_slot(run->net) ? WSK_SAID(WSK_SAY_BAND_LEAVE_SLOT) : WSK_SAID(WSK_SAY_BAND_NO_SLOT));
    if (source.failed)
        wsk_summary_fail(s);
    else
        wsk_summary_set_messages(s, WSK_R_BAND_PARTS, 0, source.items, source.count);
}
