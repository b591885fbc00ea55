/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/kit/compared.h"
#include "cli/kit/work.h"
#include "cli/optimise/optimise.h"

enum { OWNING_ANNUAL, OWNING_PER_WORK, OWN_COUNT };
static const char *const own_names[] = {"owning.annual", "owning.per_work", NULL}, *const own_units[] = {
                                                                                       "currency", "currency/GPU-h"};

/* Cost of owning the machine for a year: electricity plus yearly loss in value of the purchase. NAN: a price or a
 * currency is unknown, or the currencies differ. */
static double owning_annual(const wsk_aims *a, const wsk_summary *s)
{
    const char *paid = wsk_summary_text(s, WSK_R_PURCHASE_CURRENCY, 0),
               *money = wsk_summary_text(s, WSK_R_CURRENCY, 0);
    const double lost = wsk_summary_number(s, WSK_R_PURCHASE, 0) * (1 - a->resale) / a->years;
    return paid && money && !strcmp(paid, money) ? wsk_summary_number(s, WSK_R_ANNUAL, 0) + lost : NAN;
}

static double own_value(const wsk_aims *a, int own, const wsk_summary *s)
{
    const double annual = owning_annual(a, s), work = wsk_summary_number(s, WSK_R_WORK, 0),
                 work_a_year = work * WSK_CLI_YEAR_S / wsk_summary_number(s, WSK_R_SIMULATED, 0);
    return own == OWNING_ANNUAL ? annual : work_a_year > 0 ? annual / work_a_year : NAN;
}

/* True for a result that only a run has and no case of a search: the range of a result, or an advised change. */
static bool is_of_study(const wsk_result_row *row, const char *name)
{
    return row->scope == WSK_SCOPE_CHANGE || row->scope == WSK_SCOPE_VAIN || strncmp(name, "uncertainty.", 12) == 0;
}

static void hint(const char *name, char *out, size_t size)
{
    static char names[WSK_RESULTS][80];
    static const char *list[WSK_RESULTS + OWN_COUNT + 1];
    size_t n = 0;
    for (int i = 0; i < WSK_RESULTS; i++) {
        const wsk_result_row *row = wsk_result_about((wsk_result)i);
        if (row->type != WSK_IS_NUMBER && row->type != WSK_IS_FLAG)
            continue;
        wsk_result_place place;
        wsk_result_name((wsk_result)i, names[n], sizeof names[n]);
        if (!is_of_study(row, names[n]) && wsk_result_find(&place, names[n])) {
            list[n] = names[n];
            n++;
        }
    }
    for (int i = 0; i < OWN_COUNT; i++)
        list[n++] = own_names[i];
    list[n] = NULL;
    wsk_hint_key(out, size, name, list);
}

static bool resolve(void *ctx, const char *name, size_t *variable, const char **unit, wsk_expr_error *error)
{
    wsk_aims *a = ctx;
    wsk_term t = {.own = -1};
    for (int i = 0; i < OWN_COUNT; i++)
        if (!strcmp(own_names[i], name)) {
            t.own = i;
            *unit = own_units[i];
        }
    for (*variable = 0; *variable < a->term_count; ++*variable)
        if (!strcmp(a->terms[*variable].name, name))
            return true;
    if (t.own < 0) {
        const bool is = wsk_result_find(&t.place, name);
        if (!is || !wsk_expr_takes(t.place.result)) {
            char near[160] = "";
            if (!is)
                hint(name, near, sizeof near);
            snprintf(error->text, sizeof error->text,
                     is ? T_("'%.80s' is no number%s") : T_("the summary has no key '%.80s'%s"), name, near);
            return false;
        }
    }
    wsk_term *grown = wsk_cli_alloc((a->term_count + 1) * sizeof *grown);
    if (a->term_count)
        memcpy(grown, a->terms, a->term_count * sizeof *grown);
    free(a->terms);
    a->terms = grown;
    t.name = wsk_cli_format("%s", name);
    grown[a->term_count++] = t;
    return true;
}

static int refuse(const char *option, const char *text, const wsk_expr_error *error)
{
    wsk_cli_error(T_("--%s, column %zu: %s"), option, error->at + 1, error->text);
    fprintf(stderr, "  %s\n  %*s^\n", text, (int)error->at, "");
    return WSK_EUSAGE;
}

static const wsk_result loads[] = {WSK_R_OVERLOADS,         WSK_R_TRIPS,         WSK_R_PSU_TRIP,
                                   WSK_R_CIRCUIT_TRIP,      WSK_R_PSU_LOAD_PEAK, WSK_R_PSU_OVER_LIMIT,
                                   WSK_R_CIRCUIT_OVER_LIMIT};

static bool is_price_of_work(const char *text)
{
    return strstr(text, own_names[OWNING_PER_WORK]) || wsk_cli_is_price_of_work(text);
}

const char *wsk_aims_work(const char *goal)
{
    return strstr(goal, own_names[OWNING_PER_WORK]) ? wsk_result_about(WSK_R_COST_PER_WORK)->key : goal;
}

bool wsk_aims_is_cost_of_work(const char *goal)
{
    return is_price_of_work(goal) && (strstr(goal, own_names[OWNING_PER_WORK]) ||
                                      strstr(goal, own_names[OWNING_ANNUAL]) || wsk_cli_is_cost_of_work(goal));
}

bool wsk_aims_has_purchase(const char *goal)
{
    return strstr(goal, own_names[OWNING_ANNUAL]) || strstr(goal, own_names[OWNING_PER_WORK]) ||
           strstr(goal, wsk_result_about(WSK_R_PURCHASE)->key);
}

static bool has_year(const char *text)
{
    static const wsk_result years[] = {WSK_R_ANNUAL, WSK_R_COST_YEAR, WSK_R_COST_WEEK};
    return strstr(text, own_names[OWNING_ANNUAL]) || strstr(text, own_names[OWNING_PER_WORK]) ||
           wsk_cli_names_one(text, years, sizeof years / sizeof *years);
}

wsk_cli_repeated wsk_aims_repeats(const wsk_aims *a)
{
    bool year = false;
    for (size_t i = 0; i < a->goal_count; i++)
        year = year || has_year(a->goals[i].text);
    for (size_t i = 0; i < a->limit_count; i++)
        year = year || has_year(a->limits[i].text);
    return year && *a->money.electricity ? wsk_cli_repeats(a->rig) : WSK_CLI_AS_A_YEAR;
}

static bool is_price(const char *text)
{
    return strstr(text, own_names[OWNING_ANNUAL]) || wsk_cli_is_price(text);
}

/* False if the question should ask for work but does not. A minimised cost alone would favour a machine that hardly
 * works. A minimised price of work does so only if the hours of work vary: then only the cheapest hour would remain. In
 * these cases the question must also limit or maximise a rate or an amount of work. */
static bool asks_for_work(const wsk_aims *a)
{
    bool price = false, work = false;
    for (size_t i = 0; i < a->goal_count; i++) {
        const char *text = a->goals[i].text;
        price = price || (!a->goals[i].most && (is_price_of_work(text) ? a->hours_vary : is_price(text)));
        work = work || (a->goals[i].most && wsk_cli_is_work(text));
    }
    for (size_t i = 0; i < a->limit_count; i++)
        work = work || wsk_cli_is_work(a->limits[i].text);
    return !price || work;
}

static const char *known(const char *currency)
{
    return *currency ? currency : NULL;
}

int wsk_aims_read(wsk_aims *a, const wsk_cli_list *goals, const bool *most, const wsk_cli_list *limits)
{
    wsk_cli_find_currencies(&a->money, a->rig);
    wsk_expr_error error = {.money = known(a->money.electricity), .paid = known(a->money.purchase)};
    if (goals->count > WSK_OPTIMISE_GOALS) {
        wsk_cli_error(T_("at most %d goals"), WSK_OPTIMISE_GOALS);
        return WSK_EUSAGE;
    }
    for (size_t i = 0; i < goals->count; i++) {
        a->goal_count++;
        if (!wsk_goal_parse(&a->goals[i], goals->items[i], most[i], resolve, a, &error))
            return refuse(most[i] ? "max" : "min", goals->items[i], &error);
    }
    for (size_t i = 0; i < limits->count; i++) {
        size_t n = 0;
        /* one place is left free for the limit on overloads, which wsk_aims_spare adds */
        const bool ok = wsk_clauses_parse(&a->limits[a->limit_count], WSK_OPTIMISE_LIMITS - 1 - a->limit_count, &n,
                                          limits->items[i], resolve, a, &error);
        a->limit_count += n;
        if (!ok)
            return refuse("where", limits->items[i], &error);
    }
    if (asks_for_work(a))
        return WSK_OK;
    const double half = (double)wsk_rig_cards(a->rig) / 2;
    wsk_cli_error(T_("the least %1$s is that of a machine that hardly works: say how much work it must do, such as "
                     "--where 'sum(gpus.work_rel) > %2$g' (GPU-hours an hour) or --where 'work.done > %3$.3g GPU-h' "
                     "(by the end of the run)"),
                  a->goals[0].text, half, half * wsk_rig_duration(a->rig) / 3600);
    return WSK_EUSAGE;
}

bool wsk_aims_side(wsk_aims *a, const char *text, wsk_goal *side, wsk_expr_error *error)
{
    return wsk_goal_parse(side, text, false, resolve, a, error);
}

void wsk_aims_free(wsk_aims *a)
{
    for (size_t i = 0; i < a->goal_count; i++)
        wsk_goal_free(&a->goals[i]);
    wsk_clauses_free(a->limits, a->limit_count);
    for (size_t i = 0; i < a->term_count; i++)
        free(a->terms[i].name);
    free(a->terms);
}

bool wsk_aims_load(const wsk_aims *a)
{
    for (size_t i = 0; i < a->limit_count; i++)
        if (wsk_cli_names_one(a->limits[i].text, loads, sizeof loads / sizeof *loads))
            return true;
    return false;
}

void wsk_aims_spare(wsk_aims *a, wsk_cli_burden most)
{
    wsk_clause *last = a->limit_count ? &a->limits[a->limit_count - 1] : NULL;
    if (last && !last->condition) {
        wsk_clauses_free(last, 1);
        a->limit_count--;
    }
    a->spared = most;
    if (most == WSK_CLI_STOPS)
        return;
    a->limits[a->limit_count++] = (wsk_clause){
        .text = wsk_cli_format("%s", most == WSK_CLI_RUNS ? N_("no overload, no trip") : N_("no trip")), .unit = "%"};
}

const char *wsk_aims_limit(const wsk_aims *a, size_t limit)
{
    return a->limits[limit].condition ? a->limits[limit].text : T_(a->limits[limit].text);
}

static bool is_other(const wsk_summary *s, wsk_result currency, const char *of_rig)
{
    const char *mine = wsk_summary_text(s, currency, 0);
    return mine && wsk_cli_other_currency(mine, of_rig);
}

/* Amounts in another currency than that of the rig as it is must not be compared with it, so they count as unknown.
 * unit: that of the value. */
static double in_one_currency(const wsk_aims *a, const wsk_summary *s, const char *unit, double value)
{
    const bool other =
        strncmp(unit, "currency", strlen("currency")) == 0   ? is_other(s, WSK_R_CURRENCY, a->money.electricity)
        : strncmp(unit, "purchase", strlen("purchase")) == 0 ? is_other(s, WSK_R_PURCHASE_CURRENCY, a->money.purchase)
                                                             : false;
    return other ? NAN : value;
}

static double value_of(const wsk_aims *a, const wsk_term *t, const wsk_summary *s)
{
    if (t->own >= 0)
        return in_one_currency(a, s, own_units[t->own], own_value(a, t->own, s));
    const wsk_result_row *row = wsk_result_about(t->place.result);
    const double value = t->place.member >= 0 ? wsk_summary_number(s, t->place.result, (size_t)t->place.member)
                         : row->scope == WSK_SCOPE_RIG ? wsk_summary_number(s, t->place.result, 0)
                                                       : wsk_summary_over(s, t->place.result, t->place.over);
    return in_one_currency(a, s, row->unit, value);
}

void wsk_aims_measure(void *ctx, const wsk_summary *s, double *out)
{
    enum { TERMS_MAX = 200 };
    const wsk_aims *a = ctx;
    double values[TERMS_MAX];
    for (size_t i = 0; i < a->term_count && i < TERMS_MAX; i++)
        values[i] = value_of(a, &a->terms[i], s);
    for (size_t i = 0; i < a->goal_count; i++) {
        const double v = wsk_expr_value(a->goals[i].value, values);
        out[i] = a->goals[i].most ? -v : v;
    }
    for (size_t i = 0; i < a->limit_count; i++)
        out[a->goal_count + i] = a->limits[i].condition ? wsk_expr_margin(a->limits[i].condition, values)
                                                        : wsk_cli_burden_margin(s, a->spared);
}

const wsk_result_row *wsk_aims_about(const char *text)
{
    wsk_result_place p;
    size_t len = strcspn(text, "<>=!");
    while (len && text[len - 1] == ' ')
        len--;
    char *name = wsk_cli_format("%.*s", (int)len, text);
    const bool is = wsk_result_find(&p, name);
    free(name);
    return is ? wsk_result_about(p.result) : NULL;
}

const char *wsk_aims_unit(const wsk_aims *a, const char *unit, char out[24])
{
    const char *rest = strstr(unit, "currency"),
               *money = !rest || rest > unit ? a->money.purchase : a->money.electricity;
    snprintf(out, 24, "%s%s", rest ? money : "", rest ? rest + strlen("currency") : strcmp(unit, "1") ? unit : "");
    return out;
}
