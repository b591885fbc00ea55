/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/study/advice/advice.h"
#include "sim/study/findings/found.h"
#include "sim/study/kit/plan_copy.h"
#include "sim/study/kit/weather.h"
#include "sim/study/spread/spread.h"
#include "sim/books/books.h"
#include "sim/books/breaker.h"
#include "sim/step/step.h"
#include "sim/books/observe.h"
#include "sim/control/control.h"

static double sum(const double *w, int n)
{
    double all = 0;
    for (int i = 0; i < n; i++)
        all += w[i];
    return all;
}

/* Power, W, by which the n cards of a PSU are below their power limits at this steady point (card_w); cold cards may
 * draw that much more. Estimated from their power and the ratio of limits to power of all cards of the rig together. */
static double room_to_limits(const wsk_run *run, const double *card_w, int n)
{
    double held = 0, drawn = 0;
    for (int i = 0; i < run->net->n_card; i++) {
        held += wsk_card_held_w(&run->net->cards[i], wsk_card_highest_limit_w(&run->net->cards[i]));
        drawn += wsk_var_mean(run, WSK_VAR_CARD_POWER_W, i);
    }
    return drawn > 0 ? fmax(0, held / drawn - 1) * sum(card_w, n) : 0;
}

/* Raises the powers of n cards in proportion, by more_w in total, so that their load steps equal those of cold
 * cards. */
static void raise_cards(double *card_w, int n, double more_w)
{
    double all = sum(card_w, n);
    for (int i = 0; i < n && all > 0; i++)
        card_w[i] *= 1 + more_w / all;
}

/* Excess of the run over its steady point, W, of the cards that PSU i of this rig feeds. It follows the cards, because a
 * change may move them to another PSU. */
static double extra_of_cards(const wsk_run *run, const wsk_judged *r, int i)
{
    double extra_w = 0;
    for (int k = 0; k < run->net->n_card && k < WSK_STEP_CARDS; k++)
        extra_w += wsk_supply_share(run, &run->net->cards[k], i) * r->extra_cards_w[k];
    return fmax(0, extra_w);
}

static bool same_lines(const wsk_net *net, const wsk_net *was)
{
    bool same = net->n_line == was->n_line && net->n_supply == was->n_supply;
    for (int i = 0; same && i < net->n_supply; i++)
        same = net->supplies[i].line == was->supplies[i].line;
    return same;
}

/* Per PSU: extra_w: excess of the run, W, that its cards draw. less_w: mains power, W, by which that becomes smaller,
 * because the power limits of the cards leave no room for it. */
typedef struct {
    double extra_w[WSK_STEP_CARDS], less_w[WSK_STEP_CARDS];
} supply_peaks;

/* Sum over the PSUs on one circuit; line -1: over all PSUs. */
static double sum_of_line(const wsk_net *net, const double *of_supply, int line)
{
    double all = 0;
    for (int i = 0; i < net->n_supply && i < WSK_STEP_CARDS; i++)
        all += line < 0 || net->supplies[i].line == line ? of_supply[i] : 0;
    return all;
}

double wsk_judged_s(const wsk_judged *r)
{
    return r->run && !r->run->steady ? (double)r->run->end_ns / 1e9 : r->net->runspec->for_s;
}

/* Finds trips, overloads and their cures for the PSUs. The loads are those of this steady point plus the excess of the
 * run (r), for as long as the run. Fills `peaks`. Returns the chance that none trips. */
static double judge_supplies(const wsk_run *run, const wsk_judged *r, supply_peaks *peaks, wsk_outcome *o)
{
    const wsk_net *net = run->net;
    double stay = 1, card_w[WSK_STEP_CARDS], cards_w = 0, all_kept_w = 0;
    for (int i = 0; i < net->n_supply && i < WSK_STEP_CARDS; i++) {
        const double dc_j = wsk_sum_value(&run->supplies[i].dc), wall_j = wsk_sum_value(&run->supplies[i].wall);
        if (run->supplies[i].failed)
            continue;
        wsk_steps steps = wsk_steps_of_run(run, i, wsk_judged_s(r), card_w);
        const double extra_w = extra_of_cards(run, r, i),
                     kept_w = fmin(extra_w, room_to_limits(run, card_w, steps.n));
        peaks->extra_w[i] = extra_w;
        peaks->less_w[i] = dc_j > 0 ? (extra_w - kept_w) * wall_j / dc_j : 0;
        cards_w += sum(card_w, steps.n);
        all_kept_w += kept_w;
        steps.base_w += fmax(0, r->extra_w[i] + extra_w) - extra_w + kept_w;
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
    o->peak_rel = cards_w > 0 ? 1 + all_kept_w / cards_w : 1;
    o->trip_psu = 1 - stay;
    return stay;
}

static double supplies_w(const wsk_run *run, int line)
{
    double sum_j = 0;
    for (int i = 0; i < run->net->n_supply; i++)
        sum_j += run->net->supplies[i].line == line ? wsk_sum_value(&run->supplies[i].wall) : 0;
    return sum_j / wsk_window_s(run);
}

static void cure_by_limits(wsk_outcome *o, double over_w, double cards_w)
{
    if (over_w > 0 && cards_w > 0)
        o->cure_circuit = fmin(o->cure_circuit, floor(100 * (1 - over_w / cards_w)) / 100);
}

static void judge_lines(const wsk_run *run, const wsk_judged *r, const supply_peaks *peaks, double stay,
                        wsk_outcome *o)
{
    const wsk_net *net = run->net;
    const bool known = r->extra_line_va && same_lines(net, r->net);
    double cards = 0, all_va = run->books->va_peak;
    const double all_extra_w = sum_of_line(net, peaks->extra_w, -1), all_less_w = sum_of_line(net, peaks->less_w, -1);
    for (int i = 0; i < net->n_card; i++)
        cards += o->peak_rel * wsk_var_mean(run, WSK_VAR_CARD_POWER_W, i);
    for (int i = 0; i < net->n_line; i++) {
        const wsk_mains_line *line = &net->lines[i];
        /* Excess of the run over its steady point, VA: of this circuit, or, if that is unknown because PSUs have moved
         * to other circuits, this circuit's share of the total: by what its cards draw more, or by its load. */
        const double share = net->n_line == 1 ? 1
                             : all_va > 0     ? run->lines[i].va_peak / all_va
                                              : 0,
                     part = all_extra_w > 0 ? sum_of_line(net, peaks->extra_w, i) / all_extra_w : share,
                     less = known ? sum_of_line(net, peaks->less_w, i) : part * all_less_w,
                     more_va = fmax(0, (known ? r->extra_line_va[i] : part * r->extra_va) - less);
        double va = share * wsk_var_mean(run, WSK_VAR_WALL_VA, 0) + more_va, m = va / wsk_line_rating_w(line),
               over = line->limit_w > 0 ? fmax(0, va - line->limit_w) : 0, feed = 0, feed_w = supplies_w(run, i);
        if (!isnan(line->circuit_a))
            stay *= 1 - wsk_breaker_trip(&line->breaker, m * m, m);
        o->over_w += over;
        cure_by_limits(o, over, cards * share);
        if (feed_w > 0)
            wsk_feed_loss_w(line, feed_w += more_va, &feed);
        if (feed > 1) {
            o->over_feed += feed - 1;
            if (i < WSK_STEP_CARDS)
                o->feed_w[i] = feed_w;
            cure_by_limits(o, feed_w * (1 - 1 / feed), cards * share);
        }
    }
    o->trip = 1 - stay;
}

static void judge_delivery(const wsk_run *run, const wsk_judged *r, wsk_outcome *o)
{
    supply_peaks peaks = {0};
    o->cure_psu = o->cure_circuit = 1;
    const double stay = judge_supplies(run, r, &peaks, o);
    judge_lines(run, r, &peaks, stay, o);
}

/* See wsk_outcome.busy. Time lost to limits and heat is busy, and so is that of work which failures undid. Cards that
 * are lost or without mains at the end do not count. */
static double busy_share(const wsk_run *run)
{
    double busy = 0, done = 0;
    int working = 0;
    for (int i = 0; i < run->net->n_card; i++) {
        done += wsk_sum_value(&run->cards[i].work);
        if (run->net->cards[i].works && run->cards[i].off != WSK_LOST &&
            run->cases[run->net->cards[i].in].cpu_off != WSK_DARK) {
            busy += wsk_sum_value(&run->cards[i].work_free) / wsk_window_s(run);
            working++;
        }
    }
    return busy > 0 ? busy / working * (done > 0 ? 1 + run->head->redone_s / done : 1) : 0;
}

void wsk_judge_cards(const wsk_run *run, wsk_outcome *out)
{
    double done = 0, gone = wsk_sum_value(&run->head->work_gone), cool = 0, time = wsk_window_s(run);
    out->hottest_c = -INFINITY;
    out->uncounted = !isnan(run->schedule.power_w);
    for (int i = 0; i < run->net->n_card; i++) {
        const wsk_card_state *s = &run->cards[i];
        out->die_c[i] = wsk_var_mean(run, WSK_VAR_CARD_DIE_C, i);
        out->card_w[i] = wsk_var_mean(run, WSK_VAR_CARD_POWER_W, i);
        out->hottest_c = fmax(out->hottest_c, out->die_c[i]);
        out->off[i] = wsk_is_shut_down(run, i);
        out->dead += out->off[i];
        out->gone += s->off == WSK_LOST;
        out->braked = out->braked || s->throttle_ns[4] > 0;
        done += wsk_sum_value(&s->work);
        cool += wsk_sum_value(&s->work_cool);
        out->throttles = out->throttles || wsk_heat_throttle_s(s) > 0.01 * time;
    }
    out->work = out->done = done / time;
    if (out->uncounted)
        out->done = sum(out->card_w, run->net->n_card);
    out->lost = cool > 0 ? 1 - (done + gone) / cool : 0;
    out->busy = busy_share(run);
    out->load = run->schedule.load;
    out->parts_hot = wsk_parts_too_hot(run);
}

static void judge_room(const wsk_run *run, wsk_outcome *out)
{
    out->hot_room_c = run->t[run->net->room] - WSK_KELVIN;
    out->hot_outdoor_c = run->t[run->net->outdoor] - WSK_KELVIN;
    out->room_heat_w = run->net->room_params->cond_w_k * (out->hot_room_c - out->hot_outdoor_c) + run->ac_heat_w;
}

/* Adds the prices of fans, PSUs, UPS, strips and riser cables in `e` to out->price; NAN: a price is unknown or in
 * another currency. Other parts do not count: advice does not change them, or their price is unknown. */
static void add_prices(const wsk_elem *e, wsk_outcome *out)
{
    static const char *const changed[] = {"fan", "psu", "ups", "pdu", "riser-cable"};
    const wsk_param *price = NULL;
    for (size_t i = 0; i < sizeof changed / sizeof *changed && !price; i++)
        if (strcmp(e->kind->element, changed[i]) == 0)
            price = wsk_kind_price(e->kind);
    if (price) {
        const char *currency = e->origins[price - e->kind->params].currency;
        double v;
        memcpy(&v, (const char *)e->params + price->offset, sizeof v);
        if (v > 0 && out->currency[0] && strcmp(out->currency, currency) != 0)
            v = NAN;
        if (v > 0)
            memcpy(out->currency, currency, sizeof out->currency);
        out->price += v * wsk_elem_count(e);
    }
    for (const wsk_elem *c = e->child; c; c = c->next)
        add_prices(c, out);
}

double wsk_site_w(const wsk_run *run)
{
    const wsk_ledger *l = &run->books->ledger;
    double j = wsk_sum_value(&l->wall) + wsk_sum_value(&l->side) + wsk_sum_value(&l->cooling_electric),
           time = wsk_window_s(run);
    return time > 0 ? j / time : 0;
}

/* Sets r->extra_w and r->extra_cards_w. */
static void note_supply_peaks(const wsk_run *run, const wsk_run *steady, wsk_judged *r)
{
    const wsk_net *net = steady->net;
    memset(r->extra_cards_w, 0, sizeof r->extra_cards_w);
    for (int i = 0; i < net->n_supply && i < WSK_STEP_CARDS; i++) {
        double was_w[WSK_STEP_CARDS], is_w[WSK_STEP_CARDS];
        const wsk_steps was = wsk_steps_of_run(run, i, 1, was_w), is = wsk_steps_of_run(steady, i, 1, is_w);
        const bool failed = run->supplies[i].failed;
        r->extra_w[i] = failed ? 0 : was.base_w - is.base_w - (sum(was_w, was.n) - sum(is_w, is.n));
        for (int k = 0, at_was = 0, at_is = 0; k < net->n_card && k < WSK_STEP_CARDS && !failed; k++) {
            const bool fed = wsk_supply_share(run, &run->net->cards[k], i) > 0,
                       feeds = wsk_supply_share(steady, &net->cards[k], i) > 0;
            r->extra_cards_w[k] += (fed ? was_w[at_was] : 0) - (feeds ? is_w[at_is] : 0);
            at_was += fed;
            at_is += feeds;
        }
    }
}

static void note_peaks(const wsk_run *run, const wsk_run *steady, wsk_judged *r)
{
    note_supply_peaks(run, steady, r);
    const int n = run->net->n_line;
    r->extra_va = fmax(0, run->books->va_peak - wsk_var_mean(steady, WSK_VAR_WALL_VA, 0));
    r->extra_line_va = n > 1 ? wsk_alloc(r->arena, (size_t)n * sizeof *r->extra_line_va) : NULL;
    for (int i = 0; i < n && r->extra_line_va; i++)
        r->extra_line_va[i] = fmax(0, run->lines[i].va_peak - steady->lines[i].va_peak);
}

/* run_of_it, unless NULL: sets r->extra_* to the excess of that run over the steady point. *kept receives the run that
 * found the steady point, which the caller frees; NULL: none. */
static bool judge(const wsk_net *net, wsk_judged *r, const wsk_run *run_of_it, wsk_outcome *out, wsk_run **kept)
{
    wsk_run *run = NULL;
    bool cycling,
        ok = (r->resting            ? wsk_steady_resting(&run, net, WSK_STEPPER_FAST)
              : r->leap || r->brief ? wsk_steady_leap(&run, net, WSK_STEPPER_FAST)
                                    : wsk_steady_solve(&run, net, WSK_STEPPER_FAST, &cycling, NULL, NULL)) == WSK_OK;
    if (ok) {
        double time = wsk_window_s(run);
        *out = (wsk_outcome){.wall_w = wsk_var_mean(run, WSK_VAR_WALL_W, 0),
                             .site_w = wsk_site_w(run),
                             .room_c = run->t[net->room] - WSK_KELVIN,
                             .noise_dba = NAN};
        if (run->books->noise_s / time > 1)
            out->noise_dba = wsk_dba(run->books->noise_s / time);
        if (run_of_it)
            note_peaks(run_of_it, run, r);
        judge_delivery(run, r, out);
        wsk_judge_cards(run, out);
        judge_room(run, out);
        out->hot_lost = out->lost;
        out->margin_k = wsk_spread_margin_k(run);
        add_prices(net->plan->rig, out);
    }
    *kept = run;
    return ok;
}

/* Solves the steady point at the outdoor temperature of the hottest hour, already set in `net`. Adds its throttling,
 * hot parts and shutdowns to `out`, and stores its room temperature and heat there. mean: the steady point at the mean
 * temperature, from which the search begins unless cards shut down in the run: a cold start in the hottest hour may
 * overshoot and shut down a card that would warm up slowly during the day. */
static bool judge_hottest(const wsk_net *net, const wsk_judged *r, const wsk_run *mean, wsk_outcome *out)
{
    wsk_run *run = NULL;
    wsk_outcome hot = {0};
    bool ok = !r->shut_down && wsk_steady_from(&run, net, mean) == WSK_OK && wsk_steady_settle(run) == WSK_OK &&
              run->head->shutdowns == 0;
    if (!ok) {
        wsk_run_free(run);
        run = NULL;
        ok = wsk_steady_leap(&run, net, WSK_STEPPER_FAST) == WSK_OK;
    }
    if (ok) {
        wsk_judge_cards(run, &hot);
        judge_room(run, out);
        out->hot_lost = hot.lost;
        out->throttles = out->throttles || hot.throttles;
        out->parts_hot = out->parts_hot || hot.parts_hot;
        out->dead = hot.dead > out->dead ? hot.dead : out->dead;
    }
    wsk_run_free(run);
    return ok;
}

wsk_status wsk_load_changed(wsk_judged *r, const char *const *more, size_t n, double dust_s, wsk_plan **plan,
                            wsk_net **net)
{
    const char *sets[2 * WSK_SETS_MAX];
    wsk_plan_input input = *r->input;
    if (r->input->set_count > WSK_SETS_MAX)
        return WSK_EINPUT;
    input.parts_read = &r->parts;
    input.sets = sets;
    input.set_count = 0;
    for (size_t i = 0; i < r->input->set_count; i++)
        sets[input.set_count++] = r->input->sets[i];
    for (size_t i = 0; i < n; i++)
        sets[input.set_count++] = more[i];
    wsk_status status = wsk_plan_load(plan, &input);
    if (status != WSK_OK)
        return status;
    if (r->run)
        wsk_plan_bridge((*plan)->rig, r->run);
    wsk_plan_fail((*plan)->rig, wsk_judged_s(r));
    wsk_plan_gather_dust((*plan)->rig, dust_s);
    return wsk_net_compile(net, *plan);
}

bool wsk_judge(wsk_judged *r, const wsk_variant *v, const wsk_run *run_of_it, wsk_outcome *out)
{
    wsk_plan *plan = NULL;
    wsk_net *net = NULL;
    const wsk_outdoor_params mean = {.mean_k = r->mean_k}, hot = {.mean_k = r->hot_k};
    bool ok = wsk_load_changed(r, v ? v->sets : NULL, v ? v->count : 0, r->dust_s, &plan, &net) == WSK_OK;
    if (ok)
        wsk_hold_weather(net, &mean);
    for (int i = 0; ok && r->off && i < net->n_card; i++)
        net->cards[i].lost_ns = r->off[i] ? 0 : net->cards[i].lost_ns;
    wsk_run *at_mean = NULL;
    ok = ok && judge(net, r, run_of_it, out, &at_mean);
    if (ok && !isnan(r->hot_k)) {
        wsk_hold_weather(net, &hot);
        ok = judge_hottest(net, r, at_mean, out);
    }
    wsk_run_free(at_mean);
    if (!ok)
        r->parts.first = NULL;
    wsk_net_free(net);
    wsk_plan_free(plan);
    return ok;
}

/* Solves the rig of `s`, whose values the caller has moved. */
static wsk_status solve_moved(const wsk_judged *r, const wsk_spreads *s, const wsk_net *of, wsk_end *out)
{
    const wsk_outdoor_params mean = {.mean_k = r->mean_k};
    wsk_net *net = NULL;
    wsk_run *run = NULL;
    wsk_outcome o = {0};
    wsk_status status = wsk_net_compile_copy(&net, s->plan, of);
    if (status == WSK_OK) {
        wsk_hold_weather(net, &mean);
        status = wsk_steady_leap(&run, net, WSK_STEPPER_FAST);
    }
    if (status == WSK_OK)
        wsk_judge_cards(run, &o);
    if (status == WSK_OK)
        *out = (wsk_end){o.work, wsk_spread_margin_k(run)};
    wsk_run_free(run);
    wsk_net_free(net);
    return status;
}

wsk_status wsk_judge_ends(wsk_judged *r, const char *const *sets, size_t n, const char *key, wsk_end out[2],
                          bool *there)
{
    wsk_plan *plan = NULL;
    wsk_net *net = NULL;
    wsk_spreads s;
    const wsk_spread_source *source = NULL;
    wsk_arena *arena = wsk_arena_new();
    wsk_status status = arena ? wsk_load_changed(r, sets, n, r->dust_s, &plan, &net) : WSK_ENOMEM;
    if (status == WSK_OK && !wsk_spreads_find(&s, arena, net))
        status = WSK_ENOMEM;
    for (int i = 0; status == WSK_OK && i < s.n_source && !source; i++)
        source = strcmp(s.sources[i].key, key) == 0 ? &s.sources[i] : NULL;
    for (int end = 0; status == WSK_OK && end < 2; end++) {
        if (source)
            wsk_spreads_move(&s, source, end ? 1 : -1);
        if (source || end == 0)
            status = solve_moved(r, &s, net, &out[end]);
        else
            out[1] = out[0];
    }
    *there = status == WSK_OK;
    if (!*there)
        r->parts.first = NULL;
    wsk_net_free(net);
    wsk_plan_free(plan);
    wsk_arena_free(arena);
    return status == WSK_ENOMEM ? status : WSK_OK;
}
