/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The messages of advice that stand before its changes, or instead of them. Theory: docs/theory/trip.md, "Advice
 * behind a run" */
#include <math.h>

#include "sim/net/tokens.h"
#include "sim/study/advice/advice.h"
#include "sim/study/kit/failed.h"

/* Names the parts that fail in the rig, including lost cards. Circuits are left out because they are not replaced.
 * Sets *other, which may be NULL, to true if a part other than cards and circuits fails. */
static const wsk_said *name_failed(const wsk_judged *r, bool *other)
{
    size_t n;
    wsk_said_list names = {.arena = r->arena};
    const wsk_failed *parts = wsk_failed_parts(r->arena, r->net, NULL, wsk_judged_s(r), &n);
    for (size_t i = 0; i < n; i++)
        if (!parts[i].circuit) {
            if (other && !parts[i].card)
                *other = true;
            wsk_said_add(&names, parts[i].what);
        }
    return wsk_said_link_all(&names, WSK_SAY_JOINED, WSK_SAY_JOINED);
}

bool wsk_job_waits(const wsk_judged *r, const wsk_outcome *base)
{
    int works = 0;
    for (int i = 0; i < r->net->n_card; i++)
        works += r->net->cards[i].works;
    return base->gone && !base->dead && works && !(base->done > 0);
}

static const wsk_said *say_waiting(const wsk_judged *r, const wsk_outcome *base)
{
    const wsk_said *parts = name_failed(r, NULL);
    return base->gone < r->net->n_card ? WSK_SAY(r->arena, WSK_SAY_ADVICE_JOB_WAITS, parts)
                                       : WSK_SAY(r->arena, WSK_SAY_ADVICE_ALL_LOST, parts);
}

/* Message on a language model that does not fit into the memory of the cards. only: it is the only problem; else other
 * advice follows. */
static const wsk_said *say_no_room(wsk_arena *arena, const wsk_token_rates *t, bool only)
{
    if (!(t->shared > 0))
        return only ? WSK_SAY(arena, WSK_SAY_ADVICE_ONLY_MODEL) : WSK_SAY(arena, WSK_SAY_ADVICE_MODEL);
    const double gib = t->shared / WSK_GIB_BYTE;
    return only ? WSK_SAY(arena, WSK_SAY_ADVICE_ONLY_SHARING, t->shared_by, gib)
                : WSK_SAY(arena, WSK_SAY_ADVICE_MODEL_SHARED, t->shared_by, gib);
}

/* Message on the problem that is left if the run is not `troubled` (shutdowns, throttling, parts over their limits): a
 * failed part, a language model too large for the cards' memory, a hot room or noise; or that there is no problem.
 * NULL: the run is troubled. */
static const wsk_said *say_calm(const wsk_judged *r, const wsk_outcome *base, bool troubled, const wsk_advice *a)
{
    if (troubled)
        return NULL;
    bool other = false;
    const wsk_said *failed = name_failed(r, &other), *parts = other ? failed : NULL;
    return base->gone && parts                       ? WSK_SAY(r->arena, WSK_SAY_ADVICE_ONLY_FAILED_PARTS, parts)
           : base->gone                              ? WSK_SAY(r->arena, WSK_SAY_ADVICE_ONLY_LOST)
           : r->fails                                ? WSK_SAY(r->arena, WSK_SAY_ADVICE_ONLY_FAILURES)
           : r->net->tokens && !r->net->tokens->fits ? say_no_room(r->arena, r->net->tokens, true)
           : a->now.room_hot                         ? WSK_SAY(r->arena, WSK_SAY_ADVICE_ONLY_ROOM)
           : a->now.loud                             ? WSK_SAY(r->arena, WSK_SAY_ADVICE_ONLY_NOISE)
           : parts                                   ? WSK_SAY(r->arena, WSK_SAY_ADVICE_ONLY_FAILED_PARTS, parts)
                                                     : WSK_SAY(r->arena, WSK_SAY_ADVICE_NOTHING);
}

/* Message on the failed parts, to stand before `calm` where that names another problem as the only one. NULL: there is
 * none. */
static const wsk_said *say_replace(const wsk_judged *r, const wsk_said *calm)
{
    static const wsk_code problems[] = {WSK_SAY_ADVICE_ONLY_FAILURES, WSK_SAY_ADVICE_ONLY_MODEL,
                                        WSK_SAY_ADVICE_ONLY_SHARING, WSK_SAY_ADVICE_ONLY_ROOM,
                                        WSK_SAY_ADVICE_ONLY_NOISE};
    bool other = false, names_one = false;
    const wsk_said *parts = name_failed(r, &other);
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        names_one = names_one || (calm && calm->code == problems[i]);
    return names_one && other ? WSK_SAY(r->arena, WSK_SAY_ADVICE_REPLACE_PARTS, parts) : NULL;
}

/* Message on the failed parts, to stand before changes, whose effects are those without these parts. NULL: there is
 * none. */
static const wsk_said *say_first(const wsk_judged *r)
{
    bool other = false;
    const wsk_said *parts = name_failed(r, &other);
    return other ? WSK_SAY(r->arena, WSK_SAY_ADVICE_FIRST, parts) : NULL;
}

static const wsk_said *say_tried(const wsk_judged *r, const wsk_variant *list, size_t n)
{
    static const wsk_code kinds[WSK_FAMILIES] = {
        [WSK_BY_LIMIT] = WSK_SAY_TRIED_POWER_LIMITS, [WSK_BY_DEFAULT] = WSK_SAY_TRIED_DEFAULT_LIMITS,
        [WSK_BY_SUPPLY] = WSK_SAY_TRIED_PSUS,        [WSK_BY_VOLTAGE] = WSK_SAY_TRIED_MAINS,
        [WSK_BY_CIRCUIT] = WSK_SAY_TRIED_CIRCUITS,   [WSK_BY_FEED] = WSK_SAY_TRIED_FEEDS,
        [WSK_BY_TIER] = WSK_SAY_TRIED_RATING,        [WSK_BY_SLOT] = WSK_SAY_TRIED_SLOTS,
        [WSK_BY_RISER] = WSK_SAY_TRIED_RISERS,       [WSK_BY_FEWER] = WSK_SAY_TRIED_FEWER,
        [WSK_BY_FAN] = WSK_SAY_TRIED_FANS,           [WSK_BY_CURVE] = WSK_SAY_TRIED_CURVES,
        [WSK_BY_COOLER] = WSK_SAY_TRIED_COOLERS,     [WSK_BY_PANEL] = WSK_SAY_TRIED_PANEL,
        [WSK_BY_LOOP] = WSK_SAY_TRIED_LOOP,          [WSK_BY_ROOM] = WSK_SAY_TRIED_ROOM,
        [WSK_BY_SPEED] = WSK_SAY_TRIED_SPEEDS,       [WSK_BY_CARE] = WSK_SAY_TRIED_CARE,
        [WSK_BY_PASTE] = WSK_SAY_TRIED_PASTE,        [WSK_BY_SLOWER] = WSK_SAY_TRIED_SLOWER};
    wsk_said_list tried = {.arena = r->arena};
    for (int f = 0; f < WSK_FAMILIES; f++)
        for (size_t i = 0; i < n; i++)
            if (list[i].judged && list[i].family == (wsk_family)f) {
                wsk_said_add(&tried, &(wsk_said){.code = kinds[f]});
                break;
            }
    return WSK_SAY(r->arena, WSK_SAY_ADVICE_TRIED, wsk_said_link_all(&tried, WSK_SAY_JOINED, WSK_SAY_JOINED));
}

static bool any_judged(const wsk_variant *list, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++)
        any = any || list[i].judged;
    return any;
}

static const wsk_said *say_no_change(const wsk_judged *r, const wsk_outcome *base, const wsk_variant *list, size_t n,
                                     const wsk_advice *a)
{
    if (!any_judged(list, n))
        return WSK_SAY(r->arena, WSK_SAY_ADVICE_NO_CHANGE);
    const wsk_said *none = base->dead ? WSK_SAY(r->arena, WSK_SAY_ADVICE_NO_END_OF_SHUTDOWN,
                                                r->n_failed ? WSK_SAY(r->arena, WSK_SAY_ADVICE_REPLACE) : NULL)
                                      : WSK_SAY(r->arena, WSK_SAY_ADVICE_NOT_WORTH);
    /* a change that ends the problem is listed with its drawbacks, so the text must not call it "not worth it" */
    if (!base->dead && a->n_vain && a->vain_cures)
        return wsk_said_link(r->arena, WSK_SAY_JOIN_SENTENCES, say_tried(r, list, n),
                             WSK_SAID(WSK_SAY_ADVICE_ONLY_TRADE_OFFS));
    none = wsk_said_link(r->arena, WSK_SAY_JOIN_SENTENCES, none, say_tried(r, list, n));
    return wsk_said_link(r->arena, WSK_SAY_JOIN_SENTENCES, none,
                         !base->dead && a->n_vain ? WSK_SAID(WSK_SAY_ADVICE_BEST_OF_THEM) : NULL);
}

const wsk_said *wsk_advice_before(const wsk_judged *r, const wsk_outcome *base, bool troubled,
                                  const wsk_variant *list, size_t n, wsk_advice *a)
{
    const wsk_token_rates *t = r->net->tokens;
    const wsk_said *after = r->n_failed ? WSK_SAY(r->arena, WSK_SAY_ADVICE_AFTER_FAILURE) : NULL, *calm,
                   *model = t && !t->fits ? say_no_room(r->arena, t, false) : NULL;
    const wsk_said *first = wsk_said_link(r->arena, WSK_SAY_JOIN_SENTENCES, model, say_first(r));
    if (a->n)
        return wsk_said_link(r->arena, WSK_SAY_JOIN_SENTENCES, first, after);
    if (wsk_job_waits(r, base))
        return say_waiting(r, base);
    calm = say_calm(r, base, troubled, a);
    const wsk_said *replace = say_replace(r, calm);
    a->trade_offs = calm && a->n_vain;
    if (a->trade_offs)
        calm = wsk_said_link(r->arena, WSK_SAY_JOIN_SENTENCES, calm, WSK_SAID(WSK_SAY_ADVICE_TRADE_OFFS));
    else if (calm && calm->code == WSK_SAY_ADVICE_ONLY_NOISE)
        calm = wsk_said_link(
            r->arena, WSK_SAY_JOIN_SENTENCES,
            wsk_said_link(r->arena, WSK_SAY_JOIN_SENTENCES, calm, WSK_SAID(WSK_SAY_ADVICE_NOISE_NOT_WORTH)),
            any_judged(list, n) ? say_tried(r, list, n) : NULL);
    after = wsk_said_link(r->arena, WSK_SAY_JOIN_SENTENCES, after, replace);
    if (!calm)
        after = wsk_said_link(r->arena, WSK_SAY_JOIN_SENTENCES, base->dead && r->n_failed ? model : first, after);
    return wsk_said_link(r->arena, WSK_SAY_JOIN_SENTENCES, after, calm ? calm : say_no_change(r, base, list, n, a));
}

const wsk_said *wsk_advice_basis(const wsk_judged *r)
{
    const bool weather = !isnan(r->hot_k), idles = wsk_has_pauses(r);
    const wsk_said *dust = r->dust_s > 0 ? WSK_SAY(r->arena, WSK_SAY_ADVICE_BASIS_DUST) : NULL;
    if (r->over_run)
        return NULL;
    if (!weather)
        return wsk_said_link(r->arena, WSK_SAY_JOIN_SENTENCES,
                             idles ? WSK_SAY(r->arena, WSK_SAY_ADVICE_BASIS_BUSY) : NULL, dust);
    double mean_k = isnan(r->mean_k) ? r->net->outdoor_ops->mean_k(r->net->outdoor_params) : r->mean_k,
           mean_c = mean_k - WSK_KELVIN, hot_c = r->hot_k - WSK_KELVIN;
    return wsk_said_link(r->arena, WSK_SAY_JOIN_SENTENCES,
                         idles ? WSK_SAY(r->arena, WSK_SAY_ADVICE_BASIS_BOTH, mean_c, hot_c)
                               : WSK_SAY(r->arena, WSK_SAY_ADVICE_BASIS_WEATHER, mean_c, hot_c),
                         dust);
}
