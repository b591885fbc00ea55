/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/compare.h"
#include "sim/say/say.h"

const char *wsk_cli_one_currency(const wsk_cli_case *cases, size_t count, bool purchase)
{
    const char *one = "";
    for (size_t i = 0; i < count && one; i++)
        one = wsk_cli_common_currency(one, purchase ? cases[i].purchase_currency : cases[i].currency);
    return one;
}

static double zero(double v)
{
    return isnan(v) ? 0 : v;
}

typedef struct {
    const wsk_cli_case *cases;
    size_t count;
} case_list;

/* Returns the value of one unit of `currency` in the currency of the first case, and writes the name of that currency
 * to `currency`. Takes the rates of the first rig that has both currencies. If none has, returns 1 and leaves the
 * name. */
static double exchange(const case_list *all, char currency[8])
{
    const char *wanted = NULL, *paid;
    if (all->cases->rig)
        (void)wsk_rig_exchange(all->cases->rig, currency, &wanted);
    for (size_t i = 0; *currency && wanted && i < all->count; i++) {
        const wsk_rig *rig = all->cases[i].rig;
        const double worth =
            rig ? wsk_rig_exchange(rig, currency, &paid) / wsk_rig_exchange(rig, wanted, &paid) : NAN;
        if (worth > 0) {
            snprintf(currency, 8, "%.3s", wanted);
            return worth;
        }
    }
    return 1;
}

/* Converts all results whose unit begins with `unit` to the currency of the first case. named: the result that holds
 * the name of their currency. It is changed too, so that a second call converts nothing. */
static void convert(wsk_summary *s, const char *unit, wsk_result named, const case_list *all)
{
    char currency[8];
    snprintf(currency, sizeof currency, "%s", wsk_cli_said(s, named, 0));
    const double worth = exchange(all, currency);
    if (!strcmp(currency, wsk_cli_said(s, named, 0)))
        return;
    wsk_cli_check_memory(wsk_summary_set_text(s, named, 0, currency) != WSK_ENOMEM);
    for (int r = 0; r < WSK_RESULTS; r++) {
        const wsk_result_row *row = wsk_result_about((wsk_result)r);
        if (strncmp(row->unit, unit, strlen(unit)) != 0)
            continue;
        for (size_t m = 0; m < wsk_summary_count(s, row->scope); m++)
            wsk_cli_check_memory(
                wsk_summary_set_number(s, (wsk_result)r, m, worth * wsk_summary_number(s, (wsk_result)r, m)) !=
                WSK_ENOMEM);
    }
}

/* Heat that coolant loops took to a facility's water. The notice of all such heat counts that of rear doors too, which
 * are taken to cool all heat of the exhaust alike, that of PSUs as well. */
static double loops_kwh(const wsk_summary *s)
{
    size_t n;
    const wsk_said *const *notices = wsk_summary_messages(s, WSK_R_NOTICES, 0, &n);
    const double doors_w = zero(wsk_summary_over(s, WSK_R_CASE_DOOR, WSK_OVER_SUM));
    for (size_t i = 0; i < n; i++)
        if (notices[i] && notices[i]->code == WSK_SAY_FACILITY_HEAT)
            return notices[i]->args[0].number - doors_w * wsk_summary_number(s, WSK_R_SIMULATED, 0) / WSK_CLI_KWH_J;
    return 0;
}

double wsk_cli_psu_cooling_kwh(const wsk_summary *s)
{
    return wsk_cli_category_kwh(s, WSK_CLI_COOLING) * wsk_cli_category_kwh(s, WSK_CLI_PSU) /
           (wsk_summary_number(s, WSK_R_WALL_KWH, 0) - loops_kwh(s));
}

static double sum_of(const wsk_elements *rig, const char *element, const char *name, int *stated)
{
    double sum = NAN;
    *stated = 0;
    for (int e = -1; (e = wsk_elements_next(rig, element, e, -1)) >= 0;) {
        double v = wsk_elements_number(rig, e, name);
        if (!isnan(v))
            sum = zero(sum) + v, ++*stated;
    }
    return sum;
}

/* Highest temperature at which a card shuts down, degC; NAN: no card, or the power of one is pinned. */
static double find_hottest_c(const wsk_elements *rig)
{
    double most_c = NAN;
    for (int e = -1; (e = wsk_elements_next(rig, "gpu", e, -1)) >= 0;) {
        if (!isnan(wsk_elements_number(rig, e, "power")))
            return NAN;
        most_c = fmax(most_c, wsk_elements_number(rig, e, "shutdown-temperature"));
    }
    return most_c;
}

static bool one_constant_psu(const wsk_elements *rig)
{
    int constant = 0, other = 0;
    for (int e = -1; (e = wsk_elements_next(rig, "psu", e, -1)) >= 0;) {
        if (rig->items[e].traits & WSK_TRAIT_CONSTANT_EFFICIENCY)
            constant++;
        else
            other++;
    }
    return constant == 1 && other == 0;
}

/* Writes the text by which an element without a price is identified. Two cases lack the same prices if their texts are
 * equal. */
static void put_unpriced(FILE *out, const wsk_element *e)
{
    if (e->part) {
        fprintf(out, "%s;", e->part);
        return;
    }
    fprintf(out, "%s %s", e->element, e->id);
    for (size_t i = 0; i < e->attribute_count; i++)
        fprintf(out, " %s=%s", e->attributes[i].name, e->attributes[i].text);
    fputc(';', out);
}

static void sum_prices(wsk_cli_case *c, const case_list *all, const wsk_elements *rig)
{
    double sum = NAN;
    bool mixed = false;
    char *who = NULL, *what = NULL;
    size_t who_len, what_len;
    FILE *names = wsk_cli_text(&who, &who_len), *parts = wsk_cli_text(&what, &what_len);
    for (int e = 0; e < rig->count; e++) {
        const wsk_attribute *price = wsk_elements_attribute(rig, e, "price");
        double many = wsk_elements_number(rig, e, "count");
        if (!(rig->items[e].traits & WSK_TRAIT_BOUGHT))
            continue;
        if (price) {
            char label[8] = "";
            if (!(price->value > 0)) { /* the currency of a price of 0 does not matter */
                if (strcmp(price->origin->from, "default") != 0)
                    sum = zero(sum);
                continue;
            }
            snprintf(label, sizeof label, "%.3s", price->unit);
            c->worth = exchange(all, label);
            mixed |= wsk_cli_other_currency(c->purchase_currency, label);
            if (!*c->purchase_currency)
                memcpy(c->purchase_currency, label, sizeof label);
            sum = zero(sum) + c->worth * price->value * (isnan(many) ? 1 : many);
        } else {
            fflush(names);
            fprintf(names, "%s%s", who_len ? ", " : "", rig->items[e].id);
            put_unpriced(parts, &rig->items[e]);
        }
    }
    (void)fclose(names);
    (void)fclose(parts);
    if (isnan(c->purchase) && !mixed)
        c->purchase = sum;
    c->mixed_purchase = mixed;
    free(c->unpriced);
    free(c->unpriced_what);
    c->unpriced = *who ? who : NULL;
    c->unpriced_what = *who ? what : NULL;
    if (!*who) {
        free(who);
        free(what);
    }
}

static void total(wsk_cli_case *c, const wsk_cli_finance *f)
{
    bool apart = wsk_cli_other_currency(c->currency, c->purchase_currency);
    c->total = apart ? NAN : c->annual + c->purchase / wsk_cli_annuity(f);
    c->all_in = c->work > 0 ? c->total / (c->work * WSK_CLI_YEAR_S / c->simulated_s) : NAN;
}

static wsk_cli_pace pace_of(const wsk_cli_case *c)
{
    return (wsk_cli_pace){.work = c->work / c->simulated_s,
                          .count = c->count / c->simulated_s,
                          .dc = wsk_summary_number(c->summary, WSK_R_DC_KWH, 0) / c->simulated_s};
}

static bool same_work(const wsk_cli_case *a, const wsk_cli_case *b, wsk_cli_work_by by)
{
    const wsk_cli_pace mine = pace_of(a), other = pace_of(b);
    return wsk_cli_same_work(&mine, &other, by == WSK_CLI_UNITS, by == WSK_CLI_HOURS);
}

static void invest(wsk_cli_case *c, const wsk_cli_case *first, const wsk_cli_finance *f, wsk_cli_work_by by)
{
    double saved = first->annual - c->annual, dearer = c->purchase - first->purchase;
    c->same_unpriced =
        !c->unpriced == !first->unpriced && (!c->unpriced || !strcmp(c->unpriced_what, first->unpriced_what));
    c->other_work = c != first && !same_work(first, c, by);
    if (wsk_cli_other_currency(c->currency, first->currency) ||
        wsk_cli_other_currency(c->purchase_currency, first->purchase_currency) ||
        wsk_cli_other_currency(c->currency, c->purchase_currency) || !c->same_unpriced || c->other_work)
        saved = NAN;
    c->npv = c == first ? 0 : saved * wsk_cli_annuity(f) - dearer;
    c->payback_years = c == first ? NAN : wsk_cli_payback_years(saved, dearer);
}

/* Finds the break-even against rented GPU-hours. A rented GPU-hour is taken as one unit of c->work: the work of the
 * same card in an hour at its default power limit, not throttled. */
static void rent(wsk_cli_case *c, const wsk_cli_finance *f)
{
    double cards = (double)wsk_summary_count(c->summary, WSK_SCOPE_GPU), margin = f->cloud - c->cost_per_work;
    c->cloud = (wsk_cli_cloud){.asked = !isnan(f->cloud),
                               .own = c->cost_per_work,
                               .gpu_h = NAN,
                               .hours = NAN,
                               .hours_per_year = NAN,
                               .years_at_this_use = NAN};
    if (isnan(margin) || wsk_cli_other_currency(f->cloud_currency, c->currency) ||
        wsk_cli_other_currency(f->cloud_currency, c->purchase_currency))
        return;
    c->cloud.never = margin <= 0;
    if (c->cloud.never)
        return;
    c->cloud.gpu_h = c->purchase / margin;
    c->cloud.hours = c->cloud.gpu_h / cards;
    c->cloud.hours_per_year = c->cloud.hours / wsk_cli_annuity(f);
    c->cloud.years_at_this_use = c->cloud.gpu_h / (c->work * WSK_CLI_YEAR_S / c->simulated_s);
}

static void supplies(wsk_cli_case *c)
{
    c->supply_peak = wsk_summary_over(c->summary, WSK_R_PSU_LOAD_PEAK, WSK_OVER_MAX);
    c->trip = zero(wsk_summary_number(c->summary, WSK_R_CIRCUIT_TRIP, 0));
    c->breaker = c->trip > 0;
    c->circuit_peak = wsk_summary_number(c->summary, WSK_R_WALL_PEAK_VA, 0) /
                      wsk_summary_number(c->summary, WSK_R_CIRCUIT_LIMIT, 0);
    c->circuit_share = wsk_summary_number(c->summary, WSK_R_CIRCUIT_OVER_LIMIT, 0) / c->simulated_s;
    c->feed_peak = wsk_summary_over(c->summary, WSK_R_BRANCH_FEED, WSK_OVER_MAX);
    c->shuts_down = wsk_summary_flag(c->summary, WSK_R_SHUTS_DOWN, 0);
    c->braked = wsk_summary_over(c->summary, WSK_R_GPU_BRAKED, WSK_OVER_SUM) > 0;
    for (size_t i = 0; i < wsk_summary_count(c->summary, WSK_SCOPE_PSU); i++) {
        double trip = wsk_summary_number(c->summary, WSK_R_PSU_TRIP, i);
        if (trip > c->trip)
            c->trip = trip, c->breaker = false;
    }
}

bool wsk_cli_would_trip(const wsk_cli_case *c)
{
    return c->trip >= WSK_TELLS;
}

bool wsk_cli_over_circuit(const wsk_cli_case *c)
{
    return c->circuit_share > 0;
}

wsk_cli_burden wsk_cli_case_burden(const wsk_cli_case *c)
{
    const bool over = c->supply_peak > 1.0005 || c->feed_peak > 1.0005 || wsk_cli_over_circuit(c);
    return wsk_cli_burden_by(wsk_cli_would_trip(c) || c->shuts_down, c->no_room, over);
}

wsk_cli_burden wsk_cli_least_burden(const wsk_cli_case *cases, size_t count)
{
    wsk_cli_burden least = WSK_CLI_STOPS;
    for (size_t i = 0; i < count; i++)
        least = wsk_cli_case_burden(&cases[i]) < least ? wsk_cli_case_burden(&cases[i]) : least;
    return least;
}

wsk_cli_work_by wsk_cli_compared_by(const wsk_cli_case *cases, size_t count)
{
    bool alike = true, units = count > 0, one_rate = true;
    const wsk_cli_case *a = cases;
    for (size_t i = 0; i < count; i++) {
        const wsk_cli_case *c = &cases[i];
        alike = alike && (!strcmp(c->cards, a->cards) || !(c->work > 0) || !(a->work > 0));
        units = units && c->count > 0 && c->counted[0] && !strcmp(c->counted, a->counted);
        one_rate = one_rate && a->path && c->path && !strcmp(c->path, a->path) &&
                   fabs(c->count / c->work * a->work / a->count - 1) < 1e-6;
    }
    /* The cases come from one rig file with one rate="...", which cannot be right for unlike cards. */
    if (!alike && units && one_rate)
        return WSK_CLI_ONE_RATE;
    return units ? WSK_CLI_UNITS : alike ? WSK_CLI_HOURS : WSK_CLI_UNLIKE;
}

bool wsk_cli_find_units(const wsk_cli_comparison *all, wsk_cli_units *u)
{
    const wsk_cli_case *c = all->cases;
    *u = (wsk_cli_units){.number = 1, .price = 1};
    for (size_t i = 0; i < all->count; i++)
        if (!c[i].counted[0] || !(c[i].count > 0) || strcmp(c[i].counted, c[0].counted) != 0)
            return false;
    const double price = fabs(c->cost / c->count), all_in = wsk_cli_measured(c, WSK_CLI_BY_ALL_IN_COUNT);
    wsk_cli_scale_units(u, c->counted, c->count * (all->annual ? WSK_CLI_YEAR_S / c->simulated_s : 1),
                        price > 0 ? price : all_in);
    return true;
}

char **wsk_cli_name_cases(const wsk_cli_comparison *all, char **head)
{
    const char **labels = wsk_cli_alloc((all->count + 1) * sizeof *labels);
    for (size_t i = 0; i < all->count; i++)
        labels[i] = all->cases[i].label;
    char **names = wsk_cli_short_names(labels, all->count, head);
    free(labels);
    return names;
}

static void derive(wsk_cli_case *c, const case_list *all, const wsk_cli_finance *f)
{
    convert(c->summary, "currency", WSK_R_CURRENCY, all);
    convert(c->summary, "purchase currency", WSK_R_PURCHASE_CURRENCY, all);
    c->worth = 1;
    c->hottest_c = NAN;
    c->simulated_s = wsk_summary_number(c->summary, WSK_R_SIMULATED, 0);
    c->wall_kwh = wsk_summary_number(c->summary, WSK_R_WALL_KWH, 0);
    c->cost = wsk_summary_number(c->summary, WSK_R_COST, 0);
    c->annual = wsk_summary_number(c->summary, WSK_R_ANNUAL, 0);
    const double marginal = wsk_summary_number(c->summary, WSK_R_COST_MARGINAL, 0);
    const double carbon = wsk_summary_number(c->summary, WSK_R_CARBON, 0),
                 more_carbon = wsk_summary_number(c->summary, WSK_R_CARBON_MARGINAL, 0);
    c->elastic_carbon = carbon > 0 && !isnan(more_carbon) ? more_carbon / carbon : 1;
    c->elastic = isnan(marginal) || c->cost == 0 ? 1 : marginal / c->cost;
    c->work = wsk_summary_number(c->summary, WSK_R_WORK, 0);
    c->count = wsk_summary_number(c->summary, WSK_R_COUNT, 0);
    c->purchase = wsk_summary_number(c->summary, WSK_R_PURCHASE, 0);
    snprintf(c->counted, sizeof c->counted, "%s", wsk_cli_said(c->summary, WSK_R_COUNTED, 0));
    snprintf(c->currency, sizeof c->currency, "%s", wsk_cli_said(c->summary, WSK_R_CURRENCY, 0));
    snprintf(c->purchase_currency, sizeof c->purchase_currency, "%s",
             wsk_cli_said(c->summary, WSK_R_PURCHASE_CURRENCY, 0));
    const wsk_elements *rig = NULL;
    if (wsk_rig_elements(c->rig, &rig) == WSK_OK) {
        int stated;
        c->limit_w = sum_of(rig, "gpu", "power-limit", &stated);
        c->lock_mhz = sum_of(rig, "gpu", "lock-clock", &stated);
        c->lock_mhz /= stated;
        c->hottest_c = find_hottest_c(rig);
        wsk_cli_name_cards(c->cards, rig);
        c->constant_psu = one_constant_psu(rig);
        sum_prices(c, all, rig);
    }
    wsk_elements_free(rig);
    c->cost_per_work = wsk_summary_number(c->summary, WSK_R_COST_PER_WORK, 0);
    if (isnan(c->cost_per_work) && c->work > 0)
        c->cost_per_work = c->cost / c->work;
    c->no_room = wsk_cli_lacks_memory(c->summary);
    wsk_cli_tokens_spread(c);
    supplies(c);
    total(c, f);
    rent(c, f);
}

wsk_cli_work_by wsk_cli_cases_derive(wsk_cli_case *cases, size_t count, const wsk_cli_finance *f)
{
    const case_list all = {cases, count};
    for (size_t i = 0; i < count; i++)
        derive(&cases[i], &all, f);
    wsk_cli_work_by by = wsk_cli_compared_by(cases, count);
    for (size_t i = 0; i < count; i++)
        invest(&cases[i], &cases[0], f, by);
    return by;
}

void wsk_cli_case_free(wsk_cli_case *c)
{
    wsk_summary_free(c->summary);
    free(c->why);
    free(c->unpriced);
    free(c->unpriced_what);
    free(c->sources);
    wsk_arena_free(c->names);
    wsk_rig_free(c->rig);
    free(c->label);
}
