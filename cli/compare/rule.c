/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides which case of a comparison wins: the cheapest of the least overloaded cases. If the cost of other cases
 * (its rivals) differs by no more than the uncertainty, the cheapest case does not win alone. If the costs are not
 * comparable, gives the reason instead. */
#include <math.h>
#include <string.h>

#include "cli/compare/words.h"

bool wsk_cli_same_time(const wsk_cli_case *cases, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (!wsk_cli_same_duration(cases[i].simulated_s, cases[0].simulated_s))
            return false;
    return true;
}

wsk_cli_common wsk_cli_common_of(const wsk_cli_comparison *c, char *const *names)
{
    return (wsk_cli_common){.all = c,
                            .cases = c->cases,
                            .count = c->count,
                            .names = names,
                            .f = &c->finance,
                            .annual = c->annual,
                            .run = wsk_cli_one_currency(c->cases, c->count, false),
                            .buy = wsk_cli_one_currency(c->cases, c->count, true),
                            .time = c->annual || wsk_cli_same_time(c->cases, c->count)};
}

const char *wsk_cli_name_of(const wsk_cli_common *all, const wsk_cli_case *c)
{
    return all->names[c - all->cases];
}

bool wsk_cli_one_money(const wsk_cli_common *all)
{
    return all->run && all->buy && !wsk_cli_other_currency(all->run, all->buy);
}

double wsk_cli_work_rate(const wsk_cli_common *all, const wsk_cli_case *c)
{
    wsk_cli_work_by by = all->all->work;
    return by == WSK_CLI_HOURS   ? c->work * WSK_CLI_YEAR_S / c->simulated_s
           : by == WSK_CLI_UNITS ? c->count * WSK_CLI_YEAR_S / c->simulated_s
                                 : NAN;
}

bool wsk_cli_may_win(const wsk_cli_common *all, const wsk_cli_case *c)
{
    return wsk_cli_case_burden(c) == wsk_cli_least_burden(all->cases, all->count);
}

static size_t count_running(const wsk_cli_common *all)
{
    size_t n = 0;
    for (size_t i = 0; i < all->count; i++)
        n += wsk_cli_may_win(all, &all->cases[i]);
    return n;
}

static double dc_w(const wsk_cli_case *c)
{
    return wsk_summary_number(c->summary, WSK_R_DC_KWH, 0) * WSK_CLI_KWH_J / c->simulated_s;
}

static bool is_same_load(const wsk_cli_common *all)
{
    double first = dc_w(&all->cases[0]);
    for (size_t i = 1; i < all->count; i++)
        if (fabs(dc_w(&all->cases[i]) / first - 1) > 0.02)
            return false;
    return true;
}

/* Returns the first measure of `order` that is known for all cases, else the electricity cost of a year. Measures with
 * the purchase (all but order[1]) also need one currency and equal lists of parts without a price. */
static wsk_cli_measure find_measure(const wsk_cli_common *all)
{
    static const wsk_cli_measure hours[] = {WSK_CLI_BY_ALL_IN, WSK_CLI_BY_PER_WORK, WSK_CLI_BY_TOTAL},
                                 units[] = {WSK_CLI_BY_ALL_IN_COUNT, WSK_CLI_BY_COUNT, WSK_CLI_BY_TOTAL};
    const wsk_cli_measure *order = all->all->work == WSK_CLI_UNITS ? units : hours;
    for (int k = 0; k < 3; k++) {
        bool known = true;
        for (size_t i = 0; i < all->count; i++)
            known = known && !isnan(wsk_cli_measured(&all->cases[i], order[k])) &&
                    (k == 1 || (all->cases[i].same_unpriced && wsk_cli_one_money(all)));
        if (known)
            return order[k];
    }
    return WSK_CLI_BY_ANNUAL;
}

static bool is_for_units(wsk_cli_measure by)
{
    return by == WSK_CLI_BY_ALL_IN_COUNT || by == WSK_CLI_BY_COUNT;
}

static bool is_for_work(wsk_cli_measure by)
{
    return by == WSK_CLI_BY_ALL_IN || by == WSK_CLI_BY_PER_WORK || is_for_units(by);
}

static bool is_with_purchase(wsk_cli_measure by)
{
    return by == WSK_CLI_BY_ALL_IN || by == WSK_CLI_BY_TOTAL || by == WSK_CLI_BY_ALL_IN_COUNT;
}

static wsk_cli_yardstick yardstick_of(wsk_cli_measure by, const wsk_cli_units *units, const char *counted)
{
    wsk_cli_yardstick y = {.by = by, .scale = 1, .work = is_for_work(by), .buy = is_with_purchase(by)};
    if (is_for_units(by) && units) {
        y.scale = units->price;
        y.per = units->priced_by;
        y.counted = counted;
    }
    return y;
}

bool wsk_cli_is_rival(const wsk_cli_common *all, const wsk_cli_case *best, const wsk_cli_case *c, wsk_cli_measure by)
{
    double d = wsk_cli_measured(c, by) - wsk_cli_measured(best, by);
    return c != best && wsk_cli_may_win(all, c) && wsk_cli_band_between(best, c, by, all->f, NULL) >= d;
}

/* The case that does the most work, among the best case and its rivals; if `work` is false, the one with the lowest GPU
 * temperature. NULL: the value is unknown for one of them, or about equal in all of them. */
static const wsk_cli_case *find_best_of_group(const wsk_cli_common *all, const wsk_cli_case *best, wsk_cli_measure by,
                                              bool work)
{
    const wsk_cli_case *most = NULL;
    double least = INFINITY, top = -INFINITY;
    for (size_t i = 0; i < all->count; i++) {
        const wsk_cli_case *c = &all->cases[i];
        double v = work ? wsk_cli_work_rate(all, c) : -wsk_cli_measured(c, WSK_CLI_BY_DIE);
        if (c != best && !wsk_cli_is_rival(all, best, c, by))
            continue;
        if (isnan(v))
            return NULL;
        least = fmin(least, v);
        if (v > top)
            top = v, most = c;
    }
    return top - least > (work ? 1e-3 * top : 0.5) ? most : NULL;
}

bool wsk_cli_is_close(const wsk_cli_common *all, const wsk_cli_ruling *r, const wsk_cli_case *top,
                      const wsk_cli_case *c, bool work)
{
    if (c == top || (c != r->best && !wsk_cli_is_rival(all, r->best, c, r->y.by)))
        return false;
    if (!work)
        return wsk_cli_band_between(top, c, WSK_CLI_BY_DIE, all->f, NULL) >=
               wsk_cli_measured(c, WSK_CLI_BY_DIE) - wsk_cli_measured(top, WSK_CLI_BY_DIE);
    const wsk_cli_measure by = all->all->work == WSK_CLI_UNITS ? WSK_CLI_BY_COUNTED : WSK_CLI_BY_WORK;
    return wsk_cli_band_ratio(top, c, by, all->f) * top->simulated_s / c->simulated_s >=
           1 - wsk_cli_work_rate(all, c) / wsk_cli_work_rate(all, top);
}

static bool find_no_price(const wsk_cli_common *all, wsk_cli_ruling *r)
{
    size_t unpaid = 0;
    for (size_t i = all->count; i-- > 0;)
        if (isnan(all->cases[i].annual))
            r->who = &all->cases[i], unpaid++;
    r->outcome = all->count < 2         ? WSK_CLI_ONE_CASE
                 : !all->run            ? WSK_CLI_CURRENCIES
                 : !all->time           ? WSK_CLI_UNEQUAL_TIMES
                 : unpaid == all->count ? WSK_CLI_NO_TARIFFS
                 : unpaid               ? WSK_CLI_NO_TARIFF
                                        : WSK_CLI_RANKED;
    return r->outcome != WSK_CLI_RANKED;
}

static bool find_no_work(const wsk_cli_common *all, wsk_cli_ruling *r)
{
    wsk_cli_work_by work = all->all->work;
    for (size_t i = 1; i < all->count && (work == WSK_CLI_UNLIKE || work == WSK_CLI_ONE_RATE); i++)
        if (strcmp(all->cases[0].cards, all->cases[i].cards) != 0) {
            r->who = &all->cases[0];
            r->other = &all->cases[i];
            r->outcome = work == WSK_CLI_ONE_RATE ? WSK_CLI_UNLIKE_RATES : WSK_CLI_UNLIKE_CARDS;
            return true;
        }
    for (size_t i = 0; i < all->count && r->y.work; i++)
        if (wsk_cli_measured(&all->cases[i], r->y.by) < 0) {
            r->who = &all->cases[i];
            r->outcome = WSK_CLI_NEGATIVE_COST;
            return true;
        }
    if (r->y.work || is_same_load(all))
        return false;
    r->outcome = WSK_CLI_UNLIKE_LOADS;
    return true;
}

/* Equal electricity is an equal cost only if the purchases are equal too: in price, currency and unpriced parts. */
static wsk_cli_outcome find_tie(const wsk_cli_common *all, wsk_cli_measure by)
{
    bool same = true;
    for (size_t i = 0; i < all->count; i++) {
        const wsk_cli_case *c = &all->cases[i];
        same = same && !c->mixed_purchase && c->same_unpriced &&
               !(fabs(c->purchase - all->cases[0].purchase) >= 0.005) &&
               isnan(c->purchase) == isnan(all->cases[0].purchase) &&
               strcmp(c->purchase_currency, all->cases[0].purchase_currency) == 0;
    }
    return same || is_with_purchase(by) ? WSK_CLI_SAME_COST : WSK_CLI_SAME_ELECTRICITY;
}

static const wsk_cli_case *find_cheapest(const wsk_cli_common *all, wsk_cli_measure by, bool *equal)
{
    const wsk_cli_case *b = NULL;
    *equal = count_running(all) == all->count;
    for (size_t i = 0; i < all->count; i++) {
        const wsk_cli_case *c = &all->cases[i];
        if (!wsk_cli_may_win(all, c))
            continue;
        double mine = wsk_cli_measured(c, by), other = b ? wsk_cli_measured(b, by) : INFINITY;
        if (b && fabs(mine - other) > 1e-6 * fabs(other))
            *equal = false;
        if (!b || mine < other - 1e-9 * fabs(other))
            b = c;
    }
    return b;
}

static const wsk_cli_case *find_better(const wsk_cli_common *all, const wsk_cli_ruling *r)
{
    const wsk_cli_case *best = r->best;
    for (size_t i = 0; i < all->count; i++) {
        const wsk_cli_case *c = &all->cases[i];
        double work = wsk_cli_work_rate(all, c), die = wsk_cli_measured(c, WSK_CLI_BY_DIE);
        if (!wsk_cli_may_win(all, c) && wsk_cli_measured(c, r->y.by) < wsk_cli_measured(best, r->y.by) &&
            !(work < wsk_cli_work_rate(all, best) * (1 - 1e-3)) &&
            !(die > wsk_cli_measured(best, WSK_CLI_BY_DIE) + 0.5))
            return c;
    }
    return NULL;
}

static wsk_cli_ruling rank(const wsk_cli_common *all, const wsk_cli_case *best, wsk_cli_yardstick y)
{
    wsk_cli_ruling r = {.outcome = WSK_CLI_RANKED, .y = y, .best = best, .burden = wsk_cli_case_burden(best)};
    for (size_t i = 0; i < all->count; i++)
        r.rivals += wsk_cli_is_rival(all, best, &all->cases[i], y.by);
    r.beaten = count_running(all) - r.rivals - 1;
    r.left_out = all->count - count_running(all);
    r.better = find_better(all, &r);
    if (r.rivals) {
        r.works = find_best_of_group(all, best, y.by, true);
        r.cool = find_best_of_group(all, best, y.by, false);
    }
    return r;
}

/* The case that does the most work; NULL if that is r->best or r->works. */
static const wsk_cli_case *find_most(const wsk_cli_common *all, const wsk_cli_ruling *r)
{
    const wsk_cli_case *most = r->best;
    for (size_t i = 0; i < all->count; i++)
        if (wsk_cli_work_rate(all, &all->cases[i]) > wsk_cli_work_rate(all, most) * (1 + 1e-3))
            most = &all->cases[i];
    return most != r->best && most != r->works ? most : NULL;
}

void wsk_cli_setting_of(const wsk_cli_case *c, const char **name, size_t *len)
{
    const char *end = strchr(c->varied, '='), *begin = end;
    while (begin > c->varied && begin[-1] != '.')
        begin--;
    *name = begin;
    *len = (size_t)(end - begin);
}

bool wsk_cli_is_sweep(const wsk_cli_case *cases, size_t count)
{
    static const char *const settings[] = {"power-limit", "lock-clock", "clock-offset", "voltage-offset",
                                           "memory-offset"};
    for (size_t i = 0; i < count; i++)
        if (!cases[i].varied || !strchr(cases[i].varied, '=') || !(cases[i].work > 0))
            return false;
    const char *name;
    size_t len;
    wsk_cli_setting_of(&cases[0], &name, &len);
    bool known = false;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        known |= strlen(settings[i]) == len && !strncmp(settings[i], name, len);
    return known && count > 1;
}

/* The case with the lowest cost `by` among the least overloaded ones. NULL: the cost of a case is unknown or negative,
 * or all costs are equal. */
static const wsk_cli_case *winner_by(const wsk_cli_comparison *all, wsk_cli_measure by)
{
    const wsk_cli_case *best = NULL;
    bool apart = false;
    for (size_t i = 0; i < all->count; i++) {
        const wsk_cli_case *c = &all->cases[i];
        double v = wsk_cli_measured(c, by), b = best ? wsk_cli_measured(best, by) : INFINITY;
        if (isnan(v) || v < 0) /* with a negative cost, less work would look cheaper */
            return NULL;
        apart = apart || fabs(v - wsk_cli_measured(all->cases, by)) > 1e-6 * v;
        if (wsk_cli_case_burden(c) == wsk_cli_least_burden(all->cases, all->count) && v < b - 1e-9 * b)
            best = c;
        else if (wsk_cli_case_burden(c) == wsk_cli_least_burden(all->cases, all->count) && !best)
            best = c;
    }
    return apart ? best : NULL;
}

/* Ranks the cases of a sweep of settings by cost per unit of work: of electricity and purchase if that cost names a
 * winner, else of electricity alone. */
static wsk_cli_ruling rule_settings(const wsk_cli_common *common, const wsk_cli_units *units)
{
    const wsk_cli_comparison *all = common->all;
    wsk_cli_measure whole = units ? WSK_CLI_BY_ALL_IN_COUNT : WSK_CLI_BY_ALL_IN,
                    bill = units ? WSK_CLI_BY_COUNT : WSK_CLI_BY_PER_WORK;
    const wsk_cli_case *best = winner_by(all, whole);
    wsk_cli_measure by = best ? whole : bill;
    if (best || (best = winner_by(all, bill)))
        return rank(common, best, yardstick_of(by, units, all->cases[0].counted));
    for (size_t i = 0; i < all->count; i++)
        if (all->cases[i].cost < 0)
            return (wsk_cli_ruling){.outcome = WSK_CLI_NEGATIVE_COST, .who = &all->cases[i]};
    return (wsk_cli_ruling){.outcome = isnan(all->cases[0].cost) ? WSK_CLI_NO_TARIFFS : WSK_CLI_SAME_COST};
}

wsk_cli_ruling wsk_cli_rule(const wsk_cli_common *all)
{
    wsk_cli_ruling r = {.outcome = WSK_CLI_RANKED};
    wsk_cli_units scaled, *units = wsk_cli_find_units(all->all, &scaled) ? &scaled : NULL;
    bool equal;
    if (wsk_cli_is_sweep(all->cases, all->count))
        return rule_settings(all, units);
    if (find_no_price(all, &r))
        return r;
    r.y = yardstick_of(find_measure(all), units, all->cases[0].counted);
    if (find_no_work(all, &r))
        return r;
    const wsk_cli_case *best = find_cheapest(all, r.y.by, &equal);
    if (equal) {
        r.outcome = find_tie(all, r.y.by);
        return r;
    }
    r = rank(all, best, r.y);
    r.unearned = best->npv < -0.5 && best->purchase > all->cases[0].purchase + 0.5;
    r.most = find_most(all, &r);
    return r;
}
