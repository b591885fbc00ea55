/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizing advice of `check`: PSUs with all parts at their limits; circuits are in sizing_lines.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/check/check.h"
#include "sim/study/kit/weather.h"
#include "sim/control/control.h"
#include "sim/study/trip/trip.h"
#include "sim/study/findings/found.h"
#include "sim/step/step.h"
#include "sim/books/observe.h"
#include "sim/books/books.h"

static void case_watts(const wsk_net *net, int in, double *cards, double *rest)
{
    const wsk_case *c = &net->cases[in];
    *cards = 0;
    *rest = (c->cpu ? c->cpu->count * c->cpu->power_w : 0) + c->host_rest_w + c->host_span_w;
    for (int i = 0; i < net->n_card; i++)
        *cards += net->cards[i].in == in ? wsk_card_most_w(net, &net->cards[i]) : 0;
    for (int i = 0; i < net->n_mover; i++) {
        const wsk_mover *m = &net->movers[i];
        if (m->in == in && m->power_w > 0)
            *rest += m->power_w * pow(m->rpm0 / m->ref_rpm, m->power_exponent);
    }
    for (int i = 0; i < net->n_load; i++)
        *rest += net->load_in[i] == in ? net->loads[i]->dc_w : 0;
}

static int redundant(const wsk_net *net, const wsk_case *c)
{
    int n = 0;
    for (int i = c->first_supply; i < c->first_supply + c->n_supply; i++)
        n += net->supplies[i].params->redundant;
    return n;
}

/* Power that the redundant PSUs of a case can deliver together, W, without PSU `lost` (WSK_NO: none is lost). */
static double pool_w(const wsk_net *net, const wsk_case *c, int lost)
{
    double sum = 0;
    for (int i = c->first_supply; i < c->first_supply + c->n_supply; i++)
        sum += net->supplies[i].params->redundant && i != lost ? net->supplies[i].law.limit_w : 0;
    return sum;
}

/* How redundant PSUs share a load. EVEN: in proportion to their limits. MOST: likewise, but the PSU asked about
 * carries more than its share, by its imbalance. RUN: as in a run (wsk_supply_weight), in which the first PSU
 * carries most. */
typedef enum { SHARE_EVEN, SHARE_MOST, SHARE_RUN } sharing;

static double run_share(const wsk_net *net, const wsk_case *c, int supply)
{
    const int n = redundant(net, c);
    double mine = 0, sum = 0;
    for (int i = c->first_supply, k = 0; i < c->first_supply + c->n_supply; i++) {
        if (!net->supplies[i].params->redundant)
            continue;
        const double weight = wsk_supply_weight(&net->supplies[i], k++, n);
        mine = i == supply ? weight : mine;
        sum += weight;
    }
    return mine / sum;
}

/* Part of the load wired to PSU `from` that PSU `to` carries while all PSUs work, as a fraction. */
static double share_of(const wsk_net *net, const wsk_case *c, int from, int to, sharing how)
{
    const wsk_supply *s = &net->supplies[to];
    if (!net->supplies[from].params->redundant)
        return from == to;
    if (!s->params->redundant)
        return 0;
    if (how == SHARE_RUN)
        return run_share(net, c, to);
    return (1 + (how == SHARE_MOST && redundant(net, c) > 1 ? s->params->imbalance : 0)) * s->law.limit_w /
           pool_w(net, c, WSK_NO);
}

/* Returns the load of a PSU, W. rest: power of the parts of the chassis other than cards, W. *cards: the part of the
 * load that feeds cards, W. */
static double load_of(const wsk_net *net, int supply, double rest, sharing how, double *cards)
{
    int in = net->supplies[supply].in;
    const wsk_case *c = &net->cases[in];
    *cards = 0;
    for (int i = 0; i < net->n_card; i++)
        if (net->cards[i].in == in && net->cards[i].supply >= 0)
            *cards += wsk_card_most_w(net, &net->cards[i]) * share_of(net, c, net->cards[i].supply, supply, how);
    return *cards + rest * share_of(net, c, wsk_rest_supply(net, c), supply, how);
}

/* Load steps (power peaks of milliseconds) of a PSU with a mean output of dc watts, over a day. w: receives the power
 * that the PSU supplies to each card; it must outlive the result. */
static wsk_steps steps_on(const wsk_net *net, const wsk_run *steady, int supply, double dc, double w[WSK_STEP_CARDS])
{
    const wsk_supply *s = &net->supplies[supply];
    wsk_steps steps = wsk_steps_of_net(net, s, wsk_inlet_k(net, steady, s), 86400);
    steps.base_w = dc;
    steps.card_w = w;
    for (int i = 0; i < net->n_card && steps.n < WSK_STEP_CARDS; i++) {
        const wsk_card *c = &net->cards[i];
        double share =
            c->in == s->in && c->supply >= 0 ? share_of(net, &net->cases[s->in], c->supply, supply, SHARE_MOST) : 0;
        if (share > 0) {
            w[steps.n++] = share * wsk_card_most_w(net, c);
            steps.least_w += share * wsk_card_least_w(net, c);
        }
    }
    return steps;
}

static double report_steps(const wsk_said *name, const wsk_steps *steps, wsk_lines *l)
{
    wsk_step_cause cause;
    double p = wsk_steps_trip(steps, &cause);
    if (steps->n)
        wsk_lines_add(l, 2,
                      WSK_SAID(WSK_SAY_CHECK_LOAD_STEPS, cause.peak_w, wsk_arg_named(cause.length),
                               100 * cause.peak_w / steps->limit_w, 100 * cause.built_w / steps->limit_w));
    if (p >= WSK_TELLS) {
        const wsk_said *why = wsk_steps_said(l->arena, steps);
        wsk_check_advise(l, p > 0.995 ? WSK_SAID(WSK_SAY_CHECK_TRIPS_SURELY, name, why)
                                      : WSK_SAID(WSK_SAY_CHECK_TRIPS, name, 100 * p, why));
    }
    return p;
}

static void too_small(const wsk_steps *s, const wsk_said *name, wsk_lines *l)
{
    double rating = wsk_steps_cure_rating(s), missing_w = s->base_w - s->limit_w;
    const wsk_said *lower = wsk_steps_cure_limits(s) > 0 ? WSK_SAY(l->arena, WSK_SAY_CHECK_OR_LOWER) : NULL;
    if (isfinite(rating) && s->line_w < 0.999 * s->rated_w)
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_TOO_SMALL_LINE, name, missing_w,
                                     50 * ceil(rating * s->line_w / s->rated_w / 50), s->supply_v, lower));
    else if (isfinite(rating))
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_TOO_SMALL_RATING, name, missing_w, rating, lower));
    else
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_TOO_SMALL, name, missing_w));
}

/* Highest load of a redundant PSU after another redundant PSU of its case failed, divided by its load before; 0: it has
 * no other. */
static double rise_by_loss(const wsk_net *net, int supply)
{
    const wsk_supply *s = &net->supplies[supply];
    const wsk_case *c = &net->cases[s->in];
    const int n = redundant(net, c);
    double rise = 0;
    for (int i = c->first_supply; i < c->first_supply + c->n_supply && s->params->redundant && n > 1; i++)
        if (i != supply && net->supplies[i].params->redundant)
            rise = wsk_max(rise, pool_w(net, c, WSK_NO) / pool_w(net, c, i) * (n > 2 ? 1 + s->params->imbalance : 1));
    return rise;
}

/* mean: mean load of the PSU, W; rise: the result of rise_by_loss */
static void too_large(const wsk_steps *s, double mean, double rise, wsk_lines *l)
{
    const double nameplate = s->rated_w / s->limit_w, name_w = s->base_w * nameplate,
                 lost_w = mean * rise * nameplate, less_w = 50 * ceil(wsk_max(name_w / 0.6, lost_w / WSK_TIGHT) / 50);
    wsk_check_advise(
        l, rise > 0 ? WSK_SAID(WSK_SAY_CHECK_TOO_LARGE_EACH, less_w, 100 * name_w / less_w, 100 * lost_w / less_w)
                    : WSK_SAID(WSK_SAY_CHECK_TOO_LARGE, less_w, 100 * name_w / less_w));
}

/* Sizes are nameplate ratings; every size is assumed to deliver the same fraction of its nameplate at this mains
 * voltage and air temperature. If the trip probability reaches WSK_TELLS, the advice comes from report_steps. */
static void advise_size(const wsk_steps *s, double mean, double rise, double cards, double trip, const wsk_said *name,
                        wsk_lines *l)
{
    double load = s->base_w / s->limit_w, name_w = s->base_w * s->rated_w / s->limit_w,
           rating = wsk_steps_cure_rating(s);
    if (load > 1) /* the size that too_small recommends also prevents trips */
        too_small(s, name, l);
    else if (load > WSK_TIGHT && trip < WSK_TELLS && isfinite(rating) && s->n)
        wsk_lines_add(l, 2, WSK_SAID(WSK_SAY_CHECK_TIGHT, rating, 100 * name_w / rating));
    else if (load > WSK_TIGHT && trip < WSK_TELLS && isfinite(rating))
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_LITTLE_ROOM, rating, 100 * name_w / rating));
    else if (load < 0.2 && cards > 0)
        too_large(s, mean, rise, l);
    if (load > WSK_TIGHT && s->line_w < 0.999 * s->rated_w &&
        s->base_w <= WSK_TIGHT * s->rated_w * s->limit_w / s->line_w)
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_HIGH_LINE, (double)wsk_high_line_v(s->supply_v),
                                     s->rated_w * s->limit_w / s->line_w, 100 * load * s->line_w / s->rated_w));
}

/* Recommends the smallest rating at which the load is at most WSK_TIGHT of the power that the PSU delivers at this
 * mains voltage and intake air, and at which load steps do not trip it. */
static void recommend(const wsk_steps *s, wsk_lines *l)
{
    wsk_steps least = *s;
    const double rated = s->rated_w > 0 ? s->rated_w : s->limit_w;
    least.rated_w =
        50 * wsk_max(1, ceil(s->base_w * rated / s->limit_w / 50)); /* a smaller rating cannot carry the load */
    least.limit_w *= least.rated_w / rated;
    least.line_w *= least.rated_w / rated;
    const double rating = wsk_steps_cure_rating(&least), gives = rating * least.limit_w / least.rated_w;
    if (!isfinite(rating) || !(s->base_w > 0))
        return;
    wsk_step_cause cause = {0};
    wsk_steps_trip(s, &cause);
    const bool by_steps = s->n && s->base_w <= WSK_TIGHT * (gives - 50);
    wsk_lines_add(l, 2,
                  by_steps
                      ? WSK_SAID(WSK_SAY_CHECK_RECOMMENDED_STEPS, rating, cause.peak_w, wsk_arg_named(cause.length))
                  : gives < 0.999 * rating
                      ? WSK_SAID(WSK_SAY_CHECK_RECOMMENDED_DERATED, rating, s->base_w, 100 * s->base_w / gives, gives)
                      : WSK_SAID(WSK_SAY_CHECK_RECOMMENDED, rating, s->base_w, 100 * s->base_w / gives));
}

/* Card makers recommend a PSU for a machine with one of their cards. The recommendation is reported for one or two
 * cards in the chassis. */
static void tell_makers(const wsk_net *net, int in, wsk_lines *l)
{
    const wsk_gpu_params *most = NULL;
    int cards = 0;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_gpu_params *g = net->cards[i].gpu;
        cards += net->cards[i].in == in;
        if (net->cards[i].in == in && !isnan(g->maker_psu_w) && (!most || g->maker_psu_w > most->maker_psu_w))
            most = g;
    }
    if (most && cards <= 2)
        wsk_lines_add(l, 2, WSK_SAID(WSK_SAY_CHECK_MAKERS_PSU, most->name, most->maker_psu_w));
}

static void report_may_give(const wsk_steps *s, wsk_lines *l)
{
    if (s->line_w < s->rated_w)
        wsk_lines_add(
            l, 2, WSK_SAID(WSK_SAY_CHECK_LOW_LINE, s->supply_v, s->line_w, s->rated_w, 100 * s->base_w / s->line_w));
    if (s->limit_w < 0.999 * s->line_w)
        wsk_lines_add(
            l, 2,
            WSK_SAID(WSK_SAY_CHECK_HOT_INLET, s->inlet_k - WSK_KELVIN, s->limit_w, 100 * s->base_w / s->limit_w));
}

static void draw(const wsk_net *net, int supply, double rest, wsk_drawn *drawn)
{
    const wsk_supply *s = &net->supplies[supply];
    double cards, dc = load_of(net, supply, rest, SHARE_RUN, &cards), wall = wsk_supply_wall_w(s, dc);
    drawn->dc[supply] = dc;
    drawn->va[s->line] += wsk_psu_va(&s->law, wall);
    drawn->wall[s->line] += wall;
}

static int alike(const wsk_net *net, const wsk_run *steady, int first, int end, double rest)
{
    const wsk_supply *s = &net->supplies[first];
    double cards, dc = load_of(net, first, rest, SHARE_MOST, &cards);
    int n = 1;
    for (int i = first + 1; i < end && s->params->redundant && isnan(s->params->cables); i++, n++) {
        const wsk_supply *t = &net->supplies[i];
        double mine = load_of(net, i, rest, SHARE_MOST, &cards);
        if (!t->params->redundant || !isnan(t->params->cables) || t->ops != s->ops || mine != dc ||
            t->params->opp != s->params->opp || t->params->excursions != s->params->excursions ||
            net->lines[t->line].supply_v != net->lines[s->line].supply_v ||
            t->ops->input_w(&t->law, mine) != s->ops->input_w(&s->law, dc) || t->law.rated_w != s->law.rated_w ||
            fabs(wsk_supply_may_give_w(t, wsk_inlet_k(net, steady, t)) -
                 wsk_supply_may_give_w(s, wsk_inlet_k(net, steady, s))) > 0.5)
            break;
    }
    return n;
}

/* Raises the loads and trip probabilities in *sized to the values of this PSU at both ends of the load's uncertainty,
 * if these are higher. rest: part of its load that does not feed cards, W. The cards' power is capped by their limits,
 * so it is exact. */
static void uncertain_load(wsk_steps s, double rest, wsk_sized *sized)
{
    /* relative uncertainty of most processors in parts/cpu; assumed for the other parts */
    static const double spread = 0.4;
    const double middle = s.base_w;
    s.base_w = middle - spread * rest;
    sized->load_low = wsk_max(sized->load_low, s.base_w / s.limit_w);
    sized->trip_low = wsk_max(sized->trip_low, wsk_steps_trip(&s, NULL));
    s.base_w = middle + spread * rest;
    sized->load_high = wsk_max(sized->load_high, s.base_w / s.limit_w);
    sized->trip_high = wsk_max(sized->trip_high, wsk_steps_trip(&s, NULL));
}

static void report_some(const wsk_net *net, const wsk_run *steady, int supply, int count, double rest, wsk_lines *l,
                        wsk_drawn *drawn, wsk_sized *sized)
{
    const wsk_supply *s = &net->supplies[supply];
    double w[WSK_STEP_CARDS], cards, mean = load_of(net, supply, rest, SHARE_EVEN, &cards),
                                     dc = load_of(net, supply, rest, SHARE_MOST, &cards);
    double wall = wsk_supply_wall_w(s, mean);
    const wsk_said *name =
                       net->n_supply == 1 ? WSK_SAID(WSK_SAY_CHECK_THE_PSU) : WSK_SAID(WSK_SAY_PLAIN, s->elem->id),
                   *rated = wsk_say_psus(net, supply, count, l->arena);
    wsk_steps steps = steps_on(net, steady, supply, dc, w);
    wsk_lines_add(l, 2,
                  WSK_SAID(WSK_SAY_CHECK_PSU, rated, 100 * mean / s->law.rated_w,
                           dc > mean ? WSK_SAID(WSK_SAY_CHECK_UNEVEN, 100 * dc / s->law.rated_w) : NULL,
                           wall > 0 ? 100 * mean / wall : 0, steps.supply_v, wall));
    report_may_give(&steps, l);
    if (net->cases[s->in].n_supply == 1) {
        recommend(&steps, l);
        tell_makers(net, s->in, l);
    }
    advise_size(&steps, mean, rise_by_loss(net, supply), cards, wsk_steps_trip(&steps, NULL), name, l);
    double p = report_steps(name, &steps, l);
    wsk_report_cables(net, supply, l);
    wsk_report_sockets(net, supply, l);
    for (int i = supply; i < supply + count; i++)
        draw(net, i, rest, drawn);
    sized->rated_w += count * steps.limit_w;
    sized->load = wsk_max(sized->load, dc / steps.limit_w);
    sized->trip = wsk_max(sized->trip, p);
    uncertain_load(steps, dc - cards, sized);
}

/* Reports the highest load of a PSU after the loss of one redundant PSU, and which PSUs these are. dc: output of all
 * redundant PSUs, W. */
static void report_lost(const wsk_net *net, const wsk_run *steady, const wsk_case *c, double dc, wsk_lines *l,
                        wsk_sized *sized)
{
    int n = redundant(net, c);
    if (n < 2)
        return;
    const wsk_supply *all = net->supplies;
    int lost = WSK_NO, on = WSK_NO;
    bool alike = true;
    double each = 0;
    sized->redundant = n;
    sized->lost = 0;
    for (int i = c->first_supply; i < c->first_supply + c->n_supply; i++)
        for (int k = c->first_supply; k < c->first_supply + c->n_supply; k++) {
            if (i == k || !all[i].params->redundant || !all[k].params->redundant)
                continue;
            const double w = dc * all[k].law.limit_w / pool_w(net, c, i) * (n > 2 ? 1 + all[k].params->imbalance : 1),
                         load = w / wsk_supply_may_give_w(&all[k], wsk_inlet_k(net, steady, &all[k]));
            alike = alike && all[i].law.limit_w == all[k].law.limit_w;
            if (on == WSK_NO || load > sized->lost * (1 + 1e-9)) { /* of equal loads, keeps the first */
                sized->lost = load;
                each = w;
                lost = i;
                on = k;
            }
        }
    const double percent = 100 * sized->lost;
    const wsk_said *others = n > 2 ? WSK_SAID(WSK_SAY_CHECK_OTHER_PSUS, n - 1.0) : WSK_SAID(WSK_SAY_CHECK_OTHER_PSU);
    wsk_lines_add(l, 2,
                  alike && n > 2 && all[on].params->imbalance > 0
                      ? WSK_SAID(WSK_SAY_CHECK_PSU_LOST_MOST, each, others, percent)
                  : alike ? WSK_SAID(WSK_SAY_CHECK_PSU_LOST, each, others, percent)
                          : WSK_SAID(WSK_SAY_CHECK_PSU_LOST_ID, all[lost].elem->id, each, all[on].elem->id, percent));
    if (sized->lost > 1 && c->params->power_brake)
        wsk_lines_add(l, 2, WSK_SAID(WSK_SAY_CHECK_BRAKES));
    if (sized->lost > 1)
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_NOT_REDUNDANT));
}

static void report_case(const wsk_net *net, const wsk_run *steady, int in, wsk_lines *l, wsk_drawn *drawn,
                        wsk_sized *sized)
{
    const wsk_case *c = &net->cases[in];
    double cards, rest, pooled = 0, mine;
    case_watts(net, in, &cards, &rest);
    if (net->n_case > 1)
        wsk_lines_add(l, 2, WSK_SAID(WSK_SAY_CHECK_CHASSIS, c->elem->id));
    const wsk_said *watts = c->n_supply ? WSK_SAY(l->arena, WSK_SAY_CHECK_WATTS, cards, rest, cards + rest,
                                                  WSK_WORD(c->n_supply > 1 ? WSK_N("PSUs") : WSK_N("PSU")))
                                        : WSK_SAY(l->arena, WSK_SAY_CHECK_WATTS_BARE, cards, rest, cards + rest),
                   *prices = net->n_case == 1 ? wsk_say_prices(net, l->arena) : NULL;
    wsk_lines_add(l, 2, prices ? WSK_SAID(WSK_SAY_JOIN_SEMICOLON, watts, prices) : watts);
    if (!c->n_supply) {
        drawn->va[0] += cards + rest;
        drawn->wall[0] += cards + rest;
        return;
    }
    for (int k = c->first_supply, end = k + c->n_supply, n; k < end; k += n) {
        n = alike(net, steady, k, end, rest);
        report_some(net, steady, k, n, rest, l, drawn, sized);
        pooled += net->supplies[k].params->redundant ? n * load_of(net, k, rest, SHARE_EVEN, &mine) : 0;
    }
    report_lost(net, steady, c, pooled, l, sized);
}

static void report_doors(const wsk_net *net, const wsk_run *steady, wsk_lines *l)
{
    for (int i = 0; i < net->n_case; i++) {
        const double w = net->cases[i].door ? wsk_door_w(steady, i) : 0;
        const char *id = net->cases[i].elem->id;
        if (net->cases[i].door)
            wsk_lines_add(l, 2,
                          w < 0 ? WSK_SAID(WSK_SAY_CHECK_REAR_DOOR_WARMS, -w, id)
                                : WSK_SAID(WSK_SAY_CHECK_REAR_DOOR, w, id));
    }
}

static void report_guesses(const wsk_run *steady, wsk_lines *l)
{
    wsk_said_list guesses = {.arena = l->arena};
    wsk_found_schedules(steady, &guesses);
    wsk_found_guesses(steady, &guesses);
    l->failed = l->failed || guesses.failed;
    for (size_t i = 0; i < guesses.count; i++)
        wsk_lines_add(l, 2, guesses.items[i]);
}

static void report_steady(const wsk_net *net, const wsk_run *steady, wsk_lines *l)
{
    double over = 0;
    bool held, given = true; /* given: the power of each card is pinned or replayed, and cannot be lowered */
    const wsk_loud_limits *loud = &wsk_loud_at[net->stand];
    if (!steady || !net->n_card)
        return;
    if (steady->head->shutdowns) {
        wsk_lines_add(l, 2, WSK_SAID(WSK_SAY_CHECK_SHUTS_DOWN));
        return;
    }
    const int at = wsk_check_hottest(steady, &held);
    for (int i = 0; i < net->n_card; i++)
        given = given && wsk_power_is_given(steady, i);
    const double noise = steady->books->noise_s / wsk_window_s(steady);
    for (int i = 0; i < net->n_supply; i++)
        over = wsk_max(over, steady->supplies[i].peak_rel);
    wsk_lines_add(
        l, 2,
        WSK_SAID(WSK_SAY_CHECK_SIMULATION,
                 WSK_WORD(held    ? WSK_N("cards throttle from heat")
                          : given ? WSK_N("the cards draw the watts given")
                                  : WSK_N("no card throttles from heat")),
                 net->cards[at].id, wsk_var_mean(steady, WSK_VAR_CARD_DIE_C, at),
                 net->n_supply ? WSK_SAID(WSK_SAY_CHECK_PSU_LOAD, 100 * over) : NULL, steady->books->wall_peak_w,
                 noise > 1 ? WSK_SAID(WSK_SAY_CHECK_NOISE, wsk_dba(noise), loud->dba, WSK_WORD(loud->where)) : NULL));
    wsk_check_heat(steady, l);
    report_guesses(steady, l);
    report_doors(net, steady, l);
    wsk_rehearse_dust(net, l);
    wsk_rehearse_cooling(net, steady, l);
}

static void report_links(const wsk_net *net, wsk_lines *l)
{
    const wsk_said *links = wsk_links_said(l->arena, net);
    if (links)
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_LINKS, links));
}

/* The steady point is at the mean outdoor temperature, which is told if the run has other ones. */
static void report_head(const wsk_net *net, wsk_lines *l)
{
    double low_k, high_k;
    wsk_lines_add(
        l, 0,
        net->n_card && wsk_weather_varies(net, &low_k, &high_k)
            ? WSK_SAID(WSK_SAY_CHECK_SIZING_OUTDOORS, net->outdoor_ops->mean_k(net->outdoor_params) - WSK_KELVIN)
            : WSK_SAID(WSK_SAY_CHECK_SIZING));
}

void wsk_sizing_report(const wsk_net *net, wsk_lines *l)
{
    wsk_run *steady = NULL;
    bool cycling = false;
    wsk_sized *sized = calloc((size_t)net->n_case + 1, sizeof *sized);
    double *sums = calloc(2 * (size_t)net->n_line + (size_t)net->n_supply, sizeof *sums);
    if (!sized || !sums) {
        l->failed = true;
        free(sized);
        free(sums);
        return;
    }
    wsk_drawn drawn = {sums, sums + net->n_line, sums + 2 * net->n_line};
    const wsk_status status = wsk_steady_solve(&steady, net, WSK_STEPPER_FAST, &cycling, NULL, NULL);
    l->failed = l->failed || status == WSK_ENOMEM;
    const wsk_said *failure = NULL;
    if (status != WSK_OK) {
        failure = steady && steady->failure ? wsk_said_keep(l->arena, steady->failure)
                                            : WSK_SAY(l->arena, WSK_SAY_RUN_OUT_OF_RANGE);
        wsk_run_free(steady);
        steady = NULL;
    }
    report_head(net, l);
    const wsk_said *prices = net->n_case > 1 ? wsk_say_prices(net, l->arena) : NULL;
    if (prices) /* prices of all chassis together are printed above the chassis */
        wsk_lines_add(l, 2, WSK_SAID(WSK_SAY_CHECK_RIG, prices));
    for (int i = 0; i < net->n_case; i++)
        report_case(net, steady, i, l, &drawn, &sized[i]);
    wsk_report_lines(net, steady, &drawn, l);
    wsk_report_plugs(net, l);
    report_links(net, l);
    for (int i = 0; i < net->n_case; i++)
        wsk_rules_report(net, steady, i, &sized[i], l);
    if (failure)
        wsk_lines_add(l, 2, WSK_SAID(WSK_SAY_CHECK_NO_STEADY, failure));
    report_steady(net, steady, l);
    wsk_run_free(steady);
    free(sized);
    free(sums);
}
