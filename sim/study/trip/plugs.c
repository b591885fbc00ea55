/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of power connectors, cables and the PSU's sockets for `check`. Power budgets: slot 75 W (PCI Express CEM
 * specification), 6-pin 75 W, 8-pin 150 W, 12V-2x6 600 W (Intel's ATX12VO design guide), EPS 300 W. Theory:
 * docs/theory/power.md, "Plugs and cables" */
#include <math.h>
#include <string.h>

#include "sim/study/check/check.h"
#include "sim/study/trip/trip.h"

/* Power, W, that a card draws whatever its power limit is: at a pinned clock, with the die at its target temperature;
 * else at its lowest clock, with the die at 60 degC, as in the warning of a limit that is too low
 * (sim/net/cards.c). */
static double clocked_w(const wsk_card *c)
{
    const wsk_gpu_params *g = c->gpu;
    return isnan(g->pin_clock_hz) ? c->ops->power_w(g, &c->cls, g->clock_min_hz, 60 + WSK_KELVIN, NULL)
                                  : c->ops->power_w(g, &c->cls, g->pin_clock_hz, g->target_k, NULL);
}

static double replayed_w(const wsk_net *net, const wsk_card *c)
{
    const wsk_workload_params *w = net->workload;
    if (w->log.cards > 0 && c->logged >= 0 && wsk_recorded_of(&w->log, c->logged, WSK_LOG_POWER)->count > 0) {
        const double most = wsk_recorded_of(&w->log, c->logged, WSK_LOG_POWER)->most;
        return c->held_w < c->default_held_w ? wsk_min(most, c->held_w) : most;
    }
    return w->log.cards > 0 || !w->power.count ? 0 : w->power.most;
}

double wsk_card_highest_limit_w(const wsk_card *c)
{
    const wsk_curve *plan = &c->gpu->limit_schedule;
    double most = plan->count ? 0 : c->limit_w;
    for (int i = 0; i < plan->count; i++)
        most = wsk_max(most, plan->y[i]);
    return most;
}

double wsk_card_most_w(const wsk_net *net, const wsk_card *c)
{
    /* the power between long pauses, which c->held_w, a mean, does not tell */
    const double most = c->ops->held_w(c->gpu, wsk_card_highest_limit_w(c));
    if (!isnan(c->gpu->pin_power_w))
        return c->gpu->pin_power_w;
    return c->works && net->workload ? wsk_max(most, wsk_max(clocked_w(c), replayed_w(net, c))) : most;
}

double wsk_card_least_w(const wsk_net *net, const wsk_card *c)
{
    const double most = wsk_card_most_w(net, c);
    double least = c->ops->held_w(c->gpu, c->limit_min_w);
    if (!isnan(c->gpu->pin_power_w))
        return most;
    if (c->works && net->workload) /* a limit does not lower the power of a trace; it does lower that of a log */
        least = wsk_max(least, wsk_max(clocked_w(c), net->workload->log.cards ? 0 : replayed_w(net, c)));
    return wsk_min(most, least);
}

/* Needs of a card's connectors. watts: power budget; plugs: number of plugs on cables of the PSU; eight, high: how
 * many of these plugs have 6 or 8 pins, or are 12V-2x6. */
typedef struct {
    double watts;
    int plugs, eight, high;
} plugs;
static const struct {
    const char *name;
    plugs asks;
} connectors[] = {
    {"6-pin", {75, 1, 1, 0}},    {"8-pin", {150, 1, 1, 0}},  {"12V-2x6", {600, 1, 0, 1}},
    {"12VHPWR", {600, 1, 0, 1}}, {"12-pin", {300, 2, 2, 0}}, /* NVIDIA Ampere: adapter to two 8-pin plugs */
    {"EPS", {300, 1, 0, 0}}};
/* Power limits of the slot, of a PCIe cable (3 wires of 8 A at 12 V) and of the plug at the cable's PSU end. Source:
 * docs/theory/power.md, "Plugs and cables" */
static const double slot_w = 75, cable_w = 288, plug_w = 150;

/* False: there are no connectors, or the text has an unknown word, as for SXM and OAM modules. */
static bool plugs_of(const wsk_card *c, plugs *sum)
{
    *sum = (plugs){0};
    for (const char *s = c->gpu->connector; s && *s;) {
        s += strspn(s, " ,+");
        size_t len = strcspn(s, " ,+");
        int times = 1;
        if (len == 2 && s[0] >= '1' && s[0] <= '9' && s[1] == 'x') {
            times = s[0] - '0';
            s += 2 + strspn(s + 2, " ");
            len = strcspn(s, " ,+");
        }
        size_t k = 0;
        while (k < sizeof connectors / sizeof *connectors &&
               (strlen(connectors[k].name) != len || memcmp(connectors[k].name, s, len) != 0))
            k++;
        if (len && k == sizeof connectors / sizeof *connectors)
            return false;
        if (len) {
            sum->watts += times * connectors[k].asks.watts;
            sum->plugs += times * connectors[k].asks.plugs;
            sum->eight += times * connectors[k].asks.eight;
            sum->high += times * connectors[k].asks.high;
        }
        s += len;
    }
    return sum->plugs > 0;
}

void wsk_report_plugs(const wsk_net *net, wsk_lines *l)
{
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        plugs p;
        if (plugs_of(c, &p) && wsk_card_most_w(net, c) > p.watts + slot_w)
            wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_CONNECTORS, c->id, wsk_card_most_w(net, c), c->gpu->connector,
                                         p.watts + slot_w));
    }
    for (int i = 0; i < net->n_case; i++)
        if (net->cases[i].cpu && net->cases[i].cpu->power_w > 300)
            wsk_check_advise(
                l, WSK_SAID(WSK_SAY_CHECK_EPS, net->cases[i].cpu->head.elem->id, net->cases[i].cpu->power_w));
}

/* A plug of 300 W or more needs a separate cable; smaller plugs share the remaining cables. */
void wsk_report_cables(const wsk_net *net, int supply, wsk_lines *l)
{
    const wsk_supply *s = &net->supplies[supply];
    double through = 0, left = s->params->cables;
    int all = 0;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        plugs p;
        if (c->supply != supply || !plugs_of(c, &p))
            continue;
        bool whole = p.watts / p.plugs >= 300;
        left -= whole ? p.plugs : 0;
        through += whole ? 0 : wsk_card_most_w(net, c) * p.watts / (p.watts + slot_w);
        all += whole ? 0 : p.plugs;
    }
    if (isnan(left) || (left >= all && left >= 0))
        return;
    if (left < 0 || (left < 1 && all)) {
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_FEW_CABLES, s->params->cables, s->elem->id));
        return;
    }
    wsk_lines_add(l, 2, WSK_SAID(WSK_SAY_CHECK_DAISY_CHAIN, s->elem->id, (double)all, left, through / left));
    if (!(through <= cable_w * left))
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_CABLE, cable_w, s->elem->id));
    else if (through > plug_w * left)
        wsk_check_advise(l, WSK_SAID(WSK_SAY_CHECK_CHAINED, through / left, s->elem->id, plug_w));
}

/* Typical number of 6- and 8-pin plugs of a PSU by its rating: medians of 555 PSUs of 400 to 1,650 W. Source:
 * docs/theory/power.md, "Plugs and cables" */
static const double usual_to_w = 1650;
static double usual_eight(double rated_w)
{
    static const struct {
        double below_w, plugs;
    } sizes[] = {{440, 1}, {640, 2}, {825, 4}, {925, 6}, {1250, 8}, {INFINITY, 10}};
    int i = 0;
    while (rated_w >= sizes[i].below_w)
        i++;
    return sizes[i].plugs;
}

/* Typical number of 12V-2x6 plugs of a PSU that states no number: for ATX 3, one, or two from 1,200 W on; else none.
 * Assumed: docs/theory/constants.md, "12V-2x6 plugs" */
static double usual_high(const wsk_psu_params *p)
{
    return p->excursions != WSK_EXCURSIONS_ATX3 ? 0 : p->rated_w < 1200 ? 1 : 2;
}

/* 8-pin and 12V-2x6 plugs of a PSU, and the numbers of both that its cards need (asks_*). stated: the PSU states its
 * plugs. */
typedef struct {
    bool stated;
    /* each: 8-pin plugs that are left for each adapter; least_w: lowest power, W, to which a limit lowers that through
     * a 12V-2x6 connector */
    double eight, high, asks_eight, asks_high, each, least_w;
} sockets;

/* Checks the plugs for cards. A 12V-2x6 connector that finds no 12V-2x6 plug needs an adapter of 8-pin plugs, each of
 * which carries 150 W; the cards with the highest power get the 12V-2x6 plugs. Redundant PSUs are skipped, and, unless
 * their plugs are stated, PSUs that deliver less at low mains voltage or exceed the range of usual_eight: they are
 * server units without such cables. Returns true if plugs are missing; false: the plugs suffice, or are not
 * checked. */
static bool lacks_sockets(const wsk_net *net, int supply, sockets *out)
{
    const wsk_supply *s = &net->supplies[supply];
    const wsk_psu_params *p = s->params;
    sockets k = {.stated = p->sockets_eight >= 0 || p->sockets_high >= 0,
                 .eight = p->sockets_eight >= 0 ? p->sockets_eight : usual_eight(p->rated_w),
                 .high = p->sockets_high >= 0 ? p->sockets_high : usual_high(p),
                 .least_w = INFINITY};
    double lacks = 0, spare = k.high, adapters = 0;
    enum { MOST = 4 }; /* 8-pin plugs of the largest adapter (600 W) */
    int with[MOST + 1] = {0};
    if (p->redundant || (!k.stated && (p->line_rating.count || p->rated_w > usual_to_w)))
        return false;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        plugs ask;
        if (c->supply != supply || !plugs_of(c, &ask))
            continue;
        k.asks_eight += ask.eight;
        k.asks_high += ask.high;
        const double through = 600 / (ask.watts + slot_w), each_w = wsk_card_most_w(net, c) * through;
        if (ask.high > 0)
            k.least_w = wsk_min(k.least_w, wsk_card_least_w(net, c) * through);
        with[(int)wsk_min(wsk_max(ceil(each_w / 150), 1), MOST)] += ask.high;
    }
    for (int n = MOST; n >= 1; n--) {
        double own = wsk_min(spare, with[n]);
        spare -= own;
        lacks += with[n] - own;
        adapters += n * (with[n] - own);
    }
    k.each = lacks > 0 ? floor((k.eight - k.asks_eight) / lacks) : 0;
    *out = k;
    return k.asks_eight + adapters > k.eight;
}

bool wsk_lacks_sockets(const wsk_net *net)
{
    sockets k;
    for (int i = 0; i < net->n_supply; i++)
        if (lacks_sockets(net, i, &k))
            return true;
    return false;
}

void wsk_report_sockets(const wsk_net *net, int supply, wsk_lines *l)
{
    const wsk_supply *s = &net->supplies[supply];
    sockets k;
    if (!lacks_sockets(net, supply, &k))
        return;
    const wsk_said *cure = k.each >= 2 && k.least_w <= 150 * k.each
                               ? WSK_SAID(WSK_SAY_CHECK_ADAPTER, k.each, 150 * k.each)
                               : WSK_SAID(WSK_SAY_CHECK_MORE_SOCKETS);
    wsk_check_advise(
        l, k.stated ? WSK_SAID(WSK_SAY_CHECK_SOCKETS, s->elem->id, k.eight, k.high, k.asks_eight, k.asks_high, cure)
                    : WSK_SAID(WSK_SAY_CHECK_SOCKETS_USUAL, s->params->rated_w, k.eight, k.high, k.asks_eight,
                               k.asks_high, cure));
}
