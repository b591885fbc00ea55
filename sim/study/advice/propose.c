/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Proposes the changes that advice judges. Each change is a list of assignments in the syntax of --set. */
#include <math.h>
#include <string.h>

#include "sim/study/advice/propose.h"

/* False if a power limit has no effect on the card, because a schedule or a given power overrides it. */
static bool takes_limit(const wsk_card *c)
{
    return c->gpu->limit_schedule.count == 0 && isnan(c->gpu->pin_power_w);
}

/* Number of cards that take a power limit. *first: the first of them, unless there is none. */
static int limited_cards(const wsk_net *net, const wsk_card **first)
{
    int n = 0;
    for (int i = net->n_card - 1; i >= 0; i--)
        if (takes_limit(&net->cards[i])) {
            *first = &net->cards[i];
            n++;
        }
    return n;
}

/* `limits` with the ids of the cards that get them, if other cards take no limit. */
static const wsk_said *of_cards(const wsk_maker *m, const wsk_said *limits)
{
    const wsk_said *ids = NULL;
    int n = 0;
    for (int i = 0; i < m->net->n_card; i++)
        if (takes_limit(&m->net->cards[i])) {
            ids = wsk_said_join(m->arena, ids, WSK_SAY(m->arena, WSK_SAY_PLAIN, m->net->cards[i].id));
            n++;
        }
    return n < m->net->n_card ? WSK_SAY(m->arena, WSK_SAY_CHANGE_OF_CARDS, limits, ids) : limits;
}

static bool is_scheduled(const wsk_card *c)
{
    return c->gpu->limit_schedule.count > 0 && isnan(c->gpu->pin_power_w);
}

/* The assignment that lowers the limits of a card's schedule that exceed cap_w to cap_w. */
static const char *capped_schedule(wsk_arena *arena, const wsk_card *c, double cap_w)
{
    const wsk_curve *plan = &c->gpu->limit_schedule;
    const char *set = wsk_printf(arena, "gpu[%s].limit-schedule=", c->id);
    for (int i = 0; i < plan->count && set; i++) {
        const int minutes = (int)(plan->x[i] / 60);
        const char *time = plan->x[i] > 60 * minutes ? wsk_printf(arena, "%.10g h", plan->x[i] / 3600)
                                                     : wsk_printf(arena, "%d:%02d", minutes / 60, minutes % 60);
        set = time ? wsk_printf(arena, "%s%s%s:%.10g W", set, i ? ", " : "", time, fmin(plan->y[i], cap_w)) : NULL;
    }
    return set;
}

/* Lowers the limits of schedules to at most `share` of what their cards draw at the peak. If all these schedules have the
 * same highest limit, all get the same new one, computed from the highest power among their cards. */
static void cap_schedules(wsk_maker *m, wsk_variant *v, double share)
{
    const wsk_net *net = m->net;
    double highest = 0, capped = 0, cap_w = 0, first_w = 0, most_draw = 0;
    bool alike = true;
    for (int i = 0; i < net->n_card; i++)
        if (is_scheduled(&net->cards[i])) {
            const double most = wsk_card_highest_limit_w(&net->cards[i]);
            alike = alike && (first_w <= 0 || first_w == most);
            first_w = most;
            most_draw = fmax(most_draw, m->base->card_w[i]);
        }
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        if (!is_scheduled(c))
            continue;
        const double most = wsk_card_highest_limit_w(c), held = wsk_card_held_w(c, most),
                     draws = fmax(1, m->base->peak_rel) * (alike ? most_draw : m->base->card_w[i]);
        cap_w = floor(fmin(held, draws) * c->ops->held_w(c->gpu, most) / held * share + 1e-6);
        highest += most;
        capped += fmin(most, cap_w);
        wsk_variant_put(v, capped_schedule(m->arena, c, cap_w));
    }
    if (highest > 0)
        v->what = wsk_said_link(m->arena, WSK_SAY_JOIN_AND, v->what,
                                alike ? WSK_SAID(WSK_SAY_CHANGE_SCHEDULE, cap_w)
                                      : WSK_SAID(WSK_SAY_CHANGE_SCHEDULES, 100 * (1 - capped / highest)));
}

/* Lowers the power limit of each card that takes one to `share` of its power: `times` its power at the steady point, at
 * most held_w. If all these cards have the same limit, all get the same new limit, computed from the highest power
 * among them. */
static void limit_all(wsk_maker *m, wsk_variant *v, double share, double times)
{
    const wsk_net *net = m->net;
    double held = 0, kept = 0;
    bool alike = true;
    const wsk_card *first = NULL;
    const int n = limited_cards(net, &first);
    for (int i = 0; i < net->n_card; i++)
        alike = alike && (!takes_limit(&net->cards[i]) || net->cards[i].held_w == first->held_w);
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        if (!takes_limit(c))
            continue;
        double draws = m->base->braked || m->base->dead ? c->held_w
                                                        /* without the brake or the shutdown, cards would draw up to
                                                         * held_w */
                                                        : 0;
        for (int k = 0; k < net->n_card; k++)
            draws = k == i || (alike && takes_limit(&net->cards[k])) ? fmax(draws, m->base->card_w[k]) : draws;
        /* pauses lower the mean below the limit */
        const double limit_per_mean = c->ops->held_w(c->gpu, c->limit_w) / c->held_w;
        double watts = floor(fmin(c->held_w, times * draws) * limit_per_mean * share + 1e-6);
        held += c->held_w * limit_per_mean;
        kept += watts;
        wsk_variant_set(m->arena, v, wsk_printf(m->arena, "gpu[%s].power-limit", c->id), watts, " W");
    }
    double each = kept / n;
    const wsk_said *limits = !alike   ? WSK_SAY(m->arena, WSK_SAY_FIX_LIMITS, 100 * (1 - kept / held))
                             : n == 1 ? WSK_SAY(m->arena, WSK_SAY_CHANGE_LIMIT, each)
                                      : WSK_SAY(m->arena, WSK_SAY_CHANGE_LIMITS, each);
    v->what = wsk_said_link(m->arena, WSK_SAY_JOIN_AND, v->what, of_cards(m, limits));
}

/* Lowers limits and schedules to `share` of the peak, at which the rig is not overloaded. */
static void limit_peak(wsk_maker *m, wsk_variant *v, double share)
{
    const wsk_card *first;
    if (limited_cards(m->net, &first))
        limit_all(m, v, share, fmax(1, m->base->peak_rel));
    cap_schedules(m, v, share);
}

/* If all cards have the same limit, below their default, proposes a limit half-way between this limit and the
 * default. */
static void propose_half_way(wsk_maker *m)
{
    const wsk_net *net = m->net;
    const wsk_card *first = NULL;
    const int n = limited_cards(net, &first);
    const double limit = first->limit_w, half = floor(0.5 * (limit + first->default_limit_w));
    for (int i = 0; i < net->n_card; i++)
        if (takes_limit(&net->cards[i]) &&
            (net->cards[i].limit_w != limit || !(net->cards[i].default_limit_w > half)))
            return;
    wsk_variant *v = wsk_variant_open(
        m, WSK_BY_DEFAULT,
        of_cards(m, n == 1 ? WSK_SAID(WSK_SAY_CHANGE_LIMIT, half) : WSK_SAID(WSK_SAY_CHANGE_LIMITS, half)));
    for (int i = 0; i < net->n_card; i++)
        if (takes_limit(&net->cards[i]))
            wsk_variant_set(m->arena, v, wsk_printf(m->arena, "gpu[%s].power-limit", net->cards[i].id), half, " W");
    wsk_variant_close(m);
}

static void propose_limits(wsk_maker *m)
{
    enum { CURE = 2 };
    const double shares[] = {0.9,
                             0.8,
                             [CURE] = fmin(m->base->cure_psu, m->base->cure_circuit),
                             m->base->braked ? 0.85 : 0,
                             m->base->braked || m->base->dead ? 0.7 : 0,
                             m->base->dead ? 0.5 : 0,
                             m->loud ? 0.95 : 0,
                             m->loud ? 0.85 : 0};
    wsk_variant *v;
    bool lowered = false;
    const wsk_card *first = NULL;
    const int n = limited_cards(m->net, &first);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        if (shares[i] > 0 && shares[i] < 1 && (n || i == CURE)) {
            v = wsk_variant_open(m, WSK_BY_LIMIT, NULL);
            if (i == CURE)
                limit_peak(m, v, shares[i]);
            else
                limit_all(m, v, shares[i], 1);
            wsk_variant_close(m);
        }
    for (int i = 0; i < m->net->n_card; i++)
        lowered = lowered ||
                  (takes_limit(&m->net->cards[i]) && m->net->cards[i].limit_w < m->net->cards[i].default_limit_w);
    if (!lowered)
        return;
    propose_half_way(m);
    v = wsk_variant_open(
        m, WSK_BY_DEFAULT,
        of_cards(m, n == 1 ? WSK_SAID(WSK_SAY_CHANGE_DEFAULT_LIMIT) : WSK_SAID(WSK_SAY_CHANGE_DEFAULT_LIMITS)));
    for (int i = 0; i < m->net->n_card; i++)
        if (takes_limit(&m->net->cards[i]))
            wsk_variant_set(m->arena, v, wsk_printf(m->arena, "gpu[%s].power-limit", m->net->cards[i].id),
                            m->net->cards[i].default_limit_w, " W");
    wsk_variant_close(m);
}

/* Replaces by PSUs of rated_w: each PSU that is overloaded, may trip or is redundant, and each in a chassis whose power
 * brake slows the cards. The new PSU delivers the same share of its rating at this mains voltage. */
static void larger_supplies(wsk_maker *m, double rated_w, wsk_variant *v)
{
    const wsk_net *net = m->net;
    for (int i = 0; i < net->n_supply && i < WSK_STEP_CARDS; i++) {
        const wsk_supply *s = &net->supplies[i];
        double may = rated_w * s->law.limit_w / s->law.rated_w, volt = net->lines[s->line].supply_v;
        const bool braked = m->base->braked && net->cases[s->in].params->power_brake;
        if (!(m->base->cure_rated[i] > 0) && !s->params->redundant && !braked)
            continue;
        wsk_variant_set(m->arena, v, wsk_printf(m->arena, "psu[%s].rated", s->elem->id), rated_w, " W");
        if (s->params->line_rating.count && wsk_elem_origin(s->elem, "line-rating")->from != WSK_FROM_PART)
            wsk_variant_put(v, wsk_printf(m->arena, "psu[%s].line-rating=%.0f V:%.0f W, %.0f V:%.0f W", s->elem->id,
                                          volt, may, volt + 1, may));
    }
    v->bought = true;
    v->what = wsk_said_link(m->arena, WSK_SAY_JOIN_AND, v->what,
                            net->n_supply > 1 ? WSK_SAID(WSK_SAY_CHANGE_PSUS, rated_w)
                                              : WSK_SAID(WSK_SAY_FIX_PSU, rated_w));
}

static bool felt_by_voltage(const wsk_maker *m)
{
    const wsk_outcome *base = m->base;
    bool low = false;
    for (int i = 0; i < m->net->n_supply; i++)
        low = low || m->net->supplies[i].law.limit_w < 0.999 * m->net->supplies[i].law.rated_w;
    return base->over_w > 0 || base->trip > base->trip_psu + WSK_TELLS ||
           (low && (base->trip >= WSK_TELLS || base->over_psu_w > 0 || base->braked));
}

/* If the rig's only circuit is overloaded and the site states no outlet rating (site.outlet_a), proposes the smallest
 * standard circuit that carries the load. For mains of 180 V or more. */
static void propose_circuit(wsk_maker *m)
{
    static const double sizes_a[] = {10, 13, 16, 20, 25, 32, 40, 50, 63};
    const wsk_net *net = m->net;
    const wsk_site_params *site = net->site;
    double need = m->base->over_w > 0 && site->circuit_a > 0 && net->n_line == 1
                      ? site->circuit_a * (1 + m->base->over_w / net->lines[0].limit_w)
                      : NAN;
    for (size_t i = 0; i < sizeof sizes_a / sizeof *sizes_a && isnan(site->outlet_a); i++)
        if (sizes_a[i] >= need) {
            wsk_variant *v = wsk_variant_open(m, WSK_BY_VOLTAGE, WSK_SAID(WSK_SAY_CHANGE_CIRCUIT, sizes_a[i]));
            v->bought = true;
            wsk_variant_set(m->arena, v, "site.circuit", sizes_a[i], " A");
            return;
        }
}

static void hang_on(wsk_maker *m, wsk_variant *v, int supply, const char *on)
{
    wsk_variant_put(v, wsk_printf(m->arena, "psu[%s].on=%s", m->net->supplies[supply].elem->id, on));
}

static void propose_second_circuit(wsk_maker *m)
{
    const wsk_net *net = m->net;
    const double amp = net->site->circuit_a;
    wsk_said_list moved = {.arena = m->arena};
    for (int i = 1; i < net->n_supply; i += 2)
        wsk_said_add(&moved, WSK_SAID(WSK_SAY_PLAIN, net->supplies[i].elem->id));
    wsk_variant *v = wsk_variant_open(
        m, WSK_BY_CIRCUIT,
        WSK_SAID(WSK_SAY_CHANGE_SECOND_CIRCUIT, wsk_said_link_all(&moved, WSK_SAY_JOINED, WSK_SAY_JOIN_AND), amp));
    v->bought = true;
    wsk_variant_put(
        v, wsk_printf(m->arena, "site.branch+=id=b2 circuit=%gA%s", amp,
                      isnan(net->site->outlet_a) ? "" : wsk_printf(m->arena, " outlet=%gA", net->site->outlet_a)));
    for (int i = 1; i < net->n_supply; i += 2)
        hang_on(m, v, i, "b2");
}

static void propose_moves(wsk_maker *m)
{
    enum { MOST = 6 };
    const wsk_net *net = m->net;
    for (int i = 0, n = 0; i < net->n_supply; i++)
        for (int k = 0; k < net->n_line && n < MOST; k++) {
            const wsk_mains_line *from = &net->lines[net->supplies[i].line], *to = &net->lines[k];
            if (from == to || !(to->limit_w > 0) || to->supply_v < net->supplies[i].params->supply_min_v ||
                to->supply_v > net->supplies[i].params->supply_max_v)
                continue;
            n++;
            hang_on(m,
                    wsk_variant_open(m, WSK_BY_CIRCUIT,
                                     WSK_SAID(WSK_SAY_CHANGE_OTHER_CIRCUIT, net->supplies[i].elem->id, to->id)),
                    i, to->id);
        }
}

static void propose_circuits(wsk_maker *m)
{
    const wsk_outcome *base = m->base;
    if (!(base->over_w > 0) && !(base->over_feed > 0) && !(base->trip > base->trip_psu + WSK_TELLS))
        return;
    if (m->net->n_line > 1)
        propose_moves(m);
    else if (m->net->n_supply > 1 && m->net->site->circuit_a > 0)
        propose_second_circuit(m);
}

static void larger_ups(wsk_maker *m, wsk_variant *v, const wsk_elem *ups, double need_w)
{
    /* the catalogue's two UPS, then 5, 6, 8, 10 and 20 kVA at a power factor of 0.9 */
    static const double sizes_w[] = {1500, 2700, 4500, 5400, 7200, 9000, 18000};
    static const char *const parts[] = {"ups/online-1500", "ups/online-2700"};
    for (size_t i = 0; i < sizeof sizes_w / sizeof *sizes_w; i++) {
        if (sizes_w[i] < need_w)
            continue;
        const bool known = i < sizeof parts / sizeof *parts && wsk_plan_has_part(m->input, parts[i]);
        if (known)
            wsk_variant_put(v, wsk_printf(m->arena, "ups[%s]=%s", ups->id, parts[i]));
        wsk_variant_set(m->arena, v, wsk_printf(m->arena, "ups[%s].rated", ups->id), sizes_w[i], " W");
        v->bought = v->bought || !known;
        v->what =
            wsk_said_link(m->arena, WSK_SAY_JOIN_AND, v->what,
                          known ? WSK_SAID(WSK_SAY_CHANGE_UPS_PART, sizes_w[i], wsk_printf(m->arena, "%s", parts[i]))
                                : WSK_SAID(WSK_SAY_CHANGE_UPS, sizes_w[i]));
        return;
    }
    v->halved = true;
}

static void propose_feeds(wsk_maker *m)
{
    const wsk_net *net = m->net;
    if (!(m->base->over_feed > 0))
        return;
    wsk_variant *v = wsk_variant_open(m, WSK_BY_FEED, NULL);
    for (int i = 0; i < net->n_line && i < WSK_STEP_CARDS; i++) {
        const double w = m->base->feed_w[i];
        const wsk_feed_params *strip = net->lines[i].feeds[0], *ups = net->lines[i].feeds[1];
        if (strip && w > strip->rated_w) {
            wsk_variant_put(v, wsk_printf(m->arena, "pdu[%s]=none", strip->head.elem->id));
            v->what = wsk_said_link(m->arena, WSK_SAY_JOIN_AND, v->what, WSK_SAID(WSK_SAY_CHANGE_NO_STRIP));
        }
        const double over_w = w + (strip ? net->lines[i].feed_ops[0]->loss_w(strip, w) : 0);
        if (ups && over_w > ups->rated_w)
            larger_ups(m, v, ups->head.elem, over_w);
    }
    wsk_variant_close(m);
}

static void propose_delivery(wsk_maker *m)
{
    const wsk_net *net = m->net;
    const wsk_outcome *base = m->base;
    double most = 0;
    wsk_variant *v;
    propose_circuits(m);
    propose_feeds(m);
    for (int i = 0; i < net->n_supply && i < WSK_STEP_CARDS; i++)
        most = fmax(most, base->braked ? 1.5 * net->supplies[i].law.rated_w : base->cure_rated[i]);
    if (most > 0) {
        larger_supplies(m, most, wsk_variant_open(m, WSK_BY_SUPPLY, NULL));
        wsk_variant_close(m);
    }
    if (net->site->supply_v >= 180)
        propose_circuit(m);
    if (net->site->supply_v >= 180 || !felt_by_voltage(m))
        return;
    int volts = wsk_high_line_v(net->site->supply_v);
    const wsk_said *circuit = WSK_SAID(WSK_SAY_CHANGE_VOLTAGE, volts);
    v = wsk_variant_open(m, WSK_BY_VOLTAGE, circuit);
    v->bought = true;
    wsk_variant_set(m->arena, v, "site.supply", volts, " V");
    if (base->cure_psu > 0 && base->cure_psu < 1) {
        v = wsk_variant_open(m, WSK_BY_VOLTAGE, circuit);
        v->bought = true;
        wsk_variant_set(m->arena, v, "site.supply", volts, " V");
        limit_peak(m, v, base->cure_psu);
        wsk_variant_close(m);
    }
    if (most > 0) {
        v = wsk_variant_open(m, WSK_BY_VOLTAGE, circuit);
        wsk_variant_set(m->arena, v, "site.supply", volts, " V");
        larger_supplies(m, most, v);
        wsk_variant_close(m);
    }
}

static bool is_sold_whole(const wsk_net *net)
{
    bool any = false;
    for (int i = 0; i < net->n_card; i++)
        any = any || net->cards[i].gpu->soldered;
    return any;
}

/* The parts psu/tier-RATING-WATTS are the catalogue's average PSUs of an 80 PLUS rating. */
static void propose_tier(wsk_maker *m)
{
    static const char *const badges[] = {"Gold", "Platinum", "Titanium"};
    static const double sizes_w[] = {450, 550, 650, 750, 850, 1000, 1200, 1600};
    const wsk_supply *s = &m->net->supplies[0];
    const char *has = m->net->n_supply == 1 ? s->params->tier : NULL;
    size_t k = 0, first = 0;
    if (m->net->n_supply != 1 || is_sold_whole(m->net))
        return;
    while (k < sizeof sizes_w / sizeof *sizes_w && sizes_w[k] < s->law.rated_w - 1)
        k++;
    if (k == sizeof sizes_w / sizeof *sizes_w)
        return;
    for (size_t i = 0; has && i < sizeof badges / sizeof *badges; i++)
        if (strstr(has, badges[i]) || strstr(has, "Ruby") || strstr(has, "Diamond"))
            first = i + 1;
    for (size_t i = first; i < sizeof badges / sizeof *badges; i++) {
        char low[16];
        snprintf(low, sizeof low, "%s", badges[i]);
        low[0] = (char)(low[0] - 'A' + 'a');
        const char *id = wsk_printf(m->arena, "psu/tier-%s-%.0f", low, sizes_w[k]);
        if (!id || !wsk_plan_has_part(m->input, id))
            continue;
        const wsk_said *instead = has ? WSK_SAY(m->arena, WSK_SAY_CHANGE_INSTEAD_OF, has) : NULL;
        wsk_variant *v = wsk_variant_open(m, WSK_BY_TIER, WSK_SAID(WSK_SAY_CHANGE_TIER, badges[i], id, instead));
        wsk_variant_put(v, wsk_printf(m->arena, "psu[%s]=%s", s->elem->id, id));
        wsk_variant_close(m);
    }
}

/* Proposes to double the room's conductance to the outdoors (more ventilation), and to multiply it by the smallest
 * whole number that keeps the room 1 K below WSK_HOT_ROOM_C at the hottest hour even if no card throttles. A number of
 * 2 or less, or over MOST, is not proposed. */
static void propose_airing(wsk_maker *m)
{
    enum { MOST = 10 };
    const wsk_outcome *b = m->base;
    double cond_w_k = m->net->room_params->cond_w_k, room_k = WSK_HOT_ROOM_C - 1 - b->hot_outdoor_c;
    double times = room_k > 0 ? ceil((b->hot_room_c - b->hot_outdoor_c) / (room_k * (1 - fmin(b->lost, 0.9)))) : 0;
    const double twice = 2;
    wsk_variant_set(m->arena, wsk_variant_open(m, WSK_BY_ROOM, WSK_SAID(WSK_SAY_CHANGE_AIRING, twice)),
                    "room.conductance", twice * cond_w_k, " W/K");
    if (times > twice && times <= MOST)
        wsk_variant_set(m->arena, wsk_variant_open(m, WSK_BY_ROOM, WSK_SAID(WSK_SAY_CHANGE_AIRING, times)),
                        "room.conductance", times * cond_w_k, " W/K");
}

static void propose_room(wsk_maker *m)
{
    const wsk_net *net = m->net;
    const wsk_room_params *room = net->room_params;
    if (isnan(room->temp_k) && (m->base->room_c > 30 || m->base->hot_room_c > WSK_HOT_ROOM_C) && room->cond_w_k > 0)
        propose_airing(m);
    if (!m->heat)
        return;
    if (!isnan(room->temp_k))
        wsk_variant_set(m->arena, wsk_variant_open(m, WSK_BY_ROOM, WSK_SAID(WSK_SAY_CHANGE_ROOM, 5)),
                        "room.temperature", room->temp_k - WSK_KELVIN - 5, " degC");
    else if (net->ac)
        wsk_variant_set(m->arena, wsk_variant_open(m, WSK_BY_ROOM, WSK_SAID(WSK_SAY_CHANGE_AC, 3)),
                        "air-conditioner.setpoint", net->ac->setpoint_k - WSK_KELVIN - 3, " degC");
}

size_t wsk_propose(const wsk_judged *r, const wsk_outcome *base, bool heat, wsk_variant *list)
{
    const wsk_net *net = r->net;
    wsk_maker m = {.arena = r->arena,
                   .net = net,
                   .input = r->input,
                   .base = base,
                   .dust_s = r->dust_s,
                   .heat = heat,
                   .loud = base->noise_dba > wsk_loud_at[net->stand].dba,
                   .list = list};
    propose_limits(&m);
    propose_delivery(&m);
    if (net->billing)
        propose_tier(&m);
    propose_room(&m);
    if (m.heat)
        wsk_propose_restore(&m);
    wsk_propose_air(&m);
    return m.n;
}
