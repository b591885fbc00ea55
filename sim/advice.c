/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The changes that would help most: found by solving the changed rigs, not by rule. */
#include "sim/advice.h"

#include <math.h>
#include <string.h>

/* The rig as it stands, and what a run of it had beyond its steady point. */
typedef struct {
    wsk_arena *arena;
    const wsk_net *net;
    const wsk_plan_input *input;
    wsk_variant always;             /* supplies that fail within the run: advice is for what comes after; the hottest hour */
    double extra_w[WSK_STEP_CARDS], extra_cards_w[WSK_STEP_CARDS]; /* a supply's, and its cards' of that */
    double extra_va;
    double duty;                    /* mean watts of the run over those of the steady point, 1 at most: cards that are not always busy */
    bool fails;                     /* failures undo a tenth of the work and more: no part of the rig mends that */
    bool leap;                      /* points that are only ranked are solved with leaps */
} rig;

static const double worth = 0.015;      /* least score that is told */
static const double energy_share = 0.3; /* of what an hour of such a rig costs: what work and money are weighed by */
static const double pays_back_years = 4;
static const double quieter_db = 1, quiet_costs = 0.1; /* what quiet must bring to be heard, and may cost of the work */

/* ---- a steady point ---- */

static double sum(const double *w, int n)
{
    double all = 0;
    for (int i = 0; i < n; i++)
        all += w[i];
    return all;
}

/* What the cards here still may draw: cold, they draw more than in this steady point, but no more than their limits let them. */
static double room_to_limits(const wsk_run *run, const double *card_w, int n)
{
    double held = 0, drawn = 0;
    for (int i = 0; i < run->net->n_card; i++) {
        held += run->net->cards[i].held_w;
        drawn += wsk_stat_of(run, run->net->cards[i].id, "power_w", 0);
    }
    return drawn > 0 ? fmax(0, held / drawn - 1) * sum(card_w, n) : 0;
}

/* Cold cards step higher than those that heat holds. */
static void raise_cards(double *card_w, int n, double more_w)
{
    double all = sum(card_w, n);
    for (int i = 0; i < n && all > 0; i++)
        card_w[i] *= 1 + more_w / all;
}

/* Supplies and breaker at this steady point, with its loads for as long as the run. */
static void judge_delivery(const wsk_run *run, const rig *r, wsk_outcome *o)
{
    const wsk_net *net = run->net;
    double stay = 1, card_w[WSK_STEP_CARDS], cards = 0, va = wsk_mean_of(run, "wall_va") + r->extra_va;
    for (int i = 0; i < net->n_card; i++)
        cards += wsk_stat_of(run, net->cards[i].id, "power_w", 0);
    o->cure_psu = o->cure_circuit = 1;
    for (int i = 0; i < net->n_supply && i < WSK_STEP_CARDS; i++) {
        if (run->supplies[i].failed)
            continue;
        wsk_steps steps = wsk_steps_of_run(run, i, net->runspec->for_s, card_w);
        double kept_w = fmin(r->extra_cards_w[i], room_to_limits(run, card_w, steps.n));
        steps.base_w += r->extra_w[i] - (r->extra_cards_w[i] - kept_w);
        raise_cards(card_w, steps.n, kept_w);
        double p = wsk_steps_trip(&steps, NULL), over = fmax(0, steps.base_w - steps.limit_w);
        stay *= 1 - p;
        o->over_psu_w += over;
        if (p >= WSK_TELLS || over > 0) {
            double rated = wsk_steps_cure_rating(&steps);
            o->cure_psu = fmin(o->cure_psu, wsk_steps_cure_limits(&steps));
            o->cure_rated[i] = isfinite(rated) ? rated : 0;
        }
    }
    o->trip_psu = 1 - stay;
    if (!isnan(net->site->circuit_a)) {
        double m = va / (net->site->circuit_a * net->site->supply_v);
        stay *= 1 - wsk_breaker_trip(&net->breaker, m * m, m);
    }
    o->over_w = net->circuit_w > 0 ? fmax(0, va - net->circuit_w) : 0;
    if (o->over_w > 0 && cards > 0)
        o->cure_circuit = floor(100 * (1 - o->over_w / cards)) / 100;
    o->trip = 1 - stay;
}

static void judge_cards(const wsk_run *run, wsk_outcome *out)
{
    double done = 0, cool = 0, time = wsk_window_s(run);
    out->hottest_c = -INFINITY;
    for (int i = 0; i < run->net->n_card; i++) {
        const wsk_card_state *s = &run->cards[i];
        out->die_c[i] = wsk_stat_of(run, run->net->cards[i].id, "die_c", 0);
        out->card_w[i] = wsk_stat_of(run, run->net->cards[i].id, "power_w", 0);
        out->hottest_c = fmax(out->hottest_c, out->die_c[i]);
        out->dead += s->off != 0;
        out->braked = out->braked || s->throttle_ns[4] > 0;
        done += wsk_sum_value(&s->work);
        cool += wsk_sum_value(&s->work_cool);
        out->throttles = out->throttles || wsk_heat_throttle_s(s) > 0.01 * time;
    }
    out->work = done / time;
    out->lost = cool > 0 ? 1 - done / cool : 0;
}

/* What supplies and case fans cost: other parts are not changed, or at a price that is not known. */
static void add_prices(const wsk_elem *e, wsk_outcome *out)
{
    bool fan = strcmp(e->kind->element, "fan") == 0;
    for (int i = 0; (fan || strcmp(e->kind->element, "psu") == 0) && e->kind->params[i].name; i++)
        if (strcmp(e->kind->params[i].name, "price") == 0) {
            double v;
            memcpy(&v, (const char *)e->params + e->kind->params[i].offset, sizeof v);
            if (v > 0 && out->currency[0] && strcmp(out->currency, e->origins[i].currency) != 0)
                v = NAN;
            if (v > 0)
                memcpy(out->currency, e->origins[i].currency, sizeof out->currency);
            out->price += fan ? v * ((const wsk_fan_params *)e->params)->count : v;
        }
    for (const wsk_elem *c = e->child; c; c = c->next)
        add_prices(c, out);
}

/* Mean watts at the wall and for cooling the room. */
static double site_w(const wsk_run *run)
{
    const wsk_ledger *l = &run->head->ledger;
    double j = wsk_sum_value(&l->wall) + wsk_sum_value(&l->side) + wsk_sum_value(&l->cooling_electric), time = wsk_window_s(run);
    return time > 0 ? j / time : 0;
}

/* The steady point of a network; false where it has none. Sets what the run had beyond it, where `run_of_it` is not NULL. */
static bool judge(const wsk_net *net, rig *r, const wsk_run *run_of_it, wsk_outcome *out)
{
    wsk_run *run = NULL;
    bool cycling, ok = (r->leap ? wsk_steady_leap(&run, net, WSK_STEPPER_FAST)
                                : wsk_steady_solve(&run, net, WSK_STEPPER_FAST, &cycling, NULL, NULL)) == WSK_OK;
    if (ok) {
        double time = wsk_window_s(run), card_w[WSK_STEP_CARDS];
        *out = (wsk_outcome){.wall_w = site_w(run), .room_c = run->t[net->room] - WSK_KELVIN, .noise_dba = NAN};
        if (run->head->noise_s / time > 1)
            out->noise_dba = wsk_dba(run->head->noise_s / time);
        for (int i = 0; run_of_it && i < net->n_supply && i < WSK_STEP_CARDS; i++) {
            double here_w[WSK_STEP_CARDS];
            wsk_steps was = wsk_steps_of_run(run_of_it, i, 1, card_w), is = wsk_steps_of_run(run, i, 1, here_w);
            bool failed = run_of_it->supplies[i].failed;
            r->extra_w[i] = failed ? 0 : fmax(0, was.base_w - is.base_w);
            r->extra_cards_w[i] = failed ? 0 : fmax(0, sum(card_w, was.n) - sum(here_w, is.n));
        }
        if (run_of_it)
            r->extra_va = fmax(0, run_of_it->head->va_peak - wsk_mean_of(run, "wall_va"));
        judge_delivery(run, r, out);
        judge_cards(run, out);
        add_prices(net->plan->rig, out);
    }
    wsk_run_free(run);
    return ok;
}

/* The same of a rig with some assignments more; false, too, when that rig cannot be built. */
static bool judge_variant(rig *r, const wsk_variant *v, const wsk_run *run_of_it, wsk_outcome *out)
{
    const char *sets[3 * WSK_SETS_MAX];
    wsk_plan_input input = *r->input;
    wsk_plan *plan = NULL;
    wsk_net *net = NULL;
    if (r->input->set_count > WSK_SETS_MAX)
        return false;
    input.sets = sets;
    input.set_count = 0;
    for (size_t i = 0; i < r->input->set_count; i++)
        sets[input.set_count++] = r->input->sets[i];
    for (size_t i = 0; i < r->always.count; i++)
        sets[input.set_count++] = r->always.sets[i];
    for (size_t i = 0; v && i < v->count; i++)
        sets[input.set_count++] = v->sets[i];
    bool ok = wsk_plan_load(&plan, &input) == WSK_OK && wsk_net_compile(&net, plan) == WSK_OK && judge(net, r, run_of_it, out);
    wsk_net_free(net);
    wsk_plan_free(plan);
    return ok;
}

/* ---- what counts ---- */

static double year_of(const rig *r, double watts)
{
    const wsk_net *net = r->net;
    return net->tariff ? r->duty * watts * 365 * 86400 * wsk_bill_yearly_price(net->billing) : NAN;
}

static wsk_change change_of(const rig *r, const wsk_outcome *base, const wsk_variant *v, const wsk_outcome *o)
{
    const wsk_net *net = r->net;
    wsk_change c = {.what = v->text, .sets = v->sets, .n_sets = v->count, .wall_w = o->wall_w - base->wall_w, .work_rel = NAN, .die_k = NAN,
                    .room_k = isnan(net->room_params->temp_k) ? o->room_c - base->room_c : NAN, .noise_db = o->noise_dba - base->noise_dba, .purchase = NAN, .trip = o->trip, .trip_psu = o->trip_psu, .over_w = o->over_w, .over_psu_w = o->over_psu_w,
                    .shuts_down = o->dead > 0, .throttles = o->throttles};
    bool money = strcmp(base->currency, o->currency) == 0 || !base->currency[0];
    if (net->n_card && base->work > 0)
        c.work_rel = o->work / base->work - 1;
    if (net->n_card)
        c.die_k = o->hottest_c - base->hottest_c;
    c.year = year_of(r, c.wall_w);
    if (!v->bought && money && !isnan(o->price - base->price)) {
        c.purchase = o->price - base->price;
        memcpy(c.currency, o->currency, sizeof c.currency);
    }
    return c;
}

/* What comes before work, money and noise. */
static bool fails(const wsk_outcome *o)
{
    return o->dead || o->braked || o->over_w > 0 || o->over_psu_w > 0 || o->trip >= WSK_TELLS;
}

static bool ill(const wsk_outcome *o)
{
    return fails(o) || o->throttles || o->lost > 0.01;
}

/* Work counts for itself, money by what an hour of the rig costs; an end to throttling or to an overloaded circuit for more
 * than both; an end to trips for most. Heat and noise break ties. */
static double score(const rig *r, const wsk_outcome *base, const wsk_outcome *o, const wsk_change *c)
{
    double year = year_of(r, base->wall_w), s = o->work > 0 || base->work > 0 ? (o->work - base->work) / fmax(base->work, 0.01) : 0;
    s += energy_share * (base->wall_w - o->wall_w) / fmax(base->wall_w, 1);
    if (c->purchase > 0 && year > 0 && r->net->currency && strcmp(c->currency, r->net->currency) == 0)
        s -= energy_share * c->purchase / pays_back_years / year;
    if (r->net->n_card)
        s -= 0.0005 * c->die_k;
    if (base->noise_dba > WSK_LOUD_DBA || o->noise_dba > WSK_LOUD_DBA)
        s += (ill(base) ? 0.0005 : 0.015) * (fmax(base->noise_dba, WSK_LOUD_DBA) - fmax(o->noise_dba, WSK_LOUD_DBA));
    s += 0.02 * (fmax(base->room_c, WSK_HOT_ROOM_C) - fmax(o->room_c, WSK_HOT_ROOM_C));
    if (base->over_w > 0)
        s += (base->over_w - o->over_w) / base->over_w;
    if (base->over_psu_w > 0)
        s += 2 * (base->over_psu_w - o->over_psu_w) / base->over_psu_w;
    if (base->trip >= WSK_TELLS)
        s += 4 * (base->trip - o->trip) / base->trip;
    return s + fmin(0.2, 0.02 + 2 * fmax(base->lost, o->lost)) * (base->throttles - o->throttles) + 2.0 * (base->dead - o->dead);
}

/* Too loud and nothing else, and then heard to be less so. */
static bool quiets(const wsk_outcome *base, const wsk_outcome *o)
{
    return !ill(base) && base->noise_dba > WSK_LOUD_DBA && o->noise_dba < base->noise_dba - quieter_db;
}

/* It brings an ill that was not there, or costs work and cures nothing. */
static bool worse(const wsk_outcome *base, const wsk_outcome *o)
{
    return o->dead > base->dead || (o->throttles && !base->throttles) || o->trip > base->trip + WSK_TELLS || o->over_w > base->over_w + 1 ||
           o->over_psu_w > base->over_psu_w + 1 || o->lost > base->lost + 0.005 ||
           (!fails(base) && o->work < (quiets(base, o) ? 1 - quiet_costs : 0.995) * base->work) ||
           (!ill(base) && o->wall_w * base->work > 1.01 * base->wall_w * fmax(base->work, o->work)); /* dearer work for its own sake */
}

/* ---- all of it ---- */

/* What fails within the run has failed for the advice. */
static void fail_parts(rig *r, const wsk_elem *e)
{
    for (const wsk_param *p = e->kind->params; p && p->name; p++) {
        size_t n = strlen(p->name);
        double at;
        if (p->type != WSK_TYPE_NUMBER || n < 8 || strcmp(p->name + n - 8, "fails-at") != 0)
            continue;
        memcpy(&at, (const char *)e->params + p->offset, sizeof at);
        if (at > 0 && at < r->net->runspec->for_s)
            wsk_variant_set(r->arena, &r->always, wsk_printf(r->arena, "%s[%s].%s", e->kind->element, e->id, p->name), 0, " s");
    }
    for (const wsk_elem *c = e->child; c; c = c->next)
        fail_parts(r, c);
}

/* Held back by heat in the run, at its hottest hours. */
static bool run_is_hot(const wsk_run *run)
{
    for (int i = 0; run && i < run->net->n_card; i++)
        if (wsk_heat_throttle_s(&run->cards[i]) > 0.002 * wsk_window_s(run) || run->cards[i].off)
            return true;
    return false;
}

static bool often_undone(const wsk_run *run)
{
    double done = 0;
    for (int i = 0; run && i < run->net->n_card; i++)
        done += wsk_sum_value(&run->cards[i].work);
    return run && run->head->redone_s > 0 && run->head->redone_s > 0.1 * (done + run->head->redone_s);
}

typedef struct {
    wsk_outcome o;
    double score;
    size_t at;
    bool worth, worse, fails;
} candidate;

/* What is worth it comes before what is not, that before what brings an ill; and of the first what cures before what does not. */
static bool before(const candidate *a, const candidate *b)
{
    int first = 2 * (a->worth - a->worse) - (a->worth && a->fails), second = 2 * (b->worth - b->worse) - (b->worth && b->fails);
    return !isfinite(b->score) || (first != second ? first > second : a->score > b->score);
}

/* What the run's mean says, as its verdict does. */
static bool too_loud(const wsk_outcome *base, const wsk_run *run)
{
    return round(run ? wsk_dba(run->head->noise_s / wsk_window_s(run)) : base->noise_dba) > WSK_LOUD_DBA;
}

/* Before the changes, or instead of them. */
static const char *words(const rig *r, const wsk_outcome *base, const wsk_run *run, size_t n, const wsk_advice *a)
{
    const char *when = r->always.count ? "after the failure:" : "", *gap = *when ? " " : "", *calm = "", *colon = a->n_vain ? "; the best of them:" : ".";
    if (a->n)
        return when;
    if (!ill(base) && !run_is_hot(run))
        calm = r->fails                     ? "nothing needs help but its failures, which no part mends"
               : base->room_c > WSK_HOT_ROOM_C  ? "nothing needs help but its hot room"
               : too_loud(base, run)        ? "nothing needs help but its noise" : "nothing needs help";
    if (!n)
        return wsk_printf(r->arena, "%s%s%s.", when, gap, *calm ? calm : "no change was found that could help");
    if (base->dead)
        return wsk_printf(r->arena, "%s%snone of the %d changes tried ends the shutdown%s", when, gap, (int)n, colon);
    if (n == 1)
        return wsk_printf(r->arena, "%s%s%s%sthe one change tried is not worth it%s", when, gap, calm, *calm ? "; " : "", a->n_vain ? ":" : ".");
    return wsk_printf(r->arena, "%s%s%s%snone of the %d changes tried is worth it%s", when, gap, calm, *calm ? "; " : "", (int)n, colon);
}

/* What is bought with it comes back in time, and then some. */
static bool pays_back(const rig *r, const wsk_outcome *base, const wsk_change *c)
{
    return c->purchase > 0 && r->net->currency && strcmp(c->currency, r->net->currency) == 0 &&
           -c->year * pays_back_years - c->purchase > 0.01 * year_of(r, base->wall_w);
}

static bool is_worth(const rig *r, const wsk_outcome *base, const wsk_outcome *o, const wsk_change *c)
{
    return !worse(base, o) && (score(r, base, o, c) > worth || pays_back(r, base, c));
}

/* The best of each family, the best family first. */
static int rank(rig *r, const wsk_outcome *base, const wsk_variant *list, size_t n, candidate best[WSK_FAMILIES])
{
    int found = 0;
    for (int f = 0; f < WSK_FAMILIES; f++)
        best[f] = (candidate){.score = -INFINITY};
    for (size_t i = 0; i < n; i++) {
        wsk_outcome o;
        candidate *b = &best[list[i].family];
        if (!judge_variant(r, &list[i], NULL, &o))
            continue;
        wsk_change c = change_of(r, base, &list[i], &o);
        candidate mine = {.o = o, .score = score(r, base, &o, &c), .at = i, .worth = is_worth(r, base, &o, &c), .worse = worse(base, &o), .fails = fails(&o)};
        if (before(&mine, b))
            *b = mine;
    }
    for (int f = 0; f < WSK_FAMILIES; f++)
        if (isfinite(best[f].score)) {
            candidate c = best[f];
            int k = found++;
            for (; k > 0 && before(&c, &best[k - 1]); k--)
                best[k] = best[k - 1];
            best[k] = c;
        }
    return found;
}

/* Is there anything to tell of it, about what ails the rig? */
static bool does_something(const wsk_outcome *base, const wsk_change *c)
{
    if (!ill(base) && base->room_c > WSK_HOT_ROOM_C)
        return c->room_k <= -0.5;
    if (!ill(base) && base->noise_dba > WSK_LOUD_DBA)
        return c->noise_db <= -0.5;
    return fabs(c->work_rel) >= 0.0005 || fabs(c->wall_w) >= 0.5 || fabs(c->die_k) >= 0.5 || fabs(c->room_k) >= 0.5 || fabs(c->noise_db) >= 0.5;
}

/* The numbers told are solved without leaps, which may also show worth that leaps did not. */
static void tell(rig *r, const wsk_outcome *base, const wsk_variant *list, const wsk_run *run, candidate *best, int found, wsk_advice *out)
{
    bool quiet = ill(base) || !too_loud(base, run), cured = false;
    for (int i = 0; i < found && out->n < WSK_CHANGES; i++) {
        if ((!best[i].worth && ((out->n && quiet) || out->n_vain == WSK_CHANGES)) || !judge_variant(r, &list[best[i].at], NULL, &best[i].o))
            continue;
        wsk_change c = change_of(r, base, &list[best[i].at], &best[i].o);
        if (list[best[i].at].family == WSK_BY_PANEL)
            c.noise_db = NAN; /* what the panel holds back is not known */
        if (cured && fails(&best[i].o))
            continue; /* beside a cure it is none */
        if (is_worth(r, base, &best[i].o, &c)) {
            cured = cured || !fails(&best[i].o);
            out->changes[out->n++] = c;
            quiet = quiet || c.noise_db <= -quieter_db;
        } else if (out->n_vain < WSK_CHANGES && does_something(base, &c)) {
            out->vain[out->n_vain++] = c;
        }
    }
    out->too_loud = out->n && !quiet;
    out->n_vain = out->n && quiet ? 0 : out->n_vain;
}

wsk_status wsk_advise(wsk_arena *arena, const wsk_net *net, const wsk_run *run, const wsk_plan_input *input, wsk_advice *out)
{
    wsk_variant *list = wsk_alloc(arena, WSK_VARIANTS_MAX * sizeof *list);
    candidate *best = wsk_alloc(arena, WSK_FAMILIES * sizeof *best);
    rig *r = wsk_alloc(arena, sizeof *r);
    *out = (wsk_advice){.before = "", .currency = net->tariff ? net->currency : NULL};
    if (!list || !r || !best)
        return WSK_ENOMEM;
    *r = (rig){.arena = arena, .net = net, .input = input, .duty = 1};
    fail_parts(r, net->plan->rig);
    wsk_outcome base = {0}, quick = {0};
    if ((net->n_card == 0 && net->n_supply == 0) || net->n_card > WSK_STEP_CARDS || !judge_variant(r, NULL, run, &base))
        return WSK_OK;
    if (run && base.wall_w > 0)
        r->duty = fmin(1, site_w(run) / base.wall_w);
    r->fails = often_undone(run);
    r->leap = true;
    if (!judge_variant(r, NULL, NULL, &quick))
        return WSK_OK;
    bool heat = run_is_hot(run) || (base.lost > 0.002 && !base.braked) || base.throttles || base.dead;
    size_t n = wsk_propose(arena, net, input, &base, heat, list);
    int found = rank(r, &quick, list, n, best);
    r->leap = false;
    out->trip = base.trip;
    out->over_w = base.over_w;
    out->over_psu_w = base.over_psu_w;
    out->shuts_down = base.dead > 0;
    out->throttles = base.throttles;
    tell(r, &base, list, run, best, found, out);
    const char *before_them = words(r, &base, run, n, out);
    if (!before_them)
        return WSK_ENOMEM;
    out->before = before_them;
    return WSK_OK;
}
