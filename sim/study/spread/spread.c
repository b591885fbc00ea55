/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Combines the effects of the uncertain inputs on the steady point. Theory: docs/theory/uncertainty.md */
#include "sim/study/spread/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Combined effect in units of 1 % of the power, 1 % of the throughput and 3 K of die temperature. It leaves out noise,
 * which by_size compares separately. */
static double size_of(const wsk_spread_source *src)
{
    double a = src->mean.site_rel / 0.01, b = src->mean.work_rel / 0.01, c = src->mean.die_k / 3;
    return sqrt(a * a + b * b + c * c);
}

/* Adds the error of noise levels that are estimated from the tip speed of fan blades: 6 dB (docs/theory/mover.md). It
 * affects only noise, so no steady point is solved. */
static void follow_tips(wsk_spreads *s)
{
    bool card = false;
    for (int i = 0; i < s->net->n_card; i++)
        card = card || (s->net->cards[i].mover >= 0 && s->net->movers[s->net->cards[i].mover].by_tips);
    double share = s->base.tips_share, loud = pow(10, 0.6);
    wsk_spread_source *src = share > 0 ? wsk_spreads_add(s, "noise:tips") : NULL;
    if (!src)
        return;
    wsk_spread_name(s, src, WSK_SAID(WSK_SAY_UNCERTAIN_TIPS));
    src->where = card ? "chassis.gpu.cooler" : "chassis.fan";
    wsk_spread_assume(s, src, WSK_N("one law for all fans, within 5 dB of those that state a level"));
    wsk_spread_half(s, src, WSK_SAID(WSK_SAY_CHECK_SPREAD, "6 dB"));
    src->from = WSK_SPREAD_STATED;
    src->raised.noise_db = 10 * log10(1 - share + share * loud);
    src->lowered.noise_db = 10 * log10(1 - share + share / loud);
    src->mean.noise_db = (src->raised.noise_db - src->lowered.noise_db) / 2;
    src->size = size_of(src);
}

static int by_size(const void *x, const void *y)
{
    const wsk_spread_source *a = x, *b = y;
    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    if (fabs(a->mean.noise_db) != fabs(b->mean.noise_db))
        return fabs(a->mean.noise_db) > fabs(b->mean.noise_db) ? -1 : 1;
    if (fabs(a->purchase) != fabs(b->purchase))
        return fabs(a->purchase) > fabs(b->purchase) ? -1 : 1;
    return strcmp(a->key, b->key);
}

/* True if the effects are smaller than the accuracy of the steady point, which settles to 0.01 K. */
static bool nothing(const wsk_spread_source *src)
{
    const wsk_effects *const ends[] = {&src->lowered, &src->raised};
    bool none = src->purchase == 0;
    for (int i = 0; i < 2; i++)
        none = none && fabs(ends[i]->site_rel) < 1e-6 && fabs(ends[i]->work_rel) < 1e-6 &&
               fabs(ends[i]->lost) < 1e-6 && fabs(ends[i]->die_k) < 0.005 && fabs(ends[i]->memory_k) < 0.005 &&
               fabs(ends[i]->noise_db) < 0.005 && fabs(ends[i]->margin_k) < 0.005;
    return none;
}

/* Most by which the errors together can lower a power, as a share of it. Each of several errors may shut the cards
 * down, which takes their power only once: the rest of the rig stays on. Errors that leave the throughput alone, such
 * as that of the processor's power, are errors of this rest. at: position of the power in wsk_effects. */
static double most_lowered(const wsk_spreads *s, size_t at)
{
    wsk_sum rest = {0};
    double most = s->base.cards;
    for (int i = 0; i < s->n_source; i++) {
        const wsk_effects_list ends[] = {{s->sources[i].lowered}, {s->sources[i].raised}};
        const wsk_effects_list *low = ends[0].v[at] < ends[1].v[at] ? &ends[0] : &ends[1];
        const double taken = fmax(-low->v[at], 0);
        most = fmax(most, taken);
        wsk_sum_add(&rest, low->of.work_rel < -1e-6 ? 0 : taken * taken);
    }
    return fmax(most, sqrt(wsk_sum_value(&rest)));
}

/* Most by which the errors together can raise the hottest die, K: up to the highest temperature at which a card shuts
 * down. A card whose power is pinned does not shut down. */
static double most_raised_k(const wsk_spreads *s)
{
    double most_k = 0;
    for (int i = 0; i < s->net->n_card; i++) {
        const wsk_gpu_params *g = s->net->cards[i].gpu;
        most_k = fmax(most_k, isnan(g->pin_power_w) ? g->shutdown_k : INFINITY);
    }
    return fmax(most_k - WSK_KELVIN - s->base.die_max_c, 0);
}

/* How far an error moves a result up (sign 1) or down (-1). k: position of the result in wsk_effects. */
static double moved_by(const wsk_spread_source *src, int k, int sign)
{
    const wsk_effects_list ends[] = {{src->lowered}, {src->raised}};
    return fmax(fmax(sign * ends[0].v[k], sign * ends[1].v[k]), 0);
}

/* Most by which the errors together can move a result if each of several may keep a card on, or shut it down, which
 * counts once: of the errors that move the result by more than half as much as one of them, only that one counts. */
static double moved_once(const wsk_spreads *s, int k, int sign)
{
    wsk_sum all = {0};
    double most = 0;
    for (int i = 0; i < s->n_source; i++)
        most = fmax(most, moved_by(&s->sources[i], k, sign));
    wsk_sum_add(&all, most * most);
    for (int i = 0; i < s->n_source; i++) {
        const double by = moved_by(&s->sources[i], k, sign);
        wsk_sum_add(&all, by > 0.5 * most ? 0 : by * by);
    }
    return sqrt(wsk_sum_value(&all));
}

/* True if one error may take all the work of a card, as a shutdown does. */
static bool may_stop_a_card(const wsk_spreads *s)
{
    bool may = false;
    for (int i = 0; i < s->n_source; i++)
        may = may || fmin(s->sources[i].lowered.work_rel, s->sources[i].raised.work_rel) * s->net->n_card < -0.9;
    return may;
}

/* Combines the errors as the root of the sum of squares. Decreases and increases of a result are combined
 * separately. */
static void combine(wsk_spreads *s)
{
    wsk_sum below[WSK_EFFECTS] = {0}, above[WSK_EFFECTS] = {0}, purchase = {0};
    for (int i = 0; i < s->n_source; i++) {
        for (int k = 0; k < WSK_EFFECTS; k++) {
            const double least = moved_by(&s->sources[i], k, -1), most = moved_by(&s->sources[i], k, 1);
            wsk_sum_add(&below[k], least * least);
            wsk_sum_add(&above[k], most * most);
        }
        wsk_sum_add(&purchase, s->sources[i].purchase * s->sources[i].purchase);
    }
    wsk_effects_list down, up;
    for (int k = 0; k < WSK_EFFECTS; k++) {
        down.v[k] = sqrt(wsk_sum_value(&below[k]));
        up.v[k] = sqrt(wsk_sum_value(&above[k]));
    }
    /* Several large errors together could exceed the result itself; the decrease is at most the whole result. */
    double *const shares[] = {&down.of.site_rel, &down.of.wall_rel, &down.of.work_rel, &down.of.per_work_rel};
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
        *shares[k] = fmin(*shares[k], 1);
    down.of.wall_rel = fmin(down.of.wall_rel, most_lowered(s, offsetof(wsk_effects, wall_rel) / sizeof(double)));
    down.of.site_rel = fmin(down.of.site_rel, most_lowered(s, offsetof(wsk_effects, site_rel) / sizeof(double)));
    up.of.die_k = fmin(up.of.die_k, most_raised_k(s));
    for (int k = 0; k < WSK_EFFECTS && s->base.shut > 0; k++)
        up.v[k] = fmin(up.v[k], moved_once(s, k, 1));
    if (may_stop_a_card(s))
        down.of.noise_db =
            fmin(down.of.noise_db, moved_once(s, offsetof(wsk_effects, noise_db) / sizeof(double), -1));
    s->below = down.of;
    s->above = up.of;
    s->half = wsk_effects_mix(&down.of, 0.5, &up.of, 0.5);
    s->purchase = sqrt(wsk_sum_value(&purchase));
    s->throttles = wsk_spread_chance(s->base.margin_k, s->below.margin_k, s->above.margin_k);
}

wsk_status wsk_spreads_solve(wsk_spreads *s, wsk_arena *arena, const wsk_net *net, wsk_stepper stepper)
{
    return wsk_spreads_solve_with(s, arena, net, stepper, &(wsk_spread_how){0});
}

/* Mean of the load over the first over_s of a run, at most a day, as a share of its highest load. */
static double load_share(const wsk_net *net, double over_s)
{
    const double every_s = 60;
    const int count = (int)fmin(ceil(fmin(over_s, 86400) / every_s), 1440);
    double sum = 0, most = 0;
    wsk_activity now = {0};
    if (count < 1 || !net->workload || net->workload->load_curve.count == 0)
        return 1;
    for (int i = 0; i < net->workload->load_curve.count; i++)
        most = fmax(most, net->workload->load_curve.y[i]);
    for (int i = 0; i < count; i++) {
        wsk_moment at = {.t_ns = (int64_t)(i * every_s) * WSK_NS};
        at.start_civil_s = wsk_start_civil_s(net, at.t_ns, &at.clock_until_ns);
        net->workload_ops->at(net->workload, &at, &now);
        sum += now.load;
    }
    return most > 0 ? sum / count / most : 1;
}

/* Changes effects on the power at full load to effects on the mean power over a time that includes rest of the cards.
 * site_part, wall_part: shares of the energy of the site and at the wall that are taken while they have work. */
static void mix_power(wsk_effects *busy, const wsk_effects *resting, double site_part, double wall_part)
{
    busy->site_rel = site_part * busy->site_rel + (1 - site_part) * resting->site_rel;
    busy->wall_rel = wall_part * busy->wall_rel + (1 - wall_part) * resting->wall_rel;
    busy->per_work_rel = busy->work_rel > -1 ? (1 + busy->wall_rel) / (1 + busy->work_rel) - 1 : 0;
}

/* Finds the effects at the steady point. If the cards have no work for more than a tenth of the time, also finds the
 * effects on the rig without work, and takes the mean of both for powers. */
static wsk_status follow_means(wsk_spreads *s, wsk_stepper stepper)
{
    static const double seldom = 0.1;
    const double share = load_share(s->net, s->how.over_s);
    wsk_effects *resting = NULL;
    wsk_spread_base rest_base = {0};
    wsk_status status = WSK_OK;
    if (share < 1 - seldom) {
        resting = wsk_alloc(s->arena, ((size_t)s->n_source + 1) * 2 * sizeof *resting);
        s->resting = true;
        status = resting ? wsk_spreads_follow(s, stepper) : WSK_ENOMEM;
        s->resting = false;
        rest_base = s->base;
        for (int i = 0; i < s->n_source && resting; i++) {
            resting[2 * i] = s->sources[i].lowered;
            resting[2 * i + 1] = s->sources[i].raised;
        }
    }
    if (status == WSK_OK)
        status = wsk_spreads_follow(s, stepper);
    s->mean_site_w = s->base.site_w;
    s->mean_wall_w = s->base.wall_w;
    if (status != WSK_OK || !resting)
        return status;
    s->mean_site_w = share * s->base.site_w + (1 - share) * rest_base.site_w;
    s->mean_wall_w = share * s->base.wall_w + (1 - share) * rest_base.wall_w;
    const double site_part = s->mean_site_w > 0 ? share * s->base.site_w / s->mean_site_w : 1,
                 wall_part = s->mean_wall_w > 0 ? share * s->base.wall_w / s->mean_wall_w : 1;
    for (int i = 0; i < s->n_source; i++) {
        wsk_spread_source *src = &s->sources[i];
        mix_power(&src->lowered, &resting[2 * i], site_part, wall_part);
        mix_power(&src->raised, &resting[2 * i + 1], site_part, wall_part);
        src->mean = wsk_effects_mix(&src->raised, 0.5, &src->lowered, -0.5);
    }
    s->base.cards = wall_part * s->base.cards + (1 - wall_part) * rest_base.cards;
    return WSK_OK;
}

wsk_status wsk_spreads_solve_with(wsk_spreads *s, wsk_arena *arena, const wsk_net *net, wsk_stepper stepper,
                                  const wsk_spread_how *how)
{
    if (!wsk_spreads_find(s, arena, net))
        return WSK_ENOMEM;
    s->how = *how;
    s->resting = false;
    wsk_status status = follow_means(s, stepper);
    if (status != WSK_OK)
        return status;
    for (int i = 0; i < s->n_source; i++)
        s->sources[i].size = size_of(&s->sources[i]);
    follow_tips(s);
    if (s->failed || wsk_arena_failed(arena))
        return WSK_ENOMEM;
    int kept = 0;
    for (int i = 0; i < s->n_source; i++)
        if (!nothing(&s->sources[i]))
            s->sources[kept++] = s->sources[i];
    s->n_source = kept;
    if (kept)
        qsort(s->sources, (size_t)kept, sizeof *s->sources, by_size);
    combine(s);
    return WSK_OK;
}
