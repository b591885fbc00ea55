/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "sim/study/advice/propose.h"

/* Proposes to put the cards, in their present order, into the slots from slot 1 on, with gap[i] free slots after card
 * i. Proposes nothing if no card would move or the cards do not fit. */
static void propose_gaps(wsk_maker *m, const int *gap, const wsk_said *what)
{
    const wsk_net *net = m->net;
    double slot = 1;
    bool moved = false;
    for (int i = 0; i < net->n_card; slot += net->cards[i].gpu->slots + gap[i], i++)
        moved = moved || slot != net->cards[i].gpu->slot;
    if (!moved || slot - 1 - gap[net->n_card - 1] > net->cases[0].params->slots)
        return;
    wsk_variant *v = wsk_variant_open(m, WSK_BY_SLOT, what);
    slot = 1;
    for (int i = 0; i < net->n_card; i++) {
        wsk_variant_set(m->arena, v, wsk_printf(m->arena, "gpu[%s].slot", net->cards[i].id), slot, "");
        slot += net->cards[i].gpu->slots + gap[i];
    }
    wsk_variant_close(m);
}

/* Proposes one or two free slots between every two neighbouring cards. If there are too few free slots for that, only
 * the hottest cards get a free slot below them. */
static void propose_slots(wsk_maker *m)
{
    const wsk_net *net = m->net;
    int gap[WSK_STEP_CARDS] = {0}, n = net->n_card, spare;
    bool stacked = net->n_case == 1 && n > 1, breathes = false;
    for (int i = 0; i < n; i++) {
        breathes = breathes || net->cards[i].exhaust >= 0;
        stacked = stacked && isnan(net->cards[i].gpu->riser_m);
    }
    spare = stacked && breathes ? (int)wsk_free_slots(net, 0) : 0;
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

/* Free air under the fans of a card on a riser, m: riser_free_m as advice proposes it, riser_least_m the least for
 * which a riser is worthwhile: docs/theory/constants.md, "riser of advice" */
static const double riser_free_m = 0.06, riser_least_m = 0.02;

/* Adds assignments that hang card i on a riser. outside: the card hangs outside of its case. If the catalogue has no
 * suitable riser cable, the price of the change is unknown. */
static void hang(wsk_maker *m, wsk_variant *v, int i, double free_m, bool outside)
{
    const wsk_card *c = &m->net->cards[i];
    const char *id = c->id, *cable = outside             ? "riser-cable/pcie4-x16-600"
                                     : c->gpu->pcie >= 5 ? "riser-cable/pcie5-x16-200"
                                                         : "riser-cable/pcie4-x16-200";
    if (wsk_plan_has_part(m->input, cable))
        wsk_variant_put(v, wsk_printf(m->arena, "gpu[%s].riser-cable+=%s", id, cable));
    else
        v->bought = true;
    wsk_variant_set(m->arena, v, wsk_printf(m->arena, "gpu[%s].riser", id), 1e3 * free_m, " mm");
    if (outside)
        wsk_variant_put(v, wsk_printf(m->arena, "gpu[%s].riser-at=room", id));
}

static bool gains_by_riser(const wsk_net *net, int i)
{
    const wsk_card *c = &net->cards[i];
    return wsk_exhausts_around(c) && !wsk_on_riser(c) && !(net->cases[c->in].open && c->gap_m >= riser_free_m);
}

/* Free air, m, that card i would have on a riser within its case; 0: the case has no known free place for it, or the
 * card does not fit. */
static double free_in_case(const wsk_net *net, int i)
{
    const wsk_card *c = &net->cards[i];
    const wsk_chassis_params *ch = net->cases[c->in].params;
    double hung = 0, free_m = ch->riser_depth_m - c->gpu->thickness_m;
    for (int j = 0; j < net->n_card; j++)
        hung += net->cards[j].in == c->in && wsk_on_riser(&net->cards[j]) && !wsk_hangs_outside(&net->cards[j]);
    bool fits = hung < ch->riser_places && c->gpu->length_m <= ch->card_length_max_m && free_m >= riser_least_m;
    return net->cases[c->in].open ? riser_free_m : fits ? fmin(free_m, riser_free_m) : 0;
}

static void propose_risers(wsk_maker *m)
{
    enum { MOST = 4 };
    const wsk_net *net = m->net;
    bool tried[WSK_STEP_CARDS] = {false};
    for (int k = 0; k < MOST; k++) {
        int at = -1;
        for (int i = 0; i < net->n_card; i++)
            if (!tried[i] && gains_by_riser(net, i) && (at < 0 || m->base->die_c[i] > m->base->die_c[at]))
                at = i;
        if (at < 0)
            break;
        tried[at] = true;
        const wsk_card *c = &net->cards[at];
        const double free_m = free_in_case(net, at);
        if (free_m > 0)
            hang(m,
                 wsk_variant_open(m, WSK_BY_RISER, WSK_SAID(WSK_SAY_CHANGE_RISER, c->id, floor(1e3 * free_m + 1e-6))),
                 at, floor(1e3 * free_m + 1e-6) / 1e3, false);
        if (!net->cases[c->in].open)
            hang(m,
                 wsk_variant_open(m, WSK_BY_RISER, WSK_SAID(WSK_SAY_CHANGE_RISER_OUTSIDE, c->id, 1e3 * riser_free_m)),
                 at, riser_free_m, true);
    }
    wsk_said_list names = {.arena = m->arena};
    for (int i = 1; i < net->n_card; i += 2)
        if (gains_by_riser(net, i) && !net->cases[net->cards[i].in].open)
            wsk_said_add(&names, WSK_SAID(WSK_SAY_PLAIN, net->cards[i].id));
    if (names.count < 2) /* the next variant moves two or more cards; single cards have variants of their own above */
        return;
    wsk_variant *v =
        wsk_variant_open(m, WSK_BY_RISER,
                         WSK_SAID(WSK_SAY_CHANGE_RISERS_OUTSIDE,
                                  wsk_said_link_all(&names, WSK_SAY_JOINED, WSK_SAY_JOIN_AND), 1e3 * riser_free_m));
    for (int i = 1; i < net->n_card; i += 2)
        if (gains_by_riser(net, i) && !net->cases[net->cards[i].in].open)
            hang(m, v, i, riser_free_m, true);
    wsk_variant_close(m);
}

/* Proposes a new order for the cards in the slots of one chassis, if they are not all alike. Of the cards whose cooler
 * leaves its exhaust around the card, the hottest moves to the last place, below which the gap is usually widest. The
 * cards that were below it move up by one place. The number of free slots between two places does not change. */
static void propose_last(wsk_maker *m)
{
    const wsk_net *net = m->net;
    const int last = net->n_card - 1;
    int hot = -1;
    bool unlike = false;
    for (int i = 0; i <= last; i++) {
        const wsk_card *c = &net->cards[i];
        const char *part = c->elem->part, *first = net->cards[0].elem->part;
        if (wsk_on_riser(c))
            return;
        unlike = unlike || !part || !first || strcmp(part, first) != 0;
        if (wsk_exhausts_around(c) && (hot < 0 || m->base->die_c[i] > m->base->die_c[hot]))
            hot = i;
    }
    if (net->n_case != 1 || !unlike || hot < 0 || hot == last)
        return;
    wsk_variant *v = wsk_variant_open(m, WSK_BY_SLOT, WSK_SAID(WSK_SAY_CHANGE_LAST_PLACE, net->cards[hot].id));
    double slot = net->cards[0].gpu->slot;
    for (int place = 0; place <= last; place++) {
        const int i = place == last ? hot : place < hot ? place : place + 1;
        const wsk_gpu_params *now = net->cards[place].gpu;
        wsk_variant_set(m->arena, v, wsk_printf(m->arena, "gpu[%s].slot", net->cards[i].id), slot, "");
        slot += net->cards[i].gpu->slots;
        if (place < last)
            slot += net->cards[place + 1].gpu->slot - now->slot - now->slots;
    }
    if (slot - 1 > net->cases[0].params->slots)
        v->halved = true;
    wsk_variant_close(m);
}

/* Gives the work of a workload that names its cards to those of them among the first n cards. */
static void leave_work_to(wsk_maker *m, wsk_variant *v, int n)
{
    const char *ids = NULL;
    for (int i = 0; i < n; i++)
        if (m->net->cards[i].works)
            ids = ids ? wsk_printf(m->arena, "%s %s", ids, m->net->cards[i].id) : m->net->cards[i].id;
    wsk_variant_put(v, ids ? wsk_printf(m->arena, "workload.gpus=%s", ids) : NULL);
}

/* Proposes to remove the last card, so that the other cards keep their ids. */
static void propose_fewer(wsk_maker *m)
{
    const wsk_net *net = m->net;
    const int left = net->n_card - 1;
    if (left < 1 || net->n_case != 1)
        return;
    for (int i = 0; i <= left; i++) {
        const wsk_card *c = &net->cards[i];
        const char *part = c->elem->part, *same = net->cards[0].elem->part;
        if (c->exhaust < 0 || !isnan(c->gpu->riser_m) || !part || !same || strcmp(part, same) != 0)
            return;
    }
    const double each = net->cards[0].gpu->slots, spare = net->cases[0].params->slots - left * each,
                 gap = left > 1 ? fmin(2, floor(spare / (left - 1))) : 0;
    if (spare < 0)
        return;
    const char *out = net->cards[left].id;
    wsk_variant *v = wsk_variant_open(m, WSK_BY_FEWER,
                                      gap > 0 ? WSK_SAID(WSK_SAY_CHANGE_FEWER_APART, out, gap)
                                              : WSK_SAID(WSK_SAY_CHANGE_FEWER, out));
    wsk_variant_put(v, wsk_printf(m->arena, "gpu[%s]=none", out));
    if (net->workload && net->cards[left].works && strcmp(net->workload->gpus, "all") != 0)
        leave_work_to(m, v, left);
    for (int i = 0; i < left; i++)
        wsk_variant_set(m->arena, v, wsk_printf(m->arena, "gpu[%s].slot", net->cards[i].id), 1 + i * (each + gap),
                        "");
    wsk_variant_close(m);
}

/* Number of fans at a side of the chassis. A radiator counts as three fans. A fan wall also counts as fans at the
 * front, because it takes their places. */
static double fans_at(const wsk_elem *chassis, int place)
{
    double n = 0;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(chassis, "fan", e)) != NULL;) {
        const wsk_fan_params *f = e->params;
        n += f->at == place || (f->at == WSK_AT_WALL && place == WSK_AT_FRONT) ? f->count : 0;
    }
    for (const wsk_elem *l = NULL; (l = wsk_elem_child(chassis, "loop", l)) != NULL;)
        for (const wsk_elem *r = NULL; (r = wsk_elem_child(l, "radiator", r)) != NULL;)
            n += ((const wsk_radiator_params *)r->params)->at == place ? 3 : 0;
    return n;
}

static void propose_new_fans(wsk_maker *m)
{
    static const char part[] = "fan/generic-120-1500";
    const wsk_case *c = &m->net->cases[0];
    const double *places = c->params->places;
    if (m->net->n_case != 1 || c->open || !wsk_plan_has_part(m->input, part) || fans_at(c->elem, WSK_AT_WALL) > 0)
        return;
    double front = isnan(places[WSK_AT_FRONT]) ? 3 : fmin(3, places[WSK_AT_FRONT]),
           rear = isnan(places[WSK_AT_REAR]) ? 1 : fmin(1, places[WSK_AT_REAR]);
    if (fans_at(c->elem, WSK_AT_FRONT) + fans_at(c->elem, WSK_AT_BOTTOM) + fans_at(c->elem, WSK_AT_SIDE) > 0)
        front = 0;
    if (fans_at(c->elem, WSK_AT_REAR) + fans_at(c->elem, WSK_AT_TOP) > 0)
        rear = 0;
    if (front + rear < 1)
        return;
    wsk_variant *v = wsk_variant_open(m, WSK_BY_FAN,
                                      front > 0 && rear > 0 ? WSK_SAID(WSK_SAY_CHANGE_NEW_FANS, front, part)
                                      : front > 0           ? WSK_SAID(WSK_SAY_CHANGE_NEW_FRONT_FANS, front, part)
                                                            : WSK_SAID(WSK_SAY_CHANGE_NEW_REAR_FAN, part));
    if (front > 0)
        wsk_variant_put(v, wsk_printf(m->arena, "chassis.fan+=%s at=front count=%.0f", part, front));
    if (rear > 0)
        wsk_variant_put(v, wsk_printf(m->arena, "chassis.fan+=%s at=rear", part));
    wsk_variant_close(m);
}

static void propose_fans(wsk_maker *m)
{
    const wsk_case *c = &m->net->cases[0];
    bool blown[2] = {false, false};
    if (m->net->n_case != 1 || c->open)
        return;
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(c->elem, "fan", e)) != NULL;) {
        const wsk_fan_params *f = e->params;
        bool out = f->at == WSK_AT_REAR || f->at == WSK_AT_TOP;
        const int place = f->at == WSK_AT_WALL ? WSK_AT_FRONT : f->at;
        if (blown[out] || fans_at(c->elem, place) + 1 > c->params->places[place])
            continue;
        blown[out] = true;
        wsk_variant *v = wsk_variant_open(
            m, WSK_BY_FAN, out ? WSK_SAID(WSK_SAY_CHANGE_EXHAUST_FAN) : WSK_SAID(WSK_SAY_CHANGE_INTAKE_FAN));
        wsk_variant_set(m->arena, v, wsk_printf(m->arena, "fan[%s].count", e->id), f->count + 1, "");
    }
    if (!m->heat) /* not against noise: faster fans add noise, and how much noise an open panel adds is unknown */
        return;
    wsk_variant *v = wsk_variant_open(m, WSK_BY_FAN, WSK_SAID(WSK_SAY_CHANGE_FANS, 3000, "fan/generic-120-3000"));
    for (const wsk_elem *e = NULL; (e = wsk_elem_child(c->elem, "fan", e)) != NULL;) {
        const wsk_fan_params *f = e->params;
        if (f->rpm * 1.2 < 3000 && fabs(f->diameter_m - 0.12) < 1e-3)
            wsk_variant_put(v, wsk_printf(m->arena, "fan[%s]=fan/generic-120-3000", e->id));
    }
    wsk_variant_close(m);
    if (c->panel >= 0 && c->params->side == 0)
        wsk_variant_put(wsk_variant_open(m, WSK_BY_PANEL, WSK_SAID(WSK_SAY_CHANGE_PANEL)), "chassis.side-panel=open");
}

static void propose_curve(wsk_maker *m, double factor)
{
    double percent = 100 * fabs(factor - 1);
    wsk_variant *v = wsk_variant_open(m, WSK_BY_CURVE,
                                      factor > 1 ? WSK_SAID(WSK_SAY_CHANGE_FASTER, percent)
                                                 : WSK_SAID(WSK_SAY_CHANGE_SLOWER, percent));
    for (int i = 0; i < m->net->n_card; i++) {
        const wsk_card *c = &m->net->cards[i];
        const wsk_curve *curve = &c->cooler->curve;
        wsk_buf set = {0};
        if (c->mover < 0 || (!curve->count && isnan(c->pin_rpm)))
            continue;
        if (!isnan(c->pin_rpm)) {
            const double rpm = floor(factor * c->pin_rpm);
            if (rpm <= c->rpm_max)
                wsk_variant_set(m->arena, v, wsk_printf(m->arena, "gpu[%s].fan", c->id), rpm, " rpm");
            continue;
        }
        wsk_buf_printf(&set, "gpu[%s].cooler.fan-curve=", c->id);
        for (int k = 0; k < curve->count; k++)
            wsk_buf_printf(&set, "%s%.1f degC:%.0f rpm", k ? ", " : "", curve->x[k] - WSK_KELVIN,
                           fmax(c->rpm_min, fmin(c->rpm_max, factor * curve->y[k])));
        wsk_variant_put(v, set.failed ? NULL : wsk_printf(m->arena, "%s", set.data));
        wsk_buf_free(&set);
    }
    wsk_variant_close(m);
}

/* Proposes full speed for the cards' fans that run at a fixed one. */
static void propose_full_speed(wsk_maker *m)
{
    wsk_variant *v = wsk_variant_open(m, WSK_BY_CURVE, WSK_SAID(WSK_SAY_CHANGE_FULL_CARD_FANS));
    for (int i = 0; i < m->net->n_card; i++) {
        const wsk_card *c = &m->net->cards[i];
        if (c->mover >= 0 && c->pin_rpm < c->rpm_max)
            wsk_variant_put(v, wsk_printf(m->arena, "gpu[%s].fan=100 %%", c->id));
    }
    wsk_variant_close(m);
}

/* True if the curve of some card's fan stays below 70 % of the fan's highest speed at every temperature. */
static bool is_quiet(const wsk_net *net)
{
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        const wsk_curve *curve = &c->cooler->curve;
        if (c->mover >= 0 && curve->count && isnan(c->pin_rpm) && curve->y[curve->count - 1] < 0.7 * c->rpm_max)
            return true;
    }
    return false;
}

/* Catalogue id of the blower version of a card: "NAME-blower" for the cards "NAME" and "NAME-open-air". NULL: the
 * catalogue has none. */
static const char *with_blower(const wsk_maker *m, const char *part)
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

/* Proposes blower coolers for open-air cards, which draw in each other's exhaust. A card of up to 320 W without a
 * blower version gets a generic blower cooler. */
static void propose_blowers(wsk_maker *m)
{
    const wsk_net *net = m->net;
    wsk_variant *v = wsk_variant_open(m, WSK_BY_COOLER, NULL);
    const char *by = NULL;
    v->bought = true;
    for (int i = 0; i < net->n_card && net->n_card > 1; i++) {
        const wsk_card *c = &net->cards[i];
        const char *part = wsk_exhausts_around(c) ? with_blower(m, c->elem->part) : NULL;
        if (!wsk_exhausts_around(c))
            continue;
        if (part) {
            wsk_variant_put(v, wsk_printf(m->arena, "gpu[%s].part=%s", c->id, part));
        } else if (c->gpu->tdp_w <= 320) {
            part = c->gpu->tdp_w <= 220 ? "cooler/class-blower-200" : "cooler/class-blower-300";
            wsk_variant_put(v, wsk_printf(m->arena, "gpu[%s].cooler=%s", c->id, part));
        }
        by = by ? by : part;
    }
    v->what = by ? WSK_SAY(m->arena, WSK_SAY_CHANGE_BLOWERS, by) : NULL;
    wsk_variant_close(m);
}

static void propose_shrouds(wsk_maker *m)
{
    static const char *const parts[] = {"cooler/shroud-92", "cooler/shroud-97-blower", "cooler/shroud-40"};
    const wsk_net *net = m->net;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        if (!wsk_plan_has_part(m->input, parts[k]))
            continue;
        wsk_variant *v = wsk_variant_open(m, WSK_BY_COOLER, WSK_SAID(WSK_SAY_CHANGE_SHROUD, parts[k]));
        v->bought = true;
        for (int i = 0; i < net->n_card; i++) {
            const wsk_card *c = &net->cards[i];
            const bool bare = wsk_ducted(c) && fans_at(net->cases[c->in].elem, WSK_AT_WALL) == 0;
            if (bare && c->gpu->tdp_w >= 150 && c->gpu->tdp_w <= 400)
                wsk_variant_put(v, wsk_printf(m->arena, "gpu[%s].cooler=%s", c->id, parts[k]));
        }
        wsk_variant_close(m);
    }
}

/* Replaces the radiator fans of a loop that are slower by more than a sixth than the catalogue's radiator fan. Returns
 * the id of the last new fan; NULL: no fan was replaced. */
static const char *faster_on_radiators(wsk_maker *m, const wsk_elem *loop, wsk_variant *v)
{
    static const struct {
        double diameter_m, rpm;
        const char *part;
    } fans[] = {{0.12, 2000, "fan/generic-120-2000-radiator"}, {0.14, 1700, "fan/generic-140-1700-radiator"}};
    const char *added = NULL;
    for (const wsk_elem *r = NULL; (r = wsk_elem_child(loop, "radiator", r)) != NULL;)
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(r, "fan", e)) != NULL;) {
            const wsk_fan_params *f = e->params;
            for (size_t k = 0; k < sizeof fans / sizeof *fans; k++)
                if (fabs(f->diameter_m - fans[k].diameter_m) < 1e-3 && f->rpm * 1.2 < fans[k].rpm &&
                    wsk_plan_has_part(m->input, fans[k].part)) {
                    wsk_variant_put(v, wsk_printf(m->arena, "fan[%s]=%s", e->id, fans[k].part));
                    added = fans[k].part;
                }
        }
    return added;
}

static void propose_loops(wsk_maker *m)
{
    const wsk_net *net = m->net;
    const double colder_k = 5;
    bool wet = false;
    for (int i = 0; i < net->n_card; i++)
        wet = wet || wsk_style_of(&net->cards[i])->join;
    if (!wet)
        return;
    wsk_variant *v = wsk_variant_open(m, WSK_BY_LOOP, NULL);
    const char *part = NULL;
    v->bought = true;
    for (int i = 0; i < net->n_circuit; i++) {
        const char *added = net->circuits[i].params ? faster_on_radiators(m, net->circuits[i].elem, v) : NULL;
        part = added ? added : part;
    }
    v->what = part ? WSK_SAY(m->arena, WSK_SAY_CHANGE_RADIATOR_FANS, part) : NULL;
    wsk_variant_close(m);
    v = wsk_variant_open(m, WSK_BY_LOOP, WSK_SAID(WSK_SAY_CHANGE_COLDER_WATER, colder_k));
    for (int i = 0; i < net->n_circuit; i++) {
        const wsk_circuit *c = &net->circuits[i];
        if (c->facility && c->params && c->params->supply_k + c->params->approach_k - colder_k > net->dew_k)
            wsk_variant_set(m->arena, v, wsk_printf(m->arena, "loop[%s].supply", c->elem->id),
                            c->params->supply_k - WSK_KELVIN - colder_k, " degC");
    }
    wsk_variant_close(m);
}

/* Proposes `factor` times the speed for case fans that run at a fixed one. */
static void propose_slower(wsk_maker *m, double factor)
{
    wsk_variant *v =
        wsk_variant_open(m, WSK_BY_SLOWER, WSK_SAID(WSK_SAY_CHANGE_SLOWER_CASE_FANS, 100 * (1 - factor)));
    for (int i = 0; i < m->net->n_case; i++)
        for (const wsk_elem *e = NULL; (e = wsk_elem_child(m->net->cases[i].elem, "fan", e)) != NULL;) {
            const wsk_fan_params *f = e->params;
            if (f->control.sensor != WSK_SENSE_NONE)
                continue;
            if (isnan(f->speed_rpm))
                wsk_variant_set(m->arena, v, wsk_printf(m->arena, "fan[%s].duty", e->id),
                                100 * factor * fmin(f->speed_share, 1), "%"); /* fmin of NAN and 1 is 1 */
            else
                wsk_variant_set(m->arena, v, wsk_printf(m->arena, "fan[%s].speed", e->id), factor * f->speed_rpm,
                                " rpm");
        }
    wsk_variant_close(m);
}

void wsk_propose_air(wsk_maker *m)
{
    if (m->heat) {
        propose_loops(m);
        propose_new_fans(m);
        propose_risers(m);
        propose_fewer(m);
        propose_shrouds(m);
    }
    if (m->heat)
        propose_last(m);
    if (m->heat || m->loud) {
        propose_slots(m);
        propose_fans(m);
        propose_blowers(m);
    }
    if (m->heat) {
        propose_curve(m, 1.2);
        propose_full_speed(m);
    }
    if (m->heat && is_quiet(m->net))
        propose_curve(m, 2);
    if (!m->heat && m->loud) {
        propose_curve(m, 0.85);
        propose_slower(m, 0.75);
        propose_slower(m, 0.5);
    }
}
