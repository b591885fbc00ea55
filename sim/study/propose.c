/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Proposes the changes that advice judges. Each is a list of assignments in the syntax of --set. Changes against a
 * problem that the rig does not have are left out. */
#include <math.h>
#include <string.h>

#include "sim/study/advice.h"

typedef struct {
    wsk_arena *arena;
    const wsk_net *net;
    const wsk_plan_input *input;
    const wsk_outcome *base; /* steady point of the unchanged rig */
    bool heat, loud;         /* heat limits the cards; the noise is above WSK_LOUD_DBA */
    wsk_variant *list;       /* room for WSK_VARIANTS_MAX, n of them used */
    size_t n;
    bool full;           /* the list was full when the last variant was opened: it is in `refused`, not in `list` */
    wsk_variant refused; /* variant without a place in `list`; discarded */
} maker;

static void put(wsk_variant *v, const char *set)
{
    if (set && v->count < WSK_SETS_MAX)
        v->sets[v->count++] = set;
    else
        v->halved = true;
}

void wsk_variant_set(wsk_arena *a, wsk_variant *v, const char *path, double value, const char *unit)
{
    char number[40];
    wsk_format_number(number, sizeof number, value);
    put(v, path ? wsk_printf(a, "%s=%s%s", path, number, unit) : NULL);
}

/* Adds an empty variant. what: its description; NULL: the caller sets it. If the list is full, the variant is discarded
 * in the end. */
static wsk_variant *open_variant(maker *m, wsk_family family, const wsk_said *what)
{
    m->full = m->n == WSK_VARIANTS_MAX;
    wsk_variant *v = m->full ? &m->refused : &m->list[m->n++];
    *v = (wsk_variant){.what = wsk_said_keep(m->arena, what), .family = family};
    return v;
}

/* Drops the last variant if its description, or one or all of its assignments, are missing. */
static void close_variant(maker *m)
{
    const wsk_variant *v = &m->list[m->n - 1];
    m->n -= m->full ? 0 : !v->what || v->halved || !v->count;
}

/* ---- power limits ---- */

/* Adds to `v` a power limit for each card: `share` of its enforced limit or of its draw, whichever is less. If all
 * cards have the same limit, all get the same new one, from the highest draw among them. */
static void limit_all(maker *m, wsk_variant *v, double share)
{
    const wsk_net *net = m->net;
    double held = 0, kept = 0;
    bool alike = true;
    for (int i = 0; i < net->n_card; i++)
        alike = alike && net->cards[i].held_w == net->cards[0].held_w;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        double draws = m->base->braked || m->base->dead ? c->held_w
                                                        : 0; /* braked and shut-down cards draw less than they want */
        for (int k = 0; k < net->n_card; k++)
            draws = alike || k == i ? fmax(draws, m->base->card_w[k]) : draws;
        double watts = floor(fmin(c->held_w, draws) * share + 1e-6);
        held += c->held_w;
        kept += watts;
        wsk_variant_set(m->arena, v, wsk_printf(m->arena, "gpu[%s].power-limit", c->id), watts, " W");
    }
    double each = kept / net->n_card;
    const wsk_said *limits = !alike             ? WSK_SAY(m->arena, WSK_SAY_FIX_LIMITS, 100 * (1 - kept / held))
                             : net->n_card == 1 ? WSK_SAY(m->arena, WSK_SAY_CHANGE_LIMIT, each)
                                                : WSK_SAY(m->arena, WSK_SAY_CHANGE_LIMITS, each);
    v->what = wsk_said_link(m->arena, WSK_SAY_JOIN_AND, v->what, limits);
}

static void propose_limits(maker *m)
{
    double cure = fmin(m->base->cure_psu, m->base->cure_circuit);
    const double shares[] = {0.9,
                             0.8,
                             cure,
                             m->base->braked ? 0.85 : 0,
                             m->base->braked || m->base->dead ? 0.7 : 0,
                             m->base->dead ? 0.5 : 0,
                             m->loud ? 0.95 : 0,
                             m->loud ? 0.85 : 0};
    wsk_variant *v;
    bool lowered = false;
    for (size_t i = 0; i < sizeof shares / sizeof *shares && m->net->n_card; i++)
        if (shares[i] > 0 && shares[i] < 1) {
            v = open_variant(m, WSK_BY_LIMIT, NULL);
            limit_all(m, v, shares[i]);
            close_variant(m);
        }
    for (int i = 0; i < m->net->n_card; i++)
        lowered = lowered || m->net->cards[i].limit_w < m->net->cards[i].default_limit_w;
    if (!lowered)
        return;
    v = open_variant(m, WSK_BY_DEFAULT,
                     m->net->n_card == 1 ? WSK_SAID(WSK_SAY_CHANGE_DEFAULT_LIMIT)
                                         : WSK_SAID(WSK_SAY_CHANGE_DEFAULT_LIMITS));
    for (int i = 0; i < m->net->n_card; i++)
        wsk_variant_set(m->arena, v, wsk_printf(m->arena, "gpu[%s].power-limit", m->net->cards[i].id),
                        m->net->cards[i].default_limit_w, " W");
    close_variant(m);
}

/* ---- PSUs and mains ---- */

/* Adds to `v` a nameplate rating of rated_w for each PSU that is too small or redundant. The share of the nameplate
 * that it delivers at this mains voltage stays the same. */
static void larger_supplies(maker *m, double rated_w, wsk_variant *v)
{
    const wsk_net *net = m->net;
    for (int i = 0; i < net->n_supply && i < WSK_STEP_CARDS; i++) {
        const wsk_supply *s = &net->supplies[i];
        double may = rated_w * s->law.limit_w / s->law.rated_w, volt = net->site->supply_v;
        if (!(m->base->cure_rated[i] > 0) && !s->params->redundant)
            continue;
        wsk_variant_set(m->arena, v, wsk_printf(m->arena, "psu[%s].rated", s->elem->id), rated_w, " W");
        if (s->params->line_rating.count)
            put(v, wsk_printf(m->arena, "psu[%s].line-rating=%.0f V:%.0f W, %.0f V:%.0f W", s->elem->id, volt, may,
                              volt + 1, may));
    }
    v->bought = true;
    v->what = wsk_said_link(m->arena, WSK_SAY_JOIN_AND, v->what,
                            net->n_supply > 1 ? WSK_SAID(WSK_SAY_CHANGE_PSUS, rated_w)
                                              : WSK_SAID(WSK_SAY_FIX_PSU, rated_w));
}

/* Would a higher mains voltage help? Yes if the circuit is overloaded or its breaker may trip. Also if some PSU
 * delivers less than its nameplate at this voltage, and PSUs are overloaded, may trip or pull the power brake. */
static bool felt_by_voltage(const maker *m)
{
    const wsk_outcome *base = m->base;
    bool low = false;
    for (int i = 0; i < m->net->n_supply; i++)
        low = low || m->net->supplies[i].law.limit_w < 0.999 * m->net->supplies[i].law.rated_w;
    return base->over_w > 0 || base->trip > base->trip_psu + WSK_TELLS ||
           (low && (base->trip >= WSK_TELLS || base->over_psu_w > 0 || base->braked));
}

/* If the circuit is overloaded and the site states no outlet rating (site.outlet_a): proposes the smallest standard
 * circuit that carries the load. Called where the mains voltage is high already. */
static void propose_circuit(maker *m)
{
    static const double sizes_a[] = {10, 13, 16, 20, 25, 32, 40, 50, 63};
    const wsk_net *net = m->net;
    const wsk_site_params *site = net->site;
    double need =
        m->base->over_w > 0 && site->circuit_a > 0 ? site->circuit_a * (1 + m->base->over_w / net->circuit_w) : NAN;
    for (size_t i = 0; i < sizeof sizes_a / sizeof *sizes_a && isnan(site->outlet_a); i++)
        if (sizes_a[i] >= need) {
            wsk_variant *v = open_variant(m, WSK_BY_VOLTAGE, WSK_SAID(WSK_SAY_CHANGE_CIRCUIT, sizes_a[i]));
            v->bought = true;
            wsk_variant_set(m->arena, v, "site.circuit", sizes_a[i], " A");
            return;
        }
}

/* Proposes larger PSUs in place of those that are too small. At a mains voltage of 180 V or more also a larger circuit.
 * Below 180 V also the higher mains voltage (wsk_high_line_v), but only where it helps (felt_by_voltage): alone; with
 * lower power limits, if they cure the PSUs; and with larger PSUs, if any is too small. */
static void propose_delivery(maker *m)
{
    const wsk_net *net = m->net;
    const wsk_outcome *base = m->base;
    double most = 0;
    wsk_variant *v;
    for (int i = 0; i < net->n_supply && i < WSK_STEP_CARDS; i++)
        most = fmax(most, base->braked ? 1.5 * net->supplies[i].law.rated_w : base->cure_rated[i]);
    if (most > 0) {
        larger_supplies(m, most, open_variant(m, WSK_BY_SUPPLY, NULL));
        close_variant(m);
    }
    if (net->site->supply_v >= 180)
        propose_circuit(m);
    if (net->site->supply_v >= 180 || !felt_by_voltage(m))
        return;
    int volts = wsk_high_line_v(net->site->supply_v);
    const wsk_said *circuit = WSK_SAID(WSK_SAY_CHANGE_VOLTAGE, volts);
    v = open_variant(m, WSK_BY_VOLTAGE, circuit);
    v->bought = true;
    wsk_variant_set(m->arena, v, "site.supply", volts, " V");
    if (base->cure_psu > 0 && base->cure_psu < 1) {
        v = open_variant(m, WSK_BY_VOLTAGE, circuit);
        v->bought = true;
        wsk_variant_set(m->arena, v, "site.supply", volts, " V");
        limit_all(m, v, base->cure_psu);
        close_variant(m);
    }
    if (most > 0) {
        v = open_variant(m, WSK_BY_VOLTAGE, circuit);
        wsk_variant_set(m->arena, v, "site.supply", volts, " V");
        larger_supplies(m, most, v);
        close_variant(m);
    }
}

/* For a rig with one PSU: proposes each higher 80 PLUS rating, as the catalogue's mean PSU of that rating, in the
 * nearest size that is not smaller. */
static void propose_tier(maker *m)
{
    static const char *const badges[] = {"Gold", "Platinum", "Titanium"};
    static const double sizes_w[] = {550, 650, 750, 850, 1000, 1200, 1600};
    const wsk_supply *s = &m->net->supplies[0];
    const char *has = m->net->n_supply == 1 ? s->params->tier : NULL;
    size_t k = 0, first = 0;
    if (m->net->n_supply != 1)
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
        wsk_variant *v = open_variant(m, WSK_BY_TIER, WSK_SAID(WSK_SAY_CHANGE_TIER, badges[i], id, instead));
        put(v, wsk_printf(m->arena, "psu[%s]=%s", s->elem->id, id));
        close_variant(m);
    }
}

/* ---- room ---- */

/* Proposes to air the room twice as well, and N times as well, with the smallest N that keeps the room 1 K below
 * WSK_HOT_ROOM_C at the hottest hour even if no card throttles. N is not proposed if it is 2 or less, or over MOST. */
static void propose_airing(maker *m)
{
    enum { MOST = 10 };
    const wsk_outcome *b = m->base;
    double cond_w_k = m->net->room_params->cond_w_k, room_k = WSK_HOT_ROOM_C - 1 - b->hot_outdoor_c;
    double times = room_k > 0 ? ceil((b->hot_room_c - b->hot_outdoor_c) / (room_k * (1 - fmin(b->lost, 0.9)))) : 0;
    const double twice = 2;
    wsk_variant_set(m->arena, open_variant(m, WSK_BY_ROOM, WSK_SAID(WSK_SAY_CHANGE_AIRING, twice)),
                    "room.conductance", twice * cond_w_k, " W/K");
    if (times > twice && times <= MOST)
        wsk_variant_set(m->arena, open_variant(m, WSK_BY_ROOM, WSK_SAID(WSK_SAY_CHANGE_AIRING, times)),
                        "room.conductance", times * cond_w_k, " W/K");
}

static void propose_room(maker *m)
{
    const wsk_net *net = m->net;
    const wsk_room_params *room = net->room_params;
    if (isnan(room->temp_k) && (m->base->room_c > 30 || m->base->hot_room_c > WSK_HOT_ROOM_C) && room->cond_w_k > 0)
        propose_airing(m);
    if (!m->heat)
        return;
    if (!isnan(room->temp_k))
        wsk_variant_set(m->arena, open_variant(m, WSK_BY_ROOM, WSK_SAID(WSK_SAY_CHANGE_ROOM, 5)), "room.temperature",
                        room->temp_k - WSK_KELVIN - 5, " degC");
    else if (net->ac)
        wsk_variant_set(m->arena, open_variant(m, WSK_BY_ROOM, WSK_SAID(WSK_SAY_CHANGE_AC, 3)),
                        "air-conditioner.setpoint", net->ac->setpoint_k - WSK_KELVIN - 3, " degC");
}

/* ---- slots ---- */

/* Proposes to move the cards: same order from slot 1 on, gap[i] free slots after card i. Proposes nothing if no card
 * would move or they do not fit. */
static void propose_gaps(maker *m, const int *gap, const wsk_said *what)
{
    const wsk_net *net = m->net;
    double slot = 1;
    bool moved = false;
    for (int i = 0; i < net->n_card; slot += net->cards[i].gpu->slots + gap[i], i++)
        moved = moved || slot != net->cards[i].gpu->slot;
    if (!moved || slot - 1 - gap[net->n_card - 1] > net->cases[0].params->slots)
        return;
    wsk_variant *v = open_variant(m, WSK_BY_SLOT, what);
    slot = 1;
    for (int i = 0; i < net->n_card; i++) {
        wsk_variant_set(m->arena, v, wsk_printf(m->arena, "gpu[%s].slot", net->cards[i].id), slot, "");
        slot += net->cards[i].gpu->slots + gap[i];
    }
    close_variant(m);
}

/* For air-cooled cards in one chassis: proposes one and two free slots between all cards. With too few free slots for
 * that: one free slot below each of the hottest cards. */
static void propose_slots(maker *m)
{
    const wsk_net *net = m->net;
    int gap[WSK_STEP_CARDS] = {0}, n = net->n_card, spare;
    double used = 0;
    bool stacked = net->n_case == 1 && n > 1, breathes = false;
    for (int i = 0; i < n; i++) {
        breathes = breathes || net->cards[i].exhaust >= 0;
        used += net->cards[i].gpu->slots;
        stacked = stacked && isnan(net->cards[i].gpu->riser_m);
    }
    spare = stacked && breathes ? (int)(net->cases[0].params->slots - used) : 0;
    if (spare < 1)
        return;
    for (int each = 1; each <= 2 && each * (n - 1) <= spare; each++) {
        for (int i = 0; i + 1 < n; i++)
            gap[i] = each;
        propose_gaps(
            m, gap, each == 1 ? WSK_SAID(WSK_SAY_CHANGE_SLOT_BETWEEN) : WSK_SAID(WSK_SAY_CHANGE_SLOTS_BETWEEN, each));
    }
    if (spare >= n - 1)
        return;
    wsk_said_list below = {.arena = m->arena};
    for (int k = 0; k < spare; k++) {
        int at = -1;
        for (int i = 0; i + 1 < n; i++)
            if (!gap[i] && (at < 0 || m->base->die_c[i] > m->base->die_c[at]))
                at = i;
        gap[at] = 1;
        wsk_said_add(&below, WSK_SAID(WSK_SAY_PLAIN, net->cards[at].id));
    }
    const wsk_said *names = wsk_said_link_all(&below, WSK_SAY_JOINED, WSK_SAY_JOIN_AND);
    propose_gaps(m, gap,
                 spare == 1 ? WSK_SAID(WSK_SAY_CHANGE_SLOT_BELOW, names)
                            : WSK_SAID(WSK_SAY_CHANGE_SLOTS_BELOW, names));
}

/* ---- air ---- */

/* Number of fans at this place of the chassis; a radiator counts as three. */
static double fans_at(const wsk_elem *chassis, int place)
{
    double n = 0;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(chassis, "fan", e)) != NULL;)
        n += ((const wsk_fan_params *)e->params)->at == place ? ((const wsk_fan_params *)e->params)->count : 0;
    for (const wsk_elem *l = NULL; (l = wsk_elem_child(chassis, "loop", l)) != NULL;)
        for (const wsk_elem *r = NULL; (r = wsk_elem_child(l, "radiator", r)) != NULL;)
            n += ((const wsk_radiator_params *)r->params)->at == place ? 3 : 0;
    return n;
}

/* For a rig with one closed chassis: proposes one more intake fan and one more exhaust fan (rear, top), each beside a
 * fan of the same kind where a place is free. Against heat also faster case fans and an open side panel. */
static void propose_fans(maker *m)
{
    const wsk_case *c = &m->net->cases[0];
    bool blown[2] = {false, false};
    if (m->net->n_case != 1 || c->open)
        return;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(c->elem, "fan", e)) != NULL;) {
        const wsk_fan_params *f = e->params;
        bool out = f->at == WSK_AT_REAR || f->at == WSK_AT_TOP;
        if (blown[out] || (f->at < WSK_PLACES && fans_at(c->elem, f->at) + 1 > c->params->places[f->at]))
            continue;
        blown[out] = true;
        wsk_variant *v = open_variant(
            m, WSK_BY_FAN, out ? WSK_SAID(WSK_SAY_CHANGE_EXHAUST_FAN) : WSK_SAID(WSK_SAY_CHANGE_INTAKE_FAN));
        wsk_variant_set(m->arena, v, wsk_printf(m->arena, "fan[%s].count", e->id), f->count + 1, "");
    }
    if (!m->heat) /* noise alone is no reason: faster fans add to it, and how much an open panel adds is unknown */
        return;
    wsk_variant *v = open_variant(m, WSK_BY_FAN, WSK_SAID(WSK_SAY_CHANGE_FANS, 3000, "fan/generic-120-3000"));
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(c->elem, "fan", e)) != NULL;) {
        const wsk_fan_params *f = e->params;
        if (f->rpm * 1.2 < 3000 && fabs(f->diameter_m - 0.12) < 1e-3)
            put(v, wsk_printf(m->arena, "fan[%s]=fan/generic-120-3000", e->id));
    }
    close_variant(m);
    if (c->panel >= 0 && c->params->side == 0)
        put(open_variant(m, WSK_BY_PANEL, WSK_SAID(WSK_SAY_CHANGE_PANEL)), "chassis.side-panel=open");
}

/* Proposes the fan curves of the cards' own fans with speeds multiplied by `factor`, within the fans' range. */
static void propose_curve(maker *m, double factor)
{
    double percent = 100 * fabs(factor - 1);
    wsk_variant *v = open_variant(m, WSK_BY_CURVE,
                                  factor > 1 ? WSK_SAID(WSK_SAY_CHANGE_FASTER, percent)
                                             : WSK_SAID(WSK_SAY_CHANGE_SLOWER, percent));
    for (int i = 0; i < m->net->n_card; i++) {
        const wsk_card *c = &m->net->cards[i];
        const wsk_curve *curve = &c->cooler->curve;
        wsk_buf set = {0};
        if (c->mover < 0 || !curve->count || !isnan(c->pin_rpm))
            continue;
        wsk_buf_printf(&set, "gpu[%s].cooler.fan-curve=", c->id);
        for (int k = 0; k < curve->count; k++)
            wsk_buf_printf(&set, "%s%.1f degC:%.0f rpm", k ? ", " : "", curve->x[k] - WSK_KELVIN,
                           fmax(c->rpm_min, fmin(c->rpm_max, factor * curve->y[k])));
        put(v, set.failed ? NULL : wsk_printf(m->arena, "%s", set.data));
        wsk_buf_free(&set);
    }
    close_variant(m);
}

/* ---- coolers ---- */

/* Catalogue id of the blower version of a card: NAME-blower, for NAME and NAME-open-air. NULL: there is none. */
static const char *with_blower(const maker *m, const char *part)
{
    static const char open[] = "-open-air";
    size_t n = part ? strlen(part) : 0;
    if (!n)
        return NULL;
    if (n > sizeof open && strcmp(part + n - (sizeof open - 1), open) == 0)
        n -= sizeof open - 1;
    const char *id = wsk_printf(m->arena, "%.*s-blower", (int)n, part);
    return id && wsk_plan_has_part(m->input, id) ? id : NULL;
}

/* Proposes blowers for the open-air cards of a rig with several cards, which breathe each other's exhaust. A card of
 * up to 320 W without a blower version gets a generic blower cooler. */
static void propose_blowers(maker *m)
{
    const wsk_net *net = m->net;
    wsk_variant *v = open_variant(m, WSK_BY_COOLER, NULL);
    const char *by = NULL;
    v->bought = true;
    for (int i = 0; i < net->n_card && net->n_card > 1; i++) {
        const wsk_card *c = &net->cards[i];
        const char *part = wsk_exhausts_around(c) ? with_blower(m, c->elem->part) : NULL;
        if (!wsk_exhausts_around(c))
            continue;
        if (part) {
            put(v, wsk_printf(m->arena, "gpu[%s].part=%s", c->id, part));
        } else if (c->gpu->tdp_w <= 320) {
            part = c->gpu->tdp_w <= 220 ? "cooler/class-blower-200" : "cooler/class-blower-300";
            put(v, wsk_printf(m->arena, "gpu[%s].cooler=%s", c->id, part));
        }
        by = by ? by : part;
    }
    v->what = by ? WSK_SAY(m->arena, WSK_SAY_CHANGE_BLOWERS, by) : NULL;
    close_variant(m);
}

size_t wsk_propose(wsk_arena *arena, const wsk_net *net, const wsk_plan_input *input, const wsk_outcome *base,
                   bool heat, wsk_variant *list)
{
    maker m = {.arena = arena,
               .net = net,
               .input = input,
               .base = base,
               .heat = heat,
               .loud = base->noise_dba > WSK_LOUD_DBA,
               .list = list};
    propose_limits(&m);
    propose_delivery(&m);
    if (net->billing)
        propose_tier(&m);
    if (m.heat || base->room_c > 30 || base->hot_room_c > WSK_HOT_ROOM_C)
        propose_room(&m);
    if (m.heat || m.loud) {
        propose_slots(&m);
        propose_fans(&m);
        propose_blowers(&m);
    }
    if (m.heat)
        propose_curve(&m, 1.2);
    else if (m.loud)
        propose_curve(&m, 0.85);
    return m.n;
}
