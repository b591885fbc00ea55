/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which case of a comparison wins, as far as what is not known well allows to say; none that would not run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/words.h"

#define YEAR_S (365 * 86400.0)

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
    return by == WSK_CLI_HOURS   ? c->work * YEAR_S / c->simulated_s
           : by == WSK_CLI_UNITS ? c->count * YEAR_S / c->simulated_s
                                 : NAN;
}

/* ---- what asks too much ---- */

void wsk_cli_burden_words(FILE *out, const wsk_cli_comparison *all, char *const *names)
{
    enum { TOLD = 4 };
    size_t told = 0, same = 0;
    for (size_t i = 0; i < all->count; i++)
        same += wsk_cli_over_circuit(&all->cases[i]);
    bool every = same == all->count;
    if (every)
        fputs("All cases overload the circuit's continuous limit.\n", out);
    for (size_t i = 0; i < all->count; i++) {
        const wsk_cli_case *c = &all->cases[i];
        const char *sep = ": ";
        bool trips = wsk_cli_would_trip(c), supply = c->supply_peak > 1.0005,
             circuit = wsk_cli_over_circuit(c) && !every;
        if (!trips && !supply && !circuit && !c->shuts_down)
            continue;
        if (told++ == TOLD) {
            fputs("More cases ask too much of what feeds or cools them.\n", out);
            break;
        }
        fputs(names[i], out);
        if (c->shuts_down)
            fprintf(out, "%sit shuts down from heat", sep), sep = ", ";
        if (trips && c->trip >= 0.995)
            fprintf(out, "%sits %s would trip", sep, c->breaker ? "circuit's breaker" : "supply"), sep = ", ";
        else if (trips)
            fprintf(out, "%sits %s would trip, %.0f in 100", sep, c->breaker ? "circuit's breaker" : "supply",
                    100 * c->trip),
                sep = ", ";
        if (supply)
            fprintf(out, "%sits supply is loaded to %.0f %% of its rating", sep, 100 * c->supply_peak), sep = ", ";
        if (circuit)
            fprintf(out, "%sits circuit to %.0f %% of the continuous limit", sep, 100 * c->circuit_peak);
        fputs(".\n", out);
    }
}

/* A case that would not run wins against none that would. */
static bool runs(const wsk_cli_common *all, const wsk_cli_case *c)
{
    return wsk_cli_case_burden(c) == wsk_cli_least_burden(all->cases, all->count);
}

static size_t running(const wsk_cli_common *all)
{
    size_t n = 0;
    for (size_t i = 0; i < all->count; i++)
        n += runs(all, &all->cases[i]);
    return n;
}

/* ---- what is measured ---- */

static double dc_w(const wsk_cli_case *c)
{
    return wsk_summary_number(c->summary, WSK_R_DC_KWH, 0) * 3.6e6 / c->simulated_s;
}

static bool same_load(const wsk_cli_common *all)
{
    double first = dc_w(&all->cases[0]);
    for (size_t i = 1; i < all->count; i++)
        if (fabs(dc_w(&all->cases[i]) / first - 1) > 0.02)
            return false;
    return true;
}

/* Said where nobody can win. */
static bool undecidable(FILE *out, const wsk_cli_common *all)
{
    size_t unpaid = 0, no_tariff = 0;
    for (size_t i = all->count; i-- > 0;)
        if (isnan(all->cases[i].annual))
            no_tariff = i, unpaid++;
    if (!all->run || !all->time)
        fprintf(out, "No winner: the cases %s.\n",
                all->run ? "last differently long" : "are paid in different currencies");
    else if (unpaid == all->count)
        fputs("No winner: no case has a tariff, so electricity has no price. A <tariff> in <site> gives it one.\n",
              out);
    else if (unpaid)
        fprintf(out, "No winner: %s has no tariff, so its electricity has no price.\n", all->names[no_tariff]);
    else
        return false;
    return true;
}

/* What all cases can be measured by: work with the purchase, work alone, both for the same load, or the bill. */
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

static bool for_units(wsk_cli_measure by)
{
    return by == WSK_CLI_BY_ALL_IN_COUNT || by == WSK_CLI_BY_COUNT;
}

static bool for_work(wsk_cli_measure by)
{
    return by == WSK_CLI_BY_ALL_IN || by == WSK_CLI_BY_PER_WORK || for_units(by);
}

static bool with_purchase(wsk_cli_measure by)
{
    return by == WSK_CLI_BY_ALL_IN || by == WSK_CLI_BY_TOTAL || by == WSK_CLI_BY_ALL_IN_COUNT;
}

static wsk_cli_yardstick find_yardstick(const wsk_cli_common *all)
{
    wsk_cli_yardstick y = {.by = find_measure(all), .scale = 1, .text = "a year"};
    wsk_cli_units u;
    if (for_units(y.by) && wsk_cli_find_units(all->all, &u)) {
        y.scale = u.price;
        snprintf(y.text, sizeof y.text, "per %s", u.price_of);
    } else if (for_work(y.by)) {
        snprintf(y.text, sizeof y.text, "per GPU-hour of work");
    }
    return y;
}

static const char *what_is_measured(wsk_cli_measure by)
{
    return with_purchase(by) ? "electricity and purchase" : "electricity alone";
}

static int digits_of(double value)
{
    return value >= 10000 ? 0 : value >= 10 ? 2 : 4;
}

/* Is the difference of a case to the best one within what is open of it? */
static bool rival(const wsk_cli_common *all, const wsk_cli_case *best, const wsk_cli_case *c, wsk_cli_measure by)
{
    double d = wsk_cli_measured(c, by) - wsk_cli_measured(best, by);
    return c != best && runs(all, c) && wsk_cli_band_between(best, c, by, all->f, NULL) >= d;
}

static void one_rival(FILE *out, const wsk_cli_common *all, const wsk_cli_case *best, const wsk_cli_case *c,
                      const wsk_cli_yardstick *y)
{
    char text[48];
    const char *most;
    double band = wsk_cli_band_between(best, c, y->by, all->f, &most);
    wsk_cli_put_band(text, y->scale * (wsk_cli_measured(c, y->by) - wsk_cli_measured(best, y->by)), y->scale * band,
                     for_work(y->by) ? 4 : 2);
    char *open = strstr(text, " +-");
    fprintf(out,
            "No winner between %s and %s: the difference of %.*s %s %s, %s, is inside what badges and assumed values "
            "leave open "
            "(%s %s)%s%s.\n",
            wsk_cli_name_of(all, best), wsk_cli_name_of(all, c), open ? (int)(open - text) : 48, text, all->run,
            y->text, what_is_measured(y->by), open ? open + 1 : "+-0", all->run, *most ? ", most of it the " : "",
            most);
}

static bool in_group(const wsk_cli_common *all, const wsk_cli_case *best, const wsk_cli_case *c, wsk_cli_measure by)
{
    return c == best || rival(all, best, c, by);
}

/* Of the group the one that does the most work, or is the coolest; NULL: there is none by more than a trifle. */
static const wsk_cli_case *best_of_group(const wsk_cli_common *all, const wsk_cli_case *best, wsk_cli_measure by,
                                         bool work)
{
    const wsk_cli_case *most = NULL;
    double least = INFINITY, top = -INFINITY;
    for (size_t i = 0; i < all->count; i++) {
        const wsk_cli_case *c = &all->cases[i];
        double v = work ? wsk_cli_work_rate(all, c) : -wsk_cli_measured(c, WSK_CLI_BY_DIE);
        if (!in_group(all, best, c, by))
            continue;
        if (isnan(v))
            return NULL;
        least = fmin(least, v);
        if (v > top)
            top = v, most = c;
    }
    return top - least > (work ? 1e-3 * top : 0.5) ? most : NULL;
}

/* Those that the cheapest does beat, by name where they are few. */
static void say_beaten(FILE *out, const wsk_cli_common *all, const wsk_cli_case *best, wsk_cli_measure by,
                       size_t beaten)
{
    enum { NAMED = 3 };
    size_t told = 0;
    if (beaten > NAMED)
        fprintf(out, "  %s beats the other %zu%s.\n", wsk_cli_name_of(all, best), beaten,
                running(all) < all->count ? " that would run" : "");
    for (size_t i = 0; i < all->count && beaten && beaten <= NAMED; i++) {
        const wsk_cli_case *c = &all->cases[i];
        if (in_group(all, best, c, by) || !runs(all, c))
            continue;
        if (!told)
            fprintf(out, "  %s beats ", wsk_cli_name_of(all, best));
        told++;
        fprintf(out, "%s%s", told == 1 ? "" : told == beaten ? " and " : ", ", wsk_cli_name_of(all, c));
    }
    fputs(told ? ".\n" : "", out);
}

const wsk_cli_case *wsk_cli_crown(FILE *out, const wsk_cli_common *all, const wsk_cli_case *best,
                                  const wsk_cli_yardstick *y)
{
    size_t found = 0, last = 0;
    const char *name = wsk_cli_name_of(all, best);
    double value = y->scale * wsk_cli_measured(best, y->by);
    for (size_t i = 0; i < all->count; i++)
        if (rival(all, best, &all->cases[i], y->by))
            last = i, found++;
    if (!found) {
        fprintf(out, "Winner: %s, with %.*f %s %s, %s.\n", name, digits_of(value), value, best->currency, y->text,
                what_is_measured(y->by));
        return NULL;
    }
    if (found == 1) {
        one_rival(out, all, best, &all->cases[last], y);
    } else {
        fprintf(out, "No winner among %s", name);
        for (size_t i = 0; i < all->count; i++)
            if (rival(all, best, &all->cases[i], y->by))
                fprintf(out, "%s%s", i == last ? " and " : ", ", all->names[i]);
        fputs(": they differ by less than badges and assumed values leave open.\n", out);
    }
    const wsk_cli_case *works = best_of_group(all, best, y->by, true), *cool = best_of_group(all, best, y->by, false);
    bool two = found == 1;
    if (two)
        fprintf(out, "  Of the two %s is cheaper (%.*f %s)", name, digits_of(value), value, best->currency);
    else
        fprintf(out, "  Of them %s is the cheapest (%.*f %s %s, %s)", name, digits_of(value), value, best->currency,
                y->text, what_is_measured(y->by));
    const char *more = two ? "more" : "the most", *er = two ? "er" : "est";
    if (works == best)
        fprintf(out, "%s does %s work%s%s", cool == best ? "," : " and", more, cool == best ? " and stays cool" : "",
                cool == best ? er : "");
    else if (cool == best && cool)
        fprintf(out, " and stays cool%s", er);
    if (works && works != best)
        fprintf(out, "; %s does %s work", wsk_cli_name_of(all, works), more);
    if (cool && cool != best)
        fprintf(out, "%s%s stays cool%s", cool == works ? " and" : "; ",
                cool == works ? "" : wsk_cli_name_of(all, cool), er);
    fputs(".\n", out);
    say_beaten(out, all, best, y->by, running(all) - found - 1);
    return works;
}

/* Said where the cases are not to be ranked by their work. */
static bool unrankable(FILE *out, const wsk_cli_common *all, wsk_cli_measure by)
{
    wsk_cli_work_by work = all->all->work;
    for (size_t i = 1; i < all->count && (work == WSK_CLI_UNLIKE || work == WSK_CLI_ONE_RATE); i++) {
        const wsk_cli_case *a = &all->cases[0], *b = &all->cases[i];
        if (!strcmp(a->cards, b->cards))
            continue;
        fprintf(out, "No winner by work or its price: an hour of %s is not the work of an hour of %s. %s\n", a->cards,
                b->cards,
                work == WSK_CLI_ONE_RATE ? "Both have the one rate of this rig, which is of one of them: --vary "
                                           "'workload.rate=...' as well, or two files, each with its own."
                                         : "With rate=\"...\" and unit=\"tokens\" in each <workload> they are "
                                           "compared by what they get done.");
        return true;
    }
    for (size_t i = 0; i < all->count && for_work(by); i++)
        if (wsk_cli_measured(&all->cases[i], by) < 0) {
            fprintf(out,
                    "No winner: %s is paid for what it draws, and earns the more for each unit the less it does.\n",
                    all->names[i]);
            return true;
        }
    if (for_work(by) || same_load(all))
        return false;
    fputs("No winner: the cases feed different loads, and no work is counted that could be priced.\n", out);
    return true;
}

/* Equal in electricity alone is not equal where the parts' prices are not the same, or are in several currencies. */
static void tie(FILE *out, const wsk_cli_common *all, wsk_cli_measure by)
{
    bool same = true;
    for (size_t i = 0; i < all->count; i++) {
        const wsk_cli_case *c = &all->cases[i];
        same = same && !c->mixed_purchase && c->same_unpriced &&
               !(fabs(c->purchase - all->cases[0].purchase) >= 0.005) &&
               isnan(c->purchase) == isnan(all->cases[0].purchase) &&
               strcmp(c->purchase_currency, all->cases[0].purchase_currency) == 0;
    }
    if (same || with_purchase(by))
        fputs("No winner: the cases cost the same.\n", out);
    else
        fputs("No winner: electricity costs the same, and what the cases cost to buy cannot be compared.\n", out);
}

static const wsk_cli_case *cheapest(const wsk_cli_common *all, wsk_cli_measure by, bool *equal)
{
    const wsk_cli_case *b = NULL;
    *equal = running(all) == all->count;
    for (size_t i = 0; i < all->count; i++) {
        const wsk_cli_case *c = &all->cases[i];
        if (!runs(all, c))
            continue;
        double mine = wsk_cli_measured(c, by), other = b ? wsk_cli_measured(b, by) : INFINITY;
        if (b && fabs(mine - other) > 1e-6 * fabs(other))
            *equal = false;
        if (!b || mine < other - 1e-9 * fabs(other))
            b = c;
    }
    return b;
}

void wsk_cli_verdict(FILE *out, const wsk_cli_common *all)
{
    wsk_cli_burden_words(out, all->all, all->names);
    if (all->count < 2) {
        fputs("No winner: there is one case.\n", out);
        return;
    }
    if (undecidable(out, all))
        return;
    wsk_cli_yardstick y = find_yardstick(all);
    if (unrankable(out, all, y.by))
        return;
    bool equal;
    const wsk_cli_case *b = cheapest(all, y.by, &equal);
    if (equal) {
        tie(out, all, y.by);
        return;
    }
    const wsk_cli_case *told = wsk_cli_crown(out, all, b, &y);
    if (running(all) < all->count)
        fprintf(out, "  What %s has no part in this.\n",
                wsk_cli_case_burden(b) == WSK_CLI_RUNS ? "asks too much of what feeds or cools it"
                                                       : "would trip or shut down");
    if (wsk_cli_case_burden(b) == WSK_CLI_STOPS)
        fputs("  But every case would trip or shut down.\n", out);
    else if (wsk_cli_case_burden(b) == WSK_CLI_OVERLOADS)
        fprintf(out, "  But %s overloads what feeds it, too.\n", wsk_cli_name_of(all, b));
    if (b->npv < -0.5 && b->purchase > all->cases[0].purchase + 0.5)
        fprintf(out,
                "  But the price of %s does not come back within %d years at %g %% interest: it is worth %.0f %s.\n",
                wsk_cli_name_of(all, b), all->f->years, 100 * all->f->rate, b->npv, b->currency);
    const wsk_cli_case *most = b;
    for (size_t i = 0; i < all->count; i++)
        if (wsk_cli_work_rate(all, &all->cases[i]) > wsk_cli_work_rate(all, most) * (1 + 1e-3))
            most = &all->cases[i];
    if (most != b && most != told)
        fprintf(out, "  %s does the most work, %.1f %% more than %s.\n", wsk_cli_name_of(all, most),
                100 * (wsk_cli_work_rate(all, most) / wsk_cli_work_rate(all, b) - 1), wsk_cli_name_of(all, b));
}
