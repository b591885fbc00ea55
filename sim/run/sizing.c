/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizing advice of `check`: supplies by peak, plugs, circuit, and the field's rules of thumb beside what the simulation
 * says. Sources of the budgets: PCI Express CEM (slot 75 W), ATX12VO table (6-pin 75 W, 8-pin 150 W, 12V-2x6 600 W), EPS 300 W. */
#include <math.h>
#include <string.h>

#include "sim/run/check.h"
#include "sim/run/run.h"

static double card_w(const wsk_card *c)
{
    return isnan(c->gpu->pin_power_w) ? c->held_w : c->gpu->pin_power_w;
}

/* ---- plugs ---- */

static const struct {
    const char *name;
    double watts;
    int plugs;
} connectors[] = {{"6-pin", 75, 1}, {"8-pin", 150, 1}, {"12V-2x6", 600, 1}, {"12VHPWR", 600, 1},
                  {"12-pin", 300, 2}, /* Ampere's own: an adapter of two 8-pin plugs */
                  {"EPS", 300, 1}};
static const double slot_w = 75, cable_w = 288; /* of a cable: 8 A a pin, three pins */

/* "2x 8-pin", "8-pin 6-pin": watts of its plugs and how many; false where a word is none of them (modules, OAM). */
static bool plugs_of(const char *text, double *watts, int *plugs)
{
    *watts = 0;
    *plugs = 0;
    for (const char *s = text; *s;) {
        s += strspn(s, " ,+");
        size_t len = strcspn(s, " ,+");
        int times = 1;
        if (len == 2 && s[0] >= '1' && s[0] <= '9' && s[1] == 'x') {
            times = s[0] - '0';
            s += 2 + strspn(s + 2, " ");
            len = strcspn(s, " ,+");
        }
        size_t k = 0;
        while (k < sizeof connectors / sizeof *connectors && (strlen(connectors[k].name) != len || memcmp(connectors[k].name, s, len) != 0))
            k++;
        if (len && k == sizeof connectors / sizeof *connectors)
            return false;
        if (len) {
            *watts += times * connectors[k].watts;
            *plugs += times * connectors[k].plugs;
        }
        s += len;
    }
    return *plugs > 0;
}

static void report_plugs(const wsk_net *net, wsk_buf *o)
{
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        double watts;
        int plugs;
        if (!c->gpu->connector || !plugs_of(c->gpu->connector, &watts, &plugs))
            continue;
        if (card_w(c) > watts + slot_w)
            wsk_buf_printf(o, "  advice: %s draws up to %.0f W, and its plugs (%s) with the slot are made for %.0f W\n", c->id, card_w(c),
                           c->gpu->connector, watts + slot_w);
    }
    for (int i = 0; i < net->n_case; i++)
        if (net->cases[i].cpu && net->cases[i].cpu->power_w > 300)
            wsk_buf_printf(o, "  advice: %s draws %.0f W; one EPS plug is made for 300 W, connect both\n", net->cases[i].cpu->head.elem->id,
                           net->cases[i].cpu->power_w);
}

/* What one supply's PCIe cables carry, where fewer than plugs are run. */
static void report_cables(const wsk_net *net, int supply, wsk_buf *o)
{
    const wsk_supply *s = &net->supplies[supply];
    double through = 0;
    int all = 0;
    for (int i = 0; i < net->n_card; i++) {
        const wsk_card *c = &net->cards[i];
        double watts;
        int plugs;
        if (c->supply != supply || !c->gpu->connector || !plugs_of(c->gpu->connector, &watts, &plugs))
            continue;
        through += card_w(c) * watts / (watts + slot_w);
        all += plugs;
    }
    if (all == 0 || isnan(s->params->cables) || s->params->cables >= all)
        return;
    wsk_buf_printf(o, "  %s: %d plugs on %.0f cable(s), daisy-chained: up to %.0f W each\n", s->elem->id, all, s->params->cables,
                   s->params->cables > 0 ? through / s->params->cables : INFINITY);
    if (!(through <= cable_w * s->params->cables))
        wsk_buf_printf(o, "  advice: a cable's three pins carry %.0f W at 8 A each; run a cable for each plug of %s\n", cable_w, s->elem->id);
}

/* ---- supplies ---- */

/* What the parts of one case draw at their limits. */
static void case_watts(const wsk_net *net, int in, double *cards, double *rest)
{
    const wsk_case *c = &net->cases[in];
    *cards = 0;
    *rest = c->cpu ? c->cpu->power_w + c->cpu->board_w : 0;
    for (int i = 0; i < net->n_card; i++)
        *cards += net->cards[i].in == in ? card_w(&net->cards[i]) : 0;
    for (int i = 0; i < net->n_mover; i++) {
        const wsk_mover *m = &net->movers[i];
        if (m->in == in && m->power_w > 0)
            *rest += m->power_w * pow(m->rpm0 / m->ref_rpm, m->power_exponent);
    }
    for (int i = 0; i < net->n_load; i++)
        *rest += net->load_in[i] == in ? net->loads[i]->dc_w : 0;
}

/* Redundant supplies of a case. */
static int redundant(const wsk_net *net, const wsk_case *c)
{
    int n = 0;
    for (int i = c->first_supply; i < c->first_supply + c->n_supply; i++)
        n += net->supplies[i].params->redundant;
    return n;
}

/* Share of what hangs on `from` that `to` carries while all of them work. */
static double share_of(const wsk_net *net, const wsk_case *c, int from, int to)
{
    int n = redundant(net, c);
    if (!net->supplies[from].params->redundant)
        return from == to;
    return net->supplies[to].params->redundant ? (1 + (n > 1 ? net->supplies[to].params->imbalance : 0)) / n : 0;
}

static void report_steps(const wsk_net *net, int supply, double dc, wsk_buf *o)
{
    const wsk_supply *s = &net->supplies[supply];
    double w[WSK_STEP_CARDS];
    wsk_steps steps = wsk_steps_of_net(net, s, s->law.limit_w, 86400);
    steps.base_w = dc;
    steps.card_w = w;
    for (int i = 0; i < net->n_card && steps.n < WSK_STEP_CARDS; i++) {
        const wsk_card *c = &net->cards[i];
        double share = c->in == s->in && c->supply >= 0 ? share_of(net, &net->cases[s->in], c->supply, supply) : 0;
        if (share > 0)
            w[steps.n++] = share * card_w(c);
    }
    if (steps.n == 0)
        return;
    wsk_step_cause cause;
    double p = wsk_steps_trip(&steps, &cause);
    wsk_buf_printf(o, "  load steps: up to %.0f W for %s, %.0f %% of the rating; built for %.0f %%\n", cause.peak_w, cause.length,
                   100 * cause.peak_w / s->law.limit_w, 100 * cause.built_w / s->law.limit_w);
    if (p >= 0.005) {
        wsk_buf_printf(o, p > 0.995 ? "  advice: %s would trip within a day, almost surely: " : "  advice: %s would trip within a day, %.0f in 100: ",
                       s->elem->id, 100 * p);
        wsk_steps_words(&steps, o);
        wsk_buf_printf(o, "\n");
    }
}

static void advise_size(double dc, double limit, double cards, const char *what, wsk_buf *o)
{
    double load = dc / limit;
    if (load > 1)
        wsk_buf_printf(o, "  advice: %s is too small by %.0f W; take %.0f W or more, or lower the limits\n", what, dc - limit,
                       ceil(dc / 0.85 / 50) * 50);
    else if (load > 0.9)
        wsk_buf_printf(o, "  advice: above 90 %% there is little room for load steps; %.0f W would run at 85 %%\n", ceil(dc / 0.85 / 50) * 50);
    else if (load < 0.2 && cards > 0)
        wsk_buf_printf(o, "  advice: below 20 %% it wastes what it was bought for; %.0f W would run at 60 %%\n", ceil(dc / 0.6 / 50) * 50);
}

static double report_one(const wsk_net *net, int supply, double dc, double cards, wsk_buf *o, double *va)
{
    const wsk_supply *s = &net->supplies[supply];
    double wall = dc > 0 ? s->ops->input_w(&s->law, dc) : s->law.standby_w;
    const char *what = net->n_supply == 1 ? "the power supply" : s->elem->id;
    *va += wsk_psu_va(&s->law, wall);
    wsk_buf_printf(o, "  %s %.0f W: %.0f %% loaded, %.1f %% efficient, %.0f W at the wall\n", net->n_supply == 1 ? "power supply" : s->elem->id,
                   s->law.limit_w, 100 * dc / s->law.limit_w, wall > 0 ? 100 * dc / wall : 0, wall);
    if (s->law.limit_w < s->params->rated_w)
        wsk_buf_printf(o, "  at %.0f V it may give %.0f of its %.0f W\n", net->site->supply_v, s->law.limit_w, s->params->rated_w);
    advise_size(dc, s->law.limit_w, cards, what, o);
    report_steps(net, supply, dc, o);
    report_cables(net, supply, o);
    return wall;
}

/* With one of the redundant ones lost. */
static void report_lost(const wsk_net *net, const wsk_case *c, double dc, wsk_buf *o)
{
    int n = redundant(net, c);
    const wsk_supply *s = &net->supplies[wsk_rest_supply(net, c)];
    if (n < 2)
        return;
    double each = dc / (n - 1) * (n > 2 ? 1 + s->params->imbalance : 1);
    wsk_buf_printf(o, "  with one lost, %.0f W on each of %d: %.0f %%%s%s\n", each, n - 1, 100 * each / s->law.limit_w,
                   each > s->law.limit_w && c->params->power_brake ? "; the chassis then halves its cards' clocks" : "",
                   each > s->law.limit_w ? "; advice: one more supply, or lower limits: it is not redundant" : "");
}

/* Returns the case's watts at the wall. */
static double report_case(const wsk_net *net, int in, wsk_buf *o, double *va)
{
    const wsk_case *c = &net->cases[in];
    double cards, rest, wall = 0, pooled = 0;
    case_watts(net, in, &cards, &rest);
    if (net->n_case > 1)
        wsk_buf_printf(o, "  %s:\n", c->elem->id);
    wsk_buf_printf(o, "  cards %.0f W + the rest %.0f W = %.0f W from the power %s\n", cards, rest, cards + rest,
                   c->n_supply > 1 ? "supplies" : "supply");
    if (!c->n_supply) {
        *va += cards + rest;
        return cards + rest;
    }
    for (int to = c->first_supply; to < c->first_supply + c->n_supply; to++) {
        double dc = rest * share_of(net, c, wsk_rest_supply(net, c), to), mine = 0;
        for (int i = 0; i < net->n_card; i++)
            if (net->cards[i].in == in)
                mine += card_w(&net->cards[i]) * share_of(net, c, net->cards[i].supply, to);
        wall += report_one(net, to, dc + mine, mine, o, va);
        pooled += net->supplies[to].params->redundant ? dc + mine : 0;
    }
    report_lost(net, c, redundant(net, c) > 1 ? pooled / (1 + net->supplies[wsk_rest_supply(net, c)].params->imbalance) : 0, o);
    return wall;
}

/* ---- circuit ---- */

static void report_circuit(const wsk_net *net, double va, wsk_buf *o)
{
    if (!(net->circuit_w > 0))
        return;
    double rating = isnan(net->site->circuit_a) ? net->circuit_w : net->site->circuit_a * net->site->supply_v;
    wsk_buf_printf(o, "  circuit %.0f W continuous: %.0f %% used (%.1f A)\n", net->circuit_w, 100 * va / net->circuit_w, va / net->site->supply_v);
    if (va > net->circuit_w && va <= rating)
        wsk_buf_printf(o, "  advice: over the continuous limit by %.0f VA, though within the breaker's %.0f VA; lower the limits, or use a larger "
                       "circuit or 240 V\n", va - net->circuit_w, rating);
    else if (va > net->circuit_w)
        wsk_buf_printf(o, "  advice: over the continuous limit by %.0f VA; lower the limits, or use a larger circuit or 240 V\n", va - net->circuit_w);
    if (!isnan(net->site->circuit_a)) {
        double m = va / rating, p = wsk_breaker_trip(&net->breaker, m * m, m);
        if (p >= 0.005)
            wsk_buf_printf(o, "  advice: the breaker would trip within the hour, %.0f in 100 (%s): below %.0f VA it holds\n", 100 * p,
                           net->breaker.name, net->breaker.hold_low * rating);
    }
}

/* ---- the field's rules of thumb ---- */

static void told(wsk_buf *o, const char *rule, bool met, const char *fmt, double a, double b)
{
    wsk_buf_printf(o, "  rule of thumb: %s: %s (", rule, met ? "met" : "not met");
    if (b >= 0)
        wsk_buf_printf(o, "%.0f %s %.0f", a, fmt, b);
    else
        wsk_buf_printf(o, "%.0f %s", a, fmt);
    wsk_buf_printf(o, ")\n");
}

static void rule_of_watts(const wsk_net *net, wsk_buf *o)
{
    double rated = 0;
    bool spare = false;
    for (int i = 0; i < net->n_supply; i++)
        rated += net->supplies[i].law.limit_w;
    for (int i = 0; i < net->n_case; i++)
        spare = spare || redundant(net, &net->cases[i]) > 1;
    if (net->n_supply == 0 || net->n_card == 0 || net->n_case > 1)
        return;
    if (net->n_card >= 8)
        told(o, "eight cards and more want redundant supplies", spare, "supplies", net->n_supply, -1);
    else if (net->n_card >= 4)
        told(o, "four cards want 1600-2000 W", rated >= 1600, "W", rated, -1);
    else if (net->n_card >= 2)
        told(o, "two cards want 1000 W", rated >= 1000, "W", rated, -1);
    else
        told(o, "one card wants 600 W", rated >= 600, "W", rated, -1);
}

static void rule_of_spacing(const wsk_net *net, wsk_buf *o)
{
    double least = INFINITY;
    for (int i = 0; i < net->n_card; i++)
        for (int k = 0; k < i; k++)
            if (net->cards[i].in == net->cards[k].in && isnan(net->cards[i].gpu->riser_m) && isnan(net->cards[k].gpu->riser_m) &&
                net->cards[i].gpu->slot != net->cards[k].gpu->slot)
                least = wsk_min(least, 1e3 * fabs(net->cards[i].gpu->slot - net->cards[k].gpu->slot) * net->cases[net->cards[i].in].params->pitch_m);
    if (isfinite(least))
        told(o, "60 mm from card to card", least >= 60, "mm", least, -1);
}

static void rules_of_host(const wsk_net *net, wsk_buf *o)
{
    for (int i = 0; i < net->n_case; i++) {
        const wsk_cpu_params *cpu = net->cases[i].cpu;
        double memory = 0, lanes = 0, cards = 0;
        for (int k = 0; k < net->n_card; k++)
            if (net->cards[k].in == i) {
                const wsk_gpu_params *g = net->cards[k].gpu;
                memory += isnan(g->memory_byte) ? 0 : g->memory_byte / 1e9;
                lanes += isnan(g->lanes) ? 0 : g->lanes;
                cards++;
            }
        if (!(cards > 0))
            continue;
        if (cpu && !isnan(cpu->cores))
            told(o, "two cores for each card", cpu->cores >= 2 * cards, "cores for", cpu->cores, 2 * cards);
        if (cpu && !isnan(cpu->memory_byte) && memory > 0)
            told(o, "memory once to twice that of the cards", cpu->memory_byte / 1e9 >= 0.99 * memory, "GB against", cpu->memory_byte / 1e9, memory);
        else if (memory > 0)
            wsk_buf_printf(o, "  rule of thumb: memory once to twice that of the cards: %.0f to %.0f GB\n", memory, 2 * memory);
        if (cpu && !isnan(cpu->lanes) && lanes > cpu->lanes)
            wsk_buf_printf(o, "  advice: the cards' slots ask for %.0f PCI Express lanes and %s has %.0f; without a switch, write lanes=\"8\" on some\n",
                           lanes, cpu->head.elem->id, cpu->lanes);
    }
}

/* What the steady point says to the rules: whether any card is held back by heat, and how hot it gets. */
static void overrule(const wsk_net *net, wsk_buf *o)
{
    wsk_run *run = NULL;
    bool cycling = false;
    if (net->n_card == 0)
        return;
    if (wsk_steady_solve(&run, net, WSK_STEPPER_FAST, &cycling, NULL, NULL) == WSK_OK) {
        double hottest = -INFINITY, held = 0, over = 0;
        int at = 0;
        for (int i = 0; i < net->n_card; i++) {
            double die = wsk_stat_of(run, net->cards[i].id, "die_c", 0);
            held += wsk_heat_throttle_s(&run->cards[i]) > 0.01 * wsk_window_s(run) || run->cards[i].off;
            at = die > hottest ? i : at;
            hottest = wsk_max(hottest, die);
        }
        for (int i = 0; i < net->n_supply; i++)
            over = wsk_max(over, run->supplies[i].peak_rel);
        wsk_buf_printf(o, "  the simulation's word, which counts more: %s; the hottest, %s, settles at %.0f degC", held > 0 ? "heat holds cards back"
                       : "no card is held back by heat", net->cards[at].id, hottest);
        if (net->n_supply)
            wsk_buf_printf(o, "; the supply most loaded runs at %.0f %%", 100 * over);
        wsk_buf_printf(o, "; %.0f W at the wall\n", run->head->wall_peak_w);
    }
    wsk_run_free(run);
}

void wsk_sizing_report(const wsk_net *net, wsk_buf *o)
{
    double va = 0, wall = 0, over;
    wsk_buf_printf(o, "Sizing\n");
    for (int i = 0; i < net->n_case; i++)
        wall += report_case(net, i, o, &va);
    double lost = wsk_feed_loss_w(net, wall, &over);
    va += lost;
    if (over > 0)
        wsk_buf_printf(o, "  uninterruptible supply and strip: %.0f %% loaded, %.0f W lost%s\n", 100 * over, lost,
                       over > 1 ? "; advice: too small" : "");
    for (int i = 0; i < net->n_load; i++)
        va += net->loads[i]->ac_w;
    report_circuit(net, va, o);
    report_plugs(net, o);
    rule_of_watts(net, o);
    rule_of_spacing(net, o);
    rules_of_host(net, o);
    overrule(net, o);
}
