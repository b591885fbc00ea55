/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison as a table and in words: what differs, why, and which case wins. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare.h"

#define KWH_J 3.6e6
#define YEAR_S (365 * 86400.0)

bool wsk_cli_other_currency(const char *a, const char *b)
{
    return *a && *b && strcmp(a, b) != 0;
}

/* What the cases have in common; only that is compared. */
typedef struct {
    const char *run, *buy; /* currency of electricity and of the parts; NULL: they have several */
    bool time;             /* the same time simulated, or both brought to a year */
} common;

static const char *one_currency(const wsk_cli_case *cases, size_t count, bool purchase)
{
    const char *one = "";
    for (size_t i = 0; i < count; i++) {
        const char *mine = purchase ? cases[i].purchase_currency : cases[i].currency;
        if (wsk_cli_other_currency(one, mine))
            return NULL;
        if (*mine)
            one = mine;
    }
    return one;
}

static common find_common(const wsk_cli_case *cases, size_t count, bool annual)
{
    common all = {.run = one_currency(cases, count, false), .buy = one_currency(cases, count, true), .time = true};
    for (size_t i = 1; i < count && !annual; i++)
        all.time = all.time && !(fabs(cases[i].simulated_s - cases[0].simulated_s) > 1e-6);
    return all;
}

static bool one_money(const common *all)
{
    return all->run && all->buy && !wsk_cli_other_currency(all->run, all->buy);
}

/* ---- the table: one row a case, columns that no case knows are left out ---- */

typedef double column_fn(const wsk_cli_case *c, double per);
static double get_kwh(const wsk_cli_case *c, double per)
{
    return c->wall_kwh * per;
}
static double get_cost(const wsk_cli_case *c, double per)
{
    return c->cost * per;
}
static double get_purchase(const wsk_cli_case *c, double per)
{
    return (void)per, c->purchase;
}
static double get_payback(const wsk_cli_case *c, double per)
{
    return (void)per, c->payback_years;
}
static double get_npv(const wsk_cli_case *c, double per)
{
    return (void)per, c->npv;
}
static double get_work(const wsk_cli_case *c, double per)
{
    return c->work > 0 ? c->work * per : NAN;
}
static double get_cost_per_work(const wsk_cli_case *c, double per)
{
    return (void)per, c->cost_per_work;
}
/* Electricity and purchase, the latter spread evenly over the years of the NPV. */
static double get_all_in(const wsk_cli_case *c, double per)
{
    (void)per;
    double factor = 0;
    for (int year = 1; year <= WSK_CLI_NPV_YEARS; year++)
        factor += pow(1 + WSK_CLI_NPV_RATE, -year);
    return c->work > 0 ? (c->annual + c->purchase / factor) / (c->work * YEAR_S / c->simulated_s) : NAN;
}
static double get_carbon(const wsk_cli_case *c, double per)
{
    return wsk_json_number(c->json, "carbon_kg") * per;
}
static double get_noise(const wsk_cli_case *c, double per)
{
    return (void)per, wsk_json_number(c->json, "noise_dba");
}

double wsk_cli_over_gpus(const char *json, const char *key, wsk_cli_over how)
{
    double all = NAN, count = 0;
    for (size_t i = 0; i < wsk_json_count(json, "gpus"); i++) {
        char path[64];
        snprintf(path, sizeof path, "gpus[%zu].%s", i, key);
        double one = wsk_json_number(json, path);
        if (isnan(one))
            continue;
        all = isnan(all) ? one : how == WSK_CLI_MOST ? fmax(all, one) : all + one;
        count++;
    }
    return how == WSK_CLI_MEAN ? all / count : all;
}
static double get_die(const wsk_cli_case *c, double per)
{
    return (void)per, wsk_cli_over_gpus(c->json, "die_max_c", WSK_CLI_MOST);
}
/* Share of the cards' time with a thermal reason active, %. */
static double get_hot(const wsk_cli_case *c, double per)
{
    static const char *const reasons[] = {"throttle_s.thermal", "throttle_s.memory", "throttle_s.hw_slowdown"};
    double sum = NAN, cards = (double)wsk_json_count(c->json, "gpus");
    (void)per;
    for (int i = 0; i < 3; i++) {
        double s = wsk_cli_over_gpus(c->json, reasons[i], WSK_CLI_SUM);
        if (!isnan(s))
            sum = (isnan(sum) ? 0 : sum) + s;
    }
    return 100 * sum / (cards * c->simulated_s);
}
static double get_lost(const wsk_cli_case *c, double per)
{
    return (void)per, c->work > 0 ? 100 * wsk_json_number(c->json, "work.lost_fraction") : NAN;
}
static double get_psu(const wsk_cli_case *c, double per)
{
    return (void)per, 100 * wsk_json_number(c->json, "psus[0].efficiency_mean");
}

typedef struct {
    const char *head, *unit; /* unit "$": the currency */
    int digits;
    bool per; /* of the simulated time, or of a year */
    column_fn *get;
    enum { NO_MONEY, RUN, BUY, RUN_AND_BUY } money;
} column;
static const column columns[] = {{"energy", "kWh", 1, true, get_kwh, NO_MONEY},
                                 {"cost", "$", 2, true, get_cost, RUN},
                                 {"purchase", "$", 0, false, get_purchase, BUY},
                                 {"payback", "years", 1, false, get_payback, RUN_AND_BUY},
                                 {"value", "$", 0, false, get_npv, RUN_AND_BUY},
                                 {"PSU eff.", "%", 1, false, get_psu, NO_MONEY},
                                 {"hottest", "degC", 1, false, get_die, NO_MONEY},
                                 {"too hot", "% time", 1, false, get_hot, NO_MONEY},
                                 {"work", "GPU-h", 1, true, get_work, NO_MONEY},
                                 {"lost", "% heat", 2, false, get_lost, NO_MONEY},
                                 {"per work", "$/GPU-h", 4, false, get_cost_per_work, RUN},
                                 {"all in", "$/GPU-h", 4, false, get_all_in, RUN_AND_BUY},
                                 {"carbon", "kg", 1, true, get_carbon, NO_MONEY},
                                 {"noise", "dBA", 1, false, get_noise, NO_MONEY}};
enum { COLUMNS = sizeof columns / sizeof *columns };

static double per_of(const wsk_cli_case *c, bool annual)
{
    return annual ? YEAR_S / c->simulated_s : 1;
}

static void print_cell(FILE *out, const column *col, double value)
{
    if (isnan(value))
        fprintf(out, " %10s", "-");
    else
        fprintf(out, " %10.*f", col->digits, value);
}

static bool comparable(const column *c, const common *all)
{
    return (all->time || !c->per) && (c->money == RUN   ? all->run != NULL
                                      : c->money == BUY ? all->buy != NULL
                                                        : c->money == NO_MONEY || one_money(all));
}

static void table(FILE *out, const wsk_cli_case *cases, size_t count, bool annual, const common *all)
{
    bool known[COLUMNS] = {false};
    size_t width = 4;
    for (size_t i = 0; i < count; i++) {
        size_t len = strlen(cases[i].label);
        if (len > width)
            width = len;
        for (int k = 0; k < COLUMNS; k++)
            known[k] |= comparable(&columns[k], all) && !isnan(columns[k].get(&cases[i], 1));
    }
    /* Without a price difference there is no investment to judge. */
    for (int k = 0; k < COLUMNS; k++) {
        bool judge = columns[k].get == get_npv || columns[k].get == get_payback;
        bool differ = false;
        for (size_t i = 1; i < count; i++)
            differ |= fabs(cases[i].purchase - cases[0].purchase) >= 0.5;
        if (judge && !differ)
            known[k] = false;
    }
    fprintf(out, "%-*s", (int)width, "");
    for (int k = 0; k < COLUMNS; k++)
        if (known[k])
            fprintf(out, " %10s", columns[k].head);
    fprintf(out, "\n%-*s", (int)width, "");
    for (int k = 0; k < COLUMNS; k++) {
        if (!known[k])
            continue;
        char unit[32];
        const char *u = columns[k].unit, *year = annual && columns[k].per ? "/yr" : "";
        if (*u == '$')
            snprintf(unit, sizeof unit, "%s%s%s", columns[k].money == BUY ? all->buy : all->run, u + 1, year);
        else
            snprintf(unit, sizeof unit, "%s%s", u, year);
        fprintf(out, " %10s", unit);
    }
    fputc('\n', out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%-*s", (int)width, cases[i].label);
        for (int k = 0; k < COLUMNS; k++)
            if (known[k])
                print_cell(out, &columns[k], columns[k].get(&cases[i], per_of(&cases[i], annual)));
        fputc('\n', out);
    }
}

/* ---- in words ---- */

static double work_rate(const wsk_cli_case *c)
{
    return c->work * per_of(c, true);
}

static double energy(const wsk_cli_case *c, const char *key)
{
    char path[64];
    snprintf(path, sizeof path, "energy.%s", key);
    return wsk_json_number(c->json, path);
}

static void energy_words(FILE *out, const wsk_cli_case *a, const wsk_cli_case *b, bool annual)
{
    static const struct {
        const char *key, *words;
    } parts[] = {{"dc_kwh", "drawn from the PSU"},
                 {"psu_loss_kwh", "lost in the PSU"},
                 {"room_cooling_kwh", "for cooling the room"}};
    const char *sep = "";
    for (int i = 0; i < 3; i++) {
        double d = energy(b, parts[i].key) * per_of(b, annual) - energy(a, parts[i].key) * per_of(a, annual);
        if (isnan(d) || fabs(d) < 0.05 || fabs(d) < 1e-4 * a->wall_kwh * per_of(a, annual))
            continue;
        fprintf(out, "%s%.1f kWh %s %s", *sep ? sep : "    ", fabs(d), d < 0 ? "less" : "more", parts[i].words);
        sep = ", ";
    }
    if (*sep)
        fputs(".\n", out);
}

/* False: nothing of it is known. */
static bool cost_words(FILE *out, const wsk_cli_case *a, const wsk_cli_case *b, bool annual, const common *all)
{
    double dcost = all->run ? b->cost * per_of(b, annual) - a->cost * per_of(a, annual) : NAN;
    double dprice = all->buy ? b->purchase - a->purchase : NAN;
    bool priced = fabs(dprice) >= 0.5;
    if (isnan(dcost) && !priced)
        return false;
    fprintf(out, "  %s costs", b->label);
    if (fabs(dcost) < 0.005)
        fprintf(out, " the same as %s to run", a->label);
    else if (!isnan(dcost))
        fprintf(out, " %.2f %s %s to run than %s%s", fabs(dcost), b->currency, dcost < 0 ? "less" : "more", a->label,
                annual ? ", a year" : "");
    if (priced)
        fprintf(out, "%s %.0f %s %s to buy", isnan(dcost) ? "" : " and", fabs(dprice),
                all->buy && *all->buy ? all->buy : b->currency, dprice < 0 ? "less" : "more");
    if (!isnan(b->payback_years))
        fprintf(out, ": paid back after %.1f years", b->payback_years);
    fputs(".\n", out);
    return true;
}

static void physical_words(FILE *out, const wsk_cli_case *a, const wsk_cli_case *b, bool annual, const common *all)
{
    double dwork = all->time ? work_rate(b) / work_rate(a) - 1 : NAN;
    if (all->time)
        energy_words(out, a, b, annual);
    if (a->work > 0 && b->work > 0 && fabs(dwork) >= 5e-4) {
        double lost_a = get_lost(a, 1), lost_b = get_lost(b, 1);
        fprintf(out, "    It does %.1f %% %s work", 100 * fabs(dwork), dwork < 0 ? "less" : "more");
        if (fabs(lost_a - lost_b) >= 0.05)
            fprintf(out, "; heat takes %.1f %% of it instead of %.1f %%", lost_b, lost_a);
        fputs(".\n", out);
    }
    double ddie = get_die(b, 1) - get_die(a, 1);
    if (fabs(ddie) >= 0.5)
        fprintf(out, "    Its hottest card is %.1f K %s.\n", fabs(ddie), ddie < 0 ? "cooler" : "hotter");
}

static void difference(FILE *out, const wsk_cli_case *a, const wsk_cli_case *b, bool annual, const common *all)
{
    char *words = NULL;
    size_t len = 0;
    FILE *physical = open_memstream(&words, &len);
    if (!physical)
        return;
    physical_words(physical, a, b, annual, all);
    fclose(physical);
    if (!(all->time && all->run && cost_words(out, a, b, annual, all)) && len)
        fprintf(out, "  %s, against %s:\n", b->label, a->label);
    fputs(words, out);
    free(words);
}

/* Of the cases with a lower limit, the one that does most more work; NULL: none does. */
static const wsk_cli_case *better_with_less(const wsk_cli_case *cases, size_t count, const wsk_cli_case *hi)
{
    const wsk_cli_case *best = NULL;
    for (size_t k = 0; k < count; k++) {
        const wsk_cli_case *lo = &cases[k];
        if (lo->limit_w < hi->limit_w * (1 - 1e-9) && lo->work > 0 && work_rate(hi) < work_rate(lo) * (1 - 1e-4) &&
            wsk_json_count(lo->json, "gpus") == wsk_json_count(hi->json, "gpus") && (!best || work_rate(lo) > work_rate(best)))
            best = lo;
    }
    return best;
}

/* A heat-limited card given more power can do less: found by pairs, the worst first. */
void wsk_cli_limit_inversions(FILE *out, const wsk_cli_case *cases, size_t count, size_t most)
{
    double done = INFINITY;
    for (; most > 0; most--) {
        const wsk_cli_case *worst = NULL, *than = NULL;
        double least = 0;
        for (size_t i = 0; i < count; i++) {
            const wsk_cli_case *best = better_with_less(cases, count, &cases[i]);
            double loss = best ? 1 - work_rate(&cases[i]) / work_rate(best) : 0;
            if (loss > least && loss < done) {
                least = loss;
                worst = &cases[i];
                than = best;
            }
        }
        if (!worst)
            return;
        done = least;
        fprintf(out,
                "  %s has the higher power limit (%.0f W against %.0f W) and does %.*f %% LESS work than %s:\n"
                "    the cards are limited by heat, and the extra watts only warm them.\n",
                worst->label, worst->limit_w, than->limit_w, least < 0.001 ? 2 : 1, 100 * least, than->label);
    }
}

typedef enum { BY_COST, BY_WORK, BY_ALL_IN } measure;

static double measured(const wsk_cli_case *c, measure by)
{
    return by == BY_ALL_IN ? get_all_in(c, 1) : by == BY_WORK ? c->cost_per_work : c->annual;
}

static void winner(FILE *out, const wsk_cli_case *cases, size_t count, measure by)
{
    bool tie = true, same_load = true;
    size_t unpaid = 0, no_tariff = 0;
    for (size_t i = count; i-- > 0;)
        if (isnan(cases[i].annual))
            no_tariff = i, unpaid++;
    if (unpaid == count) {
        fputs("No winner: no case has a tariff, so electricity has no price. A <tariff> in <site> gives it one.\n", out);
        return;
    }
    if (unpaid) {
        fprintf(out, "No winner: %s has no tariff, so its electricity has no price.\n", cases[no_tariff].label);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        while (by != BY_COST && isnan(measured(&cases[i], by)))
            by--;
        same_load = same_load && !(fabs(energy(&cases[i], "dc_kwh") * per_of(&cases[i], true) /
                                            (energy(&cases[0], "dc_kwh") * per_of(&cases[0], true)) -
                                        1) > 0.02);
    }
    if (by == BY_COST && !same_load) {
        fputs("No winner: the cases feed different loads, and no work is counted that could be priced.\n", out);
        return;
    }
    const wsk_cli_case *b = &cases[0];
    for (size_t i = 1; i < count; i++) {
        double mine = measured(&cases[i], by), other = measured(b, by);
        if (fabs(mine - other) > 1e-6 * fabs(other))
            tie = false;
        if (mine < other * (1 - 1e-9) || (isnan(other) && !isnan(mine)))
            b = &cases[i];
    }
    if (tie) {
        fputs("No winner: the cases cost the same.\n", out);
        return;
    }
    if (by == BY_COST)
        fprintf(out, "Winner: %s, with %.2f %s of electricity a year.\n", b->label, b->annual, b->currency);
    else
        fprintf(out, "Winner: %s, with %.4f %s per GPU-hour of work%s.\n", b->label, measured(b, by), b->currency,
                by == BY_WORK ? ", electricity alone" : ", electricity and purchase (\"all in\")");
    if (b->npv < -0.5 && b->purchase > cases[0].purchase + 0.5)
        fprintf(out, "  But its price does not come back within %d years at %.0f %% interest: it is worth %.0f %s.\n",
                WSK_CLI_NPV_YEARS, 100 * WSK_CLI_NPV_RATE, b->npv, b->currency);
    const wsk_cli_case *most = b;
    for (size_t i = 0; i < count; i++)
        if (work_rate(&cases[i]) > work_rate(most) * (1 + 1e-3))
            most = &cases[i];
    if (most != b)
        fprintf(out, "  %s does the most work, %.1f %% more.\n", most->label,
                100 * (work_rate(most) / work_rate(b) - 1));
}

/* The difference of two constant efficiencies times the load is often quoted as the saving; it is not. */
static void efficiency_words(FILE *out, const wsk_cli_case *a, const wsk_cli_case *b)
{
    double ea = wsk_json_number(a->json, "psus[0].efficiency_mean");
    double eb = wsk_json_number(b->json, "psus[0].efficiency_mean");
    double cooling = energy(a, "room_cooling_kwh"), all = a->wall_kwh + (cooling > 0 ? cooling : 0);
    double dc = energy(a, "dc_kwh"), price = a->cost / all, per = per_of(a, true);
    if (!a->constant_psu || !b->constant_psu || !(fabs(ea - eb) > 1e-4) || !(dc > 0) || !(price > 0) ||
        fabs(energy(b, "dc_kwh") * per_of(b, true) - dc * per) > 1e-3 * dc * per)
        return;
    double lo = fmin(ea, eb), hi = fmax(ea, eb);
    double shortcut = (hi - lo) * dc * per, truth = (1 / lo - 1 / hi) * dc * per;
    /* Power while on: the supply's peak; equal to the mean where the load never rests. */
    double peak = wsk_json_number(a->json, "psus[0].load_peak") * wsk_json_number(a->json, "psus[0].rated_w");
    double duty = dc * KWH_J / (peak * a->simulated_s);
    fprintf(out, "Why %.2f and not %.2f %s a year:\n", truth * price, shortcut * price, a->currency);
    if (peak > 0 && duty < 1.001) {
        fprintf(out,
                "  A widely quoted estimate multiplies the difference of the efficiencies with the load:\n"
                "    (%.2f - %.2f) x %.0f W x %.0f %% of the year x %.2f %s/kWh = %.2f %s.\n",
                hi, lo, peak, 100 * duty, price, a->currency, shortcut * price, a->currency);
        fprintf(out,
                "  But the load is what the PSU gives, and the meter counts what it takes:\n"
                "    %.0f W/%.2f - %.0f W/%.2f = %.0f W less at the wall while the load is on = %.2f %s.\n",
                peak, lo, peak, hi, peak / lo - peak / hi, truth * price, a->currency);
    } else {
        fprintf(out,
                "  The difference of the efficiencies times the load, (%.2f - %.2f) x %.1f kWh, is too little:\n"
                "    the meter counts what the PSU takes, %.1f/%.2f - %.1f/%.2f = %.1f kWh.\n",
                hi, lo, dc * per, dc * per, lo, dc * per, hi, truth);
    }
}

static void mixed_words(FILE *out, const wsk_cli_case *cases, size_t count, const common *all)
{
    char time[32];
    if (!all->time) {
        fputs("The cases last ", out);
        for (size_t i = 0; i < count; i++) {
            wsk_cli_duration(time, cases[i].simulated_s);
            if (i < 6)
                fprintf(out, "%s%s", i ? ", " : "", time);
        }
        fprintf(out, "%s: nothing that adds up over time is compared. With --annual it is, per year.\n",
                count > 6 ? ", ..." : "");
    }
    if (!all->run) {
        fputs("Electricity is paid in different currencies, which are never converted:", out);
        for (size_t i = 0; i < count && i < 6; i++)
            fprintf(out, "%s %.2f %s", i ? "," : "", cases[i].cost, cases[i].currency);
        fprintf(out, "%s%s.\n", count > 6 ? ", ..." : "", all->time ? "" : ", each over its own time");
    }
    if (!all->buy)
        fputs("The parts are priced in different currencies, which are never converted.\n", out);
    else if (all->run && !one_money(all))
        fprintf(out, "Electricity is paid in %s and the parts in %s, which is never converted: no payback.\n",
                all->run, all->buy);
}

void wsk_cli_compare_text(FILE *out, const wsk_cli_case *cases, size_t count, bool annual)
{
    char time[32];
    common all = find_common(cases, count, annual);
    wsk_cli_duration(time, cases[0].simulated_s);
    bool year = annual;
    for (size_t i = 0; i < count; i++)
        year = year && cases[i].simulated_s >= YEAR_S;
    if (year)
        fputs("Per year of 365 days, simulated.\n\n", out);
    else if (annual && find_common(cases, count, false).time)
        fprintf(out, "Per year of 365 days, from %s simulated, repeated.\n\n", time);
    else if (annual)
        fputs("Per year of 365 days, the time that each case simulated repeated.\n\n", out);
    else if (all.time)
        fprintf(out, "Over %s.\n\n", time);
    table(out, cases, count, annual, &all);
    fputc('\n', out);
    mixed_words(out, cases, count, &all);
    bool priced = false, bought = false;
    for (size_t i = 1; i < count; i++)
        priced |= fabs(cases[i].purchase - cases[0].purchase) >= 0.5;
    if (priced && one_money(&all))
        fprintf(out, "Payback and value (net present value of %d years at %.0f %%) are against %s.\n",
                WSK_CLI_NPV_YEARS, 100 * WSK_CLI_NPV_RATE, cases[0].label);
    for (size_t i = 0; i < count; i++)
        bought |= !isnan(get_all_in(&cases[i], 1));
    if (bought && one_money(&all))
        fprintf(out, "All in: electricity, and the purchase spread over %d years at %.0f %%.\n", WSK_CLI_NPV_YEARS,
                100 * WSK_CLI_NPV_RATE);
    if (count <= 6) {
        if (all.time && all.run)
            fputs("What differs:\n", out);
        for (size_t i = 1; i < count; i++)
            difference(out, &cases[0], &cases[i], annual, &all);
    }
    if (all.time)
        wsk_cli_limit_inversions(out, cases, count, count);
    if (!all.run || !all.time) {
        fprintf(out, "No winner: the cases %s.\n",
                all.run ? "last differently long" : "are paid in different currencies");
        return;
    }
    for (size_t i = 1; i < count && count <= 6; i++)
        efficiency_words(out, &cases[0], &cases[i]);
    winner(out, cases, count, one_money(&all) ? BY_ALL_IN : BY_WORK);
}
