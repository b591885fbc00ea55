/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks the changes of a rig by how much they help, and chooses those that the advice lists. Theory:
 * docs/theory/trip.md, "Advice behind a run" */
#include "sim/books/books.h"
#include "sim/study/advice/advice.h"
#include "sim/study/kit/checkpoints.h"
#include "sim/study/findings/found.h"
#include "sim/study/kit/plan_copy.h"
#include "sim/books/bill.h"
#include "sim/net/tokens.h"
#include "sim/study/kit/verdict.h"
#include "sim/study/trip/trip.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"

#include <math.h>
#include <string.h>

/* weights and thresholds of advice: docs/theory/constants.md, "weights of advice" */
/* a change with a higher score is worthwhile, unless it makes something worse */
static const double worth = 0.015;
static const double energy_share = 0.3; /* share of electricity in the total cost of an hour of the rig */
static const double pays_back_years = 4;
static const double riser_costs = 0.02; /* score deducted for a change that uses risers */
/* quieter_db: reduction of noise, dB, that is worth some work. cure_costs: largest share of the work that a change may
 * cost if it reduces noise by more than quieter_db or cools a part that was over its limit. */
static const double quieter_db = 1, cure_costs = 0.1;
static const double least_w = 0.5; /* a smaller change of power, W, counts as none */

static wsk_ills ills_of(const wsk_judged *r, const wsk_outcome *o, double room_c, double noise_db)
{
    return (wsk_ills){.trip = o->trip,
                      .trip_psu = o->trip_psu,
                      .over_w = o->over_w,
                      .over_psu_w = o->over_psu_w,
                      .over_feed = o->over_feed,
                      .lost = o->lost,
                      .margin_k = o->margin_k,
                      .shuts_down = o->dead > 0,
                      .throttles = o->throttles,
                      .braked = o->braked,
                      .parts_hot = o->parts_hot,
                      .room_hot = room_c > WSK_HOT_ROOM_C,
                      .loud = wsk_loud_after(r->net->stand, r->noise_dba, noise_db),
                      .stand = r->net->stand};
}

/* idle_w: power of the changed rig with all cards idle. */
static wsk_change change_of(const wsk_judged *r, const wsk_outcome *base, const wsk_variant *v, const wsk_outcome *o,
                            double idle_w)
{
    const wsk_net *net = r->net;
    wsk_change c = {.what = v->what,
                    .sets = v->sets,
                    .n_sets = v->count,
                    .wall_w = o->wall_w - base->wall_w,
                    .work_rel = NAN,
                    .work_low = NAN,
                    .work_high = NAN,
                    .chance = NAN,
                    .die_k = NAN,
                    .room_k = isnan(net->room_params->temp_k) ? o->room_c - base->room_c : NAN,
                    .purchase = NAN,
                    .noise_db = v->family == WSK_BY_PANEL
                                    ? (double)NAN
                                    : o->noise_dba - base->noise_dba}; /* noise with an open panel is unknown */
    bool money = strcmp(base->currency, o->currency) == 0 || !base->currency[0],
         limits = v->family == WSK_BY_LIMIT || v->family == WSK_BY_DEFAULT;
    /* does not add c.room_k, which is NAN if the room temperature is given */
    c.then = ills_of(r, o, r->stopped ? o->hot_room_c : r->room_c + o->room_c - base->room_c, c.noise_db);
    if (net->n_card && base->work > 0)
        c.work_rel = o->work / base->work - 1;
    c.work_unknown = base->uncounted && o->done < base->done - least_w;
    if (net->n_card)
        c.die_k = o->hottest_c - base->hottest_c;
    c.cooler_clocks = !limits && c.work_rel > 0.002 && c.die_k < -0.5 && base->lost < 0.001 && !base->throttles &&
                      !base->braked && !base->dead;
    c.year = r->over_run ? o->year - base->year
                         : wsk_year_of(r, o->site_w, idle_w) - wsk_year_of(r, base->site_w, r->idle_w);
    if (!v->bought && money && !isnan(o->price - base->price)) {
        c.purchase = o->price - base->price;
        memcpy(c.currency, o->currency, sizeof c.currency);
    }
    return c;
}

static bool fails(const wsk_outcome *o)
{
    return o->dead || o->braked || o->over_w > 0 || o->over_psu_w > 0 || o->over_feed > 0 || o->trip >= WSK_TELLS;
}

static bool still_fails(const wsk_ills *i)
{
    return i->shuts_down || i->braked || i->over_w > 0 || i->over_psu_w > 0 || i->over_feed > 0 ||
           i->trip >= WSK_TELLS;
}

static bool ill(const wsk_outcome *o)
{
    return fails(o) || o->throttles || o->lost > 0.01 || o->parts_hot;
}

static double per_dba(const wsk_outcome *base, const wsk_outcome *o, const wsk_change *c)
{
    bool half = c->then.loud && o->noise_dba < base->noise_dba && o->done < base->done;
    return ill(base) ? 0.0005 : half ? 0.0075 : 0.015;
}

/* Score of a change: its gain of work, relative; plus energy_share times its relative savings of energy and money; plus
 * weighted terms for temperature, noise, the room and each problem. */
static double score(const wsk_judged *r, const wsk_outcome *base, const wsk_outcome *o, const wsk_change *c)
{
    double year = r->year, s = o->done > 0 || base->done > 0 ? (o->done - base->done) / fmax(base->done, 0.01) : 0;
    s += energy_share * (base->site_w - o->site_w) / fmax(base->site_w, 1);
    if (c->purchase > 0 && year > 0 && r->net->currency && strcmp(c->currency, r->net->currency) == 0)
        s -= energy_share * c->purchase / pays_back_years / year;
    if (r->net->n_card)
        s -= 0.0005 * c->die_k;
    s += per_dba(base, o, c) * wsk_loud_spared(r->net->stand, base->noise_dba, o->noise_dba);
    s += 0.02 * (fmax(base->room_c, WSK_HOT_ROOM_C) - fmax(o->room_c, WSK_HOT_ROOM_C));
    if (base->over_w > 0)
        s += (base->over_w - o->over_w) / base->over_w;
    if (base->over_feed > 0)
        s += (base->over_feed - o->over_feed) / base->over_feed;
    if (base->over_psu_w > 0)
        s += 2 * (base->over_psu_w - o->over_psu_w) / base->over_psu_w;
    if (base->trip >= WSK_TELLS)
        s += 4 * (base->trip - o->trip) / base->trip;
    return s + fmin(0.2, 0.02 + 2 * fmax(base->lost, o->lost)) * (base->throttles - o->throttles) +
           0.1 * (base->parts_hot - o->parts_hot) + 2.0 * (base->dead - o->dead);
}

static bool quiets(const wsk_judged *r, const wsk_outcome *base, const wsk_outcome *o)
{
    return !ill(base) && wsk_loud_spared(r->net->stand, base->noise_dba, o->noise_dba) > quieter_db;
}

/* Cards that are shut down neither throttle nor have hot parts, so these are no new problems of cards that work
 * again. */
static bool brings_ill(const wsk_outcome *base, const wsk_outcome *o)
{
    return o->dead > base->dead || (o->throttles && !base->throttles && !base->dead) ||
           (o->braked && !base->braked) || (o->parts_hot && !base->parts_hot && !base->dead) ||
           o->trip > base->trip + WSK_TELLS || o->over_w > base->over_w + 1 || o->over_psu_w > base->over_psu_w + 1 ||
           o->over_feed > base->over_feed + 0.001 || o->lost > base->lost + 0.005;
}

static bool eases(const wsk_outcome *base, const wsk_outcome *o)
{
    const double much = 0.75;
    if (base->dead)
        return !o->dead;
    return !fails(o) || (base->braked && !o->braked) || o->trip < much * base->trip - WSK_TELLS ||
           o->over_w < much * base->over_w - 1 || o->over_psu_w < much * base->over_psu_w - 1 ||
           o->over_feed < much * base->over_feed - 0.001;
}

static bool worse(const wsk_judged *r, const wsk_outcome *base, const wsk_outcome *o)
{
    bool cures = quiets(r, base, o) || (base->parts_hot && !o->parts_hot);
    return brings_ill(base, o) || (fails(base) && !eases(base, o)) ||
           (!fails(base) && o->done < (cures ? 1 - cure_costs : 0.995) * base->done) ||
           (!ill(base) && o->site_w * base->done > 1.01 * base->site_w * fmax(base->done, o->done));
}

static bool cools(const wsk_outcome *base, const wsk_outcome *o)
{
    return base->lost > 0.005 && !fails(o) && o->work > (1 + 0.5 * base->lost) * base->work;
}

/* Counts the failures that advice assumes from the start, without those of fans and pumps that a card lacks, and sets
 * r->dust_s. False: out of memory. */
static bool look_ahead(wsk_judged *r)
{
    wsk_plan *plan = wsk_plan_copy(r->arena, r->net->plan);
    const double by_s = wsk_judged_s(r);
    if (plan && r->run)
        wsk_plan_bridge(plan->rig, r->run);
    r->n_failed = plan ? wsk_plan_fail(plan->rig, by_s) : 0;
    if (plan && r->run && !r->run->steady && wsk_plan_gather_dust(plan->rig, wsk_time_s(r->run)) > 0)
        r->dust_s = wsk_time_s(r->run);
    for (int i = 0; i < r->net->n_card; i++) {
        const wsk_card *c = &r->net->cards[i];
        const double fan_s = c->gpu->fan_fails_s, pump_s = c->gpu->pump_fails_s;
        r->n_failed -= plan && fan_s > 0 && fan_s < by_s && !wsk_fan_can_fail(c);
        r->n_failed -= plan && pump_s > 0 && pump_s < by_s && !wsk_pump_can_fail(c);
    }
    return plan;
}

static bool run_is_hot(const wsk_run *run)
{
    for (int i = 0; run && i < run->net->n_card; i++)
        if (wsk_heat_throttle_s(&run->cards[i]) > 0.002 * wsk_window_s(run) || wsk_is_shut_down(run, i))
            return true;
    return false;
}

typedef struct {
    wsk_outcome o;
    double score;
    size_t at;
    bool worth, worse, fails;
    /* regains most of the work that heat takes, or keeps a hot room cool enough, and leaves no part over its limit */
    bool cools;
    bool quiet; /* the rig's only problem is its noise, and the change ends it and brings no other one */
} candidate;

/* True if `a` ranks before `b`. Order: worthwhile changes after which the rig does not fail, first those that regain
 * most of the work that heat takes or keep the room cool enough; worthwhile ones after which it still fails; neutral
 * ones; harmful ones. Equal ranks are ordered by score. */
static bool before(const candidate *a, const candidate *b)
{
    int first = 2 * (a->worth - a->worse) - (a->worth && a->fails) + (a->worth && a->cools),
        second = 2 * (b->worth - b->worse) - (b->worth && b->fails) + (b->worth && b->cools);
    return !isfinite(b->score) || (first != second ? first > second : a->score > b->score);
}

/* As before(), but for candidates of all families: among changes that are not worthwhile, a change that ends the noise
 * goes first. */
static bool leads(const candidate *a, const candidate *b)
{
    return !a->worth && !b->worth && a->quiet != b->quiet ? a->quiet : before(a, b);
}

static bool pays_back(const wsk_judged *r, const wsk_change *c)
{
    return c->purchase > 0 && r->net->currency && strcmp(c->currency, r->net->currency) == 0 &&
           -c->year * pays_back_years - c->purchase > 0.01 * r->year;
}

static bool overheats(const wsk_judged *r, const wsk_outcome *base, const wsk_change *c)
{
    return !ill(base) && c->then.room_hot && !(r->room_c > WSK_HOT_ROOM_C);
}

/* True if the room is too hot at the run's hottest hour, and not after the change. */
static bool airs(const wsk_judged *r, const wsk_change *c)
{
    return r->room_c > WSK_HOT_ROOM_C && !c->then.room_hot;
}

static bool is_worth(const wsk_judged *r, const wsk_outcome *base, const wsk_outcome *o, const wsk_change *c)
{
    return !overheats(r, base, c) && !worse(r, base, o) &&
           (score(r, base, o, c) > worth || pays_back(r, c) || cools(base, o) || airs(r, c));
}

/* True if the change has a noticeable effect. For a rig without a problem of ill(), a hot room must get cooler; if the
 * room is not hot, a loud rig must get quieter. */
static bool does_something(const wsk_judged *r, const wsk_outcome *base, const wsk_change *c)
{
    if (!ill(base) && c->noise_db > -quieter_db && c->work_rel < -0.02 && c->wall_w > c->work_rel * base->wall_w)
        return false; /* the loss of work, relative, exceeds the saving of power, relative */
    if (!ill(base) && base->room_c > WSK_HOT_ROOM_C)
        return c->room_k <= -0.5;
    if (!ill(base) && base->noise_dba > wsk_loud_at[r->net->stand].dba)
        return c->noise_db <= -0.5;
    if (!ill(base) && c->work_unknown)
        return false; /* no problem is solved, and the work lost for the saved power is unknown */
    return fabs(c->work_rel) >= 0.0005 || fabs(c->wall_w) >= least_w || fabs(c->die_k) >= 0.5 ||
           fabs(c->room_k) >= 0.5 || fabs(c->noise_db) >= 0.5;
}

/* Candidates of family f: at [f] its best variant; at [f + WSK_FAMILIES] its best variant that ends the noise. The
 * second is dropped if the first is worthwhile or ends the noise, too. */
enum { CANDIDATES = 2 * WSK_FAMILIES };

/* Fills `best` with the candidates of all families in their order; returns their number. */
static int rank(wsk_judged *r, const wsk_outcome *base, wsk_variant *list, size_t n, candidate best[CANDIDATES])
{
    int found = 0;
    for (int f = 0; f < CANDIDATES; f++)
        best[f] = (candidate){.score = -INFINITY};
    for (size_t i = 0; i < n; i++) {
        wsk_outcome o;
        candidate *b = &best[list[i].family], *quiet = b + WSK_FAMILIES;
        list[i].judged = wsk_judge(r, &list[i], NULL, &o);
        if (!list[i].judged)
            continue;
        /* assumes that the change leaves the rig's idle power as it is, so that the idle rig need not be solved */
        wsk_change c = change_of(r, base, &list[i], &o, r->idle_w);
        candidate mine = {.o = o,
                          .score = score(r, base, &o, &c) - (list[i].family == WSK_BY_RISER ? riser_costs : 0),
                          .at = i,
                          .worth = is_worth(r, base, &o, &c),
                          .worse = worse(r, base, &o),
                          .fails = fails(&o),
                          .cools = (cools(base, &o) || (airs(r, &c) && !fails(&o))) && !o.parts_hot,
                          .quiet = !ill(base) && wsk_loud(r->net->stand, r->noise_dba) && !c.then.loud &&
                                   !brings_ill(base, &o) && !o.dead && does_something(r, base, &c)};
        if (before(&mine, b))
            *b = mine;
        if (mine.quiet && before(&mine, quiet))
            *quiet = mine;
    }
    for (int f = 0; f < WSK_FAMILIES; f++)
        if (best[f].worth || best[f].quiet)
            best[f + WSK_FAMILIES].score = -INFINITY;
    for (int f = 0; f < CANDIDATES; f++)
        if (isfinite(best[f].score)) {
            candidate c = best[f];
            int k = found++;
            for (; k > 0 && leads(&c, &best[k - 1]); k--)
                best[k] = best[k - 1];
            best[k] = c;
        }
    return found;
}

static bool trips(const wsk_ills *i)
{
    return i->trip >= WSK_TELLS;
}

static bool is_loud(const wsk_ills *i)
{
    return i->loud;
}

static bool some_cure(const wsk_change *list, int n, bool (*has)(const wsk_ills *ills))
{
    bool cured = false;
    for (int i = 0; i < n; i++)
        cured = cured || !has(&list[i].then);
    return cured;
}

/* If some change ends the problem, drops the changes that do not. has: returns true if a rig has the problem. Returns
 * the number of changes left. */
static int keep_cures(wsk_change *list, int n, bool (*has)(const wsk_ills *ills))
{
    int left = 0;
    bool cured = some_cure(list, n, has);
    for (int i = 0; i < n; i++)
        if (!cured || !has(&list[i].then))
            list[left++] = list[i];
    return left;
}

/* Sorts the changes so that the change that costs least work is first. */
static void cheapest_first(wsk_change *list, int n)
{
    for (int i = 1; i < n; i++) {
        const wsk_change c = list[i];
        int k = i;
        for (; k > 0 && c.work_rel > list[k - 1].work_rel; k--)
            list[k] = list[k - 1];
        list[k] = c;
    }
}

/* The change of a ranked candidate, and in b->o its outcome that decides whether it is worthwhile. The ranking solved
 * the steady points of the candidates with leaps (longer time steps), which is less exact; this function solves them
 * without leaps, or runs the changed rig. Advice for a run that takes leaps itself keeps the outcomes of the ranking.
 * point: the rig's steady point. False: the changed rig has no such outcome. */
static bool decide(wsk_judged *r, const wsk_outcome *base, const wsk_outcome *point, const wsk_variant *v,
                   candidate *b, wsk_change *c)
{
    const double work_of_point = b->o.work;
    if (r->over_run ? !wsk_judge_over_run(r, v, &b->o) : !r->brief && !wsk_judge(r, v, NULL, &b->o))
        return false;
    *c = change_of(r, base, v, &b->o, r->over_run ? r->idle_w : wsk_idle_w(r, v, &b->o));
    c->point_rel = r->over_run && point->work > 0 ? work_of_point / point->work - 1 : c->work_rel;
    return true;
}

/* Fills out->changes and out->vain from the ranked candidates. */
static void tell(wsk_judged *r, const wsk_outcome *base, const wsk_outcome *point, const wsk_variant *list,
                 candidate *best, int found, wsk_advice *out)
{
    bool quiet = ill(base) || !out->now.loud;
    for (int i = 0; i < found && out->n < WSK_CHANGES; i++) {
        wsk_change c;
        if ((!best[i].worth && ((out->n && quiet) || out->n_vain == WSK_CHANGES)) ||
            !decide(r, base, point, &list[best[i].at], &best[i], &c))
            continue;
        if (is_worth(r, base, &best[i].o, &c)) {
            out->changes[out->n++] = c;
            quiet = quiet || c.noise_db <= -quieter_db;
        } else if (out->n_vain < WSK_CHANGES && !brings_ill(base, &best[i].o) && !best[i].o.dead &&
                   does_something(r, base, &c)) {
            out->vain[out->n_vain++] = c;
        }
        out->n = keep_cures(out->changes, keep_cures(out->changes, out->n, trips), still_fails);
    }
    out->stays_loud = out->n && !quiet;
    out->n_vain = out->n && quiet ? 0 : out->n_vain;
    if (fails(base)) {
        out->vain_cures = some_cure(out->vain, out->n_vain, still_fails);
        out->n_vain = keep_cures(out->vain, out->n_vain, still_fails);
    } else if (out->now.loud && !ill(base)) {
        out->vain_cures = some_cure(out->vain, out->n_vain, is_loud);
        if (out->vain_cures)
            cheapest_first(out->vain, out->n_vain);
    }
}

/* Size of an air conditioner, W, rounded up to step_w: heat of the rig in a room of cool_c, less the heat that leaves
 * through the walls at the hottest hour. NAN: not needed, not computable, or at least most_times the heat of the rig,
 * because far more heat comes in through the walls, or the rig's own air conditioner, which failed, was that large. */
static double cooling_for(const wsk_judged *r, const wsk_outcome *base, const wsk_advice *a)
{
    const double cool_c = WSK_HOT_ROOM_C - 1, wide_open_w_k = 1e4, step_w = 500, most_times = 3;
    wsk_judged held = *r;
    wsk_variant v = {0};
    wsk_outcome o;
    bool wanted = a->now.room_hot && isnan(r->net->room_params->temp_k);
    for (int i = 0; i < a->n; i++)
        wanted = wanted && a->changes[i].then.room_hot;
    for (int i = 0; i < a->n_vain; i++)
        wanted = wanted && a->vain[i].then.room_hot;
    held.mean_k = cool_c + WSK_KELVIN;
    held.hot_k = NAN;
    wsk_variant_set(r->arena, &v, "room.conductance", wide_open_w_k, " W/K");
    if (!wanted || !wsk_judge(&held, &v, NULL, &o) || o.dead)
        return NAN;
    const double need_w = o.room_heat_w - r->net->room_params->cond_w_k * (cool_c - base->hot_outdoor_c);
    if (r->net->ac_fails_ns >= 0 && (double)r->net->ac_fails_ns / 1e9 < wsk_judged_s(r) &&
        r->net->ac_ops->capacity_w(r->net->ac, base->hot_outdoor_c + WSK_KELVIN) >= need_w)
        return NAN;
    return need_w < most_times * o.room_heat_w ? step_w * ceil(need_w / step_w) : NAN;
}

static wsk_status advise(wsk_arena *arena, const wsk_net *net, const wsk_run *run, const wsk_plan_input *input,
                         wsk_bands_work **bands, wsk_arena *parts, wsk_advice *out)
{
    wsk_variant *list = wsk_alloc(arena, WSK_VARIANTS_MAX * sizeof *list);
    candidate *best = wsk_alloc(arena, CANDIDATES * sizeof *best);
    wsk_judged *r = wsk_alloc(arena, sizeof *r);
    *out = (wsk_advice){.cooling_w = NAN, .currency = net->tariff ? net->currency : NULL};
    if (!list || !r || !best)
        return WSK_ENOMEM;
    *r = (wsk_judged){.arena = arena,
                      .net = net,
                      .run = run,
                      .input = input,
                      .parts = {.arena = parts},
                      .duty = 1,
                      .brief = run && run->leap};
    if (!look_ahead(r))
        return WSK_ENOMEM;
    wsk_look_at(r, run);
    wsk_outcome base = {0}, quick = {0};
    if ((net->n_card == 0 && net->n_supply == 0) || net->n_card > WSK_STEP_CARDS || net->n_supply > WSK_STEP_CARDS ||
        !wsk_judge(r, NULL, run, &base))
        return WSK_OK;
    quick = base;
    wsk_look_at_shutdowns(r, run, &base);
    wsk_look_at_hours(r, run, &base);
    r->noise_dba = run ? r->noise_dba : base.noise_dba;
    r->room_c = run ? r->room_c : base.room_c;
    r->leap = true;
    if (!r->brief && !wsk_judge(r, NULL, NULL, &quick))
        return WSK_OK;
    bool heat = run_is_hot(run) || (base.lost > 0.002 && !base.braked) || base.throttles || base.dead ||
                base.parts_hot || (run && wsk_parts_too_hot(run)),
         troubled = run && (run_is_hot(run) || wsk_found_ills(run));
    size_t n = wsk_job_waits(r, &base) ? 0 : wsk_propose(r, &base, heat, list);
    int found = rank(r, &quick, list, n, best);
    r->leap = false;
    const wsk_outcome point = base;
    r->over_run = wsk_judges_over_run(r, &point);
    if (r->over_run)
        wsk_read_run(run, &base);
    out->now = ills_of(r, &base, r->room_c, 0);
    wsk_bands_work *work = *bands;
    *bands = NULL;
    if (work && wsk_bands_end(work) != WSK_OK)
        return WSK_ENOMEM;
    tell(r, &base, &quick, list, best, found, out);
    if (run && run->bands && wsk_find_doubts(r, run->bands, out) != WSK_OK)
        return WSK_ENOMEM;
    out->cooling_w = cooling_for(r, &point, out);
    out->idle = wsk_advise_idle(r, run, &point);
    out->hours = wsk_advise_hours(r, run, &point);
    out->checkpoint = wsk_advise_checkpoints(arena, run);
    out->before = wsk_advice_before(r, &base, troubled || ill(&base), list, n, out);
    if (!out->n && !out->before)
        return WSK_ENOMEM;
    out->basis = out->n + out->n_vain ? wsk_advice_basis(r) : NULL;
    return WSK_OK;
}

wsk_status wsk_advise(wsk_arena *arena, const wsk_net *net, const wsk_run *run, const wsk_plan_input *input,
                      wsk_bands_work *bands, wsk_advice *out)
{
    wsk_arena *parts = wsk_arena_new();
    wsk_files_unread(input->files); /* forgets the message about an unreadable file that an earlier caller left */
    wsk_status status = parts ? advise(arena, net, run, input, &bands, parts, out) : WSK_ENOMEM;
    if (bands && wsk_bands_end(bands) != WSK_OK)
        status = WSK_ENOMEM;
    const wsk_said *unread = wsk_files_unread(input->files);
    wsk_arena_free(parts);
    if (status != WSK_OK || !unread)
        return status;
    out->before = wsk_said_keep(arena, unread);
    return out->before ? WSK_ERUN : WSK_ENOMEM;
}
