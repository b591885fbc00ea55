/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds how uncertain the gain of a change is, because of the input that changes the lost throughput most. Theory:
 * docs/theory/trip.md, "Advice behind a run" */
#include "sim/study/advice/advice.h"
#include "sim/study/spread/spread.h"
#include "sim/say/say.h"

#include <math.h>

/* Square of the effect of the input on margin_k, K^2: of the end of the input's range that makes the margin smaller
 * (down), or of the end that makes it larger. */
static double effect2(double margin_k, const wsk_end ends[2], bool down)
{
    const double least = fmin(ends[0].margin_k, ends[1].margin_k), most = fmax(ends[0].margin_k, ends[1].margin_k),
                 by = fmax(down ? margin_k - least : most - margin_k, 0);
    return by * by;
}

/* Gain of work at one end of the input. Where the unchanged rig shuts down there, any work is an unbounded gain. */
static double gain_at(const wsk_end *changed, const wsk_end *base)
{
    return base->work > 0 ? changed->work / base->work - 1 : changed->work > 0 ? INFINITY : 0;
}

/* margin_k: wsk_outcome.margin_k of the unchanged rig; base: that rig at both ends of the input. If the gain of the
 * change hardly depends on the input, it stays a single number. It also does if cards shut down in the run
 * (r->stopped), because in `base` these cards work. The error of the changed rig's margin_k is the error of the
 * unchanged rig, with the effect of this input replaced by its effect on the changed rig. */
static wsk_status find_doubt(wsk_judged *r, const wsk_bands *b, double margin_k, const wsk_end base[2], wsk_change *c)
{
    const double told = 0.03;
    wsk_end ends[2];
    bool there;
    if ((isnan(c->work_rel) && !r->stopped) || c->then.shuts_down)
        return WSK_OK;
    const wsk_status status = wsk_judge_ends(r, c->sets, c->n_sets, b->key, ends, &there);
    if (status != WSK_OK || !there)
        return status;
    /* over a run with pauses the gain is another than at the steady point, and the ends are taken in proportion */
    const double part = fabs(c->point_rel) > 0.005 ? fmax(c->work_rel / c->point_rel, 0) : 1,
                 first = part * gain_at(&ends[0], &base[0]), second = part * gain_at(&ends[1], &base[1]),
                 low = fmin(c->work_rel, fmin(first, second)), high = fmax(c->work_rel, fmax(first, second));
    if (high - low > told && !r->stopped) {
        c->work_low = low;
        c->work_high = high;
    }
    const bool down = c->then.margin_k > 0;
    const double all_k = down ? b->below.margin_k : b->above.margin_k,
                 error_k = sqrt(fmax(all_k * all_k - effect2(margin_k, base, down), 0) +
                                effect2(c->then.margin_k, ends, down));
    c->chance = wsk_spread_chance(c->then.margin_k, error_k, error_k);
    return status;
}

/* True if the change gains no work at either end of the input, costs work or saves no power, and its only benefit is
 * an end of throttling that is too uncertain. */
static bool is_undone(const wsk_ills *now, const wsk_change *c)
{
    const wsk_ills *then = &c->then;
    const double most = isnan(c->work_high) ? c->work_rel : c->work_high;
    const bool cures = (now->shuts_down && !then->shuts_down) || (now->braked && !then->braked) ||
                       (now->parts_hot && !then->parts_hot) || (now->room_hot && !then->room_hot) ||
                       (now->loud && !then->loud) || now->trip > then->trip + WSK_TELLS ||
                       now->over_w > then->over_w + 1 || now->over_psu_w > then->over_psu_w + 1 ||
                       now->over_feed > then->over_feed + 0.001;
    return most < 0.0005 && (c->work_rel < -0.005 || c->wall_w >= 0) && now->throttles && !then->throttles &&
           c->chance > WSK_TOLD_CHANCE && !cures;
}

wsk_status wsk_find_doubts(wsk_judged *r, const wsk_bands *b, wsk_advice *out)
{
    const double low = fmax(out->now.lost - b->below.lost, 0), high = fmin(out->now.lost + b->above.lost, 1);
    const double wide = 0.1;
    wsk_end base[2];
    bool there;
    if (!b->key || !(high - low > wide || out->now.throttles) || !(out->n + out->n_vain))
        return WSK_OK;
    wsk_status status = wsk_judge_ends(r, NULL, 0, b->key, base, &there);
    if (!there || !(base[0].work > 0 || base[1].work > 0))
        return status;
    for (int i = 0; i < out->n && status == WSK_OK; i++)
        status = find_doubt(r, b, out->now.margin_k, base, &out->changes[i]);
    int n = 0;
    for (int i = 0; i < out->n; i++)
        if (status != WSK_OK || !is_undone(&out->now, &out->changes[i]))
            out->changes[n++] = out->changes[i];
    out->n = n;
    for (int i = 0; i < out->n_vain && status == WSK_OK; i++)
        status = find_doubt(r, b, out->now.margin_k, base, &out->vain[i]);
    return status;
}
