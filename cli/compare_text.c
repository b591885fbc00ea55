/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison in words: what differs, why, and which case wins, as far as what is not known well allows to say. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare.h"

#define KWH_J 3.6e6
#define YEAR_S (365 * 86400.0)
enum { EXPLAINED = 4 }; /* more cases than these are not told one by one: the table has them */

/* What the cases have in common, for only that is compared, and how the report calls them. */
typedef struct {
    const wsk_cli_comparison *all;
    const wsk_cli_case *cases;
    size_t count;
    char *const *names;
    const wsk_cli_finance *f;
    const char *run, *buy; /* currency of electricity and of the parts; NULL: they have several */
    bool annual, time;     /* time: the same simulated, or both brought to a year */
} common;

static bool same_time(const wsk_cli_case *cases, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (fabs(cases[i].simulated_s - cases[0].simulated_s) > 1e-6)
            return false;
    return true;
}

static bool one_money(const common *all)
{
    return all->run && all->buy && !wsk_cli_other_currency(all->run, all->buy);
}

static const char *name_of(const common *all, const wsk_cli_case *c)
{
    return all->names[c - all->cases];
}

static double per_of(const wsk_cli_case *c, bool annual)
{
    return annual ? YEAR_S / c->simulated_s : 1;
}

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

/* The difference of two cases and, where it is known, what is open of it: "31.43 +-3 USD". */
static void put_difference(char out[48], const wsk_cli_case *a, const wsk_cli_case *b, wsk_cli_measure by, const wsk_cli_finance *f,
                           double per_a, double per_b, int digits)
{
    double d = wsk_cli_measured(b, by) * per_b - wsk_cli_measured(a, by) * per_a;
    wsk_cli_put_band(out, fabs(d), wsk_cli_band_between(a, b, by, f, NULL) * per_a, digits);
}

/* ---- what differs ---- */

static void energy_words(FILE *out, const common *all, const wsk_cli_case *a, const wsk_cli_case *b)
{
    double whole = a->wall_kwh * per_of(a, all->annual);
    const char *sep = "    ";
    for (int k = 0; k < WSK_CLI_CATEGORIES; k++) {
        double mine = wsk_cli_category_kwh(b->json, (wsk_cli_category)k), its = wsk_cli_category_kwh(a->json, (wsk_cli_category)k);
        double d = (isnan(mine) ? 0 : mine) * per_of(b, all->annual) - (isnan(its) ? 0 : its) * per_of(a, all->annual);
        if (fabs(d) < 0.05 || fabs(d) < 1e-4 * whole)
            continue;
        fprintf(out, "%s%.1f kWh %s %s %s", sep, fabs(d), d < 0 ? "less" : "more", k == WSK_CLI_PSU || k == WSK_CLI_FEED ? "in" : "for",
                wsk_cli_category_name((wsk_cli_category)k));
        sep = ", ";
    }
    fputs(*sep == ',' ? ".\n" : "", out);
}

static void payback_words(FILE *out, const common *all, const wsk_cli_case *a, const wsk_cli_case *b)
{
    double saved = a->annual - b->annual, dearer = b->purchase - a->purchase;
    double band = wsk_cli_band_between(a, b, WSK_CLI_BY_ANNUAL, all->f, NULL);
    if (!b->same_unpriced && all->buy && !isnan(dearer)) {
        const wsk_cli_case *who = b->unpriced ? b : a;
        fprintf(out, "    No payback: of %s, %s has no price.\n", name_of(all, who), who->unpriced);
        return;
    }
    if (isnan(b->payback_years))
        return;
    if (band >= saved)
        fprintf(out, "    It may never pay back: %.1f years for the saving as computed, which is no larger than what is open of it.\n",
                b->payback_years);
    else if (band > 0.02 * saved)
        fprintf(out, "    Paid back after %.1f years (%.1f to %.1f with what is open of the saving).\n", b->payback_years,
                dearer / (saved + band), dearer / (saved - band));
    else
        fprintf(out, "    Paid back after %.1f years.\n", b->payback_years);
}

static void cost_words(FILE *out, const common *all, const wsk_cli_case *a, const wsk_cli_case *b)
{
    double dcost = all->run ? b->cost * per_of(b, all->annual) - a->cost * per_of(a, all->annual) : NAN;
    double dprice = all->buy && b->same_unpriced ? b->purchase - a->purchase : NAN;
    bool priced = fabs(dprice) >= 0.5;
    char text[48];
    if (isnan(dcost) && !priced)
        return;
    if (fabs(dcost) < 0.005) {
        fprintf(out, "    %s costs the same to run", name_of(all, b));
    } else if (!isnan(dcost)) {
        put_difference(text, a, b, WSK_CLI_BY_COST, all->f, per_of(a, all->annual), per_of(b, all->annual), 2);
        fprintf(out, "    %s costs %s %s %s to run%s", name_of(all, b), text, all->run, dcost < 0 ? "less" : "more",
                all->annual ? ", a year" : "");
    }
    if (priced)
        fprintf(out, "%s %.0f %s %s to buy", isnan(dcost) ? "    It costs" : ", and", fabs(dprice), *all->buy ? all->buy : b->currency,
                dprice < 0 ? "less" : "more");
    fputs(".\n", out);
    payback_words(out, all, a, b);
}

static void physical_words(FILE *out, const common *all, const wsk_cli_case *a, const wsk_cli_case *b)
{
    double dwork = all->time ? work_rate(b) / work_rate(a) - 1 : NAN;
    char text[48];
    if (all->time)
        energy_words(out, all, a, b);
    if (a->work > 0 && b->work > 0 && fabs(dwork) >= 5e-4) {
        double lost_a = 100 * wsk_json_number(a->json, "work.lost_fraction"), lost_b = 100 * wsk_json_number(b->json, "work.lost_fraction");
        double band = wsk_cli_band_ratio(a, b, WSK_CLI_BY_WORK, all->f) * per_of(b, true) / per_of(a, true);
        wsk_cli_put_band(text, 100 * fabs(dwork), 100 * band, 1);
        fprintf(out, "    %s does %s %% %s work", name_of(all, b), text, dwork < 0 ? "less" : "more");
        if (fabs(lost_a - lost_b) >= 0.05)
            fprintf(out, "; heat takes %.1f %% of it instead of %.1f %%", lost_b, lost_a);
        fputs(".\n", out);
    }
    double ddie = wsk_cli_measured(b, WSK_CLI_BY_DIE) - wsk_cli_measured(a, WSK_CLI_BY_DIE);
    if (fabs(ddie) >= 0.5) {
        put_difference(text, a, b, WSK_CLI_BY_DIE, all->f, 1, 1, 1);
        fprintf(out, "    Its hottest card is %s K %s.\n", text, ddie < 0 ? "cooler" : "hotter");
    }
}

static void difference(FILE *out, const common *all, const wsk_cli_case *a, const wsk_cli_case *b)
{
    char *words = NULL;
    size_t len = 0;
    FILE *text = open_memstream(&words, &len);
    if (!text)
        return;
    if (all->time && all->run)
        cost_words(text, all, a, b);
    physical_words(text, all, a, b);
    if (fclose(text) == 0 && len)
        fprintf(out, "  %s, against %s:\n%s", name_of(all, b), name_of(all, a), words);
    free(words);
}

/* ---- more power, less work ---- */

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
void wsk_cli_limit_inversions(FILE *out, const wsk_cli_case *cases, size_t count, size_t most, char *const *names)
{
    const wsk_cli_finance any = WSK_CLI_FINANCE; /* work costs nothing */
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
        const char *name = names[worst - cases], *other = names[than - cases];
        double band = wsk_cli_band_ratio(than, worst, WSK_CLI_BY_WORK, &any);
        char open[48] = "";
        if (band >= least)
            snprintf(open, sizeof open, " (+-%.0f %%: likely, not certain)", ceil(100 * band));
        fprintf(out, "  %s has the higher power limit (%.0f W against %.0f W) and does %.*f %% LESS work than %s%s:\n", name,
                worst->limit_w, than->limit_w, least < 0.001 ? 2 : 1, 100 * least, other, open);
        fprintf(out, "    the cards are limited by heat, and a higher limit only adds to it.\n");
    }
}

/* ---- which case wins ---- */

static bool same_load(const common *all)
{
    double first = energy(&all->cases[0], "dc_kwh") * per_of(&all->cases[0], true);
    for (size_t i = 1; i < all->count; i++)
        if (fabs(energy(&all->cases[i], "dc_kwh") * per_of(&all->cases[i], true) / first - 1) > 0.02)
            return false;
    return true;
}

/* Said where nobody can win. */
static bool undecidable(FILE *out, const common *all)
{
    size_t unpaid = 0, no_tariff = 0;
    for (size_t i = all->count; i-- > 0;)
        if (isnan(all->cases[i].annual))
            no_tariff = i, unpaid++;
    if (!all->run || !all->time)
        fprintf(out, "No winner: the cases %s.\n", all->run ? "last differently long" : "are paid in different currencies");
    else if (unpaid == all->count)
        fputs("No winner: no case has a tariff, so electricity has no price. A <tariff> in <site> gives it one.\n", out);
    else if (unpaid)
        fprintf(out, "No winner: %s has no tariff, so its electricity has no price.\n", all->names[no_tariff]);
    else
        return false;
    return true;
}

/* What all cases can be measured by: work with the purchase, work alone, both for the same load, or the bill. */
static wsk_cli_measure find_measure(const common *all)
{
    static const wsk_cli_measure order[] = {WSK_CLI_BY_ALL_IN, WSK_CLI_BY_PER_WORK, WSK_CLI_BY_TOTAL};
    for (int k = 0; k < 3; k++) {
        bool known = true;
        for (size_t i = 0; i < all->count; i++)
            known = known && !isnan(wsk_cli_measured(&all->cases[i], order[k])) &&
                    (order[k] == WSK_CLI_BY_PER_WORK || (all->cases[i].same_unpriced && one_money(all)));
        if (known)
            return order[k];
    }
    return WSK_CLI_BY_ANNUAL;
}

static bool for_work(wsk_cli_measure by)
{
    return by == WSK_CLI_BY_ALL_IN || by == WSK_CLI_BY_PER_WORK;
}

static const char *unit_of_measure(wsk_cli_measure by)
{
    return for_work(by) ? "per GPU-hour of work" : "a year";
}

static const char *what_is_measured(wsk_cli_measure by)
{
    return by == WSK_CLI_BY_ALL_IN || by == WSK_CLI_BY_TOTAL ? "electricity and purchase" : "electricity alone";
}

static int digits_of(double value)
{
    return value >= 10000 ? 0 : value >= 10 ? 2 : 4;
}

/* Is the difference of a case to the best one within what is open of it? */
static bool rival(const common *all, const wsk_cli_case *best, const wsk_cli_case *c, wsk_cli_measure by)
{
    double d = wsk_cli_measured(c, by) - wsk_cli_measured(best, by);
    return c != best && wsk_cli_band_between(best, c, by, all->f, NULL) >= d;
}

static void one_rival(FILE *out, const common *all, const wsk_cli_case *best, const wsk_cli_case *c, wsk_cli_measure by)
{
    char text[48];
    const char *most;
    double band = wsk_cli_band_between(best, c, by, all->f, &most);
    wsk_cli_put_band(text, wsk_cli_measured(c, by) - wsk_cli_measured(best, by), band, for_work(by) ? 4 : 2);
    char *open = strstr(text, " +-");
    fprintf(out, "No winner between %s and %s: the difference of %.*s %s %s, %s, is inside what badges and assumed values leave open "
                 "(%s %s)%s%s.\n",
            name_of(all, best), name_of(all, c), open ? (int)(open - text) : 48, text, all->run, unit_of_measure(by),
            what_is_measured(by), open ? open + 1 : "+-0", all->run, *most ? ", most of it the " : "", most);
}

/* The cases that the best one cannot be told from. How many. */
static size_t rivals(FILE *out, const common *all, const wsk_cli_case *best, wsk_cli_measure by)
{
    size_t found = 0, last = 0;
    for (size_t i = 0; i < all->count; i++)
        if (rival(all, best, &all->cases[i], by))
            last = i, found++;
    if (found == 1)
        one_rival(out, all, best, &all->cases[last], by);
    if (found > 1) {
        fprintf(out, "No winner among %s", name_of(all, best));
        for (size_t i = 0; i < all->count; i++)
            if (rival(all, best, &all->cases[i], by))
                fprintf(out, "%s%s", i == last ? " and " : ", ", all->names[i]);
        fprintf(out, ": %s has the least %s, %.*f %s %s, but by less than badges and assumed values leave open.\n", name_of(all, best),
                what_is_measured(by), digits_of(wsk_cli_measured(best, by)), wsk_cli_measured(best, by), all->run, unit_of_measure(by));
    }
    if (found && found + 1 < all->count)
        fprintf(out, "  %s beats the other%s.\n", name_of(all, best), found + 2 < all->count ? "s" : "");
    return found;
}

static void winner(FILE *out, const common *all)
{
    if (undecidable(out, all))
        return;
    wsk_cli_measure by = find_measure(all);
    if (!for_work(by) && !same_load(all)) {
        fputs("No winner: the cases feed different loads, and no work is counted that could be priced.\n", out);
        return;
    }
    const wsk_cli_case *b = &all->cases[0];
    bool tie = true;
    for (size_t i = 1; i < all->count; i++) {
        double mine = wsk_cli_measured(&all->cases[i], by), other = wsk_cli_measured(b, by);
        if (fabs(mine - other) > 1e-6 * fabs(other))
            tie = false;
        if (mine < other * (1 - 1e-9))
            b = &all->cases[i];
    }
    if (tie) {
        fputs("No winner: the cases cost the same.\n", out);
        return;
    }
    if (rivals(out, all, b, by) == 0)
        fprintf(out, "Winner: %s, with %.*f %s %s, %s.\n", name_of(all, b), digits_of(wsk_cli_measured(b, by)),
                wsk_cli_measured(b, by), b->currency, unit_of_measure(by), what_is_measured(by));
    if (b->npv < -0.5 && b->purchase > all->cases[0].purchase + 0.5)
        fprintf(out, "  But the price of %s does not come back within %d years at %g %% interest: it is worth %.0f %s.\n",
                name_of(all, b), all->f->years, 100 * all->f->rate, b->npv, b->currency);
    const wsk_cli_case *most = b;
    for (size_t i = 0; i < all->count; i++)
        if (work_rate(&all->cases[i]) > work_rate(most) * (1 + 1e-3))
            most = &all->cases[i];
    if (most != b)
        fprintf(out, "  %s does the most work, %.1f %% more.\n", name_of(all, most), 100 * (work_rate(most) / work_rate(b) - 1));
}

/* ---- own against cloud ---- */

static void cloud_words(FILE *out, const common *all)
{
    const wsk_cli_finance *f = all->f;
    if (isnan(f->cloud))
        return;
    fprintf(out, "Own against cloud, at %g %s for a GPU-hour%s:\n", f->cloud, f->cloud_currency,
            all->count > EXPLAINED ? ", in the table" : "");
    for (size_t i = 0; i < all->count; i++) {
        const wsk_cli_case *c = &all->cases[i];
        const wsk_cli_cloud *w = &c->cloud;
        if (all->count > EXPLAINED && !isnan(w->gpu_h))
            continue;
        fprintf(out, "  %s: ", all->names[i]);
        if (wsk_cli_other_currency(f->cloud_currency, c->currency) || wsk_cli_other_currency(f->cloud_currency, c->purchase_currency))
            fprintf(out, "paid in %s, which is never converted: no break-even.\n",
                    wsk_cli_other_currency(f->cloud_currency, c->currency) ? c->currency : c->purchase_currency);
        else if (isnan(w->own))
            fprintf(out, "no break-even, for %s.\n", c->work > 0 ? "its electricity has no price" : "it does no work that is counted");
        else if (w->never)
            fprintf(out, "never breaks even: electricity alone costs %.4f %s for a GPU-hour of work.\n", w->own, c->currency);
        else if (isnan(w->gpu_h))
            fprintf(out, "no break-even, for its parts have no price.\n");
        else {
            fprintf(out, "breaks even after %.0f hours of all its cards, %.1f years at this use; ", w->hours, w->years_at_this_use);
            if (w->hours_per_year <= 8760)
                fprintf(out, "within %d years at %g %% with %.0f hours a year.\n", f->years, 100 * f->rate, w->hours_per_year);
            else
                fprintf(out, "not within %d years at %g %%: that takes %.0f hours a year.\n", f->years, 100 * f->rate, w->hours_per_year);
        }
    }
}

/* ---- why a saving is not what is often quoted ---- */

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
                "  Often the difference of the efficiencies is multiplied with the load:\n"
                "    (%.2f - %.2f) x %.0f W x %.0f %% of the year x %.2f %s/kWh = %.2f %s.\n",
                hi, lo, peak, 100 * duty, price, a->currency, shortcut * price, a->currency);
        fprintf(out,
                "  But the load is what the PSU gives, and the meter counts what it takes:\n"
                "    %.0f W/%.2f - %.0f W/%.2f = %.0f W less at the wall: %.2f %s.\n",
                peak, lo, peak, hi, peak / lo - peak / hi, truth * price, a->currency);
    } else {
        fprintf(out,
                "  The difference of the efficiencies times the load, (%.2f - %.2f) x %.1f kWh, is too little:\n"
                "    the meter counts what the PSU takes, %.1f/%.2f - %.1f/%.2f = %.1f kWh.\n",
                hi, lo, dc * per, dc * per, lo, dc * per, hi, truth);
    }
}

/* ---- the whole ---- */

static void mixed_words(FILE *out, const common *all)
{
    const wsk_cli_case *cases = all->cases;
    char time[32];
    if (!all->time) {
        fputs("The cases last ", out);
        for (size_t i = 0; i < all->count && i < EXPLAINED; i++) {
            wsk_cli_duration(time, cases[i].simulated_s);
            fprintf(out, "%s%s", i ? ", " : "", time);
        }
        fprintf(out, "%s: nothing that adds up over time is compared. With --annual it is, per year.\n",
                all->count > EXPLAINED ? ", ..." : "");
    }
    if (!all->run) {
        fputs("Electricity is paid in different currencies, which are never converted:", out);
        for (size_t i = 0; i < all->count && i < EXPLAINED; i++)
            fprintf(out, "%s %.2f %s", i ? "," : "", cases[i].cost, cases[i].currency);
        fprintf(out, "%s%s.\n", all->count > EXPLAINED ? ", ..." : "", all->time ? "" : ", each over its own time");
    }
    if (!all->buy)
        fputs("The parts are priced in different currencies, which are never converted.\n", out);
    else if (all->run && !one_money(all))
        fprintf(out, "Electricity is paid in %s and the parts in %s, which is never converted: no payback.\n",
                all->run, all->buy);
}

/* What the table's words mean, where it has them. */
static void legend(FILE *out, const common *all)
{
    bool priced = false, bought = false, spread = false;
    for (size_t i = 0; i < all->count; i++) {
        priced |= fabs(all->cases[i].purchase - all->cases[0].purchase) >= 0.5 && all->cases[i].same_unpriced;
        bought |= !isnan(all->cases[i].all_in);
        spread |= all->cases[i].spread_known;
    }
    for (size_t i = 0; i < all->count && all->buy; i++) {
        const wsk_cli_case *c = &all->cases[i];
        bool every = true;
        for (size_t k = 0; k < all->count; k++)
            every = every && c->unpriced && all->cases[k].unpriced && !strcmp(all->cases[k].unpriced, c->unpriced);
        if (every && i == 0 && isnan(c->purchase))
            fputs("No purchase, no payback: no part has a price=\"...\".\n", out);
        else if (c->unpriced && (!every || i == 0))
            fprintf(out, "The purchase%s%s is without %s, for want of a price=\"...\".\n", every ? "" : " of ",
                    every ? "" : all->names[i], c->unpriced);
    }
    if (spread)
        fputs("+-: what badges and assumed values leave open; what cases share cancels.\n", out);
    if (priced && one_money(all))
        fprintf(out, "Payback and value (net present value of %d years at %g %%) are against %s.\n", all->f->years, 100 * all->f->rate,
                all->names[0]);
    if (bought && one_money(all))
        fprintf(out, "All in: electricity, and the purchase spread over %d years at %g %%.\n", all->f->years, 100 * all->f->rate);
}

static void headline(FILE *out, const common *all)
{
    bool year = all->annual;
    char time[32];
    wsk_cli_duration(time, all->cases[0].simulated_s);
    for (size_t i = 0; i < all->count; i++)
        year = year && all->cases[i].simulated_s >= YEAR_S;
    if (year)
        fputs("Per year of 365 days, simulated.\n\n", out);
    else if (all->annual && same_time(all->cases, all->count))
        fprintf(out, "Per year of 365 days, from %s simulated, repeated.\n\n", time);
    else if (all->annual)
        fputs("Per year of 365 days, the time that each case simulated repeated.\n\n", out);
    else if (all->time)
        fprintf(out, "Over %s.\n\n", time);
}

static void in_words(FILE *out, const common *all)
{
    mixed_words(out, all);
    legend(out, all);
    if (all->count <= EXPLAINED) {
        char *words = NULL;
        size_t len = 0;
        FILE *text = open_memstream(&words, &len);
        for (size_t i = 1; text && i < all->count; i++)
            difference(text, all, &all->cases[0], &all->cases[i]);
        if (text && fclose(text) == 0 && len)
            fprintf(out, "What differs:\n%s", words);
        free(words);
    }
    if (all->time)
        wsk_cli_limit_inversions(out, all->cases, all->count, EXPLAINED, all->names);
    for (size_t i = 1; i < all->count && all->count <= EXPLAINED && all->run && all->time; i++)
        efficiency_words(out, &all->cases[0], &all->cases[i]);
    cloud_words(out, all);
    winner(out, all);
}

void wsk_cli_compare_text(FILE *out, const wsk_cli_comparison *c)
{
    char *head, **names = wsk_cli_short_names(c->cases, c->count, &head), *text = NULL;
    size_t len;
    const common all = {.all = c, .cases = c->cases, .count = c->count, .names = names, .f = &c->finance, .annual = c->annual,
                        .run = wsk_cli_one_currency(c->cases, c->count, false), .buy = wsk_cli_one_currency(c->cases, c->count, true),
                        .time = c->annual || same_time(c->cases, c->count)};
    headline(out, &all);
    wsk_cli_compare_table(out, c, names, head);
    fputc('\n', out);
    FILE *words = open_memstream(&text, &len);
    if (words) {
        in_words(words, &all);
        (void)fclose(words);
        wsk_cli_wrap(out, text);
    }
    free(text);
    for (size_t i = 0; i < c->count; i++)
        free(names[i]);
    free(names);
    free(head);
}
